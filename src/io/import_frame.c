// Frames and turns in space.
#include "io/import_robot.h"

#include <math.h>
#include <string.h>

const hol_import_frame hol_frame_none = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

void hol_matrix_times(const double A[9], const double B[9], double out[9])
{
    double C[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    memcpy(out, C, sizeof C);
}

static void transpose(const double A[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = A[3 * j + i];
}

void hol_matrix_turn(const double A[9], const double B[9], double out[9])
{
    double T[9];
    if (!hol_frame_turns(A)) {
        memmove(out, B, 9 * sizeof *out);
        return;
    }
    transpose(A, T);
    hol_matrix_times(B, T, T);
    hol_matrix_times(A, T, out);
    for (int i = 0; i < 3; i++) // exactly symmetric
        for (int j = 0; j < i; j++) out[3 * i + j] = out[3 * j + i];
}

void hol_matrix_of_axes(const double axes[9], const double values[3], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += axes[3 * k + j] * values[k] * axes[3 * k + i];
            out[3 * i + j] = out[3 * j + i] = sum;
        }
}

bool hol_frame_turns(const double R[9]) { return memcmp(R, hol_frame_none.R, 9 * sizeof *R) != 0; }

void hol_frame_about(const double u[3], double angle, double R[9])
{
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[3 * i + j] = (i == j) * c + (1 - c) * u[i] * u[j];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[3 * k + j] += s * u[i];
        R[3 * j + k] -= s * u[i];
    }
}

void hol_frame_euler(const char *axes, const double angle[3], double R[9])
{
    memcpy(R, hol_frame_none.R, sizeof hol_frame_none.R);
    for (int i = 0; i < 3; i++) {
        const bool fixed = axes[i] < 'a';
        const int k = axes[i] - (fixed ? 'X' : 'x');
        const double axis[3] = {k == 0, k == 1, k == 2};
        double turn[9];
        if (angle[i] == 0) continue;
        hol_frame_about(axis, angle[i], turn);
        if (fixed)
            hol_matrix_times(turn, R, R);
        else
            hol_matrix_times(R, turn, R);
    }
    for (int i = 0; i < 9; i++) R[i] += 0.0; // -0 is 0
}

static void apply(const double R[9], const double u[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = R[3 * i] * u[0] + R[3 * i + 1] * u[1] + R[3 * i + 2] * u[2];
}

hol_import_frame hol_frame_times(const hol_import_frame *a, const hol_import_frame *b)
{
    hol_import_frame c;
    double p[3];
    hol_matrix_times(a->R, b->R, c.R);
    apply(a->R, b->p, p);
    for (int i = 0; i < 3; i++) c.p[i] = a->p[i] + p[i];
    for (int i = 0; i < 9; i++) c.R[i] += 0.0;
    return c;
}

hol_import_frame hol_frame_inverse(const hol_import_frame *a)
{
    hol_import_frame b;
    double p[3];
    transpose(a->R, b.R);
    apply(b.R, a->p, p);
    for (int i = 0; i < 3; i++) b.p[i] = -p[i];
    return b;
}

void hol_frame_along(const double axis[3], double R[9])
{
    int k = 2;
    double x[3] = {0, 0, 0}, dot = 0, length = 0;
    for (int i = 0; i < 2; i++)
        if (fabs(axis[i]) > fabs(axis[k])) k = i;
    x[(k + 1) % 3] = 1;
    for (int i = 0; i < 3; i++) dot += x[i] * axis[i];
    for (int i = 0; i < 3; i++) x[i] -= dot * axis[i];
    for (int i = 0; i < 3; i++) length += x[i] * x[i];
    for (int i = 0; i < 3; i++) x[i] /= sqrt(length);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, m = (i + 2) % 3;
        R[3 * i] = x[i] + 0.0;
        R[3 * i + 1] = axis[j] * x[m] - axis[m] * x[j] + 0.0;
        R[3 * i + 2] = axis[i] + 0.0;
    }
}
