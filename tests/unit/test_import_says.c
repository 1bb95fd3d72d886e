// What models say that are made of URDF and MJCF files.
#include "import_robots.h"
#include "import_text.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    hol_import_root root;
    const char *says[5];
} models[] = {
    {ROBOT(LINK("a")),
     HOL_IMPORT_ROOT,
     {"#   the root is fixed to ground; --root free lets it float: a (line 2)",
      "{name: a_to_ground, type: fixed, between: [ground, a]}",
      "#   a URDF file has no gravity; it is 9.80665 m/s^2 against z: line 1", NULL}},
    {ROBOT(LINK("a")),
     HOL_IMPORT_FREE,
     {"bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n\nsimulate", NULL}},
    // names: characters, words, signals, joints that are called like links, markers like columns of results
    {ROBOT(LINK("a.b {1}") LINK("energy") JOINT("energy", "continuous", "a.b {1}", "energy", "")),
     HOL_IMPORT_FREE,
     {"name: a_b__1_", "name: energy_\n", "name: energy_joint", "#     a_b__1_ = a.b {1} (line 2)"}},
    {ROBOT(AB LINK("x") JOINT("x", "fixed", "a", "x", "")
               JOINT("vx", "continuous", "a", "b", "<origin xyz='1 0 0'/>")),
     HOL_IMPORT_FREE,
     {"x_frame: [0, 0, 0]", "vx_frame: {position: [1, 0, 0]",
      "{name: vx, type: revolute, between: [a.vx_frame, b.vx_frame]}", NULL}},
    {ROBOT(LINK("1") LINK("_1") JOINT("1", "continuous", "1", "_1", "<axis xyz='0 0 5'/>")),
     HOL_IMPORT_FREE,
     {"{name: _1, ", "{name: _1_, ", "{name: _1_joint, type: revolute, between: [_1._1_joint, _1_]}", NULL}},
    // fixed joints: one body, by Steiner; the link's frame is a marker
    {ROBOT(AB JOINT("j", "fixed", "a", "b", "<origin xyz='2 0 0'/>")),
     HOL_IMPORT_FREE,
     {"mass: 2, com: [1, 0, 0], inertia: [2, 4, 4]", "markers: {b: [2, 0, 0]}}",
      "# with what fixed joints hold to it: b", NULL}},
    {ROBOT(LINK("a") "<link name='tool'/>" JOINT("j", "fixed", "a", "tool",
                                                 "<origin xyz='0 0 1' rpy='0 0 0.5'/>")),
     HOL_IMPORT_FREE,
     {"mass: 1\n", "tool:", "position: [0, 0, 1]", NULL}},
    {ROBOT(LINK("a") "<link name='tool'/>" JOINT("j", "fixed", "a", "tool",
                                                 "<origin rpy='1.5707963267948966 0 1.5707963267948966'/>")),
     HOL_IMPORT_FREE,
     {"tool: {orientation: {z: [1, 0, 0], x: [0, 1, 0]}}", NULL}},
    // a tensor that breaks the triangle inequality
    {ROBOT("<link name='a'><inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
           "izz='3'/></inertial></link>"),
     HOL_IMPORT_FREE,
     {"inertia_check: warn", "they move with it as it is (inertia_check: warn): a (line 2)", NULL}},
    // joints
    {ROBOT(AB JOINT("j", "revolute", "a", "b", LIMIT)),
     HOL_IMPORT_FREE,
     {"#   limits that are equal; they are none: j (line 4)",
      "{name: j, type: revolute, between: [a.j, b.j]}", NULL}},
    {ROBOT(AB JOINT("j", "prismatic", "a", "b",
                    "<axis xyz='0 0 1'/><limit lower='-1' upper='2' effort='5' velocity='3'/><dynamics "
                    "damping='4' friction='6'/>")),
     HOL_IMPORT_FREE,
     {"limits: {range: [-1, 2], hard: yes, restitution: 0}", "damping: 4\n    friction: {force: 6}",
      "# its motor gives 5 N and 3 m/s at most\n  - name: j\n    type: translational", NULL}},
    {ROBOT(AB JOINT("j", "revolute", "a", "b",
                    "<axis xyz='0 0 -2'/><limit lower='7' upper='8'/><dynamics friction='6'/>")),
     HOL_IMPORT_FREE,
     {"they are drawn in the middle of their range: j (line 4)", "friction: {torque: 6}",
      "range: [0.716814692820", NULL}},
    {ROBOT(AB JOINT("j", "floating", "a", "b", "<origin xyz='1 2 3'/><axis xyz='1 0 0'/>")),
     HOL_IMPORT_ROOT,
     {"relative_to: a.j", "joints:\n  - {name: a_to_ground, type: fixed, between: [ground, a]}\n\n", NULL}},
    {ROBOT(AB JOINT("j", "planar", "a", "b", "")),
     HOL_IMPORT_FREE,
     {"{name: j, type: planar, between: [a.j, b.j]}", NULL}},
    {ROBOT(AB LINK("c") JOINT("j", "continuous", "a", "b", "")
               JOINT("k", "continuous", "b", "c", "<mimic joint='j' multiplier='0' offset='0.5'/>")),
     HOL_IMPORT_FREE,
     {"{name: k_follows, type: lock, joint: k}", NULL}},
    {ROBOT(AB LINK("c") JOINT("j", "continuous", "a", "b", "")
               JOINT("k", "continuous", "b", "c", "<mimic joint='j' multiplier='3'/>")),
     HOL_IMPORT_FREE,
     {"{name: k_follows, type: coupler, joints: [k, j], ratios: [1, -3]}", NULL}},
    // limits of joints that URDF gives none
    {ROBOT(AB LINK("c") LINK("d") JOINT("j", "continuous", "a", "b", "<limit lower='-1' upper='1'/>")
               JOINT("k", "planar", "b", "c", "<limit lower='-1' upper='1'/>")
                   JOINT("l", "floating", "c", "d", "<limit lower='0.5' upper='1'/>")),
     HOL_IMPORT_FREE,
     {"lower and upper of continuous, planar and floating joints; URDF has such limits of revolute and "
      "prismatic ones alone: j (line 6), k (line 7), l (line 8)",
      NULL}},
    // loops
    {ROBOT(AB JOINT("j", "continuous", "a", "b",
                    "<axis xyz='0 0 1'/>") "<loop_joint name='l' type='planar'><link1 link='a' xyz='1 0 "
                                           "0'/><link2 link='b'/><axis xyz='0 0 1'/></loop_joint>"),
     HOL_IMPORT_FREE,
     {"{name: l, type: planar, between: [a.l, b.l]}", "l: [1, 0, 0]", NULL}},
    {ROBOT(AB JOINT("j", "continuous", "a", "b",
                    "<origin xyz='1 0 0'/><axis xyz='0 0 1'/>") "<gazebo><joint name='l' "
                                                                "type='revolute'><parent>a</parent><child>b</"
                                                                "child><pose>0 1 0 0 0 0</pose><axis><xyz>0 "
                                                                "0 2</xyz></axis></joint></gazebo>"),
     HOL_IMPORT_FREE,
     {"l: [1, 1, 0]", "l: [0, 1, 0]", "{name: l, type: revolute, between: [a.l, b.l]}", NULL}},
    {ROBOT(AB LINK("c") JOINT("j", "continuous", "a", "b", "<axis xyz='0 0 1'/>") JOINT(
         "k", "revolute", "a", "c",
         "<axis xyz='0 0 1'/><limit lower='1' upper='2'/>") "<loop_joint name='l' type='continuous'><link1 "
                                                            "link='b' xyz='1 0 0'/><link2 link='c' xyz='1 0 "
                                                            "0'/><axis xyz='0 0 1'/></loop_joint>"),
     HOL_IMPORT_FREE,
     {"they are drawn where the loops close, within their limits: j (line 5), k (line", NULL}},
    {ROBOT(AB LINK("c") JOINT("j", "continuous", "a", "b", "<axis xyz='0 0 1'/>") JOINT(
         "k", "continuous", "a", "c",
         "<axis xyz='0 0 1'/>") "<loop_joint name='l' type='continuous'><link1 link='b' xyz='1 0 0'/><link2 "
                                "link='c' xyz='2 0 0'/><axis xyz='0 0 1'/></loop_joint>"),
     HOL_IMPORT_FREE,
     {"no place was found", "they are drawn open: l (line 7)", NULL}},
    // frames of MuJoCo 3: places, turns, classes
    {"<mujoco><default><default class='c'><joint damping='2'/></default></default><worldbody><frame pos='1 0 "
     "0' euler='0 0 90'>"
     "<frame childclass='c'><body name='a' pos='1 0 0'>" BALL
     "<frame pos='0 0 3' euler='90 0 0'><joint name='j' pos='0 1 0' "
     "axis='0 1 0'/><site name='s' pos='0 2 0'/><geom type='capsule' fromto='0 0 0 0 2 0' size='0.1' "
     "mass='0' contype='0' "
     "conaffinity='0'/></frame></body></frame></frame></worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"damping: 2", "j: {orientation: {z: [0, 0, 1], x: [1, 0, 0]}}",
      "1, 4]\n    orientation: {z: [0, 0, 1], x: [0, 1, 0]}",
      "- {type: capsule, radius: 0.1, length: 2, orientation: {z: [0, 0, -1], x: [1, 0, 0]}}",
      "6.123233995736766e-17, 1], orientation: {z: [0, -1, 0], x: [1, 0, 0]}}"}},
    // a tendon with the numbers of its class, whose rest is where the springs of its joints are free
    {"<mujoco><default><tendon damping='3'/></default><worldbody><body name='a'><joint name='j' "
     "ref='90'/>" BALL "<body name='b'><joint name='k' type='slide' springref='0.5'/>" BALL
     "</body></body></worldbody><tendon><fixed name='t' stiffness='2'>"
     "<joint joint='j' coef='-4'/><joint joint='k' coef='1'/></fixed></tendon></mujoco>",
     HOL_IMPORT_ROOT,
     {"value: 2*(-4*j.angle + k.stroke - 6.783185307179586) + 3*(-4*j.rate + k.speed)",
      "{name: t_j, type: torque, joint: j, value: 4*t_tension}",
      "{name: t_k, type: force, joint: k, value: -1*t_tension}", NULL}},
    {TWO "<tendon><fixed name='t' stiffness='2' springlength='0.5 0.5'><joint joint='j' "
         "coef='1'/></fixed></tendon></mujoco>",
     HOL_IMPORT_ROOT,
     {"{name: t_tension, value: 2*(j.angle - 0.5)}", NULL}},
    // springdamper: a time constant of 0.5 s and a ratio of 2 for 3 kg m^2: 3/(0.5*2)^2 and 2*3/0.5
    {WORLD("<body name='a'><joint name='j' springdamper='0.5 2'/><inertial mass='1' pos='0 0 0' "
           "diaginertia='2.5 2 3'/></body>"),
     HOL_IMPORT_ROOT,
     {"stiffness: 3, damping: 12", NULL}},
    // bounds of masses, and their sum, of which springdamper knows
    {"<mujoco><compiler settotalmass='10' balanceinertia='true' boundmass='4'/><worldbody><body "
     "name='a'><joint "
     "name='j'/><inertial mass='1' pos='0 0 0' diaginertia='1 2 6'/></body><body name='b'><joint "
     "name='k' springdamper='0.5 2'/><inertial mass='16' pos='0 0 0' diaginertia='1 2 "
     "2.5'/></body></worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"{name: a, mass: 2, inertia: [1.5, 1.5, 1.5]}", "{name: b, mass: 8, inertia: [0.5, 1, 1.25]}",
      "stiffness: 1.25, damping: 5", NULL}},
    // flags
    {"<mujoco><option><flag constraint='disable' passive='disable' "
     "actuation='disable'/></option><worldbody>" HINGED(
         "range='0 1' frictionloss='2' damping='3'") "</worldbody><equality><joint "
                                                     "joint1='j'/></equality><actuator><motor "
                                                     "joint='j'/></actuator></mujoco>",
     HOL_IMPORT_ROOT,
     {"what flags of <option> switch off: constraint (line 1), passive (line 1), actuation (line 1)",
      "equalities, which a flag of <option> switches off: line 2",
      "actuators, which <flag actuation=\"disable\"> switches off: line 2",
      "{name: j, type: revolute, between: [ground.j, a]}\n\nsim", NULL}},
    // a state that stays in its range, a motor at a site, a weld that holds a point, a joint that stays
    {TWO "<actuator><general joint='j' name='m' dyntype='integrator' actlimited='true' actrange='-1 "
         "2'/></actuator><equality><weld body1='a' body2='b' torquescale='0'/><joint joint1='k' "
         "polycoef='0.5 0 0 0 "
         "0'/></equality></mujoco>",
     HOL_IMPORT_ROOT,
     {"rate: \"if(m_activation + 1: max(0, m_control), max(0, m_control), if(m_activation - 2: m_control, "
      "min(0, m_control), min(0, m_control)))\"",
      "name: weld, type: spherical", "{name: k_equality, type: angle, joint: k, value: 0.5}", NULL}},
    // what <inertial> says beside geoms that weigh something, and beside none
    {"<mujoco><compiler inertiafromgeom='true'/><worldbody><body name='a'><joint name='j'/><inertial "
     "mass='7' pos='1 2 3' "
     "diaginertia='1 1 1'/><geom type='box' size='1 1 1' mass='3' contype='0' "
     "conaffinity='0'/></body></worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"what <inertial> says beside inertiafromgeom=\"true\"; geoms say it: a (line 1)",
      "mass: 3, inertia: [2, 2, 2]", NULL}},
    {"<mujoco><compiler inertiafromgeom='true'/><worldbody><body name='a'><joint name='j'/><inertial "
     "mass='7' pos='1 2 3' "
     "diaginertia='1 1 1'/></body></worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"mass: 7", "com: [1, 2, 3]", NULL}},
    // shapes
    {ROBOT("<material name='red'><color rgba='1 0 0 1'/></material><link name='a'><inertial><mass "
           "value='1'/>" INERTIA "</inertial><visual><origin xyz='1 0 0'/><geometry><box size='1 2 "
           "3'/></geometry><material name='red'/></visual></link>"),
     HOL_IMPORT_FREE,
     {"shape: {type: box, size: [1, 2, 3], position: [1, 0, 0], color: \"#ff0000\"}", NULL}},
    {ROBOT("<link name='a'><inertial><mass value='1'/>" INERTIA "</inertial><collision><geometry><sphere "
           "radius='2'/></geometry></collision><collision><geometry><sphere "
           "radius='0'/></geometry></collision></link>"),
     HOL_IMPORT_FREE,
     {"shape: {type: sphere, radius: 2}", "shapes without size; they are not drawn: line 2", NULL}},
    {ROBOT("<link name='a'><inertial><mass value='1'/>" INERTIA
           "</inertial><visual><geometry><mesh filename='no/such.stl'/></geometry></visual></link>"),
     HOL_IMPORT_FREE,
     {"meshes whose files are not there; they are not drawn: no/such.stl (line 2)", NULL}},
    {ROBOT("<link name='a'><inertial><mass value='1'/>" INERTIA
           "</inertial><visual><geometry><mesh filename='a.dae'/></geometry></visual></link>"),
     HOL_IMPORT_FREE,
     {"meshes that are neither STL nor OBJ nor glTF; they are not drawn: a.dae", NULL}},
    {ROBOT("<link name='a'><inertial><mass value='1'/>" INERTIA
           "</inertial><visual><geometry><mesh filename='http://x/a.stl'/></geometry></visual></link>"),
     HOL_IMPORT_FREE,
     {"meshes at addresses that are no names of files", NULL}},
    {ROBOT("<link name='a'><inertial><mass value='1'/>" INERTIA
           "</inertial><collision><geometry><plane normal='0 0 1'/></geometry></collision></link>"),
     HOL_IMPORT_FREE,
     {"shapes that have no like; they are not drawn: plane (line 2)", NULL}},
    // what is known to have no part in the motion
    {ROBOT(LINK("a") "<gazebo reference='a'><mu1>1</mu1></gazebo><transmission name='t'/>"),
     HOL_IMPORT_FREE,
     {"# Left out, no part of the motion:\n#   settings of Gazebo: line 3\n#   transmissions: line 3\n",
      NULL}},
    // MJCF: a ball weighs 1000 4 pi/3, with 2/5 of that as its moments
    {WORLD(HINGED("")),
     HOL_IMPORT_ROOT,
     {"name: a mass: 4188.790204786", "title: MuJoCo dimension: 3 gravity: [0, 0, -9.81]", NULL}},
    {WORLD(HINGED(
         "pos='0 0 2' range='-90 90' ref='30' stiffness='2' springref='60' armature='3' frictionloss='4'")),
     HOL_IMPORT_ROOT,
     {"range: [-2.09439510239319", "stiffness: 2 angle: 0.523598775598298",
      "armature: 3 rotor: classic friction: {torque: 4}", "com: [0, 0, -2]",
      "ranges without a word whether they limit; they do, as since MuJoCo 3"}},
    {WORLD(HINGED("type='slide' range='-1 2' limited='true' ref='0.5'")),
     HOL_IMPORT_ROOT,
     {"type: translational", "range: [-1.5, 1.5]", NULL}},
    {"<mujoco><compiler autolimits='false'/><option><flag gravity='disable'/></option><worldbody>" HINGED(
         "range='-1 2' limited='false'") "</worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"gravity: [0, 0, 0]", "{name: j, type: revolute, between: [ground.j, a]}", NULL}},
    {TWO "<equality><connect body1='b' anchor='1 0 0' name='c'/></equality></mujoco>",
     HOL_IMPORT_ROOT,
     {"c: [2, 0, 0]", "{name: c, type: spherical, between: [b.c, ground.c]}",
      "equalities, which are soft in MuJoCo", NULL}},
    {TWO "<equality><joint joint1='k' joint2='j' polycoef='0.5 2'/></equality></mujoco>",
     HOL_IMPORT_ROOT,
     {"joints: [k, j], ratios: [1, -2]", NULL}},
    // each follows the other, which MuJoCo takes
    {TWO "<equality><joint joint1='j' joint2='k' polycoef='0 2'/><joint joint1='k' joint2='j' polycoef='0 "
         "0.5'/></equality></mujoco>",
     HOL_IMPORT_ROOT,
     {"joints: [j, k], ratios: [1, -2]", "joints: [k, j], ratios: [1, -0.5]", NULL}},
    // numbers that are left out are those of the class; MuJoCo 2.2.2 says so
    {"<mujoco><default><motor gear='1 2 3 4 5 6'/><geom size='.1 .5'/></default><worldbody><body name='b'>"
     "<freejoint name='j'/><geom type='capsule' size='.2' "
     "density='1'/></body></worldbody><actuator><motor name='a' joint='j' gear='2'/></actuator></mujoco>",
     HOL_IMPORT_ROOT,
     {"force: [2*a_force, 2*a_force, 3*a_force]", "torque: [4*a_force, 5*a_force, 6*a_force]",
      "{type: capsule, radius: 0.2, length: 1}", NULL}},
    {"<mujoco><default><general gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='1 2 "
     "3'/></default><worldbody><body name='b'><joint name='j'/><geom size='1'/></body></worldbody>"
     "<actuator><general name='a' joint='j' gainprm='2' biasprm='5'/></actuator></mujoco>",
     HOL_IMPORT_ROOT,
     {"value: (2 + 2*j.angle + 3*j.rate)*a_control + 5 + 2*j.angle + 3*j.rate", NULL}},
    {"<mujoco><compiler boundmass='2' boundinertia='1' inertiafromgeom='true'/><worldbody><body name='a'>"
     "<joint name='j'/><inertial pos='1 2 3' mass='4' diaginertia='1 1 1'/><geom size='1' mass='0' pos='0 0 "
     "1'/></body></worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"mass: 2", "com: [0, 0, 1]", NULL}},
    {"<mujoco><compiler discardvisual='true'/><worldbody><body name='a'><joint name='j'/><geom size='1' "
     "mass='2'/><geom name='skin' size='1' mass='3' contype='0' "
     "conaffinity='0'/></body></worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"mass: 5",
      "masses of geoms that discardvisual takes away; they count, as in MuJoCo 3; before, they did not: skin",
      NULL}},
    {"<mujoco><compiler boundmass='2' boundinertia='1'/><worldbody><body name='a' pos='1 0 0'><joint "
     "name='j'/><geom size='1' mass='0' pos='0 0 1'/><geom size='1' mass='0'/></body></worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"bodies of several geoms without mass, which weigh boundmass; it is at their origin; MuJoCo 2.2 "
      "refuses "
      "them: a",
      "mass: 2 inertia: [1, 1, 1] position: [1, 0, 0]", NULL}},
    {"<mujoco><worldbody>" HINGED("") "<body name='p'/><body name='q'/></worldbody><equality><weld name='w' "
                                      "body1='p' body2='q'/></equality></mujoco>",
     HOL_IMPORT_ROOT,
     {"joints between places that are fixed to each other; they hold nothing: w", "name: j", NULL}},
    {TWO "<equality><weld body1='a' body2='b' active='false'/></equality></mujoco>",
     HOL_IMPORT_ROOT,
     {"equalities that are not active: line 2", NULL}},
    {TWO "<actuator><motor joint='j' gear='2' ctrlrange='-1 3' ctrllimited='true'/><position name='k' "
         "joint='k' kp='4' kv='1' forcerange='-5 5' forcelimited='true'/></actuator></mujoco>",
     HOL_IMPORT_ROOT,
     {"{name: j_motor, type: torque, joint: j, value: \"2*max(-1, min(3, j_motor_control))\"}",
      "value: max(-5, min(5, 4*k_motor_control - 4*k.angle - k.rate))",
      "inputs: - name: j_motor_control - name: k_motor_control", NULL}},
    // whole turns: limits, the spring's rest and what a servo counts from go with them; one sample of all actuators
    {"<mujoco><option gravity='0 0 -1'><flag clampctrl='disable'/></option><default><motor gear='3' "
     "ctrlrange='-1 1' ctrllimited='true'/></default><worldbody>" HINGED(
         "range='300 400' limited='true' stiffness='2' springref='350'") "</worldbody><actuator><position "
                                                                         "name='p' joint='j' "
                                                                         "kp='4'/></actuator></mujoco>",
     HOL_IMPORT_ROOT,
     {"range: [-1.04719755119659", "angle: -0.1745329251994",
      "value: 3*(4*p_control - 12*(j.angle + 6.283185307179586))", "drawn beyond half a turn", NULL}},
    {ROBOT(AB LINK("c") JOINT("j", "revolute", "a", "b", "<limit lower='0.5' upper='6.5'/>") JOINT(
         "k", "prismatic", "b", "c", "<limit lower='0' upper='1'/><mimic joint='j' multiplier='0.1'/>")),
     HOL_IMPORT_FREE,
     {"limits: {range: [0, 1], hard: yes", "ratios: [1, -0.1]", "drawn beyond half a turn", NULL}},
    // a site between two ends, given by its class, too: z from the second to the first one, as MuJoCo 2.2.2 says
    {"<mujoco><default><default class='rod'><site type='box' fromto='0.4 0 0 0.6 0 0.2'/></default></default>"
     "<worldbody><body name='a'><joint name='j'/>" BALL
     "<site name='s' type='capsule' fromto='0.4 0 0 0.6 0 0.2'/><site name='r' class='rod'/></body>"
     "</worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"s: position: [0.5, 0, 0.1] orientation: z: [-0.70710678118654",
      "r: position: [0.5, 0, 0.1] orientation: z: [-0.70710678118654", NULL}},
    // words of a class that set no gain change none
    {"<mujoco><default><general ctrllimited='true' ctrlrange='-1 1'/></default><worldbody>" HINGED(
         "") "</worldbody><actuator><position name='p' joint='j' kp='10'/></actuator></mujoco>",
     HOL_IMPORT_ROOT,
     {"value: \"10*max(-1, min(1, p_control)) - 10*j.angle\"", NULL}},
    {"<mujoco><default><general gear='2'/></default><worldbody>" HINGED(
         "") "</worldbody><actuator><intvelocity name='i' joint='j' kp='10' actrange='-1 1'/><cylinder "
             "name='c' joint='j' timeconst='0.5' area='3'/><velocity name='v' joint='j' "
             "kv='4'/></actuator></mujoco>",
     HOL_IMPORT_ROOT,
     {"value: 2*(10*i_activation - 20*j.angle)", "value: 2*3*c_activation",
      "value: 2*(4*v_control - 8*j.rate)", NULL}},
    {"<mujoco><default><position kp='5'/><general gear='2'/></default><worldbody>" HINGED(
         "") "</worldbody><actuator><position name='p' joint='j'/></actuator></mujoco>",
     HOL_IMPORT_ROOT,
     {"value: 2*(5*p_control - 10*j.angle)", NULL}},
    // MuJoCo 2.2.2 begins a damper with 0, and does not use what its class says
    {"<mujoco><default><damper kv='5' ctrlrange='0 1'/></default><worldbody>" HINGED(
         "") "</worldbody><actuator><damper name='d' joint='j' ctrlrange='0 1'/></actuator></mujoco>",
     HOL_IMPORT_ROOT,
     {"value: 0", NULL}},
    // a joint that is equal to nothing else stays at the constant
    {TWO "<equality><joint joint1='j' polycoef='0.3 5 6 7 8'/></equality></mujoco>",
     HOL_IMPORT_ROOT,
     {"{name: j_equality, type: angle, joint: j, value: 0.3}", NULL}},
    {"<mujoco><compiler alignfree='true'/><worldbody><body name='a'><freejoint name='f'/>" BALL
     "</body></worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"free bodies whose frame becomes that of the inertia (align, alignfree); they keep the frame of the "
      "file: f (line 1)",
      NULL}},
    {TWO "<contact><exclude body1='a' body2='b'/></contact><sensor/><visual/></mujoco>",
     HOL_IMPORT_ROOT,
     {"sensors: line 2", "settings of pictures: line 2", NULL}},
};

static void the_model_says_what_the_file_does(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) {
        const char *text = models[i].text;
        char *model = import_text("r.urdf", text, strlen(text), (hol_import_options){.root = models[i].root});
        for (int k = 0; model && k < 5 && models[i].says[k]; k++)
            if (!says(model, models[i].says[k]))
                fail_msg("%s\nbecomes %s\nwanted %s", text, model, models[i].says[k]);
        if (!model) fail_msg("%s\ngives %s", text, hol_context_error(ctx));
        hol_model *m = hol_model_parse(ctx, "r.yaml", model, strlen(model), NULL, 0);
        if (!m) fail_msg("%s\nbecomes %s\nwhich is no model: %s", text, model, hol_context_error(ctx));
        hol_model_destroy(m);
        free(model);
    }
}

static void a_follower_begins_as_its_leader_does(void **state)
{
    (void)state;
    static const char text[] =
        TWO "<equality><joint joint1='k' joint2='j' polycoef='0.1 2 0 0 0'/></equality>"
            "<keyframe><key qpos='0.2 0.5' qvel='3 6'/><key qpos='0.2 0.4'/>"
            "<key qpos='0.2 0.5' qvel='3 5'/></keyframe></mujoco>";
    static const char note[] = "joints of equalities that do not hold in the keyframe";
    for (int i = 0; i < 3; i++) {
        char *model = import_text("r", text, strlen(text),
                                  (hol_import_options){.key = (const char *[]){"0", "1", "2"}[i]});
        if (!model) fail_msg("%s", hol_context_error(ctx));
        if (says(model, note) != (i > 0) || (i != 1 && !says(model, "{joint: j, rate: 3}")) ||
            says(model, "{joint: k"))
            fail_msg("%d: %s", i, model);
        free(model);
    }
}

static void a_root_without_mass_cannot_float(void **state)
{
    (void)state;
    static const char text[] = ROBOT("<link name='a'/>" LINK("b") JOINT("j", "continuous", "a", "b", ""));
    assert_null(import_text("r.urdf", text, strlen(text), (hol_import_options){.root = HOL_IMPORT_FREE}));
    expect_message("r.urdf:2:1: error: link \"a\" is the root and has no mass, so that it cannot float");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_model_says_what_the_file_does),
                                       cmocka_unit_test(a_follower_begins_as_its_leader_does),
                                       cmocka_unit_test(a_root_without_mass_cannot_float)};
    return cmocka_run_group_tests(tests, start, stop);
}
