#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/kunit.sh [--raw] [FILTER]
#
# Builds a kernel that runs on this host (UML) out of the newest Debian 6.12 source and this
# checkout, with the kernel's run-time checkers on, and runs the driver's KUnit suites in it. Prints
# "ok SUITE.CASE" and "not ok SUITE.CASE - WHY" lines and a summary. Fails if a case fails, if a checker
# (KASAN, lockdep, debug objects, ...) or the kernel complains in the log, or if nothing was run.
#
#	--raw	print the kernel's log instead of the results
#	FILTER	run only matching suites or cases, as in kunit.filter_glob: 'panthor_perf_ring*'
#
# KUNIT_TIMEOUT is the time in seconds after which the kernel is stopped (240). For those who change the
# tree many times or want another kernel of it: KUNIT_FOLDER is where tree and build live, KUNIT_CONFIG the
# file with its options, KUNIT_MAKE a file with more arguments for make, one a line, KUNIT_NAME the name of
# the logs in build/log (kunit); KUNIT_KEEP=tree takes the tree there as it is, KUNIT_KEEP=build the kernel;
# KUNIT_ARGS are more arguments for the kernel.
#
# The kernel tree and its build live in the cache; only what changed is built again.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/kernel-tree.sh"

raw=
filter='panthor_perf*'
while [ $# -gt 0 ]; do
	case $1 in
	--help | -h)
		show_help "$0"
		exit 0
		;;
	--raw) raw=1 ;;
	-*) die "unknown option '$1'; --help shows the usage" ;;
	*) filter=$1 ;;
	esac
	shift
done

need make gcc bc flex bison python3 flock
kernel=$("$TOP/scripts/build/fetch-kernel.sh")
eval "$kernel"
KUNIT=${KUNIT_FOLDER:-$CACHE/kunit}
OBJ=$KUNIT/build-$KVER
NAME=${KUNIT_NAME:-kunit}
LOG=$BUILD/log/$NAME.log
export PYTHONDONTWRITEBYTECODE=1

kunit_py() {
	(cd "$TREE" && python3 tools/testing/kunit/kunit.py "$@" --build_dir="$OBJ")
}

build() {
	set --
	if [ -n "${KUNIT_MAKE:-}" ]; then
		while IFS= read -r argument; do
			set -- "$@" "$argument"
		done <"$KUNIT_MAKE"
	fi
	[ -n "${KUNIT_KEEP:-}" ] ||
		kunit_py config --kunitconfig="${KUNIT_CONFIG:-$PANTHOR/tests/.kunitconfig}" || return 1
		make -C "$TREE" ARCH=um O="$OBJ" -j "$JOBS" "$@" &&
		[ -x "$OBJ/linux" ]
}

run() {
	kunit_py exec --raw_output=all --timeout="${KUNIT_TIMEOUT:-240}" --kernel_args=time-travel=inf-cpu \
		${KUNIT_ARGS:+--kernel_args="$KUNIT_ARGS"} "$filter"
}

# KTAP nests suite, case and parameter. What counts are the leaves; the reason of a failure is the first
# line that says what was expected.
results() {
	awk '
	{ sub(/\r$/, "") }
	/^1\.\.[0-9]+$/ {
		suites = substr($0, 4)
		next
	}
	/^(not )?ok [0-9]/ { ended++ }
	/^ *# Subtest: / {
		depth = match($0, /#/) - 1
		name = $0
		sub(/^ *# Subtest: /, "", name)
		path[depth] = name
		next
	}
	/EXPECTATION FAILED|ASSERTION FAILED/ && why == "" {
		why = $0
		sub(/^.* at [^ ]*\//, "", why)
		more = 3
		next
	}
	more && !/^ *((not )?ok |#)/ {
		more--
		gsub(/[ \t]+/, " ")
		why = why $0
		next
	}
	{ more = 0 }
	/^ *(not )?ok [0-9]+/ {
		depth = match($0, /[no]/) - 1
		line = $0
		bad = line ~ /^ *not /
		sub(/^ *(not )?ok [0-9]+ (- )?/, "", line)
		name = line
		sub(/ *# .*/, "", name)
		# A suite or a case with parameters has had its results already.
		if ((depth in had) && had[depth] && !(bad && !failed[depth])) {
			had[depth] = 0
			if (depth >= 4)
				had[depth - 4]++
			if (bad && depth >= 4)
				failed[depth - 4]++
			failed[depth] = 0
			next
		}
		full = ""
		for (d = 4; d <= depth; d += 4)
			if (d in path)
				full = full path[d] "."
		full = full name
		had[depth] = 0
		failed[depth] = 0
		if (depth >= 4)
			had[depth - 4]++
		if (line ~ /# SKIP/) {
			print "skipped " full
		} else if (bad) {
			print "not ok " full (why == "" ? "" : " - " why)
			if (depth >= 4)
				failed[depth - 4]++
		} else {
			print "ok " full
		}
		why = ""
	}
	END {
		if (suites != ended)
			print "not ok kernel - stopped after " ended + 0 " of " suites + 0 " suites"
	}' "$1"
}

# What no kernel may say while tests run.
complaints() {
	grep -n -a -E 'BUG:|WARNING:|KASAN|UBSAN:|ODEBUG:|INFO: (task|possible|trying|rcu)|Oops|Kernel panic|refcount_t:|list_(add|del) corruption|scheduling while atomic|sleeping function|suspicious RCU|possible recursive|inconsistent lock state|DEBUG_LOCKS_WARN_ON|Modules linked in' "$1" |
		grep -v -E 'KernelAddressSanitizer initialized' || :
}

mkdir -p "$OBJ" "$BUILD/log"
exec 9>"$KUNIT/lock"
flock -n 9 || {
	note "another run is at it: waiting"
	flock 9
}
need_disk 2500 "$KUNIT"
if [ -n "${KUNIT_KEEP:-}" ] && [ -f "$OBJ/linux" ]; then
	TREE=$KUNIT/tree-$KVER
else
	kernel_tree "$KUNIT"
fi
[ -f "$OBJ/linux" ] || note "building a kernel (about 5 minutes, only the first time)"
[ "${KUNIT_KEEP:-}" = build ] && [ -x "$OBJ/linux" ] ||
	run_logged "$BUILD/log/$NAME-build.log" build || die "the kernel does not build"

status=0
run >"$LOG" 2>&1 </dev/null || status=$?
if [ -n "$raw" ]; then
	cat "$LOG"
	exit "$status"
fi

results "$LOG" >"$LOG.results"
complaints "$LOG" >"$LOG.complaints"
if [ -s "$LOG.complaints" ]; then
	echo "not ok kernel log - $(head -n 1 "$LOG.complaints")" >>"$LOG.results"
fi
cat "$LOG.results"
ok=$(grep -c '^ok ' "$LOG.results" || :)
bad=$(grep -c '^not ok ' "$LOG.results" || :)
skipped=$(grep -c '^skipped ' "$LOG.results" || :)
if [ "$ok" -eq 0 ] && [ "$bad" -eq 0 ]; then
	tail -n 20 "$LOG" >&2
	die "no suite was run: see $LOG"
fi
echo "kunit: $ok passed, $bad failed, $skipped skipped (log: $LOG)"
[ "$bad" -eq 0 ] && [ "$status" -eq 0 ]
