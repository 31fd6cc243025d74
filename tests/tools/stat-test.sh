#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/stat-test.sh FOLDER
#
# What panthor-perf list, info and stat print, on a driver in its own process (FOLDER/panthor-perf-fake) that counts what
# stat-load says; compared with golden/, where stat-README shows how each number follows. Prints "ok NAME" or
# "not ok NAME - why".
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
export FAKE_NODES="$work/gpu.panthor" FAKE_LOAD="$here/stat-load" FAKE_SETTINGS=length_ns=1000000
export ASAN_OPTIONS=detect_leaks=1:use_sigaltstack=0

# run STATUS ARGUMENT...: with this exit status and nothing on the standard error
run() {
	want=$1
	shift
	"$bin/panthor-perf-fake" "$@" >out 2>err </dev/null
	status=$?
	sed "s|$work|WORK|g" out >shown
	[ $status -eq "$want" ]
}

# golden NAME FILE ARGUMENT...: prints what the file has
golden() {
	name=$1
	file=$here/golden/$2
	shift 2
	if run 0 "$@" && [ ! -s err ] && diff -u "$file" shown >difference; then
		echo "ok $name"
	else
		echo "not ok $name - exit status $status, ${file##*/} differs: $(head -n 1 err)"
		cat difference >&2
		failed=1
	fi
}

# shows NAME STATUS PATTERN ARGUMENT...: a line that matches
shows() {
	name=$1
	want=$2
	pattern=$3
	shift 3
	if run "$want" "$@" && cat out err | grep -qE -- "$pattern"; then
		echo "ok $name"
	else
		echo "not ok $name - exit status $status, no line matches '$pattern'"
		cat out err >&2
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
		echo "not ok $name - $*"
		head -n 30 out >&2
		failed=1
	fi
}

# How busy, and at which clock: with the clock's cycles, and without.
FAKE_SETTINGS=length_ns=1000000,clocks=1,cycles=2000000 shows "stat: busy" 0 '^  gpu_busy +50\.00 %' stat
holds "stat: the clock" grep -qE '^  gpu_clock +2\.000 GHz' out
shows "stat: busy without cycles of the clock" 0 '^  gpu_busy +- %' stat
holds "stat: clock without its cycles" grep -qE '^  gpu_clock +- ' out
holds "stat: active cycles without those of the clock" grep -qE '^  gpu_active +1,000,000 cycles' out

events=core_util,alu_util,shader_active,ext_rd_stall,mmu_l3_hit,mcu_util,MaliCoreActiveCy,fw:5
few=core_util,mmu_l3_hit,shader:26,fw:5
FAKE_SETTINGS=length_ns=1000000,clocks=1,cycles=2000000 golden "stat: the summary" stat.txt stat
golden "stat: by block" stat-instances.txt stat --per-instance -e $events
golden "stat: CSV" stat-instances.csv stat --csv --per-instance -e $few
golden "stat: JSON" stat-instances.json stat --json --per-instance -e $few
sed 's/,/;/g' "$here/golden/stat-instances.csv" >semicolons.csv
run 0 stat -x ';' --per-instance -e $few
holds "stat: another separator" diff semicolons.csv out
golden "stat: to a file" stat-empty stat -o file -e $events --per-instance
holds "stat: to a file: what is in it" diff "$here/golden/stat-instances.txt" file
golden "stat: names in any case, and a pattern" stat-instances.txt stat --per-instance \
	-e 'CORE_util,alu_util,shader_activ?,ext_rd_stall' -e 'MMU_L3_hit,[m]cu_util' -e malicoreactivecy -e fw:5
cp "$here/stat-load" load
echo "tiler:6 100 10" >>load
FAKE_LOAD=$work/load golden "stat: runs" stat-runs.txt stat -r 3 -e gpu_active,core_util,mmu_l3_hit,tiler:6
FAKE_LOAD=$work/load run 0 stat -r 3 --csv -e tiler:6,mmu_l3_hit
printf 'name,runs,mean,deviation,min,max,unit\nMaliGeomTrianglePrim,3,220,101.4889156509222,130,330,primitives\n%s\n%s\n' \
	mmu_l3_hit,0,,,,,percent length,3,0.001,0,0.001,0.001,seconds >runs.csv
holds "stat: runs as CSV" diff runs.csv out
FAKE_LOAD=$work/load shows "stat: runs as JSON" 0 \
	'"unit":"primitives","runs":3,"mean":220,"deviation":101\.4889156509222,"min":130,"max":330\}' \
	stat -r 3 --json -e tiler:6
shows "stat: runs of a command" 0 '^3 runs, 1\.000000 ms on average' stat -r 3 -- true
shows "stat: a run whose command fails is the last" 7 '^1 runs, ' stat -r 3 -- sh -c 'exit 7'

# Scaled counters.
printf 'shader:69 100\ntiler:26 7\n' >load
FAKE_LOAD=$work/load FAKE_SETTINGS=length_ns=1000000,gpu_id=0xd8000000,counters=128 \
	golden "stat: shifted values" stat-shift.txt stat --per-instance -e MaliFragThread,MaliTilerPosCacheHit

# Accelerators at the first and the last of three cores.
printf 'cshw:4 1000\nneural/0:4 100\nneural/20:4 300\n' >load
export FAKE_LOAD="$work/load" FAKE_SETTINGS=length_ns=1000000,gpu_id=0xe8800000,counters=128,neural=5
shows "info: accelerators" 0 '^  neural +2 \(neural accelerator\)$' info
golden "stat: accelerators with a gap" stat-neural.txt stat --per-instance -e neural:4,nx_clock_ratio
golden "stat: accelerators with a gap, CSV" stat-neural.csv stat --csv --per-instance -e neural:4,nx_clock_ratio
golden "stat: accelerators with a gap, JSON" stat-neural.json stat --json --per-instance -e neural:4,nx_clock_ratio
export FAKE_LOAD="$here/stat-load" FAKE_SETTINGS=length_ns=1000000

# All counters, and none that the load does not have: each of its lines is one.
lines=$(grep -c '^[a-z]*[0-9/]*:' "$here/stat-load")
cores=$(grep -c '^shader/' "$here/stat-load")
run 0 stat -a
named() {
	[ "$(sed -n '/^ Counters$/,$p' out | grep -cE '\((cshw|tiler|memsys|shader):[0-9]+\)$')" -eq $((lines - cores + 1)) ]
}
holds "stat -a: a line for each counter that is not 0" named
hidden() {
	grep -q "^  $((8 * 60 - 3 * 60 - (lines - cores + 1))) more are 0 in every block$" out
}
holds "stat -a: the others are numbered" hidden

# Lines of tables have at most 100 columns; with -w, any number. The line that describes a sample, and that of the data
# quality, are one line each: on a slow host they name what was merged, and why.
narrow() {
	[ "$(sed -E '/^sample [0-9]+: at |^[0-9]+ samples?, [0-9]+ with ERROR/d' out | LC_ALL=C.UTF-8 wc -L)" -le 100 ]
}
holds "stat -a: 100 columns" narrow
run 0 stat -r 2 -a
holds "stat -r -a: 100 columns" narrow
run 0 stat -I 20 -n 3 -a
holds "stat -I -a: 100 columns" narrow
sed '/ MaliFragWarp / { s/Fragment warps/Größe der Bündel von Fäden, die Fragmente schattieren/; s/  *source/ source/ }' \
	"$here/../../tools/counters/G710.counters" >wide.counters
shows "stat: a title that is cut" 0 \
	'^  MaliFragWarp  .* warps          Größe der Bündel von Fäden, di\.\.\. \(shader:9\)$' stat --counters wide.counters -e MaliFragWarp
LC_ALL=C.UTF-8 holds "stat: a title that is cut: 100 columns" [ "$(LC_ALL=C.UTF-8 wc -L <out)" -eq 100 ]
shows "stat -w: a title that is not" 0 'warps          Größe der Bündel von Fäden, die Fragmente schattieren \(shader:9\)$' \
	stat -w --counters wide.counters -e MaliFragWarp
run 0 stat -w -a
holds "stat -w: a place behind each title" named

# What is wrong.
shows "stat: a name that is nearly right" 2 "there is no counter 'MaliFragWrap'.*MaliFragWarp.*column 1" stat -e MaliFragWrap
shows "stat: where it is wrong" 2 'column 18 of ' stat -e core_util,shader:toaster
shows "stat: a pattern that matches nothing" 2 "Toast" stat -e '*Toast*'
shows "stat: a table of another GPU" 1 "has no line 'product 10\.7'" stat -e core_util --counters "$here/../../tools/counters/G1.counters"
FAKE_SETTINGS=gpu_id=0x98670005 shows "stat: a name without a table" 2 'core_util' stat -e core_util
shows "stat: --brief and --json" 2 'one of --brief, --csv and --json' stat -b -j
shows "stat: -r and -n" 2 'omit -n' stat -r 2 -n 3
shows "stat: -r and --clocks" 2 'omit --clocks and --states' stat -r 2 -c
shows "stat: -r and --states" 2 'omit --clocks and --states' stat -r 2 --states
shows "stat: -r and --per-instance" 2 'omit --per-instance' stat -r 2 --per-instance
shows "stat: -r 0" 2 "number of runs '0' is not a number" stat -r 0
shows "stat: an empty separator" 2 'separator of -x is empty' stat -x ''
shows "stat: a file that cannot be" 1 'writing /nonexistent/x' stat -o /nonexistent/x
if [ -c /dev/full ]; then
	shows "stat: a full disk" 1 'writing /dev/full: No space left on device' stat -o /dev/full
fi

# What the driver may offer.
expected_compact() {
	sed 's/GPU timestamp [0-9]*/GPU timestamp 3000/' out | diff "$here/golden/stat-instances.txt" -
}
FAKE_SETTINGS=length_ns=1000000,features=15 run 0 stat --compact --per-instance -e $events
holds "stat --compact: the same values" expected_compact
FAKE_SETTINGS=features=15 shows "stat --wakeup" 0 '^9 samples, .*none lost' stat -I 20 -n 9 --wakeup 4 -b -e core_util
holds "stat --wakeup: values" [ "$(awk '$4 == 40' out | grep -c .)" -eq 9 ]
FAKE_SETTINGS=features=15 shows "stat --wakeup by time" 0 '^5 samples, .*none lost' stat -I 20 -n 5 --wakeup 0,50
FAKE_SETTINGS=features=15 shows "stat --wakeup by a short time" 0 '^5 samples, .*none lost' stat -I 20 -n 5 --wakeup 4,5
FAKE_SETTINGS=features=15 shows "stat --allow-suspend" 0 '^  core_util +40\.00 %' stat --allow-suspend -e core_util
shows "stat --compact is not offered" 2 'the driver has no compact samples' stat --compact
shows "stat --wakeup is not offered" 2 'the driver wakes up for each sample' stat -I 20 --wakeup 4
FAKE_SETTINGS=min_period_ns=0 shows "stat --wakeup without periods" 2 '^panthor-perf: --wakeup: the driver has no periodic sessions$' \
	stat -I 20 -n 4 --wakeup 4
shows "stat --allow-suspend is not offered" 2 'keeps the GPU powered' stat --allow-suspend
shows "stat --wakeup without a period" 2 'give -I MS' stat --wakeup 4
shows "stat --wakeup of nothing" 2 'needs a time: 0,MS' stat -I 20 --wakeup 0
FAKE_SETTINGS=length_ns=1000000,features=15 shows "stat --compact --raw" 0 '^  core_util +40\.00 %' stat --compact --raw compact.raw -e core_util
shows "report of it" 0 '^core_util +40\.00 ' report compact.raw
shows "report of what it has not" 2 'MaliTilerActiveCy was not recorded' report -e tiler:4 compact.raw
FAKE_SETTINGS=features=15 shows "stat --wakeup for few samples" 0 '^3 samples, .*none lost' stat -I 20 -n 3 --wakeup 8 -b -e core_util
FAKE_SETTINGS=features=15 shows "stat --wakeup beyond the ring" 2 'a wake-up for 40 samples is not within 1 to 15' stat -I 20 --wakeup 40

# A GPU that no table knows: by block and index, everywhere.
FAKE_SETTINGS=gpu_id=0x98670005 shows "an unknown GPU: stat" 0 '^  shader +3 +180 +' stat
FAKE_SETTINGS=gpu_id=0x98670005 shows "an unknown GPU: stat -a" 0 '^  shader:9 +480$' stat -a
FAKE_SETTINGS=gpu_id=0x98670005 shows "an unknown GPU: stat --csv" 0 ',shader:9,,480,$' stat --csv
FAKE_SETTINGS=gpu_id=0x98670005 shows "an unknown GPU: stat --json" 0 '^\{"schema":1,"gpu":"GPU 0x98670005","table":null' stat --json
FAKE_SETTINGS=gpu_id=0x98670005 shows "an unknown GPU: list" 1 'no table has names for GPU 0x98670005' list
FAKE_SETTINGS=sets=7 shows "another set: a note" 0 'no names for the secondary set' stat --set secondary
FAKE_SETTINGS=sets=7 shows "another set: no names" 2 'core_util' stat --set secondary -e core_util

# Other formats, read by others.
FAKE_SETTINGS=length_ns=1000000,states=1 run 0 stat -I 20 -n 3 --json -c --states -i
holds "stat: JSON that Python reads" python3 -c "
import json
d = json.load(open('out'))
assert len(d['samples']) == 3 and d['quality']['samples'] == 3
for s in d['samples']:
    v = {e['name']: e for e in s['values']}
    assert v['core_util']['value'] == 40 and v['core_util']['instances'] == [20, 40, 60]
    assert v['gpu_active']['value'] == 1000000 and 'instances' not in v['gpu_active']
    assert len(s['states']) == 8"
FAKE_SETTINGS=length_ns=1000000,states=1 run 0 stat --csv --states -e gpu_active
holds "stat: states as CSV" [ "$(grep -cE '^0,[0-9.]+,[0-9.]+,0,FINAL,state:[a-z]+,[0-9],on available normal,$' out)" -eq 8 ]
holds "stat: states as CSV: of each core" grep -q '^0,.*,state:shader,2,' out
shows "stat: states as JSON that are not reported" 0 '"states":null' stat --json --states
run 0 stat --csv --states >/dev/null
holds "stat: states as CSV that are not reported" grep -q 'the driver does not report the states' err
run 0 stat -I 20 -n 3 --csv -a
holds "stat: CSV that Python reads" python3 -c "
import csv
rows = list(csv.DictReader(open('out')))
cores = [r for r in rows if r['name'] == 'core_util']
assert [r['sample'] for r in cores] == ['0', '1', '2'] and all(float(r['value']) == 40 for r in cores)
assert all(len(r) == 9 and None not in r for r in rows)"
run 0 list --json --gpu G725
holds "list: JSON that Python reads" python3 -c "
import json
d = json.load(open('out'))
assert len(d['counters']) == 212 and d['table'] == 'G725' and d['schema'] == 1
c = {c['name']: c for c in d['counters']}
d = {c['name']: c for c in d['derived']}
assert [c['MaliAnyActiveCy'][k] for k in ('limit', 'limit_text', 'high')] == ['imbalance', 'shader core', 25]
assert c['MaliFragWarp']['limit'] is None and c['MaliFragWarp']['high'] is None
assert [d['rtu_util'][k] for k in ('limit', 'high', 'of')] == ['unit', 80, 'core_util']
assert d['core_util']['of'] == 'shader_active' and d['core_util']['limit'] is None
assert c['MaliFragThread']['shift'] == 2 and c['MaliFragThread']['block'] == 'shader' and c['MaliFragThread']['index'] == 69"

# Colours.
coloured() {
	grep -q "$(printf '\033')" out
}
plain() {
	[ -s out ] && ! coloured
}
run 0 stat
holds "colours: not into a file" plain
run 0 stat --color=always
holds "colours: when asked for" coloured
NO_COLOR=1 run 0 stat --color=always
holds "colours: --color beats NO_COLOR" coloured
run 0 stat --color always --no-color
holds "colours: the last option holds" plain
shows "colours: nonsense" 2 "auto, always or never, not 'blue'" stat --color=blue
run 0 list --color=always
holds "colours: list" coloured

# list and info
cat >mine.counters <<EOF
panthor-perf-counters 1
table mine
words 64
product 10.7 "Mali-G610"
block cshw
 4 Busy cycles "Cycles that it was busy"
block shader
 9 Warps warps "Warps of the core"
 10 Threads threads "Threads of the core"
group "Mine"
derived warps_per_cycle warps "Warps per busy cycle" default
	= Warps / Busy
derived all_threads threads "Threads of all warps"
	= 16 * Warps
EOF
golden "info" info.txt info
golden "list: a table of one's own" list.txt list --counters mine.counters --formulas
shows "stat: a table of one's own" 0 '^  warps_per_cycle +0\.00048 warps ' stat --counters mine.counters
shows "stat: a formula of one's own" 0 '^  all_threads +7,680 threads ' stat --counters mine.counters -e 'all*s,Warps'
sed 's|= Warps / Busy|= Warps / 38888|; s|16 \* Warps|Warps / 9600000|' mine.counters >small.counters
shows "stat: below 0.1, four significant digits" 0 '^  warps_per_cycle +0\.01234 warps ' stat --counters small.counters
shows "stat: below 0.1, an exponent" 0 '^  all_threads +5e-05 threads ' stat --counters small.counters -e all_threads
sed 's/16 \* Warps/16 * Wraps/' mine.counters >wrong.counters
shows "a table that is wrong: where" 1 'wrong\.counters:14:[0-9]+: ' stat --counters wrong.counters
shows "a table that is missing" 1 'nowhere' info --counters nowhere.counters
mkdir folder
cp mine.counters folder
mkfifo folder/pipe.counters
shows "a folder of tables" 0 '\(table mine\)$' info --counters folder
for table in G710:160 G715:179 G720:190 G725:212 G1:281 G2:296; do
	run 0 list --names --gpu "${table%:*}"
	all=$(grep -c . out)
	run 0 list --names --derived --gpu "${table%:*}"
	holds "list --gpu ${table%:*}: ${table#*:} counters" [ $((all - $(grep -c . out))) -eq "${table#*:}" ]
done
for gpu in 0xa8670005:Mali-G610 0xc8700000:Mali-G720 mali-g310:mali-g310 IMMORTALIS-G925:IMMORTALIS-G925; do
	shows "list --gpu ${gpu%:*}" 0 "^${gpu#*:} .*table" list --gpu "${gpu%:*}"
done
shows "list: a GPU that nobody knows" 2 "no table is for the GPU 'toaster'" list --gpu toaster
FAKE_NODES='' shows "list --gpu: a table of one's own" 0 '^G610 \(table mine\): 3 counters' list --gpu G610 --counters folder
FAKE_NODES='' shows "list --gpu: a table for another GPU" 1 "has no line 'product" list --gpu G720 --counters mine.counters
run 0 list --gpus --json
holds "list --gpus --json" python3 -c "
import json
d = json.load(open('out'))
assert d['schema'] == 1 and {'gpu': 'Mali-G1-Ultra', 'table': 'G1'} in d['gpus']"
run 0 list --sets --json
holds "list --sets --json" python3 -c "
import json
d = json.load(open('out'))
assert d['schema'] == 1 and d['sets'][0] == {'set': 'primary', 'named': 160, 'offered': True}"
golden "list --describe: a derived counter" describe-derived.txt list --describe CORE_util
golden "list --describe: a counter of cores" describe-counter.txt list --describe shader:62
shows "list --describe: units of several" 0 '^  counts +units of 4$' list --gpu G725 --describe MaliFragThread
shows "list --describe: no such counter" 2 "Mali-G610 has no counter 'core_utl'; is it core_util" list --describe core_utl
run 0 list --describe core_util --json
holds "list --describe --json" python3 -c "
import json
d = json.load(open('out'))
assert d['schema'] == 1 and d['gpu'] == 'Mali-G610' and d['counter']['formula'].startswith('100 * ')"
shows "stat -e @GROUP" 0 '^  core_util +40\.00 %' stat -e @shader-core
shows "stat -e @GROUP: the wrong one" 2 "there is no group '@shaders': use @ and one of default, front-end, tiler-and-primitives" \
	stat -e @shaders
shows "list: the GPUs" 0 '^Mali-G1-Ultra +table G1 +281 counters' list --gpus
shows "list: a word of a title" 0 '^  MaliFragTileKill ' list 'killed unchanged'
shows "list: the start of a word of a name" 0 '^  MaliTex' list tex
shows "list: the start of a word of a title" 0 '^  MaliL2CacheRdLookup .* Read lookup requests$' list lookup
run 0 list tex
part=$(grep '^[ *] ' out | grep -v 'Tex\| tex\|_tex\|^. shown by' | head -n 1)
holds "list: no part of a word, if there are words" [ -z "$part" ]
shows "list: else any part of a word" 0 '^  MaliVertQueueJob ' list ertex
shows "list: a word behind an abbreviation" 0 '^  MaliMMUFlush ' list flush
shows "list: a pattern is the whole name" 1 'no counter of Mali-G610 matches' list 'FragTile?'
shows "list: a block" 0 ': 23 counters, 0 derived$' list -B TILER
for block in fw neural csg; do
	shows "list: a block without names: $block" 1 "^panthor-perf: the table of Mali-G610 has no names for block $block" \
		list -B $block
done
shows "list: a block without names: JSON" 1 '"counters":\[' list -B fw --json
shows "list: nothing matches: JSON" 1 'no counter of Mali-G610 matches' list --json toaster
shows "list: a name with a mistake" 1 "^panthor-perf: no counter of Mali-G610 matches 'tiler_utl'; is it tiler_util\?\$" list tiler_utl
shows "list --gpu: a name with a mistake" 1 "^panthor-perf: no counter of G720 matches 'tiler_utl'; is it tiler_util\?\$" \
	list --gpu G720 tiler_utl
shows "list: one of two words with a mistake" 0 "^panthor-perf: note: no counter of Mali-G610 matches 'MaliFragWrap'; is it MaliFragWarp\?\$" \
	list core_util MaliFragWrap
shows "list: one of two words: the other one" 0 '^. core_util ' list core_util MaliFragWrap
shows "list: no name comes next" 1 "^panthor-perf: no counter of Mali-G610 matches 'toaster'\$" list toaster
shows "list: matches of another block" 1 '^panthor-perf: no counter of Mali-G610 matches$' list -B tiler MaliFragWarp
for option in --set --set=secondary; do
	shows "list $option" 2 'there is no option --set here' list $option
done
shows "list --help: block types" 0 'memsys, shader, neural, csg$' list --help
tools=$here/../../tools
groups() {
	sed -n 's/^group "\(.*\)"$/@\1/p' "$tools"/counters/*.counters | tr 'A-Z ' 'a-z-' | sort -u
}
page_groups() {
	sed -n '/^\.Ss Groups/,/^\.Ss Formulas/p' "$tools/man/panthor-perf-list.1" | grep -o '@[a-z-][a-z-]*' | grep -vx @default |
		sort -u
}
holds "list: the page has the groups of all tables" [ "$(groups)" = "$(page_groups)" ]
constants() {
	grep -hoE '\b(NCORE|NL2|[A-Z]+BYTES|TSPAN|[A-Z]+CY)\b' "$@" | sort -u
}
holds "list: the page has the constants of all formulas" \
	[ -z "$(constants "$tools"/counters/*.counters | grep -vxF "$(constants "$tools/man/panthor-perf-list.1")")" ]
shows "list: a block that is none" 2 "there is no block type 'toaster'" list --block=toaster
shows "list: sets" 0 '^primary +160 counters with names, offered by the driver$' list --sets
FAKE_NODES='' shows "list: no GPU" 5 '--gpu lists the counters of a GPU that is not here' list
FAKE_NODES='' shows "list: no GPU is needed" 0 '^G610 \(table G710\)' list --gpu G610

exit $failed
