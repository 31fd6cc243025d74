# SPDX-License-Identifier: GPL-2.0 or MIT
# The driver of the first PERF_PATCHES series for mainline, Documentation/gpu/panthor-perf-series.rst: it takes samples on
# request, and reports no feature of a later series. The tools use those that it has, and refuse the others in one
# sentence. Without PERF_PATCHES it has all. The samples in /out/NAME.SAMPLES.ERRORS.raw are compared with the truth outside.
. /tests/lib.sh

wait_for 10 render_node
# has NUMBER: whether the driver has what this series adds
has() {
	[ "${PERF_PATCHES:-10}" -ge "$1" ]
}

# What PERF_INFO says.
check "panthor-perf info" sh -c 'panthor-perf info >/out/info.txt'
# field NAME: what the line of this name has
field() {
	sed -n "s/^$1  *//p" /out/info.txt
}
features=
# feature NUMBER NAME: that it is among the features, from this series on
feature() {
	! has "$1" || features="$features${features:+, }$2"
}
feature 3 block-states
feature 8 compact
feature 6 allow-suspend
feature 8 wakeup
feature 7 syncs
check_eq "features" "$(field features)" "${features:-none}"
check_eq "interface version" "$(field 'interface version')" 1
clocks=none
! has 2 || clocks=toplevel
check_eq "clocks" "$(field 'reported clocks')" "$clocks"
period="none: samples are taken on request only"
! has 5 || period="0.100000 ms"
check_eq "shortest period" "$(field 'shortest period')" "$period"
pmu=none
! has 6 || pmu=panthor_$(basename "$(gpu)" | sed 's/\..*//')
check_eq "PMU" "$(field 'perf PMU')" "$pmu"
rates=0
! has 9 || rates=1
check_eq "rates of clocks" "$(grep -c '^core clock ' /out/info.txt)" $rates
files=0
! has 10 || files=1
check_eq "files for debugging" "$(ls -d /sys/kernel/debug/dri/*/panthor_perf/state 2>/dev/null | head -n 1 | wc -l)" $files

# On request.
mkdir -p /out/runs
check "samples" sh -c 'panthor-perf stat -n 5 -I 20 --manual --raw /out/all.5.0.raw >/out/all.txt'
check_eq "a summary in each" "$(grep -c '^  core_util ' /out/all.txt)" 5
check "one after the other" sh -c 'panthor-perf stat -n 20 -I 0 --raw /out/fast.20.0.raw >/dev/null'
check "some counters" sh -c \
	'panthor-perf stat -n 3 -I 20 --manual -e shader:4,shader:63 -e tiler:10-12 --raw /out/some.3.0.raw >/dev/null'
check "a small ring" sh -c 'panthor-perf stat -n 12 -I 10 --manual --slots 4 --raw /out/small.12.0.raw >/dev/null'
check "another counter set" sh -c \
	'panthor-perf stat --set secondary -n 2 -I 20 --manual --raw /out/secondary.2.0.raw >/dev/null'
check "a command" sh -c 'panthor-perf stat --raw /out/command.1.0.raw -- sleep 0.2 >/dev/null'
check "runs" sh -c 'panthor-perf stat -r 3 --raw /out/runs/stat.raw >/dev/null'
check "with an interval, by period or on request" sh -c 'panthor-perf stat -n 4 -I 50 --raw /out/interval.4.0.raw >/dev/null'
panthor-perf stat -n 6 -I 50 --manual --raw /out/first.6.0.raw >/dev/null &
first=$!
panthor-perf stat -n 9 -I 30 --manual -e 'memsys:*' --raw /out/second.9.0.raw >/dev/null
check_eq "two at a time: second" $? 0
wait $first
check_eq "two at a time: first" $? 0
check "a recording of one sample" panthor-perf record -q -n 1 -I 100 -o /out/one.1.0.raw
four_marks >/tmp/layer
check "a recording by marks" sh -c \
	'panthor-perf record -q --mark /tmp/mark --mark-ack /tmp/ack -o /out/marks.5.0.raw -- sh /tmp/layer'
panthor-perf report /out/marks.5.0.raw >/out/report.txt
check "its data quality" grep -qE '^quality +5 samples, 0 with ERROR, 0 with OVERFLOW, .*none lost' /out/report.txt
check "an example of the library" example-minimal

# says STATUS SENTENCE COMMAND...: it ends with this status, and says this one sentence
says() {
	_want=$1
	_sentence=$2
	shift 2
	_status=0
	"$@" >/tmp/said.txt 2>&1 || _status=$?
	check_eq "'$*': exit status" $_status "$_want"
	check_eq "'$*': in one sentence" "$(cat /tmp/said.txt)" "$_sentence"
}

# refused NUMBER SENTENCE COMMAND...: it works from this series on, and is refused before
refused() {
	if has "$1"; then
		shift 2
		check "'$*'" sh -c '"$@" >/dev/null' - "$@"
	else
		_refusal="panthor-perf: $2"
		shift 2
		says 2 "$_refusal" "$@"
	fi
}

no_periods="the driver has no periodic sessions"
refused 5 "$no_periods" panthor-perf record -q -n 6 -I 20 -o /out/period.6.0.raw
if has 5; then
	check "example-periodic" example-periodic
	refused 8 "the driver wakes up for each sample" panthor-perf stat -n 8 -I 20 --wakeup 2
else
	says 1 "periodic: creating a session: $no_periods" example-periodic
	says 2 "panthor-perf: --wakeup: $no_periods" panthor-perf stat -n 8 -I 20 --wakeup 2
fi
refused 6 "the driver keeps the GPU powered while a session is started" panthor-perf stat -n 2 --allow-suspend
refused 8 "the driver has no compact samples" panthor-perf stat -n 3 -I 20 --manual --compact -e core_util
# The clock has a single rate.
says 2 "panthor-perf: the GPU's clock has a single rate, or the driver has no clock modes" \
	panthor-perf stat --clocks=highest

check "suspended in the end" wait_for 10 status_is suspended
check_eq "counters are disabled as often as enabled" "$(host truth-count '^disable')" "$(host truth-count '^enable')"
