# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# The firmware does not start when the GPU is resumed, while samples wait for fences. panthor warns, with a stack.
# Needs the files of scripts/build/build-guest-modules.sh in /modules.
. /tests/lib.sh

wait_for 10 render_node
check "fences of another device" load_vgem
expect 2 40 'WARNING: .*panthor_device_resume|panthor .*(([Ff]ast|slow) reset failed|Failed to boot MCU|MCU)'
tolerate 'drm_WARN_ON|PM: (dpm_run_callback|failed to resume)|Modules linked in|Call trace'
tolerate '[a-z_0-9]+[+]0x[0-9a-f]+/0x[0-9a-f]+ \[(panthor|drm)\]|CPU: [0-9]+ UID: '
export PERF_STATUS="$(gpu)/power/runtime_status"
[ ! -e /sys/module/suspend/parameters/pm_test_delay ] ||
	echo 1 >/sys/module/suspend/parameters/pm_test_delay

failed_boots() {
	host truth-count '^boot-failed'
}
counts() {
	panthor-perf stat -n 2 -I "$(patient 50)" >/out/unresumed.txt
}
perf-unresumed system
check_eq "system: perf-unresumed" $? 0
check_ge "system: boots that failed" "$(failed_boots)" 1
check "system: the GPU counts again" counts
check_eq "system: samples with ERROR" "$(grep -c '^sample .*ERROR' /out/unresumed.txt)" 0
check "system: suspended in the end" wait_for 10 status_is suspended

# Last: before Linux 7.2, the kernel's power management keeps the error of a runtime resume, and resumes the GPU no
# more. On the debug kernel the driver is unbound in the end, which warns of that.
[ ! -e /sys/kernel/debug/kmemleak ] || exit 0
before=$(failed_boots)
perf-unresumed runtime
check_eq "runtime: perf-unresumed" $? 0
check_ge "runtime: boots that failed" "$(failed_boots)" $((before + 1))
