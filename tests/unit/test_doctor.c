// The doctor for redundant constraints on mechanisms whose degrees of freedom and redundancies are known from theory.
//
// Each replacement it proposes is written into the text of the model and checked anew. The flags of reactions are compared
// with null vectors of Phi_q^T from a full eigenvalue problem, and everything with the same model turned, in other units and
// with its joints in the opposite order.
#include "system/initial.h"
#include "system/kernel.h"
#include "system/redundancy.h"
#include "system/wrench.h"
#include "linalg/dense.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct {
    const char *file;
    int freedom, redundant, instantaneous;
    const char *groups;  // the groups found, in order; NULL: the joints alone
    const char *joints;  // with redundant equations
    const char *instead; // the replacements, NULL: none
} mechanism;

#define DOCTOR "tests/models_doctor/"

static const mechanism mechanisms[] = {
    {DOCTOR "four_bar_space.yaml", 1, 3, 0, NULL, "A B C D", "C cylindrical, D spherical"},
    {DOCTOR "four_bar_sc.yaml", 1, 0, 0, NULL, "", NULL},
    {DOCTOR "bennett.yaml", 1, 3, 0, NULL, "A B C D", "C cylindrical, D spherical"},
    {"models/bricard.yaml", 1, 1, 0, NULL, "P0 P1 P2 P3 P4 P5", "P5 cylindrical"},
    {DOCTOR "sarrus.yaml", 1, 1, 0, NULL, "A1 A2 A3 B1 B2 B3", "B3 universal"},
    {DOCTOR "sarrus_universal.yaml", 1, 0, 0, NULL, "", NULL},
    {DOCTOR "parallel_cranks.yaml", 1, 1, 0, NULL, "A1 A2 A3 B1 B2 B3", "B3 in-line"},
    {DOCTOR "door.yaml", 1, 5, 0, NULL, "lower upper", "lower in-line, upper spherical"},
    {DOCTOR "stewart.yaml", 6, 0, 0, NULL, "", NULL},
    {DOCTOR "watt.yaml", 1, 0, 0, NULL, "", NULL},
    {DOCTOR "watt_space.yaml", 1, 6, 0, NULL, "A0 A B B0 C D E", "B spherical, B0 spherical, E spherical"},
    {DOCTOR "four_bars_space.yaml", 1, 12, 0, NULL, "A0 A1 A2 A3 A4 L1 R1 L2 R2 L3 R3 L4 R4",
     "A1 spherical, A3 spherical, R1 spherical, R2 spherical, R3 spherical, R4 spherical"},
    {DOCTOR "rssr.yaml", 2, 0, 0, NULL, "", NULL},
    {DOCTOR "rssp.yaml", 2, 0, 0, NULL, "", NULL},
    {DOCTOR "hooke.yaml", 1, 3, 0, NULL, "A U B", "A cylindrical, B spherical"},
    {DOCTOR "double_hooke.yaml", 1, 1, 0, NULL, "A U V B", "B cylindrical"},
    {DOCTOR "gears.yaml", 1, 1, 0, "A.x B.x centres.distance", "A B centres", "centres -"},
    {DOCTOR "slider_crank_space.yaml", 1, 3, 0, NULL, "A B C D", "B spherical, D cylindrical"},
    {DOCTOR "folded.yaml", 1, 0, 1, "A.x B.x C.x D.x", "", NULL},
    {DOCTOR "two_guides.yaml", 1, 5, 0, NULL, "front back", "back -"},
    {DOCTOR "truss.yaml", 3, 1, 0,
     "s12.distance s23.distance s34.distance s41.distance s13.distance s24.distance",
     "s12 s23 s34 s41 s13 s24", "s24 -"},
    {DOCTOR "welded.yaml", 0, 6, 0, NULL, "A B C", "A revolute, B cylindrical, C spherical"},
};

enum { COUNT = HOL_COUNT(mechanisms), ROOM = 20000 };

static void read_text(const char *file, char *text)
{
    FILE *f = fopen(file, "r");
    assert_non_null(f);
    const size_t n = fread(text, 1, ROOM - 1, f);
    text[n] = 0;
    fclose(f);
}

static hol_check *check(hol_context *ctx, hol_model *model)
{
    hol_check *c = model ? hol_check_create(ctx, model) : NULL;
    if (!c) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(c);
    return c;
}

static void append(char *text, const char *more)
{
    assert_true(strlen(text) + strlen(more) + 1 < ROOM);
    strcat(text, more);
}

static void list_groups(const hol_dependency *group, int n, char *out)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < group[i].n; k++) {
            if (*out) append(out, k ? " " : "; ");
            append(out, group[i].equation[k].joint);
            append(out, ".");
            append(out, group[i].equation[k].direction);
        }
}

static int total(const hol_check *c)
{
    int n = 0;
    for (int i = 0; i < c->n_loops; i++) n += c->loop[i].redundant;
    return n;
}

static void expect_groups_and_names(const mechanism *m, const hol_check *c)
{
    char groups[ROOM] = "", joints[ROOM] = "", instead[ROOM] = "";
    for (int i = 0; i < c->n_loops; i++) {
        const hol_redundant_loop *l = &c->loop[i];
        list_groups(l->group, l->redundant, groups);
        for (int k = 0; k < l->n_joints; k++) {
            if (*joints) append(joints, " ");
            append(joints, l->joint[k]);
        }
        for (int k = 0; k < l->n_replacements; k++) {
            if (*instead) append(instead, ", ");
            append(instead, l->replacement[k].joint);
            append(instead, " ");
            append(instead, l->replacement[k].type ? l->replacement[k].type : "-");
        }
    }
    list_groups(c->instant, c->instantaneous, groups);
    if (m->groups) assert_string_equal(groups, m->groups);
    assert_string_equal(joints, m->joints);
    assert_string_equal(instead, m->instead ? m->instead : "");
}

static void counts_groups_and_replacements_are_those_of_theory(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        const mechanism *m = &mechanisms[i];
        hol_context *ctx = hol_context_create();
        hol_model *model = hol_model_load(ctx, m->file, NULL, 0);
        hol_check *c = check(ctx, model);
        print_message("%s: %d degrees of freedom, %d redundant, %d for an instant\n", m->file,
                      c->degrees_of_freedom, c->n_redundant, c->instantaneous);
        assert_int_equal(c->degrees_of_freedom, m->freedom);
        assert_int_equal(c->n_redundant, m->redundant);
        assert_int_equal(total(c), m->redundant);
        assert_int_equal(c->instantaneous, m->instantaneous);
        assert_int_equal(c->momentary, m->instantaneous > 0);
        expect_groups_and_names(m, c);
        hol_check_destroy(c);
        hol_model_destroy(model);
        hol_context_destroy(ctx);
    }
}

// ---- replacements -----------------------------------------------------------------------------------------------

// The line of the joint with another type, or without it. A cross gets a second arm at right angles.
static void replace(char *text, const hol_replacement *r)
{
    char wanted[100], line[1000], rest[ROOM];
    snprintf(wanted, sizeof wanted, "{name: %s, type: ", r->joint);
    char *at = strstr(text, wanted);
    assert_non_null(at);
    char *end = strchr(at, '\n'), *type = at + strlen(wanted), *comma = strchr(type, ',');
    while (at > text && at[-1] != '\n') at--;
    snprintf(rest, sizeof rest, "%s", end);
    line[0] = 0;
    if (r->type) {
        char before[200], after[700];
        snprintf(before, sizeof before, "%.*s", (int)(type - at), at);
        snprintf(after, sizeof after, "%.*s", (int)(end - comma - 1), comma); // without the brace
        char *axis = strstr(after, ", axis:");
        if (axis && strcmp(r->type, "spherical") == 0) *axis = 0;
        const char *more = "";
        if (strcmp(r->type, "universal") == 0) more = ", axis2: [0.8, 0, 0.6]"; // of a hinge along y
        if (strcmp(r->type, "in-line") == 0 && !axis)
            more = strstr(r->remark, "along y") ? ", axis: [0, 1]" : ", axis: [1, 0]";
        else if (!axis && strcmp(r->type, "spherical") != 0) // of a welded joint
            more = ", axis: [0, 0, 1]";
        snprintf(line, sizeof line, "%s%s%s%s}", before, r->type, after, more);
    }
    snprintf(at, (size_t)(text + ROOM - at), "%s%s", line, r->type ? rest : rest + 1);
}

static void replacements_do_what_they_promise(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        char text[2 * ROOM];
        hol_context *ctx = hol_context_create();
        hol_model *model = hol_model_load(ctx, mechanisms[i].file, NULL, 0);
        hol_check *c = check(ctx, model);
        read_text(mechanisms[i].file, text);
        for (int k = 0; k < c->n_loops; k++) {
            assert_int_equal(c->loop[k].removed, c->loop[k].redundant);
            for (int r = 0; r < c->loop[k].n_replacements; r++) replace(text, &c->loop[k].replacement[r]);
        }
        hol_model *other = hol_model_parse(ctx, "other", text, strlen(text), NULL, 0);
        hol_check *d = check(ctx, other);
        if (d->n_redundant || d->momentary != c->momentary) print_error("%s", text);
        assert_int_equal(d->degrees_of_freedom, c->degrees_of_freedom);
        assert_int_equal(d->n_redundant, 0);
        assert_int_equal(d->momentary, c->momentary);
        hol_check_destroy(d);
        hol_model_destroy(other);
        hol_check_destroy(c);
        hol_model_destroy(model);
        hol_context_destroy(ctx);
    }
}

// ---- flags by brute force -----------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    hol_spec *spec;
    hol_model_data *m;
    hol_kernel k, full; // of the rows in use, of all
    hol_equations *s;
    hol_state x, pose;
    hol_rank rank;
} subject;

static void open_subject(const char *file, subject *b)
{
    memset(b, 0, sizeof *b);
    b->ctx = hol_context_create();
    b->spec = hol_spec_read_file(b->ctx, file, NULL, 0);
    b->m = b->spec ? hol_model_compile(b->spec) : NULL;
    assert_non_null(b->m);
    assert_int_equal(hol_initialise(b->ctx, b->m, true, &b->k, &b->x, &b->rank), HOL_OK);
    b->s = b->k.s;
    b->full = hol_kernel_of(hol_equations_create(b->ctx, b->m, NULL));
    b->full.s->dependent = true;
    assert_int_equal(hol_state_create(b->full.s, &b->pose), HOL_OK);
    b->pose.t = b->x.t;
    memcpy(b->pose.q, b->x.q, (size_t)b->m->nq * sizeof(double));
    memcpy(b->pose.mem, b->x.mem, (size_t)b->m->n_mem * sizeof(double));
}

static void close_subject(subject *b)
{
    hol_state_destroy(&b->pose);
    hol_start_destroy(&b->full);
    hol_state_destroy(&b->x);
    hol_rank_destroy(&b->rank);
    hol_start_destroy(&b->k);
    hol_model_free(b->m);
    hol_context_destroy(b->ctx);
}

// Phi_q of the whole model in its own coordinates, by products with unit vectors; normalisations of Euler parameters take
// part in it and have no part in the null space.  G = Phi_q Phi_q^T in rows of natural size: its null vectors are those of
// Phi_q^T.  Returns how many, into the first columns of `null` (nc x nc).
static int null_space(subject *b, const hol_state *x, double *null)
{
    const int nc = b->m->nc, nq = b->m->nq;
    double *J = calloc((size_t)nc * (size_t)nq, sizeof *J), *unit = calloc((size_t)nq, sizeof *unit),
           *value = calloc((size_t)nc, sizeof *value), *column = calloc((size_t)nc, sizeof *column);
    for (int j = 0; j < nq; j++) {
        memset(unit, 0, (size_t)nq * sizeof *unit);
        unit[j] = b->full.s->q_size[j];
        hol_equations_jacobian_times(b->full.s, x->t, x->q, unit, column);
        for (int i = 0; i < nc; i++) J[i * nq + j] = column[i] / b->full.s->row_size[i];
    }
    for (int i = 0; i < nc; i++)
        for (int k = 0; k < nc; k++) {
            double sum = 0;
            for (int j = 0; j < nq; j++) sum += J[i * nq + j] * J[k * nq + j];
            null[i + nc * k] = sum;
        }
    assert_int_equal(hol_dense_eigen_symmetric(b->ctx, nc, null, true, value), HOL_OK);
    int n = 0;
    while (n < nc && value[n] < 1e-13 * value[nc - 1]) n++;
    free(J);
    free(unit);
    free(value);
    free(column);
    return n;
}

// Reaction of element k to multipliers lam of all rows.
static void reaction_to(const subject *b, const hol_state *x, const hol_element *e, const double *lam,
                        double out[6])
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
    hol_wrench_map map;
    hol_element_gather(b->m, e, x->t, x->q, NULL, 0, y, w);
    e->type->phi(e->data, e->ny, y, NULL, NULL, J);
    hol_wrench_map_at(b->m, e, y, false, &map);
    for (int a = 0; a < 6; a++) {
        out[a] = 0;
        for (int i = 0; i < map.size; i++)
            for (int r = 0; r < e->n_rows; r++)
                out[a] -= hol_re(map.c[a][i]) * hol_re(J[r * e->ny + map.iy + i]) * lam[e->row + r];
    }
}

// open[6 k + a]: a random null vector changes component a of element k.
static int find_open(subject *b, const hol_state *x, hol_random *random, char *open)
{
    const hol_model_data *m = b->m;
    double *null = calloc((size_t)m->nc * (size_t)m->nc, sizeof *null),
           *lam = calloc((size_t)m->nc, sizeof *lam);
    const int n = null_space(b, x, null);
    for (int trial = 0; trial < 3; trial++) {
        memset(lam, 0, (size_t)m->nc * sizeof *lam);
        for (int c = 0; c < n; c++) {
            const double factor = hol_random_uniform(random);
            for (int i = 0; i < m->nc; i++) lam[i] += factor * null[i + m->nc * c] / b->full.s->row_size[i];
        }
        for (int k = m->n_bodies; k < m->n_elements; k++) {
            const hol_element *e = &m->element[k];
            double out[6];
            if (!e->n_rows || e->n_ends != 2) continue;
            reaction_to(b, x, e, lam, out);
            for (int a = 0; a < 6; a++)
                if (fabs(out[a]) > 1e-6) open[6 * k + a] = 1;
        }
    }
    free(null);
    free(lam);
    return n;
}

// Multipliers at random: reached[6 k + a] if component a of element k is not 0.
static void find_reached(subject *b, const hol_state *x, hol_random *random, char *reached)
{
    const hol_model_data *m = b->m;
    double *lam = calloc((size_t)m->nc, sizeof *lam);
    for (int i = 0; i < m->nc; i++) lam[i] = hol_random_uniform(random) / b->full.s->row_size[i];
    for (int k = m->n_bodies; k < m->n_elements; k++) {
        double out[6];
        if (!m->element[k].n_rows || m->element[k].n_ends != 2) continue;
        reaction_to(b, x, &m->element[k], lam, out);
        for (int a = 0; a < 6; a++)
            if (fabs(out[a]) > 1e-6) reached[6 * k + a] = 1;
    }
    free(lam);
}

static void flags_are_those_of_random_null_vectors(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        subject b;
        hol_redundancies found;
        hol_random random = {77};
        open_subject(mechanisms[i].file, &b);
        const hol_model_data *m = b.m;
        assert_int_equal(hol_redundancy_find(b.ctx, m, &b.x, &b.rank, false, &found), HOL_OK);
        char *here = calloc((size_t)m->n_elements, 6), *near_by = calloc((size_t)m->n_elements, 6),
             *reached = calloc((size_t)m->n_elements, 6);
        find_reached(&b, &b.pose, &random, reached);
        assert_int_equal(find_open(&b, &b.pose, &random, here),
                         mechanisms[i].redundant + mechanisms[i].instantaneous);
        hol_state pose;
        assert_int_equal(hol_state_create(b.full.s, &pose), HOL_OK);
        for (int p = 0; p < 3; p++) {
            assert_int_equal(hol_rank_nearby(&b.full, &b.pose, &random, &pose), HOL_OK);
            assert_int_equal(find_open(&b, &pose, &random, near_by), mechanisms[i].redundant);
            find_reached(&b, &pose, &random, reached);
        }
        int shared = 0, unique = 0, absent = 0;
        for (int k = m->n_bodies; k < m->n_elements; k++)
            for (int a = 0; a < 6 && m->element[k].n_ends == 2; a++) {
                const bool general = near_by[6 * k + a] || (here[6 * k + a] && !mechanisms[i].instantaneous);
                const bool examined = mechanisms[i].redundant + mechanisms[i].instantaneous > 0;
                const hol_uniqueness flag = general                           ? HOL_SHARED
                                            : here[6 * k + a]                 ? HOL_UNDETERMINED
                                            : examined && !reached[6 * k + a] ? HOL_ABSENT
                                                                              : HOL_UNIQUE;
                if (found.reaction[k][a] != flag)
                    print_error("%s: %s, component %d: %d, by null vectors %d\n", mechanisms[i].file,
                                m->element[k].name, a, found.reaction[k][a], (int)flag);
                assert_int_equal(found.reaction[k][a], flag);
                shared += flag == HOL_SHARED;
                unique += flag == HOL_UNIQUE;
                absent += flag == HOL_ABSENT;
            }
        print_message("%s: %d shared, %d unique, %d absent\n", mechanisms[i].file, shared, unique, absent);
        free(reached);
        free(here);
        free(near_by);
        hol_state_destroy(&pose);
        hol_redundancy_destroy(&found);
        close_subject(&b);
    }
}

// ---- loops that are too large ---------------------------------------------------------------------------------

static double violation(subject *b, const char *name, const hol_state *x)
{
    double most = 0;
    memset(b->full.work, 0, (size_t)b->full.s->n * sizeof *b->full.work);
    hol_equations_residual(b->full.s, x, NULL, b->full.work);
    for (int k = b->m->n_bodies; k < b->m->n_elements; k++) {
        const hol_element *e = &b->m->element[k];
        for (int i = 0; i < e->n_rows && strcmp(e->name, name) == 0; i++)
            most = fmax(most, fabs(b->full.work[e->row + i]));
    }
    return most;
}

static hol_uniqueness flag_of(const subject *b, const hol_redundancies *found, const char *name, int a)
{
    for (int k = b->m->n_bodies; k < b->m->n_elements; k++)
        if (strcmp(b->m->element[k].name, name) == 0) return (hol_uniqueness)found->reaction[k][a];
    fail();
    return HOL_UNIQUE;
}

// What is small beside them is found all the same, in poses in which the large ones are open.
static void large_loops_are_not_held(void **state)
{
    (void)state;
    enum { POSES = 3 };
    subject b;
    hol_graph g;
    hol_state pose[POSES];
    hol_redundancies found;
    hol_random random = {5};
    int n = 0;
    open_subject(DOCTOR "large.yaml", &b);
    assert_int_equal(b.rank.large_components, 1);
    assert_int_equal(b.rank.n_redundant, 1);
    assert_int_equal(hol_kernel_need_room(&b.full), HOL_OK);
    assert_int_equal(hol_graph_create(b.ctx, b.m, &g), HOL_OK);
    assert_int_equal(hol_rank_poses(&b.full, &g, &b.x, &random, POSES, pose, &n), HOL_OK);
    assert_int_equal(n, POSES);
    for (int p = 0; p < n; p++) {
        assert_true(violation(&b, "B3", &pose[p]) < 1e-10);
        assert_true(p == 0 ? violation(&b, "Q7", &pose[p]) < 1e-10 : violation(&b, "Q7", &pose[p]) > 1e-4);
        assert_true(p == 0 || fabs(pose[p].q[2] - pose[0].q[2]) > 1e-5); // the crank turns
    }
    for (int p = 0; p < n; p++) hol_state_destroy(&pose[p]);
    hol_graph_destroy(&g);
    assert_int_equal(hol_redundancy_find(b.ctx, b.m, &b.x, &b.rank, true, &found), HOL_OK);
    assert_int_equal(found.n_loops, 1);
    assert_int_equal(found.loop[0].redundant, 1);
    assert_int_equal(flag_of(&b, &found, "A1", 0), HOL_UNIQUE);
    assert_int_equal(flag_of(&b, &found, "A1", 1), HOL_SHARED);
    assert_int_equal(flag_of(&b, &found, "Q7", 1), HOL_NOT_EXAMINED);
    assert_int_equal(flag_of(&b, &found, "Q7", 5), HOL_ABSENT);
    hol_redundancy_destroy(&found);
    close_subject(&b);
}

// ---- groups are minimal -----------------------------------------------------------------------------------------

static int find_row(const hol_model_data *m, const hol_redundancy *wanted)
{
    for (int i = 0; i < m->nc; i++) {
        const char *joint;
        const hol_row row = hol_model_row(m, i, &joint);
        if (strcmp(joint, wanted->joint) == 0 && strcmp(row.direction, wanted->direction) == 0) return i;
    }
    fail();
    return -1;
}

// The rows of the group have one null vector, which has a part of each of them.
static void expect_circuit(subject *b, const hol_state *x, const hol_dependency *group)
{
    const int n = group->n, nq = b->m->nq, nc = b->m->nc;
    double *J = calloc((size_t)n * (size_t)nq, sizeof *J), *G = calloc((size_t)n * (size_t)n, sizeof *G),
           *value = calloc((size_t)n, sizeof *value), *unit = calloc((size_t)nq, sizeof *unit),
           *column = calloc((size_t)nc, sizeof *column);
    for (int j = 0; j < nq; j++) {
        memset(unit, 0, (size_t)nq * sizeof *unit);
        unit[j] = b->full.s->q_size[j];
        hol_equations_jacobian_times(b->full.s, x->t, x->q, unit, column);
        for (int i = 0; i < n; i++) {
            const int row = find_row(b->m, &group->equation[i]);
            J[i * nq + j] = column[row] / b->full.s->row_size[row];
        }
    }
    for (int k = 0; k < b->m->n_bodies; k++) { // along the Euler parameters themselves nothing moves
        const double *p = x->q + b->m->body[k].q + 3;
        for (int i = 0; i < n && b->m->body[k].frame == HOL_FRAME_SPATIAL; i++) {
            double *row = J + i * nq + b->m->body[k].q + 3, dot = 0;
            for (int j = 0; j < 4; j++) dot += row[j] * p[j];
            for (int j = 0; j < 4; j++) row[j] -= dot * p[j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < nq; j++) G[i + n * k] += J[i * nq + j] * J[k * nq + j];
    assert_int_equal(hol_dense_eigen_symmetric(b->ctx, n, G, true, value), HOL_OK);
    assert_true(value[0] < 1e-13 * value[n - 1]);
    if (n > 1) assert_true(value[1] > 1e-11 * value[n - 1]);
    for (int i = 0; i < n; i++) assert_true(fabs(G[i]) > 1e-6);
    free(J);
    free(G);
    free(value);
    free(unit);
    free(column);
}

static void groups_are_minimal(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        subject b;
        hol_redundancies found;
        hol_random random = {4099};
        hol_state pose;
        open_subject(mechanisms[i].file, &b);
        assert_int_equal(hol_redundancy_find(b.ctx, b.m, &b.x, &b.rank, true, &found), HOL_OK);
        assert_int_equal(hol_state_create(b.full.s, &pose), HOL_OK);
        assert_int_equal(hol_rank_nearby(&b.full, &b.pose, &random, &pose), HOL_OK);
        for (int k = 0; k < found.n_loops; k++)
            for (int c = 0; c < found.loop[k].redundant; c++)
                expect_circuit(&b, &pose, &found.loop[k].group[c]);
        for (int c = 0; c < found.instantaneous; c++) expect_circuit(&b, &b.pose, &found.momentary[c]);
        hol_state_destroy(&pose);
        hol_redundancy_destroy(&found);
        close_subject(&b);
    }
}

// ---- invariance -------------------------------------------------------------------------------------------------

// What is done to places and directions in the text of a model, and to the order of its joints.
typedef struct {
    double R[3][3], scale;
    bool reverse;
} change;

static void write_vector(const char *from, const change *c, bool place, int dimension, char *out)
{
    double v[3] = {0}, w[3];
    const char *p = strchr(from, '[') + 1;
    for (int i = 0; i < dimension; i++) {
        char *end;
        v[i] = strtod(p, &end);
        p = end + 1;
    }
    for (int i = 0; i < 3; i++) {
        w[i] = 0;
        for (int j = 0; j < 3; j++) w[i] += c->R[i][j] * v[j] * (place ? c->scale : 1);
    }
    if (dimension == 2)
        sprintf(out, "[%.17g, %.17g]", w[0], w[1]);
    else
        sprintf(out, "[%.17g, %.17g, %.17g]", w[0], w[1], w[2]);
}

static void change_line(const char *line, const change *c, int dimension, char *out)
{
    static const struct {
        const char *key;
        bool place;
    } keys[] = {
        {"position: [", true}, {"at: [", true}, {"axis: [", false}, {"axis2: [", false}, {"ground: [", true}};
    *out = 0;
    while (*line) {
        int k = 0;
        while (k < HOL_COUNT(keys) && strncmp(line, keys[k].key, strlen(keys[k].key)) != 0) k++;
        if (k == HOL_COUNT(keys)) {
            const size_t n = strlen(out);
            out[n] = *line++;
            out[n + 1] = 0;
            continue;
        }
        const size_t n = strlen(out) + (size_t)(strchr(line, '[') - line);
        memcpy(out + strlen(out), line, (size_t)(strchr(line, '[') - line));
        write_vector(line, c, keys[k].place, dimension, out + n);
        line = strchr(line, ']') + 1;
    }
}

static void change_model(const char *text, const change *c, int dimension, char *out)
{
    char line[1000], joints[64][sizeof line + 1], coupler[sizeof line + 1] = "";
    int n = 0;
    bool in_joints = false;
    *out = 0;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        char one[1000];
        snprintf(one, sizeof one, "%.*s", (int)length, text);
        text += length + (text[length] == '\n');
        if (strncmp(one, "joints:", 7) == 0) in_joints = true;
        change_line(one, c, dimension, line);
        if (in_joints && strstr(line, "joints: ["))
            snprintf(coupler, sizeof coupler, "%s\n", line); // below the joints it couples
        else if (in_joints && strstr(line, "{name: "))
            snprintf(joints[n++], sizeof joints[0], "%s\n", line);
        else {
            append(out, line);
            append(out, "\n");
        }
    }
    for (int i = 0; i < n; i++) append(out, joints[c->reverse ? n - 1 - i : i]);
    append(out, coupler);
}

static const hol_reaction_check *reaction_of(const hol_check *c, const char *joint)
{
    for (int i = 0; i < c->n_reactions; i++)
        if (strcmp(c->reaction[i].joint, joint) == 0) return &c->reaction[i];
    fail();
    return NULL;
}

static int removed(const hol_check *c)
{
    int n = 0;
    for (int i = 0; i < c->n_loops; i++) n += c->loop[i].removed;
    return n;
}

// flags: component by component; else how many there are of each kind (frames on ground turn about their axes).
static void compare_with(const mechanism *m, const change *how, bool flags)
{
    char text[2 * ROOM], other_text[2 * ROOM];
    hol_context *ctx = hol_context_create();
    read_text(m->file, text);
    hol_model *model = hol_model_parse(ctx, m->file, text, strlen(text), NULL, 0);
    hol_check *c = check(ctx, model);
    change_model(text, how, c->dimension, other_text);
    hol_model *other = hol_model_parse(ctx, "changed", other_text, strlen(other_text), NULL, 0);
    hol_check *d = check(ctx, other);
    assert_int_equal(d->degrees_of_freedom, c->degrees_of_freedom);
    assert_int_equal(d->n_redundant, c->n_redundant);
    assert_int_equal(d->instantaneous, c->instantaneous);
    assert_int_equal(d->n_loops, c->n_loops);
    assert_int_equal(removed(d), removed(c));
    for (int i = 0; i < c->n_reactions && flags; i++) {
        const hol_reaction_check *a = &c->reaction[i], *b = reaction_of(d, a->joint);
        for (int k = 0; k < a->n; k++) {
            if (a->uniqueness[k] != b->uniqueness[k])
                print_error("%s %s %s\n", m->file, a->joint, a->component[k]);
            assert_int_equal(a->uniqueness[k], b->uniqueness[k]);
        }
    }
    hol_check_destroy(d);
    hol_model_destroy(other);
    hol_check_destroy(c);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

static const change identity = {.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .scale = 1};

static void each_with(const change *how, bool flags)
{
    for (int i = 0; i < COUNT; i++)
        if (strncmp(mechanisms[i].file, DOCTOR, strlen(DOCTOR)) == 0)
            compare_with(&mechanisms[i], how, flags);
}

static void order_of_joints_does_not_matter(void **state)
{
    change how = identity;
    (void)state;
    how.reverse = true;
    each_with(&how, true);
}

static void units_do_not_matter(void **state)
{
    change how = identity;
    (void)state;
    how.scale = 1e-3;
    each_with(&how, true);
    how.scale = 1e3;
    each_with(&how, true);
}

static void orientation_does_not_matter(void **state)
{
    change how = identity;
    (void)state;
    const double c = cos(0.7), s = sin(0.7), C = cos(1.1), S = sin(1.1);
    const double R[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
    memcpy(how.R, R, sizeof R);
    for (int i = 0; i < COUNT; i++) // turned about z, the plane's or any
        if (strncmp(mechanisms[i].file, DOCTOR, strlen(DOCTOR)) == 0)
            compare_with(&mechanisms[i], &how, false);
    const double T[3][3] = {{c, -s * C, s * S}, {s, c * C, -c * S}, {0, S, C}};
    memcpy(how.R, T, sizeof T);
    for (int i = 0; i < COUNT; i++) {
        char text[ROOM];
        read_text(mechanisms[i].file, text);
        if (strncmp(mechanisms[i].file, DOCTOR, strlen(DOCTOR)) == 0 && strstr(text, "dimension: 3"))
            compare_with(&mechanisms[i], &how, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_groups_and_replacements_are_those_of_theory),
        cmocka_unit_test(replacements_do_what_they_promise),
        cmocka_unit_test(flags_are_those_of_random_null_vectors),
        cmocka_unit_test(large_loops_are_not_held),
        cmocka_unit_test(groups_are_minimal),
        cmocka_unit_test(order_of_joints_does_not_matter),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(orientation_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
