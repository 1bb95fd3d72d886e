// Settings of MJCF: <compiler>, how angles and turns are meant and what bodies weigh, and <option>, gravity and what is switched off.
#include "io/import_mjcf.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

// ---- compiler -------------------------------------------------------------------------------------------------

// How angles are meant, and turns; global coordinates are refused.
static hol_status read_conventions(hol_mjcf *m, hol_xml *e)
{
    hol_import *in = m->in;
    const char *angle = hol_xml_get(e, "angle"), *euler = hol_xml_get(e, "eulerseq");
    const char *where = hol_xml_get(e, "coordinate");
    if (angle) m->radians = strcmp(angle, "radian") == 0;
    if (angle && !m->radians && strcmp(angle, "degree") != 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at, "<compiler>: angle is radian or degree");
    if (euler && (strlen(euler) != 3 || strspn(euler, "xyzXYZ") != 3))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at,
                           "<compiler>: eulerseq has three of the letters x y z X Y Z");
    if (euler) memcpy(m->euler, euler, sizeof m->euler);
    if (where && strcmp(where, "local") != 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at,
                           "<compiler>: coordinate=\"%.20s\" is not read; MuJoCo's own program `compile` "
                           "writes local ones",
                           where);
    return HOL_OK;
}

// What bodies weigh by, and at least.
static hol_status read_masses(hol_mjcf *m, hol_xml *e)
{
    const char *from = hol_xml_get(e, "inertiafromgeom");
    m->from_geoms = m->from_geoms || (from && strcmp(from, "true") == 0);
    m->never_from_geoms = m->never_from_geoms || (from && strcmp(from, "false") == 0);
    hol_status st = hol_import_vector(m->in, e, "inertiagrouprange", 2, false, m->groups);
    if (!st) st = hol_import_vector(m->in, e, "boundmass", 1, false, &m->least_mass);
    if (!st) st = hol_import_vector(m->in, e, "boundinertia", 1, false, &m->least_inertia);
    if (!st) st = hol_import_vector(m->in, e, "settotalmass", 1, false, &m->total_mass);
    return st ? st : hol_mjcf_flag(m, e, "balanceinertia", -1, &m->balances);
}

hol_status hol_mjcf_read_compiler(hol_mjcf *m)
{
    hol_status st = HOL_OK;
    const char *assets = NULL, *meshes = NULL; // folders; that of meshes comes first
    memcpy(m->euler, "xyz", sizeof m->euler);
    m->groups[0] = 0, m->groups[1] = 5;
    for (hol_xml *e = hol_xml_find(m->root, "compiler"); e && !st; e = hol_xml_next(m->root, "compiler", e)) {
        st = read_conventions(m, e);
        if (!st) st = read_masses(m, e);
        m->limits_are_given = m->limits_are_given || hol_xml_get(e, "autolimits");
        if (!st) st = hol_mjcf_flag(m, e, "autolimits", -1, &m->limits_are_automatic);
        if (!st) st = hol_mjcf_flag(m, e, "discardvisual", -1, &m->discards);
        if (!st) st = hol_mjcf_flag(m, e, "strippath", -1, &m->strips);
        if (!st) st = hol_mjcf_flag(m, e, "alignfree", -1, &m->aligns);
        if (hol_xml_get(e, "assetdir")) assets = hol_xml_get(e, "assetdir");
        if (hol_xml_get(e, "meshdir")) meshes = hol_xml_get(e, "meshdir");
    }
    const char *folder = meshes ? meshes : assets ? assets : "";
    m->mesh_folder = hol_arena_print(m->in->arena, "%s%s", folder,
                                     *folder && folder[strlen(folder) - 1] != '/' ? "/" : "");
    return st || m->mesh_folder ? st : HOL_ERR_MEMORY;
}

// ---- bounds of masses -----------------------------------------------------------------------------------------

hol_status hol_mjcf_bound_mass(hol_mjcf *m, hol_robot_link *l)
{
    double axes[9], e[3];
    hol_status st = HOL_OK;
    if (l->mass == 0 && m->least_mass > 0 && m->weighing > 1)
        st = hol_import_tell(m->in, HOL_TOLD_ASSUMED, l->at, l->name,
                             "bodies of several geoms without mass, which weigh boundmass",
                             "it is at their origin; MuJoCo 2.2 refuses them");
    if (l->mass < m->least_mass) l->mass = m->least_mass;
    if (st || (m->least_inertia <= 0 && !m->balances)) return st;
    memcpy(axes, l->J, sizeof axes);
    st = hol_dense_eigen_symmetric(m->in->ctx, 3, axes, true, e);
    if (st) return st;
    const bool small = e[0] < m->least_inertia;
    for (int k = 0; k < 3; k++) e[k] = fmax(e[k], m->least_inertia);
    if (m->balances && e[0] + e[1] < e[2]) {
        memset(l->J, 0, sizeof l->J);
        l->J[0] = l->J[4] = l->J[8] = (e[0] + e[1] + e[2]) / 3;
    } else if (small)
        hol_matrix_of_axes(axes, e, l->J);
    return HOL_OK;
}

void hol_mjcf_scale_masses(hol_mjcf *m)
{
    double sum = 0;
    hol_robot *r = m->r;
    for (int i = 0; i < r->n_links; i++) sum += r->link[i].mass;
    if (!(m->total_mass > 0) || !(sum > 0)) return;
    for (int i = 0; i < r->n_links; i++) {
        r->link[i].mass *= m->total_mass / sum;
        for (int k = 0; k < 9; k++) r->link[i].J[k] *= m->total_mass / sum;
    }
}

// ---- option ---------------------------------------------------------------------------------------------------

// Air and wind are not taken.
static hol_status read_fluid(hol_mjcf *m, hol_xml *e)
{
    double x[5] = {0};
    hol_status st = hol_import_vector(m->in, e, "density", 1, false, x);
    if (!st) st = hol_import_vector(m->in, e, "viscosity", 1, false, x + 1);
    if (!st) st = hol_import_vector(m->in, e, "wind", 3, false, x + 2);
    if (st || m->off.passive || (x[0] == 0 && x[1] == 0)) return st;
    return hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, NULL,
                           "forces of a fluid (density, viscosity, wind)", "they are left out");
}

static bool has_others(const hol_xml *e)
{
    static const char *const taken[] = {"gravity", "density", "viscosity", "wind"};
    int n = 0;
    for (int i = 0; i < e->n; i++)
        for (int k = 0; k < HOL_COUNT(taken); k++) n += strcmp(e->key[i], taken[k]) == 0;
    return e->n > n;
}

// What flags switch off.
static hol_status read_flags(hol_mjcf *m, hol_xml *e)
{
    hol_mjcf_off *off = &m->off;
    const struct {
        const char *key;
        bool *off[4];
    } flags[] = {{"constraint", {&off->equality, &off->limit, &off->friction, &off->contact}},
                 {"equality", {&off->equality}},
                 {"limit", {&off->limit}},
                 {"frictionloss", {&off->friction}},
                 {"contact", {&off->contact}},
                 {"filterparent", {&off->parents}},
                 {"passive", {&off->passive}},
                 {"actuation", {&off->actuation}},
                 {"gravity", {&off->gravity}},
                 {"clampctrl", {&off->clamp}}};
    for (int k = 0; k < HOL_COUNT(flags); k++) {
        const char *word = hol_xml_get(e, flags[k].key);
        if (!word || strcmp(word, "enable") == 0) continue;
        if (strcmp(word, "disable") != 0)
            return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<flag>: %s is enable or disable",
                               flags[k].key);
        for (int i = 0; i < 4 && flags[k].off[i]; i++) *flags[k].off[i] = true;
        if (flags[k].off[0] == &off->gravity || flags[k].off[0] == &off->contact ||
            flags[k].off[0] == &off->parents)
            continue;
        const hol_status st = hol_import_tell(m->in, HOL_TOLD_LEFT_OUT, e->at, flags[k].key,
                                              "what flags of <option> switch off", "");
        if (st) return st;
    }
    return HOL_OK;
}

hol_status hol_mjcf_read_option(hol_mjcf *m)
{
    hol_status st = HOL_OK;
    m->r->gravity[2] = -9.81;
    for (hol_xml *e = hol_xml_find(m->root, "option"); e && !st; e = hol_xml_next(m->root, "option", e)) {
        hol_xml *flag = hol_xml_find(e, "flag");
        st = flag ? read_flags(m, flag) : HOL_OK;
        if (!st) st = hol_import_vector(m->in, e, "gravity", 3, false, m->r->gravity);
        const char *which = hol_xml_get(e, "collision");
        m->off.dynamic = m->off.dynamic || (which && strcmp(which, "predefined") == 0);
        m->off.pairs = m->off.pairs || (which && strcmp(which, "dynamic") == 0);
        if (!st) st = read_fluid(m, e);
        if (!st && has_others(e))
            st = hol_import_tell(m->in, HOL_TOLD_LEFT_OUT, e->at, NULL,
                                 "settings of MuJoCo's integrator and solver", "");
    }
    if (m->off.gravity) memset(m->r->gravity, 0, sizeof m->r->gravity);
    return st;
}
