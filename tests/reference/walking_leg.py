#!/usr/bin/env python3
"""Reference of models/walking_leg.yaml, which stands in tests/reference/walking_leg.csv.

    tests/reference/walking_leg.py            writes walking_leg.csv (10 s)
    tests/reference/walking_leg.py --second   compares with the second way (a minute more), writes nothing

First way: Lagrange's equations in the four coordinates of the leg, x and y of the hip, phi of the thigh and psi of the shank against the
vertical. Second way: Newton's equations of the four bodies in nine coordinates with the forces of the joints as unknowns.
The first is integrated by the modified midpoint rule extrapolated to order 12, the second by Dormand and Prince's pair of order 5.

The first goes from switch to switch: a step keeps the branch of every max, stop, motor at its end, bristle and table that holds where it
starts; where a branch ends within the step, the step is made again to end there. So no step meets a corner. The second has the laws
written once more and goes over corners by short steps.

    hip at (x, y), knee at (x + l1 sin phi, y - l1 cos phi), foot at knee + l2 (sin psi, -cos psi)
    hip.angle = phi, knee.angle = psi - phi

Needs nothing but Python.
"""
import math
import os
import sys
from math import cos, log, pi, sin, tanh

from extrapolation import extrapolated

# ---- the model ---------------------------------------------------------------------------------------------------

G = 9.81
L1, L2 = 0.4, 0.4
TROLLEY, CARRIAGE, COUNTER = 12.0, 10.0, 6.0
RAIL_DAMPING, LIFT_DAMPING = 4.0, 40.0
MU, TREAD, LOSS, SLIP = 0.8, 4e5, 1.5, 0.04
GEAR, ROTOR = 50.0, 1e-4
J = GEAR**2 * ROTOR
KP, KI, KD, MAX = 8.0, 10.0, 0.4, 0.7
WINDUP = KP / KI
BRISTLE_K, BRISTLE_D, FRICTION = 3000.0, 15.0, (1.5, 1.0)
HELD = 1.3 * (1 - 1e-9) * FRICTION[0] / BRISTLE_K       # a joint that slides at the start has its bristle stretched as far as it goes
LIFT_RANGE, LIFT_K, LIFT_E = (0.765, 0.85), 2e5, 0.3
KNEE_RANGE, KNEE_K, KNEE_E = (-68 * pi / 180, -7.5 * pi / 180), 5000.0, 0.4
SLOWEST = 1e-3


def capsule(mass, length, r):
    """inertia of a full capsule about an axis across it, through its centre"""
    cylinder, ball = pi * r * r * length, 4 / 3 * pi * r**3
    rho = mass / (cylinder + ball)
    a = rho * cylinder * (r * r / 4 + length * length / 12)
    # two halves of a ball: 2/5 m r^2 about the centre of the ball, its centre of mass is 3/8 r away from the flat side
    m = rho * ball
    b = m * (2 / 5 * r * r) + m * ((length / 2)**2 + 2 * (length / 2) * 3 / 8 * r)
    return a + b


M1, A1, I1 = 4.0, L1 / 2, capsule(4.0, L1, 0.045)


def shank():
    r, length = 0.03, L2 - 0.06
    m, n = 1500 * pi * r * r * length, 1200 * 4 / 3 * pi * r**3
    a, b = length / 2, L2 - 0.03
    c = (m * a + n * b) / (m + n)
    return m + n, c, m * (r * r / 4 + length**2 / 12 + (a - c)**2) + n * (2 / 5 * r * r + (b - c)**2)


M2, A2, I2 = shank()

HIP = [20, 15, 8, 0, -8, -16, -18, -4, 20, 27]
KNEE = [-8, -12, -13, -10, -8, -12, -35, -65, -64, -46]


def akima(table):
    """(value, slope) at the ten points of a cycle, in rad and rad per cycle"""
    n, y = len(table), [v * pi / 180 for v in table]
    m = [(y[(i + 1) % n] - y[i]) * n for i in range(n)]
    out = []
    for i in range(n):
        a, b, c, d = m[i - 2], m[i - 1], m[i], m[(i + 1) % n]
        u, w = abs(d - c), abs(b - a)
        out.append((y[i], (u * b + w * c) / (u + w) if u + w > 1e-9 else (b + c) / 2))
    return out


GAIT = (akima(HIP), akima(KNEE))


def gait(which, t, piece):
    """place and speed of the table's piece number `piece`, counted from t = 0; period 1 s"""
    table, h = GAIT[which], 0.1
    (y0, s0), (y1, s1) = table[piece % 10], table[(piece + 1) % 10]
    s = t - piece * h
    m = (y1 - y0) / h
    c, d = (3 * m - 2 * s0 - s1) / h, (s0 + s1 - 2 * m) / h**2
    return y0 + s * (s0 + s * (c + s * d)), s0 + s * (2 * c + 3 * s * d)


def loss_of(e):
    """x of x - ln(1 + x) = -e x - ln(1 - e x), x > 0"""
    lo, hi = 1e-6, (1 - 1e-15) / e
    f = lambda x: x - log(1 + x) + e * x + log(1 - e * x)
    for _ in range(200):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if f(mid) > 0 else (lo, mid)
    return (lo + hi) / 2


LIFT_X, KNEE_X = loss_of(LIFT_E), loss_of(KNEE_E)

# ---- laws with branches --------------------------------------------------------------------------------------------
# A branch is told by numbers g whose signs say where it holds. `Laws` computes forces with the signs of a fixed list and collects g.


class Laws:
    def __init__(self):
        self.memory = {}                                 # speeds at which stops were met

    def step_of(self, a, zone):
        """quintic step from 0.7 to 1.3; zone 0 below, 1 between, 2 above"""
        if zone != 1:
            return zone / 2
        s = (a - 0.7) / 0.6
        return s**3 * (10 - 15 * s + 6 * s * s)

    def sat(self, b, zone):
        if zone == 2:
            return 1.0
        if zone == 0:
            return b
        s = (b - 0.7) / 0.6
        return b - 0.6 * s**4 * (2.5 - 3 * s + s * s)

    def stop(self, name, c, rate, bounds, k, x, take, put):
        force = 0.0
        for side, d, v in ((name + "+", c - bounds[1], rate), (name + "-", bounds[0] - c, -rate)):
            inside = take(d)
            put(side, d)
            if inside:
                v0 = self.memory.get(side, (0, math.inf))[1]
                f = 1 + x * v / v0
                pushes = take(f)
                put(side + "f", f)
                if pushes and d > 0:
                    force += (-1 if side[-1] == "+" else 1) * k * d**1.5 * f
            else:
                take(-1)
                put(side + "f", None)
        return force

    def motor(self, which, t, piece, c, rate, s, take, put):
        place, speed = gait(which, t, piece)
        e = place - c
        u = KP * e + KI * s + KD * (speed - rate)
        high, low = take(u - MAX), take(-MAX - u)
        put("u+", u - MAX)
        put("u-", -MAX - u)
        given = MAX if high else -MAX if low else u
        return GEAR * given, e + (given - u) / (KI * WINDUP)

    def bristle(self, f, x, rate, take, put):
        a = BRISTLE_K * x / f
        sign = 1 if take(a) else -1
        put("a", None)                                   # nothing switches at 0 itself
        inner, outer = take(sign * a - 0.7), take(sign * a - 1.3)
        put("a7", abs(a) - 0.7)
        put("a13", abs(a) - 1.3)
        slides = take(sign * rate)
        put("r", sign * rate if inner else None)
        dx = rate
        if inner and slides:
            dx -= self.step_of(abs(a), 2 if outer else 1) * rate
        if outer:
            dx -= 1000 * (x - sign * 1.3 * f / BRISTLE_K)
        b = (BRISTLE_K * x + BRISTLE_D * dx) / f
        plus = take(b)
        sgn = 1 if plus else -1
        put("b", None)
        one, two = take(sgn * b - 0.7), take(sgn * b - 1.3)
        put("b7", abs(b) - 0.7)
        put("b13", abs(b) - 1.3)
        return -f * sgn * self.sat(sgn * b, 2 if two else 1 if one else 0), dx

    def forces(self, t, foot_y, foot_vx, foot_vy, lift, lift_rate, phi, phi_rate, knee, knee_rate, extra, mode):
        """all forces, rates of extra = (s1, s2, x1, x2), and [(name, g)]; mode: list of signs, or None for the signs of g"""
        signs, switches, given = [], [], iter(mode) if mode else None

        def take(g):
            signs.append(next(given) if given else g > 0)
            return signs[-1]

        def put(name, g):
            switches.append((name, g))

        piece = mode.piece if mode else self.piece
        touching = take(-foot_y)
        put("foot", -foot_y)
        squeezed = 1 - LOSS * foot_vy
        pushes = take(squeezed)
        put("footf", squeezed if touching else None)
        n = TREAD * max(-foot_y, 0)**1.5 * squeezed if touching and pushes else 0.0
        rub = -MU * n * tanh(foot_vx / SLIP)
        stop_lift = self.stop("lift", lift, lift_rate, LIFT_RANGE, LIFT_K, LIFT_X, take, put)
        stop_knee = self.stop("knee", knee, knee_rate, KNEE_RANGE, KNEE_K, KNEE_X, take, put)
        s1, s2, x1, x2 = extra
        t1, ds1 = self.motor(0, t, piece, phi, phi_rate, s1, take, put)
        t2, ds2 = self.motor(1, t, piece, knee, knee_rate, s2, take, put)
        f1, dx1 = self.bristle(FRICTION[0], x1, phi_rate, take, put)
        f2, dx2 = self.bristle(FRICTION[1], x2, knee_rate, take, put)
        return n, rub, stop_lift, stop_knee, t1, t2, f1, f2, (ds1, ds2, dx1, dx2), signs, switches


class Mode(list):
    piece = 0


def solve(a, b):
    """a x = b by elimination with pivots; a and b are overwritten"""
    n = len(b)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(a[i][k]))
        if p != k:
            a[k], a[p], b[k], b[p] = a[p], a[k], b[p], b[k]
        row, d = a[k], a[k][k]
        for i in range(k + 1, n):
            f = a[i][k]
            if f:
                f /= d
                other = a[i]
                for j in range(k + 1, n):
                    if row[j]:
                        other[j] -= f * row[j]
                b[i] -= f * b[k]
    for k in range(n - 1, -1, -1):
        b[k] = (b[k] - sum(a[k][j] * b[j] for j in range(k + 1, n))) / a[k][k]
    return b


# ---- first way: Lagrange -------------------------------------------------------------------------------------------


class Lagrange(Laws):
    """y = x, y, phi, psi, their rates, two integrals, two bristles"""

    def start(self):
        return [0, 0.768, 20 * pi / 180, 12 * pi / 180, 0.9, 0, -1.2, -1.2, 0, 0, -HELD, 0]

    def evaluate(self, t, y, mode):
        _, h, phi, psi, vx, vy, wp, ws = y[:8]
        cp, sp, cs, ss = cos(phi), sin(phi), cos(psi), sin(psi)
        n, rub, sl, sk, t1, t2, f1, f2, extra, signs, switches = self.forces(
            t, h - L1 * cp - L2 * cs, vx + L1 * cp * wp + L2 * cs * ws, vy + L1 * sp * wp + L2 * ss * ws, h, vy, phi, wp, psi - phi, ws - wp,
            y[8:], mode)
        p, r, k = M1 * A1 + M2 * L1, M2 * A2, M2 * L1 * A2
        cd, sd = cos(phi - psi), sin(phi - psi)
        hip, knee = t1 + f1, t2 + f2 + sk
        m = [[TROLLEY + CARRIAGE + M1 + M2, 0, p * cp, r * cs], [0, CARRIAGE + COUNTER + M1 + M2, p * sp, r * ss],
             [p * cp, p * sp, I1 + M1 * A1**2 + M2 * L1**2 + 2 * J, k * cd - J], [r * cs, r * ss, k * cd - J, I2 + M2 * A2**2 + J]]
        q = [p * sp * wp**2 + r * ss * ws**2 - RAIL_DAMPING * vx + rub,
             -p * cp * wp**2 - r * cs * ws**2 - (CARRIAGE + M1 + M2 - COUNTER) * G - LIFT_DAMPING * vy + sl + n,
             -k * sd * ws**2 - p * G * sp + L1 * (cp * rub + sp * n) + hip - knee,
             k * sd * wp**2 - r * G * ss + L2 * (cs * rub + ss * n) + knee]
        self.shown = (n, rub, t1, t2, sk, sl)
        return [vx, vy, wp, ws] + solve(m, q) + list(extra), signs, switches

    def coordinates(self, y):
        return [y[0], y[1], y[2], y[3] - y[2], y[4], y[5], y[6], y[7] - y[6]] + list(y[8:])


# ---- second way: Newton --------------------------------------------------------------------------------------------


class Newton:
    """The laws once more, as they read, with every max and min in place: no branch is kept, and steps go over corners. Only stops are
    met at the end of a step, for their speed is kept then.
    y = x of the trolley; x, y of the carriage; x, y, angle of thigh and shank; their rates; two integrals, two bristles"""

    def __init__(self):
        self.memory = {}

    def stop(self, name, depth, rate, k, x):
        v0 = self.memory.get(name, (0, math.inf))[1]
        return k * max(depth, 0)**1.5 * max(1 + x * rate / v0, 0)

    def bristle(self, f, x, v):
        def s5(a):
            s = min(max((a - 0.7) / 0.6, 0), 1)
            return s**3 * (10 - 15 * s + 6 * s * s)

        end = 1.3 * f / BRISTLE_K
        dx = v - s5(BRISTLE_K * x / f) * max(v, 0) - s5(-BRISTLE_K * x / f) * min(v, 0) - 1000 * (max(x - end, 0) + min(x + end, 0))
        b = min(max((BRISTLE_K * x + BRISTLE_D * dx) / f, -1.3), 1.3)
        s = max((abs(b) - 0.7) / 0.6, 0)
        return -f * (b - math.copysign(0.6 * (2.5 * s**4 - 3 * s**5 + s**6), b)), dx

    def forces(self, t, foot_y, foot_vx, foot_vy, lift, lift_rate, phi, phi_rate, knee, knee_rate, extra):
        n = TREAD * max(-foot_y, 0)**1.5 * max(1 - LOSS * foot_vy, 0)
        rub = -MU * n * tanh(foot_vx / SLIP)
        depths = [("lift+", lift - LIFT_RANGE[1]), ("lift-", LIFT_RANGE[0] - lift), ("knee+", knee - KNEE_RANGE[1]), ("knee-", KNEE_RANGE[0] - knee)]
        sl = self.stop(*depths[1], -lift_rate, LIFT_K, LIFT_X) - self.stop(*depths[0], lift_rate, LIFT_K, LIFT_X)
        sk = self.stop(*depths[3], -knee_rate, KNEE_K, KNEE_X) - self.stop(*depths[2], knee_rate, KNEE_K, KNEE_X)
        torques, rates = [], []
        for which, (c, v, s) in enumerate(((phi, phi_rate, extra[0]), (knee, knee_rate, extra[1]))):
            place, speed = gait(which, t, self.piece)
            u = KP * (place - c) + KI * s + KD * (speed - v)
            given = min(max(u, -MAX), MAX)
            torques.append(GEAR * given)
            rates.append(place - c + (given - u) / KP)
        f1, d1 = self.bristle(FRICTION[0], extra[2], phi_rate)
        f2, d2 = self.bristle(FRICTION[1], extra[3], knee_rate)
        return n, rub, sl, sk, torques[0], torques[1], f1, f2, rates + [d1, d2], [g > 0 for _, g in depths], depths

    def start(self):
        phi, psi, w, v = 20 * pi / 180, 12 * pi / 180, -1.2, 0.9
        x1, y1 = A1 * sin(phi), 0.768 - A1 * cos(phi)
        x2, y2 = L1 * sin(phi) + A2 * sin(psi), 0.768 - L1 * cos(phi) - A2 * cos(psi)
        return [0, 0, 0.768, x1, y1, phi, x2, y2, psi,
                v, v, 0, v + A1 * cos(phi) * w, A1 * sin(phi) * w, w, v + (L1 * cos(phi) + A2 * cos(psi)) * w, (L1 * sin(phi) + A2 * sin(psi)) * w, w,
                0, 0, -HELD, 0]

    def evaluate(self, t, y, mode):
        phi, psi, wp, ws = y[5], y[8], y[14], y[17]
        cp, sp, cs, ss = cos(phi), sin(phi), cos(psi), sin(psi)
        d = L2 - A2                                      # from the shank's centre of mass to the foot
        n, rub, sl, sk, t1, t2, f1, f2, extra, signs, switches = self.forces(
            t, y[7] - d * cs, y[15] + d * cs * ws, y[16] + d * ss * ws, y[2], y[11], phi, wp, psi - phi, ws - wp, y[18:])
        hip, knee = t1 + f1, t2 + f2 + sk
        a = [[0.0] * 14 for _ in range(14)]
        for i, m in enumerate((TROLLEY, CARRIAGE, CARRIAGE + COUNTER, M1, M1, I1 + 2 * J, M2, M2, I2 + J)):
            a[i][i] = m
        a[5][8] = a[8][5] = -J
        b = [-RAIL_DAMPING * y[9], 0, -(CARRIAGE - COUNTER) * G - LIFT_DAMPING * y[11] + sl,
             0, -M1 * G, hip - knee, rub, n - M2 * G, knee + d * (cs * rub + ss * n)]
        # x of carriage and trolley; upper end of the thigh at the carriage; upper end of the shank at the lower end of the thigh
        u = L1 - A1
        rows = [({1: 1, 0: -1}, 0),
                ({3: 1, 5: -A1 * cp, 1: -1}, -A1 * sp * wp**2), ({4: 1, 5: -A1 * sp, 2: -1}, A1 * cp * wp**2),
                ({6: 1, 8: -A2 * cs, 3: -1, 5: -u * cp}, -A2 * ss * ws**2 - u * sp * wp**2),
                ({7: 1, 8: -A2 * ss, 4: -1, 5: -u * sp}, A2 * cs * ws**2 + u * cp * wp**2)]
        for i, (row, right) in enumerate(rows):
            for j, v in row.items():
                a[9 + i][j] = a[j][9 + i] = v
            b.append(right)
        self.shown = (n, rub, t1, t2, sk, sl)
        return list(y[9:18]) + solve(a, b)[:9] + list(extra), signs, switches

    def coordinates(self, y):
        return [y[1], y[2], y[5], y[8] - y[5], y[10], y[11], y[14], y[17] - y[14]] + list(y[18:])


# ---- integration ---------------------------------------------------------------------------------------------------


DP = [[], [1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9], [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
      [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656], [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]]
DP_C = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]
DP_E = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]


def dormand_prince(f, t, y, h):
    k = []
    for row, c in zip(DP, DP_C):
        stage = [v + h * sum(a * s[i] for a, s in zip(row, k) if a) for i, v in enumerate(y)]
        k.append(f(t + c * h, stage))
    return stage, [h * sum(e * s[i] for e, s in zip(DP_E, k) if e) for i in range(len(y))], 5


def run(system, method, times, tolerance, longest):
    """rows (t, coordinates, forces) at times, number of steps and switches"""
    t, y, h, rows, steps, switched = 0.0, system.start(), 1e-5, [], 0, {}
    system.piece = 0

    def look(t, y):
        _, signs, _ = system.evaluate(t, y, None)
        mode = Mode(signs)
        mode.piece = system.piece
        return mode

    mode = look(t, y)
    scale = [1e-2 if i < len(y) - 4 else 1e-3 for i in range(len(y))]
    for end in times:
        while t < end:
            knot = (system.piece + 1) * 0.1
            goal = min(end, knot)
            last = t + h * 1.0001 >= goal
            step = goal - t if last else h
            f = lambda time, state: system.evaluate(time, state, mode)[0]

            def attempt(size):
                new, error, order = method(f, t, y, size)
                return new, max(abs(e) / (s + abs(v)) for e, s, v in zip(error, scale, new)) / tolerance, order

            def broken(size, new):
                """{name: g} of the switches whose g has the other sign now"""
                switches = system.evaluate(t + size, new, mode)[2]
                return {i: g for i, ((_, g), s) in enumerate(zip(switches, mode)) if g is not None and (g > 0) != s}

            new, error, order = attempt(step)
            factor = min(4, max(0.1, 0.85 * (error + 1e-30)**(-1 / order)))
            if error > 1:
                h = step * factor
                continue
            out = broken(step, new)
            if out:                                      # find the first switch: false position between lo, good, and hi, broken
                lo, hi = 0.0, step
                base = system.evaluate(t, y, mode)[2]
                g_lo = {i: base[i][1] for i in out}
                tries = 0
                while hi - lo > 2e-15 * max(1, t) and tries < 60:
                    tries += 1
                    mid = hi
                    for i, g in out.items():
                        a = g_lo.get(i)
                        if a is not None and a * g < 0:
                            mid = min(mid, lo + (hi - lo) * a / (a - g))
                    if tries % 3 == 0 or not lo < mid < hi:
                        mid = (lo + hi) / 2
                    else:                                # a little beyond, so that both ends close in
                        mid = min(max(mid + (3e-2 if tries % 3 == 1 else -3e-2) * min(mid - lo, hi - mid), lo + 1e-3 * (hi - lo)), hi - 1e-3 * (hi - lo))
                    trial = attempt(mid)[0]
                    bad = broken(mid, trial)
                    if bad:
                        hi, new, out = mid, trial, bad
                        g_lo = {i: g_lo.get(i, base[i][1]) for i in out}
                    else:
                        lo = mid
                        now = system.evaluate(t + mid, trial, mode)[2]
                        g_lo = {i: now[i][1] for i in out}
                _, _, switches = system.evaluate(t + hi, new, mode)
                for i in out:
                    name = switches[i][0]
                    switched[name] = switched.get(name, 0) + 1
                before = mode
                t, y = t + hi, new
                remember(system, y, out, switches)
                mode = look(t, y)
                h = min(step, 1e-4)
            else:
                t, y = goal if last else t + step, new
                h = min(longest, step * factor if not last else max(h, step * factor))
                if last and goal == knot:
                    system.piece += 1
                    mode = look(t, y)
            steps += 1
        system.evaluate(t, y, mode)
        rows.append((t, system.coordinates(y), system.shown))
    return rows, steps, switched


def remember(system, y, out, switches):
    """keep the speed at which a stop is met"""
    c = system.coordinates(y)
    for i in out:
        name, g = switches[i]
        if name in ("lift+", "lift-", "knee+", "knee-") and g > 0:
            rate = c[5] if name[:4] == "lift" else c[7]
            system.memory[name] = (0, max(abs(rate), SLOWEST))


NAMES = ("rail.stroke lift.stroke hip.angle knee.angle rail.speed lift.speed hip.rate knee.rate hip.motor.integral knee.motor.integral "
         "hip.friction.bristle knee.friction.bristle").split()
SHOWN = "normal rub hip.motor.torque knee.motor.torque knee.limits.torque lift.limits.force".split()


def largest(a, b):
    return {n: max(abs(p[1][i] - q[1][i]) for p, q in zip(a, b)) for i, n in enumerate(NAMES)}


def main():
    times = [0.15 * i for i in range(21)]
    first, steps, switched = run(Lagrange(), lambda *a: (*extrapolated(*a, columns=6), 11), times, 1e-12, 2e-3)
    print(f"Lagrange, order 12, tolerance 1e-12: {steps} steps, {sum(switched.values())} switches: {switched}", flush=True)
    coarse, steps, switched = run(Lagrange(), lambda *a: (*extrapolated(*a, columns=5), 9), times, 1e-10, 1e-3)
    far = largest(first, coarse)
    print(f"Lagrange, order 10, tolerance 1e-10: {steps} steps, {sum(switched.values())} switches; differs by at most",
          ", ".join(f"{n} {v:.1e}" for n, v in far.items()), flush=True)
    if "--second" in sys.argv:
        second, steps, switched = run(Newton(), dormand_prince, times, 1e-11, 2e-3)
        print(f"Newton, order 5: {steps} steps, {sum(switched.values())} switches; differs by at most",
              ", ".join(f"{n} {v:.1e}" for n, v in largest(first, second).items()))
        return
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "walking_leg.csv"), "w") as file:
        file.write("# models/walking_leg.yaml: coordinates, rates and states [SI units]; forces and torques of floor, motors and stops\n"
                   "# Lagrange's equations of four coordinates, extrapolated midpoint rule of order 12 from switch to switch, tolerance 1e-12;\n"
                   f"# order 10 with 1e-10 differs by at most {max(far.values()):.1e}, Newton's equations of nine coordinates by 7e-10 (tests/reference/walking_leg.py)\n")
        file.write("t," + ",".join(NAMES + SHOWN) + "\n")
        for t, c, forces in first:
            file.write(",".join(f"{v:.15g}" for v in [t] + c + list(forces)) + "\n")


if __name__ == "__main__":
    main()
