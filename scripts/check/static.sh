#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "static" of scripts/check.py: what can be said about the files without running the driver.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"

cd "$TOP"

kernel() {
	_kernel=$("$TOP/scripts/build/fetch-kernel.sh") || die "there is no kernel"
	eval "$_kernel"
}

# per_file NAME FILES COMMAND...: a result per file. COMMAND is run in the kernel tree, gets those files that have
# not passed it yet as they are, and says "FILE:LINE: WHY". Its answer depends on the kernel, on all its words, and
# on the file.
per_file() {
	_name=$1
	_files=$2
	shift 2
	_key="$KVER $*"
	_log=$(log_of "$_name")
	_passed=
	_new=$("$TOP/scripts/lib/passed.sh" "$_key" $_files)
	_rc=0
	: >"$_log"
	[ -z "$_new" ] || (cd "$KSRC" && "$@" $(printf "$TOP/%s " $_new)) >"$_log" 2>&1 || _rc=$?
	if [ $_rc -ne 0 ] && ! grep -q "^$TOP/[^:]*:[0-9]" "$_log"; then
		tail -n 10 "$_log"
		die "$_name: exit status $_rc, see $_log"
	fi
	for _file in $_files; do
		if grep -F "$TOP/$_file:" "$_log"; then
			result "not ok $_name $_file - see $_log"
		else
			result "ok $_name $_file"
			_passed="$_passed $_file"
		fi
	done
	[ $_rc -ne 0 ] || "$TOP/scripts/lib/passed.sh" --add "$_key" $_passed
}

# checkpatch leaves a cache of names where it is run. The one file that is there to test kernel versions may do so;
# checkpatch takes LINUX_VERSION_CODE for a constant on the wrong side, and a macro there stands for more than a value.
# Tracepoints have a layout of their own. IGT's programs are not of the kernel: its types are those of C, igt_main()
# has no arguments and is no function. The test-only device of the module is in no binding.
kinds_of() {
	case $1 in
	*/panthor_perf_kcompat.h) echo LINUX_VERSION_CODE,CONSTANT_COMPARISON,COMPLEX_MACRO ;;
	*/panthor_perf_trace.h) echo OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT ;;
	tests/igt/modules/*) echo UNDOCUMENTED_DT_STRING ;;
	tests/igt/*) echo PREFER_KERNEL_TYPES,CAMELCASE,FUNCTION_WITHOUT_ARGS ;;
	*) echo NOTHING ;;
	esac
}

checkpatch() {
	kernel
	_sources=$(
		find drivers include tests/kunit -name '*.[ch]' | sort
		find tests/igt -maxdepth 1 -name '*.[ch]' -o -path '*/modules/*.c' | sort
	)
	for _kinds in $(for _file in $_sources; do kinds_of "$_file"; done | sort -u); do
		set --
		for _file in $_sources; do
			[ "$(kinds_of "$_file")" != "$_kinds" ] || set -- "$@" "$_file"
		done
		_ignore=FILE_PATH_CHANGES,$_kinds
		per_file checkpatch "$*" perl scripts/checkpatch.pl --strict --show-types --max-line-length=100 \
			--ignore "$_ignore" --terse --no-summary -f
	done
}

kernel_doc() {
	kernel
	per_file kernel-doc "$(find drivers/gpu/drm/panthor include tests/kunit -name 'panthor_perf*.[ch]' | sort)" \
		perl scripts/kernel-doc -none -Werror
}

version_tests() {
	! grep -rn 'LINUX_VERSION_CODE\|KERNEL_VERSION' drivers include tests/kunit |
		grep -v '/panthor_perf_kcompat\.h:'
}
licences() {
	! find . -path ./.git -prune -o -path ./build -prune -o -type f -print |
		grep -v -E '^\./(COPYING|LICENSES/.*|MAINTAINERS|\.gitignore|\.clang-format)$|\.(md|png|svg|json|pyc|abi)$' |
		grep -v -E '^\./(debian/|Documentation/ABI/|tests/tools/golden/|tests/fuzz/[a-z]*-seeds/|tests/tools/(counters-formulas|perfetto-cases)\.csv$)' |
		while read -r file; do
			head -n 30 "$file" | grep -q SPDX-License-Identifier || echo "$file: no SPDX line"
		done | grep .
}
suffixes() {
	! grep -rlE '^#!/(bin/(ba|busybox )?sh|usr/bin/(env )?python3)' scripts tests tools | grep -v '\.\(sh\|py\)$'
}
prose() {
	! grep -nE '^.{101}' README.md $(find Documentation tests tools -name '*.md' -o -name '*.rst')
}
files() {
	one "kernel versions are tested in panthor_perf_kcompat.h alone" version_tests
	one "every file names its licence" licences
	one "every script ends in .sh or .py" suffixes
	one "shellcheck" shellcheck -S warning -x -e SC1091,SC2086,SC2046,SC1090,SC2100,SC2238 \
		.ci/run $(find scripts tests/demo tests/igt tests/runner tests/tools tests/uapi tools -name '*.sh' | sort)
	one "shellcheck of what runs in guests" shellcheck -S error -s sh $(find tests/guest -name '*.sh' | sort)
	one "pyflakes" pyflakes3 $(find scripts tests tools -name '*.py' | sort)
	one "no line of prose is longer than 100 columns" prose
	one "the planted mistakes fit the driver" planted
	one "the reasons of tests/mutants/known are for lines of the driver" scripts/mutants.py --known
}

planted() (
	cd "$TOP"
	_misses=0
	for _patch in tests/mutants/planted/*.patch; do
		git apply --check "$_patch" || _misses=1
	done
	return "$_misses"
)

# The tests of what runs the tests.
runner() {
	many "judge" tests/runner/judge-test.py
	many "cache" tests/runner/cache-test.sh
	many "nightly" tests/runner/nightly-test.sh
	many "check" tests/runner/check-test.sh
	many "ends" tests/runner/ends-test.py
	many "options" tests/runner/options-test.sh
	many "writable" tests/runner/writable-test.sh
	many "kunit" tests/runner/kunit-test.py
	many "words" tests/runner/words-test.py
	many "layer" tests/runner/layer-test.py
	many "integrate" tests/runner/integrate-test.sh
	many "series" tests/runner/series-test.py
	many "decode-cs" tests/runner/decode-cs-test.py
	many "own" tests/runner/own-test.py
	many "terminal" tests/runner/terminal-test.py
}

job checkpatch low -- checkpatch
job kernel-doc low -- kernel_doc
job sparse low -- one "module with sparse and W=1" scripts/build/build-module.sh --sparse
job uapi low -- many "uAPI layout" tests/uapi/run.sh
job files low -- files
job seams low -- many "series" scripts/check/seams.py
job words low -- many "words" scripts/check/words.py
job docs nightly -- one "the pages can be rendered" scripts/docs.sh
job runner low -- runner
finish
