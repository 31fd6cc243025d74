#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 or MIT
"""usage: tools/html/compose.py UPLOT OUT

Makes OUT, the page that panthor-perf writes with the data of a recording in place of @DATA@: page.html of this folder
with page.css, page.js and uPlot of the folder UPLOT, with uPlot's licence, and with a Content-Security-Policy that
allows these scripts and styles by their SHA-256 and nothing else. OUT stays untouched if it is the same already.
"""

import base64
import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.realpath(__file__))


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def hashes(texts):
    return " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts)


def page(uplot):
    parts = {"@CHART_CSS@": read(uplot, "uPlot.min.css"), "@CHART_JS@": read(uplot, "uPlot.iife.min.js"),
             "@PAGE_CSS@": read(HERE, "page.css"), "@PAGE_JS@": read(HERE, "page.js")}
    for name, text in parts.items():
        # They would end the element that they are in.
        if re.search(r"</(script|style)|<!--", text, re.I):
            sys.exit(f"compose.py: {name} has the end of an element in it")
    policy = ["default-src 'none'", "base-uri 'none'", "form-action 'none'",
              f"script-src {hashes([parts['@CHART_JS@'], parts['@PAGE_JS@']])}",
              f"style-src {hashes([parts['@CHART_CSS@'], parts['@PAGE_CSS@']])}"]
    licence = read(uplot, "LICENSE").strip()
    if "--" in licence or "MIT" not in licence:
        sys.exit("compose.py: this is not the licence of uPlot that is expected")
    parts.update({"@POLICY@": "; ".join(policy), "@LICENCE@": licence})
    return re.sub(r"@(?!DATA)[A-Z_]+@", lambda match: parts[match.group()], read(HERE, "page.html"))


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    uplot, out = sys.argv[1:]
    text = page(uplot)
    if os.path.exists(out) and read("", out) == text:
        return 0
    os.makedirs(os.path.dirname(out) or ".", exist_ok=True)
    with open(f"{out}.{os.getpid()}", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(f"{out}.{os.getpid()}", out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
