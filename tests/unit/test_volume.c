// Masses that follow from shapes: volumes, centres and inertia against sums over slices, closed forms of solids that are no shape,
// surfaces of triangles that come ever closer to round solids, and what models make of them.
#include "harness.h"
#include "model/volume.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLICES = 2000, MOST_VERTICES = 20000 };

static const double no_turn[4] = {1, 0, 0, 0};
static double square(double x) { return x * x; }

static hol_drawing drawing(hol_shape_kind kind, double a, double b, double c)
{
    hol_drawing d = {.kind = kind, .size = {a, b, c}, .scale = 1, .density = 1, .file = "m.stl"};
    d.at = (hol_src){.file = "model.yaml", .line = 7, .col = 3};
    memcpy(d.quat, no_turn, sizeof no_turn);
    return d;
}

static hol_volume volume_of(const hol_drawing *d)
{
    hol_volume v;
    if (hol_volume_of(ctx, d, &v)) fail_msg("%s", hol_context_error(ctx));
    return v;
}

static void same_volume(const char *what, const hol_volume *a, const hol_volume *b, double tolerance)
{
    const double size = cbrt(fabs(b->V));
    near(what, a->V, b->V, tolerance * fabs(b->V));
    for (int i = 0; i < 3; i++) near(what, a->centre[i], b->centre[i], tolerance * size);
    for (int i = 0; i < 9; i++) near(what, a->J[i], b->J[i], tolerance * fabs(b->V) * size * size);
}

// ---- closed forms ---------------------------------------------------------------------------------------------

// Radius of a solid of revolution at a height: a cylinder, or with caps.
static double radius_at(const hol_drawing *d, double z)
{
    const double half = d->kind == HOL_SHAPE_SPHERE ? 0 : d->size[1] / 2, beyond = fmax(fabs(z) - half, 0);
    return sqrt(fmax(square(d->size[0]) - square(beyond), 0));
}

// Simpson's rule over discs of pi r^2: each has pi r^4/2 about the axis, pi r^4/4 + pi r^2 z^2 across it. In three pieces, at whose ends the
// radius has kinks, by z = middle + half sin(s), which takes the root's infinite slope away.
static hol_volume by_slices(const hol_drawing *d)
{
    const double half = d->kind == HOL_SHAPE_SPHERE ? 0 : d->size[1] / 2,
                 top = half + (d->kind == HOL_SHAPE_CYLINDER ? 0 : d->size[0]);
    const double end[4] = {-top, -half, half, top};
    hol_volume v = {0};
    for (int piece = 0; piece < 3; piece++)
        for (int i = 0; i <= SLICES; i++) {
            const double s = HOL_PI * (i - SLICES / 2) / SLICES, wide = (end[piece + 1] - end[piece]) / 2;
            const double z = (end[piece] + end[piece + 1]) / 2 + wide * sin(s), r = radius_at(d, z);
            const double weight = HOL_PI / SLICES / 3 *
                                  (i == 0 || i == SLICES ? 1
                                   : i % 2               ? 4
                                                         : 2) *
                                  wide * cos(s);
            const double area = HOL_PI * r * r;
            v.V += weight * area;
            v.J[8] += weight * area * r * r / 2;
            v.J[0] += weight * area * (r * r / 4 + z * z);
        }
    v.J[4] = v.J[0];
    return v;
}

static void round_solids_by_slices(void **state)
{
    (void)state;
    const hol_drawing all[] = {drawing(HOL_SHAPE_CYLINDER, 0.3, 1.7, 0),
                               drawing(HOL_SHAPE_CAPSULE, 0.4, 0.9, 0), drawing(HOL_SHAPE_CAPSULE, 0.1, 3, 0),
                               drawing(HOL_SHAPE_SPHERE, 0.7, 0, 0)};
    for (int i = 0; i < HOL_COUNT(all); i++) {
        const hol_volume v = volume_of(&all[i]), slices = by_slices(&all[i]);
        same_volume("slices", &v, &slices, 1e-9);
    }
}

// Ellipses of the area A = pi b c (1 - x^2/a^2) across x: A/4 ((b^2 + c^2)(1 - x^2/a^2)) about x, A (c^2 (1 - x^2/a^2)/4 + x^2) about y.
static void an_ellipsoid_by_slices(void **state)
{
    (void)state;
    const double a[3] = {0.7, 0.4, 1.1};
    hol_drawing d = drawing(HOL_SHAPE_SPHERE, a[0], a[1], a[2]);
    hol_volume sum = {0};
    d.touch = HOL_TOUCH_ELLIPSOID;
    memcpy(d.own, a, sizeof d.own);
    for (int i = 0; i <= SLICES; i++) {
        const double x = a[0] * (2.0 * i / SLICES - 1), left = 1 - square(x / a[0]),
                     A = HOL_PI * a[1] * a[2] * left;
        const double weight = 2 * a[0] / SLICES / 3 * (i == 0 || i == SLICES ? 1 : i % 2 ? 4 : 2);
        sum.V += weight * A;
        sum.J[0] += weight * A / 4 * (square(a[1]) + square(a[2])) * left;
        sum.J[4] += weight * A * (square(a[2]) * left / 4 + x * x);
        sum.J[8] += weight * A * (square(a[1]) * left / 4 + x * x);
    }
    const hol_volume v = volume_of(&d);
    same_volume("slices", &v, &sum, 1e-10);
}

// Eight boxes with a common corner are a box.
static void boxes_add_up(void **state)
{
    (void)state;
    const double size[3] = {0.7, 1.1, 2.3}, cut[3] = {0.2, 0.5, 0.8};
    const hol_drawing all = drawing(HOL_SHAPE_BOX, size[0], size[1], size[2]);
    hol_volume sum = {0}, whole = volume_of(&all);
    near("V", whole.V, 0.7 * 1.1 * 2.3, 1e-15);
    near("Jz", whole.J[8], whole.V * (0.49 + 1.21) / 12, 1e-15);
    for (int k = 0; k < 8; k++) {
        hol_drawing part = all;
        for (int i = 0; i < 3; i++) {
            const bool upper = k >> i & 1;
            part.size[i] = upper ? size[i] - cut[i] : cut[i];
            part.position[i] = -size[i] / 2 + (upper ? (cut[i] + size[i]) / 2 : cut[i] / 2);
        }
        const hol_volume v = volume_of(&part);
        hol_volume_add(&sum, &v, 1);
    }
    same_volume("box of boxes", &sum, &whole, 1e-14);
}

// A tube: what a hole leaves is that of the outer minus the inner cylinder, and it stays where it is.
static void holes_take_away(void **state)
{
    (void)state;
    hol_drawing outer = drawing(HOL_SHAPE_CYLINDER, 0.5, 2, 0),
                inner = drawing(HOL_SHAPE_CYLINDER, 0.4, 2, 0);
    for (int i = 0; i < 3; i++) outer.position[i] = inner.position[i] = i + 1;
    const hol_volume a = volume_of(&outer), b = volume_of(&inner);
    hol_volume sum = {0};
    hol_volume_add(&sum, &a, 1000);
    hol_volume_add(&sum, &b, -1000);
    const double m = 1000 * HOL_PI * (0.25 - 0.16) * 2;
    near("m", sum.V, m, 1e-12 * m);
    near("Jz", sum.J[8], m * (0.25 + 0.16) / 2, 1e-12 * m);
    near("Jx", sum.J[0], m * (3 * (0.25 + 0.16) + 4) / 12, 1e-12 * m);
    near("xy", sum.J[1], 0, 1e-12 * m);
    for (int i = 0; i < 3; i++) near("centre", sum.centre[i], i + 1, 1e-12);
}

// Turned and shifted: V is the same, the centre goes along, J = R J R^T.
static void turned_and_shifted(void **state)
{
    (void)state;
    static const double points[] = {0, 0, 0, 1, 0.2, 0, 1.2, 1, -0.4};
    hol_random dice = {.state = 5};
    for (int round = 0; round < 20; round++)
        for (int kind = HOL_SHAPE_BOX; kind <= HOL_SHAPE_POLYLINE; kind++) {
            hol_drawing d = drawing((hol_shape_kind)kind, 0.3, 0.8, 1.4);
            d.n_points = 3, d.point = points, d.closed = round % 2;
            const hol_volume v = volume_of(&d);
            double R[9], length = 0, J[9] = {0};
            for (int i = 0; i < 4; i++) length += square(d.quat[i] = random_in(&dice, -1, 1));
            for (int i = 0; i < 4; i++) d.quat[i] /= sqrt(length);
            for (int i = 0; i < 3; i++) d.position[i] = random_in(&dice, -2, 2);
            const hol_volume turned = volume_of(&d);
            hol_quat_matrix(d.quat, R);
            near("V", turned.V, v.V, 1e-14 * v.V);
            for (int i = 0; i < 3; i++) {
                double at = d.position[i];
                for (int k = 0; k < 3; k++) at += R[3 * i + k] * v.centre[k];
                near("centre", turned.centre[i], at, 1e-13);
                for (int k = 0; k < 3; k++)
                    for (int a = 0; a < 3; a++)
                        for (int b = 0; b < 3; b++)
                            J[3 * i + k] += R[3 * i + a] * v.J[3 * a + b] * R[3 * k + b];
            }
            for (int i = 0; i < 9; i++) near("J", turned.J[i], J[i], 1e-13);
        }
}

// A polyline is its rods: a closed triangle, 3 + 4 + 5 m long.
static void polylines_are_rods(void **state)
{
    (void)state;
    static const double points[] = {0, 0, 0, 3, 0, 0, 3, 4, 0};
    hol_drawing d = drawing(HOL_SHAPE_POLYLINE, 0.1, 0, 0);
    d.n_points = 3, d.point = points, d.closed = true;
    const hol_volume v = volume_of(&d);
    near("V", v.V, HOL_PI * 0.01 * 12, 1e-14);
    near("x", v.centre[0], (3 * 1.5 + 4 * 3 + 5 * 1.5) / 12, 1e-14);
    near("y", v.centre[1], (4 * 2 + 5 * 2.0) / 12, 1e-14);
    d.closed = false;
    near("open", volume_of(&d).V, HOL_PI * 0.01 * 7, 1e-14);
}

// ---- surfaces of triangles ------------------------------------------------------------------------------------

typedef struct {
    hol_mesh mesh;
    float position[3 * MOST_VERTICES];
    unsigned index[6 * MOST_VERTICES];
} surface;
static surface s;

static void clear(void) { s.mesh = (hol_mesh){.position = s.position, .index = s.index}; }

static unsigned vertex(double x, double y, double z)
{
    float *p = &s.position[3 * s.mesh.n_vertices];
    p[0] = (float)x, p[1] = (float)y, p[2] = (float)z;
    return (unsigned)s.mesh.n_vertices++;
}

static void triangle(unsigned a, unsigned b, unsigned c)
{
    unsigned *t = &s.index[3 * s.mesh.n_triangles++];
    t[0] = a, t[1] = b, t[2] = c;
}

// A torus about z, tube r at the distance R, of n by n quadrilaterals; a closed net of corners whose neighbours share them.
static void make_torus(double R, double r, int n)
{
    clear();
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double a = 2 * HOL_PI * i / n, b = 2 * HOL_PI * k / n, far = R + r * cos(b);
            vertex(far * cos(a), far * sin(a), r * sin(b));
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const unsigned at = (unsigned)(n * i + k), right = (unsigned)(n * ((i + 1) % n) + k),
                           up = (unsigned)(n * i + (k + 1) % n),
                           both = (unsigned)(n * ((i + 1) % n) + (k + 1) % n);
            triangle(at, right, both);
            triangle(at, both, up);
        }
}

// A box from low to high, of 12 triangles with corners of their own, as STL files have them. inwards: turned round.
static void add_box(const double low[3], const double high[3], bool inwards)
{
    static const int quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int f = 0; f < 6; f++)
        for (int half = 0; half < 2; half++) {
            unsigned v[3];
            for (int a = 0; a < 3; a++) {
                const int c = quad[f][a == 0 ? 0 : a + half];
                v[a] = vertex(c & 1 ? high[0] : low[0], c & 2 ? high[1] : low[1], c & 4 ? high[2] : low[2]);
            }
            if (inwards)
                triangle(v[0], v[2], v[1]);
            else
                triangle(v[0], v[1], v[2]);
        }
}

static hol_status mesh_volume(hol_volume *out)
{
    const hol_drawing d = drawing(HOL_SHAPE_MESH, 0, 0, 0);
    hol_context_clear(ctx);
    return hol_volume_of_mesh(ctx, &d, &s.mesh, out);
}

// Tetrahedron with edges a, b, c along the axes: V = abc/6, centre (a, b, c)/4, Jx = 3/80 V (b^2 + c^2), Jxy = V a b/80.
static void tetrahedron(void **state)
{
    (void)state;
    const double a = 0.5, b = 0.75, c = 1.25; // without a rest in binary
    hol_volume v;
    clear();
    const unsigned o = vertex(2, 3, 4), x = vertex(2 + a, 3, 4), y = vertex(2, 3 + b, 4),
                   z = vertex(2, 3, 4 + c);
    triangle(o, y, x);
    triangle(o, x, z);
    triangle(o, z, y);
    triangle(x, y, z);
    assert_int_equal(mesh_volume(&v), HOL_OK);
    const hol_volume exact = {
        a * b * c / 6,
        {2 + a / 4, 3 + b / 4, 4 + c / 4},
        {a * b * c / 160 * (b * b + c * c), a * b * c / 480 * a * b, a * b * c / 480 * a * c,
         a * b * c / 480 * a * b, a * b * c / 160 * (a * a + c * c), a * b * c / 480 * b * c,
         a * b * c / 480 * a * c, a * b * c / 480 * b * c, a * b * c / 160 * (a * a + b * b)}};
    same_volume("tetrahedron", &v, &exact, 1e-14);
}

// A turned tetrahedron of a file in a mirror about any of the planes: S c, S J S; its points lie where its mass is.
static void a_mesh_file_in_a_mirror(void **state)
{
    (void)state;
    char folder[] = "/tmp/holonom_mesh_XXXXXX", path[60];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.obj", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("v 2 3 4\nv 2.5 3 4\nv 2 3.75 4\nv 2 3 5.25\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", f);
    assert_int_equal(fclose(f), 0);
    hol_drawing plain = drawing(HOL_SHAPE_MESH, 0, 0, 0);
    plain.file = path;
    plain.scale = 0.1;
    memcpy(plain.position, (double[3]){0.3, -0.2, 0.7}, sizeof plain.position);
    memcpy(plain.quat, (double[4]){0.5, 0.5, -0.1, sqrt(1 - 0.51)}, sizeof plain.quat);
    const hol_volume v = volume_of(&plain);
    for (hol_mirror m = 1; m <= HOL_MIRROR_AXES; m++) {
        hol_drawing d = plain;
        hol_volume image = v;
        hol_mesh mesh;
        double low[3], high[3];
        d.mirror = m; // as shapes are read
        hol_mirror_point(m, d.position);
        hol_mirror_quat(m, d.quat);
        hol_mirror_point(m, image.centre);
        for (int i = 0; i < 9; i++) image.J[i] *= hol_mirror_polar(m, i / 3) * hol_mirror_polar(m, i % 3);
        const hol_volume have = volume_of(&d);
        same_volume("image", &have, &image, 1e-14);
        assert_int_equal(hol_mesh_read(ctx, &d, &mesh), HOL_OK);
        hol_volume_box(&d, &mesh, low, high);
        assert_true(hol_volume_holds(&d, &mesh, image.centre));
        for (int i = 0; i < 3; i++) assert_true(low[i] < image.centre[i] && image.centre[i] < high[i]);
        hol_mesh_destroy(&mesh);
    }
    unlink(path);
    rmdir(folder);
}

// V = 2 pi^2 R r^2, Jz = V (R^2 + 3/4 r^2), Jx = V (R^2/2 + 5/8 r^2): a quarter of the error with twice the corners.
static void torus_converges(void **state)
{
    (void)state;
    const double R = 1, r = 0.375;
    hol_drawing ring = drawing(HOL_SHAPE_POLYLINE, r, 0, 0);
    ring.touch = HOL_TOUCH_TORUS;
    memcpy(ring.own, (double[3]){R, r}, sizeof ring.own);
    const hol_volume exact = volume_of(&ring);
    near("V", exact.V, 2 * square(HOL_PI) * R * r * r, 1e-14);
    near("Jx", exact.J[4], exact.V * (R * R / 2 + 0.625 * r * r), 1e-14);
    double error[3][3];
    for (int k = 0; k < 3; k++) {
        hol_volume v;
        make_torus(R, r, 32 << k);
        assert_int_equal(mesh_volume(&v), HOL_OK);
        error[k][0] = v.V / exact.V - 1;
        error[k][1] = v.J[0] / exact.J[0] - 1;
        error[k][2] = v.J[8] / exact.J[8] - 1;
        for (int i = 0; i < 3; i++) near("centre", v.centre[i], 0, 1e-7); // of numbers of 24 bits
        near("off", v.J[1], 0, 1e-7);
    }
    for (int i = 0; i < 3; i++) {
        near("error", error[2][i], 0, 3e-3);
        for (int k = 0; k < 2; k++) near("a quarter", error[k + 1][i] / error[k][i], 0.25, 0.01);
    }
}

// A box with a cavity, of triangles that share no corner, is a box less a box.
static void cavities(void **state)
{
    (void)state;
    static const double low[3] = {0, 0, 0}, high[3] = {2, 1, 1}, in[3] = {0.25, 0.25, 0.25},
                        out[3] = {0.75, 0.75, 0.5};
    hol_volume v, sum = {0};
    clear();
    add_box(low, high, false);
    add_box(in, out, true);
    assert_int_equal(mesh_volume(&v), HOL_OK);
    hol_drawing box = drawing(HOL_SHAPE_BOX, 2, 1, 1), hole = drawing(HOL_SHAPE_BOX, 0.5, 0.5, 0.25);
    for (int i = 0; i < 3; i++) box.position[i] = high[i] / 2, hole.position[i] = (in[i] + out[i]) / 2;
    const hol_volume a = volume_of(&box), b = volume_of(&hole);
    hol_volume_add(&sum, &a, 1);
    hol_volume_add(&sum, &b, -1);
    same_volume("cavity", &v, &sum, 1e-14);
    clear(); // beside it, it is inside out
    add_box(low, high, false);
    add_box((double[3]){3, 0, 0}, (double[3]){3.5, 0.5, 0.5}, true);
    assert_int_equal(mesh_volume(&v), HOL_ERR_MODEL);
    expect_message("is turned inside out: the triangles about (3, ");
}

static void surfaces_that_hold_nothing(void **state)
{
    (void)state;
    static const double low[3] = {0, 0, 0}, high[3] = {2, 1, 1};
    hol_volume v;
    clear();
    add_box(low, high, false);
    s.mesh.n_triangles--; // the half of the face at x = 2
    assert_int_equal(mesh_volume(&v), HOL_ERR_MODEL);
    expect_message(
        "is open, and encloses no volume: 3 edges have no triangle on one side, such as that from (2, ");
    expect_message(
        "close the surface in the program that made it, or give another file, or mass, com and inertia");
    clear();
    add_box(low, high, true);
    assert_int_equal(mesh_volume(&v), HOL_ERR_MODEL);
    expect_message("is turned inside out");
    clear();
    add_box(low, high, false);
    const unsigned first = s.index[0];
    s.index[0] = s.index[1], s.index[1] = first;
    assert_int_equal(mesh_volume(&v), HOL_ERR_MODEL);
    expect_message("has triangles that look outwards beside others that look inwards, at 3 edges");
    clear();
    add_box(low, (double[3]){2, 1, 0}, false);
    assert_int_equal(mesh_volume(&v), HOL_ERR_MODEL);
    expect_message("is flat: it encloses no volume");
    hol_context_clear(ctx);
    const hol_drawing tiny = drawing(HOL_SHAPE_SPHERE, 1e-120, 0, 0);
    assert_int_equal(hol_volume_of(ctx, &tiny, &v), HOL_ERR_MODEL);
    expect_message("a volume of 0 m^3, which has no mass");
}

// ---- points ---------------------------------------------------------------------------------------------------

// The part of its box that holds a shape, by points, is its volume; no point of a wider box lies outside of it.
static void points_within(void **state)
{
    (void)state;
    static const double points[] = {0, 0, 0, 1, 0.2, 0, 1.2, 1, -0.4};
    hol_random dice = {.state = 3};
    make_torus(1, 0.375, 24);
    for (int kind = HOL_SHAPE_BOX; kind <= HOL_SHAPE_MESH + 2; kind++) {
        const int n = kind == HOL_SHAPE_MESH ? 3000 : 30000;
        const bool touches = kind > HOL_SHAPE_MESH; // a torus, an ellipsoid
        hol_drawing d = drawing(touches ? HOL_SHAPE_SPHERE : (hol_shape_kind)kind, 0.3, 0.8, 1.4);
        if (touches) d.touch = kind == HOL_SHAPE_MESH + 1 ? HOL_TOUCH_TORUS : HOL_TOUCH_ELLIPSOID;
        memcpy(d.own, (double[3]){0.8, 0.3, 1.4}, sizeof d.own);
        double low[3], high[3], box = 1, x[3];
        int hits = 0;
        if (kind == HOL_SHAPE_POLYLINE) d.n_points = 3, d.point = points, d.size[0] = 0.02;
        memcpy(d.quat, (double[4]){0.5, 0.5, -0.1, sqrt(1 - 0.51)}, sizeof d.quat);
        d.position[1] = 3;
        hol_volume_box(&d, &s.mesh, low, high);
        for (int i = 0; i < 3; i++) {
            const double more = 0.1 * (high[i] - low[i]);
            low[i] -= more, high[i] += more;
            box *= high[i] - low[i];
        }
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < 3; i++) x[i] = random_in(&dice, low[i], high[i]);
            const bool within = hol_volume_holds(&d, &s.mesh, x);
            hits += within;
            for (int i = 0; i < 3 && within; i++) {
                const double more = (high[i] - low[i]) / 12 * (1 - 1e-6);
                assert_true(x[i] >= low[i] + more && x[i] <= high[i] - more);
            }
        }
        hol_volume v = {0};
        if (kind == HOL_SHAPE_MESH)
            assert_int_equal(mesh_volume(&v), HOL_OK);
        else
            v = volume_of(&d);
        const double part = v.V / box;
        near("part", (double)hits / n, part, 4 * sqrt(part / n)); // four times what chance does
    }
}

// ---- models ---------------------------------------------------------------------------------------------------

#define SPACE(bodies) "dimension: 3\nbodies: [{name: a, " bodies "}]\n"
#define PLANE(bodies) "dimension: 2\nbodies: [{name: a, " bodies "}]\n"

// Mass, centre and inertia (xx, yy, zz, xy, xz, yz; the plane: zz alone) of the body of a model.
static void body_is(const char *text, double m, const double com[3], const double J[6])
{
    static const int entry[6] = {0, 4, 8, 1, 2, 5};
    hol_model_data *model = compile(text, NULL, 0);
    const hol_element *e = &model->element[0];
    hol_inertia b;
    double c[3];
    e->type->inertia(e->data, &b);
    hol_model_com(model, 0, c);
    near(text, b.m, m, 1e-12 * m);
    for (int i = 0; i < 3; i++) near(text, c[i], com[i], 1e-12);
    for (int i = 0; i < 6; i++) near(text, b.J[entry[i]], J[i], 1e-12 * m);
    hol_model_free(model);
}

static void models_have_the_mass_of_their_shapes(void **state)
{
    (void)state;
    const double ball = 4 * HOL_PI / 3 * 0.001;
    body_is(SPACE("density: 2, shape: {type: box, size: [1, 2, 3], position: [4, 5, 6]}"), 12,
            (double[3]){4, 5, 6}, (double[6]){13, 10, 5});
    // two boxes of 6 kg and 2 kg: centre 1/4 of the way, mu = 12/8 about y and z
    body_is(
        SPACE("density: 3, shape: [{type: box, size: [1, 1, 2]}, {type: box, size: [1, 1, 2], position: [4, "
              "0, 0], density: 1}]"),
        8, (double[3]){1, 0, 0}, (double[6]){8 * 5. / 12, 8 * 5. / 12 + 24, 8 * 2. / 12 + 24});
    // the same of 16 kg in all, and of no density at all
    body_is(SPACE("mass: 16, shape: [{type: box, size: [1, 1, 2], density: 3}, {type: box, size: [1, 1, 2], "
                  "position: [4, 0, 0], density: 1}]"),
            16, (double[3]){1, 0, 0}, (double[6]){16 * 5. / 12, 16 * 5. / 12 + 48, 16 * 2. / 12 + 48});
    body_is(SPACE("mass: 5, shape: {type: sphere, radius: 0.1, position: [0, 1, 0]}"), 5,
            (double[3]){0, 1, 0}, (double[6]){0.02, 0.02, 0.02});
    // what is only drawn has no mass; mass and inertia that are given stay
    body_is(
        SPACE(
            "density: 1000, shape: [{type: sphere, radius: 0.1}, {type: box, size: [9, 9, 9], density: 0}]"),
        1000 * ball, (double[3]){0}, (double[6]){4 * ball, 4 * ball, 4 * ball});
    body_is(SPACE("mass: 1, inertia: [1, 2, 2.5], shape: {type: sphere, radius: 0.1, position: [1, 0, 0]}"),
            1, (double[3]){0}, (double[6]){1, 2, 2.5});
    body_is(SPACE("type: point, density: 1000, shape: {type: sphere, radius: 0.1}"), 1000 * ball,
            (double[3]){0}, (double[6]){0});
}

static void models_of_the_plane(void **state)
{
    (void)state;
    const double p = HOL_PI;
    body_is(
        PLANE(
            "density: 1000, shape: {type: box, size: [2, 1], thickness: 0.01, angle: 0.5, position: [3, 4]}"),
        20, (double[3]){3, 4, 0}, (double[6]){[2] = 20 * 5. / 12});
    body_is(PLANE("density: 1000, shape: {type: cylinder, radius: 0.5, length: 0.02}"), 5 * p, (double[3]){0},
            (double[6]){[2] = 5 * p / 8});
    // rods lie in the plane
    body_is(PLANE("density: 1000, shape: {type: cylinder, radius: 0.1, from: [0, 0], to: [3, 4]}"), 50 * p,
            (double[3]){1.5, 2, 0}, (double[6]){[2] = 50 * p * (0.03 + 25) / 12});
    // plates without a thickness by their areas: 2 m^2 and pi/4 m^2 less
    body_is(PLANE("mass: 7, shape: {type: box, size: [2, 1]}"), 7, (double[3]){0},
            (double[6]){[2] = 35. / 12});
    const double m = 2 - p / 16;
    body_is(PLANE("mass: 7, shape: [{type: box, size: [2, 1]}, {type: cylinder, radius: 0.25, hole: yes}]"),
            7, (double[3]){0}, (double[6]){[2] = 7 / m * (2 * 5. / 12 - p / 16 * 0.0625 / 2)});
    // a hole without a density has that of the solids: 2700 (8 - 1), a cube of 2 m with one of 1 m taken out
    body_is(SPACE("shape: [{type: box, size: [2, 2, 2], density: 2700}, {type: box, size: [1, 1, 1], hole: "
                  "yes}]"),
            2700 * 7, (double[3]){0},
            (double[6]){2700 * (8 * 8 - 2) / 12., 2700 * (8 * 8 - 2) / 12., 2700 * (8 * 8 - 2) / 12.});
    // and not that of the body, which the cube does not have
    body_is(SPACE("density: 1000, shape: [{type: box, size: [1, 1, 1], hole: yes}, {type: box, size: [2, 2, "
                  "2], density: 2700}]"),
            2700 * 7, (double[3]){0},
            (double[6]){2700 * (8 * 8 - 2) / 12., 2700 * (8 * 8 - 2) / 12., 2700 * (8 * 8 - 2) / 12.});
}

// Millimetres, tonnes and seconds: 7.85e-9 t/mm^3 is steel.
static void units_of_densities(void **state)
{
    (void)state;
    const double m = 7.85;
    static const char shape[] = "shape: {type: box, size: [100, 100, 100], position: [0, 0, 50]}}]\n";
    static const char *const density[] = {"7.85e-9", "7850 kg/m^3", "7.85 g/cm^3"};
    for (int i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "dimension: 3\nunits: {system: mm-N-t-s}\nbodies: [{name: a, density: %s, %s", density[i],
                 shape);
        body_is(text, m, (double[3]){0, 0, 0.05}, (double[6]){m / 600, m / 600, m / 600});
    }
}

// Centres are those of drawings, markers and of what the motion starts from: a pendulum by its shape is that by numbers.
static void motion_of_a_shape(void **state)
{
    (void)state;
    static const char with[] =
        "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: a, %s, position: [0.1, 0], markers: {o: [0, "
        "0.2]}}]\n"
        "joints: [{name: h, type: revolute, between: [ground, a.o]}]\nsimulate: {end: 1, tolerance: 1e-9}\n";
    static const char *const body[] = {
        "density: 1000, shape: {type: box, size: [2, 1], thickness: 0.01, position: [1, 0.25]}",
        "mass: 20, com: [1, 0.25], inertia: 20*5/12"};
    double x[2];
    for (int i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text, with, body[i]);
        motion a = move(text, NULL, 0);
        x[i] = value_of(&a, "a.x");
        close_motion(&a);
    }
    near("motion", x[0], x[1], 1e-12);
}

// Results of a body whose mesh has changed are of another model, even with the same text.
static void meshes_belong_to_the_model(void **state)
{
    (void)state;
    char folder[] = "/tmp/holonom-volume-XXXXXX", path[100], text[400];
    unsigned long long hash[3];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.obj", folder);
    for (int i = 0; i < 3; i++) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fprintf(f, "v 0 0 0\nv %d 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
                i < 2 ? 1 : 2);
        fclose(f);
        snprintf(text, sizeof text, SPACE("density: 6000, shape: {type: mesh, file: \"%s\", scale: 100 mm}"),
                 path);
        hol_model_data *m = compile(text, NULL, 0);
        hash[i] = m->spec->hash;
        near("m", m->spec->mass[0].is[0], i < 2 ? 1 : 2, 1e-6); // abc/6
        hol_model_free(m);
    }
    assert_true(hash[0] == hash[1] && hash[1] != hash[2]);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_solids_by_slices),
        cmocka_unit_test(an_ellipsoid_by_slices),
        cmocka_unit_test(boxes_add_up),
        cmocka_unit_test(holes_take_away),
        cmocka_unit_test(turned_and_shifted),
        cmocka_unit_test(polylines_are_rods),
        cmocka_unit_test(tetrahedron),
        cmocka_unit_test(a_mesh_file_in_a_mirror),
        cmocka_unit_test(torus_converges),
        cmocka_unit_test(cavities),
        cmocka_unit_test(surfaces_that_hold_nothing),
        cmocka_unit_test(points_within),
        cmocka_unit_test(models_have_the_mass_of_their_shapes),
        cmocka_unit_test(models_of_the_plane),
        cmocka_unit_test(units_of_densities),
        cmocka_unit_test(motion_of_a_shape),
        cmocka_unit_test(meshes_belong_to_the_model),
    };
    return cmocka_run_group_tests_name("volume", tests, start, stop);
}
