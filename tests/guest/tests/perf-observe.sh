# SPDX-License-Identifier: GPL-2.0 or MIT
# What the driver reports about itself is what happened: the file in debugfs, and the tracepoints.
. /tests/lib.sh

wait_for 10 render_node
PERF_NODE=$(render_node)
export PERF_NODE
for PERF_DEBUGFS in /sys/kernel/debug/dri/*/panthor_perf; do
	[ ! -e "$PERF_DEBUGFS/state" ] || break
done
export PERF_DEBUGFS
# firmware KEY: what follows on it in the file.
firmware() {
	sed -n "s/^$1: //p" "$PERF_DEBUGFS/state"
}
# truth KEY: what the GPU says about itself.
truth() {
	host truth-last '^gpu ' | sed -n "s/.* $1=\([0-9a-fx]*\).*/\1/p"
}
requested() {
	host truth-count '^sample .*reason=manual'
}

sessions() {
	grep -c '^session ' "$PERF_DEBUGFS/state"
}
check_eq "no session" "$(sessions)" 0
expect 1 2 'panthor.*firmware counters failed'
perf-observe ledger
check_eq "perf-observe ledger" $? 0
perf-observe extract
check_eq "perf-observe extract" $? 0
check_eq "no session is left" "$(sessions)" 0
check_eq "root's alone" "$(stat -c %a "$PERF_DEBUGFS/state")" 400
# PERF_RAWDUMP: the module is one for experiments, which has another one.
check_eq "one file" "$(echo $(ls "$PERF_DEBUGFS"))" "${PERF_RAWDUMP:+rawdump }state"

# The words of the firmware as they are, also where they are not believed.
counters=$(truth counters)
shader_present=$(truth shader_present)
slots=0
cores=0
for bit in $(seq 0 63); do
	if [ $(((shader_present >> bit) & 1)) = 1 ]; then
		slots=$((bit + 1))
		cores=$((cores + 1))
	fi
done
fw=$(($(truth fw) + $(truth csg)))
hw=$((2 + $(truth l2_slices) + slots))
check_eq "interface version" "$(($(firmware version)))" "$(host qom-get gpu0 iface-version)"
check_eq "size" "$(($(firmware size)))" $((((fw * counters * 4) >> 8) << 16 | (hw * counters * 4) >> 8))
check_eq "features" "$(($(firmware features)))" $(($(truth metadata) * counters * 4 / 256))
# The driver leaves the metadata block off, whatever the features word says.
check_eq "entry" "$(firmware entry)" "$(((fw + hw) * counters * 4)) bytes, \
$((fw + 2 + $(truth l2_slices) + cores)) blocks of $counters words"
check_eq "time" "$(firmware time | sed 's/,.*//')" "$(truth timestamp_hz) Hz"
# In the time until a counter saturates it may count four events in each cycle of the fastest clock.
saturation=$((4294967295 / (4 * $(host qom-get gpu0 core-hz) / 1000)))
check "saturation $(firmware watchdog)" [ "$(($(firmware watchdog | sed 's/.*saturation \([0-9]*\).*/\1/') / 10))" = $((saturation / 10)) ]
check "suspended" wait_for 10 status_is suspended
host qom-set gpu0 x-size-at-boot 0x20034
check "a session" sh -c 'panthor-perf stat -n 1 >/dev/null'
check_eq "another size" "$(firmware size)" 0x20034
host qom-set gpu0 x-size-at-boot 0xffffffff
check "suspended" wait_for 10 status_is suspended

# Samples that wait in the firmware's ring, and the set in use.
panthor-perf stat --manual -I 60000 -n 9 --set secondary >/dev/null &
pid=$!
check "the counters are on" wait_for 20 counting
entries=$(host truth-last '^enable ' | sed -n 's/.* entries=\([0-9]*\) .*/\1/p')
check_eq "the set" "$(firmware state | sed -n 's/.* \(set [0-9]*\).*/\1/p')" "set 1"
# They stay until somebody asks for a sample, which the driver itself does once a second.
tries=10
until fill=$(host qom-set gpu0 x-auto-burst 7 && firmware ring) && [ "$fill" = "7 of $entries" ]; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] || break
	sleep 0.7
done
check_eq "samples in the ring" "$fill" "7 of $entries"
kill -INT $pid
wait $pid
check "suspended" wait_for 10 status_is suspended

# Tracepoints, together with the requests.
tracing=/sys/kernel/tracing
[ -e $tracing/trace ] || mount -t tracefs trace $tracing
events=$tracing/events/panthor_perf
check_eq "tracepoints" "$(echo $(ls $events | grep '^panthor_perf_' | sed 's/^panthor_perf_//'))" \
	"acknowledge event merge publish request sample"
check_eq "none prints an address" "$(cat $events/panthor_perf_*/format | grep -c '%p')" 0
echo >$tracing/trace
echo 8192 >$tracing/buffer_size_kb
before_requests=$(firmware requests | awk '{ print $1 }')
before_manual=$(requested)
before_samples=$(host truth-count '^sample ')
echo 1 >$events/enable
perf-observe activity 30 "$(patient 20)000000" /tmp/headers
check_eq "perf-observe activity" $? 0
check "suspended" wait_for 10 status_is suspended
echo 0 >$events/enable
cat $tracing/trace >/out/trace.txt
manual=$(($(requested) - before_manual))
samples=$(($(host truth-count '^sample ') - before_samples))
check_ge "requests of START, SAMPLE and STOP" $manual $((30 + 1))
# One request has no sample.
requests=$((manual + 1))

# of EVENT: its lines, from the first field on.
of() {
	sed -n "s/^.*: panthor_perf_$1: //p" /out/trace.txt
}
# fields EVENT FIELD...: their values.
fields() {
	_event=$1
	shift
	for _field; do
		of "$_event" | sed "s/.*\b$_field=\([^ ]*\).*/\1/"
	done
}
check_eq "lines that cannot be printed" \
	"$(grep -c 'UNSAFE\|efault\|null\|ptrval\|NEED_\|\[FAILED' /out/trace.txt)" 0
check_eq "all lines are of these" "$(grep -v '^#' /out/trace.txt | grep -vc ': panthor_perf_[a-z]*: dev=')" 0
check_eq "the device" "$(for name in request sample acknowledge publish merge event; do fields $name dev; done | sort -u)" \
	"$(basename "$(gpu)")"
check_eq "requests" "$(of request | wc -l)" $requests
check_eq "their numbers" "$(fields request nr)" "$(seq $((before_requests + 1)) $((before_requests + requests)))"
check_eq "answers" "$(of acknowledge | wc -l)" $requests
check_eq "samples of the firmware" "$(of sample | wc -l)" $samples
check_eq "in order" "$(fields sample gpu_timestamp)" "$(fields sample gpu_timestamp | sort -n -u)"
check_eq "the last one" "$(fields sample gpu_timestamp | tail -n 1)" \
	"$(host truth-last '^sample ' | sed 's/.* timestamp=\([0-9]*\).*/\1/')"
# Without the session's number, which only the driver has.
of publish | sed 's/dev=[^ ]* session=[^ ]* //' | sort >/tmp/published
sed 's/ gpu=.*//' /tmp/headers | sort >/tmp/wanted
check_eq "publications" "$(cat /tmp/published)" "$(cat /tmp/wanted)"
check_eq "of two sessions" "$(fields publish session | sort -u | wc -l)" 2
sed 's/.* gpu=//' /tmp/headers | grep -vx 0 | sort -u >/tmp/stamps
fields sample gpu_timestamp | sort -u >/tmp/sampled
check_eq "their GPU timestamps are of samples" "$(grep -vxc -f /tmp/sampled /tmp/stamps)" 0
fields publish end | sort -u >/tmp/ends
fields acknowledge end | sort -u >/tmp/answered
check_eq "their ends are of answers" "$(grep -vxc -f /tmp/answered /tmp/ends)" 0
# Of the request that was acknowledged without a sample.
check_eq "ends that are the host's time" "$(fields acknowledge host | grep -c 1)" 1
# Of the suspend behind it nobody has to be told, and the driver may.
check_eq "one incident" "$(of event | sed 's/dev=[^ ]* //' | grep -v '^flags=0x0 events=0x40$')" \
	"flags=0x2 events=0x200"
check_ge "merged periods" "$(of merge | wc -l)" 2
check_eq "for want of room" "$(fields merge status | sort -u)" 0
check_eq "one session's" "$(fields merge session | sort -u | wc -l)" 1
check_eq "more each time" "$(fields merge merged)" "$(fields merge merged | sort -n -u)"
last=$(fields merge merged | tail -n 1)
final=$(grep '^nr=3 ' /tmp/headers | tail -n 1 | sed 's/.* merged=\([0-9]*\).*/\1/')
check_ge "and all in the final sample" "$final" "$last"

check_eq "requests in debugfs" "$(firmware requests)" \
	"$((before_requests + requests)) completed $((before_requests + requests)) missing 2"
is_off() {
	[ "$(firmware ring)" = off ]
}
check "and the ring, which is not in use" wait_for 10 is_off
