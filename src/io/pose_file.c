// What the assembly has found as `pose:` of a model file: position, angle or orientation, velocity, omega of each body.
#include "io/pose_file.h"

#include "base/file.h"
#include "io/number_text.h"

#include <string.h>

// ---- a line -----------------------------------------------------------------------------------------------------

// "KEY: " and the numbers with their unit, in brackets where they are several, whatever the units of the file are; nothing where there are none.
static void put(FILE *file, const char *key, int n, const double *v, const char *unit, const char *behind)
{
    char text[32];
    if (n == 0) return;
    fprintf(file, "%s: %s", key, n > 1 ? "[" : "");
    for (int i = 0; i < n; i++) {
        hol_number_text(v[i], text);
        fprintf(file, "%s%s%s", i ? ", " : "", text, unit);
    }
    fprintf(file, "%s%s", n > 1 ? "]" : "", behind);
}

void hol_pose_put_body(FILE *file, const hol_pose_line *l)
{
    fprintf(file, "  %.*s: {", l->length, l->name);
    put(file, "position", l->lengths, l->q, " m", "");
    put(file, ", angle", l->angles, l->q + l->lengths, " rad", "");
    put(file, ", orientation: {quat_wxyz", l->turns, l->q + l->lengths, "", "}");
    put(file, ", velocity", l->speeds, l->v, " m/s", "");
    put(file, ", omega", l->spins, l->omega, " rad/s", "");
    fprintf(file, "}\n");
}

// ---- what the assembly has --------------------------------------------------------------------------------------

// Length of the body's name in "crank.x".
static size_t body_length(const char *name) { return (size_t)(strrchr(name, '.') - name); }

static bool same_body(const char *a, const char *b)
{
    const size_t n = body_length(a);
    return n == body_length(b) && memcmp(a, b, n) == 0;
}

// How many of the values from v on are of the body of q and have this unit; they go to out.
static int take(const hol_assembly_value *q, const hol_assembly_value *v, int n, const char *unit,
                double *out)
{
    int k = 0;
    for (; k < n && same_body(q->name, v[k].name) && strcmp(v[k].unit, unit) == 0; k++) out[k] = v[k].used;
    return k;
}

// How many of these are told: all, where one of them is given or is not 0, else none.
static int told(const hol_assembly_value *v, int n)
{
    for (int i = 0; i < n; i++)
        if (v[i].given || v[i].used != 0) return n;
    return 0;
}

// A line for each body.
static void put_bodies(FILE *file, int n, const hol_assembly_value *q, int n_rates,
                       const hol_assembly_value *v)
{
    if (!n_rates) v = q; // none is read
    while (n > 0) {
        hol_pose_line l = {.name = q->name, .length = (int)body_length(q->name)};
        l.lengths = take(q, q, n, "m", l.q);
        l.angles = take(q, q + l.lengths, n - l.lengths, "rad", l.q + l.lengths);
        l.turns = take(q, q + l.lengths, n - l.lengths, "", l.q + l.lengths);
        const int speeds = take(q, v, n_rates, "m/s", l.v),
                  spins = take(q, v + speeds, n_rates - speeds, "rad/s", l.omega);
        l.speeds = told(v, speeds);
        l.spins = told(v + speeds, spins);
        hol_pose_put_body(file, &l);
        n -= l.lengths + l.angles + l.turns;
        q += l.lengths + l.angles + l.turns;
        n_rates -= speeds + spins;
        v += speeds + spins;
    }
}

// The whole file, or nothing.
hol_status hol_pose_to_file(hol_context *ctx, const hol_assembly *a, int pose, const char *path)
{
    hol_output out;
    const char *end = strrchr(path, '.');
    const hol_assembly_pose *p = pose < 0 ? NULL : &a->pose[pose];
    if (!end || strcmp(end, ".yaml") != 0)
        return hol_fail(ctx, HOL_ERR_USAGE, "%s: a pose is written as .yaml", path);
    if (!hol_output_open(ctx, &out, path, HOL_OUTPUT_WHOLE)) return hol_output_fail(ctx, &out, path);
    fprintf(out.file, "# holonom %s: %s %s\npose:\n", HOL_VERSION,
            p           ? "a pose of"
            : a->closed ? "the start of"
            : a->broken ? "the nearest pose, which is not what is required, of"
                        : "the nearest pose, in which joints are open, of",
            a->model);
    if (p)
        put_bodies(out.file, p->n_positions, p->position, 0, NULL);
    else
        put_bodies(out.file, a->n_positions, a->position, a->n_velocities, a->velocity);
    return hol_output_close(&out, true) ? HOL_OK : hol_output_fail(ctx, &out, path);
}
