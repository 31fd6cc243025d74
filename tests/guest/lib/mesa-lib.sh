# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Debian's own Mesa, which scripts/build/build-mesa-tests.sh has put into /mesa. For tests that run programs of it.
#
#	mesa COMMAND...		run a program of /mesa
#	resets			how many times a busy host had the GPU reset
#	again COMMAND...	run a command, once more if there was such a reset meanwhile
#	vkmark SCENE...		run scenes of half a second

# Of a host that has other work (Documentation/gpu/panthor-perf-reports.rst): the GPU is reset, and the samples have
# ERROR; or a job is taken for timed out, and its device is lost.
tolerate 'panthor .*(CSG [0-9]+ update request timedout|job timeout)'
for folder in dev proc sys out run tmp; do
	mkdir -p "/mesa/$folder"
	mount -o bind "/$folder" "/mesa/$folder"
done
mkdir -p /dev/pts
mount -t devpts devpts /dev/pts
# mesa COMMAND...: with the one GPU that is there
mesa() {
	HOME=/tmp XDG_CACHE_HOME=/tmp XDG_RUNTIME_DIR=/tmp PAN_I_WANT_A_BROKEN_VULKAN_DRIVER=1 chroot /mesa "$@"
}
resets() {
	dmesg | grep -c 'panthor .*\(CSG [0-9]* update request timedout\|job timeout\)'
}
# again COMMAND...: it, once more if the GPU was reset meanwhile (a device may be lost, samples are not exact), which is
# a result. Shows what the last one printed.
again() {
	_again_out=$(mktemp)
	_again_before=$(resets)
	_again_status=0
	"$@" >"$_again_out" || _again_status=$?
	if [ "$(resets)" != "$_again_before" ]; then
		ok "run once more, since the GPU was reset: $*"
		_again_status=0
		"$@" >"$_again_out" || _again_status=$?
	fi
	cat "$_again_out"
	rm "$_again_out"
	return $_again_status
}
# vkmark SCENE...: scenes of half a second
vkmark() {
	set -- $(printf -- '-b %s:duration=0.5 ' "$@")
	mesa /usr/bin/vkmark --winsys headless -s 128x128 "$@"
}
