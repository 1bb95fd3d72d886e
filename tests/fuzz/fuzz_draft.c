// Any bytes as calls that make and change a draft: each works, or says why it does not and changes nothing; what is printed is read as
// the same draft, and compiles as it does.
#include "../unit/pieces.h"
#include "fuzz.h"
#include "holonom_draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ITEMS = 12,
    MOST_CALLS = 60,
    HANDLES = 8,
    MOST_TEXT = 20000 // of a draft of which parts are copied: copies of copies double it with every call
};

// ---- bytes ----------------------------------------------------------------------------------------------------

typedef struct {
    const uint8_t *data;
    size_t size;
} bytes;

static unsigned next(bytes *b)
{
    if (!b->size) return 0;
    b->size--;
    return *b->data++;
}

// A word of models, or some of the bytes as they are.
static const char *word(bytes *b, char own[32])
{
    static const char *const words[] = {"title",
                                        "dimension",
                                        "gravity",
                                        "bodies",
                                        "joints",
                                        "forces",
                                        "parameters",
                                        "simulate",
                                        "name",
                                        "type",
                                        "mass",
                                        "inertia",
                                        "position",
                                        "markers",
                                        "between",
                                        "at",
                                        "for",
                                        "rod",
                                        "rod.tip",
                                        "tip",
                                        "ground",
                                        "revolute",
                                        "point",
                                        "i in 0..2",
                                        "rod{i}",
                                        "rod{i}.tip",
                                        "L",
                                        "2*L",
                                        "10 N/mm",
                                        "max(1, 2)",
                                        "1, 2",
                                        "a: b",
                                        "#",
                                        "- x",
                                        "",
                                        " ",
                                        "a\nb",
                                        "\"",
                                        "\\",
                                        "{",
                                        "}",
                                        "a{b",
                                        "{i}",
                                        "[0]",
                                        "[1]",
                                        "[",
                                        "?",
                                        "<<",
                                        "---",
                                        "1 2",
                                        "max(1",
                                        "2)",
                                        "\xef\xbb\xbf",
                                        "\xc2\x85",
                                        "\xef\xa3\xb0",
                                        "\x01",
                                        "\xff",
                                        "units",
                                        "mm",
                                        "length",
                                        "shape",
                                        "splines",
                                        "variables",
                                        "value",
                                        "DX(rod)",
                                        "spring-damper",
                                        "on",
                                        "stiffness",
                                        "include",
                                        "simulate.end",
                                        "1e-3",
                                        "yes"};
    const unsigned k = next(b);
    if (k < sizeof words / sizeof *words) return words[k];
    size_t n = k % 24;
    if (n > b->size) n = b->size;
    memcpy(own, b->data, n);
    own[n] = 0;
    b->data += n;
    b->size -= n;
    return own;
}

static double number(bytes *b)
{
    static const double some[] = {0, 1, -1, 2, 3, 0.1, -9.81, 1e-300, 1e300, -0.0, 5e-324};
    const unsigned k = next(b);
    uint64_t any = 0;
    double x;
    if (k < sizeof some / sizeof *some) return some[k];
    for (int i = 0; i < 8; i++) any = any << 8 | next(b);
    memcpy(&x, &any, sizeof x);
    return x;
}

// ---- texts ----------------------------------------------------------------------------------------------------

static pieces printed(hol_draft *d)
{
    pieces t = {0};
    require(hol_draft_print(d, add_piece, &t) == HOL_OK && t.text, "a draft can be printed");
    return t;
}

static void require_same(const hol_item *a, const hol_item *b)
{
    const hol_item_kind kind = hol_item_kind_of(a);
    require(kind == hol_item_kind_of(b) && kind != HOL_ITEM_NONE, "an item is read as one of its kind");
    require(hol_item_count(a) == hol_item_count(b), "with as many values");
    if (kind == HOL_ITEM_NUMBER || kind == HOL_ITEM_TEXT)
        require(strcmp(hol_item_as_text(a), hol_item_as_text(b)) == 0, "and its text");
    for (int i = 0; i < hol_item_count(a); i++) {
        const char *p = hol_item_key(a, i), *q = hol_item_key(b, i);
        require((!p && !q) || (p && q && strcmp(p, q) == 0), "and its keys");
        require(!p || hol_item_get(a, p) == hol_item_at(a, i), "a key finds its value");
        require_same(hol_item_at(a, i), hol_item_at(b, i));
    }
}

// ---- calls ----------------------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    hol_draft *draft;
    hol_item *handle[HANDLES];
    bytes b;
    size_t text; // length of the draft before the call
} machine;

// One call; its status.
static hol_status call(machine *m)
{
    char own[2][32];
    bytes *b = &m->b;
    const unsigned what = next(b), a = next(b) % HANDLES;
    hol_item **out = &m->handle[next(b) % HANDLES], *item = m->handle[a], *found = NULL;
    const char *key = next(b) & 1 ? word(b, own[0]) : NULL;
    double x[3];
    const char *texts[2];
    hol_status st = HOL_OK;
    switch (what % 16) {
    case 0: found = hol_item_map(item, key); break;
    case 1: found = hol_item_list(item, key); break;
    case 2: found = hol_draft_add(m->draft, key); break;
    case 3:
        if (m->text > MOST_TEXT) return HOL_OK;
        found = hol_item_copy(item, key, m->handle[next(b) % HANDLES]);
        break;
    case 4: found = hol_item_get(item, key); return found ? *out = found, HOL_OK : HOL_OK;
    case 5:
        found = hol_item_find(hol_draft_root(m->draft), key);
        return found ? *out = found, HOL_OK : HOL_OK;
    case 6: return hol_item_number(item, key, number(b));
    case 7:
        for (int i = 0; i < 3; i++) x[i] = number(b);
        return hol_item_numbers(item, key, (int)(next(b) % 5) - 1, x);
    case 8:
        texts[0] = word(b, own[1]);
        texts[1] = hol_item_as_text(m->handle[next(b) % HANDLES]);
        return hol_item_texts(item, key, (int)(next(b) % 3), texts);
    case 9: return hol_item_flag(item, key, next(b) & 1);
    case 10: return hol_item_remove(item);
    case 11: return hol_item_rename(item, key);
    case 12: return hol_item_move(item, (int)(next(b) % 6) - 1);
    case 13: return hol_draft_set(m->draft, word(b, own[1]));
    default: return hol_item_text(item, key, word(b, own[1]));
    }
    st = found ? HOL_OK : HOL_ERR_USAGE;
    if (found) *out = found;
    return st;
}

// A call that fails leaves the draft as it was, and a message.
static void checked_call(machine *m)
{
    const pieces before = printed(m->draft);
    m->text = before.n;
    const hol_status st = call(m), kept = hol_draft_status(m->draft);
    require(st == HOL_OK || st == HOL_ERR_USAGE || st == HOL_ERR_MODEL, "a call works or is refused");
    require(kept == HOL_OK || (st && hol_context_error(m->ctx)[0]),
            "what is remembered has failed and says why");
    const pieces after = printed(m->draft);
    require(st == HOL_OK || strcmp(before.text, after.text) == 0, "what fails changes nothing");
    free(before.text);
    free(after.text);
}

static void finish(machine *m)
{
    const pieces t = printed(m->draft);
    hol_draft *again = hol_draft_parse(m->ctx, "draft", t.text, t.n);
    if (!again) fprintf(stderr, "%s\n%s", hol_context_error(m->ctx), t.text);
    require(again, "what is printed is read");
    require_same(hol_draft_root(m->draft), hol_draft_root(again));
    const pieces u = printed(again);
    require(strcmp(t.text, u.text) == 0, "and printed as the same");
    hol_model *a = hol_draft_compile(m->draft);
    require(a || (hol_context_status(m->ctx) == HOL_ERR_MODEL && hol_context_error(m->ctx)[0]),
            "a refused draft leaves a message");
    hol_model *b = hol_draft_compile(again);
    require(!a == !b, "both are models or none is");
    require(hol_draft_write(again, "/dev/null") == HOL_OK || hol_context_error(m->ctx)[0], "it is written");
    hol_model_destroy(a);
    hol_model_destroy(b);
    hol_draft_destroy(again);
    free(t.text);
    free(u.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char pendulum[] =
        "dimension: 2\nparameters: {L: 1}\nbodies: [{name: rod, mass: 1, inertia: 0.1, "
        "markers: {tip: [L/2, 0]}}]\njoints: [{name: pin, type: revolute, between: "
        "[ground, rod.tip]}]\nsimulate: {end: 1, method: rk}\n";
    machine m = {.ctx = hol_context_create(), .b = {data, size}};
    hol_context_sandbox(m.ctx, MOST_ITEMS);
    const bool begun = next(&m.b) & 1;
    m.draft = begun ? hol_draft_parse(m.ctx, "draft", pendulum, strlen(pendulum))
                    : hol_draft_create(m.ctx, "a/b", 2);
    require(m.draft, "a draft can be made");
    for (int i = 0; i < HANDLES; i++) m.handle[i] = hol_draft_root(m.draft);
    for (int i = 0; i < MOST_CALLS && m.b.size; i++) checked_call(&m);
    finish(&m);
    hol_draft_destroy(m.draft);
    hol_context_destroy(m.ctx);
    return 0;
}
