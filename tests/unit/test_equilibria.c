// Equilibria that are hard to find or to judge: soft beside stiff ones, and where the stiffness vanishes. docs/theory.md, section 20.
#include "at_rest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// ---- soft beside stiff ----------------------------------------------------------------------------------------

// Three masses hang on a soft spring and two stiff ones, drawn along y while gravity points elsewhere, one of them pressed by a third of its
// length: 7 m, 1 m + 40/k and 1.5 m + 30/k along gravity. However stiff, until rounding hides the pendulum.
static void masses_hang_on_soft_and_stiff_springs(void **state)
{
    static const double turned[] = {0, 0.35, 0.7853981633974483}, stiff[] = {1e6, 1e10, 1e12};
    (void)state;
    for (int i = 0; i < HOL_COUNT(turned) * HOL_COUNT(stiff); i++) {
        const double a = turned[i % HOL_COUNT(turned)], k = stiff[i / HOL_COUNT(turned)];
        char text[1000];
        snprintf(text, sizeof text,
                 "dimension: 2\ngravity: [%.17g, %.17g]\nbodies:\n"
                 "  - {name: a, type: point, mass: 2, position: [0, -1]}\n"
                 "  - {name: b, type: point, mass: 1, position: [0, -2]}\n"
                 "  - {name: c, type: point, mass: 3, position: [0, -3]}\nforces:\n"
                 "  - {name: s1, type: spring, between: [ground, a], stiffness: 10, length: 1}\n"
                 "  - {name: s2, type: spring, between: [a, b], stiffness: %g, length: 1}\n"
                 "  - {name: s3, type: spring, between: [b, c], stiffness: %g, length: 1.5}\n",
                 10 * sin(a), -10 * cos(a), k, k);
        hol_model *model;
        hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
        const double way[] = {7, 8 + 40 / k, 9.5 + 70 / k};
        for (int j = 0; j < HOL_COUNT(way); j++) {
            const char name[] = {(char)('a' + j), '.', 'x', 0}, other[] = {(char)('a' + j), '.', 'y', 0};
            near(name, value(s, name), way[j] * sin(a), 1e-9);
            near(other, value(s, other), -way[j] * cos(a), 1e-9);
        }
        assert_true(s->point[0].stable && s->point[0].known < 1e-9);
        leave(s, model);
    }
}

// A beam on bushings carries an upright link by a weak rotational spring: it falls to 100 sin(phi) = 2 (phi - 0.5), the beam tilted by what
// bushings give way. Beyond 1e15 N/m rounding hides the link, which is said.
static void a_link_falls_beside_stiff_bushings(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -10]\nparameters: {k: 1e12}\nbodies:\n"
        "  - {name: b, mass: 100, inertia: 10, position: [0, 1], markers: {l: [-1, 0], m: [0.3, 0], r: [1, "
        "0]}}\n"
        "  - {name: c, mass: 10, inertia: 1, position: [1, 2], markers: {o: [0, -1]}}\n"
        "joints:\n  - {name: j, type: revolute, between: [b.r, c.o]}\nforces:\n"
        "  - {name: s1, type: bushing, between: [ground: [-1, 1], b.l], stiffness: [k, k, 0]}\n"
        "  - {name: s2, type: bushing, between: [ground: [0.3, 1], b.m], stiffness: [k, k, 0]}\n"
        "  - {name: s3, type: bushing, between: [ground: [1, 1], b.r], stiffness: [k, 10, 0]}\n"
        "  - {name: s4, type: rotational-spring, between: [b.r, c.o], stiffness: 2, angle: 0.5, damping: "
        "1}\n";
    static const char *const set[] = {"parameters.k=1e9", "parameters.k=1e12", "parameters.k=1e13"};
    (void)state;
    double phi = 3; // Newton's method
    for (int i = 0; i < 20; i++) phi -= (100 * sin(phi) - 2 * (phi - 0.5)) / (100 * cos(phi) - 2);
    for (int i = 0; i < HOL_COUNT(set); i++) {
        hol_model *model;
        hol_statics *s = at_rest(text, &set[i], 1, NULL, &model);
        const double k = i == 0 ? 1e9 : i == 1 ? 1e12 : 1e13;
        near("phi", value(s, "c.theta"), phi, 20 / k + 1e-12); // forces of 1100 N
        assert_true(s->point[0].stable);
        leave(s, model);
    }
    const char *most[] = {"parameters.k=1e15"};
    hol_model *model = load_model(text, most, 1);
    assert_null(hol_statics_create(ctx, model, NULL));
    expect_message("so that its rounding hides it");
    hol_model_destroy(model);
}

// ---- where stiffness vanishes ---------------------------------------------------------------------------------

// A mass between two unstretched springs, moved across: k y^3/L^2 drives it back to y = 0.
static void a_minimum_of_the_fourth_order(void **state)
{
    static const char text[] =
        "dimension: 2\nparameters: {y0: 0.1, a: 0}\nbodies:\n"
        "  - {name: m, type: point, mass: 1, position: [-y0*sin(a), y0*cos(a)]}\nforces:\n"
        "  - {name: s1, type: spring, between: [ground: [-cos(a), -sin(a)], m], stiffness: 1000, length: 1}\n"
        "  - {name: s2, type: spring, between: [ground: [cos(a), sin(a)], m], stiffness: 1000, length: 1}\n";
    static const char *const set[] = {"parameters.a=0", "parameters.a=0.5"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(set); i++) {
        hol_model *model;
        hol_statics *s = at_rest(text, &set[i], 1, NULL, &model);
        const hol_static_point *p = &s->point[0];
        assert_true(p->stable && !p->falls);
        assert_int_equal(p->neutral, 1);
        assert_int_equal(p->held, 1);
        near("x", value(s, "m.x"), 0, 1e-6);
        near("y", value(s, "m.y"), 0, 1e-6);
        assert_true(p->known < 1e-4 && fabs(value(s, "m.y")) < p->known); // rounding of 1000 N/m
        leave(s, model);
    }
}

// Forces c x^3 - x^5 along a rail, c x^2 - x^3, and beside a soft spring along y of which x^2 y takes: V = c x^4/4 + 20 y^2/2 - 4 x^2 y, where y
// = x^2/5 leaves (c - 1.6) x^4/4.
static void orders_decide(void **state)
{
    static const struct {
        const char *fx, *fy;
        double at; // where it ends, in |x|
        bool held; // there
    } list[] = {{"-DX(p)^3 - DX(p)^5", "-20*DY(p)", 0, true},
                {"DX(p)^3 - DX(p)^5", "-20*DY(p)", 1, false},
                {"DX(p)^5 - DX(p)^7", "-20*DY(p)", 1, false},
                {"DX(p)^2 - DX(p)^3", "-20*DY(p)", 1, false},
                {"-2*DX(p)^3 + 8*DX(p)*DY(p)", "-20*DY(p) + 4*DX(p)^2", 0, true},
                {"-DX(p)^3 + 8*DX(p)*DY(p) - DX(p)^5", "-20*DY(p) + 4*DX(p)^2", 0.7745966692414834, false}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "dimension: 2\nlength_scale: 1\nbodies: [{name: p, type: point, mass: 1}]\n"
                 "forces: [{name: f, type: force, on: p, value: [\"%s\", \"%s\"]}]\n",
                 list[i].fx, list[i].fy);
        const hol_statics_options any = {.unstable = true};
        hol_model *model;
        hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
        near(list[i].fx, fabs(value(s, "p.x")), list[i].at, 1e-9);
        assert_true(s->point[0].stable && s->point[0].held == list[i].held);
        leave(s, model);
        s = at_rest(text, NULL, 0, &any, &model);
        near(list[i].fx, value(s, "p.x"), 0, 1e-9);
        assert_int_equal(s->point[0].neutral, 1);
        assert_true(s->point[0].stable == list[i].held && s->point[0].falls == !list[i].held);
        leave(s, model);
    }
}

// c x^3 drives on and -c x^3 back whatever c is: so says each point of a branch, which has no other kind.
static void orders_decide_along_a_branch(void **state)
{
    static const char *const fx[] = {"-c*DX(p)^3", "c*DX(p)^3"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(fx); i++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "dimension: 2\nlength_scale: 1\nparameters: {c: 1}\nbodies: [{name: p, type: point, mass: 1}]\n"
            "forces: [{name: f, type: force, on: p, value: [\"%s\", \"-20*DY(p)\"]}]\n",
            fx[i]);
        hol_model *model = load_model(text, NULL, 0);
        hol_statics *s =
            hol_statics_create(ctx, model, &(hol_statics_options){.unstable = true, .vary = "c=1..2"});
        if (!s) fail_msg("%s", hol_context_error(ctx));
        near("end", s->point[s->n_points - 1].parameter, 2, 1e-9);
        for (int k = 0; k < s->n_points; k++) {
            const hol_static_point *p = &s->point[k];
            assert_int_equal(p->at, HOL_STATIC_REGULAR);
            assert_true(p->stable == !i && p->falls == (i == 1) && p->held == !i);
        }
        leave(s, model);
    }
}

// Re (x + i y)^4 goes up along the axes and down between them; x^4 alone leaves y free.
static void directions_without_stiffness_act_together(void **state)
{
    static const struct {
        const char *fx, *fy;
        int held;
        bool falls;
    } list[] = {{"-4*DX(p)^3 + 12*DX(p)*DY(p)^2", "12*DX(p)^2*DY(p) - 4*DY(p)^3", 0, true},
                {"-4*DX(p)^3 - DX(p)*DY(p)^2", "-DX(p)^2*DY(p) - 4*DY(p)^3", 2, false},
                {"-(DX(p) + DY(p))^3", "-(DX(p) + DY(p))^3", 1, false},
                {"0*DX(p)", "0*DY(p)", 0, false}};
    const hol_statics_options any = {.unstable = true};
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "dimension: 2\nlength_scale: 1\nbodies: [{name: p, type: point, mass: 1}]\n"
                 "forces: [{name: f, type: force, on: p, value: [\"%s\", \"%s\"]}]\n",
                 list[i].fx, list[i].fy);
        hol_model *model;
        hol_statics *s = at_rest(text, NULL, 0, &any, &model);
        assert_int_equal(s->point[0].neutral, 2);
        assert_int_equal(s->point[0].held, list[i].held);
        assert_true(s->point[0].falls == list[i].falls && s->point[0].stable == !list[i].falls);
        if (list[i].held == 1) // the free one is across
            near("free", s->point[0].free_motion[0], -s->point[0].free_motion[1], 1e-9);
        leave(s, model);
    }
}

// An upright rod whose torque -10 sin a (1 - sin^2 a) takes the weight's away to the third order: 10 sin^3 a drives it to hang, where it holds.
static void a_hill_of_the_fourth_order(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -10]\nbodies:\n"
        "  - {name: rod, mass: 1, inertia: 0.1, position: [0, 1], markers: {o: [0, -1]}}\n"
        "joints: [{name: pivot, type: revolute, between: [ground, rod.o]}]\nforces:\n"
        "  - {name: hold, type: torque, joint: pivot, value: \"-(10 N m)*sin(pivot.angle)*(1 - "
        "sin(pivot.angle)^2)\"}\n";
    const hol_statics_options any = {.unstable = true};
    hol_model *model;
    (void)state;
    hol_statics *s = at_rest(text, NULL, 0, &any, &model);
    assert_true(!s->point[0].stable && s->point[0].falls);
    near("upright", value(s, "rod.y"), 1, 1e-12);
    leave(s, model);
    s = at_rest(text, NULL, 0, NULL, &model);
    assert_true(s->point[0].stable && s->point[0].held == 1);
    near("hanging", value(s, "rod.y"), -1, 1e-12);
    near("hanging", value(s, "rod.x"), 0, 1e-6);
    leave(s, model);
}

// ---- parameters of subsystems ---------------------------------------------------------------------------------

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// Masses that hang on springs, in files within files: each by m g/k, where `half` is k/2 and follows k. Varied, trimmed and tunable by their full names.
static void parameters_of_subsystems(void **state)
{
    static const char text[] = "dimension: 2\ngravity: [0, -10]\nparameters: {k: 7}\n"
                               "include:\n  - {file: hung_pair.yaml, as: p}\n"
                               "  - {file: hung_one.yaml, as: c, set: {k: 2*k}}\n";
    static const char pair[] = "dimension: 2\ninclude:\n  - {file: hung_one.yaml, as: a}\n"
                               "  - {file: hung_one.yaml, as: b}\n";
    static const char one[] =
        "dimension: 2\nparameters: {k: 100, half: k/2, load: 0}\n"
        "bodies: [{name: m, type: point, mass: 2, position: [0, -1]}]\n"
        "forces:\n  - {name: s, type: spring, between: [ground, m], stiffness: half, length: 1}\n"
        "  - {name: f, type: force, on: m, value: [0, -load]}\n";
    char folder[] = "/tmp/holonom_equilibria_XXXXXX", inner[80], outer[80], whole[80];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/hung_one.yaml", folder);
    snprintf(outer, sizeof outer, "%s/hung_pair.yaml", folder);
    snprintf(whole, sizeof whole, "%s/hung.yaml", folder);
    write_text(inner, one);
    write_text(outer, pair);
    write_text(whole, text);
    static const struct {
        const char *vary, *column;
    } list[] = {{"p.a.k=100..400", "p.a.m.y"}, {"p.b.k=100..400", "p.b.m.y"}, {"c.k=100..400", "c.m.y"}};
    for (int i = 0; i < HOL_COUNT(list); i++) {
        const hol_statics_options o = {.vary = list[i].vary};
        hol_model *model = hol_model_load(ctx, whole, NULL, 0);
        hol_statics *s = hol_statics_create(ctx, model, &o);
        if (!s) fail_msg("%s", hol_context_error(ctx));
        for (int j = 0; j < s->n_signals; j++)
            for (int k = 0; k < s->n_points && strcmp(s->signal[j], list[i].column) == 0; k++)
                near(list[i].vary, s->point[k].value[j], -1 - 20 / (s->point[k].parameter / 2), 1e-9);
        near("end", s->point[s->n_points - 1].parameter, 400, 1e-9);
        leave(s, model);
    }
    const char *trim[] = {"static.trim.parameters=[p.b.k, c.load]",
                          "static.trim.hold=[{signal: p.b.m.y, value: -1.25}, {signal: c.m.y, value: -5}]"};
    hol_model *model = hol_model_load(ctx, whole, trim, 2);
    hol_statics *s = hol_statics_create(ctx, model, NULL);
    if (!s) fail_msg("%s", hol_context_error(ctx));
    near("20/(k/2) = 0.25", s->trim_value[0], 160, 1e-9);
    near("(20 + load)/7 = 4", s->trim_value[1], 8, 1e-9);
    leave(s, model);
    const char *tuned[] = {"tunable=[p.a.load]"};
    model = hol_model_load(ctx, whole, tuned, 1);
    if (!model) fail_msg("%s", hol_context_error(ctx));
    hol_model_destroy(model);
    static const char *const wrong[] = {"p.a.kk=1..2", "q.k=1..2", "p.k=1..2", "c..k=1..2"};
    for (int i = 0; i < HOL_COUNT(wrong); i++) {
        const hol_statics_options o = {.vary = wrong[i]};
        model = hol_model_load(ctx, whole, NULL, 0);
        assert_null(hol_statics_create(ctx, model, &o));
        expect_message("the model file has no parameter");
        hol_model_destroy(model);
    }
    remove(inner);
    remove(outer);
    remove(whole);
    rmdir(folder);
}

// ---- what sticks ----------------------------------------------------------------------------------------------

static char warning[1200]; // one behind the other

static void listen(void *user, hol_severity severity, const char *text)
{
    const size_t n = strlen(warning);
    (void)user;
    if (severity == HOL_WARNING) snprintf(warning + n, sizeof warning - n, "%s\n", text);
}

// A box on a slope of 1 in 5, 2 N of friction for 10 N at each corner: drawn where it rests it stays, drawn above it comes down somewhere,
// which is told with the way.
static void what_sticks_stays_or_is_told(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [2, -10]\nparameters: {y: 0.8, an: 0.2}\n"
        "ground: {shape: {name: floor, type: halfplane}}\nbodies:\n"
        "  - {name: box, mass: 2, inertia: 0.1, position: [0, y], angle: an, shape: {type: box, size: [1, "
        "0.5]}}\n"
        "contacts:\n  - {name: c, between: [box, ground.floor], law: power, exponent: 1, stiffness: 1e5, "
        "damping: 1, friction: {coefficient: 0.5}}\n";
    static const char *const rests[] = {"parameters.y=0.2499", "parameters.an=0"};
    hol_model *model;
    (void)state;
    hol_context_set_log(ctx, listen, NULL);
    warning[0] = 0;
    hol_statics *s = at_rest(text, rests, 2, NULL, &model);
    near("x", value(s, "box.x"), 0, 1e-6);
    assert_null(strstr(warning, "friction holds"));
    leave(s, model);
    s = at_rest(text, NULL, 0, NULL, &model);
    char way[100];
    snprintf(way, sizeof way, "have brought \"box\" %.3g m from where it is drawn", fabs(value(s, "box.x")));
    assert_non_null(strstr(warning, way));
    assert_non_null(strstr(warning, "friction holds at \"c.1\""));
    near("on both corners", value(s, "box.y"), 0.25 - 20 / 2e5,
         1e-8); // as tilted as the friction's lever makes it
    leave(s, model);
}

// ---- where the origin is --------------------------------------------------------------------------------------

// One body that is drawn near the origin, or far from it, has no length by that: on a slide it rests m g/k below, on a stop of exponent 1.5 to
// the depth (m g/k)^(2/3), and between two springs of 1.06 m that are pressed together to 2 m it goes aside until they are free. Matrices are
// as many wherever the model stands.
static void the_origin_is_no_length(void **state)
{
    static const double drawn[] = {0, 1e-14, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2};
    static const char *const laws[] = {"stiffness: 50", "limits: {range: [-0.5, 1], stiffness: 1e4}"};
    const double rest[] = {-9.81 / 50, -0.5 - cbrt(9.81e-4 * 9.81e-4)};
    char text[1000];
    (void)state;
    for (int i = 0; i < HOL_COUNT(drawn); i++) {
        hol_model *model;
        for (int k = 0; k < 2; k++) {
            snprintf(text, sizeof text,
                     "dimension: 2\ngravity: [0, -9.81]\n"
                     "bodies: [{name: a, mass: 1, inertia: 0.01, position: [0, %g], angle: 90 deg}]\n"
                     "joints: [{name: s, type: translational, between: [ground: {angle: 90 deg}, a], %s}]\n",
                     drawn[i], laws[k]);
            hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
            near("a.y", value(s, "a.y"), rest[k], 1e-9);
            assert_true(s->point[0].stable);
            leave(s, model);
        }
        int matrices[2] = {0};
        for (int k = 0; k < 2 && drawn[i] > 0; k++) {
            const double x = k ? 5 : 0, y = k ? 7 : 0;
            snprintf(
                text, sizeof text,
                "dimension: 2\ngravity: [0, 0]\n"
                "bodies: [{name: a, type: point, mass: 1, position: [%g, %.17g]}]\nforces:\n"
                "  - {name: l, type: spring-damper, between: [ground: [%g, %g], a], stiffness: 100, length: "
                "1.06}\n"
                "  - {name: r, type: spring-damper, between: [ground: [%g, %g], a], stiffness: 100, length: "
                "1.06}\n",
                x, y + drawn[i], x - 1, y, x + 1, y);
            hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
            near("|a.y|", fabs(value(s, "a.y") - y), sqrt(1.06 * 1.06 - 1), 1e-8);
            assert_true(s->point[0].stable);
            matrices[k] = s->point[0].iterations;
            leave(s, model);
        }
        if (drawn[i] >= 1e-6) assert_int_equal(matrices[0], matrices[1]); // less is rounding of 7
    }
}

// ---- folds ----------------------------------------------------------------------------------------------------

// A rod on a pivot that a moment of m g l holds level: a push on drives it round for ever, and there is no other pose. 1e-4 less has two, of
// which one stays, at acos of it.
static void a_fold_does_not_stay(void **state)
{
    static const char text[] = "dimension: 2\ngravity: [0, -9.81]\n"
                               "bodies: [{name: rod, mass: 2, inertia: 0.3, position: [0.5, 0], markers: "
                               "{top: [-0.5, 0], tip: [0.5, 0]}}]\n"
                               "joints: [{name: pivot, type: revolute, between: [ground, rod.top]}]\n"
                               "forces: [{name: m, type: torque, joint: pivot, value: %.17g}]\n";
    char own[1000];
    hol_model *model;
    (void)state;
    snprintf(own, sizeof own, text, 9.81);
    model = load_model(own, NULL, 0);
    assert_null(hol_statics_create(ctx, model, NULL));
    expect_message("at which the model stays");
    hol_model_destroy(model);
    hol_context_clear(ctx);
    hol_statics *s = at_rest(own, NULL, 0, &(hol_statics_options){.unstable = true}, &model);
    assert_false(s->point[0].stable);
    assert_true(s->point[0].falls);
    assert_int_equal(s->point[0].neutral, 1);
    leave(s, model);
    snprintf(own, sizeof own, text, 9.81 * (1 - 1e-4));
    s = at_rest(own, NULL, 0, NULL, &model);
    assert_true(s->point[0].stable);
    near("rod.theta", value(s, "rod.theta"), -acos(1 - 1e-4), 1e-8);
    leave(s, model);
}

// A truss that snaps through, loaded up and down: with the height y of its apex the load is 2 k (L_0 - L) y/L - m g, and has its extremes where
// L^3 = L_0, so that L = L_0^(1/3). Steps do not go over them, whatever the natural length is; the folds stay nowhere.
static void folds_of_a_truss(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nlength_scale: %s\nparameters: {h: 0.35, k: 2000, load: 20}\n"
        "bodies: [{name: apex, type: point, mass: 0.1, position: [0, h]}]\n"
        "joints: [{name: j, type: in-line, between: [ground: {angle: 90 deg}, apex]}]\nforces:\n"
        "  - {name: l, type: spring-damper, between: [ground: [-1, 0], apex], stiffness: k, length: sqrt(1 + "
        "h^2)}\n"
        "  - {name: r, type: spring-damper, between: [ground: [1, 0], apex], stiffness: k, length: sqrt(1 + "
        "h^2)}\n"
        "  - {name: load, type: force, on: apex, value: [0, -load]}\n";
    static const char *const lengths[] = {"0.35", "1", "2", "3", "10"}, *const ways[] = {"load=-40..40",
                                                                                         "load=40..-40"};
    const double L0 = sqrt(1 + 0.35 * 0.35), L = cbrt(L0), top = 4000 * (L0 - L) * sqrt(L * L - 1) / L;
    (void)state;
    for (int i = 0; i < 2 * HOL_COUNT(lengths); i++) {
        char own[1000];
        hol_model *model;
        double least = 0, most = 0;
        snprintf(own, sizeof own, text, lengths[i / 2]);
        hol_statics *s = followed(own, ways[i % 2], false, &model);
        int folds = 0;
        for (int k = 0; k < s->n_points; k++) {
            const hol_static_point *p = &s->point[k];
            if (p->at != HOL_STATIC_FOLD) continue;
            folds++;
            assert_false(p->stable);
            least = fmin(least, p->parameter);
            most = fmax(most, p->parameter);
        }
        assert_int_equal(folds, 2);
        near("the upper fold", most, top - 0.981, 1e-8);
        near("the lower fold", least, -top - 0.981, 1e-8);
        leave(s, model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(masses_hang_on_soft_and_stiff_springs),
                                       cmocka_unit_test(a_link_falls_beside_stiff_bushings),
                                       cmocka_unit_test(a_minimum_of_the_fourth_order),
                                       cmocka_unit_test(orders_decide),
                                       cmocka_unit_test(orders_decide_along_a_branch),
                                       cmocka_unit_test(directions_without_stiffness_act_together),
                                       cmocka_unit_test(a_hill_of_the_fourth_order),
                                       cmocka_unit_test(parameters_of_subsystems),
                                       cmocka_unit_test(what_sticks_stays_or_is_told),
                                       cmocka_unit_test(the_origin_is_no_length),
                                       cmocka_unit_test(a_fold_does_not_stay),
                                       cmocka_unit_test(folds_of_a_truss)};
    return cmocka_run_group_tests(tests, start, stop);
}
