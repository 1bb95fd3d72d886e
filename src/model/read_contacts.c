// `materials:` and `contacts:` of a model file.
#include "model/contacts.h"
#include "model/read_users.h"

#include <math.h>
#include <string.h>

static const hol_option material_rows[] = {
    HOL_NAMED_KEYS(0){"modulus", HOL_NUMBER, "N/m^2", HOL_NONE, 0, HOL_INF, HOL_ABOVE | HOL_REQUIRED, NULL,
                      "of elasticity (Young)"},
    {"poisson", HOL_NUMBER, "", 0.3, -1, 0.5, 0, NULL, "Poisson's ratio"},
    HOL_END_OPTIONS};
enum { ELASTICITY = HOL_OWN_KEYS, POISSON, MATERIAL_ROWS };
static hol_item_fn read_material;
const hol_object hol_material_object = {
    .read = read_material,
    .name = "material",
    .rows = material_rows,
    .text = "What shapes are made of, `shape: {type: sphere, radius: 0.1, material: steel}`: where a contact "
            "gives neither stiffness nor modulus, that of Hertz follows from both materials, 1/modulus = (1 "
            "- nu1^2)/E1 + (1 - nu2^2)/E2.",
    .example = "- {name: steel, modulus: 210 GPa, poisson: 0.3}\n"};

// The name of a material must be its own.
static hol_status read_material(hol_spec *spec, const hol_reader *r, const hol_node *item,
                                const hol_path *path, const hol_object *object)
{
    hol_value v[MATERIAL_ROWS];
    hol_spec_material s = {.name = NULL};
    hol_src at;
    hol_status st = hol_read_name(r, item, path, &s.name, &at);
    if (!st) st = hol_read_object(r, object, NULL, item, path, v);
    if (st) return st;
    for (int i = 0; i < spec->n_materials; i++)
        if (strcmp(spec->material[i].name, s.name) == 0)
            return hol_read_fail(r, hol_node_find(item, "name"), path,
                                 "the name \"%s\" is given twice among the materials", s.name);
    s.compliance = (1 - v[POISSON].num * v[POISSON].num) / v[ELASTICITY].num;
    if (!HOL_ARENA_GROW(spec->draft, spec->material, spec->n_materials)) return HOL_ERR_MEMORY;
    spec->material[spec->n_materials++] = s;
    return HOL_OK;
}

static const hol_option contact_rows[] = {
    HOL_NAMED_KEYS(0){"between", HOL_TEXTS, "", 0, 2, 10000, HOL_REQUIRED, NULL,
                      "bodies, or shapes of them by body.name, in which * stands for any letters; all: every "
                      "body; what one word names may touch what another one names"},
    {"law", HOL_CHOICE, "", 0, 0, 0, 0,
     "hertz|power|impact|foundation|hunt-crossley|herbert|lankarani|lee-wang|gonthier|flores|hu-guo",
     "the normal force: K depth^1.5, K depth^exponent, the impact of Adams, or the pressure K depth on "
     "boxes; default: impact where a "
     "full_depth is given, power where an exponent is, or hertz. The others, for comparison, find the "
     "damping from a "
     "restitution as published, which gives another one than is asked (`check` foretells it)"},
    {"stiffness", HOL_NUMBER, HOL_ANY_UNIT, HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, "K"},
    {"modulus", HOL_NUMBER, "N/m^2", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "of hertz, instead: 1/modulus = (1 - nu1^2)/E1 + (1 - nu2^2)/E2; the radii are those of the shapes; "
     "where neither is given it follows from the materials of both shapes"},
    {"exponent", HOL_NUMBER, "", HOL_NONE, 1, HOL_INF, 0, NULL, "of the depth, of power and impact"},
    {"restitution", HOL_NUMBER, "", HOL_NONE, 0, 1, HOL_ABOVE, NULL,
     "speed after a free impact over that before it, at every speed above `slowest`; default: 1"},
    {"damping", HOL_NUMBER, HOL_ANY_UNIT, HOL_NONE, 0, HOL_INF, 0, NULL,
     "instead: the force is multiplied by 1 + damping times the speed of going in [s/m]; of impact: the "
     "largest damping [N s/m]"},
    {"full_depth", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "of impact: depth from which on the damping is full"},
    {"slowest", HOL_NUMBER, "m/s", 1e-3, 0, HOL_INF, HOL_ABOVE, NULL,
     "slower impacts lose more than restitution says, and come to rest; what lies there from the start has "
     "the damping of this speed, and leaves about as slowly: where its load changes, give the speed of what "
     "is meant to follow"},
    {"deepest", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "a greater depth ends the run with an error; default: half of the smaller radius, of boxes and polygons "
     "a quarter of the smallest size; of corners on half-spaces none"},
    {"point", HOL_CHOICE, "", 0, 0, 0, 0, "middle|first|second",
     "where the forces act: in the middle of the overlap, or on the surface of the first or second shape, of "
     "which the first is the one that is round or has corners; default: middle, or of materials between, as "
     "far as each gives way"},
    {"points", HOL_INTEGER, "", HOL_NONE, 1, 40, 0, NULL,
     "by which boxes and polygons touch, too: along each edge between its corners and as a grid on each "
     "face; "
     "all those of a face have the stiffness together that is given; of a cylinder on a half-space: along "
     "each "
     "edge, which is one round edge without; of a foundation: parts along an edge of each face"},
    {"friction", HOL_MAP, "", 0, 0, 0, 0, "contact_friction", "dry friction; default: none"},
    {"rolling", HOL_NUMBER, "", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "resistance to rolling: largest couple over the normal force and the radius; it has the law of the "
     "friction"},
    {"spinning", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "resistance to turning about the normal, in space: largest couple over the normal force"},
    {"joined", HOL_FLAG, "", 0, 0, 1, 0, NULL, "yes: bodies that a joint connects touch, too"},
    {"except", HOL_TEXTS, "", 0, 2, 10000, 0, NULL, "bodies that do not touch each other"},
    {"locate", HOL_INTEGER, "", 2000, 0, 10000, 0, NULL,
     "most pairs of which each is a contact with a name and a located onset; of more pairs, which are those "
     "of spheres and "
     "half-spaces of ground, the ones that are near each other are found on the way"},
    HOL_END_OPTIONS};
static const hol_rule contact_rules[] = {
    {HOL_NOT_BOTH, "stiffness|modulus", "its hardness is given twice; keep stiffness or modulus", NULL},
    {HOL_NOT_BOTH, "restitution|damping", "the loss is said twice; keep restitution or damping", NULL},
    {HOL_NOT_BOTH, "restitution|full_depth",
     "full_depth belongs to the damping of impact, which has no restitution", NULL},
    {HOL_GOES_WITH, "rolling|friction",
     "its law, and what slides otherwise, is that of the friction: give \"friction\"", NULL},
    {HOL_GOES_WITH, "spinning|friction", "its law is that of the friction: give \"friction\"", NULL},
    {HOL_GOES_WITH, "full_depth|damping", "how much is the damping at this depth? give \"damping\"", NULL},
    {HOL_GOES_WITH, "full_depth|exponent", "the elastic force is stiffness depth^exponent: give \"exponent\"",
     NULL},
    {HOL_GOES_WITH, "exponent|stiffness",
     "a modulus and materials have the exponent of hertz: leave it away, or give a \"stiffness\"", NULL},
    HOL_END_RULES};
static hol_item_fn read_contact;
const hol_object hol_contact_object = {
    .read = read_contact,
    .name = "contact",
    .rows = contact_rows,
    .rules = contact_rules,
    .text =
        "Shapes of bodies and of ground that touch: what is drawn is what touches. Balls (spheres, in 2D "
        "circles, also as discs) touch everything but a mesh. A half-space (in 2D a half-plane) is touched "
        "by "
        "the corners of boxes and polygons, the round ends of capsules, the edges of cylinders (of the "
        "radius "
        "`rim`), tori, ellipsoids and closed convex curves, too; two capsules touch at the nearest places of "
        "their axes, ellipsoids each other. "
        "Boxes and polygons touch each other by their corners, where the edges of both are round by a "
        "hundredth of the smallest size of them; in space the edges of two boxes would pass through each "
        "other, so that `points` between are needed. Other pairs are refused. A polyline touches with the "
        "radius "
        "that it is given; segments and arcs are lines without a thickness, on both sides of which balls "
        "stay. In a hollow corner of a polygon a ball touches two sides, which are two contacts. Of one "
        "polyline, curve or arc the nearest place alone pushes: a run ends where a ball touches it in two. "
        "Every place at which two shapes may touch is a contact of its own, a force whose name is that "
        "of "
        "the rule, or, where a rule makes several, that name with a number: floor.1. Signals of such a rule "
        "are sums, and so are those of two "
        "shapes, `ball~ground.floor` or, without names, `ball~ground`, the round one first. A force acts as "
        "long as "
        "shapes overlap, and only pushes. The beginning and the end of each contact are located in the step, "
        "whatever its length. `restitution` holds for bodies that come freely: the damping follows from the "
        "speed at which they meet; who comes slower than `slowest` comes to rest. Bodies that a joint "
        "connects "
        "do not touch. A rule of more than `locate` places at which shapes may touch, such as `between: "
        "[all, all, ground]` of a heap, makes no forces with names: the pairs that are near each other are "
        "found on the way, their onsets are bracketed by the steps, and method rk takes them alone. It may "
        "have spheres, in 2D discs, and half-spaces of ground, friction but stick and lugre, and neither "
        "`rolling` nor `spinning`.",
    .example =
        "- {name: floor, between: [ball, ground.floor], law: hertz, stiffness: 1e6, restitution: 0.8}\n"
        "- name: feet\n"
        "  between: [table, ground]\n"
        "  exponent: 2\n"
        "  stiffness: 1e9\n"
        "  friction: {coefficient: 0.5}\n"};

static const hol_option friction_rows[] = {
    {"coefficient", HOL_NUMBER, "", HOL_NONE, 0, HOL_INF, HOL_ABOVE | HOL_REQUIRED, NULL, "of sliding"},
    {"law", HOL_CHOICE, "", 0, 0, 0, 0, "stick|tanh|step|sqrt|lugre",
     "stick: an elastic bristle holds at rest, which does not creep; lugre: the bristle of LuGre, for "
     "comparison, which "
     "creeps where what it holds vibrates; tanh, step (of Adams), sqrt (x/sqrt(1 + "
     "x^2)): smooth friction of the speed, which creeps; default: tanh where a transition is given, or "
     "stick"},
    {"transition", HOL_NUMBER, "m/s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "of smooth friction: speed by which it is measured, of step that at which the friction of rest is "
     "reached"},
    {"static", HOL_NUMBER, "", 1, 1, HOL_INF, 0, NULL, "friction at rest over that of sliding"},
    {"stribeck", HOL_NUMBER, "m/s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "speed at which the difference has fallen to 1/e, of step: at which it is nothing"},
    {"stiffness", HOL_NUMBER, "N/m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "of the bristle; default: 0.82 times that of the normal force under the weight of the lighter body"},
    {"damping", HOL_NUMBER, "N s/m", HOL_NONE, 0, HOL_INF, 0, NULL,
     "of the bristle; default: critical for the two bodies alone"},
    HOL_END_OPTIONS};
static const hol_rule friction_rules[] = {HOL_FRICTION_RULES, HOL_END_RULES};
const hol_object hol_contact_friction_object = {
    .name = "contact_friction",
    .rows = friction_rows,
    .rules = friction_rules,
    .text =
        "Dry friction of a contact, up to the coefficient times the normal force. In space shapes can stick "
        "to a half-space alone yet.",
    .example = "friction: {coefficient: 0.3, transition: 1 mm/s}\n"
               "friction: {coefficient: 0.5, law: stick}\n"};

// `friction:`, and what belongs to which of its laws.
static hol_status read_friction(const hol_reader *r, const hol_node *map, const hol_path *up,
                                const hol_value **out)
{
    const hol_path path = {up, "friction", 0, NULL};
    hol_value *v = hol_arena_alloc(r->draft, HOL_COUNT(friction_rows), sizeof *v);
    if (!map) return HOL_OK;
    if (!v) return HOL_ERR_MEMORY;
    if (map->kind != HOL_NODE_MAP)
        return hol_read_fail(r, map, &path, "a map is wanted, as in `friction: {coefficient: 0.3}`");
    hol_status st = hol_read_object(r, &hol_contact_friction_object, NULL, map, &path, v);
    if (st) return st;
    const bool moves = v[HOL_RUB_TRANSITION].given;
    if (!v[HOL_RUB_LAW].given) v[HOL_RUB_LAW].num = moves ? HOL_RUB_TANH : HOL_RUB_STICK;
    const bool sticks = v[HOL_RUB_LAW].num == HOL_RUB_STICK || v[HOL_RUB_LAW].num == HOL_RUB_LUGRE;
    *out = v;
    if (sticks && moves)
        return hol_read_fail(r, hol_node_find(map, "transition"), &path,
                             "a transition belongs to smooth friction: `law: tanh`; or leave it away");
    if (!sticks && !moves)
        return hol_read_fail(
            r, map, &path,
            "\"transition\" is missing: the speed by which smooth friction is measured, such as 1 mm/s");
    if (v[HOL_RUB_LAW].num == HOL_RUB_STEP && v[HOL_RUB_STRIBECK].given &&
        v[HOL_RUB_STRIBECK].num <= v[HOL_RUB_TRANSITION].num)
        return hol_read_fail(r, hol_node_find(map, "stribeck"), &path,
                             "%.6g m/s; of step it must be above the transition, %.6g m/s",
                             v[HOL_RUB_STRIBECK].num, v[HOL_RUB_TRANSITION].num);
    return HOL_OK;
}

double hol_contact_approach(int law, double e)
{
    switch (law) {
    case HOL_RULE_HUNT: return 1.5 * (1 - e);
    case HOL_RULE_HERBERT: return 6 * (1 - e) / ((2 * e - 1) * (2 * e - 1) + 3);
    case HOL_RULE_LANKARANI: return 0.75 * (1 - e * e);
    case HOL_RULE_LEE: return 0.75 * (1 - e);
    case HOL_RULE_GONTHIER: return (1 - e * e) / e;
    case HOL_RULE_FLORES: return 1.6 * (1 - e) / e;
    case HOL_RULE_HU: return 1.5 * (1 - e) / e;
    default: return hol_approach_of(e);
    }
}

// What belongs to one of the laws, and the units of stiffness and damping.
static hol_status read_law(const hol_reader *r, const hol_node *item, const hol_path *path, hol_value *v)
{
    if (!v[HOL_RULE_LAW].given)
        v[HOL_RULE_LAW].num = v[HOL_RULE_FULL].given       ? HOL_RULE_IMPACT
                              : v[HOL_RULE_EXPONENT].given ? HOL_RULE_POWER
                                                           : HOL_RULE_HERTZ;
    const int law = (int)v[HOL_RULE_LAW].num;
    const bool published = law >= HOL_RULE_HUNT,
               is_hertz = law == HOL_RULE_HERTZ || (published && !v[HOL_RULE_EXPONENT].given);
    if (published && !v[HOL_RULE_RESTITUTION].given)
        return hol_read_fail(r, item, path,
                             "\"restitution\" is missing, of which this law makes its damping; or leave the "
                             "law away, and give "
                             "\"damping\"");
    const bool impact = law == HOL_RULE_IMPACT, foundation = law == HOL_RULE_FOUNDATION;
    const hol_path stiffness = {path, "stiffness", 0, NULL}, damping = {path, "damping", 0, NULL};
    if (law == HOL_RULE_HERTZ && v[HOL_RULE_EXPONENT].given && v[HOL_RULE_EXPONENT].num != 1.5)
        return hol_read_fail(r, hol_node_find(item, "exponent"), path,
                             "that of hertz is 1.5: add `law: power`");
    if (foundation && v[HOL_RULE_EXPONENT].given && v[HOL_RULE_EXPONENT].num != 1)
        return hol_read_fail(r, hol_node_find(item, "exponent"), path,
                             "the pressure of a foundation is stiffness depth: leave it away");
    if (foundation && (!v[HOL_RULE_POINTS].given || !v[HOL_RULE_STIFFNESS].given))
        return hol_read_fail(
            r, item, path,
            "a foundation needs a \"stiffness\", in N/m^3, and \"points\": into how many parts "
            "an edge of a face is cut");
    if (foundation) v[HOL_RULE_EXPONENT].num = 1;
    if (!is_hertz && !foundation && !v[HOL_RULE_EXPONENT].given)
        return hol_read_fail(r, item, path, "\"exponent\" is missing: the force is stiffness depth^exponent");
    if (is_hertz) v[HOL_RULE_EXPONENT].num = 1.5;
    if (impact && (!v[HOL_RULE_DAMPING].given || !v[HOL_RULE_FULL].given))
        return hol_read_fail(r, item, path,
                             "impact needs \"damping\", and \"full_depth\", from which on it is full");
    if (!impact && v[HOL_RULE_FULL].given)
        return hol_read_fail(r, hol_node_find(item, "full_depth"), path,
                             "this belongs to impact: `law: impact`, or leave it away");
    hol_status st = HOL_OK;
    if (v[HOL_RULE_STIFFNESS].given)
        st = hol_read_over_power(r, hol_node_find(item, "stiffness"), &stiffness, "N", "m",
                                 v[HOL_RULE_EXPONENT].num + (foundation ? 2 : 0), &v[HOL_RULE_STIFFNESS].num);
    if (!st && v[HOL_RULE_DAMPING].given)
        st = hol_read_number(r, hol_node_find(item, "damping"), &damping, impact ? "N s/m" : "s/m",
                             &v[HOL_RULE_DAMPING].num);
    return st;
}

// A rule.
static hol_status read_contact(hol_spec *spec, const hol_reader *r, const hol_node *item,
                               const hol_path *path, const hol_object *object)
{
    hol_spec_contact s = {.at = item->at};
    hol_value *v = hol_arena_alloc(r->draft, HOL_COUNT(contact_rows), sizeof *v);
    if (!v) return HOL_ERR_MEMORY;
    hol_status st = hol_read_name(r, item, path, &s.name, &s.name_at);
    if (!st) st = hol_read_object(r, object, NULL, item, path, v);
    if (!st) st = read_law(r, item, path, v);
    if (!st) st = read_friction(r, hol_node_find(item, "friction"), path, &s.friction);
    if (st) return st;
    s.value = v;
    s.path = hol_arena_print(r->arena, "contacts.%s", s.name);
    if (!s.path || !HOL_ARENA_GROW(spec->draft, spec->contact, spec->n_contacts)) return HOL_ERR_MEMORY;
    spec->contact[spec->n_contacts++] = s;
    return HOL_OK;
}
