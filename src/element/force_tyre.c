// Tyre: a vertical spring and damper between a point of a body and the road below it. With the point at (x, z), in the plane
// (x, y), and the road's height h(x), all in the global frame: no file that is put elsewhere takes its road along,
//     F = k (L0 - (z - h)) - c (z' - h' x'),  upwards; without tension F = 0 off the road (z - h >= L0) and where F < 0
//     Q = F z_q,   F_y = -k (z_y - h' x_y) - c (z'_y - h' x'_y - h'' x' x_y),   F_v = -c (z_q - h' x_q)
// The spring's energy is k (L0 - (z - h))^2/2. Over a profile the force is not its gradient, since it stays vertical: what the
// road does to the wheel then counts as work, by the change of this energy against that on an even road.
#include "element/element.h"
#include "element/road.h"

enum {
    STIFFNESS,
    DAMPING,
    LENGTH,
    NO_TENSION,
    ROAD,
    MIDDLE,
    HEIGHT,
    HALF_WIDTH,
    STEEPEST,
    HEIGHTS,
    LEVEL,
    ROWS
};
static const hol_option options[] = {
    {"stiffness", HOL_NUMBER, "N/m", HOL_NONE, 0, HOL_INF, HOL_REQUIRED, NULL, "vertical stiffness k"},
    {"damping", HOL_NUMBER, "N s/m", 0, 0, HOL_INF, 0, NULL, "vertical damping c"},
    {"length", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, 0, NULL,
     "height of the point over the road without load; default: as drawn"},
    {"no_tension", HOL_FLAG, "", 0, 0, 1, 0, NULL,
     "no force when it would pull or the wheel is off the road; else the spring pulls, too"},
    {"road", HOL_CHOICE, "", 0, 0, 0, 0, "flat|bump|cylinder|table",
     "profile along x, the same across; bump: height (1 - ((x - middle)/half_width)^2)^3, smooth; cylinder: "
     "the arc of a circle, with edges; table: `heights`"},
    {"middle", HOL_NUMBER, "m", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "x of the middle of bump or cylinder"},
    {"height", HOL_NUMBER, "m", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "height of bump or cylinder; negative: a hole"},
    {"half_width", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "half the length of bump or cylinder along x; default: a cylinder's height"},
    {"steepest", HOL_NUMBER, "", 10, 0, HOL_INF, HOL_ABOVE, NULL,
     "largest slope of a cylinder that the damper feels; where half a cylinder ends it is infinite"},
    {"heights", HOL_SPLINE, "", HOL_NONE, 0, 0, 0, NULL, "table: a spline, height of x"},
    {"level", HOL_NUMBER, "m", 0, -HOL_INF, HOL_INF, 0, NULL,
     "height in the global frame at which the road lies; profiles rise from there"},
    HOL_END_OPTIONS};

typedef struct {
    double k, c, length;
    bool no_tension;
    int up; // the vertical one of x, y, z
    hol_road road;
    const hol_marker *m;
} tyre;

// What the profile wants and what it admits.
static hol_status check_road(const hol_setup *in)
{
    enum { NO, MAY, MUST };
    static const int has[4][ROWS] = {
        [HOL_ROAD_BUMP] = {[MIDDLE] = MUST, [HEIGHT] = MUST, [HALF_WIDTH] = MUST},
        [HOL_ROAD_CYLINDER] = {[MIDDLE] = MUST, [HEIGHT] = MUST, [HALF_WIDTH] = MAY, [STEEPEST] = MAY},
        [HOL_ROAD_TABLE] = {[HEIGHTS] = MUST}};
    static const char *const name[] = {"flat road", "bump", "cylinder", "table"};
    const int kind = (int)in->value[ROAD].num;
    for (int i = MIDDLE; i < LEVEL; i++) {
        const hol_value *v = &in->value[i];
        if (v->given && has[kind][i] == NO)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, v->at, "%s.%s: this belongs to another road than a %s",
                               in->path, options[i].key, name[kind]);
        if (!v->given && has[kind][i] == MUST)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->value[ROAD].at, "%s.road: a %s needs \"%s\" (%s)",
                               in->path, name[kind], options[i].key, options[i].doc);
    }
    const hol_value *h = &in->value[HEIGHT], *w = &in->value[HALF_WIDTH];
    if (kind == HOL_ROAD_CYLINDER && w->given && fabs(h->num) > w->num)
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, w->at,
            "%s.half_width: %.*g, a cylinder's height is at most half its width, here it is %.*g", in->path,
            hol_decimal_digits(w->num, fabs(h->num)), w->num, hol_decimal_digits(w->num, fabs(h->num)),
            h->num);
    return HOL_OK;
}

// Spring, damper and the road, whose heights are a table in any unit of length.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    tyre *t = data;
    const hol_value *v = in->value;
    const hol_table *heights = v[HEIGHTS].table;
    double unit[2] = {1, 1};
    hol_status st = check_road(in);
    for (int i = 0; i < 2 && heights && !st; i++) st = hol_table_unit(in, &v[HEIGHTS], i, "m", &unit[i]);
    if (st) return st;
    t->k = v[STIFFNESS].num;
    t->c = v[DAMPING].num;
    t->no_tension = v[NO_TENSION].num != 0;
    t->up = in->dimension - 1;
    t->road = (hol_road){.kind = (hol_road_kind)v[ROAD].num,
                         .level = v[LEVEL].num,
                         .middle = v[MIDDLE].num,
                         .height = v[HEIGHT].num,
                         .half_width = v[HALF_WIDTH].given ? v[HALF_WIDTH].num : fabs(v[HEIGHT].num),
                         .steepest = v[STEEPEST].num,
                         .table = heights ? heights->spline : NULL,
                         .x_unit = unit[0],
                         .unit = unit[1]};
    t->m = in->end[0].marker;
    const double *drawn = in->end[0].origin;
    t->length = v[LENGTH].given ? v[LENGTH].num : drawn[t->up] - hol_re(hol_road_at(&t->road, drawn[0]).h);
    e->n_rows = 0;
    return HOL_OK;
}

// The force, and with F_y not NULL its derivatives by the columns of the point's feature p (order 2).
static hol_real load(const tyre *t, const hol_feature *p, hol_real *F_y, hol_real *F_v)
{
    const hol_road_point r = hol_road_at(&t->road, p->f[0]);
    const hol_real squeezed = t->length - (p->f[t->up] - r.h), rate = p->fw[t->up] - r.felt * p->fw[0];
    const hol_real F = t->k * squeezed - t->c * rate;
    const bool off = t->no_tension && (hol_re(squeezed) <= 0 || hol_re(F) < 0);
    for (int j = 0; j < p->n && F_y; j++) {
        const hol_real x = p->d[0][j], z = p->d[t->up][j];
        F_y[j] = -t->k * (z - r.slope * x) -
                 t->c * (p->dw[t->up][j] - r.felt * p->dw[0][j] - r.bend * p->fw[0] * x);
        F_v[j] = -t->c * (z - r.felt * x);
        if (off) F_y[j] = F_v[j] = 0;
    }
    return off ? 0 : F;
}

static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    const tyre *t = data;
    hol_feature p;
    (void)ny, (void)mem, (void)u;
    hol_feature_eval(t->m, HOL_ORIGIN, y, w, 2, &p);
    const hol_real F = load(t, &p, NULL, NULL);
    for (int j = 0; j < p.n; j++) Q[p.iy + j] += F * p.d[t->up][j];
}

// Derivatives of the load of the point at (x, z) above the road, in the direction of `up`.
static void force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const tyre *t = data;
    const int nq = ny - 1;
    hol_feature p;
    hol_real F_y[7], F_v[7], up[3] = {0, 0, 0};
    (void)mem, (void)u;
    hol_feature_eval(t->m, HOL_ORIGIN, y, w, 2, &p);
    up[t->up] = load(t, &p, F_y, F_v);
    hol_feature_hessian(t->m, HOL_ORIGIN, y, up, Q_y, ny);
    for (int i = 0; i < p.n; i++)
        for (int j = 0; j < p.n; j++) {
            Q_y[(p.iy + i) * ny + p.iy + j] += p.d[t->up][i] * F_y[j];
            Q_v[(p.iy + i) * nq + p.iy + j] += p.d[t->up][i] * F_v[j];
        }
}

// Energy of the spring while it is squeezed, and its rate along w.
static void energy(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                   hol_real *V, hol_real *V_w)
{
    const tyre *t = data;
    hol_feature p;
    (void)ny, (void)mem;
    hol_feature_eval(t->m, HOL_ORIGIN, y, w, 2, &p);
    const hol_road_point r = hol_road_at(&t->road, p.f[0]);
    const hol_real squeezed = t->length - (p.f[t->up] - r.h);
    const bool off = t->no_tension && hol_re(squeezed) <= 0;
    *V = off ? 0 : 0.5 * t->k * squeezed * squeezed;
    if (V_w) *V_w = off ? 0 : -t->k * squeezed * (p.fw[t->up] - r.slope * p.fw[0]);
}

// The same on an even road: the slope of half a cylinder has no bound at its foot.
static void bounded(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *V,
                    hol_real *V_w)
{
    const tyre *t = data;
    hol_feature p;
    (void)ny;
    hol_feature_eval(t->m, HOL_ORIGIN, y, w, 2, &p);
    const hol_real squeezed = t->length - (p.f[t->up] - t->road.level);
    const bool off = t->no_tension && hol_re(squeezed) <= 0;
    *V = off ? 0 : 0.5 * t->k * squeezed * squeezed;
    *V_w = off ? 0 : -t->k * squeezed * p.fw[t->up];
}

static double edge_argument(const void *data, int ny, const hol_real *y)
{
    const tyre *t = data;
    hol_feature p;
    (void)ny;
    hol_feature_eval(t->m, HOL_ORIGIN, y, NULL, 0, &p);
    return hol_re(p.f[0]);
}

static int edges(const void *data, double *x, int most)
{
    return hol_road_edges(&((const tyre *)data)->road, x, most);
}

const hol_element_type hol_force_tyre = {
    .name = "tyre",
    .aliases = "tire",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .ends = 1,
    .doc = "vertical spring and damper between a point and the road below it; x is forward, z (2D: y) up. "
           "The road "
           "is that of the world: heights are z (2D: y) of the global frame and profiles run along its x, "
           "also in an "
           "included file, whose place, turn and mirror do not move it. `FM(tyre)` in an expression is the "
           "load; "
           "the signals tyre.Fx, .. are along the axes of its marker, which turns with the wheel",
    .options = options,
    .data_size = sizeof(tyre),
    .setup = setup,
    .force = force,
    .force_d = force_d,
    .energy = energy,
    .bounded = bounded,
    .edge_argument = edge_argument,
    .edges = edges,
};
