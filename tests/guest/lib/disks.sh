# SPDX-License-Identifier: GPL-2.0 or MIT
#
# The disks of make shell MESA=... ROOT=...: the system on one of them is at /system, with a Mesa of its own at
# /own-mesa, and "inside COMMAND..." runs a program there; without COMMAND, a shell.

# disk_named NAME: the block device with this serial number
disk_named() {
	for _disk in /sys/block/vd*; do
		[ "$(cat "$_disk/serial" 2>/dev/null)" != "$1" ] || echo "${_disk##*/}"
	done
}

# mount_system: the partition of the disk that has a system, or the disk as a whole
mount_system() {
	_root=$(disk_named root)
	for _part in /dev/"$_root" /dev/"$_root"[0-9]*; do
		[ -e "$_part" ] && mount -t ext4 "$_part" /system 2>/dev/null || continue
		for _lib in usr/lib lib usr/lib/aarch64-linux-gnu; do
			[ ! -e "/system/$_lib/ld-linux-aarch64.so.1" ] && [ ! -h "/system/$_lib/ld-linux-aarch64.so.1" ] ||
				return 0
		done
		umount /system
	done
	echo "ROOT: no ext4 file system with a system for arm64 is on it" >/dev/console
	return 1
}

mount_disks() {
	mkdir -p /system
	mount_system || return
	if grep -qx mesa /etc/own-disks; then
		mkdir -p /system/own-mesa
		mount -t ext4 "/dev/$(disk_named mesa)" /system/own-mesa || return
	fi
	mkdir -p /system/etc /dev/pts /dev/shm
	mount -t devpts devpts /dev/pts
	[ ! -e /etc/own-mesa.json ] || cp /etc/own-mesa.json /system/etc/
	for folder in dev dev/pts proc sys out tmp run programs; do
		mkdir -p "/system/$folder"
		mount -o bind "/$folder" "/system/$folder"
	done
	cp /bin/busybox /system/programs/busybox
	cat >/bin/inside <<-'END'
	#!/bin/sh
	. /etc/own-environment
	export HOME=/tmp XDG_CACHE_HOME=/tmp XDG_RUNTIME_DIR=/run
	export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/programs
	[ $# -ne 0 ] || set -- "$(for shell in /bin/bash /bin/sh; do
		[ ! -x /system$shell ] || { echo $shell; break; }
	done)"
	[ -n "$1" ] || set -- /programs/busybox sh
	exec chroot /system "$@"
	END
	chmod +x /bin/inside
}
