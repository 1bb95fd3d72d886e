// Contact of two shapes as a force element: what the compiler tells it, and what is told of it. docs/theory.md, section 23.
#ifndef HOL_CONTACT_H
#define HOL_CONTACT_H

#include "element/element.h"

// Pairs of shapes; end 0 is the second one, end 1 a ball (circle, sphere or, with radius 0, a corner) unless another one is named.
typedef enum hol_contact_pair {
    HOL_CONTACT_HALF_BALL, // a half-space, in the plane a half-plane
    HOL_CONTACT_BALLS,
    HOL_CONTACT_BOX_BALL,     // a box, a segment, a capsule
    HOL_CONTACT_CAN_BALL,     // a cylinder
    HOL_CONTACT_RING_BALL,    // a torus, an arc
    HOL_CONTACT_OUTLINE_BALL, // a polygon, a polyline
    HOL_CONTACT_CURVE_BALL,   // a curve
    HOL_CONTACT_HALF_CURVE,   // a closed convex curve on a half-plane
    HOL_CONTACT_HALF_RIM,     // a torus or the rim of a cylinder on a half-space
    HOL_CONTACT_EGG_BALL,     // an ellipsoid
    HOL_CONTACT_EGGS,         // two
    HOL_CONTACT_HALF_ELLIPSOID,
    HOL_CONTACT_RODS // two capsules
} hol_contact_pair;
// Laws of the normal force, and of friction.
typedef enum hol_contact_law { HOL_CONTACT_POWER, HOL_CONTACT_IMPACT } hol_contact_law;
typedef enum hol_contact_friction {
    HOL_CONTACT_TANH,
    HOL_CONTACT_STEP,
    HOL_CONTACT_SQRT,
    HOL_CONTACT_STICK, // the components of the friction are inputs
    HOL_CONTACT_FREE
} hol_contact_friction;

// What the compiler tells set-up, in the values by these rows, all `num`.
enum {
    HOL_CONTACT_PAIR,
    HOL_CONTACT_RADIUS,     // of the ball [m]
    HOL_CONTACT_RADII,      // what the distance of the centres or the height is less by [m]
    HOL_CONTACT_PLACE,      // where between the shapes they act: 0 on the ball, 1 on the other
    HOL_CONTACT_LAW,        // hol_contact_law
    HOL_CONTACT_K,          // [N/m^n]
    HOL_CONTACT_EXPONENT,   // n
    HOL_CONTACT_APPROACH,   // x = c v_i of a restitution; 0: none
    HOL_CONTACT_DAMPING,    // c [s/m], of impact [N s/m]
    HOL_CONTACT_RAMP,       // depth at which the damping of impact is full [m]
    HOL_CONTACT_RUBS,       // hol_contact_friction
    HOL_CONTACT_SLIDING,    // coefficient of friction
    HOL_CONTACT_STATIC,     // and at rest
    HOL_CONTACT_TRANSITION, // [m/s]
    HOL_CONTACT_STRIBECK,   // [m/s]; of step: where the coefficient is that of sliding
    HOL_CONTACT_DEEPEST,    // a depth beyond which the run ends [m]
    HOL_CONTACT_ROLLS,      // 1: couples against rolling are inputs behind the friction, one or two
    HOL_CONTACT_SPINS,      // 1: a couple against spinning is one, behind these
    HOL_CONTACT_SLOWEST,    // approach that a restitution holds for [m/s]
    HOL_CONTACT_X,          // sizes of the core of either shape (contact_parts.h) [m]
    HOL_CONTACT_Y,
    HOL_CONTACT_Z,
    HOL_CONTACT_REACH, // how far the shape of end 1 goes from its origin [m]
    HOL_CONTACT_OUTLINE, // `list`: points in the axes of end 0; half axes of an ellipsoid, end 1                 (n x dimension)
    HOL_CONTACT_CLOSED, // 1: the outline is closed
    HOL_CONTACT_CURVE,  // `table`, num 1: polar, `list`: units, range and signs as in hol_profile (6)
    HOL_CONTACT_FINE,   // a motion by a part of this leaves the gap smooth [m]
    HOL_CONTACT_ROUND,  // radius that a depth is compared with; 0: a corner has none [m]
    HOL_CONTACT_SOLID,  // 1: and what is within belongs to it, anticlockwise
    HOL_CONTACT_PART, // `list`, a part of an outline: members of hol_contact from `first` on    (HOL_CONTACT_PARTED)
    HOL_CONTACT_VALUES
};

enum { HOL_CONTACT_PARTED = 7 };
// A hollow corner of a polygon that turns by more than this is touched in two places at once [rad].
#define HOL_CONTACT_SHARP (HOL_PI / 18)

// Memory of a contact, which its events set: below 0 it is open, and does not act however a trial step overlaps, above 0 it lasts; 0: not
// known, it acts where shapes overlap. Then the speed of the approach [m/s].
enum { HOL_CONTACT_LASTS, HOL_CONTACT_SPEED, HOL_CONTACT_MEMORY };

// What may be observed of a contact, with its derivatives by y and w.
enum {
    HOL_CONTACT_F,      // normal force [N]
    HOL_CONTACT_SLIP,   // velocity of end 1 against end 0 at the point, along the first tangent [m/s]
    HOL_CONTACT_SLIP_2, // along the second one
    HOL_CONTACT_SPIN,   // angular velocity of end 1 against end 0 about the normal [rad/s]
    HOL_CONTACT_ROLL,   // the same about the first tangent, in the plane about its normal
    HOL_CONTACT_ROLL_2, // about the second tangent
    HOL_CONTACT_GAP,    // [m]
    HOL_CONTACT_ALONG,  // size of the slip [m/s]; its kink at 0 has the derivative 0
    HOL_CONTACT_RATE    // of the gap [m/s]
};

// A contact at a state.
typedef struct hol_contact_state {
    double gap, rate;                  // [m], [m/s]
    double F, elastic;                 // normal force, and its part that has a potential [N]
    double whole;                      // the normal force, also where it would pull and is none [N]
    double stored;                     // that potential [J]
    double friction, slip;             // sizes [N], [m/s]
    double deepest;                    // that it may be [m]
    double exponent;                   // of the depth in the elastic force
    double lost_damping, lost_rubbing; // powers [W]
    double point[3], normal[3];        // where the forces act [m]; from end 0 to end 1
    double rubbing[3];                 // friction on end 1 [N]
} hol_contact_state;
// u: inputs of the element. mem NULL: an event has switched it off, and nothing acts.
void hol_contact_look(const hol_element *e, const hol_real *y, const hol_real *w, const double *mem,
                      const hol_real *u, hol_contact_state *out);

// How deep end 1 is at another place of the same shape, at which nothing pushes it [m]; none, or open: below 0.
double hol_contact_again(const hol_element *e, const hol_real *y);
// At most the speed of a place of end 1 as end 0 sees it [m/s].
double hol_contact_pace(const hol_element *e, const hol_real *y, const hol_real *w);
// A motion of less than this leaves the gap smooth [m].
double hol_contact_fineness(const hol_element *e);

// A free impact of two bodies.
typedef struct hol_contact_impact {
    double restitution, lasts, depth; // -, [s], [m]
} hol_contact_impact;
// What comes of an impact of a reduced mass [kg] at a speed [m/s], to about six digits; NAN: it is not found, which takes too long or
// is damped far too much.
void hol_contact_foretell(const hol_element *e, double mass, double speed, hol_contact_impact *out);
// The smaller radius of both shapes [m]; 0: a corner.
double hol_contact_radius(const hol_element *e);
// A place or a normal for messages, "[0, 1]"; n: how many numbers.
const char *hol_contact_vector(const double *x, int n, char text[100]);
// The coefficient of sliding friction; 0: there is none.
double hol_contact_sliding(const hol_element *e);
// Depth [m] beyond which a run ends; HOL_INF: none.
double hol_contact_deepest(const hol_element *e);
double hol_contact_slowest(const hol_element *e);  // approach that a restitution holds for [m/s]
double hol_contact_exponent(const hol_element *e); // of the depth
// Shapes that have this approach in the memory come apart no faster [m/s]; HOL_INF: whatever their speed, they are pushed.
double hol_contact_fastest_apart(const hol_element *e, double approach);
// Depth [m] at which the force is this [N].
double hol_contact_static_depth(const hol_element *e, double force);

// Rate at which smooth friction under this normal force [N] makes a slow slip of a reduced mass [kg] die out [1/s]; sticking: 0.
double hol_contact_creep_rate(const hol_element *e, double mass, double force);
double hol_contact_elastic_force(const hol_element *e, double depth); // [N]
// How deep an elastic impact of a reduced mass [kg] at a speed goes [m], and how fast that mass moves where it vibrates so deep [m/s].
double hol_contact_elastic_depth(const hol_element *e, double mass, double speed);
double hol_contact_elastic_speed(const hol_element *e, double mass, double depth);
// How deep it is to be expected [m]: now, where this weight [N] rests on it, and where an elastic impact at this speed turns back.
double hol_contact_expected(const hol_element *e, double mass, double weight, double depth, double speed);
// How many times stiffer it had to be, so that a depth of a tenth of `deepest` holds all energy of a reduced mass that is so deep and goes on at a rate.
double hol_contact_stiffer(const hol_element *e, double mass, double depth, double rate);
// Derivatives of the gap by the coordinates of the bodies.                                 (ny - 1)
void hol_contact_gap_by(const hol_element *e, const hol_real *y, double *by);

extern const hol_element_type hol_force_contact;

#endif
