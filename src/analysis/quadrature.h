// Integrals over a step of what is known at five times in it.
#ifndef HOL_ANALYSIS_QUADRATURE_H
#define HOL_ANALYSIS_QUADRATURE_H

// The integral from 0 to t of the polynomial through five values at 0, h/4, .. h: at h this is Boole's rule.
double hol_integrate_quartic(const double value[5], double h, double t);

#endif
