// Mass, centre of mass and inertia of a body from its shapes: by `density`, or a `mass` that is spread over them.
#include "model/read.h"
#include "model/volume.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CENTRED 1e-9      // of a point mass, by the size of its shapes
#define NOTHING_LEFT 1e-9 // of what there is without holes

typedef struct {
    hol_spec *spec;
    const hol_reader *r;
    const hol_mass_given *g;
    hol_drawing *shape; // of the body                                      (n)
    int n;
    hol_value *mass, *inertia; // NULL: a point has none
    bool by_mass;              // their densities only say how it is spread
    bool by_area;              // plates without a thickness: of equal ones
} maker;

static hol_status fail_at_key(const maker *k, const char *key, const char *text)
{
    const hol_node *node = hol_node_find(k->g->item, key);
    const hol_path at = {k->g->path, key, 0, NULL};
    return hol_read_fail(k->r, node ? node : k->g->item, node ? &at : k->g->path, "%s", text);
}

// At the i-th shape.
static hol_status fail_at_shape(const maker *k, int i, const char *text)
{
    const hol_node *node = hol_node_find(k->g->item, "shape");
    const bool list = node->kind == HOL_NODE_SEQUENCE;
    const hol_path all = {k->g->path, "shape", 0, NULL}, one = {&all, NULL, i, NULL};
    return hol_read_fail(k->r, list ? node->value[i] : node, list ? &one : &all, "%s", text);
}

static hol_value *value_of(const maker *k, const char *key)
{
    const hol_option *o = hol_option_find(k->g->rows, key);
    return o ? &k->g->value[o - k->g->rows] : NULL;
}

static bool has_density(const hol_drawing *d) { return !isnan(d->density) && !hol_drawing_has_no_mass(d); }

// Where mass and inertia are given in numbers, shapes are drawn and no more.
static hol_status only_drawn(const maker *k)
{
    for (int i = 0; i < k->n; i++) {
        if (has_density(&k->shape[i]))
            return fail_at_shape(k, i,
                                 "its density has no effect: the mass of the body is given in numbers; leave "
                                 "it away, or let mass and inertia follow from the shapes");
        if (k->shape[i].hole)
            return fail_at_shape(k, i,
                                 "a hole takes nothing away: the mass of the body is given in numbers; leave "
                                 "it away, or let mass and inertia follow from the shapes");
        k->shape[i].density = 0;
    }
    return HOL_OK;
}

// Is the size across the plane, or of a line, missing?
static bool is_thin(const hol_drawing *d)
{
    return d->kind != HOL_SHAPE_MESH && d->density > 0 && d->size[hol_drawing_thin(d->kind)] == 0;
}

// Where a mass is spread, plates of the plane may do without a thickness, if all of them do.
static bool all_are_plates(const maker *k)
{
    bool all = k->by_mass;
    for (int i = 0; i < k->n && all; i++)
        all = k->shape[i].density == 0 || (is_thin(&k->shape[i]) && k->shape[i].kind != HOL_SHAPE_POLYLINE);
    return all;
}

// A mass needs all three sizes.
static hol_status check_thickness(const maker *k)
{
    for (int i = 0; i < k->n && !k->by_area; i++) {
        const hol_drawing *d = &k->shape[i];
        if (!is_thin(d)) continue;
        return fail_at_shape(
            k, i,
            d->kind == HOL_SHAPE_BOX
                ? "\"thickness\" is missing: its mass follows from how thick it is across the plane"
            : d->kind == HOL_SHAPE_CYLINDER
                ? "\"length\" is missing: its mass follows from how long it is across the plane"
                : "\"radius\" is missing: its mass follows from how thick the line is");
    }
    return HOL_OK;
}

// What is noted of one of the shapes.
static void tell_of_shape(const maker *k, int i, const char *what)
{
    const hol_path all = {k->g->path, "shape", 0, NULL}, one = {&all, NULL, i, NULL};
    const char *path = hol_path_text(k->r, &one);
    if (path) hol_note_at(k->r->ctx, HOL_NOTICE, k->shape[i].at, "%s: %s", path, what);
}

static void tell_massless(const maker *k, int i)
{
    char what[100];
    snprintf(what, sizeof what, "a %s has no thickness, and no part in the mass",
             hol_drawing_word(&k->shape[i], k->r->dimension));
    tell_of_shape(k, i, what);
}

// The density of a hole without its own: the one that all solids have, of themselves or of the body; where they have several that of the body, if some
// have that, which is told. false: they have several others.
static bool density_of_hole(const maker *k, int hole, double *one)
{
    const double body = k->g->density;
    bool any = false, several = false, of_body = false;
    *one = body;
    for (int i = 0; i < k->n; i++) {
        const hol_drawing *d = &k->shape[i];
        const double density = has_density(d) ? d->density : body;
        if (d->hole || isnan(density) || density == 0 || hol_drawing_has_no_mass(d)) continue;
        several = several || (any && *one != density);
        of_body = of_body || density == body;
        *one = density;
        any = true;
    }
    if (!several) return true;
    *one = body;
    if (of_body)
        tell_of_shape(k, hole,
                      "the hole takes away with the density of the body; where it is in a solid of another "
                      "one, give it that");
    return of_body;
}

// Each shape gets a density: its own, that of the body, or, of a given mass, the same for all; holes that of the solids.
static hol_status find_densities(maker *k)
{
    bool any = !isnan(k->g->density), solid = false;
    for (int i = 0; i < k->n; i++) any = any || has_density(&k->shape[i]);
    if (!any && !k->by_mass)
        return fail_at_key(
            k, "shape", "the mass of the body is missing: give it, or a density to the body or its shapes");
    for (int i = 0; i < k->n; i++) {
        hol_drawing *d = &k->shape[i];
        if (d->kind == HOL_SHAPE_NONE)
            return fail_at_key(k, "shape",
                               "with `shape: none` the body has no mass: give shapes, or mass and inertia");
        if (hol_drawing_has_no_mass(d)) {
            d->density = 0;
            if (d->touch >= HOL_TOUCH_POLYGON) tell_massless(k, i);
            continue;
        }
        double one = k->g->density;
        if (!has_density(d) && any && ((d->hole && !density_of_hole(k, i, &one)) || isnan(one)))
            return fail_at_shape(
                k, i,
                d->hole ? "its density is missing, and the solids have several: give it that of what it is in"
                        : "its density is missing, which others have: give it, 0 if it is only drawn, or "
                          "a density of the body for all without one");
        if (!has_density(d)) d->density = any ? one : 1;
        if (d->hole && d->density == 0)
            return fail_at_shape(k, i,
                                 "a hole of density 0 takes nothing away: give it that of what it is in");
        solid = solid || (d->density > 0 && !d->hole);
    }
    if (!solid)
        return fail_at_key(k, "shape",
                           "none of the shapes has a mass: give mass and inertia in numbers, or a solid with "
                           "a density above 0");
    k->by_area = all_are_plates(k);
    return check_thickness(k);
}

// Has no part of the body a negative mass, as far as integrals of x y dm can tell? Their matrix has no negative eigenvalue then.
static bool may_be_solid(const hol_volume *v)
{
    const double *J = v->J, half = (J[0] + J[4] + J[8]) / 2;
    const double a = half - J[0], b = half - J[4], c = half - J[8];
    const double minor = a * b - J[1] * J[1],
                 all = c * minor - a * J[5] * J[5] - b * J[2] * J[2] - 2 * J[1] * J[2] * J[5];
    return a > 0 && minor > 0 && all > 0;
}

// Solids first, then holes.
static hol_status add_all(const maker *k, hol_volume *sum)
{
    double solids = 0;
    for (int hole = 0; hole < 2; hole++) {
        for (int i = 0; i < k->n; i++) {
            hol_drawing d = k->shape[i];
            hol_volume v;
            if (d.density == 0 || d.hole != hole) continue;
            if (k->by_area) d.size[hol_drawing_thin(d.kind)] = 1;
            const hol_status st = hol_volume_of(k->r->ctx, &d, &v);
            if (st) return st;
            hol_volume_add(sum, &v, hole ? -d.density : d.density);
        }
        if (!hole) solids = sum->V;
    }
    if (!(sum->V > NOTHING_LEFT * solids) || !isfinite(sum->V))
        return fail_at_key(k, "shape", "its holes take away more than there is: make them smaller");
    if (!may_be_solid(sum))
        return fail_at_key(
            k, "shape", "its holes lie where there is nothing to be taken away: move them into its shapes");
    return HOL_OK;
}

// A point mass lies where its body frame does.
static hol_status check_point(const maker *k, const hol_volume *sum)
{
    double off = 0, size = 0;
    for (int i = 0; i < k->r->dimension; i++) off = fmax(off, fabs(sum->centre[i]));
    for (int i = 0; i < k->n; i++) size = fmax(size, k->shape[i].size[0]);
    if (off <= CENTRED * size) return HOL_OK;
    char text[200];
    hol_decimal_print(
        text, sizeof text,
        "its centre of mass is (%.6g, %.6g, %.6g) m, and a point mass has it at 0: move its shapes, or "
        "make the body rigid",
        sum->centre[0], sum->centre[1], sum->centre[2]);
    return fail_at_key(k, "shape", text);
}

// Mass, centre and inertia go to the places of what the file would have given.
static hol_status fill(const maker *k, hol_volume *sum, double com[3])
{
    static const int entry[6] = {0, 4, 8, 1, 2, 5};
    const double scale = k->by_mass ? k->mass->num / sum->V : 1;
    const hol_src at = hol_node_find(k->g->item, "shape")->at;
    if (k->r->dimension == 2) sum->centre[2] = 0;
    if (!k->by_mass) *k->mass = (hol_value){.given = true, .at = at, .num = sum->V};
    double *J = hol_arena_alloc(k->r->draft, 6, sizeof *J);
    if (!J || !HOL_ARENA_GROW(k->spec->arena, k->spec->mass, k->spec->n_masses)) return HOL_ERR_MEMORY;
    for (int i = 0; i < 6; i++) J[i] = scale * sum->J[entry[i]];
    if (k->inertia) *k->inertia = (hol_value){.given = true, .at = at, .n = 6, .num = J[2], .list = J};
    hol_spec_mass *out = &k->spec->mass[k->spec->n_masses++];
    *out = (hol_spec_mass){.body = k->spec->n_bodies, .is[0] = k->mass->num};
    memcpy(&out->is[1], sum->centre, sizeof sum->centre);
    if (k->inertia) memcpy(&out->is[4], J, 6 * sizeof *J);
    if (k->inertia) memcpy(com, sum->centre, sizeof sum->centre);
    for (int i = 0; i < k->n; i++) {
        k->shape[i].density *= scale;
        k->shape[i].weighed = k->by_mass;
    }
    return HOL_OK;
}

hol_status hol_read_mass(hol_spec *spec, const hol_reader *r, const hol_mass_given *g, double com[3])
{
    maker k = {.spec = spec, .r = r, .g = g, .shape = &spec->shape[g->first], .n = spec->n_shapes - g->first};
    hol_volume sum = {0};
    k.mass = value_of(&k, "mass");
    k.inertia = value_of(&k, "inertia");
    k.by_mass = k.mass->given;
    const bool complete = k.mass->given && (!k.inertia || k.inertia->given);
    hol_status st = HOL_OK;
    if (!complete && g->has_com)
        st = fail_at_key(
            &k, "com", "the centre of mass follows from the shapes: leave it away, or give mass and inertia");
    if (!st) st = complete ? only_drawn(&k) : find_densities(&k);
    if (!st && !complete) st = add_all(&k, &sum);
    if (!st && !complete && !k.inertia) st = check_point(&k, &sum);
    if (!st && !complete) st = fill(&k, &sum, com);
    for (int i = 0; i < k.n && !st; i++)
        for (int a = 0; a < 3; a++) k.shape[i].position[a] -= com[a];
    return st;
}
