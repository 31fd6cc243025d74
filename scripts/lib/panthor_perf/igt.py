# SPDX-License-Identifier: GPL-2.0 or MIT
"""The root of the guest of make igt."""

import hashlib
import os
import stat

from panthor_perf.initramfs import Archive, write_atomically


def pack_rootfs(rootfs, cache):
    """Return the path of a cpio archive of a folder, built now unless it is cached."""
    with open(__file__, "rb") as source:
        key = hashlib.sha256(source.read() + rootfs.encode()).hexdigest()[:16]
    path = os.path.join(cache, f"base-{key}.cpio")
    if os.path.exists(path):
        return path
    archive = Archive()
    for folder in ("proc", "sys", "tmp", "out", "root", "run", "dev", "etc", "tests"):
        archive.folder(folder)
    archive.node("dev/console", 5, 1)
    archive.node("dev/null", 1, 3)
    for where, folders, files in os.walk(rootfs):
        inside = os.path.relpath(where, rootfs)
        for name in sorted(folders + files):
            source = os.path.join(where, name)
            target = os.path.normpath(os.path.join(inside, name))
            if os.path.islink(source):
                archive.link(target, os.readlink(source))
            elif os.path.isdir(source):
                archive.folder(target)
            else:
                with open(source, "rb") as data:
                    mode = stat.S_IMODE(os.stat(source).st_mode)
                    archive.file(target, data.read(), mode | 0o444)
    archive.link("bin/sh", "busybox")
    write_atomically(path, archive.finish())
    return path
