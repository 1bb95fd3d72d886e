// Models of other programs: what is refused, with its place and words; what is only taken with `lenient`; what the model says. That numbers
// are right python/tests/test_import.py tests, with equations of its own.
#include "import_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    {WORLD("<body><geom type='cone'/></body>"), "<geom>: type \"cone\" is not known"},
    {WORLD("<body><geom/></body>"), "<geom>: size: a sphere has 1, above 0"},
    {WORLD("<body><geom type='box' size='1 1'/></body>"), "<geom>: size: a box has 3, above 0"},
    {WORLD("<body><geom type='capsule' size='1 2 3 4'/></body>"),
     "<geom>: size: \"1 2 3 4\" is 4 numbers; wanted are 3 at most"},
    {WORLD("<body><geom type='capsule' size='1' fromto='1 2 3 1 2 3'/></body>"),
     "<geom>: fromto: both ends are one point"},
    {WORLD("<body><geom type='sphere' size='1' fromto='1 2 3 1 2 4'/></body>"),
     "<geom>: fromto: a sphere has no ends"},
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
    {TWO "<equality><joint joint1='j' joint2='k'/><joint joint1='k' joint2='j'/></equality></mujoco>",
     "mimic: it follows itself"},
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
     "inertia tensors that are not positive: a", "inertia: [2, 2, 2]"},
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

// ---- what the model says --------------------------------------------------------------------------------------

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
      "1, 4]\n    orientation: {z: [0, 0, 1], x: [0, 1, 0]}", "- {type: capsule, radius: 0.1, length: 2}",
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
    {"<mujoco><compiler discardvisual='true'/><worldbody><body name='a'><joint name='j'/><geom size='1' "
     "mass='2'/><geom name='skin' size='1' mass='3' contype='0' "
     "conaffinity='0'/></body></worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"mass: 5",
      "masses of geoms that discardvisual takes away; they count, as in MuJoCo 3; before, they did not: skin",
      NULL}},
    {"<mujoco><compiler boundmass='2' boundinertia='1'/><worldbody><body name='a' pos='1 0 0'><joint "
     "name='j'/></body></worldbody></mujoco>",
     HOL_IMPORT_ROOT,
     {"bodies that weigh boundmass alone; it is at their origin; MuJoCo 2.2 has it elsewhere: a",
      "{name: a, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}", NULL}},
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
                                       cmocka_unit_test(the_model_says_what_the_file_does),
                                       cmocka_unit_test(a_follower_begins_as_its_leader_does),
                                       cmocka_unit_test(a_root_without_mass_cannot_float),
                                       cmocka_unit_test(drafts_have_the_places_of_the_file),
                                       cmocka_unit_test(comments_are_written),
                                       cmocka_unit_test(every_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, start, stop);
}
