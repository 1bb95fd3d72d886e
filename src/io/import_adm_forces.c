// Forces, variables, differential equations, tables and requests of Adams.
#include "io/import_adm.h"
#include "io/number_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGE_TURN 0.1 // between the ends of a bushing as drawn [rad]

// ---- one force or torque --------------------------------------------------------------------------------------

static const char *const slide_or_turn[] = {"TRANSLATIONAL", "ROTATIONAL", NULL};

hol_status hol_adm_begin_sforce(hol_adm *a, hol_adm_statement *s)
{
    s->reacts = !hol_adm_has(s, "ACTIONONLY");
    return hol_adm_ends(a, s);
}

// A list of three texts.
static void put_three(hol_adm *a, hol_node *map, const char *key, const char *const text[3])
{
    hol_node *list = hol_import_list(a->in, map, key);
    for (int i = 0; i < 3; i++) hol_import_text(a->in, list, NULL, text[i]);
}

// On I alone: along z of J, or about it.
static void write_action(hol_adm *a, hol_adm_statement *s, bool turns, const char *value)
{
    const char *list[3];
    for (int k = 0; k < 3; k++) {
        const char *u = hol_adm_cosine(a, s->first, 2, -1, k);
        list[k] = strcmp(u, "0") == 0 ? "0" : hol_adm_print(a, "(%s)*%s", value, u);
    }
    hol_node *map = hol_adm_item(a, a->forces, s, s->own, turns ? "torque" : "force");
    hol_import_text(a->in, map, "on", hol_adm_marker(a, s->second));
    put_three(a, map, "value", list);
}

// Positive pushes I and J apart, or turns I about z of J; an action alone pushes I along z of J.
hol_status hol_adm_sforce(hol_adm *a, hol_adm_statement *s)
{
    const char *value = "";
    const int turns = hol_adm_choice(a, s, slide_or_turn);
    hol_adm_arg *arg = hol_adm_need(a, s, "FUNCTION");
    if (turns < 0 || !arg) return HOL_ERR_MODEL;
    const hol_status st = hol_adm_value(a, arg, turns ? a->force * a->length : a->force, &value);
    if (st) return st;
    if (!s->reacts) {
        write_action(a, s, turns, value);
        return HOL_OK;
    }
    hol_node *map = hol_adm_item(a, a->forces, s, s->own, turns ? "vector-force" : "spring-damper");
    hol_adm_between(a, map, s);
    if (turns) {
        put_three(a, map, "torque", (const char *const[]){"0", "0", value});
        hol_import_text(a->in, map, "axes", hol_adm_marker(a, s->first));
    } else // its force is a tension
        hol_import_text(a->in, map, "force", hol_adm_times(a, -1, value));
    return HOL_OK;
}

// A damper that drives is none.
static hol_status judge_damping(hol_adm *a, hol_adm_statement *s, const char *key, int n, const double *c)
{
    for (int i = 0; i < n; i++)
        if (c[i] < 0)
            return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at,
                               "%s: its %s is negative; what drives is a force with a FUNCTION",
                               hol_adm_title(a, s), key);
    return HOL_OK;
}

// A number of a statement under a key of the model, where it is there.
static hol_status put_number(hol_adm *a, hol_adm_statement *s, const char *key, double unit, hol_node *map,
                             const char *own)
{
    double x = 0;
    if (!hol_adm_has(s, key)) return HOL_OK;
    const hol_status st = hol_adm_numbers(a, s, key, 1, unit, &x);
    hol_import_number(a->in, map, own, x);
    return st || strcmp(own, "damping") != 0 ? st : judge_damping(a, s, key, 1, &x);
}

hol_status hol_adm_springdamper(hol_adm *a, hol_adm_statement *s)
{
    const int turns = hol_adm_choice(a, s, slide_or_turn);
    const double F = a->force, L = a->length, T = a->time, M = F * L;
    if (turns < 0) return HOL_ERR_MODEL;
    hol_node *map =
        hol_adm_item(a, a->forces, s, s->own, turns ? "rotational-spring-damper" : "spring-damper");
    hol_adm_between(a, map, s);
    hol_status st = put_number(a, s, turns ? "KT" : "K", turns ? M : F / L, map, "stiffness");
    if (!st) st = put_number(a, s, turns ? "CT" : "C", turns ? M * T : F * T / L, map, "damping");
    if (!st)
        st = put_number(a, s, turns ? "ANGLE" : "LENGTH", turns ? 1 : L, map, turns ? "angle" : "length");
    if (!st && !turns && !hol_adm_has(s, "LENGTH")) hol_import_number(a->in, map, "length", 0);
    if (!st)
        st = put_number(a, s, turns ? "TORQUE" : "FORCE", turns ? -M : -F, map, turns ? "torque" : "force");
    return st;
}

// ---- components -----------------------------------------------------------------------------------------------

hol_status hol_adm_begin_vector(hol_adm *a, hol_adm_statement *s)
{
    s->reacts = s->together = true; // JFLOAT goes with I
    hol_status st = hol_adm_other(a, s, "I", "MARKER", true, &s->second);
    return st ? st : hol_adm_other(a, s, "JFLOAT", "MARKER", true, &s->first);
}

// Axes of a marker, unless they are the global ones.
static void put_axes(hol_adm *a, hol_node *map, int marker)
{
    if (marker < 0) return;
    const hol_adm_statement *m = &a->s[marker];
    if (!a->s[m->part].ground || hol_frame_turns(m->frame.R))
        hol_import_text(a->in, map, "axes", hol_adm_marker(a, marker));
}

// VFORCE, VTORQUE, GFORCE: on I, along the axes of RM.
// What nobody has asked for, in a message of what is missing.
static const char *instead(hol_adm *a, const hol_adm_statement *s)
{
    for (int i = 0; i < s->n; i++)
        if (!s->arg[i].asked) return hol_adm_print(a, "; its %s is not taken", s->arg[i].key);
    return "";
}

hol_status hol_adm_vector(hol_adm *a, hol_adm_statement *s)
{
    const char *value[6] = {"0", "0", "0", "0", "0", "0"};
    bool any[2] = {false, false};
    int axes;
    hol_status st = hol_adm_other(a, s, "RM", "MARKER", false, &axes);
    for (int i = 0; i < 6 && !st; i++) {
        hol_adm_arg *arg = hol_adm_get(s, hol_adm_print(a, "%c%c", i < 3 ? 'F' : 'T', 'X' + i % 3));
        any[i / 3] = any[i / 3] || arg;
        if (arg) st = hol_adm_value(a, arg, i < 3 ? a->force : a->force * a->length, &value[i]);
    }
    if (st) return st;
    if (!any[0] && !any[1] && hol_adm_has(s, "FUNCTION")) return hol_adm_user(a, s);
    if (!any[0] && !any[1])
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: it has no component, FX= and the like%s",
                           hol_adm_title(a, s), instead(a, s));
    hol_node *map = hol_adm_item(a, a->forces, s, s->own, "vector-force");
    hol_adm_between(a, map, s);
    if (any[0]) put_three(a, map, "force", value);
    if (any[1]) put_three(a, map, "torque", value + 3);
    put_axes(a, map, axes);
    return HOL_OK;
}

// ---- bushings, fields, beams ----------------------------------------------------------------------------------

// A constant force and torque on I along the axes of J, beside what a statement is.
static hol_status write_preload(hol_adm *a, hol_adm_statement *s, const double f[6])
{
    bool any = false;
    for (int i = 0; i < 6; i++) any = any || f[i] != 0;
    if (!any) return HOL_OK;
    const char *name = hol_import_name(a->in, a->names, hol_adm_print(a, "%s_preload", s->own), "_", false);
    if (!name) return HOL_ERR_MEMORY;
    hol_node *map = hol_adm_item(a, a->forces, s, name, "vector-force");
    hol_adm_between(a, map, s);
    hol_import_numbers(a->in, map, "force", 3, f);
    hol_import_numbers(a->in, map, "torque", 3, f + 3);
    hol_import_text(a->in, map, "axes", hol_adm_marker(a, s->first));
    s->reacts = false; // two elements, of which a request would be the sum
    return HOL_OK;
}

// Between ends that turn to each other here the torque follows the rotation vector, in Adams angles about the axes of J. Of small ones
// both are the same where stiffnesses of turns are; else they differ in their first order. K: 6 x 6, or NULL.
static hol_status judge_turns(hol_adm *a, const hol_adm_statement *s, const double *K)
{
    const hol_import_frame to = hol_adm_place(a, s->second), from = hol_adm_place(a, s->first);
    const hol_import_frame back = hol_frame_inverse(&from), turn = hol_frame_times(&back, &to);
    bool even = K != NULL;
    for (int i = 3; i < 6 && K; i++)
        for (int j = 3; j < 6; j++) even = even && (i == j ? K[7 * i] == K[21] : K[6 * i + j] == 0);
    const double cosine = (turn.R[0] + turn.R[4] + turn.R[8] - 1) / 2;
    if (even && cosine > cos(LARGE_TURN)) return HOL_OK;
    return hol_import_tell(
        a->in, HOL_TOLD_ASSUMED, s->at, s->own,
        "torques of BUSHING, FIELD and BEAM, which in Adams follow projected angles",
        "they follow the rotation vector, which is the same about one axis; about two they "
        "differ by half the product of both angles times the stiffnesses");
}

hol_status hol_adm_bushing(hol_adm *a, hol_adm_statement *s)
{
    const double F = a->force, L = a->length, T = a->time;
    double k[6] = {0}, c[6] = {0}, f[6] = {0}, K[36] = {0};
    hol_status st = hol_adm_numbers(a, s, "K", 3, F / L, k);
    if (!st) st = hol_adm_numbers(a, s, "KT", 3, F * L, k + 3);
    if (!st) st = hol_adm_numbers(a, s, "C", 3, F * T / L, c);
    if (!st) st = hol_adm_numbers(a, s, "CT", 3, F * L * T, c + 3);
    if (!st) st = judge_damping(a, s, "C", 3, c);
    if (!st) st = judge_damping(a, s, "CT", 3, c + 3);
    if (!st) st = hol_adm_numbers(a, s, "FORCE", 3, F, f);
    if (!st) st = hol_adm_numbers(a, s, "TORQUE", 3, F * L, f + 3);
    if (st) return st;
    hol_node *map = hol_adm_item(a, a->forces, s, s->own, "bushing");
    hol_adm_between(a, map, s);
    hol_import_numbers(a->in, map, "stiffness", 6, k);
    hol_import_numbers(a->in, map, "damping", 6, c);
    for (int i = 3; i < 6; i++) K[7 * i] = k[i];
    st = judge_turns(a, s, K);
    return st ? st : write_preload(a, s, f);
}

// 36 numbers by columns, as rows in SI; rate: of velocities.
static hol_status read_matrix(hol_adm *a, hol_adm_statement *s, const char *key, bool rate, double K[36])
{
    double by_columns[36] = {0};
    const hol_status st = hol_adm_numbers(a, s, key, 36, a->force * (rate ? a->time : 1), by_columns);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            K[6 * i + j] = by_columns[6 * j + i] * (i < 3 ? 1 : a->length) / (j < 3 ? a->length : 1);
    return st;
}

// f = f0 - K (x - x0) - C x'
hol_status hol_adm_field(hol_adm *a, hol_adm_statement *s)
{
    double K[36], C[36], x0[6] = {0}, f[6] = {0}, ratio = 0;
    if (!hol_adm_need(a, s, "KMATRIX")) return HOL_ERR_MODEL;
    hol_status st = read_matrix(a, s, "KMATRIX", false, K);
    if (!st) st = read_matrix(a, s, "CMATRIX", true, C);
    if (!st) st = hol_adm_numbers(a, s, "CRATIO", 1, a->time, &ratio);
    if (!st) st = judge_damping(a, s, "CRATIO", 1, &ratio);
    if (!st) st = hol_adm_numbers(a, s, "LENGTH", 6, 1, x0);
    if (!st) st = hol_adm_numbers(a, s, "FORCE", 6, a->force, f);
    if (st) return st;
    for (int i = 0; i < 3; i++) {
        x0[i] = hol_adm_si(x0[i], a->length);
        f[3 + i] *= a->length;
    }
    for (int i = 0; i < 36; i++) {
        C[i] += ratio * K[i];
        f[i / 6] += K[i] * x0[i % 6];
    }
    hol_node *map = hol_adm_item(a, a->forces, s, s->own, "bushing");
    hol_adm_between(a, map, s);
    hol_adm_rows(a, map, "stiffness", 6, 6, K);
    hol_adm_rows(a, map, "damping", 6, 6, C);
    st = judge_turns(a, s, K);
    return st ? st : write_preload(a, s, f);
}

hol_status hol_adm_beam(hol_adm *a, hol_adm_statement *s)
{
    static const char *const keys[] = {"EMODULUS", "GMODULUS", "AREA",   "IXX", "IYY",
                                       "IZZ",      "LENGTH",   "CRATIO", "ASY", "ASZ"};
    static const char *const own[] = {"modulus",         "shear_modulus",   "area",   "torsion_constant",
                                      "second_moment_y", "second_moment_z", "length", "damping",
                                      "shear_y",         "shear_z"};
    const double L = a->length, E = a->force / (L * L), J = L * L * L * L,
                 unit[] = {E, E, L * L, J, J, J, L, a->time, 1, 1};
    hol_status st = HOL_OK;
    hol_node *map = hol_adm_item(a, a->forces, s, s->own, "beam");
    hol_adm_between(a, map, s);
    for (int i = 0; i < HOL_COUNT(keys) && !st; i++) {
        if (i < 7 && !hol_adm_need(a, s, keys[i])) return HOL_ERR_MODEL;
        st = put_number(a, s, keys[i], unit[i], map, own[i]);
    }
    return st ? st : judge_turns(a, s, NULL);
}

// ---- equations ------------------------------------------------------------------------------------------------

// The statement of the next VARVAL(id) of a text, and where to look on; -1: there is none.
static int next_named(const hol_adm *a, const char **text)
{
    int found = -1;
    for (; **text && found < 0; ++*text) {
        if (!hol_same_word(*text, 6, "VARVAL")) continue;
        const char *id = *text + 6;
        id += strspn(id, " ");
        if (*id == '(') found = hol_adm_find(a, "VARIABLE", (int)strtol(id + 1, NULL, 10));
    }
    return found;
}

// Does a VARIABLE depend on itself, by its function or those of others that it names?
static hol_status is_implicit(hol_adm *a, const hol_adm_statement *s, bool *implicit)
{
    int *others = hol_arena_alloc(a->in->arena, (size_t)a->n, sizeof *others), n = 1, next;
    char *seen = hol_arena_alloc(a->in->arena, (size_t)a->n, 1);
    *implicit = false;
    if (!others || !seen) return HOL_ERR_MEMORY;
    others[0] = (int)(s - a->s);
    seen[others[0]] = 1;
    for (int i = 0; i < n && !*implicit; i++) {
        const hol_adm_statement *of = &a->s[others[i]];
        const char *text = NULL;
        for (int k = 0; k < of->n; k++)
            if (strcmp(of->arg[k].key, "FUNCTION") == 0) text = of->arg[k].text;
        while (text && (next = next_named(a, &text)) >= 0) {
            *implicit = *implicit || next == others[0];
            if (!seen[next]) others[n++] = next;
            seen[next] = 1;
        }
    }
    return HOL_OK;
}

// Where Adams begins to solve for what is implicit is left out, which matters where there are several solutions.
static hol_status leave_start(hol_adm *a, const hol_adm_statement *s, hol_src at)
{
    return hol_import_tell(
        a->in, HOL_TOLD_MISSED, at, s->own,
        "where Adams begins to solve an implicit VARIABLE (IC) or DIFF (the second number of "
        "IC), which chooses one of several solutions",
        "it is left out, which changes nothing where there is one solution alone");
}

// A plant input of which the function is a number becomes an input; with another one it moves the model as it does in Adams.
hol_status hol_adm_variable(hol_adm *a, hol_adm_statement *s)
{
    hol_adm_function f;
    char *end;
    hol_adm_arg *arg = hol_adm_need(a, s, "FUNCTION"), *ic = hol_adm_get(s, "IC");
    bool implicit = false;
    hol_status st = arg ? hol_adm_take(a, arg, &f) : HOL_ERR_MODEL;
    if (!st && ic) st = is_implicit(a, s, &implicit);
    if (!st && implicit) st = leave_start(a, s, ic->at);
    if (st) return st;
    const double value = hol_decimal_read(f.text, &end);
    const bool input = s->held && end > f.text && !*end;
    hol_node *map = hol_adm_item(a, input ? a->inputs : a->variables, s, s->own, NULL);
    if (input)
        hol_import_number(a->in, map, "value", value);
    else
        hol_import_text(a->in, map, "value", f.text);
    return s->held && !input ? hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, s->own,
                                               "variables of PINPUT whose functions are no numbers",
                                               "they are no inputs, and have the values of their functions")
                             : HOL_OK;
}

// The rate of a state of which the function of x and x' is 0: an unknown of its own.
static hol_status write_implicit(hol_adm *a, hol_adm_statement *s, hol_adm_arg *arg, const char **rate)
{
    hol_adm_function f;
    const hol_status st = hol_adm_take(a, arg, &f);
    if (st) return st;
    const char *name = hol_import_name(a->in, a->names, hol_adm_print(a, "%s_rate", s->own), "_", false);
    if (!name) return HOL_ERR_MEMORY;
    hol_node *map = hol_adm_item(a, a->variables, s, name, NULL);
    hol_import_text(a->in, map, "value", hol_adm_print(a, "%s - (%s)", name, f.text));
    *rate = hol_adm_times(a, 1 / a->time, name);
    return HOL_OK;
}

// x' = function, in the time of the source.
hol_status hol_adm_diff(hol_adm *a, hol_adm_statement *s)
{
    double *initial = NULL;
    const char *rate = "";
    int n = 0;
    hol_adm_arg *arg = hol_adm_need(a, s, "FUNCTION"), *ic = hol_adm_get(s, "IC");
    if (!arg) return HOL_ERR_MODEL;
    hol_adm_has(s, "STATIC_HOLD"); // a matter of Adams' static analyses
    const bool implicit = hol_adm_has(s, "IMPLICIT");
    hol_status st = implicit ? write_implicit(a, s, arg, &rate) : hol_adm_value(a, arg, 1 / a->time, &rate);
    if (!st && ic) st = hol_adm_list(a, ic, 1, &initial, &n);
    if (!st && implicit && n > 1) st = leave_start(a, s, ic->at); // an explicit one has no need of it
    if (st) return st;
    hol_node *map = hol_adm_item(a, a->states, s, s->own, NULL);
    hol_import_text(a->in, map, "rate", rate);
    if (n) hol_import_number(a->in, map, "initial", initial[0]);
    return HOL_OK;
}

// Names of the curves of a spline of two variables, whose Y begin with the second one.
hol_status hol_adm_begin_spline(hol_adm *a, hol_adm_statement *s)
{
    const hol_adm_arg *x = hol_adm_get(s, "X");
    double *p;
    int n_x = 0, n = 0, curves = 0;
    hol_status st = x ? hol_adm_list(a, x, 1, &p, &n_x) : HOL_OK;
    for (int i = 0; i < s->n; i++) curves += strcmp(s->arg[i].key, "Y") == 0;
    s->curve = hol_arena_alloc(a->in->arena, (size_t)curves + 1, sizeof *s->curve);
    s->at_second = hol_arena_alloc(a->in->arena, (size_t)curves + 1, sizeof *s->at_second);
    if (!s->curve || !s->at_second) return HOL_ERR_MEMORY;
    for (int i = 0, k = 0; i < s->n && !st; i++) {
        if (strcmp(s->arg[i].key, "Y") != 0) continue;
        s->arg[i].asked = true;
        st = hol_adm_list(a, &s->arg[i], 1, &p, &n);
        if (st || (curves == 1 && n != n_x + 1)) return st;
        if (n != n_x + 1 || (k && p[0] <= s->at_second[k - 1]))
            return hol_fail_at(
                a->in->ctx, HOL_ERR_MODEL, s->arg[i].at,
                "%s: several Y begin with the value of the second variable, in ascending order, and go on "
                "with as many numbers as X has",
                hol_adm_title(a, s));
        s->at_second[k] = p[0];
        s->curve[k] = hol_import_name(a->in, a->names, hol_adm_print(a, "%s_%d", s->own, k + 1), "_", false);
        if (!s->curve[k]) return HOL_ERR_MEMORY;
        s->n_curves = ++k;
    }
    return st;
}

static void write_table(hol_adm *a, const hol_adm_statement *s, const char *name, int n, const double *x,
                        const double *y)
{
    hol_node *map = hol_adm_item(a, a->splines, s, name, NULL);
    hol_import_numbers(a->in, map, "x", n, x);
    hol_import_numbers(a->in, map, "y", n, y);
}

hol_status hol_adm_spline(hol_adm *a, hol_adm_statement *s)
{
    const hol_adm_arg *file = hol_adm_get(s, "FILE");
    if (file)
        return hol_fail_at(
            a->in->ctx, HOL_ERR_MODEL, file->at,
            "%s: its numbers are in a file (FILE=), which is not read; write them as X= and Y=",
            hol_adm_title(a, s));
    const hol_adm_arg *x_of = hol_adm_need(a, s, "X"), *y_of = hol_adm_need(a, s, "Y");
    double *x, *y;
    int n, m;
    hol_status st = x_of && y_of ? hol_adm_list(a, x_of, 1, &x, &n) : HOL_ERR_MODEL;
    if (!st) st = hol_adm_list(a, y_of, 1, &y, &m);
    if (st) return st;
    if (!s->n_curves && n != m)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: X has %d numbers, Y has %d",
                           hol_adm_title(a, s), n, m);
    if (!s->n_curves) write_table(a, s, s->own, n, x, y);
    for (int i = 0, k = 0; k < s->n_curves && !st; i++) {
        if (strcmp(s->arg[i].key, "Y") != 0) continue;
        st = hol_adm_list(a, &s->arg[i], 1, &y, &m);
        if (!st) write_table(a, s, s->curve[k++], n, x, y + 1);
    }
    if (!st && s->n_curves > 1)
        st = hol_import_tell(
            a->in, HOL_TOLD_ASSUMED, s->at, s->own, "splines of two variables",
            "from curve to curve they are linear in the second one, and constant beyond the last ones");
    if (st || hol_adm_has(s, "LINEAR_EXTRAPOLATE")) return st;
    return hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, s->own, "splines without LINEAR_EXTRAPOLATE",
                           "beyond their points they go on as straight lines, not as parabolas");
}

// VARIABLES=1,2, which may become inputs.
static hol_status each_variable(hol_adm *a, hol_adm_statement *s, bool held)
{
    double *id = NULL;
    int n = 0;
    const hol_adm_arg *arg = hol_adm_need(a, s, "VARIABLES");
    hol_status st = arg ? hol_adm_list(a, arg, 1, &id, &n) : HOL_ERR_MODEL;
    for (int i = 0; i < n && !st; i++) {
        const int k = hol_adm_named(a, s, arg, "VARIABLE", id[i]);
        if (k < 0) return HOL_ERR_MODEL;
        a->s[k].held = a->s[k].held || held;
    }
    return st;
}

hol_status hol_adm_pinput(hol_adm *a, hol_adm_statement *s) { return each_variable(a, s, true); }
hol_status hol_adm_poutput(hol_adm *a, hol_adm_statement *s) { return each_variable(a, s, false); }

// ---- requests -------------------------------------------------------------------------------------------------

// One column of a request: a variable.
static hol_status write_column(hol_adm *a, hol_adm_statement *s, hol_adm_arg *function, const char *column,
                               const char **comment)
{
    hol_adm_function f;
    const hol_status st = hol_adm_translate(a, function, &f);
    if (st == HOL_RECOVERABLE)
        return hol_import_tell(a->in, HOL_TOLD_LEFT_OUT, function->at, NULL,
                               hol_adm_print(a, "what is requested, %s", f.why), "there is no such column");
    const char *name =
        st ? NULL : hol_import_name(a->in, a->names, hol_adm_print(a, "%s_%s", s->own, column), "_", false);
    if (!name) return st ? st : HOL_ERR_MEMORY;
    hol_node *map = hol_adm_item(a, a->variables, s, name, NULL);
    hol_import_text(a->in, map, "value", f.text);
    if (map) map->comment = *comment;
    *comment = NULL;
    return HOL_OK;
}

// Of two markers: the columns that Adams writes, but for Euler angles.
static hol_status write_columns(hol_adm *a, hol_adm_statement *s, int what, const char **comment)
{
    static const struct {
        const char *name, *function[8], *column[8];
        int sized; // arguments of sizes
    } rows[] = {{"DISPLACEMENT", {"DM", "DX", "DY", "DZ"}, {"m", "x", "y", "z"}, 2},
                {"VELOCITY",
                 {"VM", "VX", "VY", "VZ", "WM", "WX", "WY", "WZ"},
                 {"vm", "vx", "vy", "vz", "wm", "wx", "wy", "wz"},
                 2},
                {"ACCELERATION",
                 {"ACCM", "ACCX", "ACCY", "ACCZ", "WDTM", "WDTX", "WDTY", "WDTZ"},
                 {"am", "ax", "ay", "az", "alm", "alx", "aly", "alz"},
                 2},
                {"FORCE",
                 {"FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"},
                 {"fm", "fx", "fy", "fz", "tm", "tx", "ty", "tz"},
                 2}};
    int i, j, rm;
    hol_status st = hol_adm_other(a, s, "I", "MARKER", true, &i);
    if (!st) st = hol_adm_other(a, s, "J", "MARKER", false, &j);
    if (!st) st = hol_adm_other(a, s, "RM", "MARKER", false, &rm);
    for (int k = 0; k < 8 && rows[what].function[k] && !st; k++) {
        const char *two =
            hol_adm_print(a, "%s(%d,%d", rows[what].function[k], a->s[i].id, j < 0 ? 0 : a->s[j].id);
        hol_adm_arg one = {.key = rows[what].name,
                           .at = s->at,
                           .text = k % 4 ? hol_adm_print(a, "%s,%d)", two, rm < 0 ? 0 : a->s[rm].id)
                                         : hol_adm_print(a, "%s)", two)};
        st = write_column(a, s, &one, rows[what].column[k], comment);
    }
    if (st || what) return st;
    return hol_import_tell(a->in, HOL_TOLD_LEFT_OUT, s->at, NULL, "Euler angles of requests of displacements",
                           "");
}

hol_status hol_adm_request(hol_adm *a, hol_adm_statement *s)
{
    static const char *const words[] = {"DISPLACEMENT", "VELOCITY", "ACCELERATION", "FORCE"},
                             *const titles[] = {"CNAMES", "CUNITS", "RESULTS_NAME", "TITLE"};
    const hol_adm_arg *text = hol_adm_get(s, "COMMENT");
    const char *comment =
        hol_adm_print(a, "%s%s%s", hol_adm_title(a, s), text ? ": " : "", text ? text->text : "");
    hol_status st = HOL_OK;
    for (int i = 0; i < HOL_COUNT(titles); i++) hol_adm_has(s, titles[i]);
    for (int i = 0; i < 4; i++)
        if (hol_adm_has(s, words[i])) st = st ? st : write_columns(a, s, i, &comment);
    for (int k = 1; k <= 8 && !st; k++) {
        hol_adm_arg *f = hol_adm_get(s, hol_adm_print(a, "F%d", k));
        if (f) st = write_column(a, s, f, hol_adm_print(a, "f%d", k), &comment);
    }
    hol_adm_arg *user = hol_adm_get(s, "FUNCTION");
    if (user && !st)
        st = hol_import_tell(a->in, HOL_TOLD_LEFT_OUT, user->at, NULL,
                             "requests by subroutines of the user's", "there are no such columns");
    return st;
}
