#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/layer-demo.sh [--vmali PROPS] [--name NAME]
#
# Shows what each part of a frame costs the GPU. A Vulkan program, which draws like a small game, runs on Debian's own
# Mesa and the virtual GPU, with the layer of tools/vulkan-layer. The script draws its frames, one of them by label, and
# that by type of workload. It compares what the labels cost with what the program knows of them, and each part with the
# GPU's own totals. build/NAME has the pictures and the rows. The last line is the result.
#
#	--vmali PROPS	properties of the virtual GPU, beside counters=work,auto-samples=0
#	--name NAME	name of the run (layer-demo)
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

vmali=
name=layer-demo
options vmali= name= -- "$@"

cd "$TOP"
silently() {
	"$@" >/dev/null
}
stage deps scripts/deps.sh
stage kernel silently scripts/build/fetch-kernel.sh
stage qemu silently scripts/build/build-qemu.sh
stage module scripts/build/build-module.sh
stage tools scripts/build/build-tools.sh
stage mesa silently scripts/build/build-mesa-tests.sh
mesa=$(scripts/build/build-mesa-tests.sh) || exit $?
eval "$mesa"
stage guest scripts/run-guest.py --quiet --name "$name" --vmali "counters=work,auto-samples=0${vmali:+,$vmali}" \
	--folder "$MESA_ROOT:/mesa" --folder "$MESA_BIN:/mesa/mesa-tests" --folder "$MESA_LAYER:/mesa/usr/share/vulkan" \
	layer-demo

run=$BUILD/run/$name
shown=$BUILD/$name
rm -rf "$shown"
mkdir -p "$shown"
cp "$run/out/frames.csv" "$run/out/frame.csv" "$shown/"
cat "$run/out/frame.txt"
echo
echo "build/$name/frames.csv: a row for each frame"
echo "build/$name/frame.csv: a row for each workload of one of them"
# draw PICTURE ROWS WHAT [OPTION...]
draw() {
	picture=$1
	rows=$2
	what=$3
	shift 3
	for suffix in svg png; do
		tools/vulkan-layer/frame.py "$shown/$rows" -o "$shown/$picture.$suffix" "$@"
	done
	echo "build/$name/$picture.svg, $picture.png: $what: panthor-perf-frame $rows -o $picture.svg${*:+ $*}"
}
if command -v gnuplot >/dev/null; then
	draw frames frames.csv "frame by frame"
	draw frame frame.csv "a frame by workload"
	draw types frame.csv "the same frame by type" --by-type
else
	echo "no pictures: there is no gnuplot (package gnuplot-nox)"
fi
echo
status=0
tests/mesa/layer.py tools/counters/G710.counters "$run/out/frame.costs" "$run/out/frame.csv" "$run/frame.totals" ||
	status=1
tests/compare/check-totals.py --partial --title=frame "$run/truth.log" "$run/frame.totals" >"$run/frame.log" || status=1
grep '^not ok' "$run/frame.log" || :
[ "$status" -eq 0 ] || die "what was counted is not what the GPU has done"
units=$(grep -c '^ok' "$run/frame.log")
echo "layer-demo: $units units of a frame with their known costs, compared with the GPU's own totals"
