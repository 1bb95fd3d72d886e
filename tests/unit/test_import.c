// Models of other programs: what is refused, with its place and words; what is only taken with `lenient`. That numbers
// are right python/tests/test_import.py tests, with equations of its own.
#include "import_robots.h"
#include "import_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what is wrong --------------------------------------------------------------------------------------------

static const struct {
    const char *text, *message;
} wrong[] = {
    // no XML
    {"", "r.urdf: error: there is nothing in this file"},
    {" \n\t", "r.urdf: error: there is nothing in this file"},
    {"title: pendulum\n", "this is no XML, and what is imported is: URDF, MJCF"},
    {"<robot name='r'>", "r.urdf:1:17: error: this is no well-formed XML: no element found"},
    {"<robot name='r'><link></robot>", "this is no well-formed XML: mismatched tag"},
    {"<robot name='r'\n name='s'/>", "r.urdf:2:2: error: this is no well-formed XML: duplicate attribute"},
    {"<robot name='&x;'/>", "undefined entity; only &lt; &gt; &amp; &quot; &apos; and &#..; are known"},
    {"<robot name='\xff'/>", "this is no well-formed XML: not well-formed"},
    {"<?xml version='1.0' encoding='klingon'?><robot name='r'/>", "unknown encoding"},
    {"<!DOCTYPE robot [<!ENTITY a 'b'>]><robot name='&a;'/>",
     "r.urdf:1:17: error: document types and their entities are not read"},
    {"<!DOCTYPE robot SYSTEM 'file:///etc/passwd'><robot name='r'/>",
     "document types and their entities are not read"},
    // another format
    {"<sdf><model/></sdf>", "r.urdf:1:1: error: <sdf> is the root of no format that is read; known are: "
                            "<robot>, URDF; <mujoco>, MJCF"},
    {"<robot/>", "<robot>: it has no name"},
    {"<robot name=' '/>", "<robot>: its name is empty"},
    {"<robot name='r' version='2.0'/>", "version \"2.0\" of URDF is not known; 1.0 is"},
    // links
    {ROBOT(""), "robot \"r\" has no <link>"},
    {ROBOT("<link/>"), "r.urdf:2:1: error: <link>: it has no name"},
    {ROBOT(LINK("a") LINK("a")), "r.urdf:3:1: error: there is a link \"a\" already"},
    {ROBOT("<link name='a'/>"), "no link that is read moves, and none has a mass"},
    {ROBOT("<link name='a'><inertial>" INERTIA "</inertial></link>"), "<inertial>: there is no <mass> in it"},
    {ROBOT("<link name='a'><inertial><mass value='1'/></inertial></link>"),
     "<inertial>: there is no <inertia> in it"},
    {ROBOT("<link name='a'><inertial><mass value='-1'/>" INERTIA "</inertial></link>"),
     "a mass of -1 kg is negative"},
    {ROBOT("<link name='a'><inertial><mass/>" INERTIA "</inertial></link>"), "<mass>: it has no value"},
    {ROBOT("<link name='a'><inertial><mass value='nan'/>" INERTIA "</inertial></link>"),
     "r.urdf:2:26: error: <mass>: value: \"nan\" is no finite number"},
    {ROBOT("<link name='a'><inertial><mass value='1e999'/>" INERTIA "</inertial></link>"),
     "\"1e999\" is no finite number"},
    {ROBOT("<link name='a'><inertial><mass value='0x1p3'/>" INERTIA "</inertial></link>"),
     "\"0x1p3\" is no finite number"},
    {ROBOT("<link name='a'><inertial><mass value='1,5'/>" INERTIA "</inertial></link>"),
     "\"1,5\" is no finite number"},
    {ROBOT("<link name='a'><inertial><mass value='${m}'/>" INERTIA "</inertial></link>"),
     "\"${m}\" is no finite number; xacro files become URDF by `xacro FILE`"},
    {ROBOT("<link name='a'><inertial><mass value='1 2'/>" INERTIA "</inertial></link>"),
     "\"1 2\" is 2 numbers; wanted is 1"},
    {ROBOT("<link name='a'><inertial><origin xyz='0 0'/><mass value='1'/>" INERTIA "</inertial></link>"),
     "<origin>: xyz: \"0 0\" is 2 numbers; wanted are 3"},
    {ROBOT("<link name='a'><inertial><mass value='1'/><inertia ixx='1'/></inertial></link>"),
     "<inertia>: it has no ixy"},
    {ROBOT("<link name='a'><visual/></link>"), "<visual>: there is no <geometry> in it"},
    {ROBOT("<link name='a'><visual><geometry/></visual></link>"),
     "<geometry>: a <box>, <cylinder>, <sphere>, <capsule> or <mesh> is wanted in it"},
    {ROBOT("<link name='a'><visual><geometry><box/></geometry></visual></link>"), "<box>: it has no size"},
    {ROBOT("<link name='a'><visual><geometry><mesh/></geometry></visual></link>"),
     "<mesh>: it has no filename"},
    {ROBOT("<material name='m'><color/></material>" LINK("a")), "<color>: it has no rgba"},
    // joints
    {ROBOT(AB "<joint type='fixed'>" ENDS("a", "b") "</joint>"), "<joint>: it has no name"},
    {ROBOT(AB "<joint name='j'>" ENDS("a", "b") "</joint>"), "<joint>: it has no type"},
    {ROBOT(AB JOINT("j", "hinge", "a", "b", "")), "<joint>: there is no type \"hinge\"; known are fixed, "
                                                  "revolute, continuous, prismatic, planar and floating"},
    {ROBOT(AB "<joint name='j' type='fixed'><child link='b'/></joint>"),
     "<joint>: there is no <parent> in it"},
    {ROBOT(AB "<joint name='j' type='fixed'><parent link='a'/></joint>"),
     "<joint>: there is no <child> in it"},
    {ROBOT(AB "<joint name='j' type='fixed'><parent/><child link='b'/></joint>"), "<parent>: it has no link"},
    {ROBOT(LINK("arm") LINK("b") JOINT("j", "fixed", "amr", "b", "")),
     "<parent>: there is no link \"amr\"; did you mean \"arm\"?"},
    {ROBOT(AB JOINT("j", "fixed", "a", "b", "") JOINT("j", "fixed", "b", "a", "")),
     "there is a joint \"j\" already"},
    {ROBOT(AB JOINT("j", "revolute", "a", "b", "")),
     "joint \"j\": a revolute joint has a <limit>; without limits its type is \"continuous\""},
    {ROBOT(AB JOINT("j", "prismatic", "a", "b", "")), "joint \"j\": a prismatic joint has a <limit>; where "
                                                      "nothing limits it, give it lower and upper beyond all "
                                                      "ways that it goes"},
    {ROBOT(AB JOINT("j", "prismatic", "a", "b", "<limit lower='1' upper='-1'/>")),
     "joint \"j\": its lower limit 1 is above its upper one, -1"},
    {ROBOT(AB JOINT("j", "revolute", "a", "b", "<limit lower='-inf' upper='1'/>")),
     "<limit>: lower: \"-inf\" is no finite number"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>")),
     "<axis>: 0 0 0 is no direction; give it a length"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "<axis/>")), "<axis>: it has no xyz"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "<dynamics damping='-1'/>")),
     "joint \"j\": its damping of -1 is negative"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "<dynamics friction='-2'/>")),
     "joint \"j\": its friction of -2 is negative"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "<mimic joint='k'/>")),
     "joint \"j\": mimic: there is no joint \"k\""},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "<mimic joint='j'/>")),
     "joint \"j\": mimic: it follows itself, by way of \"j\""},
    {ROBOT(AB LINK("c") JOINT("j", "continuous", "a", "b", "<mimic joint='k'/>")
               JOINT("k", "continuous", "b", "c", "<mimic joint='j'/>")),
     "mimic: it follows itself, by way of"},
    {ROBOT(AB LINK("c") JOINT("j", "continuous", "a", "b", "<mimic joint='k'/>")
               JOINT("k", "fixed", "b", "c", "")),
     "joint \"j\": mimic: joint \"k\" has no coordinate"},
    {ROBOT(AB LINK("c") JOINT("j", "planar", "a", "b", "<mimic joint='k'/>")
               JOINT("k", "continuous", "b", "c", "")),
     "joint \"j\": mimic: joint \"j\" has no coordinate"},
    // the tree
    {ROBOT(AB), "r.urdf:3:1: error: link \"b\" is the child of no joint, and neither is \"a\" in line 2; "
                "there is one root"},
    {ROBOT(LINK("a") JOINT("j", "fixed", "a", "a", "")), "joint \"j\": its parent is its child, \"a\""},
    {ROBOT(AB JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", "")),
     "each link is the child of another one, \"a\" too"},
    {ROBOT(LINK("z") AB JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", "")),
     "link \"a\" hangs in a ring of joints, not on the root \"z\""},
    {ROBOT(AB JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "a", "b", "")),
     "joint \"k\": its child \"b\" is that of joint \"j\" in line 4, too; a second joint of a link closes a "
     "loop, and is written as <loop_joint>"},
    // loops
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "") "<loop_joint type='fixed'/>"),
     "<loop_joint>: it has no name"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "") "<loop_joint name='l' type='x'/>"),
     "<loop_joint>: there is no type \"x\""},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "") "<loop_joint name='l' type='fixed'/>"),
     "<loop_joint>: there is no <link1> in it"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b",
                    "") "<loop_joint name='l' type='fixed'><link1 link='a'/><link2 link='x'/></loop_joint>"),
     "<link2>: there is no link \"x\""},
    {ROBOT(
         AB JOINT("j", "continuous", "a", "b",
                  "") "<loop_joint name='l' type='floating'><link1 link='a'/><link2 link='b'/></loop_joint>"),
     "loop_joint \"l\": a floating joint closes no loop here; write fixed, continuous or planar"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "") "<gazebo><joint name='l' type='screw'/></gazebo>"),
     "<gazebo>: joint \"l\": there is no type \"screw\"; known are fixed, revolute, prismatic and ball"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b",
                    "") "<gazebo><joint name='l' type='ball'><parent>a</parent></joint></gazebo>"),
     "<joint>: there is no <child> in it"},
    {ROBOT(AB JOINT(
         "j", "continuous", "a", "b",
         "") "<gazebo><joint name='l' type='ball'><parent>a</parent><child>x</child></joint></gazebo>"),
     "<child>: there is no link \"x\""},
    {ROBOT(AB JOINT("j", "continuous", "a", "b",
                    "") "<gazebo><joint name='l' "
                        "type='ball'><parent>a</parent><child>b</child><pose>1</pose></joint></gazebo>"),
     "pose: \"1\" is 1 number; wanted are 6"},
    // MJCF
    {"<mujoco/>", "r.urdf:1:1: error: <mujoco>: there is no <worldbody> in it"},
    {WORLD(""), "no link that is read moves, and none has a mass"},
    {WORLD("<body name='a'/><body name='a'/>"), "there is a body \"a\" already"},
    {WORLD("<body name='world'/>"), "there is a body \"world\" already"},
    {WORLD(HINGED("type='screw'")), "<joint>: type \"screw\" is not known"},
    {WORLD(HINGED("axis='0 0 0'")), "<joint>: axis: 0 0 0 is no direction"},
    {WORLD(HINGED("damping='-1'")),
     "<joint>: stiffness, damping, armature and frictionloss are not negative"},
    {WORLD(HINGED("damping='x'")), "<joint>: damping: \"x\" is no finite number"},
    {WORLD(HINGED("limited='true'")), "<joint>: range: two numbers are wanted, the second above the first"},
    {WORLD(HINGED("limited='maybe' range='0 1'")), "<joint>: limited: \"maybe\" is neither true nor false"},
    {WORLD(HINGED("class='c'")), "<joint>: there is no class \"c\""},
    {"<mujoco><default><velocity kv='3'/></default><worldbody>" HINGED(
         "") "</worldbody><actuator><position joint='j'/></actuator></mujoco>",
     "<position>: its kp would be what <velocity> of <default>, line 1, makes of the sample that all "
     "actuators "
     "share; write kp= here"},
    {WORLD("<body><freejoint/><body><freejoint/></body></body>"),
     "<freejoint>: a free joint is the only one of a body in the world"},
    {WORLD("<body><joint/><freejoint/></body>"), "a free joint is the only one of a body in the world"},
    {WORLD("<body><joint type='ball'/><joint type='ball'/></body>"),
     "<joint>: a ball joint before it turns the body in all ways"},
    {WORLD("<body><joint type='ball'/><joint type='slide'/><joint/></body>"),
     "<joint>: a ball joint before it turns the body in all ways"},
    {WORLD("<body><geom type='cone'/></body>"), "<geom>: type \"cone\" is not known"},
    {WORLD("<body><geom/></body>"), "<geom>: size: a sphere has 1, above 0"},
    {WORLD("<body><geom type='box' size='1 1'/></body>"), "<geom>: size: a box has 3, above 0"},
    {WORLD("<body><geom type='capsule' size='1 2 3 4'/></body>"),
     "<geom>: size: \"1 2 3 4\" is 4 numbers; wanted are 3 at most"},
    {WORLD("<body><geom type='capsule' size='1' fromto='1 2 3 1 2 3'/></body>"),
     "<geom>: fromto: both ends are one point"},
    {WORLD("<body><geom type='sphere' size='1' fromto='1 2 3 1 2 4'/></body>"),
     "<geom>: fromto: a sphere has no ends"},
    {WORLD(HINGED("") "<site fromto='1 2 3 1 2 4'/>"), "<site>: fromto: a sphere has no ends"},
    {WORLD("<body><geom size='1' mass='-1'/></body>"), "<geom>: its mass or density is negative"},
    {WORLD("<body><geom type='mesh' mesh='m'/></body>"), "<geom>: there is no mesh \"m\" in <asset>"},
    {WORLD("<body quat='0 0 0 0'/>"), "<body>: a direction or quaternion without length"},
    {WORLD("<body quat='1 0 0 0' euler='0 0 0'/>"),
     "<body>: both quat and euler say how it is turned; keep one"},
    {WORLD("<body><inertial mass='1' pos='0 0 0'/></body>"),
     "<inertial>: diaginertia with 3 numbers is wanted, or fullinertia with 6"},
    {WORLD("<body><inertial mass='1' diaginertia='1 1 1'/></body>"), "<inertial>: it has no pos"},
    {WORLD("<body><inertial mass='1' pos='0 0 0' euler='0 0 30' fullinertia='1 2 2 0 0 0'/></body>"),
     "<inertial>: fullinertia is in the axes of the body"},
    {WORLD("<body><inertial mass='-1' pos='0 0 0' diaginertia='1 1 1'/></body>"),
     "<inertial>: a mass of -1 kg is negative"},
    {"<mujoco><default><default/></default><worldbody/></mujoco>",
     "<default>: a class within another one has a name, class="},
    {"<mujoco><default><default class='c'/><default class='c'/></default><worldbody/></mujoco>",
     "<default>: there is a class \"c\" already"},
    {"<mujoco><include file='x.xml'/><worldbody/></mujoco>",
     "r.urdf:1:9: error: <include>: the file \"x.xml\" is not there"},
    {"<mujoco><include file='/etc/passwd'/><worldbody/></mujoco>",
     "<include>: the file \"/etc/passwd\" is not in the folder of this one, or below; put it there"},
    {"<mujoco><include/><worldbody/></mujoco>", "<include>: it has no file"},
    {"<mujoco><compiler angle='grad'/><worldbody/></mujoco>", "<compiler>: angle is radian or degree"},
    {"<mujoco><compiler eulerseq='xyw'/><worldbody/></mujoco>",
     "<compiler>: eulerseq has three of the letters"},
    {"<mujoco><compiler coordinate='global'/><worldbody/></mujoco>",
     "<compiler>: coordinate=\"global\" is not read"},
    {"<mujoco><asset><mesh/></asset><worldbody/></mujoco>", "<mesh>: it has neither name nor file"},
    {TWO "<equality><connect body1='x' anchor='0 0 0'/></equality></mujoco>",
     "<connect>: there is no body \"x\""},
    {TWO "<equality><connect body1='a'/></equality></mujoco>", "<connect>: it has no anchor"},
    {TWO "<equality><joint joint1='x'/></equality></mujoco>", "<joint>: there is no joint \"x\""},
    {TWO "<tendon><fixed><joint joint='x' coef='1'/></fixed></tendon></mujoco>",
     "<joint>: there is no joint \"x\""},
    {TWO "<tendon><fixed><joint joint='j'/></fixed></tendon></mujoco>", "<joint>: it has no coef"},
    {WORLD("<body name='a'><joint name='j' type='ball'/>" BALL
           "</body></worldbody><tendon><fixed><joint joint='j' coef='1'/></fixed></tendon><worldbody>"),
     "<joint>: a tendon runs over hinges and slides"},
    {TWO "<actuator><motor joint='x'/></actuator></mujoco>", "<motor>: there is no joint \"x\""},
    {TWO "<actuator><motor joint='j' ctrllimited='true'/></actuator></mujoco>",
     "<motor>: ctrlrange: two numbers are wanted"},
    {"<mujoco><compiler autolimits='false'/><worldbody>" HINGED("range='-1 2'") "</worldbody></mujoco>",
     "<joint>: a range, and autolimits=\"false\": write limited=\"true\" or limited=\"false\""},
    {TWO "<compiler autolimits='false'/><actuator><motor joint='j' forcerange='-1 1'/></actuator></mujoco>",
     "<motor>: a range, and autolimits=\"false\": write forcelimited=\"true\" or forcelimited=\"false\""},
};

static void what_is_wrong_is_said_with_its_place(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(wrong); i++)
        for (int lenient = 0; lenient < 2; lenient++) { // in any case
            char *model = import_text("r.urdf", wrong[i].text, strlen(wrong[i].text),
                                      (hol_import_options){.lenient = lenient});
            if (model || !strstr(hol_context_error(ctx), wrong[i].message))
                fail_msg("%s\ngives %s\nwanted %s", wrong[i].text, model ? model : hol_context_error(ctx),
                         wrong[i].message);
        }
}

static void elements_may_be_nested_so_deep_and_no_deeper(void **state)
{
    (void)state;
    static char text[20 * (HOL_XML_DEEPEST + 2)];
    for (int deep = HOL_XML_DEEPEST - 1; deep <= HOL_XML_DEEPEST; deep++) { // below <robot>
        strcpy(text, "<robot name='r'>" LINK("a"));
        for (int i = 0; i < deep; i++) strcat(text, "<frame>");
        for (int i = 0; i < deep; i++) strcat(text, "</frame>");
        strcat(text, "</robot>");
        char *model = import_text("r.urdf", text, strlen(text), (hol_import_options){.lenient = false});
        assert_int_equal(model != NULL, deep < HOL_XML_DEEPEST);
        if (!model) expect_message("elements are nested deeper than 200");
        free(model);
    }
}

// ---- what is only taken with lenient --------------------------------------------------------------------------

static const struct {
    const char *text, *message, *model; // without and with lenient
} doubtful[] = {
    {ROBOT(LINK("a") "<lnik name='b'/>"),
     "r.urdf:3:1: error: <lnik> in <robot>, which is not known, or there twice; correct it, or import with "
     "--lenient: it is left out",
     "#   <lnik> in <robot>, which is not known, or there twice; it is left out: line 3"},
    {ROBOT("<link name='a' type='x'/>" LINK("b") JOINT("j", "continuous", "a", "b", "")),
     "type of <link>, which is not known there", "left out: line 2"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "<axis xyz='1 0 0'/><axis xyz='0 1 0'/>")),
     "<axis> in <joint>, which is not known, or there twice", "orientation: {z: [1, 0, 0], x: [0, 1, 0]}"},
    {ROBOT(AB JOINT("j", "continuous", "a", "b", "<dynamics dampnig='1'/>")),
     "dampnig of <dynamics>, which is not known there", "{name: j, type: revolute, between: [a.j, b.j]}"},
    {ROBOT("<xacro:include filename='x'/>" LINK("a")), "<xacro:include> in <robot>, of another language",
     "name: a"},
    {ROBOT("text" LINK("a")), "text in <robot>", "name: a"},
    {ROBOT(AB JOINT("j", "planar", "a", "b", "<dynamics damping='1'/>")),
     "damping and friction of planar and floating joints: j", "type: planar"},
    {ROBOT("<link name='a'><inertial><mass value='2'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' "
           "izz='0'/></inertial></link>"),
     "links with a mass and no inertia: a; correct it, or import with --lenient: they are taken for point "
     "masses",
     "{name: a, mass: 2, inertia: [0, 0, 0]}"},
    {ROBOT("<link name='a'><inertial><mass value='2'/><inertia ixx='3' ixy='0' ixz='0' iyy='-1' iyz='0' "
           "izz='2'/></inertial></link>"),
     "inertia tensors that are not positive: a", "inertia: [3, 1, 2]"},
    {ROBOT("<link name='a'><inertial><mass value='2'/><inertia ixx='-3' ixy='0' ixz='0' iyy='-1' iyz='0' "
           "izz='2'/></inertial></link>"),
     "inertia tensors that are not positive: a", "inertia: [3, 1, 2]"},
    {ROBOT("<link name='a'><inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
           "izz='-0.5'/></inertial></link>"),
     "inertia tensors that are not positive: a", "inertia: [1, 1, 0.5]"},
    {ROBOT("<link name='a'><inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' "
           "izz='-4'/></inertial></link>"),
     "inertia tensors that are not positive: a", "inertia: [1, 2, 3]"},
    {ROBOT("<link name='a'><inertial><mass value='2'/><inertia ixx='4' ixy='0' ixz='0' iyy='1' iyz='0' "
           "izz='-2'/></inertial></link>"),
     "inertia tensors that are not positive: a", "inertia: [4, 1, 3]"},
    {ROBOT("<link name='a'><inertial><mass value='2'/><inertia ixx='4' ixy='0' ixz='0' iyy='-1' iyz='0' "
           "izz='-1'/></inertial></link>"),
     "inertia tensors that are not positive: a", "inertia: [4, 2, 2]"},
    {ROBOT(LINK("a") "<link name='b'/>" JOINT("j", "continuous", "a", "b", "")),
     "joints that carry links without mass alone, whose motion nothing determines: j",
     "# with what fixed joints hold to it: b"},
    {ROBOT(AB LINK("c") JOINT("j", "continuous", "a", "b", "")
               JOINT("k", "revolute", "b", "c", "<limit lower='0' upper='1'/><mimic joint='j' offset='2'/>")),
     "limits of joints that follow others and are drawn beyond them: k",
     "{name: k, type: revolute, between: [b.k, c.k]}"},
    // MJCF
    {TWO "<tendon><spatial name='t'/></tendon></mujoco>",
     "spatial tendons of anything but sites and pulleys: t", "name: j"},
    {TWO "<tendon><spatial name='t'><site site='s'/><geom geom='g'/></spatial></tendon></mujoco>",
     "spatial tendons of anything but sites and pulleys: t", "name: j"},
    {TWO "<tendon><fixed name='t' stiffness='2' range='0 1'><joint joint='j' "
         "coef='1'/></fixed></tendon></mujoco>",
     "ranges, dead bands, friction and inertia of tendons: t", "{name: t_tension, value: 2*(j.angle)}"},
    {TWO "<tendon><fixed name='t' stiffness='2' springlength='0 1'><joint joint='j' "
         "coef='1'/></fixed></tendon></mujoco>",
     "ranges, dead bands, friction and inertia of tendons: t", "{name: t_tension, value: 2*(j.angle)}"},
    {WORLD("<frame colour='1'><body name='a'><joint name='j'/>" BALL "</body></frame>"),
     "colour of <frame>, which is not known there", "name: j"},
    {WORLD("<body name='a'><joint name='j'/>" BALL
           "<frame><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/></frame></body>"),
     "<inertial> in <frame>, which is not known", "name: j"},
    {WORLD("<body name='a'><joint/><geom size='1'/></body><geom type='plane' size='1 1 1'/>"),
     "r.urdf:3:47: error: contacts between geoms: world, a; correct it, or import with --lenient: nothing "
     "meets anything",
     "name: a_hinge"},
    {TWO "<contact><pair geom1='x' geom2='y'/></contact></mujoco>", "contacts between geoms: x, y",
     "name: j"},
    {WORLD("<replicate count='3'><body name='a'><joint/>" BALL "</body></replicate>" HINGED("")),
     "r.urdf:3:1: error: <replicate> in <worldbody>", "name: j"},
    {"<mujoco><worldbody>" HINGED(
         "") "<body name='b'><joint name='k'/>" BALL "<body name='c'><joint "
             "name='l'/>" BALL "<body name='d'><joint name='m'/>" BALL "<body name='e'><joint name='n'/>" BALL
             "</body></body></body></body></worldbody><tendon><fixed name='t'><joint "
             "joint='j' coef='1'/><joint joint='l' coef='1'/><joint joint='n' "
             "coef='1'/></fixed></tendon><equality><tendon "
             "tendon1='t'/></equality></mujoco>",
     "equalities of joints of more than four bodies: t_equality", "name: n"},
    {WORLD(HINGED("type='ball' springdamper='1 1'")), "springdamper of ball and free joints: j", "name: j"},
    {WORLD("<body name='a' gravcomp='1'><joint name='j'/>" BALL "</body>"),
     "forces against gravity (gravcomp): a", "name: j"},
    {WORLD("<body name='a' mocap='true'><joint name='j'/>" BALL "</body>"),
     "bodies that are moved from outside (mocap): a", "name: j"},
    {WORLD(HINGED("type='ball' frictionloss='1'")), "dry friction of ball and free joints: j",
     "type: spherical"},
    {WORLD("<body name='a'><joint name='j' type='free' frictionloss='1'/>" BALL "</body>"),
     "dry friction of ball and free joints: j", "name: a"},
    {WORLD("<body name='a'><joint name='j' type='free' stiffness='1'/>" BALL "</body>"),
     "springs of free joints: j", "name: a"},
    {WORLD(HINGED("type='ball' limited='true' range='0 1'")), "limits of ball joints: j", "type: spherical"},
    {"<mujoco><compiler alignfree='true'/><worldbody><body name='a'><joint name='f' type='free' "
     "damping='1'/>" BALL "</body></worldbody></mujoco>",
     "free bodies whose frame becomes that of the inertia (align, alignfree): f", "name: a"},
    {"<mujoco><worldbody><body name='a'><freejoint name='f' align='true'/>" BALL
     "</body></worldbody><actuator><motor joint='f'/></actuator></mujoco>",
     "free bodies whose frame becomes that of the inertia (align, alignfree): f", "name: a"},
    {"<mujoco><asset><mesh name='m' file='m.stl'/></asset><worldbody><body name='a'><joint name='j'/><geom "
     "type='box' mesh='m' size='1 1 1' contype='0' conaffinity='0'/>" BALL "</body></worldbody></mujoco>",
     "masses of meshes: m", "name: a"},
    {TWO "<equality><joint joint1='j' joint2='k' polycoef='0 1 2'/></equality></mujoco>",
     "polynomials of hinges that no range keeps within half a turn: j_equality", "name: k"},
    {"<mujoco><worldbody><site name='s'/><site name='u' pos='1 0 0'/>" HINGED(
         "") "</worldbody><tendon><spatial name='t'><site site='s'/><site "
             "site='u'/></spatial></tendon><equality><tendon tendon1='t'/></equality></mujoco>",
     "equalities of spatial tendons: t", "name: j"},
    {"<mujoco><worldbody><site name='s'/>" HINGED(
         "") "</worldbody><actuator><motor site='s' refsite='s' name='m'/></actuator></mujoco>",
     "actuators of something else than a joint, a tendon or a site: m", "name: j"},
    {TWO "<actuator><motor cranksite='s' slidersite='t' name='m'/></actuator></mujoco>",
     "actuators of something else than a joint, a tendon or a site: m", "name: j"},
    {TWO "<actuator><adhesion body='a' name='m'/></actuator></mujoco>", "<adhesion> in <actuator>",
     "name: j"},
    {TWO "<actuator><muscle joint='j' name='m'/></actuator></mujoco>", "<muscle> in <actuator>", "name: j"},
    {TWO "<actuator><general joint='j' name='m' dyntype='muscle'/></actuator></mujoco>",
     "actuators with a gain, bias or dynamics of other types than fixed, affine, none, integrator and "
     "filter: "
     "m",
     "name: j"},
    {"<mujoco><worldbody>" HINGED("") "<body name='b'><joint name='k'/></body></worldbody><actuator><motor "
                                      "joint='k'/></actuator></mujoco>",
     "joints that carry links without mass alone, whose motion nothing determines: k",
     "motors of joints that are held; they are left out"},
    {"<mujoco><option density='1.2'/><worldbody>" HINGED("") "</worldbody></mujoco>",
     "forces of a fluid (density, viscosity, wind)", "name: j"},
    {"<mujoco><default><joint colour='1'/></default><worldbody>" HINGED("") "</worldbody></mujoco>",
     "colour of <joint>, which is not known there", "name: j"},
    {"<mujoco><asset><mesh name='m' file='m.stl'/></asset><worldbody><body name='a'><joint name='j'/>" BALL
     "<geom type='mesh' mesh='m' contype='0' conaffinity='0'/></body></worldbody></mujoco>",
     "masses of meshes: m", "meshes whose files are not there"},
};

static void what_may_move_the_mechanism_is_not_left_out(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(doubtful); i++)
        expect_lenient_alone("r.urdf", doubtful[i].text, doubtful[i].message, doubtful[i].model);
}

// Geoms collide in MuJoCo (2.2.2 counts the contacts of such models where they overlap) unless their bodies are welded together, are parent
// and child with both able to move, or are excluded, or their bits do not match; <pair> is above all of that.
static void geoms_that_would_meet(void **state)
{
#define GEOM(more) "<geom size='1' " more "/>"
#define CHILD(more, geom) "<body name='b' " more "><joint name='k'/>" geom "</body>"
    static const struct {
        const char *text;
        bool meets;
    } rows[] = {
        {"<worldbody><body name='a'><joint/>" GEOM("") CHILD("", GEOM("")) "</body></worldbody>", false},
        {"<option><flag filterparent='disable'/></option><worldbody><body name='a'><joint/>" GEOM("")
             CHILD("", GEOM("")) "</body></worldbody>",
         true},
        {"<worldbody><body name='a'><joint/>" GEOM("") GEOM("") "</body></worldbody>", false},
        {"<worldbody><body name='a'><joint/>" GEOM("") "<body name='w'>" GEOM("")
             CHILD("", GEOM("")) "</body></body></worldbody>",
         false},
        {"<worldbody><body name='a'><joint/>" GEOM("")
             CHILD("", GEOM("") "<body name='c'><joint name='l'/>" GEOM("") "</body>") "</body></worldbody>",
         true},
        {"<worldbody><body name='a'><joint/>" GEOM("") CHILD(
             "", GEOM("") "<body name='c'><joint name='l'/>" GEOM(
                     "") "</body>") "</body></worldbody><contact><exclude body1='c' body2='a'/></contact>",
         false},
        {"<worldbody><body name='a'><joint/>" GEOM("") "</body>" CHILD("pos='5 0 0'",
                                                                       GEOM("")) "</worldbody>",
         true},
        {"<worldbody><body name='a'><joint/>" GEOM("") "</body>" CHILD(
             "", GEOM("")) "</worldbody><contact><exclude body1='a' body2='b'/></contact>",
         false},
        {"<worldbody><geom type='plane' size='1 1 1'/><geom type='plane' size='1 1 1'/><body name='w'>" GEOM(
             "") "</body><body name='a'><joint/>" BALL "</body></worldbody>",
         false},
        {"<worldbody><geom type='plane' size='1 1 1'/><body name='a'><joint/>" GEOM("") "</body></worldbody>",
         true},
        {"<worldbody><geom type='plane' size='1 1 1'/><body name='a'><joint/>" GEOM(
             "") "</body></worldbody><contact><exclude body1='a' "
                 "body2='world'/></contact>",
         false},
        {"<worldbody><body name='a'><joint/>" GEOM("contype='1' conaffinity='2'") "</body>" CHILD(
             "", GEOM("contype='4' conaffinity='8'")) "</worldbody>",
         false},
        {"<worldbody><body name='a'><joint/>" GEOM("contype='1' conaffinity='0'") "</body>" CHILD(
             "", GEOM("contype='1' conaffinity='0'")) "</worldbody>",
         false},
        {"<worldbody><body name='a'><joint/>" GEOM("contype='1' conaffinity='0'") "</body>" CHILD(
             "", GEOM("contype='0' conaffinity='1'")) "</worldbody>",
         true},
        {"<option collision='predefined'/><worldbody><body name='a'><joint/>" GEOM("") "</body>" CHILD(
             "", GEOM("")) "</worldbody>",
         false},
        {"<worldbody><body name='a'><joint/>" GEOM("name='x'")
             CHILD("", GEOM("name='y'")) "</body></worldbody><contact><pair geom1='x' geom2='y'/>"
                                         "</contact>",
         true}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[1200];
        snprintf(text, sizeof text, "<mujoco>%s</mujoco>", rows[i].text);
        char *model = import_text("r.xml", text, strlen(text), (hol_import_options){0});
        if (!model != rows[i].meets) fail_msg("%s: %s", rows[i].text, hol_context_error(ctx));
        if (!model) expect_message("contacts between geoms");
        free(model);
    }
}

// ---- files ----------------------------------------------------------------------------------------------------

static void drafts_have_the_places_of_the_file(void **state)
{
    (void)state;
    hol_draft *d = hol_draft_import(ctx, "tests/robots/arm.urdf", NULL);
    assert_non_null(d);
    hol_model *m = hol_draft_compile(d);
    assert_non_null(m);
    hol_model_destroy(m);
    assert_int_equal(hol_draft_set(d, "bodies.upper.mass=-2"), HOL_OK);
    assert_null(hol_draft_compile(d));
    expect_message("tests/robots/arm.urdf");
    hol_draft_destroy(d);
    assert_null(hol_draft_import(ctx, "tests/robots/none.urdf", NULL));
    expect_message("tests/robots/none.urdf: error: the file cannot be read");
    assert_null(hol_draft_import(ctx, NULL, NULL));
    assert_null(hol_draft_import(NULL, "x", NULL));
}

// A comment is written in front of what it is of; a text that is read again is the same, but for comments.
static void comments_are_written(void **state)
{
    (void)state;
    hol_node name = {.kind = HOL_NODE_SCALAR, .text = "name"}, a = {.kind = HOL_NODE_SCALAR, .text = "a"},
             list = {.kind = HOL_NODE_SCALAR, .text = "bodies"};
    hol_node *name_key = &name, *name_value = &a, *list_key = &list;
    hol_node item = {.kind = HOL_NODE_MAP,
                     .text = "",
                     .n = 1,
                     .key = &name_key,
                     .value = &name_value,
                     .comment = "one\ntwo"};
    hol_node *items = &item;
    hol_node bodies = {.kind = HOL_NODE_SEQUENCE, .text = "", .n = 1, .value = &items}, *value = &bodies;
    hol_node root = {.kind = HOL_NODE_MAP,
                     .text = "",
                     .n = 1,
                     .key = &list_key,
                     .value = &value,
                     .comment = "a\n\nb\xc2\x85"
                                "c\x01"};
    pieces out = {0};
    hol_tree_write(&root, add_piece, &out);
    assert_string_equal(out.text, "# a\n#\n# b?c?\nbodies:\n  # one\n  # two\n  - name: a\n");
    free(out.text);
}

// No request of memory that fails does harm.
static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ROBOT(AB LINK("c.") JOINT("j", "continuous", "a", "b", "") JOINT(
            "k", "revolute", "b", "c.",
            "<limit lower='1' upper='2' effort='1'/>") "<loop_joint name='l' type='continuous'><link1 "
                                                       "link='a' xyz='1 0 0'/><link2 link='c.' xyz='1 0 "
                                                       "0'/></loop_joint>"),
        "<mujoco><default><geom rgba='1 0 0 1'/></default><worldbody><site/><body name='body1'><joint "
        "name='j'/><joint/><geom size='1' contype='0' conaffinity='0'/></body></worldbody><equality><connect "
        "body1='body1' anchor='0 0 0'/></equality><actuator><position joint='j' ctrlrange='0 1' "
        "gear='2'/></actuator></mujoco>",
        "<mujoco><compiler boundinertia='0.1'/><default><joint damping='1'/></default><default><joint "
        "armature='1'/></default>"
        "<worldbody><site name='s'/><body name='a'><freejoint name='f'/><geom size='1' mass='1' contype='0' "
        "conaffinity='0'/>"
        "<body name='b' pos='1 0 0'><joint name='j' type='ball' stiffness='2'/><geom size='1' contype='0' "
        "conaffinity='0'/><site name='t'/>"
        "<body name='c' pos='1 0 0'><joint name='k' springdamper='1 1' range='-1 1' limited='true'/><joint "
        "name='l' type='slide'/>"
        "<geom size='1' contype='0' conaffinity='0'/></body></body></body></worldbody>"
        "<tendon><fixed name='x' stiffness='1'><joint joint='k' coef='2'/><joint joint='l' coef='1'/></fixed>"
        "<spatial name='y' damping='1'><site site='s'/><site site='t'/></spatial></tendon>"
        "<equality><joint joint1='l' joint2='k' polycoef='0 1 1 0 0'/><tendon tendon1='x'/><weld body1='a' "
        "body2='c'/></equality>"
        "<actuator><motor joint='j' gear='1 2 3'/><general tendon='y' dyntype='filter' actlimited='true' "
        "actrange='0 1'/>"
        "<position site='t' kp='2'/><general joint='k' gaintype='affine' gainprm='1 2 3'/><motor "
        "joint='f'/></actuator>"
        "<keyframe><key qpos='0 0 0 1 0 0 0 1 0 0 0 0 0' ctrl='1 2 3 4 5'/></keyframe></mujoco>",
        "ADAMS/View model name: a\nUNITS/LENGTH=MILLI\nACCGRAV/KGRAV=-1\nPART/1, GROUND\nMARKER/1, PART=1, "
        "REULER=90D,0,0\n"
        "PART/2, MASS=1, CM=3, IP=1,1,1, VX=1\nMARKER/3, PART=2, ZP=0,1,0, XP=1,0,0 ! "
        "adams_view_name='c.m'\nJOINT/1, HOOKE, I=3, J=1\n"
        "GFORCE/1, I=3, JFLOAT=1, RM=1, FX=2*SIN(TIME)\\TX=STEP(TIME,0,0,1,1)\nSPLINE/1, X=1,2,3,4, "
        "Y=1,2,3,4\n"
        "REQUEST/1, F2=ORIENT(27,1,3,1)\\F3=JOINT(1,1,6,1)\\F4=AKISPL(TIME,0,1)\nGRAPHICS/1\n"
        "JOINT/2, TRANS, I=3, J=1\nFRICTION/2, JOINT=2, MU_STATIC=0.3, MU_DYNAMIC=0.2, OVERLAP=INC, "
        "FRICTION_FORCE_PRELOAD=1\nJOINT/3, CYL, I=3, J=1\nFRICTION/3, JOINT=3, MU_STATIC=0.3, "
        "MU_DYNAMIC=0.2, EFFECT=SLIDING\nJOINT/4, SPH, I=3, J=1\nFRICTION/4, JOINT=4, MU_STATIC=0.3, "
        "MU_DYNAMIC=0.2, EFFECT=SLIDING\n"
        "GRAPHICS/2, ELL, CM=3, XSCALE=1, YSCALE=2, ZSCALE=1\nGRAPHICS/3, PLANE, RM=1\nGRAPHICS/4, BOX, "
        "CORNER=3, X=1, Y=1, Z=1\nGRAPHICS/5, CYL, CM=3, LENGTH=1, RADIUS=1\nCONTACT/1, IGEOM=2,4,5, "
        "JGEOM=3, "
        "IMPACT, STIFFNESS=1, DAMPING=0, DMAX=1, EXPONENT=1\nCONTACT/2, IGEOM=2, JGEOM=3, POISSON, "
        "PENALTY=1, "
        "RESTITUTION=0.5, COULOMB=ON, MU_STATIC=0.3, MU_DYNAMIC=0.2, STICTION_T=1, FRICTION_T=2\n"
        "MATRIX/1, FULL=R, M=5, N=3, VALUES=1,0,0,0,1,0,-1,0,0,0,-1,0,1,0,0\nCURVE/1, CLOSED, MATRIX=1\n"
        "PTCV/1, CURVE=1, I=3, RM=1\nARRAY/1, X\nARRAY/2, U, VARIABLES=1\nARRAY/3, Y\nVARIABLE/1, "
        "FUNCTION=AZ(3,1)\nTFSISO/1, X=1, U=2, Y=3, NUM=1, DEN=1,1\nSENSOR/1, FUNCTION=ARYVAL(3,1), VALUE=1\n"
        "END\n",
    };
    const hol_import_options begun = {.key = "0"};
    for (int i = 0; i < HOL_COUNT(texts); i++)
        for (long n = 1;; n++) {
            hol_arena *arena = hol_arena_create(ctx);
            hol_node *root;
            hol_context_clear(ctx);
            hol_memory_fail_after(ctx, n);
            const hol_status st =
                hol_import_parse(ctx, arena, "r", texts[i], strlen(texts[i]), i == 2 ? &begun : NULL, &root);
            const bool happened = hol_memory_fail_after(ctx, 0) == 0;
            hol_arena_destroy(arena);
            if (st != (happened ? HOL_ERR_MEMORY : HOL_OK))
                fail_msg("text %d, request %ld: %s", i, n, hol_context_error(ctx));
            if (!happened) break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_wrong_is_said_with_its_place),
                                       cmocka_unit_test(elements_may_be_nested_so_deep_and_no_deeper),
                                       cmocka_unit_test(what_may_move_the_mechanism_is_not_left_out),
                                       cmocka_unit_test(geoms_that_would_meet),
                                       cmocka_unit_test(drafts_have_the_places_of_the_file),
                                       cmocka_unit_test(comments_are_written),
                                       cmocka_unit_test(every_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, start, stop);
}
