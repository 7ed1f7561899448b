/* double_functions.h - exp, log, log1p, pow, sin and cos in double, without libm.
**
** For results that must have the same bits with any libm, compiler and processor: samplers, tables of angles, losses
** summed in double, and the gamma functions (gamma_functions.h). Uses only + - * / and fused multiply-adds, like
** scalar_functions.h; all functions except hl_sin64 and hl_cos64 are branch-free. The polynomials are minimax fits made
** for this file. Float64 rows call libm, whose errors are smaller. tools/ulp.c holds the functions to 1 or 1.5 ulp of a
** double. NaN gives NaN.
*/
#ifndef HL_BASE_MATH_DOUBLE_FUNCTIONS_H
#define HL_BASE_MATH_DOUBLE_FUNCTIONS_H

#include "base/math/scalar_bits.h"

/* clang-format off */

/* ln 2 in two parts; products of the first with an integer below 2^11 are exact. */
#define HL_LN2_HIGH 0x1.62e42fefa3800p-1
#define HL_LN2_LOW 0x1.ef35793c76730p-45

/* pi, pi/2, and the rounding error of the latter. */
#define HL_PI 3.1415926535897932
#define HL_HALF_PI 1.5707963267948966
#define HL_HALF_PI_LOW 0x1.1a62633145c07p-54

/* ---- Exponentials and logarithms ----------------------------------------------------------- */

/* e^(x + low) for `low` below x's last place. x = n ln 2 + r; a polynomial gives e^r. 2^n is applied in two halves,
** because n ranges from -1076 to 1024. N is n + 2048, never negative. */
HL_INLINE double hl_exp_sum64(double x, double low) {
  const double magic = 0x1.8p52;
  double z = x > 710 ? 710 : x;
  z = z < -746 ? -746 : z;
  double t = fma(z, 1.4426950408889634, magic), n = t - magic;
  double r = fma(-n, HL_LN2_LOW, fma(-n, HL_LN2_HIGH, z)) + low;
  double q = HL_POLY11(HL_F64, r, 2.0926982363484383e-9, 2.5112348605140772e-8, 2.7557233223109903e-7,
                       2.7557233929087212e-6, 2.480158737391979e-5, 0.0001984126989736227, 0.0013888888888858335,
                       0.0083333333333166182, 0.041666666666666725, 0.16666666666666684, 0.5);
  double y = 1 + fma(q, r * r, r);
  uint64_t N = hl_bits64(t) - hl_bits64(magic) + 2048, half = N >> 1;
  return y * hl_from_bits64((half - 1) << 52) * hl_from_bits64((N - half - 1) << 52);
}

/* e^x. */
HL_INLINE double hl_exp64(double x) { return hl_exp_sum64(x, 0); }

/* x = 2^*k m with m in [sqrt(1/2), sqrt(2)), for positive normal x. */
HL_INLINE double hl_split64(double x, double *k) {
  uint64_t i = hl_bits64(x) - 0x3fe6a09e667f3bcd + 0x4000000000000000;
  *k = hl_from_bits64(0x4330000000000000 | i >> 52) - (0x1p52 + 1024);
  return hl_from_bits64(hl_bits64(x) - (i & 0xfff0000000000000) + 0x4000000000000000);
}

/* log x for positive normal x: k ln 2 + log(1 + f), and with s = f / (2 + f)
** log(1 + f) = 2 artanh s = f - f^2/2 + s (f^2/2 + R(s^2)), the form of fdlibm's log. */
HL_INLINE double hl_log_normal64(double x) {
  double k, f = hl_split64(x, &k) - 1, s = f / (2 + f), u = s * s, h = 0.5 * f * f;
  double r = u * HL_POLY8(HL_F64, u, 0.13251482038462648, 0.13250101345278109, 0.15387091500672024, 0.18181775648550359,
                          0.2222222264700811, 0.28571428569084486, 0.40000000000006251, 0.66666666666666661);
  double tail = fma(s, h + r, -h);
  return fma(k, HL_LN2_HIGH, f + fma(k, HL_LN2_LOW, tail));
}

/* log x. */
HL_INLINE double hl_log64(double x) {
  bool subnormal = x < 0x1p-1022;
  double y = hl_log_normal64(subnormal ? x * 0x1p54 : x) - (subnormal ? 54 * 0.69314718055994531 : 0);
  y = x < HUGE_VAL ? y : x;
  return x > 0 ? y : x == 0 ? -HUGE_VAL : (double)NAN;
}

/* log(1 + x), corrected for the rounding of 1 + x. */
HL_INLINE double hl_log1p64(double x) {
  double t = 1 + x, lost = x > 1 ? 1 - (t - x) : x - (t - 1);
  double y = hl_log64(t);
  y = t > 0 && t < HUGE_VAL ? y + lost / t : y;
  return x == 0 ? x : y;
}

/* log x for positive finite x: the sum of *low and the result, to about 2^-64. As above, with s and s^2 in two parts: 2
** artanh s = 2 s + s (2/3 s^2 + s^4 P(s^2)). */
HL_INLINE double hl_log_sum64(double x, double *low) {
  bool subnormal = x < 0x1p-1022;
  double k, m = hl_split64(subnormal ? x * 0x1p54 : x, &k), f = m - 1;
  k -= subnormal ? 54 : 0;
  double d = m + 1, back = d - m, d_low = (m - (d - back)) + (1 - back);
  double s = f / d, s_low = fma(-s, d_low, fma(-s, d, f)) / d;
  double u = s * s, u_low = fma(2 * s, s_low, fma(s, s, -u));
  double p = HL_POLY8(HL_F64, u, 0.11989172752001993, 0.11674799406280232, 0.13336318356533845, 0.15384556846736577,
                      0.18181818870668323, 0.22222222217533603, 0.28571428571445123, 0.39999999999999977);
  const double third = 0x1.5555555555555p-1, third_low = 0x1.5555555555555p-55;     /* of 2/3 */
  double g = u * third, g_low = fma(u, third, -g) + (u * third_low + u_low * third) + u * u * p;
  double v = s * g, v_low = fma(s, g, -v) + (s * g_low + s_low * g);
  double near = 2 * s + v, near_low = ((2 * s - near) + v) + (2 * s_low + v_low);
  double whole = k * HL_LN2_HIGH, y = whole + near;
  *low = ((whole - y) + near) + fma(k, HL_LN2_LOW, near_low);
  return y;
}

/* x^y = e^(y log |x|), with C99's special cases. */
HL_INLINE double hl_pow64(double x, double y) {
  double a = fabs(x), low, l = hl_log_sum64(a, &low), z = y * l, z_low = fma(y, l, -z) + y * low;
  z_low = fabs(z) < 800 ? z_low : 0;
  double e = hl_exp_sum64(z, z_low);
  double log_sign = a < 1 ? -1 : 1;                        /* used if |x| is 0 or infinite, or y is infinite */
  double limit = log_sign * y > 0 ? HUGE_VAL : 0;
  e = a == 0 || a == HUGE_VAL || fabs(y) == HUGE_VAL ? limit : e;
  e = x != x || y != y ? (double)NAN : e;
  e = a == 1 && y == y ? 1 : e;
  double half = 0.5 * y;
  bool whole = floor(y) == y, even = floor(half) == half;
  double negative = whole || a == HUGE_VAL || a == 0 ? e : fabs(y) == HUGE_VAL ? e : (double)NAN;
  double signed_e = whole && !even ? copysign(e, x) : signbit(x) && x == x && a != 0 ? negative : e;
  return y == 0 || x == 1 ? 1 : signed_e;
}

/* ---- Sines and cosines ---------------------------------------------------------------------- */

/* The sine and cosine of x + low, |x| <= pi/4. */
HL_INLINE double hl_sine_sum64(double x, double low) {
  double u = x * x;
  double p = HL_POLY7(HL_F64, u, -7.5787482473147174e-13, 1.6058367625699871e-10, -2.5052104919275487e-8,
                      2.7557319214219348e-6, -0.00019841269841255122, 0.0083333333333333228, -0.16666666666666667);
  return x + fma(x * u, p, low * fma(-0.5, u, 1));
}
HL_INLINE double hl_cosine_sum64(double x, double low) {
  double u = x * x, h = 0.5 * u, y = 1 - h;
  double p = HL_POLY6(HL_F64, u, -1.135964765395949e-11, 2.0875723270701925e-9, -2.7557314352317787e-7,
                      2.4801587289482149e-5, -0.0013888888888874124, 0.041666666666666599);
  return y + (((1 - y) - h) + fma(u * u, p, -x * low));
}

/* The sine and cosine of x quarter turns, that is x pi/2, for any finite x. */
HL_INLINE void hl_quarters64(double x, double *sine, double *cosine) {
  double n = rint(x), f = n == 0 ? x : x - n, q = n - 4 * floor(0.25 * n);
  double r = f * HL_HALF_PI, low = fma(f, HL_HALF_PI, -r) + f * HL_HALF_PI_LOW;
  double s = f == 0 ? f : hl_sine_sum64(r, low), c = hl_cosine_sum64(r, low);
  bool odd = q == 1 || q == 3;
  double y = odd ? c : s, z = odd ? s : c;
  *sine = q >= 2 ? -y : y;
  *cosine = q == 1 || q == 2 ? -z : z;
}

/* The sine and cosine of x turns. */
HL_INLINE double hl_sin_turns64(double x) { double s, c; hl_quarters64(4 * x, &s, &c); return s; }
HL_INLINE double hl_cos_turns64(double x) { double s, c; hl_quarters64(4 * x, &s, &c); return c; }

__extension__ typedef unsigned __int128 HlWide;
__extension__ typedef __int128 HlSignedWide;

/* Reduces x >= pi/4: returns the last two bits of the nearest number of quarter turns, and the rest in [-pi/4, pi/4] as
** *r + *low. The mantissa, an integer, is multiplied by 192 bits of 2/pi, beginning with the bit that gives 2 quarters:
** earlier bits only give multiples of 4 (M. Payne and R. Hanek, 1983). */
HL_FUNCTION unsigned hl_turn64(double x, double *r, double *low) {
  static const uint64_t digits[] = {                        /* of 2/pi, after 64 zeros */
    0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab
  };
  uint64_t bits = hl_bits64(x), m = (bits & 0xfffffffffffff) | 1ull << 52, part[3];
  int from = (int)(bits >> 52) - 1075 - 2 + 64, word = from / 64, shift = from % 64;
  for (int i = 0; i < 3; i++)
    part[i] = (uint64_t)(((HlWide)digits[word + i] << 64 | digits[word + i + 1]) << shift >> 64);
  HlWide a = (HlWide)m * part[2], b = (HlWide)m * part[1] + (a >> 64);
  uint64_t top = m * part[0] + (uint64_t)(b >> 64);
  HlSignedWide f = (HlSignedWide)(((HlWide)top << 64 | (uint64_t)b) << 2 | (uint64_t)a >> 62);
  HlWide size = f < 0 ? 0 - (HlWide)f : (HlWide)f;
  double part_high = (double)size, part_low = (double)(HlSignedWide)(size - (HlWide)part_high);
  double way = f < 0 ? -0x1p-128 : 0x1p-128, h = way * part_high;
  *r = h * HL_HALF_PI;
  *low = fma(h, HL_HALF_PI, -*r) + (h * HL_HALF_PI_LOW + way * part_low * HL_HALF_PI);
  return (unsigned)((top + (1ull << 61)) >> 62);
}

/* sign times the sine of a + `turned` quarter turns, for a >= 0 in radians; a NaN has no sign. */
HL_FUNCTION double hl_sine_turned64(double a, unsigned turned, double sign) {
  double r = a, low = 0;
  if (!(a < HUGE_VAL)) return NAN;
  unsigned quarter = turned + (a < 0.785 ? 0 : hl_turn64(a, &r, &low));
  double y = quarter & 1 ? hl_cosine_sum64(r, low) : hl_sine_sum64(r, low);
  return quarter & 2 ? -sign * y : sign * y;
}

/* sin x and cos x for any x in radians. */
HL_FUNCTION double hl_sin64(double x) { return hl_sine_turned64(fabs(x), 0, copysign(1, x)); }
HL_FUNCTION double hl_cos64(double x) { return hl_sine_turned64(fabs(x), 1, 1); }

/* clang-format on */

#endif
