// Values of XML files that are imported: numbers, words, addresses of files, and what nobody has asked for.
#include "io/import_xml.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const char blanks[] = " \t\r\n";

hol_status hol_import_need(hol_import *in, hol_xml *e, const char *name, hol_xml **out)
{
    *out = hol_xml_find(e, name);
    if (*out) return HOL_OK;
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at, "<%s>: there is no <%s> in it", e->name, name);
}

hol_status hol_import_word(hol_import *in, hol_xml *e, const char *key, const char **out)
{
    *out = hol_xml_get(e, key);
    if (*out && (*out)[strspn(*out, blanks)]) return HOL_OK;
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at, *out ? "<%s>: its %s is empty" : "<%s>: it has no %s",
                       e->name, key);
}

hol_status hol_import_some(hol_import *in, hol_src at, const char *key, const char *text, int most,
                           double *out, int *n)
{
    const char *p = text;
    *n = 0;
    for (p += strspn(p, blanks); *p; ++*n) {
        char *end;
        const double x = hol_decimal_read(p, &end);
        const int length = (int)strcspn(p, blanks);
        if (end != p + length || !isfinite(x) || memchr(p, 'x', (size_t)length) ||
            memchr(p, 'X', (size_t)length))
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, at, "%s: \"%.*s\" is no finite number%s", key,
                               length < 40 ? length : 40, p,
                               memchr(p, '$', (size_t)length) ? "; xacro files become URDF by `xacro FILE`"
                                                              : "");
        if (*n < most) out[*n] = x;
        p += length;
        p += strspn(p, blanks);
    }
    if (*n <= most) return HOL_OK;
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, at, "%s: \"%.60s\" is %d numbers; wanted are %d at most", key,
                       text, *n, most);
}

hol_status hol_import_numbers_of(hol_import *in, hol_src at, const char *key, const char *text, int n,
                                 double *out)
{
    enum { MOST = 8 };
    double all[MOST];
    int found;
    const hol_status st = hol_import_some(in, at, key, text, MOST, all, &found);
    if (st) return st;
    if (found != n)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, at, "%s: \"%.60s\" is %d number%s; wanted %s %d", key,
                           text, found, found == 1 ? "" : "s", n == 1 ? "is" : "are", n);
    memcpy(out, all, (size_t)n * sizeof *out);
    return HOL_OK;
}

hol_status hol_import_vector(hol_import *in, hol_xml *e, const char *key, int n, bool required, double *out)
{
    const char *text = hol_xml_get(e, key);
    char name[200];
    if (!text && !required) return HOL_OK;
    if (!text) return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at, "<%s>: it has no %s", e->name, key);
    hol_decimal_print(name, sizeof name, "<%.60s>: %.60s", e->name, key);
    return hol_import_numbers_of(in, e->at, name, text, n, out);
}

hol_status hol_import_direction(hol_import *in, hol_src at, const char *what, double axis[3])
{
    double most = 0, length = 0;
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(axis[i]));
    if (most == 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, at, "%s: 0 0 0 is no direction; give it a length", what);
    for (int i = 0; i < 3; i++) length += axis[i] / most * (axis[i] / most);
    for (int i = 0; i < 3; i++) axis[i] = axis[i] / most / sqrt(length) + 0.0;
    return HOL_OK;
}

hol_status hol_import_color(hol_import *in, const double rgb[3], const char **text)
{
    int byte[3];
    for (int i = 0; i < 3; i++) byte[i] = (int)round(255 * fmin(1, fmax(0, rgb[i])));
    *text = hol_arena_print(in->arena, "#%02x%02x%02x", byte[0], byte[1], byte[2]);
    return *text ? HOL_OK : HOL_ERR_MEMORY;
}

// ---- files ----------------------------------------------------------------------------------------------------

static bool has_ending(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && hol_same_name(text + n - m, ending);
}

// "package://robot/meshes/a.stl" is looked for beside the file and in the folders above it, by its path with and without the package.
static hol_status look_for(hol_import *in, const char *path, const char **file)
{
    enum { ABOVE = 6 };
    const char *up = "", *slash = strchr(path, '/');
    *file = NULL;
    for (int i = 0; i < ABOVE && !*file; i++) {
        for (int k = 0; k < 2 && !*file; k++) {
            const char *name = k == 0 ? path : slash ? slash + 1 : path;
            const char *own = hol_arena_print(in->arena, "%s%s", up, name);
            const char *there =
                own ? hol_arena_print(in->arena, "%s%s", *own == '/' ? "" : in->folder, own) : NULL;
            if (!there) return HOL_ERR_MEMORY;
            if (access(there, R_OK) == 0) *file = own;
        }
        if (*path == '/' || !(up = hol_arena_print(in->arena, "../%s", up))) break;
    }
    return up ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_import_file(hol_import *in, const char *address, const char **file, const char **why)
{
    static const char *const drawn[] = {".stl", ".obj", ".gltf", ".glb"};
    static const char *const schemes[] = {"package://", "model://", "file://"};
    const char *path = address;
    bool known = false, package = false;
    for (int i = 0; i < HOL_COUNT(schemes); i++) {
        if (strncmp(address, schemes[i], strlen(schemes[i])) != 0) continue;
        path = address + strlen(schemes[i]);
        package = i < 2;
    }
    for (int i = 0; i < HOL_COUNT(drawn); i++) known = known || has_ending(path, drawn[i]);
    *why = NULL;
    *file = NULL;
    hol_status st = HOL_OK;
    if (!known)
        *why = "meshes that are neither STL nor OBJ nor glTF";
    else if (strpbrk(path, "{}\n\r") || strstr(path, "://"))
        *why = "meshes at addresses that are no names of files";
    else if (!in->sandbox && package)
        st = look_for(in, path, file);
    else if (!in->sandbox) {
        const char *there = hol_arena_print(in->arena, "%s%s", *path == '/' ? "" : in->folder, path);
        if (!there) return HOL_ERR_MEMORY;
        if (access(there, R_OK) == 0) *file = path;
    }
    if (!st && !*why && !*file) *why = "meshes whose files are not there";
    return st;
}

hol_status hol_import_mesh(hol_import *in, hol_src at, const char *name, const char *address,
                           const double scale[3], const char **file, double *unit, bool *kept)
{
    const char *why;
    const hol_status st = hol_import_file(in, address, file, &why);
    if (st) return st;
    *unit = scale[0];
    if (!why && (scale[0] != scale[1] || scale[0] != scale[2] || scale[0] <= 0))
        why = "meshes that are mirrored or stretched";
    *kept = !why;
    return why ? hol_import_tell(in, HOL_TOLD_LEFT_OUT, at, name, why, "they are not drawn") : HOL_OK;
}

// ---- what was not read ----------------------------------------------------------------------------------------

static hol_status tell_element(hol_import *in, const hol_xml *e, const hol_import_known *known)
{
    for (const hol_import_known *k = known; k->element; k++)
        if (strcmp(k->element, e->name) == 0)
            return hol_import_tell(in, HOL_TOLD_LEFT_OUT, e->at, NULL, k->what, "");
    const char *text =
        hol_arena_print(in->arena, "<%.60s> in <%.60s>, %s", e->name, e->parent->name,
                        strchr(e->name, ':') ? "of another language" : "which is not known, or there twice");
    return text ? hol_import_tell(in, HOL_TOLD_MISSED, e->at, NULL, text, "it is left out") : HOL_ERR_MEMORY;
}

// Attributes and the text of an element that was taken.
static hol_status tell_attributes(hol_import *in, const hol_xml *e)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < e->n && !st; i++) {
        if (e->asked[i] || strncmp(e->key[i], "xmlns", 5) == 0 || strncmp(e->key[i], "xsi:", 4) == 0)
            continue;
        const char *text =
            hol_arena_print(in->arena, "%.60s of <%.60s>, which is not known there", e->key[i], e->name);
        st =
            text ? hol_import_tell(in, HOL_TOLD_MISSED, e->at, NULL, text, "it is left out") : HOL_ERR_MEMORY;
    }
    if (st || !*e->text || e->text_asked) return st;
    const char *text = hol_arena_print(in->arena, "text in <%.60s>", e->name);
    return text ? hol_import_tell(in, HOL_TOLD_MISSED, e->at, NULL, text, "it is left out") : HOL_ERR_MEMORY;
}

hol_status hol_import_tell_unread(hol_import *in, hol_xml *root, const hol_import_known *known)
{
    hol_status st = tell_attributes(in, root);
    for (hol_xml *e = root->first; e && !st; e = e->next)
        st = e->taken ? hol_import_tell_unread(in, e, known) : tell_element(in, e, known);
    return st;
}
