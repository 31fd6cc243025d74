# SPDX-License-Identifier: GPL-2.0 or MIT
"""Unmodified programs of Debian, and what must be the same with the layer as without. Used by run.py --debian.

A Program has the command, and how to judge it:

    text	what it prints on the standard output
    picture	the last picture on its screen, of an X server of its own; it may not be empty
    status	its exit status alone: the clock or a random number is in what it shows

With "layer" a layer of Debian's is in between; with "frames" it presents as many; with "quits" it
runs until that key is pressed; "says" must be in its output. It may run for "timeout_s" seconds.
With "unsanitized" it has an allocator of its own, and runs only if the layer has no sanitizer. If
it is not "alone", several of its processes use Vulkan: the log of the fake driver is not read.
"allowed" has messages of Khronos' validation that are right about the program, and that it has in
some runs only.
"""

import ctypes
import os
import re
import subprocess
import time
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.realpath(__file__))
WIDTH, HEIGHT = 320, 240
SERVER = ("Xvfb", "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-noreset", "-nolisten", "tcp")
SCREEN = "Xvfb_screen0"
POLL_S = 0.1
# For programs that hang: the slowest takes a twentieth of it on an idle machine.
TIMEOUT_S = 240


@dataclass
class Program:
    """A command, and how to judge it."""
    command: list
    judge: str = "status"
    env: dict = field(default_factory=dict)
    layer: str = ""
    says: tuple = ()
    frames: int = 0
    quits: str = ""
    timeout_s: int = TIMEOUT_S
    unsanitized: bool = False
    alone: bool = True
    allowed: tuple = ()

    @property
    def needs_screen(self):
        """Whether it opens a window."""
        return self.judge != "text" or self.quits


# What ffmpeg prints are the sums of the frames.
FFMPEG = ("ffmpeg -hide_banner -loglevel error -nostdin -init_hw_device vulkan=v:0 -filter_hw_device v "
          "-f lavfi -i testsrc2=s=128x96:r=5:d=1 "
          "-filter_complex {} -f framemd5 -")
ONE = "[0]format=yuv420p,hwupload,{},hwdownload,format=yuv420p"
FILTERS = {
    "avgblur_vulkan": ONE,
    "bwdif_vulkan": ONE,
    "chromaber_vulkan": ONE,
    "color_vulkan": "color_vulkan=c=orange:s=128x96:r=5:d=1:format=yuv420p,hwdownload,format=yuv420p",
    "flip_vulkan": ONE,
    "gblur_vulkan": ONE.format("gblur_vulkan=sigma=3"),
    "hflip_vulkan": ONE,
    "libplacebo": ONE.format("libplacebo=w=64:h=48:format=yuv420p"),
    "scale_vulkan": ONE.format("scale_vulkan=w=64:h=48"),
    "transpose_vulkan": ONE,
    "vflip_vulkan": ONE,
}
# They differ from run to run without the layer, those with two inputs in about one of 25 runs.
NOISY_FILTERS = ("nlmeans_vulkan", "blend_vulkan", "overlay_vulkan", "xfade_vulkan")
SCENES = ("clear", "vertex", "texture", "shading", "cube", "desktop", "effect2d", "shadow")
# vkmark 2025.01 has a semaphore for each image of the swapchain, and takes them in turns. Before it gives one to
# vkAcquireNextImageKHR again, it waits for the fence of the acquisition that has signalled it, and not for the submission that
# waits for it: that has no fence (but that of "clear"). So validation has a message from the frame on in which the first
# semaphore comes again. On a busy machine the run without the layer may have too few frames for it.
REUSES = ("VUID-vkAcquireNextImageKHR-semaphore-01779",)
ZINK = {"MESA_LOADER_DRIVER_OVERRIDE": "zink", "LIBGL_ALWAYS_SOFTWARE": "1"}
# Its GPU process draws all with Vulkan, the page itself too.
CHROMIUM = ("/usr/lib/chromium/chromium --headless=new --no-sandbox --use-angle=vulkan --use-vulkan=native "
            "--enable-features=Vulkan --ignore-gpu-blocklist --disable-breakpad --disable-extensions "
            "--disable-component-update --disable-background-networking "
            f"--virtual-time-budget=100 --dump-dom file://{HERE}/webgl.html")
# The X server may not have its last picture before it exits.
VKCUBE = "vkcube --c 20 --width 200 --height 200".split()
# Those scenes that glmark2 compares with what it knows.
GLMARK = ("build", "texture", "shading", "bump", "pulsar", "desktop", "buffer")

PROGRAMS = {
    **{f"ffmpeg-{name.split('_')[0]}": Program(FFMPEG.format(graph.format(name)).split(), "text")
       for name, graph in FILTERS.items()},
    **{f"vkmark-{name}": Program(f"vkmark --winsys headless -s 128x128 -b {name}:duration=0.2".split(),
                                 allowed=() if name == "clear" else REUSES) for name in SCENES},
    "vkcube": Program(VKCUBE, frames=20),
    "vkcube-mangohud": Program(VKCUBE, env={"MANGOHUD": "1"}, frames=20),
    "vkcube-vkbasalt": Program(VKCUBE, env={"ENABLE_VKBASALT": "1"}, frames=20),
    "vkcube-overlay": Program(VKCUBE, layer="VK_LAYER_MESA_overlay",
                              env={"VK_LAYER_MESA_OVERLAY_CONFIG": "output_file=/dev/null"}, frames=20),
    "vkd3d-triangle": Program(["vkd3d-triangle"], "picture", quits="Escape"),
    "vkd3d-gears": Program(["vkd3d-gears"], quits="Escape"),
    "mpv": Program("mpv --no-config --gpu-sw=yes --vo=gpu-next --gpu-api=vulkan --ao=null --osc=no --geometry=160x120+0+0 "
                   "--pause --really-quiet av://lavfi:testsrc2=size=160x120:rate=10:duration=2".split(), "picture", quits="q"),
    **{f"glmark2-{name}": Program(f"glmark2 --validate -b {name}".split(), env=ZINK,
                                      says=("zink Vulkan", "Validation: Success")) for name in GLMARK},
    "chromium": Program(CHROMIUM.split(), "text", says=("ANGLE", "Vulkan 1.", "llvmpipe", "20 pictures, many colours"),
                        timeout_s=3 * TIMEOUT_S, unsanitized=True, alone=False),
    "gtk4": Program("gtk4-demo --run=paintable --autoquit".split(), env={"GSK_RENDERER": "vulkan"}),
}


class Screen:
    """An X server, with a file of its pixels. It ends with close(), and not with its last window."""

    def __init__(self, folder):
        self.file = os.path.join(folder, SCREEN)
        os.makedirs(folder, exist_ok=True)
        reader, writer = os.pipe()
        self.server = subprocess.Popen([*SERVER, "-fbdir", folder, "-displayfd", str(writer)], pass_fds=(writer,),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as number:
            self.display = f":{number.readline().strip()}"
        self.show_background()

    def show_background(self):
        """A window below all others, without a background: what they have shown stays when they are closed."""
        xlib = ctypes.CDLL("libX11.so.6")
        for name in ("XOpenDisplay", "XDefaultRootWindow", "XCreateSimpleWindow"):
            getattr(xlib, name).restype = ctypes.c_void_p
        display = ctypes.c_void_p(xlib.XOpenDisplay(self.display.encode()))
        root = ctypes.c_void_p(xlib.XDefaultRootWindow(display))
        window = ctypes.c_void_p(xlib.XCreateSimpleWindow(display, root, 0, 0, WIDTH, HEIGHT, 0, 0, 0))
        xlib.XSetWindowBackgroundPixmap(display, window, None)
        xlib.XMapWindow(display, window)
        xlib.XSync(display, 0)

    def pixels(self):
        """The picture: the pixels behind the header of an X window dump, or nothing if all are equal."""
        with open(self.file, "rb") as file:
            data = file.read()
        header = int.from_bytes(data[:4], "big")
        colors = int.from_bytes(data[19 * 4:20 * 4], "big")
        pixels = data[header + 12 * colors:]
        return b"" if pixels == pixels[:4] * (len(pixels) // 4) else pixels

    def press_when_shown(self, key, process, timeout_s):
        """Press a key when a program has shown a picture, or has had the time for it."""
        end = time.monotonic() + timeout_s
        while not self.pixels() and process.poll() is None and time.monotonic() < end:
            time.sleep(POLL_S)
        # To the window under the pointer: no window manager gives the focus to another one.
        subprocess.run(["xdotool", "mousemove", "8", "8", "key", key], env=dict(os.environ, DISPLAY=self.display), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)

    def close(self):
        """End the server."""
        self.server.terminate()
        self.server.wait()


def missing_filters():
    """Filters of ffmpeg that use Vulkan and that nothing here tries."""
    listed = subprocess.run(["ffmpeg", "-hide_banner", "-filters"], stdout=subprocess.PIPE, text=True, check=True).stdout
    names = re.findall(r"^ [T.][S.][C.]? +(\w+_vulkan|libplacebo) ", listed, re.MULTILINE)
    return sorted(set(names) - set(FILTERS) - set(NOISY_FILTERS)) if names else ["any"]
