// Values of a model file, checked against option rows. Every refusal names file:line:column, path and rule.
#include "model/reader.h"
#include "model/read_users.h"
#include "model/spec.h"
#include "text/cut.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- paths and messages ---------------------------------------------------------------------------------------

// Writes a path as "bodies[3] rod.inertia"; returns its length.
static size_t path_write(const hol_path *p, char *out, size_t room)
{
    size_t n = 0;
    if (p->up) n = path_write(p->up, out, room);
    int k;
    if (p->key)
        k = snprintf(out + n, room - n, "%s%s", n ? "." : "", p->key);
    else if (p->name)
        k = snprintf(out + n, room - n, "[%d] %s", p->index, p->name);
    else
        k = snprintf(out + n, room - n, "[%d]", p->index);
    n += k > 0 ? (size_t)k : 0;
    return n < room ? n : room - 1;
}

const char *hol_path_text(const hol_reader *r, const hol_path *path)
{
    char text[400];
    const size_t n = path ? path_write(path, text, sizeof text) : 0;
    unsigned point;
    const char *what;
    for (size_t i = 0; i < n;) { // names with control characters, before they are refused
        int length = hol_unseen_length(text + i, &point, &what);
        for (i += length == 0; length > 0; length--) text[i++] = '?';
    }
    const char *copy = hol_arena_copy(r->arena, text, n);
    return copy ? copy : "";
}

hol_status hol_read_fail(const hol_reader *r, const hol_node *node, const hol_path *path, const char *format,
                         ...)
{
    char text[600];
    va_list ap;
    va_start(ap, format);
    hol_decimal_vprint(text, sizeof text, format, ap);
    va_end(ap);
    const char *where = hol_path_text(r, path);
    return hol_fail_at(r->ctx, HOL_ERR_MODEL, node->at, "%s%s%s", where, *where ? ": " : "", text);
}

// ---- units ----------------------------------------------------------------------------------------------------

static bool is_any(const char *unit) { return unit && strcmp(unit, HOL_ANY_UNIT) == 0; }

static bool has_unit(const char *unit) { return unit && *unit && !is_any(unit); }

// What a unit has by N is in the file's force, the rest in its base units.
static double factor_in(const hol_units *units, const hol_unit *u)
{
    const double newtons = u->newtons;
    const double power[] = {u->dimension.power[0] - newtons, u->dimension.power[1] - newtons,
                            u->dimension.power[2] + 2 * newtons, u->dimension.power[3], newtons};
    const double base[] = {units->length, units->mass, units->time, units->angle, units->force};
    long double factor = 1;
    for (int i = 0; i < HOL_COUNT(base); i++)
        if (power[i] != 0) factor *= powl((long double)base[i], (long double)power[i] / HOL_POWER_ONE);
    return (double)factor;
}

double hol_unit_factor(const hol_units *units, const char *unit)
{
    hol_unit u;
    return has_unit(unit) && hol_unit_read(unit, &u) ? factor_in(units, &u) : 1;
}

int hol_system_at(const hol_systems *s, hol_src at)
{
    for (int i = 0; i < s->n_homes; i++)
        if (s->home[i].file == at.file) return s->home[i].system;
    return 0;
}

const hol_units *hol_units_at(const hol_systems *s, hol_src at)
{
    return &s->system[hol_system_at(s, at)].units;
}

static const hol_system *system_at(const hol_reader *r, const hol_node *node)
{
    return &r->systems->system[hol_system_at(r->systems, node->at)];
}

static double factor_of(const hol_system *s, const char *unit)
{
    return s->si ? 1 : hol_unit_factor(&s->units, unit);
}

static bool same_units(const hol_units *a, const hol_units *b)
{
    return a->length == b->length && a->mass == b->mass && a->time == b->time && a->angle == b->angle &&
           a->force == b->force;
}

// A plain parameter of a file with other units: this number is not what was meant there, if the unit is another one.
static bool is_foreign(const hol_reader *r, const hol_node *node, const hol_nature *n, const char *unit)
{
    const hol_system *own = system_at(r, node);
    const bool any = is_any(unit);
    for (int i = 0; i < r->systems->n; i++) {
        const hol_system *s = &r->systems->system[i];
        if (!(n->flags & (unsigned)HOL_NATURE_HOME << i) || same_units(&s->units, &own->units)) continue;
        if (any || factor_of(s, unit) != factor_of(own, unit)) return true;
    }
    return false;
}

// Are plain numbers here, and those of all the parameters in the value, in SI units?
bool hol_all_si(const hol_reader *r, const hol_node *node, const hol_nature *n)
{
    bool si = system_at(r, node)->si;
    for (int i = 0; i < r->systems->n; i++)
        if (n->flags & (unsigned)HOL_NATURE_HOME << i) si = si && r->systems->system[i].si;
    return si;
}

bool hol_scope_find(const hol_scope *scope, const char *name, hol_constant *out)
{
    for (const hol_scope *s = scope; s; s = s->outer) {
        *out = (hol_constant){.value = 0};
        if (s->find(s->data, name, strlen(name), out)) return true;
    }
    return false;
}

// ---- numbers --------------------------------------------------------------------------------------------------

hol_status hol_need_scalar(const hol_reader *r, const hol_node *node, const hol_path *path,
                           const char *wanted)
{
    if (node->kind != HOL_NODE_SCALAR)
        return hol_read_fail(r, node, path, "%s is wanted, not a %s", wanted,
                             node->kind == HOL_NODE_MAP ? "map" : "list");
    if (!*node->text) return hol_read_fail(r, node, path, "%s is wanted, the value is empty", wanted);
    return HOL_OK;
}

// What an expression names although it may not.
typedef struct {
    const hol_known *known;
    hol_src at;
    const char *what; // NULL: nothing
    char name[60];
    int dimension;
    bool names; // measures are left to the parser's message
} trespass;

// Is the name one that cannot stand in a constant? Its place is kept for the message.
static int find_trespass(void *user, const hol_leaf_call *call)
{
    trespass *t = user;
    snprintf(t->name, sizeof t->name, "%.*s", (int)call->name.length, call->name.text);
    const int i = call->call ? -1 : hol_names_find_at(t->known->names, call->name.at, t->name);
    if (i < 0 && !(call->call && !t->names && hol_leaf_is_call(t->name, t->dimension)))
        return HOL_LEAF_UNKNOWN;
    t->at = call->name.at;
    t->what = call->call                  ? "measures the motion"
              : i >= t->known->first_held ? t->known->held[i - t->known->first_held].what
                                          : "is a variable or a state";
    return HOL_LEAF_ERROR;
}

// After a message of the parser: one that says so if the name is known, but not here.
static hol_status explain(const hol_reader *r, const hol_node *node, const hol_path *path, hol_src at,
                          bool time, bool names)
{
    const hol_expr *ignored;
    trespass t = {.known = r->known, .dimension = r->dimension, .names = names};
    const hol_leaves leaves = {find_trespass, NULL, NULL, &t, NULL};
    if (!r->known) return HOL_ERR_MODEL;
    hol_expr_parse_leaves(NULL, r->arena, node->text, at, r->scope, hol_units_at(r->systems, at), &leaves,
                          &ignored);
    if (!t.what) return HOL_ERR_MODEL;
    hol_context_clear(r->ctx);
    const hol_node place = {.at = t.at};
    return hol_read_fail(
        r, &place, path,
        "\"%s\" %s; only %s can stand here. Variables, states, events and the values of forces "
        "take such names",
        t.name, t.what, time ? "a number or a function of time and parameters" : "a constant");
}

// The expression of a node: a constant, or a function of time.
static hol_status parse(const hol_reader *r, const hol_node *node, const hol_path *path, bool time,
                        const hol_expr **e)
{
    hol_status st = hol_need_scalar(r, node, path, time ? "a number or a function of time" : "a number");
    if (st) return st;
    hol_src at = node->at;
    if (node->quoted) at.col++;
    st = time ? hol_parse_time(r, node, path, at, e)
              : hol_expr_parse(r->ctx, r->arena, node->text, at, r->scope, hol_units_at(r->systems, at),
                               false, e);
    return st == HOL_ERR_MODEL ? explain(r, node, path, at, time, false) : st;
}

// ---- dimensions ------------------------------------------------------------------------------------------------

// Does a quantity with a unit fit where this one is wanted? The exponents of the angle apart: what is written without any
// angle stands for radians.
static bool fits_dimension(const hol_nature *n, const hol_unit *wanted)
{
    const int *p = n->dimension.power, *q = wanted->dimension.power;
    if (p[0] != q[0] || p[1] != q[1]) return false;
    return p[2] == q[2] || n->flags & HOL_NATURE_ANY_TIME;
}

static bool fits_angle(const hol_nature *n, const hol_unit *wanted)
{
    const int p = n->dimension.power[3], q = wanted->dimension.power[3];
    return p == q || p == 0 || n->flags & HOL_NATURE_ANY_ANGLE;
}

// What may have been meant, for some usual mistakes.
static const char *meant_instead(const hol_nature *n, const hol_unit *wanted)
{
    const hol_dimension mass = {{0, HOL_POWER_ONE, 0, 0}};
    const int *q = wanted->dimension.power;
    const bool is_mass = memcmp(&n->dimension, &mass, sizeof mass) == 0;
    const bool acceleration = q[0] == HOL_POWER_ONE && !q[1] && q[2] == -2 * HOL_POWER_ONE;
    const bool force = wanted->newtons == HOL_POWER_ONE && q[0] == HOL_POWER_ONE;
    if (is_mass && acceleration) return "; g is the gram, gn is 9.80665 m/s^2";
    if (is_mass && force) return "; a weight in kg times gn is a force, lb is a mass and lbf a force";
    return "";
}

static hol_status wrong_dimension(const hol_reader *r, const hol_node *node, const hol_path *path,
                                  const hol_nature *n, const char *unit, const hol_unit *wanted)
{
    char given[100], want[100];
    hol_dimension_print(&n->dimension, given, sizeof given);
    hol_dimension_print(&wanted->dimension, want, sizeof want);
    return hol_read_fail(r, node, path, "%s: %s where %s is wanted%s%s%s",
                         fits_dimension(n, wanted) ? "angle" : "dimension", given, want,
                         *unit ? ", as in " : "; leave the unit away", unit, meant_instead(n, wanted));
}

// The unit of a rate that stands in a text; a parameter may have brought it.
static const char *rate_in(const char *text)
{
    static const char *const word[] = {"Hz", "1/min", "1/h"};
    for (int i = 0; i < HOL_COUNT(word); i++)
        if (strstr(text, word[i])) return word[i];
    return "Hz, 1/min or 1/h";
}

// Is it the name of a parameter without a unit?
static bool is_plain_parameter(const hol_reader *r, const char *name)
{
    hol_constant c;
    return hol_is_plain_held(hol_known_nature(r->known, name)) ||
           (hol_scope_find(r->scope, name, &c) && c.nature.flags & HOL_NATURE_PLAIN);
}

// The first one that the text names; NULL: there is none.
static const char *plain_parameter(const hol_reader *r, const char *text)
{
    static const char between[] = " \t\r\n+-*/^(),:";
    for (text += strspn(text, between); *text; text += strspn(text, between)) {
        const size_t n = strcspn(text, between);
        const char *name = hol_arena_copy(r->draft, text, n);
        if (name && is_plain_parameter(r, name)) return hol_arena_copy(r->arena, text, n);
        text += n;
    }
    return NULL;
}

// Of a file that is included several times each place is told once.
static void note_bare(const hol_reader *r, const hol_node *node)
{
    hol_bare *b = r->bare;
    const hol_src at = node->at;
    for (int i = 0; i < b->n && i < HOL_BARE_TOLD; i++)
        if (b->at[i].line == at.line && b->at[i].col == at.col && strcmp(b->at[i].file, at.file) == 0) return;
    if (b->n < HOL_BARE_TOLD) {
        b->at[b->n] = at;
        b->named[b->n] = node->kind == HOL_NODE_SCALAR ? plain_parameter(r, node->text) : NULL;
    }
    b->n++;
}

// A number without a unit takes part where it is in SI whatever the units of the file; counted for a warning.
void hol_note_bare(const hol_reader *r, const hol_node *node, const hol_nature *n)
{
    const bool in_si = n->flags & HOL_NATURE_UNIT && !(n->flags & (HOL_NATURE_LOOSE | HOL_NATURE_MIXED));
    if (r->bare && !in_si && n->flags & (HOL_NATURE_BARE | HOL_NATURE_PLAIN)) note_bare(r, node);
}

// Is a parameter without a unit another number in SI than in the units of the file, as a factor of a quantity with a unit? It has the
// dimension that the quantity lacks of what is wanted, with force in place of mass if that has one; where anything is wanted, it may have any.
static bool is_another_factor(const hol_system *s, const hol_nature *n, const char *unit)
{
    hol_unit lacks = {.si = 1};
    if (is_any(unit)) return true;
    if (has_unit(unit)) hol_unit_read(unit, &lacks);
    const int angle = lacks.dimension.power[3];
    for (int i = 0; i < 4; i++) lacks.dimension.power[i] -= n->dimension.power[i];
    if (lacks.newtons) lacks.newtons = lacks.dimension.power[1];
    if (n->flags & HOL_NATURE_ANY_TIME) lacks.dimension.power[2] = lacks.newtons ? -2 * lacks.newtons : 0;
    if (n->flags & HOL_NATURE_ANY_ANGLE || angle == 0) lacks.dimension.power[3] = 0;
    return factor_in(&s->units, &lacks) != 1;
}

// The same of parameters in products with quantities.
static void note_factor(const hol_reader *r, const hol_node *node, const hol_nature *n, const char *unit)
{
    const unsigned unsure = HOL_NATURE_LOOSE | HOL_NATURE_MIXED;
    const bool factor = n->flags & HOL_NATURE_UNIT && n->flags & HOL_NATURE_PLAIN && !(n->flags & unsure);
    bool another = is_another_factor(system_at(r, node), n, unit);
    for (int i = 0; i < r->systems->n; i++)
        if (n->flags & (unsigned)HOL_NATURE_HOME << i)
            another = another || is_another_factor(&r->systems->system[i], n, unit);
    if (r->bare && factor && another) note_bare(r, node);
}

static hol_status refuse_foreign(const hol_reader *r, const hol_node *node, const hol_path *path)
{
    return hol_read_fail(
        r, node, path,
        "\"%.60s\" takes a parameter without a unit, of a file whose \"units:\" are others: give "
        "the parameter its unit where it gets its value (a file around this one, `set` of an include, "
        "--set), or the other numbers of this value theirs",
        node->kind == HOL_NODE_SCALAR ? node->text : "this");
}

// The factor by which a value must be multiplied to be in SI, when its dimension is right.
static hol_status settle(const hol_reader *r, const hol_node *node, const hol_path *path, const hol_expr *e,
                         bool constant, const char *unit, double *factor)
{
    const hol_nature n = hol_expr_nature(e);
    const bool angle = n.flags & HOL_NATURE_ANGLE;
    hol_unit wanted = {.si = 1};
    *factor = 1;
    if (has_unit(unit)) hol_unit_read(unit, &wanted); // tests/unit/test_units.c walks all rows
    const bool is_angle = wanted.dimension.power[3] == HOL_POWER_ONE && !wanted.dimension.power[2];
    const bool si = hol_all_si(r, node, &n);
    if (!constant && !si) {
        hol_note_bare(r, node, &n);
        note_factor(r, node, &n, unit);
    }
    const bool number = memcmp(&n.dimension, &(hol_dimension){{0}}, sizeof n.dimension) == 0 && !angle;
    if (constant && !si && n.flags & HOL_NATURE_MIXED && !number)
        return hol_read_fail(
            r, node, path,
            "a number without a unit is added to a quantity that has one, in a file with units of "
            "its own: give each its unit");
    if (constant && !(n.flags & HOL_NATURE_UNIT) && !(angle && is_angle)) {
        if (angle && !si && has_unit(unit))
            return hol_read_fail(
                r, node, path,
                "an angle of a function, in radians, is part of a value in %s: give the other "
                "numbers their units",
                unit);
        if (!is_any(unit) && is_foreign(r, node, &n, unit)) return refuse_foreign(r, node, path);
        *factor = factor_of(system_at(r, node), unit);
        return HOL_OK;
    }
    if (!(n.flags & HOL_NATURE_UNIT) || n.flags & HOL_NATURE_LOOSE || is_any(unit)) return HOL_OK;
    if (!fits_dimension(&n, &wanted) || !fits_angle(&n, &wanted)) {
        if (n.flags & HOL_NATURE_PLAIN && (si || !constant)) return HOL_OK;
        return wrong_dimension(r, node, path, &n, unit ? unit : "", &wanted);
    }
    if (wanted.dimension.power[3] && hol_nature_turns(&n))
        return hol_read_fail(r, node, path, "%s for an %s: a turn or a radian? write rpm, rev/s or rad/s",
                             rate_in(node->text), is_angle ? "angle" : "angular velocity");
    return HOL_OK;
}

#define LARGEST 1e100 // products of three such numbers are numbers still
static hol_status to_si(const hol_reader *r, const hol_node *node, const hol_path *path, double factor,
                        double *x)
{
    *x *= factor;
    if (!(fabs(*x) <= LARGEST))
        return hol_read_fail(r, node, path, "too large to compute with; in SI units the largest is %.0e",
                             LARGEST);
    return HOL_OK;
}

// A number of radians, or of radians a second, that looks like one of degrees. Nature NULL: of a plain number.
static void doubt_angle(const hol_reader *r, const hol_node *node, const char *unit, const hol_nature *n,
                        double x)
{
    const unsigned known = HOL_NATURE_UNIT | HOL_NATURE_ANGLE | HOL_NATURE_PI;
    const bool angle = strcmp(unit, "rad") == 0 && fabs(x) > 2 * HOL_PI;
    const bool rate = strcmp(unit, "rad/s") == 0 && x != 0 && fabs(x) <= 720 && fmod(x, 90) == 0;
    if (!(angle || rate) || !r->bare || hol_units_at(r->systems, node->at)->angle != 1) return;
    if (n && n->flags & known) return;
    if (rate && !r->bare->n_rates++) {
        r->bare->first_rate = node->at;
        r->bare->rate = x;
    }
    if (angle && !r->bare->n_angles++) {
        r->bare->first_angle = node->at;
        r->bare->angle = x;
    }
}

// An expression without time, of which nothing is kept.
static hol_status constant(const hol_reader *r, const hol_node *node, const hol_path *path, const char *unit,
                           hol_constant *out, double *factor)
{
    hol_reader passing = *r;
    passing.arena = r->draft;
    const hol_arena_mark here = hol_arena_here(r->draft);
    const hol_expr *e;
    hol_status st = parse(&passing, node, path, false, &e);
    if (!st) st = settle(&passing, node, path, e, true, unit, factor);
    if (st) return st;
    out->value = hol_expr_value(e);
    out->nature = hol_expr_nature(e);
    hol_arena_release(r->draft, here);
    return HOL_OK;
}

hol_status hol_read_number(const hol_reader *r, const hol_node *node, const hol_path *path, const char *unit,
                           double *out)
{
    hol_status st = hol_need_scalar(r, node, path, "a number");
    if (st) return st;
    if (hol_text_number(node->text, out)) { // no program is built for it, since most of a large file are such
        if (unit) doubt_angle(r, node, unit, NULL, *out);
        return to_si(r, node, path, factor_of(system_at(r, node), unit), out);
    }
    hol_constant c;
    double factor;
    st = constant(r, node, path, unit, &c, &factor);
    if (!st && is_any(unit) && is_foreign(r, node, &c.nature, unit)) st = refuse_foreign(r, node, path);
    if (st) return st;
    *out = c.value;
    if (unit) doubt_angle(r, node, unit, &c.nature, *out);
    return to_si(r, node, path, factor, out);
}

hol_status hol_read_over_power(const hol_reader *r, const hol_node *node, const hol_path *path,
                               const char *above, const char *below, double exponent, double *out)
{
    const char *unit = hol_arena_print(r->draft, "%s/%s^%.15g", above, below, exponent);
    hol_unit ignored;
    if (!unit) return HOL_ERR_MEMORY;
    if (!hol_unit_read(unit, &ignored) && !system_at(r, node)->si)
        return hol_read_fail(
            r, node, path,
            "in the units of this file it is not known how large a number per %s^%.6g is; exponents "
            "are fractions with a denominator of at most 10, or 12, or decimals of two digits, and at "
            "most 20, where a file has `units`",
            below, exponent);
    return hol_read_number(r, node, path, unit, out);
}

hol_status hol_read_named_number(const hol_reader *r, const hol_node *node, const hol_path *path,
                                 hol_constant *out)
{
    const unsigned own = (unsigned)HOL_NATURE_HOME << hol_system_at(r->systems, node->at);
    double factor;
    hol_status st = hol_need_scalar(r, node, path, "a number");
    *out = (hol_constant){.value = 0};
    if (!st && !hol_text_number(node->text, &out->value))
        st = constant(r, node, path, HOL_ANY_UNIT, out, &factor);
    if (!(out->nature.flags & (HOL_NATURE_UNIT | HOL_NATURE_ANGLE)))
        out->nature =
            (hol_nature){.flags = HOL_NATURE_PLAIN | own | (out->nature.flags & (unsigned)HOL_NATURE_HOMES)};
    return st;
}

hol_status hol_read_numbers(const hol_reader *r, const hol_node *node, const hol_path *path, const char *unit,
                            int n, double *out)
{
    if (node->kind != HOL_NODE_SEQUENCE || node->n != n)
        return hol_read_fail(r, node, path, "a list of %d numbers is wanted%s", n,
                             hol_comma_hint(r->draft, node));
    for (int i = 0; i < n; i++) {
        const hol_path item = {path, NULL, i, NULL};
        hol_status st = hol_read_number(r, node->value[i], &item, unit, &out[i]);
        if (st) return st;
    }
    return HOL_OK;
}

hol_status hol_read_vector(const hol_reader *r, const hol_node *node, const hol_path *path, const char *unit,
                           double out[3])
{
    out[2] = 0;
    if (node->kind == HOL_NODE_SEQUENCE && node->n != r->dimension)
        return hol_read_fail(r, node, path, "%d number%s given, the model has %d dimensions%s", node->n,
                             node->n == 1 ? " is" : "s are", r->dimension, hol_comma_hint(r->draft, node));
    return hol_read_numbers(r, node, path, unit, r->dimension, out);
}

hol_status hol_read_function(const hol_reader *r, const hol_node *node, const hol_path *path,
                             const char *unit, const hol_expr **out)
{
    double factor = 1;
    hol_status st = parse(r, node, path, true, out);
    if (!st) st = settle(r, node, path, *out, hol_expr_is_constant(*out), unit, &factor);
    if (!st && unit && hol_expr_is_constant(*out)) {
        const hol_nature n = hol_expr_nature(*out);
        doubt_angle(r, node, unit, &n, hol_expr_value(*out));
    }
    if (!st && factor != 1) *out = hol_expr_scaled(r->arena, *out, factor);
    return st || *out ? st : HOL_ERR_MEMORY;
}

hol_status hol_settle_formula(const hol_reader *r, const hol_node *node, const hol_path *path,
                              const char *unit, bool constant, const hol_expr **e)
{
    const hol_nature n = hol_expr_nature(*e);
    double factor = 1;
    hol_status st = settle(r, node, path, *e, constant, unit, &factor);
    if (constant && is_any(unit) && !hol_all_si(r, node, &n)) hol_note_bare(r, node, &n);
    if (!st && factor != 1) *e = hol_expr_scaled(r->arena, *e, factor);
    return st || *e ? st : HOL_ERR_MEMORY;
}

hol_status hol_read_constant(const hol_reader *r, const char *text, hol_src at, double *out)
{
    const hol_arena_mark here = hol_arena_here(r->draft);
    const hol_expr *e;
    hol_status st =
        hol_expr_parse(r->ctx, r->draft, text, at, r->scope, hol_units_at(r->systems, at), false, &e);
    const hol_node node = {.kind = HOL_NODE_SCALAR, .text = text, .at = at};
    if (st) return st == HOL_ERR_MODEL ? explain(r, &node, NULL, at, false, true) : st;
    const hol_nature n = hol_expr_nature(e);
    static const hol_dimension pure;
    if (n.flags & HOL_NATURE_UNIT && memcmp(&n.dimension, &pure, sizeof pure) != 0)
        return hol_fail_at(r->ctx, HOL_ERR_MODEL, at,
                           "\"%s\" has a unit; a whole number without one is wanted", text);
    *out = hol_expr_value(e);
    hol_arena_release(r->draft, here);
    return HOL_OK;
}

// ---- texts ----------------------------------------------------------------------------------------------------

// One "{expression}" of a text, evaluated and written as a whole number.
static hol_status substitute(const hol_reader *r, const hol_node *node, const hol_path *path,
                             const char **from, char *out, size_t room, size_t *n)
{
    const char *open = *from, *close = strchr(open, '}');
    char inside[200];
    if (!close || close - open > 190)
        return hol_read_fail(r, node, path, "\"%s\": \"{\" is never closed; write {i}", node->text);
    memcpy(inside, open + 1, (size_t)(close - open - 1));
    inside[close - open - 1] = 0;
    hol_src at = node->at;
    at.col += (int)(open + 1 - node->text) + (node->quoted ? 1 : 0);
    double v;
    hol_status st = hol_read_constant(r, inside, at, &v);
    if (st) return st;
    if (v != rint(v) || fabs(v) > 1e15)
        return hol_read_fail(r, node, path, "\"%s\": {%s} is %.6g, a name needs a whole number", node->text,
                             inside, v);
    const int k = snprintf(out + *n, room - *n, "%lld", (long long)v);
    *n += (size_t)k;
    *from = close + 1;
    return HOL_OK;
}

hol_status hol_read_text(const hol_reader *r, const hol_node *node, const hol_path *path, const char **out)
{
    hol_status st = hol_need_scalar(r, node, path, "a text");
    if (st) return st;
    if (!strchr(node->text, '{')) {
        *out = node->text;
        return HOL_OK;
    }
    char text[500];
    size_t n = 0;
    for (const char *p = node->text; *p;) {
        if (n > sizeof text - 40) return hol_read_fail(r, node, path, "the text is too long");
        if (*p != '{') {
            text[n++] = *p++;
            continue;
        }
        st = substitute(r, node, path, &p, text, sizeof text, &n);
        if (st) return st;
    }
    *out = hol_arena_copy(r->arena, text, n);
    return *out ? HOL_OK : HOL_ERR_MEMORY;
}
