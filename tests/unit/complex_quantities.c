// What expressions measure between markers (src/element/quantity.h): values against geometry and against each other's
// rates, derivatives against the complex step, for all kinds of frames in every place.
#include "element/quantity.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <cmocka.h>

static const double STEP = 1e-30, TOLERANCE = 1e-12;
enum {
    PLACES = 4,
    ENOUGH = 10,
    EXTRA = 3
}; // to, from, along, ref; EXTRA gradient variables of somebody else's in front

static hol_context *ctx;
static hol_arena *arena;
static hol_random dice = {20250711};
static int failures;

static double random_in(double lo, double hi)
{
    return lo + (hi - lo) * 0.5 * (1 + hol_random_uniform(&dice));
}

static hol_real beside(hol_real x, hol_real d) { return x + STEP * d * (hol_real)_Complex_I; }

// ---- markers --------------------------------------------------------------------------------------------------

// What may stand in a place: a frame, on a body of its own or, for `twin`, on the body of `to`.
typedef enum { NONE, FIXED, MOVING, SHIFTED, BODY, TWIN, POINT, KINDS } kind;

static hol_motion motion, shift; // moving about an axis; without rotation

static const hol_expr *parse(const char *text)
{
    const hol_expr *e = NULL;
    const hol_src at = {.file = "test", .line = 1, .col = 1};
    assert_int_equal(hol_expr_parse(ctx, arena, text, at, NULL, NULL, true, &e), HOL_OK);
    return e;
}

static void make_motions(int dimension)
{
    memset(&motion, 0, sizeof motion);
    memset(&shift, 0, sizeof shift);
    motion.position[0] = parse("0.2*sin(1.7*time)");
    motion.position[1] = parse("0.1*time^3");
    motion.angle = parse("0.3 + 5*sin(1.1*time) + 2*time^2");
    motion.axis[2] = 1;
    shift.position[1] = parse("0.3*cos(2*time)");
    shift.axis[2] = 1;
    if (dimension == 2) return;
    const double n[3] = {0.48, -0.6, 0.64};
    motion.position[2] = parse("0.1*exp(-time)");
    memcpy(motion.axis, n, sizeof n);
}

static void random_orientation(int dimension, hol_marker *k, hol_axes *axes)
{
    double p[4], n = 0, R[9];
    for (int i = 0; i < 4; i++) p[i] = dimension == 2 && (i == 1 || i == 2) ? 0 : random_in(-1, 1);
    for (int i = 0; i < 4; i++) n += p[i] * p[i];
    for (int i = 0; i < 4; i++) axes->quat[i] = p[i] / sqrt(n);
    hol_quat_matrix(axes->quat, R);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++) axes->u[a][i] = R[3 * i + a];
    hol_marker_turn(k, axes);
}

static bool make_marker(kind what, int dimension, hol_marker *k, hol_axes *axes)
{
    static const hol_frame frames[KINDS] = {[FIXED] = HOL_FRAME_GROUND,
                                            [MOVING] = HOL_FRAME_MOVING,
                                            [SHIFTED] = HOL_FRAME_MOVING,
                                            [POINT] = HOL_FRAME_POINT};
    memset(k, 0, sizeof *k);
    if (what == NONE) return false;
    k->frame = frames[what];
    if (what == BODY || what == TWIN) k->frame = dimension == 2 ? HOL_FRAME_PLANAR : HOL_FRAME_SPATIAL;
    k->size = hol_frame_size(k->frame, dimension);
    for (int i = 0; i < dimension && what != POINT; i++) k->s[i] = random_in(-1, 1);
    random_orientation(dimension, k, axes);
    axes->motion = k->frame != HOL_FRAME_MOVING ? NULL : what == MOVING ? &motion : &shift;
    return true;
}

// ---- a measure at a state -------------------------------------------------------------------------------------

typedef struct {
    int dimension, ny;
    bool on_sphere;
    kind what[PLACES];
    hol_marker marker[PLACES];
    hol_axes axes[PLACES];
    hol_quantity m;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], b[HOL_MAX_Y], dy[HOL_MAX_Y], dw[HOL_MAX_Y];
} probe;

// Euler parameters of length 1, rates and accelerations that keep it so.
static void normalise(probe *s, int ip)
{
    hol_real *p = s->y + ip, *v = s->w + ip, *a = s->b + ip;
    double pp = 0, pv = 0, pa = 0, vv = 0;
    for (int i = 0; i < 4; i++) pp += hol_re(p[i]) * hol_re(p[i]);
    for (int i = 0; i < 4; i++) p[i] = p[i] / sqrt(pp);
    for (int i = 0; i < 4; i++) pv += hol_re(p[i]) * hol_re(v[i]);
    for (int i = 0; i < 4; i++) v[i] = v[i] - pv * p[i];
    for (int i = 0; i < 4; i++) {
        pa += hol_re(p[i]) * hol_re(a[i]);
        vv += hol_re(v[i]) * hol_re(v[i]);
    }
    for (int i = 0; i < 4; i++) a[i] = a[i] - (pa + vv) * p[i];
}

static void lay_out(probe *s)
{
    int n = 0;
    for (int i = 0; i < PLACES; i++) {
        hol_marker *k = &s->marker[i];
        k->iy = s->what[i] == TWIN ? s->marker[0].iy : n;
        if (s->what[i] != TWIN) n += k->size;
    }
    s->ny = n + 1;
    for (int i = 0; i < PLACES; i++)
        if (s->marker[i].frame == HOL_FRAME_MOVING) s->marker[i].iy = n;
}

static void make_probe(probe *s, int dimension, const kind what[PLACES], bool on_sphere)
{
    const hol_marker **const place[PLACES] = {&s->m.to, &s->m.from, &s->m.along, &s->m.ref};
    memset(s, 0, sizeof *s);
    s->dimension = dimension;
    s->on_sphere = on_sphere;
    s->m.planar = dimension == 2;
    for (int i = 0; i < PLACES; i++) {
        s->what[i] = what[i];
        *place[i] = make_marker(what[i], dimension, &s->marker[i], &s->axes[i]) ? &s->marker[i] : NULL;
    }
    lay_out(s);
    const int t = s->ny - 1;
    for (int i = 0; i < s->ny; i++) {
        s->y[i] = random_in(-1.5, 1.5);
        s->w[i] = random_in(-1.5, 1.5);
        s->b[i] = random_in(-1.5, 1.5);
        s->dy[i] = random_in(-1.5, 1.5);
        s->dw[i] = random_in(-1.5, 1.5);
    }
    s->y[t] = random_in(0.2, 1.2);
    s->w[t] = 1;
    s->b[t] = 0;
    for (int i = 0; i < PLACES && on_sphere; i++)
        if (s->marker[i].frame == HOL_FRAME_SPATIAL) normalise(s, s->marker[i].iy + 3);
}

static const char *name_of(hol_quantity_kind what)
{
    static const char *const coordinates[HOL_QUANTITY_KINDS - HOL_QUANTITIES] = {
        "rx", "ry", "rz", "arm 1", "arm 2", "twist", "swing", "hinge", "length", "tilt x", "tilt y"};
    if (what >= HOL_QUANTITIES) return coordinates[what - HOL_QUANTITIES];
    for (const hol_quantity_name *n = hol_quantity_names; n->name; n++)
        if (n->what == what) return n->name;
    return "?";
}

static void compare(const probe *s, const char *what, int i, hol_real have, hol_real want, double scale)
{
    static const char *const kinds[KINDS] = {"none", "fixed", "moving", "shifted", "body", "twin", "point"};
    const double x = hol_re(have), y = hol_re(want);
    if (fabs(x - y) <= TOLERANCE * fmax(scale, fmax(fabs(x), fabs(y)))) return;
    if (failures++ >= ENOUGH) return;
    print_error("%dD %s(%s, %s, %s, %s): %s[%d] = %.17g, must be %.17g; scale %.3g\n", s->dimension,
                name_of(s->m.what), kinds[s->what[0]], kinds[s->what[1]], kinds[s->what[2]],
                kinds[s->what[3]], what, i, x, y, scale);
}

static hol_real value_at(const probe *s, const hol_real *y, const hol_real *w, const hol_real *b)
{
    static const int none[3] = {-1, -1, -1};
    const hol_shape shape = {0, 0, 0};
    hol_real x[4];
    hol_quantity_eval(&s->m, &shape, s->ny, y, w, b, NULL, NULL, none, x);
    return x[0];
}

static hol_real value_of(const probe *s) { return value_at(s, s->y, s->w, s->b); }

// Which of the markers a kind reads, and whether it admits them.
static bool admitted(const probe *s)
{
    const bool angle = hol_quantity_needs_axes(s->m.what);
    if (angle && (s->what[0] == POINT || s->what[1] == POINT)) return false;
    if (s->m.what >= HOL_QUANTITIES) // coordinates of joints, whose first frame has axes
        return (s->dimension == 3 || s->m.what == HOL_QUANTITY_LENGTH) && s->what[2] == NONE &&
               s->what[3] == NONE && s->what[1] != POINT;
    const hol_quantity_name *n = hol_quantity_names;
    while (n->what != s->m.what) n++;
    if (n->dimensions != 5 && n->dimensions != s->dimension) return false;
    if (n->max_markers < 4 && s->what[3] != NONE) return false;
    return n->max_markers >= 3 || s->what[2] == NONE;
}

// ---- all combinations -----------------------------------------------------------------------------------------

typedef void (*check)(const probe *s);

static void on_all(check each, bool on_sphere)
{
    static const kind to[] = {FIXED, MOVING, BODY, POINT}, from[] = {NONE, FIXED, MOVING, BODY, TWIN, POINT},
                      frame[] = {NONE, FIXED, MOVING, SHIFTED, BODY, TWIN};
    failures = 0;
    for (int d = 2; d <= 3; d++) {
        make_motions(d);
        for (int i = 0; i < HOL_COUNT(to) * HOL_COUNT(from) * HOL_COUNT(frame) * HOL_COUNT(frame); i++) {
            const kind what[PLACES] = {to[i % 4], from[i / 4 % 6], frame[i / 24 % 6], frame[i / 144]};
            const bool twin = what[1] == TWIN || what[2] == TWIN || what[3] == TWIN;
            if (twin && what[0] != BODY) continue;
            probe s;
            make_probe(&s, d, what, on_sphere);
            for (int k = 0; k < HOL_QUANTITY_KINDS; k++) {
                s.m.what = (hol_quantity_kind)k;
                for (s.m.rate = 0; s.m.rate < (k < HOL_QUANTITIES ? 1 : 3) && admitted(&s); s.m.rate++)
                    each(&s);
                s.m.rate = 0;
            }
        }
    }
    if (failures > ENOUGH) print_error("... %d in all\n", failures);
    assert_int_equal(failures, 0);
}

// ---- derivatives ----------------------------------------------------------------------------------------------

// Gradients by y, w and b, between variables that belong to something else.
static void check_gradient(const probe *s)
{
    const int ny = s->ny, slots[3] = {EXTRA, EXTRA + ny, EXTRA + 2 * ny};
    const hol_shape shape = {.n = EXTRA + 3 * ny};
    hol_real x[HOL_NUM_MAX], moved[3][HOL_MAX_Y];
    const hol_real *const blocks[3] = {s->y, s->w, s->b};
    if (shape.n > HOL_NUM_VARIABLES) return;
    hol_quantity_eval(&s->m, &shape, ny, s->y, s->w, s->b, NULL, NULL, slots, x);
    compare(s, "value", 0, x[0], value_of(s), 1);
    for (int j = 0; j < EXTRA; j++) compare(s, "not its own", j, x[4 + j], 0, 0);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < ny; j++) {
            for (int i = 0; i < 3; i++) memcpy(moved[i], blocks[i], sizeof moved[i]);
            moved[k][j] = beside(moved[k][j], 1);
            const hol_real want = cimag(value_at(s, moved[0], moved[1], moved[2])) / STEP;
            compare(s, k == 0 ? "by y" : k == 1 ? "by w" : "by b", j, x[4 + slots[k] + j], want, 1);
            if (k > hol_quantity_level(&s->m)) compare(s, "level", j, want, 0, 0);
        }
}

// Only some of the blocks among the variables.
static void check_part_of_gradient(const probe *s)
{
    const int ny = s->ny, all[3] = {0, ny, 2 * ny};
    const hol_shape every = {.n = 3 * ny}, one = {.n = ny};
    hol_real x[HOL_NUM_MAX], part[HOL_NUM_MAX];
    hol_quantity_eval(&s->m, &every, ny, s->y, s->w, s->b, NULL, NULL, all, x);
    for (int k = 0; k < 3; k++) {
        const int slots[3] = {k == 0 ? 0 : -1, k == 1 ? 0 : -1, k == 2 ? 0 : -1};
        hol_quantity_eval(&s->m, &one, ny, s->y, s->w, s->b, NULL, NULL, slots, part);
        compare(s, "value", k, part[0], x[0], 0);
        for (int j = 0; j < ny; j++) compare(s, "part", j, part[4 + j], x[4 + k * ny + j], 0);
    }
}

// The series along (dy, dw), and that of the gradient by block `k`: each coefficient from the one before, by the complex
// step along the direction.
static void check_series(const probe *s, int order, int k)
{
    const int ny = s->ny, slots[3] = {k == 0 ? 0 : -1, k == 1 ? 0 : -1, -1};
    const hol_shape shape = {.n = ny, .order = order, .gradient = order < 2 ? order : 2};
    hol_real x[HOL_NUM_MAX], beyond[HOL_NUM_MAX], y[HOL_MAX_Y], w[HOL_MAX_Y];
    hol_quantity_eval(&s->m, &shape, ny, s->y, s->w, s->b, s->dy, s->dw, slots, x);
    compare(s, "value", 0, x[0], value_of(s), 1);
    for (int i = 0; i < ny; i++) {
        y[i] = beside(s->y[i], s->dy[i]);
        w[i] = beside(s->w[i], s->dw[i]);
    }
    hol_quantity_eval(&s->m, &shape, ny, y, w, s->b, s->dy, s->dw, slots, beyond);
    for (int i = 0; i < order; i++)
        compare(s, "series", i + 1, (i + 1) * x[i + 1], cimag(beyond[i]) / STEP, fabs(hol_re(x[i])) + 1);
    for (int i = 0; i < shape.gradient; i++) {
        double scale = 1;
        for (int j = 0; j < ny; j++) scale = fmax(scale, fabs(hol_re(x[4 + (i + 1) * ny + j])));
        for (int j = 0; j < ny; j++)
            compare(s, "gradient's series", i * 100 + j, (i + 1) * x[4 + (i + 1) * ny + j],
                    cimag(beyond[4 + i * ny + j]) / STEP, scale);
    }
    const hol_shape plain = {.n = ny};
    hol_quantity_eval(&s->m, &plain, ny, s->y, s->w, s->b, NULL, NULL, slots, beyond);
    for (int j = 0; j < ny; j++) compare(s, "gradient", j, x[4 + j], beyond[4 + j], 0);
}

static void check_position_series(const probe *s)
{
    if (hol_quantity_level(&s->m) > 0) return;
    for (int order = 1; order <= 3; order++) check_series(s, order, 0);
}

static void check_velocity_series(const probe *s)
{
    if (hol_quantity_level(&s->m) < 2) check_series(s, 1, 1);
    if (hol_quantity_level(&s->m) == 1) check_series(s, 1, 0);
}

// ---- values ---------------------------------------------------------------------------------------------------

typedef struct {
    double r[3], R[9], theta; // origin; orientation, columns are the axes; planar angle of body and marker
} place;

static double at_time(const hol_expr *e, double t)
{
    hol_real jet[4] = {0};
    if (e) hol_expr_jet(e, t, jet);
    return hol_re(jet[0]);
}

static place locate(const probe *s, const hol_marker *k)
{
    place x = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, 0};
    double body[4] = {1, 0, 0, 0}, all[4], B[9], t = hol_re(s->y[s->ny - 1]);
    if (!k) return x;
    const hol_real *y = s->y + k->iy;
    if (k->frame == HOL_FRAME_PLANAR) x.theta = hol_re(y[2]);
    if (k->frame == HOL_FRAME_MOVING) x.theta = at_time(hol_marker_motion(k)->angle, t);
    if (k->frame == HOL_FRAME_SPATIAL)
        for (int i = 0; i < 4; i++) body[i] = hol_re(y[3 + i]);
    else {
        body[0] = cos(x.theta / 2);
        for (int i = 0; i < 3; i++)
            body[i + 1] =
                sin(x.theta / 2) * (k->frame == HOL_FRAME_MOVING ? hol_marker_motion(k)->axis[i] : i == 2);
    }
    const bool moving = k->frame == HOL_FRAME_MOVING;
    hol_quat_matrix(body, B);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) x.r[i] += (moving ? i == j : B[3 * i + j]) * k->s[j];
        if (moving) x.r[i] += at_time(hol_marker_motion(k)->position[i], t);
        if (k->size && i < s->dimension) x.r[i] += hol_re(y[i]);
    }
    hol_quat_multiply(body, hol_marker_quat(k), all);
    hol_quat_matrix(all, x.R);
    x.theta += 2 * atan2(hol_marker_quat(k)[3], hol_marker_quat(k)[0]);
    return x;
}

static double dot_columns(const double *A, int a, const double *B, int b)
{
    return A[a] * B[b] + A[3 + a] * B[3 + b] + A[6 + a] * B[6 + b];
}

static double displacement(const probe *s)
{
    const place to = locate(s, s->m.to), from = locate(s, s->m.from), along = locate(s, s->m.along);
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += along.R[3 * i + s->m.what % 3] * (to.r[i] - from.r[i]);
    return sum;
}

static double angle(const probe *s)
{
    const place to = locate(s, s->m.to), from = locate(s, s->m.from);
    enum { X, Y, Z };
    switch (s->m.what - HOL_QUANTITY_A) {
    case X: return atan2(-dot_columns(to.R, Z, from.R, Y), dot_columns(to.R, Z, from.R, Z));
    case Y: return atan2(dot_columns(to.R, Z, from.R, X), dot_columns(to.R, Z, from.R, Z));
    default: return atan2(-dot_columns(to.R, Y, from.R, X), dot_columns(to.R, Y, from.R, Y));
    }
}

// omega of a frame in global axes, from A' = omega~ A; A' by the complex step on its axes as functions of y
static void omega_of(const probe *s, const hol_marker *k, double out[3])
{
    double W[9] = {0};
    hol_real y[HOL_MAX_Y];
    hol_feature axis;
    out[0] = out[1] = out[2] = 0;
    if (!k || k->frame == HOL_FRAME_POINT) return;
    for (int i = 0; i < s->ny; i++) y[i] = beside(s->y[i], s->w[i]);
    for (int a = 0; a < 3; a++) {
        hol_feature_eval(k, a, y, NULL, 0, &axis);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) W[3 * i + j] += cimag(axis.f[i]) / STEP * hol_re(axis.f[j]);
    }
    for (int i = 0; i < 3; i++) out[i] = W[3 * ((i + 2) % 3) + (i + 1) % 3];
}

static double angular_velocity(const probe *s)
{
    const place along = locate(s, s->m.along);
    double to[3], from[3], sum = 0;
    omega_of(s, s->m.to, to);
    omega_of(s, s->m.from, from);
    for (int i = 0; i < 3; i++) sum += along.R[3 * i + s->m.what % 3] * (to[i] - from[i]);
    return sum;
}

// R1^T R2, columns are the axes of `to` along those of `from`
static void relative(const probe *s, double R[9])
{
    const place to = locate(s, s->m.to), from = locate(s, s->m.from);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[3 * i + j] = dot_columns(from.R, i, to.R, j);
}

// exp of a rotation vector, by Rodrigues' formula
static void turned_by(const double v[3], double R[9])
{
    const double t = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), a = t > 0 ? sin(t) / t : 1,
                 b = t > 0 ? 2 * pow(sin(t / 2) / t, 2) : 0.5;
    const double V[9] = {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++) square += V[3 * i + k] * V[3 * k + j];
            R[3 * i + j] = (i == j) + a * V[3 * i + j] + b * square;
        }
}

static double measured(const probe *s, int what)
{
    probe other = *s;
    other.m.what = (hol_quantity_kind)what;
    return hol_re(value_of(&other));
}

// Coordinates of joints in space put together again give the relative pose. Known: R1^T R2 = exp(v) = exp(swing about an axis
// in the xy plane) Rz(twist).
static void check_coordinates(const probe *s, double value)
{
    const place to = locate(s, s->m.to), from = locate(s, s->m.from);
    double R[9], S[9], d[3] = {0};
    relative(s, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) d[i] += from.R[3 * j + i] * (to.r[j] - from.r[j]);
    const double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    switch (s->m.what) {
    case HOL_QUANTITY_ARM_FIRST: compare(s, "arm", 0, value, atan2(R[2], -R[5]), 1); break;
    case HOL_QUANTITY_ARM_SECOND: compare(s, "arm", 0, value, atan2(R[2], R[5]), 1); break;
    case HOL_QUANTITY_HINGE: compare(s, "hinge", 0, value, atan2(d[1], d[0]), 1); break;
    case HOL_QUANTITY_LENGTH: compare(s, "length", 0, value, size, 1); break;
    case HOL_QUANTITY_SWING: {
        const double twist = measured(s, HOL_QUANTITY_TWIST), c = cos(twist), z = sin(twist);
        const double across = sqrt(R[2] * R[2] + R[5] * R[5]), axis[3] = {-R[5] / across, R[2] / across, 0};
        const double v[3] = {axis[0] * value, axis[1] * value, 0};
        turned_by(v, S);
        for (int i = 0; i < 3; i++) {
            compare(s, "swing, twist: x", i, R[3 * i], S[3 * i] * c + S[3 * i + 1] * z, 1);
            compare(s, "swing, twist: y", i, R[3 * i + 1], -S[3 * i] * z + S[3 * i + 1] * c, 1);
            compare(s, "swing: z", i, R[3 * i + 2], S[3 * i + 2], 1);
        }
        break;
    }
    case HOL_QUANTITY_ROTATION: {
        const double v[3] = {value, measured(s, HOL_QUANTITY_ROTATION + 1),
                             measured(s, HOL_QUANTITY_ROTATION + 2)};
        turned_by(v, S);
        for (int i = 0; i < 9; i++) compare(s, "rotation vector", i, S[i], R[i], 10);
        break;
    }
    default: break;
    }
}

static void check_geometry(const probe *s)
{
    const double value = hol_re(value_of(s));
    if (s->m.what >= HOL_QUANTITIES) {
        if (s->m.rate == 0) check_coordinates(s, value);
    } else if (s->m.what < HOL_QUANTITY_A)
        compare(s, "displacement", 0, value, displacement(s), 1);
    else if (s->m.what < HOL_QUANTITY_V && s->dimension == 2) {
        const double want = locate(s, s->m.to).theta - locate(s, s->m.from).theta;
        // the markers' own angles up to a turn each, the bodies' with all their turns
        const double off = (value - want) / (2 * HOL_PI);
        compare(s, "planar angle", 0, off, rint(off), 1);
        if (fabs(off) > 2.5) compare(s, "turns", 0, off, 0, 0);
    } else if (s->m.what < HOL_QUANTITY_V)
        compare(s, "angle", 0, value, angle(s), 1);
    else if (s->m.what >= HOL_QUANTITY_W && s->m.what < HOL_QUANTITY_ACC)
        compare(s, "angular velocity", 0, value, angular_velocity(s), 1);
}

// The rate of a measure one level lower, as seen from the frame along whose axes it is taken, is the one above.
static void check_rate(const probe *s)
{
    const int level = hol_quantity_level(&s->m);
    const bool named = s->m.what < HOL_QUANTITIES;
    if (level == 0 || (named && s->m.what / 3 * 3 == HOL_QUANTITY_W) || s->what[2] != s->what[3]) return;
    static const hol_quantity_kind lower[HOL_QUANTITIES] = {[HOL_QUANTITY_V] = HOL_QUANTITY_D,
                                                            [HOL_QUANTITY_ACC] = HOL_QUANTITY_V,
                                                            [HOL_QUANTITY_WDT] = HOL_QUANTITY_W};
    probe same = *s, below;
    same.m.along = same.m.ref = s->m.along ? &s->marker[2] : NULL;
    below = same;
    if (named)
        below.m.what = (hol_quantity_kind)(lower[s->m.what / 3 * 3] + s->m.what % 3);
    else
        below.m.rate--;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    for (int i = 0; i < s->ny; i++) {
        y[i] = beside(s->y[i], s->w[i]);
        w[i] = beside(s->w[i], s->b[i]);
    }
    compare(s, "rate", 0, value_of(&same), cimag(value_at(&below, y, w, s->b)) / STEP, 10);
}

// Components along any frame are those of the global axes, turned.
static void check_components(const probe *s)
{
    if (s->m.what >= HOL_QUANTITIES || s->m.what / 3 * 3 == HOL_QUANTITY_A || !s->m.along) return;
    const place along = locate(s, s->m.along);
    probe global = *s;
    double sum = 0, largest = 1;
    global.m.along = NULL;
    for (int i = 0; i < 3; i++) {
        global.m.what = (hol_quantity_kind)(s->m.what / 3 * 3 + i);
        const double x = hol_re(value_of(&global));
        sum += along.R[3 * i + s->m.what % 3] * x;
        largest = fmax(largest, fabs(x));
    }
    compare(s, "component", 0, value_of(s), sum, largest);
}

// ---- tests ----------------------------------------------------------------------------------------------------

static void gradients(void **state)
{
    (void)state;
    on_all(check_gradient, false);
    on_all(check_part_of_gradient, false);
}

static void series_at_position_level(void **state)
{
    (void)state;
    on_all(check_position_series, false);
}

static void series_at_velocity_level(void **state)
{
    (void)state;
    on_all(check_velocity_series, false);
}

static void values_agree_with_geometry(void **state)
{
    (void)state;
    on_all(check_geometry, true);
}

static void every_level_is_the_rate_of_the_one_below(void **state)
{
    (void)state;
    on_all(check_rate, true);
}

static void components_turn_with_the_frame(void **state)
{
    (void)state;
    on_all(check_components, true);
}

// Known numbers: a planar body that turned more than once, seen from ground.
static void planar_angles_count_turns(void **state)
{
    (void)state;
    const kind what[PLACES] = {BODY, NONE, NONE, NONE};
    probe s;
    make_motions(2);
    make_probe(&s, 2, what, false);
    s.axes[0].u[0][0] = cos(0.3);
    s.axes[0].u[0][1] = sin(0.3);
    s.y[2] = 17;
    s.m.what = (hol_quantity_kind)(HOL_QUANTITY_A + 2);
    compare(&s, "angle", 0, value_of(&s), 17.3, 1);
    s.m.from = &s.marker[0];
    compare(&s, "angle to itself", 0, value_of(&s), 0, 1);
    assert_int_equal(failures, 0);
}

// The pose of `to` is that of `from`, turned by a quaternion, or about x by half a turn before.
static void turn_to(probe *s, const double by[4], bool opposite)
{
    const double half[4] = {0, 1, 0, 0};
    double turned[4], R[9];
    for (int i = 0; i < s->marker[0].size; i++) s->y[s->marker[0].iy + i] = s->y[s->marker[1].iy + i];
    hol_quat_multiply(hol_marker_quat(&s->marker[1]), by, turned);
    if (opposite)
        hol_quat_multiply(turned, half, s->axes[0].quat);
    else
        memcpy(s->axes[0].quat, turned, sizeof turned);
    hol_quat_matrix(s->axes[0].quat, R);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++) s->axes[0].u[a][i] = R[3 * i + a];
    normalise(s, s->marker[0].iy + 3);
}

// About z: the z axes are on one line up to rounding.
static void align(probe *s, bool opposite)
{
    const double angle = random_in(-3, 3), by[4] = {cos(angle / 2), 0, 0, sin(angle / 2)};
    turn_to(s, by, opposite);
}

// The rotation vector of small turns, down to none, for which its closed form has no derivatives.
static void small_rotations_have_their_series(void **state)
{
    static const kind what[PLACES] = {BODY, BODY, NONE, NONE};
    (void)state;
    make_motions(3);
    failures = 0;
    for (int k = 0; k < 24; k++) {
        const double angle = k % 8 ? random_in(0, 0.7) : 0, x = random_in(-1, 1), y = random_in(-1, 1),
                     z = random_in(-1, 1), part = sin(angle / 2) / sqrt(x * x + y * y + z * z),
                     by[4] = {cos(angle / 2), part * x, part * y, part * z};
        probe s;
        make_probe(&s, 3, what, true);
        turn_to(&s, by, false);
        for (int rate = 0; rate < 3; rate++) {
            s.m.what = (hol_quantity_kind)(HOL_QUANTITY_ROTATION + k % 3);
            s.m.rate = rate;
            check_gradient(&s);
            check_position_series(&s);
            check_velocity_series(&s);
            check_rate(&s);
            s.m.what = HOL_QUANTITY_ROTATION;
            check_geometry(&s);
        }
    }
    assert_int_equal(failures, 0);
}

// Where z axes are on one line the swing goes on from 0, or from pi back, as the motion goes: with the components W and A across z of the angular
// velocity and acceleration of `to` as seen from `from`, at |W|, W.A/|W|, and from rest |A|. Gradients are those of these by the complex step.
static void a_swing_goes_on_from_its_kink(void **state)
{
    static const kind what[PLACES] = {BODY, BODY, NONE, NONE};
    (void)state;
    make_motions(3);
    failures = 0;
    for (int k = 0; k < 20; k++) {
        const int sign = k % 2 ? -1 : 1;
        const bool rests = k % 4 > 1;
        probe s;
        make_probe(&s, 3, what, true);
        align(&s, k % 2);
        for (int i = 0; i < s.ny - 1 && rests; i++) s.w[i] = 0;
        for (int i = 0; i < 2; i++) normalise(&s, s.marker[i].iy + 3);
        double W[2], A[2];
        for (int i = 0; i < 2; i++) {
            s.m.along = s.m.ref = &s.marker[1];
            W[i] = measured(&s, HOL_QUANTITY_W + i);
            A[i] = measured(&s, HOL_QUANTITY_WDT + i);
            s.m.along = s.m.ref = NULL;
        }
        const double rate = hypot(W[0], W[1]);
        s.m.what = HOL_QUANTITY_SWING;
        compare(&s, "swing", k, value_of(&s), sign > 0 ? 0 : HOL_PI, 1);
        s.m.rate = 1;
        compare(&s, "swing's rate", k, value_of(&s), sign * rate, 1);
        if (!rests) check_gradient(&s), check_velocity_series(&s);
        s.m.rate = 2;
        compare(&s, "swing's acceleration", k, value_of(&s),
                sign * (rests ? hypot(A[0], A[1]) : (W[0] * A[0] + W[1] * A[1]) / rate), 10);
        check_gradient(&s);
    }
    assert_int_equal(failures, 0);
}

static void names_are_found(void **state)
{
    (void)state;
    int count = 0;
    for (const hol_quantity_name *n = hol_quantity_names; n->name; n++, count++) {
        const size_t length = strlen(n->name);
        char lower[10] = {0};
        for (size_t i = 0; i < length; i++) lower[i] = (char)(n->name[i] - 'A' + 'a');
        assert_ptr_equal(hol_quantity_find(n->name, length), n);
        assert_ptr_equal(hol_quantity_find(lower, length), n);
        assert_null(hol_quantity_find(n->name, length - 1));
        assert_int_equal(n->what, count);
        assert_true(n->max_markers >= 2 && n->max_markers <= 4 && n->arguments && n->doc);
    }
    assert_int_equal(count, HOL_QUANTITIES);
    assert_null(hol_quantity_find("DXX", 3));
    assert_null(hol_quantity_find("", 0));
    assert_non_null(hol_quantity_find("DX(", 2));
}

static int start(void **state)
{
    (void)state;
    ctx = hol_context_create();
    arena = ctx ? hol_arena_create(ctx) : NULL;
    return arena ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients),
        cmocka_unit_test(series_at_position_level),
        cmocka_unit_test(series_at_velocity_level),
        cmocka_unit_test(values_agree_with_geometry),
        cmocka_unit_test(every_level_is_the_rate_of_the_one_below),
        cmocka_unit_test(components_turn_with_the_frame),
        cmocka_unit_test(planar_angles_count_turns),
        cmocka_unit_test(small_rotations_have_their_series),
        cmocka_unit_test(a_swing_goes_on_from_its_kink),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
