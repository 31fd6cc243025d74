# SPDX-License-Identifier: GPL-2.0 or MIT
#
# The two commands are "make demo" and "make check"; "make help" lists the others.

# A list of make's has spaces between its words.
ifneq ($(word 2,x$(CURDIR)$(DESTDIR)$(PREFIX)),)
$(error make cannot handle a path with spaces: '$(CURDIR)'$(if $(DESTDIR)$(PREFIX), or '$(DESTDIR)$(PREFIX)'))
endif

MAKEFLAGS += --no-print-directory
VMALI ?=
V ?=
export KDIR SRC CROSS_COMPILE JOBS
export PANTHOR_PERF_KERNEL := $(KERNEL)
export PANTHOR_PERF_MAINLINE := $(MAINLINE)

.PHONY: help
help:
	@echo 'make demo           counter samples of the virtual GPU, from an empty system, compared with the'
	@echo '                    GPU'"'"'s own totals'
	@echo '    VMALI=PROPS       another GPU: VMALI="shader-present=0x7,l2-slices=2,csg-counters=on"'
	@echo '                      or a false value in the log, which the demo must find: VMALI=x-skew=SHADER:0:5'
	@echo 'make check          all tests; the last line is "N passed, N failed, N skipped"'
	@echo '                    but those of the night: scripts/check.py --list-nightly'
	@echo '    STAGES="..."      some of: $(shell scripts/check.py --list)'
	@echo '                      or jobs of them, as scripts/check.py --jobs lists them'
	@echo '    JOBS=N            N jobs in parallel, and N compilers each; with 1 one after the other'
	@echo 'make check-kernels  module, KUnit suites and guest tests with the kernels of scripts/kernels.list'
	@echo '    KERNEL=SERIES     ... with one: $(shell awk '!/^#/ && NF { print $$1 }' scripts/kernels.list | sort -uV | tr '\n' ' ')'
	@echo 'make mesa           Debian'"'"'s own Mesa on the virtual GPU as the workload: the last line is'
	@echo '                    "mesa: N steps, M samples, K counters compared with the GPU'"'"'s own totals, 0 differ"'
	@echo '    SUITE=S VMALI=P   Mesa of trixie (default) or sid; properties of the virtual GPU'
	@echo '    GL=1 STOCK=1      OpenGL ES, too; with Debian'"'"'s own panthor.ko'
	@echo 'make vulkan-layer   the Vulkan layer on that Mesa: counters of each submission, compared with the GPU'"'"'s'
	@echo '                    own totals and with known costs'
	@echo 'make layer-demo     ... pictures of its frames, by label and by type'
	@echo 'make beliefs        the guest tests of samples on each pair of answers to open questions about firmware'
	@echo 'make debug-guest    the guest tests on a kernel built with KASAN, lockdep, kmemleak and others, and'
	@echo '                    with the driver in tree'
	@echo 'make stress         2 x 100,000 calls of all kinds at once on the debug kernel, compared with the log; the last'
	@echo '                    line is "N passed, N failed, N skipped"'
	@echo '    SEED=N STOCK=1    repeat these random numbers; on the kernel of make check'
	@echo '    TESTS="..."       other parts: scripts/stress.sh --help names them'
	@echo 'make igt            IGT GPU Tools on an x86_64 debug kernel: its tests of panthor and those of tests/igt'
	@echo '    TEST=T SUBTEST=S  ... one test, one subtest of it'
	@echo 'make igt-arm64      those of tests/igt on an arm64 guest, with a small harness in place of IGT'
	@echo '    DEBUG=1 TEST=T    on the debug kernel; one test'
	@echo 'make coverage       which lines of the driver KUnit and guests reach; the others with the reason'
	@echo 'make mutants        how many bugs that are put into the driver, one line at a time, the tests detect'
	@echo '    SEED=N COUNT=N    ... repeat these random numbers; number of mutants'
	@echo 'make bench          cost of a sample, as ratios to loops that do the least possible work'
	@echo 'make fresh          make demo in a fresh Debian that debootstrap creates; needs root'
	@echo '    SUITE=S CHECK=1   bookworm or trixie instead of this release; make check after it'
	@echo 'make nightly        all of these, one after the other; the report is build/nightly/report.txt'
	@echo '    NIGHT="..."       some of: $(shell scripts/nightly.sh --list | sed -n 's/^\([a-z0-9-]*\)\t.*/\1/p')'
	@echo 'make modules        build/module/panthor.ko for the newest Debian 6.12 arm64 kernel'
	@echo '    KERNEL=SERIES     ... of another series'
	@echo '    KDIR=FOLDER       ... for this kernel: KDIR=/lib/modules/$$(uname -r)/build on a board'
	@echo '    SRC=FOLDER        ... with the panthor files of this source tree'
	@echo 'make tools          the library and the command line tool, for this host and for the guest'
	@echo 'make deb            the Debian packages, in build/deb: library, command line tool, and the driver for DKMS'
	@echo 'make dkms           the life of the package with the driver in an arm64 Debian; needs root'
	@echo '    SUITE=S           ... bookworm or trixie instead of this release'
	@echo 'make series KERNEL=SERIES'
	@echo '                    the patches for mainline, in build/linux-SERIES/series; BISECT=1 tests each;'
	@echo '                    FROM="Name <address>" signs them off; SERIES=N makes those of one series alone;'
	@echo '                    make debug-guest KERNEL=SERIES MAINLINE=1 runs the guest tests with them;'
	@echo '                    make check STAGES=series boots the kernel of each series'
	@echo 'make igt-series     the tests of tests/igt as patches for IGT, in build/igt-series; FROM= as above;'
	@echo '    IGT=FOLDER        ... for these sources of IGT, not those of Debian unstable'
	@echo 'make mesa-series    the counters for Mesa'"'"'s own tools as patches, in build/mesa-series; FROM= as above;'
	@echo '    MESA=FOLDER       ... for these sources of Mesa, not the newest of the archive that they fit'
	@echo 'make perf-json      the counters as events and metrics for perf, to be built into it: build/perf-json'
	@echo 'make install        library, command line tool, manual pages, headers: DESTDIR= PREFIX=/usr/local'
	@echo 'make guest TESTS="probe ping" [STOCK=1 | DEBUG=1] [VMALI=PROPS]'
	@echo '                    some tests of tests/guest, with the console shown; builds what has changed first;'
	@echo '                    with several GPUs: VMALI="PROPS;PROPS"'
	@echo 'make shell          a shell in that guest, with the load of the demo and the tools; STOCK=1, DEBUG=1, VMALI='
	@echo '    KERNEL_IMAGE=FILE ... on a kernel of your own (KERNEL_MODULES=FOLDER: its modules are there)'
	@echo '    MESA=FOLDER       ... with a Mesa of your own (SUITE=S: with libraries of this suite of Debian)'
	@echo '    ROOT=IMAGE        ... with an arm64 system on a disk; TRACE=1: with instructions in the log'
	@echo '    FORWARD="2345"    ... with ports of this host for programs in the guest, such as gdbserver'
	@echo 'make docs           Documentation/gpu as web pages, in build/doc'
	@echo 'make deps           name and install the Debian packages that all this needs'
	@echo 'make clean          remove build/ (downloads and QEMU stay in ~/.cache/panthor-perf)'

# What builds begins with a test of the folders: minutes may pass before it writes into the second one.
BUILDING := demo check stress igt coverage igt-arm64 bench deb dkms series igt-series mesa-series fresh nightly mutants \
	mesa vulkan-layer layer-demo beliefs debug-guest check-kernels perf-json modules tools guest shell docs

# What needs no cache, some of it because variables name the sources.
WITHOUT_CACHE := perf-json $(if $(KDIR),$(if $(SRC),modules)) $(if $(IGT),igt-series) $(if $(MESA),mesa-series)

$(filter-out $(WITHOUT_CACHE),$(BUILDING)): | writable
$(WITHOUT_CACHE): | writable-build

.PHONY: writable writable-build
writable writable-build:
	@TOP=$$PWD sh -euc '. "$$TOP/scripts/lib/lib.sh"; need_$(subst -,_,$@)' make

.PHONY: deps
deps:
	@scripts/deps.sh

.PHONY: demo
demo:
	@scripts/demo.sh $(if $(VMALI),--vmali '$(VMALI)')

.PHONY: check
check:
	@scripts/check.py $(STAGES)

.PHONY: stress
stress:
	@scripts/stress.sh $(if $(STOCK),,--debug) $(if $(SEED),--seed $(SEED)) $(or $(TESTS),everything)

.PHONY: igt
igt:
	@scripts/igt.py $(if $(TEST),--name one --test '$(TEST)') $(if $(SUBTEST),--subtest '$(SUBTEST)') \
		$(if $(VMALI),--vmali '$(VMALI)')

.PHONY: coverage
coverage:
	@scripts/coverage.py

.PHONY: igt-arm64
igt-arm64:
	@scripts/igt-arm64.sh $(if $(DEBUG),--debug) $(if $(TEST),--name one-arm64 --test '$(TEST)') \
		$(if $(SUBTEST),--subtest '$(SUBTEST)') $(if $(VMALI),--vmali '$(VMALI)')

.PHONY: bench
bench:
	@scripts/bench.py

.PHONY: deb
deb:
	@scripts/deb.sh

.PHONY: dkms
dkms:
	@scripts/dkms.sh $(if $(SUITE),--suite '$(SUITE)')

.PHONY: series
series:
	@scripts/series.py $(if $(BISECT),--bisect) $(if $(SERIES),--series '$(SERIES)') $(if $(filter command,$(origin FROM)),--from='$(subst ','\'',$(FROM))')

.PHONY: igt-series
igt-series:
	@scripts/igt-series.py $(if $(IGT),--source '$(IGT)') \
		$(if $(filter command,$(origin FROM)),--from='$(subst ','\'',$(FROM))')

.PHONY: mesa-series
mesa-series:
	@scripts/mesa-series.py $(if $(MESA),--source '$(MESA)') \
		$(if $(filter command,$(origin FROM)),--from='$(subst ','\'',$(FROM))')

.PHONY: fresh
fresh:
	@scripts/fresh.sh $(if $(SUITE),--suite '$(SUITE)') $(if $(CHECK),--check)

.PHONY: nightly
nightly:
	@scripts/nightly.sh $(if $(NIGHT),--jobs '$(NIGHT)')

.PHONY: mutants
mutants:
	@scripts/mutants.py $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT))

.PHONY: mesa
mesa:
	@scripts/mesa.sh $(if $(SUITE),--suite '$(SUITE)') $(if $(GL),--gl) $(if $(STOCK),--stock) $(if $(VMALI),--vmali '$(VMALI)')

.PHONY: vulkan-layer
vulkan-layer:
	@scripts/vulkan-layer.sh $(if $(VMALI),--vmali '$(VMALI)')

.PHONY: layer-demo
layer-demo:
	@scripts/layer-demo.sh $(if $(VMALI),--vmali '$(VMALI)')

.PHONY: beliefs
beliefs:
	@scripts/check.py beliefs

.PHONY: debug-guest
debug-guest:
	@scripts/check.py debug-guest

.PHONY: check-kernels
check-kernels:
	@scripts/check-kernels.sh $(KERNEL)

.PHONY: perf-json
perf-json:
	@scripts/perf-json.py build/perf-json

.PHONY: modules
modules:
	@scripts/build/build-module.sh
	@echo "build/$(if $(filter-out 6.12,$(KERNEL)),linux-$(KERNEL)/)module/panthor.ko is ready"

.PHONY: tools
tools:
	@scripts/build/build-tools.sh

.PHONY: install uninstall
install uninstall:
	@$(MAKE) -s -C tools $@

.PHONY: guest
guest:
	@scripts/guest.sh $(if $(STOCK),--stock) $(if $(DEBUG),--debug) $(if $(VMALI),--vmali '$(VMALI)') $(TESTS)

.PHONY: shell
shell:
	@scripts/guest.sh --shell $(if $(STOCK),--stock) $(if $(DEBUG),--debug) $(if $(VMALI),--vmali '$(VMALI)') \
		$(if $(KERNEL_IMAGE),--image '$(KERNEL_IMAGE)') $(if $(KERNEL_MODULES),--modules '$(KERNEL_MODULES)') \
		$(if $(MESA),--mesa '$(MESA)') $(if $(SUITE),--suite '$(SUITE)') $(if $(ROOT),--root '$(ROOT)') \
		$(if $(FORWARD),--forward '$(FORWARD)') $(if $(TRACE),--trace)

.PHONY: docs
docs:
	@scripts/docs.sh

.PHONY: clean
clean:
	rm -rf build
