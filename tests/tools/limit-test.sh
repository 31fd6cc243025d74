#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/limit-test.sh FOLDER
#
# What panthor-perf stat and report say about the limits of loads, and about shares that are slightly below 0 or above
# 100, on a driver in its own process (FOLDER/panthor-perf-fake) that counts what the loads below say. golden/limit-README
# shows how each number follows. Prints "ok NAME" or "not ok NAME - why".
set -u

if [ $# -ne 1 ] || [ "$1" = --help ]; then
	sed -n '4,8s/^# \{0,1\}//p' "$0"
	exit 2
fi
bin=$(cd "$1" && pwd) || exit 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

: >gpu.panthor
unset NO_COLOR
export FAKE_NODES="$work/gpu.panthor" FAKE_LOAD="$work/load" FAKE_SETTINGS=length_ns=1000000
export ASAN_OPTIONS=detect_leaks=1:use_sigaltstack=0

# run ARGUMENT...: succeeds, with nothing on the standard error
run() {
	"$bin/panthor-perf-fake" "$@" >out 2>err </dev/null && [ ! -s err ]
}

result() {
	if [ "$1" -eq 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2 - $3"
		cat out err >&2
		failed=1
	fi
}

# holds NAME WHY COMMAND...: the command succeeds
holds() {
	_name=$1
	_why=$2
	shift 2
	_status=0
	"$@" || _status=$?
	result $_status "$_name" "$_why"
}

# shows NAME PATTERN: the last output has a line that matches
shows() {
	grep -qE -- "$2" out
	result $? "$1" "no line matches '$2'"
}

# hides NAME PATTERN: it has none
hides() {
	! grep -qE -- "$2" out
	result $? "$1" "a line matches '$2'"
}

note='^~ slightly below 0 or above 100: the GPU counts the parts of a share at different moments$'

# Shares that are slightly wrong: fpk_kill is -0.05, shader_active 100.05.
cat >load <<EOF
cshw:4 1000000
shader:53 1000500
shader/0:11 8000
shader/0:9 2001
EOF
run stat -e fpk_kill,shader_active --raw skew.raw
result $? "skew: stat" "stat failed"
shows "skew: below 0" '^  fpk_kill +0\.00~ % +Hidden surface removal kills$'
shows "skew: above 100" '^  shader_active +100\.00~ % +Shader cores active'
holds "skew: one note" "there is not one note" [ "$(grep -cE "$note" out)" -eq 1 ]
run stat -e fpk_kill -r 2
shows "skew: mean of runs" '^  fpk_kill +0\.00~ %'
shows "skew: mean of runs: the note" "$note"
run report skew.raw
shows "skew: report" '^fpk_kill +0\.00~ +0\.00~ +0\.00~ %'
shows "skew: report: the note" "$note"
run report --by-sample -e shader_active skew.raw
shows "skew: rows of samples" ' 100\.00~  FINAL'
shows "skew: rows of samples: the note" "$note"
for format in csv json; do
	run stat --$format -e fpk_kill,shader_active
	shows "skew: $format is exact below 0" '[,:]-0\.05,'
	shows "skew: $format is exact above 100" '[,:]100\.05,'
	hides "skew: $format without a note" '~'
done

# What two digits do not show has no mark, and neither has what is wrong altogether.
cat >load <<EOF
cshw:4 1000000
shader:53 1010000
shader/0:11 100000
shader/0:9 25001
EOF
run stat -e fpk_kill,shader_active
shows "skew: rounding" '^  fpk_kill +0\.00 %'
shows "skew: 1 above 100" '^  shader_active +101\.00 %'
hides "skew: no note without a mark" '~'

# Limits: sentences may be wrapped, so they are compared as one line each.
export FAKE_SETTINGS=length_ns=1000000,clocks=1,cycles=1250000

# verdict: that of the last output, as one line, without the advice about single samples
verdict() {
	awk '/^(GPU bound|Not GPU bound|Idle|Impossible: the GPU)/ { on = 1; printf "%s", $0; next }
		on && /^  / && !/^  (Unit|Memory|Imbalance|Bandwidth|Impossible|No limit)/ { sub(/^ */, " "); printf "%s", $0; next }
		on { exit } END { print "" }' out | sed 's/ One sample is a mean of its time: .*//'
}

# judges NAME TEXT: that is the verdict
judges() {
	verdict >got
	echo "$2" | diff - got >&2
	result $? "$1" "the verdict is another one"
}

# sentences: those of the last output
sentences() {
	awk '/^Limits$/ { on = 1; next } !on { next } !/^  / { exit }
		/^    / { sub(/^ */, " ") } /^  / { sub(/^ */, first++ ? "\n" : "") } { printf "%s", $0 } END { if (on) print "" }' out
}

# says NAME SENTENCE...: these are the limits, no others
says() {
	name=$1
	shift
	sentences >got
	for sentence; do
		echo "$sentence"
	done >want
	diff want got >&2
	result $? "$name" "the limits are others"
}

# likely NAME SENTENCE: this is the only likely limit, and if the verdict is that the GPU is not the limit, then not at all times
likely() {
	sentences | grep likely >got
	busy=
	! grep -qE '^(Not GPU bound|Idle)' out || busy=" while the GPU is busy"
	echo "$2 This is a likely limit$busy." | diff - got >&2
	result $? "$1" "the likely limits are others"
}

# load LINE...: a GPU that is active for 1000000 cycles, with this besides
load() {
	echo "cshw:4 1000000" >load
	for line; do
		echo "$line"
	done >>load
}

active="of the cycles in which the GPU is active"

load "shader:53 1000000" "shader:26 950000" "shader:27 600000" "shader:28 200000" "shader:29 100000" "shader:39 10000" \
	"tiler:4 50000" "memsys:33 20000" "memsys:32 25000" "memsys:47 100000"
run stat
says "arithmetic unit: the only sentence" \
	"Unit: the arithmetic unit works in 90.00 % $active (alu_util x core_util x shader_active). This is a likely limit while the GPU is busy."
judges "arithmetic unit: the verdict" "Not GPU bound: idle for 20.0 % of the time. Check the processor and vsync. Queues busy meanwhile: fragments 0.0 %, vertices 0.0 %, compute 0.0 %."
tr -s ' \n' ' ' <out | grep -q ' or record) distinguish its parts\. Limits '
result $? "arithmetic unit: advice about one sample" "there is none"
holds "arithmetic unit: at most 100 columns" "a line is longer" [ "$(wc -L <out)" -le 100 ]
order=$(grep -nE '^(Not GPU|Limits|sample|1 sample)' out | cut -d: -f2 | cut -c1-6 | tr '\n' ' ')
holds "arithmetic unit: the verdict and the limits come first" "$order" [ "$order" = "Not GP Limits sample 1 samp " ]
run stat --json
python3 -c "
import json
limits = json.load(open('out'))['limits']
assert [(limit['limit'], limit['likely']) for limit in limits] == [('unit', True), ('stall', False), ('bandwidth', False),
		('imbalance', False)]
assert [round(limit['value'], 9) for limit in limits] == [90, 2, 8, 0]"
result $? "arithmetic unit: JSON has all kinds" "it has not"
load "shader:53 1000000" "shader:26 1000000" "shader:27 720000" "memsys:33 224999"
run stat
says "near its threshold, and just not" "Unit: the arithmetic unit works in 72.00 % $active (alu_util x core_util x shader_active), near the threshold of 80 %."

load "shader:53 1000000" "shader:26 400000" "shader:27 380000"
run stat
says "a busy unit of cores that wait is no limit"
shows "a busy unit of cores that wait: its share" '^  No limit is near its threshold; the busiest unit is the arithmetic unit, with 38\.00 % of the'

load "shader:53 500000" "shader:26 500000" "shader:27 500000"
FAKE_SETTINGS=length_ns=1000000,clocks=5,cycles=1250000,shader_cycles=625000
run stat
likely "arithmetic unit, shader cores at half the rate" \
	"Unit: the arithmetic unit works in 100.00 % $active (alu_util x core_util x shader_active)."
FAKE_SETTINGS=length_ns=1000000,clocks=1,cycles=1250000
run stat
! sentences | grep -q likely
result $? "the same without the clock of the shader cores: half the rate is not known" "it is a likely limit"

load "shader:53 1000000" "shader:26 1000000" "shader:39 880000" "shader:27 300000"
run stat
likely "texture unit" \
	"Unit: the texture unit works in 88.00 % $active (tex_util x core_util x shader_active)."

load "shader:53 1000000" "shader:26 1000000" "shader:27 300000" "memsys:33 620000"
run stat
likely "reads stall" "Memory: reads from external memory stall in 62.00 % $active (ext_rd_stall)."
load "memsys:33 240000" "memsys/1:48 500000"
run stat
likely "writes of one slice stall" "Memory: writes to external memory stall in 25.00 % $active (ext_wr_stall)."

load "shader/0:53 400000" "shader/4:53 400000" "shader/20:53 1000000"
run stat
imbalance="Imbalance: shader core 2 is active for 66.67 % more cycles than the mean of all 3 (MaliAnyActiveCy)."
likely "imbalance" "$imbalance"
run stat -e shader_active
says "imbalance: of selected counters" "$imbalance This is a likely limit while the GPU is busy."
judges "imbalance: of selected counters: a verdict without queues" "Not GPU bound: idle for 20.0 % of the time. Check the processor and vsync."
run stat --json -e shader_active
holds_json() {
	python3 -c "
import json
limit, = json.load(open('out'))['limits']
assert abs(limit.pop('value') - 200 / 3) < 1e-6
assert limit == {'limit': 'imbalance', 'text': 'shader core', 'counters': ['MaliAnyActiveCy'], 'unit': 'percent',
		'instance': 2, 'instances': 3, 'high': 25, 'likely': True, 'impossible': False, 'busy_share': None,
		'times_ns': None, 'times': 0}"
}
holds_json
result $? "imbalance: JSON" "it is another one"

load "memsys:32 1000000" "memsys:47 300000"
run stat
likely "bandwidth of reads" \
	"Bandwidth: the external bus carries 80.00 % of what it can in the cycles of the GPU's clock (ext_bus_util)."
FAKE_SETTINGS=length_ns=1000000 run stat
likely "bandwidth without a clock" \
	"Bandwidth: the external bus carries 100.00 % of what it can in the cycles in which the GPU is active, as its clock is not known (ext_bus_active)."
load "memsys:32 100000" "memsys:47 937500"
run stat
likely "bandwidth of writes" \
	"Bandwidth: the external bus carries 75.00 % of what it can in the cycles of the GPU's clock (ext_bus_util)."
load "memsys:47 937499"
run stat
! sentences | grep -q likely
result $? "bandwidth below the threshold" "it is likely"

# A raw file has no GPU_INFO. Its PERF_INFO has the number of slices.
load "memsys:33 620000"
run stat --raw slices.raw
run report slices.raw
likely "slices of a raw file" "Memory: reads from external memory stall in 62.00 % $active (ext_rd_stall)."

# A share of a limit may be slightly above 100 as well. One note follows the last part that has the mark.
load "memsys:32 1253125"
run stat -e MaliExtBusRdBt,MaliExtBusWrBt
shows "skew: limit" '^  Bandwidth: the external bus carries 100\.00~ %'
holds "skew: limit: the note below it" "there is none, or it is elsewhere" [ "$(grep -E "$note|^1 sample, " out | cut -c1-8)" = "$(printf '~ slight\n1 sample')" ]
run stat -r 5 -e MaliExtBusRdBt,MaliExtBusWrBt
shows "skew: limit of runs: the note" "$note"
run stat -e ext_bus_util --raw full.raw
shows "skew: table and limit" '^  ext_bus_util +100\.00~ %'
holds "skew: table and limit: one note" "there is not one note" [ "$(grep -cE "$note" out)" -eq 1 ]
run report -e MaliExtBusRdBt full.raw
holds "skew: report: the note below the limits" "the last line is another one" [ "$(tail -n 1 out | grep -cE "$note")" -eq 1 ]
run diff -e ext_bus_util full.raw full.raw
shows "skew: diff" '^ext_bus_util +100\.00~ +100\.00~ '
shows "skew: diff: the note" "$note"

# Several samples, runs, and a recording: the sums decide.
load "memsys:33 100000 100000" "shader:53 1000"
wait="Memory: reads from external memory stall in 55.00 % $active (ext_rd_stall)."
run stat -I 0 -n 3
likely "several samples" "${wait%.}; 25 % or more in all of the busy time."
run stat -r 3
likely "several runs" "Memory: reads from external memory stall in 75.00 % $active (ext_rd_stall); 25 % or more in 67 % of the busy time, between 0.000 and 0.002 s."
"$bin/panthor-perf-fake" record -I 20 -n 2 -o limit.rec >out 2>err </dev/null
run report --from '#0' --to '#0' limit.rec
likely "report" "Memory: reads from external memory stall in 40.00 % $active (ext_rd_stall)."
order=$(grep -nE '^(quality|Idle|Not GPU|GPU bound|Limits|counter)' out | cut -d: -f2 | cut -c1-7 | tr '\n' ' ')
holds "report: the verdict and the limits before the table" "$order" [ "$order" = "quality Not GPU Limits counter " ]
run report --from '#0' --to '#0' --json limit.rec
python3 -c "
import json
limits = json.load(open('out'))['limits']
assert [limit['limit'] for limit in limits] == ['stall', 'bandwidth', 'imbalance']
assert limits[0] == {'limit': 'stall', 'text': 'reads from external memory', 'counters': ['ext_rd_stall'], 'value': 40,
		'unit': 'percent', 'high': 25, 'likely': True, 'impossible': False, 'busy_share': None,
		'times_ns': None, 'times': 0}"
result $? "report: JSON" "the limits are others"

# What is not known is not printed.
load "shader:53 1000000" "shader:26 1000000" "shader:27 900000"
run stat -e alu_util,ext_rd_stall
hides "an unknown limit: not all units, not all stalls" 'Busiest|Memory|Bandwidth'
run stat -e fw:5
hides "no limits: no part" 'Limits|No limit'
run stat --json -e fw:5
shows "no limits: JSON" '^"limits":\[\],$'
run stat --csv
hides "no limits in CSV" 'Limits|Busiest|likely'
run stat -b -e alu_util,shader_active
hides "no limits in lines" 'Limits|Imbalance'
FAKE_SETTINGS=gpu_id=0x98670005 "$bin/panthor-perf-fake" stat >out 2>err </dev/null
hides "no limits of an unknown GPU" Limits
: >load
run stat
judges "nothing counted: the verdict" \
	"Idle: the GPU is busy for 0.00 % of the time. Check the processor, vsync, and whether the load runs on this GPU."
hides "nothing counted: no limit" 'Limits|No limit'

# Colours, on terminals and on demand: what has a threshold and has reached it.
load "shader:53 1000000" "shader:26 1000000" "shader:27 800000" "shader/0:27 760000" "shader/20:27 840000" "shader:39 799999"
esc=$(printf '\033')
run stat --color=always --per-instance -e core_util,alu_util,tex_util
shows "colours: at the threshold" "alu_util .*$esc\[33m +80\.00$esc\[0m %"
shows "colours: the block above it" "^    shader\[2\] +$esc\[33m +84\.00$esc\[0m$"
shows "colours: not the block below it" '^    shader\[0\] +76\.00$'
shows "colours: not below it" "tex_util .*$esc\[0m +80\.00 %"
shows "colours: not without a threshold" "core_util .*$esc\[0m +100\.00 %"
run stat --color=always
shows "colours: a likely limit" "^$esc\[33m  Unit: the arithmetic unit works in 80\.00 %"
holds "colours: nothing else" "there are more" [ "$(grep -cF "${esc}[33m" out)" -eq 2 ]
run stat --color=always -r 2 -e alu_util
shows "colours: runs" "alu_util .*$esc\[33m +80\.00$esc\[0m %"
run record -I 20 -n 1 -o color.rec
run report --color=always color.rec
shows "colours: report" "^$esc\[33m  Unit: the arithmetic unit works in 80\.00 %"
run stat
hides "colours: not into a file" "$esc"
if command -v script >/dev/null; then
	script -qec "'$bin/panthor-perf-fake' stat" /dev/null >out 2>err </dev/null
	shows "colours: on a terminal" "alu_util .*$esc\[33m"
	NO_COLOR=1 script -qec "'$bin/panthor-perf-fake' stat" /dev/null >out 2>err </dev/null
	shows "colours: on a terminal with NO_COLOR: there is output" 'alu_util +80\.00 %'
	hides "colours: on a terminal with NO_COLOR" "$esc"
fi

# A table of the user: a block that is alone, no threshold, and names that need several lines.
a=$(printf '\303\244')
outer=outer_7890123456789012345678901234567890123
inner=inner_7890123456789012345678901234567890123
cat >mine.counters <<EOF
panthor-perf-counters 1
table mine
words 64
product 10.7 "Mali-G610"
block cshw
 4 Busy cycles "Cycles that it was busy" limit imbalance "front end" high 1
block shader
 53 Active cycles "Active cycles" limit imbalance "Kern"
derived $outer percent "x" = 100 * Active / (NCORE * Busy)
derived $inner percent "y" of $outer limit unit "the ${a}lu" = 50
EOF
load "shader:53 900000"
run stat --counters mine.counters
sed -n '/^  No limit/,/)\.$/p' out | tr -s ' \n' ' ' >got
echo " No limit is near its threshold; the busiest unit is the ${a}lu, with 45.00 % of the cycles in which the GPU is active ($inner x $outer)." |
	diff -b - got >&2
result $? "a table of the user" "its words are others"

# Verdicts. Loads that were written to be limited by what their names say, in one sample with 1000 cycles of the clock.
export FAKE_SETTINGS=length_ns=1000000,clocks=1,cycles=1000

# written BUSY FRAGMENTS VERTICES COMPUTE [LINE...]
written() {
	echo "cshw:4 $1" >load
	echo "cshw:32 $2" >>load
	echo "cshw:16 $3" >>load
	echo "cshw:24 $4" >>load
	shift 4
	for line; do
		echo "$line"
	done >>load
}
cores="shader:53 1000"
written 3 2 1 0
run stat
judges "verdict: idle" "Idle: the GPU is busy for 0.30 % of the time. Check the processor, vsync, and whether the load runs on this GPU."
written 400 380 120 0
run stat
judges "verdict: a load that waits for vsync" "Not GPU bound: idle for 60.0 % of the time. Check the processor and vsync. Queues busy meanwhile: fragments 95.0 %, vertices 30.0 %, compute 0.0 %."
written 1000 970 200 10 "$cores" "shader:26 1000" "shader:39 920"
run stat
judges "verdict: fragments" "GPU bound by fragments: busy for 100.0 % of the time; queues busy: fragments 97.0 %, vertices 20.0 %, compute 1.0 %."
likely "verdict: fragments: the unit" "Unit: the texture unit works in 92.00 % $active (tex_util x core_util x shader_active)."
written 950 200 900 0 "tiler:4 874"
run stat
judges "verdict: vertices" "GPU bound by vertices: busy for 95.0 % of the time; queues busy: fragments 21.1 %, vertices 94.7 %, compute 0.0 %."
likely "verdict: vertices: the unit" "Unit: the tiler works in 92.00 % $active (tiler_util)."
written 1000 0 0 990 "$cores" "shader:26 1000" "shader:27 980"
run stat
judges "verdict: compute" "GPU bound by compute: busy for 100.0 % of the time; queues busy: fragments 0.0 %, vertices 0.0 %, compute 99.0 %."
likely "verdict: compute: the unit" "Unit: the arithmetic unit works in 98.00 % $active (alu_util x core_util x shader_active)."
written 1000 950 100 0 "$cores" "shader:26 300" "shader:27 250" "memsys:33 600"
run stat
judges "verdict: memory" "GPU bound by fragments: busy for 100.0 % of the time; queues busy: fragments 95.0 %, vertices 10.0 %, compute 0.0 %."
likely "verdict: memory: reads" "Memory: reads from external memory stall in 60.00 % $active (ext_rd_stall)."
written 1000 400 350 250
run stat
judges "verdict: a mix" "GPU bound: busy for 100.0 % of the time; queues busy: fragments 40.0 %, vertices 35.0 %, compute 25.0 %. No queue is busy for 80 % of a sample: they take turns within it, or wait for each other."
written 1000 950 850 0
run stat
judges "verdict: two queues" "GPU bound by fragments and vertices: busy for 100.0 % of the time; queues busy: fragments 95.0 %, vertices 85.0 %, compute 0.0 %."
FAKE_SETTINGS=length_ns=1000000,clocks=1,cycles=500 run stat
judges "verdict: impossible" "Impossible: the GPU is busy for 200.00 % of the time: the counter table does not fit this GPU, or its counts are a pattern."
written 1000 900 0 0 "tiler:4 213450"
run stat
says "a share that cannot be is no limit" "Impossible. Unit: the tiler works in 21345.00 % $active (tiler_util): the counter table does not fit this GPU, or its counts are a pattern."

# at_times FILE VALUES LENGTHS [MERGED]: gives each sample of a recording counts, a length in ms, and merged periods.
cat >times.py <<'EOF'
import struct
import sys

sys.path.insert(0, sys.argv[1])
from recordings import SAMPLE, TYPES, Recording

values, lengths = eval(sys.argv[3]), eval(sys.argv[4])
merged = eval(sys.argv[5]) if len(sys.argv) > 5 else [0] * len(lengths)
recording = Recording(sys.argv[2])
data = bytearray(recording.data)
samples = [(at, body) for kind, at, body in recording.records if kind == SAMPLE]
start = 10**9
for number, (at, body) in enumerate(samples):
    end = start + lengths[number] * 10**6
    struct.pack_into("<2Q", data, at + 16, start, end)
    struct.pack_into("<Q", data, at + 48, 1000 * lengths[number])
    struct.pack_into("<I", data, at + 88, merged[number])
    start = end
    place = 8 + recording.header
    while place < len(body):
        for (block, index), counts in values.items():
            if TYPES[body[place]] == block:
                struct.pack_into("<Q", data, at + 8 + place + recording.block_header + 8 * index,
                                 counts[number] * lengths[number])
        place += recording.block_header + 8 * recording.counters
with open(sys.argv[2], "wb") as file:
    file.write(data)
EOF
at_times() {
	python3 times.py "$here" "$@"
}

# A gap is counted in samples: the long one at the end does not reach back to the first part.
written 100 0 0 0
run stat -I 0 -n 10 --raw gap.rec
at_times gap.rec '{("cshw", 4): [0, 1000] + [0] * 7 + [1000]}' '[1, 1] + [10] * 7 + [20]'
run report gap.rec
tr -s ' \n' ' ' <out | grep -q 'GPU bound in 23 % of the time, between 0\.001 and 0\.002 s, 0\.072 and 0\.092 s'
result $? "parts: a long sample behind a gap" "they are joined"
at_times gap.rec '{("cshw", 4): [0, 1000] + [0] * 4 + [1000] + [0] * 3}' '[1] * 10'
run report gap.rec
tr -s ' \n' ' ' <out | grep -q 'GPU bound in 20 % of the time, between 0\.001 and 0\.007 s'
result $? "parts: a gap of four samples" "it ends a part"

# Parts of the time: 2 of 8 samples are bound by vertices, and 2 others wait for memory.
written 500 400 100 0
run stat -I 0 -n 8 --raw parts.rec
at_times parts.rec '{
    ("cshw", 4): [500, 500, 1000, 1000, 500, 500, 500, 500],
    ("cshw", 32): [400, 400, 200, 200, 400, 400, 400, 400],
    ("cshw", 16): [100, 100, 950, 950, 100, 100, 100, 100],
    ("memsys", 33): [0, 0, 0, 0, 200, 200, 0, 0],
}' '[1] * 8'
run report parts.rec
judges "parts: the verdict" "GPU bound by vertices in 25 % of the time, between 0.002 and 0.004 s; queues busy there: fragments 20.0 %, vertices 95.0 %, compute 0.0 %. Idle for 37.5 % of all the time."
likely "parts: the limit" "Memory: reads from external memory stall in 8.00 % $active (ext_rd_stall); 25 % or more in 20 % of the busy time, between 0.004 and 0.006 s."
run report --json parts.rec
python3 -c "
import json
report = json.load(open('out'))
assert report['verdict']['gpu_bound'] is True and report['verdict']['times_ns'] == [[2000000, 4000000]], report['verdict']
assert report['verdict']['bound_by'] == {'fragments': 0, 'vertices': 100, 'compute': 0}
assert report['verdict']['queues'] == {'fragments': 20, 'vertices': 95, 'compute': 0} and report['verdict']['busy'] == 62.5
stall, = [limit for limit in report['limits'] if limit['limit'] == 'stall']
assert (stall['likely'], stall['busy_share'], stall['times_ns'], stall['times']) == (True, 20, [[4000000, 6000000]], 1)"
result $? "parts: JSON" "it is another one"

# Shares of queues are of the time in which the GPU is the limit, however busy it is in it.
written 500 0 0 0
run stat -I 0 -n 8 --raw busy.rec
at_times busy.rec '{
    ("cshw", 4): [920] * 8,
    ("cshw", 32): [920, 0] * 4,
    ("cshw", 24): [0, 920] * 4,
}' '[1] * 8'
run report busy.rec
judges "shares: queues alternate" "GPU bound: busy for 92.0 % of the time; queues busy: fragments 50.0 %, vertices 0.0 %, compute 50.0 %. Of the GPU bound time, by fragments in 50 %, by compute in 50 %."
hides "shares: a line does not begin with a percent sign" '^ *%'
run report --json busy.rec
python3 -c "
import json
assert json.load(open('out'))['verdict']['bound_by'] == {'fragments': 50, 'vertices': 0, 'compute': 50}"
result $? "shares: queues alternate: JSON" "they are others"
run stat -I 0 -n 25 --raw busy.rec
at_times busy.rec '{("cshw", 4): [920] * 25, ("cshw", 32): [920] * 24 + [0]}' '[1] * 25'
run report busy.rec
judges "shares: one queue nearly all the time" "GPU bound by fragments: busy for 92.0 % of the time; queues busy: fragments 96.0 %, vertices 0.0 %, compute 0.0 %."

# Samples with merged periods: what the shares are of, and what can be done.
written 500 0 0 0
run stat -I 0 -n 7 --raw merged.rec
at_times merged.rec '{
    ("cshw", 4): [500, 1000, 1000, 1000, 500, 500, 500],
    ("cshw", 32): [0, 950, 0, 500, 0, 0, 0],
    ("cshw", 24): [0, 0, 900, 450, 0, 0, 0],
}' '[1, 1, 1, 4, 1, 1, 1]' '[0, 0, 0, 3, 0, 0, 0]'
run report merged.rec
bound="GPU bound in 60 % of the time, between 0.001 and 0.007 s; queues busy there: fragments"
hint="to avoid them, use a longer period, or fewer counters with --compact."
judges "merged: the verdict" "$bound 49.2 %, vertices 0.0 %, compute 45.0 %. Of the GPU bound time, by fragments in 17 %, by compute in 17 %; in 67 % it is not known, because periods are merged. Idle for 20.0 % of all the time. Samples with merged periods are 40 % of the time: $hint"
at_times merged.rec '{("cshw", 24): [0, 0, 900, 900, 0, 0, 0]}' '[1, 1, 1, 4, 1, 1, 1]' '[0, 0, 0, 3, 0, 0, 0]'
run report merged.rec
judges "merged: a queue that is busy in the mean" "$bound 49.2 %, vertices 0.0 %, compute 75.0 %. Of the GPU bound time, by fragments in 17 %, by compute in 83 %. Idle for 20.0 % of all the time. Samples with merged periods are 40 % of the time: $hint"
at_times merged.rec '{("cshw", 4): [500, 1000, 1000, 1000, 500, 500, 500], ("cshw", 32): [0, 500, 500, 500, 0, 0, 0], ("cshw", 24): [0, 450, 450, 450, 0, 0, 0]}' \
	'[1, 2, 2, 2, 1, 1, 1]' '[0, 1, 1, 1, 0, 0, 0]'
run report merged.rec
judges "merged: all of them" "$bound 50.0 %, vertices 0.0 %, compute 45.0 %. Of the GPU bound time, in 100 % it is not known, because periods are merged. Idle for 20.0 % of all the time. Samples with merged periods are 60 % of the time: $hint"
at_times merged.rec '{("cshw", 32): [0, 950, 500, 500, 0, 0, 0]}' '[1, 2, 2, 2, 1, 1, 1]' '[1, 0, 0, 0, 1, 0, 0]'
run report merged.rec
judges "merged: few of them" "$bound 65.0 %, vertices 0.0 %, compute 45.0 %. Of the GPU bound time, by fragments in 33 %. In 67 % of the GPU bound time, no queue is busy for 80 % of a sample: they take turns within it, or wait for each other. Idle for 20.0 % of all the time."

exit $failed
