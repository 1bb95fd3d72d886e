// Branches of equilibria over a parameter against closed forms: folds, forks, flutter, full turns, ends. docs/theory.md, section 20.5.
#include "at_rest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A beam-column of two rods with a torsion spring between, pressed: it buckles at 4 k/L for rods of L/2; every length that the joints hold
// depends on the parameter, as the rods get longer with it.
static const char strut[] =
    "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\nparameters: {P: 1, L: 2, k: 3, lean: 0}\nbodies:\n"
    "  - {name: a, mass: 1, inertia: 1, position: [L/4, 0], markers: {l: [-L/4, 0], r: [L/4, 0]}}\n"
    "  - {name: b, mass: 1, inertia: 1, position: [3*L/4, 0], markers: {l: [-L/4, 0], r: [L/4, 0]}}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground, a.l]}\n"
    "  - {name: B, type: revolute, between: [a.r, b.l]}\n"
    "  - {name: C, type: in-line, between: [ground, b.r]}\n"
    "forces:\n"
    "  - {name: spring, type: rotational-spring-damper, between: [a, b], stiffness: k, angle: lean}\n"
    "  - {name: press, type: force, on: b.r, value: [-P, 0]}\n";

static const hol_static_point *the(const hol_statics *s, hol_static_kind kind)
{
    const hol_static_point *found = NULL;
    for (int i = 0; i < s->n_points; i++)
        if (s->point[i].at == kind) {
            assert_null(found);
            found = &s->point[i];
        }
    assert_non_null(found);
    return found;
}

// Critical load 4 k/L, by the load and by the length.
static void a_strut_buckles(void **state)
{
    hol_model *model;
    (void)state;
    hol_statics *s = followed(strut, "P=1..10", false, &model);
    near("load", the(s, HOL_STATIC_BIFURCATION)->parameter, 6, 1e-9);
    near("end", s->point[s->n_points - 1].parameter, 10, 1e-12);
    assert_true(s->point[0].stable && !s->point[s->n_points - 1].stable && !s->ended);
    leave(s, model);
    s = followed(strut, "L=2..20", true, &model);
    near("length", the(s, HOL_STATIC_BIFURCATION)->parameter, 12, 1e-9);
    int last = 0;
    for (int i = 0; i < s->n_points; i++) last = s->point[i].branch > last ? s->point[i].branch : last;
    assert_int_equal(last, 2);
    leave(s, model);
}

// A four-bar linkage is drawn out to a + b + c = 5.2, where its links come into line and what holds them has no limit.
static void branches_end_where_links_come_into_line(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -10]\nparameters: {d: 2.5}\nbodies:\n"
        "  - {name: crank, mass: 1, inertia: 0.1, position: [0.25, 0.43], angle: 60 deg, markers: {o: [-0.5, "
        "0], p: [0.5, 0]}}\n"
        "  - {name: coup, mass: 1.5, inertia: 0.2, position: [1.5, 1.3], angle: 25 deg,\n"
        "     markers: {o: [-1.1, 0], p: [1.1, 0], m: [0.3, 0.4]}}\n"
        "  - {name: rock, mass: 1.2, inertia: 0.3, position: [2.3, 1], angle: 100 deg, markers: {o: [-1, 0], "
        "p: [1, 0]}}\n"
        "joints:\n  - {name: A, type: revolute, between: [ground, crank.o]}\n"
        "  - {name: B, type: revolute, between: [crank.p, coup.o]}\n"
        "  - {name: C, type: revolute, between: [coup.p, rock.p]}\n"
        "  - {name: D, type: revolute, between: [ground: [d, 0], rock.o]}\nforces:\n"
        "  - {name: sp, type: spring-damper, between: [ground: [0.5, 3], coup.m], stiffness: 60, length: 1, "
        "damping: 2}\n";
    hol_model *model;
    (void)state;
    hol_statics *s = followed(text, "d=2.5..5.3", false, &model);
    assert_non_null(s->ended);
    assert_non_null(strstr(s->ended, "singular pose is near: the equations of A, B, C and D"));
    assert_true(s->n_points < 500);
    near("d", s->point[s->n_points - 1].parameter, 5.2, 1e-3);
    leave(s, model);
}

// Where a force grows along a direction that nothing holds there is one point, and no branch: a wheel on a road that P pushes, however stiff
// the road; a cart on a rail that tilts, and that P pushes; a box on a floor whose friction is smooth; a rod that a moment turns. Half way, by
// a force that begins at P = 1: the points up to there are equilibria, and there is none beyond.
static void branches_end_where_nothing_holds(void **state)
{
    static const char wheel[] = "dimension: 2\ngravity: [0, -9.81]\nparameters: {P: 0}\n"
                                "bodies: [{name: w, type: point, mass: 20, position: [0, 0.5]}]\nforces:\n"
                                "  - {name: f, type: force, on: w, value: [\"%s\", 0]}\n"
                                "  - {name: t, type: tyre, on: w, stiffness: %s, length: 0.5}\n",
                      cart[] = "dimension: 2\ngravity: [0, -9.81]\nparameters: {P: 0, th: 0}\nbodies:\n"
                               "  - {name: cart, mass: 20, inertia: 0.3}\n"
                               "  - {name: pen, mass: 2, inertia: 0.1, com: [0, -0.5]}\njoints:\n"
                               "  - {name: rail, type: translational, between: [ground.g, cart]}\n"
                               "  - {name: h, type: revolute, between: [cart, pen]}\n"
                               "ground: {markers: {g: {angle: th}}}\n"
                               "forces: [{name: f, type: force, on: cart, value: [P, 0]}]\n",
                      box[] =
                          "dimension: 2\ngravity: [0, -9.81]\nparameters: {P: 0}\n"
                          "ground: {shape: [{name: fl, type: halfplane}]}\n"
                          "bodies: [{name: box, mass: 20, inertia: 0.3, position: [0, 0.15], markers: {top: "
                          "[0, 0.15]}, shape: {type: box, size: [0.3, 0.3]}}]\n"
                          "forces: [{name: f, type: force, on: box.top, value: [P, 0]}]\n"
                          "contacts: [{name: c, between: [box, ground.fl], stiffness: 1e7, damping: 0, "
                          "friction: {coefficient: 0.6, law: tanh, transition: 0.001}}]\n",
                      rod[] = "dimension: 2\ngravity: [0, 0]\nparameters: {P: 0}\n"
                              "bodies: [{name: rod, mass: 1, inertia: 0.3}]\n"
                              "joints: [{name: j, type: revolute, between: [ground, rod]}]\n"
                              "forces: [{name: f, type: torque, on: rod, value: -P}]\n";
    static const struct {
        const char *text, *push, *stiffness, *vary, *why;
        double end;
    } list[] = {
        {wheel, "P", "1e8", "P=0..10", "\"w\" along x, and P drives it there", 0},
        {wheel, "-P", "1e3", "P=0..10", "\"w\" along -x, and P drives it there", 0},
        {wheel, "P", "1e10", "P=0..10", "\"w\" along x, and P drives it there", 0},
        {wheel, "max(0, P - 1)", "1e5", "P=0..10", "\"w\" along x, and P drives it there", 1},
        {cart, "", "", "th=0..0.2", "\"cart\" along -x, and th drives it there", 0},
        {cart, "", "", "P=0..10", "\"cart\" along x, and P drives it there", 0},
        {box, "", "", "P=0..1", "\"box\" along x, and P drives it there", 0},
        {rod, "", "", "P=0..1", "\"rod\" against turning about -z, and P turns it", 0},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        char text[2000];
        snprintf(text, sizeof text, list[i].text, list[i].push, list[i].stiffness);
        hol_model *model;
        hol_statics *s = followed(text, list[i].vary, false, &model);
        if (!s->ended || !strstr(s->ended, list[i].why))
            fail_msg("%d: %s", i, s->ended ? s->ended : "reached");
        near("end", s->point[s->n_points - 1].parameter, list[i].end, 1e-6);
        assert_true(list[i].end > 0 || s->n_points == 1);
        for (int k = 0; k < s->n_points; k++) assert_true(s->point[k].left < 1e-9);
        leave(s, model);
    }
}

static const char follower[] =
    "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\nparameters: {P: 1, c: 0}\nbodies:\n"
    "  - {name: a, mass: 1e-9, inertia: 1e-9, position: [0.5, 0], markers: {l: [-0.5, 0], r: [0.5, 0]}}\n"
    "  - {name: b, mass: 1e-9, inertia: 1e-9, position: [1.5, 0], markers: {l: [-0.5, 0], r: [0.5, 0]}}\n"
    "  - {name: m1, type: point, mass: 2, position: [1, 0]}\n"
    "  - {name: m2, type: point, mass: 1, position: [2, 0]}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground, a.l]}\n"
    "  - {name: B, type: revolute, between: [a.r, b.l]}\n"
    "  - {name: C, type: at-point, between: [a.r, m1]}\n"
    "  - {name: D, type: at-point, between: [b.r, m2]}\n"
    "forces:\n"
    "  - {name: s1, type: rotational-spring-damper, between: [ground, a], stiffness: 1, damping: c}\n"
    "  - {name: s2, type: rotational-spring-damper, between: [a, b], stiffness: 1, damping: c}\n"
    "  - {name: follow, type: force, on: b.r, frame: body, value: [-P, 0]}\n";

// A rod on a hinge whose end a follower force presses, with damping: two rods flutter. Beck's column of two rods with m, 2 m, k and
// stiffness k in both hinges, L = 1: P = (7/2 - sqrt(2)) k/L without damping (Herrmann and Bungay 1964).
static void a_follower_force_makes_flutter(void **state)
{
    hol_model *model;
    (void)state;
    hol_statics *s = followed(follower, "P=1..3", false, &model);
    near("load", the(s, HOL_STATIC_CHANGE)->parameter, 3.5 - sqrt(2),
         1e-5); // where both frequencies meet growth begins as a root
    leave(s, model);
}

// The same with equal dampers: 41/28 + c^2/2 (G. Herrmann, I.-C. Jong, J. Applied Mechanics 32, 1965), where a pair crosses the axis alone.
static void dampers_make_flutter_sooner(void **state)
{
    static const double c[] = {0.01, 0.1, 0.5};
    (void)state;
    for (int i = 0; i < HOL_COUNT(c); i++) {
        char set[40];
        const hol_statics_options o = {.vary = "P=1..3"};
        snprintf(set, sizeof set, "parameters.c=%g", c[i]);
        hol_model *model = load_model(follower, (const char *const[]){set}, 1);
        hol_statics *s = hol_statics_create(ctx, model, &o);
        if (!s) fail_msg("%s", hol_context_error(ctx));
        near("load", the(s, HOL_STATIC_CHANGE)->parameter, 41.0 / 28 + c[i] * c[i] / 2,
             2e-8); // by the masses of 1e-9
        leave(s, model);
    }
}

// A pendulum that stands on a spring, k = 3 .. 12, hangs aside below k = m g l = 10, and stands above it: the branch of what hangs comes to
// the pitchfork from its side. It goes on to the end of the range, and leaves the other half and the way back to branches.
static void a_pitchfork_from_its_side(void **state)
{
    static const struct {
        const char *vary;
        double at, end, stiffness;
    } list[] = {{"k=3..12", 10, 12, 2}, {"k=9..11", 10, 11, 1}, {"k=5..10.1", 10, 10.1, 0.1}};
    static const char text[] = "dimension: 2\ngravity: [0, -10]\nparameters: {k: 3}\n"
                               "bodies: [{name: d, mass: 1, inertia: 0.1, com: [0, 1], angle: 0}]\n"
                               "joints: [{name: p, type: revolute, between: [ground, d], stiffness: k}]\n";
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        const hol_statics_options o = {.vary = list[i].vary, .branches = i == 1};
        hol_model *model = load_model(text, NULL, 0);
        hol_statics *s = hol_statics_create(ctx, model, &o);
        int last[3] = {-1, -1, -1};
        if (!s) fail_msg("%s", hol_context_error(ctx));
        near("load", the(s, HOL_STATIC_BIFURCATION)->parameter, list[i].at, 1e-6);
        for (int k = 0; k < s->n_points; k++) {
            assert_true(s->point[k].branch < 3);
            last[s->point[k].branch] = k;
        }
        const hol_static_point *end = &s->point[last[0]];
        near("end", end->parameter, list[i].end, 1e-12);
        near("stiffness there", end->stiffness, list[i].stiffness, 1e-9);
        assert_true(end->stable);
        assert_true((i == 1) == (last[1] >= 0));
        if (i == 1) near("the other half", s->point[last[1]].parameter, 9, 1e-12);
        if (i == 1) near("the way back", s->point[last[2]].stiffness, -1, 1e-9);
        if (i == 1) assert_true(s->point[last[1]].stable && !s->point[last[2]].stable);
        leave(s, model);
    }
}

// Angles in space go on through half a turn, and so does what depends on them: a spring that a torque winds up, k c = M, U = k c^2/2, and a
// motor whose place is varied, with a gear behind it.
static void branches_count_full_turns(void **state)
{
    static const char *const texts[] = {
        "dimension: 3\ngravity: [0, 0, 0]\nparameters: {p: 0}\n"
        "bodies: [{name: b, mass: 1, inertia: [0.3, 0.3, 0.3], markers: {m: [0, 0, 0]}}]\n"
        "joints: [{name: h, type: revolute, between: [ground, b], stiffness: 2}]\n"
        "forces: [{name: f, type: torque, on: b, value: [0, 0, p]}]\n"
        "variables: [{name: twice, value: 2*AZ(b.m)}]\n",
        "dimension: 3\ngravity: [0, 0, 0]\nparameters: {p: 0}\n"
        "bodies: [{name: b, mass: 1, inertia: [0.3, 0.3, 0.3], markers: {m: [0, 0, 0]}},\n"
        "  {name: c, mass: 1, inertia: [0.3, 0.3, 0.3], position: [1, 0, 0]}]\n"
        "joints:\n  - {name: h, type: revolute, between: [ground, b], motor: {angle: p/2, kp: 3, kd: 1}}\n"
        "  - {name: g, type: revolute, between: [ground: [1, 0, 0], c]}\n"
        "  - {name: wheels, type: gear, joints: [h, g], ratio: -0.5}\n"
        "variables: [{name: twice, value: -4*g.angle}]\n"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(texts); i++) {
        hol_model *model;
        hol_statics *s = followed(texts[i], "p=0..-30", false, &model);
        assert_true(!s->ended && s->n_points > 20);
        for (int k = 0; k < s->n_points; k++) {
            const double p = s->point[k].parameter;
            near("angle", value_at_point(s, k, "h.angle"), p / 2, 1e-12);
            near("expression", value_at_point(s, k, "twice"), p, 1e-12);
            if (i == 0) near("energy", s->point[k].potential, p * p / 4, 1e-10);
        }
        near("end", s->point[s->n_points - 1].parameter, -30, 1e-12);
        leave(s, model);
    }
}

static void branches_that_cannot_be(void **state)
{
    static const struct {
        const char *vary, *words;
    } list[] = {{"P", "NAME=A..B is wanted"},
                {"P=1..1", "both values are 1"},
                {"Q=1..2", "the model file has no parameter \"Q\""},
                {"P=1..two", "vary \"P=1..two\": two: unknown name"}};
    hol_model *model = load_model(strut, NULL, 0);
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        const hol_statics_options o = {.vary = list[i].vary};
        assert_null(hol_statics_create(ctx, model, &o));
        expect_message(list[i].words);
    }
    hol_model_destroy(model);
}

// Every allocation that fails is an error, and nothing is lost; of a branch every 997th.
static void no_memory_on_a_branch(void **state)
{
    const hol_statics_options o = {.vary = "P=5..6.5", .unstable = true};
    hol_model *model = load_model(strut, NULL, 0);
    (void)state;
    for (int n = 1, done = 0; !done; n += 997) {
        hol_memory_fail_after(ctx, n);
        hol_statics *s = hol_statics_create(ctx, model, &o);
        done = hol_memory_fail_after(ctx, 0) != 0;
        assert_int_equal(hol_context_status(ctx), done ? HOL_OK : HOL_ERR_MEMORY);
        assert_true(!s == !done);
        hol_statics_destroy(s);
    }
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_strut_buckles),
                                       cmocka_unit_test(branches_end_where_links_come_into_line),
                                       cmocka_unit_test(branches_end_where_nothing_holds),
                                       cmocka_unit_test(a_follower_force_makes_flutter),
                                       cmocka_unit_test(dampers_make_flutter_sooner),
                                       cmocka_unit_test(a_pitchfork_from_its_side),
                                       cmocka_unit_test(branches_count_full_turns),
                                       cmocka_unit_test(branches_that_cannot_be),
                                       cmocka_unit_test(no_memory_on_a_branch)};
    return cmocka_run_group_tests(tests, start, stop);
}
