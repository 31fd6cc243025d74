# SPDX-License-Identifier: GPL-2.0 or MIT
# A kernel that loads only signed modules, with the driver that the owner's key has signed.
# kernel: module.sig_enforce=1 slab_debug=FZP
. /tests/lib.sh

DRIVER_FILE=/modules/gpu/panthor.ko
MARK='~Module signature appended~'

# refused TEXT FILE: with EKEYREJECTED, which is the exit status
refused() {
	_status=0
	insmod "$2" || _status=$?
	check_eq "$1" $_status 129
}

check "Secure Boot is on" sh -c 'dmesg | grep -q "secureboot: Secure boot enabled"'
check_eq "modules need a signature" "$(cat /sys/module/module/parameters/sig_enforce)" Y
check "the driver has one" grep -q "$MARK" $DRIVER_FILE
check "the driver with counters is loaded" [ -e /proc/sys/dev/panthor/perf_paranoid ]
check "the device is bound" wait_for 10 bound

gpu=$(basename "$(gpu)")
echo "$gpu" >$DRIVER/unbind
check "the driver is unloaded" rmmod panthor
head -c $(($(wc -c <$DRIVER_FILE) - ${#MARK} - 1)) $DRIVER_FILE >/tmp/unsigned.ko
expect 1 2 'Loading of unsigned module is rejected'
refused "without its signature it is refused" /tmp/unsigned.ko
cp $DRIVER_FILE /tmp/changed.ko
printf x | dd of=/tmp/changed.ko bs=1 seek=$(($(wc -c <$DRIVER_FILE) / 2)) conv=notrunc
refused "with a byte that was changed, too" /tmp/changed.ko
check "as it was signed, it is loaded" insmod $DRIVER_FILE
check "the device is bound again" wait_for 10 bound
