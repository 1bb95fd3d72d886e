// Open Dynamics Engine on the mechanisms of rods and on Bricard's: free bodies, hinges, dWorldStep; the block and the heap with contacts as it
// makes them. SETTING: STEP[:ERP][ quick], ERP the part of an error of the joints that a step takes back, default 0.8, of contacts 0.2; quick:
// dWorldQuickStep. An evaluation is a step.
#include "peers.h"

#include <ode/ode.h>
#include <vector>

namespace
{

struct World {
    dWorldID id = dWorldCreate();
    std::vector<dBodyID> body;
    dBodyID watched = nullptr;
    dVector3 point = {0, 0, 0};
    double gravity = 9.81;
    // of contacts: 0: there are none
    dSpaceID space = nullptr;
    dJointGroupID group = nullptr;
    double friction = 0, restitution = 0;
    long contacts = 0; // in all steps
    ~World()
    {
        if (space) {
            dJointGroupDestroy(group);
            dSpaceDestroy(space);
        }
        dWorldDestroy(id);
    }
};

dBodyID rigid(World &w, double x, double y, double z, double Ix, double Iy, double Iz)
{
    dMass mass;
    const dBodyID b = dBodyCreate(w.id);
    dMassSetParameters(&mass, 1, 0, 0, 0, Ix, Iy, Iz, 0, 0, 0);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, y, z);
    w.body.push_back(b);
    return b;
}

// A rod from a to b in the plane, along its own x.
dBodyID rod(World &w, double ax, double ay, double bx, double by)
{
    dMatrix3 R;
    const dBodyID b = rigid(w, (ax + bx) / 2, (ay + by) / 2, 0, 1e-3, 1. / 12, 1. / 12);
    dRFromAxisAndAngle(R, 0, 0, 1, atan2(by - ay, bx - ax));
    dBodySetRotation(b, R);
    return b;
}

void hinge(World &w, dBodyID a, dBodyID b, double x, double y, double z, int axis = 2)
{
    const dJointID j = dJointCreateHinge(w.id, nullptr);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, y, z);
    dJointSetHingeAxis(j, axis == 0, axis == 1, axis == 2);
}

void watch(World &w, dBodyID b, double x, double y, double z)
{
    w.watched = b;
    dBodyGetPosRelPoint(b, x, y, z, w.point);
}

void parallelograms(World &w, int n)
{
    dBodyID before = nullptr;
    for (int i = 0; i <= n; i++) {
        const dBodyID crank = rod(w, i, 0, i, 1);
        dBodySetLinearVel(crank, 0.5, 0, 0);
        dBodySetAngularVel(crank, 0, 0, -1);
        hinge(w, crank, nullptr, i, 0, 0);
        if (i == 0) watch(w, crank, 0, 1, 0);
        if (before) hinge(w, before, crank, i, 1, 0);
        if (i == n) break;
        before = rod(w, i, 1, i + 1, 1);
        dBodySetLinearVel(before, 1, 0, 0);
        hinge(w, crank, before, i, 1, 0);
    }
}

void bricard(World &w)
{
    const double at[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    const int axis[6] = {1, 2, 0, 1, 2, 0}, along[5] = {0, 1, 2, 0, 1};
    dBodyID before = nullptr;
    for (int i = 0; i < 6; i++) {
        dBodyID next = nullptr;
        if (i < 5) {
            double I[3] = {1.01 / 12, 1.01 / 12, 1.01 / 12}, c[3];
            I[along[i]] = 0.02 / 12;
            for (int k = 0; k < 3; k++) c[k] = (at[i][k] + at[i + 1][k]) / 2;
            next = rigid(w, c[0], c[1], c[2], I[0], I[1], I[2]);
        }
        if (before)
            hinge(w, before, next, at[i][0], at[i][1], at[i][2], axis[i]);
        else
            hinge(w, next, nullptr, at[i][0], at[i][1], at[i][2], axis[i]);
        if (i == 2) watch(w, next, 1, -1, 1);
        before = next;
    }
}

void ladder(World &w, int n)
{
    dBodyID top = nullptr, bottom = nullptr, rung = rod(w, 0, 0, 0, -1);
    hinge(w, rung, nullptr, 0, 0, 0);
    for (int i = 1; i <= n; i++) {
        const dBodyID next_top = rod(w, i - 1, 0, i, 0), next_bottom = rod(w, i - 1, -1, i, -1),
                      next_rung = rod(w, i, 0, i, -1);
        hinge(w, next_top, top, i - 1, 0, 0);
        hinge(w, next_bottom, rung, i - 1, -1, 0);
        hinge(w, next_rung, next_top, i, 0, 0);
        hinge(w, next_rung, next_bottom, i, -1, 0);
        top = next_top, bottom = next_bottom, rung = next_rung;
    }
    (void)bottom;
    watch(w, top, n, 0, 0);
}

// ---- contacts -------------------------------------------------------------------------------------------------------

void touch(World &w, double friction, double restitution)
{
    w.space = dHashSpaceCreate(nullptr);
    w.group = dJointGroupCreate(0);
    w.friction = friction;
    w.restitution = restitution;
    dWorldSetERP(w.id, 0.2);
    dWorldSetCFM(w.id, 1e-10);
}

void join(void *world, dGeomID a, dGeomID b)
{
    World &w = *static_cast<World *>(world);
    dContact contact[8] = {};
    const int n = dCollide(a, b, 8, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        contact[i].surface.mode = dContactApprox1 | (w.restitution > 0 ? dContactBounce : 0);
        contact[i].surface.mu = w.friction;
        contact[i].surface.bounce = w.restitution;
        contact[i].surface.bounce_vel = 0.1;
        dJointAttach(dJointCreateContact(w.id, w.group, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
    w.contacts += n;
}

void take_step(World &w, double step, bool quick)
{
    if (w.space) dSpaceCollide(w.space, &w, join);
    (quick ? dWorldQuickStep : dWorldStep)(w.id, step);
    if (w.space) dJointGroupEmpty(w.group);
}

// A cube of 0.2 m on a slope.
void block(World &w)
{
    const double slope = atan(0.35), g = 9.81;
    touch(w, 0.5, 0);
    dWorldSetGravity(w.id, g * sin(slope), 0, -g * cos(slope));
    dCreatePlane(w.space, 0, 0, 1, 0);
    const dBodyID b = rigid(w, 0, 0, 0.1, 0.04 / 6, 0.04 / 6, 0.04 / 6);
    dGeomSetBody(dCreateBox(w.space, 0.2, 0.2, 0.2), b);
    dBodySetLinearVel(b, 1, 0, 0);
    watch(w, b, 0, 0, 0.1);
}

void heap(World &w, const peer_problem *p)
{
    double at[3], n[3];
    touch(w, 0.3, 0.5);
    dWorldSetGravity(w.id, 0, 0, -9.81);
    for (int i = 0; i < PEER_HEAP_WALLS; i++) {
        peer_heap_wall(p, i, at, n);
        dCreatePlane(w.space, n[0], n[1], n[2], n[0] * at[0] + n[1] * at[1] + n[2] * at[2]);
    }
    for (int i = 0; i < p->size; i++) {
        dMass mass;
        peer_heap_place(p, i, at);
        const dBodyID b = rigid(w, at[0], at[1], at[2], 1, 1, 1);
        dMassSetSphereTotal(&mass, PEER_HEAP_MASS, PEER_HEAP_RADIUS);
        dBodySetMass(b, &mass);
        dGeomSetBody(dCreateSphere(w.space, PEER_HEAP_RADIUS), b);
    }
}

double mean_height(const World &w)
{
    double height = 0;
    for (const dBodyID b : w.body) height += dBodyGetPosition(b)[2] / (double)w.body.size();
    return height;
}

double energy(const World &w)
{
    double e = 0;
    for (const dBodyID b : w.body) {
        dMass mass;
        dVector3 u;
        dBodyGetMass(b, &mass);
        const dReal *v = dBodyGetLinearVel(b), *o = dBodyGetAngularVel(b);
        dBodyVectorFromWorld(b, o[0], o[1], o[2], u);
        for (int k = 0; k < 3; k++) e += 0.5 * (v[k] * v[k] + mass.I[5 * k] * u[k] * u[k]);
        e += w.gravity * dBodyGetPosition(b)[1];
    }
    return e;
}

bool run(const peer_problem *p, const char *setting, bool sampled, peer_outcome *out)
{
    double step = 1e-3, erp = 0.8;
    if (!peer_rhs(p) && sscanf(setting, "%lf:%lf", &step, &erp) < 1) return false;
    const bool quick = strstr(setting, "quick");
    World w;
    dWorldSetGravity(w.id, 0, -w.gravity, 0);
    dWorldSetERP(w.id, erp);
    dWorldSetCFM(w.id, 1e-12);
    dWorldSetAutoDisableFlag(w.id, 0);
    if (peer_is(p, "parallelograms"))
        parallelograms(w, p->size);
    else if (peer_is(p, "bricard"))
        bricard(w);
    else if (peer_is(p, "ladder"))
        ladder(w, p->size);
    else if (peer_is(p, "block"))
        block(w);
    else if (peer_is(p, "heap"))
        heap(w, p);
    else {
        snprintf(out->failure, sizeof out->failure, "unknown");
        return false;
    }
    const double e = energy(w);
    const int each = peer_rhs(p) ? 3 : (int)ceil(p->end / p->points / step - 1e-9),
              parts = peer_rhs(p) ? 1 : p->points;
    if (!peer_rhs(p)) step = p->end / p->points / each;
    const double begin = peer_now();
    for (int i = 1; i <= each * parts; i++) {
        take_step(w, step, quick);
        if (!sampled) continue;
        if (!w.space) peer_drift(out, energy(w) - e);
        dVector3 x = {mean_height(w)};
        if (w.watched) dBodyGetRelPointPos(w.watched, w.point[0], w.point[1], w.point[2], x);
        for (int k = 0; k < p->values && i % each == 0; k++) out->got[(i / each - 1) * p->values + k] = x[k];
    }
    out->seconds = peer_now() - begin;
    if (peer_rhs(p)) out->seconds /= each;
    out->steps = out->rhs = each * parts;
    out->contacts = (double)w.contacts / (each * parts);
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    dInitODE2(0);
    dSetMessageHandler([](int, const char *, va_list) {}); // thousands of a block on four corners
    dAllocateODEDataForThread(dAllocateMaskAll);
    const int code = peer_main(argc, argv, run);
    dCloseODE();
    return code;
}
