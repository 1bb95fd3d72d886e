// Subsystems: what a file means wherever it is put: names, measures, ground, poses, drafts, checkpoints, limits.
#include "subsystems.h"
#include "harness.h"

#include "api/api.h"
#include "holonom_draft.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- nesting, places ----------------------------------------------------------------------------------------------

// What a file measures does not depend on where it is put, nor whether it is mirrored there: coordinates, variables, states.
static void a_file_reads_the_same_wherever_it_is(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        char text[900];
        int compared = 0;
        write_part(d);
        write_file(
            middle,
            d == 2
                ? "include: {file: part.yaml, as: i, at: {position: [0.3, 0.2], angle: 90 deg}, mirror: x}\n"
                : "include: {file: part.yaml, as: i, mirror: x, at: {position: [0.3, 0.2, 0.1], orientation: "
                  "{rpy: [0, 90 deg, 0]}}}\n");
        snprintf(text, sizeof text,
                 "dimension: %d\ninclude:\n  - {file: part.yaml, as: o}\n"
                 "  - {file: middle.yaml, as: m, mirror: y, at: %s}\n" RUN,
                 d,
                 d == 2 ? "{position: [2, -1], angle: -180 deg}"
                        : "{position: [2, -1, 1], orientation: {rpy: [90 deg, 0, 0]}}");
        motion m = run_text(text, NULL);
        for (int i = 0; i < hol_simulation_signals(m.sim); i++) {
            const char *name = hol_simulation_signal_name(m.sim, i);
            char other[300], object[300];
            snprintf(object, sizeof object, "%.*s", (int)(strrchr(name, '.') ? strrchr(name, '.') - name : 0),
                     name);
            if (strncmp(name, "o.", 2) != 0 || hol_model_find_body(m.model->data, object) >= 0) continue;
            const bool variable = strcmp(object, "o") == 0;
            if (!variable && !is_coordinate(m.model->data, name)) continue;
            snprintf(other, sizeof other, "m.i.%s", name + 2);
            const double want = signal_value(m.sim, name);
            near(other, signal_value(m.sim, other), want, 1e-10 * fmax(1, fabs(want)));
            compared++;
        }
        assert_true(compared > 25);
        close_motion(&m);
    }
}

// ---- names ----------------------------------------------------------------------------------------------------------

#define ARM                                                                                                  \
    "parameters: {L: 0.5, m: 2}\nbodies:\n  - {name: rod, mass: m, inertia: 0.1, position: [L, 0], "         \
    "markers: {tip: [L, 0]}}\n"                                                                              \
    "joints:\n  - {name: pin, type: revolute, bodies: [../frame, rod], at: [0, 0]}\n"                        \
    "variables:\n  - {name: turn, value: pin.angle + offset}\n  - {name: height, value: \"DY(rod.tip, "      \
    "frame)\"}\n"                                                                                            \
    "events:\n  - {name: late, at: 0.01, set: {count: count + 1}}\n"
#define FRAME                                                                                                \
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {count: 0, L: 3}\n"                                      \
    "include:\n  - {file: part.yaml, as: a, set: {L: L/10}}\n  - {file: part.yaml, as: b, mirror: x, "       \
    "keep_axes: yes}\n"                                                                                      \
    "bodies:\n  - {name: frame, mass: 1, inertia: 1}\njoints: [{name: weld, type: fixed, between: [ground, " \
    "frame]}]\n"                                                                                             \
    "variables:\n  - {name: offset, value: 10}\n  - {name: both, value: a.turn + b.turn + a.pin.angle}\n"    \
    "  - {name: seen, value: b.pin.angle}\n  - {name: counted, value: count}\n  - {name: apart, value: "     \
    "\"DX(a.rod.tip, b.rod)\"}\n"                                                                            \
    "forces: [{name: s, type: spring-damper, between: [a.rod.tip, b.rod.tip], stiffness: 3, length: "        \
    "0.1}]\n" RUN

// Loops of includes are the includes written one by one: nested ones, with the index in names, places and settings; `--set` changes one.
static void an_include_may_be_a_loop(void **state)
{
#define POST                                                                                                 \
    "dimension: 2\nparameters: {L: 0.5, i: 7}\nbodies: [{name: post, mass: 1, inertia: 1, position: [L, "    \
    "0.1]}]\nvariables: [{name: own, value: i}]\n"
#define LOOPED                                                                                               \
    "dimension: 2\ngravity: [0, 0]\nparameters: {D: 2}\ninclude:\n  - {for: [i in 1..2, k in 0..2], file: "  \
    "part.yaml, as: \"p{i}_{k+1}\", at: [D*i, k], set: {L: i + 10*k}}\n  - {file: part.yaml, as: "           \
    "last}\n" RUN
    (void)state;
    write_file(part, POST);
    for (int set = 0; set < 2; set++) {
        motion m = run_text(LOOPED, set ? "parameters.p2_1.L=50" : NULL);
        for (int i = 1; i <= 2; i++)
            for (int k = 0; k <= 2; k++) {
                char name[60];
                snprintf(name, sizeof name, "p%d_%d.post.x", i, k + 1);
                near(name, signal_value(m.sim, name), 2 * i + (set && i == 2 && k == 0 ? 50 : i + 10 * k),
                     1e-12);
                snprintf(name, sizeof name, "p%d_%d.post.y", i, k + 1);
                near(name, signal_value(m.sim, name), k + 0.1, 1e-12);
                snprintf(name, sizeof name, "p%d_%d.own", i, k + 1);
                near(name, signal_value(m.sim, name), 7, 0); // the index is a name of the file around it
            }
        near("last", signal_value(m.sim, "last.post.x"), 0.5, 1e-12);
        close_motion(&m);
    }
    static const char *const wrong[][2] = {
        {"for: i in 1..D, file: part.yaml, as: \"p{i}\"", "bounds of an include are whole numbers"},
        {"for: i in 1..2, file: part.yaml, as: p", "the name \"p\" is given to two includes"},
        {"for: i in 1..2, file: \"no{i}.yaml\", as: \"p{i}\"", "the file \"no1.yaml\" cannot be read"},
        {"for: sin in 1..2, file: part.yaml, as: \"p{sin}\"", "choose another name for the loop index"}};
    for (int i = 0; i < HOL_COUNT(wrong); i++) {
        char text[400];
        snprintf(text, sizeof text, "dimension: 2\nparameters: {D: 2}\ninclude: [{%s}]\n" RUN, wrong[i][0]);
        assert_null(hol_model_parse(ctx, name_of_model, text, strlen(text), NULL, 0));
        expect_message(wrong[i][1]);
    }
}

// Inside first, then outside; with the name of the include from outside. Parameters are the file's own, `set` ones of the outer file.
static void names_mean_what_the_file_says(void **state)
{
    (void)state;
    write_file(part, ARM);
    motion m = run_text(FRAME, NULL);
    const double a = signal_value(m.sim, "a.pin.angle"), b = signal_value(m.sim, "b.pin.angle");
    near("a.turn", signal_value(m.sim, "a.turn"), a + 10, 1e-12);
    near("b.turn", signal_value(m.sim, "b.turn"), -b + 10, 1e-12); // keep_axes: others see the other sign
    near("seen", signal_value(m.sim, "seen"), b, 1e-12);
    near("b falls the other way", b > 0 && a < 0, 1, 0);
    near("both", signal_value(m.sim, "both"), 20 - b + 2 * a, 1e-12);
    near("counted", signal_value(m.sim, "counted"), 2, 0); // both files set what the outer one has
    near("a.rod", signal_value(m.sim, "a.rod.x"), 0.3 * cos(a), 1e-9);
    near("b.rod", signal_value(m.sim, "b.rod.x"), -0.5 * cos(b), 1e-9);
    near("height", signal_value(m.sim, "b.height"), signal_value(m.sim, "b.rod.tip.y"), 1e-12);
    near("apart", signal_value(m.sim, "apart"),
         signal_value(m.sim, "a.rod.tip.x") - signal_value(m.sim, "b.rod.x"), 1e-12);
    close_motion(&m);
    m = run_text(FRAME, "parameters.b.L=0.7");
    near("longer", signal_value(m.sim, "b.rod.x"), -0.7 * cos(signal_value(m.sim, "b.pin.angle")), 1e-9);
    close_motion(&m);
    static const char *const misspelt[][2] = {
        {"parameters.m=1", "a.m"}, {"parameters.aa.L=1", "a.L"}, {"parameters.b.l=1", "L"}};
    for (int i = 0; i < HOL_COUNT(misspelt); i++) {
        char words[100];
        snprintf(words, sizeof words, "did you mean \"%s\"?", misspelt[i][1]);
        assert_null(hol_model_parse(ctx, name_of_model, FRAME, strlen(FRAME), misspelt[i], 1));
        expect_message(words);
    }
    m = run_text(FRAME, "parameters.a.L=0.6"); // before what the include sets
    near("longer", signal_value(m.sim, "a.rod.x"), 0.6 * cos(signal_value(m.sim, "a.pin.angle")), 1e-9);
    close_motion(&m);
    m = run_text(FRAME, "bodies.b.rod.mass=5");
    close_motion(&m);
}

// What includes beside a file are called is nothing to it: words of its own items are these items, with what stands behind the point.
static void siblings_do_not_take_names(void **state)
{
    static const char *const names[][2] = {{"a", "c"}, {"a", "b"}, {"a", "j"}, {"b", "c"}, {"j", "b"}};
    static const char own[] =
        "dimension: 2\nbodies:\n  - {name: b, mass: 1, inertia: 1, position: [1, 0], markers: {m: [0.5, "
        "0]}}\n"
        "  - {name: k, mass: 1, inertia: 1, position: [1.5, 0], omega: 2}\n"
        "joints:\n  - {name: j, type: revolute, between: [k, b.m]}\n"
        "  - {name: \"h{i}\", for: i in 1..1, type: revolute, between: [ground: [1, 0], b]}\n"
        "forces: [{name: f, type: force, on: b.m, value: [1, 2]}]\n"
        "variables: [{name: x, value: DX(b.m)}, {name: y, value: j.angle + h1.angle}]\n",
                      other[] = "dimension: 2\nbodies: [{name: m, mass: 5, inertia: 1, position: [1.5, 0]}]\n"
                                "variables: [{name: angle, value: 77}]\n";
    double x = 0, y = 0;
    (void)state;
    write_file(part, own);
    write_file(middle, other);
    for (int i = 0; i < HOL_COUNT(names); i++) {
        char text[300], name[2][10];
        snprintf(text, sizeof text,
                 "dimension: 2\ninclude: [{file: part.yaml, as: %s}, {file: middle.yaml, as: %s}]\n" RUN,
                 names[i][0], names[i][1]);
        snprintf(name[0], sizeof name[0], "%s.x", names[i][0]);
        snprintf(name[1], sizeof name[1], "%s.y", names[i][0]);
        motion m = run_text(text, NULL);
        if (!i) x = signal_value(m.sim, name[0]), y = signal_value(m.sim, name[1]);
        near(name[0], signal_value(m.sim, name[0]), x, 0);
        near(name[1], signal_value(m.sim, name[1]), y, 0);
        close_motion(&m);
    }
    near("they are its own", x != 1.5 && y != 0 && fabs(y) < 1, 1, 0); // 77 is the angle of the other file
}

// ---- drafts, checkpoints, limits --------------------------------------------------------------------------------------

static void a_draft_sets_what_an_include_sets(void **state)
{
    (void)state;
    write_file(part, ARM);
    hol_draft *draft = hol_draft_parse(ctx, name_of_model, FRAME, strlen(FRAME));
    assert_non_null(draft);
    assert_int_equal(hol_draft_set(draft, "parameters.b.L=0.7"), HOL_OK);
    assert_int_equal(hol_draft_set(draft, "parameters.a.L=L/5"), HOL_OK);
    hol_model *model = hol_draft_compile(draft);
    if (!model) fail_msg("%s", hol_context_error(ctx));
    hol_simulation *sim = hol_simulation_create(ctx, model);
    near("b.rod.x", signal_value(sim, "b.rod.x"), -0.7, 1e-12);
    near("a.rod.x", signal_value(sim, "a.rod.x"), 0.6, 1e-12);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    hol_draft_destroy(draft);
}

static void a_run_goes_on_from_its_checkpoint(void **state)
{
    char text[sizeof FRAME + 300] = FRAME, checkpoint[100], *at;
    const char *const set[] = {"simulate.end=0.3", "method=hht"};
    (void)state;
    write_file(part, ARM);
    while ((at = strstr(text, "file: part"))) { // by its whole name: the model of `resume` lies nowhere
        char tail[sizeof text];
        snprintf(tail, sizeof tail, "%s", at + strlen("file: part.yaml"));
        snprintf(at, sizeof text - (size_t)(at - text), "file: %s%s", part, tail);
    }
    snprintf(checkpoint, sizeof checkpoint, "%s/run.checkpoint", folder);
    resume(text, set, 1, checkpoint);
    resume(text, set, 2, checkpoint);
    remove(checkpoint);
}

// Files in each other, and files with units of their own, one more than is admitted.
static void limits_are_told(void **state)
{
    char path[30][100], text[3000];
    (void)state;
    for (int i = 0; i < 18; i++) {
        snprintf(path[i], sizeof path[i], "%s/deep%d.yaml", folder, i);
        snprintf(text, sizeof text, "units: {length: mm}\ninclude: {file: deep%d.yaml, as: in}\n", i + 1);
        write_file(path[i], i == 17 ? "bodies: [{name: b, mass: 1, inertia: 1}]\n" : strchr(text, '\n') + 1);
    }
    motion m = open_text("dimension: 2\ninclude: {file: deep1.yaml, as: in}\n", NULL);
    assert_null(m.model);
    expect_message("deep16.yaml:1:17: error: include: more than 16 files deep");
    hol_context_clear(ctx);
    snprintf(text, sizeof text, "dimension: 2\ninclude:\n");
    for (int i = 0; i < 15; i++) {
        write_file(path[i],
                   "units: {length: mm}\nbodies: [{name: b, mass: 1, inertia: 1, position: [1000, 0]}]\n");
        sprintf(text + strlen(text), "  - {file: deep%d.yaml, as: n%d}\n  - {file: deep0.yaml, as: m%d}\n", i,
                i, i);
    }
    m = open_text(text, NULL);
    assert_null(m.model);
    expect_message("include: more than 14 files have \"units:\" of their own");
    hol_context_clear(ctx);
    *strstr(text, "  - {file: deep14") = 0; // the same file many times counts once
    m = open_text(text, "simulate.end=1");
    if (!m.sim) fail_msg("%s", hol_context_error(ctx));
    near("n3.b.x", m.model->data->q0[m.model->data->body[hol_model_find_body(m.model->data, "n3.b")].q], 1,
         1e-15);
    close_motion(&m);
    for (int i = 0; i < 18; i++) remove(path[i]);
}

// ---- ground, pose, assemble -----------------------------------------------------------------------------------------

static void write_ball(const char *ground, const char *with, bool one)
{
    char inner[500];
    snprintf(inner, sizeof inner,
             "dimension: 3\n%sbodies: [{name: ball, mass: 0.5, position: [0, 0, 0.3], shape: {type: sphere, "
             "radius: 0.1}}]\ncontacts: [{name: floor, between: [ball, %s], law: hertz, stiffness: 1e5}]\n"
             "events: [{name: later, at: 0.1, off: %s}]\n",
             ground, with, one ? "floor" : "[floor.1, floor.2]");
    write_file(part, inner);
}

// A ball touches the ground that its file draws, and where that draws none that of the files around it. Events of the file take it off.
static void ground_is_what_the_file_draws(void **state)
{
    static const char own[] =
        "ground: {shape: [{name: flat, type: halfspace}, {name: wall, type: halfspace, position: [-1, 0, "
        "0], orientation: {rpy: [0, 90 deg, 0]}}]}\n",
                      one[] = "ground: {shape: {name: flat, type: halfspace}}\n",
                      road[] = "ground: {shape: {name: road, type: halfspace, position: [0, 0, -0.2]}}\n";
    static const struct {
        const char *inner, *with, *outer;
        int contacts; // of each ball
    } rows[] = {{own, "ground.flat", "", 1},   {one, "ground", "", 1},
                {one, "ground", road, 1},      {own, "ground", road, 2},
                {"", "ground", road, 1},       {"", "ground.road", road, 1},
                {one, "ground.road", road, 1}, {one, "../ground.road", road, 1},
                {one, "../ground", road, 3}}; // all that is there: the road and both floors
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[600];
        int n = 0;
        write_ball(rows[i].inner, rows[i].with, rows[i].contacts == 1);
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, -10]\n%sinclude:\n  - {file: part.yaml, as: l}\n"
                 "  - {file: part.yaml, as: r, at: [9, 0, 0.05]}\nsimulate: {end: 0.19, tolerance: 1e-8}\n",
                 rows[i].outer);
        motion m = open_text(text, NULL);
        if (!m.sim) fail_msg("%s", hol_context_error(ctx));
        for (int e = m.model->data->n_bodies; e < m.model->data->n_elements; e++)
            n += strstr(m.model->data->element[e].name, ".floor") != NULL;
        if (n != 2 * rows[i].contacts)
            fail_msg("%s, %s: %d contacts of two balls", rows[i].inner, rows[i].with, n);
        close_motion(&m);
    }
}

// An outer file names the shape that a file draws, as it names its markers; what it calls `ground` is all of it.
static void ground_of_a_file_has_its_name(void **state)
{
    static const struct {
        const char *with;
        int contacts;
    } rows[] = {{"ground.l.flat", 1}, {"ground", 2}};
    (void)state;
    write_file(part, "ground: {shape: {name: flat, type: halfspace}}\nbodies: []\n");
#define TWO_FLOORS                                                                                           \
    "dimension: 3\ninclude: [{file: part.yaml, as: l}, {file: part.yaml, as: r, at: [0, 0, -1]}]\n"          \
    "bodies: [{name: ball, mass: 1, position: [0, 0, 1], shape: {type: sphere, radius: 0.1}}]\n"             \
    "contacts: [{name: c, between: [ball, %s], law: hertz, stiffness: 1e5}]\nsimulate: {end: 1}\n"
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[500];
        int n = 0;
        snprintf(text, sizeof text, TWO_FLOORS, rows[i].with);
        motion m = open_text(text, NULL);
        if (!m.sim) fail_msg("%s", hol_context_error(ctx));
        for (int e = m.model->data->n_bodies; e < m.model->data->n_elements; e++)
            n += m.model->data->element[e].name[0] == 'c';
        assert_int_equal(n, rows[i].contacts);
        close_motion(&m);
    }
    char text[500];
    snprintf(text, sizeof text, TWO_FLOORS, "ground.flat");
    assert_null(hol_model_parse(ctx, name_of_model, text, strlen(text), NULL, 0));
    expect_message("there are: l.flat, r.flat");
}

#define HANGING                                                                                              \
    "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1, position: [1, 0]}]\n"                             \
    "joints: [{name: h, type: revolute, between: [ground, a: [-1, 0]]}]\n"
#define PLACED                                                                                               \
    "dimension: 2\ninclude:\n  - {file: part.yaml, as: l}\n  - {file: part.yaml, as: r, mirror: y, "         \
    "at: {position: [2, -1], angle: 90 deg}, keep_axes: %s}\n%ssimulate: {end: 1, signals: [all, "           \
    "coordinates]}\n"

// `pose` of a file is in its axes, and `assemble` of its joints, wherever it is put: (x, y) is at (2 + y, -1 + x) in the mirrored one that is
// turned by a quarter. What the file around it says of the same holds.
static void pose_and_assemble_of_a_file_hold(void **state)
{
    static const struct {
        const char *inner, *keep, *outer;
        double angle, rate, seen_angle, seen_rate; // of the one, and of the image as it is seen
    } rows[] = {
        {"pose: {a: {position: [0.8, 0.6], angle: 0.643501108793284, velocity: [-1.2, 1.6], omega: 2}}\n",
         "no", "", 0.643501108793284, 2, 0.643501108793284, 2},
        {"assemble: {exact: {joints: [{joint: h, angle: 0.3, rate: 2}]}}\n", "no", "", 0.3, 2, 0.3, 2},
        {"assemble: {exact: {joints: [{joint: h, angle: 0.3, rate: 2}]}}\n", "yes", "", 0.3, 2, -0.3, -2},
        {"assemble: {exact: {joints: [{joint: h, angle: 0.3, rate: 2}]}}\n", "yes",
         "assemble: {exact: {joints: [{joint: r.h, rate: 5}, {joint: l.h, angle: 0.1}]}}\n", 0.1, 2, -0.3, 5},
        {"", "yes", "assemble: {exact: {joints: [{joint: r.h, angle: 0.4, rate: 5}]}}\n", 0, 0, 0.4, 5},
        {"pose: {a: {omega: 2}}\n", "no", "pose: {l.a: {omega: 3, velocity: [0, 3]}}\n", 0, 3, 0, 2}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[700];
        snprintf(text, sizeof text, HANGING "%s", rows[i].inner);
        write_file(part, text);
        snprintf(text, sizeof text, PLACED, rows[i].keep, rows[i].outer);
        motion m = open_text(text, NULL);
        if (!m.sim) fail_msg("%s\n%s", hol_context_error(ctx), text);
        const double file_angle = strcmp(rows[i].keep, "yes") ? rows[i].seen_angle : -rows[i].seen_angle;
        near("l.h.angle", signal_value(m.sim, "l.h.angle"), rows[i].angle, 1e-12);
        near("l.h.rate", signal_value(m.sim, "l.h.rate"), rows[i].rate, 1e-12);
        near("r.h.angle", signal_value(m.sim, "r.h.angle"), rows[i].seen_angle, 1e-12);
        near("r.h.rate", signal_value(m.sim, "r.h.rate"), rows[i].seen_rate, 1e-12);
        near("l.a.x", signal_value(m.sim, "l.a.x"), cos(rows[i].angle), 1e-12);
        near("l.a.y", signal_value(m.sim, "l.a.y"), sin(rows[i].angle), 1e-12);
        near("r.a.x", signal_value(m.sim, "r.a.x"), 2 + sin(file_angle), 1e-12);
        near("r.a.y", signal_value(m.sim, "r.a.y"), -1 + cos(file_angle), 1e-12);
        close_motion(&m);
    }
}

// Columns of a subsystem have its name in front, which none of the words of signals may be.
static void words_of_signals_are_no_subsystems(void **state)
{
    (void)state;
    write_file(
        part, "bodies: [{name: post, mass: 1, inertia: 1}]\nvariables: [{name: kinetic, value: DX(post)}]\n");
    for (int i = 0; hol_names_taken[i]; i++) {
        char text[200], words[200];
        snprintf(text, sizeof text, "dimension: 2\ninclude: {file: part.yaml, as: %s}\n" RUN,
                 hol_names_taken[i]);
        const char *also = hol_name_is_reserved(hol_names_taken[i]); // `step`
        snprintf(words, sizeof words, "\"%s\" is %s; choose another name", hol_names_taken[i],
                 also ? also : "taken");
        motion m = open_text(text, NULL);
        assert_null(m.sim);
        expect_message(words);
        hol_context_clear(ctx);
        close_motion(&m);
    }
}

// In space: the pose of a body of the file, as it is placed when it is drawn there.
static void a_pose_is_placed_as_what_is_drawn(void **state)
{
    static const char frame[] =
        "position: [1, 2, 3], orientation: {rpy: [0.3, 0.5, 0.7]}, velocity: [4, 5, 6], omega: [7, 8, 9]";
    static const char *const column[] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                         "vx", "vy", "vz", "wx", "wy", "wz"};
    char text[600];
    (void)state;
    snprintf(text, sizeof text,
             "dimension: 3\nbodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], %s}\n"
             "  - {name: b, mass: 1, inertia: [1, 1, 1]}\npose: {b: {%s}}\n",
             frame, frame);
    write_file(part, text);
    motion m =
        open_text("dimension: 3\ninclude: {file: part.yaml, as: r, mirror: y, at: {position: [2, -1, 4], "
                  "orientation: {rpy: [0.2, 0.4, 0.6]}}}\nsimulate: {end: 1, signals: [all]}\n",
                  NULL);
    if (!m.sim) fail_msg("%s", hol_context_error(ctx));
    for (int i = 0; i < HOL_COUNT(column); i++) {
        char drawn[40], posed[40];
        snprintf(drawn, sizeof drawn, "r.a.%s", column[i]);
        snprintf(posed, sizeof posed, "r.b.%s", column[i]);
        near(posed, signal_value(m.sim, posed), signal_value(m.sim, drawn), 1e-14);
    }
    close_motion(&m);
}

static int told;
static void count_outer(void *user, hol_severity severity, const char *text)
{
    (void)user;
    told += severity == HOL_WARNING &&
            strstr(text, "a body of a file around this one, is in the frame of that body");
}

// A point of an outer body reads as a place of the file, and is none where the file or the body is elsewhere: that is told, unless it is said
// to be meant, or both have one frame.
static void a_point_of_an_outer_body_is_told(void **state)
{
    static const struct {
        const char *end, *put, *drawn;
        int told;
    } rows[] = {{"c: [1, 0]", ", at: {position: [3, 0]}", "", 1},
                {"c: [1, 0]", "", "", 0},
                {"c: [1, 0]", ", mirror: y", "", 0},
                {"../c: [1, 0]", ", at: {position: [3, 0]}", "", 0},
                {"c.m", ", at: {position: [3, 0]}", "", 0},
                {"c: [1, 0]", "", ", position: [-1, 0.5]", 1},
                {"c: [1, 0]", "", ", angle: 30 deg", 1},
                {"../c: [1, 0]", "", ", position: [-1, 0.5]", 0},
                {"c: [1, 0]", ", at: {position: [3, 0], angle: 0.5}",
                 ", position: [3, 0], angle: 0.5, com: [0.1, 0.2]", 0}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char inner[300], outer[400];
        snprintf(inner, sizeof inner,
                 "bodies: [{name: b, type: point, mass: 1, position: [2, 0]}]\n"
                 "joints: [{name: rod, type: distance, between: [%s, b]}]\n",
                 rows[i].end);
        write_file(part, inner);
        snprintf(outer, sizeof outer,
                 "dimension: 2\nbodies: [{name: c, mass: 1, inertia: 1, markers: {m: [1, 0]}%s}]\n"
                 "include: {file: part.yaml, as: i%s}\nsimulate: {end: 1}\n",
                 rows[i].drawn, rows[i].put);
        told = 0;
        hol_context_set_log(ctx, count_outer, NULL);
        motion m = open_text(outer, NULL);
        hol_context_set_log(ctx, NULL, NULL);
        if (!m.sim) fail_msg("%s", hol_context_error(ctx));
        if (told != rows[i].told)
            fail_msg("%s%s%s: told %d times", rows[i].end, rows[i].put, rows[i].drawn, told);
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_include_may_be_a_loop),
        cmocka_unit_test(a_file_reads_the_same_wherever_it_is),
        cmocka_unit_test(names_mean_what_the_file_says),
        cmocka_unit_test(siblings_do_not_take_names),
        cmocka_unit_test(a_draft_sets_what_an_include_sets),
        cmocka_unit_test(a_run_goes_on_from_its_checkpoint),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(ground_is_what_the_file_draws),
        cmocka_unit_test(ground_of_a_file_has_its_name),
        cmocka_unit_test(pose_and_assemble_of_a_file_hold),
        cmocka_unit_test(words_of_signals_are_no_subsystems),
        cmocka_unit_test(a_pose_is_placed_as_what_is_drawn),
        cmocka_unit_test(a_point_of_an_outer_body_is_told),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
