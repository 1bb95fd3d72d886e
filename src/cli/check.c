// holonom check MODEL: counts, rank, what is redundant.
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"--set", NULL, "PATH=VALUE", "", "override a value of the model, e.g. parameters.N=40"},
    {"-q", NULL, NULL, NULL, "no notes"},
    {NULL, NULL, NULL, NULL, NULL}};

void cli_print_json(const char *text)
{
    putchar('"');
    for (const char *p = text; *p; p++) {
        if (*p == '"' || *p == '\\')
            printf("\\%c", *p);
        else if ((unsigned char)*p < 0x20)
            printf("\\u%04x", *p);
        else
            putchar(*p);
    }
    putchar('"');
}

static void print_json_equations(const hol_redundancy *r, int n, const char *between)
{
    for (int i = 0; i < n; i++) {
        printf("%s{\"joint\": ", i ? between : "");
        cli_print_json(r[i].joint);
        printf(", \"direction\": ");
        cli_print_json(r[i].direction);
        printf("}");
    }
}

static void print_json_groups(const hol_dependency *group, int n, const char *indent)
{
    for (int i = 0; i < n; i++) {
        printf("%s\n%s[", i ? "," : "", indent);
        print_json_equations(group[i].equation, group[i].n, ", ");
        printf("]");
    }
}

static void print_json_loop(const hol_redundant_loop *l)
{
    printf("\n    {\"redundant\": %d, \"joints\": [", l->redundant);
    for (int i = 0; i < l->n_joints; i++) {
        printf("%s", i ? ", " : "");
        cli_print_json(l->joint[i]);
    }
    printf("],\n     \"groups\": [");
    print_json_groups(l->group, l->redundant, "       ");
    printf("],\n     \"removed\": %d, \"replacements\": [", l->removed);
    for (int i = 0; i < l->n_replacements; i++) {
        const hol_replacement *r = &l->replacement[i];
        printf("%s{\"joint\": ", i ? ", " : "");
        cli_print_json(r->joint);
        printf(", \"type\": ");
        if (r->type)
            cli_print_json(r->type);
        else
            printf("null");
        printf(", \"fewer\": %d", r->fewer);
        if (r->remark) {
            printf(", \"remark\": ");
            cli_print_json(r->remark);
        }
        printf("}");
    }
    printf("]}");
}

static void print_json_reactions(const hol_check *c)
{
    for (int i = 0; i < c->n_reactions; i++) {
        const hol_reaction_check *r = &c->reaction[i];
        printf("%s\n    {\"joint\": ", i ? "," : "");
        cli_print_json(r->joint);
        for (int k = 0; k < r->n; k++)
            printf(", \"%s\": \"%s\"", r->component[k], hol_uniqueness_word(r->uniqueness[k]));
        printf("}");
    }
}

static void print_json_tree(const hol_tree_check *t)
{
    printf(",\n  \"tree\": {\"roots\": %d, \"depth\": %d, \"cut_joints\": %d, \"cut\": [", t->roots, t->depth,
           t->n_cut);
    for (int i = 0; i < t->n_cut && i < HOL_TREE_NAMES; i++) {
        printf("%s", i ? ", " : "");
        cli_print_json(t->cut[i]);
    }
    printf("], \"loop_equations\": %d, \"least_eigenvalue\": %.6g, \"largest_eigenvalue\": %.6g}",
           t->loop_rows, t->least, t->most);
}

static void json_text(const char *key, const char *text)
{
    printf("  \"%s\": ", key);
    if (text)
        cli_print_json(text);
    else
        printf("null");
    printf(",\n");
}

static void print_json(const hol_check *c)
{
    printf("{\n  \"bodies\": %d,\n  \"coordinates\": %d,\n  \"constraints\": %d,\n  \"rank\": %d,\n"
           "  \"degrees_of_freedom\": %d,\n  \"rank_complete\": %s,\n  \"singular_pose\": %s,\n"
           "  \"velocity_constraints\": %d,\n  \"kinks\": %d,\n  \"position_violation\": %.6g,\n  "
           "\"velocity_violation\": %.6g,\n  \"length_scale\": %.6g,\n",
           c->bodies, c->coordinates, c->constraints, c->rank, c->degrees_of_freedom,
           c->rank_complete ? "true" : "false", c->momentary ? "true" : "false", c->velocity_constraints,
           c->kinks, c->position_violation, c->velocity_violation, c->length_scale);
    json_text("open_joint", c->open_joint);
    json_text("open_direction", c->open_direction);
    printf("  \"redundant\": [");
    if (c->n_redundant) printf("\n    ");
    print_json_equations(c->redundant, c->n_redundant, ",\n    ");
    printf("%s],\n  \"poses\": %d,\n  \"loops\": [", c->n_redundant ? "\n  " : "", c->poses);
    for (int i = 0; i < c->n_loops; i++) {
        if (i) printf(",");
        print_json_loop(&c->loop[i]);
    }
    printf("%s],\n  \"instantaneous\": %d,\n  \"instant\": [", c->n_loops ? "\n  " : "", c->instantaneous);
    print_json_groups(c->instant, c->instantaneous, "    ");
    printf("%s],\n  \"reactions\": [", c->instantaneous ? "\n  " : "");
    print_json_reactions(c);
    printf("%s]", c->n_reactions ? "\n  " : "");
    print_json_tree(&c->tree);
    printf("\n}\n");
}

// ---- text -----------------------------------------------------------------------------------------------------

enum { WIDTH = 100, MOST_GROUPS = 6, MOST_NAMES = 8 };

typedef struct {
    int column, indent;
} paragraph;

// A piece that stays on one line.
static void put(paragraph *p, const char *format, ...)
{
    char text[600];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (p->column > p->indent && p->column + n > WIDTH) {
        printf("\n%*s", p->indent, "");
        p->column = p->indent;
    }
    p->column += printf("%s", p->column == p->indent && *text == ' ' ? text + 1 : text);
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
static void print_equations(const hol_redundancy *r, int n, int most, int column)
{
    static const char turn[] = "rotation about ";
    const size_t length = strlen(turn);
    paragraph p = {column, column};
    for (int i = 0, size, joints = 0; i < n; i += size) {
        size = same_joint(r, n, i);
        const int next = i + size;
        if (++joints > most) {
            put(&p, " and %d more equations", n - i);
            break;
        }
        const bool more =
            next < n && same_joint(r, n, next) == size && same_directions(r + i, r + next, size);
        put(&p, " %s%s", r[i].joint, more ? "," : ":");
        for (int k = 0; k < size && !more; k++) {
            const char *direction = r[i + k].direction;
            const bool again = k && strncmp(direction, turn, length) == 0 &&
                               strncmp(r[i + k - 1].direction, turn, length) == 0;
            put(&p, " %s%s", direction + (again ? length : 0), k + 1 < size ? "," : next < n ? ";" : "");
        }
    }
    printf("\n");
}

static void print_groups(const hol_dependency *group, int n)
{
    for (int i = 0; i < n && i < MOST_GROUPS; i++) {
        printf("    %2d  ", i + 1);
        print_equations(group[i].equation, group[i].n, 3 * MOST_NAMES, 8);
    }
    if (n > MOST_GROUPS) printf("        and %d more; --json lists them\n", n - MOST_GROUPS);
}

static void print_replacements(const hol_redundant_loop *l)
{
    const int n = l->n_replacements, shown = n > MOST_NAMES + 1 ? MOST_NAMES : n;
    paragraph p = {24, 24};
    if (!n) return;
    printf("    %-20s", l->removed == l->redundant ? "without them" : "with fewer");
    for (int i = 0; i < shown; i++) {
        const hol_replacement *r = &l->replacement[i];
        const bool again = i && !r->type == !r[-1].type, last = i > 0 && i + 1 == n;
        if (i && !last) p.column += printf(",");
        if (last) put(&p, " and");
        put(&p, "%s %s", again ? "" : r->type ? " make" : " leave out", r->joint);
        if (r->type) put(&p, " %s", r->type);
        if (r->remark) put(&p, " (%s)", r->remark);
    }
    if (shown < n) put(&p, " and %d more (--json lists them)", n - shown);
    if (l->removed < l->redundant) p.column += printf(": %d fewer", l->removed);
    p.column += printf(";");
    put(&p, " the degrees of freedom stay");
    printf("\n");
}

static void print_redundant(const hol_check *c)
{
    if (!c->n_redundant) {
        printf("  redundant             none\n");
        return;
    }
    printf("  redundant             %d, in ", c->n_redundant);
    printf(c->poses > 1 ? "each of %d poses" : "this pose; no other was found", c->poses);
    printf(": of each group, one equation follows from the others\n");
    for (int i = 0; i < c->n_loops; i++) {
        print_groups(c->loop[i].group, c->loop[i].redundant);
        print_replacements(&c->loop[i]);
    }
    printf("    left out            ");
    print_equations(c->redundant, c->n_redundant, MOST_NAMES, 24);
}

static void print_singular(const hol_check *c)
{
    if (!c->momentary) return;
    printf("  singular pose         here only, %d more degree%s of freedom: these depend on each other:\n",
           c->instantaneous, c->instantaneous == 1 ? "" : "s");
    print_groups(c->instant, c->instantaneous);
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

// "A, B: Fx Fy; C: Fz"
static void print_components(const hol_check *c, hol_uniqueness u)
{
    paragraph p = {24, 24};
    const hol_reaction_check *last = NULL;
    printf("    %-20s", hol_uniqueness_word(u));
    for (int i = 0; i <= c->n_reactions; i++) {
        const hol_reaction_check *r = i < c->n_reactions ? &c->reaction[i] : NULL;
        if (r && !has_component(r, u)) continue;
        const bool same = last && r && same_components(last, r, u);
        if (last) put(&p, " %s%s", last->joint, same ? "," : ":");
        for (int k = 0; last && !same && k < last->n; k++)
            if (last->uniqueness[k] == u) put(&p, " %s", last->component[k]);
        if (last && !same && r) p.column += printf(";");
        last = r;
    }
    printf("\n");
}

static void print_reactions(const hol_check *c)
{
    static const hol_uniqueness order[] = {HOL_SHARED, HOL_UNDETERMINED, HOL_NOT_EXAMINED};
    if (c->components[HOL_UNIQUE] == 0 && c->n_reactions == 0) return;
    int all = 0;
    for (int u = 0; u < HOL_UNIQUENESSES; u++)
        if (u != HOL_ABSENT) all += c->components[u];
    const int unique = c->components[HOL_UNIQUE];
    if (unique == all) return;
    if (unique)
        printf("  reactions             %d of %d components are unique\n", unique, all);
    else
        printf("  reactions             none of %d components is unique\n", all);
    for (int i = 0; i < 3; i++)
        if (c->components[order[i]]) print_components(c, order[i]);
    if (c->components[HOL_SHARED])
        printf("    what is shared is given as the value of the multipliers of smallest norm\n");
}

static void print_tree(const hol_tree_check *t)
{
    printf("  tree of joints        %d root%s, %d bod%s deep; ", t->roots, t->roots == 1 ? "" : "s", t->depth,
           t->depth == 1 ? "y" : "ies");
    const int named = t->n_cut < HOL_TREE_NAMES ? t->n_cut : HOL_TREE_NAMES;
    printf("%s", t->n_cut ? "cut:" : "nothing is cut");
    for (int i = 0; i < named; i++) printf("%s %s", i ? "," : "", t->cut[i]);
    if (t->n_cut > named) printf(" and %d more", t->n_cut - named);
    printf("\n");
    if (t->most > 0)
        printf("  loop operator         %d equations, eigenvalues from about %.3g to %.3g\n", t->loop_rows,
               t->least, t->most);
}

#define CLOSED 1e-9 // of the natural length, or rad

static void print_closure(const hol_check *c)
{
    if (c->position_violation < CLOSED)
        printf("  joints close as drawn");
    else
        printf("  joints as drawn are open by %.3g (%s: %s)", c->position_violation, c->open_joint,
               c->open_direction);
    if (c->velocity_violation < CLOSED)
        printf(", velocities as given fit\n");
    else
        printf(", velocities as given miss by %.3g\n", c->velocity_violation);
    if (c->position_violation >= CLOSED || c->velocity_violation >= CLOSED)
        printf("    relative to %.3g m\n", c->length_scale);
}

static void print_text(const hol_check *c, const char *file)
{
    printf("%s\n", c->title ? c->title : file);
    printf("  bodies                %d\n  coordinates           %d\n  constraint equations  %d, %d of them "
           "independent\n"
           "  degrees of freedom    %d\n",
           c->bodies, c->coordinates, c->constraints, c->rank, c->degrees_of_freedom);
    if (c->velocity_constraints)
        printf("  velocity constraints  %d: velocities have %d degrees of freedom\n", c->velocity_constraints,
               c->degrees_of_freedom - c->velocity_constraints);
    if (c->kinks)
        printf("  kinks                 %d function%s in expressions, whose derivative jumps somewhere: "
               "steps are "
               "short there\n",
               c->kinks, c->kinks == 1 ? "" : "s");
    if (!c->rank_complete)
        printf("  a group of loops has too many equations for its rank to be computed: it counts as "
               "independent, and is\n"
               "  regularised; whether its reactions are unique was not determined\n");
    print_singular(c);
    print_redundant(c);
    print_reactions(c);
    print_tree(&c->tree);
    print_closure(c);
}

static int run(hol_context *ctx, const cli_options *o)
{
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    hol_check *c = model ? hol_check_create(ctx, model) : NULL;
    int code = 0;
    if (!c)
        code = cli_fail(ctx, hol_context_status(ctx));
    else if (o->json)
        print_json(c);
    else
        print_text(c, o->model);
    hol_check_destroy(c);
    hol_model_destroy(model);
    return code;
}

const cli_verb cli_check = {"check",
                            "MODEL [options]",
                            "count bodies and equations, find the rank and what is redundant",
                            "Examples:\n  holonom check models/bricard.yaml\n  holonom check "
                            "models/four_bar.yaml --set parameters.N=40 --json",
                            options,
                            run};
