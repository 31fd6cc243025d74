# SPDX-License-Identifier: GPL-2.0 or MIT
"""What a run's logs say: the verdict on the kernel's messages and on the GPU's truth log.

The guest writes its own lines into the kernel log, so that their order among the kernel's
messages is certain and no line breaks another:

    @begin TEST		@end TEST EXIT-STATUS	@done
    @ok TEXT		@not-ok TEXT
    @expect MIN MAX REGEX
			the rest of this test makes the kernel say this so many times
    @tolerate REGEX	it may say this
    @host VERB ...	asked of the runner

IGT's tests, and the small harness of tests/igt, write which subtest starts, and regular expressions of what the
kernel may say, or not, until the next one does.
"""

import re

# A kernel message that matches one of these fails the run unless the test announced it.
COMPLAINTS = [re.compile(pattern) for pattern in (
    r"\bWARNING: ",
    r"\bWARN_",
    r"\bBUG: ",
    r"\bBUG \S+ \(",
    r"^FIX \S+: ",
    r"pagealloc: (single bit error|memory corruption)",
    r"kernel BUG at",
    r"\bOops\b",
    r"Internal error:",
    r"Unable to handle kernel",
    r"Kernel panic",
    r"Call trace:",
    r"INFO: (possible|task|trying|rcu|inconsistent)",
    r"rcu: INFO:",
    r"possible (recursive|circular|irq|deadlock)",
    r"inconsistent lock state",
    r"suspicious RCU usage",
    r"lock held when returning to user space",
    r"lockdep is turned off",
    r"bad unlock balance",
    r"refcount_t: ",
    r"scheduling while atomic",
    r"sleeping function called from invalid context",
    r"\b(KASAN|UBSAN|KCSAN|KFENCE): ",
    r"kmemleak: [1-9][0-9]* new suspected",
    r"list_(add|del) corruption",
    r"soft lockup|hard LOCKUP",
    r"blocked for more than \d+ seconds",
    r"irq \d+: nobody cared",
    r"Unbalanced (pm_runtime|enable)",
    r"Runtime PM usage count underflow",
    r"DMA-API: ",
    r"ODEBUG: ",
    r"panthor.*\*ERROR\*",
    r"\[drm.*\*ERROR\*",
    r"panthor.*probe with driver panthor failed",
    r"(?i)firmware.*failed with error",
    r": Unknown symbol",
    r"disagrees about version of symbol",
)]

# What loading a module that the distribution did not sign makes the kernel say, and what the DMA
# checker of a debug kernel says when it starts. The virtual GPU completes a reset with the write of
# the command: panthor misses that only if the host stops the guest for longer than 100 ms.
ALLOWED = [re.compile(pattern) for pattern in (
    r"^panthor: loading out-of-tree module taints kernel\.$",
    r"^panthor: module verification failed: signature and/or required key missing - tainting kernel$",
    r"^DMA-API: preallocated \d+ debug entries$",
    r"^DMA-API: debugging enabled by kernel config$",
    r"^panthor \S+ \[drm\] \*ERROR\* Soft reset timeout$",
)]

IGT_STARTS = re.compile(r"\[IGT\] \S+: starting (?:dynamic )?subtest (\S+)")
IGT_IGNORES = re.compile(r"add ignored dmesg regex: (.*)$")

KERNEL_LINE = re.compile(r"\[ *\d+\.\d+\](?:\[ *[TC]\d+\])? (.*)$")
RAW_LINE = re.compile(r"^<(\d+)>\[ *\d+\.\d+\](?:\[ *[TC]\d+\])? (.*)$")


def warnings_of(raw_dmesg):
    """Return the driver's messages of level warning and worse in the output of dmesg -r."""
    found = set()
    for line in raw_dmesg.splitlines():
        match = RAW_LINE.match(line)
        if match and int(match.group(1)) <= 4 and re.search(r"panthor|\[drm", match.group(2)):
            found.add(match.group(2).strip())
    return found


class Verdict:
    """A list of (passed, text), and what of it concerns which test."""

    def __init__(self):
        self.results = []

    def ok(self, text):
        self.results.append((True, text))

    def not_ok(self, text):
        self.results.append((False, text))

    @property
    def failed(self):
        return sum(not passed for passed, _ in self.results)

    @property
    def passed(self):
        return sum(passed for passed, _ in self.results)


class _Expectation:
    def __init__(self, pattern, least=1, most=None):
        self.pattern = pattern
        self.regex = re.compile(pattern)
        self.least = least
        self.most = most
        self.hits = 0

    @classmethod
    def of(cls, text):
        """From "MIN MAX REGEX"."""
        match = re.match(r"(\d+) (\d+) (.+)", text)
        if not match or int(match.group(1)) > int(match.group(2)):
            raise ValueError("not MIN MAX REGEX")
        return cls(match.group(3), int(match.group(1)), int(match.group(2)))

    def fault(self):
        """What is wrong with the number of messages, or None."""
        if not self.hits and self.least:
            return f"announced message did not come - {self.pattern}"
        if self.hits < self.least or (self.most is not None and self.hits > self.most):
            return f"announced message came {self.hits} times, not {self.least} to {self.most} - {self.pattern}"
        return None


class LogJudge:
    """Takes the serial log line by line and tells each verdict as soon as it is known."""

    def __init__(self, verdict, warnings=(), at_boot=()):
        """at_boot are regular expressions of messages announced from the start to the first test."""
        self._verdict = verdict
        self._warnings = warnings
        self._test = None
        self._lines = 0
        self._expected = [_Expectation(pattern) for pattern in at_boot]
        self._ignored = []
        self._subtest = None
        self._complaints = []
        self.ended = []
        self.done = False

    def line(self, line):
        match = KERNEL_LINE.search(line.rstrip())
        if not match:
            return
        text = match.group(1).strip()
        if text.startswith("@"):
            self._guest(text)
        elif match := IGT_STARTS.search(text):
            self._ignored, self._subtest = [], match.group(1)
        elif match := IGT_IGNORES.search(text):
            self._ignore(text, match.group(1))
        else:
            self._kernel(text)

    def _ignore(self, text, pattern):
        try:
            self._ignored.append(re.compile(pattern))
        except re.error as error:
            self._verdict.not_ok(f"{self._test}: {text} - not a regular expression: {error}")

    def _guest(self, text):
        verb, _, rest = text.partition(" ")
        if verb == "@begin":
            self._end_expectations("boot")
            self._test, self._lines, self._expected = rest, 0, []
            self._ignored, self._subtest = [], None
        elif verb == "@ok":
            self._lines += 1
            self._verdict.ok(f"{self._test}: {rest}")
        elif verb == "@not-ok":
            self._lines += 1
            self._verdict.not_ok(f"{self._test}: {rest}")
        elif verb == "@expect":
            try:
                self._expected.append(_Expectation.of(rest))
            except re.error as error:
                self._verdict.not_ok(f"{self._test}: @expect {rest} - not a regular expression: {error}")
            except ValueError as error:
                self._verdict.not_ok(f"{self._test}: @expect {rest} - {error}")
        elif verb == "@tolerate":
            self._ignore(text, rest)
        elif verb == "@end":
            self._end(rest)
        elif verb == "@done":
            self.done = True

    def _end(self, rest):
        name, _, status = rest.rpartition(" ")
        if status != "0":
            self._verdict.not_ok(f"{name}: exit status - {status}")
        elif not self._lines:
            self._verdict.not_ok(f"{name}: asserted nothing")
        self._end_expectations(name)
        self.ended.append(name)
        self._test = self._subtest = None
        self._ignored = []

    def _end_expectations(self, name):
        for expectation in self._expected:
            fault = expectation.fault()
            if fault:
                self._verdict.not_ok(f"{name}: {fault}")
        self._expected = []

    def _kernel(self, text):
        announced = False
        for expectation in self._expected:
            if expectation.regex.search(text):
                expectation.hits += 1
                announced = True
        if announced or any(regex.search(text) for regex in [*ALLOWED, *self._ignored]):
            return
        if text in self._warnings or any(regex.search(text) for regex in COMPLAINTS):
            where = f"{self._test}, {self._subtest}" if self._subtest else self._test
            self._complaints.append((where, text))

    def finish(self):
        """The log is complete: the last verdicts."""
        if self._test:
            self._verdict.not_ok(f"{self._test}: did not end")
        if self._complaints:
            for test, text in self._complaints[:5]:
                where = f" (during {test})" if test else ""
                self._verdict.not_ok(f"kernel log: unannounced message{where} - {text}")
        else:
            self._verdict.ok("kernel log: no unannounced complaint")
        if not self.done:
            self._verdict.not_ok("guest: did not come to its end")


def judge_truth(verdict, lines, name="truth log"):
    """A truth log has to be complete, without a broken rule and without an unknown register."""
    end = None
    bad = []
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] in ("violation", "unimplemented"):
            bad.append(line.strip())
        elif words[0] == "end":
            end = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    for line in bad[:5]:
        verdict.not_ok(f"{name}: {line}")
    if end is None:
        verdict.not_ok(f"{name}: has no end line")
        return
    for what in ("violations", "unimplemented"):
        if end.get(what) == "0":
            verdict.ok(f"{name}: {what} 0")
        else:
            verdict.not_ok(f"{name}: {what} {end.get(what, 'not told')}")
