// Poses of all bodies over time, for pictures: kept while a run goes on or taken from a result, thinned where there is too much,
// and coded in 16 bits.
#ifndef HOL_MOTION_H
#define HOL_MOTION_H

#include "scene/scene.h"

// Rows of numbers at times, at most so many numbers: of too many, every second, third, .. is kept, and always the last.
typedef struct hol_track {
    hol_context *ctx;
    size_t width, most, seen, stride,
        n;        // numbers in a row and in all; rows offered, one of stride is kept; rows
    bool pending; // the row behind the last is filled
    int room[2];
    double *time;  // (n)
    double *value; // (n x width)
} hol_track;

// expected: rows, as far as one knows.
hol_status hol_track_start(hol_context *ctx, size_t width, size_t most, double expected, hol_track *out);
// Room for a row, to be filled by the caller; NULL: no memory.
double *hol_track_row(hol_track *t, double time);
void hol_track_drop(hol_track *t); // the row given last is none
void hol_track_end(hol_track *t);  // all rows are there
void hol_track_free(hol_track *t);

enum { HOL_POSES_MOST = 36000000 }; // numbers

typedef struct hol_poses {
    const hol_model_data *m;
    int *first;      // channel of each body; last: how many          (n_bodies + 1)
    size_t bad;      // rows left out: some pose is not a number, or beyond 1e30
    double bad_time; // the first of them [s]
    // Of the centres of mass: x y z (point masses), x y theta (planar bodies), x y z qw qx qy qz (spatial ones), orientations of
    // the body's axes; quaternions of length 1, without changes of sign from row to row.
    hol_track pose;
} hol_poses;

hol_status hol_poses_start(hol_context *ctx, const hol_model_data *m, double expected, hol_poses *out);
// A state's coordinates.
hol_status hol_poses_add(hol_poses *w, double t, const double *q);
// All rows are there. HOL_ERR_IO: none has poses that are numbers.
hol_status hol_poses_end(hol_poses *w, const char *file);
void hol_poses_free(hol_poses *w);
// From the columns body.x, .. of a result, which stand for the origins of the bodies' frames. HOL_ERR_USAGE, with the names of
// bodies: some have no poses in the result, or the model is another one.
hol_status hol_poses_read(hol_context *ctx, const hol_model_data *m, const hol_result *r, hol_poses *out);

// What was left out or is not to be trusted, a sentence each; nothing: everything is there.
void hol_poses_tell(const hol_poses *w, hol_print_fn tell, void *user);
// Drawn in the first row's pose; NULL: see hol_scene_create.
hol_scene *hol_poses_scene(const hol_poses *w);

// A point of a body, or of ground (-1), in its own axes from where its pose is told, in a row [m].
void hol_poses_place(const hol_poses *w, const double *row, int body, const double at[3], double x[3]);

// 'p' planar: x y theta, 'o' point: x y z, 's' spatial: x y z qw qx qy qz.
char hol_poses_letter(const hol_model_data *m, int body);

// Coding. Lengths are (x - low[axis])/edge in units of 1/65535, angles in units of 2 pi/65536, quaternions (q + 1) in units of
// 1/32767 (about 0: 32768). Along time second differences modulo 65536, small numbers of both signs first (0 -1 1 -2 ..);
// channel after channel, first all low bytes, then all high ones.
void hol_poses_box(const hol_poses *w, double low[3], double *edge);
// Says so if positions get coarser than 1/1000 of a link of this length.
void hol_poses_tell_box(double length, double edge, hol_print_fn tell, void *user);
void hol_poses_code(const hol_poses *w, const double low[3], double edge,
                    unsigned char *out); // (2 n n_channels)

#endif
