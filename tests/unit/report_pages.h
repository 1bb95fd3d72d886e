// Report pages for tests: taken apart again, and compared with the result that they were made of.
#ifndef REPORT_PAGES_H
#define REPORT_PAGES_H

#include "base/base.h"
#include "model/model.h"
#include "scene/motion.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static char folder[] = "/tmp/holonom_report_XXXXXX";

static inline const char *in_folder(const char *name)
{
    static char path[8][200];
    static int next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

// ---- reading a page -------------------------------------------------------------------------------------------

typedef struct {
    char *html, *scene; // the whole file; JSON
    unsigned char *data;
    size_t n, n_time, n_rows, n_values;
    double *time, *value_time, *value; // frames drawn; rows of signals; signal after signal
    unsigned *pose;                    // channel after channel, decoded            (n_channels x n_time)
    size_t n_poses;
    double low[3], edge;
} page;

static inline char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    const long n = ftell(f);
    rewind(f);
    char *text = malloc((size_t)n + 1);
    assert_int_equal(fread(text, 1, (size_t)n, f), n);
    text[n] = 0;
    fclose(f);
    return text;
}

// Text of the element with this id.
static inline char *element(const char *html, const char *id, size_t *length)
{
    char attribute[60];
    snprintf(attribute, sizeof attribute, " id=\"%s\"", id);
    const char *at = strstr(html, attribute);
    assert_non_null(at);
    const char *from = strchr(at, '>') + 1, *to = strstr(from, "</script>");
    assert_non_null(to);
    char *text = malloc((size_t)(to - from) + 1);
    memcpy(text, from, (size_t)(to - from));
    text[to - from] = 0;
    *length = (size_t)(to - from);
    return text;
}

static inline unsigned char *from_base64(const char *text, size_t n, size_t *length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *out = malloc(n + 4);
    size_t m = 0;
    unsigned held = 0;
    int bits = 0;
    for (size_t i = 0; i < n && text[i] != '='; i++) {
        const char *digit = strchr(digits, text[i]);
        assert_non_null(digit);
        held = held << 6 | (unsigned)(digit - digits);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        out[m++] = (unsigned char)(held >> bits & 0xff);
    }
    *length = m;
    return out;
}

static inline size_t number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    assert_non_null(at);
    return (size_t)strtoull(at + strlen(key), NULL, 10);
}

static inline void *block(const page *p, const char *head, const char *name, size_t *length)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\":{", name);
    const char *at = strstr(head, key);
    assert_non_null(at);
    const size_t offset = number_after(at, "\"offset\":"), bytes = number_after(at, "\"bytes\":"),
                 raw = number_after(at, "\"raw\":");
    uLongf n = (uLongf)raw;
    unsigned char *out = malloc(raw + 1);
    assert_true(offset + bytes <= p->n);
    assert_int_equal(uncompress(out, &n, p->data + offset, (uLong)bytes), Z_OK);
    assert_int_equal(n, raw);
    out[raw] = 0;
    *length = raw;
    return out;
}

static inline void read_box(page *p)
{
    double high;
    const char *min = strstr(p->scene, "\"min\": ["), *max = strstr(p->scene, "\"max\": [");
    assert_true(min && max);
    assert_int_equal(sscanf(min, "\"min\": [%lf,%lf,%lf", p->low, p->low + 1, p->low + 2), 3);
    assert_int_equal(sscanf(max, "\"max\": [%lf", &high), 1);
    p->edge = high - p->low[0];
}

static inline void decode_poses(page *p, const unsigned char *code, size_t bytes)
{
    const size_t n = bytes / 2, frames = p->n_time;
    p->n_poses = n;
    p->pose = malloc((n + 1) * sizeof *p->pose);
    for (size_t i = 0; i < n; i++) {
        const unsigned z = code[i] | (unsigned)code[n + i] << 8;
        const unsigned d = (z & 1 ? 0x10000 - (z + 1) / 2 : z / 2) & 0xffff;
        const size_t k = i % frames;
        const unsigned *before = p->pose + i;
        p->pose[i] = (k == 0 ? d : k == 1 ? d + before[-1] : d + 2 * before[-1] - before[-2]) & 0xffff;
    }
}

static inline void read_page(const char *path, page *p)
{
    size_t n, bytes;
    *p = (page){.html = read_file(path)};
    char *head = element(p->html, "holonom-head", &n), *text = element(p->html, "holonom-data", &n);
    assert_non_null(strstr(head, "\"format\":1"));
    p->data = from_base64(text, n, &p->n);
    p->scene = block(p, head, "scene", &n);
    p->time = block(p, head, "time", &bytes);
    p->n_time = bytes / sizeof(double);
    p->value_time = block(p, head, "value_time", &bytes);
    p->n_rows = bytes / sizeof(double);
    unsigned char *code = block(p, head, "poses", &bytes), *planes;
    read_box(p);
    decode_poses(p, code, bytes);
    planes = block(p, head, "values", &bytes);
    p->n_values = bytes / sizeof(double);
    unsigned char *whole = malloc(bytes + 1);
    for (size_t i = 0; i < p->n_values; i++)
        for (size_t b = 0; b < 8; b++) whole[8 * i + b] = planes[b * p->n_values + i];
    p->value = (double *)(void *)whole;
    free(planes);
    free(code);
    free(head);
    free(text);
}

static inline void free_page(page *p)
{
    free(p->html);
    free(p->scene);
    free(p->data);
    free(p->time);
    free(p->value_time);
    free(p->value);
    free(p->pose);
}

// ---- comparing ------------------------------------------------------------------------------------------------

static inline size_t column_of(const hol_result *r, const char *body, const char *component)
{
    char name[300];
    snprintf(name, sizeof name, "%s.%s", body, component);
    for (int i = 0; i < r->n_columns; i++)
        if (strcmp(r->name[i], name) == 0) return (size_t)i;
    fail_msg("%s", name);
    return 0;
}

// Poses of one body whose centre of mass is at c in its frame; first: its first channel. Largest error of lengths relative to
// the scene, of angles in rad, of quaternions.
static inline double body_error(const page *p, const hol_result *r, const char *body, char letter,
                                size_t first, const double c[3])
{
    static const char *const spatial[] = {"x", "y", "z", "qw", "qx", "qy", "qz"}, *const planar[] = {"x", "y",
                                                                                                     "theta"};
    const int n = letter == 's' ? 7 : 3;
    double worst = 0;
    for (size_t k = 0; k < r->n_rows; k++) {
        double want[7], sign = 0;
        const unsigned *code = p->pose + first * p->n_time + k;
        for (int i = 0; i < n; i++)
            want[i] = r->value[k * (size_t)r->n_columns +
                               column_of(r, body, letter == 's' ? spatial[i] : planar[i])];
        if (letter == 'p') {
            want[0] += cos(want[2]) * c[0] - sin(want[2]) * c[1];
            want[1] += sin(want[2]) * c[0] + cos(want[2]) * c[1];
        }
        for (int i = 3; i < n; i++) sign += want[i] * ((double)code[(size_t)i * p->n_time] - 32768);
        for (int i = 0; i < n; i++) {
            const double x = (double)code[(size_t)i * p->n_time];
            double error = 0;
            if (letter == 'p' && i == 2) {
                error = remainder(want[2] - x * 2 * HOL_PI / 65536, 2 * HOL_PI);
            } else if (i > 2) {
                error = want[i] * (sign < 0 ? -1 : 1) - (x - 32768) / 32767;
            } else {
                error = (want[i] - p->low[i]) / p->edge - x / 65535;
            }
            worst = fmax(worst, fabs(error));
        }
    }
    return worst;
}

static inline void assert_same_signals(const page *p, const hol_result *r)
{
    const size_t width = (size_t)r->n_columns - 1;
    assert_int_equal(p->n_rows, r->n_rows);
    assert_int_equal(p->n_values, width * r->n_rows);
    for (size_t k = 0; k < r->n_rows; k++) {
        const double *row = r->value + k * (width + 1);
        assert_memory_equal(&p->value_time[k], row, sizeof *row);
        for (size_t i = 0; i < width; i++)
            assert_memory_equal(&p->value[i * p->n_rows + k], row + 1 + i, sizeof *row);
    }
}

static inline hol_result *run_model(hol_context *ctx, hol_model *model, const char *path)
{
    assert_non_null(model);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    if (!sim) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(sim);
    assert_int_equal(hol_simulation_write(sim, path), HOL_OK);
    assert_int_equal(hol_simulation_report(sim, in_folder("run.html")), HOL_OK);
    assert_int_equal(hol_simulation_run(sim), HOL_OK);
    hol_simulation_destroy(sim);
    hol_result *r = hol_result_read(ctx, path);
    assert_non_null(r);
    return r;
}

// By the model that the result says.
static inline void report(hol_context *ctx, const hol_result *r, page *p)
{
    hol_model *model = hol_result_model(ctx, r);
    if (!model) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(model);
    const hol_status st = hol_report_write(ctx, r, model, NULL, in_folder("page.html"));
    if (st) print_error("%s\n", hol_context_error(ctx));
    assert_int_equal(st, HOL_OK);
    hol_model_destroy(model);
    read_page(in_folder("page.html"), p);
}

static inline int remove_folder(void **state)
{
    static const char *const names[] = {"strange.yaml", "strange.nc", "bricard.nc",
                                        "four_bar.csv", "page.html",  "run.html",
                                        "joints.yaml",  "joints.nc",  "bar.nc"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(names); i++) remove(in_folder(names[i]));
    return rmdir(folder);
}

#endif
