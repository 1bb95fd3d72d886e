// Texts of other programs as models, for the tests of imports.
#ifndef IMPORT_TEXT_H
#define IMPORT_TEXT_H

#include "pieces.h"
#include "harness.h"
#include "holonom_draft.h"
#include "io/import.h"
#include "text/write.h"

#include <stdlib.h>
#include <string.h>

// The model file that a text becomes; NULL: it is refused, and the message is in the context. To be freed.
static inline char *import_text(const char *name, const char *text, size_t length, hol_import_options options)
{
    hol_arena *arena = hol_arena_create(ctx);
    hol_node *root;
    pieces out = {0};
    hol_context_clear(ctx);
    if (!hol_import_parse(ctx, arena, name, text, length, &options, &root)) {
        hol_tree_write(root, add_piece, &out);
        assert_non_null(out.text);
    } else
        assert_int_equal(hol_context_status(ctx), HOL_ERR_MODEL);
    hol_arena_destroy(arena);
    return out.text;
}

// Does a text hold these words, however both are laid out and commented?
static inline bool says(const char *text, const char *words)
{
    char *squeezed[2];
    for (int k = 0; k < 2; k++) {
        const char *from = k == 0 ? text : words;
        char *to = squeezed[k] = calloc(1, strlen(from) + 1);
        assert_non_null(to);
        for (; *from; from++)
            if (!strchr(" \n#", *from) || (to > squeezed[k] && to[-1] != ' '))
                *to++ = strchr(" \n#", *from) ? ' ' : *from;
    }
    const bool has = strstr(squeezed[0], squeezed[1]) != NULL;
    free(squeezed[0]);
    free(squeezed[1]);
    return has;
}

// A text is refused with a message, and with `lenient` becomes a model, which is one, and says these words.
static inline void expect_lenient_alone(const char *name, const char *text, const char *message,
                                        const char *words)
{
    char *model = import_text(name, text, strlen(text), (hol_import_options){.lenient = false});
    if (model || !strstr(hol_context_error(ctx), message))
        fail_msg("%s\ngives %s\nwanted %s", text, model ? model : hol_context_error(ctx), message);
    model = import_text(name, text, strlen(text), (hol_import_options){.lenient = true});
    if (!model || !says(model, words))
        fail_msg("%s\nbecomes %s\nwanted %s", text, model ? model : hol_context_error(ctx), words);
    hol_model *m = hol_model_parse(ctx, "m.yaml", model, strlen(model), NULL, 0);
    if (!m) fail_msg("%s\nbecomes %s\nwhich is no model: %s", text, model, hol_context_error(ctx));
    hol_model_destroy(m);
    free(model);
}

#endif
