// A damaged checkpoint is refused, whatever the method and wherever the damage is: every bit turned over, every length, and
// contents that are wrong under a right hash.
#include "analysis/dynamics.h"
#include "base/archive.h"
#include "checkpoints.h"
#include "integrator/passage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char file[40]; // in memory where the system has a place for that: it is written a million times

typedef struct {
    size_t n;
    unsigned char byte[1 << 16];
} content;

static void read_content(content *c)
{
    FILE *f = fopen(file, "rb");
    assert_non_null(f);
    c->n = fread(c->byte, 1, sizeof c->byte, f);
    assert_true(c->n > 200 && c->n < sizeof c->byte);
    fclose(f);
}

static void write_content(const content *c, size_t n)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(c->byte, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

// The present state of a run after some steps: (t; values of all signals).
static void save(hol_simulation *sim, content *c)
{
    bool done;
    for (int i = 0; i < 7; i++) assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
    assert_int_equal(hol_simulation_checkpoint(sim, file), HOL_OK);
    read_content(c);
}

static void refused(hol_simulation *sim, const char *words)
{
    const hol_status st = hol_simulation_restart(sim, file);
    if (st != HOL_ERR_USAGE || !strstr(hol_context_error(ctx), words))
        print_error("status %d: %s\n", (int)st, st ? hol_context_error(ctx) : "accepted");
    assert_int_equal(st, HOL_ERR_USAGE);
    assert_non_null(strstr(hol_context_error(ctx), words));
}

// A bit of the file, in place.
static void put_byte(int at, unsigned char byte)
{
    FILE *f = fopen(file, "r+b");
    assert_non_null(f);
    setvbuf(f, NULL, _IONBF, 0);
    fseek(f, at, SEEK_SET);
    fputc(byte, f);
    assert_int_equal(fclose(f), 0);
}

// The run that has refused them all goes from its own start, as one that has seen none of them.
static void unharmed(hol_simulation *sim, hol_simulation *other)
{
    bool done = false, also = false;
    while (!done) {
        assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
        assert_int_equal(hol_simulation_step(other, &also), HOL_OK);
    }
    assert_true(also);
    const size_t n = (size_t)hol_simulation_signals(sim);
    double *a = malloc(n * sizeof *a);
    assert_non_null(a);
    memcpy(a, hol_simulation_values(sim), n * sizeof *a);
    assert_memory_equal(a, hol_simulation_values(other), n * sizeof *a);
    free(a);
}

// A run from its start.
static hol_simulation *anew(const hol_model *model)
{
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_non_null(sim);
    return sim;
}

// Calls work(.., content of a checkpoint) for every method of the table and every model it takes, which is compiled once; each must
// take one.
typedef void visit(const hol_model *model, int number, content *c);
static void all_methods(visit *work)
{
    static content c;
    hol_method_info method;
    for (int i = 0; hol_method_list(i, &method); i++) {
        int taken = 0;
        for (int k = 0; k < CHECKPOINT_MODELS; k++) {
            hol_model *model;
            hol_simulation *sim = open_method(ctx, k, &method, NULL, &model);
            if (!sim) continue;
            taken++;
            save(sim, &c);
            hol_simulation_destroy(sim);
            work(model, k, &c);
            hol_model_destroy(model);
        }
        assert_true(taken > 0);
    }
}

// Every bit of the smallest checkpoint of a method; of the others, which are longer, one of each 8 bytes. With sanitizers so of the smallest
// alone.
static void turn_bits(const hol_model *model, int number, content *c)
{
    if (few() && number > 0) return;
    hol_simulation *sim = anew(model), *other = anew(model);
    const bool some = number > 0 || few();
    for (size_t i = 0; i < c->n; i++)
        for (int bit = 0; bit < 8; bit++) {
            if (some && 8 * (i % 8) + (size_t)bit != i % 64) continue;
            put_byte((int)i, c->byte[i] ^ (unsigned char)(1 << bit));
            refused(sim, i < 16 ? "this is not a checkpoint of this version" : "damaged or cut off");
            if (bit == 7 || some) put_byte((int)i, c->byte[i]);
        }
    unharmed(sim, other);
    hol_simulation_destroy(sim);
    hol_simulation_destroy(other);
}

static void every_bit_turned_over_is_refused(void **state)
{
    (void)state;
    all_methods(turn_bits);
}

static void cut(const hol_model *model, int number, content *c)
{
    hol_simulation *sim = anew(model);
    (void)number;
    for (size_t n = c->n; n-- > 0;) {
        if (few() && n > 16 && n % 4) continue;
        assert_int_equal(truncate(file, (off_t)n), 0);
        refused(sim, n < 16 ? "this is not a checkpoint of this version" : "damaged or cut off");
    }
    c->byte[c->n] = 0; // and one byte more
    write_content(c, c->n + 1);
    refused(sim, "damaged or cut off");
    write_content(c, c->n);
    assert_int_equal(hol_simulation_restart(sim, file), HOL_OK);
    hol_simulation_destroy(sim);
}

static void every_length_is_refused(void **state)
{
    (void)state;
    all_methods(cut);
}

// ---- wrong content under a right hash ---------------------------------------------------------------------------

static void seal(content *c)
{
    const unsigned long long hash = hol_hash(HOL_HASH_START, c->byte, c->n - sizeof hash);
    memcpy(c->byte + c->n - sizeof hash, &hash, sizeof hash);
}

// Refused with the simulation at its start or ended for good, or taken over: then it moves on, or says why not.
static bool survives(const hol_model *model, const content *c)
{
    bool done = false;
    hol_simulation *sim = anew(model);
    write_content(c, c->n);
    const hol_status st = hol_simulation_restart(sim, file);
    if (st) assert_true(*hol_context_error(ctx));
    if (st && strstr(hol_context_error(ctx), "no state of this run")) {
        assert_int_equal(hol_simulation_step(sim, &done), st); // not on from what was half taken over
        assert_true(done);
    }
    for (int i = 0; i < 5 && !done; i++) {
        const hol_status now = hol_simulation_step(sim, &done);
        if (now) assert_true(done && *hol_context_error(ctx));
    }
    hol_simulation_finish(sim);
    hol_simulation_destroy(sim);
    return st == HOL_OK;
}

static const double strange[] = {0,   -1,          1e300, -1e300, 1e-300, (double)NAN, (double)INFINITY,
                                 0.5, 2147483648.0};

// One place of each kind: a bit, a byte, an integer at its ends, a number that is none.
static void spoil(content *c, size_t at, int kind, hol_random *dice)
{
    const double number = strange[(size_t)(1e6 * (1 + hol_random_uniform(dice))) % HOL_COUNT(strange)];
    const long long whole[] = {-1, 0, 1, 0x7fffffff, -0x7fffffff - 1, 0x7fffffffffffffff};
    const long long integer = whole[(size_t)(1e6 * (1 + hol_random_uniform(dice))) % HOL_COUNT(whole)];
    const size_t left = c->n - sizeof(unsigned long long) - at;
    switch (kind) {
    case 0:
        c->byte[at] ^= (unsigned char)(1 << (at + (size_t)(4 * (1 + hol_random_uniform(dice)))) % 8);
        break;
    case 1: c->byte[at] = (unsigned char)(127 * (1 + hol_random_uniform(dice))); break;
    case 2: memcpy(c->byte + at, &integer, left < 4 ? left : 4); break;
    case 3: memcpy(c->byte + at, &integer, left < 8 ? left : 8); break;
    default: memcpy(c->byte + at, &number, left < 8 ? left : 8); break;
    }
    seal(c);
}

enum { KINDS = 5 };
static long tries; // for each method and model
static long accepted, refusals;

static void deceive(const hol_model *model, int number, content *c)
{
    static content bad;
    hol_random dice = {(unsigned long long)(number + 1)};
    const long n = (long)(c->n - sizeof(unsigned long long));
    for (long i = 0; i < tries; i++) {
        // numbers lie at multiples of 8 but for a few bytes before them
        const size_t at = (size_t)((double)n / 2 * (1 + hol_random_uniform(&dice)));
        bad = *c;
        spoil(&bad, at < (size_t)n ? at : 0, (int)(i % KINDS), &dice);
        if (survives(model, &bad))
            accepted++;
        else
            refusals++;
    }
}

static void wrong_contents_do_no_harm(void **state)
{
    (void)state;
    all_methods(deceive);
    print_message("# %ld contents taken over, %ld refused\n", accepted, refusals);
    assert_true(accepted > 0 && refusals > 0);
}

// The number of unknowns is wrong: the first thing behind the heading.
static void deceive_once(const hol_model *model, int number, content *c)
{
    enum { HEADING = 96 };
    bool done = false;
    hol_simulation *sim = anew(model);
    (void)number;
    c->byte[HEADING] ^= 1;
    seal(c);
    write_content(c, c->n);
    refused(sim, "what it holds is no state of this run");
    assert_int_equal(hol_simulation_step(sim, &done), HOL_ERR_USAGE);
    assert_true(done);
    assert_int_equal(hol_simulation_run(sim), HOL_ERR_USAGE);
    assert_int_equal(hol_simulation_checkpoint(sim, file), HOL_ERR_USAGE);
    assert_true(hol_simulation_time(sim) == 0);
    hol_simulation_destroy(sim);
}

static void what_was_refused_does_not_run(void **state)
{
    (void)state;
    all_methods(deceive_once);
}

// ---- the file --------------------------------------------------------------------------------------------------

static int prepare(void **state)
{
    snprintf(file, sizeof file, "%s/holonom_damage_XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    const int fd = mkstemp(file);
    if (fd < 0) return -1;
    close(fd);
    return start(state);
}

static int clean(void **state)
{
    remove(file);
    return stop(state);
}

// What only a checkpoint can hold, or a run that was broken off before an event: of the times that an event has been the last are
// lost. One is done late and the run goes on; several stop it in words, and it does not hang.
static void an_event_that_is_due_before_its_time_does_not_hang(void **state)
{
    (void)state;
    for (int lost = 1; lost <= 2; lost++) {
        bool done = false;
        hol_settings set;
        hol_spec *spec = hol_spec_read_text(ctx, "arm", ARM, strlen(ARM), NULL, 0);
        hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
        assert_non_null(m);
        assert_int_equal(hol_settings_read(m, &set), HOL_OK);
        hol_dynamics *d = hol_dynamics_create(ctx, m, &set, true);
        assert_non_null(d);
        while (!done && d->it->x.t < 0.3) assert_int_equal(hol_dynamics_step(d, &done), HOL_OK);
        assert_int_equal(strcmp(m->event[0].name, "sample"), 0);
        const double before = d->it->x.mem[m->event[0].count];
        assert_true(before > 2);
        d->it->x.mem[m->event[0].count] -= lost;
        hol_status st = hol_dynamics_step(d, &done);
        if (lost == 1) {
            assert_true(!st && d->it->x.mem[m->event[0].count] >= before);
            for (int i = 0; i < 100000 && !done && !st; i++) st = hol_dynamics_step(d, &done);
            assert_true(done && !st);
        } else {
            assert_int_equal(st, HOL_ERR_INTEGRATION);
            expect_message("is not later: events or steps too close to each other");
        }
        hol_context_clear(ctx);
        hol_dynamics_destroy(d);
        hol_model_free(m);
    }
}

// A run that ends on a refused checkpoint still uses its numbers, the index of its fastest state among them.
static void a_number_that_is_refused_keeps_its_value(void **state)
{
    int index = 1000;
    double size = 1000;
    FILE *f = tmpfile();
    (void)state;
    assert_non_null(f);
    hol_archive out = {.file = f, .hash = HOL_HASH_START};
    hol_archive_int(&out, &index, 0, 2000);
    hol_archive_number(&out, &size, 0, 2000);
    assert_false(out.failed);

    index = 2;
    size = 0.5;
    rewind(f);
    hol_archive in = {.file = f, .reading = true, .hash = HOL_HASH_START};
    hol_archive_int(&in, &index, -1, 3);
    assert_true(in.failed && index == 2);
    in.failed = false;
    hol_archive_number(&in, &size, 0, 1);
    assert_true(in.failed && size == 0.5);
    fclose(f);
}

// A file that says that a guide leads the method, and holds none.
static void a_guide_that_is_not_there_is_refused(void **state)
{
    static const char *const set[] = {"simulate.method=rn4"};
    enum { MOST = 1 << 14 };
    static unsigned char byte[MOST];
    hol_settings settings;
    (void)state;
    hol_spec *spec = hol_spec_read_file(ctx, "models/four_bar.yaml", set, 1);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    assert_non_null(m);
    assert_int_equal(hol_settings_read(m, &settings), HOL_OK);
    hol_dynamics *d = hol_dynamics_create(ctx, m, &settings, true);
    assert_non_null(d);
    assert_non_null(d->it->passage);
    FILE *f = tmpfile();
    assert_non_null(f);
    hol_archive out = {.file = f, .hash = HOL_HASH_START};
    hol_state_archive(d->s, &d->it->x, &out);
    const long behind = ftell(f); // the state before the flags
    rewind(f);
    hol_passage_archive(d->it, d->it->passage, &out);
    assert_false(out.failed);
    const long n = ftell(f);
    assert_true(n > behind + 2 && n < MOST);
    rewind(f);
    assert_int_equal(fread(byte, 1, (size_t)n, f), n);
    assert_true(byte[behind] == 0 && byte[behind + 1] == 0); // no guide, and it does not lead
    byte[behind + 1] = 1;
    rewind(f);
    assert_int_equal(fwrite(byte, 1, (size_t)n, f), n);
    rewind(f);
    hol_archive in = {.file = f, .reading = true, .hash = HOL_HASH_START};
    hol_passage_archive(d->it, d->it->passage, &in);
    assert_true(in.failed);
    fclose(f);
    hol_dynamics_destroy(d);
    hol_model_free(m);
}

// An argument: so many contents for each method and model, from other places each time.
int main(int argc, char **argv)
{
    tries = argc > 1 ? strtol(argv[1], NULL, 10) : few() ? 25 : 100;
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_number_that_is_refused_keeps_its_value),
                                       cmocka_unit_test(a_guide_that_is_not_there_is_refused),
                                       cmocka_unit_test(an_event_that_is_due_before_its_time_does_not_hang),
                                       cmocka_unit_test(every_bit_turned_over_is_refused),
                                       cmocka_unit_test(every_length_is_refused),
                                       cmocka_unit_test(what_was_refused_does_not_run),
                                       cmocka_unit_test(wrong_contents_do_no_harm)};
    return cmocka_run_group_tests(tests, prepare, clean);
}
