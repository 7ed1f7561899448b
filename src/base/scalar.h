/* scalar.h - the functions of one number that elementwise expressions are written in.
**
** Branch-free scalar inlines that the compiler vectorises; eager kernels, generated
** kernels and exported C include this one text, so they agree to the bit. Names are
** the operators' names. float32 has code of its own where that is faster, float64
** is libm's. Contraction is off (-ffp-contract=off); fused multiply-adds are written.
** Each states its accuracy over all finite float32 inputs; spec/scalar_spec.lua and
** tools/ulp.c check it against libm in double.
*/
#ifndef HL_SCALAR_H
#define HL_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HL_INLINE static inline __attribute__((always_inline, unused))
#define IVDEP _Pragma("GCC ivdep")

/* A constant in the type of the loop. */
#define K(x) ((real)(x))

/* One function a C type: integers take the last. */
#define BY_TYPE(x, f32, f64, other) _Generic((x), float: f32, double: f64, default: other)
#define FLOATS(x, f32, f64) _Generic((x), float: f32, default: f64)

HL_INLINE float hl_from_bits(int32_t i) { float f; memcpy(&f, &i, 4); return f; }
HL_INLINE int32_t hl_bits(float f) { int32_t i; memcpy(&i, &f, 4); return i; }

/* e^x by 2^n * e^r, |r| <= ln 2 / 2; polynomial of S. Moshier's Cephes (expf). 0.97 ulp. */
HL_INLINE float hl_exp32(float x) {
  float z = x > 88.72284f ? 88.72284f : x;
  z = z < -103.97f ? -103.97f : z;
  float t = __builtin_fmaf(z, 1.44269504f, 12582912.f), n = t - 12582912.f;
  float r = __builtin_fmaf(n, -0.693145752f, z);
  r = __builtin_fmaf(n, -1.42860677e-6f, r);
  float p = 1.9875691e-4f;
  p = __builtin_fmaf(p, r, 1.3981999e-3f);
  p = __builtin_fmaf(p, r, 8.3334519e-3f);
  p = __builtin_fmaf(p, r, 4.1665795e-2f);
  p = __builtin_fmaf(p, r, 1.6666665e-1f);
  p = __builtin_fmaf(p, r, 0.5f);
  p = __builtin_fmaf(p, r * r, r) + 1.f;
  int32_t e = hl_bits(t) - 0x4b400000, h = e >> 1;
  float y = p * hl_from_bits((h + 127) << 23) * hl_from_bits((e - h + 127) << 23);
  y = x > 88.72284f ? HUGE_VALF : y;
  return x != x ? x : y;
}

/* tanh by a rational function of degree 13/6 on [-7.9, 7.9] (Eigen's coefficients). */
HL_INLINE float hl_tanh32(float x) {
  float z = x > 7.9f ? 7.9f : x;
  z = z < -7.9f ? -7.9f : z;
  float s = z * z, p = -2.76076847742355e-16f, q = 1.19825839466702e-06f;
  p = __builtin_fmaf(p, s, 2.00018790482477e-13f);
  p = __builtin_fmaf(p, s, -8.60467152213735e-11f);
  p = __builtin_fmaf(p, s, 5.12229709037114e-08f);
  p = __builtin_fmaf(p, s, 1.48572235717979e-05f);
  p = __builtin_fmaf(p, s, 6.37261928875436e-04f);
  p = __builtin_fmaf(p, s, 4.89352455891786e-03f);
  q = __builtin_fmaf(q, s, 1.18534705686654e-04f);
  q = __builtin_fmaf(q, s, 2.26843463243900e-03f);
  q = __builtin_fmaf(q, s, 4.89352518554385e-03f);
  float y = z * p / q;
  return x != x ? x : y;
}

HL_INLINE float hl_sigmoid32(float x) { return __builtin_fmaf(hl_tanh32(x * 0.5f), 0.5f, 0.5f); }
HL_INLINE double hl_sigmoid64(double x) { return 1 / (1 + exp(-x)); }

HL_INLINE float hl_softrelu32(float x) { return x > 20 ? x : log1pf(expf(x)); }
HL_INLINE double hl_softrelu64(double x) { return x > 40 ? x : log1p(exp(x)); }

/* psi and psi': recurrence up to 6, then the asymptotic series (Abramowitz and
** Stegun 6.3.18, 6.4.12); reflection below 0. About 1e-13. */
static inline __attribute__((unused)) double hl_digamma64(double x) {
  double sum = 0;
  if (x <= 0 && x == floor(x)) return NAN;
  if (x < 0) return hl_digamma64(1 - x) - M_PI / tan(M_PI * x);
  while (x < 10) { sum -= 1 / x; x += 1; }
  double r = 1 / x, s = r * r;
  return sum + log(x) - 0.5 * r - s * (1. / 12 - s * (1. / 120 - s * (1. / 252 - s * (1. / 240 - s * (1. / 132)))));
}
static inline __attribute__((unused)) double hl_trigamma64(double x) {
  double sum = 0;
  if (x <= 0 && x == floor(x)) return INFINITY;
  if (x < 0) { double w = M_PI / sin(M_PI * x); return w * w - hl_trigamma64(1 - x); }
  while (x < 12) { sum += 1 / (x * x); x += 1; }
  double r = 1 / x, s = r * r;
  return sum + r + s * 0.5 + r * s * (1. / 6 - s * (1. / 30 - s * (1. / 42 - s * (1. / 30 - s * (5. / 66)))));
}
HL_INLINE float hl_digamma32(float x) { return (float)hl_digamma64(x); }
HL_INLINE float hl_trigamma32(float x) { return (float)hl_trigamma64(x); }

/* The inverse of erf: M. Giles' rational start, two Newton steps in double. */
static inline __attribute__((unused)) double hl_erfinv64(double x) {
  if (!(x > -1 && x < 1)) return x == 1 ? INFINITY : x == -1 ? -INFINITY : NAN;
  double w = -log((1 - x) * (1 + x)), y;
  if (w < 5) {
    w -= 2.5;
    y = 2.81022636e-08; y = 3.43273939e-07 + y * w; y = -3.5233877e-06 + y * w; y = -4.39150654e-06 + y * w;
    y = 0.00021858087 + y * w; y = -0.00125372503 + y * w; y = -0.00417768164 + y * w; y = 0.246640727 + y * w;
    y = 1.50140941 + y * w;
  } else {
    w = sqrt(w) - 3;
    y = -0.000200214257; y = 0.000100950558 + y * w; y = 0.00134934322 + y * w; y = -0.00367342844 + y * w;
    y = 0.00573950773 + y * w; y = -0.0076224613 + y * w; y = 0.00943887047 + y * w; y = 1.00167406 + y * w;
    y = 2.83297682 + y * w;
  }
  y *= x;
  for (int i = 0; i < 2; i++) y -= (erf(y) - x) / (1.1283791670955126 * exp(-y * y));
  return y;
}
HL_INLINE float hl_erfinv32(float x) { return (float)hl_erfinv64(x); }

/* a modulo b with the sign of b, 0 for b = 0 (MXNet's mod). */
HL_INLINE float hl_mod32(float a, float b) {
  float r = fmodf(a, b);
  r = r != 0 && (r < 0) != (b < 0) ? r + b : r;
  return b == 0 ? 0 : r;
}
HL_INLINE double hl_mod64(double a, double b) {
  double r = fmod(a, b);
  r = r != 0 && (r < 0) != (b < 0) ? r + b : r;
  return b == 0 ? 0 : r;
}
HL_INLINE int64_t hl_modi(int64_t a, int64_t b) {
  if (b == 0 || b == -1) return 0;
  int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/* Integer division by 0 gives 0: C leaves it undefined, and x86 traps. */
HL_INLINE int64_t hl_divi(int64_t a, int64_t b) { return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b; }

HL_INLINE int64_t hl_powi(int64_t a, int64_t n) {
  if (n < 0) return a == 1 ? 1 : a == -1 ? (n & 1 ? -1 : 1) : 0;
  uint64_t y = 1, x = (uint64_t)a;
  for (; n; n >>= 1) { if (n & 1) y *= x; x *= x; }
  return (int64_t)y;
}

/* To the nearest integer, ties to the lower one (MXNet's rint). */
HL_INLINE float hl_rint32(float x) { float f = floorf(x), c = ceilf(x); return x - f <= c - x ? f : c; }
HL_INLINE double hl_rint64(double x) { double f = floor(x), c = ceil(x); return x - f <= c - x ? f : c; }
/* To the nearest integer, ties away from 0. */
HL_INLINE float hl_round32(float x) { float t = truncf(x); return fabsf(x - t) >= 0.5f ? t + copysignf(1.f, x) : t; }
HL_INLINE double hl_round64(double x) { double t = trunc(x); return fabs(x - t) >= 0.5 ? t + copysign(1., x) : t; }

HL_INLINE int64_t hl_same(int64_t x) { return x; }
HL_INLINE int64_t hl_absi(int64_t x) { return x < 0 ? (int64_t)(0 - (uint64_t)x) : x; }

/* ---- The names that expressions use ------------------------------------------------ */

#define exp(x) FLOATS(x, hl_exp32, exp)(x)
#define tanh(x) FLOATS(x, hl_tanh32, tanh)(x)
#define sigmoid(x) FLOATS(x, hl_sigmoid32, hl_sigmoid64)(x)
#define softrelu(x) FLOATS(x, hl_softrelu32, hl_softrelu64)(x)
#define log(x) FLOATS(x, logf, log)(x)
#define log2(x) FLOATS(x, log2f, log2)(x)
#define log10(x) FLOATS(x, log10f, log10)(x)
#define log1p(x) FLOATS(x, log1pf, log1p)(x)
#define expm1(x) FLOATS(x, expm1f, expm1)(x)
#define sqrt(x) FLOATS(x, sqrtf, sqrt)(x)
#define cbrt(x) FLOATS(x, cbrtf, cbrt)(x)
#define rsqrt(x) (1 / sqrt(x))
#define rcbrt(x) (1 / cbrt(x))
#define sin(x) FLOATS(x, sinf, sin)(x)
#define cos(x) FLOATS(x, cosf, cos)(x)
#define tan(x) FLOATS(x, tanf, tan)(x)
#define arcsin(x) FLOATS(x, asinf, asin)(x)
#define arccos(x) FLOATS(x, acosf, acos)(x)
#define arctan(x) FLOATS(x, atanf, atan)(x)
#define sinh(x) FLOATS(x, sinhf, sinh)(x)
#define cosh(x) FLOATS(x, coshf, cosh)(x)
#define arcsinh(x) FLOATS(x, asinhf, asinh)(x)
#define arccosh(x) FLOATS(x, acoshf, acosh)(x)
#define arctanh(x) FLOATS(x, atanhf, atanh)(x)
#define erf(x) FLOATS(x, erff, erf)(x)
#define erfinv(x) FLOATS(x, hl_erfinv32, hl_erfinv64)(x)
#define gamma(x) FLOATS(x, tgammaf, tgamma)(x)
#define gammaln(x) FLOATS(x, lgammaf, lgamma)(x)
#define digamma(x) FLOATS(x, hl_digamma32, hl_digamma64)(x)
#define trigamma(x) FLOATS(x, hl_trigamma32, hl_trigamma64)(x)
#define power(a, b) BY_TYPE(a, powf, pow, hl_powi)(a, b)
#define hypot(a, b) FLOATS(a, hypotf, hypot)(a, b)
#define mod(a, b) BY_TYPE(a, hl_mod32, hl_mod64, hl_modi)(a, b)
#define divide(a, b) _Generic((a), float: (a) / (b), double: (a) / (b), default: hl_divi((int64_t)(a), (int64_t)(b)))
#define floor(x) BY_TYPE(x, floorf, floor, hl_same)(x)
#define ceil(x) BY_TYPE(x, ceilf, ceil, hl_same)(x)
#define trunc(x) BY_TYPE(x, truncf, trunc, hl_same)(x)
#define rint(x) BY_TYPE(x, hl_rint32, hl_rint64, hl_same)(x)
#define round(x) BY_TYPE(x, hl_round32, hl_round64, hl_same)(x)
#define abs(x) BY_TYPE(x, fabsf, fabs, hl_absi)(x)
#define square(x) ((x) * (x))
#define sign(x) ((x) > 0 ? 1 : (x) < 0 ? -1 : (x))
/* NaN wins, as in NumPy. */
#define maximum(a, b) ((a) > (b) || (a) != (a) ? (a) : (b))
#define minimum(a, b) ((a) < (b) || (a) != (a) ? (a) : (b))

#endif
