// Coefficients of explicit embedded Runge-Kutta pairs with dense output. docs/theory.md, section 9.5.
//
//     k_i = f(t_n + c_i h, x_n + h sum_j a_ij k_j),  c_i = sum_j a_ij,   i = 0 .. stages - 1
//     x_n+1 = x_n + h sum_j a_sj k_j, s = stages: the last row is that of the end point, k_s = f there
//     error   h sum_j e_j k_j; with e3:  |e|^2 / sqrt(|e|^2 + |e3|^2/100)
//     dense   stages s+1 .. s+extra, then F_3+m = h sum_j dense_mj k_j in the form of (9.14)
#ifndef HOL_RK_PAIRS_H
#define HOL_RK_PAIRS_H

enum { HOL_RK_STAGES = 16, HOL_RK_DENSE = 4 };

typedef struct hol_runge_kutta {
    int stages, extra, order, n_dense;
    double rough; // what e is multiplied by where the motion is not smooth (9.13b)
    double gap;   // middle of the widest gap between the c_i
    double stable
        [2]; // h |lambda| up to which |R(h lambda)| <= 1 + 2e-6, lambda real; anywhere with Re(lambda) <= 0; 0: with none
    double a[HOL_RK_STAGES][HOL_RK_STAGES];
    double e[HOL_RK_STAGES], e3[HOL_RK_STAGES]; // e3 all 0: one estimate
    double dense[HOL_RK_DENSE][HOL_RK_STAGES];
} hol_runge_kutta;

extern const hol_runge_kutta hol_runge_kutta_5, hol_runge_kutta_8;
// Without a pair; that of order 2 is Heun's with Euler's method in it.
extern const hol_runge_kutta hol_runge_kutta_1, hol_runge_kutta_2;

// y = x0 + h sum_j a_j k_j (n), k (stages x n); x0 NULL: 0.
void hol_runge_kutta_combine(int n, const double *k, const double *a, int stages, double h, const double *x0,
                             double *y);

#endif
