# SPDX-License-Identifier: GPL-2.0 or MIT
# What the tests before this one reached of the driver goes to /out, for scripts/coverage.py.
. /tests/lib.sh

mkdir -p /out/gcda
for file in $(find /sys/kernel/debug/gcov -name '*.gcda'); do
	cat "$file" >"/out/gcda/${file##*/}"
done
check_ge "files that were measured" "$(find /out/gcda -size +0 | wc -l)" 1
