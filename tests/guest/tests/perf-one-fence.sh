# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# One fence, or one STOP, completes as many samples as may be pending, and calls that concern another session do not
# wait for all of them. How long they wait is printed only: a host that has other work stops the guest's CPUs for tens
# of milliseconds. So the samples take long, too, when it is checked that some of these calls return in between. Needs
# the files of scripts/build/build-guest-modules.sh in /modules.
. /tests/lib.sh

wait_for 10 render_node
check "fences of another device" load_vgem
perf-one-fence
check_eq "perf-one-fence" $? 0
check "slow-call" insmod /modules/slow-call.ko function=panthor_perf_select_write delay_us=300
perf-one-fence between
check_eq "perf-one-fence between" $? 0
rmmod slow_call
check "suspended in the end" wait_for 10 status_is suspended
