// What `check` warns of in shapes that the mass of a body follows from: material that counts twice, and holes where there is none.
#include "analysis/warnings_data.h"
#include "model/volume.h"

#include <math.h>

enum { MOST_POINTS = 4096, LEAST_POINTS = 64, WORK = 4000000 }; // points, and triangles times points
#define WORTH_TELLING 0.01                                      // of the smaller of two shapes, or of a hole
#define TOUCHING 1e-6 // of the extent of a shape: rounding of its place

typedef struct {
    hol_drawing d;
    hol_mesh mesh;
    double low[3], high[3], volume;
    int number; // among the shapes of the body
} solid;

// Point number n of a sequence that fills the box evenly: multiples of powers of 1/g, where g^4 = g + 1.
static void spread(int n, const double low[3], const double high[3], double x[3])
{
    static const double step[3] = {0.8191725133961645, 0.6710436067037892, 0.5497004779019702};
    for (int i = 0; i < 3; i++) x[i] = low[i] + (high[i] - low[i]) * fmod(0.5 + n * step[i], 1);
}

static int points_for(const solid *a, const solid *b)
{
    const int triangles = a->mesh.n_triangles + b->mesh.n_triangles, n = WORK / (triangles + 1);
    return n > MOST_POINTS ? MOST_POINTS : n < LEAST_POINTS ? LEAST_POINTS : n;
}

static bool holds(const solid *s, const double x[3]) { return hol_volume_holds(&s->d, &s->mesh, x); }

// The volume that two shapes have in common, by points of the box in which both may lie.
static double common(const solid *a, const solid *b)
{
    const int n = points_for(a, b);
    double low[3], high[3], box = 1, x[3];
    int hits = 0;
    for (int i = 0; i < 3; i++) {
        low[i] = fmax(a->low[i], b->low[i]);
        high[i] = fmin(a->high[i], b->high[i]);
        if (high[i] - low[i] <= TOUCHING * fmin(a->high[i] - a->low[i], b->high[i] - b->low[i])) return 0;
        box *= high[i] - low[i];
    }
    for (int k = 0; k < n; k++) {
        spread(k, low, high, x);
        hits += holds(a, x) && holds(b, x);
    }
    return box * hits / n;
}

// The part of a hole that lies in none of the solids.
static double outside(const solid *s, int n, const solid *hole)
{
    int in = 0, out = 0;
    for (int k = 0; k < points_for(hole, hole); k++) {
        double x[3];
        bool held = false;
        spread(k, hole->low, hole->high, x);
        if (!holds(hole, x)) continue;
        in++;
        for (int i = 0; i < n && !held; i++) held = !s[i].d.hole && holds(&s[i], x);
        out += !held;
    }
    return in ? (double)out / in : 0;
}

// Of one body: every pair of solids, or of holes, and every hole against all solids.
static void compare(hol_facts *f, const char *body, const solid *s, int n)
{
    const bool plane = f->m->dimension == 2;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            if (s[i].d.hole != s[j].d.hole) continue;
            const double V = common(&s[i], &s[j]), part = V / fmin(s[i].volume, s[j].volume);
            if (part <= WORTH_TELLING) continue;
            hol_warn(
                f,
                "%s: shape[%d] and shape[%d] overlap by about %.2g m^3, %.0f %% of the smaller one: what is "
                "there "
                "%s twice\n; %s",
                body, s[i].number, s[j].number, V, 100 * part, s[i].d.hole ? "is taken away" : "counts",
                plane ? "if they lie one above the other, all is well"
                      : "make one of them shorter, or take the common part away by a shape with `hole: yes`");
        }
        const double out = s[i].d.hole ? outside(s, n, &s[i]) : 0;
        if (out > WORTH_TELLING)
            hol_warn(
                f,
                "%s: shape[%d] is a hole, and about %.0f %% of it lies where there is nothing to be taken "
                "away\n; make it end at the surface: all of it is subtracted from the mass",
                body, s[i].number, 100 * out);
    }
}

// The shapes of a body that have a density, with their meshes, which are not read once more before a run. Plates without a thickness lie in the plane, all alike.
static int gather(hol_facts *f, const hol_drawing *shape, int n, solid *out)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        solid *s = &out[found];
        hol_volume v;
        if (shape[i].density == 0 || (f->brief && shape[i].kind == HOL_SHAPE_MESH)) continue;
        *s = (solid){.d = shape[i], .number = i};
        double *thin = &s->d.size[hol_drawing_thin(s->d.kind)];
        if (s->d.kind != HOL_SHAPE_MESH && *thin == 0) *thin = 1;
        hol_status st = s->d.kind == HOL_SHAPE_MESH ? hol_mesh_read(f->ctx, &s->d, &s->mesh) : HOL_OK;
        if (!st) st = hol_volume_of(f->ctx, &s->d, &v);
        found++;
        f->lost = f->lost || st; // files are as they were when the model was read
        if (st) break;
        s->volume = v.V;
        hol_volume_box(&s->d, &s->mesh, s->low, s->high);
    }
    return found;
}

#define HEAVIEST 1e5 // of osmium four times [kg/m^3]
#define LIGHTEST 1e-3

void hol_look_densities(hol_facts *f)
{
    const hol_spec *spec = f->m->spec;
    int told = -1;
    for (int i = 0; i < spec->n_shapes; i++) {
        const hol_drawing *d = &spec->shape[i];
        if (d->body < 0 || d->body == told || d->hole || d->weighed ||
            !(d->density > HEAVIEST || (d->density > 0 && d->density < LIGHTEST)))
            continue;
        told = d->body;
        hol_warn(f,
                 "%s: its density is %.3g kg/m^3\n; water has 1000, steel 7850: write the unit behind the "
                 "number, `7850 kg/m^3`",
                 f->m->body[d->body].name, d->density);
    }
}

void hol_look_shapes(hol_facts *f)
{
    const hol_spec *spec = f->m->spec;
    for (int i = 0, next; i < spec->n_shapes && !f->lost; i = next) {
        const hol_drawing *first = &spec->shape[i];
        for (next = i; next < spec->n_shapes && spec->shape[next].body == first->body;) next++;
        if (first->body < 0) continue;
        solid *all = hol_calloc(f->ctx, (size_t)(next - i), sizeof *all);
        f->lost = f->lost || !all;
        const int n = all ? gather(f, first, next - i, all) : 0;
        if (!f->lost && n > 1) compare(f, f->m->body[first->body].name, all, n);
        for (int k = 0; k < n; k++) hol_mesh_destroy(&all[k].mesh);
        hol_free(all);
    }
}
