# SPDX-License-Identifier: GPL-2.0 or MIT
# The self-test finds out what the GPU's properties say: what each fact has to become follows from them, by
# tests/vmali/README.md.
. /tests/lib.sh

# Of a job that was submitted a moment ago, on a busy host: Documentation/gpu/panthor-perf-reports.rst. The self-test
# runs it again.
tolerate 'panthor .*job timeout'

# prop NAME: a property of the GPU.
prop() {
	host qom-get gpu0 "$1"
}

# A driver without experiments cannot tell most of it.
rawdump=$(ls /sys/kernel/debug/dri/*/panthor_perf/rawdump 2>/dev/null | head -n 1)
# The slow kernel would see its own time-outs of jobs.
load=
[ ! -e /sys/kernel/debug/kmemleak ] || load=--no-load

OUT=/out/selftest
verdict() {
	sed -n "s/^fact $1: \(confirmed\|refuted\|not determined\) - .*/\1/p" $OUT.txt
}
seen() {
	sed -n "s/^fact $1: .* - //p" $OUT.txt
}
figure() {
	sed -n "s/^figure $1: //p" $OUT.out
}
# fact ID CONDITION...: confirmed if the condition holds, else refuted.
fact() {
	_id=$1
	shift
	if "$@"; then _want=confirmed; else _want=refuted; fi
	check_eq "$_id ($(seen "$_id"))" "$(verdict "$_id")" "$_want"
}
# raw ID CONDITION...: the same of what needs experiments.
raw() {
	if [ -n "$rawdump" ]; then fact "$@"; else unknown "$1"; fi
}
unknown() {
	check_eq "$1 ($(seen "$1"))" "$(verdict "$1")" "not determined"
}
# never ID VERDICT: what a busy machine keeps from being decided is not decided wrongly.
never() {
	if [ "$(verdict "$1")" = "$2" ]; then not_ok "$1" "$2: $(seen "$1")"; else ok "$1 ($(seen "$1"))"; fi
}
bits() {
	_count=0
	for _n in $(seq 0 63); do
		_count=$((_count + (($1 >> _n) & 1)))
	done
	echo $_count
}
top() {
	_bit=63
	while [ $((($1 >> _bit) & 1)) = 0 ]; do
		_bit=$((_bit - 1))
	done
	echo $_bit
}
run() {
	check "$1" sh -c "cd /out && panthor-perf selftest $load $2 -o $OUT.txt >$OUT.out 2>$OUT.err"
	cat $OUT.out $OUT.err
}

wait_for 10 render_node
run "the self-test runs" "--overflow --with-load='sleep 3'"

gpu_id=$(prop gpu-id)
arch=$((gpu_id >> 28))
newer=$((arch >= 12))
shader_present=$(prop shader-present)
cores=$(bits "$shader_present")
slots=$(($(top "$shader_present") + 1))
accelerators=$(bits "$(prop neural-present)")
counters=$(prop counters)
version=$(prop iface-version)
metadata=$(prop metadata)
words=64
features=$(prop prfcnt-features)
[ $arch -lt 11 ] || [ $((features & 255)) = 1 ] || words=128
per_enable=$(prop counters-per-enable)
groups=$(prop groups)
streams=$(prop streams)

# Registers
l2=$((0x07120306))
[ $newer = 0 ] || l2=$((0x08130306))
fact core-features [ "$(($(seen core-features)))" = $newer ]
fact l2-features [ "$(($(seen l2-features)))" = $l2 ]
for id in thread-limits texture-features gpu-revision csf-id coherency-features scoreboards command-registers; do
	fact $id true
done
fact groups-and-streams [ "$groups $streams" = "8 8" ]
raw prfcnt-features [ $((arch < 11 ? features == 0 : (features & 255) == 2)) = 1 ]

# The firmware's interface
raw interface-version [ $((version >= 0x01010000 && version < 0x04000000)) = 1 ]
for id in global-features instruction-features stream-stride size-words fields-of-6.12; do
	raw $id true
done
raw group-stride [ $((64 + 12 * streams <= 256)) = 1 ]
packed=$(prop packed-slots)
newer_slots=$((gpu_id >> 20 >= 0xe84))
if [ "$cores" = "$slots" ]; then
	unknown sparse-slots
	unknown packed-slots
elif [ $newer_slots = 1 ]; then
	unknown sparse-slots
	raw packed-slots [ "$packed" = on ]
else
	raw sparse-slots [ "$packed" = off ]
	unknown packed-slots
fi
raw metadata-word true
if [ "$metadata" = on ]; then
	for id in metadata-size metadata-since metadata-first sample-reason; do
		raw $id true
	done
	unknown metadata-absent
else
	for id in metadata-size metadata-since metadata-first sample-reason; do
		unknown $id
	done
	raw metadata-absent true
fi

# Enabling
raw enable-granularity [ "$per_enable" = 4 ]
raw enable-width [ "$per_enable" = 4 ]
raw enable-word true
raw block-order true
if [ $accelerators = 0 ]; then unknown neural-blocks; else raw neural-blocks true; fi
raw excluded-words [ "$(prop keep-excluded)" = off ]
raw insert-zeroed true
# Linux 7.2 enables the cycle counter for user space.
if linux 7 2; then unknown cycles-frozen; else raw cycles-frozen [ "$(prop cycles-always)" = off ]; fi

# Samples
for id in header-time header-reserved time-order acknowledge-last sample-behind-threshold overflow-unanswered \
	overflow-recovers; do
	raw $id true
done
# A session shows it.
fact acknowledge-sample true
# Where only work counts, nothing does without but interrupts, and the driver's ping of the firmware may raise
# one in the middle.
if [ "$counters $(prop mcu-cost)" = "work off" ]; then
	never clear-on-sample refuted
else
	raw clear-on-sample true
fi
if [ "$(prop core-off)" = on ] && [ "$counters" = pattern ]; then
	raw off-block-untouched true
else
	unknown off-block-untouched
fi
# Of absent cores, and of cores without an accelerator.
holes=0
[ "$packed" = on ] || holes=$((slots - cores))
[ $accelerators = 0 ] || holes=$((2 * holes + cores - accelerators))
if [ $holes = 0 ]; then unknown holes-untouched; else raw holes-untouched true; fi
if [ "$(prop auto-samples)" = 0 ]; then unknown automatic-samples; else raw automatic-samples true; fi
# Counts follow the time if they are those of a script; the jobs then cost nothing.
if [ "$counters" = load ] && [ -z "$load" ]; then
	raw overflow-keeps [ "$(prop full-ring)" = wait ]
elif [ "$counters" = work ] && [ -z "$load" ] && [ -n "$rawdump" ]; then
	# Jobs that are slow on a busy host may decide it.
	if [ "$(prop full-ring)" = wait ]; then never overflow-keeps refuted; else never overflow-keeps confirmed; fi
else
	unknown overflow-keeps
fi
raw threshold-half [ "$(prop threshold-quarters)" = 2 ]

# Power
if [ "$(prop core-off)" = on ] && [ "$counters" = pattern ]; then
	raw core-off-sample [ "$(prop core-off-sample)" = all ]
else
	unknown core-off-sample
fi
fact suspend-counts true
fact suspend-time true

# Time
if [ "$(prop timestamp-hz)" = 62500000 ]; then
	never timestamp-rate refuted
else
	never timestamp-rate confirmed
fi

# Counting: what counts at random fits no clock; what counts work counts no time.
if [ -z "$load" ]; then
	fact command-loop true
	if [ "$(prop clocks)" = 1 ]; then unknown clock-domains; else fact clock-domains false; fi
	if [ "$counters" = pattern ]; then
		fact stream-interface false
	elif [ "$counters" = load ]; then
		unknown stream-interface
	elif [ "$per_enable" = 4 ]; then
		fact stream-interface true
	fi
	[ "$(prop l2-slices)" != 1 ] || unknown mmu-slice
else
	unknown command-loop
fi

# What is measured
if [ -n "$rawdump" ]; then
	check_eq "words of a block" "$(figure sample | sed 's/.*blocks of \([0-9]*\) words.*/\1/')" $words
else
	check_eq "why not, and the way to get them" "$(seen enable-granularity)" \
		"the driver was built without experiments, which RAWDUMP=1 in /etc/default/panthor-perf-dkms builds in"
fi
check "nothing failed" sh -c "! grep -q '^figure FAILED' $OUT.out"
check "SAMPLE was timed" sh -c "grep -q '^figure SAMPLE to eventfd: min .* median .* max .* us' $OUT.out"
check "periods" sh -c "grep -q '^figure period of 1 ms: 3[0-9][0-9] samples hold' $OUT.out"
check "shader cores" sh -c "grep -q '^figure shader cores: $cores, mask' $OUT.out"

# One line for each fact in the report, for those that are determined in the output, and none of it twice.
panthor-perf selftest --list >/out/facts.txt
facts=$(wc -l </out/facts.txt)
check_ge "facts" "$facts" 60
check_eq "facts in the report" "$(grep -c '^fact ' $OUT.txt)" "$facts"
check_eq "facts in the output" "$(grep -c '^fact ' $OUT.out)" \
	"$(grep -c '^fact .*: \(confirmed\|refuted\) - ' $OUT.txt)"
check_eq "facts of one name" "$(sed 's/ .*//' /out/facts.txt | sort | uniq -d | wc -l)" 0
check "the report is named at the end" sh -c "tail -n 1 $OUT.out | grep -q '$OUT.txt'"
check "the report has the kernel" grep -q "^kernel $(uname -r)" $OUT.txt
check_not "and no name of the machine" grep -q "$(hostname)$(hostname | grep -q '(none)' && echo never)" $OUT.txt

# Some facts only, as JSON, and the default name of the report.
cp $OUT.out $OUT.all
run "two facts" "--only=csf-id,enable-word"
check_eq "facts then" "$(grep -c '^fact ' $OUT.txt)" 2
check_eq "checks then" "$(grep -c '^# ' $OUT.err)" $((1 + ${rawdump:+1} + 0))
run "JSON" "--json --only=csf-id"
check_eq "its fact" "$(sed -n 's/.*"id": *"\(.*\)",.*/\1/p' $OUT.out)" csf-id
check_eq "its verdict" "$(sed -n 's/.*"verdict": *"\(.*\)",.*/\1/p' $OUT.out)" confirmed
cd /tmp
check "a report by its default name" panthor-perf selftest --only=csf-id
check "is there" [ -s "$(printf '/tmp/panthor-perf-selftest-%08x.txt' "$gpu_id")" ]
panthor-perf selftest --only=no-such-fact
check_eq "an unknown fact" $? 2
panthor-perf selftest -d /dev/null
check_eq "no GPU" $? 5
check_not "a report that cannot be written" panthor-perf selftest --only=csf-id -o /no/such/folder
cp $OUT.all $OUT.out

# Experiments are for nobody who counts, and keep nobody from counting.
[ -n "$rawdump" ] || exit 0
export PERF_STATE=/tmp/state
state_is() {
	[ "$(cat $PERF_STATE 2>/dev/null)" = "$1" ]
}
check_eq "only root may" "$(stat -c %a "$rawdump")" 600
check_not "a line that is none" sh -c "echo nonsense >$rawdump"
check_not "a number that is too large" sh -c "echo requests=129 >$rawdump"
check "an experiment" sh -c "echo requests=1 >$rawdump"
check "what the firmware says" sh -c "grep -q '^version 0x' $rawdump"
perf-session hold &
pid=$!
check "a session is started" wait_for 10 state_is started
enables=$(host truth-count '^enable')
check_not "no experiment meanwhile" sh -c "echo requests=1 >$rawdump"
check_eq "nor was anything enabled" "$(host truth-count '^enable')" "$enables"
kill -USR1 $pid
check "stopped" wait_for 10 state_is stopped
check "an experiment with a session that is not started" wait_for 10 sh -c "echo requests=1 >$rawdump"
kill -USR2 $pid
wait $pid
check_eq "the session's process ended well" $? 0
check "suspended at the end" wait_for 10 status_is suspended
