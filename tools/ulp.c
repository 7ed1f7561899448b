/* ulp.c - checks the accuracy of the float32 functions of base/math/scalar_functions.h.
**
**     ulp [-every N] [-time] [name ...]
**
** Functions of one number run over all 2^32 float32 inputs (or every N-th) in the kernels' loops, so that the
** vectorised code is tested. Functions of two numbers run over a fixed pseudo-random sample and all pairs of special
** values. The true results are libm's in double, whose errors are 2^-29 of a float32's last place. Errors are in ulp of
** the true result; an infinite result counts as 2^128. NaN, exact infinities, and zeros with their signs must agree;
** "wrong" counts those that do not. The exit code is 1 if a bound is exceeded or a result is wrong. "bits" is a
** checksum of all results, which must be equal for builds by other compilers or for other machines.
**
** Functions of double_functions.h, and gamma functions of float64, are compared with long double over a fixed sample of
** inputs from the given ranges; their errors are in ulp of a double. If long double is double, the true results are
** only as accurate as libm's.
**
** -time prints ns per element instead, with libm's float function in a plain loop for comparison: one thread, half a
** MB, which stays in the second-level cache.
*/
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/math/scalar_functions.h"

enum { BLOCK = 4096, TIMED = 1 << 16 };

typedef void Loop(int64_t n, const float *a, const float *b, float *out);
typedef void Truth(int64_t n, const float *a, const float *b, double *out);

typedef struct Function {
  const char *name;
  int inputs;
  Loop *ours, *libm;
  Truth *truth;
  double bound;                /* in ulp */
  double low, high;            /* where it is timed */
} Function;

typedef struct Result {
  double worst;
  float at[2];
  int64_t wrong;
  float wrong_at[2];
  uint64_t bits;
} Result;

/* ---- The functions ---------------------------------------------------------------------- */

/* One Newton step in long double from the float32 result, on 1 - erf where that is small. */
static double erfinv_refined(double x) {
  if (!(x > -1 && x < 1) || x == 0) return erfinv(x);
  long double z = fabs(x), y = fabsf(hl_erfinv32((float)x));
  long double error = z < 0.5L ? erfl(y) - z : (1 - z) - erfcl(y);
  y -= error * 0.886226925452758013649083741670572591L * expl(y * y);
  return (double)copysignl(y, x);
}

/* psi and psi' in long double: the recurrence up to 30, then the asymptotic series. */
static long double digamma_l(long double x) {
  long double sum = 0, pi = 3.141592653589793238462643383279502884L;
  if (x <= 0 && x == floorl(x)) return NAN;
  if (x < 0) {
    long double part = x - rintl(x);
    return digamma_l(1 - x) - pi / tanl(pi * part);
  }
  if (x == HUGE_VALL) return x;
  for (; x < 30; x += 1) sum -= 1 / x;
  long double s = 1 / (x * x);
  return sum + logl(x) - 0.5L / x -
         s * (1 / 12.L -
              s * (1 / 120.L - s * (1 / 252.L - s * (1 / 240.L - s * (1 / 132.L - s * (691 / 32760.L - s / 12))))));
}
static long double trigamma_l(long double x) {
  long double sum = 0, pi = 3.141592653589793238462643383279502884L;
  if (x <= 0 && x == floorl(x)) return HUGE_VALL;
  if (x < 0) {
    long double w = pi / sinl(pi * (x - rintl(x)));
    return w * w - trigamma_l(1 - x);
  }
  if (x == HUGE_VALL) return 0;
  for (; x < 30; x += 1) sum += 1 / (x * x);
  long double r = 1 / x, s = r * r;
  return sum + r + s / 2 +
         r * s *
           (1 / 6.L -
            s * (1 / 30.L - s * (1 / 42.L - s * (1 / 30.L - s * (5 / 66.L - s * (691 / 2730.L - s * 7 / 6))))));
}

/* name, our function, libm's float function, double function, bound, range for timing */
#define EACH_UNARY(F)                                                                   \
  F(exp,      exp(x),      expf(x),                 exp(x),       1, -80, 80)           \
  F(expm1,    expm1(x),    expm1f(x),               expm1(x),     1.5, -10, 10)         \
  F(exp_nonpositive, exp_nonpositive(-fabsf(x)), expf(-fabsf(x)), exp(-fabs(x)), 1, -10, 10) \
  F(sigmoid,  sigmoid(x),  1 / (1 + expf(-x)),      sigmoid(x),   2.5, -10, 10)         \
  F(softrelu, softrelu(x), log1pf(expf(x)),         softrelu(x),  2, -10, 10)           \
  F(tanh,     tanh(x),     tanhf(x),                tanh(x),      2.5, -5, 5)           \
  F(erf,      erf(x),      erff(x),                 erf(x),       1.5, -3, 3)           \
  F(log,      log(x),      logf(x),                 log(x),       1, 0.001, 100)        \
  F(log2,     log2(x),     log2f(x),                log2(x),      0.51, 0.001, 100)     \
  F(log10,    log10(x),    log10f(x),               log10(x),     0.51, 0.001, 100)     \
  F(log1p,    log1p(x),    log1pf(x),               log1p(x),     0.51, -0.9, 10)       \
  F(sin,      sin(x),      sinf(x),                 sin(x),       0.51, -10, 10)        \
  F(cos,      cos(x),      cosf(x),                 cos(x),       0.51, -10, 10)        \
  F(tan,      tan(x),      tanf(x),                 tan(x),       0.51, -10, 10)        \
  F(arcsin,   arcsin(x),   asinf(x),                asin(x),      0.51, -1, 1)          \
  F(arccos,   arccos(x),   acosf(x),                acos(x),      0.51, -1, 1)          \
  F(arctan,   arctan(x),   atanf(x),                atan(x),      0.51, -5, 5)          \
  F(sinh,     sinh(x),     sinhf(x),                sinh(x),      0.51, -10, 10)        \
  F(cosh,     cosh(x),     coshf(x),                cosh(x),      0.51, -10, 10)        \
  F(arcsinh,  arcsinh(x),  asinhf(x),               asinh(x),     0.51, -10, 10)        \
  F(arccosh,  arccosh(x),  acoshf(x),               acosh(x),     0.51, 1, 10)          \
  F(arctanh,  arctanh(x),  atanhf(x),               atanh(x),     0.51, -1, 1)          \
  F(cbrt,     cbrt(x),     cbrtf(x),                cbrt(x),      0.51, -10, 10)        \
  F(rcbrt,    rcbrt(x),    1 / cbrtf(x),            1 / cbrt(x),  1.5, 0.1, 10)         \
  F(sqrt,     sqrt(x),     sqrtf(x),                sqrt(x),      0.51, 0.1, 10)        \
  F(rsqrt,    rsqrt(x),    1 / sqrtf(x),            1 / sqrt(x),  1.5, 0.1, 10)         \
  F(erfinv,   erfinv(x),   (float)hl_erfinv64(x),   erfinv_refined(x), 0.51, -1, 1)     \
  F(gamma,    gamma(x),    tgammaf(x),              tgamma(x),    0.51, -5, 5)          \
  F(gammaln,  gammaln(x),  lgammaf(x),              (double)lgammal(x), 0.51, -5, 5)    \
  F(digamma,  digamma(x),  (float)digamma_l(x),     (double)digamma_l(x), 0.51, -5, 5)  \
  F(trigamma, trigamma(x), (float)trigamma_l(x),    (double)trigamma_l(x), 0.51, -5, 5) \
  F(rint,     rint(x),     rintf(x),                hl_rint64(x), 0, -10, 10)           \
  F(round,    round(x),    roundf(x),               hl_round64(x), 0, -10, 10)

#define EACH_BINARY(F)                                                                  \
  F(power,    power(x, y), powf(x, y),              pow(x, y),    0.51, 0.1, 10)        \
  F(hypot,    hypot(x, y), hypotf(x, y),            hypot(x, y),  0.51, -10, 10)        \
  F(mod,      mod(x, y),   hl_mod_libm(x, y),       hl_mod64(x, y), 0.5, -10, 10)

static inline float hl_mod_libm(float a, float b) { return (float)hl_mod64(a, b); }

#define STAMP(name, one, two, three, ...)                                               \
  static void name##_ours(int64_t n, const float *a, const float *b, float *out) {      \
    (void)b;                                                                            \
    IVDEP                                                                               \
    for (int64_t i = 0; i < n; i++) { const float x = a[i], y = b[i]; (void)y; out[i] = (one); } \
  }                                                                                     \
  static void name##_libm(int64_t n, const float *a, const float *b, float *out) {      \
    for (int64_t i = 0; i < n; i++) { const float x = a[i], y = b[i]; (void)y; out[i] = (two); } \
  }                                                                                     \
  static void name##_truth(int64_t n, const float *a, const float *b, double *out) {    \
    for (int64_t i = 0; i < n; i++) { const double x = a[i], y = b[i]; (void)y; out[i] = (three); } \
  }
EACH_UNARY(STAMP)
EACH_BINARY(STAMP)

#define ROW(name, one, two, three, bound, low, high) { #name, 1, name##_ours, name##_libm, name##_truth, bound, low, high },
#define ROW2(name, one, two, three, bound, low, high) { #name, 2, name##_ours, name##_libm, name##_truth, bound, low, high },
static const Function functions[] = { EACH_UNARY(ROW) EACH_BINARY(ROW2) };
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- Comparing ------------------------------------------------------------------------------ */

/* The error of y in ulp of the true result; -1 if one is NaN, infinite or a signed zero and the other is not. */
static double error_of(float y, double truth) {
  if (isnan(truth) || isnan(y)) return isnan(truth) && isnan(y) ? 0 : -1;
  if (!signbit(truth) != !signbit(y)) return -1;
  if (isinf(truth) || truth == 0) return y == truth ? 0 : -1;
  int exponent;
  frexp(truth, &exponent);
  if (exponent > 128) return isinf(y) ? 0 : -1;
  double got = isinf(y) ? copysign(0x1p128, y) : y;
  return fabs(got - truth) / ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
}

/* SplitMix64 of Steele, Lea and Flood: the i-th number of the stream. Seed 2026. */
static uint64_t noise(uint64_t i) {
  uint64_t z = (i + 2026) * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static void judge(Result *r, int64_t n, const float *a, const float *b, const float *y, const double *truth) {
  for (int64_t i = 0; i < n; i++) {
    if ((double)y[i] == truth[i] && truth[i] != 0) continue;
    double e = error_of(y[i], truth[i]);
    if (e < 0 && r->wrong++ == 0) {
      r->wrong_at[0] = a[i];
      r->wrong_at[1] = b[i];
    }
    if (e > r->worst) {
      r->worst = e;
      r->at[0] = a[i];
      r->at[1] = b[i];
    }
  }
}

/* Compares n inputs, the first of which is number `at`. */
static void run_block(const Function *f, Result *r, int64_t at, int64_t n, const float *a, const float *b) {
  float y[BLOCK];
  double truth[BLOCK];
  f->ours(n, a, b, y);
  f->truth(n, a, b, truth);
  judge(r, n, a, b, y, truth);
  for (int64_t i = 0; i < n; i++)
    r->bits += noise((uint64_t)(at + i) << 32 | (isnan(y[i]) ? 0x7fc00000 : hl_bits(y[i])));
}

static void merge(Result *all, const Result *one) {
#pragma omp critical
  {
    if (one->worst > all->worst || (one->worst == all->worst && one->at[0] > all->at[0]))
      all->worst = one->worst, all->at[0] = one->at[0], all->at[1] = one->at[1];
    if (one->wrong && !all->wrong) all->wrong_at[0] = one->wrong_at[0], all->wrong_at[1] = one->wrong_at[1];
    all->wrong += one->wrong;
    all->bits += one->bits;
  }
}

static Result check_unary(const Function *f, int64_t every) {
  Result all = { 0 };
  const int64_t count = ((1ll << 32) + every - 1) / every;
#pragma omp parallel
  {
    Result r = { 0 };
    float a[BLOCK];
#pragma omp for schedule(dynamic, 64)
    for (int64_t at = 0; at < count; at += BLOCK) {
      int64_t n = count - at < BLOCK ? count - at : BLOCK;
      for (int64_t i = 0; i < n; i++) a[i] = hl_from_bits((uint32_t)((at + i) * every));
      run_block(f, &r, at, n, a, a);
    }
    merge(&all, &r);
  }
  return all;
}

/* clang-format off */
static const float special[] = {
  0, 1, 2, 3, 0.5f, 1.5f, 1 / 3.f, 10, 0x1p-149f, 0x1p-126f, 0x1.fffffep-127f, 0x1.fffffep127f, 0x1p127f, 0x1.fffffep-1f,
  0x1.000002p0f, 0x1p23f, 0x1.000002p23f, 0x1p24f, 0x1.000002p24f, 0x1p31f, 127, 128, 149, 150, HUGE_VALF
};
/* clang-format on */
enum { N_SPECIAL = sizeof special / sizeof *special, N_SIGNED = 2 * N_SPECIAL + 1 };
static float special_at(int i) {
  return i == 2 * N_SPECIAL ? NAN : i < N_SPECIAL ? special[i] : -special[i - N_SPECIAL];
}

/* Pairs of any bits, of a base near 1 and any power, of moderate numbers, of small integers. */
static void pair(uint64_t i, float *a, float *b) {
  uint64_t z = noise(i);
  uint32_t high = (uint32_t)(z >> 32), low = (uint32_t)z;
  float u = (float)(int32_t)high * 0x1p-31f, v = (float)(int32_t)low * 0x1p-31f;
  switch (i & 3) {
    case 0:
      *a = hl_from_bits(high);
      *b = hl_from_bits(low);
      break;
    case 1:
      *a = hl_from_bits(0x3f800000 + (high >> 9) - (1 << 22));
      *b = v * 1000;
      break;
    case 2:
      *a = u * 100;
      *b = v * 20;
      break;
    default:
      *a = (float)((int32_t)high >> 22);
      *b = (float)((int32_t)low >> 26);
      break;
  }
}

static Result check_binary(const Function *f, int64_t every) {
  Result all = { 0 };
  const int64_t count = (1ll << 30) / every;
#pragma omp parallel
  {
    Result r = { 0 };
    float a[BLOCK], b[BLOCK];
#pragma omp for schedule(dynamic, 64)
    for (int64_t at = 0; at < count; at += BLOCK) {
      int64_t n = count - at < BLOCK ? count - at : BLOCK;
      for (int64_t i = 0; i < n; i++) pair((uint64_t)(at + i), &a[i], &b[i]);
      run_block(f, &r, at, n, a, b);
    }
#pragma omp single
    for (int i = 0; i < N_SIGNED; i++) {
      for (int k = 0; k < N_SIGNED; k++) {
        a[k] = special_at(i);
        b[k] = special_at(k);
      }
      run_block(f, &r, count + i * N_SIGNED, N_SIGNED, a, b);
    }
    merge(&all, &r);
  }
  return all;
}

static bool check(const Function *f, int64_t every) {
  Result r = f->inputs == 1 ? check_unary(f, every) : check_binary(f, every);
  bool good = r.worst <= f->bound && r.wrong == 0;
  printf("%-10s %8.4f %8.2f   %-16.9g", f->name, r.worst, f->bound, r.at[0]);
  if (f->inputs == 2) printf(" %-16.9g", r.at[1]);
  else printf(" %-16s", "");
  printf(" %10lld  %08x", (long long)r.wrong, (unsigned)(r.bits >> 32));
  if (r.wrong) printf("  first at %.9g %.9g", r.wrong_at[0], f->inputs == 2 ? r.wrong_at[1] : 0);
  printf("%s\n", good ? "" : "  FAILED");
  fflush(stdout);
  return good;
}

/* ---- Timing ------------------------------------------------------------------------------------ */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ns per element, the best of several passes. */
static double time_of(Loop *loop, const float *a, const float *b, float *out) {
  double best = HUGE_VAL;
  for (int i = 0; i < 30; i++) {
    double start = now();
    loop(TIMED, a, b, out);
    double used = now() - start;
    if (used < best) best = used;
  }
  return best / TIMED;
}

static void time_one(const Function *f) {
  static float a[TIMED], b[TIMED], out[TIMED];
  for (int i = 0; i < TIMED; i++) {
    a[i] = (float)(f->low + (f->high - f->low) * (double)(noise((uint64_t)i) >> 11) * 0x1p-53);
    b[i] = (float)(f->low + (f->high - f->low) * (double)(noise((uint64_t)i + TIMED) >> 11) * 0x1p-53);
  }
  double ours = time_of(f->ours, a, b, out), libm = time_of(f->libm, a, b, out);
  printf("%-10s %8.2f %8.2f %8.1f\n", f->name, ours, libm, libm / ours);
}

/* ---- Functions in double ---------------------------------------------------------------------- */

/* name, ours, in long double, bound in ulp, ranges of x and of y: the sample is even in the range, or, where its
** low end is positive, in its logarithm */
#define EACH_DOUBLE(F)                                                                  \
  F(exp64,      hl_exp64(x),           expl(x),           1, -745, 709.5, 0, 0)         \
  F(exp64_near, hl_exp64(x),           expl(x),           1, -1, 1, 0, 0)               \
  F(log64,      hl_log64(x),           logl(x),           1, 1e-320, 1e308, 0, 0)       \
  F(log64_near, hl_log64(x),           logl(x),           1, 0.5, 2, 0, 0)              \
  F(log1p64,    hl_log1p64(x),         log1pl(x),         1.5, -0.999, 2, 0, 0)         \
  F(log1p_small, hl_log1p64(x),        log1pl(x),         1.5, 1e-20, 1e20, 0, 0)       \
  F(pow64,      hl_pow64(x, y),        powl(x, y),        1.5, 1e-300, 1e300, -1, 1)    \
  F(pow64_near, hl_pow64(x, y),        powl(x, y),        1.5, 0.5, 2, -1000, 1000)     \
  F(pow64_root, hl_pow64(x, y),        powl(x, y),        1.5, 1e-16, 1, 1e-3, 1e3)     \
  F(sin64,      hl_sin64(x),           sinl(x),           1, -100, 100, 0, 0)           \
  F(sin64_far,  hl_sin64(x),           sinl(x),           1, 1e-10, 1e15, 0, 0)         \
  F(cos64,      hl_cos64(x),           cosl(x),           1, -100, 100, 0, 0)           \
  F(cos64_far,  hl_cos64(x),           cosl(x),           1, 1e-10, 1e15, 0, 0)         \
  F(sin_turns64, hl_sin_turns64(x),    sin_turns_l(x),    1, 1e-9, 1, 0, 0)             \
  F(cos_turns64, hl_cos_turns64(x),    cos_turns_l(x),    1, 1e-9, 1, 0, 0)             \
  F(gammaln_10, hl_gammaln_from_3(x),  lgammal(x),        2.5, 10, 1e15, 0, 0)            \
  F(digamma64,  hl_digamma64(x),       digamma_l(x),      5, 1.7, 1e6, 0, 0)            \
  F(trigamma64, hl_trigamma64(x),      trigamma_l(x),     8, 1e-3, 1e6, 0, 0)

static long double sin_turns_l(double x) {
  return sinl((x - rintl(2 * (long double)x) / 2) * 6.283185307179586476925286766559005768L) *
         (fmodl(fabsl(rintl(2 * (long double)x)), 2) == 1 ? -1 : 1);
}
static long double cos_turns_l(double x) {
  long double part = x - rintl(4 * (long double)x) / 4;
  int quarter = (int)fmodl(rintl(4 * (long double)x), 4);
  part *= 6.283185307179586476925286766559005768L;
  return quarter == 0 ? cosl(part) : quarter == 1 ? -sinl(part) : quarter == 2 ? -cosl(part) : sinl(part);
}

typedef struct DoubleFunction {
  const char *name;
  double (*ours)(double x, double y);
  long double (*truth)(double x, double y);
  double bound, low, high, y_low, y_high;
} DoubleFunction;

#define DOUBLE_STAMP(name, one, two, ...)                                               \
  static double name##_one(double x, double y) { (void)y; return one; }                 \
  static long double name##_two(double x, double y) { (void)y; return two; }
EACH_DOUBLE(DOUBLE_STAMP)
#define DOUBLE_ROW(name, one, two, ...) { #name, name##_one, name##_two, __VA_ARGS__ },
static const DoubleFunction double_functions[] = { EACH_DOUBLE(DOUBLE_ROW) };
enum { N_DOUBLE = sizeof double_functions / sizeof *double_functions };

static double drawn(uint64_t i, double low, double high) {
  double u = (double)(noise(i) >> 11) * 0x1p-53;
  return low > 0 ? hl_exp64(hl_log64(low) + u * (hl_log64(high) - hl_log64(low))) : low + u * (high - low);
}

static bool check_double(const DoubleFunction *f, int64_t every) {
  double worst = 0, at[2] = { 0, 0 };
  uint64_t bits = 0;
  const int64_t count = (1ll << 25) / every;
#pragma omp parallel
  {
    double my_worst = 0, my_at[2] = { 0, 0 };
    uint64_t my_bits = 0;
#pragma omp for
    for (int64_t i = 0; i < count; i++) {
      double x = drawn((uint64_t)(2 * i), f->low, f->high), y = drawn((uint64_t)(2 * i + 1), f->y_low, f->y_high);
      double got = f->ours(x, y);
      long double truth = f->truth(x, y);
      int exponent;
      frexpl(truth, &exponent);
      double e = (double)(fabsl(got - truth) / ldexpl(1, (exponent < -1021 ? -1021 : exponent) - 53));
      if (fabsl(truth) > 0x1.fffffffffffffp1023L) e = isinf(got) ? 0 : HUGE_VAL;
      if (!(e <= my_worst)) my_worst = e, my_at[0] = x, my_at[1] = y;
      my_bits += noise((uint64_t)i ^ hl_bits64(got));
    }
#pragma omp critical
    {
      if (!(my_worst <= worst)) worst = my_worst, at[0] = my_at[0], at[1] = my_at[1];
      bits += my_bits;
    }
  }
  bool good = worst <= f->bound;
  printf("%-11s %8.4f %8.2f   %-24.17g %-24.17g   %08x%s\n", f->name, worst, f->bound, at[0], at[1],
         (unsigned)(bits >> 32), good ? "" : "  FAILED");
  fflush(stdout);
  return good;
}

static bool chosen(const char *name, int n, char **names) {
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0) return true;
  return n == 0;
}

int main(int n, char **words) {
  int64_t every = 1;
  bool timing = false, good = true;
  int at = 1;
  for (; at < n && words[at][0] == '-'; at++) {
    if (strcmp(words[at], "-time") == 0) timing = true;
    else if (strcmp(words[at], "-every") == 0 && at + 1 < n && atoll(words[at + 1]) > 0) every = atoll(words[++at]);
    else {
      fprintf(stderr, "usage: %s [-every N] [-time] [name ...]\n", words[0]);
      return 2;
    }
  }
  if (timing) printf("%-10s %8s %8s %8s   (ns per element)\n", "function", "ours", "libm", "ratio");
  else printf("%-10s %8s %8s   %-16s %-16s %10s  %s\n", "function", "max ulp", "bound", "at", "", "wrong", "bits");
  for (int i = 0; i < N_FUNCTIONS; i++) {
    if (!chosen(functions[i].name, n - at, words + at)) continue;
    if (timing) time_one(&functions[i]);
    else good = check(&functions[i], every) && good;
  }
  for (int i = 0; i < N_DOUBLE && !timing; i++)
    if (chosen(double_functions[i].name, n - at, words + at)) good = check_double(&double_functions[i], every) && good;
  return good ? 0 : 1;
}
