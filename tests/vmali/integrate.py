#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Lay the virtual GPU over a copy of a QEMU source tree.

    integrate.py PRISTINE TREE

PRISTINE is never written.  TREE is created or brought up to date: a file of it is
written only if its contents change, so that a build folder inside stays incremental.
Every edit names an anchor, a line that must be in the pristine file exactly once.
"""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# Copied: name in this folder -> place in the QEMU tree.
COPIES = {
    "vmali.h": "include/hw/misc/vmali.h",
    "vmali_compat.h": "include/hw/misc/vmali_compat.h",
    "vmali-isa-test.c": "tests/qtest/vmali-isa-test.c",
    "vmali-random-test.c": "tests/qtest/vmali-random-test.c",
    "vmali-test.c": "tests/qtest/vmali-test.c",
    "vmali-test.h": "tests/qtest/vmali-test.h",
    "vmali-test-lib.c": "tests/qtest/vmali-test-lib.c",
    "vmali-test-cs.c": "tests/qtest/vmali-test-cs.c",
    "vmali-test-cs.h": "tests/qtest/vmali-test-cs.h",
    "vmali-test-cs-insn.c": "tests/qtest/vmali-test-cs-insn.c",
    "vmali-test-cs-lib.c": "tests/qtest/vmali-test-cs-lib.c",
    "vmali-test-answers.c": "tests/qtest/vmali-test-answers.c",
    "vmali-test-inject.c": "tests/qtest/vmali-test-inject.c",
    "vmali-test-load.c": "tests/qtest/vmali-test-load.c",
    "vmali-test-power.c": "tests/qtest/vmali-test-power.c",
    "vmali-test-prfcnt.c": "tests/qtest/vmali-test-prfcnt.c",
    "vmali-test-props.c": "tests/qtest/vmali-test-props.c",
    "vmali-test-prfcnt.h": "tests/qtest/vmali-test-prfcnt.h",
    "vmali-test-prfcnt-lib.c": "tests/qtest/vmali-test-prfcnt-lib.c",
    "vmali-test-time.c": "tests/qtest/vmali-test-time.c",
    "vmali-test-random.h": "tests/qtest/vmali-test-random.h",
    "vmali-test-random-check.c": "tests/qtest/vmali-test-random-check.c",
    "vmali-test-random-cs.c": "tests/qtest/vmali-test-random-cs.c",
    "vmali-test-random-fw.c": "tests/qtest/vmali-test-random-fw.c",
    "vmali-test-random-mmu.c": "tests/qtest/vmali-test-random-mmu.c",
    "vmali-test-random-props.c": "tests/qtest/vmali-test-random-props.c",
    "vmali-test-several.c": "tests/qtest/vmali-test-several.c",
    "vmali-test-truth.c": "tests/qtest/vmali-test-truth.c",
    "vmali-test-work.c": "tests/qtest/vmali-test-work.c",
    "vmali-test-neural.c": "tests/qtest/vmali-test-neural.c",
    "devices.mak": "configs/devices/aarch64-softmmu/vmali.mak",
    "devices-x86_64.mak": "configs/devices/x86_64-softmmu/vmali.mak",
}
MODEL_DIR = "hw/misc/vmali"
MODEL_NAMES = ("Kconfig", "meson.build", "trace-events", "trace.h")

INCLUDE_RAMFB = '#include "hw/display/ramfb.h"'
INCLUDE_VMALI = '#include "hw/misc/vmali.h"'

# (file, anchor line, "before" or "after", text to insert)
EDITS = [
    ("meson.build", "    'hw/misc/macio',", "after", "    'hw/misc/vmali',"),
    ("hw/misc/meson.build", "subdir('macio')", "after", "subdir('vmali')"),
    ("hw/misc/Kconfig", "source macio/Kconfig", "after", "source vmali/Kconfig"),
    ("hw/arm/virt.c",
     "    machine_class_allow_dynamic_sysbus_dev(mc, TYPE_RAMFB_DEVICE);", "after",
     '    machine_class_allow_dynamic_sysbus_dev(mc, "vmali");'),
    ("hw/core/sysbus-fdt.c", INCLUDE_RAMFB, "after", INCLUDE_VMALI),
    ("hw/core/sysbus-fdt.c",
     "static int no_fdt_node(SysBusDevice *sbdev, void *opaque)", "before",
     """static int add_vmali_fdt_node(SysBusDevice *sbdev, void *opaque)
{
    PlatformBusFDTData *data = opaque;

    VMALI_GET_CLASS(sbdev)->add_fdt_node(sbdev, data->fdt,
                                         data->pbus_node_name, data->pbus,
                                         data->irq_start);
    return 0;
}
"""),
    ("hw/core/sysbus-fdt.c",
     "    TYPE_BINDING(TYPE_RAMFB_DEVICE, no_fdt_node),", "before",
     "    TYPE_BINDING(TYPE_VMALI, add_vmali_fdt_node),"),
    ("tests/qtest/meson.build", "qtests_aarch64 = \\", "after",
     "  (config_all_devices.has_key('CONFIG_VMALI') ? \\\n"
     "   ['vmali-test', 'vmali-random-test'] : []) + \\"),
    ("tests/qtest/meson.build", "qtests_i386 = \\", "after",
     "  (config_all_devices.has_key('CONFIG_VMALI_ISA') ? ['vmali-isa-test'] : []) + \\"),
    ("tests/qtest/meson.build", "qtests = {", "after",
     "  'vmali-random-test': files('vmali-test-lib.c',\n"
     "                             'vmali-test-random-check.c',\n"
     "                             'vmali-test-random-cs.c',\n"
     "                             'vmali-test-random-fw.c',\n"
     "                             'vmali-test-random-mmu.c',\n"
     "                             'vmali-test-random-props.c'),\n"
     "  'vmali-test': files('vmali-test-cs.c', 'vmali-test-cs-insn.c',\n"
     "                      'vmali-test-answers.c',\n"
     "                      'vmali-test-cs-lib.c', 'vmali-test-inject.c',\n"
     "                      'vmali-test-lib.c', 'vmali-test-load.c',\n"
     "                      'vmali-test-power.c',\n"
     "                      'vmali-test-prfcnt.c',\n"
     "                      'vmali-test-prfcnt-lib.c', 'vmali-test-props.c',\n"
     "                      'vmali-test-several.c', 'vmali-test-time.c',\n"
     "                      'vmali-test-truth.c',\n"
     "                      'vmali-test-work.c', 'vmali-test-neural.c'),"),
]


def die(text):
    sys.exit(f"integrate.py: error: {text}")


def read(path):
    with open(path, encoding="utf-8", newline="") as f:
        return f.read()


def write_if_changed(path, text):
    """Write TEXT to PATH unless it holds exactly that; True if written."""
    try:
        if read(path) == text:
            return False
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text)
    return True


def edited(pristine, name):
    """The text of the pristine file NAME with all of its edits."""
    path = os.path.join(pristine, name)
    try:
        lines = read(path).split("\n")
    except FileNotFoundError:
        die(f"{name}: no such file in this QEMU tree")
    for _, anchor, where, text in (e for e in EDITS if e[0] == name):
        hits = [i for i, line in enumerate(lines) if line == anchor]
        if len(hits) != 1:
            die(f"{name}: anchor found {len(hits)} times, expected once: {anchor.strip()}")
        at = hits[0] + (1 if where == "after" else 0)
        lines[at:at] = text.split("\n")
    return "\n".join(lines)


def main():
    if len(sys.argv) != 3:
        die("usage: integrate.py PRISTINE TREE")
    pristine, tree = sys.argv[1:]

    if not os.path.isfile(os.path.join(tree, "meson.build")):
        part = tree + ".part"
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(pristine, part, symlinks=True)
        os.rename(part, tree)

    changed = 0
    for name in sorted({e[0] for e in EDITS}):
        changed += write_if_changed(os.path.join(tree, name), edited(pristine, name))

    wanted = dict(COPIES)
    for name in sorted(os.listdir(HERE)):
        if name in MODEL_NAMES or (name.startswith("vmali") and name not in COPIES
                                   and name.endswith((".c", ".h"))):
            wanted[name] = os.path.join(MODEL_DIR, name)
    for name, place in wanted.items():
        changed += write_if_changed(os.path.join(tree, place),
                                    read(os.path.join(HERE, name)))
    # A file that left this folder leaves the tree too.
    model = os.path.join(tree, MODEL_DIR)
    for name in os.listdir(model):
        if wanted.get(name) != os.path.join(MODEL_DIR, name):
            os.unlink(os.path.join(model, name))
            changed += 1
    print(changed)


main()
