# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=U
# The kernel has no more memory in use than at "memory-mark": of what the driver and DRM allocated
# nothing at all, and of everything else next to nothing.
. /tests/lib.sh

# Behind a new driver the first who comes allocates what stays.
wait_for 10 render_node
panthor-perf stat -n 2 -I 20 >/dev/null
check "suspended" wait_for 10 status_is suspended
back() {
	memory >/out/memory-back.txt
	memory_grew /out/memory-mark.txt /out/memory-back.txt >/out/memory-grew.txt
	[ ! -s /out/memory-grew.txt ]
}
check_ge "who allocated is known" "$(grep -c '^calls ' /out/memory-mark.txt)" 50
tries=6
until back || [ $tries -eq 0 ]; do
	tries=$((tries - 1))
	sleep 1
done
check_eq "memory is back" "$(tr '\n' ';' </out/memory-grew.txt)" ""
echo "  $(grep '^slab' /out/memory-mark.txt) before, $(grep '^slab' /out/memory-back.txt) after"
