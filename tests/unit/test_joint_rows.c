// Rows of joints in space in closed form, docs/theory.md, (15.14) and (15.15), against those of the elements in twists.
#include "harness.h"
#include "recursion/data.h"
#include "recursion/loop_solve.h"
#include "system/initial.h"

#include <math.h>

// Anywhere near the start, off the constraints; Euler parameters of length 1 that stay so.
static void disturb(const hol_model_data *m, hol_random *dice, hol_state *x)
{
    for (int i = 0; i < m->nq; i++) {
        x->q[i] += random_in(dice, -0.3, 0.3);
        x->v[i] += random_in(dice, -1, 1);
    }
    for (int b = 0; b < m->n_bodies; b++) {
        double *p = x->q + m->body[b].q + 3, *v = x->v + m->body[b].q + 3, size = 0, rate = 0;
        if (m->body[b].frame != HOL_FRAME_SPATIAL) continue;
        for (int i = 0; i < 4; i++) size += p[i] * p[i];
        for (int i = 0; i < 4; i++) p[i] /= sqrt(size), rate += p[i] * v[i];
        for (int i = 0; i < 4; i++) v[i] -= rate * p[i];
    }
}

static double differ(const hol_tree *r, const hol_state *x, const hol_loop_element *l)
{
    double B[HOL_MAX_ROWS * HOL_MAX_BODIES * HOL_TWIST], value[HOL_MAX_ROWS], gam[HOL_MAX_ROWS],
        time[HOL_MAX_ROWS], most = 0;
    const hol_element *e = &r->s->m->element[l->joint];
    const int width = HOL_TWIST * e->n_bodies;
    hol_twist_rows(r->s->m, e, x, B, value, gam, time);
    for (int i = 0; i < l->rows; i++) {
        const int row = l->row[i], at = l->first + i;
        double rate = time[row];
        for (int c = 0; c < width; c++) {
            const double *nu = r->nu + HOL_TWIST * (size_t)r->place[e->body[c / HOL_TWIST]];
            most = fmax(most, fabs(B[row * width + c] - r->D[l->D + (size_t)(i * width + c)]));
            rate += B[row * width + c] * nu[c % HOL_TWIST];
        }
        most = fmax(most, fabs(value[row] - r->theta[at]));
        most = fmax(most, fabs(rate - r->rate[at]) / (1 + fabs(rate)));
        most = fmax(most, fabs(gam[row] - r->tau[at]) / (1 + fabs(gam[row])));
    }
    return most;
}

static void rows_are_those_of_the_elements(void **state)
{
    (void)state;
    static const char *const models[] = {"bricard", "double_pendulum_3d", "hmmwv", "flyball", "chain3d"};
    hol_random dice = {5};
    for (int k = 0; k < HOL_COUNT(models); k++) {
        hol_model_data *m = compile(models[k], NULL, 0);
        hol_kernel start;
        hol_equations *s;
        hol_state x = {0};
        hol_rank rank = {0};
        hol_loops o;
        hol_obstacle obstacle;
        double most = 0;
        int joints = 0;
        assert_int_equal(hol_initialise(ctx, m, true, &start, &x, &rank), HOL_OK);
        s = start.s;
        assert_int_equal(hol_loops_create_joints(ctx, s, 1e-12, HOL_INF, &o, &obstacle), HOL_OK);
        for (int trial = 0; trial < 5; trial++) {
            disturb(m, &dice, &x);
            hol_tree_set(o.r, &x);
            hol_tree_set_loops(o.r, &x);
            for (int i = 0; i < o.r->n_loop_elements; i++) {
                if (!o.r->loop[i].turns) continue;
                most = fmax(most, differ(o.r, &x, &o.r->loop[i]));
                joints++;
            }
        }
        print_message("%s: %d joints, %.1e\n", models[k], joints, most);
        assert_true(joints > 0 && most < 1e-13);
        hol_loops_destroy(&o);
        hol_rank_destroy(&rank);
        hol_state_destroy(&x);
        hol_start_destroy(&start);
        hol_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_those_of_the_elements)};
    return cmocka_run_group_tests(tests, start, stop);
}
