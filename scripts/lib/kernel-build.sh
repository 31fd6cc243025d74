# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Builds a kernel for a guest, with the component in tree. Source it after kernel-tree.sh.
#
#	kernel_build		bring the kernel up to date; what was made of it is in the folder OUT
#	kernel_make ARGUMENT...	make in its tree
#	configure FILE		give it the options of FILE; each of them has to come into effect, unless the kernel
#				does not have it
#
# The caller has the variables of scripts/build/fetch-kernel.sh and sets
#
#	KERNEL		folder of tree and object files in the cache
#	OUTS		folder below build/ for OUT, of which each configuration has one
#	LOGS		start of the names of its logs in build/log
#	TITLE		the kernel in messages
#	MINUTES		how long it takes at first
#	ARCH		for make, with CROSS_COMPILE
#	IMAGE		file of the kernel among the object files
#	INPUTS		files and folders that are inputs besides the component and these helpers
#
# and defines
#
#	make_config		print the configuration
#	build_extras FOLDER	build into FOLDER what belongs to the kernel, but not to its tree
#
# OUT has the image, lib/modules and a file "release". Tree and object files live in the cache, one
# of each for a source version: while only the component changes, only panthor.ko is built again.
# Those of the two versions used last stay.
# shellcheck shell=sh

# Line tables are for scripts/decode_stacktrace.sh of the kernel; the images lose them again.
kernel_make() {
	nice make -C "$TREE" O="$OBJ" ARCH="$ARCH" CROSS_COMPILE="$CROSS_COMPILE" -j "$JOBS" \
		KCFLAGS=-g1 KBUILD_BUILD_TIMESTAMP="$KVER" KBUILD_BUILD_USER=user KBUILD_BUILD_HOST=host "$@"
}

configure() {
	kernel_make KCONFIG_ALLCONFIG="$1" allnoconfig || return 1
	grep -E '^(# )?CONFIG_' "$1" | while read -r line; do
		grep -qxF "$line" "$OBJ/.config" || case $line in
		'# '*' is not set')
			option=${line#\# }
			! grep -q "^${option%% *}=" "$OBJ/.config" || echo "$line"
			;;
		*) echo "$line" ;;
		esac
	done | while read -r line; do
		option=${line#\# }
		option=${option#CONFIG_}
		grep -rqsE --include='Kconfig*' "^[[:space:]]*(menu)?config ${option%%[= ]*}$" "$TREE" &&
			echo "$line" || echo "not in this kernel: $line" >&2
	done >"$OBJ/missed"
	[ ! -s "$OBJ/missed" ] || {
		sed "s|^|$TITLE: did not come into effect: |" "$OBJ/missed"
		return 1
	}
}

# Makes OUT from what was built; it takes its place as a whole.
install_kernel() {
	rm -rf "$OUT.new"
	kernel_make INSTALL_MOD_PATH="$OUT.new" INSTALL_MOD_STRIP=1 modules_install &&
		build_extras "$OUT.new" &&
		cp "$OBJ/$IMAGE" "$OUT.new/" &&
		cp "$OBJ/include/config/kernel.release" "$OUT.new/release" &&
		echo "$inputs" >"$OUT.new/inputs" || return 1
	rm -rf "$OUT"
	mv "$OUT.new" "$OUT"
}

# Object files that belong to another configuration or compiler, or that could not be built, start
# from the configuration again.
build_objects() {
	if [ "$(cat "$OBJ/built" 2>/dev/null)" = "$key" ]; then
		note "building panthor.ko of $TITLE"
		run_logged "$BUILD/log/$LOGS-build.log" kernel_make modules || {
			rm -f "$OBJ/built"
			die "panthor.ko does not build in tree"
		}
		return
	fi
	need_disk 2500 "$KERNEL"
	mkdir -p "$OBJ"
	rm -f "$OBJ/built"
	run_logged "$BUILD/log/$LOGS-config.log" configure "$CONFIG" ||
		die "no configuration for $TITLE"
	note "building $TITLE (about $MINUTES minutes, only the first time)"
	run_logged "$BUILD/log/$LOGS-build.log" kernel_make "${IMAGE##*/}" modules ||
		die "$TITLE does not build"
	echo "$key" >"$OBJ/built"
}

kernel_build() {
	need make flex bison bc flock depmod "${CROSS_COMPILE}gcc"
	OBJ=$KERNEL/kernel-$KVER
	CONFIG=$KERNEL/config
	TREE=
	mkdir -p "$OUTS" "$BUILD/log"
	lock_folder "$KERNEL"
	make_config >"$CONFIG"
	key=$({
		cat "$CONFIG" "$TOP/$PANTHOR/Kconfig.perf"
		"${CROSS_COMPILE}gcc" --version
	} | sha256sum | cut -c 1-12)
	OUT=$OUTS/$key
	# The tests beside the driver's files are not in this kernel.
	inputs=$(hash_of "$TOP/$PANTHOR"/*.[ch] "$TOP/$PANTHOR"/*.perf "$TOP/include" \
		"$TOP"/scripts/build/panthor-perf.* "$TOP/scripts/integrate.sh" "$TOP/scripts/lib/kernel-tree.sh" \
		"$TOP/scripts/series.py" "$TOP"/scripts/lib/panthor_perf/[fsu]*.py \
		"$TOP/scripts/lib/kernel-build.sh" $INPUTS)-$KVER
	[ "$(cat "$OUT/inputs" 2>/dev/null)" != "$inputs" ] || return 0
	kernel_tree "$KERNEL"
	build_objects
	run_logged "$BUILD/log/$LOGS-install.log" install_kernel || die "modules_install failed"
}
