# SPDX-License-Identifier: GPL-2.0-or-later
# The one machine and the few devices that the guests of this project use.
CONFIG_ARM_VIRT=y
CONFIG_VMALI=y
CONFIG_VIRTIO_MMIO=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_NET=y
CONFIG_VIRTIO_RNG=y

# Common Arm code refers to these whatever the machine.
CONFIG_ARM_V7M=y
CONFIG_SEMIHOSTING=y
CONFIG_ARM_COMPATIBLE_SEMIHOSTING=y
