// Bullet on the heap of peers.h: spheres and planes, its sequential impulses in single precision, as Debian builds it. SETTING: STEP.
#include "peers.h"

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace
{

struct World {
    btDefaultCollisionConfiguration settings;
    btCollisionDispatcher dispatcher{&settings};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &settings};
    std::vector<std::unique_ptr<btCollisionShape>> shape;
    std::vector<std::unique_ptr<btRigidBody>> body;
    ~World()
    {
        for (auto &b : body) world.removeRigidBody(b.get());
    }
};

btVector3 vector(const double *x) { return btVector3((btScalar)x[0], (btScalar)x[1], (btScalar)x[2]); }

// mass 0: fixed
void add(World &w, double mass, btCollisionShape *shape, const double *at, btVector3 inertia)
{
    btRigidBody::btRigidBodyConstructionInfo info((btScalar)mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setOrigin(vector(at));
    info.m_friction = (btScalar)sqrt(0.3); // of two the product
    info.m_restitution = (btScalar)sqrt(0.5);
    w.body.push_back(std::make_unique<btRigidBody>(info));
    w.body.back()->setActivationState(DISABLE_DEACTIVATION);
    w.world.addRigidBody(w.body.back().get());
}

void heap(World &w, const peer_problem *p)
{
    double at[3], normal[3];
    const double origin[3] = {0, 0, 0};
    w.world.setGravity(btVector3(0, 0, (btScalar)-9.81));
    for (int i = 0; i < PEER_HEAP_WALLS; i++) {
        peer_heap_wall(p, i, at, normal);
        w.shape.push_back(
            std::make_unique<btStaticPlaneShape>(vector(normal), vector(normal).dot(vector(at))));
        add(w, 0, w.shape.back().get(), origin, btVector3(0, 0, 0));
    }
    w.shape.push_back(std::make_unique<btSphereShape>((btScalar)PEER_HEAP_RADIUS));
    btVector3 inertia;
    w.shape.back()->calculateLocalInertia((btScalar)PEER_HEAP_MASS, inertia);
    for (int i = 0; i < p->size; i++) {
        peer_heap_place(p, i, at);
        add(w, PEER_HEAP_MASS, w.shape.back().get(), at, inertia);
    }
}

int count_contacts(World &w)
{
    int n = 0;
    for (int i = 0; i < w.dispatcher.getNumManifolds(); i++)
        n += w.dispatcher.getInternalManifoldPointer()[i]->getNumContacts();
    return n;
}

bool run(const peer_problem *p, const char *setting, bool sampled, peer_outcome *out)
{
    if (!peer_is(p, "heap")) {
        snprintf(out->failure, sizeof out->failure, "unknown");
        return false;
    }
    World w;
    heap(w, p);
    const int steps = (int)ceil(p->end / atof(setting) - 1e-9);
    const btScalar step = (btScalar)(p->end / steps);
    const double begin = peer_now();
    for (int i = 0; i < steps; i++) {
        w.world.stepSimulation(step, 0);
        if (sampled) out->contacts += (double)count_contacts(w) / steps;
    }
    out->seconds = peer_now() - begin;
    out->steps = out->rhs = steps;
    for (int i = PEER_HEAP_WALLS; i < (int)w.body.size(); i++)
        out->got[0] += (double)w.body[(size_t)i]->getWorldTransform().getOrigin()[2] / p->size;
    return true;
}

} // namespace

int main(int argc, char **argv) { return peer_main(argc, argv, run); }
