# SPDX-License-Identifier: GPL-2.0 or MIT
#
# What guest tests share. A test is a shell file that starts with ". /tests/lib.sh"; each assertion
# prints "ok TEXT" or "not ok TEXT - WHY", and the test's exit status is that of its last command.
#
# A test that unbinds the driver or unloads the module has the line "# kernel: slab_debug=FZP": freed memory is poisoned
# then, and the kernel ends or complains when something uses it. The debug kernel has KASAN instead.
#
#	ok TEXT, not_ok TEXT WHY	the outcome of an assertion
#	check TEXT COMMAND...		ok when COMMAND succeeds
#	check_not TEXT COMMAND...	ok when it fails, with an exit status of its own
#	check_eq TEXT GOT WANT		ok when both are equal
#	check_ge TEXT GOT MIN		ok when GOT >= MIN
#	wait_for SECONDS COMMAND...	repeat COMMAND until it succeeds
#	patient MS			MS, and six times as many on the debug kernel, which is that slow
#	linux VERSION PATCHLEVEL	whether the kernel is that one, or later
#	counting			whether the GPU's counters are on
#	more RECORD COUNT		whether the truth log has more of these records by now
#	four_marks			a script that sets the marks 10 to 13 and waits for each, as a layer does
#	memory				what memory the kernel has in use: "KIND NAME COUNT" lines
#	memory_grew FILE FILE		of two of these, what is more in the second than it may be
#	expect MIN MAX REGEX		from here to the test's end the kernel says this so many times
#	tolerate REGEX			likewise, or not at all
#	host VERB ARGUMENTS...		ask the runner: qom-set gpu0 PROP VALUE, qom-get gpu0 PROP,
#					truth-count REGEX, truth-last REGEX (lines of the truth log so far),
#					put NAME [BASE64] (a file of the runner's folder "live")
#	gpu [N]				the platform device of the GPU of this number, bound or not
#	gpus				how many there are
#	bound [N], render_node [N]	whether it is bound; its DRM render node
#
# The kernel argument GPU_NR=N has a test use the GPU of this number instead of the first one.

. /tests/ports.sh
DRIVER=/sys/bus/platform/drivers/panthor
trap 'echo $? >/tmp/status' EXIT

# The kernel takes no longer record than that.
say() {
	printf '%.900s\n' "$*" >/dev/kmsg
}

ok() {
	say "@ok $*"
}

not_ok() {
	say "@not-ok $1 - $2"
}

check() {
	_text=$1
	shift
	if "$@"; then ok "$_text"; else not_ok "$_text" "'$*' failed"; fi
}

check_not() {
	_text=$1
	shift
	_status=0
	"$@" || _status=$?
	# 126 and more: there is no such program, or a signal ended it.
	if [ $_status -eq 0 ]; then
		not_ok "$_text" "'$*' succeeded"
	elif [ $_status -ge 126 ]; then
		not_ok "$_text" "'$*' had exit status $_status"
	else
		ok "$_text"
	fi
}

check_eq() {
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got '$2', want '$3'"; fi
}

check_ge() {
	if [ "$2" -ge "$3" ] 2>/dev/null; then ok "$1"; else not_ok "$1" "got '$2', want at least $3"; fi
}

wait_for() {
	_tries=$(($1 * 10))
	shift
	until "$@"; do
		_tries=$((_tries - 1))
		[ $_tries -gt 0 ] || return 1
		sleep 0.1
	done
}

more() {
	[ "$(host truth-count "^$1")" -gt "$2" ]
}

counting() {
	more enable "$(host truth-count '^disable')"
}

patient() {
	if [ -e /sys/kernel/debug/kmemleak ]; then echo $(($1 * 6)); else echo "$1"; fi
}

linux() {
	[ "$(uname -r | awk -F . '{ print $1 * 1000 + $2 }')" -ge $(($1 * 1000 + $2)) ]
}

expect() {
	say "@expect $*"
}

tolerate() {
	say "@tolerate $*"
}

host() {
	say "@host $*"
	ask "$@"
	case $_reply in
	"ok "*) echo "${_reply#ok }" ;;
	ok) ;;
	*)
		say "@not-ok host $* - $_reply"
		return 1
		;;
	esac
}

gpu() {
	_of=$(grep -l 'arm,mali-valhall-csf' /sys/bus/platform/devices/*/of_node/compatible 2>/dev/null |
		sed -n "$((${1:-${GPU_NR:-0}} + 1))p")
	[ -n "$_of" ] && echo "${_of%%/of_node/*}"
}

gpus() {
	grep -l 'arm,mali-valhall-csf' /sys/bus/platform/devices/*/of_node/compatible 2>/dev/null | wc -l
}

bound() {
	[ -e "$(gpu "$@")/driver" ]
}

# A second device with fences. Some of what it needs may be there already.
load_vgem() {
	for _module in $(cat /modules/vgem.order); do
		[ -e "/sys/module/$_module" ] || insmod "/modules/$_module.ko" || return 1
	done
}

render_node() {
	for _node in "$(gpu "$@")"/drm/renderD*; do
		[ -e "/dev/dri/${_node##*/}" ] && echo "/dev/dri/${_node##*/}" && return
	done
	return 1
}

runtime_status() {
	cat "$(gpu)/power/runtime_status"
}

status_is() {
	[ "$(runtime_status)" = "$1" ]
}

# Kernel messages since the test began.
messages() {
	dmesg | awk '/ @begin / { text = "" } { text = text $0 "\n" } END { printf "%s", text }'
}

# Kinds of memory, for tests that ask for "kernel: slab_debug=U", which makes the kernel remember who
# allocated an object and count exactly:
#
#	calls CACHE/FUNCTION	objects allocated below this function of the driver or of DRM
#	vmalloc FUNCTION	pages that it mapped
#	gem pages		shared memory that is no file, as buffer objects are
#	cache NAME		objects of anybody
#	slab KiB		all of these together
#	files inodes		what the tests have in the root, which is memory as well
#
# What waits to be freed goes first: the shrink files empty the quarantine of KASAN too. The caches of the
# checkers themselves are left out, that of the areas for mapping, which are freed in large numbers only,
# and in the last but two that of the nodes that hold the pages of files.
memory() {
	echo 3 >/proc/sys/vm/drop_caches
	for _cache in /sys/kernel/slab/*/shrink; do
		echo 1 >"$_cache"
	done
	# Linux 7.3 prints "alloc_traces" under a lock, and may there queue the freeing of objects that its checker
	# has seen freed. lockdep reports that, so let none be left.
	_objects=/sys/kernel/debug/debug_objects/stats
	[ ! -e $_objects ] || wait_for 5 grep -q '^on_free_list *: *0$' $_objects
	awk '
	FNR == 1 {
		cache = FILENAME
		sub("/alloc_traces$", "", cache)
		sub(".*/", "", cache)
	}
	/^ *[0-9]+ / { count = $1; waiting = 1; next }
	# An entry of sysfs has a number: whoever comes first allocates the node for 64 of these.
	waiting && cache == "radix_tree_node" && /panthor_perf_pmu_register/ { waiting = 0 }
	waiting && /^ +_*(panthor|drm)_|\[(panthor|drm[a-z_]*|gpu_sched|kmemleak_test)\]/ {
		sub(/\+.*/, "", $1)
		calls[cache "/" $1] += count
		waiting = 0
	}
	END { for (call in calls) print "calls", call, calls[call] }
	' $(ls /sys/kernel/debug/slab/*/alloc_traces | grep -v 'debug_objects\|kmemleak\|vmap_area')
	awk '
	/ _*(panthor|drm)_|\[(panthor|drm[a-z_]*|kmemleak_test)\]/ {
		sub(/\+.*/, "", $3)
		size[$3] += $2 / 4096
	}
	END { for (call in size) print "vmalloc", call, size[call] }
	' /proc/vmallocinfo
	cat /proc/sys/vm/stat_refresh
	awk -v files="$(stat -f / /dev | awk '/^Blocks:/ { sum += $3 - $5 } END { print sum }')" '
	/^Shmem:/ { print "gem pages", $2 / 4 - files }
	' /proc/meminfo
	_files=$(stat -f / | awk '/^Inodes:/ { print $3 - $5 }')
	echo "files inodes $_files"
	awk -v files="$_files" '
	NR <= 2 || /debug_objects|kmemleak|vmap_area|radix_tree_node/ { next }
	{ sum += $2 * $4 }
	{ print "cache", $1, $2 - ($1 ~ /^(dentry|shmem_inode_cache|lsm_inode_cache)$/ ? files : 0) }
	END { print "slab KiB", int(sum / 1024) }
	' /proc/slabinfo
}

# Who allocates is exact. Some pages less than a session has, a few objects of a cache and 1 MiB of all
# come of the programs that run and the paths that they look up; and a file of the tests has an inode.
memory_grew() {
	awk '
	{ name = $1 " " $2 }
	NR == FNR { before[name] = $3; next }
	$1 == "files" { files = $3 - before[name]; next }
	{ grown[name] = $3 - before[name] }
	END {
		for (name in grown) {
			slack = 0
			if (name ~ /^gem /)
				slack = 8
			if (name ~ /^cache /)
				slack = 64 + before[name] / 50
			if (name ~ /^slab /)
				slack = 1024 + 2 * files
			if (grown[name] > slack)
				print name, before[name] + 0, "->", before[name] + grown[name]
		}
	}
	' "$1" "$2"
}

four_marks() {
	cat <<'END'
exec 3>"$PANTHOR_PERF_MARK" 4<"$PANTHOR_PERF_MARK_ACK"
for id in 10 11 12 13; do
	echo "$id frame $id" >&3
	read -r got end <&4
	[ "$got" = "$id" ] && [ "$end" -gt 0 ] || exit 1
done
END
}

# The programs of the tests take the GPU from PERF_GPU, the tools from an open file.
if [ -n "${GPU_NR:-}" ]; then
	export GPU_NR PERF_GPU="$(gpu)"
	wait_for 10 render_node
	exec 7<>"$(render_node)"
	export PANTHOR_PERF_FD=7
fi
