// Andrews' mechanism in seven angles (beta Theta gamma Phi delta Omega epsilon), after Hairer, Wanner: Solving Ordinary
// Differential Equations II, VI.10: M(q) q'' + G^T lambda = f, six constraints. Data as in models/andrews.yaml.
#ifndef PEERS_SEVEN_ANGLES_H
#define PEERS_SEVEN_ANGLES_H

#include <math.h>
#include <string.h>

enum { SEVEN = 7, SIX = 6, MOST_TERMS = 5 };

static const double seven_start[SEVEN] = {-0.0617138900142764496, 0,
                                          0.455279819163070380,   0.222668390165885885,
                                          0.487364979543842550,   -0.222668390165885885,
                                          1.23054744454982119};

#define RR 0.007
#define DD 0.028
#define DA 0.0115
#define SS 0.035
#define EE 0.02
#define EA 0.01421
#define ZT 0.04
#define ZF 0.02
#define FA 0.01421
#define UU 0.04
#define M2 0.00365
#define M4 0.00706
#define M6 0.00706
#define I2 4.410e-7
#define I4 5.667e-7
#define I6 5.667e-7

// x and y of the point E by three ways and the one by F, as sums of c (cos, sin)(q_i + q_j + shift), j = -1: q_i alone
typedef struct {
    double c, shift;
    int i, j;
} seven_term;
#define QUARTER 1.57079632679489661923
static const seven_term seven_terms[4][2] = {
    {{RR, 0, 0, -1}, {-DD, 0, 0, 1}},       // by F
    {{SS, -QUARTER, 2, -1}, {0, 0, 2, -1}}, // by B
    {{EE, -QUARTER, 3, 4}, {ZT, 0, 4, -1}}, // by A, G
    {{ZF, 0, 5, 6}, {UU, -QUARTER, 6, -1}}, // by A, H
};
static const double seven_foot[4][2] = {
    {0, 0}, {-0.03635, 0.03273}, {-0.06934, -0.00227}, {-0.06934, -0.00227}};

// phi (6), G (6 x 7), gamma = -G' v (6); NULL: not wanted
static inline void seven_constraints(const double *q, const double *v, double *phi, double *G, double *gamma)
{
    double x[4][2], J[4][2][SEVEN] = {{{0}}}, a[4][2];
    for (int w = 0; w < 4; w++) {
        x[w][0] = seven_foot[w][0], x[w][1] = seven_foot[w][1], a[w][0] = a[w][1] = 0;
        for (int t = 0; t < 2; t++) {
            const seven_term *s = &seven_terms[w][t];
            if (s->c == 0) continue;
            const double angle = q[s->i] + (s->j >= 0 ? q[s->j] : 0) + s->shift;
            const double cx = s->c * cos(angle), sx = s->c * sin(angle);
            const double rate = v ? v[s->i] + (s->j >= 0 ? v[s->j] : 0) : 0;
            x[w][0] += cx, x[w][1] += sx;
            J[w][0][s->i] -= sx, J[w][1][s->i] += cx;
            if (s->j >= 0) J[w][0][s->j] -= sx, J[w][1][s->j] += cx;
            a[w][0] += rate * rate * cx, a[w][1] += rate * rate * sx;
        }
    }
    for (int w = 1; w < 4; w++)
        for (int k = 0; k < 2; k++) {
            const int r = 2 * (w - 1) + k;
            if (phi) phi[r] = x[0][k] - x[w][k];
            if (gamma) gamma[r] = a[0][k] - a[w][k];
            for (int i = 0; i < SEVEN && G; i++) G[SEVEN * r + i] = J[0][k][i] - J[w][k][i];
        }
}

static inline void seven_mass(const double *q, double *M)
{
    const double m1ra = 0.04325 * 0.00092 * 0.00092, eq = EE - EA, fq = ZF - FA;
    const double ct = cos(q[1]), sp = sin(q[3]), so = sin(q[5]);
    memset(M, 0, SEVEN * SEVEN * sizeof *M);
    M[0] = m1ra + M2 * (RR * RR - 2 * DA * RR * ct + DA * DA) + 2.194e-6 + I2;
    M[1] = M[7] = M2 * (DA * DA - DA * RR * ct) + I2;
    M[8] = M2 * DA * DA + I2;
    M[16] = 0.02373 * (0.01874 * 0.01874 + 0.01043 * 0.01043) + 5.255e-6;
    M[24] = M4 * eq * eq + I4;
    M[25] = M[31] = M4 * (eq * eq + ZT * eq * sp) + I4;
    M[32] = M4 * (ZT * ZT + 2 * ZT * eq * sp + eq * eq) + 0.0705 * (0.02308 * 0.02308 + 0.00916 * 0.00916) +
            I4 + 1.169e-5;
    M[40] = M6 * fq * fq + I6;
    M[41] = M[47] = M6 * (fq * fq - UU * fq * so) + I6;
    M[48] = M6 * (fq * fq - 2 * UU * fq * so + UU * UU) + 0.05498 * (0.01228 * 0.01228 + 0.00449 * 0.00449) +
            I6 + 1.912e-5;
}

static inline void seven_forces(const double *q, const double *v, double *f)
{
    const double st = sin(q[1]), cp = cos(q[3]), co = cos(q[5]), sg = sin(q[2]), cg = cos(q[2]);
    const double sc = 0.018, sd = 0.02, k = 4530, l0 = 0.07785, eq = EE - EA, fq = ZF - FA;
    const double xd = sd * cg + sc * sg - 0.03635, yd = sd * sg - sc * cg + 0.03273;
    const double dx = xd - 0.014, dy = yd - 0.072, l = sqrt(dx * dx + dy * dy), pull = -k * (l - l0) / l;
    f[0] = 0.033 - M2 * DA * RR * v[1] * (v[1] + 2 * v[0]) * st;
    f[1] = M2 * DA * RR * v[0] * v[0] * st;
    f[2] = pull * (dx * (sc * cg - sd * sg) + dy * (sd * cg + sc * sg));
    f[3] = M4 * ZT * eq * v[4] * v[4] * cp;
    f[4] = -M4 * ZT * eq * v[3] * (v[3] + 2 * v[4]) * cp;
    f[5] = -M6 * UU * fq * v[6] * v[6] * co;
    f[6] = M6 * UU * fq * v[5] * (v[5] + 2 * v[6]) * co;
}

#endif
