# SPDX-License-Identifier: GPL-2.0 or MIT
# Not a test: the shell of make shell, on the console.
. /tests/lib.sh

[ -e /etc/terminal ] || { not_ok "a shell" "make shell starts it"; exit 1; }
mount -t tracefs tracing /sys/kernel/tracing
wait_for 10 render_node >/dev/null || echo "the GPU has no render node; dmesg says why" >/dev/console
if [ -e /etc/own-disks ]; then
	. /tests/disks.sh
	mount_disks || echo "the disks are not mounted" >/dev/console
fi
# QEMU's user networking gives the guest this address.
if [ -e /etc/own-net ]; then
	ip link set lo up && ip addr add 10.0.2.15/24 dev eth0 && ip link set eth0 up ||
		echo "the guest has no network" >/dev/console
fi
# Warnings of the kernel and worse ones reach the console. A shell controls its jobs on a terminal, which /dev/console
# is not.
dmesg -n 5
setsid sh -c 'exec sh -l <>/dev/ttyAMA0 >&0 2>&0'
dmesg -n 1
