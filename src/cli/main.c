// holonom VERB MODEL [options]: data to stdout, messages to stderr.
#include "base/base.h"
#include "cli/cli.h"

#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const cli_verb *const verbs[] = {
    &cli_check,   &cli_assemble, &cli_run,     &cli_kinematics, &cli_inverse, &cli_modes,  &cli_linearise,
    &cli_import,  &cli_static,   &cli_plot,    &cli_diff,       &cli_report,  &cli_export, &cli_fmu,
    &cli_compare, &cli_certify,  &cli_methods, &cli_elements,   &cli_schema};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static hol_context *running;             // for the signal handler
static const cli_options *options_given; // for messages

// The first Ctrl-C ends the run in good order, a second one the program.
static void interrupt(int signal_number)
{
    hol_context_cancel(running);
    signal(signal_number, SIG_DFL);
}

// The exit code of a status, as the help lists them.
int cli_exit_code(hol_status st)
{
    switch (st) {
    case HOL_OK: return 0;
    case HOL_ERR_USAGE: return 2;
    case HOL_ERR_MODEL: return 3;
    case HOL_ERR_ASSEMBLY: return 4;
    case HOL_ERR_INTEGRATION: return 5;
    case HOL_ERR_ACCURACY: return 6;
    case HOL_ERR_LIMIT: return 7;
    case HOL_ERR_CANCELLED: return 130;
    default: return 1; // memory, files
    }
}

static const char SECONDS[] = " s";

static bool is_time(const cli_option *option)
{
    static const char *const times[] = {"--end", "--step", "--max-step", "--time-limit"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (strcmp(option->name, times[i]) == 0) return true;
    return false;
}

// The override that a text begins with, the longest one; -1: none.
static int override_at(const char *text)
{
    int found = -1;
    size_t longest = 0;
    for (int i = 0; i < options_given->n_set; i++) {
        const size_t n = strlen(options_given->set[i]);
        if (n <= longest || strncmp(text, options_given->set[i], n) != 0) continue;
        found = i;
        longest = n;
    }
    return found;
}

// What was written as --end 0 became the override simulate.end=0 s: errors name what was written.
static void print_written(const char *text, size_t length)
{
    static const char set[] = "--set ";
    for (size_t k = 0; k < length;) {
        const size_t n = sizeof set - 1;
        const int i = strncmp(text + k, set, n) == 0 ? override_at(text + k + n) : -1;
        if (i >= 0) {
            fprintf(stderr, "%s %s", options_given->option[i], options_given->written[i]);
            k += n + strlen(options_given->set[i]);
        } else
            putc(text[k++], stderr);
    }
}

static bool print_override_error(const char *text)
{
    static const char middle[] = ": error: ";
    const char *cut = strstr(text, middle);
    if (strncmp(text, "--set ", strlen("--set ")) != 0) return false;
    fprintf(stderr, "holonom: error: ");
    print_written(text, cut ? (size_t)(cut - text) : strlen(text));
    fprintf(stderr, "%s%s\n", cut ? ": " : "", cut ? cut + strlen(middle) : "");
    return true;
}

int cli_fail(hol_context *ctx, hol_status st)
{
    const char *text = hol_context_error(ctx);
    if (print_override_error(text)) return 2; // the model is not to blame
    const char *prefix = st == HOL_ERR_CANCELLED    ? "holonom: "
                         : strstr(text, " error: ") ? ""
                                                    : "holonom: error: ";
    fprintf(stderr, "%s%s\n", prefix, text);
    return cli_exit_code(st);
}

int cli_wrong(const char *option, const char *text, const char *why)
{
    fprintf(stderr, "holonom: error: %s %s: %s\n", option, text, why);
    return cli_exit_code(HOL_ERR_USAGE);
}

void cli_print(void *stream, const char *text) { fputs(text, stream); }

static void log_message(void *user, hol_severity severity, const char *text)
{
    const cli_options *o = user;
    if (o->quiet && severity == HOL_NOTICE) return;
    fprintf(stderr, "%s: %s\n", severity == HOL_NOTICE ? "note" : "warning", text);
}

// ---- help -----------------------------------------------------------------------------------------------------

// Examples of a verb, its usage, its options.
static void help_verb(const cli_verb *v, FILE *f)
{
    fprintf(f, "%s\n\nholonom %s %s\n\n%s\n", v->examples, v->name, v->usage, v->doc);
    if (v->options->name) fprintf(f, "\nOptions:\n");
    for (const cli_option *o = v->options; o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s%s%s", o->name, o->alias ? ", " : "", o->alias ? o->alias : "",
                 o->argument ? " " : "", o->argument ? o->argument : "");
        fprintf(f, "  %-26s %s\n", left, o->doc);
    }
}

// Examples, and the verbs with a line each.
static void help(FILE *f)
{
    fprintf(f,
            "Examples:\n"
            "  holonom run models/four_bar.yaml --out four_bar.csv\n"
            "  holonom run models/bricard.yaml --report bricard.html\n"
            "  holonom check models/bricard.yaml\n"
            "  holonom plot four_bar.csv --signals crank0.tip.y,energy.total -o four_bar.svg\n\n"
            "holonom VERB [MODEL] [options]    dynamics of constrained mechanical systems, version %s\n\n",
            HOL_VERSION);
    for (int i = 0; i < N_VERBS; i++) fprintf(f, "  %-10s %s\n", verbs[i]->name, verbs[i]->doc);
    fprintf(
        f,
        "\nholonom VERB --help says more. Exit codes: 0 ok, 2 usage, 3 model error, 4 cannot be assembled,\n"
        "5 integration stopped, 6 accuracy not met, 7 limit reached, 130 interrupted, 1 other trouble.\n");
}

// ---- arguments ------------------------------------------------------------------------------------------------

static int usage_error(const cli_verb *v, const char *what, const char *word)
{
    fprintf(stderr, "holonom: error: %s%s%s%s; try: holonom %s%s--help\n", what, word ? " \"" : "",
            word ? word : "", word ? "\"" : "", v ? v->name : "", v ? " " : "");
    return 2;
}

// The message for an option that the verb has not, with the nearest one.
static int unknown_option(const cli_verb *v, const char *word)
{
    const char *names[64];
    char name[64];
    int n = 0;
    for (const cli_option *o = v->options; o->name && n < 64; o++) names[n++] = o->name;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *best = hol_suggest(name, names, n);
    if (!best) return usage_error(v, "unknown option", name);
    fprintf(stderr, "holonom: error: unknown option \"%s\"; did you mean \"%s\"?\n", name, best);
    return 2;
}

// Verbs that users know from other programs.
static const struct {
    const char *word, *instead;
} elsewhere[] = {
    {"simulate", "a simulation is `holonom run MODEL`"},
    {"solve", "a simulation is `holonom run MODEL`, an equilibrium `holonom static MODEL`"},
    {"dynamics", "a simulation is `holonom run MODEL`"},
    {"convert",
     "models of other programs are read by `holonom import FILE`; `holonom export` writes motions as glTF"},
    {"statics", "an equilibrium is found by `holonom static MODEL`"},
    {"equilibrium", "an equilibrium is found by `holonom static MODEL`"},
    {"fmi", "a model becomes an FMU by `holonom fmu MODEL`"},
    {"linearize", "matrices, poles and zeros are found by `holonom linearise MODEL`"},
    {"linear", "matrices, poles and zeros are found by `holonom linearise MODEL`"},
    {"eigen", "frequencies and mode shapes are found by `holonom modes MODEL`"},
    {"validate", "a model is checked by `holonom check MODEL`"},
    {"animate", "the motion is played by the page of `holonom report MODEL`"},
    {"view", "the motion is played by the page of `holonom report MODEL`"},
    {"optimize",
     "there is no such verb yet; vary a parameter with `holonom run MODEL --set parameters.NAME=VALUE`"},
    {"sweep",
     "there is no such verb yet; vary a parameter with `holonom run MODEL --set parameters.NAME=VALUE`"},
};

// The message for a verb that there is not, with what other programs call so, or the nearest one.
static int unknown_verb(const char *word)
{
    const char *names[N_VERBS];
    for (int i = 0; i < N_VERBS; i++) names[i] = verbs[i]->name;
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        if (strcmp(word, elsewhere[i].word) != 0) continue;
        fprintf(stderr, "holonom: error: there is no verb \"%s\"; %s\n", word, elsewhere[i].instead);
        return 2;
    }
    const char *best = hol_suggest(word, names, N_VERBS);
    fprintf(stderr, "holonom: error: there is no verb \"%s\"; ", word);
    if (best) {
        fprintf(stderr, "did you mean \"%s\"?\n", best);
        return 2;
    }
    fprintf(stderr, "there are");
    for (int i = 0; i < N_VERBS; i++) fprintf(stderr, "%s %s", i ? "," : "", names[i]);
    fprintf(stderr, "\n");
    return 2;
}

static const cli_option *find_option(const cli_verb *v, const char *name)
{
    for (const cli_option *o = v->options; o->name; o++)
        if (strcmp(o->name, name) == 0 || (o->alias && strcmp(o->alias, name) == 0)) return o;
    return NULL;
}

// A number without a unit for an option that is a time: it is in seconds, whatever the units of the file.
static bool is_plain_time(const cli_option *option, const char *value)
{
    char *end;
    strtod(value, &end);
    return is_time(option) && end != value && !*end;
}

// Appends an override "KEY=VALUE"; the text is freed at the end.
static int add_set(cli_options *o, const char *prefix, const char *value, const char *unit, const char *name,
                   const char *written)
{
    const size_t n = strlen(prefix) + strlen(value) + strlen(unit) + 1;
    char *text = malloc(n);
    if (!text || o->n_set == CLI_MAX_SET) {
        free(text);
        fprintf(stderr, "holonom: error: too many options\n");
        return 2;
    }
    snprintf(text, n, "%s%s%s", prefix, value, unit);
    o->option[o->n_set] = name;
    o->written[o->n_set] = written;
    o->set[o->n_set++] = text;
    return 0;
}

// "AZ(a, b), crank.x" as the list ["AZ(a, b)","crank.x"] of a model file: commas within brackets divide nothing. To be freed; NULL: no memory.
static char *as_list(const char *value)
{
    char *text = malloc(4 * strlen(value) + 8), *to = text;
    int depth = 0;
    if (!text) return NULL;
    *to++ = '[';
    for (const char *p = value + strspn(value, " "); *p;) {
        *to++ = '"';
        for (; *p && (depth > 0 || *p != ','); p++) {
            depth += strchr("([{", *p) != NULL;
            depth -= strchr(")]}", *p) != NULL;
            if (*p == '"' || *p == '\\') *to++ = '\\';
            *to++ = *p;
        }
        while (to[-1] == ' ') to--;
        *to++ = '"';
        if (*p == ',') *to++ = *p++;
        p += strspn(p, " ");
    }
    memcpy(to, "]", 2);
    return text;
}

static bool is_list(const cli_option *option)
{
    return option->set && strncmp(option->set, "linearise.", 10) == 0;
}

// Stores the value of one option.
static int take(const cli_verb *v, const cli_option *option, const char *value, cli_options *o)
{
    const struct {
        const char *name;
        const char **value;
    } texts[] = {{"--stats", &o->stats},
                 {"--contacts", &o->contacts},
                 {"--checkpoint", &o->checkpoint},
                 {"--restart", &o->restart},
                 {"--signals", &o->signals},
                 {"--title", &o->title},
                 {"--model", &o->model_file},
                 {"--report", &o->report},
                 {"--graph", &o->graph},
                 {"--max", &o->max},
                 {"--at", &o->at},
                 {"--root", &o->root},
                 {"--key", &o->key},
                 {"--fmi", &o->fmi},
                 {"--count", &o->count},
                 {"--metric", &o->metric},
                 {"--animate", &o->animate},
                 {"--svg", &o->svg},
                 {"--markers", &o->markers},
                 {"--motion", &o->motion},
                 {"--actuators", &o->actuators},
                 {"--weights", &o->weights},
                 {"--bounds", &o->bounds},
                 {"--feedforward", &o->feedforward},
                 {"--frequencies", &o->frequencies},
                 {"--pose", &o->pose},
                 {"--vary", &o->vary},
                 {"--methods", &o->methods},
                 {"--tols", &o->tols},
                 {"--digits", &o->digits},
                 {"-j", &o->jobs},
                 {"--memory", &o->memory},
                 {"--patience", &o->patience},
                 {"--x", &o->x},
                 {"--minus", &o->minus}};
    const struct {
        const char *name;
        bool *given;
    } flags[] = {
        {"--json", &o->json},         {"--markdown", &o->markdown},       {"-q", &o->quiet},
        {"-v", &o->verbose},          {"--equilibrium", &o->equilibrium}, {"--spectrum", &o->spectrum},
        {"--lenient", &o->lenient},   {"--unstable", &o->unstable},       {"--branches", &o->branches},
        {"--all", &o->all},           {"--continue", &o->proceed},        {"--project", &o->project},
        {"--transfer", &o->transfer}, {"--contacts", &o->list_contacts}};
    const char *name = option->name;
    if (option->set && !*value) return usage_error(v, "a value is missing after", name);
    if (is_list(option)) {
        char *list = as_list(value);
        const int code =
            list ? add_set(o, option->set, list, "", name, value) : usage_error(v, "no memory", NULL);
        free(list);
        return code;
    }
    if (option->set && is_plain_time(option, value))
        return add_set(o, option->set, value, SECONDS, name, value);
    if (option->set) return add_set(o, option->set, value, "", name, value);
    if (value && !*value && strncmp(option->argument, "FILE", strlen("FILE")) == 0)
        return usage_error(v, "the file name is empty after", name);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(name, texts[i].name) != 0) continue;
        if (*texts[i].value) return usage_error(v, "this option is given twice:", name);
        *texts[i].value = value;
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(name, flags[i].name) == 0) *flags[i].given = true;
    if (strcmp(name, "--out") == 0) {
        if (o->n_out == CLI_MAX_OUT) return usage_error(v, "too many --out", NULL);
        o->out[o->n_out++] = value;
    }
    return 0;
}

// Words of the usage before its options.
static int files_wanted(const cli_verb *v)
{
    int n = 0;
    for (const char *p = v->usage; *p && *p != '['; p++) n += p == v->usage || p[-1] == ' ';
    return n;
}

static const char ANY_NUMBER[] = "RESULT [RESULT ...]";

// Goes through the words of the command line: files, options with values behind them or after "=".
static int parse(const cli_verb *v, int argc, char **argv, cli_options *o)
{
    bool given[CLI_MAX_OPTIONS] = {false};
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (!*word) return usage_error(v, "a name is empty", NULL);
        if (word[0] != '-' || !word[1]) {
            const int wanted = files_wanted(v);
            const bool named = strncmp(v->usage, "[NAME", strlen("[NAME")) == 0,
                       words = strncmp(v->usage, "[NAME ...]", strlen("[NAME ...]")) == 0;
            if (words && o->model && o->n_more < CLI_MAX_MORE) {
                o->more[o->n_more++] = word;
                continue;
            }
            if (named && o->model) return usage_error(v, "one name is wanted, this is a second one:", word);
            if (o->model && strncmp(v->usage, ANY_NUMBER, strlen(ANY_NUMBER)) == 0) {
                if (o->n_more == CLI_MAX_MORE)
                    return usage_error(v, "too many files; this one is too much:", word);
                o->more[o->n_more++] = word;
                continue;
            }
            if (!wanted && !named) return usage_error(v, "this verb takes no file:", word);
            if (o->model && wanted == 1)
                return usage_error(v, "one file is wanted, this is a second one:", word);
            if (o->other) return usage_error(v, "two files are wanted, this is a third one:", word);
            *(o->model ? &o->other : &o->model) = word;
            continue;
        }
        char name[64];
        const char *equal = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
        snprintf(name, sizeof name, "%.*s", equal ? (int)(equal - word) : 63, word);
        const cli_option *option = find_option(v, name);
        if (!option) return unknown_option(v, word);
        const char *value = equal ? equal + 1 : NULL;
        if (!option->argument && value) return usage_error(v, "this option takes no value:", word);
        if (option->argument && !value && ++i < argc) value = argv[i];
        if (option->argument && !value) return usage_error(v, "a value is missing after", word);
        const bool repeats = !option->set || !*option->set; // --set; of others `take` knows
        if (!repeats && given[option - v->options])
            return usage_error(v, "this option is given twice:", option->name);
        given[option - v->options] = true;
        const int bad = take(v, option, value, o);
        if (bad) return bad;
    }
    return 0;
}

// A reader that has seen enough (head, less) is no error: when all files are written the program ends as other programs do then.
static int stdout_failed(int code)
{
    struct pollfd out = {.fd = 1, .events = POLLOUT};
    if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR)) {
        if (code) return code;
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    fprintf(stderr, "holonom: error: standard output cannot be written\n");
    return code ? code : 1;
}

// What is left of the standard output is written now; the exit code.
static int close_stdout(int code)
{
    return fflush(stdout) != 0 || ferror(stdout) ? stdout_failed(code) : code;
}

// Parses, runs the verb in a context of its own, and frees both.
static int run_verb(const cli_verb *v, int argc, char **argv)
{
    cli_options o = {0};
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help_verb(v, stdout);
            return close_stdout(0);
        }
    int code = parse(v, argc, argv, &o);
    if (!code && files_wanted(v) > !!o.model + !!o.other) code = usage_error(v, "a file is missing", NULL);
    hol_context *ctx = code ? NULL : hol_context_create();
    if (!code && !ctx) {
        fprintf(stderr, "holonom: error: out of memory\n");
        code = 1;
    }
    if (!code) {
        hol_context_set_log(ctx, log_message, &o);
        running = ctx;
        options_given = &o;
        signal(SIGINT, interrupt);
        signal(SIGTERM, interrupt);
        code = v->run(ctx, &o);
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        code = close_stdout(code);
    }
    hol_context_destroy(ctx);
    for (int i = 0; i < o.n_set; i++) free((void *)o.set[i]);
    return code;
}

// Dense matrices are small here: threads of OpenBLAS would only wait for each other, and results depend on their number.
// NULL: another BLAS is in use.
__attribute__((weak)) void openblas_set_num_threads(int n);

#if defined(__linux__) && !HOL_SANITIZED
// Before the libraries are initialised. Where the addresses are limited the threads that OpenBLAS makes then wait for ever for
// memory, and it makes none if the environment says so.
static void before_libraries(int argc, char **argv, char **env)
{
    enum { MOST = 4096 };
    static char one[] = "OPENBLAS_NUM_THREADS=1";
    static char *changed[MOST + 2];
    struct rlimit addresses, data;
    int n = 0;
    (void)argc;
    if (getrlimit(RLIMIT_AS, &addresses) != 0 || getrlimit(RLIMIT_DATA, &data) != 0) return;
    if (addresses.rlim_cur == RLIM_INFINITY && data.rlim_cur == RLIM_INFINITY) return;
    for (; env[n] && n < MOST; n++) {
        if (strcmp(env[n], one) == 0) return;
        changed[n] = strncmp(env[n], one, sizeof one - 2) == 0 ? one : env[n];
        if (changed[n] == one) break;
    }
    if (env[n])
        for (n++; env[n] && n < MOST; n++) changed[n] = env[n];
    else
        changed[n++] = one;
    changed[n] = NULL;
    execve("/proc/self/exe", argv, changed);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = before_libraries;
#endif

// Sets what must hold for the whole process (signals, threads of BLAS, the locale of numbers), then finds the
// verb.
int main(int argc, char **argv)
{
    signal(
        SIGXFSZ,
        SIG_IGN); // what is too large for a limit or a pipe without a reader: an error of writing, which is told
    signal(SIGPIPE, SIG_IGN);
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    // numbers are written and read with a decimal point, also after user code has called setlocale
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    if (argc < 2) {
        help(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        help(stdout);
        return close_stdout(0);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("holonom %s\n", HOL_VERSION);
        return close_stdout(0);
    }
    for (int i = 0; i < N_VERBS; i++)
        if (strcmp(argv[1], verbs[i]->name) == 0) return run_verb(verbs[i], argc - 2, argv + 2);
    return unknown_verb(argv[1]);
}
