// The W-method of order 2 with two stages: its order does not depend on the Jacobian. Verwer, Spee, Blom, Hundsdorfer 1999;
// Negrut et al. 2003, table 3. L-stable for gamma = 1 + 1/sqrt(2) and 1 - 1/sqrt(2).
#include "integrator/rosenbrock.h"

enum { GAMMA };
static const hol_option options[] = {
    {"gamma", HOL_CHOICE, "", 0, 0, 0, 0, "large|small",
     "1 + 1/sqrt(2), with more damping in the error estimate, or 1 - 1/sqrt(2), with smaller errors"},
    HOL_END_OPTIONS};

static const hol_rosenbrock large = {
    .stages = 2,
    .order = 2,
    .gamma = 1.7071067811865475244008443621048,
    .theta = {{0, 0}, {1.0000000000000000000000000000000, 0}},
    .a = {{0, 0}, {0.58578643762690495119831127579030, 0}},
    .c = {{0, 0}, {-1.1715728752538099023966225515806, 0}},
    .delta = {{0, 0}, {-2.4142135623730950488016887242097, 0}},
    .alpha = {0, 1.0000000000000000000000000000000},
    .gammas = {1.7071067811865475244008443621048, -1.7071067811865475244008443621048},
    .m = {0.87867965644035742679746691368545, 0.29289321881345247559915563789515},
    .mu = {0.79289321881345247559915563789515, 0.50000000000000000000000000000000},
    .e = {-0.29289321881345247559915563789515, -0.29289321881345247559915563789515},
    .emu = {0.20710678118654752440084436210485, -0.50000000000000000000000000000000},
    .bend = {0, 0.50000000000000000000000000000000},
};

static const hol_rosenbrock small = {
    .stages = 2,
    .order = 2,
    .gamma = 0.29289321881345247559915563789515,
    .theta = {{0, 0}, {1.0000000000000000000000000000000, 0}},
    .a = {{0, 0}, {3.4142135623730950488016887242097, 0}},
    .c = {{0, 0}, {-6.8284271247461900976033774484194, 0}},
    .delta = {{0, 0}, {0.41421356237309504880168872420970, 0}},
    .alpha = {0, 1.0000000000000000000000000000000},
    .gammas = {0.29289321881345247559915563789515, -0.29289321881345247559915563789515},
    .m = {5.1213203435596425732025330863145, 1.7071067811865475244008443621048},
    .mu = {2.2071067811865475244008443621048, 0.50000000000000000000000000000000},
    .e = {-1.7071067811865475244008443621048, -1.7071067811865475244008443621048},
    .emu = {-1.2071067811865475244008443621048, -0.50000000000000000000000000000000},
    .bend = {0, 0.50000000000000000000000000000000},
};

static hol_status create(hol_integrator *it)
{
    return hol_rosenbrock_create(it, it->option[GAMMA].num > 0 ? &small : &large);
}

const hol_method hol_method_ros2w = {
    .name = "ros2w",
    .family = "Rosenbrock",
    .doc = "W-method on the state-space equations; order 2 with any Jacobian, L-stable with the exact one",
    .order = 2,
    .divisor = 10,
    .accepts = HOL_ACCEPTS_ALL,
    .options = options,
    .create = create,
    HOL_ROSENBROCK_FUNCTIONS,
};
