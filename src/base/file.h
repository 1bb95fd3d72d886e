// Files that are read and written, and when two names are one place.
#ifndef HOL_FILE_H
#define HOL_FILE_H

#include "base/base.h"
#include <stdio.h>

// ---- reading --------------------------------------------------------------------------------------------------

// Opens a file for reading. Folders and devices are refused, since some of these have no end; a terminal is not.
// pipes: a pipe is admitted too that somebody writes to, as a shell gives it for <(command). most: largest size of a plain file [B], 0: any.
// NULL: why[size] says what the matter is, in words that follow "cannot be read: ".
FILE *hol_open_input(const char *path, bool pipes, long long most, char *why, size_t size);

// ---- writing --------------------------------------------------------------------------------------------------

// Are both names of one file? Also where it is not there yet: by the folder it would be in. Devices and pipes may be written
// by several, they are never the same.
bool hol_same_place(const char *a, const char *b);

// What stands before a name to lead from the folder of the file `from` to that of the file `to`: "" if it is the same one, "../models/".
// "" too if one of the folders is not there. To be freed; NULL: no memory.
char *hol_folder_way(hol_context *ctx, const char *from, const char *to);

// Is nothing there, or a plain file? Devices, pipes and names of descriptors are not to be replaced.
bool hol_is_replaceable(const char *path);

// A place being written belongs to one writer: a second one of any kind, of this process or another, is refused by name. The lock
// (flock) is advisory and goes with the process; where a file system has none, nothing is held.
//     grows: from `hol_output_place` on what is written stands in the file at once, so that a killed run leaves it; until then, while
//     its head is written, it is as the next one.
//     whole: the file appears when all is written; until then the one before it stays as it is. It is written beside, with
//     HOL_BESIDE behind its name. Devices and pipes, and files in folders where nothing can be made, are written in place.
//     turn: nothing is written; the place is held, by an empty file with HOL_TURN behind its name, for files written
//     again: whole, one after the other.
// "-", /dev/stdout, /dev/fd/N and links to these are descriptors: what is written goes there, behind what others wrote.
typedef enum hol_output_kind {
    HOL_OUTPUT_GROWS,
    HOL_OUTPUT_WHOLE,
    HOL_OUTPUT_TURN,
    HOL_OUTPUT_AGAIN
} hol_output_kind;
#define HOL_BESIDE ".holonom-part"
#define HOL_TURN ".holonom-run"

typedef struct hol_output {
    char *target, *beside; // beside NULL: written in place
    hol_output_kind kind;
    int stream;    // the descriptor that is named; -1: a file is
    bool lost;     // written in place, over what the file held
    int held;      // descriptor that has the lock; -1: not open
    FILE *file;    // for writing; NULL: others write the file `hol_output_path`
    char why[240]; // of the last failure, in words that follow "cannot be written: "
} hol_output;

// False: `why` says it, and there is nothing to close. HOL_ERR_MEMORY is in the context then, if that was it.
bool hol_output_open(hol_context *ctx, hol_output *o, const char *path, hol_output_kind kind);
// The same without `file`, for libraries that open files by name; descriptors are refused.
bool hol_output_hold(hol_context *ctx, hol_output *o, const char *path, hol_output_kind kind);
const char *hol_output_path(const hol_output *o);
// What is written takes the name, and goes on there. Who holds the file open need not know. False: `why`.
bool hol_output_place(hol_output *o);
// Behind a reason, if what stood in the file is gone and nothing whole has taken its place: "; .. is lost"; else "".
const char *hol_output_lost(const hol_output *o);
// Closes it, once. good: all was written; otherwise nothing appears under the name of a whole file. False: it was not good, or
// closing failed: `why`. Without effect on what is not open.
bool hol_output_close(hol_output *o, bool good);
// "PATH: cannot be written: WHY" into the context; HOL_ERR_IO.
hol_status hol_output_fail(hol_context *ctx, const hol_output *o, const char *path);

#endif
