#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/docs.sh
#
# Renders the pages of Documentation/gpu, with the descriptions of the interface and of the driver that they take from
# the sources, into build/doc. Sphinx does it, with the extension of the kernel's own sources. A warning is an error.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

options -- "$@"
DEPS_OPTION=--docs
need sphinx-build perl
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"

out=$BUILD/doc
mkdir -p "$out"
exec 9>"$out.lock"
flock 9
rm -rf "$out/source"
mkdir -p "$out/source"
cp "$TOP"/Documentation/gpu/* "$out/source/"
cat >"$out/source/conf.py" <<END
import sys
sys.path.insert(0, '$KSRC/Documentation/sphinx')
project = 'panthor-perf'
extensions = ['kerneldoc']
kerneldoc_bin = ['$KSRC/scripts/kernel-doc'][0]
kerneldoc_srctree = '$TOP'
html_theme = 'alabaster'
html_theme_options = {'fixed_sidebar': True, 'page_width': '1100px'}
highlight_language = 'none'
END
cat >"$out/source/index.rst" <<END
panthor-perf
============

.. toctree::
   :maxdepth: 1

$(cd "$TOP/Documentation/gpu" && ls ./*.rst | sed 's|^\./\(.*\)\.rst$|   \1|')
END
note "rendering the pages (about half a minute)"
run_logged "$out/log" sphinx-build -q -W --keep-going -b html "$out/source" "$out/html" || die "the pages cannot be rendered"
echo "${out#"$TOP/"}/html/index.html"
