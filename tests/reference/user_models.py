#!/usr/bin/env python3
"""Reference values of the models with user equations, which stand in tests/unit/test_user_models.c.

    tests/reference/user_models.py

Each model is written down once more in the fewest coordinates it has, from Newton's or Lagrange's equations by hand, and
integrated to about twelve digits; closed forms stand in their place where there are any. Every integration is done twice, with
different orders and tolerances, and what they differ by is printed. Needs nothing but Python.
"""
import cmath, math
from math import cos, pi, sin, sqrt

from extrapolation import extrapolated

G = 9.81


# ---- integration -------------------------------------------------------------------------------------------------


def integrate(f, y, t, end, columns, tolerance):
    """y at `end` for y' = f(t, y): modified midpoint rule with 2, 4, 6, ... substeps, extrapolated to step 0."""
    h = (end - t) / 100
    while t < end:
        last = t + h >= end
        h = end - t if last else h
        new, off = extrapolated(f, t, y, h, columns)
        error = max(abs(d) / (1e-3 + abs(a)) for a, d in zip(new, off)) / tolerance
        factor = min(4, max(0.1, 0.9 * (error + 1e-30)**(-1 / (2 * columns - 1))))
        if error <= 1:
            t, y = end if last else t + h, new
        h *= factor
    return y


def both(f, y, t, columns=(7, 6), tolerance=(1e-14, 1e-13)):
    """[y at each of the times t], each from two integrations; the difference is the error."""
    runs = []
    for n, e in zip(columns, tolerance):
        now, here, out = list(y), 0.0, []
        for end in t:
            now, here = integrate(f, now, here, end, n, e), end
            out.append(now)
        runs.append(out)
    return list(zip(*runs))


def show(title, name, t, values):
    """values: pairs, of which the digits are printed that are the same, or exact numbers."""
    print(f"{title}, t = {t:g} s")
    for what, x in zip(name.split(), values):
        exact, other = x if isinstance(x, tuple) else (x, x)
        print(f"    {what:12} {exact: .15g}   +- {max(abs(exact - other), 2e-16 * abs(exact)):.0e}")


def passage(f, y, value, low, high):
    """Time between low and high at which value(y) is 0, from both integrations: the secant through them, again and again."""
    out = []
    for n, e in (7, 1e-14), (6, 1e-13):
        at = lambda t: value(integrate(f, list(y), 0.0, t, n, e))
        a, b, p, q = low, high, at(low), at(high)
        assert p * q < 0
        for _ in range(12):
            if q == p or abs(b - a) < 1e-15:
                break
            a, b, p = b, b - q * (b - a) / (q - p), q
            q = at(b)
        out.append(b)
    return tuple(out)


def pairs(of, couple):
    """of(y) for both y, as pairs."""
    return list(zip(of(couple[0]), of(couple[1])))


# ---- inverted pendulum: x of the cart, lean of the rod, integral, memory of the filter ----------------------------


class Pendulum:
    M, m, l, lean0, target = 1, 0.2, 0.3, math.radians(8), 0.4
    Kp, Ki, Kd, Tf, Kx, Kv = 40, 20, 8, 0.02, 0.06, 0.06
    J = m * (2 * l)**2 / 12

    def push(self, y):
        x, lean, v, _, total, slow = y  # slow' = (lean - slow)/Tf: the derivative is (lean - slow)/Tf
        error = lean - (self.Kx * (self.target - x) - self.Kv * v)
        return error, self.Kp * error + self.Ki * total + self.Kd * (lean - slow) / self.Tf

    def rates(self, t, y):
        _, lean, v, w, _, slow = y
        m, l = self.m, self.l
        error, push = self.push(y)
        # (M + m) x'' + m l lean'' cos - m l lean'^2 sin = push,   (J + m l^2) lean'' + m l x'' cos = m g l sin
        a, b, d = self.M + m, m * l * cos(lean), self.J + m * l * l
        p, q = push + m * l * w * w * sin(lean), m * G * l * sin(lean)
        D = a * d - b * b
        return [v, w, (p * d - b * q) / D, (a * q - b * p) / D, error, (lean - slow) / self.Tf]

    def start(self):
        return [0, self.lean0, 0, 0, 0, self.lean0]

    def of(self, y):
        _, lean, _, w, _, _ = y
        turn = self.rates(0, y)[3]
        rail = (self.M + self.m) * G - self.m * self.l * (turn * sin(lean) + w * w * cos(lean))
        return [y[0], y[1], y[2], y[3], y[4], self.push(y)[1], rail]


def eigenvalues(A):
    """Roots of the characteristic polynomial (Faddeev and LeVerrier; Durand and Kerner)."""
    n = len(A)
    times = lambda P, Q: [[sum(P[i][k] * Q[k][j] for k in range(n)) for j in range(n)] for i in range(n)]
    c, M = [1.0], [[0.0] * n for _ in A]
    for k in range(1, n + 1):
        M = times(A, M)
        for i in range(n):
            M[i][i] += c[-1]
        AM = times(A, M)
        c.append(-sum(AM[i][i] for i in range(n)) / k)
    z = [(0.4 + 0.9j)**k * 30 for k in range(n)]
    for _ in range(500):
        for i in range(n):
            p, q = 0, 1
            for a in c:
                p = p * z[i] + a
            for j in range(n):
                q *= z[i] - z[j] if j != i else 1
            z[i] -= p / q
    return sorted(z, key=lambda x: -x.real)


def pendulum():
    p = Pendulum()
    for t, couple in zip((1, 4), both(p.rates, p.start(), (1, 4))):
        show("inverted pendulum", "x lean vx lean' integral push rail.Fy", t, pairs(p.of, couple))
    show("inverted pendulum: upright for the first time", "t", 0, [passage(p.rates, p.start(), lambda y: y[1], 0.52, 0.55)])
    rest, e = [p.target, 0, 0, 0, 0, 0], 1e-6
    columns = []
    for j in range(6):
        up, down = ([a + s * e * (i == j) for i, a in enumerate(rest)] for s in (1, -1))
        columns.append([(a - b) / (2 * e) for a, b in zip(p.rates(0, up), p.rates(0, down))])
    values = eigenvalues([list(row) for row in zip(*columns)])
    print("    eigenvalues at rest: " + ", ".join(f"{z.real:.2f}{z.imag:+.2f}i" for z in values))


# ---- rolling disc -----------------------------------------------------------------------------------------------
#
# Axes e3 = disc's axis, e1 horizontal, e2 from the contact to the centre. theta: angle of e3 to the vertical, alpha: azimuth
# of e3. omega = (w1, w2, w3) in these axes, which themselves turn at (w1, w2, w2 cot theta). The rim does not slip: the centre
# moves at omega x r e2. Moments about the centre, with the force F at the contact -r e2.


class Disc:
    r, m = 0.3, 2
    A, C = m * r * r / 4, m * r * r / 2

    def force(self, y):
        theta, _, w1, w2, w3, _, _ = y
        r, m, A, C = self.r, self.m, self.A, self.C
        cot = cos(theta) / sin(theta)
        a1 = (w2 * w2 * cot * A - w2 * w3 * (C + m * r * r) - m * G * r * cos(theta)) / (A + m * r * r)
        a2 = w1 * (C * w3 - A * w2 * cot) / A
        a3 = m * r * r * w1 * w2 / (C + m * r * r)
        F = (m * r * (w1 * w2 - a3), m * r * (-w1 * w1 - w2 * w3 * cot) + m * G * sin(theta),
             m * r * (a1 + w2 * w3) + m * G * cos(theta))
        return (a1, a2, a3), F

    def axes(self, y):
        theta, alpha = y[:2]
        s, c, sa, ca = sin(theta), cos(theta), sin(alpha), cos(alpha)
        return (-sa, ca, 0), (-c * ca, -c * sa, s), (s * ca, s * sa, c)

    def rates(self, t, y):
        theta, _, w1, w2, w3, _, _ = y
        (a1, a2, a3), _ = self.force(y)
        e1, _, e3 = self.axes(y)
        v = [self.r * (w1 * c - w3 * a) for a, c in zip(e1, e3)]
        return [w1, w2 / sin(theta), a1, a2, a3, v[0], v[1]]

    def energy(self, y):
        theta, _, w1, w2, w3, _, _ = y
        m, r = self.m, self.r
        return ((self.A + m * r * r) * w1**2 + self.A * w2**2 + (self.C + m * r * r) * w3**2) / 2 + m * G * r * sin(theta)

    def of(self, y):
        _, F = self.force(y)
        e = self.axes(y)
        force = [sum(F[k] * e[k][i] for k in range(3)) for i in range(3)]
        track = [y[5] - self.r * e[1][0], y[6] - self.r * e[1][1]]
        return [y[5], y[6], self.r * sin(y[0]), *e[2], *track, *force, self.energy(y)]


DISC = "x y z nx ny nz track_x track_y Fx Fy Fz energy"


def disc():
    d = Disc()
    start = [math.radians(70), pi / 2, 0, 0, 5, 0, 0]
    for t, couple in zip((2, 5), both(d.rates, start, (2, 5))):
        show("rolling disc", DISC, t, pairs(d.of, couple))
    show("rolling disc: x of the centre 0 again", "t", 0, [passage(d.rates, start, lambda y: y[5], 1.3, 1.4)])
    # steady: theta'' = 0 with w1 = 0; the centre runs on a circle
    theta, w2 = math.radians(70), 2
    w3 = (d.A * w2 * w2 * cos(theta) / sin(theta) - d.m * G * d.r * cos(theta)) / ((d.C + d.m * d.r**2) * w2)
    radius, rate = -d.r * w3 * sin(theta) / w2, w2 / sin(theta)
    # e1 points to -x at the start: the centre starts at the origin with the velocity r w3 along x
    t = 3
    show("rolling disc, turn = 2, on a circle", "spin radius x y Fz", t,
         [w3, radius, -radius * sin(rate * t), radius * (cos(rate * t) - 1), d.m * G])
    y = both(d.rates, [theta, pi / 2, 0, w2, w3, 0, 0], (t,))[0][0]
    print(f"    the same integrated: x {y[5]:.12f}, y {y[6]:.12f}, tilt {math.degrees(y[0]):.10f} degrees")


# ---- knife edge -------------------------------------------------------------------------------------------------


def knife_edge():
    # along the blade: v' = g sin(slope) cos(w t); across it the plane has to give m v w and to carry gravity
    t, w, a, m = 7, 1.5, G * sin(math.radians(20)), 5
    show("knife edge", "x y vx vy lambda", t,
         [a / (2 * w * w) * sin(w * t)**2, a / (2 * w * w) * (w * t - sin(2 * w * t) / 2),
          a / w * sin(w * t) * cos(w * t), a / w * sin(w * t)**2, -2 * m * a * sin(w * t)])
    show("knife edge: x at half of its largest", "t", 0, [pi / 4 / w])


# ---- cam and follower: Akima (1970) -------------------------------------------------------------------------------


class Cam:
    rise = [0, 0.176, 1.310, 3.910, 7.800, 12.200, 16.090, 18.690, 19.824, 20]
    x = [0, 30, *range(60, 151, 10), 180, *range(210, 301, 10), 330, 360]
    y = [0, 0, *rise, 20, *rise[::-1], 0, 0]
    m, k, preload = 0.4, 1500, 20

    def __init__(self):
        x, y = self.x, self.y
        s = [(b - a) / (d - c) for a, b, c, d in zip(y, y[1:], x, x[1:])]
        s = [0, 0] + s + [0, 0]  # flat before and after
        self.slope = []
        for i in range(len(x)):
            left, right = abs(s[i + 1] - s[i]), abs(s[i + 3] - s[i + 2])
            self.slope.append((right * s[i + 1] + left * s[i + 2]) / (left + right) if left + right
                              else (s[i + 1] + s[i + 2]) / 2)

    def lift(self, degrees):
        """Lift and its derivatives by the angle [m, m/rad, m/rad^2]."""
        x, y, d = self.x, self.y, degrees % 360
        i = max(j for j in range(len(x) - 1) if x[j] <= d)
        h, u = x[i + 1] - x[i], d - x[i]
        s, p, q = (y[i + 1] - y[i]) / h, self.slope[i], self.slope[i + 1]
        b, c = (3 * s - 2 * p - q) / h, (p + q - 2 * s) / h**2
        turn = 180 / pi
        return ((y[i] + u * (p + u * (b + u * c))) / 1000, (p + u * (2 * b + 3 * u * c)) * turn / 1000,
                (2 * b + 6 * u * c) * turn**2 / 1000)

    def contact(self, degrees, speed):
        s, _, bend = self.lift(degrees)
        return self.m * (bend * speed**2 + G) + self.k * s + self.preload


class NaturalCam(Cam):
    """The same table joined by a natural cubic spline."""

    def __init__(self):
        x, y, n = self.x, self.y, len(self.x)
        h = [b - a for a, b in zip(x, x[1:])]
        s = [(b - a) / c for a, b, c in zip(y, y[1:], h)]
        # second derivatives M:  h0 M0 + 2 (h0 + h1) M1 + h1 M2 = 6 (s1 - s0),  0 at both ends
        p, q = [0.0] * n, [0.0] * n  # M[i] = q[i] - p[i] M[i + 1]
        for i in range(1, n - 1):
            d = 2 * (h[i - 1] + h[i]) - h[i - 1] * p[i - 1]
            p[i], q[i] = h[i] / d, (6 * (s[i] - s[i - 1]) - h[i - 1] * q[i - 1]) / d
        M = [0.0] * n
        for i in range(n - 2, 0, -1):
            M[i] = q[i] - p[i] * M[i + 1]
        self.slope = [s[i] - h[i] * (2 * M[i] + M[i + 1]) / 6 for i in range(n - 1)]
        self.slope.append(s[-1] + h[-1] * (M[-2] + 2 * M[-1]) / 6)


def cam():
    c, w = Cam(), 300 * 2 * pi / 60
    for t in (0.0625, 0.329):
        s, slope, bend = c.lift(math.degrees(w * t))
        contact = c.contact(math.degrees(w * t), w)
        show(f"cam and follower, cam at {math.degrees(w * t):g} degrees", "y vy ay contact torque", t,
             [0.04 + s, slope * w, bend * w * w, contact, contact * slope])
    for turns in (300, 350, 400, 500, 600):
        least = min((c.contact(a / 10, turns * 2 * pi / 60), a / 10) for a in range(3600))
        print(f"    {turns} rpm: least contact force {least[0]:.3f} N at {least[1]} degrees")
    w = 600 * 2 * pi / 60
    for kind, c, low, high in ("akima", c, 105, 110), ("cubic", NaturalCam(), 105, 120):  # between these it passes through 0
        while (middle := (low + high) / 2) not in (low, high):
            low, high = (middle, high) if c.contact(middle, w) > 0 else (low, middle)
        print(f"    kind: {kind}, 600 rpm: lifts off at {low:.10f} degrees, {math.radians(low) / w:.15g} s")


# ---- gear train -------------------------------------------------------------------------------------------------


def gears():
    n1, n2, r, mass = 17 / 51, 20 / 80, 0.1, 12  # speeds of the middle and of the drum: n1, n1 n2 times the motor's
    n = n1 * n2
    J = 2e-3 + 8e-3 * n1**2 + (0.09 + mass * r * r) * n**2
    stall, idle, load = 3, 150, mass * G * r * n
    # J w' = stall (1 - w/idle) - load
    top, T = idle * (1 - load / stall), J * idle / stall
    t = 0.2
    w, angle, a = top * (1 - math.exp(-t / T)), top * (t - T * (1 - math.exp(-t / T))), top / T * math.exp(-t / T)
    rope = mass * (G + r * n * a)
    tooth2 = 0.09 * n * a + rope * r  # torque on the drum by the second stage
    tooth1 = -(8e-3 * n1 * a + tooth2 * n2)  # torque on the middle shaft, which turns the other way, by the first
    show("gear train", "reduced_J top_speed omega angle alpha lift rope T_drum T_middle", t,
         [J, top, w, angle, a, r * n * angle, rope, tooth2, tooth1])
    show("gear train: motor at 50 rad/s", "t", 0, [-T * math.log(1 - 50 / top)])


# ---- slider-crank with a stop --------------------------------------------------------------------------------------


class Stop:
    r, l, torque, stop, k, c, d = 0.1, 0.3, -2, 0.37, 1e7, 800, 5e-4
    crank, rod, slider = 0.5, 0.8, 1.2

    def slide(self, phi):
        """By phi, each with two derivatives: position of the slider, sine of the rod's angle psi, cosine, psi itself."""
        r, l = self.r, self.l
        u = (-r / l * sin(phi), -r / l * cos(phi), r / l * sin(phi))
        w = sqrt(1 - u[0]**2)
        psi = (math.asin(u[0]), u[1] / w, u[2] / w + u[0] * u[1]**2 / w**3)
        c = (w, -u[0] * psi[1], -u[1] * psi[1] - u[0] * psi[2])
        return (r * cos(phi) + l * c[0], -r * sin(phi) + l * c[1], -r * cos(phi) + l * c[2]), u, c, psi

    def contact(self, y):
        """Depth, and the bumper's force before it is cut off at 0 and at the damper's full strength."""
        x = self.slide(y[0])[0]
        depth, v = x[0] - self.stop, x[1] * y[1]
        spring, u = self.k * depth * sqrt(abs(depth)), depth / self.d
        return depth, spring + self.c * v * u * u * (3 - 2 * u), spring + self.c * v

    def where(self, y):
        """Which of the formulas holds: none, damper growing, damper at full strength, pulling (which is cut off)."""
        depth, growing, full = self.contact(y)
        if depth <= 0:
            return "none"
        force, name = (growing, "growing") if depth < self.d else (full, "full")
        return name if force > 0 else "pull " + name

    def bump(self, y, where):
        _, growing, full = self.contact(y)
        return {"growing": growing, "full": full}.get(where, 0.0)

    def rates(self, y, where):
        phi, w = y
        x, u, c, psi = self.slide(phi)
        r, l = self.r, self.l
        # centre of the rod: x = slide - l/2 cos psi, y = r/2 sin phi;  kinetic energy J(phi) w^2/2
        a1, a2 = x[1] - l / 2 * c[1], x[2] - l / 2 * c[2]
        b1, b2 = r / 2 * cos(phi), -r / 2 * sin(phi)
        turn = self.rod * l * l / 12
        J = 0.02 + self.crank * r * r / 4 + self.rod * (a1 * a1 + b1 * b1) + turn * psi[1]**2 + self.slider * x[1]**2
        half = self.rod * (a1 * a2 + b1 * b2) + turn * psi[1] * psi[2] + self.slider * x[1] * x[2]  # J'/2
        weight = -G * (self.crank + self.rod) * b1
        return [w, (self.torque + weight - self.bump(y, where) * x[1] - half * w * w) / J]

    def of(self, y):
        x = self.slide(y[0])[0]
        return [y[0], y[1], x[0], x[1] * y[1], self.bump(y, self.where(y))]

    def run(self, times, step, columns, tolerance, watch=None):
        """y at the times, in short pieces; a piece ends where another formula begins to hold."""
        y, t, out, where = [pi / 2, 0.0], 0.0, [], "none"
        for end in times:
            while t < end:
                far = min(t + step, end)
                f = lambda _, y: self.rates(y, where)
                new = integrate(f, y, t, far, columns, tolerance)
                then = self.where(new)
                if then != where:  # in this piece: find where, by halving
                    low, high = t, far
                    while high - low > 1e-15 and low < (low + high) / 2 < high:
                        middle = (low + high) / 2
                        now = self.where(integrate(f, y, t, middle, columns, tolerance))
                        low, high, then = (middle, high, then) if now == where else (low, middle, now)
                    far, new = high, integrate(f, y, t, high, columns, tolerance)
                y, t, where = new, far, then
                if watch:
                    watch(t, self.of(y)[4])
            out.append(y)
        return out


def stop():
    s, times = Stop(), [0.25, 0.45, 0.6]
    for t, *couple in zip(times, s.run(times, 2e-4, 5, 1e-13), s.run(times, 1e-4, 4, 1e-13)):
        show("slider-crank with a stop", "phi phi' slider vx bump", t, pairs(s.of, couple))
    free = lambda t, y: s.rates(y, "none")
    show("slider at the stop", "t", 0, [passage(free, [pi / 2, 0.0], lambda y: s.contact(y)[0], 0.1, 0.2)])
    peaks, last = [], [(0, 0), (0, 0)]

    def watch(t, force):
        if last[1][1] > max(force, last[0][1]):
            peaks.append(f"{last[1][1]:.1f} N at {last[1][0]:.4f} s")
        last[:] = [last[1], (t, force)]

    s.run([0.6], 5e-5, 3, 1e-10, watch)
    print("    bumps: " + ", ".join(peaks[:8]))


# ---- hydraulic cylinder --------------------------------------------------------------------------------------------


def smooth_step(t, t0, t1):
    u = min(max((t - t0) / (t1 - t0), 0), 1)
    return u * u * (3 - 2 * u)


class Cylinder:
    supply, tank, beta, A1, A2, V1, V2 = 100e5, 1e5, 1.4e9, 12e-4, 8e-4, 1e-4, 5e-4
    Kq, leak, soft, p1, m, k, c = 2e-7, 1e-13, 1e4, 21e5, 80, 1e5, 300

    def flow(self, t, dp):
        opening = smooth_step(t, 0.05, 0.1) - smooth_step(t, 0.8, 0.85)
        return opening * self.Kq * dp / (dp * dp + self.soft**2)**0.25

    def rates(self, t, y):
        x, v, p1, p2 = y[0], y[1], 1e5 * y[2], 1e5 * y[3]  # pressures in bar
        past = self.leak * (p1 - p2)
        return [v, (self.A1 * p1 - self.A2 * p2 - self.k * x - self.c * v) / self.m,
                self.beta / (self.V1 + self.A1 * x) * (self.flow(t, self.supply - p1) - past - self.A1 * v) / 1e5,
                self.beta / (self.V2 - self.A2 * x) * (past - self.flow(t, p2 - self.tank) + self.A2 * v) / 1e5]

    def of(self, y):
        return [y[0], y[1], 1e5 * y[2], 1e5 * y[3]]


def hydraulic():
    c = Cylinder()
    start = [0, 0, c.p1 / 1e5, c.p1 / 1e5 * c.A1 / c.A2]
    times = [0.05, 0.1, 0.25, 0.5, 0.8, 0.85, 1.2]  # the opening's polynomials change at four of them
    for t, couple in zip(times, both(c.rates, start, times)):
        show("hydraulic cylinder", "x v pressure1 pressure2", t, pairs(c.of, couple))
    show("hydraulic cylinder: out by 0.05 m", "t", 0, [passage(c.rates, start, lambda y: y[0] - 0.05, 0.1, 0.25)])


if __name__ == "__main__":
    for each in (pendulum, disc, knife_edge, cam, gears, stop, hydraulic):
        each()
