// Linear bushing between two frames: displacements of origin 2 along the axes of frame 1, small rotations about them.
//     s = (x1.d, y1.d, z1.d, 2 vec(conj(Q1) Q2)),  d = r2 - r1      (2D: x1.d, y1.d, theta2 - theta1)
//     f = K s + C s', diagonal K and C; the force is the exact gradient of s^T K s / 2
#include "element/element.h"

enum { STIFFNESS, DAMPING };
static const hol_option options[] = {
    {"stiffness", HOL_NUMBERS, "N/m, N m/rad", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
     "[kx, ky, kz, k_rx, k_ry, k_rz]; 2D: [kx, ky, k_r]"},
    {"damping", HOL_NUMBERS, "N s/m, N m s/rad", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "[cx, cy, cz, c_rx, c_ry, c_rz]; 2D: [cx, cy, c_r]; default: none"},
    HOL_END_OPTIONS};

static hol_status coefficients(const hol_setup *in, int option, int n, double *out)
{
    const hol_value *v = &in->value[option];
    if (!v->given) return HOL_OK;
    if (v->n != n)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, v->at, "%s.%s: %d numbers are wanted, here is %d: %s",
                           in->path, options[option].key, n, v->n, options[option].doc);
    for (int i = 0; i < n; i++) out[i] = v->list[i];
    return HOL_OK;
}

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    static const char *const name[6] = {
        "x", "y", "z", "rotation about x", "rotation about y", "rotation about z"};
    hol_law *law = data;
    law->n = in->dimension == 3 ? 6 : 3;
    for (int k = 0; k < in->dimension; k++) law->s[k] = hol_prim_between(in, HOL_PRIM_ALONG, k, 0, name[k]);
    for (int k = 3; k < law->n; k++) law->s[k] = hol_prim_between(in, HOL_PRIM_TURN, k - 3, 0, name[k]);
    if (in->dimension == 2) {
        law->s[2] = hol_prim_between(in, HOL_PRIM_ANGLE, 0, 0, "rotation");
        law->s[2].offset = -hol_marker_angle(in);
    }
    e->n_rows = 0;
    hol_status st = coefficients(in, STIFFNESS, law->n, law->K);
    if (!st) st = coefficients(in, DAMPING, law->n, law->C);
    return st;
}

const hol_element_type hol_force_bushing = {
    .name = "bushing",
    .aliases = "linear-bushing",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .ends = 2,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "linear bushing: springs and dampers along and about the axes of the first frame",
    .options = options,
    .setup = setup,
    HOL_LAW_FUNCTIONS,
};
