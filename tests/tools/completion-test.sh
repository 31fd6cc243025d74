#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/completion-test.sh FOLDER
#
# Sources the bash completion of panthor-perf and asks it, with FOLDER/panthor-perf-fake as the program. Prints
# "ok NAME" or "not ok NAME - why".
set -u

if [ $# -ne 1 ] || [ "$1" = --help ]; then
	sed -n '4,7s/^# \{0,1\}//p' "$0"
	exit 2
fi
bin=$(cd "$1" && pwd) || exit 2
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
: >gpu.panthor
export FAKE_NODES=$work/gpu.panthor FAKE_SETTINGS=
export ASAN_OPTIONS=detect_leaks=1:use_sigaltstack=0
failed=0

. "$top/tools/completion/panthor-perf" || exit 1

# completes NAME WANTED WORD...: what is offered for the last word; WANTED has a space between words,
# or with a leading + names what has to be among more
completes() {
	local name=$1 wanted=$2 got word missing=
	shift 2
	COMP_WORDS=(panthor-perf "$@")
	COMP_CWORD=$#
	_panthor_perf "$bin/panthor-perf-fake"
	got=" ${COMPREPLY[*]} "
	if [[ $wanted == +* ]]; then
		for word in ${wanted#+}; do
			[[ $got == *" $word "* ]] || missing=$word
		done
	else
		[[ $got == " $wanted " ]] || missing=$wanted
	fi
	if [ -z "$missing" ]; then
		echo "ok completion: $name"
	else
		echo "not ok completion: $name - '$missing' is not in '$got'"
		failed=1
	fi
}

completes "commands" "+list info stat top" ""
completes "a command" "stat" sta
completes "help" "help" he
completes "a command behind help" "stat" help sta
completes "commands alone behind help" "list info stat top record report export plot diff prometheus run" help ""
completes "options of the program" "--version" --v
completes "options of stat" "+--event --json --csv --raw --per-instance -I --counters --no-color" stat -
completes "an option of stat" "--per-instance" stat --per
completes "an option of list" "--formulas" list --fo
completes "a counter" "MaliFragWarp" stat -e MaliFragW
completes "a derived counter" "alu_util" stat -e alu_u
completes "the second of a list" "+alu_util,MaliGPUIRQ alu_util,MaliGPUIRQActiveCy" stat -e alu_util,MaliGPUIRQ
completes "a counter of top" "core_util" top --event = core_u
completes "a counter of list" "tiler_util" list tiler_u
completes "a counter of another GPU" "MaliMainQueueTask" list --gpu=G720 MaliMainQueueT
completes "a counter that this GPU has not" "" list MaliMainQueueT
completes "sets" "primary secondary tertiary" stat --set = ""
completes "a set" "secondary" stat --set sec
completes "colours" "always" info --color = al
completes "orders of top" "value" top --sort v
completes "blocks of list" "memsys" list -B m
completes "GPUs of list" "+G610 G715 G720 G1-Pro G2-Ultra" list --gpu ""
completes "a number" "" stat -n ""
completes "options of record" "+--compact --wakeup --allow-suspend --mark-ack" record --
completes "options of export" "+--html --perfetto --per-instance --no-instances --output" export --
completes "samples that wake up" "" record --wakeup ""
completes "a file" "gpu.panthor" stat --raw gpu
completes "a command behind --" "+bash" stat -- bas
completes "options of run" "--device --help --usage --user --version" run --
completes "a command behind run --" "+bash" run -- bas
registered() {
	complete -p panthor-perf | grep -q -- '-F _panthor_perf panthor-perf'
}
if registered; then echo "ok completion: is registered"; else
	echo "not ok completion: is registered - $(complete -p panthor-perf)"
	failed=1
fi
exit $failed
