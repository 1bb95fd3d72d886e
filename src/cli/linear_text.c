// Linearised motions: where, as it is asked for and as text, and the table of eigenvalues.
#include "cli/linear_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define ROUNDING 1e-12 // of a damping ratio

int cli_read_linear(const cli_options *o, const cli_option *options, hol_linear_options *out)
{
    char *end = "";
    if (o->at) out->at = strtod(o->at, &end);
    if (o->at && (end == o->at || *end || !(out->at >= 0) || !isfinite(out->at)))
        return cli_wrong("--at", o->at, "a time in seconds is wanted, a number without a unit, 0 or more");
    for (const cli_option *p = options; p->name; p++)
        for (int i = 0; i < o->n_set && p->set && strncmp(p->set, "simulate.", 9) == 0 && !(out->at > 0); i++)
            if (strncmp(o->set[i], p->set, strlen(p->set)) == 0)
                return cli_wrong(p->name, o->set[i] + strlen(p->set),
                                 "it says how to go to the time of --at, which is not given");
    out->equilibrium = o->equilibrium;
    if (o->metric && strcmp(o->metric, "natural") == 0)
        out->metric = HOL_METRIC_NATURAL;
    else if (o->metric && strcmp(o->metric, "mass") != 0)
        return cli_wrong("--metric", o->metric, "mass or natural is wanted");
    return 0;
}

void cli_print_linear_head(const hol_linear *l)
{
    if (l->warning) printf("warning: %s\n", l->warning);
    printf("%s\n  t = %.6g s, %d degree%s of freedom", l->title ? l->title : l->model, l->time,
           l->degrees_of_freedom, l->degrees_of_freedom == 1 ? "" : "s");
    if (l->velocity_constraints)
        printf(", %d of velocities", l->degrees_of_freedom - l->velocity_constraints);
    printf("; %d state%s, %d input%s, %d output%s\n", l->n_x, l->n_x == 1 ? "" : "s", l->n_u,
           l->n_u == 1 ? "" : "s", l->n_y, l->n_y == 1 ? "" : "s");
    if (l->equilibrium)
        printf("  an equilibrium\n");
    else if (l->steady)
        printf("  a steady motion: the coordinates and their rates are constant\n");
    else
        printf("  neither an equilibrium nor a steady motion (forces left %.3g, speed %.3g)\n", l->residual,
               l->speed);
}

// The states with the largest entries, at most three above a twentieth of the largest.
static void print_movers(const hol_linear *l, int pole)
{
    enum { MOST = 3 };
    double last = HUGE_VAL;
    int last_state = -1;
    for (int shown = 0; shown < MOST; shown++) {
        int best = -1;
        double most = 0.05;
        for (int i = 0; i < l->n_x; i++) {
            const double size = hypot(l->vector_re[pole * l->n_x + i], l->vector_im[pole * l->n_x + i]);
            if (size > last || (size == last && i <= last_state) || size <= most) continue;
            most = size;
            best = i;
        }
        if (best < 0) return;
        printf("%s%s %.2g", shown ? ", " : "  ", l->x[best].name, most);
        last = most;
        last_state = best;
    }
}

void cli_print_poles(const hol_linear *l)
{
    const bool judged = !l->warning;
    printf("pole         re[1/s]         im[1/s] frequency[Hz]  damping ratio\n");
    for (int i = 0; i < l->n_x; i++) {
        const double re = l->pole_re[i], im = l->pole_im[i], size = hypot(re, im),
                     damping = size > 0 ? -re / size : 0;
        if (im < 0) continue;
        printf("%4d %15.9g %15.9g", i + 1, re, im);
        if (im > 0)
            printf(" %13.6g %14.4g", size / (2 * PI), fabs(damping) < ROUNDING ? 0 : damping);
        else
            printf(" %13s %14s", "-", "-");
        printf("  %-6s", judged && re > ROUNDING * size && re > 0 ? "grows" : "");
        print_movers(l, i);
        printf("\n");
    }
}
