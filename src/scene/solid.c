// Triangles of the simple solids about their middle and along z: boxes by their faces, round ones by rings of vertices
// from below to above.
#include "scene/solid.h"
#include "base/base.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SIDES = 24, CAP = 5, CAPSULE_RINGS = 2 * (CAP + 1), CYLINDER_RINGS = 6, ARROW_RINGS = 8 };
static_assert(SIDES * CAPSULE_RINGS == HOL_SOLID_MOST_VERTICES, "the capsule has most");
static_assert(2 * SIDES * (CAPSULE_RINGS - 2) == HOL_SOLID_MOST_TRIANGLES, "the capsule has most");

// The normal of the arrow's head, which is 0.3 long.
#define SLANT 0.28734788556634538
#define ACROSS 0.95782628522115132

// A ring of corners: distance from the axis, height, and the normal in that half plane.
typedef struct {
    double r, z, out, up;
} ring;

// From the lower end to the upper one. A sharp edge is two rings in one place.
static ring ring_of(hol_solid kind, double length, int k)
{
    static const ring cylinder[CYLINDER_RINGS] = {{0, -0.5, 0, -1}, {1, -0.5, 0, -1}, {1, -0.5, 1, 0},
                                                  {1, 0.5, 1, 0},   {1, 0.5, 0, 1},   {0, 0.5, 0, 1}};
    static const ring arrow[ARROW_RINGS] = {{0, 0, 0, -1},           {0.4, 0, 0, -1},      {0.4, 0, 1, 0},
                                            {0.4, 0.7, 1, 0},        {0.4, 0.7, 0, -1},    {1, 0.7, 0, -1},
                                            {1, 0.7, SLANT, ACROSS}, {0, 1, SLANT, ACROSS}};
    if (kind == HOL_SOLID_CYLINDER) return cylinder[k];
    if (kind == HOL_SOLID_ARROW) return arrow[k];
    const bool upper = k > CAP;
    const double angle = HOL_PI / 2 * (upper ? k - CAP - 1 : k - CAP) / CAP;
    const double r = k % (CAPSULE_RINGS - 1) == 0 ? 0 : cos(angle), z = sin(angle);
    return (ring){r, z + (upper ? length : -length) / 2, r, z};
}

static int rings(hol_solid kind)
{
    return kind == HOL_SOLID_CYLINDER ? CYLINDER_RINGS
           : kind == HOL_SOLID_ARROW  ? ARROW_RINGS
                                      : CAPSULE_RINGS;
}

int hol_solid_vertices(hol_solid kind) { return kind == HOL_SOLID_BOX ? 24 : SIDES * rings(kind); }

static void set(float *x, double a, double b, double c)
{
    if (!x) return;
    x[0] = (float)a;
    x[1] = (float)b;
    x[2] = (float)c;
}

// Four corners of each face, anticlockwise.
static void box_points(float (*position)[3], float (*normal)[3])
{
    static const int corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, side = face % 2 ? 1 : -1;
        for (int k = 0; k < 4; k++) {
            double p[3], n[3] = {0};
            p[axis] = 0.5 * side;
            p[(axis + 1) % 3] = 0.5 * side * corner[k][0];
            p[(axis + 2) % 3] = 0.5 * corner[k][1];
            n[axis] = side;
            set(position ? position[4 * face + k] : NULL, p[0], p[1], p[2]);
            set(normal ? normal[4 * face + k] : NULL, n[0], n[1], n[2]);
        }
    }
}

void hol_solid_points(hol_solid kind, double length, float (*position)[3], float (*normal)[3])
{
    if (kind == HOL_SOLID_BOX) {
        box_points(position, normal);
        return;
    }
    for (int k = 0; k < rings(kind); k++)
        for (int i = 0; i < SIDES; i++) {
            const ring at = ring_of(kind, length, k);
            const double c = cos(2 * HOL_PI * i / SIDES), s = sin(2 * HOL_PI * i / SIDES);
            const int v = SIDES * k + i;
            set(position ? position[v] : NULL, at.r * c, at.r * s, at.z);
            set(normal ? normal[v] : NULL, at.out * c, at.out * s, at.up);
        }
}

// Corners of a triangle are counted, and written if there is room for them.
static void face(unsigned (*corner)[3], int *n, int a, int b, int c)
{
    const unsigned of[3] = {(unsigned)a, (unsigned)b, (unsigned)c};
    if (corner) memcpy(corner[*n], of, sizeof of);
    (*n)++;
}

// The triangles of a solid as numbers of its vertices; returns how many there are.
static int faces(hol_solid kind, unsigned (*corner)[3])
{
    int n = 0;
    for (int k = 0; kind == HOL_SOLID_BOX && k < 24; k += 4) {
        face(corner, &n, k, k + 1, k + 2);
        face(corner, &n, k, k + 2, k + 3);
    }
    for (int k = 0; kind != HOL_SOLID_BOX && k < rings(kind) - 1; k++) {
        const ring low = ring_of(kind, 1, k), high = ring_of(kind, 1, k + 1);
        if (low.r == high.r && low.z == high.z) continue; // a sharp edge
        for (int i = 0; i < SIDES; i++) {
            const int a = SIDES * k + i, b = SIDES * k + (i + 1) % SIDES;
            if (low.r > 0) face(corner, &n, a, b, b + SIDES);
            if (high.r > 0) face(corner, &n, a, b + SIDES, a + SIDES);
        }
    }
    return n;
}

int hol_solid_triangles(hol_solid kind) { return faces(kind, NULL); }

void hol_solid_faces(hol_solid kind, unsigned (*corner)[3]) { faces(kind, corner); }
