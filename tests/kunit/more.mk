# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Suites that lie beside those of the driver in a tree for tests. Their larger fake firmware is there in place of the
# driver's. Included by Makefile.perf of the driver.

panthor-$(CONFIG_DRM_PANTHOR_PERF_KUNIT_TEST) += \
	tests/panthor_perf_answers_test.o \
	tests/panthor_perf_beliefs_test.o \
	tests/panthor_perf_calls_test.o \
	tests/panthor_perf_clock_mode_test.o \
	tests/panthor_perf_clock_test.o \
	tests/panthor_perf_counts_test.o \
	tests/panthor_perf_events_more_test.o \
	tests/panthor_perf_fake_fw_test.o \
	tests/panthor_perf_fake_mcu.o \
	tests/panthor_perf_faults_test.o \
	tests/panthor_perf_headers_test.o \
	tests/panthor_perf_layout_more_test.o \
	tests/panthor_perf_ledger_test.o \
	tests/panthor_perf_neural_test.o \
	tests/panthor_perf_order_test.o \
	tests/panthor_perf_ordered_more_test.o \
	tests/panthor_perf_periodic_more_test.o \
	tests/panthor_perf_power_test.o \
	tests/panthor_perf_random_test.o \
	tests/panthor_perf_reboot_test.o \
	tests/panthor_perf_sampler_more_test.o \
	tests/panthor_perf_select_more_test.o \
	tests/panthor_perf_session_more_test.o \
	tests/panthor_perf_sleep_test.o \
	tests/panthor_perf_stamps_test.o \
	tests/panthor_perf_states_test.o \
	tests/panthor_perf_time_more_test.o \
	tests/panthor_perf_wakeup_test.o \
	tests/panthor_perf_wide_test.o

ifeq ($(CONFIG_DRM_PANTHOR_PERF_RAWDUMP),y)
panthor-$(CONFIG_DRM_PANTHOR_PERF_KUNIT_TEST) += tests/panthor_perf_rawdump_test.o
endif

# These suites create files and user memory: their functions are not exported to modules.
ifeq ($(CONFIG_DRM_PANTHOR),y)
ifeq ($(CONFIG_DRM_PANTHOR_PERF_CONTROL),y)
panthor-$(CONFIG_DRM_PANTHOR_PERF_KUNIT_TEST) += tests/panthor_perf_control_test.o
endif
panthor-$(CONFIG_DRM_PANTHOR_PERF_KUNIT_TEST) += \
	tests/panthor_perf_errno_features_test.o \
	tests/panthor_perf_errno_setup_test.o \
	tests/panthor_perf_errno_test.o \
	tests/panthor_perf_hooks_test.o \
	tests/panthor_perf_limits_test.o \
	tests/panthor_perf_sets_test.o \
	tests/panthor_perf_syncs_test.o
endif
