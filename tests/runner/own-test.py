#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""Tests of what make shell says of a kernel, a Mesa, a root and ports that it cannot use, and of how it reads usable ones."""

import gzip
import os
import socket
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, f"{TOP}/scripts/lib")

from panthor_perf import own  # noqa: E402
from panthor_perf.initramfs import Modules  # noqa: E402

IMAGE = bytes(56) + b"ARM\x64" + bytes(100)
ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00"
ARM64, AMD64 = b"\xb7\x00", b"\x3e\x00"
BUILT_IN = "\n".join(f"{name}=y" for name in own.BUILT_IN)
failed = False


def result(good, text, why=""):
    global failed
    failed |= not good
    print(f"{'ok' if good else 'not ok'} {text}{'' if good else f' - {why}'}")


def put(folder, name, data=b""):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return path


def refused(text, words, call, *args):
    """The call has to fail with a sentence that has these words."""
    try:
        call(*args)
        result(False, text, "it was accepted")
    except own.Unusable as error:
        result(all(word in str(error) for word in words), text, str(error))


def module(depends=""):
    return b"\x7fELF\0license=GPL\0depends=" + depends.encode() + b"\0name=x\0"


def tree(folder, modules, config=BUILT_IN):
    """A tree in which a kernel was built; modules has names with what they depend on."""
    put(folder, "modules.builtin", "kernel/drivers/virtio/virtio.ko\n")
    put(folder, "modules.order", "".join(f"drivers/x/{name}.o\n" for name in modules))
    for name, depends in modules.items():
        put(folder, f"drivers/x/{name}.ko", module(depends))
    put(folder, "include/config/kernel.release", "7.9.0-rc1-mine+\n")
    put(folder, ".config", config + "\n")
    return put(folder, "arch/arm64/boot/Image", IMAGE)


GOOD = {"virtio_mmio": "", "virtio_console": "", "fixed": "", "drm_exec": "", "panthor": "drm_exec,virtio"}


def test_kernels(folder):
    image = tree(f"{folder}/tree", GOOD)
    kernel = own.kernel(image, None, ())
    result(kernel == {"KIMAGE": image, "KMODDIR": f"{folder}/tree", "KREL": "7.9.0-rc1-mine+"},
           "the image of a tree says where the tree is", kernel)
    order = Modules(kernel["KMODDIR"]).order(["panthor"])
    result(order == ["drm_exec", "panthor"], "the modules of a tree say what they need", order)
    put(folder, "other/Image.gz", gzip.compress(IMAGE))
    kernel = own.kernel(f"{folder}/other/Image.gz", f"{folder}/tree", ())
    result(kernel["KMODDIR"] == f"{folder}/tree", "a compressed image, with its modules", kernel)

    release = "6.1-x"
    put(folder, f"sys/boot/vmlinuz-{release}", IMAGE)
    put(folder, f"sys/lib/modules/{release}/modules.builtin")
    put(folder, f"sys/lib/modules/{release}/modules.dep",
        "k/virtio-mmio.ko:\nk/virtio_console.ko:\nk/fixed.ko:\nk/drm_exec.ko:\nk/panthor.ko: k/drm_exec.ko\n")
    for name in ("virtio-mmio", "virtio_console", "fixed", "drm_exec", "panthor"):
        put(folder, f"sys/lib/modules/{release}/k/{name}.ko", module())
    kernel = own.kernel(f"{folder}/sys/boot/vmlinuz-{release}", None, ())
    result(kernel["KREL"] == release, "an image of /boot says where its modules are", kernel)

    kernel = own.kernel(put(folder, f"sys/lib/modules/{release}/vmlinuz", IMAGE), None, ())
    result(kernel["KMODDIR"] == f"{folder}/sys/lib/modules/{release}", "an image beside its modules", kernel)

    refused("an image that is absent", ("KERNEL_IMAGE=", "No such file"), own.kernel, f"{folder}/absent", None, ())
    refused("an image for another machine", ("no kernel for arm64",), own.kernel,
            put(folder, "bad/bzImage", b"MZ" + bytes(200)), None, ())
    refused("a compressed EFI image", ("Image.gz",), own.kernel,
            put(folder, "bad/vmlinuz.efi", b"MZ\0\0zimg" + bytes(200)), None, ())
    refused("an image at a place that says nothing", ("KERNEL_MODULES=FOLDER",), own.kernel,
            put(folder, "bad/Image", IMAGE), None, ())
    refused("modules that are none", ("no modules",), own.kernel, f"{folder}/bad/Image", folder, ())
    for name, option in (("panthor", "CONFIG_DRM_PANTHOR"), ("virtio_console", "CONFIG_VIRTIO_CONSOLE")):
        image = tree(f"{folder}/without-{name}", {other: GOOD[other] for other in GOOD if other != name})
        refused(f"a kernel without {name}", (option,), own.kernel, image, None, ())
    image = tree(f"{folder}/tree3", GOOD, BUILT_IN.replace("CONFIG_DEVTMPFS=y", "# CONFIG_DEVTMPFS is not set"))
    refused("a kernel without devtmpfs", (".config", "CONFIG_DEVTMPFS=y"), own.kernel, image, None, ())
    image = tree(f"{folder}/tree4", GOOD)
    refused("a kernel that cannot read a disk", ("CONFIG_VIRTIO_BLK",), own.kernel, image, None, own.DISK_MODULES)
    refused("a kernel without a network", ("CONFIG_VIRTIO_NET",), own.kernel, image, None, own.NET_MODULES)
    os.unlink(f"{folder}/tree4/drivers/x/drm_exec.ko")
    refused("a module that was not built", ("drm_exec.ko", "make modules"), own.kernel, image, None, ())


def test_mesas(folder):
    put(folder, "usr/lib/aarch64-linux-gnu/libvulkan_panfrost.so", ELF + ARM64)
    put(folder, "usr/lib/aarch64-linux-gnu/dri/libdril_dri.so", ELF + ARM64)
    mesa = own.Mesa(folder)
    words = mesa.environment("/own-mesa")
    result(not mesa.is_system and words["LD_LIBRARY_PATH"] == "/own-mesa/usr/lib/aarch64-linux-gnu" and
           words["VK_DRIVER_FILES"] == "/etc/own-mesa.json" and
           words["LIBGL_DRIVERS_PATH"] == "/own-mesa/usr/lib/aarch64-linux-gnu/dri", "a Mesa in a folder", words)
    result('"/own-mesa/usr/lib/aarch64-linux-gnu/libvulkan_panfrost.so"' in mesa.manifest("/own-mesa"),
           "the Vulkan loader finds it", mesa.manifest("/own-mesa"))
    result(own.Disks(None, mesa, None).needs_base, "it needs a system")
    put(folder, "usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1", ELF + ARM64)
    system = own.Mesa(folder)
    result(system.is_system and system.environment("/") == {"PAN_I_WANT_A_BROKEN_VULKAN_DRIVER": "1"} and
           not own.Disks(None, system, None).needs_base, "a system with a Mesa", system.environment("/"))
    refused("a folder that is absent", ("no such folder",), own.Mesa, f"{folder}/absent")
    os.makedirs(f"{folder}/empty")
    refused("a folder without Mesa", ("vulkan-drivers=panfrost",), own.Mesa, f"{folder}/empty")
    put(folder, "pc/lib/libvulkan_panfrost.so", ELF + AMD64)
    refused("a Mesa for another machine", ("libvulkan_panfrost.so is not for arm64",), own.Mesa, f"{folder}/pc")
    return system


def test_roots(folder, system):
    partitions = bytearray(0x1000)
    partitions[0x1fe:0x200] = b"\x55\xaa"
    ext4 = bytearray(0x1000)
    ext4[0x438:0x43a] = b"\x53\xef"
    for name, data, kind in (("qcow2", b"QFI\xfb" + bytes(4096), "qcow2"), ("partitions", partitions, "raw"),
                             ("ext4", ext4, "raw")):
        got = own.format_of(put(folder, name, bytes(data)))
        result(got == kind, f"the format of an image: {name}", got)
    refused("an image that is absent", ("No such file",), own.format_of, f"{folder}/absent")
    refused("an image that is short", ("neither a disk",), own.format_of, put(folder, "short", b"x"))
    refused("an image that is compressed", ("unpack it",), own.format_of, put(folder, "gz", b"\x1f\x8b" + bytes(4096)))
    refused("an image that is something else", ("ext4",), own.format_of, put(folder, "else", b"x" * 4096))
    refused("two systems", ("one of them",), own.Disks, f"{folder}/ext4", system, None)

    files = f"{folder}/files"
    put(files, "etc/hello", "hello\n")
    own.disk_of(files, f"{folder}/made.img")
    done = subprocess.run(["/sbin/debugfs", "-R", "cat /etc/hello", f"{folder}/made.img"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    result(done.stdout == b"hello\n" and own.format_of(f"{folder}/made.img") == "raw", "a disk of a folder", done.stdout)


def test_forwards():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused("a port that another program has", (f"port {port} ", "in use"), own.forwards, [str(port)])
    got = own.forwards([str(port), f"{port}:22"])
    result(got == f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{port}-:{port},hostfwd=tcp:127.0.0.1:{port}-:22",
           "ports of this host and of the guest", got)
    for word in ("0", "65536", "22:", "ssh", "1:2:3", "99999:1", "1:99999", "-1"):
        refused(f"what is no port: {word}", (f"'{word}'", "PORT:PORT-OF-THE-GUEST"), own.forwards, [word])


def test_arguments():
    for text, words, said in (
            ("a kernel without a shell", ["--image", "x", "boot"], "--shell"),
            ("a kernel and --stock", ["--shell", "--stock", "--image", "x"], "its panthor.ko is its own"),
            ("modules without a kernel", ["--shell", "--modules", "x"], "goes with --image"),
            ("ports without a shell", ["--forward", "22", "boot"], "--shell"),
            ("a suite without a Mesa", ["--shell", "--suite", "sid"], "Debian's libraries for --mesa")):
        done = subprocess.run([f"{TOP}/scripts/guest.sh", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        result(done.returncode == 1 and said in done.stdout.decode(), f"wrong arguments: {text}", done.stdout.decode())


with tempfile.TemporaryDirectory() as top:
    top = os.path.realpath(top)
    test_kernels(f"{top}/kernels")
    test_roots(f"{top}/roots", test_mesas(f"{top}/mesas"))
test_forwards()
test_arguments()
sys.exit(1 if failed else 0)
