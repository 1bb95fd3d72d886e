// Places of files, and files that appear whole or belong to one writer.
#include "base/file.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>
#include <fcntl.h>

static hol_context *ctx;

static int enter(void **state)
{
    (void)state;
    char folder[] = "/tmp/holonom-file-XXXXXX";
    ctx = hol_context_create();
    return !ctx || !mkdtemp(folder) || chdir(folder);
}

static int leave(void **state)
{
    char folder[200], command[300];
    (void)state;
    hol_context_destroy(ctx);
    if (!getcwd(folder, sizeof folder) || chdir("/")) return 1;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void assert_holds(const char *name, const char *text)
{
    char have[100] = "";
    FILE *f = fopen(name, "r");
    assert_non_null(f);
    have[fread(have, 1, sizeof have - 1, f)] = 0;
    fclose(f);
    assert_string_equal(have, text);
}

static void names_of_one_place(void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {{"there", "./there", true},        {"there", "hard", true},
                {"there", "soft", true},           {"there", "copy", false},
                {"there", "absent", false},        {"absent", "./absent", true},
                {"absent", "sub/../absent", true}, {"sub/absent", "other/absent", true},
                {"absent", "sub/absent", false},   {"absent", "dangling", true},
                {"dangling", "twice", true},       {"sub/up", "absent", true},
                {"absent", "Absent", false},       {"sub", "sub/", false},
                {"none/x", "none/x", true},        {"none/x", "none/y", false},
                {"loop", "absent", false},         {"/dev/null", "/dev/null", false}};
    (void)state;
    put("there", "1");
    put("copy", "1");
    assert_int_equal(mkdir("sub", 0777) | link("there", "hard") | symlink("there", "soft") |
                         symlink("sub", "other") | symlink("absent", "dangling") |
                         symlink("dangling", "twice") | symlink("../absent", "sub/up") |
                         symlink("loop", "loop"),
                     0);
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        if (hol_same_place(rows[i].a, rows[i].b) != rows[i].same ||
            hol_same_place(rows[i].b, rows[i].a) != rows[i].same)
            print_error("%s, %s\n", rows[i].a, rows[i].b);
        assert_int_equal(hol_same_place(rows[i].a, rows[i].b), rows[i].same);
        assert_int_equal(hol_same_place(rows[i].b, rows[i].a), rows[i].same);
    }
}

static void a_file_belongs_to_one_writer(void **state)
{
    static const hol_output_kind kinds[] = {HOL_OUTPUT_GROWS, HOL_OUTPUT_WHOLE};
    hol_output a, b;
    (void)state;
    for (int k = 0; k < 2; k++) {
        put("mine", "old");
        assert_true(hol_output_open(ctx, &a, "mine", kinds[k]));
        assert_true(fputs("first", a.file) >= 0);
        assert_false(hol_output_open(ctx, &b, "./mine", kinds[k]));
        assert_non_null(strstr(b.why, "written already"));
        assert_false(hol_output_hold(ctx, &b, "mine", kinds[k]));
        assert_false(hol_output_close(&b, false)); // nothing is open, nothing is touched
        assert_holds("mine", "old");
        assert_true(hol_output_close(&a, true));
        assert_holds("mine", "first");
        assert_true(hol_output_open(ctx, &b, "mine", kinds[k]));
        assert_true(hol_output_close(&b, true));
        assert_holds("mine", "");
        assert_int_equal(access("mine" HOL_BESIDE, F_OK), -1);
    }
}

// Whatever the first writer of a place is, no second one of any kind comes to it; by every name of it.
static void a_place_belongs_to_one_writer(void **state)
{
    static const hol_output_kind kinds[] = {HOL_OUTPUT_GROWS, HOL_OUTPUT_WHOLE, HOL_OUTPUT_TURN};
    static const char *const names[] = {"mine", "./mine", "link", "twice", "sub/../mine"};
    hol_output a, b;
    (void)state;
    assert_int_equal(mkdir("sub", 0777) | symlink("mine", "link") | symlink("link", "twice"), 0);
    for (int k = 0; k < 9 * HOL_COUNT(names); k++) {
        const hol_output_kind first = kinds[k % 3], second = kinds[k / 3 % 3];
        const bool there = k % 2;
        (void)unlink("mine");
        if (there) put("mine", "old");
        assert_true(hol_output_hold(ctx, &a, names[k % HOL_COUNT(names)], first));
        if (hol_output_open(ctx, &b, names[k / 9], second))
            print_error("%d, then %d onto %s\n", first, second, names[k / 9]);
        assert_null(b.target);
        assert_non_null(strstr(b.why, "written already"));
        if (first == HOL_OUTPUT_GROWS) assert_true(hol_same_place("mine", a.target));
        assert_true(hol_output_close(&a, true));
        assert_true(hol_output_open(ctx, &b, names[k / 9], second)); // the place is free
        assert_true(hol_output_close(&b, true));
        assert_int_equal(access("mine" HOL_BESIDE, F_OK) & access("mine" HOL_TURN, F_OK), -1);
    }
    // the checkpoints of the run whose turn it is
    assert_true(hol_output_hold(ctx, &a, "mine", HOL_OUTPUT_TURN));
    assert_true(hol_output_open(ctx, &b, "mine", HOL_OUTPUT_AGAIN));
    assert_true(hol_output_close(&b, true));
    assert_true(hol_output_close(&a, true));
    assert_true(hol_output_open(ctx, &a, "mine", HOL_OUTPUT_GROWS));
    assert_false(hol_output_open(ctx, &b, "mine", HOL_OUTPUT_AGAIN));
    assert_true(fputs("kept", a.file) >= 0);
    assert_true(hol_output_close(&a, true));
    assert_holds("mine", "kept");
}

// What stood in the file that a descriptor goes to stays, and so does what follows.
static void a_descriptor_is_written_to(void **state)
{
    static const char *const ways[] = {"/dev/fd/%d", "/proc/self/fd/%d", "link", "/proc/thread-self/fd/%d"};
    char name[64];
    hol_output o;
    (void)state;
    for (int k = 0; k < 2 * HOL_COUNT(ways); k++) {
        FILE *log = fopen("log", "w");
        assert_non_null(log);
        assert_true(fputs("before,", log) >= 0 && fflush(log) == 0);
        snprintf(name, sizeof name, "/dev/fd/%d", fileno(log));
        (void)unlink("link");
        assert_int_equal(symlink(name, "link"), 0);
        snprintf(name, sizeof name, ways[k / 2], fileno(log));
        assert_false(hol_is_replaceable(name));
        assert_true(hol_output_open(ctx, &o, name, k % 2 ? HOL_OUTPUT_GROWS : HOL_OUTPUT_WHOLE));
        assert_true(fputs("it", o.file) >= 0);
        assert_true(hol_output_close(&o, true));
        assert_true(fputs(",after", log) >= 0);
        // a library would open it by its name, and cut it off
        assert_false(hol_output_hold(ctx, &o, name, HOL_OUTPUT_GROWS));
        assert_non_null(strstr(o.why, "stream"));
        assert_int_equal(fclose(log), 0);
        assert_holds("log", "before,it,after");
    }
    assert_false(hol_output_open(ctx, &o, "/dev/fd/987", HOL_OUTPUT_WHOLE));
    assert_string_equal(o.why, "Bad file descriptor");
    assert_false(hol_is_replaceable("-"));
    assert_true(hol_is_replaceable("7"));
    assert_true(hol_is_replaceable("log"));
    assert_false(hol_is_replaceable("/dev/null"));
}

// What is not whole does not appear: the file before it, its mode and the links to it stay.
static void a_whole_file_appears_when_it_is_written(void **state)
{
    hol_output o;
    struct stat about;
    (void)state;
    put("page", "old");
    assert_int_equal(chmod("page", 0640) | symlink("page", "link"), 0);
    assert_true(hol_output_open(ctx, &o, "link", HOL_OUTPUT_WHOLE));
    assert_true(fputs("half", o.file) >= 0);
    assert_false(hol_output_close(&o, false));
    assert_holds("page", "old");
    assert_int_equal(access("page" HOL_BESIDE, F_OK), -1);
    assert_true(hol_output_open(ctx, &o, "link", HOL_OUTPUT_WHOLE));
    assert_true(fputs("new", o.file) >= 0);
    assert_true(hol_output_close(&o, true));
    assert_holds("page", "new");
    assert_int_equal(stat("page", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(lstat("link", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    // what a killed writer has left is in nobody's way
    put("page" HOL_BESIDE, "left behind by a run that was killed");
    assert_true(hol_output_open(ctx, &o, "page", HOL_OUTPUT_WHOLE));
    assert_true(fputs("whole", o.file) >= 0);
    assert_true(hol_output_close(&o, true));
    assert_holds("page", "whole");
    // a link that leads nowhere yet
    assert_int_equal(symlink("made", "to"), 0);
    assert_true(hol_output_open(ctx, &o, "to", HOL_OUTPUT_WHOLE));
    assert_true(fputs("x", o.file) >= 0);
    assert_true(hol_output_close(&o, true));
    assert_holds("made", "x");
    assert_false(hol_output_open(ctx, &o, ".", HOL_OUTPUT_WHOLE));
    assert_false(hol_output_open(ctx, &o, "none/page", HOL_OUTPUT_WHOLE));
    assert_true(hol_output_open(ctx, &o, "/dev/null", HOL_OUTPUT_WHOLE));
    assert_true(hol_output_close(&o, true));
    // a device or a link to it: by a name that a library that fails cannot remove
    assert_int_equal(symlink("/dev/null", "none"), 0);
    assert_true(hol_output_hold(ctx, &o, "none", HOL_OUTPUT_GROWS));
    assert_int_equal(strncmp(hol_output_path(&o), "/dev/fd/", 8), 0);
    assert_int_equal(unlink(hol_output_path(&o)), -1);
    assert_true(hol_output_close(&o, true));
}

// The caller who ignores SIGXFSZ gets an error from the library.
// A file that grows takes the place of the old one when its head is written, and is open on.
static void a_growing_file_takes_its_place_with_its_head(void **state)
{
    hol_output o, other;
    (void)state;
    put("grown", "old");
    assert_true(hol_output_open(ctx, &o, "grown", HOL_OUTPUT_GROWS));
    assert_true(fputs("head", o.file) >= 0 && fflush(o.file) == 0);
    assert_holds("grown", "old");
    assert_false(hol_output_close(&o, false)); // the head could not be written
    assert_holds("grown", "old");
    assert_int_equal(access("grown" HOL_BESIDE, F_OK), -1);

    assert_true(hol_output_open(ctx, &o, "grown", HOL_OUTPUT_GROWS));
    assert_true(fputs("head", o.file) >= 0 && fflush(o.file) == 0);
    assert_true(hol_output_place(&o));
    assert_holds("grown", "head");
    assert_true(fputs(", row", o.file) >= 0 && fflush(o.file) == 0);
    assert_holds("grown", "head, row");
    assert_false(hol_output_open(ctx, &other, "grown", HOL_OUTPUT_GROWS));
    assert_non_null(strstr(other.why, "written already"));
    assert_true(hol_output_close(&o, true));
    assert_holds("grown", "head, row");
    assert_int_equal(access("grown" HOL_BESIDE, F_OK), -1);
}

// Where nothing can be made beside a file it is written in place, and a failure says what that means.
static void what_is_lost_is_said(void **state)
{
    char name[256];
    hol_output o;
    (void)state;
    memset(name, 'x', sizeof name);
    name[250] = 0; // the name beside it would be too long
    put(name, "old");
    assert_true(hol_output_open(ctx, &o, name, HOL_OUTPUT_WHOLE));
    assert_string_not_equal(hol_output_lost(&o), "");
    assert_false(hol_output_close(&o, false));
    assert_non_null(strstr(o.why, "what it held is lost"));
    assert_true(hol_output_open(ctx, &o, name, HOL_OUTPUT_GROWS)); // empty now
    assert_string_equal(hol_output_lost(&o), "");
    assert_true(hol_output_place(&o));
    assert_true(hol_output_close(&o, true));
    assert_int_equal(unlink(name), 0);
}

static void too_large_a_file_is_an_error(void **state)
{
    struct rlimit before, small;
    hol_output o;
    char block[4096] = {0};
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){1000, before.rlim_max};
    for (int k = 0; k < 2; k++) {
        assert_true(hol_output_open(ctx, &o, k ? "grows" : "whole", k ? HOL_OUTPUT_GROWS : HOL_OUTPUT_WHOLE));
        if (k) assert_true(hol_output_place(&o)); // the head is empty
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        fwrite(block, 1, sizeof block, o.file);
        const bool good = hol_output_close(&o, true);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_false(good);
        assert_string_equal(o.why, "File too large");
        assert_int_equal(access(k ? "grows" : "whole", F_OK), k ? 0 : -1);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static void what_is_no_file_is_not_opened(void **state)
{
    static const struct {
        const char *name, *why;
        bool pipes;
    } rows[] = {{"pipe", "it is a pipe, a file is wanted", false},
                {"pipe", "it is a pipe to which nothing is written; the standard input is read by -", true},
                {".", "Is a directory", true},
                {"/dev/zero", "it is a device, not a file", true},
                {"/dev/null", "it is a device, not a file", true},
                {"none", "No such file or directory", true},
                {"large", "it has 2 MB, the most is 1 MB", true}};
    char why[160];
    (void)state;
    put("large", "");
    assert_int_equal(mkfifo("pipe", 0666) | truncate("large", 2 << 20), 0);
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        assert_null(hol_open_input(rows[i].name, rows[i].pipes, 1 << 20, why, sizeof why));
        assert_string_equal(why, rows[i].why);
    }
    FILE *f = hol_open_input("large", false, 0, why, sizeof why);
    assert_non_null(f);
    fclose(f);
}

// One that somebody writes to is read from its first byte on, and waited for where that has not come yet.
static void pipes_that_are_written_to_are_read(void **state)
{
    (void)state;
    char why[160], text[10] = "";
    assert_int_equal(mkfifo("pipe", 0666), 0);
    for (int late = 0; late < 2; late++) {
        const int writer = open("pipe", O_RDWR);
        assert_true(writer >= 0);
        if (!late) assert_int_equal(write(writer, "ab\n", 3), 3);
        FILE *f = hol_open_input("pipe", true, 0, why, sizeof why);
        if (!f) fail_msg("%s", why);
        if (late) assert_int_equal(write(writer, "ab\n", 3), 3);
        assert_non_null(fgets(text, sizeof text, f));
        assert_string_equal(text, "ab\n");
        close(writer);
        assert_int_equal(getc(f), EOF);
        fclose(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_of_one_place, enter, leave),
        cmocka_unit_test_setup_teardown(a_file_belongs_to_one_writer, enter, leave),
        cmocka_unit_test_setup_teardown(a_place_belongs_to_one_writer, enter, leave),
        cmocka_unit_test_setup_teardown(a_descriptor_is_written_to, enter, leave),
        cmocka_unit_test_setup_teardown(a_whole_file_appears_when_it_is_written, enter, leave),
        cmocka_unit_test_setup_teardown(a_growing_file_takes_its_place_with_its_head, enter, leave),
        cmocka_unit_test_setup_teardown(what_is_lost_is_said, enter, leave),
        cmocka_unit_test_setup_teardown(too_large_a_file_is_an_error, enter, leave),
        cmocka_unit_test_setup_teardown(what_is_no_file_is_not_opened, enter, leave),
        cmocka_unit_test_setup_teardown(pipes_that_are_written_to_are_read, enter, leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
