# SPDX-License-Identifier: GPL-2.0 or MIT
"""The guest's root: a cpio archive of two layers, written without root.

The base layer (busybox, kernel modules, init) depends on the kernel alone and is cached under the
hash of its contents; the overlay holds what a run adds. The kernel unpacks concatenated archives in
order, so the image is base + overlay.
"""

import hashlib
import lzma
import os
import re
import stat
import subprocess

# What the guest loads besides the GPU driver: the transport of the runner's ports and the
# regulator of the GPU's supply.
BASE_MODULES = ("virtio_mmio", "fixed")
# In Debian's kernels, these are built in.
OTHER_MODULES = ("virtio_console",)


class Archive:
    """A cpio archive in the "newc" format, owned by root, with the same time of all files."""

    # Not 0, which stands for "unknown" in some programs: Mesa identifies its build by the time of its file.
    TIME = 1

    def __init__(self):
        self._out = bytearray()
        self._ino = 0
        self._folders = set()

    def _entry(self, name, mode, data=b"", rdev=(0, 0)):
        self._ino += 1
        encoded = name.encode() + b"\0"
        fields = (self._ino, mode, 0, 0, 1, self.TIME, len(data), 0, 0, rdev[0], rdev[1], len(encoded), 0)
        self._out += b"070701" + b"".join(b"%08x" % field for field in fields) + encoded
        self._pad()
        self._out += data
        self._pad()

    def _pad(self):
        self._out += b"\0" * (-len(self._out) % 4)

    def folder(self, path):
        path = path.strip("/")
        if path and path not in self._folders:
            self.folder(os.path.dirname(path))
            self._folders.add(path)
            self._entry(path, stat.S_IFDIR | 0o755)

    def file(self, path, data, mode=0o644):
        path = path.strip("/")
        self.folder(os.path.dirname(path))
        self._entry(path, stat.S_IFREG | mode, data)

    def link(self, path, target):
        path = path.strip("/")
        self.folder(os.path.dirname(path))
        self._entry(path, stat.S_IFLNK | 0o777, target.encode())

    def tree(self, path, host):
        """Add what is in a folder of the host."""
        for folder, folders, files in sorted(os.walk(host)):
            inside = os.path.join(path, os.path.relpath(folder, host))
            self.folder(os.path.normpath(inside))
            for name in sorted([*folders, *files]):
                source, target = os.path.join(folder, name), os.path.normpath(os.path.join(inside, name))
                if os.path.islink(source):
                    self.link(target, os.readlink(source))
                elif os.path.isfile(source):
                    with open(source, "rb") as file:
                        self.file(target, file.read(), 0o755 if os.access(source, os.X_OK) else 0o644)

    def node(self, path, major, minor):
        self.folder(os.path.dirname(path.strip("/")))
        self._entry(path.strip("/"), stat.S_IFCHR | 0o600, rdev=(major, minor))

    def finish(self):
        self._entry("TRAILER!!!", 0)
        return bytes(self._out)


class Modules:
    """The modules of a kernel, by name, with their dependencies in load order: of lib/modules/RELEASE, or of the tree in
    which a kernel was built."""

    def __init__(self, moddir):
        self._moddir = moddir
        self._paths = {}
        self._deps = {}
        with open(os.path.join(moddir, "modules.builtin"), encoding="ascii") as builtin:
            self._builtin = {self.name(line.strip()) for line in builtin}
        if os.path.exists(os.path.join(moddir, "modules.dep")):
            self._read_installed()
        else:
            self._read_tree()

    def _read_installed(self):
        with open(os.path.join(self._moddir, "modules.dep"), encoding="ascii") as dep:
            for line in dep:
                path, _, deps = line.partition(":")
                self._paths[self.name(path)] = path
                self._deps[self.name(path)] = [self.name(d) for d in deps.split()]

    def _read_tree(self):
        """A tree has no list of dependencies: each module has its own. Since 6.2, the list has names of objects."""
        with open(os.path.join(self._moddir, "modules.order"), encoding="ascii") as order:
            for line in order:
                path = re.sub(r"\.k?o$", ".ko", line.strip())
                self._paths[self.name(path)] = path

    def _needs(self, name):
        if name not in self._deps:
            self._deps[name] = module_depends(self.read(name))
        return self._deps[name]

    def __contains__(self, name):
        return name in self._builtin or name in self._paths

    def is_builtin(self, name):
        return name in self._builtin

    def time(self, name):
        """When the file of a module has changed."""
        return os.stat(os.path.join(self._moddir, self._paths[name])).st_mtime_ns

    @staticmethod
    def name(path):
        return os.path.basename(path).split(".ko")[0].replace("-", "_")

    def order(self, names):
        """Return names and everything they need, each after what it needs."""
        done = []

        def visit(name):
            if name in done or name in self._builtin:
                return
            if name not in self._paths:
                raise LookupError(f"kernel module {name} is not in {self._moddir}")
            for dep in self._needs(name):
                visit(dep)
            done.append(name)

        for name in names:
            visit(name)
        return done

    def read(self, name):
        path = os.path.join(self._moddir, self._paths[name])
        with open(path, "rb") as module:
            data = module.read()
        if path.endswith(".xz"):
            return lzma.decompress(data)
        if path.endswith(".zst"):
            return subprocess.run(["zstd", "-dcq"], input=data, stdout=subprocess.PIPE,
                                  check=True).stdout
        return data


def module_depends(data):
    """Return the names that a module file says it depends on."""
    match = re.search(rb"\0depends=([^\0]*)\0", data)
    return [Modules.name(d.decode()) for d in match.group(1).split(b",") if d] if match else []


def base_layer(cache, kernel, init):
    """Return the path of the base layer, built now unless it is cached."""
    modules = Modules(kernel["KMODDIR"])
    names = modules.order([*BASE_MODULES, *(name for name in OTHER_MODULES if name in modules), "panthor"])
    with open(init, "rb") as script:
        init_data = script.read()
    with open(__file__, "rb") as source:
        key = hashlib.sha256(source.read() + init_data)
    for word in (kernel["KREL"], kernel["KMODDIR"], kernel["BUSYBOX"], *names):
        key.update(word.encode() + b"\0")
    for name in names:
        key.update(b"%d\0" % modules.time(name))
    path = os.path.join(cache, f"base-{key.hexdigest()[:16]}.cpio")
    if os.path.exists(path):
        return path

    archive = Archive()
    for folder in ("proc", "sys", "tmp", "out", "root", "run"):
        archive.folder(folder)
    archive.node("dev/console", 5, 1)
    archive.node("dev/null", 1, 3)
    with open(kernel["BUSYBOX"], "rb") as busybox:
        archive.file("bin/busybox", busybox.read(), 0o755)
    archive.link("bin/sh", "busybox")
    archive.file("init", init_data, 0o755)
    for name in names:
        archive.file(f"modules/{name}.ko", modules.read(name))
    write_atomically(path, archive.finish())
    return path


def write_atomically(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "wb") as out:
        out.write(data)
    os.rename(temporary, path)
