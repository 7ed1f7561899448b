/* gamma_functions.h - the gamma function, its logarithm, and the latter's derivatives.
**
** Without libm and, except for polygamma of orders from 2, without branches. Arguments below 1/2 are reflected
** (Abramowitz and Stegun 6.1.17, 6.3.7, 6.4.7). From 1/2 to 3 each function is a quotient of polynomials in z - 1/2
** with positive coefficients, with the zeros of log Gamma and psi as factors. From 3 it is the asymptotic series
** (6.1.40, 6.3.18, 6.4.12) with fitted coefficients. All in double, so a float32 result has almost only the error of
** its last rounding, even near zeros.
*/
#ifndef HL_BASE_MATH_GAMMA_FUNCTIONS_H
#define HL_BASE_MATH_GAMMA_FUNCTIONS_H

#include "base/math/double_functions.h"

/* clang-format off */

/* log Gamma z for z >= 3. 6 ulp near 3, 2.1 from 10 on. */
HL_INLINE double hl_gammaln_from_3(double z) {
  double u = 1 / z, s = u * u, l = hl_log_normal64(z < HUGE_VAL ? z : 0x1p1000);
  double p = HL_POLY9(HL_F64, s, 0.014635193517568774, -0.011389909706110397, 0.0048757737810623926,
                      -0.0018277555922170145, 0.00083833168032118612, -0.00059515854641144443, 0.0007936497692691254,
                      -0.0027777777717107882, 0.083333333333322737);
  return fma(z - 0.5, l - 1, 0.41893853320467274 + u * p);              /* log(2 pi) / 2 - 1 / 2 */
}

/* log k! for an integer k >= 0. */
HL_INLINE double hl_log_factorial64(double k) { return k < 2 ? 0 : hl_gammaln_from_3(k + 1); }

/* log Gamma z for z >= 1/2: relative error 2^-39 below 3. */
HL_INLINE double hl_gammaln_positive(double z) {
  double t = z - 0.5;
  double p = HL_POLY7(HL_F64, t, 0.00016961012568474817, 0.039403738005145942, 0.60845240868718171,
                      2.6772108123985116, 4.5340241105011714, 3.164596634368035, 0.7631532572320258);
  double q = HL_POLY7(HL_F64, t, 0.011865681015166595, 0.33190332982357995, 2.4436853578611586,
                      6.9476484352939298, 8.7515397729564862, 4.9105924844487122, 1.0);
  double near = (z - 1) * (z - 2) * (p / q) + 0.0, far = hl_gammaln_from_3(z);      /* +0 at 1 and 2 */
  return z < 3 ? near : far;
}

/* Arguments beyond 60 and below -60 give values beyond float32. NaN at the negative integers, as in libm. */
HL_INLINE float hl_gamma32(float x) {
  double w = x, s, c, z = w < 0.5 ? 1 - w : w;
  z = z > 60 ? 60 : z;
  hl_quarters64(2 * w, &s, &c);
  double g = hl_exp64(hl_gammaln_positive(z)), y = w < 0.5 ? HL_PI / (s * g) : g;
  return w < 0 && floor(w) == w ? NAN : (float)y;
}

/* log |Gamma x| = log(pi / |sin pi x|) - log Gamma(1 - x) below 1/2. */
HL_INLINE float hl_gammaln32(float x) {
  double w = x, s, c, l = hl_gammaln_positive(w < 0.5 ? 1 - w : w);
  hl_quarters64(2 * w, &s, &c);
  double turned = HL_PI / fabs(s);
  double y = w < 0.5 ? hl_log_normal64(turned < 0x1p1000 ? turned : 0x1p1000) - l : l;
  return w <= 0 && floor(w) == w ? HUGE_VALF : (float)y;
}

/* psi x; NaN at its poles. psi(1 - x) - pi / tan(pi x) below 1/2. */
HL_INLINE double hl_digamma64(double x) {
  const double zero = 0x1.762d86356be3fp+0, zero_low = 0x1.b86a722197829p-54;     /* of psi */
  double z = x < 0.5 ? 1 - x : x, t = z - 0.5, u = 1 / z, v = u * u, s, c;
  double p = HL_POLY8(HL_F64, t, 2.5441252986299123e-7, 0.0002115785792208484, 0.010465015764534384,
                      0.16136551480730091, 1.05401094629086, 3.1956443373801891, 4.3325339069313859,
                      2.041851487905516);
  double q = HL_POLY8(HL_F64, t, 4.0848380822221133e-5, 0.002897389004670036, 0.059325253119279673,
                      0.50862583809462317, 2.0766974634182514, 4.108872265249836, 3.5952220733059438, 1.0);
  double near = ((z - zero) - zero_low) * (p / q);
  double r = HL_POLY10(HL_F64, v, -0.71726592977247981, 0.57167539402577102, -0.23021243814990942, 0.06908981208023653,
                       -0.020407630072892644, 0.0075533341768075764, -0.004166196477298834, 0.00396824818468655,
                       -0.0083333332976787879, 0.083333333333256734);
  double far = hl_log_normal64(z < 0x1p1000 ? z : 0x1p1000) - fma(0.5, u, v * r);
  hl_quarters64(2 * x, &s, &c);
  double y = z < 3 ? near : z < HUGE_VAL ? far : z;
  y = x < 0.5 ? y - HL_PI * (c / s) : y;
  return x <= 0 && floor(x) == x ? (double)NAN : y;
}

/* psi' x; infinite at its poles. (pi / sin(pi x))^2 - psi'(1 - x) below 1/2. */
HL_INLINE double hl_trigamma64(double x) {
  double z = x < 0.5 ? 1 - x : x, t = z - 0.5, u = 1 / z, v = u * u, s, c;
  double p = HL_POLY8(HL_F64, t, 0.016791395171842084, 0.21114813075956653, 1.1513534816196846,
                      3.5108522155169893, 6.4480693319631833, 7.1400676412930972, 4.4497703531999383,
                      1.2337005501361698);
  double q = HL_POLY7(HL_F64, t, 0.016791395304513657, 0.1943567317083358, 0.95419823676599849,
                      2.5256599773370728, 3.7794362913503101, 3.0170751835224546, 1.0);
  double r = HL_POLY11(HL_F64, v, 53.080103049485075, -43.003102923024685, 16.864716504163593, -4.5182176194318848,
                       1.0312692287223065, -0.2479231210176402, 0.075620222474303726, -0.033330975347207725,
                       0.023809499837786869, -0.03333333321039814, 0.16666666666644613);
  double y = z < 3 ? v * (p / q) : u + fma(0.5, v, u * v * r);
  hl_quarters64(2 * x, &s, &c);
  double w = HL_PI / s;
  y = x < 0.5 ? w * w - y : y;
  return x <= 0 && floor(x) == x ? HUGE_VAL : y;
}

/* Hurwitz's zeta(s, x) for an integer s >= 3 and x > 0: the sum of (x + k)^-s up to x + k = 10 + s, then the
** Euler-Maclaurin formula (Abramowitz and Stegun 23.1.30). Error about 1e-15. */
HL_FUNCTION double hl_zeta64(double s, double x) {
  double sum = 0, last, rise = s;
  if (x == HUGE_VAL) return 0;
  while (x < 10 + s) { sum += hl_pow64(x, -s); x += 1; }
  last = hl_pow64(x, -s);
  sum += last * (x / (s - 1) + 0.5);
  const double even[] = { 1. / 12, -1. / 720, 1. / 30240, -1. / 1209600, 1. / 47900160, -691. / 1307674368000,
                          1. / 74724249600, -3617. / 10670622842880000, 43867. / 5109094217170944000 };
  for (int j = 0; j < 9; j++) {
    last /= x;
    sum += even[j] * rise * last;
    last /= x;
    rise *= (s + (2 * j + 1)) * (s + (2 * j + 2));
  }
  return sum;
}

/* psi of integer order n >= 2: (-1)^(n+1) n! zeta(n + 1, x) (Abramowitz and Stegun 6.4.10). Below 0 the sum is taken
** around the pole nearest to x, at distance f. */
HL_FUNCTION double hl_polygamma64(double n, double x) {
  double s = n + 1, scale = s == 2 * floor(s / 2) ? 1 : -1, sign = scale, m = nearbyint(-x), f = x + m, sum;
  if (x <= 0 && f == 0) return sign > 0 ? INFINITY : NAN;
  for (double k = 2; k <= n; k += 1) scale *= k;
  if (!(x < 0)) return scale * hl_zeta64(s, x);
  sum = hl_pow64(f, -s) + hl_zeta64(s, 1 + f);
  if (m > 0) sum += sign * (hl_zeta64(s, 1 - f) - hl_zeta64(s, m + 1 - f));
  return scale * sum;
}
HL_INLINE float hl_polygamma32(double n, float x) { return (float)hl_polygamma64(n, x); }
HL_INLINE float hl_digamma32(float x) { return (float)hl_digamma64(x); }
HL_INLINE float hl_trigamma32(float x) { return (float)hl_trigamma64(x); }

/* clang-format on */

#endif
