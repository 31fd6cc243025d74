# SPDX-License-Identifier: GPL-2.0 or MIT
"""What a developer brings to a guest: a kernel, a Mesa, a root file system, ports of this host. Each is checked before
anything is built or started, and what is wrong with it is one sentence."""

import os
import re
import shutil
import socket
import subprocess

from panthor_perf.initramfs import Modules
from panthor_perf.machine import escaped

AARCH64 = 183
LOADERS = ("lib/ld-linux-aarch64.so.1", "usr/lib/ld-linux-aarch64.so.1",
           "usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1")
# What the guest needs of a kernel from its first instruction on, and what the modules are called that it needs otherwise
BUILT_IN = ("CONFIG_SERIAL_AMBA_PL011_CONSOLE", "CONFIG_BLK_DEV_INITRD", "CONFIG_DEVTMPFS", "CONFIG_DEBUG_FS")
MODULE_OPTIONS = {"virtio_mmio": "CONFIG_VIRTIO_MMIO", "virtio_console": "CONFIG_VIRTIO_CONSOLE",
                  "fixed": "CONFIG_REGULATOR_FIXED_VOLTAGE", "panthor": "CONFIG_DRM_PANTHOR",
                  "virtio_blk": "CONFIG_VIRTIO_BLK", "ext4": "CONFIG_EXT4_FS", "virtio_net": "CONFIG_VIRTIO_NET"}
DISK_MODULES = ("virtio_blk", "ext4")
NET_MODULES = ("virtio_net",)
ROOM_MIB = 256
# In the run's folder: a system and a Mesa; and where the guest has the latter
DISK_FILES = ("system.img", "mesa.img")
PLACE = "/own-mesa"


class Unusable(Exception):
    """Why something cannot be used."""


# ---- A kernel ----

def _check_image(image):
    """Is it a kernel that QEMU starts?"""
    try:
        with open(image, "rb") as file:
            head = file.read(64)
    except OSError as error:
        raise Unusable(f"KERNEL_IMAGE={image}: {error.strerror}") from error
    if head[:2] == b"\x1f\x8b" or head[56:60] == b"ARM\x64":
        return
    if head[4:8] == b"zimg":
        raise Unusable(f"KERNEL_IMAGE={image}: a compressed EFI image; name Image or Image.gz beside it")
    raise Unusable(f"KERNEL_IMAGE={image}: no kernel for arm64: arch/arm64/boot/Image of a tree, or a vmlinuz of /boot "
                   "is wanted")


def _modules_of(image):
    """Where the modules of an image are, if its place says so."""
    folder, name = os.path.split(os.path.realpath(image))
    if folder.endswith("/arch/arm64/boot"):
        return folder[:-len("/arch/arm64/boot")]
    if name in ("vmlinux", "vmlinuz") and os.path.exists(os.path.join(folder, "modules.builtin")):
        return folder
    if match := re.fullmatch(r"vmlinu[xz]-(.+)", name):
        for place in ("lib/modules", "usr/lib/modules"):
            if os.path.isdir(found := os.path.join(folder, "..", place, match.group(1))):
                return os.path.realpath(found)
    return None


def _config_of(image, modules):
    for path in (os.path.join(modules, ".config"), os.path.join(modules, "config"),
                 re.sub(r"/vmlinu[xz]-([^/]+)$", r"/config-\1", image)):
        if path != image and os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                return path, dict(re.findall(r"^(CONFIG_\w+)=(.*)$", file.read(), re.M))
    return None, {}


def _release_of(modules):
    path = os.path.join(modules, "include/config/kernel.release")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    return os.path.basename(modules)


def kernel(image, modules, more):
    """The settings of a kernel, as fetch-kernel.sh has them; modules is a folder or None, more names of modules that are
    needed besides those for the GPU."""
    _check_image(image)
    image = os.path.realpath(image)
    modules = modules or _modules_of(image)
    if not modules:
        raise Unusable(f"KERNEL_IMAGE={image}: its place does not say where its modules are: KERNEL_MODULES=FOLDER, the "
                       "tree of the kernel or lib/modules/RELEASE")
    modules = os.path.realpath(modules)
    if not os.path.exists(os.path.join(modules, "modules.builtin")) or not any(
            os.path.exists(os.path.join(modules, name)) for name in ("modules.dep", "modules.order")):
        raise Unusable(f"{modules} has no modules: make modules has not run there, or it is not lib/modules/RELEASE")
    path, config = _config_of(image, modules)
    if missing := [name for name in BUILT_IN if path and config.get(name) != "y"]:
        raise Unusable(f"{path}: the guest needs {' and '.join(f'{name}=y' for name in missing)}")
    known = Modules(modules)
    for name in ("virtio_mmio", "virtio_console", "fixed", "panthor", *more):
        try:
            for needed in known.order([name]):
                known.time(needed)
        except LookupError as error:
            raise Unusable(f"{modules} has no {name}: {MODULE_OPTIONS[name]}=m or =y is needed ({error})") from error
        except OSError as error:
            raise Unusable(f"{error.filename} is missing: run make modules") from error
    return {"KIMAGE": image, "KMODDIR": modules, "KREL": _release_of(modules)}


# ---- Mesa ----

def _find(folder, pattern):
    """The files of a folder whose names match, as paths in it, the shortest first."""
    found = []
    for place, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(place, name), folder) for name in names if re.fullmatch(pattern, name)]
    return sorted(found, key=lambda path: (path.count("/"), path))


def _check_machine(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        head = file.read(20)
    if head[:4] != b"\x7fELF" or int.from_bytes(head[18:20], "little") != AARCH64:
        raise Unusable(f"MESA={folder}: {name} is not for arm64")


class Mesa:
    """An installed Mesa: a folder that has been the prefix or DESTDIR of its installation, or a whole system."""

    def __init__(self, folder):
        if not os.path.isdir(folder):
            raise Unusable(f"MESA={folder}: no such folder")
        self.folder = os.path.realpath(folder)
        self.vulkan = next(iter(_find(self.folder, r"libvulkan_panfrost\.so")), None)
        self.gl = next(iter(_find(self.folder, r"libgallium.*\.so|panfrost_dri\.so|libEGL_mesa\.so\.0\..*")), None)
        if not self.vulkan and not self.gl:
            raise Unusable(f"MESA={folder}: neither libvulkan_panfrost.so nor a Gallium driver is below it: configure "
                           "Mesa with -D vulkan-drivers=panfrost or -D gallium-drivers=panfrost, and run ninja install")
        for name in (self.vulkan, self.gl):
            if name:
                _check_machine(self.folder, name)
        self.is_system = any(os.path.lexists(os.path.join(self.folder, name)) for name in LOADERS)

    def environment(self, place):
        """The variables with which programs find it, if it is at PLACE in the guest."""
        words = {"PAN_I_WANT_A_BROKEN_VULKAN_DRIVER": "1"}
        if self.is_system:
            return words
        libraries = {os.path.dirname(name) for name in (self.vulkan, self.gl) if name}
        libraries = [name for name in libraries if os.path.basename(name) != "dri"]
        libraries += [os.path.dirname(name) for name in _find(self.folder, r"libEGL_mesa\.so.*|libgbm\.so.*")]
        words["LD_LIBRARY_PATH"] = ":".join(sorted({os.path.join(place, name) for name in libraries}))
        if self.vulkan:
            words["VK_DRIVER_FILES"] = words["VK_ICD_FILENAMES"] = "/etc/own-mesa.json"
        if vendor := _find(self.folder, r"50_mesa\.json"):
            words["__EGL_VENDOR_LIBRARY_FILENAMES"] = os.path.join(place, vendor[0])
        if drivers := _find(self.folder, r"(panfrost|libdril)_dri\.so"):
            words["LIBGL_DRIVERS_PATH"] = os.path.join(place, os.path.dirname(drivers[0]))
        return words

    def manifest(self, place):
        """For the Vulkan loader: the installed one may name another place."""
        return ('{ "file_format_version": "1.0.1", "ICD": { "library_path": "%s", "api_version": "1.4.0" } }\n' %
                os.path.join(place, self.vulkan))


# ---- Ports ----

def forwards(words):
    """The option of QEMU that forwards ports, from words PORT or PORT:GUEST. The guest reaches nothing."""
    rules = []
    for word in words:
        match = re.fullmatch(r"(\d+)(?::(\d+))?", word)
        ports = [int(port) for port in match.groups() if port] if match else [0]
        if not all(0 < port < 65536 for port in ports):
            raise Unusable(f"FORWARD: '{word}' is not PORT or PORT:PORT-OF-THE-GUEST")
        with socket.socket() as probe:
            # As QEMU does: a connection that ended a moment ago is no obstacle.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", ports[0]))
            except OSError as error:
                raise Unusable(f"FORWARD: port {ports[0]} of this host: {error.strerror}") from error
        rules.append(f",hostfwd=tcp:127.0.0.1:{ports[0]}-:{ports[-1]}")
    return f"user,id=net,restrict=on{''.join(rules)}"


# ---- Disks ----

def format_of(image):
    """The format of a disk image, as QEMU calls it."""
    try:
        with open(image, "rb") as file:
            head = file.read(0x440)
    except OSError as error:
        raise Unusable(f"ROOT={image}: {error.strerror}") from error
    if head[:4] == b"QFI\xfb":
        return "qcow2"
    if len(head) < 0x440:
        raise Unusable(f"ROOT={image}: neither a disk nor a file system")
    if head[:2] == b"\x1f\x8b" or head[:6] in (b"\xfd7zXZ\0", b"(\xb5/\xfd\0\0") or head[:4] == b"(\xb5/\xfd":
        raise Unusable(f"ROOT={image}: it is compressed: unpack it first")
    if head[0x438:0x43a] != b"\x53\xef" and head[0x1fe:0x200] != b"\x55\xaa":
        raise Unusable(f"ROOT={image}: neither a partition table nor an ext4 file system is in it")
    return "raw"


def disk_of(folder, image):
    """Make an image of an ext4 file system with the files of a folder."""
    mke2fs = shutil.which("mke2fs") or next((path for path in ("/sbin/mke2fs", "/usr/sbin/mke2fs")
                                             if os.access(path, os.X_OK)), None)
    if not mke2fs:
        raise Unusable("the command mke2fs is missing: apt-get install e2fsprogs")
    size = sum(os.lstat(os.path.join(place, name)).st_blocks * 512
               for place, folders, names in os.walk(folder) for name in [*folders, *names])
    done = subprocess.run([mke2fs, "-q", "-t", "ext4", "-E", "root_owner=0:0", "-d", folder, image,
                           f"{size * 5 // 4 // 2**20 + ROOM_MIB}M"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise Unusable(f"mke2fs of {folder}: {done.stdout.decode(errors='replace').strip()[-300:]}")


class Disks:
    """The disks of a guest: the system in which programs run, and a Mesa that is not part of it."""

    def __init__(self, root, mesa, base):
        self._root, self._mesa, self._base = root, mesa, base
        self._disks = []
        self._format = "raw"
        if root:
            self._format = format_of(root)
            if mesa and mesa.is_system:
                raise Unusable(f"MESA={mesa.folder} is a whole system, since it has a dynamic loader, and so is ROOT={root}: "
                               "one of them is wanted")
        self.has_gl = bool(mesa and mesa.gl)
        self.needs_base = not root and not mesa.is_system and not base

    def make(self, folder):
        """Make those that are not there yet."""
        system = os.path.join(folder, DISK_FILES[0])
        if self._root:
            self._disks.append(("root", self._root, self._format))
        else:
            disk_of(self._mesa.folder if self._mesa.is_system else self._base, system)
            self._disks.append(("root", system, "raw"))
        if self._mesa and not self._mesa.is_system:
            own = os.path.join(folder, DISK_FILES[1])
            disk_of(self._mesa.folder, own)
            self._disks.append(("mesa", own, "raw"))

    def arguments(self):
        """Those of QEMU. What the guest writes is lost when it ends."""
        words = []
        for name, path, kind in self._disks:
            words += ["-drive", f"if=none,id={name},format={kind},snapshot=on,file={escaped(os.path.realpath(path))}",
                      "-device", f"virtio-blk-device,drive={name},serial={name}"]
        return words

    def describe(self, archive):
        """Tell the guest what is where."""
        words = self._mesa.environment(PLACE) if self._mesa else {}
        archive.file("etc/own-environment", "".join(f"export {name}='{value}'\n" for name, value in words.items()).encode())
        archive.file("etc/own-disks", "".join(f"{name}\n" for name, _, _ in self._disks).encode())
        if self._mesa and not self._mesa.is_system and self._mesa.vulkan:
            archive.file("etc/own-mesa.json", self._mesa.manifest(PLACE).encode())
