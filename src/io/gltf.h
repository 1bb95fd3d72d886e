// glTF 2.0 in one binary file (.glb), https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html: the bodies as nodes with their
// shapes below them, and the motion as one animation, modes as one each. Contacts whose signals the result has are discs and arrows.
#ifndef HOL_GLTF_H
#define HOL_GLTF_H

#include "model/model.h"

hol_status hol_gltf_check_name(hol_context *ctx, const char *path);
// The motion of a result; m: the model that was run.
hol_status hol_gltf_of_result(hol_context *ctx, const hol_result *r, const hol_model_data *m,
                              const char *path);
// Modes, an animation each (scene/swing.h); m: the model they were found for.
hol_status hol_gltf_of_modes(hol_context *ctx, const hol_modes *modes, const hol_model_data *m,
                             const char *path);

#endif
