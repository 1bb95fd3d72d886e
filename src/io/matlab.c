// Arrays as a file of Matlab; see matlab.h.
#include "io/matlab.h"
#include "base/file.h"

#include <matio.h>
#include <string.h>

typedef struct {
    hol_context *ctx;
    const hol_arrays *t;
    mat_t *file;
} writer;

// Writes a variable and frees it.
static bool put(const writer *w, matvar_t *v)
{
    const bool good = v && Mat_VarWrite(w->file, v, MAT_COMPRESSION_NONE) == 0;
    Mat_VarFree(v);
    return good;
}

static matvar_t *text_of(const char *name, const char *text)
{
    size_t size[2] = {1, strlen(text)};
    return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF8, 2, size, (void *)(uintptr_t)text, 0);
}

// Values stand with the last axis first, here the first one is.
static bool put_array(const writer *w, const hol_array *a)
{
    size_t size[HOL_ARRAY_AXES] = {1, 1, 1}, stride[HOL_ARRAY_AXES], n = 1;
    for (int k = a->n_axes - 1; k >= 0; k--) {
        size[k] = (size_t)w->t->axis[a->axis[k]].n;
        stride[k] = n;
        n *= size[k];
    }
    double *turned = n ? hol_calloc(w->ctx, n, sizeof *turned) : NULL;
    for (size_t i = 0; i < n && turned; i++) {
        size_t rest = i, from = 0;
        for (int k = 0; k < a->n_axes; k++) {
            from += rest % size[k] * stride[k];
            rest /= size[k];
        }
        turned[i] = a->value[from];
    }
    const bool good = !n || (turned && put(w, Mat_VarCreate(a->name, MAT_C_DOUBLE, MAT_T_DOUBLE,
                                                            a->n_axes < 2 ? 2 : a->n_axes, size, turned, 0)));
    hol_free(turned);
    return good;
}

// Texts along an axis as a cell: "state" and "_names".
static bool put_texts(const writer *w, const hol_axis *a, const char *what, const char *const *text)
{
    char name[64];
    size_t size[2] = {(size_t)a->n, 1};
    if (!a->n || !text) return true;
    snprintf(name, sizeof name, "%s_%s", a->name, what);
    matvar_t *cell = Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, size, NULL, 0);
    for (int i = 0; i < a->n && cell; i++) Mat_VarSetCell(cell, i, text_of(NULL, text[i]));
    return put(w, cell);
}

hol_status hol_matlab_write(hol_context *ctx, const char *path, const hol_arrays *t)
{
    static const char head[] = "MATLAB 5.0 MAT-file, holonom " HOL_VERSION;
    writer w = {.ctx = ctx, .t = t};
    hol_output o;
    if (!hol_output_hold(ctx, &o, path, HOL_OUTPUT_WHOLE)) return hol_output_fail(ctx, &o, path);
    w.file = Mat_CreateVer(hol_output_path(&o), head, MAT_FT_MAT5);
    bool good = w.file;
    for (int i = 0; i < t->n && good; i++) good = put_array(&w, &t->array[i]);
    for (int i = 0; i < t->n_axes && good; i++)
        good = put_texts(&w, &t->axis[i], "names", t->axis[i].label) &&
               put_texts(&w, &t->axis[i], "units", t->axis[i].unit);
    for (int i = 0; i < t->n_notes && good; i++) good = put(&w, text_of(t->key[i], t->text[i]));
    if (w.file) good = Mat_Close(w.file) == 0 && good;
    return hol_output_close(&o, good) ? HOL_OK : hol_output_fail(ctx, &o, path);
}
