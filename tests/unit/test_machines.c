// Machines of models/ against references of their own, which two formulations or two integrators agree on (the heads of the tables say how
// far): every row, at its time. docs/models.md.
#include "harness.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 24, MOST_ROWS = 40 };

typedef struct {
    int n_columns, n_rows;
    char name[MOST_COLUMNS][40];
    double value[MOST_ROWS][MOST_COLUMNS];
} table;

// Comments, names, rows.
static void read_table(const char *file, table *t)
{
    char line[2000];
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    memset(t, 0, sizeof *t);
    while (fgets(line, sizeof line, in)) {
        if (*line == '#') continue;
        int k = 0;
        for (char *p = strtok(line, ",\n"); p; p = strtok(NULL, ",\n"), k++) {
            assert_true(k < MOST_COLUMNS && t->n_rows < MOST_ROWS);
            if (t->n_columns)
                t->value[t->n_rows][k] = strtod(p, NULL);
            else
                snprintf(t->name[k], sizeof t->name[k], "%s", p);
        }
        if (t->n_columns)
            t->n_rows++;
        else
            t->n_columns = k;
    }
    fclose(in);
    assert_true(t->n_rows > 5);
}

// What a column of a table is among the signals of the model; NULL at the end.
typedef struct {
    const char *column, *signal;
    double size; // what the tolerance is relative to, in its unit
} measured;

// The largest difference over all rows and signals by their sizes.
static double differ(const char *model, const char *file, const measured *what, const char *method, double T)
{
    static table t;
    char how[3][60], worst[100] = "";
    const char *set[] = {how[0], how[1], how[2]};
    double most = 0;
    read_table(file, &t);
    snprintf(how[0], sizeof how[0], "simulate.method=%s", method);
    snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
    snprintf(how[2], sizeof how[2], "simulate.signals=[all, coordinates]");
    motion m = open_motion(model, set, 3);
    for (int r = 0; r < t.n_rows; r++) {
        if (hol_simulation_advance(m.sim, t.value[r][0])) fail_msg("%s: %s", method, hol_context_error(ctx));
        for (const measured *w = what; w->column; w++) {
            int k = 0;
            while (k < t.n_columns && strcmp(t.name[k], w->column) != 0) k++;
            if (k == t.n_columns) fail_msg("%s has no column %s", file, w->column);
            const double off = fabs(value_of(&m, w->signal) - t.value[r][k]) / w->size;
            if (!(off > most)) continue;
            most = off;
            snprintf(worst, sizeof worst, "%s at %g", w->signal, t.value[r][0]);
        }
    }
    close_motion(&m);
    if (getenv("SEEN")) printf("%s %s at %g: %.2g, %s\n", model, method, T, most, worst);
    return most;
}

#define EXCAVATOR "tests/reference/excavator.csv"
static const measured excavator[] = {{"boom", "boom.theta", 1},     {"stick", "stick.theta", 1},
                                     {"bucket", "bucket.theta", 1}, {"x", "bucket.tooth.x", 5.68},
                                     {"y", "bucket.tooth.y", 5.68}, {"lift", "lift_force", 4e5},
                                     {"crowd", "crowd_force", 2e5}, {"curl", "curl_force", 2e5},
                                     {"power", "power", 2e5},       {NULL, NULL, 0}};

#define LEG "tests/reference/walking_leg.csv"
static const measured leg[] = {{"rail.stroke", "rail.stroke", 1}, {"lift.stroke", "lift.stroke", 1},
                               {"hip.angle", "hip.angle", 1},     {"knee.angle", "knee.angle", 1},
                               {"rail.speed", "rail.speed", 1},   {"hip.rate", "hip.rate", 10},
                               {"knee.rate", "knee.rate", 10},    {NULL, NULL, 0}};

// Prescribed strokes: poses to rounding of the joints, forces to what the interpolation between steps leaves.
static void an_excavator_has_the_forces_of_two_formulations(void **state)
{
    static const char *const method[] = {"rk", "adams", "bdf", "rn4", "ros2w", "hht", "genalpha", "tangent"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(method); i++)
        if (in_sample(i, 2, 4))
            near(method[i], differ("excavator", EXCAVATOR, excavator, method[i], 1e-6), 0, 1e-5);
    near("rk", differ("excavator", EXCAVATOR, excavator, "rk", 1e-9), 0, 1e-9);
}

// The work of its cylinders, some 1e5 J to and fro: between steps multipliers are solved for where the tolerance asks for it (a straight
// line between steps leaves 95 J by rn4 whatever the tolerance).
static void the_work_of_its_cylinders_is_summed(void **state)
{
    static const struct {
        const char *method;
        double most; // [J]
    } rows[] = {{"simulate.method=rk", 0.1},
                {"simulate.method=rn4", 10},
                {"simulate.method=adams", 1},
                {"simulate.method=bdf", 0.1}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const char *set[] = {rows[i].method, "simulate.tolerance=1e-6"};
        motion m = move("excavator", set, 2);
        near(rows[i].method, hol_simulation_statistics(m.sim)->energy_drift_max, 0, rows[i].most);
        close_motion(&m);
    }
}

// Three steps on the floor, motors at their ends, stops of the knee, friction that sticks: to ten tolerances.
static void a_leg_walks_as_two_integrators_say(void **state)
{
    (void)state;
    if (few()) return; // 4e6 evaluations, of laws that other tests have
    near("rk", differ("walking_leg", LEG, leg, "rk", 1e-5), 0, 1e-4);
    if (!goes_far()) return;
    near("adams", differ("walking_leg", LEG, leg, "adams", 1e-6), 0, 1e-5);
    near("bdf", differ("walking_leg", LEG, leg, "bdf", 1e-6), 0, 1e-5);
    near("rn4", differ("walking_leg", LEG, leg, "rn4", 1e-5), 0, 1e-4);
    near("hht", differ("walking_leg", LEG, leg, "hht", 1e-4), 0, 1e-3);
    near("rk", differ("walking_leg", LEG, leg, "rk", 1e-8), 0, 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_excavator_has_the_forces_of_two_formulations),
                                       cmocka_unit_test(the_work_of_its_cylinders_is_summed),
                                       cmocka_unit_test(a_leg_walks_as_two_integrators_say)};
    return cmocka_run_group_tests(tests, start, stop);
}
