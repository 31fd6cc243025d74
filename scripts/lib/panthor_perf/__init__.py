# SPDX-License-Identifier: GPL-2.0 or MIT
"""What scripts/run-guest.py is made of: the initramfs, the machine, and the judge of its logs."""
