# SPDX-License-Identifier: GPL-2.0-or-later
# The PC of make igt and the few devices that it uses.
CONFIG_Q35=y
CONFIG_HPET=y
CONFIG_VMALI_ISA=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_SERIAL=y
