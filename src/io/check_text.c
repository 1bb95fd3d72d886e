// What a check has found, as text for people.
#include "base/base.h"
#include "io/glossary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Words in what follows that a reader may ask `holonom elements` for.
const char *const hol_check_words[] = {"body",
                                       "bodies",
                                       "coordinates",
                                       "constraint equations",
                                       "independent",
                                       "degrees of freedom",
                                       "velocity constraints",
                                       "masses of shapes",
                                       "contacts",
                                       "centre",
                                       "inertia",
                                       "kink",
                                       "functions of time",
                                       "redundant",
                                       "pose",
                                       "singular pose",
                                       "reactions",
                                       "unique",
                                       "shared",
                                       "undetermined",
                                       "chains",
                                       "closed loops",
                                       "loop equations",
                                       "joint",
                                       "ground",
                                       "natural length",
                                       "warning",
                                       NULL};

typedef struct {
    hol_print_fn print;
    void *user;
} paper;

// Returns the length of the piece.
static int say(paper *o, const char *format, ...) HOL_PRINTF(2, 3);
static int say(paper *o, const char *format, ...)
{
    char text[2000];
    va_list list;
    va_start(list, format);
    const int n = hol_decimal_vprint(text, sizeof text, format, list);
    va_end(list);
    o->print(o->user, text);
    return n;
}

enum { WIDTH = 100, MOST_GROUPS = 6, MOST_NAMES = 8 };

typedef struct {
    int column, indent;
} paragraph;

// A piece that stays on one line.
static void put(paper *o, paragraph *p, const char *format, ...)
{
    char text[600];
    va_list list;
    va_start(list, format);
    const int n = hol_decimal_vprint(text, sizeof text, format, list);
    va_end(list);
    if (p->column > p->indent && p->column + n > WIDTH) {
        say(o, "\n%*s", p->indent, "");
        p->column = p->indent;
    }
    p->column += say(o, "%s", p->column == p->indent && *text == ' ' ? text + 1 : text);
}

// Equations of one joint, from the i-th on.
static int same_joint(const hol_redundancy *r, int n, int i)
{
    int k = i + 1;
    while (k < n && strcmp(r[k].joint, r[i].joint) == 0) k++;
    return k - i;
}

static bool same_directions(const hol_redundancy *a, const hol_redundancy *b, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(a[i].direction, b[i].direction) != 0) return false;
    return true;
}

// "A, B: z, rotation about x, y; C: z": neighbours with the same directions stand together. At most so many joints.
static void print_equations(paper *o, const hol_redundancy *r, int n, int most, int column)
{
    static const char turn[] = "rotation about ";
    const size_t length = strlen(turn);
    paragraph p = {column, column};
    for (int i = 0, size, joints = 0; i < n; i += size) {
        size = same_joint(r, n, i);
        const int next = i + size;
        if (++joints > most) {
            put(o, &p, " and %d more equations", n - i);
            break;
        }
        const bool more =
            next < n && same_joint(r, n, next) == size && same_directions(r + i, r + next, size);
        put(o, &p, " %s%s", r[i].joint, more ? "," : ":");
        for (int k = 0; k < size && !more; k++) {
            const char *direction = r[i + k].direction;
            const bool again = k && strncmp(direction, turn, length) == 0 &&
                               strncmp(r[i + k - 1].direction, turn, length) == 0;
            put(o, &p, " %s%s", direction + (again ? length : 0), k + 1 < size ? "," : next < n ? ";" : "");
        }
    }
    say(o, "\n");
}

static void print_groups(paper *o, const hol_dependency *group, int n)
{
    for (int i = 0; i < n && i < MOST_GROUPS; i++) {
        say(o, "    %2d  ", i + 1);
        print_equations(o, group[i].equation, group[i].n, 3 * MOST_NAMES, 8);
    }
    if (n > MOST_GROUPS) say(o, "        and %d more; --json lists them\n", n - MOST_GROUPS);
}

// Joints that would do without the redundant equations of a loop, a few of them by name.
static void print_replacements(paper *o, const hol_redundant_loop *l)
{
    const int n = l->n_replacements, shown = n > MOST_NAMES + 1 ? MOST_NAMES : n;
    paragraph p = {24, 24};
    if (!n) return;
    say(o, "    %-20s", l->removed == l->redundant ? "without them" : "with fewer");
    for (int i = 0; i < shown; i++) {
        const hol_replacement *r = &l->replacement[i];
        const bool again = i && !r->type == !r[-1].type, last = i > 0 && i + 1 == n;
        if (i && !last) p.column += say(o, ",");
        if (last) put(o, &p, " and");
        put(o, &p, "%s %s", again ? "" : r->type ? " make" : " leave out", r->joint);
        if (r->type) put(o, &p, " %s", r->type);
        if (r->remark) put(o, &p, " (%s)", r->remark);
    }
    if (shown < n) put(o, &p, " and %d more (--json lists them)", n - shown);
    if (l->removed < l->redundant) p.column += say(o, ": %d fewer", l->removed);
    p.column += say(o, ";");
    put(o, &p, " the degrees of freedom stay");
    say(o, "\n");
}

// The groups of dependent equations, one of each redundant.
static void print_redundant(paper *o, const hol_check *c)
{
    if (!c->n_redundant) {
        say(o, "  redundant             none\n");
        return;
    }
    say(o, "  redundant             %d, in ", c->n_redundant);
    say(o, c->poses > 1 ? "each of %d poses" : "this pose; no other was found", c->poses);
    say(o, ": of each group, one equation follows from the others\n");
    for (int i = 0; i < c->n_loops; i++) {
        print_groups(o, c->loop[i].group, c->loop[i].redundant);
        print_replacements(o, &c->loop[i]);
    }
    say(o, "    left out            ");
    print_equations(o, c->redundant, c->n_redundant, MOST_NAMES, 24);
}

static void print_singular(paper *o, const hol_check *c)
{
    if (!c->momentary) return;
    say(o, "  singular pose         here only, %d more degree%s of freedom: these depend on each other:\n",
        c->instantaneous, c->instantaneous == 1 ? "" : "s");
    print_groups(o, c->instant, c->instantaneous);
}

// Has the reaction the same components of this kind as the other?
static bool same_components(const hol_reaction_check *a, const hol_reaction_check *b, hol_uniqueness u)
{
    bool same = a->n == b->n;
    for (int k = 0; k < a->n && same; k++) same = (a->uniqueness[k] == u) == (b->uniqueness[k] == u);
    return same;
}

static bool has_component(const hol_reaction_check *r, hol_uniqueness u)
{
    bool has = false;
    for (int k = 0; k < r->n; k++) has = has || r->uniqueness[k] == u;
    return has;
}

// "A, B: Fx Fy; C: Fz", of large loops the first joints
static void print_components(paper *o, const hol_check *c, hol_uniqueness u)
{
    paragraph p = {24, 24};
    const hol_reaction_check *last = NULL;
    int named = 0, more = 0;
    say(o, "    %-20s", hol_uniqueness_word(u));
    for (int i = 0; i <= c->n_reactions; i++) {
        const hol_reaction_check *r = i < c->n_reactions ? &c->reaction[i] : NULL;
        if (r && !has_component(r, u)) continue;
        if (r && u == HOL_NOT_EXAMINED && named++ >= MOST_NAMES && ++more) continue;
        const bool same = last && r && same_components(last, r, u);
        if (last) put(o, &p, " %s%s", last->joint, same ? "," : ":");
        for (int k = 0; last && !same && k < last->n; k++)
            if (last->uniqueness[k] == u) put(o, &p, " %s", last->component[k]);
        if (last && !same && r) p.column += say(o, ";");
        last = r;
    }
    if (more) put(o, &p, "; %d more joints", more);
    say(o, "\n");
}

// How many reaction components are unique, and which are not.
static void print_reactions(paper *o, const hol_check *c)
{
    static const hol_uniqueness order[] = {HOL_SHARED, HOL_UNDETERMINED, HOL_NOT_EXAMINED};
    if (c->components[HOL_UNIQUE] == 0 && c->n_reactions == 0) return;
    int all = 0;
    for (int u = 0; u < HOL_UNIQUENESSES; u++)
        if (u != HOL_ABSENT) all += c->components[u];
    const int unique = c->components[HOL_UNIQUE];
    if (unique == all) return;
    if (unique)
        say(o, "  reactions             %d of %d components are unique\n", unique, all);
    else
        say(o, "  reactions             none of %d components is unique\n", all);
    for (int i = 0; i < 3; i++)
        if (c->components[order[i]]) print_components(o, c, order[i]);
    if (c->components[HOL_SHARED])
        say(o, "    who carries how much of what is shared depends on deformation: results show the smallest "
               "forces "
               "that do\n");
}

// Chains of bodies from ground outwards, which joints close loops of them, and how well these hold.
static void print_tree(paper *o, const hol_tree_check *t)
{
    say(o, "  chains                %d from the ground, up to %d bod%s long\n", t->roots, t->depth,
        t->depth == 1 ? "y" : "ies");
    const int named = t->n_cut < HOL_TREE_NAMES ? t->n_cut : HOL_TREE_NAMES;
    say(o, "  closed loops          ");
    say(o, t->n_cut ? "%d, closed by" : "none", t->n_cut);
    for (int i = 0; i < named; i++) say(o, "%s %s", i ? "," : "", t->cut[i]);
    if (t->n_cut > named) say(o, " and %d more", t->n_cut - named);
    say(o, "\n");
    if (t->most > 0)
        say(o,
            "  loop equations        %d; how firmly they hold the loops: %.2g (1: best, 0: singular pose)\n",
            t->loop_rows, t->least / t->most);
}

#define CLOSED 1e-9 // of the natural length, or rad

// How far joints are open as drawn, and how far velocities miss them.
static void print_closure(paper *o, const hol_check *c)
{
    if (c->position_violation < CLOSED)
        say(o, "  joints close as drawn");
    else
        say(o, "  joints as drawn are open by %.3g (%s: %s)", c->position_violation, c->open_joint,
            c->open_direction);
    if (c->velocity_violation < CLOSED)
        say(o, ", velocities as given fit\n");
    else
        say(o, ", velocities as given miss by %.3g\n", c->velocity_violation);
    if (c->position_violation >= CLOSED || c->velocity_violation >= CLOSED)
        say(o, "    relative to %.3g m\n", c->length_scale);
}

// Bodies whose mass follows from their shapes, a few of them in full: mass, centre, inertia, which in the plane is one number.
static void print_masses(paper *o, const hol_check *c)
{
    static const char *const product[] = {"xy", "xz", "yz"};
    for (int i = 0; i < c->n_masses && i < MOST_NAMES; i++) {
        const hol_mass_check *b = &c->mass[i];
        const double *J = b->inertia;
        paragraph p = {24, 24};
        say(o, i ? "%24s" : "  masses of shapes      ", "");
        put(o, &p, " %s: %.6g kg, centre (%.6g, %.6g", b->body, b->mass, b->centre[0], b->centre[1]);
        if (c->dimension == 3) put(o, &p, ", %.6g", b->centre[2]);
        put(o, &p, ") m,");
        if (c->dimension == 2)
            put(o, &p, " inertia %.6g kg m^2", J[2]);
        else
            put(o, &p, " inertia %.6g, %.6g, %.6g kg m^2", J[0], J[1], J[2]);
        const double least = 1e-12 * (J[0] + J[1] + J[2]);
        for (int k = 0; k < 3 && c->dimension == 3; k++)
            if (J[3 + k] > least || J[3 + k] < -least) put(o, &p, ", %s %.6g", product[k], J[3 + k]);
        say(o, "\n");
    }
    if (c->n_masses > MOST_NAMES)
        say(o, "%24sand %d more; --json lists them\n", "", c->n_masses - MOST_NAMES);
}

// The impacts of a contact that are found. end: behind them.
static void print_impacts(paper *o, paragraph *p, const hol_contact_check *k, const char *end)
{
    int at[3], n = 0;
    for (int j = 0; j < 3; j++)
        if (isfinite(k->restitution[j])) at[n++] = j;
    if (!n) {
        put(o, p, " no free impact can be foretold%s", end);
        return;
    }
    put(o, p, " free impacts at");
    for (int j = 0; j < n; j++) put(o, p, " %g%s", k->speed[at[j]], j < n - 1 ? "," : " m/s:");
    put(o, p, " restitution");
    for (int j = 0; j < n; j++) put(o, p, " %.3g,", k->restitution[at[j]]);
    for (int j = 0; j < n; j++) put(o, p, " %.2g%s", k->lasts[at[j]], j < n - 1 ? "," : " s long,");
    for (int j = 0; j < n - 1; j++) put(o, p, " %.2g,", k->depth[at[j]]);
    put(o, p, " %.2g m deep%s", k->depth[at[n - 1]], end);
}

// What contacts will do in free impacts, a few of them.
static void print_contacts(paper *o, const hol_check *c)
{
    for (int i = 0; i < c->n_contacts && i < MOST_NAMES; i++) {
        const hol_contact_check *k = &c->contact[i];
        paragraph p = {24, 24};
        say(o, i ? "%24s" : "  contacts              ", "");
        put(o, &p, " %s:", k->name);
        double most = k->rests;
        for (int j = 0; j < 3; j++) most = fmax(most, k->depth[j]); // those not found are nan
        const bool rests = k->rests > 0, ends = most > k->deepest;
        print_impacts(o, &p, k, rests || ends ? ";" : "");
        if (rests) put(o, &p, " at rest %.2g m%s", k->rests, ends ? ";" : "");
        if (ends) put(o, &p, " a run ends at `deepest`, %.2g m", k->deepest);
        say(o, "\n");
    }
    if (c->n_contacts > MOST_NAMES)
        say(o, "%24sand %d more; --json lists them\n", "", c->n_contacts - MOST_NAMES);
}

// How many pairs of shapes are left out, whatever the reason.
static void print_left_out(paper *o, const hol_check *c)
{
    int left = 0;
    for (int i = 0; i < c->n_pairs; i++) left += c->pair[i].left != NULL;
    if (left)
        say(o, "%24sleft out are %d pair%s of shapes%s; --contacts lists them\n", "", left,
            left == 1 ? "" : "s", c->more_pairs ? " and more" : "");
}

void hol_check_print_pairs(const hol_check *c, hol_print_fn print, void *user)
{
    paper o = {print, user};
    const char *rule = "";
    int width = 0;
    if (!c || !print) return;
    for (int i = 0; i < c->n_pairs; i++)
        if ((int)strlen(c->pair[i].pair) > width) width = (int)strlen(c->pair[i].pair);
    for (int i = 0; i < c->n_pairs; i++) {
        const hol_pair_check *p = &c->pair[i];
        if (strcmp(rule, p->rule) != 0) say(&o, "pairs of contacts.%s\n", p->rule);
        rule = p->rule;
        say(&o, "  %-*s  ", width, p->pair);
        if (p->left)
            say(&o, "left out: %s\n", p->left);
        else
            say(&o, "touches in %d place%s\n", p->contacts, p->contacts == 1 ? "" : "s");
    }
    if (c->more_pairs) say(&o, "and more that are left out\n");
    if (!c->n_pairs && c->n_contacts)
        say(&o, "no pairs to list: rules of more than `locate` pairs find on the way who is near whom\n");
    else if (!c->n_pairs)
        say(&o, "no contacts: the model has no rule that names shapes\n");
}

// Where values or slopes of expressions jump.
static void print_kinks(paper *o, const hol_check *c)
{
    if (!c->kinks) return;
    say(o,
        "  kinks                 %d corner%s of functions, where the value or the slope jumps; steps with "
        "error control "
        "are short "
        "there:\n",
        c->kinks, c->kinks == 1 ? "" : "s");
    for (int i = 0; i < c->n_kinks; i++) say(o, "    %s\n", c->kink[i]);
    const bool more = c->n_kinks >= HOL_KINKS_LISTED;
    if (c->kinks > c->n_kinks)
        say(o, more ? "    and %d more\n" : "    %d in constraints given by expressions\n",
            c->kinks - c->n_kinks);
}

// What functions of time do.
static void print_loads(paper *o, const hol_check *c)
{
    if (!c->n_loads) return;
    say(o,
        "  functions of time     steps of chosen size end where they jump, and are short where they are:\n");
    for (int i = 0; i < c->n_loads; i++) say(o, "    %s\n", c->load[i]);
    if (c->n_loads == HOL_LOADS_LISTED) say(o, "    ..\n");
}

// "a, b, c, ..": as many as are told.
static void print_names(paper *o, const char *head, int n, const char *const *name)
{
    paragraph p = {24, 24};
    if (n) say(o, "%s", head);
    for (int i = 0; i < n && i < MOST_NAMES; i++) put(o, &p, "%s%s", name[i], i + 1 < n ? ", " : "");
    if (n > MOST_NAMES) put(o, &p, "and %d more; --json lists them", n - MOST_NAMES);
    if (n) say(o, "\n");
}

void hol_check_print(const hol_check *c, const char *file, hol_print_fn print, void *user)
{
    if (!c || !print) return;
    paper whole = {print, user}, *o = &whole;
    say(o, "%s\n", c->title ? c->title : file ? file : "");
    say(o,
        "  bodies                %d\n  coordinates           %d\n  constraint equations  %d, %d of them "
        "independent\n"
        "  degrees of freedom    %d\n",
        c->bodies, c->coordinates, c->constraints, c->rank, c->degrees_of_freedom);
    if (c->velocity_constraints)
        say(o, "  velocity constraints  %d: velocities have %d degrees of freedom\n", c->velocity_constraints,
            c->degrees_of_freedom - c->velocity_constraints);
    print_names(o, "  off at the start      ", c->n_idle, c->idle);
    print_names(o, "  switched by events    ", c->n_switched, c->switched);
    print_masses(o, c);
    print_contacts(o, c);
    print_left_out(o, c);
    print_kinks(o, c);
    print_loads(o, c);
    if (!c->rank_complete)
        say(o, "  some loops have too many equations to find out which of them are redundant: all count as "
               "independent,\n"
               "    and whether reactions there are unique was not determined\n");
    print_singular(o, c);
    print_redundant(o, c);
    print_reactions(o, c);
    print_tree(o, &c->tree);
    print_closure(o, c);
    for (int i = 0; i < c->n_warnings; i++)
        say(o, "  warning (%s): %s\n", c->warning[i].name, c->warning[i].text);
}
