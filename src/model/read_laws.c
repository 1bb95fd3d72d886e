// Laws of joints in the model file: `limits:`, `motor:`, `friction:` of a joint, and the spring that its own keys make.
#include "model/laws.h"
#include "model/read.h"
#include "model/read_users.h"
#include "element/coordinate.h"

#include <string.h>

const char *const hol_law_names[HOL_LAWS] = {"turns", "spring", "armature", "limits", "motor", "friction"};

// Rows for a coordinate of unit c ("rad"), effort of unit T ("N m") and the key of either.
// clang-format off
#define RANGE_ROW(key, flags, doc) {key, HOL_TUPLE, "rad", 2, -HOL_INF, HOL_INF, flags, NULL, doc}
#define LIMITS_ROWS(c) \
    {"range", HOL_TUPLE, c, 2, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL, "least and largest value of the coordinate"}, \
    STOP_ROWS(c, "rigid stop: the speed turns around at once")
#define STOP_ROWS(c, hard) \
    {"stiffness", HOL_NUMBER, HOL_ANY_UNIT, HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, \
     "K of a smooth stop: it pushes back with K depth^exponent; plain numbers are in the units of the file, force or torque for each " c "^exponent"}, \
    {"exponent", HOL_NUMBER, "", 1.5, 1, HOL_INF, 0, NULL, "exponent of the depth; 1 costs methods of high order steps"}, \
    {"restitution", HOL_NUMBER, "", 1, 0, 1, 0, NULL, \
     "speed after an impact over that before it; of a smooth stop above 0"}, \
    {"damping", HOL_NUMBER, "s/" c, HOL_NONE, 0, HOL_INF, 0, NULL, \
     "instead of restitution: the force is multiplied by 1 + damping times the speed of going in"}, \
    {"slowest", HOL_NUMBER, c "/s", 1e-3, 0, HOL_INF, HOL_ABOVE, NULL, \
     "slower impacts lose more than restitution says, and come to rest; what lies at a smooth stop from the start has " \
     "the damping of this speed, and leaves about as slowly (default there: 1e-3); at a hard stop a joint rests that would leave " \
     "slower (default there: the tolerance, 1e-3 at most, by natural size and time)"}, \
    {"hard", HOL_FLAG, "", 0, 0, 1, 0, NULL, hard}, \
    HOL_END_OPTIONS
#define SMOOTH_ONLY "is refused here: rigid stops are there for coordinates that couplers take"
#define MOTOR_ROWS(key, c, place, T) \
    {key, HOL_FUNCTION, T, HOL_NONE, -HOL_INF, HOL_INF, HOL_LEAVES, NULL, "what the motor gives"}, \
    {place, HOL_FUNCTION, c, HOL_NONE, -HOL_INF, HOL_INF, HOL_LEAVES, NULL, "where it is to be, with kp, kd, ki"}, \
    {"speed", HOL_FUNCTION, c "/s", HOL_NONE, -HOL_INF, HOL_INF, HOL_LEAVES, NULL, \
     "how fast it is to be, with kp, ki; beside a place: the rate that kd takes off"}, \
    {"kp", HOL_NUMBER, HOL_ANY_UNIT, 0, 0, HOL_INF, 0, NULL, "gain of the error: what the motor gives for each " c ", or " c "/s, that is missing; plain numbers are in the units of the file"}, \
    {"ki", HOL_NUMBER, HOL_ANY_UNIT, 0, 0, HOL_INF, 0, NULL, "gain of the integral of the error"}, \
    {"kd", HOL_NUMBER, HOL_ANY_UNIT, 0, 0, HOL_INF, 0, NULL, "gain of the error's rate"}, \
    {"max", HOL_FUNCTION, T, HOL_NONE, 0, HOL_INF, HOL_LEAVES, NULL, \
     "the most it gives, in both directions (less than 0 is 0); of the rate for a motor that weakens with its speed"}, \
    {"gear", HOL_NUMBER, "", 1, -HOL_INF, HOL_INF, 0, NULL, "the joint gets this times what the motor gives"}, \
    {"windup", HOL_NUMBER, "s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, \
     "time in which the integral follows a motor that gives its most (default: kp/ki)"}, \
    {"feed_forward", HOL_CHOICE, "", 0, 0, 0, 0, "no|rate", \
     "rate: kd acts on what the coordinate misses of the rate of the " place ", its exact derivative"}, \
    HOL_END_OPTIONS
#define FRICTION_ROWS(key, c, T) \
    {key, HOL_NUMBER, T, HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, "the largest friction of sliding"}, \
    {"coefficient", HOL_NUMBER, "", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, \
     "instead: coefficient of friction, of the force that the joint transmits"}, \
    {"engaged", HOL_FUNCTION, "", 1, 0, 1, HOL_LEAVES, NULL, \
     "part of it that acts, 0 to 1 (less is 0, more presses harder): an expression makes a brake or a clutch"}, \
    {"static", HOL_NUMBER, "", 1, 1, HOL_INF, 0, NULL, "friction at rest over that of sliding"}, \
    {"stribeck", HOL_NUMBER, c "/s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, \
     "speed at which the difference has fallen to 1/e"}, \
    {"radius", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, "radius of the pin, with a coefficient"}, \
    {"preload", HOL_NUMBER, "N", 0, 0, HOL_INF, 0, NULL, "force of fit, with a coefficient"}, \
    {"stiffness", HOL_NUMBER, T "/" c, HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, \
     "of the bristle that holds at rest; with a coefficient it is wanted (default: the largest friction that is " \
     "given, over 1e-4 rad, 1e-5 m)"}, \
    {"damping", HOL_NUMBER, T " s/" c, HOL_NONE, 0, HOL_INF, 0, NULL, \
     "of the bristle (default: critical for the two bodies alone)"}, \
    {"transition", HOL_NUMBER, c "/s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, \
     "instead of a bristle: smooth friction that creeps, speed at which 3/4 of it is reached"}, \
    HOL_END_OPTIONS
// clang-format on

static const hol_option limits_rows[2][8] = {{LIMITS_ROWS("rad")}, {LIMITS_ROWS("m")}},
                        motor_rows[2][11] = {{MOTOR_ROWS("torque", "rad", "angle", "N m")},
                                             {MOTOR_ROWS("force", "m", "stroke", "N")}},
                        friction_rows[2][11] = {{FRICTION_ROWS("torque", "rad", "N m")},
                                                {FRICTION_ROWS("force", "m", "N")}};

// Of joints with several coordinates: ranges by the names of these, then what all stops have.
enum { RANGES = 2, STOP_VALUES = HOL_LIMITS_HARD + 1 };
static const hol_option cross_rows[] = {RANGE_ROW("angle1", 0,
                                                  "least and largest angle about the first arm of the cross"),
                                        RANGE_ROW("angle2", 0, "the same about the second arm"),
                                        STOP_ROWS("rad", SMOOTH_ONLY)},
                        ball_rows[] = {
                            {"swing", HOL_NUMBER, "rad", HOL_NONE, 0, HOL_PI, HOL_ABOVE, NULL,
                             "the largest angle between the z axes of the two frames: a cone"},
                            RANGE_ROW("twist", 0, "least and largest turn about z with the swing undone"),
                            STOP_ROWS("rad", SMOOTH_ONLY)};

#define HARD_ELSEWHERE                                                                                       \
    "hard stops hold the coordinate of a joint that couplers take; give a `stiffness`, a large one for a "   \
    "stop that hardly yields"
#define SEVERAL_RULES(some, text)                                                                            \
    {HOL_SOME_OF, some, text, NULL}, {HOL_REFUSED, "hard", HARD_ELSEWHERE, NULL},                            \
        {HOL_SOME_OF, "stiffness", "\"stiffness\" is missing: there is none that fits all", NULL},           \
        {HOL_NOT_BOTH, "restitution|damping", "the loss is said twice; keep restitution or damping", NULL},  \
        HOL_END_RULES
// clang-format off
#define ARM_TURNS_ROW(key, arm) \
    {key, HOL_INTEGER, "", 0, -1e6, 1e6, 0, NULL, \
     "full turns in which the angle about " arm " arm begins: it is drawn between -180 deg and 180 deg, and counted from there"}
// clang-format on
static const hol_option turns_rows[] = {ARM_TURNS_ROW("angle1", "the first"),
                                        ARM_TURNS_ROW("angle2", "the second"), HOL_END_OPTIONS};
static const hol_rule turns_rules[] = {
    {HOL_SOME_OF, "angle1|angle2", "turns of what? give angle1 or angle2, or both", NULL}, HOL_END_RULES};
static const hol_rule cross_rules[] = {SEVERAL_RULES("angle1|angle2",
                                                     "what is limited? give angle1 or angle2, or both")},
                      ball_rules[] = {
                          SEVERAL_RULES("swing|twist", "what is limited? give swing or twist, or both")};

static const hol_rule limits_rules[] = {
    {HOL_ONE_OF, "stiffness|hard",
     "a stop is smooth, with a \"stiffness\", or \"hard: yes\": there is no stiffness that fits all",
     "a hard stop has no stiffness; leave one of them away"},
    {HOL_NOT_BOTH, "restitution|damping", "the loss is said twice; keep restitution or damping", NULL},
    {HOL_NOT_BOTH, "hard|damping", "a hard stop has a restitution and no damping", NULL},
    {HOL_NOT_BOTH, "hard|exponent", "a hard stop has no depth, and no exponent of it", NULL},
    HOL_END_RULES};
#define MOTOR_RULES(key, place)                                                                              \
    {HOL_SOME_OF, key "|" place "|speed", "the motor does nothing: give " key ", " place " or speed", NULL}, \
        {HOL_NOT_BOTH, key "|" place, "the motor gives " key " or goes to " place "; keep one", NULL},       \
        {HOL_NOT_BOTH, key "|speed", "the motor gives " key " or holds a speed; keep one", NULL},            \
        {HOL_NOT_BOTH, key "|kp", "gains belong to " place " and speed; a " key " has none", NULL},          \
        {HOL_NOT_BOTH, key "|ki", "gains belong to " place " and speed; a " key " has none", NULL},          \
        {HOL_NOT_BOTH, key "|kd", "gains belong to " place " and speed; a " key " has none", NULL},          \
        {HOL_GOES_WITH, "kd|" place, "kd goes with " place "; of a motor that holds a speed the gain is kp", \
         NULL},                                                                                              \
        {HOL_GOES_WITH, "feed_forward|kd", "feed_forward gives kd the rate to hold; give kd", NULL},         \
        {HOL_NOT_BOTH, "feed_forward|speed",                                                                 \
         "the rate that kd takes off is said twice; keep speed, or feed_forward for that of the " place,     \
         NULL},                                                                                              \
        {HOL_GOES_WITH, "windup|ki", "the time of the integral goes with ki", NULL},                         \
        {HOL_GOES_WITH, "windup|max", "the integral winds up where the motor has a most: give max", NULL},   \
        HOL_END_RULES
#define FRICTION_RULES(key)                                                                                  \
    {HOL_ONE_OF, key "|coefficient", "how large is it? give " key " or coefficient",                         \
     "its size is given twice; keep " key " or coefficient"},                                                \
        {HOL_NOT_BOTH, key "|preload", "a preload goes with a coefficient", NULL}, HOL_FRICTION_RULES,       \
    {                                                                                                        \
        HOL_SOME_OF, key "|stiffness|transition",                                                            \
            "\"stiffness\" is missing: a coefficient alone does not say how stiff the bristle is that "      \
            "holds "                                                                                         \
            "at rest; a good one is the largest friction over 1e-4 rad or 1e-5 m",                           \
            NULL                                                                                             \
    }

static const hol_rule motor_rules[2][13] = {{MOTOR_RULES("torque", "angle")},
                                            {MOTOR_RULES("force", "stroke")}},
                      friction_rules[2][10] = {
                          {{HOL_GOES_WITH, "coefficient|radius",
                            "\"radius\" is missing: that of the pin on which the friction acts", NULL},
                           FRICTION_RULES("torque"),
                           {HOL_NOT_BOTH, "torque|radius", "a radius goes with a coefficient", NULL},
                           HOL_END_RULES},
                          {{HOL_REFUSED, "radius", "a joint that slides has no pin", NULL},
                           FRICTION_RULES("force"),
                           HOL_END_RULES}};

#define LIMITS_TEXT                                                                                          \
    "Stops at both ends of the range. They never pull. Without `stiffness` or `hard` there is none: choose " \
    "K "                                                                                                     \
    "so that the largest load goes in as far as the real stop does. A smooth stop sets its damping by "      \
    "the speed at which it is met, so that `restitution` holds for a joint that comes freely, at every "     \
    "speed; "                                                                                                \
    "one that lies on its stop and is hit less than four times as fast as it came loses more. A hard stop "  \
    "holds a joint that comes to rest there, as long as the joint presses against it. A joint may begin "    \
    "beyond a smooth stop, which pushes it from the start, and not beyond a hard one. Both ends have the "   \
    "same stop; where they differ, give the hard one with the other end out of reach, and a `joint-force` "  \
    "with `impact(..)` for the other one."
#define SEVERAL_TEXT                                                                                         \
    "Smooth stops of each coordinate that is named, by the law of `limits` of a joint with one. A cone of "  \
    "`swing` holds the z axis of the second frame near that of the first; `twist` has no meaning where the " \
    "two are opposite, which a cone keeps away."
#define MOTOR_TEXT                                                                                           \
    "A motor gives what it is told, or follows a place or a speed by its gains: u = kp (place - "            \
    "coordinate) + "                                                                                         \
    "ki integral + kd (speed - rate), at most `max`. Without `speed` kd brakes all motion; with "            \
    "`feed_forward: rate` it takes the place's own rate for the speed. For a motion that is prescribed "     \
    "exactly use a driver."
#define FRICTION_TEXT                                                                                        \
    "Dry friction. At rest an elastic bristle holds, which does not creep under a load that stays, or "      \
    "stays below 0.7 of the limit; one that comes and goes nearer to the limit moves it a little each "      \
    "time. What the joint transmits is the "                                                                 \
    "size of its force."

const hol_object
    hol_limits_angle_object = {.name = "limits_angle",
                               .rows = limits_rows[0],
                               .rules = limits_rules,
                               .text = LIMITS_TEXT,
                               .example =
                                   "limits: {range: [-90 deg, 90 deg], stiffness: 1e4, restitution: 0.6}\n"},
    hol_limits_stroke_object = {.name = "limits_stroke",
                                .rows = limits_rows[1],
                                .rules = limits_rules,
                                .text = LIMITS_TEXT,
                                .example = "limits: {range: [0, 0.4], hard: yes, restitution: 0.5}\n"},
    hol_limits_cross_object =
        {.name = "limits_cross",
         .rows = cross_rows,
         .rules = cross_rules,
         .text = SEVERAL_TEXT,
         .example = "limits: {angle1: [-40 deg, 40 deg], angle2: [-30 deg, 30 deg], stiffness: 1e4}\n"},
    hol_limits_ball_object = {.name = "limits_ball",
                              .rows = ball_rows,
                              .rules = ball_rules,
                              .text = SEVERAL_TEXT,
                              .example =
                                  "limits: {swing: 60 deg, twist: [-30 deg, 30 deg], stiffness: 1e4}\n"},
    hol_turns_cross_object =
        {.name = "turns_cross",
         .rows = turns_rows,
         .rules = turns_rules,
         .text = "A pose in space says nothing of full turns. Joints with one angle that counts them have "
                 "`turns: 1`: revolute, cylindrical, screw, planar, parallel-axes, constant-velocity and "
                 "revolute-spherical joints (angle), spherical and at-point joints (twist), total joints "
                 "that leave the angle about z alone free. In the plane an angle is drawn with its turns.",
         .example = "turns: {angle1: 1}\n"},
    hol_motor_angle_object = {.name = "motor_angle",
                              .rows = motor_rows[0],
                              .rules = motor_rules[0],
                              .text = MOTOR_TEXT,
                              .example = "motor: {angle: 4 rad, kp: 60, kd: 8, max: 40 N m}\n"},
    hol_motor_stroke_object = {.name = "motor_stroke",
                               .rows = motor_rows[1],
                               .rules = motor_rules[1],
                               .text = MOTOR_TEXT,
                               .example = "motor: {force: 30*sin(2*time)}\n"},
    hol_friction_angle_object = {.name = "friction_angle",
                                 .rows = friction_rows[0],
                                 .rules = friction_rules[0],
                                 .text = FRICTION_TEXT,
                                 .example = "friction: {torque: 2 N m}\n"},
    hol_friction_stroke_object = {.name = "friction_stroke",
                                  .rows = friction_rows[1],
                                  .rules = friction_rules[1],
                                  .text = FRICTION_TEXT,
                                  .example = "friction: {coefficient: 0.2, stiffness: 1e6}\n"};

static const hol_object *const objects[HOL_LAWS][2] = {
    [HOL_LAW_LIMITS] = {&hol_limits_angle_object, &hol_limits_stroke_object},
    [HOL_LAW_MOTOR] = {&hol_motor_angle_object, &hol_motor_stroke_object},
    [HOL_LAW_FRICTION] = {&hol_friction_angle_object, &hol_friction_stroke_object},
};

static hol_status add(hol_spec *spec, hol_spec_element *e, hol_spec_law law)
{
    if (!HOL_ARENA_GROW(spec->draft, e->law, e->n_laws)) return HOL_ERR_MEMORY;
    e->law[e->n_laws++] = law;
    spec->n_laws += law.kind == HOL_LAW_LIMITS ? 2 : 1; // a hard stop has what holds the joint at rest
    return HOL_OK;
}

// ---- what rows and rules do not say ---------------------------------------------------------------------------

static hol_status check_range(const hol_reader *r, const hol_node *map, const hol_path *path, const char *key,
                              const hol_value *v)
{
    const hol_path at = {path, key, 0, NULL};
    if (v->list[0] < v->list[1]) return HOL_OK;
    return hol_read_fail(r, hol_node_find(map, key), &at,
                         "[%.9g, %.9g]: the first must be less than the second", v->list[0], v->list[1]);
}

// The stiffness of a stop is T/c^n: its unit follows from the exponent. v: as HOL_LIMITS_RANGE and those behind it.
static hol_status check_stop(const hol_reader *r, const hol_node *map, const hol_path *path, bool stroke,
                             hol_value *v)
{
    const hol_node *K = hol_node_find(map, "stiffness");
    const hol_path at = {path, "stiffness", 0, NULL};
    if (K && v[HOL_LIMITS_RESTITUTION].num == 0)
        return hol_read_fail(r, hol_node_find(map, "restitution"), path,
                             "a smooth stop gives something back: 0.01 is almost nothing%s",
                             hol_node_find(map, "range") ? ", `hard: yes` may give none" : "");
    if (!K && !v[HOL_LIMITS_HARD].num)
        return hol_read_fail(r, map, path,
                             "a stop that is not hard is smooth: it needs a \"stiffness\"; there is none "
                             "that fits all");
    if (!K) return HOL_OK;
    return hol_read_over_power(r, K, &at, stroke ? "N" : "N m", stroke ? "m" : "rad",
                               v[HOL_LIMITS_EXPONENT].num, &v[HOL_LIMITS_STIFFNESS].num);
}

// The effort over what is missing, over its integral, over its rate: the unit of a gain follows from what the motor holds.
static hol_status check_gains(const hol_reader *r, const hol_node *map, const hol_path *path, bool stroke,
                              hol_value *v)
{
    static const char *const keys[] = {"kp", "ki", "kd"}, *const units[2][3] = {
                                                              {"N m/(rad s)", "N m/rad", "N m s/rad"},
                                                              {"N/(m s)", "N/m", "N s/m"}};
    static const int at_place[] = {1, 0, 2}; // of units
    const bool place = v[HOL_MOTOR_PLACE].given;
    hol_status st = HOL_OK;
    for (int i = 0; i < HOL_COUNT(keys) && !st; i++) {
        const hol_node *node = hol_node_find(map, keys[i]);
        const hol_path at = {path, keys[i], 0, NULL};
        const char *unit = units[stroke][at_place[i] + (place || i == 2 ? 0 : 1)];
        if (node) st = hol_read_number(r, node, &at, unit, &v[HOL_MOTOR_KP + i].num);
    }
    return st;
}

static hol_status check_limits(const hol_reader *r, const hol_node *map, const hol_path *path, bool stroke,
                               hol_value *v)
{
    const hol_status st = check_range(r, map, path, "range", &v[HOL_LIMITS_RANGE]);
    return st ? st : check_stop(r, map, path, stroke, v);
}

// A motor that follows has gains, and a gear moves something.
static hol_status check_motor(const hol_reader *r, const hol_node *map, const hol_path *path, bool stroke,
                              hol_value *v)
{
    const bool place = v[HOL_MOTOR_PLACE].given, speed = v[HOL_MOTOR_RATE].given;
    const hol_path gear = {path, "gear", 0, NULL};
    if (v[HOL_MOTOR_GEAR].num == 0)
        return hol_read_fail(r, hol_node_find(map, "gear"), &gear, "0, the motor would not reach the joint");
    if ((place || speed) && v[HOL_MOTOR_KP].num == 0 && v[HOL_MOTOR_KI].num == 0)
        return hol_read_fail(
            r, map, path,
            "a motor that follows needs a gain, kp%s; for a motion that is prescribed exactly use a "
            "driver, `drivers: [{type: %s, joint: .., value: ..}]`",
            place ? " and kd" : " and ki", stroke ? "stroke" : "angle");
    if (v[HOL_MOTOR_MAX].given && v[HOL_MOTOR_KI].num > 0 && v[HOL_MOTOR_KP].num == 0 &&
        !v[HOL_MOTOR_WINDUP].given)
        return hol_read_fail(r, map, path,
                             "ki without kp and with max: give \"windup\", the time of the integral");
    return place || speed ? check_gains(r, map, path, stroke, v) : HOL_OK;
}

static hol_status (*const checks[HOL_LAWS])(const hol_reader *r, const hol_node *map, const hol_path *path,
                                            bool stroke, hol_value *v) = {
    [HOL_LAW_LIMITS] = check_limits, [HOL_LAW_MOTOR] = check_motor};

// By the rows and rules of the object; anything but a map is refused with an example.
static hol_status read_values(const hol_reader *r, const hol_object *object, const hol_node *map,
                              const hol_path *path, hol_value **v)
{
    *v = hol_arena_alloc(r->draft, (size_t)hol_option_count(object->rows) + 1, sizeof **v);
    if (!*v) return HOL_ERR_MEMORY;
    if (map->kind != HOL_NODE_MAP)
        return hol_read_fail(r, map, path, "a map is wanted, as in `%.*s`%s",
                             (int)strcspn(object->example, "\n"), object->example,
                             map->kind == HOL_NODE_SEQUENCE && strncmp(object->name, "limits", 6) == 0
                                 ? "; where the ends differ, one is a `joint-force` with `impact(..)`"
                                 : "");
    return hol_read_object(r, object, NULL, map, path, *v);
}

// A map of the joint, `motor: {..}`.
static hol_status read_map(hol_spec *spec, const hol_reader *r, const hol_node *map, const hol_path *path,
                           hol_law_kind kind, hol_spec_element *e)
{
    const bool stroke = e->type->coordinate == HOL_COORDINATE_STROKE;
    hol_value *v = NULL;
    hol_status st = read_values(r, objects[kind][stroke], map, path, &v);
    if (!st && checks[kind]) st = checks[kind](r, map, path, stroke, v);
    return st ? st : add(spec, e, (hol_spec_law){.kind = kind, .at = map->at, .value = v});
}

// One range of limits of several coordinates: a law of its own with the stop that all have.
static hol_status add_range(hol_spec *spec, const hol_reader *r, const hol_node *map, const hol_path *path,
                            const hol_option *row, const hol_value *range, const hol_value *stop,
                            hol_spec_element *e)
{
    hol_value *v = hol_arena_alloc(r->draft, STOP_VALUES, sizeof *v);
    double *cone = hol_arena_alloc(r->draft, 2, sizeof *cone);
    const char *name = hol_arena_print(r->draft, "%s.%s", hol_law_names[HOL_LAW_LIMITS], row->key);
    if (!v || !cone || !name) return HOL_ERR_MEMORY;
    memcpy(v + HOL_LIMITS_STIFFNESS, stop, (STOP_VALUES - HOL_LIMITS_STIFFNESS) * sizeof *v);
    v[HOL_LIMITS_RANGE] = *range;
    cone[0] = -HOL_INF;
    cone[1] = range->num;
    if (row->kind == HOL_NUMBER) v[HOL_LIMITS_RANGE].list = cone;
    hol_status st = check_range(r, map, path, row->key, &v[HOL_LIMITS_RANGE]);
    if (!st) st = check_stop(r, map, path, false, v);
    return st ? st : add(spec, e, (hol_spec_law){HOL_LAW_LIMITS, range->at, v, row->key, name});
}

// `limits:` of a joint with several coordinates.
static hol_status read_ranges(hol_spec *spec, const hol_reader *r, const hol_object *object,
                              const hol_node *map, const hol_path *path, hol_spec_element *e)
{
    hol_value *v = NULL;
    hol_status st = read_values(r, object, map, path, &v);
    for (int k = 0; k < RANGES && !st; k++)
        if (v[k].given) st = add_range(spec, r, map, path, &object->rows[k], &v[k], v + RANGES, e);
    return st;
}

// `stroke_limits:` of a joint whose laws act on its angle.
static hol_status read_stroke(hol_spec *spec, const hol_reader *r, const hol_node *map, const hol_path *path,
                              hol_spec_element *e)
{
    hol_value *v = NULL;
    hol_status st = read_values(r, &hol_limits_stroke_object, map, path, &v);
    const hol_path at = {path, "hard", 0, NULL};
    if (!st && v[HOL_LIMITS_HARD].num > 0)
        st = hol_read_fail(r, hol_node_find(map, "hard"), &at, HARD_ELSEWHERE);
    if (!st) st = check_limits(r, map, path, true, v);
    return st ? st : add(spec, e, (hol_spec_law){HOL_LAW_LIMITS, map->at, v, "stroke", "stroke_limits"});
}

// The one coordinate that counts full turns in space, of types that have one; NULL: the one that couplers take.
static const char *counted(const hol_element_type *type)
{
    const hol_joint_coordinate *c = type->named[1];
    if (type->coordinate != HOL_COORDINATE_NONE) return NULL;
    while (c->name && !hol_joint_coordinate_turns(c, 3)) c++;
    return c->name;
}

// `turns:`, a number of the one angle that counts, or numbers by the names of several.
static hol_status read_turns(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             hol_spec_element *e)
{
    const hol_node *turns = hol_node_find(item, "turns");
    const hol_option *row = hol_option_find(e->type->options, "turns");
    const hol_path at = {path, "turns", 0, NULL};
    hol_value *v = NULL;
    if (!turns || !row) return HOL_OK;
    if (row->kind == HOL_INTEGER)
        return add(spec, e,
                   (hol_spec_law){HOL_LAW_TURNS, turns->at, e->value + (row - e->type->options),
                                  counted(e->type), NULL});
    const hol_object *object = hol_object_find(row->choices);
    hol_status st = read_values(r, object, turns, &at, &v);
    for (int k = 0; object->rows[k].key && !st; k++)
        if (v[k].given)
            st = add(spec, e, (hol_spec_law){HOL_LAW_TURNS, v[k].at, v + k, object->rows[k].key, NULL});
    return st;
}

// What acts on coordinates that couplers do not take, by the rows that the joint's type has.
static hol_status read_named(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             hol_spec_element *e)
{
    const hol_node *limits = hol_node_find(item, "limits"), *stroke = hol_node_find(item, "stroke_limits");
    const hol_path at = {path, "limits", 0, NULL}, at_stroke = {path, "stroke_limits", 0, NULL};
    const hol_option *row = hol_option_find(e->type->options, "limits");
    if (stroke) return read_stroke(spec, r, stroke, &at_stroke, e);
    if (!limits || !row || e->type->coordinate != HOL_COORDINATE_NONE) return HOL_OK;
    return read_ranges(spec, r, hol_object_find(row->choices), limits, &at, e);
}

hol_status hol_read_laws(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                         hol_spec_element *e)
{
    hol_status st = HOL_OK;
    if (e->type->role != HOL_ROLE_JOINT) return HOL_OK;
    st = read_turns(spec, r, item, path, e);
    if (st) return st;
    if (e->type->coordinate == HOL_COORDINATE_NONE) return read_named(spec, r, item, path, e);
    if (hol_node_find(item, "stiffness") || hol_node_find(item, "damping") || hol_node_find(item, "preload"))
        st = add(spec, e, (hol_spec_law){.kind = HOL_LAW_SPRING, .at = item->at, .value = e->value});
    const hol_node *armature = hol_node_find(item, "armature");
    if (!st && armature)
        st = add(spec, e, (hol_spec_law){.kind = HOL_LAW_ARMATURE, .at = armature->at, .value = e->value});
    for (hol_law_kind k = HOL_LAW_LIMITS; k < HOL_LAWS && !st; k++) {
        const hol_path at = {path, hol_law_names[k], 0, NULL};
        const hol_node *map = hol_node_find(item, hol_law_names[k]);
        if (map) st = read_map(spec, r, map, &at, k, e);
    }
    return st ? st : read_named(spec, r, item, path, e);
}
