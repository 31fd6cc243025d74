#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Guests that have to fail: scripts/run-guest.py finds everything that is wrong with them, says so in
# its summary and by its exit status, and leaves no QEMU behind. Prints ok and not ok lines.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
failed=0

result() {
	if [ "$1" -eq 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		failed=1
	fi
}

summary() {
	grep -qFx "$2" "$top/build/run/$1/summary"
	result $? "$1: $2"
}

"$top/scripts/run-guest.py" --name runner-planted --no-gpu --quiet planted >/dev/null 2>&1
[ $? -eq 1 ]
result $? "runner-planted: exit status 1"
summary runner-planted "ok runner-planted: planted: an assertion that holds"
summary runner-planted "not ok runner-planted: planted: an assertion that does not hold - got '1', want '2'"
summary runner-planted "not ok runner-planted: planted: host frobnicate - error the runner does not know 'frobnicate'"
summary runner-planted "not ok runner-planted: planted: announced message did not come - this never comes"
summary runner-planted "not ok runner-planted: planted: exit status - 3"
summary runner-planted "not ok runner-planted: kernel log: unannounced message (during planted) - BUG: planted"

"$top/scripts/run-guest.py" --name runner-hang --no-gpu --quiet --timeout 30 hang >/dev/null 2>&1
[ $? -eq 1 ]
result $? "runner-hang: exit status 1"
summary runner-hang "not ok runner-hang: guest: killed after 30 s"
summary runner-hang "not ok runner-hang: hang: did not end"
! grep -lsa "build/run/runner-hang/" /proc/[0-9]*/cmdline >/dev/null
result $? "runner-hang: no QEMU is left"

"$top/scripts/run-guest.py" --name runner-early --no-gpu --quiet --timeout 0.01 hang >/dev/null 2>&1
summary runner-early "not ok runner-early: guest: killed after 0.01 s"
[ "$(head -n 1 "$top/build/run/runner-early/summary")" = "not ok runner-early: guest: killed after 0.01 s" ]
result $? "runner-early: the reason comes first"
summary runner-early "not ok runner-early: guest: its files did not come back - it ended before it sent them"

"$top/scripts/run-guest.py" --name runner-property --quiet --stock --vmali nosuch=1 probe >"$top/build/run/property.log" 2>&1
[ $? -eq 1 ] && [ "$(grep -c '^not ok' "$top/build/run/runner-property/summary")" -eq 1 ]
result $? "a property that does not exist: one failure"
grep -q "^not ok runner-property: guest: QEMU does not start - .*nosuch.*not found" "$top/build/run/runner-property/summary"
result $? "a property that does not exist: what QEMU says"
grep -q "^not ok guest: QEMU does not start - gpu0: .*; tests/vmali/README.md lists the properties$" "$top/build/run/property.log"
result $? "a property that does not exist: where the properties are"

"$top/scripts/run-guest.py" --name runner-property --quiet --stock --vmali "seed=1; nosuch=1" probe >"$top/build/run/property.log" 2>&1
grep -q "^not ok guest: QEMU does not start - gpu1 of 2: .*nosuch" "$top/build/run/property.log"
result $? "a property that does not exist: of which GPU"

"$top/scripts/run-guest.py" --name runner-property --quiet --stock --vmali nonsense probe >"$top/build/run/property.log" 2>&1
[ $? -eq 1 ] && [ "$(cat "$top/build/run/property.log")" = \
	"run-guest: --vmali: 'nonsense' is not PROPERTY=VALUE; tests/vmali/README.md lists the properties" ]
result $? "a word that is no property"

"$top/scripts/run-guest.py" --name runner-full --quiet --stock --vmali truth-size=250 probe >"$top/build/run/full.log" 2>&1
[ $? -eq 1 ] && grep -q "^not ok runner-full: guest: QEMU's exit status - 1: .*truth.log' has reached truth-size, 250 bytes$" \
	"$top/build/run/runner-full/summary"
result $? "a truth log that reaches its size ends the run: what QEMU says"

"$top/scripts/run-guest.py" --name runner-none no-such-test >/dev/null 2>&1
[ $? -eq 2 ]
result $? "a test that does not exist: exit status 2"
exit $failed
