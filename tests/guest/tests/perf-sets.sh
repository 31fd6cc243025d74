# SPDX-License-Identifier: GPL-2.0 or MIT
# The counter sets: who may use them, one at a time, and what they count. The samples in
# /out/NAME.SAMPLES.ERRORS.raw are compared with the truth outside.
. /tests/lib.sh

wait_for 10 render_node
paranoid=/sys/module/panthor/parameters/perf_paranoid
# enabled SET: how often the GPU's counters were enabled with it.
enabled() {
	host truth-count "^enable .* set=$1 "
}
# As members of the group "render" can on a distribution.
chmod 666 "$(render_node)"

check_eq "everybody may use the primary set" "$(cat $paranoid)" N
perf-sets permissions N
check_eq "perf-sets permissions N" $? 0
perf-sets switch
check_eq "perf-sets switch" $? 0
check_eq "and it is as before" "$(cat $paranoid)" N
primary=$(enabled 0)
secondary=$(enabled 1)
tertiary=$(enabled 2)
perf-sets conflict
check_eq "perf-sets conflict" $? 0
check_eq "the GPU had the primary set" $(($(enabled 0) - primary)) 2
check_eq "the GPU had the secondary set" $(($(enabled 1) - secondary)) 2
check_eq "the GPU had the tertiary set" $(($(enabled 2) - tertiary)) 1

for set in secondary tertiary; do
	panthor-perf stat -n 8 -I 30 --set $set --states --raw /out/$set.8.0.raw >/out/$set.txt &
	pid=$!
	check "$set" sh -c \
		"panthor-perf stat -n 4 -I 40 --manual --set $set --raw /out/$set-manual.4.0.raw >/out/$set-manual.txt"
	wait $pid
	check_eq "$set with a period" $? 0
	check_eq "$set: the tiler is not there in any sample" \
		"$(grep -c 'states: .*tiler unavailable' /out/$set.txt)" 8
done
check_eq "secondary: L2 slices are there" "$(grep -c 'memsys.* unavailable' /out/secondary.txt)" 0
check_eq "tertiary: they are not there in any sample" "$(grep -c 'memsys.* unavailable' /out/tertiary.txt)" 8
check "primary behind them" sh -c 'panthor-perf stat -n 3 -I 30 --raw /out/primary.3.0.raw >/out/primary.txt'

# From the start.
check "suspended" wait_for 10 status_is suspended
check "the module goes" rmmod panthor
check "and comes back with perf_paranoid" insmod /modules/gpu/panthor.ko perf_paranoid=Y
check "bound" wait_for 10 bound
wait_for 5 render_node
chmod 666 "$(render_node)"
check_eq "perf_paranoid" "$(cat $paranoid)" Y
PERF_NODE=$(render_node) perf-sets permissions Y
check_eq "perf-sets permissions Y" $? 0
echo N >$paranoid
PERF_NODE=$(render_node) perf-sets permissions N
check_eq "perf-sets permissions N again" $? 0
check "suspended in the end" wait_for 10 status_is suspended
