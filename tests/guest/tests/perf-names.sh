# SPDX-License-Identifier: GPL-2.0 or MIT
# The named events of the PMU, for tests/compare/check-events.py.
. /tests/lib.sh

wait_for 10 render_node
cd /sys/bus/event_source/devices/panthor_*/events
for file in *; do
	echo "$file $(cat "$file")"
done >/out/events.txt
! linux 6 15 || check "the GPU is the parent of its PMU" [ -d ../../drm ]
check_ge "named events" "$(grep -vc '\.' /out/events.txt)" 9
