// Runs a fuzz target on the files named, without libFuzzer.
#include "fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int replay(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in) return fprintf(stderr, "%s: cannot be opened\n", path), 1;
    fseek(in, 0, SEEK_END);
    size_t size = (size_t)ftell(in);
    rewind(in);

    uint8_t *data = malloc(size ? size : 1); // exact, so that the sanitizer sees reads behind it
    bool ok = data && fread(data, 1, size, in) == size;
    fclose(in);
    if (ok) {
        fprintf(stderr, "%s\n", path); // the last line before a crash names the file
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    return !ok;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) failed += replay(argv[i]);
    return failed > 0;
}
