// CONTACT of Adams: contacts between shapes, which GRAPHICS draws. Of these only those that a contact names are read.
#include "io/import_adm.h"

#include <math.h>
#include <string.h>

// ---- words of GRAPHICS ----------------------------------------------------------------------------------------

// The value of an argument of GRAPHICS, "" where it has none; NULL: it is not there. Words of three letters and more may be shortened.
static const char *word(hol_adm *a, const hol_adm_statement *g, const char *key)
{
    static const char ends[] = ",\n=", blanks[] = " \t\r\f\v";
    for (const char *p = g->rest; *p; p += *p != 0) {
        p += strspn(p, blanks);
        size_t n = strcspn(p, ends), m = n;
        while (m && strchr(blanks, p[m - 1])) m--;
        const bool found =
            m == strlen(key) ? hol_adm_begins_so(p, m, key) : m > 2 && hol_adm_begins_so(p, m, key);
        p += n;
        const bool value = *p == '=';
        if (value) p += 1 + strspn(p + 1, blanks);
        n = value ? strcspn(p, ",\n") : 0;
        if (found) {
            while (n && strchr(blanks, p[n - 1])) n--;
            return hol_adm_print(a, "%.*s", (int)n, p);
        }
        p += n;
    }
    return NULL;
}

// A length of GRAPHICS, above 0 or of any sign.
static hol_status measure(hol_adm *a, const hol_adm_statement *g, const char *key, bool above, double *out)
{
    const hol_adm_arg arg = {.key = key, .text = word(a, g, key), .at = g->at};
    double *list;
    int n = 0;
    const hol_status st = arg.text ? hol_adm_list(a, &arg, a->length, &list, &n) : HOL_OK;
    if (st) return st;
    if (n == 1) *out = list[0];
    if (n == 1 && (above ? *out > 0 : *out != 0)) return HOL_OK;
    return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, g->at, "%s: %s: a length %s 0 is wanted",
                       hol_adm_title(a, g), key, above ? "above" : "other than");
}

// A marker that GRAPHICS names.
static hol_status marker(hol_adm *a, const hol_adm_statement *g, const char *key, int *out)
{
    const hol_adm_arg arg = {.key = key, .text = word(a, g, key), .at = g->at};
    double *list;
    int n = 0;
    const hol_status st = arg.text ? hol_adm_list(a, &arg, 1, &list, &n) : HOL_OK;
    if (st) return st;
    if (n != 1)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, g->at, "%s: it has no %s", hol_adm_title(a, g), key);
    *out = hol_adm_named(a, g, &arg, "MARKER", list[0]);
    return *out < 0 ? HOL_ERR_MODEL : HOL_OK;
}

// ---- shapes ---------------------------------------------------------------------------------------------------

// A point of the part, by its coordinates in the frame of a marker.
static void point(const hol_import_frame *f, double x, double y, double z, double p[3])
{
    for (int i = 0; i < 3; i++) p[i] = f->p[i] + f->R[3 * i] * x + f->R[3 * i + 1] * y + f->R[3 * i + 2] * z;
}

static void place(hol_adm *a, hol_node *map, const hol_import_frame *f, const double p[3])
{
    hol_import_position(a->in, map, "position", p);
    hol_import_orientation(a->in, map, f->R, NULL);
}

// Scales are diameters.
static hol_status ellipsoid(hol_adm *a, hol_adm_statement *g, const hol_import_frame *f, hol_node *map)
{
    double d[3];
    for (int i = 0; i < 3; i++) {
        const hol_status st = measure(a, g, hol_adm_print(a, "%cSCALE", 'X' + i), true, &d[i]);
        if (st) return st;
        d[i] /= 2;
    }
    const bool ball = d[0] == d[1] && d[1] == d[2];
    hol_import_text(a->in, map, "type", ball ? "sphere" : "ellipsoid");
    if (ball)
        hol_import_number(a->in, map, "radius", d[0]);
    else
        hol_import_numbers(a->in, map, "radii", 3, d);
    if (ball)
        hol_import_position(a->in, map, "position", f->p);
    else
        place(a, map, f, f->p);
    return hol_import_tell(a->in, HOL_TOLD_ASSUMED, g->at, g->own, "ellipsoids of contacts",
                           "their scales are diameters");
}

// From a corner along the axes of its marker, either way.
static hol_status box(hol_adm *a, hol_adm_statement *g, const hol_import_frame *f, hol_node *map)
{
    double size[3], middle[3];
    for (int i = 0; i < 3; i++) {
        const hol_status st = measure(a, g, (const char *[]){"X", "Y", "Z"}[i], false, &size[i]);
        if (st) return st;
    }
    point(f, size[0] / 2, size[1] / 2, size[2] / 2, middle);
    for (int i = 0; i < 3; i++) size[i] = fabs(size[i]);
    hol_import_text(a->in, map, "type", "box");
    hol_import_numbers(a->in, map, "size", 3, size);
    place(a, map, f, middle);
    return HOL_OK;
}

// From the middle of its bottom along z of its marker, either way.
static hol_status cylinder(hol_adm *a, hol_adm_statement *g, const hol_import_frame *f, hol_node *map)
{
    double length = 0, radius = 0, top[3];
    hol_status st = measure(a, g, "LENGTH", false, &length);
    if (!st) st = measure(a, g, "RADIUS", true, &radius);
    if (st) return st;
    point(f, 0, 0, length, top);
    hol_import_text(a->in, map, "type", "cylinder");
    hol_import_number(a->in, map, "radius", radius);
    hol_import_numbers(a->in, map, "from", 3, f->p);
    hol_import_numbers(a->in, map, "to", 3, top);
    return HOL_OK;
}

static hol_status plane(hol_adm *a, hol_adm_statement *g, const hol_import_frame *f, hol_node *map)
{
    hol_import_text(a->in, map, "type", "halfspace");
    place(a, map, f, f->p);
    return hol_import_tell(a->in, HOL_TOLD_ASSUMED, g->at, g->own, "planes of contacts",
                           "they have no edges, and all that is below z of RM is solid");
}

static const struct {
    const char *name, *marker;
    hol_status (*write)(hol_adm *a, hol_adm_statement *g, const hol_import_frame *f, hol_node *map);
} shapes[] = {{"ELLIPSOID", "CM", ellipsoid}, {"BOX", "CORNER", box},
              {"CYLINDER", "CM", cylinder},   {"PLANE", "RM", plane},
              {"SPHERE", "CM", NULL},         {"FRUSTUM", "CM", NULL},
              {"TORUS", "CM", NULL},          {"EXTERNAL", "RM", NULL},
              {"BSPLINE", "RM", NULL},        {"POINT", "RM", NULL},
              {"CIRCLE", "CM", NULL},         {"ARC", "CM", NULL},
              {"EXTRUSION", "RM", NULL},      {"REVOLUTION", "RM", NULL},
              {"OUTLINE", "", NULL},          {"FORCE", "", NULL}};

// The shape of a GRAPHICS in its part, once.
static hol_status write_shape(hol_adm *a, hol_adm_statement *g)
{
    int k = 0, at = -1;
    if (g->own) return HOL_OK;
    while (k < HOL_COUNT(shapes) && !word(a, g, shapes[k].name)) k++;
    if (k == HOL_COUNT(shapes) || !shapes[k].write)
        return hol_adm_missed(
            a, HOL_RECOVERABLE, g->at,
            hol_adm_print(a,
                          "CONTACT with a GRAPHICS of type %s; ELLIPSOID, BOX, CYLINDER and PLANE are taken",
                          k < HOL_COUNT(shapes) ? shapes[k].name : "that is not known"));
    hol_status st = marker(a, g, shapes[k].marker, &at);
    if (st) return st;
    g->part = a->s[at].part;
    hol_adm_statement *part = &a->s[g->part];
    g->own = hol_import_name(a->in, part->names, g->label ? g->label : hol_adm_print(a, "graphics%d", g->id),
                             "_", true);
    if (!g->own) return HOL_ERR_MEMORY;
    a->in->at = g->at;
    if (!part->shapes) part->shapes = hol_import_list(a->in, NULL, NULL);
    hol_node *map = hol_import_map(a->in, part->shapes, NULL);
    hol_import_text(a->in, map, "name", g->own);
    return shapes[k].write(a, g, &a->s[at].frame, map);
}

// IGEOM, JGEOM as statements.
static hol_status read_shapes(hol_adm *a, hol_adm_statement *s, const char *key, int **out, int *n)
{
    double *id;
    const hol_adm_arg *arg = hol_adm_need(a, s, key);
    hol_status st = arg ? hol_adm_list(a, arg, 1, &id, n) : HOL_ERR_MODEL;
    if (st) return st;
    *out = hol_arena_alloc(a->in->arena, (size_t)*n, sizeof **out);
    if (!*out) return HOL_ERR_MEMORY;
    for (int i = 0; i < *n && !st; i++) {
        (*out)[i] = hol_adm_named(a, s, arg, "GRAPHICS", id[i]);
        st = (*out)[i] < 0 ? HOL_ERR_MODEL : write_shape(a, &a->s[(*out)[i]]);
    }
    return st;
}

// ---- forces ---------------------------------------------------------------------------------------------------

// A number that a contact must have, at least 0 or above.
static hol_status number(hol_adm *a, hol_adm_statement *s, const char *key, bool above, double unit,
                         double *out)
{
    const hol_adm_arg *arg = hol_adm_need(a, s, key);
    const hol_status st = arg ? hol_adm_numbers(a, s, key, 1, 1, out) : HOL_ERR_MODEL;
    if (st) return st;
    if (above ? *out <= 0 : *out < 0)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at, "%s: %s: %.12g is not %s 0",
                           hol_adm_title(a, s), key, *out, above ? "above" : "at least");
    *out = hol_adm_si(*out, unit);
    return HOL_OK;
}

// What a contact has beside its shapes: numbers in SI.
typedef struct {
    bool poisson, friction;
    double stiffness, exponent, damping, depth, restitution, mu[2], v[2];
} contact;

static void put(hol_adm *a, hol_node *map, const char *key, double x)
{
    hol_import_text(a->in, map, key, hol_adm_print(a, "%.15g", x)); // of products with units
}

// HOL_RECOVERABLE: it is not taken.
static hol_status read_normal(hol_adm *a, hol_adm_statement *s, contact *c)
{
    const double F = a->force, L = a->length;
    const bool impact = hol_adm_has(s, "IMPACT");
    c->poisson = hol_adm_has(s, "POISSON");
    if (impact == c->poisson)
        return hol_adm_missed(a, HOL_RECOVERABLE, s->at,
                              "CONTACT that is not one of IMPACT and POISSON, which are taken");
    hol_status st;
    if (c->poisson) {
        hol_adm_has(s, "AUGMENTED_LAGRANGIAN_FORMULATION"); // how Adams iterates
        st = number(a, s, "PENALTY", true, F / L, &c->stiffness);
        if (!st) st = number(a, s, "RESTITUTION_COEFFICIENT", false, 1, &c->restitution);
        if (!st && (c->restitution == 0 || c->restitution > 1))
            return hol_adm_missed(a, HOL_RECOVERABLE, s->at,
                                  "CONTACT with a RESTITUTION_COEFFICIENT that is 0 or above 1");
        return st ? st
                  : hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, s->own, "contacts of type POISSON",
                                    "the force is PENALTY times the depth, with the damping that gives the "
                                    "restitution");
    }
    st = number(a, s, "EXPONENT", true, 1, &c->exponent);
    if (!st && c->exponent < 1)
        return hol_adm_missed(a, HOL_RECOVERABLE, s->at, "CONTACT with an EXPONENT below 1");
    if (!st) st = number(a, s, "STIFFNESS", true, F / pow(L, c->exponent), &c->stiffness);
    if (!st) st = number(a, s, "DAMPING", false, F * a->time / L, &c->damping);
    return st ? st : number(a, s, "DMAX", true, L, &c->depth);
}

// Coefficients and speeds, where friction is on. HOL_RECOVERABLE: it is not taken.
static hol_status read_friction(hol_adm *a, hol_adm_statement *s, contact *c)
{
    static const char *const keys[] = {"MU_STATIC", "MU_DYNAMIC", "STICTION_TRANSITION_VELOCITY",
                                       "FRICTION_TRANSITION_VELOCITY"};
    const hol_adm_arg *how = hol_adm_get(s, "COULOMB_FRICTION"), *rest = hol_adm_get(s, "STICTION");
    const double V = a->length / a->time;
    c->friction = how && !hol_adm_begins_so(how->text, strlen(how->text), "OFF");
    if (hol_adm_has(s, "NO_FRICTION")) c->friction = false;
    if (rest && !hol_adm_begins_so(rest->text, strlen(rest->text), "OFF"))
        return hol_adm_missed(a, HOL_RECOVERABLE, rest->at, "CONTACT with STICTION");
    hol_adm_has(s, "MAX_STICTION_DEFORMATION");
    for (int i = 0; i < 4; i++)
        if (!c->friction) hol_adm_has(s, keys[i]);
    if (!c->friction) return HOL_OK;
    for (int i = 0; i < 4; i++) {
        const hol_status st = number(a, s, keys[i], i > 1, i > 1 ? V : 1, i > 1 ? &c->v[i - 2] : &c->mu[i]);
        if (st) return st;
    }
    c->friction = c->mu[0] > 0;
    if (c->mu[0] < c->mu[1] || (c->mu[1] == 0 && c->mu[0] > 0) || (c->v[1] <= c->v[0] && c->mu[0] > c->mu[1]))
        return hol_adm_missed(
            a, HOL_RECOVERABLE, s->at,
            "CONTACT with a friction that is less at rest than in sliding, or 0 in sliding, "
            "or that falls below STICTION_TRANSITION_VELOCITY");
    return HOL_OK;
}

// One of two shapes.
static void write_contact(hol_adm *a, hol_adm_statement *s, const char *name, const hol_adm_statement *i,
                          const hol_adm_statement *j, const contact *c)
{
    hol_node *map = hol_adm_item(a, a->contacts, s, name, NULL),
             *between = hol_import_list(a->in, map, "between");
    hol_import_text(a->in, between, NULL, hol_adm_print(a, "%s.%s", hol_adm_name_part(a, i->part), i->own));
    hol_import_text(a->in, between, NULL, hol_adm_print(a, "%s.%s", hol_adm_name_part(a, j->part), j->own));
    hol_import_text(a->in, map, "law", c->poisson ? "power" : "impact");
    put(a, map, "stiffness", c->stiffness);
    put(a, map, "exponent", c->poisson ? 1 : c->exponent);
    if (c->poisson) put(a, map, "restitution", c->restitution);
    if (!c->poisson) put(a, map, "damping", c->damping);
    if (!c->poisson) put(a, map, "full_depth", c->depth);
    hol_import_text(a->in, map, "joined", "yes");
    if (!c->friction) return;
    hol_node *friction = hol_import_map(a->in, map, "friction");
    put(a, friction, "coefficient", c->mu[1]);
    hol_import_text(a->in, friction, "law", "step");
    put(a, friction, "transition", c->v[0]);
    if (c->mu[0] == c->mu[1]) return;
    put(a, friction, "static", c->mu[0] / c->mu[1]);
    put(a, friction, "stribeck", c->v[1]);
}

enum { MOST_PAIRS = 10000 };

// Each shape of I against each of J.
hol_status hol_adm_contact(hol_adm *a, hol_adm_statement *s)
{
    contact c = {0};
    int *i = NULL, *j = NULL, ni = 0, nj = 0;
    hol_status st = read_normal(a, s, &c);
    if (!st) st = read_friction(a, s, &c);
    if (!st) st = read_shapes(a, s, "IGEOM", &i, &ni);
    if (!st) st = read_shapes(a, s, "JGEOM", &j, &nj);
    if (!st && (double)ni * nj > MOST_PAIRS)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at,
                           "%s: %d shapes against %d are more than %d pairs; name fewer", hol_adm_title(a, s),
                           ni, nj, MOST_PAIRS);
    for (int k = 0; !st && k < ni * nj; k++) {
        const char *name =
            k ? hol_import_name(a->in, a->names, hol_adm_print(a, "%s_%d", s->own, k + 1), "_", false)
              : s->own;
        if (!name) return HOL_ERR_MEMORY;
        write_contact(a, s, name, &a->s[i[k / nj]], &a->s[j[k % nj]], &c);
    }
    return st;
}
