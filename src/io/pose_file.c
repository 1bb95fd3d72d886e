// What the assembly has found as the keys that bodies of a model file have: name, position, angle or orientation, velocity, omega.
#include "io/pose_file.h"

#include "base/file.h"

#include <string.h>

// Length of the body's name in "crank.x".
static size_t body_length(const char *name) { return (size_t)(strrchr(name, '.') - name); }

static bool same_body(const char *a, const char *b)
{
    const size_t n = body_length(a);
    return n == body_length(b) && memcmp(a, b, n) == 0;
}

// The numbers between these texts, in brackets where they are several; nothing where there are none.
static void put(FILE *file, const char *before, const char *behind, int n, const hol_assembly_value *v)
{
    char text[40];
    if (n == 0) return;
    fprintf(file, "%s%s", before, n > 1 ? "[" : "");
    for (int i = 0; i < n; i++) {
        hol_decimal_print(text, sizeof text, "%.17g", v[i].used);
        fprintf(file, "%s%s", i ? ", " : "", text);
    }
    fprintf(file, "%s%s", n > 1 ? "]" : "", behind);
}

// How many of the values from v on are of the body of q and have this unit.
static int count(const hol_assembly_value *q, const hol_assembly_value *v, int n, const char *unit)
{
    int k = 0;
    while (k < n && same_body(q->name, v[k].name) && strcmp(v[k].unit, unit) == 0) k++;
    return k;
}

// A line for each body.
static void put_bodies(FILE *file, const hol_assembly *a)
{
    for (int i = 0, rate = 0; i < a->n_positions;) {
        const hol_assembly_value *q = &a->position[i], *v = &a->velocity[rate];
        const int lengths = count(q, q, a->n_positions - i, "m"),
                  angles = count(q, q + lengths, a->n_positions - i - lengths, "rad"),
                  turns = count(q, q + lengths, a->n_positions - i - lengths, ""),
                  speeds = count(q, v, a->n_velocities - rate, "m/s"),
                  spins = count(q, v + speeds, a->n_velocities - rate - speeds, "rad/s");
        fprintf(file, "  - {name: \"%.*s\"", (int)body_length(q->name), q->name);
        put(file, ", position: ", "", lengths, q);
        put(file, ", angle: ", "", angles, q + lengths);
        put(file, ", orientation: {quat_wxyz: ", "}", turns, q + lengths);
        put(file, ", velocity: ", "", speeds, v);
        put(file, ", omega: ", "", spins, v + speeds);
        fprintf(file, "}\n");
        i += lengths + angles + turns;
        rate += speeds + spins;
    }
}

// The whole file, or nothing.
hol_status hol_pose_to_file(hol_context *ctx, const hol_assembly *a, const char *path)
{
    hol_output out;
    const char *end = strrchr(path, '.');
    if (!end || strcmp(end, ".yaml") != 0)
        return hol_fail(ctx, HOL_ERR_USAGE, "%s: a pose is written as .yaml", path);
    if (!hol_output_open(ctx, &out, path, HOL_OUTPUT_WHOLE)) return hol_output_fail(ctx, &out, path);
    fprintf(out.file, "# %s of %s, in m, rad and s\nbodies:\n",
            a->closed ? "The start" : "The nearest pose, in which joints are open,", a->model);
    put_bodies(out.file, a);
    return hol_output_close(&out, true) ? HOL_OK : hol_output_fail(ctx, &out, path);
}
