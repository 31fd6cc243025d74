# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: core-off=off,auto-samples=0
# kernel: slab_debug=FZP
# The counter sets: who may use them, one at a time, and what they count. The samples in
# /out/NAME.SAMPLES.ERRORS.raw are compared with the truth outside.
. /tests/lib.sh

wait_for 10 render_node
paranoid=/proc/sys/dev/panthor/perf_paranoid
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
perf-sets permissions 0
check_eq "perf-sets permissions 0" $? 0
for value in 2 -1 4294967296 x; do
	check_not "sysctl: not $value" sh -c "echo $value 2>/dev/null >$paranoid"
	check_eq "sysctl: still 0" "$(cat $paranoid)" 0
done
perf-sets switch
check_eq "perf-sets switch" $? 0
perf-sets limits
check_eq "perf-sets limits" $? 0
check_eq "every set needs the right again" "$(cat $paranoid)" 1

# The command of panthor-perf run has CAP_PERFMON and nothing else of root.
mkdir -p /tmp/user
chmod 777 /tmp/user
LD_LIBRARY_PATH=/absent SUDO_UID=1000 SUDO_GID=1000 panthor-perf run -- perf-sets inherited
check_eq "run: its status" $? 0
panthor-perf run -u 1000 -- sh -c '
	cd /tmp/user
	panthor-perf stat -n 5 -I 30 --raw run.5.0.raw >run.txt
	echo $? >run.status
	panthor-perf stat --set secondary -n 3 -I 30 --raw run-secondary.3.0.raw >secondary.txt
	echo $? >secondary.status
	env -u PANTHOR_PERF_FD panthor-perf stat -n 3 -I 0.5 >direct.txt
	echo $? >direct.status'
check_eq "run -u: its status" $? 0
cp /tmp/user/*.raw /out/
check_eq "run: the user counts" "$(cat /tmp/user/run.status)" 0
check_eq "run: another set as well" "$(cat /tmp/user/secondary.status)" 0
check_eq "run: in another file as well, with a short period" "$(cat /tmp/user/direct.status)" 0

# Nobody else gets the right.
refused() {
	"$@" 2>/tmp/user/refused.txt
	[ $? -eq 1 ]
}
check "no right: stat" refused perf-sets user 1000 panthor-perf stat
check "no right: with advice" grep -q 'sudo sysctl dev.panthor.perf_paranoid=0' /tmp/user/refused.txt
check "no right: run" refused perf-sets user 1000 panthor-perf run -- true
check "no right: run: its reason" grep -q "only root can use 'run': sudo panthor-perf run" /tmp/user/refused.txt
cp /programs/panthor-perf /tmp/user/capable
perf-sets setcap /tmp/user/capable
check "a capability in the file: stat" perf-sets user 1000 /tmp/user/capable stat -n 3 -I 20 >/tmp/user/capable.txt
check "a capability in the file: run" refused perf-sets user 1000 /tmp/user/capable run -- true
check "a capability in the file: run: its reason" \
	grep -q 'only root.*sysctl dev.panthor.perf_paranoid=0' /tmp/user/refused.txt

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
check "the module comes back" insmod /modules/gpu/panthor.ko
check "bound" wait_for 10 bound
wait_for 5 render_node
check_eq "every set needs the right after the load" "$(cat $paranoid)" 1
check "suspended in the end" wait_for 10 status_is suspended
