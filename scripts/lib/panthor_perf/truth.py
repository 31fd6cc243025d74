# SPDX-License-Identifier: GPL-2.0 or MIT
"""The virtual GPU's log, read while it grows."""

import re

TIMESTAMP = re.compile(rb"\btimestamp=(\d+)")


class Truth:
    """Keeps all lines but those of blocks, which are nearly all of it, and it has gigabytes."""

    def __init__(self, path):
        self._path = path
        self._read = 0
        self._lines = []
        self._counts = {}
        # Time stamps of the samples, and where their lines end.
        self._samples = []

    def _update(self):
        with open(self._path, "rb") as truth:
            truth.seek(self._read)
            for line in truth:
                if not line.endswith(b"\n"):
                    break
                self._read += len(line)
                if not line.startswith(b"block "):
                    self._lines.append(line[:-1].decode("ascii", "replace"))
                if line.startswith(b"sample ") and (stamp := TIMESTAMP.search(line)):
                    self._samples.append((int(stamp.group(1)), self._read))

    def count(self, pattern):
        """How many lines match."""
        self._update()
        seen, count = self._counts.get(pattern, (0, 0))
        count += sum(1 for line in self._lines[seen:] if re.search(pattern, line))
        self._counts[pattern] = (len(self._lines), count)
        return count

    def last(self, pattern):
        """The last line that matches, or nothing."""
        self._update()
        return next((line for line in reversed(self._lines) if re.search(pattern, line)), "")

    def sums(self, since, until, block, index):
        """Of a block, the sums over the samples with time stamps above since, up to until. The first is of
        the first counter behind the header; nothing when the block was in none of them."""
        self._update()
        prefix = f"block {block} {index} ".encode()
        sums = []
        with open(self._path, "rb") as truth:
            for stamp, place in self._samples:
                if not since < stamp <= until:
                    continue
                truth.seek(place)
                for line in truth:
                    if line.startswith(b"sample "):
                        break
                    if line.startswith(prefix) and line.endswith(b"\n"):
                        # "block TYPE INDEX en=MASK VALUE..."
                        values = [int(word) for word in line.split()[4:]]
                        sums = [a + b for a, b in zip(sums, values)] if sums else values
        return sums
