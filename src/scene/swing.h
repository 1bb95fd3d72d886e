// Mode shapes as motions of the bodies about the pose at which they were found, for pictures.
#ifndef HOL_SWING_H
#define HOL_SWING_H

#include "scene/motion.h"

enum {
    HOL_SWING_ROWS = 49,  // of one period, the last as the first
    HOL_SWING_SECONDS = 2 // that a period lasts in the picture
};

// Shapes have no size of their own. They are drawn so large that a body is moved by HOL_SWING_LENGTH of the model's size, or turned by
// HOL_SWING_TURN [rad], whichever comes first.
#define HOL_SWING_LENGTH 0.05
#define HOL_SWING_TURN 0.2

typedef struct hol_swings {
    hol_poses poses; // first the pose itself, then HOL_SWING_ROWS rows of each mode
    int n;           // modes drawn, the first ones: as many as there is room for
    double size;     // of the model: the longest edge of the box around its bodies and joints [m]
} hol_swings;

// A period of each mode, q + c Re(u exp(i phi)): growth and decay are not drawn, and what does not vibrate swings as well. A mode in
// which no body moves rests. most: numbers in all.
hol_status hol_swings_create(hol_context *ctx, const hol_model_data *m, const hol_modes *modes, size_t most,
                             hol_swings *out);
void hol_swings_free(hol_swings *swings);
// "oscillation, 1.25 Hz, damping ratio 0.02", "decay, -3.1 1/s"
void hol_swing_label(const hol_mode *mode, char *text, size_t room);
// How shapes are drawn, a sentence or two.
void hol_swing_tell(const hol_swings *swings, const hol_modes *modes, hol_print_fn tell, void *user);

#endif
