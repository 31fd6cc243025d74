#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/top-test.sh FOLDER
#
# Drives panthor-perf top in tmux, on a driver in its own process (FOLDER/panthor-perf-fake), whose GPU counts
# what the script below says. Prints "ok NAME" or "not ok NAME - why", or "skip NAME - why" without tmux or
# without ncurses.
set -u

if [ $# -ne 1 ] || [ "$1" = --help ]; then
	sed -n '4,8s/^# \{0,1\}//p' "$0"
	exit 2
fi
bin=$(cd "$1" && pwd) || exit 2
tables=$(cd "$(dirname "$0")/../../tools/counters" && pwd)
if ! command -v tmux >/dev/null; then
	echo "skip top: all - there is no tmux"
	exit 0
fi
work=$(mktemp -d) || exit 2
socket=$work/tmux
tm() {
	tmux -f /dev/null -S "$socket" "$@"
}
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

: >gpu.panthor
unset NO_COLOR
export FAKE_NODES="$work/gpu.panthor" FAKE_LOAD="$work/load" FAKE_SETTINGS=clocks=1,cycles=2000000
export ASAN_OPTIONS=detect_leaks=1:use_sigaltstack=0

# What each sample of the GPU has. It has 3 shader cores, numbered 0, 4 and 20, and 2 L2 slices, so by
# the formulas of a Mali-G610:
#	gpu_busy	100 * cshw:4 / cycles of the clock	= 50 %
#	gpu_active	cshw:4					= 1000000
#	mcu_util	100 * cshw:5 / cshw:4			= 25 %
#	tiler_util	100 * tiler:4 / cshw:4			= 10 %
#	shader_active	100 * (3 * 500000) / (3 * 1000000)	= 50 %
#	core_util	100 * (1 + 2 + 3) * 100000 / (3 * 500000)	= 40 %
#	MaliFragWarp	3 * 1000
# and core_util of core 20, the third, is 100 * 300000 / 500000 = 60 %.
cat >load <<EOF
cshw:4 1000000
cshw:5 250000
tiler:4 100000
shader:53 500000
shader/0:26 100000
shader/4:26 200000
shader/20:26 300000
shader:9 1000
EOF

# The server lives as long as it has a session.
tm new-session -d -s keep 'sleep 1000' || exit 2

# begin COLUMNS LINES ARGUMENTS...: top in a terminal of this size
begin() {
	columns=$1
	lines=$2
	shift 2
	rm -f status err stty
	tm kill-session -t top 2>/dev/null
	tm new-session -d -s top -x "$columns" -y "$lines" \
		"export FAKE_SETTINGS='$FAKE_SETTINGS'; '$bin/panthor-perf-fake' top $* 2>'$work/err'; echo \$? >'$work/status'; stty -a >'$work/stty.new'; mv '$work/stty.new' '$work/stty'; sleep 1000" ||
		exit 2
}

# keys KEY...: as tmux send-keys names them
keys() {
	tm send-keys -t top "$@"
}

# until_shown PATTERN: waits for it on the screen, ten seconds at most
until_shown() {
	tries=100
	until tm capture-pane -t top -p >screen && grep -qE -- "$1" screen; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

# shows NAME PATTERN...: all of them, in one picture
shows() {
	name=$1
	shift
	tries=100
	while :; do
		tm capture-pane -t top -p >screen
		missing=
		for pattern; do
			grep -qE -- "$pattern" screen || missing=$pattern
		done
		[ -n "$missing" ] || break
		tries=$((tries - 1))
		if [ $tries -eq 0 ]; then
			echo "not ok $name - '$missing' is not shown"
			cat screen >&2
			failed=1
			return
		fi
		sleep 0.1
	done
	echo "ok $name"
}

# holds NAME COMMAND...
holds() {
	name=$1
	shift
	if "$@"; then
		echo "ok $name"
	else
		echo "not ok $name - $*"
		cat screen err status stty >&2 2>/dev/null
		failed=1
	fi
}

# is_back STATUS: it ended so, echo and lines are as they were, and so is the screen with its cursor
is_back() {
	[ "$(cat status 2>/dev/null)" = "$1" ] && grep -q ' echo\b' stty && grep -q ' icanon\b' stty &&
		grep -q '^0 1$' screen
}

# left NAME STATUS: the program is gone, with this exit status, and the terminal is as it was
left() {
	tries=100
	until [ -s status ] && [ -s stty ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || break
		sleep 0.1
	done
	tm display-message -t top -p '#{alternate_on} #{cursor_flag}' >screen
	holds "$1: exit status, and the terminal is as it was" is_back "$2"
}

first() {
	sed -n "$1p" screen
}

begin 80 24 -I 100
if ! until_shown 'sample [0-9]'; then
	if grep -q 'built without ncurses' err 2>/dev/null; then
		echo "skip top: all - the program was built without ncurses"
		exit 0
	fi
	echo "not ok top begins - $(tail -n 1 err)"
	cat screen >&2
	exit 1
fi
shows "80x24" '^panthor-perf top: Mali-G610, .*sample [0-9]+, [0-9]+\.[0-9]{3} ms$' '^summary, sorted by table' \
	'^Not GPU bound: idle for 50.0 % of the time\.' \
	'^A mean: panthor-perf record shows the parts in which the GPU may be the limit\.$' \
	'^counter +value unit +meaning' \
	'^gpu_active +1,000,000 cycles +\[#{11}\] GPU active cycles$' \
	'^mcu_util +25\.00 % +\[### {8}\] Microcontroller busy$' \
	'^tiler_util +10\.00 % +\[# {10}\] Tiler busy$' \
	'^gpu_busy +50\.00 % +\[#{6} {5}\] GPU busy' \
	'^prim_visible +0\.00 % +\[ {11}\] Visible share$' \
	'^1-18 of 34 +q:quit'
one_line_each() {
	[ "$(wc -l <screen)" -eq 24 ] && awk 'length > 80 { exit 1 }' screen
}
holds "80x24: no line is too long" one_line_each

# Samples come by themselves.
number=$(sed -n '1s/.*sample \([0-9]*\),.*/\1/p' screen)
later() {
	until_shown "sample ($((number + 3))|$((number + 4))|$((number + 5))|[0-9]*[0-9]{2}),"
}
holds "a new sample every 100 ms" later

keys s
shows "sorted by value" '^summary, sorted by value'
sorted() {
	[ "$(sed -n '6,10s/ .*//p' screen | tr '\n' ' ')" = "gpu_busy shader_active core_util mcu_util tiler_util " ]
}
holds "sorted by value: percentages, the largest first" sorted
keys s
shows "sorted by name" '^summary, sorted by name'
holds "sorted by name: the first" [ "$(first 6 | cut -d' ' -f1)" = alu_util ]
keys r
shows "the other way round" '^summary, sorted by name \(reverse\)'
holds "the other way round: the first" [ "$(first 6 | cut -d' ' -f1)" = var_util ]
keys r s
shows "sorted by the table again" '^summary, sorted by table$'
holds "sorted by the table: the first" [ "$(first 6 | cut -d' ' -f1)" = gpu_busy ]

keys /
shows "search" '^search: _'
keys c o r e X BSpace _
shows "search: what is typed" '^search: core__$'
keys Enter
shows "search: what is found" "filter 'core_'" '^core_util +40\.00 %'
holds "search: nothing else" [ "$(sed -n '6,23p' screen | grep -c .)" -eq 1 ]
keys i
shows "per block" 'per block, filter' '^core_util +40\.00 %' '^  shader\[0\] +20\.00 %' '^  shader\[1\] +40\.00 %' \
	'^  shader\[2\] +60\.00 % +\[#{7} {4}\]$'
keys i /
keys x Escape
shows "search: escape keeps the old one" "^summary, sorted by table, filter 'core_'" '^core_util'
keys / Enter
shows "search: empty shows all" '^gpu_active'

keys v
all=$(grep -c '^derived ' "$tables/G710.counters")
shows "all derived counters" '^derived, sorted by table' "^1-18 of $all "
keys End
shows "the end of the list" "^$((all - 17))-$all of $all "
keys PageUp
shows "a page up" "^$((all - 35))-$((all - 18)) of $all "
keys Up
shows "a line up" "^$((all - 36))-$((all - 19)) of $all "
keys Home
shows "the beginning" "^1-18 of $all "
keys v
shows "all counters" '^counters, sorted by table' '^MaliGPUActiveCy +1,000,000 cycles' '^MaliFragWarp +3,000 warps'
holds "all counters: those that are 0 are left out" [ "$(sed -n '6,23p' screen | grep -c .)" -eq 6 ]
keys z
shows "all counters: z shows those that are 0" '^fw:4 +0' ' of [1-9][0-9]{2}  q:quit'
keys z v
shows "the summary again" '^summary,'

keys Space
shows "pause" '^summary, sorted by table, PAUSED( late)?$'
tm capture-pane -t top -p >screen
paused=$(first 1)
sleep 0.5
tm capture-pane -t top -p >screen
holds "pause: the values stay" [ "$(first 1)" = "$paused" ]
keys p
holds "pause: it goes on" until_shown '^summary, sorted by table$'
keys h
shows "help" '^  q +quit' '^Any key goes back'
keys x
shows "help: any key goes back" '^summary,'

tm resize-window -t top -x 50 -y 10
shows "a smaller window" '^gpu_active +1,000,000 cycles$' '^1-4 of 34'
tm resize-window -t top -x 120 -y 40
shows "a larger window" '^gpu_active +1,000,000 cycles +\[#{20}\] GPU active' '^core_util +40\.00 % +\[#{8} {12}\]' '^bytes_per_pixel'
tm resize-window -t top -x 12 -y 3
sleep 0.3
tm resize-window -t top -x 80 -y 24
shows "back from a tiny window" '^gpu_active +1,000,000 cycles +\[#{11}\] GPU active cycles$'
keys q
left "q" 0

begin 80 24 -I 100 -e shader:26,mcu_util --sort name --per-instance
shows "-e" '^events, sorted by name, per block' '^MaliCoreActiveCy +600,000 cycles +\[#{10}\] Execution' \
	'^  shader\[2\] +300,000 cycles +\[#{5} {5}\]$' '^mcu_util +25\.00 %'
keys C-c
left "SIGINT" 0

begin 80 24 -I 100 -n 3
left "-n" 0

# From the threshold of the table on, value and bar are yellow: tex_util is 100 * 180000 * 3 / 600000 = 90. mcu_util, which has
# no threshold, is 95.
cp load before
printf 'cshw:5 950000\nshader:39 180000\n' >>load
begin 80 24 -I 100 -e tex_util,mcu_util
shows "a high value" '^tex_util +90\.00 % +\[#{10} \] Texture' '^mcu_util +95\.00 % +\[#{10} \] Micro'
tm capture-pane -t top -p -e >screen
yellow() {
	grep -qE "tex_util +$(printf '\033')\[33m90\.00" screen &&
		grep -qE "tex_util .*\[.*$(printf '\033')\[33m#{10}" screen
}
holds "a high value is yellow" yellow
green() {
	grep -qE "mcu_util +95\.00 %" screen && grep 'mcu_util' screen | grep -qE "$(printf '\033')\[32m#" &&
		! grep 'mcu_util' screen | grep -qF "$(printf '\033')[33m"
}
holds "without a threshold it is not" green
keys q
left "colours" 0
begin 80 24 -I 100 -e tex_util --color=never
shows "a high value without colours" '^tex_util +90\.00 % +\[#{10} \] Texture'
tm capture-pane -t top -p -e >screen
holds "without colours it is not yellow" [ "$(grep -cF "$(printf '\033')[33m" screen)" -eq 0 ]
keys q
left "without colours" 0
mv before load

FAKE_SETTINGS=min_period_ns=0 begin 80 24 -I 100
shows "without periods" 'sample [1-9][0-9]*, 1\.234 ms$' '^gpu_active +1,000,000 cycles'
keys q
left "without periods" 0

begin 80 24 -I 100 -e fw:4
shows "a counter that is 0" '^events, ' '^fw:4 +0 '
keys Space v v
shows "pause: another list has values, too" '^derived, .*PAUSED' '^gpu_freq +[0-9.]+ [kM]?Hz' '^tiler_util +10\.00 %'
keys q
left "pause" 0

FAKE_SETTINGS=features=4 begin 80 24 -I 100 --allow-suspend
shows "--allow-suspend asks for samples" 'sample [1-9][0-9]*, 1\.234 ms$' '^gpu_active +1,000,000 cycles'
keys q
left "--allow-suspend" 0

# The verdict has two lines, which end behind a sentence, or with dots behind a clause or a word.
# verdict COLUMNS LINE...
verdict() {
	width=$1
	shift
	FAKE_SETTINGS=clocks=1,cycles=${cycles:-1000000} begin "$width" 24 -I 100
	until_shown '^(Not )?GPU bound'
	holds "the verdict on $width columns" lines_are "$@"
}
lines_are() {
	sed -n 3,4p screen >got
	for line; do
		echo "$line"
	done >want
	diff want got >&2
}
verdict 100 "GPU bound: busy for 100.0 % of the time; queues busy: fragments 0.0 %, vertices 0.0 %, compute 0.0" \
	"%. No queue is busy for 80 % of a sample: they take turns within it, or wait for each other."
verdict 80 "GPU bound: busy for 100.0 % of the time; queues busy: fragments 0.0 %, vertices" "0.0 %, compute 0.0 %."
verdict 60 "GPU bound: busy for 100.0 % of the time; queues busy:" "fragments 0.0 %, vertices 0.0 %, compute 0.0 %."
verdict 40 "GPU bound: busy for 100.0 % of the time;" "..."
verdict 18 "GPU bound: busy" "for 100.0 ..."
cycles=2000000
verdict 80 "Not GPU bound: idle for 50.0 % of the time. Check the processor and vsync." \
	"A mean: panthor-perf record shows the parts in which the GPU may be the limit."
verdict 60 "Not GPU bound: idle for 50.0 % of the time." "A mean: panthor-perf record shows the parts in which the ..."
verdict 30 "Not GPU bound: idle for ..." "A mean: panthor-perf ..."
keys q
left "the verdict" 0

# Limits stand between the verdict and the heading: tex_util is 60 % of the GPU's cycles, and 92 of 100. Reads stall in 23 of
# 100, which is near the threshold of 25.
cp load before
printf 'shader:53 1000000\nshader/0:26 1000000\nshader/4:26 1000000\nshader/20:26 1000000\nshader:39 920000\nmemsys:33 230000\n' >>load
begin 100 40 -I 100
shows "limits" '^A mean: ' \
	'^Unit: the texture unit works in 92\.00 % of the cycles in which the GPU is active \(tex_util x$' \
	'^core_util x shader_active\)\. This is a likely limit while the GPU is busy\.$' \
	'^Memory: reads from external memory stall in 23\.00 % of the cycles in which the GPU is active$' \
	'^\(ext_rd_stall\), near the threshold of 25 %\.$'
limits_are_above() {
	[ "$(sed -n '5,10s/ .*//p' screen | tr '\n' ' ')" = "$1" ] && [ "$(wc -l <screen)" -eq "$2" ]
}
holds "limits: their place" limits_are_above "Unit: core_util Memory: (ext_rd_stall), counter gpu_busy " 40
tm resize-window -t top -x 80 -y 24
shows "limits on 80x24: the last one has all lines that are left" \
	'^Unit: the texture unit works in 92\.00 % of the cycles in which the GPU is .*' \
	'^Memory: reads from external memory stall in 23\.00 % of the cycles in which the$' '^GPU is active \(ext_rd_stall\), near the threshold of 25 %\.$' '^1-15 of 34 '
holds "limits on 80x24: no line is too long" one_line_each
tm resize-window -t top -x 80 -y 10
shows "limits on 10 lines: the likely one" '^Unit: .*\.\.\.$' '^1-3 of 34 '
holds "limits on 10 lines: not the other" [ "$(grep -c '^Memory' screen)" -eq 0 ]
tm resize-window -t top -x 80 -y 7
shows "no line for limits" '^counter ' '^1-1 of 34 '
keys q
left "limits" 0

# Reads stall less in each sample: their limit is near its threshold in the first 15.
sed -i 's/^memsys:33 .*/memsys:33 240000 -1000/' load
begin 100 40 -I 100
until_shown '^Unit: '
tries=100
while grep -q '^Memory: ' screen && [ $tries -gt 0 ]; do
	tries=$((tries - 1))
	sleep 0.1
	until_shown '^Unit: '
done
holds "a limit that ends: the list does not jump" limits_are_above "Unit: core_util counter gpu_busy " 40
keys q
left "a limit that ends" 0
mv before load

FAKE_SETTINGS=unplug_at=4 begin 80 24 -I 100
left "a GPU that goes away" 1
holds "a GPU that goes away: why" grep -q '^panthor-perf: reading a sample: the GPU is gone$' err

FAKE_SETTINGS=gpu_id=0x98670005 begin 80 24 -I 100
shows "an unknown GPU" '^panthor-perf top: GPU 0x98670005' '^counters, sorted' '^cshw:4 +1,000,000'
keys q
left "an unknown GPU" 0

FAKE_SETTINGS=error_at=1 begin 80 24 -I 60000 -n 2
shows "before the first sample" 'waiting for a sample$' '^summary, '
keys q
left "before the first sample" 0

# Without a terminal.
"$bin/panthor-perf-fake" top >out 2>err </dev/null
holds "no terminal: exit status" [ $? -eq 1 ]
holds "no terminal: why" grep -q 'top needs a terminal' err
"$bin/panthor-perf-fake" top -I 0 >out 2>err </dev/null
holds "-I 0" [ $? -eq 2 ]

"$bin/panthor-perf-fake" top --allow-suspend >out 2>err </dev/null
holds "--allow-suspend is not offered" [ $? -eq 2 ]
holds "--allow-suspend is not offered: why" grep -q 'keeps the GPU powered' err

exit $failed
