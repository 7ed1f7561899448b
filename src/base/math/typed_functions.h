/* typed_functions.h - the scalar functions of elementwise expressions, one for each C type.
**
** Branch-free inline functions in C99 that the compiler vectorises. Eager kernels, generated kernels and exported C
** include this same text, so they agree to the bit; scalar_functions.h has the names without a type that our own loops
** use, ir/expression/scalar_words.c those for printed code. float32 has its own code, here and in gamma_functions.h;
** float64 uses libm, except for psi and its derivatives. Contraction is off (-ffp-contract=off) and fused multiply-adds
** are explicit, so the bits depend neither on the optimisation level nor on vector width.
**
** Functions that dominate in networks (exp, log, tanh, sigmoid, erf, softrelu, expm1) are computed in float. The others
** are computed in double, with half as many lanes and an error that is almost only the last rounding's. The polynomials
** are minimax fits made for this file. Each function states its greatest error over all float32 inputs in ulp (units of
** the result's last place) and the input; tools/ulp.c and spec/ops/elementwise/scalar_functions_spec.lua check it. NaN
** gives NaN.
*/
#ifndef HL_BASE_MATH_TYPED_FUNCTIONS_H
#define HL_BASE_MATH_TYPED_FUNCTIONS_H

#include "base/math/gamma_functions.h"

/* Polynomials keep their rows of coefficients, and one-line functions their line. */
/* clang-format off */

/* ---- float32 in float: exp and related functions ------------------------------------- */

/* e^r - 1 for x = n ln 2 + r, |r| <= ln 2 / 2, |x| < 200. The subtraction of n ln 2 is exact except for its last
** part (Cody and Waite). Adding 2^23 + 2^22 rounds x / ln 2, which leaves n in the last bits. *n is n + 512, never
** negative. */
HL_INLINE float hl_exp_part32(float x, uint32_t *n) {
  const float magic = 12582912.f;
  float t = fmaf(x, 1.44269504f, magic), whole = t - magic;
  float r = fmaf(whole, -0.693145752f, x);
  r = fmaf(whole, -1.42860677e-6f, r);
  float q = HL_POLY6(HL_F32, r, 1.99500762e-4f, 1.393307e-3f, 8.33320152e-3f, 4.16664854e-2f, 0.166666672f, 0.5f);
  *n = hl_bits(t) - hl_bits(magic) + 512;
  return fmaf(q, r * r, r);
}

/* 2^n for n in [-126, 127], given n + 512. */
HL_INLINE float hl_power_of_two32(uint32_t n) { return hl_from_bits((n - 512 + 127) << 23); }

/* e^x. 2^n is applied in two halves, because n ranges from -150 to 128; `half` and `whole` are in the position of the
** exponent. Both bounds test x, else gcc generates poor code. 0.982 ulp at -27.3302. */
HL_INLINE float hl_exp32(float x) {
  float z = x > 89.f ? 89.f : x;
  z = x < -104.f ? -104.f : z;
  uint32_t n;
  float y = 1 + hl_exp_part32(z, &n);
  const uint32_t one = 127u << 23, half = (n - 512) << 22 & 0xFF800000u, whole = n << 23;
  return y * hl_from_bits(one + half) * hl_from_bits(whole + one - half);
}

/* e^x for x <= 0: one bound suffices, and 2^n is applied as 2^(n + 64) 2^-64, which only rounds subnormal results. The
** same bits as hl_exp32. */
HL_INLINE float hl_exp_nonpositive32(float x) {
  float z = x < -104.f ? -104.f : x;
  uint32_t n;
  float y = 1 + hl_exp_part32(z, &n);
  return y * hl_power_of_two32(n + 64) * 0x1p-64f;
}

/* e^-|x| */
HL_INLINE float hl_exp_minus_abs32(float x) { return hl_exp_nonpositive32(hl_from_bits(hl_bits(x) | 0x80000000u)); }

/* e^x - 1 as 2 (2^m (e^r - 1) + (2^m - 1/2)), m = n - 1. 1.44 ulp at 17.002. */
HL_INLINE float hl_expm1_32(float x) {
  float z = x > 89.f ? 89.f : x;
  z = x < -20.f ? -20.f : z;
  uint32_t n;
  float p = hl_exp_part32(z, &n), half = hl_power_of_two32(n - 1);
  float y = 2 * fmaf(half, p, half - 0.5f);
  return fabsf(x) < 0x1p-25f ? x : y;
}

/* 1 / (1 + e^-x), computed from e^-|x| to stay precise down to the smallest results. 2.41 ulp at -4.15729. */
HL_INLINE float hl_sigmoid32(float x) {
  float e = hl_exp_minus_abs32(x);
  return (x >= 0 ? 1.f : e) / (1 + e);
}
HL_INLINE double hl_sigmoid64(double x) { return 1 / (1 + exp(-x)); }

/* log(1 + e^x) = max(x, 0) + log(1 + e), e = e^-|x|; a polynomial on [0, 1] for the
** second part. 1.85 ulp at 0.0240496. */
HL_INLINE float hl_softrelu32(float x) {
  float e = hl_exp_minus_abs32(x);
  float q = HL_POLY9(HL_F32, e, -3.33871879e-3f, 2.02935934e-2f, -5.78270294e-2f, 0.106965177f, -0.153644934f,
                     0.196984306f, -0.2495915f, 0.333305627f, -0.499999344f);
  return (x > 0 ? x : 0) + fmaf(q, e * e, e);
}
HL_INLINE double hl_softrelu64(double x) { return x > 40 ? x : log1p(exp(x)); }

/* e / (e + 2), e = e^(2 |x|) - 1. 2.42 ulp at 0.00776718. */
HL_INLINE float hl_tanh32(float x) {
  float a = fabsf(x), z = a > 10 ? 10 : a;
  uint32_t n;
  float p = hl_exp_part32(z + z, &n), scale = hl_power_of_two32(n);
  float e = fmaf(scale, p, scale - 1);
  return copysignf(e / (e + 2), x);
}

/* erf x: a polynomial in x^2 below 7/8, above it 1 - e^g with a polynomial g for the
** logarithm of 1 - erf x (as N. Juffa does it). 1.15 ulp at 0.939907. */
HL_INLINE float hl_erf32(float x) {
  float a = fabsf(x), z = a > 4 ? 4 : a, s = z * z;
  float p = HL_POLY6(HL_F32, s, -6.25292712e-4f, 5.04224515e-3f, -2.6798781e-2f, 0.112826832f, -0.376125783f, 0.128379166f);
  float g = HL_POLY7(HL_F32, z, 2.00994764e-4f, -3.092258e-3f, 2.24200562e-2f, -0.104327187f, -0.636737525f,
                     -1.12793601f, -1.33589812e-4f);
  uint32_t n;
  float e = hl_exp_part32(g, &n), scale = hl_power_of_two32(n);
  float y = a < 0.875f ? fmaf(p, z, z) : 1 - fmaf(e, scale, scale);
  return copysignf(y, x);
}

/* log x = k ln 2 + log m, m in [2/3, 4/3): with f = m - 1, log m = f - f^2/2 + f^3 P(f).
** Subnormal inputs are scaled first. 0.92 ulp at 1.33461. */
HL_INLINE float hl_log32(float x) {
  bool subnormal = x < 0x1p-126f;
  float z = hl_select32(subnormal, x * 0x1p23f, x);
  uint32_t i = hl_bits(z) - 0x3f2aaaab;                           /* the bits of 2/3 */
  float k = (float)((int32_t)i >> 23) - hl_select32(subnormal, 23, 0);
  float f = hl_from_bits(hl_bits(z) - (i & 0xff800000)) - 1, s = f * f;
  float p = HL_POLY8(HL_F32, f, -0.131881416f, 0.139619365f, -0.12115939f, 0.140110418f, -0.166854069f, 0.200100347f,
                     -0.249996901f, 0.333332241f);
  float tail = fmaf(k, -1.90465421e-9f, s * fmaf(f, p, -0.5f));
  float y = fmaf(k, 0.693147182f, f + tail);
  y = hl_select32(x < HUGE_VALF, y, x);
  return hl_select32(x > 0, y, hl_select32(x == 0, -HUGE_VALF, NAN));
}

/* ---- float32 through double: the kernels ------------------------------------------------ */

/* e^x - less for less = 0 or 1, relative error 2^-37 for |x| < 700. */
HL_INLINE double hl_exp_less(double x, double less) {
  const double magic = 0x1.8p52;
  double t = fma(x, 1.4426950408889634, magic), n = t - magic;
  double r = fma(n, -0.69314718055994531, x);
  double q = HL_POLY7(HL_F64, r, 2.4882990950771408e-05, 1.9905329644970426e-4, 1.3888808331272754e-3, 8.333288439618336e-3,
                      4.1666666960542754e-2, 0.16666666756082263, 0.49999999999729389);
  double scale = hl_from_bits64((hl_bits64(t) - hl_bits64(magic) + 1023) << 52);
  return fma(scale, fma(q, r * r, r), scale - less);
}

/* log w for positive w, relative error 2^-40; the caller passes w - 1 as `near`, because w may have lost digits of it.
** As hl_log32. */
HL_INLINE double hl_log_positive(double w, double near) {
  uint64_t i = hl_bits64(w) - 0x3fe5555555555555 + 0x4000000000000000;
  double k = hl_from_bits64(0x4330000000000000 | i >> 52) - (0x1p52 + 1024);
  double m = hl_from_bits64(hl_bits64(w) - (i & 0xfff0000000000000) + 0x4000000000000000);
  double f = k == 0 ? near : m - 1;
  double p = HL_POLY15(HL_F64, f, 0.094106258984694227, -0.10584998934972342, 0.07261932044268557, -0.076928787131803358,
                       0.09123049882594772, -0.10058469490280178, 0.11109904471300532, -0.12497180293158744, 0.14285735520159909,
                       -0.16666736051650546, 0.19999999861954951, -0.24999999249204843, 0.33333333333477794,
                       -0.50000000002348111, 1.0);
  return fma(k, 0.69314718055994531, f * p);
}
HL_INLINE double hl_log_near(double w, double near) {
  double y = w < HUGE_VAL ? hl_log_positive(w, near) : w;
  return w > 0 ? y : w == 0 ? -HUGE_VAL : (double)NAN;
}
HL_INLINE double hl_log_1p(double u) { return hl_log_near(1 + u, u); }
HL_INLINE double hl_log_of(double x) { return hl_log_near(x, x - 1); }

/* Reduces x >= 0 to quarter turns: returns the nearest number of them (its last two bits count), and the rest *r in
** [-0.54, 0.54]. x is multiplied by the digits of 2/pi in three parts. The first two have 29 bits, so their products
** with a float32 are exact, and multiples of 4 are removed from these first. For large x the leading digits, which only
** give multiples of 4, are left out (Payne and Hanek). *r has an absolute error of 2^-55; no float32 is within 2^-30 of
** an integer number of quarters. */
HL_INLINE uint64_t hl_quarters(double x, double *r) {
  double head = x < 0x1p50 ? 0x1.45f306dp-1 : x < 0x1p75 ? 0x1.b939105p-26 : x < 0x1p100 ? 0x1.529fc26p-52 : 0x1.d5f47d4p-78;
  double mid  = x < 0x1p50 ? 0x1.9391054p-30 : x < 0x1p75 ? 0x1.29fc274p-56 : x < 0x1p100 ? 0x1.57d1f53p-80 : 0x1.a6ee06cp-107;
  double tail = x < 0x1p50 ? 0x1.4fe13abe8fa9ap-59 : x < 0x1p75 ? 0x1.7d1f534ddc0dbp-84 : x < 0x1p100 ? 0x1.377036d8a5665p-110
                                                                                        : 0x1.b14acc9e21c82p-135;
  const double four = 0x1.8p54, one = 0x1.8p52;                   /* adding these rounds to multiples of 4 and 1 */
  double a = x * head, b = x * mid;
  a -= (a + four) - four;
  b -= (b + four) - four;
  double t = (a + b) + one;
  *r = fma(x, tail, (a - (t - one)) + b);
  return hl_bits64(t);
}

/* The sine and cosine of r quarter turns, |r| <= 0.54. */
HL_INLINE double hl_sine_part(double r) {
  double s = r * r;
  return r * HL_POLY5(HL_F64, s, 1.5783780017730528e-4, -4.6810916669069941e-3, 7.9692557356347685e-2, -0.64596409499784546,
                      1.5707963267802814);
}
HL_INLINE double hl_cosine_part(double r) {
  double s = r * r;
  return HL_POLY5(HL_F64, s, 9.0150872757475693e-4, -2.0859145258895703e-2, 0.25366909000175802, -1.2337005376091066, 1.0);
}

/* arcsin z for z in [0, 1/2]. */
HL_INLINE double hl_arcsin_part(double z) {
  double s = z * z;
  double p = HL_POLY8(HL_F64, s, 0.032941702541772463, 0.0019485057475329068, 0.020659017524996798, 0.021863013039556765,
                      0.030426841297394647, 0.044640687801468862, 0.075000050417593736, 0.16666666626728394);
  return fma(z * s, p, z);
}

/* ---- float32 through double: the functions ------------------------------------------------ */

/* Logarithms to base 2 and 10, and of 1 + x. 0.5000 ulp at 0.965545, 1.31063 and 0.226371. */
HL_INLINE float hl_log2_32(float x) { return (float)(hl_log_of(x) * 1.4426950408889634); }
HL_INLINE float hl_log10_32(float x) { return (float)(hl_log_of(x) * 0.43429448190325183); }
HL_INLINE float hl_log1p_32(float x) { return x == 0 ? x : (float)hl_log_1p(x); }

/* sign(x) log(1 + u), u = |x| + x^2 / (1 + sqrt(1 + x^2)). 0.5000 ulp at 0.249478. */
HL_INLINE float hl_arcsinh32(float x) {
  double a = fabs((double)x), s = a * a, u = a + s / (1 + sqrt(1 + s));
  return copysignf((float)hl_log_1p(a < HUGE_VAL ? u : a), x);
}
/* log(1 + t + sqrt(t (t + 2))), t = x - 1. 0.5000 ulp at 1.06799. */
HL_INLINE float hl_arccosh32(float x) {
  double t = (double)x - 1;
  double y = hl_log_1p(t + sqrt(t * (t + 2)));
  return t >= 0 ? (float)y : NAN;
}
/* sign(x) log(1 + 2 |x| / (1 - |x|)) / 2. 0.5000 ulp at 0.0521202. */
HL_INLINE float hl_arctanh32(float x) {
  double a = fabs((double)x);
  return copysignf((float)(0.5 * hl_log_1p(2 * a / (1 - a))), x);
}

/* (e + e / (e + 1)) / 2, e = e^|x| - 1. 0.5001 ulp at 0.375644. */
HL_INLINE float hl_sinh32(float x) {
  double a = fabs((double)x), e = hl_exp_less(a > 100 ? 100 : a, 1);
  return copysignf((float)(0.5 * (e + e / (e + 1))), x);
}
/* (e + 1 / e) / 2, e = e^|x|. 0.5000 ulp at 49.5854. */
HL_INLINE float hl_cosh32(float x) {
  double a = fabs((double)x), e = hl_exp_less(a > 100 ? 100 : a, 0);
  return (float)(0.5 * (e + 1 / e));
}

/* The sine, cosine and tangent of any float32, however large. 0.5019 ulp at 431.288 and
** 5.51014e+14, 0.5024 at 2.04733e+38. */
HL_INLINE float hl_sin32(float x) {
  double r;
  uint64_t quarter = hl_quarters(fabs((double)x), &r);
  double y = quarter & 1 ? hl_cosine_part(r) : hl_sine_part(r);
  return (float)hl_from_bits64(hl_bits64(y) ^ (quarter & 2) << 62 ^ (hl_bits64(x) & 1ull << 63));
}
HL_INLINE float hl_cos32(float x) {
  double r;
  uint64_t quarter = hl_quarters(fabs((double)x), &r);
  double y = quarter & 1 ? hl_sine_part(r) : hl_cosine_part(r);
  return (float)hl_from_bits64(hl_bits64(y) ^ ((quarter + 1) & 2) << 62);
}
HL_INLINE float hl_tan32(float x) {
  double r;
  uint64_t quarter = hl_quarters(fabs((double)x), &r);
  double s = hl_sine_part(r), c = hl_cosine_part(r);
  double y = (quarter & 1 ? -c : s) / (quarter & 1 ? s : c);
  return (float)hl_from_bits64(hl_bits64(y) ^ (hl_bits64(x) & 1ull << 63));
}

/* arctan z = z P(z^2) for z from 0 to 1. */
HL_INLINE double hl_arctan_part(double z) {
  double s = z * z;
  return z * HL_POLY13(HL_F64, s, 4.4140534742051734e-4, -3.3289303580778672e-3, 0.011779367080089392,
                       -0.026538548854379489, 0.044158166375209161, -0.06054672764529808, 0.075090246097858804,
                       -0.090530211396858809, 0.11105987354257697, -0.14285296837590114, 0.19999982193820287,
                       -0.33333333033666135, 0.99999999999163369);
}
/* By |x| or 1 / |x|, whichever is at most 1. 0.5001 ulp at 0.00192735. */
HL_INLINE float hl_arctan32(float x) {
  double a = fabs((double)x), z = (a > 1 ? 1 : a) / (a > 1 ? a : 1);
  double p = hl_arctan_part(z), y = a > 1 ? HL_HALF_PI - p : p;
  return copysignf((float)y, x);
}
/* The angle of the point (x, y), with C99's special cases. */
HL_INLINE float hl_arctan2_32(float y, float x) {
  double a = fabs((double)y), b = fabs((double)x), low = a < b ? a : b, high = a < b ? b : a;
  double z = low == high ? high > 0 : low / high, p = hl_arctan_part(z);
  double turned = a > b ? HL_HALF_PI - p : p;
  double angle = signbit(x) ? HL_PI - turned : turned;
  return x != x || y != y ? NAN : copysignf((float)angle, y);
}
/* arcsin x for |x| <= 1/2, else pi/2 - 2 arcsin sqrt((1 - |x|) / 2). 0.5000 ulp at 0.246195;
** arccos: 0.5000 ulp at 0.625453. */
HL_INLINE float hl_arcsin32(float x) {
  double a = fabs((double)x), y = hl_arcsin_part(a > 0.5 ? sqrt(0.5 - 0.5 * a) : a);
  return copysignf((float)(a > 0.5 ? HL_HALF_PI - 2 * y : y), x);
}
HL_INLINE float hl_arccos32(float x) {
  double a = fabs((double)x), y = hl_arcsin_part(a > 0.5 ? sqrt(0.5 - 0.5 * a) : a);
  double positive = a > 0.5 ? 2 * y : HL_HALF_PI - y;
  return (float)(x < 0 ? HL_PI - positive : positive);
}

/* x^(1/3) = x y^2, y = x^(-1/3): a first guess by dividing the exponent (W. Kahan), then two
** steps of the series of (1 - h)^(-1/3), h = 1 - x y^3. 0.5000 ulp at 210.38. */
HL_INLINE double hl_cbrt_of(double x) {
  double a = fabs(x);
  double y = hl_from_bits64((uint64_t)(0x553ee800u - (uint32_t)(hl_bits64(a) >> 32) / 3) << 32);
  double h = fma(-a * y, y * y, 1);
  y = fma(y * h, HL_POLY3(HL_F64, h, 14. / 81, 2. / 9, 1. / 3), y);
  h = fma(-a * y, y * y, 1);
  y = fma(y * h, HL_POLY2(HL_F64, h, 2. / 9, 1. / 3), y);
  return a < HUGE_VAL ? copysign(a * y * y, x) : x;
}
HL_INLINE float hl_cbrt32(float x) { return (float)hl_cbrt_of(x); }
HL_INLINE float hl_rcbrt32(float x) { return 1 / hl_cbrt32(x); }
HL_INLINE double hl_rcbrt64(double x) { return 1 / cbrt(x); }
HL_INLINE float hl_rsqrt32(float x) { return 1 / sqrtf(x); }
HL_INLINE double hl_rsqrt64(double x) { return 1 / sqrt(x); }

/* The squares are exact in double. 0.5000 ulp in the sample. */
HL_INLINE float hl_hypot32(float a, float b) {
  double x = a, y = b;
  float h = (float)sqrt(x * x + y * y);
  return fabsf(a) == HUGE_VALF || fabsf(b) == HUGE_VALF ? HUGE_VALF : h;
}

/* a^b = e^(b log |a|), with C99's special cases. 0.5008 ulp at 1.31657^307.286 in the sample. */
HL_INLINE float hl_power32(float a, float b) {
  double x = fabs((double)a), z = b, l = hl_log_positive(x, x - 1);
  l = hl_select64(x < HUGE_VAL, l, x);
  l = hl_select64(x == 0, -HUGE_VAL, l);
  double y = hl_select64(x == 1, 0, z * l);
  y = z == 0 ? 0 : y;
  y = y > 200 ? 200 : y;
  y = y < -200 ? -200 : y;
  float e = (float)hl_exp_less(y, 0), half = 0.5f * b;
  float whole = floorf(half) == half ? e : copysignf(e, a);      /* for integer b: is it even? */
  float y_any = floorf(b) == b ? whole : e, y_negative = floorf(b) == b ? whole : NAN;
  return hl_select32(a < 0, hl_select32(a > -HUGE_VALF, y_negative, y_any), y_any);
}

/* The inverse of erf as x P(w), w = -log(1 - x^2): a polynomial in w up to 5, one in
** sqrt(w) above (the form is M. Giles'). 0.5069 ulp at 0.518765. */
HL_INLINE float hl_erfinv32(float x) {
  double z = x, w = -hl_log_1p(-z * z), c = w - 2.5, t = sqrt(w) - 3;
  double p = HL_POLY12(HL_F64, c, 1.3286097737005776e-10, 4.3702707884824753e-10, -1.1023274103260253e-08, 1.6457236151194017e-08,
                       4.7969938796496433e-07, -3.4260118269979884e-06, -4.9987614953098532e-06, 2.1826355575180138e-4,
                       -1.2527048755230012e-3, -4.1773246337300307e-3, 0.24664027578662279, 1.5014093516916356);
  double q = HL_POLY12(HL_F64, t, -1.354766105892863e-05, -1.2931707667086096e-05, 1.8167239029303061e-4, -3.0403275664725357e-4,
                       -1.3266177610037758e-4, 1.4901219618548382e-3, -3.5634103866231215e-3, 5.6842260692907369e-3,
                       -7.6432792462434208e-3, 9.4455804241668339e-3, 1.0016752602046086, 2.8329767980790308);
  return (float)(z * (w < 5 ? p : w == HUGE_VAL ? HUGE_VAL : q));
}

/* The inverse of erf: M. Giles' rational start, two Newton steps in double. */
HL_FUNCTION double hl_erfinv64(double x) {
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

/* ---- Remainders, roundings, integers ------------------------------------------------------ */

/* a modulo b with the sign of b; 0 for b = 0 (MXNet's mod). Exact: each step subtracts an integer multiple of |b|, the
** quotient's leading 51 bits, which a fused multiply-add does without rounding; a quotient of two float32 has at most
** 277 bits. */
HL_INLINE float hl_mod32(float a, float b) {
  double x = fabs((double)a), y = fabs((double)b), inverse = 1 / y;
#define HL_STEP x = fma(-trunc(x * inverse), y, x)
  HL_STEP; HL_STEP; HL_STEP; HL_STEP; HL_STEP; HL_STEP;
#undef HL_STEP
  x = x < 0 ? x + y : x;
  x = x >= y ? x - y : x;
  float r = copysignf(fabsf(b) == HUGE_VALF && fabsf(a) < HUGE_VALF ? fabsf(a) : (float)x, a);
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

HL_INLINE float hl_divide32(float a, float b) { return a / b; }
HL_INLINE double hl_divide64(double a, double b) { return a / b; }
/* Integer division by 0 gives 0: C leaves it undefined, and x86 traps. */
HL_INLINE int64_t hl_divi(int64_t a, int64_t b) { return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b; }

/* The quotient rounded down, like Lua's //. */
HL_INLINE float hl_floor_divide32(float a, float b) { return floorf(a / b); }
HL_INLINE double hl_floor_divide64(double a, double b) { return floor(a / b); }
HL_INLINE int64_t hl_floor_dividei(int64_t a, int64_t b) { return hl_divi(a, b) - (hl_modi(a, b) != 0 && (a < 0) != (b < 0)); }

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

/* Bitwise operators; on floats, which serve as masks, logical ones. */
#define HL_BITWISE(name, truth, bits)                                                      \
  HL_INLINE float hl_##name##32(float a, float b) { return truth; }                        \
  HL_INLINE double hl_##name##64(double a, double b) { return truth; }                     \
  HL_INLINE int64_t hl_##name##i(int64_t a, int64_t b) { return bits; }
HL_BITWISE(and, a != 0 && b != 0, a & b)
HL_BITWISE(or, a != 0 || b != 0, a | b)
HL_BITWISE(xor, (a != 0) != (b != 0), a ^ b)
#undef HL_BITWISE

HL_INLINE bool hl_notb(bool a) { return !a; }
HL_INLINE float hl_not32(float a) { return a == 0; }
HL_INLINE double hl_not64(double a) { return a == 0; }
HL_INLINE int64_t hl_noti(int64_t a) { return ~a; }

/* Shifts by counts out of range shift all bits out, as in NumPy. Narrower integers keep the result's low bits. */
HL_INLINE int64_t hl_shift_left(int64_t a, int64_t b) { return (uint64_t)b < 64 ? (int64_t)((uint64_t)a << b) : 0; }
HL_INLINE int64_t hl_shift_right(int64_t a, int64_t b) { return a >> ((uint64_t)b < 63 ? b : 63); }

/* Sums and products of signed integers wrap around, which C's operators do with -fwrapv alone. */
#define HL_WRAPPING(T, U, type)                                                            \
  HL_INLINE T hl_add_##type(T a, T b) { return (T)((U)a + (U)b); }                         \
  HL_INLINE T hl_sub_##type(T a, T b) { return (T)((U)a - (U)b); }                         \
  HL_INLINE T hl_mul_##type(T a, T b) { return (T)((U)a * (U)b); }                         \
  HL_INLINE T hl_square_##type(T x) { return hl_mul_##type(x, x); }
HL_WRAPPING(int32_t, uint32_t, int32)
HL_WRAPPING(int64_t, uint64_t, int64)
#undef HL_WRAPPING
HL_INLINE float hl_square32(float x) { return x * x; }
HL_INLINE double hl_square64(double x) { return x * x; }

/* In maximum and minimum NaN wins, as in NumPy. hl_bounded is x in [-most, most], where most >= 0 and a NaN stays: one
** bound after the other is one instruction each. */
#define HL_CHOICES(T, suffix)                                                              \
  HL_INLINE T hl_sign##suffix(T x) { return x > 0 ? 1 : x < 0 ? -1 : x; }                  \
  HL_INLINE T hl_maximum##suffix(T a, T b) { return a > b || a != a ? a : b; }             \
  HL_INLINE T hl_minimum##suffix(T a, T b) { return a < b || a != a ? a : b; }             \
  HL_INLINE T hl_bounded##suffix(T x, T most) {                                            \
    const T capped = x > most ? most : x;                                                  \
    return capped < -most ? -most : capped;                                                \
  }
HL_CHOICES(float, 32)
HL_CHOICES(double, 64)
#undef HL_CHOICES
#define HL_CHOICES(T, suffix)                                                              \
  HL_INLINE T hl_sign##suffix(T x) { return x > 0 ? 1 : x < 0 ? -1 : x; }                  \
  HL_INLINE T hl_maximum##suffix(T a, T b) { return a > b ? a : b; }                       \
  HL_INLINE T hl_minimum##suffix(T a, T b) { return a < b ? a : b; }
HL_CHOICES(int32_t, _int32)
HL_CHOICES(int64_t, _int64)
#undef HL_CHOICES

/* clang-format on */

#endif
