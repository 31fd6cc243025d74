# SPDX-License-Identifier: GPL-2.0 or MIT
"""The properties of the virtual GPU as --vmali has them: PROPERTY=VALUE,..., of several GPUs with semicolons between them.
As a program, prints its argument without blanks around properties, or what is wrong with it."""

import re
import sys

LIST = "tests/vmali/README.md lists the properties"


def checked_properties(text):
    """The properties as QEMU reads them. QEMU itself takes "nonsense" for "nonse=off"."""
    gpus = []
    for gpu in text.split(";"):
        # Two commas are one comma in a value.
        words = [word.strip() for word in re.findall(r"(?:,,|[^,])+", gpu)]
        for word in filter(None, words):
            if not re.match(r"[\w-]+=", word):
                raise ValueError(f"'{word}' is not PROPERTY=VALUE; {LIST}")
        gpus.append(",".join(filter(None, words)))
    return ";".join(gpus)


def said_by_qemu(path, gpus):
    """The last line of QEMU's errors. Of a GPU's properties it has the message, not the whole argument of QEMU."""
    with open(path, encoding="utf-8", errors="replace") as errors:
        lines = [line.strip() for line in errors if line.strip()]
    if not lines:
        return "it said nothing"
    said = re.sub(r"^\S*qemu-system-\w+: ", "", lines[-1])
    if match := re.match(r"-device vmali[\w-]*,id=(gpu\d+),.*?: ", said):
        number = f"{match.group(1)} of {gpus}" if gpus > 1 else match.group(1)
        return f"{number}: {said[match.end():]}; {LIST}"
    return said


if __name__ == "__main__":
    try:
        print(checked_properties(sys.argv[1]))
    except ValueError as error:
        print(error)
        sys.exit(1)
