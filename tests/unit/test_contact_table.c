// What contacts show: their signals, sums over them, and the table of contacts with how each begins and ends.
#include "harness.h"

#include "api/api.h"
#include "model/contacts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The rows and contacts of a run in memory.
static hol_result *record(const char *text, const char *const *set, int n)
{
    motion m = open_motion(text, set, n);
    assert_int_equal(hol_simulation_record(m.sim), HOL_OK);
    if (hol_simulation_run(m.sim)) fail_msg("%s", hol_context_error(ctx));
    hol_simulation_finish(m.sim);
    hol_result *r = hol_simulation_take_result(m.sim);
    assert_non_null(r);
    close_motion(&m);
    return r;
}

static double at(const hol_result *r, size_t row, const char *name)
{
    const int column = column_of(r, name);
    if (column < 0) fail_msg("there is no column %s", name);
    return r->value[row * (size_t)r->n_columns + (size_t)column];
}

static double last(const hol_result *r, const char *name) { return at(r, r->n_rows - 1, name); }

// A ball 0.02 m above a wall, without gravity.
#define WALL(law, rest)                                                                                      \
    "dimension: 2\nlength_scale: 0.02\ntime_scale: 0.01\nparameters: {v: 2, e: 0.5}\n"                       \
    "ground: {shape: {type: halfplane, name: wall}}\n"                                                       \
    "bodies: [{name: b, mass: 0.5, inertia: 1, position: [0, 0.22], velocity: [0, -v], "                     \
    "shape: {type: sphere, radius: 0.2}}]\n"                                                                 \
    "contacts: [{name: k, between: [b, ground.wall], stiffness: 1e6, " law "}]\n"                            \
    "simulate: {end: 0.04, method: rk, tolerance: 1e-11, output: 1e-4}\n" rest

// References: (23.5) by quadrature with 60 digits, tests/reference/contact/closed_forms.csv; impulse (1 + e) m v.
static void the_table_has_an_impact_of_the_closed_forms(void **state)
{
    (void)state;
    const double e = 0.882189986247306379;
    hol_result *r = record(WALL("damping: 0.1", ""), NULL, 0);
    assert_int_equal(r->n_contacts, 1);
    const hol_contact_event *k = &r->contact[0];
    assert_string_equal(k->name, "k");
    assert_string_equal(k->pair, "b~ground.wall");
    assert_string_equal(hol_contact_edge_word(k->begins, false), "met");
    assert_string_equal(hol_contact_edge_word(k->ends, true), "parted");
    assert_null(hol_contact_edge_word(HOL_CONTACT_EDGES, true));
    near("onset", k->onset, 0.01, 1e-13);
    near("duration", k->end - k->onset, 8.57128746144744289e-3, 1e-11);
    near("v_i", k->v_i, 2, 1e-12);
    near("v_end", k->v_end, 2 * e, 1e-11);
    near("depth", k->depth, 5.46690607207190009e-3, 1e-12);
    near("impulse", k->impulse, (1 + e) * 0.5 * 2, 1e-8);
    near("damping", k->damping, 0.221740828164977381, 1e-9);
    near("lost", k->damping, (1 - e * e) * 0.5 * 4 / 2, 1e-9);
    near("friction", k->friction, 0, 0);
    near("slid", k->slid, 0, 0);
    hol_result_destroy(r);
}

// At every row within the contact, which lies inside steps: momentum and energy, by what the ball does.
static void sums_hold_between_steps(void **state)
{
    (void)state;
    hol_result *r = record(WALL("restitution: e", ""), NULL, 0);
    int within = 0;
    for (size_t i = 0; i < r->n_rows; i++) {
        const double v = at(r, i, "b.vy"), stored = at(r, i, "k.stored"), depth = at(r, i, "k.depth");
        within += depth > 0;
        near("impulse", at(r, i, "k.impulse"), 0.5 * (v + 2), 1e-7);
        near("energy", at(r, i, "k.work.damping") + stored + 0.25 * v * v, 1, 1e-7);
        near("depth", depth, fmax(0, 0.2 - at(r, i, "b.y")), 1e-15);
        near("account", at(r, i, "energy.contact_damping"), at(r, i, "k.work.damping"), 0);
        near("pushed", at(r, i, "k.Fy"), at(r, i, "k.F"), 1e-12);
        near("point", at(r, i, "k.px"), at(r, i, "b.x"), 1e-15);
        near("middle of the overlap", at(r, i, "k.py"), 0.5 * at(r, i, "k.gap"), 1e-15);
        near("normal", at(r, i, "k.ny"), 1, 0);
    }
    assert_true(within > 80);
    hol_result_destroy(r);
}

// A box and a ball that slide on a floor, with steps far longer than the rows.
#define FLOOR                                                                                                \
    "dimension: D\ngravity: [G]\nground: {shape: {type: half, name: floor}}\n"                               \
    "bodies:\n"                                                                                              \
    "  - {name: box, mass: 1, inertia: I, position: [P], velocity: [V], shape: {type: box, size: [S]}}\n"    \
    "  - {name: ball, mass: 0.5, inertia: I, position: [Q], velocity: [V], shape: {type: sphere, radius: "   \
    "0.1}}\n"                                                                                                \
    "contacts: [{name: floor, between: [all, ground], stiffness: 1e5, exponent: 2, restitution: 0.4,\n"      \
    "  friction: {coefficient: 0.3, transition: 0.01}}]\n"                                                   \
    "simulate: {end: 0.4, method: rk, tolerance: 1e-8, output: 0.004, signals: [all, box~ground.floor, "     \
    "ball~ground.floor]}\n"

// The letters in capitals of a text, by what stands for them.
static const char *with(const char *text, const char *const values[][2], int n)
{
    static char out[4000];
    size_t k = 0;
    for (const char *p = text; *p; p++) {
        const char *value = NULL;
        for (int i = 0; i < n && !value; i++)
            if (strncmp(p, values[i][0], strlen(values[i][0])) == 0) value = values[i][1];
        const size_t length = value ? strlen(value) : 1;
        memcpy(out + k, value ? value : p, length);
        k += length;
        if (value) p += strcspn(p, "],}\n ") - 1;
    }
    out[k] = 0;
    return out;
}

static const char *floor_of(int dimension)
{
    static const char *const plane[][2] = {{"D\n", "2"},       {"G]", "0, -9.81"}, {"half,", "halfplane"},
                                           {"I,", "0.01"},     {"P]", "0, 0.15"},  {"V]", "1, 0"},
                                           {"S]", "0.3, 0.2"}, {"Q]", "2, 0.15"}},
                             *const space[][2] = {{"D\n", "3"},
                                                  {"G]", "0, 0, -9.81"},
                                                  {"half,", "halfspace"},
                                                  {"I,", "[0.01, 0.01, 0.01]"},
                                                  {"P]", "0, 0, 0.15"},
                                                  {"V]", "1, 0.5, 0"},
                                                  {"S]", "0.3, 0.3, 0.2"},
                                                  {"Q]", "2, 0, 0.15"}};
    return dimension == 2 ? with(FLOOR, plane, HOL_COUNT(plane)) : with(FLOOR, space, HOL_COUNT(space));
}

static const char *const forces[] = {"F", "friction.x", "friction.y", "friction.z"}, *const summed[] = {
                                                                                         "stored", "impulse",
                                                                                         "work.damping",
                                                                                         "work.friction",
                                                                                         "slid"};

// The sum of a column over the contacts of this list of numbers, 0 at its end.
static double over(const hol_result *r, size_t row, const int *number, const char *column)
{
    char name[60];
    double sum = 0;
    for (; *number; number++) {
        snprintf(name, sizeof name, "floor.%d.%s", *number, column);
        sum += at(r, row, name);
    }
    return sum;
}

static void hold_sum(const hol_result *r, size_t row, const char *sum, const int *number, const char *column)
{
    char name[80];
    snprintf(name, sizeof name, "%s.%s", sum, column);
    const double want = over(r, row, number, column);
    near(name, at(r, row, name), want, 1e-12 * fmax(1, fabs(want)));
}

// Sums of rules and of pairs are those over their contacts, the account has all of them, and what is lost is the energy that is gone.
static void sums_over_contacts_are_the_whole(void **state)
{
    (void)state;
    static const int box[2][9] = {{1, 2, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8}}, ball[2][2] = {{5}, {9}},
                     all[2][10] = {{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
    for (int d = 0; d < 2; d++) {
        hol_result *r = record(floor_of(2 + d), NULL, 0);
        for (size_t i = 0; i < r->n_rows; i++) {
            for (int c = 0; c < HOL_COUNT(forces) + HOL_COUNT(summed); c++) {
                const char *column = c < HOL_COUNT(forces) ? forces[c] : summed[c - HOL_COUNT(forces)];
                if (d == 0 && strcmp(column, "friction.z") == 0) continue;
                hold_sum(r, i, "floor", all[d], column);
                hold_sum(r, i, "box~ground.floor", box[d], column);
                hold_sum(r, i, "ball~ground.floor", ball[d], column);
            }
            near("damping", at(r, i, "energy.contact_damping"), at(r, i, "floor.work.damping"), 1e-13);
            near("friction", at(r, i, "energy.contact_friction"), at(r, i, "floor.work.friction"), 1e-13);
            near("account", at(r, i, "energy.total") - at(r, 0, "energy.total"),
                 -at(r, i, "floor.work.damping") - at(r, i, "floor.work.friction"), 2e-6);
        }
        double damping = 0, friction = 0;
        for (int i = 0; i < r->n_contacts; i++) {
            damping += r->contact[i].damping;
            friction += r->contact[i].friction;
        }
        near("damping of the table", damping, last(r, "energy.contact_damping"), 1e-12);
        near("friction of the table", friction, last(r, "energy.contact_friction"), 1e-12);
        assert_true(damping > 0.1 && friction > 0.1);
        hol_result_destroy(r);
    }
}

// Friction by components, and where it acts: its power is what friction takes, its size the coefficient times F while it slides.
static void friction_has_components(void **state)
{
    (void)state;
    hol_result *r = record(floor_of(3), NULL, 0);
    int sliding = 0;
    for (size_t i = 0; i < r->n_rows; i++) {
        const double x = at(r, i, "floor.9.friction.x"), y = at(r, i, "floor.9.friction.y"),
                     F = at(r, i, "floor.9.F"), size = at(r, i, "floor.9.friction");
        near("size", hypot(x, y), size, 1e-12);
        near("along the floor", at(r, i, "floor.9.friction.z"), 0, 1e-12);
        near("normal", at(r, i, "floor.9.nz"), 1, 1e-15);
        near("point", at(r, i, "floor.9.px"), at(r, i, "ball.x"), 1e-12);
        if (at(r, i, "floor.9.slip") < 0.1 || F < 1) continue;
        sliding++;
        near("direction", atan2(y, x), atan2(-0.5, -1), 1e-6);
        near("Coulomb", size, 0.3 * F, 1e-6 * F);
    }
    assert_true(sliding > 3);
    hol_result_destroy(r);
}

// Begun and ended by the run, and by events.
static void the_table_says_how_contacts_begin_and_end(void **state)
{
    (void)state;
    hol_result *r = record(
        "dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane}}\n"
        "bodies: [{name: b, mass: 0.5, inertia: 1e-3, position: [0, 0.0995], shape: {type: sphere, radius: "
        "0.1}}]\n"
        "contacts: [{name: k, between: [b, ground], stiffness: 1e5, restitution: 0.5}]\n"
        "events: [{name: off, at: 0.002, off: k}, {name: 'on', at: 0.004, on: k}]\n"
        "simulate: {end: 0.006, method: rk, tolerance: 1e-9, output: 0.006}\n",
        NULL, 0);
    assert_int_equal(r->n_contacts, 2);
    const hol_contact_event *a = &r->contact[0], *b = &r->contact[1];
    assert_string_equal(hol_contact_edge_word(a->begins, false), "start");
    assert_string_equal(hol_contact_edge_word(a->ends, true), "switched off");
    assert_string_equal(hol_contact_edge_word(b->begins, false), "switched on");
    assert_string_equal(hol_contact_edge_word(b->ends, true), "end");
    near("start", a->onset, 0, 0);
    near("off", a->end, 0.002, 1e-15);
    near("on", b->onset, 0.004, 1e-15);
    near("end", b->end, 0.006, 1e-15);
    near("both", a->impulse + b->impulse, 0.5 * (last(r, "b.vy") + 9.81 * 0.006), 1e-9);
    hol_result_destroy(r);
}

// A program that looks into a contact and changes something there cuts the step; nothing counts twice.
static void a_step_that_is_cut_counts_once(void **state)
{
    (void)state;
    motion m = open_motion(
        WALL("restitution: e",
             "inputs: [{name: u, unit: N}]\nforces: [{name: f, type: force, on: b, value: [u, 0]}]\n"),
        NULL, 0);
    assert_int_equal(hol_simulation_record(m.sim), HOL_OK);
    for (int i = 1; i <= 50; i++) {
        if (hol_simulation_advance(m.sim, 4e-4 * i)) fail_msg("%s", hol_context_error(ctx));
        near("impulse", signal_value(m.sim, "k.impulse"), 0.5 * (signal_value(m.sim, "b.vy") + 2), 1e-7);
        hol_simulation_set_input(m.sim, 0, 1e-3 * i);
    }
    const double back = signal_value(m.sim, "b.vy");
    hol_simulation_finish(m.sim);
    near("restitution", back / 2, 0.5, 1e-7);
    hol_result *r = hol_simulation_take_result(m.sim);
    assert_int_equal(r->n_contacts, 1);
    assert_int_equal(hol_simulation_statistics(m.sim)->contact_onsets, 1);
    near("impulse of the table", r->contact[0].impulse, 0.5 * (back + 2), 1e-7);
    hol_result_destroy(r);
    close_motion(&m);
}

// A state from outside ends what lasts, and begins what it finds.
static void a_state_from_outside_begins_anew(void **state)
{
    (void)state;
    motion m = open_motion(WALL("restitution: e", ""), NULL, 0);
    assert_int_equal(hol_simulation_record(m.sim), HOL_OK);
    assert_int_equal(hol_simulation_advance(m.sim, 0.012), HOL_OK);
    hol_state_view x;
    assert_int_equal(hol_simulation_get_state(m.sim, &x), HOL_OK);
    const double q[3] = {0, 0.3, 0}, v[3] = {0, 0, 0};
    x.q = q;
    x.v = v;
    assert_int_equal(hol_simulation_set_state(m.sim, &x, NULL), HOL_OK);
    assert_int_equal(hol_simulation_run(m.sim), HOL_OK);
    hol_simulation_finish(m.sim);
    hol_result *r = hol_simulation_take_result(m.sim);
    assert_int_equal(r->n_contacts, 1);
    assert_int_equal(r->contact[0].ends, HOL_EDGE_RUN);
    near("end", r->contact[0].end, 0.012, 1e-15);
    near("impulse goes on", last(r, "k.impulse"), r->contact[0].impulse, 1e-15);
    hol_result_destroy(r);
    close_motion(&m);
}

// Which pairs a rule names, and why some are left out.
static void check_tells_why_pairs_are_left_out(void **state)
{
    (void)state;
    motion m = open_motion(
        "dimension: 2\nground: {shape: {type: halfplane, name: floor}}\n"
        "bodies:\n"
        "  - {name: a, mass: 1, inertia: 1, position: [0, 1], shape: [{type: sphere, radius: 0.1}, {type: "
        "sphere, radius: 0.1, name: nose, position: [1, 0]}]}\n"
        "  - {name: b, mass: 1, inertia: 1, position: [3, 1], shape: {type: sphere, radius: 0.1}}\n"
        "  - {name: c, mass: 1, inertia: 1, position: [5, 1], shape: {type: sphere, radius: 0.1}}\n"
        "joints: [{name: hinge, type: revolute, bodies: [a, b], at: [2, 1]}]\n"
        "contacts: [{name: k, between: [all, all, ground], stiffness: 1, exponent: 1.5, except: [b, c]}]\n"
        "simulate: {end: 1}\n",
        NULL, 0);
    hol_check *c = hol_check_create(ctx, m.model);
    if (!c) fail_msg("%s", hol_context_error(ctx));
    static const struct {
        const char *pair, *left;
        int contacts;
    } rows[] = {{"a~a.nose", "they are of one body", 0},
                {"a~b", "joint \"hinge\" connects them: `joined: yes` lets them touch", 0},
                {"a.nose~b", "joint \"hinge\" connects them: `joined: yes` lets them touch", 0},
                {"a~c", NULL, 1},
                {"a.nose~c", NULL, 1},
                {"b~c", "both stand under `except`", 0},
                {"a~ground.floor", NULL, 1},
                {"a.nose~ground.floor", NULL, 1},
                {"b~ground.floor", NULL, 1},
                {"c~ground.floor", NULL, 1}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        int found = 0;
        for (int k = 0; k < c->n_pairs; k++) {
            const hol_pair_check *p = &c->pair[k];
            char other[40]; // of two balls either may come first
            const char *cut = strchr(rows[i].pair, '~');
            snprintf(other, sizeof other, "%s~%.*s", cut + 1, (int)(cut - rows[i].pair), rows[i].pair);
            if (strcmp(p->pair, rows[i].pair) != 0 && strcmp(p->pair, other) != 0) continue;
            found++;
            assert_string_equal(p->rule, "k");
            assert_int_equal(p->contacts, rows[i].contacts);
            if (!!p->left != !!rows[i].left || (p->left && strcmp(p->left, rows[i].left) != 0))
                fail_msg("%s: %s", p->pair, p->left ? p->left : "it touches");
        }
        if (found != 1) fail_msg("%s is there %d times", rows[i].pair, found);
    }
    assert_int_equal(c->n_pairs, HOL_COUNT(rows));
    assert_false(c->more_pairs);
    hol_check_destroy(c);
    close_motion(&m);
}

// A file has no table of contacts.
static void results_of_files_have_no_contacts(void **state)
{
    (void)state;
    hol_result *r = rows_written(WALL("restitution: e", ""), NULL, 0, NULL);
    assert_int_equal(r->n_contacts, -1);
    assert_true(column_of(r, "k.friction.x") > 0);
    hol_result_destroy(r);
}

// A disc that is drawn in touch and thrown along the floor begins to press at once, and slides from there on: its sums are those of states of the model
// with the same rates, and the impulse is m g t. rk lost the 0.04 m of the first stretch.
static void what_touches_at_the_start_is_summed_from_there(void **state)
{
    static const char *const methods[] = {"rk", "rn4", "bdf", "joint_bdf"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        char set[60];
        snprintf(set, sizeof set, "simulate.method=%s", methods[i]);
        motion m = move(
            "dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane, name: floor}}\n"
            "bodies: [{name: b, mass: 2, inertia: 0.01, position: [0, 0.1], velocity: [100, 0], shape: "
            "{type: sphere, "
            "radius: 0.1}}]\n"
            "contacts: [{name: f, between: [b, ground.floor], stiffness: 1e7, restitution: 0.5, friction: "
            "{coefficient: "
            "0.3, law: tanh, transition: 0.5}}]\n"
            "states: [{name: imp, rate: FN(f)}, {name: sl, rate: VT(f)}]\n"
            "simulate: {end: 0.2, output: 0.2, tolerance: 1e-8, signals: [f.slid, f.impulse, imp, sl]}\n",
            (const char *const[]){set}, 1);
        if (m.end) fail_msg("%s: %s", methods[i], hol_context_error(ctx));
        near(methods[i], value_of(&m, "f.slid"), value_of(&m, "sl"), 1e-6);
        near(methods[i], value_of(&m, "f.impulse"), 2 * 9.81 * 0.2, 1e-6);
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_touches_at_the_start_is_summed_from_there),
        cmocka_unit_test(the_table_has_an_impact_of_the_closed_forms),
        cmocka_unit_test(sums_hold_between_steps),
        cmocka_unit_test(sums_over_contacts_are_the_whole),
        cmocka_unit_test(friction_has_components),
        cmocka_unit_test(the_table_says_how_contacts_begin_and_end),
        cmocka_unit_test(a_step_that_is_cut_counts_once),
        cmocka_unit_test(a_state_from_outside_begins_anew),
        cmocka_unit_test(check_tells_why_pairs_are_left_out),
        cmocka_unit_test(results_of_files_have_no_contacts),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
