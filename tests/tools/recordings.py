# SPDX-License-Identifier: GPL-2.0 or MIT
"""Recordings and Perfetto traces, read by the descriptions of their formats, for tests."""

import os
import re
import struct
import subprocess
import zlib

TOOLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "tools", "panthor-perf")
TYPES = ["", "fw", "cshw", "tiler", "memsys", "shader", "neural", "csg"]
SAMPLE, START, STOP, CLOCKS, METADATA, GPU_INFO, MARK, INDEX, END, TABLE, OTHER_CLOCKS = 1, 2, 3, 4, 7, 8, 9, 10, 11, 13, 15
OVERFLOW, ERROR, STRETCHED, FINAL = 1, 2, 4, 8
COMPACT, ALLOW_SUSPEND, WAKEUP = 1, 2, 4


class Recording:
    """A file, read by the description of its format."""

    def __init__(self, path):
        self.data = open(path, "rb").read()
        (magic, self.version, header_size, info_size, section_size, sections, self.sample_size, _set, self.gpu_id,
         self.period, _cores, self.flags, _pad) = struct.unpack_from("<8s8I2Q2I", self.data)
        assert magic == b"PTPRFRAW" and header_size == 64 + info_size + sections * section_size
        self.counters, self.header, self.block_header = struct.unpack_from("<3I", self.data, 64)
        self.asked = {}
        for i in range(sections):
            kind, _pad, first, _pad, mask = struct.unpack_from("<BBHIQ", self.data, 64 + info_size + i * section_size)
            self.asked.setdefault(kind, set()).update(first + bit for bit in range(64) if mask >> bit & 1)
        self.records = []
        at = header_size
        while at < len(self.data):
            kind, size = struct.unpack_from("<2I", self.data, at)
            self.records.append((kind, at, self.data[at + 8:at + size]))
            at += size
        assert at == len(self.data)
        self.samples = [self.parse_sample(body) for kind, _at, body in self.records if kind == SAMPLE]

    def parse_sample(self, body):
        start, end, _set, flags, user, cycles, _core, _shader, _stamp, nr, merged, events = struct.unpack_from(
            "<2QIIQ4QQII", body, 8)
        blocks, indices = {}, {}
        at = 8 + self.header
        while at < len(body):
            kind = body[at]
            # A compact sample has what was asked for alone.
            places = sorted(self.asked[kind]) if self.flags & COMPACT else range(self.counters)
            counters = struct.unpack_from(f"<{len(places)}Q", body, at + self.block_header)
            name = TYPES[kind] if kind < len(TYPES) else "?"
            blocks.setdefault(name, []).append(dict(zip(places, counters)))
            indices.setdefault(name, []).append(body[at + 1])
            at += self.block_header + 8 * len(places)
        return {"start": start, "end": end, "flags": flags, "user": user, "cycles": cycles,
                "nr": nr, "merged": merged, "events": events, "blocks": blocks, "indices": indices}

    def of_kind(self, kind):
        return [body for k, _at, body in self.records if k == kind]

    def value(self, sample, block, index, instance=None):
        blocks = self.samples[sample]["blocks"][block]
        return blocks[instance][index] if instance is not None else sum(b[index] for b in blocks)

    def names(self):
        """Places of the counters by name, as the counter table in the file has them."""
        places = {}
        block = None
        for line in (self.of_kind(TABLE) or [b""])[0].rstrip(b"\0").decode().splitlines():
            words = line.split()
            if line.startswith("block "):
                block = words[1]
            elif block and line.startswith(" ") and words and words[0].isdigit():
                shift = re.search(r" shift (\d+)", line)
                places[words[1]] = (block, int(words[0]), int(shift[1]) if shift else 0)
            elif line and not line.startswith((" ", "#")):
                block = None
        return places

    def marks(self):
        """Id, number of the sample and name of each mark."""
        found = []
        for body in self.of_kind(MARK):
            mark_id, sample, _at, size, _pad = struct.unpack_from("<3Q2I", body)
            found.append((mark_id, sample, body[32:32 + size].decode()))
        return found


def decode_text(text):
    """What protoc --decode prints, as nested lists of (field, value)."""
    stack = [[]]
    for line in text.splitlines():
        line = line.strip()
        if line.endswith("{"):
            inner = []
            stack[-1].append((line[:-2], inner))
            stack.append(inner)
        elif line == "}":
            stack.pop()
        else:
            name, value = line.split(": ", 1)
            stack[-1].append((name, value))
    assert len(stack) == 1
    return stack[0]


def get(fields, name, default=None):
    return next((v for k, v in fields if k == name), default)


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def expand(data):
    """A trace without compressed packets."""
    expanded = []
    at = 0
    while at < len(data):
        begin = at
        tag, at = varint(data, at)
        assert tag == 1 << 3 | 2, f"field {tag >> 3} of a trace"
        size, at = varint(data, at)
        # compressed_packets is field 50, which stands alone in its packet.
        inner, behind = varint(data, at)
        if inner == 50 << 3 | 2:
            length, behind = varint(data, behind)
            assert behind + length == at + size, "a compressed packet with something else"
            expanded.append(expand(zlib.decompress(data[behind:behind + length])))
        else:
            expanded.append(data[begin:at + size])
        at += size
    return b"".join(expanded)


def load_trace(path):
    with open(path, "rb") as file:
        data = expand(file.read())
    run = subprocess.run(["protoc", f"--proto_path={TOOLS}", "--decode=perfetto.protos.Trace", "perfetto/perfetto.proto"],
                         input=data, stdout=subprocess.PIPE, check=False)
    return decode_text(run.stdout.decode()) if not run.returncode else []


def text(value):
    return value[1:-1] if value else value
