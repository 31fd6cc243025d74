/*
 * QTest of the virtual Arm Mali CSF GPU: what ends the truth log
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test.h"

/* QEMU says one sentence, and why the log of that name ended. */
static void check_said(const char *said, const char *truth, const char *why)
{
    g_autofree char *want = g_strdup_printf(": vmali: the run ends, since its "
                                            "truth log '%s' %s\n", truth, why);

    g_assert_true(g_str_has_suffix(said, want));
    g_assert_cmpuint(strcspn(said, "\n"), ==, strlen(said) - 1);
}

static char *contents(const char *name)
{
    char *text;

    g_assert_true(g_file_get_contents(name, &text, NULL, NULL));
    return text;
}

static void test_size(void)
{
    g_autofree char *truth = temporary_file();
    g_autofree char *properties = g_strdup_printf("truth=%s,truth-size=4K",
                                                  truth);
    g_autofree char *said = gpu_run("", properties);
    g_autofree char *log = contents(truth);

    check_said(said, truth, "has reached truth-size, 4096 bytes");
    /* The record that reached it is whole, and the last one. */
    g_assert_cmpuint(strlen(log), >=, 4096);
    g_assert_cmpuint(strlen(log), <, 4096 + 80);
    g_assert_true(g_str_has_suffix(log, "register 0x0\n"));
    unlink(truth);
}

static void test_full_at_start(void)
{
    g_autofree char *said = gpu_refused("-device vmali,truth=/dev/full");

    g_assert_true(g_str_has_suffix(said, ": truth: cannot write '/dev/full': "
                                         "No space left on device\n"));
}

/* A file that may not grow stands for a disk that is full. */
static void test_full(void)
{
    g_autofree char *truth = temporary_file();
    g_autofree char *properties = g_strdup_printf("truth=%s", truth);
    g_autofree char *said = gpu_run("trap '' XFSZ; ulimit -f 8;", properties);
    g_autofree char *log = contents(truth);

    check_said(said, truth, "cannot be written: File too large");
    g_assert_cmpuint(strlen(log), >=, 4096);
    g_assert_null(strstr(log, "\nend "));
    unlink(truth);
}

void add_truth_tests(void)
{
    qtest_add_func("/vmali/truth/size", test_size);
    qtest_add_func("/vmali/truth/full-at-start", test_full_at_start);
    qtest_add_func("/vmali/truth/full", test_full);
}
