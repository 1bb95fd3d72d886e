// MuJoCo 2.2.2 for Python: a model, its arrays by the names of mjxmacro.h, and what is computed at a state. python/tests/test_mujoco.py
// makes a shared library of it.
#include <mujoco/mujoco.h>
#include <mujoco/mjxmacro.h>
#include <stdio.h>
#include <string.h>

const char *load(const char *path, mjModel **m, mjData **d)
{
    static char error[1000];
    *error = 0;
    *m = mj_loadXML(path, NULL, error, sizeof error);
    if (*m) (*m)->opt.jacobian = mjJAC_DENSE;
    *d = *m ? mj_makeData(*m) : NULL;
    return *m ? NULL : error;
}

void drop(mjModel *m, mjData *d)
{
    mj_deleteData(d);
    mj_deleteModel(m);
}

int sizes(const mjModel *m, const char *key)
{
#define X(name)                                                                                              \
    if (strcmp(key, #name) == 0) return m->name;
    MJMODEL_INTS
#undef X
    return -1;
}

int equations(const mjData *d) { return d->ne; }

// An array of the model or of the data: rows, columns, and whether it holds integers or bytes; NULL: there is no such array.
void *array(const mjModel *m, mjData *d, const char *key, int *rows, int *columns, int *width)
{
    {
        MJMODEL_POINTERS_PREAMBLE(m)
#undef MJ_M
#define MJ_M(n) m->n
#define X(type, name, nr, nc)                                                                                \
    if (strcmp(key, #name) == 0) {                                                                           \
        *rows = m->nr, *columns = nc;                                                                        \
        *width = (int)sizeof *m->name;                                                                       \
        return m->name;                                                                                      \
    }
        MJMODEL_POINTERS
#undef X
            (void)
        nuser_body, (void)nuser_jnt, (void)nuser_geom, (void)nuser_site, (void)nuser_cam;
        (void)nuser_tendon, (void)nuser_actuator, (void)nuser_sensor;
        (void)nq, (void)nv, (void)na, (void)nu, (void)nmocap;
    }
    MJDATA_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc)                                                                                \
    if (strcmp(key, #name) == 0) {                                                                           \
        *rows = m->nr, *columns = nc;                                                                        \
        *width = (int)sizeof *d->name;                                                                       \
        return d->name;                                                                                      \
    }
    MJDATA_POINTERS
#undef X
        (void)
    nv, (void)njmax;
    return NULL;
}

const char *name_of(const mjModel *m, int kind, int i)
{
    const char *name = mj_id2name(m, kind, i);
    return name ? name : "";
}

void disable(mjModel *m, int flags) { m->opt.disableflags |= flags; }
void step_size(mjModel *m, double h) { m->opt.timestep = h; }
void use_runge_kutta(mjModel *m) { m->opt.integrator = mjINT_RK4; }

// M of the state in d, row by row.
void full_mass(const mjModel *m, const mjData *d, double *M) { mj_fullM(m, M, d->qM); }
