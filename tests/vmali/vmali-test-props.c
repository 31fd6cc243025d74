/*
 * QTest of the virtual Arm Mali CSF GPU: properties, and devices that fail
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/misc/vmali_compat.h"
#include "vmali-test.h"

static bool is_property(QDict *entry)
{
    const char *type = qdict_get_str(entry, "type");

    return !g_str_has_prefix(type, "child<") &&
           !g_str_has_prefix(type, "link<");
}

/* What -device vmali,help prints */
static void test_help(void)
{
    static const char *const without_default[] = {
        "truth", "load", "x-skew", NULL
    };
    Gpu *g = gpu_start("");
    QDict *reply = qtest_qmp(g->qts, "{'execute': 'device-list-properties', "
                             "'arguments': {'typename': 'vmali'}}");
    unsigned count = 0;
    QListEntry *e;

    QLIST_FOREACH_ENTRY(qdict_get_qlist(reply, "return"), e) {
        QDict *entry = qobject_to(QDict, qlist_entry_obj(e));
        const char *name = qdict_get_str(entry, "name");

        if (!is_property(entry)) {
            continue;
        }
        count++;
        if (!qdict_haskey(entry, "description")) {
            g_error("property %s has no description", name);
        }
        if (g_str_equal(qdict_get_str(entry, "type"), "str") !=
            g_strv_contains(without_default, name)) {
            g_error("property %s is a string", name);
        }
    }
    g_assert_cmpuint(count, >, 60);
    qobject_unref(reply);
    gpu_stop(g, 0, 0);
}

/* A property, its values, of which the first one is the default, and others */
static void test_enumerations(void)
{
    static const struct {
        const char *name;
        const char *values;
        const char *others;
    } p[] = {
        { "counters", "pattern work", "" },
        { "core-off-sample", "all one busy none after", "" },
        { "full-ring", "wait lose lose-off", "" },
        { "idle-off", "none cores tiler", ",counters=work" },
        { "neural-off", "with-core after-core always", "" },
        { "answers", "at-once late", "" },
    };
    unsigned i, j;

    for (i = 0; i < ARRAY_SIZE(p); i++) {
        g_auto(GStrv) value = g_strsplit(p[i].values, " ", 0);
        g_autofree char *wrong = g_strdup_printf("-device vmali,%s=nosuch",
                                                 p[i].name);
        g_autofree char *said = gpu_refused(wrong);

        g_assert_nonnull(strstr(said, "nosuch"));
        for (j = 0; value[j]; j++) {
            g_autofree char *set = g_strdup_printf("%s=%s%s", p[i].name,
                                                   value[j], p[i].others);
            Gpu *g = gpu_start(j ? set : "");
            QDict *reply = qtest_qmp(g->qts, "{'execute': 'qom-get', "
                                     "'arguments': {'path': 'gpu0', "
                                     "'property': %s}}", p[i].name);

            g_assert_cmpstr(qdict_get_str(reply, "return"), ==, value[j]);
            qobject_unref(reply);
            gpu_stop(g, 0, 0);
        }
    }
}

/*
 * A device that fails leaves nothing behind: neither a log, nor what writes
 * its last line. Memory that was freed is not what it was.
 */
static void test_failures(void)
{
    static const char *const bad[] = {
        "gpu-id=0", "x-skew=NOSUCH:1:4", "counters=load,load=/nonexistent",
        "ring-cache=on", "counters=load,load=/dev/null", "l2-slices=17",
        "nosuch=1", "skew=SHADER:0:4",
    };
    g_autofree char *truth = temporary_file();
    unsigned i;

    g_assert_true(g_file_set_contents(truth, "the last run\n", -1, NULL));
    for (i = 0; i < ARRAY_SIZE(bad); i++) {
        g_autofree char *arguments = g_strdup_printf("-device vmali,truth=%s,"
                                                     "%s", truth, bad[i]);
        g_autofree char *name = g_strndup(bad[i], strcspn(bad[i], "="));
        g_autofree char *said = gpu_refused(arguments);
        g_autofree char *log = NULL;

        g_assert_cmpuint(strcspn(said, "\n"), ==, strlen(said) - 1);
        g_assert_true(strstr(said, name) || strstr(said, ": load: "));
        g_assert_true(g_file_get_contents(truth, &log, NULL, NULL));
        g_assert_cmpstr(log, ==, "the last run\n");
    }
    unlink(truth);
}

void add_props_tests(void)
{
    qtest_add_func("/vmali/props/failures", test_failures);
    qtest_add_func("/vmali/props/help", test_help);
    qtest_add_func("/vmali/props/enumerations", test_enumerations);
}
