# SPDX-License-Identifier: GPL-2.0 or MIT
# The counter sets: who may use them, one at a time, and what they count. The samples in
# /out/NAME.SAMPLES.ERRORS.raw are compared with the truth outside.
. /tests/lib.sh

wait_for 10 render_node
paranoid=/proc/sys/dev/panthor/perf_paranoid
parameter=/sys/module/panthor/parameters/perf_paranoid
# enabled SET: how often the GPU's counters were enabled with it.
enabled() {
	host truth-count "^enable .* set=$1 "
}
# As members of the group "render" can on a distribution.
chmod 666 "$(render_node)"

check_eq "every set needs the right" "$(cat $paranoid)" 1
perf-sets permissions 1
check_eq "perf-sets permissions 1" $? 0
echo 0 >$paranoid
check_eq "the parameter shows the sysctl" "$(cat $parameter)" 0
perf-sets permissions 0
check_eq "perf-sets permissions 0" $? 0
for value in 2 -1 4294967296 x; do
	check_not "sysctl: not $value" sh -c "echo $value 2>/dev/null >$paranoid"
	check_eq "sysctl: still 0" "$(cat $paranoid)" 0
done
check_not "the parameter cannot be written" sh -c "echo 1 2>/dev/null >$parameter"
check_eq "the sysctl is still 0" "$(cat $paranoid)" 0
perf-sets switch
check_eq "perf-sets switch" $? 0
perf-sets reserve
check_eq "perf-sets reserve" $? 0
check_eq "every set needs the right again" "$(cat $paranoid)" 1

# A user without privileges counts through panthor-perf run, and not otherwise.
mkdir -p /tmp/user
chmod 777 /tmp/user
SUDO_UID=1000 SUDO_GID=1000 panthor-perf run -- sh -c '
	cd /tmp/user
	id -u >id
	panthor-perf stat -n 5 -I 30 --raw run.5.0.raw >run.txt
	echo $? >run.status
	panthor-perf stat --set secondary -n 3 -I 30 --raw run-secondary.3.0.raw >secondary.txt
	echo $? >secondary.status
	env -u PANTHOR_PERF_FD panthor-perf stat 2>direct.txt
	echo $? >direct.status
	panthor-perf run -- true
	echo $? >again.status'
check_eq "run: its status" $? 0
cp /tmp/user/*.raw /out/
check_eq "run: the user" "$(cat /tmp/user/id)" 1000
check_eq "run: the user counts" "$(cat /tmp/user/run.status)" 0
check_eq "run: another set as well" "$(cat /tmp/user/secondary.status)" 0
check_eq "run: not in another file" "$(cat /tmp/user/direct.status)" 1
check "run: with advice" grep -q 'sudo sysctl dev.panthor.perf_paranoid=0' /tmp/user/direct.txt
check_eq "run: the file can be handed on" "$(cat /tmp/user/again.status)" 0
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
device=$(basename "$(gpu)")
echo 0 >$paranoid
echo "$device" >"$DRIVER/unbind"
check_not "unbound" bound
check_eq "the sysctl outlives the GPU" "$(cat $paranoid)" 0
echo 1 >$paranoid
echo "$device" >"$DRIVER/bind"
check "bound again" wait_for 10 bound
wait_for 5 render_node
check_eq "the sysctl is as it was" "$(cat $paranoid)" 1
check "the module goes" rmmod panthor
check_not "and the sysctl with it" [ -e $paranoid ]
check_not "and its folder" [ -e "${paranoid%/*}" ]
expect 1 2 "panthor: .2. invalid for parameter .perf_paranoid."
check_not "a parameter of 2" sh -c 'insmod /modules/gpu/panthor.ko perf_paranoid=2 2>/dev/null'
check_not "leaves no sysctl" [ -e $paranoid ]
check "the module comes back with a parameter of 0" insmod /modules/gpu/panthor.ko perf_paranoid=0
check "bound" wait_for 10 bound
wait_for 5 render_node
chmod 666 "$(render_node)"
check_eq "the sysctl begins with it" "$(cat $paranoid)" 0
PERF_NODE=$(render_node) perf-sets permissions 0
check_eq "perf-sets permissions 0 again" $? 0
echo 1 >$paranoid
check_eq "the parameter shows what was written" "$(cat $parameter)" 1
PERF_NODE=$(render_node) perf-sets permissions 1
check_eq "perf-sets permissions 1 again" $? 0
check "suspended in the end" wait_for 10 status_is suspended
