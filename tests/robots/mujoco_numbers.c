// Joint-space inertia matrix and forces of a model at random states, by MuJoCo, as JSON: ref MODEL STATES SEED
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
static void list(const char *key, const double *x, int n, const char *end)
{
    printf("   \"%s\": [", key);
    for (int i = 0; i < n; i++) printf("%s%.17g", i ? ", " : "", x[i]);
    printf("]%s\n", end);
}
int main(int argc, char **argv)
{
    char error[1000] = "";
    mjModel *m = mj_loadXML(argv[1], NULL, error, sizeof error);
    if (!m) return fprintf(stderr, "%s\n", error), 1;
    m->opt.disableflags |= mjDSBL_CONSTRAINT;
    mjData *d = mj_makeData(m);
    srand(atoi(argv[3]));
    printf("{\"mujoco\": \"%s\", \"joints\": [", mj_versionString());
    for (int j = 0; j < m->njnt; j++)
        printf("%s\"%s\"", j ? ", " : "", mj_id2name(m, mjOBJ_JOINT, j) ? mj_id2name(m, mjOBJ_JOINT, j) : "");
    printf("],\n \"states\": [\n");
    double *M = malloc(sizeof *M * m->nv * m->nv), *tau = malloc(sizeof *tau * m->nv);
    for (int k = 0; k < atoi(argv[2]); k++) {
        mj_resetData(m, d);
        for (int j = 0; j < m->njnt; j++) { // balls and floating bodies stay at rest at the reference
            if (m->jnt_type[j] != mjJNT_HINGE && m->jnt_type[j] != mjJNT_SLIDE) continue;
            d->qpos[m->jnt_qposadr[j]] += 2.0 * rand() / RAND_MAX - 1;
            d->qvel[m->jnt_dofadr[j]] = 4.0 * rand() / RAND_MAX - 2;
        }
        for (int i = 0; i < m->nu; i++) d->ctrl[i] = 3.0 * rand() / RAND_MAX - 1.5;
        mj_forward(m, d);
        mj_fullM(m, M, d->qM);
        for (int i = 0; i < m->nv; i++) tau[i] = d->qfrc_bias[i] - d->qfrc_passive[i] - d->qfrc_actuator[i];
        printf("  {\n");
        list("q", d->qpos, m->nq, ",");
        list("u", d->qvel, m->nv, ",");
        list("control", d->ctrl, m->nu, ",");
        list("M", M, m->nv * m->nv, ",");
        list("h", tau, m->nv, ",");
        list("a", d->qacc, m->nv, "");
        printf("  }%s\n", k + 1 < atoi(argv[2]) ? "," : "");
    }
    printf(" ]}\n");
    return 0;
}
