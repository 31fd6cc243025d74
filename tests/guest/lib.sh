# SPDX-License-Identifier: GPL-2.0 or MIT
#
# What guest tests share. A test is a shell file that starts with ". /tests/lib.sh"; each assertion
# prints "ok TEXT" or "not ok TEXT - WHY", and the test's exit status is that of its last command.
#
#	ok TEXT, not_ok TEXT WHY	the outcome of an assertion
#	check TEXT COMMAND...		ok when COMMAND succeeds
#	check_not TEXT COMMAND...	ok when it fails
#	check_eq TEXT GOT WANT		ok when both are equal
#	check_ge TEXT GOT MIN		ok when GOT >= MIN
#	wait_for SECONDS COMMAND...	repeat COMMAND until it succeeds
#	patient MS			MS, and six times as many on the debug kernel, which is that slow
#	expect REGEX			from here to the test's end the kernel says this, at least once
#	host VERB ARGUMENTS...		ask the runner: qom-set gpu0 PROP VALUE, qom-get gpu0 PROP,
#					truth-count REGEX, truth-last REGEX (lines of the truth log so far)

DRIVER=/sys/bus/platform/drivers/panthor
trap 'echo $? >/tmp/status' EXIT

say() {
	echo "$*" >/dev/kmsg
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
	if "$@"; then not_ok "$_text" "'$*' succeeded"; else ok "$_text"; fi
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

patient() {
	if [ -e /sys/kernel/debug/kmemleak ]; then echo $(($1 * 6)); else echo "$1"; fi
}

expect() {
	say "@expect $*"
}

host() {
	say "@host $*"
	echo "$*" >&8
	read -r _reply <&8
	case $_reply in
	"ok "*) echo "${_reply#ok }" ;;
	ok) ;;
	*)
		say "@not-ok host $* - $_reply"
		return 1
		;;
	esac
}

# The platform device of the GPU, bound or not.
gpu() {
	_of=$(grep -l 'arm,mali-valhall-csf' /sys/bus/platform/devices/*/of_node/compatible 2>/dev/null)
	[ -n "$_of" ] && echo "${_of%%/of_node/*}"
}

bound() {
	[ -e "$(gpu)/driver" ]
}

# The DRM render node of the GPU.
render_node() {
	for _node in "$(gpu)"/drm/renderD*; do
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
