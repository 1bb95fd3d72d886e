// What `holonom certify` says, by the library and its threads: the verdict as JSON, for tests/certify_test.py.
//
//     threads MODEL DIGITS SIGNAL,SIGNAL,.. [PATH=VALUE ...]
#include "holonom_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIGNALS = 64 };

static void print(const hol_certificate *c)
{
    const hol_reference *r = &c->reference;
    printf("{\"wanted\": %d, \"verified\": %s, \"runs\": [", c->wanted, c->status ? "false" : "true");
    for (int k = 0; k < 2; k++)
        printf("%s{\"method\": \"%s\", \"tolerance\": %g}", k ? ", " : "", r->run[r->pair[k]].method,
               r->run[r->pair[k]].tolerance);
    printf("], \"signals\": [");
    for (int i = 0; i < r->n_signals; i++)
        printf("%s{\"name\": \"%s\", \"digits\": %d, \"max\": %.17g, \"time\": %.17g}", i ? ", " : "",
               r->signal[i].name, c->signal[i].digits, c->signal[i].error, c->signal[i].at);
    printf("]}\n");
}

int main(int argc, char **argv)
{
    const char *signal[MOST_SIGNALS];
    hol_certificate_options o = {.study = {.signal = signal}};
    if (argc < 4) return 2;
    o.digits = atoi(argv[2]);
    for (char *word = strtok(argv[3], ","); word && o.study.n_signals < MOST_SIGNALS;
         word = strtok(NULL, ","))
        signal[o.study.n_signals++] = word;
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_load(ctx, argv[1], (const char *const *)argv + 4, argc - 4);
    hol_certificate *c = hol_certificate_create(ctx, model, &o);
    hol_model_destroy(model); // the certificate does without
    if (c && c->signal)
        print(c);
    else
        fprintf(stderr, "%s\n", c ? c->why : hol_context_error(ctx));
    const int code = c && c->signal ? 0 : 1;
    hol_certificate_destroy(c);
    hol_context_destroy(ctx);
    return code;
}
