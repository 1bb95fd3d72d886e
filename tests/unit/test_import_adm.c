// Data sets of Adams: what is refused, with its place and words; what is only taken with `lenient`; what the model says. That numbers are
// right python/tests/test_import_adams.py tests, against Adams and models of holonom's own.
#include "import_text.h"

#include <math.h>
#include <stdio.h>

#define UNITS "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
#define PARTS                                                                                                \
    "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"                 \
    "MARKER/21, PART=2, QP=1,0,0\n"                    // lines 3 to 7
#define ADM(text) "title\n" UNITS PARTS text "\nEND\n" // from line 8 on
#define HINGED "JOINT/1, REVOLUTE, I=20, J=1\n"
#define FRICTION(more) ADM(HINGED "FRICTION/1, JOINT=1, MU_DYNAMIC=0.2" more)
#define CONTACT(more)                                                                                        \
    ADM("GRAPHICS/1, ELLIPSOID, CM=20, XSCALE=1,YSCALE=1,ZSCALE=1\nGRAPHICS/2, PLANE, RM=1\n"                \
        "CONTACT/1, IGEOM=1, JGEOM=2" more)
#define IMPACT ", IMPACT, STIFFNESS=1, DAMPING=0, DMAX=0.1, EXPONENT=1"
#define ARRAYS "ARRAY/1, X\nARRAY/2, U, VARIABLES=1\nARRAY/3, Y\nVARIABLE/1, FUNCTION=1\n"
#define CURVE(points, more)                                                                                  \
    ADM("MATRIX/1, FULL=RORDER, M=5, N=3, VALUES=" points "\nCURVE/1, MATRIX=1" more                         \
        "\nPTCV/1, CURVE=1, I=21, RM=1")
#define VARIABLE(function) ADM("VARIABLE/1, FUNCTION=" function)

// ---- what is wrong --------------------------------------------------------------------------------------------

static const struct {
    const char *text, *message;
} wrong[] = {
    // statements
    {"title\nPART/1, GROUND\n!\n no statement\nEND\n",
     "m.adm:4:2: error: a statement is a name with a slash behind it, as in PART/1"},
    {"title\n, GOES=1\nPART/1, GROUND\nEND\n",
     "m.adm:2:1: error: this line goes on, and there is no statement before it"},
    {ADM("MA/1"), "m.adm:8:1: error: MA/: several statements begin so; write it out"},
    {ADM("PART/2, MASS=1"), "m.adm:8:1: error: there is a PART/2 already, in line 5"},
    {ADM("JOINT/99999999999"), "m.adm:8:7: error: JOINT/: this number is too large"},
    {ADM("JOINT/1, REVOLUTE\n, I=20, I=1"), "m.adm:9:9: error: JOINT/1: I is there twice"},
    {ADM("JOINT/1, I=20, J=1, C"), "JOINT/1: C: several arguments begin so; write it out"},
    {ADM("JOINT/1, =20"), "m.adm:8:10: error: JOINT/1: an argument begins with a letter, here is \"=\""},
    {ADM("SPLINE/1, FILE=a.txt, BLOCK=b"), "m.adm:8:11: error: SPLINE/1: its numbers are in a file (FILE=), "
                                           "which is not read; write them as X= and Y="},
    {ADM("GFORCE/1, I=20, JFLOAT=1, RM=1, FXYZ=1"),
     "GFORCE/1: it has no component, FX= and the like; its FXYZ is not taken"},
    {ADM("SFORCE/1, TRANSLATION, I=21, J=1, FUNCTION=1/0"), "m.adm:8:35: error: FUNCTION: it divides by 0"},
    {ADM("JOINT/1, I"), "JOINT/1: I: a value is wanted, I = .."},
    {ADM("JOINT/1, REVOLUTE=3"), "JOINT/1: REVOLUTE has no value"},
    {ADM("JOINT/1, I=, J=1"), "JOINT/1: I: there is nothing behind ="},
    {ADM("JOINT/1, I=20, J=1"), "JOINT/1: one of these is wanted, here are 0: CONVEL, CYLINDRICAL, FIXED"},
    {ADM("JOINT/1, I=20, J=1, FIXED, REVOLUTE"), "JOINT/1: one of these is wanted, here are 2: "},
    {ADM("JOINT/1, REVOLUTE, J=1"), "JOINT/1: it has no I"},
    {ADM("JOINT/1, REVOLUTE, I=77, J=1"), "m.adm:8:20: error: JOINT/1: I: there is no MARKER/77"},
    {ADM("JOINT/1, REVOLUTE, I=1, J=1"), "JOINT/1: I and J are one marker"},
    {ADM("JOINT/1, REVOLUTE, I=x, J=1"), "I: \"x\" is no finite number"},
    {ADM("JOINT/1, REVOLUTE, I=20 30, J=1"),
     "I: numbers are wanted with commas between them, here is \"30\""},
    {ADM("JOINT/1, REVOLUTE, I=20,30, J=1"), "JOINT/1: I: 1 number is wanted, here are 2"},
    // units
    {"t\nUNITS/FORCE=TONS\n" PARTS "END",
     "m.adm:2:7: error: UNITS: FORCE: \"TONS\" is no unit that is known; known are NEWTON, KNEWTON"},
    {"t\nUNITS/LENGTH=MI\n" PARTS "END", "UNITS: LENGTH: \"MI\" is no unit that is known"},
    // parts and markers
    {"t\nPART/1, GROUND\nEND\n", "m.adm:1:1: error: no part is there that moves"},
    {ADM("PART, MASS=1"), "a statement is a name with a slash behind it"},
    {ADM("PART/, MASS=1"), "PART: it has no number, as in PART/1"},
    {ADM("PART/3, GROUND"), "PART/3: PART/1 is ground already"},
    {ADM("PART/3, MASS=1"), "PART/3: it has no CM"},
    {ADM("PART/3, MASS=-1"), "PART/3: a mass of -1 kg is negative"},
    {ADM("PART/3, MASS=1, CM=20"), "PART/3: CM: MARKER/20 is of another part"},
    {ADM("PART/3, MASS=1, CM=30, IM=20, IP=1,1,1\nMARKER/30, PART=3"),
     "PART/3: IM: MARKER/20 is of another part"},
    {ADM("PART/3, MASS=1, CM=30, IP=1,1\nMARKER/30, PART=3"),
     "PART/3: IP: 3 or 6 numbers are wanted, here are 2"},
    {ADM("PART/3, MASS=1e999"), "MASS: \"1e999\" is no finite number"},
    {ADM("PART/3, MASS=0x1"), "MASS: \"0x1\" is no finite number"},
    {ADM("PART/3, QG=1,2"), "PART/3: QG: 3 numbers are wanted, here are 2"},
    {ADM("PART/3, REULER=1D,2"), "PART/3: REULER: three angles are wanted, here is \"1D,2\""},
    {ADM("PART/3, REULER=1,2,3, ZG=0,0,1"), "PART/3: both REULER and ZG or XG say how it is turned"},
    {ADM("PART/3, ZG=0,0,0"), "PART/3: ZG: this point is the origin, and gives no direction"},
    {ADM("PART/3, ZG=0,0,1, XG=0,0,2"), "PART/3: its z and x axes would be one line"},
    {ADM("PART/3, EXACT=X:W"), "PART/3: EXACT: \"W\" is none of X, Y, Z, PSI, THETA, PHI"},
    {ADM("POINT_MASS/3, MASS=1, CM=30\nMARKER/30, POINT_MASS=3, QP=1,0,0"),
     "POINT_MASS/3: its CM is not at its origin"},
    {ADM("MARKER/30"), "MARKER/30: it has no PART"},
    {ADM("MARKER/30, PART=7"), "MARKER/30: PART: there is no PART/7"},
    {ADM("POINT_MASS/3\nMARKER/30, PART=2, POINT_MASS=3"), "MARKER/30: it is of one part"},
    {ADM("MARKER/30, PART=1, RM=20"), "MARKER/30: RM: MARKER/20 is of another part"},
    {ADM("MARKER/30, PART=2, RM=21\nMARKER/31, PART=2, RM=30"),
     "MARKER/31: RM: MARKER/30 is relative to another marker itself"},
    // joints
    {ADM("JOINT/1, SCREW, I=20, J=1"), "JOINT/1: it has no PITCH"},
    {ADM("JOINT/1, RACKPIN, I=20, J=1"), "JOINT/1: it has no PD"},
    {ADM("MOTION/1, FUNCTION=1"), "MOTION/1: it has no I"},
    {ADM("MOTION/1, I=20, J=1, FUNCTION=1"),
     "MOTION/1: one of these is wanted, here are 0: X, Y, Z, B1, B2, B3"},
    {ADM(HINGED "MOTION/1, JOINT=1"), "MOTION/1: it has no FUNCTION"},
    {ADM(HINGED "MOTION/1, JOINT=1, TRANSLATION, FUNCTION=1"),
     "MOTION/1: a REVOLUTE joint has no such coordinate"},
    {ADM("JOINT/1, SPHERICAL, I=20, J=1\nMOTION/1, JOINT=1, FUNCTION=1"),
     "MOTION/1: a SPHERICAL joint has no such coordinate"},
    {ADM(HINGED "COUPLER/1, JOINTS=1, SCALES=1"), "COUPLER/1: JOINTS: 2 or 3 joints are wanted, here is 1"},
    {ADM(HINGED "COUPLER/1, JOINTS=1,4, SCALES=1,1"), "COUPLER/1: JOINTS: there is no JOINT/4"},
    {ADM(HINGED "COUPLER/1, JOINTS=1,1, SCALES=1,2,3"),
     "COUPLER/1: SCALES: 2 numbers are wanted, or 1 where the first is 1, here are 3"},
    {ADM(HINGED "GEAR/1, JOINTS=1,1, CV=21"), "GEAR/1: JOINT/1 moves nothing along z of CV at that point"},
    {ADM(HINGED "PART/3\nMARKER/30, PART=3\nGEAR/1, JOINTS=1,1, CV=30"),
     "GEAR/1: JOINT/1 is not on the part of CV, the carrier"},
    // forces
    {ADM("SFORCE/1, I=20, J=1, FUNCTION=1"),
     "SFORCE/1: one of these is wanted, here are 0: TRANSLATIONAL, ROTATIONAL"},
    {ADM("GFORCE/1, I=20, JFLOAT=1"), "GFORCE/1: it has no component"},
    {ADM("BUSHING/1, I=20, J=1, K=1,2"), "BUSHING/1: K: 3 numbers are wanted, here are 2"},
    {ADM("BUSHING/1, I=20, J=1, K=1,2,3, CT=1,1,-1"), "BUSHING/1: its CT is negative"},
    {ADM("SPRINGDAMPER/1, I=20, J=1, TRANSLATION, K=1, C=-1"), "SPRINGDAMPER/1: its C is negative"},
    {ADM("SPRINGDAMPER/1, I=20, J=1, ROTATION, KT=1, CT=-1"), "SPRINGDAMPER/1: its CT is negative"},
    {ADM("BEAM/1, I=20, J=1, EMODULUS=1, GMODULUS=1, AREA=1, IXX=1, IYY=1, IZZ=1, LENGTH=1, CRATIO=-1"),
     "BEAM/1: its CRATIO is negative"},
    {ADM("FIELD/1, I=20, J=1"), "FIELD/1: it has no KMATRIX"},
    {ADM("BEAM/1, I=20, J=1, LENGTH=1"), "BEAM/1: it has no EMODULUS"},
    {ADM("SPLINE/1, X=1,2,3, Y=1,2"), "SPLINE/1: X has 3 numbers, Y has 2"},
    {ADM("SPLINE/1, X=1,2,3, Y=2,1,2,3, Y=1,1,2,3"),
     "SPLINE/1: several Y begin with the value of the second variable, in ascending order"},
    {ADM("SPLINE/1, X=1,2,3, Y=1,1,2,3, Y=2,1,2"), "go on with as many numbers as X has"},
    {ADM("JOINT/1, REVOLUTE, I=20, J=1, ICTRAN=7"), "JOINT/1: a REVOLUTE joint has no ICTRAN"},
    {ADM("JOINT/1, REVOLUTE, I=20, J=1, ICROT=7,8,9"),
     "ICROT: a displacement and a velocity are wanted, here are 3 numbers"},
    {ADM("LSE/1"), "LSE/1: it has no X"},
    {ADM("ARRAY/1, X\nARRAY/2, U, VARIABLES=1\nLSE/1, X=1, U=2, A=1"), "LSE/1: A: there is no MATRIX/1"},
    {ADM("ARRAY/1, X\nARRAY/2, U, VARIABLES=1\nMATRIX/1, FULL=RORDER, M=2, N=2, VALUES=1,2,3\nLSE/1, X=1, "
         "U=2, A=1, C=1"),
     "MATRIX/1: FULL = RORDER or CORDER is wanted, and M times N VALUES"},
    {ADM("ARRAY/1, X\nARRAY/2, U, VARIABLES=1\nMATRIX/1, FULL=RORDER, M=1, N=1, VALUES=1\nLSE/1, X=1, U=2, "
         "A=1, B=1, C=1"),
     "ARRAY/2: VARIABLES: there is no VARIABLE/1"},
    {ADM("ARRAY/1, X\nARRAY/2, U, VARIABLES=1\nVARIABLE/1, FUNCTION=1\nMATRIX/1, FULL=R, M=1, N=1, "
         "VALUES=1\nMATRIX/2, FULL=R, M=2, N=1, VALUES=1,2\nLSE/1, X=1, U=2, A=1, B=2, C=1"),
     "LSE/1: B: MATRIX/2 has 2 rows and 1 columns, wanted are 1 and 1"},
    {ADM("PINPUT/1, VARIABLES=3"), "PINPUT/1: VARIABLES: there is no VARIABLE/3"},
    {ADM("VARIABLE/1"), "VARIABLE/1: it has no FUNCTION"},
    {ADM("REQUEST/1, D, J=1"), "REQUEST/1: it has no I"},
    // friction, events, contacts, curves
    {ADM("FRICTION/1, MU_STATIC=1, MU_DYNAMIC=1"), "m.adm:8:1: error: FRICTION/1: it has no JOINT"},
    {ADM("FRICTION/1, JOINT=3, MU_STATIC=1, MU_DYNAMIC=1"), "FRICTION/1: JOINT: there is no JOINT/3"},
    {FRICTION(""), "m.adm:9:1: error: FRICTION/1: it has no MU_STATIC"},
    {FRICTION(", MU_STATIC=-1"), "m.adm:9:38: error: FRICTION/1: MU_STATIC: -1 is not at least 0"},
    {FRICTION(", MU_STATIC=1, PIN=0"), "m.adm:9:51: error: FRICTION/1: PIN_RADIUS: 0 is not above 0"},
    {FRICTION(", MU_STATIC=1, INPUTS=PRELOAD:FORCES"),
     "FRICTION/1: INPUTS: \"FORCES\" is none of ALL, NONE, PRELOAD, REACTION_FORCE, BENDING_MOMENT, "
     "TORSIONAL_MOMENT"},
    {ADM("JOINT/1, TRANS, I=20, J=1\nFRICTION/1, JOINT=1, MU_STATIC=1, MU_DYNAMIC=1, OVERLAP_DELTA=MORE"),
     "FRICTION/1: OVERLAP_DELTA: \"MORE\" is none of CONSTANT, INCREASE, DECREASE"},
    {FRICTION(", MU_STATIC=0.2\nFRICTION/2, JOINT=1, MU_STATIC=1, MU_DYNAMIC=1"),
     "m.adm:10:1: error: FRICTION/2: JOINT/1 has friction already; keep one"},
    {ADM("TFSISO/1, U=1"), "TFSISO/1: it has no X"},
    {ADM(ARRAYS "TFSISO/1, X=1, U=2, Y=3, NUMERATOR=1"), "TFSISO/1: it has no DENOMINATOR"},
    {ADM(ARRAYS "TFSISO/1, X=1, U=2, Y=3, NUMERATOR=1,2,3,0, DENOMINATOR=1,2"),
     "TFSISO/1: its numerator has the degree 2, its denominator 1"},
    {ADM("ARRAY/1, X\nARRAY/2, U, VARIABLES=1,1\nVARIABLE/1, FUNCTION=1\nTFSISO/1, X=1, U=2, NUMERATOR=1, "
         "DENOMINATOR=1,1"),
     "TFSISO/1: U: ARRAY/2 has 2 variables, wanted is 1"},
    {ADM("SENSOR/1, VALUE=1"), "SENSOR/1: it has no FUNCTION"},
    {ADM("SENSOR/1, FUNCTION=TIME"), "SENSOR/1: it has no VALUE"},
    {ADM("SENSOR/1, FUNCTION=TIME, VALUE=1, GE, LE"), "m.adm:8:1: error: SENSOR/1: keep one of EQ, GE, LE"},
    {CONTACT(", IMPACT"), "m.adm:10:1: error: CONTACT/1: it has no EXPONENT"},
    {CONTACT(", IMPACT, EXPONENT=1, STIFFNESS=0"),
     "m.adm:10:50: error: CONTACT/1: STIFFNESS: 0 is not above 0"},
    {CONTACT(IMPACT ", COULOMB_FRICTION=ON"), "CONTACT/1: it has no MU_STATIC"},
    {ADM("CONTACT/1, IGEOM=1, JGEOM=2" IMPACT), "CONTACT/1: IGEOM: there is no GRAPHICS/1"},
    {ADM("GRAPHICS/1, BOX, CORNER=20, X=1, Y=0, Z=1\nCONTACT/1, IGEOM=1, JGEOM=2" IMPACT),
     "m.adm:8:1: error: GRAPHICS/1: Y: a length other than 0 is wanted"},
    {ADM("GRAPHICS/1, CYL, CM=20, LENGTH=1, RADIUS=-1\nCONTACT/1, IGEOM=1, JGEOM=2" IMPACT),
     "GRAPHICS/1: RADIUS: a length above 0 is wanted"},
    {ADM("GRAPHICS/1, CYLINDER, LENGTH=1\nCONTACT/1, IGEOM=1, JGEOM=2" IMPACT), "GRAPHICS/1: it has no CM"},
    {ADM("GRAPHICS/1, CYLINDER, CM=77\nCONTACT/1, IGEOM=1, JGEOM=2" IMPACT),
     "GRAPHICS/1: CM: there is no MARKER/77"},
    {ADM("GRAPHICS/1, CYLINDER, CM=x\nCONTACT/1, IGEOM=1, JGEOM=2" IMPACT), "CM: \"x\" is no finite number"},
    {ADM("PTCV/1, I=21, RM=1"), "PTCV/1: it has no CURVE"},
    {ADM("CURVE/1, CURVE_POINTS\nPTCV/1, CURVE=1, I=21, RM=1"), "CURVE/1: it has no MATRIX"},
    {ADM("MATRIX/1, FULL=R, M=1, N=3, VALUES=0,0,0\nCURVE/1, MATRIX=1\nPTCV/1, CURVE=1, I=21, RM=1"),
     "CURVE/1: it has 1 points, wanted are at least 4"},
    {ADM("MATRIX/1, FULL=R, M=2, N=2, VALUES=0,0,0,1\nCURVE/1, MATRIX=1\nPTCV/1, CURVE=1, I=21, RM=1"),
     "CURVE/1: MATRIX: MATRIX/1 has 2 rows and 2 columns, wanted are 2 and 3"},
    // functions
    {VARIABLE("1,2"), "m.adm:8:23: error: VARIABLE/1: FUNCTION: a comma outside of brackets"},
    {VARIABLE("3.4.5"), "FUNCTION: \"3.4.5\" is no finite number"},
};

static void what_is_wrong_is_said_with_its_place(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(wrong); i++)
        for (int lenient = 0; lenient < 2; lenient++) { // in any case
            char *model = import_text("m.adm", wrong[i].text, strlen(wrong[i].text),
                                      (hol_import_options){.lenient = lenient});
            if (model || !strstr(hol_context_error(ctx), wrong[i].message))
                fail_msg("%s\ngives %s\nwanted %s", wrong[i].text, model ? model : hol_context_error(ctx),
                         wrong[i].message);
        }
}

static void a_byte_0_and_brackets_without_end_are_refused(void **state)
{
    static const char zero[] = "t\nPART/1, GROUND\nPA\0RT/2\nEND\n";
    static char deep[400];
    (void)state;
    assert_null(import_text("m.adm", zero, sizeof zero - 1, (hol_import_options){.lenient = true}));
    expect_message("m.adm:3:1: error: a byte 0, which no text has");
    snprintf(deep, sizeof deep, "t\n%sVARIABLE/1, FUNCTION=%0*d", PARTS, 150, 0);
    memset(strrchr(deep, '=') + 1, '(', 150);
    assert_null(import_text("m.adm", deep, strlen(deep), (hol_import_options){.lenient = true}));
    expect_message("VARIABLE/1: FUNCTION: brackets are nested deeper than 100");
}

// ---- what is only taken with lenient --------------------------------------------------------------------------

static const struct {
    const char *text, *message, *model; // without and with lenient
} doubtful[] = {
    {ADM("ROPE/1, I=20, J=1"),
     "m.adm:8:1: error: statement ROPE, which is not known; correct it, or import with --lenient: it is left "
     "out",
     "statement ROPE, which is not known; it is left out: line 8"},
    {ADM(HINGED "CVCV/1, I=1\nCVCV/2, I=2"),
     "m.adm:9:1: error: statement CVCV, which is not taken: here and in 1 more place; correct it",
     "CVCV, which is not taken; it is left out: line 9, line 10"},
    {ADM("FLEX_BODY/1, MATRIX=1"), "statement FLEX_BODY, which is not taken", "name: part2"},
    {ADM("UCON/1, FUNCTION=USER(1)"), "statement UCON, which is not taken", "name: part2"},
    {ADM("NFORCE/1, FUNCTION=USER(1)"), "statement NFORCE, which is not taken", "name: part2"},
    // friction, events, contacts, curves
    {ADM("JOINT/1, SPHERICAL, I=20, J=1\nFRICTION/1, JOINT=1, MU_STATIC=1, MU_DYNAMIC=1, BALL_RADIUS=2"),
     "m.adm:9:1: error: stiction in CYLINDRICAL and SPHERICAL joints, which is not taken: joint1; correct "
     "it, "
     "or import with --lenient: below STICTION_TRANSITION_VELOCITY friction is smooth, and creeps",
     "{name: joint1_slip, value: \"2*WM(part2.marker20, ground.marker1)\"}"},
    {ADM("JOINT/1, CYL, I=20, J=1\nFRICTION/1, JOINT=1, MU_STATIC=1, MU_DYNAMIC=1"),
     "stiction in CYLINDRICAL and SPHERICAL joints", "coordinate: stroke"},
    {ADM("JOINT/1, CYL, I=20, J=1\nFRICTION/1, JOINT=1, MU_STATIC=1, MU_DYNAMIC=1, EFFECT=SLIDING, "
         "INPUTS=NONE"),
     "FRICTION that nothing presses, or without MU_DYNAMIC", "type: cylindrical"},
    {ADM("JOINT/1, PLANAR, I=20, J=1\nFRICTION/1, JOINT=1, MU_STATIC=1, MU_DYNAMIC=1"),
     "m.adm:9:1: error: FRICTION of a joint of another type; of REVOLUTE", "type: planar"},
    {ADM("JOINT/1, HOOKE, I=20, J=1\nFRICTION/1, JOINT=1, MU_STATIC=1, MU_DYNAMIC=1, I_YOKE"),
     "FRICTION of a joint of type HOOKE", "type: universal"},
    {FRICTION(", MU_STATIC=1, FORMULATION=LUGRE"), "FRICTION by the formulation LUGRE; ORIGINAL is taken",
     "{name: joint1, type: revolute, between: [ground.marker1, part2.marker20]}"},
    {FRICTION(", MU_STATIC=1, EFFECT=STICTION"), "FRICTION with the effect STICTION alone", "name: joint1"},
    {FRICTION(", MU_STATIC=0.1"), "FRICTION that is less at rest than in sliding", "name: joint1"},
    {FRICTION(", MU_STATIC=0.2, MAX_FRICTION_TORQUE=3"),
     "m.adm:9:53: error: MAX_FRICTION_TORQUE of FRICTION, which is not taken", "friction:"},
    {ADM(ARRAYS "TFSISO/1, X=1, U=2, Y=3, NUM=1, DEN=1,1\nVARIABLE/2, FUNCTION=ARYVAL(1,1)"),
     "ARYVAL: this is no element of an array that an LSE or a TFSISO has", "name: tfsiso1"},
    {ADM("SENSOR/1, FUNCTION=USER(1), VALUE=1"), "USER is a subroutine of the user's", "name: part2"},
    {ADM("SENSOR/1, FUNCTION=TIME, VALUE=1, ANGLE"), "ANGLE of SENSOR, which is not taken", "sensor1"},
    {ADM("SENSOR/1, FUNCTION=TIME, VALUE=1, EVALUATE=TIME"), "EVALUATE of SENSOR, which is not taken",
     "{name: sensor1, when: time - 1, print: sensor1}"},
    {ADM("VARIABLE/1, FUNCTION=SENVAL(1)"), "SENVAL is no function that is taken", "name: part2"},
    {CONTACT(""), "m.adm:10:1: error: CONTACT that is not one of IMPACT and POISSON, which are taken",
     "name: part2"},
    {CONTACT(", NORMAL_FUNCTION=USER(1)"), "CONTACT that is not one of IMPACT and POISSON", "name: part2"},
    {CONTACT(", POISSON, PENALTY=1, RESTITUTION_COEFF=0"),
     "CONTACT with a RESTITUTION_COEFFICIENT that is 0 or above 1", "name: part2"},
    {CONTACT(", IMPACT, STIFFNESS=1, DAMPING=0, DMAX=0.1, EXPONENT=0.5"), "CONTACT with an EXPONENT below 1",
     "name: part2"},
    {CONTACT(IMPACT ", STICTION=ON, MAX_STICTION_DEFORMATION=1"), "CONTACT with STICTION", "name: part2"},
    {CONTACT(IMPACT ", COULOMB=ON, MU_STATIC=0.1, MU_DYNAMIC=0.2, STICTION_TRANS=1, FRICTION_TRANS=2"),
     "CONTACT with a friction that is less at rest", "name: part2"},
    {CONTACT(IMPACT ", IFLIP=1"), "IFLIP of CONTACT, which is not taken", "name: contact1"},
    {ADM("GRAPHICS/1, EXTERNAL, RM=20, FILE=\"a,b=c.xmt_txt\nCONTACT/1, IGEOM=1, JGEOM=1" IMPACT),
     "m.adm:8:1: error: CONTACT with a GRAPHICS of type EXTERNAL; ELLIPSOID, BOX, CYLINDER and PLANE are "
     "taken",
     "name: part2"},
    {ADM("GRAPHICS/1, TREE = 3 CM=\nCONTACT/1, IGEOM=1, JGEOM=1" IMPACT),
     "CONTACT with a GRAPHICS of type that is not known", "name: part2"},
    {ADM("GRAPHICS/1, FRUSTUM, CM=20\nCONTACT/1, IGEOM=1, JGEOM=1" IMPACT),
     "CONTACT with a GRAPHICS of type FRUSTUM", "name: part2"},
    {CURVE("0,0,0,1,1,1,2,1,0,3,0,0,4,1,0", ", CURVE_POINTS"),
     "m.adm:9:1: error: PTCV on a CURVE whose points have a z that is not 0", "name: part2"},
    {CURVE("0,0,0,1,1,0,0.5,1,0,3,0,0,4,1,0", ""), "PTCV on a CURVE whose x goes forth and back",
     "name: part2"},
    {CURVE("1,0,0,0,1,0,-1,0,0,0,-1,0,0.1,-1,0", ", CLOSED"),
     "PTCV on a CURVE that is closed and does not go around its origin once", "name: part2"},
    {CURVE("1,0,0,0,1,0,1,0.5,0,0,-1,0,1,0,0", ", CLOSED"),
     "PTCV on a CURVE that is closed and does not go around its origin in one sense", "name: part2"},
    {CURVE("0,0,0,1,1,0,2,1,0,3,0,0,4,1,0", ", CONTROL_POINTS"), "PTCV on a CURVE by CONTROL_POINTS",
     "name: part2"},
    {ADM("CURVE/1, FUNCTION=USER(1)\nPTCV/1, CURVE=1, I=21, RM=1"), "USER is a subroutine of the user's",
     "name: part2"},
    {ADM("JOINT/1, REVOLUTE, I=20, J=1, COLOUR=7,8"),
     "m.adm:8:31: error: COLOUR of JOINT, which is not taken",
     "{name: joint1, type: revolute, between: [ground.marker1, part2.marker20]}"},
    {ADM("SFORCE/1, ROTATION, I=20, J=1, FUNCTION=USER(1,2)"),
     "m.adm:8:32: error: FUNCTION: USER is a subroutine of the user's, which is not in the file",
     "the statement is left out: line 8"},
    {ADM("GFORCE/1, I=20, JFLOAT=1, FUNCTION=USER(1)\\, RM=1"),
     "FUNCTION: USER is a subroutine of the user's", "name: part2"},
    {ADM(HINGED "COUPLER/1, JOINTS=1,1, FUNCTION=USER(1)"), "FUNCTION: USER is a subroutine of the user's",
     "name: part2"},
    {ADM("VARIABLE/1, IC=5, FUNCTION=VARVAL(1)**2-3"),
     "m.adm:8:13: error: where Adams begins to solve an implicit VARIABLE (IC)", "variable1^2 - 3"},
    {ADM("VARIABLE/1, IC=5, FUNCTION=2*varval (2)\nVARIABLE/2, FUNCTION=SIN(VARVAL(1))"),
     "m.adm:8:13: error: where Adams begins to solve an implicit VARIABLE (IC)", "2*variable2"},
    {ADM("DIFF/1, IC=1,-0.9, IMPLICIT, FUNCTION=DIF1(1)**3+DIF(1)"),
     "m.adm:8:9: error: where Adams begins to solve an implicit VARIABLE (IC) or DIFF (the second number of "
     "IC)",
     "initial: 1"},
    {ADM("DIFF/1, IMPLICIT, FUNCTION=USER(1)"), "USER is a subroutine of the user's", "name: part2"},
    {ADM("MOTION/1, I=20, J=1, B1, FUNCTION=1"), "MOTION of B1 or B2", "name: part2"},
    {ADM("MOTION/1, I=20, J=1, X, ACCEL, FUNCTION=1"), "MOTION by accelerations between markers",
     "name: part2"},
    {"title\n" UNITS PARTS, "m.adm:7:1: error: there is no END, so that this may be a part of a file",
     "name: part2"},
    // functions, by name
    {VARIABLE("INVPSD(1,2,3,4,5,6,7)"), "FUNCTION: INVPSD is no function that is taken; correct it",
     "name: part2"},
    {VARIABLE("STPE(1,2,3,4,5)"), "STPE is no function that is taken; did you mean STEP?", "name: part2"},
    {VARIABLE("MODE"), "MODE is no constant that is known; known are TIME, PI, DTOR and RTOD", "name: part2"},
    {VARIABLE("SIN(1"), "FUNCTION: SIN: its bracket is not closed", "name: part2"},
    {VARIABLE("(1"), "a bracket is not closed", "name: part2"},
    {VARIABLE("1)"), "\")\" is one too many", "name: part2"},
    {VARIABLE("1 & 2"), "\"&\" is no part of a function", "name: part2"},
    {VARIABLE("MAX(1,)"), "something is missing between its brackets and commas", "name: part2"},
    {VARIABLE("MAX(1)"), "MAX: 2 arguments are wanted, here are 1", "name: part2"},
    {VARIABLE("SHF(1,2)"), "SHF: 5 arguments are wanted at least, here are 2; at most there are 6",
     "name: part2"},
    {VARIABLE("DX(77)"), "DX: there is no MARKER/77", "name: part2"},
    {VARIABLE("DX(0)"), "DX: there is no MARKER/0", "name: part2"},
    {VARIABLE("DX(1.5)"), "DX: argument 1 is the number of a MARKER", "name: part2"},
    {VARIABLE("FX(21,1)"), "FX: nothing that is taken acts between these markers", "name: part2"},
    {VARIABLE("JOINT(1,0,2,0)"), "JOINT: there is no JOINT/1", "name: part2"},
    {ADM(HINGED "VARIABLE/1, FUNCTION=JOINT(1,2,2,0)"),
     "JOINT: 0 or 1 is wanted as the second argument, 1 to 8 as the third", "name: part2"},
    {ADM("JOINT/1, SCREW, PITCH=1, I=20, J=1\nVARIABLE/1, FUNCTION=JOINT(1,0,2,0)"),
     "JOINT: JOINT/1 has no reaction here", "name: part2"},
    {VARIABLE("AKISPL(1,2,3)"), "AKISPL: there is no SPLINE/3", "name: part2"},
    {ADM("SPLINE/3, X=1,2,3,4, Y=1,2,3,4\nVARIABLE/1, FUNCTION=AKISPL(1,2,3)"),
     "AKISPL: the spline has one variable; the second argument is 0", "name: part2"},
    {VARIABLE("VARVAL(7)"), "VARVAL: there is no VARIABLE/7", "name: part2"},
    {VARIABLE("ARYVAL(7,1)"), "ARYVAL: there is no ARRAY/7", "name: part2"},
    {ADM("ARRAY/7, IC, NUMBERS=1\nVARIABLE/1, FUNCTION=ARYVAL(7,1)"),
     "ARYVAL: this is no element of an array that an LSE or a TFSISO has", "name: part2"},
    {ADM("ARRAY/1, X\nMATRIX/1, FULL=R, M=1, N=1, VALUES=1\nLSE/1, X=1, A=1"),
     "LSE without inputs or outputs", "name: part2"},
    {VARIABLE("ORIENT(3,1,20,1)"), "ORIENT: of its codes 27 is taken", "name: part2"},
};

static void a_contact_of_very_many_pairs_is_refused(void **state)
{
    enum { N = 101 };
    char text[4000], *p = text;
    (void)state;
    p += sprintf(p,
                 "t\n" UNITS PARTS "GRAPHICS/1, ELL, CM=20, XSCALE=1, YSCALE=1, ZSCALE=1\nCONTACT/1" IMPACT);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < N; i++) p += sprintf(p, i ? ",1" : side ? ", JGEOM=1" : ", IGEOM=1");
    sprintf(p, "\nEND\n");
    assert_null(import_text("m.adm", text, strlen(text), (hol_import_options){.lenient = true}));
    expect_message(
        "m.adm:9:1: error: CONTACT/1: 101 shapes against 101 are more than 10000 pairs; name fewer");
}

static void what_is_asked_and_has_no_part_is_refused(void **state)
{
    (void)state;
    static const char text[] = ADM(HINGED);
    static const hol_import_root roots[] = {HOL_IMPORT_FREE, HOL_IMPORT_FIXED};
    for (int i = 0; i < HOL_COUNT(roots); i++) {
        assert_null(import_text("m.adm", text, strlen(text), (hol_import_options){.root = roots[i]}));
        expect_message("m.adm:1:1: error: parts of a data set float unless a JOINT holds them");
    }
}

// Of bushings with even stiffnesses of turns only what is of the second order in the angles differs from Adams.
static void even_bushings_are_not_told(void **state)
{
    (void)state;
    static const char text[] = ADM("BUSHING/1, I=20, J=1, K=1,1,1, KT=10,10,10");
    char *model = import_text("m.adm", text, strlen(text), (hol_import_options){0});
    if (!model || says(model, "projected angles")) fail_msg("%s", model ? model : hol_context_error(ctx));
    free(model);
}

static void what_may_move_the_mechanism_is_not_left_out(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(doubtful); i++)
        expect_lenient_alone("m.adm", doubtful[i].text, doubtful[i].message, doubtful[i].model);
}

// ---- what the model says --------------------------------------------------------------------------------------

static const struct {
    const char *text, *says[5];
} models[] = {
    // titles, names of Adams View, comments, shortened words in any case, lines that go on
    {"ADAMS/View model name: my press\n" UNITS
     "! adams_view_name='frame'\npart/1, ground\n! adams_view_name='ram.2'\nPART/2, mass = 2 ! heavy\n!, "
     "MASS = 3\n, cm=\n, 20\n\n, IP=1,2,\n, 3\n"
     "mark/20, part=02 ! adams_view_name='middle'\nend\nPART/2 is not read\n",
     {"title: my_press", "{name: ram_2, mass: 2, inertia: [1, 2, 3], markers: {middle: [0, 0, 0]}}",
      "what stands behind END; Adams reads no further: line", NULL}},
    // what is assumed and left out
    {"t\n" PARTS "GRAPHICS/1, FANCY THINGS = {1}\nINTEGRATOR/GSTIFF\nOUTPUT/\n, REQSAVE\nARRAY/1, IC, "
     "NUMBERS=1,2\nMATRIX/1, SPARSE, I=1\nEND\n",
     {"#   there are no UNITS; numbers are in N, kg, m and s: line 1",
      "#   there is no ACCGRAV; there is no gravity: line 1",
      "#   graphics: line 7\n#   settings of Adams' analyses and output: line 8, line 9\n#   arrays, texts, "
      "matrices and curves",
      "end: 10", NULL}},
    // numbers stay those of the source
    {"t\nUNITS/LENGTH=MILLIMETER, FORCE=NEWTON, MASS=TONNE, TIME=SECOND\nACCGRAV/KGRAV=-9806.65\nPART/2, "
     "MASS=1.0D-3, CM=1, IP=40,50,60, QG=150,0,0, REULER=30D,0.5,0\nMARKER/1, PART=2, QP=0,0,1.1\nEND\n",
     {"units:\n  output: {mass: t, length: mm}", "gravity: [0, 0, -9.80665]",
      "position: [0.15, 0, 0]\n    orientation: {euler_zxz: [30 deg, 0.5, 0]}",
      "com: [0, 0, 0.0011]\n    inertia: [0.04, 0.05, 0.06]", NULL}},
    {ADM("PART/3, CM=30, EXACT=X:Y:Z:PSI\nMARKER/30, PART=3, ZP=0,1,0\nPOINT_MASS/4, MASS=2, CM=40, "
         "QG=1,2,3, VX=3\nMARKER/40, POINT_MASS=4"),
     {"exact: [position, orientation]",
      "EXACT of one coordinate or two; the whole position or orientation is kept: part3 (line 8)",
      "frames whose z axis alone is given; x is chosen: MARKER/30 (line 9)",
      "  - name: point4\n    type: point\n    mass: 2\n    position: [1, 2, 3]\n    velocity: [3, 0, 0]\n    "
      "markers: {marker40: [0, 0, 0]}",
      NULL}},
    {ADM("PART/3, MASS=1, CM=30\nMARKER/30, PART=3\nPART/4, MASS=1, CM=40, IP=1,1,5\nMARKER/40, PART=4"),
     {"parts with a mass and no IP; their moments of inertia are 0: part3 (line 8)", "inertia_check: warn",
      NULL}},
    // joints
    {ADM(HINGED), {"{name: joint1, type: revolute, between: [ground.marker1, part2.marker20]}", NULL}},
    {ADM("JOINT/7, HOOKE, I=20, J=1"),
     {"between: [ground.joint7, part2.joint7]", "joint7: {orientation: {z: [0, 1, 0], x: [0, 0, 1]}}",
      "joint7: {orientation: {z: [1, 0, 0], x: [0, 1, 0]}}", NULL}},
    {ADM("GCON/1, I=21, FUNCTION = DM(21 , 1) - 1"),
     {"{name: gcon1, type: distance, between: [ground.marker1, part2.marker21], length: 1}", NULL}},
    {ADM("GCON/1, FUNCTION=AZ(21,1)"),
     {"constraints of angles; they do not count turns",
      "{name: gcon1, position: \"AZ(part2.marker21_turned_back, ground.marker1_turned_back)\"}",
      "marker21_turned_back: {position: [1, 0, 0], orientation: {z: [0, 0, 1], x: [0, -1, 0]}}", NULL}},
    {ADM(HINGED "VARIABLE/1, FUNCTION=AZ(21,1)"), {"value: \"AZ(part2.marker21, ground.marker1)\"", NULL}},
    // of parallel axes only both angles together are known; of others atan2 as before
    {ADM(HINGED
         "VARIABLE/1, FUNCTION=PSI(20,1)\nVARIABLE/2, FUNCTION=PHI(20,1)\nVARIABLE/3, FUNCTION=YAW(21,1)"),
     {"PSI and PHI, or YAW and ROLL, of parallel axes, of which only both together are known; PSI, or YAW, "
      "is 0 there, "
      "and PHI, or ROLL, the whole turn: PSI (line 9), PHI (line 10)",
      ") - 1e-8: 0, 0, atan2(", NULL}},
    {ADM("MOTION/1, I=21, J=1, B3, FUNCTION=1"),
     {"motions of B3; the z axes of their markers stay parallel: motion1 (line 8)", NULL}},
    {ADM("VARIABLE/1, FUNCTION=2*TIME\nPINPUT/1, VARIABLES=1"),
     {"variables of PINPUT whose functions are no numbers; they are no inputs",
      "{name: variable1, value: 2*time}", NULL}},
    {ADM(HINGED "MOTION/1, JOINT=1, FUNCTION=TIME\nVARIABLE/1, FUNCTION=TM(20,1)"),
     {"hypot(hypot(TX(joint1) + TX(motion1), TY(joint1) + TY(motion1)), TZ(joint1) + TZ(motion1))", NULL}},
    {ADM("JOINT/1, RACKPIN, PD=0.2, I=20, J=1"),
     {"a turn of the pinion about z of I moves the rack along z of J: joint1",
      "velocity: VZ(part2.marker20, ground.marker1, ground.marker1, ground.marker1) + "
      "0.1*WZ(part2.marker20, ground.marker1, part2.marker20)",
      NULL}},
    // where what is explicit would begin to be solved has no part
    {ADM("VARIABLE/1, IC=5, FUNCTION=VARVAL(2)\nVARIABLE/2, IC=3, FUNCTION=TIME\nDIFF/1, IC=1,2, "
         "FUNCTION=DIF(1)"),
     {"{name: variable1, value: variable2}", "initial: 1", NULL}},
    {ADM(HINGED "MOTION/1, JOINT=1, ICDISP=3, ICVEL=2, FUNCTION=TIME"),
     {"ICDISP and ICVEL of a MOTION that says them by its function: motion1 (line 9), motion1 (line 9)",
      NULL}},
    {ADM("BUSHING/1, I=20, J=1, K=1,1,1, KT=10,10,1000"),
     {"torques of BUSHING, FIELD and BEAM, which in Adams follow projected angles; they follow the rotation "
      "vector, which is the same about one axis; about two they differ by half the product of both angles "
      "times the stiffnesses: bushing1 (line 8)",
      NULL}},
    {ADM("MARKER/22, PART=2, REULER=0.2,0.2,0\nBUSHING/1, I=22, J=1, K=1,1,1, KT=10,10,10"),
     {"torques of BUSHING, FIELD and BEAM, which in Adams follow projected angles", NULL}},
    // functions that are not the last argument; flags behind functions
    {ADM(HINGED "MOTION/1, JOINT=1, FUNCTION=30D*TIME\n, +1\\\n, VELOCITY"),
     {"{name: motion1, type: angle, joint: joint1, speed: (30*pi/180)*time + 1}", NULL}},
    {ADM("GFORCE/1, I=20, JFLOAT=1, RM=1\n, FX=1\\FY=2\\\n, TZ=3"),
     {"force: [1, 2, 0]", "torque: [0, 0, 3]", NULL}},
    {ADM("SFORCE/1, TRANSLATIONAL, I=21, J=1, FUNCTION=-(3*VR(21,1)\n,)"),
     {"force: 3*VR(part2.marker21, ground.marker1)", NULL}},
    {ADM("PART/3, MASS=1, CM=30, IP=1,1,1,0.1,0.2,0.3\nMARKER/30, PART=3"),
     {"inertia: [1, 1, 1, -0.1, -0.2, -0.3]", NULL}},
    // as Adams View writes it
    {ADM("PART/3\n, MASS = 1\n, CM = 30\n, IP = 1, 1, 1\n, MATERIAL = .MATERIALS.steel\nMARKER/30\n, PART = "
         "3\n, QP = 1.0E+00, -2.5e-1, 0\n"
         "JOINT/1\n, REVOLUTE\n, I = 20\n, J = 1\nMOTION/1\n, ROTATIONAL\n, JOINT = 1\n, FUNCTION = 30.0d * "
         "time* *2\n"
         "REQUEST/1\n, DISPLACEMENT\n, I = 30\n, J = 1\n, CNAMES = \"\",\"X\",\"Y\"\n, CUNITS = \"\", "
         "\"mm\"\nINTEGRATOR/\n, GSTIFF"),
     {"marker30: [1, -0.25, 0]", "value: (30*pi/180)*time^2", "request1_x", NULL}},
    {CONTACT(IMPACT),
     {"ellipsoids of contacts; their scales are diameters: graphics1 (line 8)",
      "planes of contacts; they have no edges, and all that is below z of RM is solid: graphics2 (line 9)",
      "shape: [{name: graphics1, type: sphere, radius: 0.5}]", "between: [part2.graphics1, ground.graphics2]",
      NULL}},
    {FRICTION(", MU_STATIC=0.2, INPUTS=NONE"), {"frictions that nothing presses: line 9", NULL}},
    {FRICTION(", MU_STATIC=0.2, INPUTS=REACTION_FORCE"),
     {"has not been compared with results of Adams: joint1 (line 9)", "engaged: ", NULL}},
    {ADM("JOINT/1, CYL, I=20, J=1\nFRICTION/1, JOINT=1, MU_STATIC=1, MU_DYNAMIC=1, EFFECT=SLIDING"),
     {"has not been compared with results of Adams: joint1 (line 9)", "coordinate: stroke", NULL}},
    // velocities
    {ADM("PART/3, MASS=1, CM=30, IP=1,1,1, VY=2, WX=0, WY=1, WZ=0\nMARKER/30, PART=3"),
     {"parts with one or two of VX, VY, VZ or of WX, WY, WZ; the others begin with 0", "velocity: [0, 2, 0]",
      "omega: [0, 1, 0]", NULL}},
    {FRICTION(", MU_STATIC=0.3, FRICTION_TORQUE_PRELOAD=3, INPUTS=PRELOAD"),
     {"friction: {torque: 3, stiffness: 450, static: 1.5, stribeck: 0.150140301098306}",
      "preloads of frictions; at rest they are larger in the ratio of MU_STATIC to MU_DYNAMIC: joint1",
      NULL}},
    // requests
    {ADM(HINGED "REQUEST/1, F, I=20, J=1, C=what, it, holds\nREQUEST/2, F2=INFFNC(1)\\F3=TIME\nREQUEST/3, "
                "FUNCTION=USER(1)"),
     {"# REQUEST/1: what, it, holds\n  - {name: request1_fm, value: FM(joint1)}\n  - name: request1_fx",
      "what is requested, F2: INFFNC is no function that is taken; there is no such column: line 10",
      "- {name: request2_f3, value: time}", "requests by subroutines of the user's", NULL}},
};

static void the_model_says_what_the_file_does(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) {
        const char *text = models[i].text;
        char *model = import_text("m.adm", text, strlen(text), (hol_import_options){.lenient = false});
        if (!model) fail_msg("%s\ngives %s", text, hol_context_error(ctx));
        for (int k = 0; k < HOL_COUNT(models[i].says) && models[i].says[k]; k++)
            if (!says(model, models[i].says[k]))
                fail_msg("%s\nbecomes %s\nwanted %s", text, model, models[i].says[k]);
        free(model);
    }
}

// ---- how it moves ---------------------------------------------------------------------------------------------

// A file in memory, to be freed.
static char *contents(const char *name, const char *suffix)
{
    char path[80];
    snprintf(path, sizeof path, "tests/adams/%s.%s", name, suffix);
    char *text = calloc(1, 1 << 16);
    FILE *in = fopen(path, "r");
    assert_true(text && in);
    assert_true(fread(text, 1, (1 << 16) - 1, in) > 0);
    fclose(in);
    return text;
}

// What a table of Adams has in a column at a time, "1" or "0.75".
static double of_table(const char *table, const char *column, const char *time)
{
    char begin[20];
    const char *head = strstr(table, "\nt,") + 1, *p = strstr(head, column);
    int n = 0;
    assert_non_null(p);
    for (const char *q = head; q < p; q++) n += *q == ',';
    snprintf(begin, sizeof begin, "\n%s,", time);
    p = strstr(head, begin);
    assert_non_null(p);
    for (p++; n > 0; p++) n -= *p == ',';
    return strtod(p, NULL);
}

// Pendulums after 0.75 s, against tables of Adams: place, velocity and an Euler parameter of the marker that is requested. Seen are 3.6e-6, in seven digits.
static void pendulums_move_as_in_adams(void **state)
{
    static const char *const names[] = {"Cylindrical_Case03", "Revolute_Case01", "Universal_Case02"};
    static const char *const columns[][2] = {
        {"Pos|part2.x", "request1_x"},    {"Pos|part2.y", "request1_y"},    {"Pos|part2.z", "request1_z"},
        {"Quat|part2.qw", "request4_f2"}, {"Quat|part2.qy", "request4_f4"}, {"Vel|part2.vz", "request2_vz"}};
    static const char *const set[] = {"simulate.tolerance=1e-8", "simulate.method=rk", "simulate.end=0.75"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(names); i++) {
        char *adm = contents(names[i], "adm"), *table = contents(names[i], "csv");
        char *model = import_text("m.adm", adm, strlen(adm), (hol_import_options){.lenient = false});
        if (!model) fail_msg("%s: %s", names[i], hol_context_error(ctx));
        motion a = move(model, set, 3);
        for (int k = 0; k < HOL_COUNT(columns); k++) {
            const double seen = value_of(&a, columns[k][1]), wanted = of_table(table, columns[k][0], "0.75");
            if (getenv("SEEN")) printf("%s %s %.2e\n", names[i], columns[k][1], seen - wanted);
            if (!(fabs(seen - wanted) < 1e-5))
                fail_msg("%s, %s: %.9g, Adams has %.9g", names[i], columns[k][1], seen, wanted);
        }
        close_motion(&a);
        free(model);
        free(table);
        free(adm);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_wrong_is_said_with_its_place),     TEST(a_byte_0_and_brackets_without_end_are_refused),
        TEST(a_contact_of_very_many_pairs_is_refused),  TEST(what_may_move_the_mechanism_is_not_left_out),
        TEST(what_is_asked_and_has_no_part_is_refused), TEST(even_bushings_are_not_told),
        TEST(the_model_says_what_the_file_does),        TEST(pendulums_move_as_in_adams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
