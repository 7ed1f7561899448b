/* global_norm.h - the 2-norm of several arrays together, by their norms, and the factor that reduces it to a limit.
**
** It stays in range: the norms are divided by the largest one before they are squared.
*/
#ifndef HL_BASE_MATH_GLOBAL_NORM_H
#define HL_BASE_MATH_GLOBAL_NORM_H

#include <math.h>

static inline double hl_global_norm(const double *norm, int n) {
  double largest = 0, squares = 0;
  for (int i = 0; i < n; i++)
    if (norm[i] > largest || norm[i] != norm[i]) largest = norm[i];
  if (!(largest > 0 && largest < HUGE_VAL)) return largest;
  for (int i = 0; i < n; i++) squares += (norm[i] / largest) * (norm[i] / largest);
  return largest * sqrt(squares);
}

/* The factor of arrays with this norm; they are scaled if it is below 1, or NaN. */
static inline double hl_norm_factor(double norm, double most) { return most / (norm + 1e-8); }

#endif
