// `shape:` of bodies and of ground: how they are drawn, and what of their mass they hold.
#include "element/profile.h"
#include "model/read.h"
#include "model/subsystem.h"

#include <math.h>
#include <string.h>

static const hol_option shape_rows[] = {
    {"type", HOL_CHOICE, "", 0, 0, 0, HOL_REQUIRED,
     "box|cylinder|sphere|capsule|polyline|mesh|halfplane|halfspace|segment|arc|polygon|curve|torus|"
     "ellipsoid",
     "what is drawn"},
    {"name", HOL_TEXT, "", 0, 0, 0, 0, NULL, "by which contacts call it: body.name"},
    {"material", HOL_TEXT, "", 0, 0, 0, 0, NULL,
     "by which contacts find how hard it is: a name of `materials`"},
    {"position", HOL_VECTOR, "m", 0, -HOL_INF, HOL_INF, 0, NULL,
     "its middle, or the origin of its points, in the body frame"},
    {"angle", HOL_NUMBER, "rad", 0, -HOL_INF, HOL_INF, HOL_ONLY_2D, NULL, "angle in the body frame"},
    {"orientation", HOL_MAP, "", 0, 0, 0, HOL_ONLY_3D, "orientation", "orientation in the body frame"},
    {"color", HOL_TEXT, "", 0, 0, 0, 0, NULL, "\"#rrggbb\" in quotes; default: one for each body"},
    {"density", HOL_NUMBER, "kg/m^3", HOL_NONE, 0, HOL_INF, 0, NULL,
     "of a body whose mass or inertia follows from its shapes; 0: it is only drawn; default: that of the "
     "body"},
    {"hole", HOL_FLAG, "", 0, 0, 0, 0, NULL,
     "yes: what it takes up is missing in the shapes that hold it; it is not drawn. Its density is theirs, "
     "where all have one, else that of the body, where some have that"},
    {"collide", HOL_FLAG, "", 1, 0, 0, 0, NULL,
     "no: rules of contacts that name its body do not take it, it touches nothing"},
    HOL_END_OPTIONS};
enum { TYPE, NAME, MATERIAL, POSITION, ANGLE, ORIENTATION, COLOR, DENSITY, HOLE, COLLIDE, N_KEYS };

enum { SIZE, THICKNESS };
// The first rows of a table have the same place in all types that have them.
enum { RADIUS, LENGTH, AXIS, FROM, TO, RIM, MOST_KEYS };
static const hol_option box_keys[] = {
    {"size", HOL_VECTOR, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE | HOL_REQUIRED, NULL,
     "its edges along x, y and z; 2D: x and y"},
    {"thickness", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE | HOL_ONLY_2D, NULL,
     "across the plane; default: drawn as thick as a link"},
    HOL_END_OPTIONS};
#define RADIUS_ROW                                                                                           \
    {                                                                                                        \
        "radius", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE | HOL_REQUIRED, NULL, "its radius"        \
    }
#define FROM_TO_ROWS                                                                                         \
    {"from", HOL_VECTOR, "m",                                                                                \
     0,      -HOL_INF,   HOL_INF,                                                                            \
     0,      NULL,       "one end in the body frame, with `to` instead of length, position and axis"},       \
    {                                                                                                        \
        "to", HOL_VECTOR, "m", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "the other end"                         \
    }
static const hol_option cylinder_keys[] = {
    RADIUS_ROW,
    {"length", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "its length; in 2D it may be left away: a disc, drawn as thick as a link"},
    {"axis", HOL_VECTOR, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "its axis in the body frame; default: z, in 2D upright on the plane"},
    FROM_TO_ROWS,
    {"rim", HOL_NUMBER, "m", 0, 0, HOL_INF, HOL_ONLY_3D, NULL,
     "radius by which its edges are round where it touches; default: sharp"},
    HOL_END_OPTIONS};
static const hol_option capsule_keys[] = {RADIUS_ROW,
                                          {"length", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
                                           "between the centres of its round ends"},
                                          {"axis", HOL_VECTOR, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
                                           "its axis in the body frame; default: z, in 2D x"},
                                          FROM_TO_ROWS,
                                          HOL_END_OPTIONS};
static const hol_option segment_keys[] = {
    {"from", HOL_VECTOR, "m", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL, "one end, from its position"},
    {"to", HOL_VECTOR, "m", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL, "the other end"},
    HOL_END_OPTIONS};
enum { SEGMENT_FROM, SEGMENT_TO };
static const hol_option arc_keys[] = {
    RADIUS_ROW,
    {"start", HOL_NUMBER, "rad", 0, -HOL_INF, HOL_INF, 0, NULL, "angle of one end, from its x axis"},
    {"end", HOL_NUMBER, "rad", 2 * HOL_PI, -HOL_INF, HOL_INF, 0, NULL,
     "angle of the other one, above `start`; default: 360 deg"},
    HOL_END_OPTIONS};
enum { ARC_RADIUS, ARC_START, ARC_END };
static const hol_option polygon_keys[] = {
    {"points", HOL_POINTS, "m", 0, 0, 0, HOL_REQUIRED, NULL, "its corners in turn, each a vector"},
    HOL_END_OPTIONS};
static const hol_option curve_keys[] = {
    {"curve", HOL_SPLINE, "", HOL_NONE, 0, 0, HOL_REQUIRED, NULL,
     "cubic or akima spline, y of x; polar: the radius over the angle, 0 to a full turn"},
    {"polar", HOL_FLAG, "", 0, 0, 1, 0, NULL,
     "a closed curve around its position, a solid; points before 0 and beyond a full turn make it smooth "
     "there"},
    HOL_END_OPTIONS};
enum { CURVE_TABLE, POLAR };
static const hol_option torus_keys[] = {
    {"radius", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE | HOL_REQUIRED, NULL,
     "of the middle of its tube"},
    {"tube", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE | HOL_REQUIRED, NULL, "radius of its tube"},
    {"axis", HOL_VECTOR, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "its axis in the body frame; default: z"},
    HOL_END_OPTIONS};
enum { TORUS_RADIUS, TUBE, TORUS_AXIS };
static const hol_option ellipsoid_keys[] = {{"radii", HOL_VECTOR, "m", HOL_NONE, 0, HOL_INF,
                                             HOL_ABOVE | HOL_REQUIRED, NULL,
                                             "half its size along x, y and z"},
                                            HOL_END_OPTIONS};
static const hol_option sphere_keys[] = {RADIUS_ROW, HOL_END_OPTIONS};

enum { LINE_RADIUS, POINTS, CLOSED };
static const hol_option polyline_keys[] = {
    {"radius", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "of the line; default: as thick as a link"},
    {"points", HOL_POINTS, "m", 0, 0, 0, HOL_REQUIRED, NULL, "a list of points, each a vector"},
    {"closed", HOL_FLAG, "", 0, 0, 0, 0, NULL, "yes: the last point is joined to the first"},
    HOL_END_OPTIONS};

enum { MESH_FILE, SCALE };
static const hol_option mesh_keys[] = {{"file", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED | HOL_FILE, NULL,
                                        "STL, OBJ, glTF or GLB, beside the file that names it"},
                                       {"scale", HOL_NUMBER, "m", 1, 0, HOL_INF, HOL_ABOVE, NULL,
                                        "length of a unit of the mesh file, such as 1 mm; default: 1 m"},
                                       HOL_END_OPTIONS};

// Drawn as a plate, of which they are what is below the upper face.
enum { HALFPLANE = HOL_SHAPE_NONE, HALFSPACE, SEGMENT, ARC, POLYGON, CURVE, TORUS, ELLIPSOID, EXTENT = 0 };
#define PLATE 0.02 // thickness of what is drawn, of its width
#define THIN 0.008 // of a line of the plane, of its size
static const hol_option half_keys[] = {
    {"extent", HOL_NUMBER, "m", 1, 0, HOL_INF, HOL_ABOVE, NULL, "how wide it is drawn"}, HOL_END_OPTIONS};

static const struct {
    const char *name, *doc;
    const hol_option *rows;
    int dimensions; // 2, 3, or 5 for both
} types[] = {
    {"box", "A box.", box_keys, 5},
    {"cylinder", "A cylinder or disc.", cylinder_keys, 5},
    {"sphere", "A sphere.", sphere_keys, 5},
    {"capsule", "A cylinder with round ends: a link.", capsule_keys, 5},
    {"polyline", "A line through points, drawn as thick as a link.", polyline_keys, 5},
    {"mesh",
     "Triangles of a file. It is read when the model is drawn, not when it runs, unless the mass of the body "
     "follows from it.",
     mesh_keys, 5},
    {"halfplane", "All that is below its x axis, for contacts.", half_keys, 2},
    {"halfspace", "All that is below its xy plane, for contacts.", half_keys, 3},
    {"segment", "A straight line without thickness, for contacts on both of its sides.", segment_keys, 2},
    {"arc", "A circle or a part of it, a line without thickness, for contacts on both of its sides.",
     arc_keys, 2},
    {"polygon", "A solid with straight sides, drawn by its outline, for contacts.", polygon_keys, 2},
    {"curve",
     "A solid within a closed curve, a cam, or below an open one, which goes on straight beyond its ends, by "
     "a "
     "spline; drawn as a line, for contacts.",
     curve_keys, 2},
    {"torus", "A ring.", torus_keys, 3},
    {"ellipsoid", "An ellipsoid.", ellipsoid_keys, 3}};

const char *hol_shape_word(hol_shape_kind kind) { return types[kind].name; }

const char *hol_drawing_word(const hol_drawing *d, int dimension)
{
    if (d->half) return types[dimension == 2 ? HALFPLANE : HALFSPACE].name;
    return types[d->touch == HOL_TOUCH_DRAWN ? (int)d->kind : SEGMENT + (int)d->touch - 1].name;
}

// Cylinders and capsules: by both ends, or by length and axis.
#define PLACED "from and to say where it is: leave length, axis, position and its turn away"
#define NO_LENGTH "its length is missing: give length, or from and to"
static const hol_rule round_rules[] = {
    {HOL_GOES_WITH, "from|to", "from and to go together: give both ends", NULL},
    {HOL_GOES_WITH, "to|from", "from and to go together: give both ends", NULL},
    {HOL_NOT_BOTH, "from|length", PLACED, NULL},
    {HOL_NOT_BOTH, "from|axis", PLACED, NULL},
    {HOL_NOT_BOTH, "from|position", PLACED, NULL},
    {HOL_NOT_BOTH, "from|angle", PLACED, NULL},
    {HOL_NOT_BOTH, "from|orientation", PLACED, NULL},
    {HOL_NOT_BOTH, "angle|orientation|axis", "give one of angle, orientation, axis", NULL},
    HOL_END_RULES};

// Keys and rules of a kind. The length may be left away in a disc of the plane, which lies in it.
static void fill_type(int kind, int dimension, hol_type *out)
{
    static const hol_rule endless = {HOL_REFUSED, "density|hole", "it has no end, and no mass", NULL},
                          massless = {HOL_REFUSED, "density|hole",
                                      "it touches and is drawn, and has no mass; leave it away", NULL};
    static const hol_rule pose[] = {
        {HOL_NOT_BOTH, "angle|orientation|axis", "give one of angle, orientation, axis", NULL}};
    static const hol_rule length = {HOL_ONE_OF, "length|from", NO_LENGTH, NULL},
                          disc = {HOL_GOES_WITH, "axis|length", NO_LENGTH, NULL};
    *out = (hol_type){.name = types[kind].name,
                      .doc = types[kind].doc,
                      .dimensions = types[kind].dimensions,
                      .rows = types[kind].rows};
    if (kind >= HALFPLANE && kind < TORUS) out->rules[0] = kind <= HALFSPACE ? endless : massless;
    if (kind == TORUS) out->rules[0] = pose[0];
    if (kind != HOL_SHAPE_CYLINDER && kind != HOL_SHAPE_CAPSULE) return;
    memcpy(out->rules, round_rules, sizeof round_rules);
    out->rules[HOL_COUNT(round_rules) - 1] = dimension == 2 && kind == HOL_SHAPE_CYLINDER ? disc : length;
}

// The i-th of those that there are in this dimension.
static bool shape_type(const hol_object *o, int i, int dimension, hol_type *out)
{
    (void)o;
    for (int kind = 0; kind < HOL_COUNT(types); kind++) {
        const bool exists =
            dimension == 0 || types[kind].dimensions == 5 || types[kind].dimensions == dimension;
        if (!exists || i-- > 0) continue;
        fill_type(kind, dimension, out);
        return true;
    }
    return false;
}
#define SHAPE_EXAMPLE                                                                                        \
    "shape: {type: box, size: [1, 0.1, 0.1], position: [0.5, 0, 0], color: \"#4477aa\"}\n"                   \
    "shape: [{type: cylinder, radius: 0.3, length: 0.1, axis: [0, 1, 0]}, {type: sphere, radius: 0.05}]\n"   \
    "shape: {type: capsule, from: [0, 0, 0], to: [1, 0, 0], radius: 0.05}\n"                                 \
    "shape: {type: polyline, points: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], closed: yes}\n"                      \
    "shape: {type: mesh, file: part.stl, scale: 1 mm}\n"                                                     \
    "shape: [{type: box, size: [1, 0.1, 0.1], density: 2700}, {type: sphere, radius: 0.05, hole: yes}]\n"    \
    "shape: {type: cylinder, radius: 0.3, length: 0.1, rim: 0.002}\n"                                        \
    "shape: {type: torus, radius: 0.3, tube: 0.05}\n"                                                        \
    "shape: none\n"
const hol_object hol_shape_object = {
    .name = "shape",
    .rows = shape_rows,
    .type = shape_type,
    .text =
        "`shape` of a body, or of `ground`, says how it is drawn: one shape, a list "
        "of them, or `none`. Bodies without it are drawn after their markers and joints, or "
        "their inertia. Places are in the body "
        "frame, as those of markers. Shapes have a part in the mechanics where contacts name them, and where "
        "the mass of the body "
        "follows from them: "
        "with `density` of the body, or of its shapes, in place of `mass`, `com` and `inertia`, or with "
        "`mass` alone, which is spread over the shapes "
        "(by their densities, if they have any). Shapes add up, also where they overlap, which `holonom "
        "check` tells; one with `hole: yes` takes away. A mesh must be closed, its triangles anticlockwise "
        "seen from outside. "
        "A polyline is a round rod, and needs its radius. In 2D shapes are solids that lie in the plane: a "
        "box needs its thickness, a disc its length. "
        "`holonom check` shows the masses. The keys of all shapes are:",
    .example = SHAPE_EXAMPLE};

static const hol_rule ground_rules[] = {
    {HOL_REFUSED, "density|hole", "ground does not move and has no mass: leave it away", NULL},
    HOL_END_RULES};
const hol_object hol_ground_shape_object = {.name = "ground_shape",
                                            .rows = shape_rows,
                                            .rules = ground_rules,
                                            .type = shape_type,
                                            .example = SHAPE_EXAMPLE};

static hol_status fail_at_key(const hol_reader *r, const hol_node *map, const hol_path *path, const char *key,
                              const char *text)
{
    const hol_path at = {path, key, 0, NULL};
    const hol_node *node = hol_node_find(map, key);
    return hol_read_fail(r, node ? node : map, node ? &at : path, "%s", text);
}

static bool points_along(hol_drawing *d, const double z[3]) { return hol_frame_from_axes(z, NULL, d->quat); }

// Where a shape is placed in the axes of its body.
static hol_status read_pose(const hol_reader *r, const hol_node *map, const hol_path *path,
                            const hol_value *v, hol_drawing *d)
{
    if (v[POSITION].given) memcpy(d->position, v[POSITION].list, sizeof d->position);
    if (v[ORIENTATION].given) {
        const hol_path at = {path, "orientation", 0, NULL};
        return hol_read_orientation(r, hol_node_find(map, "orientation"), &at, d->quat);
    }
    if (v[ANGLE].given) {
        d->quat[0] = cos(v[ANGLE].num / 2);
        d->quat[3] = sin(v[ANGLE].num / 2);
    }
    return HOL_OK;
}

// A colour, "#rrggbb".
static hol_status read_color(const hol_reader *r, const hol_node *map, const hol_path *path,
                             const hol_value *v, hol_drawing *d)
{
    const char *text = v[COLOR].text;
    if (!v[COLOR].given) return HOL_OK;
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return fail_at_key(r, map, path, "color",
                           "six hexadecimal digits in quotes are wanted, red, green, blue: \"#4477aa\"");
    d->color = 0;
    for (const char *c = text + 1; *c; c++)
        d->color = 16 * d->color + (*c <= '9' ? *c - '0' : (*c | 32) - 'a' + 10);
    return HOL_OK;
}

static hol_status read_box(const hol_reader *r, const hol_node *map, const hol_path *path, const hol_value *v,
                           hol_drawing *d)
{
    memcpy(d->size, v[SIZE].list, sizeof d->size);
    for (int i = 0; i < r->dimension; i++)
        if (!(d->size[i] > 0)) return fail_at_key(r, map, path, "size", "every edge must be above 0");
    if (v[THICKNESS].given) d->size[2] = v[THICKNESS].num;
    return HOL_OK;
}

// Cylinders and capsules: by both ends, or by length and axis.
static hol_status read_round(const hol_reader *r, const hol_node *map, const hol_path *path,
                             const hol_value *v, hol_drawing *d)
{
    static const double upright[3] = {0, 0, 1}, right[3] = {1, 0, 0};
    d->size[0] = v[RADIUS].num;
    if (d->kind == HOL_SHAPE_CYLINDER) d->own[0] = v[RIM].num;
    if (v[FROM].given) {
        const double *a = v[FROM].list, *b = v[TO].list;
        const double z[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        for (int i = 0; i < 3; i++) d->position[i] = (a[i] + b[i]) / 2;
        d->size[1] = sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
        return points_along(d, z) ? HOL_OK
                                  : fail_at_key(r, map, path, "to", "from and to are the same point");
    }
    d->size[1] = v[LENGTH].given ? v[LENGTH].num : 0;
    if (v[AXIS].given && !points_along(d, v[AXIS].list))
        return fail_at_key(r, map, path, "axis", "length is 0, a direction is wanted");
    if (!v[AXIS].given && r->dimension == 2 && d->kind == HOL_SHAPE_CAPSULE) {
        double along[4];
        (void)hol_frame_from_axes(right, upright, along);
        hol_quat_multiply(d->quat, along, d->quat);
    }
    return HOL_OK;
}

// A plate below the plane, which goes through `position`.
static void read_half(const hol_reader *r, const hol_value *v, hol_drawing *d)
{
    const int up = r->dimension - 1;
    const double width = v[EXTENT].num;
    double R[9];
    hol_quat_matrix(d->quat, R);
    d->kind = HOL_SHAPE_BOX;
    d->half = true;
    d->density = 0;
    for (int i = 0; i < 3; i++) d->size[i] = i == up ? PLATE * width : i < up ? width : 0;
    for (int i = 0; i < 3; i++) d->position[i] -= R[3 * i + up] * d->size[up] / 2;
}

// Points of a line that is drawn, and how thick it is; NULL: no memory.
static double *draw_line(const hol_spec *spec, int n, double radius, bool closed, hol_drawing *d)
{
    double *point = hol_arena_alloc(spec->arena, 3 * (size_t)n, sizeof *point);
    d->kind = HOL_SHAPE_POLYLINE;
    d->size[0] = radius;
    d->closed = closed;
    d->n_points = n;
    d->point = point;
    return point;
}

// A line between two points.
static hol_status read_segment(const hol_spec *spec, const hol_reader *r, const hol_node *map,
                               const hol_path *path, const hol_value *v, hol_drawing *d)
{
    const double *a = v[SEGMENT_FROM].list, *b = v[SEGMENT_TO].list, length = hypot(b[0] - a[0], b[1] - a[1]);
    if (!(length > 0)) return fail_at_key(r, map, path, "to", "from and to are the same point");
    double *point = draw_line(spec, 2, THIN * length, false, d);
    d->touch = HOL_TOUCH_SEGMENT;
    for (int i = 0; i < 2 && point; i++) point[i] = a[i], point[3 + i] = b[i];
    return point ? HOL_OK : HOL_ERR_MEMORY;
}

// A circle of points about z, from one angle to another.
static hol_status draw_ring(const hol_spec *spec, double R, double radius, double start, double end,
                            hol_drawing *d)
{
    enum { WHOLE = 72 };
    const bool closed = end - start > 2 * HOL_PI * (1 - 1e-12);
    const int n = closed ? WHOLE : 2 * (int)ceil(WHOLE / 2 * (end - start) / (2 * HOL_PI)) + 1;
    double *point = draw_line(spec, n, radius, closed, d);
    for (int i = 0; i < n && point; i++) {
        const double angle = start + (end - start) * i / (closed ? n : n - 1);
        point[3 * i] = R * cos(angle), point[3 * i + 1] = R * sin(angle);
    }
    return point ? HOL_OK : HOL_ERR_MEMORY;
}

// A line about its middle.
static hol_status read_arc(const hol_spec *spec, const hol_reader *r, const hol_node *map,
                           const hol_path *path, const hol_value *v, hol_drawing *d)
{
    const double R = v[ARC_RADIUS].num, turn = v[ARC_END].num - v[ARC_START].num;
    if (!(turn > 0) || turn > 2 * HOL_PI * (1 + 1e-12))
        return fail_at_key(r, map, path, v[ARC_END].given ? "end" : "start",
                           "the arc goes anticlockwise from start to end, a full turn at most");
    d->touch = HOL_TOUCH_ARC;
    d->own[0] = R;
    d->own[1] = turn / 2;
    return draw_ring(spec, R, THIN * R, v[ARC_START].num, v[ARC_END].num, d);
}

// Samples of a spline; in a mirror the signs are those of its points.
static hol_status read_curve(const hol_spec *spec, const hol_reader *r, const hol_node *map,
                             const hol_path *path, const hol_value *v, hol_drawing *d)
{
    enum { SAMPLES = 361 };
    const bool polar = v[POLAR].num > 0;
    const int n = polar ? SAMPLES - 1 : SAMPLES;
    const hol_setup in = {.ctx = spec->ctx, .path = hol_path_text(r, path)};
    hol_profile *p = hol_arena_alloc(spec->arena, 1, sizeof *p);
    hol_value table = v[CURVE_TABLE];
    if (!p || !in.path) return HOL_ERR_MEMORY;
    table.at = hol_node_find(map, "curve")->at;
    const hol_status st = hol_profile_make(&in, &table, polar, p);
    double *point = st ? NULL : draw_line(spec, n, 0, polar, d), far = 0;
    if (!point) return st ? st : HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        hol_real X[2], X1[2], X2[2];
        hol_profile_at(p, p->from + (p->to - p->from) * i / (SAMPLES - 1), X, X1, X2);
        for (int k = 0; k < 2; k++) point[3 * i + k] = hol_re(X[k]);
        far = fmax(far, hypot(point[3 * i] - point[0], point[3 * i + 1] - point[1]));
    }
    const hol_mirror m = hol_mirror_at(d->at);
    double sign[3] = {1, 1, 0};
    hol_mirror_point(m, sign);
    d->size[0] = THIN * far;
    d->touch = HOL_TOUCH_CURVE;
    d->profile = p;
    for (int k = 0; k < 2; k++) p->sign[k] = sign[k];
    return HOL_OK;
}

// Drawn as a line that is as thick as its tube.
static hol_status read_torus(const hol_spec *spec, const hol_reader *r, const hol_node *map,
                             const hol_path *path, const hol_value *v, hol_drawing *d)
{
    if (v[TUBE].num > v[TORUS_RADIUS].num)
        return fail_at_key(r, map, path, "tube", "it must not be larger than the radius");
    if (v[TORUS_AXIS].given && !points_along(d, v[TORUS_AXIS].list))
        return fail_at_key(r, map, path, "axis", "length is 0, a direction is wanted");
    d->touch = HOL_TOUCH_TORUS;
    d->own[0] = v[TORUS_RADIUS].num;
    d->own[1] = v[TUBE].num;
    return draw_ring(spec, v[TORUS_RADIUS].num, v[TUBE].num, 0, 2 * HOL_PI, d);
}

// Drawn as a sphere that is stretched.
static hol_status read_ellipsoid(const hol_reader *r, const hol_node *map, const hol_path *path,
                                 const hol_value *v, hol_drawing *d)
{
    d->kind = HOL_SHAPE_SPHERE;
    d->touch = HOL_TOUCH_ELLIPSOID;
    for (int i = 0; i < 3; i++) {
        d->size[i] = d->own[i] = v[0].list[i];
        if (!(d->size[i] > 0)) return fail_at_key(r, map, path, "radii", "all three must be above 0");
    }
    return HOL_OK;
}

// The corners of a polyline, two at least.
static hol_status read_points(const hol_spec *spec, const hol_reader *r, const hol_node *map,
                              const hol_path *path, const hol_value *v, hol_drawing *d)
{
    const hol_node *list = hol_node_find(map, "points");
    const hol_path at = {path, "points", 0, NULL};
    if (list->kind != HOL_NODE_SEQUENCE || list->n < 2)
        return hol_read_fail(r, list, &at, "a list of at least two points is wanted: [[0, 0%s], [1, 0%s]]",
                             r->dimension == 3 ? ", 0" : "", r->dimension == 3 ? ", 0" : "");
    double *point = hol_arena_alloc(spec->arena, 3 * (size_t)list->n, sizeof *point);
    if (!point) return HOL_ERR_MEMORY;
    for (int i = 0; i < list->n; i++) {
        const hol_path item = {&at, NULL, i, NULL};
        hol_status st = hol_read_vector(r, list->value[i], &item, "m", &point[3 * i]);
        if (st) return st;
    }
    d->n_points = list->n;
    d->point = point;
    d->size[0] = v[LINE_RADIUS].given ? v[LINE_RADIUS].num : 0;
    d->closed = v[CLOSED].given && v[CLOSED].num > 0;
    return HOL_OK;
}

// Twice the area of a polygon.
static double area_of(int n, const double *p)
{
    double area = 0;
    for (int i = 0; i < n; i++) {
        const double *a = &p[3 * i], *b = &p[3 * ((i + 1) % n)];
        area += a[0] * b[1] - a[1] * b[0];
    }
    return area;
}

static double side_of(const double *a, const double *b, const double *x)
{
    return (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
}

static bool overlap(double a, double b, double c, double e)
{
    return fmax(a, b) >= fmin(c, e) && fmax(c, e) >= fmin(a, b);
}

static bool meet(const double *a, const double *b, const double *c, const double *e)
{
    return overlap(a[0], b[0], c[0], e[0]) && overlap(a[1], b[1], c[1], e[1]) &&
           side_of(a, b, c) * side_of(a, b, e) <= 0 && side_of(c, e, a) * side_of(c, e, b) <= 0;
}

// Sides that are not neighbours must not meet, and none may be of length 0.
static bool crosses_itself(int n, const double *p)
{
    for (int i = 0; i < n; i++) {
        const double *a = &p[3 * i], *b = &p[3 * ((i + 1) % n)];
        if (a[0] == b[0] && a[1] == b[1]) return true;
        for (int k = i + 2; k < n; k++)
            if ((k + 1) % n != i && meet(a, b, &p[3 * k], &p[3 * ((k + 1) % n)])) return true;
    }
    return false;
}

enum { MOST_CORNERS = 1000 }; // all sides are compared with all others

// Drawn by its outline.
static hol_status read_polygon(const hol_spec *spec, const hol_reader *r, const hol_node *map,
                               const hol_path *path, const hol_value *v, hol_drawing *d)
{
    hol_value line[POINTS + 2] = {[POINTS] = v[0]};
    double low[2] = {HOL_INF, HOL_INF}, high[2] = {-HOL_INF, -HOL_INF};
    const hol_status st = read_points(spec, r, map, path, line, d);
    if (st) return st;
    d->kind = HOL_SHAPE_POLYLINE;
    d->touch = HOL_TOUCH_POLYGON;
    d->closed = true;
    for (int i = 0; i < 2 * d->n_points; i++) {
        low[i % 2] = fmin(low[i % 2], d->point[3 * (i / 2) + i % 2]);
        high[i % 2] = fmax(high[i % 2], d->point[3 * (i / 2) + i % 2]);
    }
    const double size = fmax(high[0] - low[0], high[1] - low[1]);
    d->size[0] = THIN / 2 * size;
    if (d->n_points < 3 || d->n_points > MOST_CORNERS ||
        !(fabs(area_of(d->n_points, d->point)) > 1e-9 * size * size) || crosses_itself(d->n_points, d->point))
        return fail_at_key(r, map, path, "points",
                           "its sides must enclose an area and not cross each other: give 3 to 1000 corners, "
                           "in turn");
    return HOL_OK;
}

static bool ends_in(const char *text, const char *end)
{
    const size_t n = strlen(text), k = strlen(end);
    if (n <= k) return false;
    for (size_t i = 0; i < k; i++) {
        const char c = text[n - k + i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != end[i]) return false;
    }
    return true;
}

// The file of a mesh, beside the file that names it; its suffix says what it is.
static hol_status read_mesh(const hol_spec *spec, const hol_reader *r, const hol_node *map,
                            const hol_path *path, const hol_value *v, hol_drawing *d)
{
    static const char *const suffix[] = {".stl", ".obj", ".gltf", ".glb"};
    const char *name = v[MESH_FILE].text;
    bool known = false;
    for (int i = 0; i < HOL_COUNT(suffix); i++) known = known || ends_in(name, suffix[i]);
    if (!known)
        return fail_at_key(
            r, map, path, "file",
            "the name must end in .stl, .obj, .gltf or .glb: convert other meshes to one of these");
    d->file = hol_file_beside(spec, map->at, name);
    d->scale = v[SCALE].num;
    return d->file ? HOL_OK : HOL_ERR_MEMORY;
}

// What only shapes of this type have.
static hol_status read_kind(const hol_spec *spec, const hol_reader *r, const hol_node *map,
                            const hol_path *path, const hol_value *v, hol_drawing *d)
{
    switch ((int)d->kind) {
    case HALFPLANE:
    case HALFSPACE: read_half(r, v, d); break;
    case SEGMENT: return read_segment(spec, r, map, path, v, d);
    case ARC: return read_arc(spec, r, map, path, v, d);
    case POLYGON: return read_polygon(spec, r, map, path, v, d);
    case CURVE: return read_curve(spec, r, map, path, v, d);
    case TORUS: return read_torus(spec, r, map, path, v, d);
    case ELLIPSOID: return read_ellipsoid(r, map, path, v, d);
    case HOL_SHAPE_BOX: return read_box(r, map, path, v, d);
    case HOL_SHAPE_CYLINDER:
    case HOL_SHAPE_CAPSULE: return read_round(r, map, path, v, d);
    case HOL_SHAPE_SPHERE: d->size[0] = v[RADIUS].num; return HOL_OK;
    case HOL_SHAPE_POLYLINE: return read_points(spec, r, map, path, v, d);
    case HOL_SHAPE_MESH: return read_mesh(spec, r, map, path, v, d);
    }
    return HOL_OK;
}

// Drawn as nothing until more is read.
static hol_drawing *add_shape(hol_spec *spec, hol_src at, int body)
{
    if (!HOL_ARENA_GROW(spec->arena, spec->shape, spec->n_shapes)) return NULL;
    hol_drawing *list = spec->shape;
    list[spec->n_shapes] = (hol_drawing){.kind = HOL_SHAPE_NONE,
                                         .body = body,
                                         .quat = {1, 0, 0, 0},
                                         .scale = 1,
                                         .color = -1,
                                         .density = body < 0 ? 0 : HOL_NONE,
                                         .at = at};
    return &list[spec->n_shapes++];
}

static bool is_none(const hol_node *node)
{
    return node->kind == HOL_NODE_SCALAR && strcmp(node->text, "none") == 0;
}

// The outward normal n of a half-space becomes S n. Its frame becomes S R S, which has -S n for it where the mirror turns that axis: then it
// is turned about another one.
static void turn_half(int dimension, hol_drawing *d)
{
    static const double about_x[4] = {0, 1, 0, 0}, about_z[4] = {0, 0, 0, 1};
    double quat[4];
    if (hol_mirror_polar(d->mirror, dimension - 1) > 0) return;
    hol_quat_multiply(d->quat, dimension == 2 ? about_z : about_x, quat);
    memcpy(d->quat, quat, sizeof quat);
}

// The shape as it is in the model: points are mirrored, and of bodies nothing else, those of ground are put with their file.
static void place_shape(int dimension, hol_drawing *d)
{
    const hol_mirror m = hol_mirror_at(d->at);
    for (int i = 0; i < d->n_points; i++) hol_mirror_point(m, (double *)&d->point[3 * i]);
    d->mirror = m;
    if (d->body < 0) {
        hol_place_point(d->at, d->position);
        hol_place_quat(d->at, d->quat);
    } else {
        hol_mirror_point(m, d->position);
        hol_mirror_quat(m, d->quat);
    }
    if (d->half) turn_half(dimension, d);
}

// What takes the place of a shape that there is in the plane alone, or in space alone.
static const char *in_other_dimension(int kind)
{
    static const int other[] = {
        [HALFPLANE] = HALFSPACE, [HALFSPACE] = HALFPLANE,   [SEGMENT] = HOL_SHAPE_CAPSULE,
        [ARC] = TORUS,           [POLYGON] = HOL_SHAPE_BOX, [CURVE] = HOL_SHAPE_BOX,
        [TORUS] = ARC,           [ELLIPSOID] = CURVE};
    return types[other[kind]].name;
}

// One shape of a body (-1: of ground), its places in the body frame.
static hol_status read_one(hol_spec *spec, const hol_reader *r, const hol_node *node, const hol_path *path,
                           int body)
{
    hol_value common[N_KEYS], v[MOST_KEYS];
    hol_type rules;
    const hol_node *type = node->kind == HOL_NODE_MAP ? hol_node_find(node, "type") : NULL;
    const hol_path at = {path, "type", 0, NULL};
    if (is_none(node))
        return hol_read_fail(r, node, path, "to draw nothing write `shape: none`, not in a list");
    if (type && is_none(type)) return hol_read_fail(r, type, &at, "to draw nothing write `shape: none`");
    if (node->kind != HOL_NODE_MAP)
        return hol_read_fail(r, node, path,
                             "a shape, {type: sphere, radius: 0.1}, a list of shapes, or none is wanted");
    if (!type)
        return hol_read_fail(r, node, path,
                             "\"type\" is missing; the shapes are box, cylinder, sphere, "
                             "capsule, polyline, mesh, %s",
                             r->dimension == 2 ? "halfplane, segment, arc, polygon, curve"
                                               : "halfspace, torus, ellipsoid");
    hol_status st = hol_read_option(r, &shape_rows[TYPE], type, &at, &common[TYPE]);
    if (st) return st;
    const int kind = (int)common[TYPE].num;
    if (types[kind].dimensions != 5 && types[kind].dimensions != r->dimension)
        return hol_read_fail(r, type, &at, "in %dD there is no %s; what comes nearest is `%s`", r->dimension,
                             types[kind].name, in_other_dimension(kind));
    fill_type(kind, r->dimension, &rules);
    st = hol_read_typed(r, body < 0 ? &hol_ground_shape_object : &hol_shape_object, &rules, node, path,
                        common, v);
    hol_drawing *d = st ? NULL : add_shape(spec, node->at, body);
    if (!d) return st ? st : HOL_ERR_MEMORY;
    d->kind = (hol_shape_kind)kind;
    st = read_pose(r, node, path, common, d);
    if (!st) st = read_color(r, node, path, common, d);
    const bool solid = kind < HALFPLANE || kind >= TORUS;
    if (body >= 0 && solid) d->density = common[DENSITY].num;
    d->hole = common[HOLE].num > 0;
    d->ghost = common[COLLIDE].num == 0;
    d->name = common[NAME].given ? common[NAME].text : NULL;
    // ground is one body of many files
    if (d->name && body < 0 && !(d->name = hol_full_name(spec->arena, node->at, d->name)))
        return HOL_ERR_MEMORY;
    d->material = common[MATERIAL].given ? common[MATERIAL].text : NULL;
    if (d->material) d->material_at = hol_node_find(node, "material")->at;
    if (!st) st = read_kind(spec, r, node, path, v, d);
    if (!solid) d->density = 0;
    if (!st && kind == HOL_SHAPE_CYLINDER && d->own[0] > fmin(d->size[0], d->size[1] / 2))
        st =
            fail_at_key(r, node, path, "rim", "it must not be larger than the radius and half of the length");
    if (!st) place_shape(r->dimension, d);
    return st;
}

hol_status hol_read_shape(hol_spec *spec, const hol_reader *r, const hol_node *node, const hol_path *up,
                          int body)
{
    const hol_path path = {up, "shape", 0, NULL};
    if (is_none(node)) return add_shape(spec, node->at, body) ? HOL_OK : HOL_ERR_MEMORY;
    if (node->kind != HOL_NODE_SEQUENCE) return read_one(spec, r, node, &path, body);
    if (node->n == 0) return hol_read_fail(r, node, &path, "the list is empty; `shape: none` draws nothing");
    for (int i = 0; i < node->n; i++) {
        const hol_path at = {&path, NULL, i, NULL};
        hol_status st = read_one(spec, r, node->value[i], &at, body);
        if (st) return st;
    }
    return HOL_OK;
}
