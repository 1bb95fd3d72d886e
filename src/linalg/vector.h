// Vectors of doubles.
#ifndef HOL_VECTOR_H
#define HOL_VECTOR_H

static inline double hol_vector_dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static inline void hol_vector_swap(int n, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        const double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

#endif
