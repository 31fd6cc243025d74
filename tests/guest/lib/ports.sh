# SPDX-License-Identifier: GPL-2.0 or MIT
#
# The ports to the runner, for init.sh and for tests.
#
#	port NAME	the device of port NAME: control, or out
#	ask REQUEST...	a request to the runner, and its reply in $_reply: "ok", "ok VALUE", or what is wrong. With GPU_NR=N,
#			gpu0 in it stands for the GPU of this number, and the log is that of this GPU
#	ports_back	before a port is opened: make the ports usable again after a system sleep
#
# A port can be open once only, so that each request opens it. Only one process of a test may have requests.

port() {
	for folder in /sys/class/virtio-ports/*; do
		if [ "$(cat "$folder/name" 2>/dev/null)" = "$1" ]; then
			echo "/dev/${folder##*/}"
			return
		fi
	done
}

# wait_for_port NAME: whether it comes within five seconds
wait_for_port() {
	_tries=50
	while [ -z "$(port "$1")" ]; do
		_tries=$((_tries - 1))
		[ $_tries -gt 0 ] || return 1
		sleep 0.1
	done
}

# When Linux 7.3 resumes, it asks the host for the state of its ports before it has buffers for the answer. The host
# drops the answer, and whoever writes to a port waits for ever. A new start of the driver asks once more.
ports_back() {
	_slept=0
	[ ! -e /sys/power/suspend_stats/success ] || read -r _slept </sys/power/suspend_stats/success
	_seen=0
	[ ! -e /run/slept ] || read -r _seen </run/slept
	[ "$_slept" != "$_seen" ] || return 0
	echo "$_slept" >/run/slept
	case $(uname -r) in
	7.3.*) ;;
	*) return 0 ;;
	esac
	for _device in /sys/bus/virtio/drivers/virtio_console/virtio*; do
		echo "${_device##*/}" >/sys/bus/virtio/drivers/virtio_console/unbind
		echo "${_device##*/}" >/sys/bus/virtio/drivers/virtio_console/bind
	done
	wait_for_port control && wait_for_port out && port control >/run/control
}

ask() {
	_reply=
	ports_back
	read -r _control </run/control || return 1
	{
		echo "${GPU_NR:+gpu$GPU_NR }$*" >&8
		read -r _reply <&8
	} 8<>"$_control"
}
