// What comes before the work of a call.
#include "fmu/place.h"

#include <string.h>

// For messages.
static const char *mode_word(fmu_mode mode)
{
    switch (mode) {
    case FMU_INSTANTIATED: return "before the initialisation";
    case FMU_INITIALIZATION: return "in the initialisation";
    case FMU_STEP: return "between steps";
    case FMU_ENDED: return "after an event has ended the simulation";
    case FMU_EVENT: return "in event mode";
    case FMU_DUE: return "while an event waits for event mode";
    case FMU_TERMINATED: return "after the end";
    default: return "after a step that has failed";
    }
}

bool fmu_may(const fmu *f, const char *function, unsigned modes)
{
    if (!f) return false;
    if (f->mode & modes) return true;
    fmu_fail(f, "%s may not be called %s", function, mode_word(f->mode));
    return false;
}

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) % 16 : -1;
}

// Escapes of an address, %20, as their bytes, in place; false: one is none.
static bool decode(char *text)
{
    char *to = text;
    for (const char *p = text; *p; p++) {
        const bool escape = *p == '%';
        const int high = escape ? digit(p[1]) : 0, low = escape && high >= 0 ? digit(p[2]) : 0;
        if (high < 0 || low < 0 || (escape && !(high | low))) return false;
        *to++ = escape ? (char)(16 * high + low) : *p;
        if (escape) p += 2;
    }
    *to = 0;
    return true;
}

// The folder that an address or a path names, to be freed; escapes are those of addresses, a path has none. NULL: it has been told why.
static char *find_folder(const fmu *master, const char *resources)
{
    static const char scheme[] = "file:", host[] = "//localhost/";
    const bool address = strncmp(resources, scheme, strlen(scheme)) == 0;
    const char *from = address ? resources + strlen(scheme) : resources;
    if (address && strncmp(from, host, strlen(host)) == 0)
        from += strlen(host) - 1;
    else if (address && strncmp(from, "///", 3) == 0)
        from += 2;
    char *folder = hol_calloc(NULL, strlen(from) + 1, 1);
    if (folder) strcpy(folder, from);
    if (folder && *from == '/' && from[1] != '/' && (!address || decode(folder))) {
        for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--) folder[n - 1] = 0;
        return folder;
    }
    hol_free(folder);
    fmu_fail(master, "\"%.300s\" is no folder of this machine: file:///.. is wanted", resources);
    return NULL;
}

// What the master has given is looked at, then the model is loaded.
fmu *fmu_instantiate(const fmu *master, const char *resources, const char *token, const char *why)
{
    if (!why && (!*master->name || !token || !resources))
        why = "the name of the instance, the token (guid) or the place of the resources is missing";
    if (why) {
        fmu_fail(master, "%s", why);
        return NULL;
    }
    char *folder = find_folder(master, resources);
    fmu *f = folder ? fmu_create(master, folder, token) : NULL;
    hol_free(folder);
    return f;
}

static const char *const categories[] = {"logStatusWarning", "logStatusError"}; // of the description

// Nothing changes where a category is unknown.
fmu_status fmu_set_logging(fmu *f, bool on, size_t n, const char *const *category)
{
    bool warnings = n == 0;
    if (n && !category) return fmu_fail(f, "no list of %zu categories is given", n);
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (int k = 0; k < HOL_COUNT(categories); k++)
            known |= category[i] && strcmp(category[i], categories[k]) == 0;
        if (!known)
            return fmu_fail(f, "there is no category \"%.60s\" of messages", category[i] ? category[i] : "");
        warnings |= strcmp(category[i], categories[0]) == 0;
    }
    f->logging = on && warnings;
    return FMU_OK;
}

fmu_status fmu_write_bytes(const fmu *f, const fmu_memory *memory, unsigned char *bytes, size_t n)
{
    if (!memory || !bytes) return fmu_fail(f, "no state or no place for its bytes is given");
    if (n < fmu_memory_size(memory))
        return fmu_fail(f, "the state takes %zu bytes, there is room for %zu", fmu_memory_size(memory), n);
    fmu_memory_write(memory, bytes);
    return FMU_OK;
}
