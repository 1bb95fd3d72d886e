// Terms that the program prints, and words of machines with what builds them here, in plain English. To add one, add a row.
#include "io/glossary.h"

#include <stddef.h>

const hol_term hol_terms[] = {
    {"actuator, servo", "what moves a machine: `motor:` of a joint gives a torque or force or follows a "
                        "place or speed by its gains; a force of type `force` or `torque` gives what an "
                        "expression says; a driver prescribes the motion, whatever force that needs"},
    {"adams", "a family of explicit methods that use several past steps; see the method `adams`"},
    {"anti-roll bar, stabilizer, stabiliser bar",
     "a torsion bar between both wheels of an axle: a `rotational-spring-damper` between two arms, or a "
     "torque `-k*(left.arm.angle - right.arm.angle)` on them"},
    {"backlash, dead zone, deadband, play",
     "free motion before something carries: `limits` of a joint with a narrow range and a `stiffness`, or a "
     "torque or force by `bistop(..)`; a `gear` has none"},
    {"bearing", "a `revolute` joint where it does not give way, a `bushing` where it has stiffness; losses "
                "are `friction` of the joint"},
    {"belt, chain drive, pulley",
     "without slip a `gear` of the turns of both wheels, with the ratio of their radii; an elastic belt is a "
     "torque by an expression of both angles. Ropes that run over pulleys are not there yet"},
    {"body, bodies",
     "a part of the mechanism that does not deform: it has a mass, a place and, unless it is a point "
     "mass, an orientation"},
    {"body frame", "axes fixed to a body, in which its markers, shapes and centre of mass are given"},
    {"brake, clutch", "`friction` of a joint with `engaged: EXPRESSION`, 0 open to 1 closed, slips and holds "
                      "(models/clutch.yaml); a `lock` that events switch on grips at once"},
    {"branch", "bodies that hang from one body like twigs of a tree; also one of several poses in which a "
               "loop can be closed by the same joints"},
    {"bristle", "how `friction` of a joint holds at rest: a small stretch that carries the load elastically, "
                "up to the limit at which it slides; the signal `hinge.friction.bristle` is the stretch"},
    {"bump stop, bumper, stopper, end stop, hard stop, stop, jounce, rebound",
     "the end of a travel: `limits` of a joint, `{range: [lo, hi], stiffness: ..}` or `hard: yes`; between "
     "two points a `force` by `impact(..)` or `bistop(..)`"},
    {"cable, rope, tether",
     "a `distance` joint where it stays taut, else a `spring-damper` without stiffness whose `force` is "
     "`max(k*(DM(a, b) - L), 0)`; over pulleys it is not there yet"},
    {"cam, follower", "a `point-on-curve` joint that keeps a point on a table's curve, or a driver or "
                      "constraint by `spline(..)` (models/cam_follower.yaml, valve_train.yaml)"},
    {"camber, caster, kingpin",
     "angles of a wheel or of its steering axis against the vertical: variables made of measures of two "
     "markers on the axis, `-asin(DZ(upright.out, upright.wheel)/DM(upright.out, upright.wheel))`, which is "
     "above 0 where the top leans outwards "
     "(models/double_wishbone.yaml)"},
    {"centre of mass, com, centre",
     "the point of a body at which gravity acts; the equations of motion are those of this point"},
    {"chain, chains", "bodies joined one after the other, beginning at ground: an arm is one"},
    {"checkpoint, restart", "the state of a run that `run --checkpoint` has saved; `run --restart` goes on "
                            "from it to the same last bit"},
    {"chart", "a set of independent coordinates that describes all positions near the present one; away from "
              "there another set is chosen"},
    {"chosen", "by `method: auto`: the method that suits the model, and why"},
    {"collision", "of shapes of bodies: `contacts`; of a joint with its end: `limits`"},
    {"command",
     "what a motor would give without its end, `max`, before its gear: the signal `hinge.motor.command`; "
     "`hinge.motor.torque` or `.force` is what acts behind the gear"},
    {"constraint, constraint equation", "an equation that positions or velocities must fulfil; a joint is "
                                        "made of some: a hinge in the plane of 2, in space of 5"},
    {"contacts, onset",
     "places at which shapes of bodies may touch, by rules of `contacts`; when two begin to "
     "touch is an onset, which is found within the step"},
    {"controller, feedback, PID",
     "`motor: {angle: .., kp: .., ki: .., kd: ..}` of a joint is one; others are variables, `states` and "
     "`transfer_functions` that a force uses, or a program around the simulation that sets `inputs`"},
    {"convergence",
     "of an iteration: its corrections become small; of a method: its error becomes small with the steps"},
    {"coordinates", "numbers that say where all bodies are: 3 for a body in the plane, 7 in space (place and "
                    "four Euler parameters), joined by constraint equations"},
    {"corrector", "the iteration that solves the equations of one step of an implicit method"},
    {"coupler", "a joint that holds coordinates of other joints together, such as a gear"},
    {"crank",
     "a body that turns about a fixed axis: a `revolute` joint to ground (models/slider_crank.yaml)"},
    {"cut",
     "a joint that closes a loop is left out when the tree of joints is made, and its equations are added "
     "afterwards; the motion does not depend on which joint of the loop is cut, but for rounding"},
    {"damping ratio", "how fast a vibration decays: 0 never, 1 just without swinging back"},
    {"decay, divergence, grows", "of modes: a motion that dies out or grows without swinging; a vibration "
                                 "that grows has a negative damping ratio"},
    {"degree of freedom, degrees of freedom, dof",
     "a way in which the mechanism can still move; their number is that of coordinates less that of "
     "independent constraint equations"},
    {"Delassus matrix, Delassus", "says how much the ends of joints give way to unit forces in them, by the "
                                  "masses of the bodies alone; the multipliers of loops come from it"},
    {"density", "mass by volume of a body's shapes, from which its mass, centre and inertia follow"},
    {"dependent", "of equations: one of them follows from the others"},
    {"detent, ratchet", "a torque by a table of the angle, `spline(hinge.angle, NAME)`; a ratchet is "
                        "`limits` or a `lock` that events switch"},
    {"differential",
     "three shafts, one of which turns with the mean of the others: a `coupler` of their angles"},
    {"drift", "joints that open, or energy that changes, little by little because of small errors in every "
              "step; the program puts positions back onto the joints"},
    {"driver",
     "a joint whose coordinate is prescribed as a function of time; it takes whatever force that needs, the "
     "signals `NAME.torque` or `NAME.force`, above 0 where it drives the coordinate up, and `NAME.power`"},
    {"dry friction, stiction, stick-slip, Coulomb friction, Coulomb, Stribeck",
     "friction that needs a force to begin to slide and holds at rest: `friction` of a joint, larger at rest "
     "by `static`, falling with the speed by `stribeck`"},
    {"eigenvalue", "a number by which a matrix stretches one direction; of the linearised motion: how fast a "
                   "motion grows or swings"},
    {"element", "an entry of the model: body, joint, driver, force, constraint"},
    {"energy", "kinetic and potential; what it changes by, beyond the work of dampers, drivers and other "
               "forces, was lost or made by errors, and is told after a run"},
    {"eps", "of the method `srm`: how soft its loops are; smaller is stiffer"},
    {"equilibrium", "a pose in which the model rests: all forces cancel"},
    {"error, error control", "the difference from the exact motion; methods with error control estimate that "
                             "of each step and choose the step so that the tolerance is kept"},
    {"Euler parameters, quaternion",
     "four numbers with a sum of squares of 1 that say how a body is turned, without poses in which they "
     "fail; their normalisation counts as a constraint"},
    {"event", "something that happens at a time, or when an expression crosses zero: a parameter changes, a "
              "force is switched, the run stops; steps end there exactly"},
    {"explicit method, explicit", "finds the next state from present forces alone; cheap by the step, but a "
                                  "stiff spring forces it to short steps"},
    {"factorization, factorisation",
     "the costly part of solving linear equations; it is kept for several steps where possible"},
    {"failed attempt, failed attempts", "a step that was tried and not finished, because its equations found "
                                        "no solution; a shorter one follows"},
    {"fixed steps, fixed", "steps of one length, which nothing adapts to the error"},
    {"flywheel",
     "a body with an inertia on a `revolute` joint, or `armature` of a joint, or a force of type `rotor`"},
    {"forest", "trees of joints of a model whose parts are not connected"},
    {"frame", "an origin and axes; a marker, a body and ground have one"},
    {"function of time, functions of time", "a force, motion or variable that depends on the time alone: "
                                            "where it jumps or is short, steps end in time"},
    {"gain, kp, ki, kd", "force or torque of a motor by what is missing of its place (`kp`), by the sum of "
                         "that over the time (`ki`), by the rate (`kd`): keys of `motor`"},
    {"gear ratio, transmission, gearbox",
     "`ratio` of a `gear` between two joints; `gear` of a `motor` between the motor and its joint"},
    {"ground", "what does not move, but for markers with a `motion`"},
    {"growth", "a motion that becomes larger by itself, as of a pole that falls over or of a spring with the "
               "wrong sign"},
    {"hydraulic cylinder, piston, cylinder, pneumatic",
     "a `translational` joint, or a `spring-damper` without stiffness between two points, on which pressures "
     "act: `states` for the pressures and a `force` between both ends (models/hydraulic.yaml; their bodies "
     "in models/excavator.yaml)"},
    {"implicit method, implicit", "solves equations for the end of each step, by Newton's iteration; dearer "
                                  "by the step, but stiff springs do not shorten its steps"},
    {"independent", "of equations: none of them follows from the others"},
    {"index", "how often constraints must be differentiated with the time until an ordinary differential "
              "equation is left: 3 for positions, 2 for velocities, 1 for accelerations. A method of index 3 "
              "solves for positions on the joints at once"},
    {"inertia",
     "how a body resists turning about its centre of mass; in space a tensor with moments and products"},
    {"initial conditions, start", "positions and velocities at time 0; the program changes those of the file "
                                  "so that all joints are closed, and says by how much"},
    {"integral, windup",
     "what a motor with `ki` has summed up of what is missing, the signal `hinge.motor.integral`; at the "
     "motor's end, `max`, it follows within `windup` and does not grow on"},
    {"interpolation",
     "of a result between two steps: by a polynomial that the method makes, put back onto the joints"},
    {"iterate, iteration, iterations", "one of a row of ever better approximations"},
    {"joint", "holds two bodies together, and leaves them some freedom against each other"},
    {"jump", "a value that changes at once; a step that crosses one is wrong, so steps end there"},
    {"KKT matrix, KKT", "the matrix of masses and constraint equations in one; solving with it gives "
                        "accelerations and the forces in all joints together"},
    {"kink, kinks, corner",
     "a corner of a function: its value goes on, but its slope jumps (min, max, abs, if, a table of straight "
     "lines). A step across a kink is of order 1, so that methods with error control take short steps there"},
    {"latch, docking, catch, release, switched",
     "joints that come and go: `active: no` lets one begin switched off, `on:` and `off:` of events switch "
     "it; a `grip` holds two bodies, "
     "a `lock` a joint's coordinate, as they are then"},
    {"length scale, natural length, size of the model",
     "a typical length of the mechanism, by which errors of positions are measured: `length_scale`, or the "
     "longest body"},
    {"linearised motion", "small motions about a state, which are sums of vibrations and exponentials; "
                          "`holonom modes` finds them"},
    {"local error", "that of a single step, from a start that is taken as exact"},
    {"loop, closed loop, loops, closed loops", "bodies joined in a ring, as in a four-bar linkage: the last "
                                               "joint must fit, which takes equations of its own"},
    {"loop equation, loop equations, equations of loops",
     "the equations of the joints that close loops; what is left when all other joints are described by "
     "their own coordinates"},
    {"loop operator", "the matrix of the equations that close loops: its smallest eigenvalue is near 0 where "
                      "the mechanism is near a singular pose, and the forces in its joints become large"},
    {"low-pass, lag, time constant", "`transfer_functions` with `numerator: [1], denominator: [T, 1]`, or a "
                                     "state whose rate is `(input - x)/T`"},
    {"marker",
     "a point or a frame of a body or of ground by a name, `crank.pin`; joints and forces act at markers"},
    {"masses of shapes",
     "mass, centre of mass and inertia of bodies that follow from their shapes and densities"},
    {"mass matrix", "masses and inertias of all bodies: what accelerations are multiplied by"},
    {"method, integrator",
     "how the motion is computed step by step; `holonom methods` lists them, `auto` chooses one"},
    {"mode", "a pattern in which the whole model vibrates with one frequency"},
    {"moment of inertia", "inertia about one axis"},
    {"multiplier, multipliers, lambda",
     "the force or torque with which one constraint equation holds; forces in joints are made of them. "
     "Redundant equations have no multiplier of their own"},
    {"narrow strip, strip",
     "a small range of place or speed in which a force changes much, as a thin wall: a step could jump over "
     "it, so steps are looked through and made again in shorter ones"},
    {"natural frequency, eigenfrequency, resonance",
     "how often a model vibrates by itself: `holonom modes MODEL`; of a result `holonom plot --spectrum`"},
    {"natural size", "of a violation: by the length of the model for positions, by 1 rad for angles, so that "
                     "both can be compared"},
    {"Newton iteration, Newton iterations, Newton's iteration, Newton",
     "solves nonlinear equations by linear ones, again and again until the corrections are small; implicit "
     "methods use 2 or 3 turns a step"},
    {"norm", "one number for the size of many: the errors of all bodies are compared by one"},
    {"normalisation",
     "the equation that the squares of Euler parameters sum up to 1; one for each body in space"},
    {"omega_max, fastest vibration", "the highest frequency of the model in its present state, in rad/s; "
                                     "explicit methods need some steps for each radian of it"},
    {"order", "of a method: with half the step the error becomes 2^order times smaller"},
    {"pole", "a place where a function becomes infinite, such as 1/t at 0; no step goes across it"},
    {"pose", "where all bodies are and how they are turned, at one time"},
    {"predictor", "a guess of the next state from the last ones, from which an iteration begins"},
    {"principal moments", "the moments of inertia about the three axes for which the products vanish; none "
                          "is above the sum of the other two"},
    {"product of inertia, products of inertia",
     "entries of the inertia tensor beside the diagonal: here -integral of x y dm, as the tensor has them"},
    {"projection",
     "puts positions or velocities that have left the joints back onto them, by the smallest change"},
    {"pulse", "a force or a motion that lasts a short time only; fixed steps may miss it"},
    {"rank", "how many constraint equations are independent"},
    {"reaction, reactions", "force and torque in a joint or driver"},
    {"recursion", "goes through the tree of joints body by body, outwards for velocities and inwards for "
                  "forces; its cost grows with the number of bodies only"},
    {"redundant, redundant row, redundant equation, redundancy, overconstrained",
     "a constraint equation that follows from others, as of a second hinge on the axis of the first: the "
     "motion is the same without it, but how both share the force depends on deformation, which rigid bodies "
     "do not have"},
    {"regularisation, regularization",
     "a small softness added to equations that are redundant or nearly so, that they can be solved; the "
     "joints give way by far less than the tolerance"},
    {"rejected, rejected step",
     "a step whose error was above the tolerance: it was thrown away and tried anew with a shorter one"},
    {"relative tolerance", "a tolerance by the size of what is computed, not in its unit"},
    {"residual", "what is left of an equation when numbers are put in that do not solve it exactly"},
    {"rigid-body mode, rigid-body",
     "a motion that no force holds back: a mode of the frequency 0, as of a car on the road"},
    {"root", "of a tree: the body nearest to ground; of an expression: where it is 0"},
    {"row",
     "one constraint equation, as a row of a matrix; also a line of a result, all signals at one time"},
    {"rest", "of limits, `hinge.limits.rest`: what holds a joint that has come to rest at its hard stop; a "
             "block at rest is held by `friction`"},
    {"saturation, anti-windup, rate limit",
     "an end of what an actuator gives: `max` of a `motor`, whose signal "
     "`hinge.motor.saturated` says where it is "
     "there, `min(max(x, -a), a)` in expressions; `windup` is the time in which its integral follows"},
    {"sensor, encoder, load cell", "a variable of measures: `hinge.angle`, `DX(a, b)`, `FX(joint)`; "
                                   "`ACCX(marker)` is an accelerometer without gravity"},
    {"SFORCE, VFORCE, VTORQUE, GFORCE",
     "forces of Adams by expressions: a `vector-force` between two bodies, or a `joint-force` or "
     "`joint-torque`; `import` of an .adm file takes them"},
    {"shared", "of a reaction: redundant equations carry it together, and rigid bodies do not tell who "
               "carries how much; results show the smallest forces that do"},
    {"shape", "how a body is drawn, where it touches others in contacts, and what its mass follows from if "
              "it has a density"},
    {"shock absorber, strut, leaf spring",
     "a `spring-damper` between two points, with tables for stiffness and damping by `force` with an "
     "expression; a strut that also guides has a `cylindrical` or `translational` joint"},
    {"signal, signals", "a column of the result, such as `crank.theta` or `hinge.Fx`"},
    {"singular pose, singular", "a pose in which constraint equations depend on each other that do not "
                                "elsewhere: a mechanism gains freedom for a moment, as a crank in its dead "
                                "centre or a flattened parallelogram, and may go on in two ways"},
    {"spatial", "in three dimensions: `dimension: 3`; the plane is `dimension: 2`"},
    {"spectrum, Fourier transform",
     "how much of each frequency is in a signal: `holonom plot FILE --spectrum` draws it; a "
     "model's own frequencies are those of `holonom modes`"},
    {"spring rate", "force by displacement: `stiffness`"},
    {"stability, stable step, largest stable step",
     "an explicit method with a longer step than this makes vibrations grow that decay in truth"},
    {"state", "all numbers that the motion goes on from: positions, velocities, states of the user's "
              "equations, memory of elements"},
    {"steer, steering, tie rod",
     "a rack is a body on a `translational` joint with a driver of type `stroke`; a tie rod is a `distance` "
     "joint from the rack to the upright; a steering wheel turns the rack by a `rack-pinion` "
     "(models/double_wishbone.yaml)"},
    {"step, steps", "the piece of time that a method goes at once"},
    {"step control", "chooses the length of the next step from the error of the last ones"},
    {"stiff", "of a model: it has a motion that is far faster than what one wants to see, as a hard spring; "
              "explicit methods are held to its short steps, implicit ones are not"},
    {"stiffness", "force by displacement of a spring, or torque by angle"},
    {"suspension, wishbone, double wishbone, upright",
     "arms on `revolute` joints, an upright on `spherical` ones, a `spring-damper`, a `tyre`; one file of a "
     "corner is included for all of them, with `mirror: y` (tutorial, section 10; "
     "models/double_wishbone.yaml, hmmwv.yaml)"},
    {"tangent", "the linear equations nearest to the nonlinear ones at a state"},
    {"tangent space", "all velocities that the joints allow in a pose"},
    {"teaching method", "a method of the textbook with fixed steps, to be compared with others"},
    {"toe, trail, scrub radius, roll centre, track, wheelbase",
     "numbers of a car's axle: variables made of measures of markers on wheel and steering axis, "
     "`atan2(DX(upright.out, upright.wheel), DY(upright.out, upright.wheel))` for the toe "
     "(models/double_wishbone.yaml)"},
    {"tolerance", "how large errors may be: with 1e-4, positions are right to about 1e-4 of the model's "
                  "length over some ten of its own times"},
    {"torsion bar, torsion, torsion spring",
     "`stiffness` of a `revolute` joint, or a `rotational-spring-damper`"},
    {"transfer function",
     "output by input of a linear filter, numerator over denominator: `transfer_functions` of the model"},
    {"travel, droop",
     "how far something goes: the coordinate `stroke` of a sliding joint, or a variable such as `DZ(wheel)`"},
    {"tree, tree of joints", "bodies and joints from ground outwards, each body hanging from one joint; "
                             "joints that close loops are not part of it"},
    {"tunable", "of a parameter: a program may change it while the model runs"},
    {"turn, turns", "a full rotation by 2 pi; angles of joints count them"},
    {"undetermined", "of a reaction: it could be anything, because it holds nothing that moves"},
    {"unique", "of a reaction: it follows from the motion, whatever redundant equations there are"},
    {"variable, variables", "a named expression of the model, which others, forces and results may use"},
    {"velocity constraint, velocity constraints",
     "an equation of velocities that is none of positions, as of a wheel that rolls: it takes away freedom "
     "of velocities, and the wheel can still reach every place"},
    {"violation, open",
     "by how much a joint is open, or velocities of its ends differ, by the natural size of the model"},
    {"warning, warnings",
     "something that will hurt a run or looks like a slip of the pen; the word in brackets is its kind"},
    {"wheel", "a body with a `tyre` on it, which stands on a road; one that rolls without slip is held by "
              "velocity constraints (models/rolling_disc.yaml)"},
    {"winch, hoist", "a drum on a `revolute` joint whose turn changes the length: a `rack-pinion` of the "
                     "drum and a sliding load, or a `spring-damper` with `force` by an expression"},
    {"work", "energy brought in or taken out by dampers, drivers and other forces"},
    {NULL, NULL}};
