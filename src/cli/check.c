// holonom check MODEL: counts, rank, what is redundant.
#include "cli/graph.h"
#include "cli/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"--contacts", NULL, NULL, NULL,
     "list the pairs of shapes that rules of contacts name, and why some are left out"},
    {"--graph", NULL, "FILE", NULL,
     "draw bodies and joints as a graph: .svg, .png, .pdf (needs Graphviz) or .dot"},
    {"--set", NULL, "PATH=VALUE", "", "override a value of the model, e.g. parameters.N=40"},
    {"-q", NULL, NULL, NULL, "no notes"},
    {NULL, NULL, NULL, NULL, NULL}};

// A text in quotes with JSON's escapes.
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

static void put_number(double x)
{
    if (isfinite(x))
        printf("%.17g", x);
    else
        printf("null");
}

void cli_print_json_number(const char *key, double x)
{
    printf(", \"%s\": ", key);
    put_number(x);
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

// One redundant loop: its joints, groups of equations, and joints that would do without.
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

// Which components of each joint's reaction are unique.
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

// The forest of joints, its cut joints, and the eigenvalues of the loops.
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

static void print_json_names(const char *key, int n, const char *const *name)
{
    printf(",\n  \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        printf("%s", i ? ", " : "");
        cli_print_json(name[i]);
    }
    printf("]");
}

// Kinks of expressions, and warnings by name.
static void print_json_warnings(const hol_check *c)
{
    print_json_names("functions_of_time", c->n_loads, c->load);
    print_json_names("kink_places", c->n_kinks, c->kink);
    printf(",\n  \"warnings\": [");
    for (int i = 0; i < c->n_warnings; i++) {
        printf("%s\n    {\"name\": \"%s\", \"text\": ", i ? "," : "", c->warning[i].name);
        cli_print_json(c->warning[i].text);
        printf("}");
    }
    printf("%s]", c->n_warnings ? "\n  " : "");
}

// Bodies whose mass follows from their shapes.
static void print_json_masses(const hol_check *c)
{
    printf(",\n  \"masses\": [");
    for (int i = 0; i < c->n_masses; i++) {
        const hol_mass_check *b = &c->mass[i];
        printf("%s\n    {\"body\": ", i ? "," : "");
        cli_print_json(b->body);
        cli_print_json_number("mass", b->mass);
        printf(", \"centre\": [%.17g, %.17g, %.17g]", b->centre[0], b->centre[1], b->centre[2]);
        for (int k = 0; k < 6; k++) printf("%s%.17g", k ? ", " : ", \"inertia\": [", b->inertia[k]);
        printf("]}");
    }
    printf("%s]", c->n_masses ? "\n  " : "");
}

// What contacts will do in free impacts.
static void print_json_contacts(const hol_check *c)
{
    printf(",\n  \"contacts\": [");
    for (int i = 0; i < c->n_contacts; i++) {
        const hol_contact_check *k = &c->contact[i];
        const struct {
            const char *key;
            const double *x;
        } rows[] = {
            {"speed", k->speed}, {"restitution", k->restitution}, {"lasts", k->lasts}, {"depth", k->depth}};
        printf("%s\n    {\"name\": ", i ? "," : "");
        cli_print_json(k->name);
        for (int j = 0; j < (int)(sizeof rows / sizeof *rows); j++) {
            printf(", \"%s\": [", rows[j].key);
            for (int l = 0; l < 3; l++) {
                if (l) printf(", ");
                put_number(rows[j].x[l]);
            }
            printf("]");
        }
        cli_print_json_number("deepest", k->deepest);
        cli_print_json_number("rests", k->rests);
        printf("}");
    }
    printf("%s]", c->n_contacts ? "\n  " : "");
}

// The pairs of shapes that rules name.
static void print_json_pairs(const hol_check *c)
{
    printf(",\n  \"contact_pairs\": [");
    for (int i = 0; i < c->n_pairs; i++) {
        const hol_pair_check *p = &c->pair[i];
        printf("%s\n    {\"rule\": ", i ? "," : "");
        cli_print_json(p->rule);
        printf(", \"pair\": ");
        cli_print_json(p->pair);
        printf(", \"contacts\": %d, \"left_out\": ", p->contacts);
        if (p->left)
            cli_print_json(p->left);
        else
            printf("null");
        printf("}");
    }
    printf("%s],\n  \"more_pairs_left_out\": %s", c->n_pairs ? "\n  " : "", c->more_pairs ? "true" : "false");
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

// All that a check has found, as one object.
static void print_json(const hol_check *c, bool pairs)
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
    print_json_masses(c);
    print_json_contacts(c);
    if (pairs) print_json_pairs(c);
    print_json_names("off_at_the_start", c->n_idle, c->idle);
    print_json_names("switched", c->n_switched, c->switched);
    print_json_warnings(c);
    printf("\n}\n");
}

// The verb: checks the model and prints what was found, or draws its graph.
static int run(hol_context *ctx, const cli_options *o)
{
    if (o->graph && (cli_graph_refuse(o->graph) || cli_check_outputs(o))) return 2;
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    int code = model ? cli_keep_model(ctx, o, model) : 0;
    hol_check *c = model && !code ? hol_check_create(ctx, model) : NULL;
    if (code)
        ;
    else if (!c)
        code = cli_fail(ctx, hol_context_status(ctx));
    else if (o->json)
        print_json(c, o->list_contacts);
    else
        hol_check_print(c, o->model, cli_print, stdout);
    if (!code && c && o->list_contacts && !o->json) hol_check_print_pairs(c, cli_print, stdout);
    if (!code && o->graph) code = cli_graph(ctx, model, c->bodies, o->graph);
    hol_check_destroy(c);
    hol_model_destroy(model);
    return code;
}

const cli_verb cli_check = {"check",
                            "MODEL [options]",
                            "count bodies and equations, find the rank and what is redundant",
                            "Examples:\n  holonom check models/bricard.yaml\n  holonom check "
                            "models/four_bar.yaml --set parameters.N=40 --json\n"
                            "  holonom check models/andrews.yaml --graph andrews.svg\n"
                            "  holonom elements redundant    (explains a word of the output)",
                            options,
                            run};
