#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# scripts/check.py with stages whose jobs are known: some die, hang, or leave no results. Prints ok and not ok lines.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=

mkdir -p "$folder/scripts/check" "$folder/scripts/lib"
cp "$TOP/scripts/check.py" "$folder/scripts/"
cp -r "$TOP/scripts/lib/stage.sh" "$TOP/scripts/lib/lib.sh" "$TOP/scripts/lib/panthor_perf" "$folder/scripts/lib/"
printf '#!/bin/sh\n' >"$folder/scripts/deps.sh"
cat >"$folder/scripts/check/required" <<'END'
# What is required of the stages below.
static/slow 1
static/quick 1 quick
qemu/dies 1
qemu/good 1
kunit/hangs 0
tools/nothing 0
tools/partly 1
guest-stock/build 0
guest-stock/after 0
guest/build 1
guest/user 1
guest/other 0
newest/new 1
mesa/run 1
layer/run 1
igt/alone 0
igt/after 0
igt/skipped 0
skip igt/skipped not for
demo/first 1
demo/dies 0
demo/last 0
END
unset PANTHOR_PERF_IN_JOB JOBS
export FOLDER="$folder"

# stage_of NAME: a stage, from standard input.
stage_of() {
	{
		printf '#!/bin/sh\nset -eu\nTOP=%s\n. "$TOP/scripts/lib/stage.sh"\n' "$folder"
		cat
		echo finish
	} >"$folder/scripts/check/$1.sh"
	chmod +x "$folder/scripts/check/$1.sh"
}
chmod +x "$folder/scripts/deps.sh"

# Two that meet: each waits until the other has begun.
stage_of static <<'END'
meet() {
	: >"$FOLDER/here-$1"
	for _try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ ! -e "$FOLDER/here-$2" ] || break
		sleep 0.1
	done
	if [ -e "$FOLDER/here-$2" ]; then result "ok $1 met $2"; else result "ok $1 was alone"; fi
	sleep "$3"
	rm "$FOLDER/here-$1"
}
job slow -- meet slow quick 1
job quick -- meet quick slow 0.5
END
stage_of qemu <<'END'
dies() {
	result "ok before it dies"
	kill -KILL $$
}
job dies -- dies
job good -- one "a true thing" true
END
stage_of kunit <<'END'
hangs() {
	result "ok before it hangs"
	trap '' TERM
	sleep 1000 &
	echo $! >"$FOLDER/child"
	while :; do sleep 0.2; done
}
job hangs -- hangs
END
stage_of tools <<'END'
job nothing -- true
job partly -- result "ok before the end"
[ "$SELECTED" != partly ] || exit 3
END
stage_of guest-stock <<'END'
job build first -- one "a false thing" false
job after -- result "ok is not run"
END
stage_of guest <<'END'
job build first after=qemu/good -- result "ok built"
job user -- result "ok used"
job other after=user -- sh -c 'exit 1'
END
stage_of newest <<'END'
job new -- result "ok new"
END
stage_of mesa <<'END'
job run -- result "ok run"
END
stage_of layer <<'END'
job run -- result 'ok run'
END
stage_of igt <<'END'
job alone alone -- sh -c 'ls "$FOLDER" | grep here- || :'
job after after=static/slow -- sh -c 'ls "$FOLDER" | grep here-slow || :'
job skipped -- result "skip not for us"
END
stage_of demo <<'END'
die() { kill -TERM "$PPID"; sleep 1000; }
job first -- result "ok first"
job dies after=first -- die
job last after=dies -- result "ok is not run"
END

eq() {
	if [ "$2" = "$3" ]; then
		echo "ok $1"
	else
		echo "not ok $1 - got '$2', want '$3'"
		failed=1
	fi
}

check() {
	status=0
	"$folder/scripts/check.py" "$@" >"$folder/out" 2>"$folder/err" </dev/null || status=$?
}

results() {
	cat "$folder/build/check/$1.results"
}

closing() {
	tail -n 1 "$folder/out"
}

JOBS=3 check static
eq "two jobs side by side" "$(results static)" "ok slow met quick
ok quick met slow"
eq "a stage that passes: status, last line" "$status $(closing)" "0 2 passed, 0 failed, 0 skipped"
eq "what jobs print, in their order" "$(sed 's/^stage \([a-z]*\) [0-9]* [0-9]*/stage \1 N N/' "$folder/out")" \
	"stage deps N N
ok slow met quick
ok quick met slow
stage static N N
2 passed, 0 failed, 0 skipped"
eq "progress" "$(sed 's/, [0-9]* s (/, N s (/' "$folder/err" | sort)" \
	"check: static/quick: 1 passed, 0 failed, 0 skipped, N s (1 of 2 jobs)
check: static/slow: 1 passed, 0 failed, 0 skipped, N s (2 of 2 jobs)"
eq "the table of times" "$(sed 's/  *.*//' "$folder/build/check/times" | tr '\n' ' ')" "# static/slow static/quick "
JOBS=1 check static
eq "one by one" "$(results static)" "ok slow was alone
ok quick was alone"
JOBS=0 check static
eq "no jobs" "$status $(cat "$folder/err")" "1 check: JOBS=0: a number from 1 is wanted"

check qemu
eq "a job that dies" "$status $(results qemu)" "1 ok before it dies
not ok job dies - killed by signal 9
ok a true thing"
eq "its last lines" "$(tail -n 3 "$folder/out" | sed 's/ [0-9]* [0-9]*, broken/ N N, broken/')" "stage qemu N N, broken
qemu: not ok job dies - killed by signal 9
2 passed, 1 failed, 0 skipped"

CHECK_LIMIT_S=1 CHECK_GRACE_S=1 check kunit
eq "a job that hangs" "$status $(results kunit)" "1 ok before it hangs
not ok job hangs - killed after 1 s"
eq "its child" "$(grep '^State:' "/proc/$(cat "$folder/child")/status" 2>/dev/null | grep -v zombie || :)" ""

check tools
eq "jobs without results, and with a status" "$status $(results tools)" "1 not ok job nothing - has no results, exit status 0
ok before the end
not ok job partly - exit status 3"

check guest-stock
eq "a job that others need" "$status $(results guest-stock)" "1 not ok a false thing - see $folder/build/check/log/guest-stock.build-a-false-thing.log
not ok job after - not run, since guest-stock/build has failed"

check guest/other
eq "one job, with those that it needs" "$status $(results guest)" "1 ok built
ok used
not ok job other - has no results, exit status 1"
check qemu/dies guest/user
eq "what is not run holds nobody up" "$status $(results guest)" "1 ok built
ok used"

JOBS=4 check static igt
eq "beside nothing else, behind another, skipped" "$status $(results igt)" \
	"1 not ok job alone - has no results, exit status 0
not ok job after - has no results, exit status 0
skip not for us"
eq "what these saw of others" "$(grep -c '^here-' "$folder/out")" 0
eq "skipped is neither" "$(closing)" "2 passed, 2 failed, 1 skipped"

check demo
eq "interrupted" "$status $(results demo)" "1 ok first
not ok job dies - interrupted
not ok job last - not run, interrupted"
eq "interrupted: the last line" "$(closing)" "1 passed, 2 failed, 0 skipped"

# required LINE...: what is required of stage qemu alone, which has jobs a (two results of s, one of t) and b (a skip)
required() {
	grep -v '^\(skip \|instead \)\{0,1\}qemu/' "$folder/scripts/check/required" >"$folder/required" || :
	printf '%s\n' "$@" >>"$folder/required"
	mv "$folder/required" "$folder/scripts/check/required"
	check qemu
}
stage_of qemu <<'END'
results() {
	printf 'ok s.1\nok 2 - s.2 # 2\nnot ok 3 - u # TODO\nok 4 - v # SKIP no v\n' | sed "$1"
}
job a -- many "of a" results '/u\|v/d'
job b -- many "of b" results '/v/!d'
END
required "qemu/a 2 of a: s." "qemu/b 0" "skip qemu/b of b: v"
eq "as many results as required, a skip that is allowed" "$status $(closing)" "0 2 passed, 0 failed, 1 skipped"
eq "the skip is named" "$(tail -n 2 "$folder/out" | head -n 1)" "qemu: skip of b: v - no v"
eq "the numbers of results, in the form of the file" "$(cat "$folder/build/check/counts")" "qemu/a 2 of a: s.
qemu/b 0"
eq "the results as TAP" "$(cat "$folder/build/check/qemu.tap")" "TAP version 13
1..3
ok 1 - of a: s.1
ok 2 - of a: s.2 \# 2
ok 3 - of b: v - no v # SKIP"
required "qemu/a 3" "qemu/b 0" "skip qemu/b of b: v"
eq "too few results" "$status $(results qemu | tail -n 2 | head -n 1)" \
	"1 not ok job a - 2 results passed, at least 3 are required"
required "qemu/a 2" "qemu/a 1 of a: t." "qemu/b 0" "skip qemu/b of b: v"
eq "a suite that is missing" "$status $(grep '^not ok ' "$folder/build/check/qemu.results")" \
	"1 not ok job a - 0 results of of a: t. passed, at least 1 are required"
required "qemu/a 2" "qemu/b 0" "skip qemu/a of b: v"
eq "a skip that is not allowed" "$status $(grep '^not ok ' "$folder/build/check/qemu.results")" \
	"1 not ok job b - a skip that scripts/check/required does not allow: of b: v - no v"
required "qemu/a 2" "qemu/b 3" "instead qemu/b of b: v"
eq "a skip instead of the results" "$status $(closing)" "0 2 passed, 0 failed, 1 skipped"
required "qemu/a 2" "qemu/b 3" "skip qemu/b of b: v"
eq "an allowed skip, and too few results" "$status $(grep '^not ok ' "$folder/build/check/qemu.results")" \
	"1 not ok job b - 0 results passed, at least 3 are required"
required "qemu/a 2" "qemu/b 0" "instead qemu/b of b: w"
eq "another skip instead of the results" "$status $(grep '^not ok ' "$folder/build/check/qemu.results")" \
	"1 not ok job b - a skip that scripts/check/required does not allow: of b: v - no v"
required "qemu/a 2"
eq "a job without a number" "$status $(cat "$folder/err")" \
	"1 check: scripts/check/required has no number of results for job qemu/b"
required "qemu/a 2" "qemu/b 0" "qemu/c 1"
eq "a job that is missing" "$status $(cat "$folder/err")" \
	"1 check: scripts/check/required names job qemu/c, which scripts/check/qemu.sh does not have"
required "qemu/a many" "qemu/b 0"
eq "a line of another form" "$status $(cat "$folder/err" | sed 's/:[0-9]*:/:N:/')" \
	"1 check: scripts/check/required:N: 'qemu/a many' is none of JOB LEAST [START], skip JOB START and instead JOB START"
required "qemu/dies 1" "qemu/good 1"
stage_of qemu <<'END'
job dies -- true
job good -- true
END

# nightly ARGUMENT...: the names of the jobs that would run, of a stage with a job for the night
nightly() {
	"$folder/scripts/check.py" --jobs "$@" </dev/null | grep '^qemu/' | tr '\n' ' '
}
stage_of qemu <<'END'
job dies nightly -- true
job good -- true
END
eq "without arguments" "$(nightly)" "qemu/good "
eq "all jobs of make check" "$(nightly --nightly)" "qemu/dies qemu/good "
eq "a stage with all its jobs" "$(nightly qemu)" "qemu/dies qemu/good "
eq "a job of the night" "$(nightly qemu/dies)" "qemu/dies "
check --list-nightly
eq "the jobs of the night" "$status $(cat "$folder/out")" "0 qemu/dies"

check nonsense
eq "an unknown stage" "$status $(cut -d: -f 1,2 "$folder/err")" "1 check: there is no stage 'nonsense'"
check qemu/nonsense
eq "an unknown job" "$status $(cat "$folder/err")" "1 check: there is no job 'qemu/nonsense': qemu/dies qemu/good"
echo 'job twice after=below -- true; job below -- true' | stage_of qemu
check qemu
eq "a job behind one that is not above it" "$status $(cat "$folder/err")" \
	"1 check: scripts/check/qemu.sh: job twice comes after 'qemu/below', which is not above it"
echo 'job odd sideways -- true' | stage_of qemu
check qemu
eq "an unknown word" "$status $(cat "$folder/err")" \
	"1 check: scripts/check/qemu.sh: job odd: 'sideways' is none of first alone long low nightly after=JOB"
stage_of qemu <<'END'
hangs() {
	echo $$ >"$FOLDER/hangs"
	exec sleep 1000
}
wait_for() {
	until [ -e "$FOLDER/hangs" ]; do sleep 0.1; done
	result "ok hangs"
}
job good -- wait_for
job dies -- hangs
END
{ JOBS=2 "$folder/scripts/check.py" qemu 2>"$folder/err" </dev/null || :; } | head -n 1 >"$folder/out"
for _try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	kill -0 "$(cat "$folder/hangs")" 2>/dev/null || break
	sleep 0.1
done
eq "nothing reads the output: no traceback, the other job ends" "$(grep -c Traceback "$folder/err") $(
	kill "$(cat "$folder/hangs")" 2>/dev/null && echo runs)" "0 "
rm "$folder/scripts/check/qemu.sh"
check --list
eq "the stages" "$(cat "$folder/out")" "static qemu kunit tools guest-stock guest newest igt mesa layer beliefs debug-guest series demo"
[ -z "$failed" ]
