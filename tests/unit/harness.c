#include "harness.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hol_context *ctx;

int start(void **state)
{
    (void)state;
    ctx = hol_context_create();
    return ctx ? 0 : -1;
}

int stop(void **state)
{
    (void)state;
    hol_context_destroy(ctx);
    return 0;
}

static bool is_long(void) { return getenv("LONG") != NULL; }

bool goes_far(void) { return is_long() && !HOL_SANITIZED; }

bool few(void) { return HOL_SANITIZED && !is_long(); }

bool in_sample(int i, int one_of, int sanitized)
{
    return goes_far() || i % (few() ? sanitized : one_of) == 0;
}

double tolerance_close_by(double tolerance, int k) { return tolerance * (1 + 0.02 * (k - CLOSE_BY / 2)); }

void put_in_order(double *sorted, int n, double x)
{
    for (; n > 0 && sorted[n - 1] > x; n--) sorted[n] = sorted[n - 1];
    sorted[n] = x;
}

void near(const char *what, double have, double want, double allowed)
{
    if (fabs(have - want) <= allowed) return;
    fail_msg("%s: %.17g, must be %.17g +- %.2g", what, have, want, allowed);
}

void expect_message(const char *words)
{
    if (!strstr(hol_context_error(ctx), words))
        fail_msg("\"%s\", must say \"%s\"", hol_context_error(ctx), words);
}

void expect_usage(const char *call, hol_status st, const char *words)
{
    if (st != HOL_ERR_USAGE || !strstr(hol_context_error(ctx), words))
        fail_msg("%s: status %d, \"%s\", not usage with \"%s\"", call, (int)st, hol_context_error(ctx),
                 words);
    assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
    hol_context_clear(ctx);
}

void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

void call_all(const lacking *row, int n)
{
    for (int i = 0; i < n; i++) {
        hol_context_clear(ctx);
        row[i].call();
    }
}

static bool is_among(const lacking *row, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(row[i].name, name) == 0) return true;
    return false;
}

void expect_all_functions(const char *header, const lacking *row, int n)
{
    char line[400];
    int found = 0;
    FILE *f = fopen(header, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *comment = strstr(line, "//"), *open, name[80];
        if (comment) *comment = 0;
        if (!isalpha((unsigned char)line[0]) || strncmp(line, "typedef", 7) == 0) continue;
        if (!(open = strchr(line, '(')) || sscanf(open + 1, "*%1s", name) == 1) continue;
        const char *begin = open;
        while (begin > line && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) begin--;
        snprintf(name, sizeof name, "%.*s", (int)(open - begin), begin);
        if (strncmp(name, "hol_", 4) != 0) continue;
        if (!is_among(row, n, name)) fail_msg("%s is not tried with what it lacks", name);
        found++;
    }
    fclose(f);
    assert_int_equal(found, n);
}

double random_in(hol_random *dice, double lo, double hi)
{
    return lo + (hi - lo) * 0.5 * (1 + hol_random_uniform(dice));
}

int split(char *text, const char **set, int most)
{
    int n = 0;
    char *save;
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        assert_true(n < most);
        set[n++] = word;
    }
    return n;
}
