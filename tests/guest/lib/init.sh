#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# The first process of a test guest: sets up the system, runs the tests of /tests/order in turn,
# and hands /out to the runner. scripts/run-guest.py boots it.

/bin/busybox mkdir -p /bin /sbin /usr/bin /usr/sbin
/bin/busybox --install -s
export PATH=/bin:/sbin:/usr/bin:/usr/sbin:/programs HOME=/root TERM=dumb
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t debugfs debug /sys/kernel/debug
exec </dev/null >/dev/console 2>&1
# On a busy host, a process that ends may need longer than the 20 s of the kernel.
[ ! -e /sys/power/pm_freeze_timeout ] || echo 120000 >/sys/power/pm_freeze_timeout

# The runner reads its lines out of the kernel log: there, none can break another. The kernel takes no longer
# record than that.
say() {
	printf '%.900s\n' "$*" >/dev/kmsg
}

for module in virtio virtio_ring virtio_mmio virtio_console; do
	[ ! -f /modules/$module.ko ] || insmod /modules/$module.ko
done
. /tests/ports.sh
wait_for_port control && wait_for_port out || say "@not-ok the ports to the runner"
port control >/run/control

while read -r module; do
	insmod "$module" || say "@not-ok insmod $module"
done </etc/load

while read -r test; do
	say "@begin $test"
	(
		cd /tmp && exec sh "/tests/$test.sh"
	) 2>&1 | while IFS= read -r line; do
		case $line in
		"ok "*) say "@ok ${line#ok }" ;;
		"not ok "*) say "@not-ok ${line#not ok }" ;;
		"@"*) say "$line" ;;
		*) echo "$line" ;;
		esac
	done
	status=127
	[ ! -f /tmp/status ] || read -r status </tmp/status
	rm -f /tmp/status
	say "@end $test $status"
done </tests/order

dmesg -r >/out/dmesg.raw
ports_back
tar -C /out -cf - . >"$(port out)"
say "@done"
sync
poweroff -f
