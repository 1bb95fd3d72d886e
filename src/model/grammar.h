// The grammar of the model file: objects, each a table of rows (base/option.h), with what its keys have to do with each
// other. Reader, JSON Schema and manual walk it. What stands below a row is an object by its name (`choices` of the row).
#ifndef HOL_GRAMMAR_H
#define HOL_GRAMMAR_H

#include "base/option.h"

struct hol_spec;
struct hol_reader;
struct hol_node;
struct hol_path;

typedef enum hol_rule_kind {
    HOL_ONE_OF,    // one of them, not two; a+b is one that has two keys
    HOL_SOME_OF,   // one of them at least
    HOL_NOT_BOTH,  // one of them at most
    HOL_GOES_WITH, // the first only where one of the others is given too
    HOL_TWO_NAMES, // the list has two items
    HOL_REFUSED    // none of them
} hol_rule_kind;

// What the keys, separated by '|', must obey, and what is said if they do not. In texts, {type} stands for the type's name.
typedef struct hol_rule {
    hol_rule_kind kind;
    const char *keys, *text;
    const char *twice; // HOL_ONE_OF: said if there are two; NULL: the same
} hol_rule;

#define HOL_END_RULES                                                                                        \
    {                                                                                                        \
        HOL_REFUSED, NULL, NULL, NULL                                                                        \
    }

enum { HOL_TYPE_RULES = 16 };

// A type of an object: keys and rules of its own beside those of all.
typedef struct hol_type {
    const char *name, *aliases; // aliases: separated by '|', or NULL
    const char *doc;
    int dimensions; // 2, 3, or 5 for both
    const hol_option *rows;
    bool silent;                        // an item without a type is of this one
    hol_rule rules[HOL_TYPE_RULES + 1]; // HOL_END_RULES at the end
} hol_type;

typedef struct hol_object hol_object;
// Reads an item of a list.
typedef hol_status hol_item_fn(struct hol_spec *spec, const struct hol_reader *r, const struct hol_node *item,
                               const struct hol_path *path, const hol_object *object);

struct hol_object {
    const char *name;
    const char *text, *example; // of the manual, or NULL
    const hol_option *rows;
    const hol_rule *rules; // HOL_END_RULES at the end; NULL: none
    // The i-th type in this dimension (0: in any); false: there are no more. NULL: it has no types.
    bool (*type)(const hol_object *o, int i, int dimension, hol_type *out);
    int role;         // of its element types
    bool by_key;      // the key of a type's name says what it is, not `type`
    bool pairs;       // names of the user's, each with a value that the one row describes
    const char *keys; // pairs: a pattern of the names; NULL: any
    // Lists of the file: `know` before any expression is read, to learn names that stand in expressions; `read` for good.
    hol_item_fn *know, *read;
};

// Letters, digits and _, parts of which may be {i}.
#define HOL_IDENTIFIER_PATTERN "^[A-Za-z_]([A-Za-z_0-9]|\\{[^{}]+\\})*$"

// All of the model file but `simulate` (analysis/settings.h), NULL at the end; the first is the file itself.
extern const hol_object *const hol_objects[];
const hol_object *hol_object_find(const char *name);
// Does models of this dimension have the key? 0: any.
bool hol_option_exists(const hol_option *o, int dimension);
const hol_option *hol_option_find(const hol_option *table, const char *key);
// The next of the words of a rule, in *word; false: there are no more. Starts with *rest the words.
bool hol_next_word(const char **rest, char word[64]);
// Is the key among the words?
bool hol_has_word(const char *words, const char *key);

#endif
