// Lock: the coordinate of a joint keeps its value, as drawn or as it was when an event switched the lock on.
//     s = s_drawn + held
// docs/theory.md, section 8.15. The same holds a joint that rests at its hard stop (8.14).
#include "element/element.h"

static const hol_option options[] = {HOL_END_OPTIONS};

static hol_status take_coordinate(const hol_setup *in, void *data, hol_element *e)
{
    const hol_status st = hol_sum_add_joint(data, in, 0, 1);
    if (st) return st;
    hol_sum_done(data, e, e->type->name);
    return HOL_OK;
}

// The coordinate as a coupler of one joint takes it.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    extern const hol_element_type hol_joint_cylindrical;
    if (in->joint_type[0] == &hol_joint_cylindrical)
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, in->at,
            "%s.joint: a cylindrical joint has two coordinates, a lock holds one: let a grip hold its "
            "bodies",
            in->path);
    return take_coordinate(in, data, e);
}

static void phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *phi, hol_real *J)
{
    hol_sum_phi_held(data, ny, y, mem, phi ? mem[((const hol_sum *)data)->n_mem] : 0, phi, J);
}

static const char *hold(const void *data, int ny, const hol_real *y, double *mem)
{
    const hol_sum *sum = data;
    hol_real value;
    hol_sum_phi(sum, ny, y, mem, &value, NULL);
    mem[sum->n_mem] = hol_re(value);
    return NULL;
}

// A row of one joint's coordinate, whose value stands in the memory.
#define HOLDS_A_COORDINATE                                                                                   \
    .role = HOL_ROLE_JOINT, .dimensions = 5, .joints = 1, .options = options, HOL_SUM_DERIVATIVES, .phi = phi

const hol_element_type hol_joint_lock = {
    .name = "lock",
    .aliases = "brake",
    .doc = "the coordinate of a joint stays as drawn, or as it is when an event switches the lock on",
    HOLDS_A_COORDINATE,
    .setup = setup,
    .hold = hold,
};

// What holds a joint at a hard stop has been told where.
static const char *stay(const void *data, int ny, const hol_real *y, double *mem)
{
    (void)data, (void)ny, (void)y, (void)mem;
    return NULL;
}

const hol_element_type hol_joint_stop = {
    .name = "stop",
    .doc = "the coordinate of a joint stays at the end of its range, as long as that presses",
    HOLDS_A_COORDINATE,
    .setup = take_coordinate,
    .hold = stay,
};
