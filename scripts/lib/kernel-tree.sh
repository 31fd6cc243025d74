# SPDX-License-Identifier: GPL-2.0 or MIT
#
# A private copy of the kernel sources with the component in tree. Source it after lib.sh.
#
#	kernel_tree FOLDER	make FOLDER/tree-KVER of KSRC, or bring it up to date with this
#				checkout; sets TREE. The KUnit suites of tests/kunit are
#				beside those of the driver, unless KUNIT_UPSTREAM is set.
#
# Object files belong elsewhere (O=), so that the tree stays clean. The caller holds a lock on FOLDER. Of
# trees and object files (FOLDER/kernel-KVER, build-KVER) those of the two versions used last stay.
# shellcheck shell=sh

PANTHOR=drivers/gpu/drm/panthor
UAPI=include/uapi/drm

# Links cost no space. Nothing writes into them: rsync puts a new file in place of the old one.
copy_tree() {
	note "copying the kernel tree"
	cp -al "$KSRC/." "$1" 2>/dev/null || cp -a "$KSRC/." "$1"
}

# stage_tree FOLDER: the files of the driver that differ
stage_tree() {
	rm -rf "$1"
	if [ -n "${PANTHOR_PERF_MAINLINE:-}" ]; then
		"$TOP/scripts/series.py" >/dev/null &&
			cp -r "$BUILD/series${PANTHOR_PERF_PATCHES:+-$PANTHOR_PERF_PATCHES}/tree" "$1"
		return
	fi
	mkdir -p "$1/$PANTHOR" "$1/$UAPI"
	cp "$KSRC/$PANTHOR"/* "$1/$PANTHOR/"
	cp "$KSRC/Makefile" "$1/"
	"$TOP/scripts/integrate.sh" --in-tree "$1"
	[ -n "${KUNIT_UPSTREAM:-}" ] || cp "$TOP"/tests/kunit/*.[ch] "$TOP/tests/kunit/more.mk" "$1/$PANTHOR/tests/"
}

# The component goes into a small pristine tree first, and from there what differs into the big one:
# a file that stays the same keeps its time stamp and is not built again.
kernel_tree() {
	need rsync spatch
	TREE=$1/tree-$KVER
	_stage_tree=$1/stage-$KVER
	fill "$TREE" copy_tree
	stage_tree "$_stage_tree" &&
		rsync -r -c --delete "$_stage_tree/$PANTHOR/" "$TREE/$PANTHOR/" &&
		rsync -r -c "$_stage_tree/$UAPI/" "$TREE/$UAPI/" ||
		die "the component does not go into the kernel tree"
	touch "$1"/*-"$KVER"
	forget_old "$1/tree-" "$1/stage-" "$1/kernel-" "$1/build-"
}
