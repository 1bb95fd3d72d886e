// Bushing: linear stiffness and damping along and about the axes of frame 1, matrices diagonal or full.
//     displacements s_k = u_k . (r2 - r1), the rotation vector's x, y, z (2D: one angle; point mass: none)
//     f = K s + C s'
#include "element/element.h"

#include <string.h>

enum { STIFFNESS, DAMPING };
static const hol_option options[] = {
    {"stiffness", HOL_MATRIX, "N/m, N m/rad", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
     "[kx, ky, kz, k_rx, k_ry, k_rz]; 2D: [kx, ky, k_r]; to a point mass: no k_r; or all rows"},
    {"damping", HOL_MATRIX, "N s/m, N m s/rad", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "[cx, cy, cz, c_rx, c_ry, c_rz]; 2D: [cx, cy, c_r]; to a point mass: no c_r; or all rows; default: "
     "none"},
    HOL_END_OPTIONS};

// A matrix (n x n) from its rows or its diagonal.
static hol_status coefficients(const hol_setup *in, int option, int n, double *out)
{
    const hol_value *v = &in->value[option];
    if (!v->given) return HOL_OK;
    if (v->n == n * n) {
        memcpy(out, v->list, (size_t)v->n * sizeof *out);
        return HOL_OK;
    }
    if (v->n != n)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, v->at, "%s.%s: %d numbers are wanted, here is %d: %s%s",
                           in->path, options[option].key, n, v->n, options[option].doc, v->comma);
    for (int i = 0; i < n; i++) out[i * n + i] = v->list[i];
    return HOL_OK;
}

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_law *law = data;
    hol_law_frames(in, law);
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
    .axes = {HOL_AXES_FIRST, HOL_AXES_FIRST},
    .doc = "linear bushing: springs and dampers along and about the axes of the first frame, coupled or not; "
           "rotations are those of the rotation vector, about one axis the angle itself, up to a full turn",
    .options = options,
    .setup = setup,
    HOL_LAW_FUNCTIONS,
};
