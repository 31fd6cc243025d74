# SPDX-License-Identifier: GPL-2.0 or MIT
# The examples of the library, on the driver. The totals that they print, in /out/NAME.totals, are compared with
# the truth outside.
. /tests/lib.sh

wait_for 10 render_node

check "examples: a back-end" sh -c 'example-backend >/out/backend.totals'
check_not "examples: a back-end: its totals are exact" grep '^not exact' /out/backend.totals
# The front end has 40 counters and more, and so have the other types: each has counted in 6 samples.
check_ge "examples: a back-end: totals" "$(grep -cE '^[a-z]+ [0-9]+ [0-9]+ [0-9]+$' /out/backend.totals)" 200
check "examples: a back-end: derived counters" grep -qE '^gpu_active [0-9.e+]+ cycles$' /out/backend.totals
check "examples: marks around workloads" sh -c \
	'for i in 1 2 3 4 5; do example-marks || exit; done >/out/marks.txt'
check_eq "examples: marks: a line for each workload" \
	"$(grep -cE '^workload [0-3]: id 0x20000000[0-3], [0-9]+ cycles$' /out/marks.txt)" 20
sed -E 's/^workload .*, ([0-9]+) cycles$/cshw 0 6 \1\n/' /out/marks.txt >/out/marks.totals
check "examples: samples of a period" example-periodic
check "examples: one sample" example-minimal
