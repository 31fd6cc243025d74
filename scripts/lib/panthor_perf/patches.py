# SPDX-License-Identifier: GPL-2.0 or MIT
"""Patches for other projects: a folder of git with the files that they change, commits, git
format-patch with a cover letter, and git am on the project's own source."""

import fcntl
import os
import re
import shutil
import subprocess
import textwrap

from panthor_perf.series import uapi_of
from panthor_perf.settings import SCRIPTS, TOP, die, note, text_of, write

UAPI = "include/uapi/drm/panthor_drm.h"
HEADER = "include/uapi/drm/panthor_perf_drm.h"
# git needs an author. Without --from, the patches are not signed off.
NOBODY = ("panthor-perf", "unsigned@localhost")
FROM_HELP = "author of the patches, who signs them off"


class Problem(Exception):
    """The source is not what the patches expect."""


def newest_kernel():
    """The newest series of scripts/kernels.list."""
    lines = text_of(os.path.join(SCRIPTS, "kernels.list")).splitlines()
    series = [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]
    return max(series, key=lambda name: [int(part) for part in name.split(".")])


def panthor_header():
    """The newest kernel's panthor_drm.h with the counters, as the kernel series has it, in the form
    that user space gets it; and the kernel's version."""
    env = dict(os.environ, PANTHOR_PERF_KERNEL=newest_kernel())
    run = subprocess.run(
        [os.path.join(SCRIPTS, "build", "fetch-kernel.sh")],
        stdout=subprocess.PIPE,
        env=env,
        check=False,
    )
    if run.returncode:
        die(
            "the interface of the counters is added to the newest kernel's panthor_drm.h, which cannot be fetched"
        )
    kernel = dict(re.findall(r"^([A-Z_0-9]+)='?(.*?)'?$", run.stdout.decode(), re.M))
    header = uapi_of(
        text_of(os.path.join(kernel["KSRC"], UAPI)), text_of(os.path.join(TOP, HEADER))
    )
    # What make headers_install does.
    return header.replace("_UAPI_PANTHOR_DRM_H_", "_PANTHOR_DRM_H_"), kernel["KVER"].split("-")[0]


def author_of(text):
    """Name and address out of "Name <address>"."""
    if not text:
        return NOBODY
    found = re.fullmatch(r"([^<>]*[^<>\s])\s*<([^<>\s]+@[^<>\s]+)>", text.strip())
    if not found:
        die(f"'{text}' is not of the form: Name <address>")
    return found[1], found[2]


def list_insert(text, name, entry, indent, after=None):
    """A file of Meson with one more string in the list NAME = [...], one entry a line: behind the
    last that is not larger, of those that begin with AFTER if there are such."""
    found = list(re.finditer(rf"^{name} = \[\n(.*?)^\]", text, re.M | re.S))
    if len(found) != 1:
        raise Problem(f"meson.build has {len(found)} lists {name}, not one")
    lines = found[0][1].splitlines()
    added = f"{indent}'{entry}',"
    if added in lines:
        raise Problem(f"{name} has {entry}")
    smaller = [place for place, line in enumerate(lines) if line.strip() < added.strip()]
    beside = [place for place in smaller if after and lines[place].strip().startswith(f"'{after}")]
    lines.insert(max(beside or smaller, default=-1) + 1, added)
    return text[: found[0].start(1)] + "\n".join(lines) + "\n" + text[found[0].end(1) :]


def lock(folder):
    """Wait until no other script makes patches in a folder. Held until the process ends."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    file = os.open(f"{folder}.lock", os.O_CREAT | os.O_RDWR, 0o644)
    fcntl.flock(file, fcntl.LOCK_EX)


def remove(folder):
    """Remove a folder with all that is in it, if it is there."""
    if os.path.exists(folder):
        shutil.rmtree(folder)


class Series:
    """The patches of a series, in a repository of their own below FOLDER."""

    def __init__(self, folder, source, author):
        self.folder = folder
        self.tree = os.path.join(folder, "tree")
        self.patches = os.path.join(folder, "patches")
        self._source = source
        self._author = author_of(author)
        self.signs = bool(author)
        self._count = 0
        self._base = ()
        for old in (self.tree, self.patches):
            remove(old)
        os.makedirs(self.tree)
        self.git("init", "-q")

    def git(self, *arguments, folder=None):
        """Run git, and return what it prints. It never takes a repository around the folder for the
        folder's own, and leaves nothing behind that works on."""
        folder = folder or self.tree
        env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        env["GIT_CEILING_DIRECTORIES"] = os.path.dirname(os.path.realpath(folder))
        name, address = self._author
        run = subprocess.run(
            [
                "git",
                "-C",
                folder,
                "-c",
                f"user.name={name}",
                "-c",
                f"user.email={address}",
                "-c",
                "core.autocrlf=false",
                "-c",
                "gc.auto=0",
                "-c",
                "maintenance.auto=false",
                *arguments,
            ],
            stdout=subprocess.PIPE,
            check=False,
            env=env,
        )
        if run.returncode:
            die(f"git {arguments[0]} failed")
        return run.stdout.decode()

    def base(self, name, paths):
        """The first commit: the files of the source that the patches change."""
        self._base = paths
        for path in paths:
            write(os.path.join(self.tree, path), self.original(path))
        self.git("add", "-A")
        self.git("commit", "-q", "-m", name)

    def original(self, path):
        """A file of the project's source."""
        full = os.path.join(self._source, path)
        if not os.path.isfile(full):
            raise Problem(f"there is no {path}")
        return text_of(full)

    def read(self, path):
        """A file as the patches so far have it."""
        return text_of(os.path.join(self.tree, path))

    def write(self, path, text):
        """Change or add a file."""
        write(os.path.join(self.tree, path), text)

    def commit(self, subject, text, width=72):
        """A patch with all changes of the tree."""
        self.git("add", "-A")
        body = "\n\n".join(
            part if part.startswith(" ") else textwrap.fill(part, width)
            for part in text.strip().split("\n\n")
        )
        self.git("commit", "-q", "-m", subject, "-m", body, *(["-s"] if self.signs else []))
        self._count += 1

    def finish(self, subject, cover, prefix):
        """Write the patches, and a cover letter. Returns the lines that are added and removed, with
        the subject, of each."""
        self.git(
            "format-patch",
            "-q",
            "--cover-letter",
            f"--subject-prefix={prefix}",
            "-o",
            self.patches,
            f"-{self._count}",
        )
        letter = next(
            os.path.join(self.patches, name)
            for name in os.listdir(self.patches)
            if name.startswith("0000-")
        )
        text = (
            text_of(letter)
            .replace("*** SUBJECT HERE ***", subject)
            .replace("*** BLURB HERE ***\n", cover)
        )
        write(letter, text)
        log = self.git("log", "--reverse", "--numstat", "--format=@%s", f"-{self._count}")
        table = []
        for entry in log.split("@")[1:]:
            subject, *numbers = entry.strip().splitlines()
            counts = [line.split("\t") for line in numbers if line]
            table.append(
                (
                    sum(int(plus) for plus, _, _ in counts),
                    sum(int(minus) for _, minus, _ in counts),
                    subject,
                )
            )
        return table

    @staticmethod
    def cover(path, **words):
        """The text of a cover letter, without the lines at its top that begin with #."""
        text = re.sub(r"\A(?:#.*\n)+\n*", "", text_of(path))
        return text.format(**words)

    def names(self):
        """The patches, in order."""
        return [
            os.path.join(self.patches, name)
            for name in sorted(os.listdir(self.patches))
            if not name.startswith("0000-")
        ]

    def apply(self, folder):
        """A copy of the whole source in FOLDER, on which git am has applied the patches. Its
        repository has the files that they change. Files that stay the same are links to those of
        the source."""
        remove(folder)
        if subprocess.run(
            ["cp", "-al", self._source, folder], stderr=subprocess.DEVNULL, check=False
        ).returncode:
            remove(folder)
            if subprocess.run(["cp", "-r", self._source, folder], check=False).returncode:
                die(f"{self._source} cannot be copied")
        remove(os.path.join(folder, ".git"))
        self.git("init", "-q", folder=folder)
        self.git("add", "-f", *self._base, folder=folder)
        self.git("commit", "-q", "-m", "source", folder=folder)
        self.git("am", "-q", *self.names(), folder=folder)

    def unsigned(self):
        """Say so if nobody signs."""
        if not self.signs:
            note(
                'without FROM="Name <address>" the patches have no Signed-off-by line: they cannot be sent'
            )
