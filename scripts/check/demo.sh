#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "demo" of scripts/check.py: make demo, whose load has known answers; the same on several GPUs, each with the
# number of counters that its properties make; and with a false truth, which has to be found and named.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"
. "$TOP/scripts/lib/demo-jobs.sh"

build() {
	"$TOP/scripts/build/build-module.sh" || die "the module does not build"
	"$TOP/scripts/build/build-tools.sh" || die "the tools do not build"
	"$TOP/scripts/build/build-qemu.sh" >/dev/null || die "the virtual GPU does not build"
	result "ok driver and tools build"
}

# Width and height of a PNG are behind 16 bytes.
same_size() {
	[ "$(od -A n -t x1 -j 16 -N 8 "$1")" = "$(od -A n -t x1 -j 16 -N 8 "$2")" ] ||
		{ echo "$2 is out of date: copy $1 over it" && false; }
}

# named LOG: what the demo names at its end is there, and what to look at first comes first
named() {
	cd "$TOP"
	_named=$(sed -n '/^What the recording/,/^Next:/s/^  \([^ ,]*\).*/\1/p' "$1")
	ls -d $_named && [ "$(echo $(basename -a $_named))" = "${page:+game.html }game.png game.perfetto-trace game.csv game.ptprf" ]
}

# The load, whose answers are known.
load() {
	demo load "$1"
	many "answers" "$TOP/tests/demo/check-answers.py" "$TOP/tests/demo/game.load" "$BUILD/demo-load/game.csv"
	"$BUILD/host-bin/panthor-perf" report --json "$BUILD/demo-load/game.ptprf" >"$BUILD/demo-load/game.json"
	page=$BUILD/demo-load/game.html
	if ! grep -q -a "Leon Sorokin" "$BUILD/host-bin/panthor-perf"; then
		result "skip demo load: game.html - the program was built without uPlot"
		page=
	fi
	many "verdict" "$TOP/tests/demo/check-verdict.py" "$TOP/tests/demo/game.load" "$BUILD/demo-load/game.csv" \
		"$BUILD/demo-load/game.json" $page
	one "demo load: what it names at its end is there" named "$LOGS/demo-load.log"
	for file in ${page:+game.html} game.svg game.png game.perfetto-trace; do
		one "demo load: $file is there" test -s "$BUILD/demo-load/$file"
	done
	one "demo load: the README's picture has its panels" same_size "$BUILD/demo-load/game.png" \
		"$TOP/Documentation/gpu/panthor-perf-demo.png"
	one "demo load: the trace has the recording's values" "$TOP/tests/tools/trace-check.py" \
		"$BUILD/demo-load/game.ptprf" "$BUILD/demo-load/game.perfetto-trace"
}

job build first after=qemu/build,guest/build -- build
# Blocks: firmware, front end, tiler, L2 slices, shader cores, groups; 4 counters of each are a header.
job load -- load $(((1 + 1 + 1 + 4 + 4) * 60))
job default -- demo default $(((1 + 1 + 1 + 4 + 4) * 60)) counters=pattern,seed=1
job dense nightly -- demo dense $(((1 + 1 + 1 + 2 + 3 + 8) * 60)) counters=pattern,shader-present=0x7,l2-slices=2,csg-counters=on
job one-core nightly -- demo one-core $(((1 + 1 + 1 + 1) * 60)) \
	counters=pattern,shader-present=0x100000000,l2-slices=1,fw-counters=off,coherent=on,seed=7
job many nightly -- demo many $(((1 + 1 + 1 + 8 + 16 + 3) * 60)) \
	counters=pattern,shader-present=0xffff,l2-slices=8,groups=3,csg-counters=on,metadata=on,auto-samples=6,seed=23
job arch11 nightly -- demo arch11 $(((1 + 1 + 1 + 4 + 4) * 124)) counters=pattern,gpu-id=0xb8520000
job arch12 nightly -- demo arch12 $(((1 + 1 + 1 + 6 + 10 + 8) * 124)) \
	counters=pattern,gpu-id=0xc8700008,shader-present=0x550555,l2-slices=6,csg-counters=on
job skew-shader -- falsified skew-shader x-skew=SHADER:0:5 "SHADER[0]" 5
job skew-memsys nightly -- falsified skew-memsys counters=pattern,x-skew=MEMSYS:3:63 "MEMSYS[3]" 63
finish
