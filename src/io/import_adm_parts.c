// Parts and markers of Adams: bodies, whose frames are those of the parts, and frames in them.
#include "io/import_adm.h"
#include "io/number_text.h"
#include "linalg/vector3.h"
#include "model/volume.h"

#include <math.h>
#include <string.h>

// ---- frames ---------------------------------------------------------------------------------------------------

// A turn about an axis; quarter turns are exact.
static void turn(int axis, double angle, bool degrees, double R[9])
{
    const double quarters = degrees ? angle / 90 : 0;
    double T[9], c = cos(degrees ? angle * HOL_PI / 180 : angle),
                 s = sin(degrees ? angle * HOL_PI / 180 : angle);
    if (degrees && quarters == round(quarters)) c = round(c), s = round(s);
    memcpy(T, hol_frame_none.R, sizeof T);
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    T[4 * i] = T[4 * j] = c;
    T[3 * i + j] = -s;
    T[3 * j + i] = s;
    hol_matrix_times(R, T, R);
}

// REULER, turns about z, the new x, the new z; as the source has them for the model.
static hol_status read_euler(hol_adm *a, hol_adm_statement *s, const hol_adm_arg *arg)
{
    static const int axis[] = {2, 0, 2};
    const char *p = arg->text;
    double x[3];
    bool degrees[3], any = false;
    for (int i = 0; i < 3; i++, p += *p == ',') {
        const hol_status st = hol_adm_number(a, arg->at, arg->key, &p, &degrees[i], &x[i]);
        if (st) return st;
        if (*p != (i < 2 ? ',' : 0))
            return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at,
                               "%s: REULER: three angles are wanted, here is \"%.60s\"", hol_adm_title(a, s),
                               arg->text);
        turn(axis[i], x[i], degrees[i], s->frame.R);
        any = any || x[i] != 0;
    }
    for (int i = 0; i < 9; i++) s->frame.R[i] += 0.0;
    if (!any) return HOL_OK;
    s->turn = hol_import_map(a->in, NULL, NULL);
    hol_node *list = hol_import_list(a->in, s->turn, "euler_zxz");
    for (int i = 0; i < 3; i++) {
        char number[32];
        hol_number_text(x[i] + 0.0, number);
        hol_import_text(a->in, list, NULL,
                        degrees[i] && x[i] != 0 ? hol_adm_print(a, "%s deg", number) : number);
    }
    return HOL_OK;
}

// A direction from the frame's origin to a point; default: as it is.
static hol_status read_direction(hol_adm *a, hol_adm_statement *s, const char *key, double u[3])
{
    double p[3];
    const hol_adm_arg *arg = hol_adm_get(s, key);
    if (!arg) return HOL_OK;
    const hol_status st = hol_adm_numbers(a, s, key, 3, a->length, p);
    double length = 0;
    for (int i = 0; i < 3 && !st; i++) length += (p[i] - s->frame.p[i]) * (p[i] - s->frame.p[i]);
    if (st) return st;
    if (!(length > 0))
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at,
                           "%s: %s: this point is the origin, and gives no direction", hol_adm_title(a, s),
                           key);
    for (int i = 0; i < 3; i++) u[i] = (p[i] - s->frame.p[i]) / sqrt(length);
    return HOL_OK;
}

// z through one point, x in the plane through another one; USEXP: the other way round.
static hol_status read_points(hol_adm *a, hol_adm_statement *s, const char *zkey, const char *xkey)
{
    const bool x_first = hol_adm_has(s, "USEXP"), has_x = hol_adm_has(s, xkey);
    double z[3] = {0, 0, 1}, x[3] = {1, 0, 0}, y[3], length;
    hol_status st = read_direction(a, s, zkey, z);
    if (!st) st = read_direction(a, s, xkey, x);
    if (st) return st;
    if (!has_x) {
        hol_frame_along(z, s->frame.R);
        return hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, hol_adm_title(a, s),
                               "frames whose z axis alone is given", "x is chosen");
    }
    hol_cross3(z, x, y);
    length = hol_dot3(y, y);
    if (!(length > 1e-20))
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: its z and x axes would be one line",
                           hol_adm_title(a, s));
    for (int i = 0; i < 3; i++) y[i] /= sqrt(length);
    if (x_first)
        hol_cross3(x, y, z);
    else
        hol_cross3(y, z, x);
    for (int i = 0; i < 3; i++) {
        s->frame.R[3 * i] = x[i] + 0.0;
        s->frame.R[3 * i + 1] = y[i] + 0.0;
        s->frame.R[3 * i + 2] = z[i] + 0.0;
    }
    return HOL_OK;
}

// The frame of a part or marker by its arguments.
static hol_status read_frame(hol_adm *a, hol_adm_statement *s, const char *origin, const char *zkey,
                             const char *xkey)
{
    const hol_adm_arg *euler = hol_adm_get(s, "REULER");
    const bool points = hol_adm_has(s, zkey) || hol_adm_has(s, xkey);
    hol_status st = hol_adm_numbers(a, s, origin, 3, a->length, s->frame.p);
    if (st) return st;
    if (euler && points)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at,
                           "%s: both REULER and %s or %s say how it is turned; keep one", hol_adm_title(a, s),
                           zkey, xkey);
    a->in->at = s->at;
    return euler ? read_euler(a, s, euler) : points ? read_points(a, s, zkey, xkey) : HOL_OK;
}

// ---- markers --------------------------------------------------------------------------------------------------

bool hol_adm_is_part(const hol_adm_statement *s) { return s->names != NULL; }

hol_import_frame hol_adm_place(const hol_adm *a, int marker)
{
    return hol_frame_times(&a->s[a->s[marker].part].frame, &a->s[marker].frame);
}

const char *hol_adm_name_part(hol_adm *a, int part) { return a->s[part].ground ? "ground" : a->s[part].own; }

const char *hol_adm_marker(hol_adm *a, int marker)
{
    const hol_adm_statement *m = &a->s[marker];
    return m->floating ? hol_adm_name_part(a, m->part)
                       : hol_adm_print(a, "%s.%s", hol_adm_name_part(a, m->part), m->own);
}

const char *hol_adm_extra(hol_adm *a, int part, const char *name, const hol_import_frame *frame)
{
    const char *own = hol_import_name(a->in, a->s[part].names, name, "_", true);
    if (!own) a->in->no_memory = true;
    if (!own) return "";
    if (hol_frame_turns(frame->R)) {
        hol_node *map = hol_import_map(a->in, a->s[part].markers, own);
        hol_import_position(a->in, map, "position", frame->p);
        hol_import_orientation(a->in, map, frame->R, NULL);
    } else
        hol_import_numbers(a->in, a->s[part].markers, own, 3, frame->p);
    return hol_adm_print(a, "%s.%s", hol_adm_name_part(a, part), own);
}

const char *hol_adm_tip(hol_adm *a, int marker, int axis)
{
    hol_adm_statement *m = &a->s[marker];
    hol_import_frame tip = hol_frame_none;
    if (m->tip[axis]) return m->tip[axis];
    for (int i = 0; i < 3; i++) tip.p[i] = m->frame.p[i] + m->frame.R[3 * i + axis];
    m->tip[axis] = hol_adm_extra(a, m->part, hol_adm_print(a, "%s_%c", m->own, 'x' + axis), &tip);
    return m->tip[axis];
}

const char *hol_adm_quarter(hol_adm *a, int marker)
{
    hol_adm_statement *m = &a->s[marker];
    const bool part = hol_adm_is_part(m);
    const hol_import_frame f = part ? hol_frame_none : m->frame;
    hol_import_frame back = f;
    if (m->quarter) return m->quarter;
    for (int i = 0; i < 3; i++) {
        back.R[3 * i] = -f.R[3 * i + 1] + 0.0;
        back.R[3 * i + 1] = f.R[3 * i];
    }
    m->quarter = hol_adm_extra(a, part ? marker : m->part,
                               part ? "turned_back" : hol_adm_print(a, "%s_turned_back", m->own), &back);
    return m->quarter;
}

// A point mass has the axes of ground.
static int turning_part(const hol_adm *a, int marker)
{
    if (marker < 0) return -1;
    const hol_adm_statement *part = &a->s[a->s[marker].part];
    return part->ground || part->point ? -1 : a->s[marker].part;
}

const char *hol_adm_cosine(hol_adm *a, int marker, int axis, int along, int axis_along)
{
    const int part = turning_part(a, marker);
    char number[32];
    if (along >= 0 && a->s[a->s[along].part].ground && !hol_frame_turns(a->s[along].frame.R)) along = -1;
    if (part != turning_part(a, along)) {
        const char *tip = hol_adm_tip(a, marker, axis), *from = hol_adm_marker(a, marker);
        return along < 0 ? hol_adm_print(a, "D%c(%s, %s)", 'X' + axis_along, tip, from)
                         : hol_adm_print(a, "D%c(%s, %s, %s)", 'X' + axis_along, tip, from,
                                         hol_adm_marker(a, along));
    }
    const double *R = marker < 0 || a->s[a->s[marker].part].point ? hol_frame_none.R : a->s[marker].frame.R;
    const double *S = along < 0 || a->s[a->s[along].part].point ? hol_frame_none.R : a->s[along].frame.R;
    double x = 0;
    for (int i = 0; i < 3; i++) x += R[3 * i + axis] * S[3 * i + axis_along];
    if (fabs(x - round(x)) < 1e-15) x = round(x) + 0.0;
    hol_number_text(x, number);
    return hol_adm_print(a, "%s", number);
}

// Its part, and its frame in it.
hol_status hol_adm_read_marker(hol_adm *a, hol_adm_statement *s)
{
    int mass, other;
    hol_status st = hol_adm_other(a, s, "PART", "PART", false, &s->part);
    if (!st) st = hol_adm_other(a, s, "POINT_MASS", "POINT_MASS", false, &mass);
    if (st) return st;
    if (s->part >= 0 && mass >= 0)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: it is of one part; keep PART or POINT_MASS",
                           hol_adm_title(a, s));
    if (mass >= 0) s->part = mass;
    if (s->part < 0) return hol_adm_need(a, s, "PART") ? HOL_OK : HOL_ERR_MODEL;
    s->floating = hol_adm_has(s, "FLOATING");
    st = read_frame(a, s, "QP", "ZP", "XP");
    if (!st) st = hol_adm_other(a, s, "RM", "MARKER", false, &other);
    if (st || other < 0) return st;
    if (hol_adm_has(&a->s[other], "RM") || &a->s[other] == s)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at,
                           "%s: RM: %s is relative to another marker itself; give it its place in the part",
                           hol_adm_title(a, s), hol_adm_title(a, &a->s[other]));
    s->turn = NULL;
    s->relative = other;
    return HOL_OK;
}

// Markers that are relative to others of their part.
hol_status hol_adm_settle_marker(hol_adm *a, hol_adm_statement *s)
{
    if (s->relative < 0) return HOL_OK;
    const hol_adm_statement *m = &a->s[s->relative];
    if (m->part != s->part)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: RM: %s is of another part",
                           hol_adm_title(a, s), hol_adm_title(a, m));
    s->frame = hol_frame_times(&m->frame, &s->frame);
    return HOL_OK;
}

// A marker of its part, by its turn as the source says it, if it does.
hol_status hol_adm_write_marker(hol_adm *a, hol_adm_statement *s)
{
    hol_import *in = a->in;
    hol_adm_statement *part = &a->s[s->part];
    s->own = hol_import_name(in, part->names, s->label ? s->label : hol_adm_print(a, "marker%d", s->id), "_",
                             true);
    if (!s->own) return HOL_ERR_MEMORY;
    if (s->floating) return HOL_OK;
    in->at = s->at;
    if (!hol_frame_turns(s->frame.R) || part->point) {
        hol_import_numbers(in, part->markers, s->own, 3, s->frame.p);
        return HOL_OK;
    }
    hol_node *map = hol_import_map(in, part->markers, s->own);
    hol_import_position(in, map, "position", s->frame.p);
    if (s->turn)
        hol_import_put(in, map, "orientation", s->turn);
    else
        hol_import_orientation(in, map, s->frame.R, NULL);
    return HOL_OK;
}

// ---- parts ----------------------------------------------------------------------------------------------------

// What a part is, and where.
hol_status hol_adm_read_part(hol_adm *a, hol_adm_statement *s)
{
    hol_import *in = a->in;
    s->ground = hol_adm_has(s, "GROUND");
    s->point = strcmp(s->type->name, "POINT_MASS") == 0;
    s->names = hol_names_create_in(in->ctx, in->arena);
    s->markers = hol_import_map(in, NULL, NULL);
    if (!s->names) return HOL_ERR_MEMORY;
    if (s->id < 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, s->at, "%s: it has no number, as in PART/1",
                           s->type->name);
    for (const hol_adm_statement *t = a->s; t < s && s->ground; t++)
        if (t->ground)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, s->at, "%s: %s is ground already", hol_adm_title(a, s),
                               hol_adm_title(a, t));
    return s->ground ? HOL_OK : read_frame(a, s, "QG", "ZG", "XG");
}

// The tensor about the mass centre in the axes of the part: of IP, whose products are positive integrals, about IM.
static hol_status read_inertia(hol_adm *a, hol_adm_statement *s, double mass, const hol_import_frame *cm,
                               double J[9])
{
    const hol_adm_arg *arg = hol_adm_get(s, "IP");
    double *ip, own[9], d[3];
    int n, im;
    hol_import_frame about = *cm;
    hol_status st = hol_adm_other(a, s, "IM", "MARKER", false, &im);
    memset(J, 0, 9 * sizeof *J);
    if (st || s->point) return st;
    if (im >= 0) about = a->s[im].frame;
    if (im >= 0 && &a->s[a->s[im].part] != s)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: IM: %s is of another part",
                           hol_adm_title(a, s), hol_adm_title(a, &a->s[im]));
    if (!arg)
        return mass > 0 ? hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, s->own,
                                          "parts with a mass and no IP", "their moments of inertia are 0")
                        : HOL_OK;
    st = hol_adm_list(a, arg, a->mass * a->length * a->length, &ip, &n);
    if (st) return st;
    if (n != 3 && n != 6)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at,
                           "%s: IP: 3 or 6 numbers are wanted, here are %d", hol_adm_title(a, s), n);
    const double p[3] = {n > 3 ? -ip[3] : 0, n > 3 ? -ip[4] : 0, n > 3 ? -ip[5] : 0};
    const double tensor[9] = {ip[0], p[0], p[1], p[0], ip[1], p[2], p[1], p[2], ip[2]};
    memcpy(own, tensor, sizeof own);
    hol_matrix_turn(about.R, own, J);
    for (int i = 0; i < 3; i++) d[i] = about.p[i] - cm->p[i];
    if (d[0] != 0 || d[1] != 0 || d[2] != 0) hol_volume_shift(-mass, d, J);
    return HOL_OK;
}

// Three numbers by three keys; *count: so many are there.
static hol_status read_three(hol_adm *a, hol_adm_statement *s, const char *letter, double unit, double out[3],
                             int *count)
{
    hol_status st = HOL_OK;
    *count = 0;
    for (int i = 0; i < 3 && !st; i++) {
        const char *key = hol_adm_print(a, "%s%c", letter, 'X' + i);
        out[i] = 0;
        *count += hol_adm_has(s, key);
        st = hol_adm_numbers(a, s, key, 1, unit, &out[i]);
    }
    return st;
}

// Components along the axes of a marker become global ones; marker -1: R.
static void to_global(const hol_adm *a, int marker, const double R[9], double u[3])
{
    const hol_import_frame there = marker >= 0 ? hol_adm_place(a, marker) : hol_frame_none;
    const double *S = marker >= 0 ? there.R : R;
    double v[3];
    for (int i = 0; i < 3; i++) v[i] = S[3 * i] * u[0] + S[3 * i + 1] * u[1] + S[3 * i + 2] * u[2];
    memcpy(u, v, sizeof v);
}

// Velocity of the mass centre, globally or in the axes of VM, and spin about the axes of CM, or of WM. What is not there is not given: the
// joints say it.
static hol_status write_velocity(hol_adm *a, hol_adm_statement *s, hol_node *map, const hol_import_frame *cm)
{
    double v[3], w[3], arm[3], whirl[3];
    int vm, wm, moves, turns;
    hol_status st = read_three(a, s, "V", a->length / a->time, v, &moves);
    if (!st) st = read_three(a, s, "W", 1 / a->time, w, &turns);
    if (!st) st = hol_adm_other(a, s, "VM", "MARKER", false, &vm);
    if (!st) st = hol_adm_other(a, s, "WM", "MARKER", false, &wm);
    if (st || (!moves && !turns)) return st;
    const hol_import_frame there = hol_frame_times(&s->frame, cm);
    to_global(a, vm, hol_frame_none.R, v);
    to_global(a, wm, there.R, w);
    for (int i = 0; i < 3; i++) arm[i] = there.p[i] - s->frame.p[i];
    hol_cross3(w, arm, whirl);
    for (int i = 0; i < 3; i++) v[i] -= whirl[i];
    if (moves) hol_import_numbers(a->in, map, "velocity", 3, v);
    if (turns) hol_import_numbers(a->in, map, "omega", 3, w);
    return moves % 3 == 0 && turns % 3 == 0
               ? HOL_OK
               : hol_import_tell(
                     a->in, HOL_TOLD_ASSUMED, s->at, s->own,
                     "parts with one or two of VX, VY, VZ or of WX, WY, WZ",
                     "the others begin with 0; where the joints do not allow that, those that are "
                     "given change too, which Adams keeps: give all three");
}

// EXACT=X:Y:Z:PSI:THETA:PHI
static hol_status write_exact(hol_adm *a, hol_adm_statement *s, hol_node *map)
{
    static const char *const names[] = {"X", "Y", "Z", "PSI", "THETA", "PHI"};
    const hol_adm_arg *arg = hol_adm_get(s, "EXACT");
    int n[2] = {0, 0};
    if (!arg) return HOL_OK;
    for (const char *p = arg->text; *p;) {
        const size_t m = strcspn(p, ":, ");
        int k = 0;
        while (k < 6 && !(m && hol_same_word(p, m, names[k]))) k++;
        if (k == 6)
            return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at,
                               "%s: EXACT: \"%.20s\" is none of X, Y, Z, PSI, THETA, PHI",
                               hol_adm_title(a, s), p);
        n[k / 3]++;
        p += m;
        p += strspn(p, ":, ");
    }
    hol_node *list = hol_import_list(a->in, map, "exact");
    if (n[0]) hol_import_text(a->in, list, NULL, "position");
    if (n[1]) hol_import_text(a->in, list, NULL, "orientation");
    return (n[0] && n[0] < 3) || (n[1] && n[1] < 3)
               ? hol_import_tell(a->in, HOL_TOLD_ASSUMED, arg->at, s->own, "EXACT of one coordinate or two",
                                 "the whole position or orientation is kept")
               : HOL_OK;
}

// A body with its mass, place and motion; its markers come when all are there.
hol_status hol_adm_write_part(hol_adm *a, hol_adm_statement *s, hol_node *bodies)
{
    hol_import *in = a->in;
    double mass = 0, J[9];
    int cm;
    in->at = s->at;
    if (s->ground) return HOL_OK;
    hol_status st = hol_adm_numbers(a, s, "MASS", 1, a->mass, &mass);
    if (!st) st = hol_adm_other(a, s, "CM", "MARKER", mass > 0, &cm);
    if (st) return st;
    if (mass > 0) hol_adm_has(s, "MATERIAL"); // of which the mass would follow
    if (mass < 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, s->at, "%s: a mass of %.6g kg is negative",
                           hol_adm_title(a, s), mass);
    if (cm >= 0 && &a->s[a->s[cm].part] != s)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, s->at, "%s: CM: %s is of another part",
                           hol_adm_title(a, s), hol_adm_title(a, &a->s[cm]));
    const hol_import_frame at = cm >= 0 ? a->s[cm].frame : hol_frame_none;
    hol_node *map = hol_import_map(in, bodies, NULL);
    hol_import_text(in, map, "name", s->own);
    if (s->point) hol_import_text(in, map, "type", "point");
    hol_import_number(in, map, "mass", mass);
    if (s->point && (at.p[0] != 0 || at.p[1] != 0 || at.p[2] != 0))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, s->at,
                           "%s: its CM is not at its origin; a point mass here is", hol_adm_title(a, s));
    hol_import_position(in, map, "com", at.p);
    st = read_inertia(a, s, mass, &at, J);
    if (!st && !s->point) st = hol_import_inertia(in, map, s->at, s->own, J);
    hol_import_position(in, map, "position", s->frame.p);
    if (s->turn && !s->point)
        hol_import_put(in, map, "orientation", s->turn);
    else if (!s->point)
        hol_import_orientation(in, map, s->frame.R, NULL);
    if (!st) st = write_velocity(a, s, map, &at);
    if (!st) st = write_exact(a, s, map);
    s->body = map;
    return st;
}
