// MuJoCo on the problems of peers.h: joint coordinates of a tree, loops closed by soft `connect` constraints. SETTING:
// INTEGRATOR:STEP[:STIFFNESS][ OPTIONS], INTEGRATOR one of Euler RK4 implicit; STIFFNESS: time constant of the constraints in steps,
// default 2, which is the least that MuJoCo recommends; OPTIONS: more attributes of <option>. Of an evaluation any text. The block and the
// spheres of the heap have contacts as MuJoCo makes them.
#include "peers.h"

#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <unistd.h>

enum { MOST_BODIES = 4000, SLIDE = 3, LEVELS = 40 };

typedef struct {
    int parent, axis;          // 0 1 2: hinge; SLIDE: along z
    double at[3], angle, rate; // in the parent; angle at the start, about the axis
    double mass, com[3], inertia[3];
    double stiffness, damping, zero; // of the joint, zero as an angle of the start's
    double end[3];                   // site
} part;

// Point a of body i is point b of another; a spring from a site of i to one of j.
typedef struct {
    int i, j;
    double a[3];
} loop;
typedef struct {
    int i, j;
    double a[3], b[3], stiffness, damping, length;
} spring;

typedef struct {
    part body[MOST_BODIES];
    loop loops[MOST_BODIES];
    spring springs[2];
    int n, n_loops, n_springs, watched;
    double gravity[3], torque; // on the first joint
} mechanism;

static int add(mechanism *m, int parent, double x, double y, double z, int axis, double angle, double rate)
{
    part *b = &m->body[m->n];
    *b = (part){.parent = parent, .axis = axis, .at = {x, y, z}, .angle = angle, .rate = rate};
    return m->n++;
}

static void weigh(part *b, double mass, double x, double y, double z, double Ix, double Iy, double Iz)
{
    b->mass = mass;
    memcpy(b->com, (double[]){x, y, z}, sizeof b->com);
    memcpy(b->inertia, (double[]){Ix, Iy, Iz}, sizeof b->inertia);
    memcpy(b->end, (double[]){2 * x, 2 * y, 2 * z}, sizeof b->end);
}

static int rod(mechanism *m, int parent, double x, double y, double angle, double rate)
{
    const int i = add(m, parent, x, y, 0, 2, angle, rate);
    weigh(&m->body[i], 1, 0.5, 0, 0, 1e-3, 1. / 12, 1. / 12);
    return i;
}

static void tie(mechanism *m, int i, int j, double x, double y, double z)
{
    m->loops[m->n_loops++] = (loop){i, j, {x, y, z}};
}

static void parallelograms(mechanism *m, int n)
{
    m->gravity[1] = -9.81;
    int crank = rod(m, -1, 0, 0, (PEER_PI / 2), -1);
    for (int i = 0; i < n; i++) {
        const int coupler = rod(m, crank, 1, 0, -(PEER_PI / 2), 1);
        crank = rod(m, -1, i + 1, 0, (PEER_PI / 2), -1);
        tie(m, coupler, crank, 1, 0, 0);
    }
}

static void bricard(mechanism *m)
{
    static const double along[5][3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};
    static const int axis[5] = {1, 2, 0, 1, 2};
    m->gravity[1] = -9.81;
    for (int i = 0; i < 5; i++) {
        const double *d = along[i], a = 0.02 / 12, t = 1.01 / 12, zero[3] = {0},
                     *from = i ? along[i - 1] : zero;
        add(m, i - 1, from[0], from[1], from[2], axis[i], 0, 0);
        weigh(&m->body[i], 1, d[0] / 2, d[1] / 2, d[2] / 2, d[0] != 0 ? a : t, d[1] != 0 ? a : t,
              d[2] != 0 ? a : t);
    }
    // two points of the hinge's axis, x
    tie(m, 4, -1, 0, 1, 0);
    tie(m, 4, -1, 1, 1, 0);
    m->watched = 2;
}

static int plate(mechanism *m, int parent, double x, double y, double angle, double mass, double inertia,
                 double cx, double cy)
{
    const int i = add(m, parent, x, y, 0, 2, angle, 0);
    weigh(&m->body[i], mass, cx, cy, 0, inertia / 2, inertia / 2, inertia);
    return i;
}

static void andrews(mechanism *m)
{
    const double Ax = -0.06934, Ay = -0.00227;
    const int OF = plate(m, -1, 0, 0, -0.0617138900142764496, 0.04325, 2.194e-6, 0.00092, 0);
    const int FE = plate(m, OF, 0.007, 0, 0, 0.00365, 4.410e-7, -0.0115, 0);
    const int BDE =
        plate(m, -1, -0.03635, 0.03273, 0.455279819163070380, 0.02373, 5.255e-6, 0.01043, -0.01874);
    const int AG = plate(m, -1, Ax, Ay, 0.487364979543842550, 0.0705, 1.169e-5, 0.02308, 0.00916);
    const int GE = plate(m, AG, 0.04, 0, 0.222668390165885885, 0.00706, 5.667e-7, 0, -0.00579);
    const int AH = plate(m, -1, Ax, Ay, 1.23054744454982119, 0.05498, 1.912e-5, 0.00449, -0.01228);
    const int HE = plate(m, AH, 0, -0.04, -0.222668390165885885, 0.00706, 5.667e-7, 0.00579, 0);
    tie(m, BDE, FE, 0, -0.035, 0);
    tie(m, GE, FE, 0, -0.02, 0);
    tie(m, HE, FE, 0.02, 0, 0);
    m->springs[m->n_springs++] = (spring){BDE, -1, {0.02, -0.018, 0}, {0.014, 0.072, 0}, 4530, 0, 0.07785};
    m->torque = 0.033;
}

static void flyball(mechanism *m)
{
    const double r = 0.05, mass = 5.3, along = 0.3 * 2e-4 / 12, across = 0.3 * 1.0001 / 12, com = 5.15 / mass,
                 I = across + 0.3 * (com - 0.5) * (com - 0.5) + 5 * (1 - com) * (1 - com);
    m->gravity[2] = -9.81;
    add(m, -1, 0, 0, 0, 2, 0, 2 * PEER_PI);
    weigh(&m->body[0], 0.3, 0, 0, 0.5, across, across, along);
    add(m, 0, 0, 0, 0.5, SLIDE, 0, 0);
    weigh(&m->body[1], 3, 0, 0, 0, 0.005, 0.005, 0.005);
    for (int side = 1; side >= -1; side -= 2) {
        const int arm = add(m, 0, side * r, 0, 1, 1, side > 0 ? PEER_PI / 6 : 5 * PEER_PI / 6, 0);
        weigh(&m->body[arm], mass, com, 0, 0, along, I, I);
        m->springs[m->n_springs++] = (spring){1, arm, {side * r, 0, 0}, {0.5, 0, 0}, 8e5, 4e4, 0.5};
    }
    m->watched = 1;
}

static void stiff_pendulum(mechanism *m)
{
    m->gravity[1] = -9.81;
    plate(m, -1, 0, 0, 2 * PEER_PI, 3, 1, 1, 0);
    plate(m, 0, 2, 0, -PEER_PI / 12, 0.3, 0.225, 1.5, 0);
    m->body[0].stiffness = 400, m->body[0].damping = 15, m->body[0].zero = -(PEER_PI / 2);
    m->body[1].stiffness = 3e5, m->body[1].damping = 5e4, m->body[1].zero = PEER_PI / 12;
}

static void chain_of(mechanism *m, int n)
{
    m->gravity[2] = -9.81;
    for (int i = 1; i <= n; i++) {
        add(m, i - 2, i > 1, 0, 0, i % 2 ? 1 : 2, 0.1 * sin(i), 0);
        weigh(&m->body[i - 1], 1, 0.5, 0, 0, 0.02 / 12, 1.01 / 12, 1.01 / 12);
    }
    m->watched = n - 1;
}

static void ladder_of(mechanism *m, int n)
{
    m->gravity[1] = -9.81;
    int top = -1, rung = rod(m, -1, 0, 0, -(PEER_PI / 2), 0);
    for (int i = 1; i <= n; i++) {
        top = rod(m, top, i > 1, 0, 0, 0);
        const int bottom = rod(m, rung, 1, 0, (PEER_PI / 2), 0);
        rung = rod(m, top, 1, 0, -(PEER_PI / 2), 0);
        tie(m, bottom, rung, 1, 0, 0);
    }
    m->watched = top;
}

#define CONTROL_LEAN (5 * PEER_PI / 180) // from which MuJoCo counts the angle

// The cart goes along z, the pole turns about x and leans towards z.
static void cart_and_pole(mechanism *m)
{
    m->gravity[1] = -9.81;
    add(m, -1, 0, 0, 0, SLIDE, 0, 0);
    weigh(&m->body[0], 1, 0, 0, 0, 1, 1, 1);
    add(m, 0, 0, 0, 0, 0, CONTROL_LEAN, 0);
    weigh(&m->body[1], 0.1, 0, 0.5, 0, 0.1 / 12, 0.1 / 12, 0.1 / 12);
}

static void build(mechanism *m, const peer_problem *p)
{
    if (peer_is(p, "control")) cart_and_pole(m);
    if (peer_is(p, "parallelograms")) parallelograms(m, p->size);
    if (peer_is(p, "bricard")) bricard(m);
    if (peer_is(p, "andrews")) andrews(m);
    if (peer_is(p, "flyball")) flyball(m);
    if (peer_is(p, "stiff_pendulum")) stiff_pendulum(m);
    if (peer_is(p, "chain")) chain_of(m, p->size);
    if (peer_is(p, "ladder")) ladder_of(m, p->size);
}

static void stop(const char *message)
{
    printf("failed: %.150s\n", message);
    exit(0);
}

// ---- as MuJoCo's XML ------------------------------------------------------------------------------------------------

static void vector(FILE *f, const char *key, const double *v)
{
    fprintf(f, " %s='%.17g %.17g %.17g'", key, v[0], v[1], v[2]);
}

static void site(FILE *f, const char *kind, int k, const double *v)
{
    fprintf(f, "<site name='%s%d'", kind, k);
    vector(f, "pos", v);
    fprintf(f, "/>\n");
}

static void write_body(FILE *f, const mechanism *m, int i, int depth);

// The reader takes 100 levels in a file: deeper ones go into files of their own.
static void part_path(char path[80], int i)
{
    if (i < 0)
        snprintf(path, 80, "/tmp/mujoco_peers_%ld.xml", (long)getpid());
    else
        snprintf(path, 80, "/tmp/mujoco_peers_%ld_%d.xml", (long)getpid(), i);
}

static void write_deep_body(FILE *f, const mechanism *m, int i, int depth)
{
    char path[80];
    if (depth == 0 || depth % LEVELS) {
        write_body(f, m, i, depth);
        return;
    }
    part_path(path, i);
    fprintf(f, "<include file='%s'/>\n", path + strlen("/tmp/"));
    FILE *g = fopen(path, "w");
    if (!g) stop("no file in /tmp");
    fprintf(g, "<mujoco>\n");
    write_body(g, m, i, depth);
    fprintf(g, "</mujoco>\n");
    fclose(g);
}

static void remove_files(const mechanism *m)
{
    char path[80];
    for (int i = -1; i < m->n; i++) {
        part_path(path, i);
        remove(path);
    }
}

static void write_body(FILE *f, const mechanism *m, int i, int depth)
{
    const part *b = &m->body[i];
    double axis[3] = {0}, quat[3];
    axis[b->axis == SLIDE ? 2 : b->axis] = 1;
    for (int k = 0; k < 3; k++) quat[k] = sin(b->angle / 2) * axis[k];
    fprintf(f, "<body name='b%d'", i);
    vector(f, "pos", b->at);
    fprintf(f, " quat='%.17g %.17g %.17g %.17g'>\n<inertial mass='%.17g'", cos(b->angle / 2), quat[0],
            quat[1], quat[2], b->mass);
    vector(f, "pos", b->com);
    vector(f, "diaginertia", b->inertia);
    fprintf(f, "/>\n<joint type='%s' stiffness='%.17g' damping='%.17g' springref='%.17g'",
            b->axis == SLIDE ? "slide" : "hinge", b->stiffness, b->damping, b->zero);
    vector(f, "axis", axis);
    fprintf(f, "/>\n");
    site(f, "end", i, b->end);
    for (int k = 0; k < m->n_springs; k++) {
        if (m->springs[k].i == i) site(f, "from", k, m->springs[k].a);
        if (m->springs[k].j == i) site(f, "to", k, m->springs[k].b);
    }
    for (int j = i + 1; j < m->n; j++)
        if (m->body[j].parent == i) write_deep_body(f, m, j, depth + 1);
    fprintf(f, "</body>\n");
}

static void write_model(FILE *f, const mechanism *m, const char *method, double step, double stiffness,
                        bool energy)
{
    fprintf(f, "<mujoco><compiler angle='radian' inertiafromgeom='false' boundmass='0' boundinertia='0'/>\n");
    if (m->n_loops > 20 || m->n > 100)
        fprintf(f, "<size njmax='%d' nstack='%ld'/>\n", 6 * m->n_loops + 100,
                20000000L + 100L * m->n_loops * m->n);
    fprintf(f, "<option integrator='%s' timestep='%.17g'", method, step);
    vector(f, "gravity", m->gravity);
    fprintf(f, "><flag energy='%s' contact='disable'/></option>\n<worldbody>\n",
            energy ? "enable" : "disable");
    for (int k = 0; k < m->n_springs; k++)
        if (m->springs[k].j < 0) site(f, "to", k, m->springs[k].b);
    for (int i = 0; i < m->n; i++)
        if (m->body[i].parent < 0) write_body(f, m, i, 0);
    fprintf(f, "</worldbody>\n");
    if (m->n_loops) fprintf(f, "<equality>\n");
    for (int k = 0; k < m->n_loops; k++) {
        const loop *l = &m->loops[k];
        fprintf(f, "<connect body1='b%d' solref='%.17g 1' solimp='0.9999 0.9999 1'", l->i, stiffness * step);
        if (l->j >= 0) fprintf(f, " body2='b%d'", l->j);
        vector(f, "anchor", l->a);
        fprintf(f, "/>\n");
    }
    if (m->n_loops) fprintf(f, "</equality>\n");
    if (m->n_springs) fprintf(f, "<tendon>\n");
    for (int k = 0; k < m->n_springs; k++)
        fprintf(f,
                "<spatial stiffness='%.17g' damping='%.17g' springlength='%.17g'><site site='from%d'/><site "
                "site='to%d'/></spatial>\n",
                m->springs[k].stiffness, m->springs[k].damping, m->springs[k].length, k, k);
    if (m->n_springs) fprintf(f, "</tendon>\n");
    fprintf(f, "</mujoco>\n");
}

// ---- contacts -------------------------------------------------------------------------------------------------------

// On a slope.
static void write_block(FILE *f)
{
    fprintf(f, "<worldbody>\n<geom type='plane' size='1 1 1' friction='0.5 0 0'/>\n"
               "<body pos='0 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='1' friction='0.5 0 "
               "0'/></body>\n"
               "</worldbody>\n");
}

// An impact lasts 5 ms and gives back half of the speed, nearly.
static void write_heap(FILE *f, const peer_problem *p)
{
    double at[3], normal[3];
    fprintf(f, "<size nconmax='%d' njmax='%d' nstack='%ld'/>\n", 10 * p->size + 100, 40 * p->size + 400,
            20000000L + 20000L * p->size);
    fprintf(f, "<default><geom friction='0.3 0 0' solref='0.0074 0.215'/></default>\n<worldbody>\n");
    for (int w = 0; w < PEER_HEAP_WALLS; w++) {
        peer_heap_wall(p, w, at, normal);
        fprintf(f, "<geom type='plane' size='1 1 1'");
        vector(f, "pos", at);
        vector(f, "zaxis", normal);
        fprintf(f, "/>\n");
    }
    for (int i = 0; i < p->size; i++) {
        peer_heap_place(p, i, at);
        fprintf(f, "<body");
        vector(f, "pos", at);
        fprintf(f, "><freejoint/><geom type='sphere' size='%.17g' mass='%.17g'/></body>\n", PEER_HEAP_RADIUS,
                PEER_HEAP_MASS);
    }
    fprintf(f, "</worldbody>\n");
}

static void write_contacts(FILE *f, const peer_problem *p, const char *method, double step, const char *more)
{
    const bool block = peer_is(p, "block");
    const double slope = block ? atan(0.35) : 0, gravity[3] = {9.81 * sin(slope), 0, -9.81 * cos(slope)};
    fprintf(f, "<mujoco><option integrator='%s' timestep='%.17g'%s", method, step, more);
    vector(f, "gravity", gravity);
    fprintf(f, "/>\n");
    if (block)
        write_block(f);
    else
        write_heap(f, p);
    fprintf(f, "</mujoco>\n");
}

static bool touches(const peer_problem *p) { return peer_is(p, "block") || peer_is(p, "heap"); }

static void watch_contacts(const mjModel *m, const peer_problem *p, const mjData *d, double *out)
{
    double height = 0;
    for (int i = 1; i < m->nbody; i++) height += d->xipos[3 * i + 2] / (m->nbody - 1);
    *out = peer_is(p, "block") ? d->qpos[0] : height;
}

// ---- runs -----------------------------------------------------------------------------------------------------------

static void watch(const mjModel *m, const mechanism *k, const peer_problem *p, mjData *d, double *out)
{
    mj_forward(m, d);
    if (touches(p)) {
        watch_contacts(m, p, d, out);
    } else if (p->values > 1) {
        char name[20];
        snprintf(name, sizeof name, "end%d", k->watched);
        memcpy(out, d->site_xpos + 3 * mj_name2id(m, mjOBJ_SITE, name), (size_t)p->values * sizeof *out);
    } else
        *out = d->qpos[k->watched] +
               (k->body[k->watched].axis == SLIDE ? k->body[k->watched].at[2] : k->body[k->watched].angle);
}

static bool whole(const peer_problem *p, const mjModel *m, const mechanism *k, mjData *d, bool sampled,
                  peer_outcome *out)
{
    const int each = (int)lround(p->end / p->points / m->opt.timestep);
    mj_forward(m, d);
    const double energy = d->energy[0] + d->energy[1];
    const double begin = peer_now();
    for (int i = 1; i <= each * p->points; i++) {
        mj_step(m, d); // the energy is that at its beginning
        if (!sampled) continue;
        peer_drift(out, d->energy[0] + d->energy[1] - energy);
        out->contacts += (double)d->ncon / (each * p->points);
        if (i % each == 0) watch(m, k, p, d, out->got + (i / each - 1) * p->values);
    }
    out->seconds = peer_now() - begin;
    out->steps = each * p->points;
    out->rhs = out->steps * (m->opt.integrator == mjINT_RK4 ? 4 : 1);
    if (!d->warning[mjWARN_BADQACC].number && !d->warning[mjWARN_BADQPOS].number) return true;
    snprintf(out->failure, sizeof out->failure, "unstable");
    return false;
}

// The controller outside, as those who use MuJoCo write it: the force stays for the steps of a period.
static bool control(const peer_problem *p, const mjModel *m, mjData *d, peer_outcome *out)
{
    const int each = (int)lround(PEER_PERIOD / m->opt.timestep), periods = (int)lround(p->end / PEER_PERIOD);
    const double begin = peer_now();
    for (int k = 0; k < periods; k++) {
        d->qfrc_applied[0] = peer_push(d->qpos[0], d->qpos[1] + CONTROL_LEAN, d->qvel[0], d->qvel[1]);
        for (int i = 0; i < each; i++) mj_step(m, d);
    }
    out->seconds = peer_now() - begin;
    memcpy(out->got, d->qpos, 2 * sizeof *out->got);
    out->got[1] += CONTROL_LEAN;
    out->steps = (long)each * periods;
    out->rhs = out->steps * (m->opt.integrator == mjINT_RK4 ? 4 : 1);
    return true;
}

static void evaluation(const mjModel *m, mjData *d, peer_outcome *out)
{
    int n = 0;
    mj_forward(m, d);
    const double begin = peer_now();
    for (; peer_again(n, 1, begin); n++) mj_forward(m, d);
    out->seconds = (peer_now() - begin) / n;
}

static mjModel *load(const peer_problem *p, const char *setting, mechanism *k)
{
    char method[20] = "RK4", error[300] = "", path[80];
    double step = 1e-3, stiffness = 2;
    if (!peer_rhs(p) && sscanf(setting, "%19[^:]:%lf:%lf", method, &step, &stiffness) < 2) stop("setting");
    if (!peer_rhs(p)) step = p->end / p->points / ceil(p->end / p->points / step - 1e-9);
    part_path(path, -1);
    build(k, p);
    FILE *f = fopen(path, "w");
    if (!f) stop("no file in /tmp");
    const char *more = strchr(setting, ' ');
    if (touches(p))
        write_contacts(f, p, method, step, more ? more : "");
    else
        write_model(f, k, method, step, stiffness, !peer_is(p, "control"));
    fclose(f);
    mjModel *m = mj_loadXML(path, NULL, error, sizeof error);
    remove_files(k);
    if (!m) stop(error);
    return m;
}

static bool run(const peer_problem *p, const char *setting, bool sampled, peer_outcome *out)
{
    static mechanism k;
    static mjModel *m; // the same for all rounds
    static double rate[MOST_BODIES];
    if (peer_is(p, "ball") || peer_is(p, "cradle")) { // it has no such law
        snprintf(out->failure, sizeof out->failure, "unknown");
        return false;
    }
    if (!m) {
        m = load(p, setting, &k);
        if (peer_is(p, "block")) rate[0] = 1;
        for (int i = 0; i < k.n; i++) { // depth first, as the bodies are written
            char name[20];
            snprintf(name, sizeof name, "b%d", i);
            rate[m->body_dofadr[mj_name2id(m, mjOBJ_BODY, name)]] = k.body[i].rate;
        }
    }
    mjData *d = mj_makeData(m);
    memcpy(d->qvel, rate, (size_t)m->nv * sizeof *rate);
    d->qfrc_applied[0] = k.torque;
    bool fine = true;
    if (peer_rhs(p))
        evaluation(m, d, out);
    else if (peer_is(p, "control"))
        fine = control(p, m, d, out);
    else
        fine = whole(p, m, &k, d, sampled, out);
    mj_deleteData(d);
    return fine;
}

int main(int argc, char **argv)
{
    mju_user_error = stop;
    mju_user_warning = stop;
    return peer_main(argc, argv, run);
}
