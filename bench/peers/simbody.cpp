// Simbody on the problems of peers.h: joint coordinates of a tree; loops closed by points in planes, Bricard's as the setting
// says. SETTING: [WORD ]INTEGRATOR:ACCURACY[:CONSTRAINT_TOLERANCE], INTEGRATOR one of rkm rk3 rkf verlet bdf adams, WORD
// for Bricard how its loop is closed, see there, for the block the speed from which on friction is Coulomb's. Of an evaluation any text.
#include "Simbody.h"
#include "peers.h"

#include <memory>
#include <vector>

using namespace SimTK;

namespace
{

struct Model {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<MobilizedBody> body;
    std::vector<double> q, u; // of the bodies' joints, one each
    std::vector<Vec3> place;  // or of bodies that have no joint
    Vec3 speed{0};            // of each of these
    int watched = -1;
    Vec3 point{0};
    std::unique_ptr<ContactTrackerSubsystem> tracker; // of problems with contacts
    std::unique_ptr<CompliantContactSubsystem> contacts;
};

Body::Rigid rigid(double mass, const Vec3 &com, const Vec3 &central)
{
    return Body::Rigid(MassProperties(mass, com, Inertia(central).shiftFromMassCenter(com, mass)));
}

Body::Rigid rod() { return rigid(1, Vec3(0.5, 0, 0), Vec3(1e-3, 1. / 12, 1. / 12)); }

// A pin about an axis of the parent, which is the same axis of the child at q = 0.
int pin(Model &m, int parent, const Vec3 &at, const UnitVec3 &axis, const Body &b, double q, double u)
{
    const Rotation R(axis, ZAxis);
    MobilizedBody &p = parent < 0 ? m.matter.updGround() : m.body[(size_t)parent];
    m.body.push_back(MobilizedBody::Pin(p, Transform(R, at), b, Transform(R)));
    m.q.push_back(q);
    m.u.push_back(u);
    return (int)m.body.size() - 1;
}

int pin(Model &m, int parent, double x, double y, const Body &b, double q, double u = 0)
{
    return pin(m, parent, Vec3(x, y, 0), UnitVec3(ZAxis), b, q, u);
}

// Point b of body j stays at point a of body i, in the plane.
void close(Model &m, int i, const Vec3 &a, int j, const Vec3 &b)
{
    Constraint::PointInPlane(m.body[(size_t)i], UnitVec3(XAxis), a[0], m.body[(size_t)j], b);
    Constraint::PointInPlane(m.body[(size_t)i], UnitVec3(YAxis), a[1], m.body[(size_t)j], b);
}

void gravity(Model &m, const Vec3 &g) { Force::Gravity(m.forces, m.matter, g); }

void parallelograms(Model &m, int n)
{
    gravity(m, Vec3(0, -9.81, 0));
    for (int i = 0; i <= n; i++) pin(m, -1, i, 0, rod(), Pi / 2, -1);
    for (int i = 0; i < n; i++) {
        const int coupler = pin(m, i, 1, 0, rod(), -Pi / 2, 1);
        close(m, coupler, Vec3(1, 0, 0), i + 1, Vec3(1, 0, 0));
    }
    m.watched = 0;
    m.point = Vec3(1, 0, 0);
}

// Of square section, 0.1 m wide.
Body::Rigid bar(double mass, const Vec3 &along)
{
    Vec3 inertia(mass * (0.01 + along.normSqr()) / 12);
    for (int k = 0; k < 3; k++)
        if (along[k] != 0) inertia[k] = mass * 0.02 / 12;
    return rigid(mass, along / 2, inertia);
}

// closure: the last hinge, about x, between the last rod and the ground. With all its equations, those that follow from the
// rest being left to Simbody:
//     angles  a ball and two right angles: 5 equations, rank 4
//     balls   two points of the axis: 6 equations, rank 4
//     weld    a pin to one half of the last rod, which is welded to the other half: 6 equations, rank 5
// or, one being left out by a user who knows that it follows:
//     angle   a ball and one right angle: 4 equations, rank 4
void bricard(Model &m, const std::string &closure)
{
    const Vec3 along[] = {Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(-1, 0, 0), Vec3(0, 1, 0)};
    const CoordinateAxis axis[] = {YAxis, ZAxis, XAxis, YAxis, ZAxis};
    const Vec3 last(0, 0, 1), x(1, 0, 0), end = along[4];
    const bool weld = closure == "weld", balls = closure == "balls", angles = closure == "angles";
    if (!weld && !balls && !angles && closure != "angle") throw std::runtime_error("no closure " + closure);
    gravity(m, Vec3(0, -9.81, 0));
    for (int i = 0; i < 5; i++) {
        const double part = i == 4 && weld ? 0.5 : 1;
        pin(m, i - 1, i ? along[i - 1] : Vec3(0), UnitVec3(axis[i]), bar(part, part * along[i]), 0, 0);
    }
    MobilizedBody &ground = m.matter.updGround();
    if (weld) {
        const int half = pin(m, -1, last, UnitVec3(XAxis), bar(0.5, -end / 2), 0, 0);
        Constraint::Weld(m.body[4], Transform(end / 2), m.body[(size_t)half], Transform(-end / 2));
    } else
        Constraint::Ball(ground, last, m.body[4], end);
    if (balls) Constraint::Ball(ground, last + x, m.body[4], end + x);
    if (angles || closure == "angle")
        Constraint::ConstantAngle(ground, UnitVec3(YAxis), m.body[4], UnitVec3(XAxis), Pi / 2);
    if (angles) Constraint::ConstantAngle(ground, UnitVec3(ZAxis), m.body[4], UnitVec3(XAxis), Pi / 2);
    m.watched = 2;
    m.point = along[2];
}

Body::Rigid plate(double mass, double inertia, double x, double y)
{
    return rigid(mass, Vec3(x, y, 0), Vec3(inertia / 2, inertia / 2, inertia));
}

void andrews(Model &m)
{
    const double Ax = -0.06934, Ay = -0.00227;
    const int OF = pin(m, -1, 0, 0, plate(0.04325, 2.194e-6, 0.00092, 0), -0.0617138900142764496);
    const int FE = pin(m, OF, 0.007, 0, plate(0.00365, 4.410e-7, -0.0115, 0), 0);
    const int BDE =
        pin(m, -1, -0.03635, 0.03273, plate(0.02373, 5.255e-6, 0.01043, -0.01874), 0.455279819163070380);
    const int AG = pin(m, -1, Ax, Ay, plate(0.0705, 1.169e-5, 0.02308, 0.00916), 0.487364979543842550);
    const int GE = pin(m, AG, 0.04, 0, plate(0.00706, 5.667e-7, 0, -0.00579), 0.222668390165885885);
    const int AH = pin(m, -1, Ax, Ay, plate(0.05498, 1.912e-5, 0.00449, -0.01228), 1.23054744454982119);
    const int HE = pin(m, AH, 0, -0.04, plate(0.00706, 5.667e-7, 0.00579, 0), -0.222668390165885885);
    const Vec3 E(-0.028, 0, 0);
    close(m, FE, E, BDE, Vec3(0, -0.035, 0));
    close(m, FE, E, GE, Vec3(0, -0.02, 0));
    close(m, FE, E, HE, Vec3(0.02, 0, 0));
    Force::TwoPointLinearSpring(m.forces, m.body[(size_t)BDE], Vec3(0.02, -0.018, 0), m.matter.updGround(),
                                Vec3(0.014, 0.072, 0), 4530, 0.07785);
    Force::MobilityConstantForce(m.forces, m.body[(size_t)OF], MobilizerUIndex(0), 0.033);
}

void flyball(Model &m)
{
    const double r = 0.05, mass = 5.3, along = 0.3 * 2e-4 / 12, across = 0.3 * 1.0001 / 12;
    const double com = (0.15 + 5) / mass, I = across + 0.3 * square(com - 0.5) + 5 * square(1 - com);
    gravity(m, Vec3(0, 0, -9.81));
    const Body::Rigid arm = rigid(mass, Vec3(com, 0, 0), Vec3(along, I, I));
    pin(m, -1, Vec3(0), UnitVec3(ZAxis), rigid(0.3, Vec3(0, 0, 0.5), Vec3(across, across, along)), 0, 2 * Pi);
    const Rotation up(-Pi / 2, YAxis); // its x is z of the shaft
    m.body.push_back(
        MobilizedBody::Slider(m.body[0], Transform(up), rigid(3, Vec3(0), Vec3(0.005)), Transform(up)));
    m.q.push_back(0.5);
    m.u.push_back(0);
    for (int side = 1; side >= -1; side -= 2) {
        const double angle = side > 0 ? Pi / 6 : 5 * Pi / 6;
        const int a = pin(m, 0, Vec3(side * r, 0, 1), UnitVec3(YAxis), arm, angle, 0);
        Force::TwoPointLinearSpring(m.forces, m.body[1], Vec3(side * r, 0, 0), m.body[(size_t)a],
                                    Vec3(0.5, 0, 0), 8e5, 0.5);
        Force::TwoPointLinearDamper(m.forces, m.body[1], Vec3(side * r, 0, 0), m.body[(size_t)a],
                                    Vec3(0.5, 0, 0), 4e4);
    }
}

void stiff_pendulum(Model &m)
{
    const double k[] = {400, 3e5}, c[] = {15, 5e4}, zero[] = {1.5 * Pi, 0};
    gravity(m, Vec3(0, -9.81, 0));
    pin(m, -1, 0, 0, plate(3, 1, 1, 0), 2 * Pi);
    pin(m, 0, 2, 0, plate(0.3, 0.225, 1.5, 0), -Pi / 12);
    for (int i = 0; i < 2; i++) {
        Force::MobilityLinearSpring(m.forces, m.body[(size_t)i], MobilizerQIndex(0), k[i], zero[i]);
        Force::MobilityLinearDamper(m.forces, m.body[(size_t)i], MobilizerUIndex(0), c[i]);
    }
}

void chain_of(Model &m, int n)
{
    const Body::Rigid prism = rigid(1, Vec3(0.5, 0, 0), Vec3(0.02 / 12, 1.01 / 12, 1.01 / 12));
    gravity(m, Vec3(0, 0, -9.81));
    for (int i = 1; i <= n; i++)
        pin(m, i - 2, Vec3(i > 1, 0, 0), i % 2 ? UnitVec3(YAxis) : UnitVec3(ZAxis), prism, 0.1 * std::sin(i),
            0);
    m.watched = n - 1;
    m.point = Vec3(1, 0, 0);
}

void ladder_of(Model &m, int n)
{
    const Vec3 end(1, 0, 0);
    gravity(m, Vec3(0, -9.81, 0));
    int top = -1, rung = pin(m, -1, 0, 0, rod(), -Pi / 2);
    for (int i = 1; i <= n; i++) {
        top = pin(m, top, i > 1, 0, rod(), 0);
        const int bottom = pin(m, rung, 1, 0, rod(), Pi / 2);
        rung = pin(m, top, 1, 0, rod(), -Pi / 2);
        close(m, bottom, end, rung, end);
    }
    m.watched = top;
    m.point = end;
}

// ---- contacts: K d^1.5 (1 + c d'), in Simbody 4/3 k sqrt(R) d^1.5 (1 + 3/2 (2c/3) d') --------------------------------------------

void touch(Model &m, double transition = 1e-2)
{
    m.tracker = std::make_unique<ContactTrackerSubsystem>(m.system);
    m.contacts = std::make_unique<CompliantContactSubsystem>(m.system, *m.tracker);
    m.contacts->setTransitionVelocity(transition);
}

// So that a ball on rigid ground has K; two equal balls have a quarter of it.
ContactMaterial material(double K, double c, double R, double friction)
{
    return ContactMaterial(3 * K / (4 * std::sqrt(R)), 2 * c / 3, friction, friction, 0);
}

ContactMaterial rigid_ground(double friction) { return ContactMaterial(1e40, 0, friction, friction, 0); }

// Half-space with its normal into the room; that of ContactGeometry::HalfSpace is -x.
void wall(Model &m, const Vec3 &at, const UnitVec3 &inward, const ContactMaterial &of)
{
    m.matter.updGround().updBody().addContactSurface(Transform(Rotation(-inward, XAxis), at),
                                                     ContactSurface(ContactGeometry::HalfSpace(), of));
}

Body::Rigid sphere(double mass, double inertia, double R, const ContactMaterial &of)
{
    Body::Rigid b = rigid(mass, Vec3(0), Vec3(inertia));
    b.addContactSurface(Transform(), ContactSurface(ContactGeometry::Sphere(R), of));
    return b;
}

// Along x of the frame, at q = 0 with its origin there.
void slider(Model &m, const Transform &frame, const Body &b, double u)
{
    m.body.push_back(MobilizedBody::Slider(m.matter.updGround(), frame, b, Transform(frame.R())));
    m.q.push_back(0);
    m.u.push_back(u);
}

void ball(Model &m)
{
    touch(m);
    gravity(m, Vec3(0, 0, -9.81));
    wall(m, Vec3(0), UnitVec3(ZAxis), rigid_ground(0));
    slider(m, Transform(Rotation(-Pi / 2, YAxis), Vec3(0, 0, 1.05)),
           sphere(0.5, 1e-3, 0.05, material(1e6, 0.1, 0.05, 0)), 0);
}

void cradle(Model &m, int n)
{
    touch(m);
    const Body::Rigid b = sphere(1, 1, 0.05, material(4e9, 0, 0.05, 0));
    for (int i = 0; i < n; i++) slider(m, Transform(Vec3(0.1 * i, 0, 0)), b, i == 0);
}

// Friction of Coulomb from this speed on [m/s]; it creeps with a part of it.
void block(Model &m, double transition)
{
    const double R = 0.1, K = 1e7, slope = std::atan(0.35), g = 9.81;
    touch(m, transition);
    gravity(m, Vec3(g * std::sin(slope), 0, -g * std::cos(slope)));
    wall(m, Vec3(0), UnitVec3(ZAxis), rigid_ground(0.5));
    m.body.push_back(MobilizedBody::Translation(m.matter.updGround(), Vec3(0),
                                                sphere(1, 1, R, material(K, 0.5, R, 0.5)), Vec3(0)));
    m.place = {Vec3(0, 0, R - std::pow(g * std::cos(slope) / K, 2. / 3))};
    m.speed = Vec3(1, 0, 0);
}

void heap(Model &m, const peer_problem *p)
{
    const double R = PEER_HEAP_RADIUS, K = 2e6, c = 1, mu = peer_heap_friction(p);
    // two balls have K, and a wall is of such a stiffness that it has K with a ball, too
    ContactMaterial ball = material(4 * K, c, R, mu), stone = ball;
    const double part = std::pow(0.25, 2. / 3);
    stone.setStiffness(ball.getStiffness() * std::pow(part / (1 - part), 1.5));
    touch(m, 0.2);
    gravity(m, Vec3(0, 0, -9.81));
    for (int w = 0; w < PEER_HEAP_WALLS; w++) {
        Vec3 at, inward;
        peer_heap_wall(p, w, &at[0], &inward[0]);
        wall(m, at, UnitVec3(inward), stone);
    }
    const Body::Rigid b = sphere(PEER_HEAP_MASS, 5e-4, R, ball);
    for (int i = 0; i < p->size; i++) {
        Vec3 at;
        peer_heap_place(p, i, &at[0]);
        m.body.push_back(MobilizedBody::Free(m.matter.updGround(), Vec3(0), b, Vec3(0)));
        m.place.push_back(at);
    }
}

// ---------------------------------------------------------------------------------------------------------------------

void build(Model &m, const peer_problem *p, const std::string &word = "")
{
    if (peer_is(p, "parallelograms")) parallelograms(m, p->size);
    if (peer_is(p, "bricard"))
        bricard(m, word);
    else if (peer_is(p, "block"))
        block(m, atof(word.c_str()));
    else if (!word.empty())
        throw std::runtime_error("a word before the integrator is for bricard and block alone");
    if (peer_is(p, "andrews")) andrews(m);
    if (peer_is(p, "flyball")) flyball(m);
    if (peer_is(p, "stiff_pendulum")) stiff_pendulum(m);
    if (peer_is(p, "chain")) chain_of(m, p->size);
    if (peer_is(p, "ladder")) ladder_of(m, p->size);
    if (peer_is(p, "ball")) ball(m);
    if (peer_is(p, "cradle")) cradle(m, p->size);
    if (peer_is(p, "heap")) heap(m, p);
}

State start(Model &m)
{
    State s = m.system.realizeTopology();
    for (size_t i = 0; i < m.place.size(); i++) {
        m.body[i].setQToFitTranslation(s, m.place[i]);
        m.body[i].setUToFitLinearVelocity(s, m.speed);
    }
    for (size_t i = 0; i < m.q.size(); i++) {
        m.body[i].setOneQ(s, 0, m.q[i]);
        m.body[i].setOneU(s, 0, m.u[i]);
    }
    m.system.realize(s, Stage::Acceleration);
    return s;
}

std::unique_ptr<Integrator> integrator(Model &m, const std::string &setting)
{
    const size_t colon = setting.find(':'), second = setting.find(':', colon + 1);
    const std::string name = setting.substr(0, colon);
    std::unique_ptr<Integrator> i;
    if (name == "rkm") i = std::make_unique<RungeKuttaMersonIntegrator>(m.system);
    if (name == "rk3") i = std::make_unique<RungeKutta3Integrator>(m.system);
    if (name == "rkf") i = std::make_unique<RungeKuttaFeldbergIntegrator>(m.system);
    if (name == "verlet") i = std::make_unique<VerletIntegrator>(m.system);
    if (name == "bdf") i = std::make_unique<CPodesIntegrator>(m.system, CPodes::BDF);
    if (name == "adams") i = std::make_unique<CPodesIntegrator>(m.system, CPodes::Adams);
    if (!i) throw std::runtime_error("no integrator " + name);
    i->setAccuracy(atof(setting.c_str() + colon + 1));
    if (second != std::string::npos) i->setConstraintTolerance(atof(setting.c_str() + second + 1));
    return i;
}

void watch_contacts(const Model &m, const peer_problem *p, const State &s, double *out)
{
    double height = 0;
    for (const MobilizedBody &b : m.body) height += b.getBodyOriginLocation(s)[2] / (double)m.body.size();
    if (peer_is(p, "ball") || peer_is(p, "heap")) out[0] = height;
    if (peer_is(p, "block")) out[0] = m.body[0].getBodyOriginLocation(s)[0];
    for (int k = 0; k < p->size && peer_is(p, "cradle"); k++) out[k] = m.body[(size_t)k].getOneU(s, 0);
}

void watch(const Model &m, const peer_problem *p, const State &s, double *out)
{
    m.system.realize(s, Stage::Velocity);
    if (m.contacts) {
        watch_contacts(m, p, s, out);
        return;
    }
    if (p->values == 1) {
        out[0] = m.body[peer_is(p, "flyball") ? 1 : 0].getOneQ(s, 0);
        return;
    }
    const Vec3 x = m.body[(size_t)m.watched].findStationLocationInGround(s, m.point);
    for (int k = 0; k < p->values; k++) out[k] = x[k];
}

void whole(const peer_problem *p, const char *setting, bool sampled, peer_outcome *out)
{
    Model m;
    const std::string text(setting);
    const size_t space = text.find(' ');
    build(m, p, space == std::string::npos ? "" : text.substr(0, space));
    const auto method = integrator(m, space == std::string::npos ? text : text.substr(space + 1));
    method->initialize(start(m));
    m.system.realize(method->getState(), Stage::Dynamics);
    const double energy = m.system.calcEnergy(method->getState());
    // energy: at 100 times at least; the points are among them
    const int each = p->points < 100 ? (100 + p->points - 1) / p->points : 1,
              parts = sampled ? each * p->points : 1;
    const double begin = peer_now();
    for (int i = 1; i <= parts; i++) {
        while (method->getTime() < p->end * i / parts * (1 - 1e-12)) method->stepTo(p->end * i / parts);
        if (!sampled) continue;
        const State &s = method->getState();
        if (i % each == 0) watch(m, p, s, out->got + (i / each - 1) * p->values);
        m.system.realize(s, Stage::Dynamics);
        if (m.contacts) out->contacts += (double)m.contacts->getNumContactForces(s) / parts;
        peer_drift(out, m.system.calcEnergy(s) - energy);
    }
    out->seconds = peer_now() - begin;
    out->steps = method->getNumStepsTaken();
    out->rhs = method->getNumRealizations();
}

void evaluation(const peer_problem *p, peer_outcome *out)
{
    Model m;
    build(m, p);
    State s = start(m);
    int n = 0;
    const double begin = peer_now();
    for (; peer_again(n, 1, begin); n++) {
        s.updQ(); // positions may have changed
        m.system.realize(s, Stage::Acceleration);
    }
    out->seconds = (peer_now() - begin) / n;
}

bool run(const peer_problem *p, const char *setting, bool sampled, peer_outcome *out)
{
    try {
        if (peer_rhs(p))
            evaluation(p, out);
        else
            whole(p, setting, sampled, out);
        return true;
    } catch (const std::exception &e) {
        snprintf(out->failure, sizeof out->failure, "%.150s", e.what());
        for (char *c = out->failure; *c; c++)
            if (*c == '\n') *c = ' ';
        return false;
    }
}

} // namespace

int main(int argc, char **argv) { return peer_main(argc, argv, run); }
