// Parts of URDF and MJCF files that tests of imports are made of.
#ifndef IMPORT_ROBOTS_H
#define IMPORT_ROBOTS_H

#define INERTIA "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
#define LINK(n) "<link name='" n "'><inertial><mass value='1'/>" INERTIA "</inertial></link>\n"
#define ENDS(a, b) "<parent link='" a "'/><child link='" b "'/>"
#define JOINT(n, t, a, b, more) "<joint name='" n "' type='" t "'>" ENDS(a, b) more "</joint>\n"
#define LIMIT "<limit lower='0' upper='0' effort='0' velocity='0'/>"
#define AB LINK("a") LINK("b")
#define WORLD(text) "<mujoco>\n<worldbody>\n" text "</worldbody></mujoco>"
#define BALL "<geom size='1' contype='0' conaffinity='0'/>"
#define HINGED(more) "<body name='a'><joint name='j' " more "/>" BALL "</body>\n"
#define TWO                                                                                                  \
    "<mujoco><worldbody><body name='a'><joint name='j'/>" BALL                                               \
    "<body name='b' pos='1 0 0'><joint name='k'/>" BALL "</body></body></worldbody>\n"
#define ROBOT(text) "<robot name='r'>\n" text "</robot>"

#endif
