# SPDX-License-Identifier: GPL-2.0 or MIT
# Not a test but an experiment: short submissions with pauses in which the GPU is suspended, until the device is lost.
# tests/mesa/REPORTS.md has what was seen.
. /tests/lib.sh

wait_for 10 render_node
tolerate 'panthor .*(job timeout|CSG slot|timedout)'
for folder in dev proc sys out run tmp; do
	mkdir -p "/mesa/$folder"
	mount -o bind "/$folder" "/mesa/$folder"
done
HOME=/tmp XDG_CACHE_HOME=/tmp PAN_I_WANT_A_BROKEN_VULKAN_DRIVER=1 \
	chroot /mesa /mesa-tests/vk-steps --short "$(cat /etc/seconds)" "$(cat /etc/pause)" >/out/short.txt
say "@short $(cat /out/short.txt)"
say "@boots $(host truth-count '^boot')"
check "the end" true
