# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Debian's own Mesa, which scripts/build/build-mesa-tests.sh has put into /mesa. For tests that run programs of it.
#
#	mesa COMMAND...		run a program of /mesa
#	timeouts		how many jobs were taken for timed out
#	again COMMAND...	run a command, again if it has lost its device to such a job
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
timeouts() {
	dmesg | grep -c 'panthor .*job timeout'
}
# again COMMAND...: it, and once more if it has lost its device to a false time-out; at most five times
again() {
	_again_out=$(mktemp)
	for _again_try in 1 2 3 4 5; do
		_again_before=$(timeouts)
		_again_status=0
		"$@" >"$_again_out" || _again_status=$?
		if [ $_again_status -eq 0 ] || [ "$(timeouts)" = "$_again_before" ]; then
			break
		fi
		say "# try $_again_try of $*: a job was taken for timed out"
	done
	cat "$_again_out"
	rm "$_again_out"
	return $_again_status
}
# vkmark SCENE...: scenes of half a second
vkmark() {
	set -- $(printf -- '-b %s:duration=0.5 ' "$@")
	mesa /usr/bin/vkmark --winsys headless -s 128x128 "$@"
}
