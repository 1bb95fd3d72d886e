// Words of other programs that users know, and what to write here instead: one table, by the kind of thing and of key.
// To add a word, add a row.
#include "model/elsewhere.h"
#include "base/base.h"

#include <stddef.h>
#include <string.h>

#define MOTOR                                                                                                \
    "a motor belongs to its joint, `motor: {torque: ..}` or `motor: {angle: .., kp: .., kd: ..}` of a "      \
    "revolute, cylindrical, screw or translational joint; what prescribes the motion is a driver, "          \
    "`drivers: "                                                                                             \
    "[{name: .., type: angle, joint: .., value: ..}]`"
#define ALONG                                                                                                \
    "this acts on the angle of the joint; on the stroke of a cylindrical one acts `forces: [{type: "         \
    "joint-force, joint: .., coordinate: stroke, value: ..}]`, whose value may be an expression, as "        \
    "`kp*(0.2 - j.stroke) - kd*j.speed`"
#define ABOUT                                                                                                \
    "this acts on the stroke of the joint, which does not turn; what turns are revolute, cylindrical and "   \
    "screw joints"
#define CONTACT                                                                                              \
    "contacts of shapes are a list of their own, `contacts: [{name: .., between: [.., ..], stiffness: ..}]`"
#define SHAPE                                                                                                \
    "such a shape is not there yet: in 2D it may be made of polygons, segments, arcs and balls, in space "   \
    "of "                                                                                                    \
    "boxes, balls, capsules, cylinders, tori and ellipsoids, several of which a body may have; what is "     \
    "only "                                                                                                  \
    "drawn is a polyline or a mesh"
#define PLANE "what has one side is a halfspace, in 2D a halfplane, whose `position` and turn say where"
#define HARD                                                                                                 \
    "rigid contact is not there yet: give a `stiffness` and `restitution: e`, which holds at every speed "   \
    "above `slowest`, of bodies that come freely; "                                                          \
    "one coordinate of a joint has rigid stops, `limits: {range: [lo, hi], hard: yes}`"
#define FOUNDATION "pressure over a face is `law: foundation`, with a `stiffness` in N/m^3 and `points`"
#define LOSS                                                                                                 \
    "what is lost is said beside the law: `restitution: e`, which holds at every speed above `slowest`, of " \
    "bodies that come freely, or `damping: c` of the material"
#define LINEAR                                                                                               \
    "a damper that acts at once pulls at the end: give `law: power`, `exponent: 1` and `restitution: e`"
#define COULOMB "dry friction is `law: stick`, which holds at rest, or `law: tanh` with a `transition`"
#define GROUP                                                                                                \
    "all pairs of the rule may touch: name the bodies that shall in `between`, those that shall not "        \
    "in `except`"
#define EDGES                                                                                                \
    "edges that corners touch are round by a hundredth of the smallest size of their shape, and those of a " \
    "cylinder by its `rim`"
#define PULL "contacts only push yet; a force of type force may pull"
#define BELT "surfaces that move are not there yet; a body that a driver moves is one"
#define MATERIAL                                                                                             \
    "materials belong to shapes: `materials: [{name: steel, modulus: 210 GPa, poisson: 0.3}]`, and "         \
    "`material: steel` of both"
#define AT_REST                                                                                              \
    "the friction of rest is `static`, over that of sliding: `friction: {coefficient: 0.3, static: 1.5, "    \
    "stribeck: ..}`"
#define LIMITS                                                                                               \
    "stops are `limits: {range: [lo, hi], stiffness: ..}` of a revolute, cylindrical, screw or "             \
    "translational "                                                                                         \
    "joint; elsewhere a force of type torque or force whose value is `bistop(..)`"
#define DAMPING                                                                                              \
    "joints with one coordinate have stiffness and damping, revolute, cylindrical, screw and translational " \
    "ones; beside others put a force of type bushing or spring-damper"
#define TABLE                                                                                                \
    "a driver takes a function of time, which may be a table, `value: \"spline(time, NAME)\"`, or as "       \
    "`speed` or `acceleration`"
#define FRICTION                                                                                             \
    "joints with one coordinate have friction, `friction: {torque: ..}` of a revolute, cylindrical or "      \
    "screw joint, "                                                                                          \
    "`friction: {force: ..}` of a translational one"
#define SPEED                                                                                                \
    "a driver of an angle, a stroke or a distance takes its speed, "                                         \
    "`drivers: [{name: .., type: angle, joint: .., speed: ..}]`; other speeds are held by "                  \
    "`constraints: [{name: .., velocity: ..}]`"
#define GRAVITY "gravity is a key of the model, `gravity: [0, 0, -9.81]`"
#define GRAVITY_2D "gravity is a key of the model, `gravity: [0, -9.81]`"
#define GRAVITY_OF_BOTH GRAVITY ", in 2D `gravity: [0, -9.81]`"
#define IMPLICIT "for stiff equations there are bdf, hht, rn4 and ros2w; `holonom methods` says what each is"
#define ROSENBROCK "the Rosenbrock methods here are rn4 and ros2w"
#define MULTISTEP "the multistep method for stiff equations is bdf, that for others adams"
#define RUNGE_KUTTA "the Runge-Kutta method is rk, with error control by simulate.tolerance"
#define SETTINGS "parameters of the file are given by `set: {NAME: ..}`"
#define ACTUATOR "an actuator is a force of type force or torque whose value is an expression"

// Of what has two ends.
#define BETWEEN                                                                                              \
    "the two ends are `between: [rod.tip, slider]`, body or body.marker, or of a joint `bodies: [rod, "      \
    "slider]` with `at`, its place at the drawn pose"
#define END(word)                                                                                            \
    {"joints", word, BETWEEN}, {"drivers", word, BETWEEN}, {"forces", word, BETWEEN},                        \
    {                                                                                                        \
        "contacts", word, SHAPES                                                                             \
    }
#define SHAPES "what may touch is `between: [ball, floor]`, bodies or shapes"
#define CONTACT_FRICTION "friction is a map of its own, `friction: {coefficient: 0.3}`"

static const struct {
    const char *where, *word, *hint;
} rows[] = {
    {"joint", "motor", MOTOR},
    {"driver", "motor", MOTOR},
    {"force", "motor", MOTOR},
    {"joint", "contact", CONTACT},
    {"force", "contact", CONTACT},
    {"joint", "velocity", SPEED},
    {"driver", "velocity", SPEED},
    {"driver", "speed", SPEED},
    {"force", "velocity", SPEED},
    {"force", "speed", SPEED},
    {"force", "gravity", GRAVITY},
    {"force", "actuator", ACTUATOR},
    {"joints", "limits", LIMITS},
    {"joints", "limit", LIMITS},
    {"joints", "range", LIMITS},
    {"joints", "stop", LIMITS},
    {"joints", "lower", LIMITS},
    {"joints", "upper", LIMITS},
    {"joints", "min", LIMITS},
    {"joints", "max", LIMITS},
    {"joints", "damping", DAMPING},
    {"joints", "stiffness", DAMPING},
    {"joints", "friction", FRICTION},
    {"joints", "motor", MOTOR},
    {"joints", "turns",
     "this joint has no angle that counts full turns; those that do are revolute, cylindrical, screw, "
     "planar, "
     "universal, spherical, at-point, constant-velocity, revolute-spherical, parallel-axes and total joints"},
    {"joints.motor", "stroke", ALONG},
    {"joints.motor", "force", ALONG},
    {"joints.friction", "force", ALONG},
    {"joints.limits", "stroke",
     "stops of the stroke of a cylindrical joint are its `stroke_limits: {range: [.., ..], ..}`"},
    {"joints.motor", "angle", ABOUT},
    {"joints.motor", "torque", ABOUT},
    {"joints.friction", "torque", ABOUT},
    {"bodies", "contact", CONTACT},
    {"bodies", "gravity", GRAVITY},
    {"model", "contact", CONTACT},
    {"model", "collisions", CONTACT},
    {"model", "motors", MOTOR},
    {"model", "actuators", ACTUATOR},
    {"include", "parameters", SETTINGS},
    {"method", "radau", IMPLICIT},
    {"method", "radau5", IMPLICIT},
    {"method", "ode15s", IMPLICIT},
    {"method", "ode23s", ROSENBROCK},
    {"method", "rodas", ROSENBROCK},
    {"method", "ida", MULTISTEP},
    {"method", "dassl", MULTISTEP},
    {"method", "daspk", MULTISTEP},
    {"method", "cvode", MULTISTEP},
    {"method", "gear", MULTISTEP},
    {"method", "lsoda", MULTISTEP},
    {"method", "gstiff", MULTISTEP},
    {"method", "rk45", RUNGE_KUTTA},
    {"method", "ode45", RUNGE_KUTTA},
    {"method", "rk4", RUNGE_KUTTA},
    {"drivers", "spline", TABLE},
    {"drivers", "table", TABLE},
    {"method", "dopri5", RUNGE_KUTTA},
    {"method", "dop853", RUNGE_KUTTA},
    {"method", "ode23", RUNGE_KUTTA},
    {"method", "runge-kutta", RUNGE_KUTTA},
    {"shape.type", "hull", SHAPE},
    {"shape.type", "convex", SHAPE},
    {"shape.type", "heightfield", SHAPE},
    {"shape.type", "terrain", SHAPE},
    {"shape.type", "circle", "a circle is a sphere, or a cylinder of the plane without a length"},
    {"shape.type", "ball", "a ball is a sphere"},
    {"shape.type", "plane", PLANE},
    {"contacts.law", "hard", HARD},
    {"contacts.law", "rigid", HARD},
    {"contacts.law", "hydroelastic", FOUNDATION},
    {"contacts.law", "poisson", LOSS},
    {"contacts.law", "lankarani-nikravesh", "`law: lankarani` is it, for comparison; " LOSS},
    {"contacts.law", "kelvin-voigt", LINEAR},
    {"contacts.law", "hooke", LINEAR},
    {"contacts.law", "linear", LINEAR},
    {"friction.law", "coulomb", COULOMB},
    {"contacts", "group", GROUP},
    {"contacts", "groups", GROUP},
    {"contacts", "exclude", GROUP},
    {"contacts", "edge_radius", EDGES},
    {"contacts", "adhesion", PULL},
    {"contacts", "surface_velocity", BELT},
    {"contacts", "material", MATERIAL},
    {"contacts", "young_modulus", MATERIAL},
    {"contacts", "poisson", MATERIAL},
    {"contacts", "mu_static", AT_REST},
    END("a"),
    END("b"),
    END("body1"),
    END("body2"),
    END("body_1"),
    END("body_2"),
    END("body_a"),
    END("body_b"),
    END("bodyA"),
    END("bodyB"),
    END("parent"),
    END("child"),
    END("base"),
    END("follower"),
    END("first"),
    END("second"),
    END("marker1"),
    END("marker2"),
    END("i_marker"),
    END("j_marker"),
    END("frame1"),
    END("frame2"),
    END("link1"),
    END("link2"),
    {"joints", "k", DAMPING},
    {"joints", "c", DAMPING},
    {"joints", "d", DAMPING},
    {"contacts", "mu", CONTACT_FRICTION},
    {"contacts", "coefficient", CONTACT_FRICTION},
    {"contacts", "friction_coefficient", CONTACT_FRICTION},
    {"contacts", "mu_dynamic", CONTACT_FRICTION},
    {"contacts", "dynamic", CONTACT_FRICTION},
    {"materials", "density", "the density stands with the body or with its shapes"},
};

// Keys that have another name here.
static const struct {
    const char *word, *here;
} called[] = {
    {"k", "stiffness"},
    {"mu", "coefficient"},
    {"dynamic", "coefficient"},
    {"mu_dynamic", "coefficient"},
    {"dmax", "full_depth"},
    {"kp", "stiffness"},
    {"c", "damping"},
    {"d", "damping"},
    {"l0", "length"},
    {"free_length", "length"},
    {"rest_length", "length"},
    {"natural_length", "length"},
    {"preload", "force"},
    {"m", "mass"},
    {"cm", "com"},
    {"pos", "position"},
    {"origin", "position"},
    {"vel", "velocity"},
    {"links", "bodies"},
    {"parts", "bodies"},
    {"constants", "parameters"},
    {"import", "include"},
    {"imports", "include"},
    {"solver", "simulate"},
    {"simulation", "simulate"},
    {"integrator", "method"},
    {"solver", "method"},
    {"dt", "step"},
    {"tend", "end"},
    {"t_end", "end"},
    {"stop_time", "end"},
    {"duration", "end"},
    {"tol", "tolerance"},
    {"hmax", "max_step"},
    {"theta", "angle"},
    {"phi", "angle"},
    {"heading", "angle"},
    {"yaw", "angle"},
    {"rot", "angle"},
    {"rotation", "angle"},
    {"orientation", "angle"},
    {"euler", "angle"},
    {"rpy", "angle"},
    {"free_angle", "angle"},
    {"rest_angle", "angle"},
    {"theta0", "angle"},
    {"angle0", "angle"},
    {"rotation", "orientation"},
    {"rot", "orientation"},
    {"euler", "orientation"},
    {"rpy", "orientation"},
    {"attitude", "orientation"},
    {"quat", "orientation"},
    {"quaternion", "orientation"},
    {"angle", "orientation"},
    {"angles", "orientation"},
    {"theta", "orientation"},
    {"R", "orientation"},
    {"matrix", "orientation"},
    {"center_of_mass", "com"},
    {"centre_of_mass", "com"},
    {"center", "com"},
    {"centre", "com"},
    {"cg", "com"},
    {"cog", "com"},
    {"moi", "inertia"},
    {"moment_of_inertia", "inertia"},
    {"J", "inertia"},
    {"I", "inertia"},
    {"Ixx", "inertia"},
    {"Iyy", "inertia"},
    {"Izz", "inertia"},
    {"Jzz", "inertia"},
    {"inertia_tensor", "inertia"},
    {"xyz", "position"},
    {"location", "position"},
    {"p", "position"},
    {"r", "position"},
    {"v", "velocity"},
    {"linear_velocity", "velocity"},
    {"w", "omega"},
    {"angular_velocity", "omega"},
    {"spring_constant", "stiffness"},
    {"spring_stiffness", "stiffness"},
    {"kt", "stiffness"},
    {"ks", "stiffness"},
    {"damping_coefficient", "damping"},
    {"damping_constant", "damping"},
    {"ct", "damping"},
    {"viscosity", "damping"},
    {"l", "length"},
    {"length0", "length"},
    {"initial_length", "length"},
    {"equilibrium_length", "length"},
    {"friction_coefficient", "coefficient"},
    {"mu_d", "coefficient"},
    {"mu_k", "coefficient"},
    {"lower", "range"},
    {"upper", "range"},
    {"lo", "range"},
    {"hi", "range"},
    {"min", "range"},
    {"max", "range"},
    {"limits", "range"},
    {"origin", "at"},
    {"location", "at"},
    {"position", "at"},
    {"pos", "at"},
    {"point", "at"},
    {"anchor", "at"},
    {"xyz", "at"},
    {"direction", "axis"},
    {"z_axis", "axis"},
    {"u", "axis"},
    {"function", "value"},
    {"expression", "value"},
    {"motion", "value"},
    {"F", "value"},
    {"magnitude", "value"},
    {"body", "on"},
    {"applied_to", "on"},
    {"link", "on"},
    {"ic", "initial"},
    {"initial_value", "initial"},
    {"x0", "initial"},
};

// The way out in a model of that dimension; 0: any.
static const char *in_dimension(const char *hint, int dimension)
{
    if (strcmp(hint, GRAVITY) != 0 || dimension == 3) return hint;
    return dimension == 2 ? GRAVITY_2D : GRAVITY_OF_BOTH;
}

const char *hol_elsewhere(const char *where, const char *word, int dimension)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((!where || strcmp(rows[i].where, where) == 0) && hol_same_name(rows[i].word, word))
            return in_dimension(rows[i].hint, dimension);
    return NULL;
}

const char *hol_called_here(const char *word, const char *key)
{
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        if (hol_same_name(called[i].word, word) && strcmp(called[i].here, key) == 0) return key;
    return NULL;
}
