# SPDX-License-Identifier: GPL-2.0 or MIT
#
# What the library and the program are made of, and what they are built with: for tools/Makefile and
# tests/tools/Makefile. One name a line, sorted. A name that is added here is built everywhere.

VERSION := 1.0
# Major version of the library's ABI: the number in its soname.
ABI := 1

# $(call gpu_id_members,PANTHOR_DRM_H): names that the header has for ids of 64 bits, as flags of gpu.c.
gpu_id_members = $(shell grep -owE 'gpu_wide_id|gpu_id_hi' $(1) | sort -u | sed 's/^/-DPANTHOR_HAS_/')

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
	G2.counters \
	G710.counters \
	G715.counters \
	G720.counters \
	G725.counters \

# tools/panthor-perf/
CLI_SOURCES := \
	commands/cmd_export.c \
	commands/cmd_info.c \
	commands/cmd_list.c \
	commands/cmd_plot.c \
	commands/cmd_prometheus.c \
	commands/cmd_record.c \
	commands/cmd_report.c \
	commands/cmd_run.c \
	commands/cmd_stat.c \
	commands/reader_args.c \
	commands/ways.c \
	common.c \
	counters/events.c \
	counters/formulas.c \
	counters/limit.c \
	counters/limit_print.c \
	counters/values.c \
	database/xml.c \
	database/xml_find.c \
	database/xml_table.c \
	diff/cmd_diff.c \
	diff/diff_side.c \
	diff/diff_stats.c \
	file/new_file.c \
	file/zst.c \
	main.c \
	measure/child.c \
	measure/record_args.c \
	measure/record_mark.c \
	measure/session_args.c \
	measure/stat_args.c \
	perfetto/perfetto.c \
	perfetto/perfetto_clocks.c \
	perfetto/perfetto_describe.c \
	perfetto/perfetto_groups.c \
	perfetto/perfetto_groups_table.c \
	perfetto/perfetto_out.c \
	perfetto/perfetto_tracks.c \
	print/lines.c \
	print/output.c \
	print/pager.c \
	print/print.c \
	print/print_brief.c \
	print/print_csv.c \
	print/print_json.c \
	print/print_table.c \
	print/text.c \
	print/text_json.c \
	recording/raw.c \
	recording/recording_clocks.c \
	recording/recording_head.c \
	recording/recording_meta.c \
	recording/recording_read.c \
	recording/recording_view.c \
	recording/recording_write.c \
	report/amounts.c \
	report/gnuplot.c \
	report/html.c \
	report/html_array.c \
	report/plot_write.c \
	report/report_columns.c \
	report/report_csv.c \
	report/report_json.c \
	report/report_table.c \
	selftest/cmd_selftest.c \
	selftest/cmd_selftest_cores.c \
	selftest/cmd_selftest_count.c \
	selftest/cmd_selftest_facts.c \
	selftest/cmd_selftest_fw.c \
	selftest/cmd_selftest_load.c \
	selftest/cmd_selftest_raw.c \
	selftest/cmd_selftest_words.c \
	selftest/cmd_selftest_work.c \
	terminal/cmd_top.c \
	terminal/top_rows.c \
	terminal/top_screen.c \

# tools/panthor-perf/: NAME.proto, compiled to NAME.pb-c.[ch] where there is protobuf-c. Sources
# include "NAME.pb-c.h" under #ifdef HAVE_PROTOBUF_C.
CLI_PROTOS := \
	perfetto/perfetto.proto \

# Libraries that the program needs, and those that it uses where they are: HAVE_NAME is defined to 1
# then. $(1): pkg-config's name.
has = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo 1)
PKG_CONFIG ?= pkg-config
PROTOC_C ?= protoc-c

HAVE_NCURSES ?= $(call has,ncursesw)
HAVE_LIBXML2 ?= $(call has,libxml-2.0)
HAVE_PROTOBUF_C ?= $(if $(shell command -v $(PROTOC_C)),$(call has,libprotobuf-c zlib))
HAVE_ZSTD ?= $(call has,libzstd)
HAVE_NCURSES := $(HAVE_NCURSES)
HAVE_LIBXML2 := $(HAVE_LIBXML2)
HAVE_PROTOBUF_C := $(HAVE_PROTOBUF_C)
HAVE_ZSTD := $(HAVE_ZSTD)

LIB_PACKAGES := libdrm
CLI_PACKAGES := json-c \
	$(if $(filter 1,$(HAVE_NCURSES)),ncursesw) \
	$(if $(filter 1,$(HAVE_LIBXML2)),libxml-2.0) \
	$(if $(filter 1,$(HAVE_PROTOBUF_C)),libprotobuf-c zlib) \
	$(if $(filter 1,$(HAVE_ZSTD)),libzstd)
CLI_DEFINES := \
	$(if $(filter 1,$(HAVE_NCURSES)),-DHAVE_NCURSES=1) \
	$(if $(filter 1,$(HAVE_LIBXML2)),-DHAVE_LIBXML2=1) \
	$(if $(filter 1,$(HAVE_PROTOBUF_C)),-DHAVE_PROTOBUF_C=1) \
	$(if $(filter 1,$(HAVE_ZSTD)),-DHAVE_ZSTD=1)
PROTO_SOURCES := $(if $(filter 1,$(HAVE_PROTOBUF_C)),$(CLI_PROTOS:%.proto=%.pb-c.c))
