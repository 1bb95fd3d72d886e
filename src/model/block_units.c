// Dimensions of the coefficients of blocks: those that are written with a unit must agree.
#include "model/read_users.h"

#include <string.h>

enum { POWERS = 3 }; // length, mass, time: radians stand where no angle is written

typedef struct {
    int power[POWERS];
} dimension;

static dimension difference(dimension a, dimension b)
{
    for (int i = 0; i < POWERS; i++) a.power[i] -= b.power[i];
    return a;
}

// The dimension of a number times the time to a power. false: it is written without a unit.
static bool find_dimension(const hol_constant *c, int times, dimension *out)
{
    memcpy(out->power, c->nature.dimension.power, sizeof out->power);
    out->power[2] += times * HOL_POWER_ONE;
    return c->value != 0 && c->nature.flags & HOL_NATURE_UNIT && !(c->nature.flags & HOL_NATURE_LOOSE);
}

// `given` stands where `wanted` fits: both are of the number itself, and of the time to this power.
static hol_status refuse(const hol_reader *r, const hol_node *node, const hol_path *path, dimension given,
                         dimension wanted, int times)
{
    char text[2][100];
    const dimension *const both[] = {&given, &wanted};
    for (int k = 0; k < 2; k++) {
        hol_dimension d = {{0}};
        memcpy(d.power, both[k]->power, sizeof both[k]->power);
        d.power[2] -= times * HOL_POWER_ONE;
        hol_dimension_print(&d, text[k], sizeof text[k]);
    }
    return hol_read_fail(
        r, node, path,
        "dimension: %s where %s goes with the other numbers that have a unit; mend it, or leave "
        "all units away: plain numbers are in SI",
        text[0], text[1]);
}

hol_status hol_check_coefficients(const hol_reader *r, const hol_node *item, const hol_path *up,
                                  const char *key)
{
    const hol_node *entry = hol_node_find(item, key);
    const hol_path path = {up, key, 0, NULL};
    const int n = hol_entry_length(item, key);
    dimension first = {{0}}, here;
    bool known = false;
    for (int i = 0; i < n; i++) {
        const hol_path at = {&path, NULL, i, NULL};
        const hol_node *node = hol_entry_item(entry, i);
        hol_constant c;
        const int power = n - 1 - i;
        const hol_status st = hol_read_named_number(r, node, &at, &c);
        if (st) return st;
        if (!find_dimension(&c, -power, &here)) continue;
        if (known && memcmp(&here, &first, sizeof here) != 0)
            return refuse(r, node, &at, here, first, -power);
        first = here;
        known = true;
    }
    return HOL_OK;
}

// ---- state-space blocks ---------------------------------------------------------------------------------------

// States, then inputs, then outputs. Each is known against another one, up to one that is known against none.
typedef struct {
    int *above;         // -1: against none                                               (n)
    dimension *against; // its dimension over that of `above`                               (n)
} links;

static int root_of(const links *l, int i, dimension *over)
{
    *over = (dimension){{0}};
    for (; l->above[i] >= 0; i = l->above[i])
        for (int k = 0; k < POWERS; k++) over->power[k] += l->against[i].power[k];
    return i;
}

// The dimension of i over that of j is d. false: it is *instead.
static bool link_to(const links *l, int i, int j, dimension d, dimension *instead)
{
    dimension of_i, of_j;
    const int a = root_of(l, i, &of_i), b = root_of(l, j, &of_j);
    *instead = difference(of_i, of_j);
    if (a == b) return memcmp(instead, &d, sizeof d) == 0;
    l->above[a] = b; // a/b = (i/j) (j/b) / (i/a)
    l->against[a] = difference(d, *instead);
    return true;
}

// What entries (i, j) of a matrix say of rows from `first` and columns from `second` on; a rate is a state over the time.
static hol_status link_matrix(const hol_reader *r, const hol_node *item, const hol_path *up, const char *key,
                              const links *l, int first, int second, int times)
{
    const hol_node *list = hol_node_find(item, key);
    const hol_path path = {up, key, 0, NULL};
    for (int i = 0; list && i < list->n; i++)
        for (int j = 0; j < list->value[i]->n; j++) {
            const hol_path row = {&path, NULL, i, NULL}, at = {&row, NULL, j, NULL};
            const hol_node *node = list->value[i]->value[j];
            hol_constant c;
            dimension d, instead;
            const hol_status st = hol_read_named_number(r, node, &at, &c);
            if (st) return st;
            if (find_dimension(&c, times, &d) && !link_to(l, first + i, second + j, d, &instead))
                return refuse(r, node, &at, d, instead, times);
        }
    return HOL_OK;
}

hol_status hol_check_space_units(const hol_reader *r, const hol_node *item, const hol_path *path, int nx,
                                 int nu, int ny)
{
    const int n = nx + nu + ny;
    links l = {hol_arena_alloc(r->draft, (size_t)n + 1, sizeof *l.above),
               hol_arena_alloc(r->draft, (size_t)n + 1, sizeof *l.against)};
    if (!l.above || !l.against) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) l.above[i] = -1;
    hol_status st = link_matrix(r, item, path, "A", &l, 0, 0, 1);
    if (!st) st = link_matrix(r, item, path, "B", &l, 0, nx, 1);
    if (!st) st = link_matrix(r, item, path, "C", &l, nx + nu, 0, 0);
    return st ? st : link_matrix(r, item, path, "D", &l, nx + nu, nx, 0);
}
