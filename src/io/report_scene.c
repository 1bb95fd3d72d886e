// What a report page shows, as JSON.
#include "analysis/signals.h"
#include "element/contact.h"
#include "io/contacts_file.h"
#include "io/json.h"
#include "io/report_data.h"
#include "scene/swing.h"

#include <stdio.h>
#include <string.h>

// One thing the check says: "  bodies                5", or more lines, of which the others have more blanks in front.
typedef struct {
    char label[24]; // "": none
    char *text;     // its lines, without the label
    bool long_one;  // more than one line
} finding;

// Takes the next one off the text; false: there is none.
static bool next_finding(hol_page *p, const char **rest, finding *out)
{
    const char *s = *rest, *end = s;
    if (!s || strncmp(s, "  ", 2) != 0) return false;
    size_t lines = 0;
    do {
        end = strchr(end, '\n');
        end = end ? end + 1 : s + strlen(s);
        lines++;
    } while (strncmp(end, "    ", 4) == 0);
    *rest = end;
    const char *gap = strstr(s + 2, "  "), *line = memchr(s, '\n', (size_t)(end - s));
    const size_t label =
        gap && (!line || gap < line) && (size_t)(gap - s) < sizeof out->label ? (size_t)(gap - s) - 2 : 0;
    memcpy(out->label, s + 2, label);
    out->label[label] = 0;
    const char *from = label ? gap + strspn(gap, " ") : s + 2;
    out->text = hol_arena_alloc(p->arena, (size_t)(end - from) + 1, 1);
    out->long_one = lines > 1;
    if (!out->text) return false;
    size_t n = 0;
    for (const char *c = from; c < end; c++) {
        out->text[n++] = *c;
        if (*c == '\n') c += strspn(c + 1, " ") < 4 ? 0 : 4;
    }
    while (n && out->text[n - 1] == '\n') n--;
    out->text[n] = 0;
    return true;
}

// ---- the scene as JSON ----------------------------------------------------------------------------------------

// -1: it is not among those shown
static int signal_number(hol_page *p, const char *element, const char *component)
{
    const hol_arena_mark here = hol_arena_here(p->arena);
    const char *name = hol_arena_print(p->arena, "%s.%s", element, component);
    const int i = name ? hol_names_find(p->number, name) : -1;
    hol_arena_release(p->arena, here);
    return i;
}

static void put_text(void *user, const char *text) { hol_pack_put(user, text, strlen(text)); }

static void put_numbers(hol_json *j, const char *key, const double *x, int n)
{
    hol_json_open(j, key, '[');
    for (int i = 0; i < n; i++) hol_json_number(j, NULL, x[i]);
    hol_json_close(j, ']');
}

static void put_pair(hol_json *j, const char *a, const char *b)
{
    hol_json_open(j, NULL, '[');
    hol_json_text(j, NULL, a);
    hol_json_text(j, NULL, b);
    hol_json_close(j, ']');
}

static void put_bodies(hol_json *j, hol_page *p)
{
    const hol_model_data *m = p->m;
    hol_json_open(j, "bodies", '[');
    for (int i = 0; i < m->n_bodies; i++) hol_json_text(j, NULL, m->body[i].name);
    hol_json_close(j, ']');
    char *channels = hol_arena_alloc(p->arena, (size_t)m->n_bodies + 1, 1);
    for (int i = 0; i < m->n_bodies && channels; i++) channels[i] = hol_poses_letter(m, i);
    hol_json_text(j, "channels", channels ? channels : "");
}

// A shape as the viewer draws it: kind, sizes, place, colour, or the mesh.
static void put_shape(hol_json *j, const hol_drawing *d, int mesh)
{
    static const int sizes[] = {3, 2, 1, 2, 1, 0};
    char color[8];
    hol_json_open(j, NULL, '{');
    hol_json_number(j, "body", d->body);
    hol_json_text(j, "type", hol_shape_word(d->kind));
    put_numbers(j, "size", d->size, d->touch == HOL_TOUCH_ELLIPSOID ? 3 : sizes[d->kind]);
    put_numbers(j, "position", d->position, 3);
    put_numbers(j, "quaternion", d->quat, 4);
    if (d->kind == HOL_SHAPE_POLYLINE) {
        hol_json_flag(j, "closed", d->closed);
        hol_json_open(j, "points", '[');
        for (int i = 0; i < d->n_points; i++) put_numbers(j, NULL, d->point + 3 * i, 3);
        hol_json_close(j, ']');
    }
    if (mesh >= 0) hol_json_number(j, "mesh", mesh);
    snprintf(color, sizeof color, "#%06x", (unsigned)d->color & 0xffffff);
    if (d->color >= 0)
        hol_json_text(j, "color", color);
    else
        hol_json_null(j, "color");
    hol_json_flag(j, "inferred", d->inferred);
    hol_json_close(j, '}');
}

// All shapes, and the meshes they name.
static void put_shapes(hol_json *j, const hol_page *p)
{
    hol_json_open(j, "shapes", '[');
    for (int i = 0; i < p->scene->n_drawings; i++) {
        const hol_drawing *d = &p->scene->drawing[i];
        if (d->kind < HOL_SHAPE_MESH || p->mesh_of[i] >= 0) put_shape(j, d, p->mesh_of[i]);
    }
    hol_json_close(j, ']');
    hol_json_open(j, "meshes", '[');
    for (int i = 0; i < p->n_meshes; i++) {
        hol_json_open(j, NULL, '{');
        hol_json_text(j, "positions", p->mesh[i].positions);
        hol_json_text(j, "indices", p->mesh[i].indices);
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

// Columns of the reaction among the signals: it acts at the last end, on that end's body.
static void put_reaction(hol_json *j, hol_page *p, const hol_scene_joint *s)
{
    const hol_element *e = &p->m->element[s->element];
    int column[6] = {-1, -1, -1, -1, -1, -1}, any = 0, n;
    const char *const *component = hol_reaction_components(p->m->dimension, &n);
    for (int k = 0; k < n; k++) {
        const int at = n == 3 && k == 2 ? 5 : k; // the torque in the plane is about z
        column[at] = signal_number(p, s->name, component[k]);
        any += column[at] >= 0;
    }
    if (!any || e->n_ends < 1) {
        hol_json_null(j, "reaction");
        return;
    }
    const bool axes = e->end[e->n_ends - 1].marker->frame != HOL_FRAME_POINT;
    hol_json_open(j, "reaction", '{');
    for (int k = 0; k < 6; k++) {
        if (k % 3 == 0) hol_json_open(j, k ? "torque" : "columns", '[');
        hol_json_number(j, NULL, column[k]);
        if (k % 3 == 2) hol_json_close(j, ']');
    }
    hol_json_text(j, "axes", axes ? "end" : "global");
    hol_json_close(j, '}');
}

// Joints and forces: their ends, whether the tree is cut there, and the signals of their reactions.
static void put_joints(hol_json *j, hol_page *p)
{
    static const char *const kind[HOL_ROLES] = {"body", "joint", "driver", "constraint", "force"};
    hol_json_open(j, "joints", '[');
    for (int i = 0; i < p->scene->n_joints; i++) {
        const hol_scene_joint *s = &p->scene->joint[i];
        hol_json_open(j, NULL, '{');
        hol_json_text(j, "name", s->name);
        hol_json_text(j, "kind", kind[s->role]);
        hol_json_text(j, "type", s->type);
        hol_json_open(j, "ends", '[');
        for (int k = 0; k < s->n_ends; k++) {
            hol_json_open(j, NULL, '{');
            hol_json_number(j, "body", s->end[k].body);
            put_numbers(j, "position", s->end[k].position, 3);
            put_numbers(j, "quaternion", s->end[k].quat, 4);
            hol_json_close(j, '}');
        }
        hol_json_close(j, ']');
        hol_json_flag(j, "cut", s->cut);
        put_reaction(j, p, s);
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

static void put_indices(hol_json *j, const char *key, const int *x, int n)
{
    hol_json_open(j, key, '[');
    for (int i = 0; i < n; i++) hol_json_number(j, NULL, x[i]);
    hol_json_close(j, ']');
}

// The signals of a contact that make a vector; those that the plane has not are -1.
static void put_vector(hol_json *j, hol_page *p, const char *key, const char *name, const char *const axis[3])
{
    hol_json_open(j, key, '[');
    for (int i = 0; i < 3; i++) hol_json_number(j, NULL, signal_number(p, name, axis[i]));
    hol_json_close(j, ']');
}

// Contacts whose signals are shown: where they are, and what acts there.
static void put_contacts(hol_json *j, hol_page *p)
{
    static const char *const point[] = {"px", "py", "pz"}, *const normal[] = {"nx", "ny", "nz"},
                             *const friction[] = {"friction.x", "friction.y", "friction.z"};
    hol_json_open(j, "contacts", '[');
    for (int i = p->m->n_bodies; i < p->m->n_elements; i++) {
        const hol_element *e = &p->m->element[i];
        if (e->type != &hol_force_contact) continue;
        const int F = signal_number(p, e->name, "F");
        if (F < 0 || signal_number(p, e->name, "px") < 0 || signal_number(p, e->name, "nx") < 0) continue;
        hol_json_open(j, NULL, '{');
        hol_json_text(j, "name", e->name);
        hol_json_number(j, "coefficient", hol_contact_sliding(e));
        hol_json_number(j, "F", F);
        put_vector(j, p, "point", e->name, point);
        put_vector(j, p, "normal", e->name, normal);
        put_vector(j, p, "friction", e->name, friction);
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

// The table of contacts.
static void put_touches(hol_json *j, const hol_page *p)
{
    if (p->n_touches < 0 || !p->m->n_contact_sums) return;
    hol_json_open(j, "touches", '{');
    hol_json_open(j, "columns", '[');
    for (int i = 0; i < hol_n_contact_columns; i++) {
        hol_json_open(j, NULL, '{');
        hol_json_text(j, "name", hol_contact_columns[i].name);
        hol_json_text(j, "unit", hol_contact_columns[i].unit);
        hol_json_text(j, "doc", hol_contact_columns[i].doc);
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
    hol_json_open(j, "rows", '[');
    for (int k = 0; k < p->n_touches; k++) {
        const hol_contact_event *e = &p->touch[k];
        hol_json_open(j, NULL, '[');
        hol_json_text(j, NULL, e->name);
        hol_json_text(j, NULL, e->pair);
        hol_json_text(j, NULL, hol_contact_edge_word(e->begins, false));
        hol_json_text(j, NULL, hol_contact_edge_word(e->ends, true));
        for (int i = 0; i < hol_n_contact_columns; i++) hol_json_number(j, NULL, hol_contact_number(e, i));
        hol_json_close(j, ']');
    }
    hol_json_close(j, ']');
    hol_json_close(j, '}');
}

// Closed loops: the joints and bodies of each.
static void put_loops(hol_json *j, const hol_scene *s)
{
    hol_json_open(j, "loops", '[');
    for (int i = 0; i < s->n_loops; i++) {
        hol_json_open(j, NULL, '{');
        put_indices(j, "joints", s->loop[i].joint, s->loop[i].n_joints);
        put_indices(j, "bodies", s->loop[i].body, s->loop[i].n_bodies);
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

// Names, units and meanings of the signals.
static void put_signals(hol_json *j, const hol_page *p)
{
    hol_json_open(j, "signals", '[');
    for (int i = 0; i < p->n_signals; i++) {
        hol_json_open(j, NULL, '{');
        hol_json_text(j, "name", p->name[i]);
        hol_json_text(j, "unit", p->unit[i]);
        hol_json_text(j, "doc", hol_signal_doc_of(p->m, p->name[i]));
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

int hol_page_signals(const hol_page *p, const char *word, int *signal, int most)
{
    const size_t length = strlen(word);
    const int same = hol_names_find(p->number, word);
    int n = 0;
    if (same >= 0 && most > 0) signal[n++] = same;
    for (int i = 0; i < p->n_signals && same < 0 && n < most; i++)
        if (strncmp(p->name[i], word, length) == 0 && p->name[i][length] == '.' &&
            !strchr(p->name[i] + length + 1, '.'))
            signal[n++] = i;
    return n;
}

// Pictures that the model wants; of what is not shown the page says so.
static void put_plots(hol_json *j, const hol_page *p)
{
    const hol_spec *spec = p->m->spec;
    int signal[HOL_PAGE_OPEN];
    put_indices(j, "open", p->open, p->n_open);
    hol_json_open(j, "plots", '[');
    for (int i = 0; i < spec->n_plots; i++) {
        const hol_spec_plot *plot = &spec->plot[i];
        if (!hol_page_signals(p, plot->x.name, signal, 1)) continue;
        hol_json_open(j, NULL, '{');
        hol_json_number(j, "x", signal[0]);
        hol_json_open(j, "y", '[');
        for (int k = 0; k < plot->n; k++) {
            const int n = hol_page_signals(p, plot->y[k].name, signal, HOL_PAGE_OPEN);
            for (int s = 0; s < n; s++) hol_json_number(j, NULL, signal[s]);
        }
        hol_json_close(j, ']');
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

// Modes: what each is, and where its frames are (scene/swing.h).
static void put_modes(hol_json *j, const hol_page *p)
{
    char label[100];
    hol_json_open(j, "modes", '[');
    for (int i = 0; i < p->n_modes; i++) {
        hol_swing_label(&p->modes->mode[i], label, sizeof label);
        hol_json_open(j, NULL, '{');
        hol_json_text(j, "label", label);
        hol_json_number(j, "first", 1 + HOL_SWING_ROWS * i);
        hol_json_number(j, "frames", HOL_SWING_ROWS);
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

// Lines `label: text` as pairs.
static void put_summary(hol_json *j, hol_page *p)
{
    hol_json_open(j, "summary", '[');
    for (const char *s = p->summary; *s;) {
        const size_t n = strcspn(s, "\n");
        char *line = hol_arena_copy(p->arena, s, n), *cut = line ? strstr(line, ": ") : NULL;
        if (cut) {
            *cut = 0;
            put_pair(j, line, cut + 2);
        }
        s += n + (s[n] == '\n');
    }
    hol_json_close(j, ']');
}

// What takes one line as pairs, the first of which may be empty; a finding takes more.
static void put_check(hol_json *j, hol_page *p)
{
    for (int pass = 0; pass < 2; pass++) {
        const char *rest = p->check ? strchr(p->check, '\n') : NULL; // the first line is the title
        finding f;
        rest = rest ? rest + 1 : NULL;
        hol_json_open(j, pass ? "findings" : "check", '[');
        while (next_finding(p, &rest, &f)) {
            if (f.long_one == (pass == 0)) continue;
            if (!f.long_one)
                put_pair(j, f.label, f.text);
            else
                hol_json_text(j, NULL,
                              *f.label ? hol_arena_print(p->arena, "%s: %s", f.label, f.text) : f.text);
        }
        hol_json_close(j, ']');
    }
}

// The text of the model file and what was changed by --set.
static void put_model(hol_json *j, const hol_page *p)
{
    const hol_spec *spec = p->m->spec;
    hol_json_open(j, "model", '{');
    hol_json_text(j, "file", spec->file);
    hol_json_text(j, "text", p->model_text);
    hol_json_open(j, "set", '[');
    for (int i = 0; i < spec->n_overrides; i++) hol_json_text(j, NULL, spec->override[i]);
    hol_json_close(j, ']');
    hol_json_close(j, '}');
}

void hol_page_pack_scene(hol_pack *pack, hol_page *p, const double low[3], double edge)
{
    hol_json json = {.print = put_text, .user = pack, .flat = true}, *j = &json;
    const hol_spec *spec = p->m->spec;
    const double high[3] = {low[0] + edge, low[1] + edge, low[2] + edge};
    hol_pack_begin(pack, "scene");
    hol_json_open(j, NULL, '{');
    hol_json_text(j, "title", p->title);
    hol_json_number(j, "dimension", p->m->dimension);
    if (spec->gravity_given)
        put_numbers(j, "gravity", spec->gravity, 3);
    else
        hol_json_null(j, "gravity");
    hol_json_number(j, "length", p->scene->length);
    hol_json_number(j, "frames", (double)p->poses.pose.n);
    hol_json_open(j, "box", '{');
    put_numbers(j, "min", low, 3);
    put_numbers(j, "max", high, 3);
    hol_json_close(j, '}');
    put_bodies(j, p);
    put_shapes(j, p);
    put_joints(j, p);
    put_contacts(j, p);
    put_touches(j, p);
    put_loops(j, p->scene);
    put_signals(j, p);
    put_plots(j, p);
    if (p->modes) put_modes(j, p);
    hol_json_open(j, "notices", '[');
    for (int i = 0; i < p->n_notices; i++) hol_json_text(j, NULL, p->notice[i]);
    hol_json_close(j, ']');
    put_summary(j, p);
    put_check(j, p);
    put_model(j, p);
    hol_json_text(j, "version", "holonom " HOL_VERSION);
    hol_json_close(j, '}');
    hol_pack_end(pack);
}
