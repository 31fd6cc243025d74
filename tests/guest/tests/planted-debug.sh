# SPDX-License-Identifier: GPL-2.0 or MIT
# Mistakes on purpose on the debug kernel: each has to be told. The test "checkers" after it has to fail,
# since memory is lost and lockdep is off after the first report.
. /tests/lib.sh

crash() {
	expect 1 9 "$2"
	echo "$1" >/sys/kernel/debug/provoke-crash/DIRECT
	ok "made: $1"
}

crash READ_AFTER_FREE 'BUG: KASAN: slab-use-after-free'
crash ARRAY_BOUNDS 'UBSAN: array-index-out-of-bounds'
crash REFCOUNT_INC_ZERO 'refcount_t: addition on 0; use-after-free'
crash WARNING 'WARNING: '
check "memory lost" insmod /modules/kmemleak-test.ko
