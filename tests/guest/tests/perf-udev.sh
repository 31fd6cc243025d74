# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# The udev rules of PERMISSIONS.md, by Debian's own udev in /udev: the sysctl and the render node after each load of the
# module. A user in the group of the node then samples the primary set.
. /tests/lib.sh

paranoid=/proc/sys/dev/panthor/perf_paranoid
rules=/etc/udev/rules.d/70-panthor.rules
render=108
user=1000

# Without the variable, udevadm does nothing in a chroot.
in_udev() {
	SYSTEMD_IGNORE_CHROOT=1 chroot /udev "$@"
}
# From the first line of a rule to the line without a backslash.
mkdir -p /udev/etc/udev/rules.d /udev/dev /udev/proc /udev/sys /udev/run
awk '/^    (ACTION|SUBSYSTEM)==/ { on = 1 } on { print substr($0, 5) } !/\\$/ { on = 0 }' \
	/PERMISSIONS.md >/udev$rules
check_eq "PERMISSIONS.md has two rules" "$(grep -c '==' /udev$rules) $(grep -c '\\$' /udev$rules)" "2 2"
echo "root:x:0:0::/:/bin/sh" >/udev/etc/passwd
printf 'root:x:0:\nrender:x:%s:\n' $render >/udev/etc/group
for folder in dev proc sys; do
	mount -o bind /$folder /udev/$folder
done

check "the module goes" rmmod panthor
check "udev accepts the rules" in_udev /usr/bin/udevadm verify $rules
in_udev /usr/bin/systemd-udevd --daemon
check_eq "udevd runs" $? 0
check "udevd answers" wait_for 10 in_udev /usr/bin/udevadm control --ping

# load: with the events of the module and the GPU done
load() {
	insmod /modules/gpu/panthor.ko && wait_for 10 bound && in_udev /usr/bin/udevadm settle --timeout=30
}
# member COMMAND...: as a user in the group of the render node
member() {
	perf-sets user $render "$@" 2>/tmp/refused.txt
}
refused() {
	"$@" >/tmp/refused.out
	[ $? -eq 1 ]
}

check "the module comes" load
check_eq "the sysctl has the value of the rule" "$(cat $paranoid)" 0
check_eq "the render node has the group of the rule" "$(stat -c '%a %g' "$(render_node)")" "660 $render"
check "a member of the group" member panthor-perf stat -n 3 -I 20 >/dev/null
check "a member of the group, with a short period" refused member panthor-perf stat -n 3 -I 0.5
check "... needs CAP_PERFMON" grep -q 'a period below 1 ms needs CAP_PERFMON' /tmp/refused.txt
check "a member of the group, with another set" refused member panthor-perf stat --set secondary -n 3 -I 20
check "... needs CAP_PERFMON" grep -q 'the counter set secondary needs CAP_PERFMON' /tmp/refused.txt
check "another user" refused perf-sets user $user panthor-perf stat -n 3 -I 20 2>/tmp/refused.txt
check "... cannot open the node" grep -q 'Permission denied' /tmp/refused.txt

# The sysctl is there before the event of the node.
good=0
for _ in 1 2 3 4 5 6 7 8; do
	rmmod panthor && load && [ "$(cat $paranoid)" = 0 ] && good=$((good + 1))
done
check_eq "loads with the value of the rule" $good 8

# The events of a boot with the module in the initrd, and those of a GPU that is bound again.
echo 1 >$paranoid
in_udev /usr/bin/udevadm trigger --action=add --subsystem-match=drm --settle
check_eq "the value after udevadm trigger" "$(cat $paranoid)" 0
echo 1 >$paranoid
device=$(basename "$(gpu)")
echo "$device" >"$DRIVER/unbind"
echo "$device" >"$DRIVER/bind"
wait_for 10 bound
in_udev /usr/bin/udevadm settle --timeout=30
check_eq "the value after a bind" "$(cat $paranoid)" 0

check "udevd ends" in_udev /usr/bin/udevadm control --exit
for folder in dev proc sys; do
	umount -l /udev/$folder
done
check "suspended in the end" wait_for 10 status_is suspended
