#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/limit-test.sh FOLDER
#
# What panthor-perf stat and report say about shares that are slightly below 0 or above 100, on a driver in its own
# process (FOLDER/panthor-perf-fake) that counts what the loads below say. golden/limit-README shows how each number
# follows. Prints "ok NAME" or "not ok NAME - why".
set -u

if [ $# -ne 1 ] || [ "$1" = --help ]; then
	sed -n '4,8s/^# \{0,1\}//p' "$0"
	exit 2
fi
bin=$(cd "$1" && pwd) || exit 2
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
[ "$(grep -cE "$note" out)" -eq 1 ]
result $? "skew: one note" "there is not one note"
run stat -e fpk_kill -r 2
shows "skew: mean of runs" '^  fpk_kill +0\.00~ %'
shows "skew: mean of runs: the note" "$note"
run report skew.raw
shows "skew: report" '^fpk_kill +0\.00~ +0\.00~ +0\.00~ %'
shows "skew: report: the note" "$note"
run report --samples -e shader_active skew.raw
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

exit $failed
