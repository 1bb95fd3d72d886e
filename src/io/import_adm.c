// Data sets of Adams Solver, files .adm: units, and what becomes of each statement. A part is a body; I is the second end of what joins two
// markers, so that coordinates and forces are those of I against J, on I.
#include "io/import_adm.h"

#include <math.h>
#include <string.h>

// ---- units ----------------------------------------------------------------------------------------------------

typedef struct {
    const char *name;
    double size;      // in SI
    const char *unit; // of a model file; NULL: it has none
} unit_name;
static const unit_name forces[] = {{"NEWTON", 1, "N"},
                                   {"KNEWTON", 1e3, "kN"},
                                   {"MILLINEWTON", 1e-3, "mN"},
                                   {"CENTINEWTON", 1e-2, NULL},
                                   {"DYNE", 1e-5, NULL},
                                   {"KILOGRAM_FORCE", 9.80665, NULL},
                                   {"POUND_FORCE", 4.4482216152605, "lbf"},
                                   {"KPOUND_FORCE", 4448.2216152605, NULL},
                                   {"OUNCE_FORCE", 4.4482216152605 / 16, NULL},
                                   {"POUNDAL", 0.138254954376, NULL},
                                   {NULL, 0, NULL}};
static const unit_name masses[] = {{"KILOGRAM", 1, "kg"},
                                   {"GRAM", 1e-3, "g"},
                                   {"MEGAGRAM", 1e3, "t"},
                                   {"TONNE", 1e3, "t"},
                                   {"MILLIGRAM", 1e-6, "mg"},
                                   {"POUND_MASS", 0.45359237, "lb"},
                                   {"KPOUND_MASS", 453.59237, NULL},
                                   {"OUNCE_MASS", 0.45359237 / 16, NULL},
                                   {"SLUG", 4.4482216152605 / 0.3048, NULL},
                                   {"SLINCH", 4.4482216152605 / 0.0254, NULL},
                                   {NULL, 0, NULL}};
static const unit_name lengths[] = {{"METER", 1, "m"},
                                    {"MILLIMETER", 1e-3, "mm"},
                                    {"CENTIMETER", 1e-2, "cm"},
                                    {"KILOMETER", 1e3, "km"},
                                    {"MICROMETER", 1e-6, "um"},
                                    {"INCH", 0.0254, "in"},
                                    {"FOOT", 0.3048, "ft"},
                                    {"YARD", 0.9144, NULL},
                                    {"MILE", 1609.344, NULL},
                                    {"MILS", 2.54e-5, NULL},
                                    {NULL, 0, NULL}};
static const unit_name times[] = {{"SECOND", 1, "s"},          {"MILLISECOND", 1e-3, "ms"},
                                  {"MICROSECOND", 1e-6, "us"}, {"MINUTE", 60, "min"},
                                  {"HOUR", 3600, "h"},         {NULL, 0, NULL}};

// The unit that a word names, which may be shortened.
static hol_status find_unit(hol_adm *a, const hol_adm_arg *arg, const unit_name *list, const unit_name **out)
{
    const size_t n = strlen(arg->text);
    const char *known = "";
    int found = 0;
    for (const unit_name *u = list; u->name; u++) {
        known = hol_adm_print(a, "%s%s%s", known, *known ? ", " : "", u->name);
        if (!hol_same_word(arg->text, n, u->name) &&
            (n > strlen(u->name) || !hol_same_word(arg->text, n, hol_adm_print(a, "%.*s", (int)n, u->name))))
            continue;
        *out = u;
        found++;
        if (n == strlen(u->name)) return HOL_OK;
    }
    if (found == 1) return HOL_OK;
    return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at,
                       "UNITS: %s: \"%.40s\" is no unit that is known; known are %s", arg->key, arg->text,
                       known);
}

// The one statement of a kind; NULL: there is none.
static hol_adm_statement *the(hol_adm *a, const char *name)
{
    for (int i = 0; i < a->n; i++)
        if (strcmp(a->s[i].type->name, name) == 0) return &a->s[i];
    return NULL;
}

// Units of the source, in which results are shown, too.
static hol_status read_units(hol_adm *a, hol_node *model)
{
    static const struct {
        const char *key, *word;
        const unit_name *list;
    } rows[] = {{"FORCE", "force", forces},
                {"MASS", "mass", masses},
                {"LENGTH", "length", lengths},
                {"TIME", "time", times}};
    double *const size[] = {&a->force, &a->mass, &a->length, &a->time};
    hol_adm_statement *s = the(a, "UNITS");
    hol_node *shown = hol_import_map(a->in, NULL, NULL);
    for (int i = 0; i < 4; i++) *size[i] = 1;
    if (!s)
        return hol_import_tell(a->in, HOL_TOLD_ASSUMED, a->top, NULL, "there are no UNITS",
                               "numbers are in N, kg, m and s");
    a->in->at = s->at;
    for (int i = 0; i < 4; i++) {
        const unit_name *u = rows[i].list;
        const hol_adm_arg *arg = hol_adm_get(s, rows[i].key);
        hol_status st = arg ? find_unit(a, arg, rows[i].list, &u)
                            : hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, rows[i].key,
                                              "units that UNITS does not name", "they are those of SI");
        if (st) return st;
        *size[i] = u->size;
        if (u->size != 1 && u->unit) hol_import_text(a->in, shown, rows[i].word, u->unit);
    }
    if (shown && shown->n) hol_import_put(a->in, hol_import_map(a->in, model, "units"), "output", shown);
    return HOL_OK;
}

// Gravity, in units of the source.
static hol_status read_gravity(hol_adm *a, hol_node *model)
{
    static const char *const keys[] = {"IGRAV", "JGRAV", "KGRAV"};
    hol_adm_statement *s = the(a, "ACCGRAV");
    double g[3] = {0, 0, 0};
    hol_status st = HOL_OK;
    if (!s)
        return hol_import_tell(a->in, HOL_TOLD_ASSUMED, a->top, NULL, "there is no ACCGRAV",
                               "there is no gravity");
    a->in->at = s->at;
    for (int i = 0; i < 3 && !st; i++)
        st = hol_adm_numbers(a, s, keys[i], 1, a->length / (a->time * a->time), &g[i]);
    hol_import_numbers(a->in, model, "gravity", 3, g);
    a->gravity = hypot(hypot(g[0], g[1]), g[2]);
    return st;
}

// ---- the model ------------------------------------------------------------------------------------------------

#define LEFT(name, why)                                                                                      \
    {                                                                                                        \
        name, NULL, "", NULL, NULL, why, false                                                               \
    }
#define REFUSED(name)                                                                                        \
    {                                                                                                        \
        name, NULL, "", NULL, NULL, "", true                                                                 \
    }
#define SETTING "settings of Adams' analyses and output"
#define DATA "arrays, texts, matrices and curves, which nothing that is taken uses"

const hol_adm_type hol_adm_types[] = {
    {"UNITS", NULL, "FORCE= MASS= LENGTH= TIME= SYSTEM= UCF=", NULL, NULL, NULL, false},
    {"ACCGRAV", NULL, "IGRAV= JGRAV= KGRAV=", NULL, NULL, NULL, false},
    {"PART", "part",
     "GROUND MASS= CM= IM= IP= QG= REULER= ZG= XG= USEXP VX= VY= VZ= WX= WY= WZ= VM= WM= EXACT= MATERIAL=",
     NULL, NULL, NULL, false},
    {"POINT_MASS", "point", "MASS= CM= QG= REULER= ZG= XG= VX= VY= VZ= VM= EXACT=", NULL, NULL, NULL, false},
    {"MARKER", NULL, "PART= POINT_MASS= FLEX_BODY= NODE_ID= QP= REULER= ZP= XP= USEXP RM= FLOATING", NULL,
     NULL, NULL, false},
    {"JOINT", "joint",
     "I= J= CONVEL CYLINDRICAL FIXED HOOKE PLANAR RACKPIN REVOLUTE SCREW SPHERICAL TRANSLATIONAL UNIVERSAL "
     "PITCH= PD= IC= ICTRAN= ICROT=",
     hol_adm_begin_joint, hol_adm_joint, NULL, false},
    {"JPRIM", "jprim", "I= J= ATPOINT INLINE INPLANE ORIENTATION PARALLEL_AXES PERPENDICULAR",
     hol_adm_begin_joint, hol_adm_jprim, NULL, false},
    {"FRICTION", NULL,
     "JOINT= MU_STATIC= MU_DYNAMIC= STICTION_TRANSITION_VELOCITY= TRANSITION_VELOCITY_COEFFICIENT= "
     "MAX_STICTION_DEFORMATION= PIN_RADIUS= FRICTION_ARM= BENDING_REACTION_ARM= REACTION_ARM= "
     "INITIAL_OVERLAP= "
     "OVERLAP_DELTA= BALL_RADIUS= FRICTION_FORCE_PRELOAD= FRICTION_TORQUE_PRELOAD= INPUTS= EFFECT= INACTIVE= "
     "FORMULATION= I_YOKE J_YOKE",
     NULL, hol_adm_friction, NULL, false},
    {"PTCV", "ptcv", "CURVE= I= RM= JFLOAT= DISP= VEL= ICM= VM=", NULL, hol_adm_ptcv, NULL, false},
    {"GCON", "gcon", "I= J= FUNCTION@", hol_adm_begin_gcon, hol_adm_gcon, NULL, false},
    {"MOTION", "motion",
     "JOINT= I= J= TRANSLATIONAL ROTATIONAL X Y Z B1 B2 B3 DISPLACEMENT VELOCITY ACCELERATION ICDISP= ICVEL= "
     "FUNCTION@ ROUTINE=",
     hol_adm_begin_motion, hol_adm_motion, NULL, false},
    {"COUPLER", "coupler", "JOINTS= TYPE= SCALES= FUNCTION@ ROUTINE=", NULL, hol_adm_coupler, NULL, false},
    {"GEAR", "gear", "JOINTS= CV=", NULL, hol_adm_gear, NULL, false},
    {"SFORCE", "sforce", "I= J= TRANSLATIONAL ROTATIONAL ACTIONONLY FUNCTION@ ROUTINE= ARRAY=",
     hol_adm_begin_sforce, hol_adm_sforce, NULL, false},
    {"SPRINGDAMPER", "spring", "I= J= TRANSLATIONAL ROTATIONAL K= C= KT= CT= LENGTH= ANGLE= FORCE= TORQUE=",
     hol_adm_begin_joint, hol_adm_springdamper, NULL, false},
    {"VFORCE", "vforce", "I= JFLOAT= RM= FX@ FY@ FZ@ FUNCTION@ ROUTINE=", hol_adm_begin_vector,
     hol_adm_vector, NULL, false},
    {"VTORQUE", "vtorque", "I= JFLOAT= RM= TX@ TY@ TZ@ FUNCTION@ ROUTINE=", hol_adm_begin_vector,
     hol_adm_vector, NULL, false},
    {"GFORCE", "gforce", "I= JFLOAT= RM= FX@ FY@ FZ@ TX@ TY@ TZ@ FUNCTION@ ROUTINE=", hol_adm_begin_vector,
     hol_adm_vector, NULL, false},
    {"BUSHING", "bushing", "I= J= K= C= KT= CT= FORCE= TORQUE=", hol_adm_begin_joint, hol_adm_bushing, NULL,
     false},
    {"FIELD", "field", "I= J= KMATRIX= CMATRIX= CRATIO= LENGTH= FORCE= FUNCTION@ FORMULATION= ROUTINE=",
     hol_adm_begin_joint, hol_adm_field, NULL, false},
    {"BEAM", "beam",
     "I= J= LENGTH= IXX= IYY= IZZ= AREA= ASY= ASZ= EMODULUS= GMODULUS= CMATRIX= CRATIO= FORMULATION=",
     hol_adm_begin_joint, hol_adm_beam, NULL, false},
    {"VARIABLE", "variable", "IC= FUNCTION@ ROUTINE=", NULL, hol_adm_variable, NULL, false},
    {"DIFF", "diff", "IC= IMPLICIT STATIC_HOLD FUNCTION@ ROUTINE=", NULL, hol_adm_diff, NULL, false},
    {"SPLINE", "spline", "X= Y=* Z= LINEAR_EXTRAPOLATE FILE= BLOCK= CHANNEL=", hol_adm_begin_spline,
     hol_adm_spline, NULL, false},
    {"LSE", "lse", "X= U= Y= A= B= C= D= IC= STATIC_HOLD", hol_adm_begin_lse, hol_adm_lse, NULL, false},
    {"TFSISO", "tfsiso", "X= U= Y= NUMERATOR= DENOMINATOR= STATIC_HOLD", hol_adm_begin_lse, hol_adm_tfsiso,
     NULL, false},
    {"CONTACT", "contact",
     "IGEOM= JGEOM= IFLEX= JFLEX= IFLIP= JFLIP= IMPACT POISSON STIFFNESS= DAMPING= DMAX= EXPONENT= PENALTY= "
     "RESTITUTION_COEFFICIENT= AUGMENTED_LAGRANGIAN_FORMULATION COULOMB_FRICTION= NO_FRICTION MU_STATIC= "
     "MU_DYNAMIC= STICTION_TRANSITION_VELOCITY= FRICTION_TRANSITION_VELOCITY= STICTION= "
     "MAX_STICTION_DEFORMATION= NORMAL_FUNCTION@ FRICTION_FUNCTION@ ROUTINE=",
     NULL, hol_adm_contact, NULL, false},
    {"SENSOR", "sensor",
     "FUNCTION@ VALUE= ERROR= EQ GE LE HALT RETURN PRINT CODGEN RESTART STEPSIZE= DT= YYDUMP TIME_ERROR= "
     "BISECTION ANGLE EVALUATE@ ROUTINE=",
     NULL, hol_adm_sensor, NULL, false},
    {"ARRAY", NULL, "X Y U IC SIZE= NUMBERS= VARIABLES=", NULL, NULL, NULL, false},
    {"MATRIX", NULL, "FULL= SPARSE M= N= VALUES= I= J= FILE= NAME= VARIABLES=", NULL, NULL, NULL, false},
    {"CURVE", NULL,
     "OPEN CLOSED MATRIX= CURVE_POINTS CONTROL_POINTS ORDER= TENSION= MINPAR= MAXPAR= FUNCTION@ ROUTINE=",
     NULL, NULL, NULL, false},
    {"PINPUT", NULL, "VARIABLES=", hol_adm_pinput, NULL, NULL, false},
    {"POUTPUT", NULL, "VARIABLES=", hol_adm_poutput, NULL, NULL, false},
    {"REQUEST", "request",
     "DISPLACEMENT! VELOCITY! ACCELERATION! FORCE! I= J= RM= COMMENT!$ CNAMES= CUNITS= RESULTS_NAME= TITLE= "
     "F1@ F2@ F3@ F4@ F5@ "
     "F6@ F7@ F8@ FUNCTION@ ROUTINE=",
     NULL, hol_adm_request, NULL, false},
    LEFT("GRAPHICS", "graphics"),
    LEFT("MATERIAL", "graphics"),
    LEFT("INTEGRATOR", SETTING),
    LEFT("KINEMATICS", SETTING),
    LEFT("EQUILIBRIUM", SETTING),
    LEFT("OUTPUT", SETTING),
    LEFT("RESULTS", SETTING),
    LEFT("PREFERENCES", SETTING),
    LEFT("DEBUG", SETTING),
    LEFT("LSOLVER", SETTING),
    LEFT("IC", SETTING),
    LEFT("STRING", DATA),
    REFUSED("FLEX_BODY"),
    REFUSED("CVCV"),
    REFUSED("UCON"),
    REFUSED("NFORCE"),
    REFUSED("GSE"),
    REFUSED("MFORCE"),
    REFUSED("TIRE"),
    REFUSED("SURFACE"),
    {NULL, NULL, "", NULL, NULL, NULL, false}};

hol_node *hol_adm_item(hol_adm *a, hol_node *list, const hol_adm_statement *s, const char *name,
                       const char *type)
{
    a->in->at = s->at;
    hol_node *map = hol_import_map(a->in, list, NULL);
    hol_import_text(a->in, map, "name", name);
    if (type) hol_import_text(a->in, map, "type", type);
    return map;
}

// Names of all that has one, in the order of the file.
static hol_status give_names(hol_adm *a)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < a->n && !st; i++) {
        hol_adm_statement *s = &a->s[i];
        if (!s->type->word || s->ground) continue;
        const char *wanted = s->label    ? s->label
                             : s->id < 0 ? s->type->word
                                         : hol_adm_print(a, "%s%d", s->type->word, s->id);
        s->own = hol_import_name(a->in, a->names, wanted, hol_adm_print(a, "_%s", s->type->word), false);
        if (!s->own) return HOL_ERR_MEMORY;
    }
    for (int i = 0; i < a->n && !st; i++)
        if (strcmp(a->s[i].type->name, "MARKER") == 0) st = hol_adm_write_marker(a, &a->s[i]);
    return st;
}

// Parts, then markers in them.
static hol_status read_places(hol_adm *a)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < a->n && !st; i++)
        if (strcmp(a->s[i].type->name, "PART") == 0 || strcmp(a->s[i].type->name, "POINT_MASS") == 0)
            st = hol_adm_read_part(a, &a->s[i]);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < a->n && !st; i++)
            if (strcmp(a->s[i].type->name, "MARKER") == 0)
                st = pass ? hol_adm_settle_marker(a, &a->s[i]) : hol_adm_read_marker(a, &a->s[i]);
    return st;
}

static bool is_data(const hol_adm_statement *s)
{
    return strcmp(s->type->name, "ARRAY") == 0 || strcmp(s->type->name, "MATRIX") == 0 ||
           strcmp(s->type->name, "CURVE") == 0;
}

// Statements and arguments that nothing has taken; of arrays and matrices all that counts is read with them.
static hol_status tell_rest(hol_adm *a)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < a->n && !st; i++) {
        const hol_adm_statement *s = &a->s[i];
        if (s->type->refused)
            st = hol_import_tell(a->in, HOL_TOLD_MISSED, s->at, NULL,
                                 hol_adm_print(a, "statement %s, which is not taken", s->type->name),
                                 "it is left out");
        else if ((s->type->left && !s->own) || (is_data(s) && !s->held))
            st = hol_import_tell(a->in, HOL_TOLD_LEFT_OUT, s->at, NULL, s->type->left ? s->type->left : DATA,
                                 "");
        for (int k = 0; k < s->n && !st && !is_data(s); k++)
            if (!s->arg[k].asked)
                st = hol_import_tell(
                    a->in, HOL_TOLD_MISSED, s->arg[k].at, NULL,
                    hol_adm_print(a, "%s of %s, which is not taken", s->arg[k].key, s->type->name),
                    "it is left out");
    }
    return st;
}

// One that is left out is told of as a whole.
static hol_status write_statement(hol_adm *a, hol_adm_statement *s)
{
    const hol_status st = s->type->write(a, s);
    for (int i = 0; i < s->n && st == HOL_RECOVERABLE; i++) s->arg[i].asked = true;
    return st == HOL_RECOVERABLE ? HOL_OK : st;
}

// Bodies, then what joins them, of which functions may name any, so that all ends are found before.
static hol_status write_all(hol_adm *a, hol_node *bodies)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < a->n && !st; i++)
        if (hol_adm_is_part(&a->s[i])) st = hol_adm_write_part(a, &a->s[i], bodies);
    for (int i = 0; i < a->n && !st; i++)
        if (a->s[i].type->begin) st = a->s[i].type->begin(a, &a->s[i]);
    for (int i = 0; i < a->n && !st && !a->in->no_memory; i++)
        if (a->s[i].type->write) st = write_statement(a, &a->s[i]);
    return st;
}

// Markers of all parts, and what lists are not empty.
static void put_lists(hol_adm *a, hol_node *root, hol_node *bodies)
{
    const struct {
        const char *key;
        hol_node *list;
    } lists[] = {{"bodies", bodies},
                 {"joints", a->joints},
                 {"drivers", a->drivers},
                 {"constraints", a->constraints},
                 {"forces", a->forces},
                 {"variables", a->variables},
                 {"states", a->states},
                 {"state_spaces", a->blocks},
                 {"transfer_functions", a->transfers},
                 {"splines", a->splines},
                 {"inputs", a->inputs},
                 {"contacts", a->contacts},
                 {"events", a->events}};
    for (int i = 0; i < a->n; i++) {
        hol_adm_statement *s = &a->s[i];
        const bool marked = s->markers && s->markers->n;
        if (!hol_adm_is_part(s) || !(marked || s->shapes)) continue;
        a->in->at = s->at;
        hol_node *map = s->ground ? hol_import_map(a->in, root, "ground") : s->body;
        if (marked) hol_import_put(a->in, map, "markers", s->markers);
        if (s->shapes) hol_import_put(a->in, map, "shape", s->shapes);
    }
    for (int i = 0; i < HOL_COUNT(lists); i++)
        if (lists[i].list && (i == 0 || lists[i].list->n))
            hol_import_put(a->in, root, lists[i].key, lists[i].list);
    if (a->exact && a->exact->n)
        hol_import_put(a->in, hol_import_map(a->in, hol_import_map(a->in, root, "assemble"), "exact"),
                       "joints", a->exact);
}

// Statements, units, parts, names, and what they become.
static hol_status read(hol_import *in, const char *text, size_t length, hol_node **model)
{
    hol_adm a = {.in = in, .top = {.file = in->file, .line = 1, .col = 1}};
    if (in->options.root != HOL_IMPORT_ROOT)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, a.top,
                           "parts of a data set float unless a JOINT holds them; import it without --root");
    in->identifiers = true;
    in->at = a.top;
    a.ids = hol_names_create_in(in->ctx, in->arena);
    a.names = hol_names_create_in(in->ctx, in->arena);
    hol_names *title = hol_names_create_in(in->ctx, in->arena);
    hol_node **const lists[] = {&a.joints, &a.drivers,  &a.constraints, &a.forces, &a.variables,
                                &a.states, &a.blocks,   &a.splines,     &a.inputs, &a.transfers,
                                &a.events, &a.contacts, &a.exact};
    for (int i = 0; i < HOL_COUNT(lists); i++) *lists[i] = hol_import_list(in, NULL, NULL);
    if (!a.ids || !a.names || !title) return HOL_ERR_MEMORY;
    hol_status st = hol_adm_parse(&a, text, length);
    if (st) return st;
    hol_node *root = hol_import_map(in, NULL, NULL), *bodies = hol_import_list(in, NULL, NULL);
    const char *last = strrchr(a.title, ':'),
               *name =
                   hol_import_name(in, title, last ? last + 1 + strspn(last + 1, " ") : a.title, "_", false);
    if (!name) return HOL_ERR_MEMORY;
    hol_import_text(in, root, "title", name);
    hol_import_number(in, root, "dimension", 3);
    st = read_units(&a, root);
    if (!st) st = read_gravity(&a, root);
    if (!st) st = read_places(&a);
    if (!st) st = give_names(&a);
    if (!st) st = write_all(&a, bodies);
    if (!st && bodies && !bodies->n)
        st = hol_fail_at(in->ctx, HOL_ERR_MODEL, a.top,
                         "no part is there that moves: PART/2, MASS = 1, CM = ..");
    if (!st) st = tell_rest(&a);
    put_lists(&a, root, bodies);
    hol_import_number(in, hol_import_map(in, root, "simulate"), "end", 10);
    if (!st)
        st = hol_import_tell(in, HOL_TOLD_ASSUMED, a.top, NULL, "a data set does not say how long to run",
                             "it is 10 s");
    *model = root;
    return st;
}

const hol_import_format hol_import_adm = {
    .name = "Adams data sets (.adm)", .begins = hol_adm_begins, .read_text = read};
