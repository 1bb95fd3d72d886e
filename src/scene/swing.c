// Mode shapes as motions of the bodies; see swing.h.
#include "scene/swing.h"
#include "analysis/modes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Widens a box by a point.
static void widen(double low[3], double high[3], const double x[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], x[k]);
        high[k] = fmax(high[k], x[k]);
    }
}

// The box around bodies and ends of joints in the first row; 1 m where all are in one place.
static hol_status measure(hol_swings *s)
{
    const hol_model_data *m = s->poses.m;
    const double *row = s->poses.pose.value;
    hol_scene *scene = hol_poses_scene(&s->poses);
    if (!scene) return HOL_ERR_MEMORY;
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX}, x[3];
    for (int i = 0; i < m->n_bodies; i++) {
        hol_poses_place(&s->poses, row, i, (const double[3]){0}, x);
        widen(low, high, x);
    }
    for (int i = 0; i < scene->n_joints; i++)
        for (int k = 0; k < scene->joint[i].n_ends; k++) {
            hol_poses_place(&s->poses, row, scene->joint[i].end[k].body, scene->joint[i].end[k].position, x);
            widen(low, high, x);
        }
    hol_scene_destroy(scene);
    s->size = fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    if (!(s->size > 0)) s->size = 1;
    return HOL_OK;
}

// The largest length of Re(u exp(i phi)) over the period: of the half axes of its ellipse the longer one.
static double longest(const double *re, const double *im, int n)
{
    double a = 0, b = 0, c = 0;
    for (int k = 0; k < n; k++) {
        a += re[k] * re[k];
        b += im[k] * im[k];
        c += re[k] * im[k];
    }
    return sqrt((a + b) / 2 + hypot((a - b) / 2, c));
}

// What a shape is multiplied with; 0: no body moves.
static double scale_of(const hol_swings *s, const hol_mode *mode)
{
    const hol_model_data *m = s->poses.m;
    double most = 0;
    for (int i = 0; i < m->n_bodies; i++) {
        const int q = m->body[i].q, lengths = m->body[i].size == 3 && hol_poses_letter(m, i) == 'p' ? 2 : 3,
                  size = m->body[i].size, n = size < lengths ? size : lengths;
        const double *re = mode->shape_re + q, *im = mode->shape_im + q,
                     turn = longest(re + n, im + n, size - n) * (size - n == 4 ? 2 : 1); // of p: 2 |dp|
        most = fmax(most, longest(re, im, n) / (HOL_SWING_LENGTH * s->size));
        most = fmax(most, turn / HOL_SWING_TURN);
    }
    return most > 0 ? 1 / most : 0;
}

// The rows of a mode, from a time on.
static hol_status add_mode(hol_swings *s, const hol_modes *modes, int i, double time, double *q)
{
    const hol_mode *mode = &modes->mode[i];
    const double scale = scale_of(s, mode);
    hol_status st = HOL_OK;
    for (int k = 0; k < HOL_SWING_ROWS && !st; k++) {
        const double part = (double)(k % (HOL_SWING_ROWS - 1)) / (HOL_SWING_ROWS - 1),
                     c = scale * cos(2 * HOL_PI * part), d = -scale * sin(2 * HOL_PI * part);
        for (int j = 0; j < modes->n_coordinates; j++)
            q[j] = modes->pose[j] + c * mode->shape_re[j] + d * mode->shape_im[j];
        st = hol_poses_add(&s->poses, time + HOL_SWING_SECONDS * (double)k / (HOL_SWING_ROWS - 1), q);
    }
    return st;
}

hol_status hol_swings_create(hol_context *ctx, const hol_model_data *m, const hol_modes *modes, size_t most,
                             hol_swings *out)
{
    *out = (hol_swings){0};
    if (!modes->n)
        return hol_fail(ctx, HOL_ERR_USAGE, "%s has no modes: nothing is free to move", modes->model);
    hol_status st = hol_poses_start(ctx, m, 1, &out->poses);
    const size_t room = most < HOL_POSES_MOST ? most : HOL_POSES_MOST,
                 fit = (room / (out->poses.pose.width + 1) - 1) / HOL_SWING_ROWS;
    out->n = (size_t)modes->n < fit ? modes->n : fit ? (int)fit : 1;
    double *q = st ? NULL : hol_calloc(ctx, (size_t)m->nq + 1, sizeof *q);
    if (!st && !q) st = HOL_ERR_MEMORY;
    if (!st) st = hol_poses_add(&out->poses, 0, modes->pose);
    if (!st) st = measure(out);
    for (int i = 0; i < out->n && !st; i++)
        st = add_mode(out, modes, i, 1 + (HOL_SWING_SECONDS + 1.0) * i, q);
    if (!st) st = hol_poses_end(&out->poses, modes->model);
    hol_free(q);
    if (st) hol_swings_free(out);
    return st;
}

void hol_swings_free(hol_swings *swings)
{
    hol_poses_free(&swings->poses);
    *swings = (hol_swings){0};
}

void hol_swing_label(const hol_mode *mode, char *text, size_t room)
{
    const double least = 1e-12; // rounding of a damping ratio
    if (mode->kind == HOL_MODE_OSCILLATION)
        hol_decimal_print(text, room, "%.5g Hz, damping ratio %.4g", mode->frequency,
                          fabs(mode->damping) < least ? 0 : mode->damping);
    else if (mode->kind == HOL_MODE_RIGID)
        hol_decimal_print(text, room, "%s", hol_mode_words[mode->kind]);
    else
        hol_decimal_print(text, room, "%s, %.5g 1/s", hol_mode_words[mode->kind], mode->re);
}

void hol_swing_tell(const hol_swings *swings, const hol_modes *modes, hol_print_fn tell, void *user)
{
    char text[400];
    hol_decimal_print(
        text, sizeof text,
        "Shapes have no size of their own: bodies are moved by at most %g of the model's size (%.3g m) and "
        "turned by at most %g rad. Each period lasts %d s; growth and decay are not drawn.",
        HOL_SWING_LENGTH, HOL_SWING_LENGTH * swings->size, HOL_SWING_TURN, HOL_SWING_SECONDS);
    tell(user, text);
    hol_decimal_print(text, sizeof text,
                      "%d of the %d modes are drawn: others would make the file too large.", swings->n,
                      modes->n);
    if (swings->n < modes->n) tell(user, text);
}
