# SPDX-License-Identifier: GPL-2.0 or MIT
# The runner's own channels: programs, kernel log, files back to the host.
. /tests/lib.sh

check "busybox is complete" command -v awk
check "an own message reaches the kernel log" sh -c 'dmesg | grep -q "@begin boot"'
frobnicate() {
	ask frobnicate
	[ -z "$_reply" ] || [ "$_reply" = ok ]
}
check_not "a wrong request is refused" frobnicate
echo "from the guest" >/out/boot.txt
