// <frame> of MJCF: what is in it stands in the body around it, moved and turned, with its class.
#include "io/import_mjcf.h"

#include <string.h>

static bool is_frame(const hol_xml *e) { return e && strcmp(e->name, "frame") == 0; }

static bool may_be_in_one(const hol_xml *e)
{
    static const char *const names[] = {"frame", "body",      "geom",   "site",
                                        "joint", "freejoint", "camera", "light"};
    bool may = false;
    for (int i = 0; i < HOL_COUNT(names); i++) may = may || strcmp(e->name, names[i]) == 0;
    return may;
}

// What a frame holds comes behind it in the list around it; its parent stays the frame.
static void open_one(hol_xml *around, hol_xml *frame)
{
    hol_xml *kept = NULL, *last = frame, *next;
    frame->taken = true;
    hol_xml *e = frame->first;
    frame->first = frame->last = NULL;
    for (; e; e = next) {
        next = e->next;
        if (may_be_in_one(e)) {
            e->next = last->next;
            last->next = e;
            last = e;
        } else {
            e->next = NULL;
            *(kept ? &kept->next : &frame->first) = e;
            frame->last = kept = e;
        }
    }
    if (around->last == frame) around->last = last;
}

void hol_mjcf_open_frames(hol_xml *e)
{
    for (hol_xml *c = e->first; c; c = c->next) {
        if (is_frame(c)) open_one(e, c);
        if (strcmp(c->name, "body") == 0) hol_mjcf_open_frames(c);
    }
}

hol_status hol_mjcf_class_around(hol_mjcf *m, const hol_xml *e, int *around)
{
    for (hol_xml *f = e->parent; is_frame(f); f = f->parent)
        if (hol_xml_get(f, "childclass")) return hol_mjcf_class_of(m, f, "childclass", *around, around);
    return HOL_OK;
}

hol_status hol_mjcf_move(hol_mjcf *m, const hol_xml *e, hol_import_frame *frame)
{
    for (hol_xml *f = e->parent; is_frame(f); f = f->parent) {
        hol_import_frame own;
        hol_xml_get(f, "name");
        const hol_status st = hol_mjcf_frame(m, f, -1, &own);
        if (st) return st;
        *frame = hol_frame_times(&own, frame);
    }
    return HOL_OK;
}
