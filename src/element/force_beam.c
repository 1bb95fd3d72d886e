// Massless beam from frame 1, where its axis leaves along x, to frame 2: force and torque are linear in the
// displacement and the rotation of frame 2 seen from frame 1, with the stiffness of a slender beam.
//     f = K (s - s0) + C s',  s0 = (L, 0, ..),  C = damping K
// The frames may move and turn as they like, one against the other by small angles (docs/theory.md, section 3.4).
#include "element/element.h"

enum { MODULUS, AREA, SECOND, SECOND_Y, SECOND_Z, SHEAR, TORSION, SHEAR_Y, SHEAR_Z, LENGTH, DAMPING };
static const hol_option options[] = {
    {"modulus", HOL_NUMBER, "N/m^2", HOL_NONE, 0, HOL_INF, HOL_REQUIRED | HOL_ABOVE, NULL,
     "Young's modulus E"},
    {"area", HOL_NUMBER, "m^2", HOL_NONE, 0, HOL_INF, HOL_REQUIRED | HOL_ABOVE, NULL,
     "area A of the cross-section"},
    {"second_moment", HOL_NUMBER, "m^4", HOL_NONE, 0, HOL_INF, HOL_REQUIRED | HOL_ONLY_2D, NULL,
     "second moment of area I"},
    {"second_moment_y", HOL_NUMBER, "m^4", HOL_NONE, 0, HOL_INF, HOL_REQUIRED | HOL_ONLY_3D, NULL,
     "second moment of area about y, for bending in the xz plane"},
    {"second_moment_z", HOL_NUMBER, "m^4", HOL_NONE, 0, HOL_INF, HOL_REQUIRED | HOL_ONLY_3D, NULL,
     "second moment of area about z, for bending in the xy plane"},
    {"shear_modulus", HOL_NUMBER, "N/m^2", HOL_NONE, 0, HOL_INF, HOL_REQUIRED | HOL_ONLY_3D, NULL,
     "shear modulus G"},
    {"torsion_constant", HOL_NUMBER, "m^4", HOL_NONE, 0, HOL_INF, HOL_REQUIRED | HOL_ONLY_3D, NULL,
     "of the cross-section, J in G J/L; circular: second_moment_y + second_moment_z"},
    {"shear_y", HOL_NUMBER, "", 0, 0, HOL_INF, HOL_ONLY_3D, NULL,
     "area over shear area for a force along y: rectangle 6/5, circle 10/9; 0: no shear deflection"},
    {"shear_z", HOL_NUMBER, "", 0, 0, HOL_INF, HOL_ONLY_3D, NULL, "the same along z"},
    {"length", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "free length L; default: as drawn, along x of the first frame"},
    {"damping", HOL_NUMBER, "s", 0, 0, HOL_INF, 0, NULL, "damping matrix over stiffness matrix"},
    HOL_END_OPTIONS};

// Bending: a displacement u and a rotation r at the tip, u growing with sign * r. P: (3.11a), 0: no shear.
static void bending(hol_law *law, int u, int r, double EI, double L, double P, double sign)
{
    double *K = law->K;
    const int n = law->n;
    K[u * n + u] = 12 * EI / (L * L * L * (1 + P));
    K[u * n + r] = K[r * n + u] = -sign * 6 * EI / (L * L * (1 + P));
    K[r * n + r] = (4 + P) * EI / (L * (1 + P));
}

// Stiffness of an Euler-Bernoulli, or Timoshenko, beam of the drawn, or given, length; (3.11), (3.11a).
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_law *law = data;
    const hol_value *v = in->value;
    hol_law_frames(in, law);
    const double drawn = hol_prim_drawn(in, &law->s[0]), distance = hol_drawn_distance(in);
    if (!v[LENGTH].given && !(drawn > 0.5 * distance)) // a frame turned the wrong way, most likely
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at,
                           "%s: a beam leaves its first end along x of that frame; as drawn, the second end "
                           "is at x = %.6g m there, at a distance of %.6g m: turn the first marker, or give "
                           "the length",
                           in->path, drawn, distance);
    const double L = v[LENGTH].given ? v[LENGTH].num : drawn, E = v[MODULUS].num;
    law->s0[0] = L;
    law->K[0] = E * v[AREA].num / L;
    if (in->dimension == 2)
        bending(law, 1, 2, E * v[SECOND].num, L, 0, 1);
    else {
        const double y = E * v[SECOND_Z].num, z = E * v[SECOND_Y].num,
                     rigid = v[SHEAR].num * v[AREA].num * L * L / 12;
        bending(law, 1, 5, y, L, v[SHEAR_Y].num > 0 ? y * v[SHEAR_Y].num / rigid : 0, 1);
        bending(law, 2, 4, z, L, v[SHEAR_Z].num > 0 ? z * v[SHEAR_Z].num / rigid : 0, -1);
        law->K[3 * law->n + 3] = v[SHEAR].num * v[TORSION].num / L;
    }
    for (int i = 0; i < law->n * law->n; i++) law->C[i] = v[DAMPING].num * law->K[i];
    e->n_rows = 0;
    return HOL_OK;
}

const hol_element_type hol_force_beam = {
    .name = "beam",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .ends = 2,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "massless beam along x of the first frame: bending, tension, torsion",
    .options = options,
    .setup = setup,
    HOL_LAW_FUNCTIONS,
};
