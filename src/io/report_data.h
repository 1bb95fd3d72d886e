// What a report page shows, and the two ways it goes out: as JSON, as HTML. Private to report*.c.
#ifndef HOL_REPORT_DATA_H
#define HOL_REPORT_DATA_H

#include "analysis/settings.h"
#include "base/file.h"
#include "io/pack.h"
#include "model/mesh.h"
#include "scene/motion.h"
#include "scene/scene.h"

enum { HOL_PAGE_NOTICES = 40, HOL_PAGE_OPEN = 12 };

// What the page shows.
typedef struct {
    hol_context *ctx, *told; // of the memory and errors here; of the notes
    hol_arena *arena;
    const hol_model_data *m;
    const hol_settings *set;
    const char *title, *summary, *model_text;
    int n_signals, n_all;            // shown, and there are
    const char **name, **unit;       // as shown
    double *factor;                  // of the values, to be shown
    hol_names *number;               // of each signal by its name
    int n_open, open[HOL_PAGE_OPEN]; // signals that the page opens on, in their order
    bool all_open;                   // those shown were asked for
    hol_track value;
    hol_poses poses;
    const hol_modes *modes; // their shapes are the motion; NULL: it is that of a run
    int n_modes;            // of them that are drawn
    hol_scene *scene;
    int n_meshes, mesh_room, *mesh_of; // mesh of each drawing, -1: none                  (scene->n_drawings)
    struct hol_page_mesh {
        const hol_drawing *of;
        hol_mesh mesh;
        const char *positions, *indices; // names of blocks
    } * mesh; // files, each once                                                              (n_meshes)
    int n_touches, touch_room; // contacts by their ends, -1: not known, as of files
    hol_contact_event *touch;  //                                                             (n_touches)
    long touches_left_out;
    int n_notices;
    const char *notice[HOL_PAGE_NOTICES];
    char *check; // what `holonom check` says
    size_t check_length;
    int check_room;
} hol_page;

// The block "scene". low, edge: the box of the poses.
void hol_page_pack_scene(hol_pack *pack, hol_page *p, const double low[3], double edge);
// The page with the blocks in it. HOL_ERR_IO: the file cannot be written.
hol_status hol_page_write(hol_page *p, const char *path, hol_output *output, const hol_pack *pack);

// Signals shown that a word stands for, by their names: a signal, or a group such as energy. Returns how many of them are in
// `signal`, which takes `most`.
int hol_page_signals(const hol_page *p, const char *word, int *signal, int most);

#endif
