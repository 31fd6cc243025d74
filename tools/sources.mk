# SPDX-License-Identifier: GPL-2.0 or MIT
#
# What the library and the program are made of, and what they are built with: for tools/Makefile and
# tests/tools/Makefile. One name a line, sorted. A name that is added here is built everywhere.

VERSION := 1.0
# Major version of the library's ABI: the number in its soname.
ABI := 1

# tools/lib/panthor-perf/
LIB_SOURCES := \
	copy.c \
	device.c \
	error.c \
	expr.c \
	gpu.c \
	names.c \
	nodes.c \
	numbers.c \
	ring.c \
	sample.c \
	select.c \
	session.c \
	table.c \
	table_load.c \
	table_parse.c \
	table_scan.c \
	values.c \

# Public headers, installed. tools/lib/panthor-perf/
LIB_HEADERS := \
	panthor_perf.h \
	panthor_perf_counters.h \
	panthor_perf_select.h \
	panthor_perf_values.h \

# tools/examples/
EXAMPLES := \
	backend.c \
	marks.c \
	minimal.c \
	periodic.c \

# Those that need Vulkan: make mesa builds them.
VULKAN_EXAMPLES := \
	ordered.c \

# Counter tables that are compiled in. tools/counters/; found by .incbin "NAME".
COUNTER_TABLES := \
	G1.counters \
	G710.counters \
	G715.counters \
	G720.counters \
	G725.counters \

# tools/panthor-perf/
CLI_SOURCES := \
	amounts.c \
	child.c \
	cmd_diff.c \
	cmd_export.c \
	cmd_info.c \
	cmd_list.c \
	cmd_plot.c \
	cmd_record.c \
	cmd_report.c \
	cmd_run.c \
	cmd_selftest.c \
	cmd_selftest_cores.c \
	cmd_selftest_count.c \
	cmd_selftest_facts.c \
	cmd_selftest_fw.c \
	cmd_selftest_load.c \
	cmd_selftest_raw.c \
	cmd_selftest_words.c \
	cmd_selftest_work.c \
	cmd_stat.c \
	cmd_top.c \
	common.c \
	diff_side.c \
	diff_stats.c \
	events.c \
	gnuplot.c \
	html.c \
	html_array.c \
	limit.c \
	lines.c \
	main.c \
	new_file.c \
	output.c \
	perfetto.c \
	perfetto_clocks.c \
	perfetto_describe.c \
	perfetto_groups.c \
	perfetto_out.c \
	perfetto_tracks.c \
	plot_write.c \
	print.c \
	print_brief.c \
	print_csv.c \
	print_json.c \
	print_table.c \
	raw.c \
	reader_args.c \
	record_args.c \
	record_mark.c \
	recording_clocks.c \
	recording_head.c \
	recording_meta.c \
	recording_read.c \
	recording_view.c \
	recording_write.c \
	report_columns.c \
	report_csv.c \
	report_json.c \
	report_table.c \
	session_args.c \
	stat_args.c \
	text.c \
	top_rows.c \
	top_screen.c \
	values.c \
	ways.c \
	xml.c \
	xml_find.c \
	xml_table.c \

# tools/panthor-perf/: NAME.proto, compiled to NAME.pb-c.[ch] where there is protobuf-c. Sources
# include "NAME.pb-c.h" under #ifdef HAVE_PROTOBUF_C.
CLI_PROTOS := \
	perfetto.proto \

# Libraries that the program needs, and those that it uses where they are: HAVE_NAME is defined to 1
# then. $(1): pkg-config's name.
has = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo 1)
PKG_CONFIG ?= pkg-config
PROTOC_C ?= protoc-c

HAVE_NCURSES ?= $(call has,ncursesw)
HAVE_LIBXML2 ?= $(call has,libxml-2.0)
HAVE_PROTOBUF_C ?= $(if $(shell command -v $(PROTOC_C)),$(call has,libprotobuf-c zlib))
HAVE_NCURSES := $(HAVE_NCURSES)
HAVE_LIBXML2 := $(HAVE_LIBXML2)
HAVE_PROTOBUF_C := $(HAVE_PROTOBUF_C)

LIB_PACKAGES := libdrm
CLI_PACKAGES := json-c \
	$(if $(filter 1,$(HAVE_NCURSES)),ncursesw) \
	$(if $(filter 1,$(HAVE_LIBXML2)),libxml-2.0) \
	$(if $(filter 1,$(HAVE_PROTOBUF_C)),libprotobuf-c zlib)
CLI_DEFINES := \
	$(if $(filter 1,$(HAVE_NCURSES)),-DHAVE_NCURSES=1) \
	$(if $(filter 1,$(HAVE_LIBXML2)),-DHAVE_LIBXML2=1) \
	$(if $(filter 1,$(HAVE_PROTOBUF_C)),-DHAVE_PROTOBUF_C=1)
PROTO_SOURCES := $(if $(filter 1,$(HAVE_PROTOBUF_C)),$(CLI_PROTOS:%.proto=%.pb-c.c))
