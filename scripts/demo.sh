#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/demo.sh [--vmali PROPS] [--name NAME] [--samples N] [--recorded N]
#
# Takes counter samples on a machine without a GPU. The script prepares the host, the virtual GPU, the driver and the
# tools. The GPU runs the load of tests/demo/game.load. In a guest, the tool takes N samples (default 8) on request and
# N by a period at the same time, and shows the load by name. It records N samples (default 120) of the load, and
# reports, exports and plots them. Outside of the guest, the comparer compares each counter of every sample with the
# GPU's own totals. The last line is the result. The exit status is 0 only if every counter of every sample agreed.
# build/NAME has a page, the plots and the trace; the lines above the
# result say what each of them shows, if every counter agreed.
#
#	--vmali PROPS	properties of the virtual GPU; counters=pattern has it count without the load, and
#			x-skew=BLOCK:INDEX:COUNTER puts a false value into the log of the GPU
#	--name NAME	name of the run (demo)
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

LOAD=$TOP/tests/demo/game.load
vmali=
name=demo
samples=8
recorded=120
options vmali= name= samples= recorded= -- "$@"
for number in "$samples" "$recorded"; do
	case $number in
	'' | *[!0-9]* | 0*) die "'$number' is not a number of samples from 1" ;;
	esac
done
vmali=$(with_load "$LOAD" "$vmali")

cd "$TOP"
silently() {
	"$@" >/dev/null
}
stage deps scripts/deps.sh --demo
stage kernel silently scripts/build/fetch-kernel.sh
stage qemu silently scripts/build/build-qemu.sh
stage module scripts/build/build-module.sh
stage tools scripts/build/build-tools.sh

mkdir -p "$BUILD/guest"
echo "$samples" >"$BUILD/guest/$name.samples"
echo "$recorded" >"$BUILD/guest/$name.recorded"
stage guest scripts/run-guest.py --quiet --name "$name" --vmali "$vmali" \
	--file "$BUILD/guest/$name.samples:/etc/samples" --file "$BUILD/guest/$name.recorded:/etc/recorded" demo

out=$BUILD/run/$name/out
shown=$BUILD/$name
rm -rf "$shown"
mkdir -p "$shown"
cp "$out/game.ptprf" "$out/game.perfetto-trace" "$out/game.csv" "$shown/"
silently "$BUILD/host-bin/panthor-perf" export "$shown/game.ptprf" -o "$shown/game.html" ||
	note "no page: the program was built without uPlot"
plots() {
	"$BUILD/host-bin/panthor-perf" plot "$shown/game.ptprf" -o "$shown/game.svg" &&
		"$BUILD/host-bin/panthor-perf" plot "$shown/game.ptprf" -o "$shown/game.png"
}
if command -v gnuplot >/dev/null; then
	stage plots plots
else
	note "no pictures: there is no gnuplot (package gnuplot-nox)"
fi

section() {
	printf '\n$ %s\n' "$1"
	cat "$2"
}
section "panthor-perf info" "$out/info.txt"
section "panthor-perf stat --brief -n $samples" "$out/stat.txt"
section "panthor-perf stat --brief -I 50 -n $samples --clocks" "$out/periodic.txt"
section "panthor-perf stat -I 500 -n 1" "$out/summary.txt"
section "panthor-perf record -I 5 -n $recorded -o game.ptprf" "$out/record.txt"
section "panthor-perf report game.ptprf" "$out/report.txt"

# Paths are those from the top of the checkout, for a user who has just typed make demo there.
line() {
	printf '  %-42s %s\n' "$@"
}
made() {
	[ ! -e "$shown/$1" ] || line "${shown#"$TOP/"}/$1${3:+, $3}" "$2"
}
closing() {
	printf '\nWhat the recording of the load shows; begin with the first:\n'
	made game.html "what limits the load, and when: open it in a browser"
	made game.png "the main counters over time" game.svg
	made game.perfetto-trace "all counters over time: for https://ui.perfetto.dev"
	made game.csv "each counter of each sample"
	made game.ptprf "the recording: for ${BUILD#"$TOP/"}/host-bin/panthor-perf report"
	printf 'Next:\n'
	line "make shell" "the load while it runs: panthor-perf top"
	line "Documentation/gpu/panthor-perf-limits.rst" "from this load to an answer"
	echo
}

compared=$BUILD/run/$name/compared
failed=0
"$BUILD/host-bin/panthor-perf-compare" "$BUILD/run/$name/truth.log" "$out/samples.raw" "$out/periodic.raw" "$out/game.ptprf" \
	--expect-samples $((2 * samples + recorded)) >"$compared" || failed=$?
sed '$d' "$compared" >"$compared.checks"
section "panthor-perf-compare truth.log samples.raw periodic.raw game.ptprf" "$compared.checks"
[ $failed -ne 0 ] || closing
tail -n 1 "$compared"
exit $failed
