// The one list of integrators. To add one: a file beside the others, a declaration and a line here.
#include "integrator/integrator.h"

extern const hol_method hol_method_newmark, hol_method_hht, hol_method_genalpha, hol_method_rk,
    hol_method_rn4, hol_method_ros2w, hol_method_adams, hol_method_bdf, hol_method_central, hol_method_srm,
    hol_method_projected, hol_method_newmark_index2, hol_method_newmark_index1, hol_method_tangent,
    hol_method_joint_bdf;

const hol_method *const hol_methods[] = {&hol_method_hht,
                                         &hol_method_newmark,
                                         &hol_method_genalpha,
                                         &hol_method_rk,
                                         &hol_method_rn4,
                                         &hol_method_ros2w,
                                         &hol_method_adams,
                                         &hol_method_bdf,
                                         &hol_method_joint_bdf,
                                         &hol_method_srm,
                                         &hol_method_tangent,
                                         &hol_method_central,
                                         &hol_method_projected,
                                         &hol_method_newmark_index2,
                                         &hol_method_newmark_index1,
                                         NULL};
