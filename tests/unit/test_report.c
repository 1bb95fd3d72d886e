// A report page is taken apart again: base64, inflate, second differences; what is in it is what the result has.
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

static const char *in_folder(const char *name)
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

static char *read_file(const char *path)
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
static char *element(const char *html, const char *id, size_t *length)
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

static unsigned char *from_base64(const char *text, size_t n, size_t *length)
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

static size_t number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    assert_non_null(at);
    return (size_t)strtoull(at + strlen(key), NULL, 10);
}

static void *block(const page *p, const char *head, const char *name, size_t *length)
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

static void read_box(page *p)
{
    double high;
    const char *min = strstr(p->scene, "\"min\": ["), *max = strstr(p->scene, "\"max\": [");
    assert_true(min && max);
    assert_int_equal(sscanf(min, "\"min\": [%lf,%lf,%lf", p->low, p->low + 1, p->low + 2), 3);
    assert_int_equal(sscanf(max, "\"max\": [%lf", &high), 1);
    p->edge = high - p->low[0];
}

static void decode_poses(page *p, const unsigned char *code, size_t bytes)
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

static void read_page(const char *path, page *p)
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

static void free_page(page *p)
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

static size_t column_of(const hol_result *r, const char *body, const char *component)
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
static double body_error(const page *p, const hol_result *r, const char *body, char letter, size_t first,
                         const double c[3])
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

static void assert_same_signals(const page *p, const hol_result *r)
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

static hol_result *run_model(hol_context *ctx, hol_model *model, const char *path)
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
static void report(hol_context *ctx, const hol_result *r, page *p)
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

// ---- tests ----------------------------------------------------------------------------------------------------

// Bodies with their masses aside, a point mass, and names and a title that could break a page.
static const char strange[] =
    "title: \"</title></script><script>alert(1)</script> \\\"&amp; \\u2028 \\u03b1\"\n"
    "dimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "- {name: '</script><script>alert(2)</script>', mass: 1, inertia: 1, com: [0.3, -0.2], position: [0, 0], "
    "markers: {t: "
    "[1, 0]}}\n"
    "- {name: \"<img src x onerror 'a'>\\u00e9\\\\\", mass: 1, inertia: 0.5, position: [1, 0], velocity: [0, "
    "1], omega: 40}\n"
    "- {name: '<!--DATA-->', type: point, mass: 1, position: [2, 1]}\n"
    "joints:\n"
    "- {name: '<!--HEAD-->', type: revolute, between: [ground, '</script><script>alert(2)</script>']}\n"
    "simulate: {end: 1, output: 0.01, tolerance: 1e-6}\n";

static void strange_names_do_no_harm_and_poses_and_signals_are_those_of_the_result(void **state)
{
    static const double aside[3] = {0.3, -0.2, 0}, none[3] = {0};
    page p, run;
    (void)state;
    FILE *f = fopen(in_folder("strange.yaml"), "w");
    assert_non_null(f);
    fputs(strange, f);
    fclose(f);
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_load(ctx, in_folder("strange.yaml"), NULL, 0);
    if (!model) print_error("%s\n", hol_context_error(ctx));
    hol_result *r = run_model(ctx, model, in_folder("strange.nc"));
    report(ctx, r, &p);
    assert_int_equal(p.n_time, r->n_rows);
    for (size_t k = 0; k < p.n_time; k++)
        assert_memory_equal(&p.time[k], &r->value[k * (size_t)r->n_columns], sizeof *p.time);
    assert_int_equal(p.n_poses, 9 * p.n_time);
    assert_true(body_error(&p, r, "</script><script>alert(2)</script>", 'p', 0, aside) <
                5e-5); // an angle: 4.8e-5
    assert_true(body_error(&p, r, "<img src x onerror 'a'>\u00e9\\", 'p', 3, none) < 5e-5);
    assert_same_signals(&p, r);
    // the page has the texts in no other place than its deflated blocks
    assert_null(strstr(p.html, "alert(1)</script>"));
    assert_null(strstr(p.html, "alert(2)"));
    assert_non_null(strstr(p.html, "&#60;/title&#62;&#60;/script&#62;"));
    assert_non_null(strstr(p.scene, "onerror 'a'>\u00e9\\\\"));
    assert_non_null(strstr(p.scene, "\"channels\": \"ppo\""));
    assert_non_null(strstr(p.scene, "\"reaction\": {\"columns\": ["));
    // the same page as the run itself writes: but for the rounding of the shift to the centre of mass
    read_page(in_folder("run.html"), &run);
    assert_int_equal(run.n_poses, p.n_poses);
    for (size_t i = 0; i < p.n_poses; i++) {
        const unsigned d = (run.pose[i] - p.pose[i] + 1) & 0xffff;
        assert_in_range(d, 0, 2);
    }
    assert_memory_equal(run.value, p.value, p.n_values * sizeof *p.value);
    free_page(&run);
    free_page(&p);
    hol_result_destroy(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

static void spatial_poses_are_within_a_hundred_thousandth_and_overrides_are_known_to_the_result(void **state)
{
    static const char *const set[] = {"simulate.end=2", "parameters.length=2"};
    static const double none[3] = {0};
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_load(ctx, "models/bricard.yaml", set, 1);
    hol_result *r = run_model(ctx, model, in_folder("bricard.nc"));
    report(ctx, r, &p);
    for (size_t i = 0; i < 5; i++) {
        char name[8];
        snprintf(name, sizeof name, "rod%d", (int)i + 1);
        assert_true(body_error(&p, r, name, 's', 7 * i, none) <
                    1.6e-5); // quaternions: 1.5e-5, lengths: 0.8e-5
    }
    assert_same_signals(&p, r);
    assert_string_equal(hol_result_note(r, "set"), "simulate.end=2");
    assert_string_equal(hol_result_note(r, "method"), "hht");
    assert_string_equal(hol_result_note(r, "source"), "holonom " HOL_VERSION);
    assert_non_null(strstr(hol_result_note(r, "summary"), "method: hht, tolerance 1e-05\n"));
    assert_non_null(strstr(p.scene, "\"set\": [\"simulate.end=2\"]"));
    assert_non_null(strstr(p.scene, "[\"method\",\"hht, tolerance 1e-05\"]"));
    assert_non_null(strstr(p.scene, "[\"bodies\",\"5\"]"));
    free_page(&p);
    hol_result_destroy(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

static void a_text_result_names_its_model_and_overrides(void **state)
{
    static const char *const set[] = {"parameters.N=2", "simulate.end=0.1", "simulate.signals=[poses]"};
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_load(ctx, "models/four_bar.yaml", set, 3);
    hol_result *r = run_model(ctx, model, in_folder("four_bar.csv"));
    assert_string_equal(hol_result_note(r, "model_file"), "models/four_bar.yaml");
    assert_string_equal(hol_result_note(r, "method"), "hht");
    assert_string_equal(hol_result_note(r, "set"),
                        "parameters.N=2\nsimulate.end=0.1\nsimulate.signals=[poses]");
    report(ctx, r, &p);
    assert_int_equal(p.n_poses % (3 * p.n_time), 0);
    assert_int_equal(3 * (p.n_poses / (3 * p.n_time)), r->n_columns - 1); // x y theta of every body
    free_page(&p);
    hol_result_destroy(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

// ---- joints ---------------------------------------------------------------------------------------------------

// The part of the scene that describes a joint, its numbers rounded to four digits as text.
static const char *joint_of(const page *p, const char *name, char *out, size_t room)
{
    char key[60];
    snprintf(key, sizeof key, "{\"name\": \"%s\",\"kind\": \"joint\"", name);
    const char *at = strstr(p->scene, key);
    assert_non_null(at);
    size_t n = 0;
    int depth = 0;
    do { // braces in names would mislead it, the models here have none
        depth += (*at == '{') - (*at == '}');
        if (n && (out[n - 1] == '[' || out[n - 1] == ',') && strchr("-0123456789", *at)) {
            char *end;
            const double x = strtod(at, &end);
            n += (size_t)snprintf(out + n, room - n, "%.4g", fabs(x) < 1e-12 ? 0 : x);
            at = end;
        } else
            out[n++] = *at++;
        assert_true(n + 30 < room);
    } while (depth);
    out[n] = 0;
    return out;
}

static void page_of(const char *text, const char *name, page *p)
{
    hol_context *ctx = hol_context_create();
    FILE *f = fopen(in_folder(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    hol_model *model = hol_model_load(ctx, in_folder(name), NULL, 0);
    hol_result *r = run_model(ctx, model, in_folder("joints.nc"));
    report(ctx, r, p);
    hol_result_destroy(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

// Both ends have their own place and orientation. Reactions at an end with axes, and at a point mass.
static void joints_have_their_ends_and_reactions(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, -10]\nbodies:\n"
        "- {name: a, mass: 1, inertia: [1, 1, 1], orientation: {rpy: [0, 0, 90 deg]},"
        " markers: {m: {position: [0, -0.5, 0], orientation: {axis: [0, 1, 0], angle: -90 deg}}}}\n"
        "- {name: b, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], orientation: {rpy: [0, 90 deg, 0]},"
        " markers: {n: {position: [0, 0, -0.5], orientation: {axis: [1, 0, 0], angle: 90 deg}}, o: "
        "{position: [0, 0, 0.5]}}}\n"
        "- {name: p, type: point, mass: 1, position: [1.5, 0, 0]}\n"
        "joints:\n- {name: J, type: spherical, between: [ground, a]}\n- {name: K, type: revolute, between: "
        "[a.m, b.n]}\n"
        "- {name: L, type: spherical, between: [b.o, p]}\n"
        "simulate: {end: 0.1, output: 0.05, signals: [poses, K, L]}\n";
    char joint[2000];
    page p;
    (void)state;
    page_of(text, "joints.yaml", &p);
    // columns: 7 of a and of b, 3 of p, then six of K and of L
    joint_of(&p, "K", joint, sizeof joint);
    assert_non_null(
        strstr(joint, "\"reaction\": {\"columns\": [17,18,19],\"torque\": [20,21,22],\"axes\": \"end\"}"));
    joint_of(&p, "L", joint, sizeof joint);
    assert_non_null(
        strstr(joint, "\"reaction\": {\"columns\": [23,24,25],\"torque\": [26,27,28],\"axes\": \"global\"}"));
    // the axis is -y: in a, which is turned about z, its -x, where z comes to by -90 degrees about y; in b by 90 about x
    joint_of(&p, "K", joint, sizeof joint);
    assert_non_null(
        strstr(joint, "{\"body\": 0,\"position\": [0,-0.5,0],\"quaternion\": [0.7071,0,-0.7071,0]}"));
    assert_non_null(
        strstr(joint, "{\"body\": 1,\"position\": [0,0,-0.5],\"quaternion\": [0.7071,0.7071,0,0]}"));
    free_page(&p);
}

// In the plane: two forces and a torque about z; the joints that close the loops are marked.
static void planar_joints_have_their_reactions_and_loops(void **state)
{
    char joint[2000];
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    static const char *const set[] = {"parameters.N=1", "simulate.end=0.1",
                                      "simulate.signals=[poses, A1, C0]"};
    hol_model *model = hol_model_load(ctx, "models/four_bar.yaml", set, 3);
    hol_result *r = run_model(ctx, model, in_folder("bar.nc"));
    report(ctx, r, &p);
    joint_of(&p, "A1", joint, sizeof joint); // three bodies of three columns before it
    assert_non_null(
        strstr(joint, "\"reaction\": {\"columns\": [9,10,-1],\"torque\": [-1,-1,11],\"axes\": \"end\"}"));
    assert_non_null(strstr(joint, "\"cut\": false"));
    joint_of(&p, "C0", joint, sizeof joint);
    assert_non_null(
        strstr(joint, "\"reaction\": {\"columns\": [12,13,-1],\"torque\": [-1,-1,14],\"axes\": \"end\"}"));
    assert_non_null(strstr(joint, "\"cut\": true")); // as `holonom check` says
    joint_of(&p, "A0", joint, sizeof joint);
    assert_non_null(strstr(joint, "\"reaction\": null"));
    free_page(&p);
    hol_result_destroy(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

// A slide whose ends are turned by 60 degrees on ground and by 20 in its body, which stands at 40.
static void slides_have_their_ends(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -10]\nbodies:\n- {name: a, mass: 1, inertia: 1, angle: 40 deg}\n"
        "joints:\n- {name: K, type: translational, between: [{ground: {position: [0, 0], angle: 60 deg}},"
        " {a: {position: [0, 0], angle: 20 deg}}]}\n"
        "simulate: {end: 0.1, output: 0.05, signals: [poses, K]}\n";
    char joint[2000];
    page p;
    (void)state;
    page_of(text, "joints.yaml", &p);
    joint_of(&p, "K", joint, sizeof joint); // halves of the angles: 30 and 10 degrees
    assert_non_null(strstr(joint, "{\"body\": -1,\"position\": [0,0,0],\"quaternion\": [0.866,0,0,0.5]}"));
    assert_non_null(strstr(joint, "{\"body\": 0,\"position\": [0,0,0],\"quaternion\": [0.9848,0,0,0.1736]}"));
    assert_non_null(
        strstr(joint, "\"reaction\": {\"columns\": [3,4,-1],\"torque\": [-1,-1,5],\"axes\": \"end\"}"));
    free_page(&p);
}

// ---- results made by hand --------------------------------------------------------------------------------------

static const char two_points[] = "dimension: 2\ngravity: [0, 0]\nbodies:\n- {name: a, mass: 1, inertia: 1}\n"
                                 "- {name: b, type: point, mass: 1}\nsimulate: {end: 1}\n";

// A result of a and b that moves along x, made by hand; extra signals are 0.
static hol_result *fabricate(size_t rows, int extra)
{
    static const char *const names[] = {"t", "a.x", "a.y", "a.theta", "b.x", "b.y"};
    hol_result *r = calloc(1, sizeof *r);
    r->file = "made.csv";
    r->n_columns = 6 + extra;
    r->n_rows = rows;
    r->complete = true;
    r->name = calloc((size_t)r->n_columns, sizeof *r->name);
    r->unit = calloc((size_t)r->n_columns, sizeof *r->unit);
    r->value = calloc(rows * (size_t)r->n_columns, sizeof *r->value);
    for (int i = 0; i < r->n_columns; i++) {
        r->name[i] = i < 6 ? names[i] : "more.x";
        r->unit[i] = "m";
    }
    for (size_t k = 0; k < rows; k++) {
        double *row = r->value + k * (size_t)r->n_columns;
        row[0] = 0.125 * (double)k;
        row[1] = (double)k;
        row[4] = -(double)k;
    }
    return r;
}

static void free_fabricated(hol_result *r)
{
    free(r->name);
    free(r->unit);
    free(r->value);
    free(r);
}

static hol_status report_made(hol_context *ctx, const hol_result *r, page *p)
{
    hol_model *model = hol_model_parse(ctx, "two.yaml", two_points, strlen(two_points), NULL, 0);
    assert_non_null(model);
    const hol_status st = hol_report_write(ctx, r, model, NULL, in_folder("page.html"));
    hol_model_destroy(model);
    if (!st) read_page(in_folder("page.html"), p);
    return st;
}

static void keep_note(void *user, hol_severity severity, const char *text)
{
    char *all = user;
    (void)severity;
    if (strstr(text, "report:")) strncat(all, text, 900 - strlen(all));
}

static void too_many_signals_and_rows_are_left_out_with_a_notice(void **state)
{
    page p;
    char notes[1000] = "";
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_context_set_log(ctx, keep_note, notes);
    hol_result *r = fabricate(600000, 3); // 8 signals, of which 6 have room
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_int_equal(p.n_rows, 600000);
    assert_int_equal(p.n_values, 6 * 600000);
    assert_int_equal(p.n_time, 600000); // 3.6 million numbers
    assert_non_null(strstr(p.scene, "2 of the 8 signals are left out, from "));
    assert_non_null(strstr(notes, "2 of the 8 signals are left out"));
    free_page(&p);
    free_fabricated(r);
    hol_context_destroy(ctx);
}

static void of_too_many_rows_every_so_many_th_and_the_last_is_kept(void **state)
{
    hol_track t;
    (void)state;
    hol_context *ctx = hol_context_create();
    for (int known = 0; known < 2; known++) {
        assert_int_equal(hol_track_start(ctx, 2, 100, known ? 1000 : 10, &t), HOL_OK);
        for (int k = 0; k < 1000; k++) {
            double *row = hol_track_row(&t, k);
            assert_non_null(row);
            row[0] = k;
            row[1] = -k;
        }
        hol_track_end(&t);
        assert_in_range(t.n, 25, 51);
        assert_int_equal(t.seen, 1000);
        for (size_t i = 0; i < t.n; i++) {
            assert_true(t.time[i] == t.value[2 * i] && t.time[i] == -t.value[2 * i + 1]);
            assert_true(t.time[i] == (i + 1 < t.n ? (double)(i * t.stride) : 999));
        }
        hol_track_free(&t);
    }
    hol_context_destroy(ctx);
}

static void rows_that_are_no_numbers_one_row_and_killed_runs(void **state)
{
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_result *r = fabricate(20, 0);
    r->complete = false;
    for (int k = 7; k < 9; k++) r->value[k * r->n_columns + 2] = HOL_NONE;
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_int_equal(p.n_time, 18);
    assert_int_equal(p.n_rows, 20); // a signal may be anything
    assert_true(p.time[6] == 0.75 && p.time[7] == 0.125 * 9);
    assert_non_null(strstr(p.scene, "2 of the times, from t = 0.875 s on, have poses that are not numbers"));
    assert_non_null(strstr(p.scene, "was killed or goes on: it reaches t = 2.375 s"));
    free_page(&p);
    r->complete = true;
    r->n_rows = 1;
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_int_equal(p.n_time, 1);
    assert_int_equal(p.n_poses, 6);
    free_page(&p);
    r->value[1] = HOL_INF;
    assert_int_equal(report_made(ctx, r, &p), HOL_ERR_IO);
    assert_non_null(strstr(hol_context_error(ctx), "no row has poses that are numbers"));
    free_fabricated(r);
    hol_context_destroy(ctx);
}

static void a_mesh_that_cannot_be_read_is_told_once(void **state)
{
    static const char text[] = "dimension: 2\ngravity: [0, 0]\nbodies:\n"
                               "- {name: a, mass: 1, inertia: 1, shape: {type: mesh, file: none.stl}}\n"
                               "- {name: b, type: point, mass: 1, shape: [{type: mesh, file: none.stl}, "
                               "{type: mesh, file: no.obj}]}\n";
    char notes[1000] = "";
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_context_set_log(ctx, keep_note, notes);
    hol_result *r = fabricate(3, 1);
    r->name[6] = "more.\xc3\xa4\xff"; // and what is no UTF-8 is not handed on
    hol_model *model = hol_model_parse(ctx, "two.yaml", text, strlen(text), NULL, 0);
    assert_non_null(model);
    assert_int_equal(hol_report_write(ctx, r, model, NULL, in_folder("page.html")), HOL_OK);
    read_page(in_folder("page.html"), &p);
    const char *first = strstr(notes, "none.stl");
    assert_non_null(first);
    assert_null(strstr(first + 1, "none.stl"));
    assert_non_null(strstr(notes, "no.obj"));
    assert_non_null(strstr(p.scene, "more.\xc3\xa4\xef\xbf\xbd\""));
    free_page(&p);
    hol_model_destroy(model);
    free_fabricated(r);
    hol_context_destroy(ctx);
}

// A body that turns by more than half a turn from row to row, one far point, and what is too large to be drawn.
static void fast_turns_and_far_points_are_told(void **state)
{
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_result *r = fabricate(20, 0);
    for (int k = 0; k < 20; k++) r->value[k * r->n_columns + 3] = 3.1 * k;
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_null(strstr(p.scene, "half a turn"));
    assert_null(strstr(p.scene, "positions are drawn to"));
    free_page(&p);
    r->value[10 * r->n_columns + 3] -= 0.1;
    r->value[7 * r->n_columns + 1] = 1e6;
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_non_null(strstr(p.scene, "body a turns by more than half a turn between two times: its sense"));
    assert_non_null(strstr(p.scene, "positions are drawn to 15 m only, as bodies travel 1e+06 m"));
    free_page(&p);
    r->value[7 * r->n_columns + 1] = -2e30;
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_int_equal(p.n_time, 19);
    assert_null(strstr(p.scene, "positions are drawn to"));
    free_page(&p);
    free_fabricated(r);
    hol_context_destroy(ctx);
}

static void assert_refused(hol_context *ctx, const hol_result *r, const char *text)
{
    page p;
    assert_int_equal(report_made(ctx, r, &p), HOL_ERR_USAGE);
    if (!strstr(hol_context_error(ctx), text)) fail_msg("%s\nlacks: %s", hol_context_error(ctx), text);
}

static void a_result_without_poses_or_of_another_model_is_refused_by_name(void **state)
{
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_result *r = fabricate(3, 0);
    r->name[3] = "a.angle";
    assert_refused(ctx, r,
                   "made.csv has no poses of 1 of the 2 bodies of two.yaml: a; run the model with "
                   "`simulate: {signals: [poses, ...]}`");
    r->name[3] = "other.theta";
    assert_refused(ctx, r,
                   "does not fit the model two.yaml: the result has bodies that the model has not: other; "
                   "and lacks: a");
    free_fabricated(r);
    r = fabricate(3, 1);
    r->name[6] = "wheel.theta";
    assert_refused(ctx, r,
                   "does not fit the model two.yaml: the result has bodies that the model has not: wheel");
    assert_int_equal(hol_report_check_name(ctx, "a.htm"), HOL_ERR_USAGE);
    assert_null(hol_result_model(ctx, r));
    assert_non_null(strstr(hol_context_error(ctx), "does not say which model was run"));
    free_fabricated(r);
    hol_context_destroy(ctx);
}

// The same names and other lengths: markers give it away, of planar and of spatial bodies.
static void a_result_of_another_state_of_the_model_is_refused(void **state)
{
    static const struct {
        const char *text, *there;
    } made[] = {
        {"dimension: 2\nparameters: {L: 1}\nbodies:\n- {name: a, mass: 1, inertia: 1, com: [L/3, 0],\n"
         "   position: [0.5, 0], angle: 1, markers: {left: [0, 0], tip: [L, 0]}}\n"
         "- {name: p, type: point, mass: 1, position: [0, 1]}\n"
         "simulate: {end: 0.1, output: 0.05}\n",
         "a.tip is at (1.0403, 0.841471) in the result, at (1.5806, 1.68294) by the model; was the model"},
        {"dimension: 3\nparameters: {L: 1}\nbodies:\n- {name: a, mass: 1, inertia: [1, 2, 3], com: [0.2, 0, "
         "0],\n   position: [100, 0, 0], omega: [1, 2, 3], markers: {tip: [0, L, 2*L]}}\n"
         "simulate: {end: 0.1, output: 0.05}\n",
         "a.tip is at (100, 1, 2) in the result, at (100, 2, 4) by the model"}};
    static const char *const set[] = {"parameters.L=2"};
    (void)state;
    hol_context *ctx = hol_context_create();
    for (int i = 0; i < HOL_COUNT(made); i++) {
        const size_t n = strlen(made[i].text);
        page p;
        hol_model *model = hol_model_parse(ctx, "made.yaml", made[i].text, n, NULL, 0);
        hol_model *other = hol_model_parse(ctx, "made.yaml", made[i].text, n, set, 1);
        if (!model || !other) fail_msg("%s", hol_context_error(ctx));
        hol_result *r = run_model(ctx, model, in_folder("made.csv"));
        for (int pass = 0; pass < 2; pass++) { // what is not a number says nothing: the next row does
            assert_int_equal(hol_report_write(ctx, r, other, NULL, in_folder("page.html")), HOL_ERR_USAGE);
            const char *text = hol_context_error(ctx);
            if (!strstr(text,
                        pass ? "made.csv does not fit the model made.yaml: a.tip is at" : made[i].there))
                fail_msg("%s", text);
            assert_int_equal(hol_report_write(ctx, r, model, NULL, in_folder("page.html")), HOL_OK);
            read_page(in_folder("page.html"), &p);
            free_page(&p);
            r->value[1] = HOL_NONE;
        }
        unlink(in_folder("made.csv"));
        hol_result_destroy(r);
        hol_model_destroy(model);
        hol_model_destroy(other);
    }
    hol_context_destroy(ctx);
}

// Every request for memory fails once in turn.
static void writing_survives_every_failing_request(void **state)
{
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_parse(ctx, "two.yaml", two_points, strlen(two_points), NULL, 0);
    hol_result *r = fabricate(3, 0);
    bool done = false;
    for (long n = 1; !done; n++) {
        hol_memory_fail_after(ctx, n);
        done = hol_report_write(ctx, r, model, NULL, in_folder("page.html")) == HOL_OK;
        if (!done) assert_int_equal(hol_context_status(ctx), HOL_ERR_MEMORY);
        hol_memory_fail_after(ctx, 0);
    }
    free_fabricated(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"strange.yaml", "strange.nc", "bricard.nc",
                                        "four_bar.csv", "page.html",  "run.html",
                                        "joints.yaml",  "joints.nc",  "bar.nc"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(names); i++) remove(in_folder(names[i]));
    return rmdir(folder);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strange_names_do_no_harm_and_poses_and_signals_are_those_of_the_result),
        cmocka_unit_test(spatial_poses_are_within_a_hundred_thousandth_and_overrides_are_known_to_the_result),
        cmocka_unit_test(joints_have_their_ends_and_reactions),
        cmocka_unit_test(planar_joints_have_their_reactions_and_loops),
        cmocka_unit_test(slides_have_their_ends),
        cmocka_unit_test(a_text_result_names_its_model_and_overrides),
        cmocka_unit_test(too_many_signals_and_rows_are_left_out_with_a_notice),
        cmocka_unit_test(of_too_many_rows_every_so_many_th_and_the_last_is_kept),
        cmocka_unit_test(rows_that_are_no_numbers_one_row_and_killed_runs),
        cmocka_unit_test(a_mesh_that_cannot_be_read_is_told_once),
        cmocka_unit_test(fast_turns_and_far_points_are_told),
        cmocka_unit_test(a_result_without_poses_or_of_another_model_is_refused_by_name),
        cmocka_unit_test(a_result_of_another_state_of_the_model_is_refused),
        cmocka_unit_test(writing_survives_every_failing_request)};
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
