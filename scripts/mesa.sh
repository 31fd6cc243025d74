#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/mesa.sh [--suite SUITE] [--gl] [--counters] [--stock] [--vmali PROPS] [--name NAME]
#
# make mesa: Debian's own Mesa on the virtual GPU. A Vulkan program, with steps whose costs are known, and vkmark run on
# PanVK, alone and at once, and all samples of the sessions beside them are compared with the GPU's own totals. The last
# line is "mesa: N steps, M samples, K counters compared with the GPU's own totals, 0 differ".
#
#	--suite SUITE	Mesa of this suite of Debian: trixie (default), sid ...; if the archive has none, the exit status
#			is 3
#	--gl		OpenGL ES, too: its own steps, kmscube, and all of it at once with Vulkan
#	--counters	Mesa's own counter tools, too, with the back-end of integrations/mesa: panquick, pps-config, and
#			pps-producer with Perfetto. Their values are compared as well
#	--stock		Debian's own panthor.ko, without counters
#	--vmali PROPS	properties of the virtual GPU, beside counters=work,auto-samples=0
#	--name NAME	name of the run (mesa)
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

suite=trixie
gl=
counters=
stock=
vmali=
name=mesa
options suite= gl counters stock vmali= name= -- "$@"

cd "$TOP"
[ -n "$stock" ] || scripts/build/build-module.sh
scripts/build/build-tools.sh
scripts/build/build-qemu.sh >/dev/null
mesa=$(scripts/build/build-mesa-tests.sh --suite "$suite" ${gl:+--gl}) || exit $?
eval "$mesa"
[ -z "$counters" ] || {
	tools=$(scripts/build/build-mesa-counters.sh) || exit $?
	eval "$tools"
}
note "Mesa $MESA_VERSION of Debian $suite"

# Debian 13 has the description of terminals in another folder.
terminal=/lib/terminfo/l/linux
[ -e $terminal ] || terminal=/usr/share/terminfo/l/linux

status=0
scripts/run-guest.py --name "$name" --timeout 300 ${gl:+--memory 4G} ${stock:+--stock} \
	--vmali "counters=work,auto-samples=0${vmali:+,$vmali}" --folder "$MESA_ROOT:/mesa" \
	--folder "$MESA_BIN:/mesa/mesa-tests" --file "$terminal:/usr/share/terminfo/l/linux" \
	${counters:+--folder "$MESA_TOOLS:/mesa/mesa-tools"} mesa || status=1
out=$BUILD/run/$name/out
steps=$(grep -c "^ok $name: mesa: step " "$BUILD/run/$name/summary") || :
if [ -n "$stock" ]; then
	echo "mesa: no counters in Debian's panthor.ko"
	exit "$status"
fi
folders=$(cd "$out" 2>/dev/null && ls -d steps gl beside 2>/dev/null) || :
if [ -z "$folders" ]; then
	echo "mesa: nothing was compared: the guest has not run"
	exit 1
fi
samples=0
compared=0
differ=0
for folder in $folders; do
	log=$BUILD/run/$name/$folder.log
	if "$BUILD/host-bin/panthor-perf-compare" --runs "$BUILD/run/$name/truth.log" "$out/$folder"/*.raw >"$log" 2>&1; then
		echo "ok the samples of $folder agree with the truth"
	else
		tail -n 20 "$log"
		echo "not ok the samples of $folder agree with the truth - see $log"
		status=1
	fi
	sums=$(sed -n 's/^demo: \([0-9]*\) samples, \([0-9]*\) counters .*, \([0-9]*\) differ$/\1 \2 \3/p' "$log")
	# shellcheck disable=SC2086 # three numbers
	set -- ${sums:-0 0 1}
	samples=$((samples + $1))
	compared=$((compared + $2))
	differ=$((differ + $3))
done
# tool FILE: the values of a counter tool
tool() {
	totals=$BUILD/run/$name/${1%.*}.totals
	tests/mesa/totals.py tools/counters/G710.counters "$out/$1" >"$totals" || status=1
	tests/compare/check-totals.py --partial --title="${1%.*}" "$BUILD/run/$name/truth.log" "$totals" || status=1
}
if [ -n "$counters" ]; then
	tool panquick.txt
	tool pps-config.txt
	[ ! -e "$MESA_TOOLS/traced" ] || tool pps-producer.trace
fi
echo "mesa: $steps steps, $samples samples, $compared counters compared with the GPU's own totals, $differ differ"
exit "$status"
