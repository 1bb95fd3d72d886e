// Which geoms of MJCF would meet: by their bits, bodies that are welded together or are parent and child, <exclude> and <pair>.
#include "io/import_mjcf.h"

#include <string.h>

enum { WORLD = 0 };

hol_status hol_mjcf_add_body(hol_mjcf *m, int link, int parent, bool moves)
{
    int around = m->n_body - 1;
    while (around > 0 && m->body[around].link != parent) around--;
    if (!HOL_ARENA_GROW(m->in->arena, m->body, m->n_body)) return HOL_ERR_MEMORY;
    hol_mjcf_body *b = &m->body[m->n_body];
    const hol_mjcf_body *outer = around >= 0 ? &m->body[around] : NULL;
    *b = (hol_mjcf_body){.link = link, .weld = m->n_body, .parent = WORLD};
    if (outer && moves) b->parent = outer->weld;
    if (outer && !moves) b->weld = outer->weld, b->parent = outer->parent;
    m->n_body++;
    return HOL_OK;
}

hol_status hol_mjcf_list_contacts(hol_mjcf *m, hol_xml *e, int around, const hol_robot_link *l, bool weighs,
                                  bool *seen)
{
    double own = 1, others = 1;
    const char *name = hol_xml_get(e, "name");
    if (!name || !*name) name = l->name;
    hol_status st = hol_mjcf_numbers(m, e, "contype", around, 1, &own);
    if (!st) st = hol_mjcf_numbers(m, e, "conaffinity", around, 1, &others);
    if (st) return st;
    *seen = own == 0 && others == 0;
    if (*seen)
        return m->discards && weighs ? hol_import_tell(m->in, HOL_TOLD_ASSUMED, e->at, name,
                                                       "masses of geoms that discardvisual takes away",
                                                       "they count, as in MuJoCo 3; before, they did not")
                                     : HOL_OK;
    if (!HOL_ARENA_GROW(m->in->arena, m->colliding, m->n_colliding)) return HOL_ERR_MEMORY;
    m->colliding[m->n_colliding++] =
        (hol_mjcf_geom){name, e->at, m->n_body - 1, (unsigned)own, (unsigned)others};
    return HOL_OK;
}

// Do <exclude> of <contact> name both bodies? c NULL: there is no <contact>.
static hol_status is_excluded(hol_mjcf *m, hol_xml *c, int a, int b, bool *out)
{
    hol_status st = HOL_OK;
    *out = false;
    for (hol_xml *e = c ? hol_xml_find(c, "exclude") : NULL; e && !st && !*out;
         e = hol_xml_next(c, "exclude", e)) {
        int link[2] = {0, 0};
        for (int i = 0; i < 2 && !st; i++)
            st = hol_mjcf_find(m, e, i ? "body2" : "body1", m->bodies, "body", &link[i]);
        const int x = m->body[a].link, y = m->body[b].link;
        *out = (link[0] == x && link[1] == y) || (link[0] == y && link[1] == x);
    }
    return st;
}

// Would two geoms meet, wherever they are?
static hol_status may_meet(hol_mjcf *m, hol_xml *c, const hol_mjcf_geom *g, const hol_mjcf_geom *h, bool *out)
{
    const hol_mjcf_body *a = &m->body[g->body], *b = &m->body[h->body];
    const bool bits = (g->own & h->others) || (h->own & g->others), apart = a->weld != b->weld,
               held = a->weld == WORLD || b->weld == WORLD,
               related = !held && !m->off.parents && (a->weld == b->parent || b->weld == a->parent);
    bool excluded = false;
    const hol_status st = bits && apart && !related ? is_excluded(m, c, g->body, h->body, &excluded) : HOL_OK;
    *out = bits && apart && !related && !excluded;
    return st;
}

static hol_status tell(hol_mjcf *m, hol_src at, const char *geom)
{
    return hol_import_tell(m->in, HOL_TOLD_MISSED, at, geom, "contacts between geoms",
                           "nothing meets anything; `contacts` of the model file name what does");
}

hol_status hol_mjcf_tell_contacts(hol_mjcf *m)
{
    hol_xml *e = hol_xml_find(m->root, "contact");
    hol_status st = HOL_OK;
    for (hol_xml *c = e ? e->first : NULL; c; c = c->next) {
        c->taken = true;
        for (int i = 0; i < c->n; i++) c->asked[i] = true;
    }
    if (m->off.contact) return HOL_OK;
    for (int i = 0; i < m->n_colliding && !m->off.dynamic && !st; i++) {
        bool meets = false;
        for (int k = 0; k < m->n_colliding && !meets && !st; k++)
            st = may_meet(m, e, &m->colliding[i], &m->colliding[k], &meets);
        if (meets && !st) st = tell(m, m->colliding[i].at, m->colliding[i].name);
    }
    for (hol_xml *p = e ? hol_xml_find(e, "pair") : NULL; p && !st && !m->off.pairs;
         p = hol_xml_next(e, "pair", p))
        for (int i = 0; i < 2 && !st; i++) st = tell(m, p->at, hol_xml_get(p, i ? "geom2" : "geom1"));
    return st;
}
