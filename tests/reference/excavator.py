#!/usr/bin/env python3
"""Reference of models/excavator.yaml: writes tests/reference/excavator.csv.

    tests/reference/excavator.py [--pace P] [--soil N] [--load KG]      # with a variant: prints it and writes nothing

The strokes of the three cylinders are known, so that the motion is, and the forces follow from it. They are found in two ways that share
the numbers of the model and nothing else, in 50 decimal digits:

A   Lagrange's equations in the three strokes s. Each joint angle is one of a triangle whose sides are known, by the law of cosines; as
    complex numbers of length 1, u = (cos + i sin), they need square roots only. First and second derivatives of all places r and
    directions u by s come with the values (automatic differentiation). Then
        M_ij = sum over bodies of m (d_i r . d_j r) + I (d_i phi) (d_j phi),    d_i phi = Im(conj(u) d_i u)
        F_i = sum_j M_ij s_j'' + sum_jk (d_k M_ij - d_i M_jk / 2) s_j' s_k' + d_i V - Q_i
    with V of gravity and Q_i = f . d_i p of the forces of the ground and of the earth.

B   Newton's and Euler's equations of each body in x, y, phi of its centre of mass. Poses by Newton's method on the 33 equations of the
    joints and drivers, from poses of A rounded to centimetres, velocities and accelerations from their derivatives, written by hand;
    then the multipliers from M a + Phi_q^T lam = Q. They are the forces in the pins, too.

Masses follow from the shapes by the formulas of boxes, cylinders and half spheres. Needs nothing but Python.
"""
import math, os, sys
from decimal import Decimal, getcontext

getcontext().prec = 50
N = Decimal


def number(x): return N(str(x))


PI = N('3.14159265358979323846264338327950288419716939937510582097494')
G, STEEL = N('9.81'), N(7850)


# ---- the model -----------------------------------------------------------------------------------------------------


def option(name, value): return N(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else N(value)


SOIL, LOAD, PACE = option('--soil', 40000), option('--load', 1500), option('--pace', 1)
FOOT, LIFT_FOOT = (N('0.15'), N('1.75')), (N('0.75'), N('1.15'))
BOOM, LIFT, CROWD_FOOT = N('5.68'), (N('2.35'), N('0.6')), (N('3.05'), N('1.15'))
STICK, TAIL, CURL_FOOT, PIVOT = N('2.9'), (N('-0.83'), N('0.18')), (N('0.45'), N('0.62')), (N('2.45'), N('0.08'))
ROCKER, LINK = N('0.62'), N('0.6')
TEETH, LINK_PIN, EARTH = N('1.5'), (N('-0.04'), N('0.46')), (N('0.66'), N('0.3'))
CYLINDERS = {'lift': (N('1.62'), N('0.12'), N('0.085'), 2), 'crowd': (N('2.15'), N('0.14'), N('0.1'), 1),
             'curl': (N('1.6'), N('0.12'), N('0.085'), 1)}                  # closed, bore, rod, how many
ORDER = 'lift', 'crowd', 'curl'


def step5(x, x0, h0, x1, h1):
    """Value, slope and second derivative of the quintic from h0 at x0 to h1 at x1."""
    x, x0, h0, x1, h1 = map(number, (x, x0, h0, x1, h1))
    z, d = (x - x0) / (x1 - x0), x1 - x0
    if z <= 0: return h0, N(0), N(0)
    if z >= 1: return h1, N(0), N(0)
    h = h1 - h0
    return h0 + h * z**3 * (10 - 15 * z + 6 * z * z), 30 * h * z * z * (1 - z)**2 / d, 60 * h * z * (1 - z) * (1 - 2 * z) / d**2


def course(t, start, *steps):
    """A stroke, its speed and acceleration."""
    parts = [step5(PACE * t, *s) for s in steps]
    return number(start) + sum(p[0] for p in parts), PACE * sum(p[1] for p in parts), PACE**2 * sum(p[2] for p in parts)


def strokes(t):
    return (course(t, 0.68, (2.5, 0, 4.5, 0.1), (4, 0, 6.8, 0.37)), course(t, 0.21, (0.5, 0, 4.5, 0.94), (6.5, 0, 9, -0.5)),
            course(t, 0.17, (0.8, 0, 4.6, 0.69), (6.8, 0, 9, -0.65)))


def ground_force(t): return SOIL * (step5(PACE * t, 0.6, 0, 1.4, 1)[0] - step5(PACE * t, 3.2, 0, 4, 1)[0])
def earth_force(t): return -G * LOAD * (step5(PACE * t, 2, 0, 4, 1)[0] - step5(PACE * t, 7.2, 0, 8.6, 1)[0])


# Shapes: volume, centre, moment of inertia over density, about z through the centre.
def box(x, y, thick, at=(N(0), N(0))): return x * y * thick, at, x * y * thick * (x * x + y * y) / 12


def disc(r, length, at=(N(0), N(0))): return PI * r * r * length, at, PI * r**4 * length / 2


def bar(a, b, r):
    """A cylinder along x from a to b."""
    volume = PI * r * r * (b - a)
    return volume, ((a + b) / 2, N(0)), volume * (3 * r * r + (b - a)**2) / 12


def half_sphere(a, r, sign):
    volume = 2 * PI * r**3 / 3
    return volume, (a + sign * 3 * r / 8, N(0)), volume * r * r * 83 / 320


def together(*parts):
    """parts: (density, shape); mass, centre, inertia."""
    parts = [(d * v, c, d * i) for d, (v, c, i) in parts]
    m = sum(p[0] for p in parts)
    c = tuple(sum(p[0] * p[1][k] for p in parts) / m for k in (0, 1))
    return m, c, sum(i + a * sum((b[k] - c[k])**2 for k in (0, 1)) for a, b, i in parts)


def capsule(length, r):
    return together((STEEL, bar(N(0), length, r)), (STEEL, half_sphere(N(0), r, -1)), (STEEL, half_sphere(length, r, 1)))


def masses():
    m = {}
    for name, (closed, bore, rod, alike) in CYLINDERS.items():
        steel, end = STEEL * alike, closed - N('0.15')
        eye = disc(N('0.09'), N('0.1'))
        m[name + '.barrel'] = together((steel, eye), (steel, bar(N('0.1'), end, bore / 2 + N('0.012'))),
                                       (-steel, bar(N('0.12'), end, bore / 2)))
        m[name + '.rod'] = together((steel, eye), (steel, bar(N('0.2') - closed, N('-0.1'), rod / 2)),
                                    (steel, bar(N('0.12') - closed, N('0.2') - closed, bore / 2)))
    bend = N('2.4'), N('0.75')
    one, two = (bend[0]**2 + bend[1]**2).sqrt(), ((BOOM - bend[0])**2 + bend[1]**2).sqrt()
    c1 = N('1.28') * bend[0] / one, N('1.28') * bend[1] / one
    c2 = bend[0] + N('1.66') * (BOOM - bend[0]) / two, bend[1] - N('1.66') * bend[1] / two
    outer, inner = (N('0.62'), N('0.42')), (N('0.592'), N('0.396'))
    m['boom'] = together((STEEL, box(N('2.26'), *outer, c1)), (-STEEL, box(N('2.23'), *inner, c1)),
                         (STEEL, box(N('3.12'), *outer, c2)), (-STEEL, box(N('3.09'), *inner, c2)), (STEEL, disc(N('0.13'), N('0.5'))),
                         (STEEL, disc(N('0.13'), N('0.5'), (BOOM, N(0)))))
    middle = N(1), N('0.12')
    hull = box(N('3.5'), N('0.42'), N('0.34'), middle), box(N('3.474'), N('0.396'), N('0.316'), middle)
    density = 830 / (hull[0][0] - hull[1][0])
    m['stick'] = together((density, hull[0]), (-density, hull[1]))
    m['rocker'], m['link'] = capsule(ROCKER, N('0.055')), capsule(LINK, N('0.065'))
    m['bucket'] = N(780), (N('0.62'), N('0.34')), N(190)
    return m


BODIES = masses()


# ---- A: triangles, Lagrange ----------------------------------------------------------------------------------------


class Jet:
    """A number with its first and second derivatives by the three strokes."""

    def __init__(self, value, first=None, second=None):
        self.v = value
        self.d = first or [N(0)] * 3
        self.h = second or [[N(0)] * 3 for _ in range(3)]

    def chain(self, v, slope, curve):
        return Jet(v, [slope * a for a in self.d],
                   [[slope * self.h[i][j] + curve * self.d[i] * self.d[j] for j in range(3)] for i in range(3)])

    def __add__(self, o):
        if not isinstance(o, Jet): return Jet(self.v + o, self.d, self.h)
        return Jet(self.v + o.v, [a + b for a, b in zip(self.d, o.d)], [[a + b for a, b in zip(p, q)] for p, q in zip(self.h, o.h)])

    def __mul__(self, o):
        if not isinstance(o, Jet): return self.chain(self.v * o, o, N(0))
        return Jet(self.v * o.v, [self.v * b + o.v * a for a, b in zip(self.d, o.d)],
                   [[self.v * o.h[i][j] + o.v * self.h[i][j] + self.d[i] * o.d[j] + self.d[j] * o.d[i] for j in range(3)]
                    for i in range(3)])

    def __neg__(self): return self * N(-1)
    def __sub__(self, o): return self + (-o)
    def __rsub__(self, o): return -self + o
    __radd__, __rmul__ = __add__, __mul__
    def inverse(self): return self.chain(1 / self.v, -1 / self.v**2, 2 / self.v**3)
    def __truediv__(self, o): return self * (o.inverse() if isinstance(o, Jet) else 1 / o)
    def __rtruediv__(self, o): return self.inverse() * o

    def sqrt(self):
        r = self.v.sqrt()
        return self.chain(r, 1 / (2 * r), -1 / (4 * r**3))


def turn(u, p): return u[0] * p[0] - u[1] * p[1], u[0] * p[1] + u[1] * p[0]
def plus(p, q): return p[0] + q[0], p[1] + q[1]
def minus(p, q): return p[0] - q[0], p[1] - q[1]
def back(u): return u[0], -u[1]
def size(p): return (p[0] * p[0] + p[1] * p[1]).sqrt()


def unit(p):
    n = size(p)
    return p[0] / n, p[1] / n


def corner(a, b, c, side):
    """The direction by which side b is turned against side a of a triangle whose third side is c; side: 1 or -1."""
    x = (a * a + b * b - c * c) / (2 * a * b)
    return x, side * (1 - x * x).sqrt()


def poses(s):
    """Place and direction of every body frame, functions of the strokes."""
    length = {name: CYLINDERS[name][0] + x for name, x in zip(ORDER, s)}
    p = {}
    base = minus(LIFT_FOOT, FOOT)
    u = turn(turn(unit(base), corner(size(base), size(LIFT), length['lift'], 1)), back(unit(LIFT)))
    p['boom'] = FOOT, u
    base = minus(CROWD_FOOT, (BOOM, N(0)))
    w = turn(turn(unit(base), corner(size(base), size(TAIL), length['crowd'], -1)), back(unit(TAIL)))
    p['stick'] = plus(FOOT, turn(u, (BOOM, N(0)))), turn(u, w)
    base = minus(CURL_FOOT, PIVOT)
    rocker = turn(unit(base), corner(size(base), ROCKER, length['curl'], -1))
    end = plus(PIVOT, turn(rocker, (ROCKER, N(0))))
    base = minus(end, (STICK, N(0)))
    bucket = turn(turn(unit(base), corner(size(base), size(LINK_PIN), LINK, -1)), back(unit(LINK_PIN)))
    link = minus(plus((STICK, N(0)), turn(bucket, LINK_PIN)), end)
    origin, u = p['stick']
    for name, at, v in (('rocker', PIVOT, rocker), ('link', end, (link[0] / LINK, link[1] / LINK)), ('bucket', (STICK, N(0)), bucket)):
        p[name] = plus(origin, turn(u, at)), turn(u, v)
    feet = LIFT_FOOT, plus(FOOT, turn(p['boom'][1], CROWD_FOOT)), plus(origin, turn(u, CURL_FOOT))
    eyes = plus(FOOT, turn(p['boom'][1], LIFT)), plus(origin, turn(u, TAIL)), plus(origin, turn(u, end))
    for name, foot, eye in zip(ORDER, feet, eyes):
        v = minus(eye, foot)
        v = v[0] / length[name], v[1] / length[name]
        p[name + '.barrel'], p[name + '.rod'] = (foot, v), (eye, v)
    return p


def lagrange(t):
    """Forces of the cylinders, poses as plain numbers, place of the teeth."""
    s = strokes(t)
    p = poses([Jet(x[0], [N(int(i == j)) for j in range(3)]) for i, x in enumerate(s)])
    R = range(3)
    M = [[N(0)] * 3 for _ in R]
    dM = [[[N(0)] * 3 for _ in R] for _ in R]                # dM[k][i][j]
    gradient, Q = [N(0)] * 3, [N(0)] * 3
    for name, (m, c, inertia) in BODIES.items():
        origin, u = p[name]
        r = plus(origin, turn(u, c))
        spin = [u[0].v * u[1].d[i] - u[1].v * u[0].d[i] for i in R]
        spins = [[u[0].d[k] * u[1].d[i] - u[1].d[k] * u[0].d[i] + u[0].v * u[1].h[k][i] - u[1].v * u[0].h[k][i] for i in R] for k in R]
        for i in R:
            gradient[i] += m * G * r[1].d[i]
            for j in R:
                M[i][j] += m * sum(x.d[i] * x.d[j] for x in r) + inertia * spin[i] * spin[j]
                for k in R:
                    dM[k][i][j] += m * sum(x.h[k][i] * x.d[j] + x.d[i] * x.h[k][j] for x in r)
                    dM[k][i][j] += inertia * (spins[k][i] * spin[j] + spin[i] * spins[k][j])
    origin, u = p['bucket']
    tooth, earth = plus(origin, turn(u, (TEETH, N(0)))), plus(origin, turn(u, EARTH))
    f = ground_force(t)
    for i in R: Q[i] = f * (-u[1].v * tooth[0].d[i] + u[0].v * tooth[1].d[i]) + earth_force(t) * earth[1].d[i]
    force = [sum(M[i][j] * s[j][2] for j in R) + gradient[i] - Q[i] +
             sum((dM[k][i][j] - dM[i][j][k] / 2) * s[j][1] * s[k][1] for j in R for k in R)
             for i in R]
    plain = lambda q: tuple(x.v if isinstance(x, Jet) else x for x in q)
    return force, {name: (plain(a), plain(b)) for name, (a, b) in p.items()}, plain(tooth)


# ---- B: Newton and Euler in Cartesian coordinates ------------------------------------------------------------------


def sine_cosine(x):
    """By the series of x/2^10, and ten doublings."""
    y = x / 1024
    s, c, term, n = N(0), N(0), N(1), 0
    while abs(term) > N(10)**-60:
        if n % 2: s += term if n % 4 == 1 else -term
        else: c += term if n % 4 == 0 else -term
        n += 1
        term = term * y / n
    for _ in range(10): s, c = 2 * s * c, c * c - s * s
    return s, c


def solve(A, b):
    A = [row[:] + [x] for row, x in zip(A, b)]
    n = len(A)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(A[i][k]))
        A[k], A[p] = A[p], A[k]
        for i in range(k + 1, n):
            if not A[i][k]: continue
            f = A[i][k] / A[k][k]
            for j in range(k, n + 1):
                if A[k][j]: A[i][j] -= f * A[k][j]
    x = [N(0)] * n
    for k in range(n - 1, -1, -1): x[k] = (A[k][n] - sum(A[k][j] * x[j] for j in range(k + 1, n))) / A[k][k]
    return x


ZERO = N(0), N(0)
PINS = [('foot', None, FOOT, 'boom', ZERO), ('elbow', 'boom', (BOOM, N(0)), 'stick', ZERO), ('wrist', 'stick', (STICK, N(0)), 'bucket', ZERO),
        ('pivot', 'stick', PIVOT, 'rocker', ZERO), ('knuckle', 'rocker', (ROCKER, N(0)), 'link', ZERO),
        ('coupling', 'link', (LINK, N(0)), 'bucket', LINK_PIN),
        ('lift_foot', None, LIFT_FOOT, 'lift.barrel', ZERO), ('lift_eye', 'boom', LIFT, 'lift.rod', ZERO),
        ('crowd_foot', 'boom', CROWD_FOOT, 'crowd.barrel', ZERO), ('crowd_eye', 'stick', TAIL, 'crowd.rod', ZERO),
        ('curl_foot', 'stick', CURL_FOOT, 'curl.barrel', ZERO), ('curl_eye', 'rocker', (ROCKER, N(0)), 'curl.rod', ZERO)]
NAMES = list(BODIES)


def equations(q, v, t):
    """Phi, its Jacobian, and the right sides of the equations of velocities and accelerations: Phi_q v = b, Phi_q a = g."""
    phi, rows, b, g, n = [], [], [], [], len(q)
    sc = [sine_cosine(q[3 * i + 2]) for i in range(len(NAMES))]

    def point(body, at):
        """Where a point of a body frame is, its derivatives by x, y, angle of the body, its acceleration without those of the body."""
        if body is None: return None, at, ZERO, ZERO
        i = NAMES.index(body)
        s, c = sc[i]
        d = minus(at, BODIES[body][1])
        e = turn((c, s), d)
        w = v[3 * i + 2]
        return i, (q[3 * i] + e[0], q[3 * i + 1] + e[1]), (-e[1], e[0]), (-w * w * e[0], -w * w * e[1])

    for _, first, a, second, z in PINS:
        i, p, dp, ap = point(first, a)
        j, r, dr, ar = point(second, z)
        for k in (0, 1):
            row = [N(0)] * n
            if i is not None: row[3 * i + k], row[3 * i + 2] = N(-1), -dp[k]
            row[3 * j + k], row[3 * j + 2] = N(1), dr[k]
            phi.append(r[k] - p[k]), rows.append(row), b.append(N(0)), g.append(ap[k] - ar[k])
    for name, (value, speed, accel) in zip(ORDER, strokes(t)):
        i, p, dp, ap = point(name + '.barrel', (CYLINDERS[name][0], N(0)))
        j, r, dr, ar = point(name + '.rod', ZERO)
        s, c = sc[i]
        w = v[3 * i + 2]
        e = minus(r, p)                                             # from the joint's frame on the barrel to that of the rod
        relative = [v[3 * j + k] + dr[k] * v[3 * j + 2] - v[3 * i + k] - dp[k] * w for k in (0, 1)]
        for axis, slope, want in (((c, s), (-s, c), (value, speed, accel)), ((-s, c), (-c, -s), (N(0),) * 3)):
            row = [N(0)] * n
            for k in (0, 1):
                row[3 * i + k] -= axis[k]
                row[3 * j + k] += axis[k]
                row[3 * i + 2] += slope[k] * e[k] - axis[k] * dp[k]
                row[3 * j + 2] += axis[k] * dr[k]
            bias = sum(axis[k] * (ar[k] - ap[k]) + 2 * w * slope[k] * relative[k] - w * w * axis[k] * e[k] for k in (0, 1))
            phi.append(sum(axis[k] * e[k] for k in (0, 1)) - want[0]), rows.append(row), b.append(want[1]), g.append(want[2] - bias)
        row = [N(0)] * n
        row[3 * i + 2], row[3 * j + 2] = N(-1), N(1)
        phi.append(q[3 * j + 2] - q[3 * i + 2]), rows.append(row), b.append(N(0)), g.append(N(0))
    return phi, rows, b, g


def newton_euler(t, guess):
    """Forces of the cylinders, of all pins on their second bodies (global), coordinates."""
    q = []
    for name in NAMES:
        o, u = guess[name]
        c = plus(o, turn(u, BODIES[name][1]))
        q += [round(c[0], 2), round(c[1], 2), number(round(math.atan2(u[1], u[0]), 2))]
    rest = [N(0)] * len(q)
    for _ in range(12):
        phi, rows, _, _ = equations(q, rest, t)
        if max(map(abs, phi)) < N(10)**-45: break
        q = [x - d for x, d in zip(q, solve(rows, phi))]
    else: raise SystemExit(f't = {t}: no pose')
    _, rows, b, _ = equations(q, rest, t)
    v = solve(rows, b)
    _, rows, _, g = equations(q, v, t)
    a = solve(rows, g)
    Q = []
    for i, name in enumerate(NAMES): Q += [N(0), -G * BODIES[name][0], N(0)]
    k = NAMES.index('bucket')
    s, c = sine_cosine(q[3 * k + 2])
    for at, f in ((minus((TEETH, N(0)), BODIES['bucket'][1]), turn((c, s), (N(0), ground_force(t)))),
                  (minus(EARTH, BODIES['bucket'][1]), (N(0), earth_force(t)))):
        arm = turn((c, s), at)
        Q[3 * k] += f[0]
        Q[3 * k + 1] += f[1]
        Q[3 * k + 2] += arm[0] * f[1] - arm[1] * f[0]
    need = [(BODIES[NAMES[i // 3]][0] if i % 3 < 2 else BODIES[NAMES[i // 3]][2]) * a[i] - Q[i] for i in range(len(q))]
    # what the joints give: Phi_q^T f = M a - Q
    f = solve([list(column) for column in zip(*rows)], need)
    pins = {pin[0]: (f[2 * i], f[2 * i + 1]) for i, pin in enumerate(PINS)}
    return [f[2 * len(PINS) + 3 * i] for i in range(3)], pins, q


# ---- both ------------------------------------------------------------------------------------------------------------


def main():
    print('masses:', *(f'{name} {m:.8g} kg ({c[0]:.8g}, {c[1]:.8g}) {i:.8g} kg m^2' for name, (m, c, i) in BODIES.items()), sep='\n  ')
    out, worst = [], [N(0), N(0)]
    last = N(9) / PACE
    for n in range(11):
        t = last * n / 10
        force, pose, tooth = lagrange(t)
        again, pins, q = newton_euler(t, pose)
        worst[0] = max(worst[0], *(abs(a - b) for a, b in zip(force, again)))
        for i, name in enumerate(NAMES):
            o, u = pose[name]
            c = plus(o, turn(u, BODIES[name][1]))
            worst[1] = max(worst[1], abs(c[0] - q[3 * i]), abs(c[1] - q[3 * i + 1]))
        angle = [math.atan2(pose[b][1][1], pose[b][1][0]) for b in ('boom', 'stick', 'bucket')]
        if angle[2] > 2: angle[2] -= 2 * math.pi                    # the bucket goes on past -180 deg
        foot = turn(back(pose['boom'][1]), pins['foot'])            # along the boom's axes
        hook = turn(back(pose['bucket'][1]), pins['coupling'])      # along the bucket's
        power = sum(f * s[1] for f, s in zip(force, strokes(t)))
        out.append(','.join(repr(float(x)) for x in (t, *angle, *tooth, *force, power, *foot, *hook)))
    print(f'A and B differ by {worst[0]:.1e} N and {worst[1]:.1e} m')
    head = f'''# models/excavator.yaml: angles of boom, stick, bucket to the x axis [rad], teeth x y [m], forces of the cylinders, above 0: the rod is
# pushed out [N], power of all three [W], force of the foot's pin on the boom in the boom's axes, of the link on the bucket in the
# bucket's axes [N]; poses by triangles with Lagrange's equations, and Newton-Euler equations in 33 coordinates, which differ by
# {worst[0]:.0e} N (tests/reference/excavator.py)
t,boom,stick,bucket,x,y,lift,crowd,curl,power,foot_x,foot_y,link_x,link_y
'''
    text = head + '\n'.join(out) + '\n'
    if len(sys.argv) > 1: print(text, end='')
    else:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'excavator.csv'), 'w') as f: f.write(text)


main()
