# SPDX-License-Identifier: GPL-2.0 or MIT
# The driver sees the GPU that the properties describe.
. /tests/lib.sh

wait_for 10 bound
hex() {
	printf '0x%x' "$(host qom-get gpu0 "$1")"
}
driver_says() {
	dmesg | grep -q "panthor .*$1"
}

id=$(host qom-get gpu0 gpu-id)
check "GPU id" driver_says "id $(printf '0x%x' $((id >> 16))) "
check "shader cores" driver_says "shader_present=$(hex shader-present) "
slices=$(host qom-get gpu0 l2-slices)
check "L2 slices" driver_says "Mem:$(printf '0x%x' $((((slices - 1) << 8) | 1))) "
check_eq "GPU in the truth log" "$(host truth-last '^gpu ' | cut -d ' ' -f 2-4)" \
	"id=$(printf '0x%08x' "$id") shader_present=$(hex shader-present) l2_slices=$slices"
check "suspends" wait_for 10 status_is suspended
boots=$(host truth-count '^boot')
echo on >"$(gpu)/power/control"
check_eq "resumes" "$(runtime_status)" active
check_eq "boots once" "$(host truth-count '^boot')" $((boots + 1))
echo auto >"$(gpu)/power/control"
