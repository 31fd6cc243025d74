#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/cli-test.sh FOLDER
#
# Runs panthor-perf on a driver in its own process (FOLDER/panthor-perf-fake) and compares its samples
# with FOLDER/panthor-perf-compare. Prints "ok NAME" or "not ok NAME - why".
set -u

if [ $# -ne 1 ] || [ "$1" = --help ]; then
	sed -n '4,7s/^# \{0,1\}//p' "$0"
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

: >gpu.panthor
: >gpu.other
export FAKE_NODES="$work/gpu.other:$work/gpu.panthor" FAKE_TRUTH="$work/truth.log" FAKE_SETTINGS=
# A library that json-c drags in must not hide leaks of ours; a counted leak is an exit status.
# A thread that is cancelled makes the sanitizer find its own stack for signals out of bounds.
export ASAN_OPTIONS=detect_leaks=1:use_sigaltstack=0

# expect NAME STATUS PATTERN ARGUMENT...: exit status, and a regular expression in what is printed
expect() {
	name=$1
	want=$2
	pattern=$3
	shift 3
	"$bin/panthor-perf-fake" "$@" >out 2>err </dev/null
	status=$?
	cat out err >all
	if [ $status -ne "$want" ]; then
		echo "not ok $name - exit status $status instead of $want: $(tail -n 1 err)"
		failed=1
	elif ! grep -qE -- "$pattern" all; then
		echo "not ok $name - '$pattern' is not printed"
		cat all >&2
		failed=1
	elif grep -q '^fakedrm:' err; then
		echo "not ok $name - $(grep -m 1 '^fakedrm:' err)"
		failed=1
	else
		echo "ok $name"
	fi
}

# exact NAME SAMPLES COUNTERS [ARGUMENT...]: what the last run wrote agrees with the GPU's log
exact() {
	name=$1
	line="demo: $2 samples, $3 counters compared with the GPU's own totals, 0 differ"
	samples=$2
	shift 3
	if "$bin/panthor-perf-compare" --may-guess truth.log samples.raw --expect-samples "$samples" "$@" >compared 2>&1 &&
		[ "$(tail -n 1 compared)" = "$line" ]; then
		echo "ok $name"
	else
		echo "not ok $name - $(tail -n 1 compared)"
		cat compared >&2
		failed=1
	fi
}

# holds NAME COMMAND...
holds() {
	name=$1
	shift
	if "$@"; then
		echo "ok $name"
	else
		echo "not ok $name - $*: $(head -n 3 out)"
		failed=1
	fi
}

lines() {
	[ "$(grep -cE -- "$2" out)" -eq "$1" ]
}

# messages NUMBER PATTERN: as lines, of what was printed as a message
messages() {
	[ "$(grep -cE -- "$2" err)" -eq "$1" ]
}

# Help and command lines that are wrong.
expect "--version" 0 '^panthor-perf [0-9]+\.[0-9]+$' --version
expect "--help" 0 '^  stat  ' --help
expect "--help tells exit statuses" 0 '^Exit status: 0 done; 1' --help
expect "--help: exit status 2 for what the driver does not have" 0 'GPU does not have what it requests; 3' --help
for help in help --help; do
	expect "help $help" 0 '^Usage: panthor-perf-fake .*COMMAND' help $help
	holds "help $help: the commands" lines 1 '^  selftest '
done
expect "info --help" 0 'Usage: panthor-perf info ' info --help
expect "stat --help" 0 'Usage: panthor-perf stat .*COMMAND' stat --help
expect "no command" 2 'no command given'
expect "an unknown command" 2 "unknown command 'stats': is it 'stat'\\?" stats
expect "an unknown command: its first letters decide" 2 "unknown command 'recrod': is it 'record'\\?" recrod
expect "an unknown command like no other" 2 "unknown command 'frob'$" frob
expect "an unknown option" 2 'unrecognized option' --frob
expect "an unknown option of info" 2 'unrecognized option' info --frob
expect "info with an argument" 2 "unexpected argument 'x'" info x
expect "stat -n 0" 2 "number of samples '0' is not a number from 1" stat -n 0
expect "stat -n -1" 2 "number of samples '-1' is not a number" stat -n -1
expect "stat -n 2x" 2 "number of samples '2x' is not a number" stat -n 2x
for interval in x 1.5.2 .5 1. -1 1ms 86400001 ''; do
	expect "stat -I '$interval'" 2 "interval '$interval' is not a number of ms from 0" \
		stat -I "$interval"
done
expect "stat -I 0.0000001" 2 'has more than 6 decimals' stat -I 0.0000001
expect "stat -I below the shortest period" 2 \
	'a period of 99999 ns is below the shortest, 100000 ns' stat -I 0.099999
expect "stat --set nonsense" 2 "there is no counter set 'quaternary'" stat --set quaternary
expect "stat --set that is not offered" 2 'does not offer the counter set secondary' \
	stat --set secondary
expect "stat --slots 3" 2 'number of slots 3 is not a power of two' stat --slots 3
expect "stat --slots beyond the limit" 2 'a ring of 32 slots is not within 2 to 16' \
	stat --slots 32
expect "stat -e of nonsense" 2 "there is no block type 'shadow'.*column 1" stat -e shadow:4
expect "stat -e of a missing block" 2 'this GPU has no blocks of type csg' stat -e csg:4
expect "stat -n with a command and no interval" 2 'several samples of a command need' \
	stat -n 3 -- true
expect "stat -I 0 with a command" 2 'is more than 0 ms' stat -I 0 -- true

FAKE_LOAD=load
printf 'cshw:4 1000\nmemsys:32 10\n' >load
export FAKE_LOAD
expect "-e of a named formula" 0 '^  twice +2,000 units +2 \* MaliGPUActiveCy' stat -e 'twice = 2 * MaliGPUActiveCy'
expect "-e of a share" 0 '^  formula_1 +2.00 % +100\*MaliExtBusRdBt/MaliGPUActiveCy' stat -e '100*MaliExtBusRdBt/MaliGPUActiveCy'
expect "-e of a formula with Arm's constants" 0 '^  cores +333' stat \
	-e 'cores = max(MaliGPUActiveCy, 1) / MALI_CONFIG_SHADER_CORE_COUNT'
expect "-e of a share of all cores" 0 'note: -e x: .* is NCORE missing' stat -e 'x=100*MaliAnyActiveCy/MaliGPUActiveCy'
expect "-e of a share of all slices" 0 'note: -e x: .* is NL2 missing' stat -e 'x=100*MaliExtBusRdBt/MaliGPUActiveCy'
expect "-e of a share of two clocks" 0 'note: -e x: .* are SHADERCY and TOPCY missing' \
	stat -e 'x=100*MaliAnyActiveCy/(NCORE*MaliGPUActiveCy)'
expect "-e of cores against a clock" 0 'note: -e x: .* is NCORE missing' stat -e 'x=100*MaliAnyActiveCy/SHADERCY'
expect "-e of cores against another clock" 0 'note: -e x: .* is SHADERCY missing' stat -e 'x=100*MaliAnyActiveCy/(NCORE*TOPCY)'
expect "-e of slices against a clock" 0 'note: -e x: .* is NL2 missing' stat -e 'x=100*MaliExtBusRdBt/TOPCY'
expect "-e of the tiler against the cores' clock" 0 'note: -e x: .* is TOPCY meant' stat -e 'x=100*MaliTilerActiveCy/SHADERCY'
expect "-e with two things missing" 0 'note: -e x: .* is NL2 missing' stat -e 'x=100*MaliExtBusRdBt/MaliAnyActiveCy'
"$bin/panthor-perf-fake" stat -e 'u=100*SHADERCY/(1000*TSPAN)' -e 't=100*MaliSCBusLSExtRdBt/MaliExtBusRdBt' \
	-e 'w=100*MaliGPUActiveCy/TOPCY' -e 'v=100*MaliAnyActiveCy/(NCORE*SHADERCY)' >out 2>err
[ ! -s err ] && echo "ok -e of shares of clocks has no note" || { echo "not ok -e of shares of clocks has no note - $(cat err)"; failed=1; }
"$bin/panthor-perf-fake" stat -e 'x=100*MaliCoreActiveCy/MaliAnyActiveCy' \
	-e 'y=100*(MaliAnyActiveCy/SHADERCY)/(NCORE*MaliGPUActiveCy/TOPCY)' -e 'z=MaliAnyActiveCy/MaliGPUActiveCy' >out 2>err
[ ! -s err ] && echo "ok -e of right shares has no note" || { echo "not ok -e of right shares has no note - $(cat err)"; failed=1; }
expect "-e of a formula over another one" 0 '^  b +4,000' stat -e 'a=2*MaliGPUActiveCy' -e 'b=2*a'
expect "-e of a formula with an unknown name" 2 "-e x: .*unknown name 'nonsense'" stat -e 'x=nonsense/2'
expect "-e of a formula whose name is a counter's" 2 "-e MaliGPUActiveCy: " stat -e 'MaliGPUActiveCy=3'
expect "-e of a formula with a comment" 2 '^panthor-perf: -e x: no formula has this character' stat -e 'x=2 # more'
expect "-e of a formula of two lines" 2 'no formula has this character' stat -e "$(printf 'x=2\n= 3')"
expect "-e of an empty formula" 2 "there is no formula behind '='" stat -e 'x='
expect "-e of a formula, twice the same" 0 '^  a +2,000' stat -e 'a=2*MaliGPUActiveCy' -e 'a=2*MaliGPUActiveCy'
expect "-e of a formula, twice, and another one" 0 '^2 samples' record -n 2 -o twice.rec -e 'a=2*MaliGPUActiveCy' \
	-e 'a=2*MaliGPUActiveCy' -e 'b=3*MaliGPUActiveCy'
grep -aqF '"counters":["a","a","b"]' twice.rec || { echo "not ok -e of a formula, twice: other names"; failed=1; }
expect "-e of a name for two formulas" 2 '-e a: ' stat -e 'a=2*MaliGPUActiveCy' -e 'a=3*MaliGPUActiveCy'
expect "-e of a formula beside a formula_1" 0 '^  formula_2 +3' stat -e 'formula_1=2' -e '3+0'
expect "record of a formula" 0 '^2 samples' record -n 2 -e 'own = 3 * MaliGPUActiveCy' -o formula.rec
expect "report of a recorded formula" 0 '^own +6,000 ' report formula.rec
expect "report of a recorded formula, given again" 0 '^own +6,000 ' report formula.rec -e 'own = 3 * MaliGPUActiveCy'
expect "report of another formula of the name" 2 '-e own: another counter of the table, or formula of the recording' \
	report formula.rec -e 'own = 4 * MaliGPUActiveCy'
expect "report of a command that needs quotes" 0 "^command +panthor-perf record -n 2 -e 'own = 3 \\* Mali" report formula.rec
expect "report behind the end" 2 'the recording ends at 0\.[0-9]{3} s, with sample #1$' report formula.rec --from 5s
expect "report of a range that is none" 2 'its end is not behind its begin' report formula.rec --from '#1' --to '#0'
expect "-e of bytes, as a share" 0 '^  share ' stat -e 'share = 100 * ext_rd_bytes / MaliGPUActiveCy'
! grep -q 'is NL2 missing' err || { echo "not ok -e of bytes: no note - $(cat err)"; failed=1; }
expect "report of a formula of its own" 0 '^other +12,000 ' report formula.rec -e 'other = 2 * own'
printf 'memsys/0:4 50\nmemsys:32 10\n' >load
expect "stat -i: the MMU's counters are those of the first slice" 0 '^    memsys\[1\] +-$' stat -i -e MaliMMULookup
expect "stat -i: another counter of both slices" 0 '^    memsys\[1\] +10$' stat -i -e MaliExtBusRdBt
unset FAKE_LOAD
expect "-x of a quotation mark" 2 'the separator of -x has a quotation mark' stat -x '"'
expect "-x of a new line" 2 'the separator of -x has a quotation mark' report -x '
'
{ printf '\357\273\277' && cat "$here/../../tools/counters/G710.counters"; } >bom.counters
expect "a table with a mark of the byte order" 0 '^MaliGPUActiveCy$' list --gpu G710 --names --counters bom.counters
mkdir deep
(cd deep && seq 1 11000 | xargs touch)
expect "a folder of very many files" 1 'deep: this folder has very many files below it' list --gpu G710 --counters deep
rm -rf deep
start=$(date +%s)
"$bin/panthor-perf-fake" list --gpu G710 --names --counters / >out 2>err
[ $(($(date +%s) - start)) -lt 30 ] && echo "ok the root folder as a table" ||
	{ echo "not ok the root folder as a table - $(($(date +%s) - start)) s"; failed=1; }

# Devices.
# The driver's folder has a link of the name $1: to its module, or to a device.
linked() {
	FAKE_NODES='' unshare -m sh -c 'folder=/sys/bus/platform/drivers/panthor
		mount -t tmpfs none "${folder%/*}" && mkdir "$folder" && ln -s / "$folder/$1" &&
		exec "$0" info' "$bin/panthor-perf-fake" "$1" >out 2>err
	[ $? -eq 5 ] && grep -q "$2" err && echo "ok the driver with a link to its $1" ||
		{ echo "not ok the driver with a link to its $1 - $(cat err)"; failed=1; }
}
if unshare -m true 2>/dev/null; then
	linked device 'the driver panthor has a GPU, but there is no node'
	linked module 'there is no GPU of the driver panthor'
fi
FAKE_NODES='' expect "no GPU at all" 5 'there is no GPU of the driver panthor' info
expect "a node that is missing" 5 '/nonexistent: No such file or directory' \
	info -d /nonexistent
expect "a device that is no DRM node" 5 '/dev/null: this is no DRM node' info -d /dev/null
expect "a GPU of another driver" 5 'gpu.other: the driver of this node is other, not panthor' stat -d "$work/gpu.other"

# info
expect "info" 0 '^GPU +Mali-G610, id 0xa8670005, architecture 10\.8\.6$' info
holds "info: the node" lines 1 "^device +$work/gpu.panthor$"
holds "info: blocks" lines 1 '^  shader +3 \(shader core\)$'
holds "info: no blocks that are not there" lines 0 'csg|neural'
holds "info: slots" lines 1 '^ring +2 to 16 slots$'
holds "info: sets" lines 1 '^counter sets +primary$'
holds "info: periods" lines 1 '^shortest period +0\.100000 ms$'
holds "info: clocks" lines 1 '^reported clocks +none$'
holds "info: states" lines 1 '^reported block states +no$'
FAKE_SETTINGS=sets=7,clocks=5,states=1,min_period_ns=0 expect "info: all sets" 0 \
	'^counter sets +primary, secondary, tertiary$' info
holds "info: more clocks" lines 1 '^reported clocks +toplevel, shader$'
holds "info: reported states" lines 1 '^reported block states +yes$'
holds "info: no periods" lines 1 '^shortest period +none: samples are taken on request only$'
FAKE_SETTINGS=features=64 expect "info: rates of clocks" 0 \
	'^core clock +850 MHz \(lowest 300, highest 1000, profiling 650\)$' info
holds "info: a clock without limits" lines 1 '^core group clock +850 MHz$'
holds "info: a clock that is not there" lines 0 '^shader clock'
FAKE_SETTINGS=features=64 expect "info --json: rates of clocks" 0 '"profiling_hz":"650000000"' info --json
FAKE_SETTINGS=gpu_id=0xc8710000 expect "info: another product" 0 'Mali-G620' info
FAKE_SETTINGS=gpu_id=0x98670005 expect "info: an unknown product" 0 'unknown product, id 0x98670005' info
holds "info: the interface" lines 1 '^interface version +1$'
for abi in 0 2; do
	FAKE_SETTINGS=abi=$abi expect "info: version $abi of the interface" 4 \
		"the driver has version $abi of the interface, the library knows version 1 alone" info
	FAKE_SETTINGS=abi=$abi expect "stat: version $abi of the interface" 4 "the driver has version $abi of " stat
done
FAKE_SETTINGS=info_errno=95 expect "info without counters" 3 'no performance counters that the driver can use' info
holds "info without counters: the GPU" lines 1 '^GPU +Mali-G610'
FAKE_SETTINGS=info_errno=22 expect "info of an older driver" 4 'the driver of this kernel has no performance counters' info
FAKE_SETTINGS=counters=0 expect "info that is impossible" 1 'PERF_INFO of the driver has an impossible size of a block' info
FAKE_SETTINGS=fail_at=2,fail_errno=19 expect "info of a lost GPU" 1 'the GPU is gone' info

json() {
	python3 -c "import json, sys
d = json.load(open('out'))
sys.exit(not ($1))"
}
expect "info --json" 0 '^\{' info --json
holds "info --json: content" json "d['gpu']['product'] == 'Mali-G610' and
d['gpu']['id'] == '0xa8670005' and d['counters']['blocks']['shader'] == 3 and
d['counters']['blocks']['csg'] == 0 and d['counters']['sets'] == ['primary'] and
d['counters']['gpu_timestamp_frequency'] == '62500000' and d['driver'] == '1.3.0'"
FAKE_SETTINGS=info_errno=95 expect "info --json without counters" 3 '"counters": ?null' info -j
holds "info --json without counters: why" json "'no performance counters' in d['error']"

# stat: numbers of samples, and that they are right
expect "stat" 0 '^sample 0: 1\.234567 ms, GPU timestamp 3000; flags FINAL; events none$' \
	stat --raw samples.raw
exact "stat: one sample is the final one" 1 480
holds "stat: the summary" lines 1 '^  gpu_active +[0-9,]+ cycles +GPU active cycles$'
holds "stat: the sum of a run" lines 1 '^1 sample, 0 with ERROR, 0 with OVERFLOW, none lost$'
expect "stat -n 8" 0 '^8 samples, 0 with ERROR' stat -n 8 -I 0 --raw samples.raw
exact "stat -n 8: exact" 8 3840
expect "stat -n 8 with two slots" 0 '^8 samples' stat -n 8 -I 0 --slots 2 --raw samples.raw
exact "stat -n 8 with two slots: exact" 8 3840
expect "stat -e" 0 '^8 samples' stat -n 8 -I 0 -e shader:5,TILER:60-63 -e 'fw:*' --raw samples.raw
exact "stat -e: exact" 8 $((8 * (3 + 4 + 60)))
expect "stat -e: values" 0 '^  MaliFragRdPrim +12,080,[0-9]{3},[0-9]{3} primitives .*\(shader:5\)$' stat -e shader:5
expect "stat -e: a value per block" 0 '^    shader\[2\] +4,026,[0-9]{3},[0-9]{3}$' stat --per-instance -e shader:5
sum_of_blocks() {
	tr -d , <out | awk '$1 == "MaliFragRdPrim" { sum = $2 } $1 ~ /^shader/ { sum -= $2; found++ }
		END { exit sum != 0 || found != 3 }'
}
holds "stat -e: the sum of the blocks" sum_of_blocks
expect "stat -e: a counter that is 0 is shown" 0 '^  MaliGeomTrianglePrim +0 primitives' stat -e tiler:6
expect "stat -e: a range hides those that are 0" 0 '^  1 more are 0 in every block$' stat -e tiler:6-8
FAKE_SETTINGS=error_at=2 expect "stat: ERROR in words" 0 'flags ERROR; events reset$' \
	stat -n 3 -I 0 --raw samples.raw
exact "stat: ERROR is left out" 3 960 --expect-errors 1
FAKE_SETTINGS=counters=128,sample_header=96,block_header=24 expect "stat: larger headers" 0 \
	'^3 samples' stat -n 3 -I 0 --raw samples.raw
exact "stat: larger headers, exact" 3 $((3 * 8 * 124))
FAKE_SETTINGS=unknown_blocks=2,gpu_id=0x98670005 expect "stat: blocks of a later kernel" 0 '^  shader +3 +180' stat
expect_note() {
	grep -q 'note: no table has names for GPU 0x98670005: its counters are shown by block and index' err
}
holds "stat of an unknown GPU: a note" expect_note

# stat: time and signals
expect "stat -I 0 does not go on for ever" 0 '^1 sample,' stat -I 0
expect "stat -I" 0 '^3 samples' stat -n 3 -I 30
began=$(date +%s%N)
expect "stat -I 60 -n 4" 0 '^4 samples' stat -n 4 -I 60
took=$((($(date +%s%N) - began) / 1000000))
holds "stat -I 60 -n 4 takes three periods or so" [ $took -ge 165 ]
began=$(date +%s%N)
expect "stat --manual -I 60 -n 4" 0 '^4 samples' stat --manual -n 4 -I 60
took=$((($(date +%s%N) - began) / 1000000))
holds "stat --manual -I 60 -n 4 takes 240 ms" [ $took -ge 240 ]
FAKE_SETTINGS=min_period_ns=0 expect "stat -I of a driver without periods" 0 '^sample 2: 1\.234567 ms' \
	stat -n 3 -I 20

# stat: periods
expect "stat -I 20 -n 8" 0 '^sample 3: at [0-9]+\.[0-9]{9} s, [0-9]+\.[0-9]{6} ms, ' \
	stat -n 8 -I 20 --raw samples.raw
exact "stat -I 20 -n 8: exact" 8 3840
holds "stat -I 20 -n 8: the data quality" lines 1 \
	'^8 samples, 0 with ERROR, 0 with OVERFLOW, [0-9]+ periods? merged, [0-9]+ late, none lost(; events .*)?$'
expect "stat -I 2 -n 100" 0 '^100 samples' stat -n 100 -I 2 --brief --raw samples.raw
exact "stat -I 2 -n 100: exact" 100 48000
# On a loaded machine samples are late as well, and more periods are merged.
FAKE_SETTINGS=deaf_at=3,deaf=2 expect "stat -I: merged periods" 0 \
	'flags STRETCHED; events (fw-timeout; 2|(ring-full )?late fw-timeout; [2-9]) periods merged$' \
	stat -n 5 -I 40 --raw samples.raw
exact "stat -I: merged periods, exact" 5 2400
holds "stat -I: merged periods in the data quality" lines 1 \
	'^5 samples, .*, ([2-9]|[1-9][0-9]+) periods merged, [0-9]+ late, none lost; events .*fw-timeout'
expect "stat -I -n of a longer command" 0 '^3 samples, .* [1-9][0-9]* periods merged' \
	stat -I 20 -n 3 --raw samples.raw -- sleep 0.3
holds "stat -I -n of a longer command: why" lines 1 '^sample 2: .* flags STRETCHED FINAL; events ring-full; '
exact "stat -I -n of a longer command: exact" 3 1440
expect "stat -I with two slots" 0 '^6 samples' stat -I 20 -n 6 --slots 2 --raw samples.raw
exact "stat -I with two slots: exact" 6 2880
expect "stat -I of a day" 0 '^1 sample, ' stat -I 86400000 --raw samples.raw -- sleep 0.1
exact "stat -I of a day: exact" 1 480
FAKE_SETTINGS=mix_up=7 expect "stat -I with another answer" 1 \
	'came as an answer to request 8, not to the start' stat -n 3 -I 20
FAKE_SETTINGS=unplug_at=3 expect "stat -I of a GPU that goes away" 1 \
	'waiting for sample 2: the GPU is gone' stat -I 20
FAKE_SETTINGS=silent=1 expect "stat of a silent driver" 1 'sample 0 did not come within' stat -n 1

# two at once, each with a GPU of its own
: >other.panthor
FAKE_NODES=$work/other.panthor FAKE_TRUTH=$work/other.log "$bin/panthor-perf-fake" stat -n 6 -I 20 --raw other.raw >other.out 2>&1 &
other=$!
expect "stat twice at once" 0 '^6 samples' stat -n 6 -I 20 --raw samples.raw
wait $other
holds "stat twice at once: the other" [ $? -eq 0 ]
exact "stat twice at once: exact" 6 2880

# stat: what is shown
FAKE_SETTINGS=clocks=1,states=1 expect "stat --clocks --states" 0 \
	'^  cycles: toplevel 8000 \([0-9.]+ MHz\)$' stat -n 3 -I 20 -c --states --raw samples.raw
holds "stat --clocks --states: the states" lines 3 \
	'^  states: fw on\+normal, cshw on\+normal, tiler on\+normal, memsys\[0-1\] on\+normal, shader\[0-2\] on\+normal$'
FAKE_SETTINGS=features=64 expect "stat --clocks=MODE" 0 '^6 samples' stat --clocks=Lowest -n 6 -I 20
holds "stat --clocks=MODE: shows no cycles" lines 0 'cycles:'
FAKE_SETTINGS=features=64 expect "stat -r --clocks=MODE" 0 'runs' stat -r 2 --clocks=profiling
expect "stat --clocks=MODE of a driver without modes" 2 'or the driver has no clock modes' stat --clocks=highest
expect "stat --clocks=MODE that is none" 2 "no clock mode 'fast': profiling, lowest, highest" stat --clocks=fast
FAKE_SETTINGS=features=64,no_perfmon=1 expect "stat --clocks=MODE without the right" 1 \
	'a clock mode needs CAP_PERFMON' stat --clocks=lowest
holds "stat --clocks=MODE without the right: no sysctl helps" lines 0 'sysctl dev.panthor'
FAKE_SETTINGS=features=64,no_perfmon=1 expect "record --clocks=MODE without the right" 1 \
	'a clock mode needs CAP_PERFMON' record --clocks=lowest -o clocks.rec -n 2 -I 20
expect "stat --clocks that are not reported" 0 '^  cycles: the driver does not report them$' stat -c
expect "stat --states that are not reported" 0 '^  states: the driver does not report them$' stat --states
expect "stat --brief" 0 '^#         time/s    length/ms merged              fw            cshw ' \
	stat --brief -n 3 -I 20
holds "stat --brief: a line per sample" lines 3 '^ +0\.[0-9]{9} +[0-9.]+( +[0-9]+){6}( [A-Za-z-]+)*$'
expect "stat --brief -e" 0 ' MaliFragRdPrim +fw:7$' stat --brief -n 3 -I 20 -e shader:5,fw:7
FAKE_SETTINGS=deaf_at=2,deaf=1 expect "stat --brief: flags and events" 0 ' STRETCHED (ring-full )?(late )?fw-timeout$' \
	stat --brief -n 3 -I 20

# stat: sets
FAKE_SETTINGS=sets=7 expect "stat --set" 0 '^3 samples' stat --set secondary -n 3 -I 20 --raw samples.raw
holds "stat --set: exact" sh -c "$bin/panthor-perf-compare --may-guess truth.log samples.raw --expect-samples 3 >compared"
FAKE_SETTINGS=sets=7,no_perfmon=1 expect "stat --set without CAP_PERFMON" 1 \
	'the counter set tertiary needs CAP_PERFMON$' stat --set TERTIARY
holds "stat --set without CAP_PERFMON: the sysctl does not help" messages 0 'sysctl'

# Who may count
refused=no_perfmon=1,paranoid=1
for command in "stat" "record -o refused.ptprf -n 1" "selftest -o -"; do
	# shellcheck disable=SC2086	# a command and its arguments
	FAKE_SETTINGS=$refused expect "$command without the right" 1 \
		'performance counters need CAP_PERFMON while the sysctl dev.panthor.perf_paranoid is 1$' $command
	holds "$command without the right: the sysctl" messages 1 '^    sudo sysctl dev\.panthor\.perf_paranoid=0$'
	holds "$command without the right: setcap" messages 1 '^    sudo setcap cap_perfmon\+ep /.*/panthor-perf-fake$'
	holds "$command without the right: run" messages 1 '^    sudo panthor-perf run -- COMMAND$'
	holds "$command without the right: where to read" messages 1 'PERMISSIONS\.md.*panthor-perf\(1\)'
done
FAKE_SETTINGS=no_perfmon=1 expect "stat where the sysctl is 0" 0 '^3 samples' stat -n 3 -I 20
FAKE_SETTINGS=no_perfmon=1 expect "a period below 1 ms where the sysctl is 0" 1 \
	'a period below 1 ms needs CAP_PERFMON$' stat -n 3 -I 0.999
holds "a period below 1 ms where the sysctl is 0: no sysctl helps" messages 0 'sysctl'
FAKE_SETTINGS=fail_at=9,fail_errno=12 expect "another error than that of the right" 1 'memory' stat
holds "another error than that of the right: no advice" messages 0 'setcap'

# The variable of an open file that is none of a GPU
for number in 0 999 -1 x 99999999999 ''; do
	PANTHOR_PERF_FD=$number expect "PANTHOR_PERF_FD=$number is no GPU: the node is opened" 0 '^3 samples' \
		stat -n 3 -I 20
done

# run, without its options. The user of COMMAND cannot write to the log.
run() {
	FAKE_TRUTH=/dev/null expect "$@"
}

# run: COMMAND has CAP_PERFMON and no other capability, and the caller's user. The fake driver sees no capabilities,
# so a session of COMMAND tests the open file alone; tests/guest/tests/perf-sets.sh has the real driver.
run_as_root() {
	chmod 755 "$work"
	cp "$bin/panthor-perf-fake" program
	chmod 600 gpu.panthor
	if FAKE_TRUTH=/dev/null setpriv --reuid=65534 --regid=65534 --clear-groups \
		./program stat -d "$work/gpu.panthor" >out 2>err </dev/null; then
		echo "not ok a node of others - it was opened"
		failed=1
	elif grep -q 'opening the GPU: .*/gpu.panthor: Permission denied$' err && grep -q 'adduser USER render$' err; then
		echo "ok a node of others: the way to open it"
	else
		echo "not ok a node of others: the way to open it - $(head -n 3 err)"
		failed=1
	fi
	chmod 644 gpu.panthor
	export SUDO_UID=65534 SUDO_GID=65533
	run "run: stat" 0 '^3 samples' run -- ./program stat -n 3 -I 20
	run "run without --" 0 '^3 samples' run ./program stat -n 3 -I 20
	run "run: stat of the same node by its path" 0 '^3 samples' \
		run -d "$work/gpu.panthor" -- ./program stat -d "$work/gpu.panthor" -n 3 -I 20
	# shellcheck disable=SC2016	# the inner shell's variable
	run "run: the number of an open file" 0 '^the file is .*/gpu\.panthor$' \
		run -- sh -c 'echo "the file is $(readlink /proc/self/fd/$PANTHOR_PERF_FD)"'
	run "run: a run in it" 1 "only root can use 'run'" run -- ./program run -- true
	run "run: the status of COMMAND" 7 '^ends$' run -- sh -c 'echo ends; exit 7'
	run "run: a COMMAND that is not there" 127 'running ./absent: No such file' run -- ./absent
	run "run: a COMMAND that cannot be run" 126 'running ./gpu.panthor: Permission denied' run -- ./gpu.panthor
	FAKE_SETTINGS=info_errno=95 run "run: a GPU without counters" 3 'no performance counters' run -- true
	FAKE_SETTINGS=$refused run "run: the driver does not accept the capability" 1 \
		'performance counters need CAP_PERFMON while the sysctl dev.panthor.perf_paranoid is 1$' run -- true

	run "run by sudo: the user" 0 '^65534 65533$' run -- sh -c 'echo $(id -u) $(id -g)'
	run "run by sudo: one capability" 0 '^4$' \
		run -- grep -cE '^Cap(Inh|Prm|Eff|Amb):.0000004000000000$' /proc/self/status
	run "run by sudo: the bounding set stays" 0 "^$(grep '^CapBnd' /proc/self/status)\$" \
		run -- grep '^CapBnd' /proc/self/status
	run "run by sudo: all numbers of the user" 0 '^Uid:.65534.65534.65534.65534$' run -- grep '^Uid' /proc/self/status
	run "run by sudo: all numbers of the group" 0 '^Gid:.65533.65533.65533.65533$' \
		run -- grep '^Gid' /proc/self/status
	run "run by sudo: the groups are not root's" 0 '^no$' \
		run -- sh -c 'case " $(id -G) " in *" 0 "*) echo yes ;; *) echo no ;; esac'
	run "run by sudo: the dynamic linker trusts the environment" 0 '^AT_SECURE: *0$' \
		run -- env LD_SHOW_AUXV=1 "$(command -v env)"
	# shellcheck disable=SC2016	# the inner shell's variable
	LD_LIBRARY_PATH=/absent run "run by sudo: LD_LIBRARY_PATH stays" 0 '^/absent$' run -- sh -c 'echo $LD_LIBRARY_PATH'
	run "run -u: a number" 0 '^1234 1234$' run -u 1234 -- sh -c 'echo $(id -u) $(id -g)'
	run "run -u: a name" 0 '^nobody$' run -u nobody -- id -un
	# shellcheck disable=SC2016	# the inner shell's variables
	run "run -u: the user's environment" 0 '^nobody nobody$' run -u nobody -- sh -c 'echo $USER $LOGNAME'
	# shellcheck disable=SC2016	# the inner shell's variables
	run "run -u: the environment of a number" 0 '^/ none$' \
		run -u 1234 -- sh -c 'echo "$HOME ${USER-none}${LOGNAME-}"'

	for user in root 0; do
		run "run -u $user" 2 'COMMAND does not run as root' run -u $user -- true
	done
	SUDO_UID=0 SUDO_GID=0 run "run by root's sudo" 2 'COMMAND does not run as root' run -- true
	SUDO_UID=1x run "run: what is no number of a user" 2 'COMMAND does not run as root' run -- true
	unset SUDO_UID SUDO_GID
	run "run by root: no user" 2 'COMMAND does not run as root: name its user by -u USER' run -- true
	run "run -u: no such user" 2 "there is no user 'no such user'" run -u 'no such user' -- true
	run "run: no such GPU" 5 'absent' run -d absent -u 1234 -- true

	if ! command -v setpriv >/dev/null; then
		echo "skip run: users without the right - there is no setpriv"
		return
	fi
	user_runs() {
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@" run -- true 2>all
		[ $? -eq 1 ]
	}
	holds "run by another user" user_runs ./program
	holds "run by another user: its reason" grep -q "only root can use 'run': sudo panthor-perf run" all
	if ! setcap cap_perfmon+ep program 2>/dev/null; then
		echo "skip run by another user, with a capability in the file - setcap does not work here"
		return
	fi
	holds "run by another user, with a capability in the file" user_runs ./program
	holds "run by another user, with a capability in the file: its reason" \
		grep -q 'only root.*sysctl dev.panthor.perf_paranoid=0' all
}

expect "run: no COMMAND" 2 'no command given' run
if [ "$(id -u)" != 0 ]; then
	expect "run by another user" 1 "only root can use 'run': sudo panthor-perf run -- COMMAND" run -- true
	expect "run -u by another user" 1 "only root can use 'run'" run -u 1234 -- true
	echo "skip run as root - this is not root"
elif grep -q '^CapEff:.[0-9a-f]\{6\}[4-7c-f]' /proc/self/status; then
	run_as_root
else
	expect "run by root without CAP_PERFMON" 1 'root has no CAP_PERFMON here' run -u 1234 -- true
	echo "skip run as root - root has no CAP_PERFMON here"
fi

# until_true COMMAND...: waits for it to succeed, ten seconds at most
until_true() {
	tries=100
	until "$@" 2>/dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

# ended SIGNAL: a measurement without an end, ended from outside
ended() {
	rm -f out
	"$bin/panthor-perf-fake" stat -I 20 --raw samples.raw >out 2>err </dev/null &
	pid=$!
	until_true grep -q '^sample 2' out
	kill -s "$1" $pid
	wait $pid
}
if ended TERM && grep -qE '^[0-9]+ samples, 0 with ERROR' out; then
	echo "ok stat ended by a signal"
	n=$(sed -n 's/ samples, 0 with ERROR.*//p' out)
	exact "stat ended by a signal: exact" "$n" $((n * 480))
else
	echo "not ok stat ended by a signal - exit status $?: $(tail -n 1 err)"
	failed=1
fi

# stat: a command
expect "stat of a command" 0 '^1 sample,' stat --raw samples.raw -- sh -c 'echo hello; exit 0'
holds "stat of a command: its output" lines 1 '^hello$'
exact "stat of a command: exact" 1 480
expect "stat of a command: its exit status" 7 '^1 sample,' stat -- sh -c 'exit 7'
expect "stat of a command: a signal" 143 '^1 sample,' stat -- sh -c 'kill -TERM $$'
expect "stat of a command that is missing" 127 'running /nonexistent: No such file' stat -- /nonexistent
expect "stat of a command that is no program" 126 'Permission denied' stat -- "$work/gpu.panthor"
expect "stat of a command, options behind it" 0 '^x -n -e --$' \
	stat sh -c 'echo "$0" "$@"' x -n -e --
expect "stat of a command without --" 3 '^1 sample,' stat sh -c 'exit 3'
expect "stat -I of a command" 0 '^([4-9]|[1-9][0-9]+) samples' stat -I 50 --raw samples.raw -- sleep 0.4
expect "stat -I -n of a command" 0 '^3 samples' stat -I 20 -n 3 --raw samples.raw -- sleep 0.3
exact "stat -I -n of a command: exact" 3 1440
term_to_command() {
	"$bin/panthor-perf-fake" stat -- sh -c 'sleep 20 & trap "kill $!; exit 9" TERM; : >running; wait' \
		>out 2>err </dev/null &
	pid=$!
	until_true [ -e running ]
	kill -TERM $pid
	wait $pid
	[ $? -eq 9 ]
}
holds "stat of a command hands SIGTERM on" term_to_command

# stat: what fails
FAKE_SETTINGS=info_errno=95 expect "stat without counters" 3 'no performance counters that the driver can use' stat
FAKE_SETTINGS=info_errno=22 expect "stat with an older driver" 4 'the driver of this kernel has no performance counters' stat
FAKE_SETTINGS=fail_at=10,fail_errno=28 expect "stat without a free session" 1 \
	'creating a session on .*gpu.panthor: no session is free' stat
FAKE_SETTINGS=fail_at=11,fail_errno=110 expect "stat with a silent firmware" 1 \
	"starting the session: the GPU's firmware does not answer" stat
FAKE_SETTINGS=fail_at=12,fail_errno=5 expect "stat with a dead firmware" 1 \
	"requesting sample 0: the GPU's firmware does not count" stat -n 2
FAKE_SETTINGS=fail_at=13,fail_errno=19 expect "stat of a GPU that goes away" 1 \
	'stopping the session: the GPU is gone' stat -n 2 -I 0
FAKE_SETTINGS=mix_up=7 expect "stat with an answer to another request" 1 \
	'sample 0 came as an answer to request 7' stat
began=$(date +%s)
FAKE_SETTINGS=fail_at=13,fail_errno=19 expect "stat of a GPU that goes away under a command" 1 \
	'requesting sample 1: the GPU is gone' stat --manual -I 20 -- sleep 30
holds "stat of a GPU that goes away ends the command" [ $(($(date +%s) - began)) -lt 20 ]
file_size_limit() (
	trap '' XFSZ
	ulimit -f 1024
	FAKE_TRUTH='' "$bin/panthor-perf-fake" stat -n 200 -I 0 --raw samples.raw >/dev/null 2>err
	[ $? -eq 1 ] && grep -q 'writing samples.raw: recording ends; .*File too large' err
)
holds "stat --raw beyond the largest file" file_size_limit
expect "stat --raw into a folder that is missing" 1 'writing /nonexistent/x: No such file' \
	stat --raw /nonexistent/x
expect "stat --raw on a full disk" 1 'writing /dev/full: No space left' stat --raw /dev/full
if [ -c /dev/full ]; then
	"$bin/panthor-perf-fake" stat >/dev/full 2>err
	holds "stat with a full standard output" [ $? -eq 1 ]
fi

expect "-h" 0 '^Usage: panthor-perf(-fake)? \[OPTION...\] COMMAND' -h
expect "help" 0 '^Usage: panthor-perf(-fake)? \[OPTION...\] COMMAND' help
expect "help of an unknown command" 2 "unknown command 'stats': is it 'stat'\\?" help stats
for command in list info stat top record report export plot diff run selftest; do
	expect "$command -h" 0 "^Usage: panthor-perf $command " "$command" -h
	"$bin/panthor-perf-fake" "$command" --help >wanted 2>&1
	"$bin/panthor-perf-fake" help "$command" >out 2>err
	holds "help $command: as $command --help" diff wanted out
done

# The times between the calls in a recording are those of --duration and --delay. A busy host makes them longer.
calls() {
	python3 - "$1" "$2" "$3" <<-'END'
		import struct, sys
		data = open(sys.argv[1], "rb").read()
		position, times = struct.unpack_from("<I", data, 12)[0], {}
		while position < len(data):
		    kind, size = struct.unpack_from("<II", data, position)
		    if kind in (2, 3):
		        times[kind] = struct.unpack_from("<Q", data, position + (40 if kind == 2 else 16))[0]
		    position += size
		began = float(sys.argv[2])
		lasted = (times[3] - times[2]) / 1e9
		delay = times[2] / 1e9 - began
		print(f"delay {delay:.3f} s, duration {lasted:.3f} s", file=sys.stderr)
		sys.exit(not (0.5 <= lasted < 20 and float(sys.argv[3]) <= delay < 20))
	END
}
uptime() {
	python3 -c 'import time; print(time.monotonic())'
}
began=$(uptime)
expect "record --duration" 0 '^[1-9][0-9]* samples, 0 with ERROR' record -I 20 --duration 0.5 -o duration.rec
holds "record --duration: the time between START and STOP" calls duration.rec "$began" 0
began=$(uptime)
expect "record --delay, and a command that goes on" 0 '^[1-9][0-9]* samples, 0 with ERROR' \
	record -I 20 --delay 0.7 --duration .5 -o delay.rec -- sh -c 'touch ran; exec sleep 60'
holds "record --delay: the time before START" calls delay.rec "$began" 0.7
holds "record --delay: the command runs before" [ -e ran ]
expect "record --mark --duration" 0 '^1 sample, 0 with ERROR' record --mark pipe --duration 0.5 -o duration.rec
expect "stat --duration: one sample" 0 '^1 sample, 0 with ERROR' stat --duration 0.3
expect "stat --duration with periods" 0 '^[1-9][0-9]* samples?, 0 with ERROR' stat -I 20 --duration 0.3
expect "stat --duration by requests" 0 '^[1-9][0-9]* samples?, 0 with ERROR' stat --manual -I 20 --duration 0.3
expect "stat --duration of a command" 0 '^1 sample, 0 with ERROR' stat --duration 0.3 -- sleep 60
expect "stat --duration of a command that ends before" 3 '^1 sample, 0 with ERROR' stat --duration 60 -- sh -c 'exit 3'
expect "stat -r --duration" 0 '^2 runs, ' stat -r 2 --duration 0.1
expect "stat --delay" 0 '^1 sample, 0 with ERROR' stat --delay 0.1 --duration 0.1
expect "stat --delay: the command ends first" 1 'the command ended within the time of --delay: nothing was counted' \
	stat --delay 60 -- true
expect "stat -r --delay" 2 'omit --delay' stat -r 2 --delay 1
expect "stat -r --duration of a command" 2 'omit --duration' stat -r 2 --duration 1 -- true
for time in 0 -1 1s 1e3 "" . 1.2.3 86401; do
	expect "stat --duration '$time'" 2 "duration '.*' is not a number of seconds from 1 ns to 86400 s" \
		stat "--duration=$time"
done

exit $failed
