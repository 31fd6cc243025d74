#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: MIT
#
# The first process of the guest of make igt: sets up the system, runs igt_runner over /tests with the
# arguments of /etc/runner, looks at the kernel's checkers, and hands /out to who runs the machine.

/bin/busybox mkdir -p /sbin /usr/sbin /root /run /dev/shm
/bin/busybox --install -s
export PATH=/bin:/sbin:/usr/bin:/usr/sbin HOME=/root TERM=dumb
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t debugfs debug /sys/kernel/debug
mkdir -p /dev/shm
mount -t tmpfs shm /dev/shm
exec </dev/null >/dev/console 2>&1

say() {
	echo "$*" >/dev/kmsg
}

check() {
	text=$1
	shift
	if "$@"; then say "@ok $text"; else say "@not-ok $text - '$*' failed"; fi
}

. /etc/ports.sh

while read -r module; do
	insmod "$module" || say "@not-ok insmod $module"
done </etc/load
tries=100
while ! [ -e /dev/dri/renderD128 ] || [ -z "$(port out)" ]; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] || break
	sleep 0.1
done
say "@begin igt"
port control >/run/control
# The port of requests has another name when ports_back made it usable again.
PANTHOR_PERF_HOST=/run/igt-host
PANTHOR_PERF_HOST_WAKE='. /etc/ports.sh && ports_back && ln -sf $(cat /run/control) /run/igt-host'
sh -c "$PANTHOR_PERF_HOST_WAKE"
export PANTHOR_PERF_HOST PANTHOR_PERF_HOST_WAKE PANTHOR_PERF_GPU=gpu0/gpu
check "the GPU has a render node" test -e /dev/dri/renderD128

# The kernel's warnings are a test's, unless it announced them.
cat /etc/runner | xargs igt_runner --overwrite /tests /out/results
status=$?
[ $status -eq 0 ] || say "igt_runner: exit status $status"

driver=/sys/bus/platform/drivers/panthor
for device in "$driver"/*gpu*; do
	[ ! -e "$device" ] || echo "${device##*/}" >"$driver/unbind"
done
dma_debug=/sys/kernel/debug/dma-api
leaks=/sys/kernel/debug/kmemleak
check "lockdep is on" grep -q 'debug_locks: *1' /proc/lockdep_stats
check "the DMA checker is on" grep -q N $dma_debug/disabled
check "it reported no mistake" grep -qx 0 $dma_debug/error_count
check "debug objects were used well" grep -q '^warnings *: *0' /sys/kernel/debug/debug_objects/stats
# Memory counts as lost when it is five seconds old and did not change between two scans.
sleep 6
check "kmemleak is on" sh -c "echo scan >$leaks"
sleep 1
echo scan >$leaks
cat $leaks >/out/kmemleak.txt
check "no memory is lost" sh -c '! grep -q "^unreferenced object" /out/kmemleak.txt'
sed 's/^/  /' /out/kmemleak.txt

dmesg -r >/out/dmesg.raw
ports_back
tar -C /out -cf - . >"$(port out)"
say "@end igt 0"
say "@done"
sync
poweroff -f
