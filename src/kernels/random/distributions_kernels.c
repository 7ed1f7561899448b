/* distributions_kernels.c - kernels of random numbers.
**
** Element i of a call depends only on its block of the random stream and i, so threads may share the elements in any
** way, and later draws do not depend on this call's dtype.
**
** Uniform, normal (Box-Muller: two uniform numbers make two normal ones) and exponential numbers are standard numbers,
** scaled and shifted. Standard numbers are computed a piece at a time from consecutive counters. The other
** distributions use rejection, so an element needs any number of uniform numbers: its counter's bits key its own
** stream. The functions are those of base/math, so that a number has the same bits on any machine.
*/
#include <math.h>

#include "base/math/random_stream.h"
#include "base/math/scalar_functions.h"
#include "base/size_math.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/random/distributions.h"
#include "state/engine.h"
#include "tensor/cast_copy.h"

/* ---- Distributions ------------------------------------------------------------------------------ */

enum { PIECE = 512 };          /* elements computed together; a multiple of the numbers per counter */

/* The uniform numbers for one element drawn by rejection. */
typedef struct Stream { RandomBlock block; uint64_t next; } Stream;

static Stream stream_of(RandomBlock b, uint64_t element) {
  uint32_t four[4];
  random_four(b, element, four);
  return (Stream){ .block = { .key = (uint64_t)four[0] << 32 | four[1], .first = (uint64_t)four[2] << 32 | four[3] } };
}

/* Two numbers in [0, 1). */
static void next_two(Stream *s, double two[2]) {
  uint32_t four[4];
  random_four(s->block, s->next++, four);
  two[0] = random_unit64(four[0], four[1]);
  two[1] = random_unit64(four[2], four[3]);
}

typedef enum Standard { REJECTING, STANDARD_UNIFORM, STANDARD_NORMAL, STANDARD_EXPONENTIAL } Standard;

/* shift + stretch * standard number. Results of `limit` or more, possible by rounding, become shift. */
typedef struct AffineDraw { double shift, stretch, limit; } AffineDraw;

/* The column `own`: how numbers of a distribution are drawn. */
typedef struct Draw {
  Distribution of;
  Standard standard;
  AffineDraw (*place)(const double *p);
  double (*draw)(Stream *s, const double *p);      /* if REJECTING, else NULL */
} Draw;

static AffineDraw place_uniform(const double *p) { return (AffineDraw){ p[0], p[1] - p[0], p[1] }; }
static AffineDraw place_normal(const double *p) { return (AffineDraw){ p[0], p[1], INFINITY }; }
static AffineDraw place_exponential(const double *p) { return (AffineDraw){ 0, 1 / p[0], INFINITY }; }

/* A gamma number of shape `alpha`, at least 1, and scale 1 (G. Marsaglia, W. Tsang, "A simple method for generating
** gamma variables", 2000). */
static double draw_gamma_from_1(Stream *s, double alpha) {
  double two[2];
  const double d = alpha - 1.0 / 3, c = 1 / sqrt(9 * d);
  while (!interrupted()) {
    next_two(s, two);
    double x = sqrt(-2 * hl_log64(1 - two[0])) * hl_cos_turns64(two[1]), v = 1 + c * x;
    if (v <= 0) continue;
    v = v * v * v;
    next_two(s, two);
    if (hl_log64(1 - two[0]) < 0.5 * x * x + d - d * v + d * hl_log64(v)) return d * v;
  }
  return 0;
}

/* For alpha < 1 it uses gamma(a) = gamma(a + 1) u^(1/a), section 6 of the same paper. */
static double draw_standard_gamma(Stream *s, double alpha) {
  double two[2];
  if (alpha >= 1) return draw_gamma_from_1(s, alpha);
  next_two(s, two);
  const double boost = hl_pow64(1 - two[0], 1 / alpha);
  return draw_gamma_from_1(s, alpha + 1) * boost;
}

static double draw_log_gamma(Stream *s, const double *p) {
  double two[2];
  if (p[0] >= 1) return hl_log64(draw_gamma_from_1(s, p[0]));
  next_two(s, two);
  const double boost = hl_log64(1 - two[0]) / p[0];
  return hl_log64(draw_gamma_from_1(s, p[0] + 1)) + boost;
}

/* A Poisson number for a small mean: the number of probabilities whose sum is below one uniform number. */
static double draw_few(Stream *s, double lam) {
  double two[2], probability = hl_exp64(-lam), k = 0;
  next_two(s, two);
  for (double rest = two[0]; rest >= probability && k < 1000;) {
    rest -= probability;
    probability *= lam / ++k;
  }
  return k;
}

/* A Poisson number for a large mean: algorithm PTRS of W. Hoermann, "The transformed rejection method for generating
** Poisson random variables", 1993. */
static double draw_many(Stream *s, double lam) {
  const double b = 0.931 + 2.53 * sqrt(lam), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
  double two[2];
  while (!interrupted()) {
    next_two(s, two);
    double u = two[0] - 0.5, v = 1 - two[1], u_s = 0.5 - fabs(u), k = floor((2 * a / u_s + b) * u + lam + 0.43);
    if (u_s >= 0.07 && v <= v_r) return k;
    if (k < 0 || (u_s < 0.013 && v > u_s)) continue;
    const double chance = hl_log64(v * inverse_alpha / (a / (u_s * u_s) + b));
    if (chance <= k * hl_log64(lam) - lam - hl_log_factorial64(k)) return k;
  }
  return 0;
}

static double draw_poisson_of(Stream *s, double lam) { return lam < 30 ? draw_few(s, lam) : draw_many(s, lam); }

/* A binomial number for a small mean: the number of probabilities whose sum is below one uniform number. */
static double draw_few_successes(Stream *s, double n, double p) {
  const double odds = p / (1 - p);
  double two[2], probability = hl_exp64(n * hl_log_1p(-p)), k = 0;
  next_two(s, two);
  for (double rest = two[0]; rest >= probability && k < n;) {
    rest -= probability;
    k += 1;
    probability *= ((n + 1) / k - 1) * odds;
  }
  return k;
}

/* For a large mean and p <= 1/2: algorithm BTRS of W. Hoermann, "The generation of binomial random variates", 1993. */
static double draw_many_successes(Stream *s, double n, double p) {
  const double spread = sqrt(n * p * (1 - p)), b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double center = n * p + 0.5, v_r = 0.92 - 4.2 / b, alpha = (2.83 + 5.1 / b) * spread;
  const double log_odds = hl_log64(p / (1 - p)), mode = floor((n + 1) * p);
  const double at_mode = hl_log_factorial64(mode) + hl_log_factorial64(n - mode);
  double two[2];
  while (!interrupted()) {
    next_two(s, two);
    const double u = two[0] - 0.5, v = 1 - two[1], u_s = 0.5 - fabs(u), k = floor((2 * a / u_s + b) * u + center);
    if (k < 0 || k > n) continue;
    if (u_s >= 0.07 && v <= v_r) return k;
    const double chance = at_mode - hl_log_factorial64(k) - hl_log_factorial64(n - k) + (k - mode) * log_odds;
    if (hl_log64(v * alpha / (a / (u_s * u_s) + b)) <= chance) return k;
  }
  return 0;
}

static double draw_binomial(Stream *s, const double *numbers) {
  const double n = numbers[0], p = numbers[1] <= 0.5 ? numbers[1] : 1 - numbers[1];
  const double k = p == 0 ? 0 : n * p < 10 ? draw_few_successes(s, n, p) : draw_many_successes(s, n, p);
  return numbers[1] <= 0.5 ? k : n - k;
}

static double draw_gamma(Stream *s, const double *p) { return draw_standard_gamma(s, p[0]) * p[1]; }
static double draw_poisson(Stream *s, const double *p) { return draw_poisson_of(s, p[0]); }

/* A Poisson number whose mean is gamma distributed. */
static double draw_negative_binomial(Stream *s, const double *p) {
  return p[0] == 0 ? 0 : draw_poisson_of(s, draw_standard_gamma(s, p[0]) * (1 - p[1]) / p[1]);
}
static double draw_generalized(Stream *s, const double *p) {
  return draw_poisson_of(s, p[1] == 0 ? p[0] : draw_standard_gamma(s, 1 / p[1]) * p[1] * p[0]);
}

static const Draw uniform = { UNIFORM, STANDARD_UNIFORM, place_uniform, NULL };
static const Draw normal = { NORMAL, STANDARD_NORMAL, place_normal, NULL };
static const Draw exponential = { EXPONENTIAL, STANDARD_EXPONENTIAL, place_exponential, NULL };
static const Draw gamma_ = { GAMMA, REJECTING, NULL, draw_gamma };
static const Draw poisson = { POISSON, REJECTING, NULL, draw_poisson };
static const Draw negative_binomial = { NEGATIVE_BINOMIAL, REJECTING, NULL, draw_negative_binomial };
static const Draw generalized = { GENERALIZED_BINOMIAL, REJECTING, NULL, draw_generalized };
static const Draw binomial = { BINOMIAL, REJECTING, NULL, draw_binomial };
static const Draw log_gamma = { LOG_GAMMA, REJECTING, NULL, draw_log_gamma };

/* ---- Standard numbers, a piece at a time ----------------------------------------------------------- */

/* The uniform numbers of counters starting with `counter`: four float32 or two float64 numbers per counter. */
static void uniform_f32(RandomBlock b, uint64_t counter, float *out) {
  uint32_t bits[PIECE];
  random_fours(b, counter, PIECE / 4, bits);
  for (int i = 0; i < PIECE; i++) out[i] = random_unit32(bits[i]);
}

static void uniform_f64(RandomBlock b, uint64_t counter, double *out) {
  uint32_t bits[2 * PIECE];
  random_fours(b, counter, PIECE / 2, bits);
  for (int i = 0; i < PIECE; i++) out[i] = random_unit64(bits[2 * i], bits[2 * i + 1]);
}

/* PIECE standard numbers starting with element `at`, a multiple of PIECE. */
#define STANDARD_PIECE(T, suffix, per_counter, LOG, SQRT, TURNS, COS, SIN)                \
  static void standard_##suffix(Standard kind, RandomBlock b, int64_t at, T *out) {       \
    uniform_##suffix(b, (uint64_t)at / per_counter, out);                                 \
    if (kind == STANDARD_EXPONENTIAL) {                                                   \
      for (int i = 0; i < PIECE; i++) out[i] = -LOG(1 - out[i]);                          \
    } else if (kind == STANDARD_NORMAL) {        /* loops that the compiler vectorizes */ \
      T length[PIECE / 2], angle[PIECE / 2];                                              \
      for (int i = 0; i < PIECE / 2; i++) length[i] = SQRT(-2 * LOG(1 - out[2 * i]));     \
      for (int i = 0; i < PIECE / 2; i++) angle[i] = TURNS(out[2 * i + 1]);               \
      for (int i = 0; i < PIECE / 2; i++) out[2 * i] = length[i] * COS(angle[i]);         \
      for (int i = 0; i < PIECE / 2; i++) out[2 * i + 1] = length[i] * SIN(angle[i]);     \
    }                                                                                     \
  }                                                                                       \
  static void move_##suffix(AffineDraw place, int64_t n, T *x) {                          \
    const T shift = (T)place.shift, stretch = (T)place.stretch, limit = (T)place.limit;   \
    for (int64_t i = 0; i < n; i++) {                                                     \
      const T y = shift + stretch * x[i];                                                 \
      x[i] = y < limit ? y : shift;                                                       \
    }                                                                                     \
  }
#define RADIANS(turns) ((float)(2 * HL_PI) * (turns))
#define AS_TURNS(turns) (turns)
STANDARD_PIECE(float, f32, 4, hl_log32, sqrtf, RADIANS, hl_cos32, hl_sin32)
STANDARD_PIECE(double, f64, 2, hl_log64, sqrt, AS_TURNS, hl_cos_turns64, hl_sin_turns64)

/* ---- Filling an array -------------------------------------------------------------------------------- */

typedef struct DrawJob {
  const Draw *d;
  int n_params;
  RandomBlock block;
  Tensor *out;
  const double *numbers;               /* the parameters, if `arrays` is NULL */
  const Tensor *const *arrays;
  int64_t each;                        /* number of output elements for each set of parameters */
} DrawJob;

static void parameters_of(const DrawJob *j, int64_t element, double *p) {
  for (int i = 0; i < j->n_params; i++) p[i] = j->arrays ? tensor_get(j->arrays[i], element / j->each) : j->numbers[i];
}

#define FILL_PIECE(T, suffix, code)                                                       \
  static void fill_piece_##suffix(const DrawJob *j, int64_t at, int64_t n) {              \
    T piece[PIECE];                                                                       \
    double p[2];                                                                          \
    DType to = j->out->type.dtype;                                                        \
    if (j->d->standard) standard_##suffix(j->d->standard, j->block, at, piece);           \
    for (int64_t i = 0; i < n; ) {                                                        \
      int64_t same = j->each - (at + i) % j->each;                                        \
      if (same > n - i) same = n - i;                                                     \
      parameters_of(j, at + i, p);                                                        \
      if (j->d->standard) move_##suffix(j->d->place(p), same, piece + i);                 \
      for (int64_t k = i; !j->d->standard && k < i + same; k++) {                         \
        Stream s = stream_of(j->block, (uint64_t)(at + k));                               \
        piece[k] = (T)j->d->draw(&s, p);                                                  \
      }                                                                                   \
      i += same;                                                                          \
    }                                                                                     \
    convert(code, piece, to, (char *)j->out->data + (size_t)at * dtype_size(to), n);      \
  }                                                                                       \
  static void fill_pieces_##suffix(void *context, int64_t first, int64_t last) {          \
    const DrawJob *j = context;                                                           \
    const int64_t size = tensor_size(j->out);                                             \
    for (int64_t i = first; i < last && !interrupted(); i++) {                            \
      const int64_t at = i * PIECE;                                                       \
      fill_piece_##suffix(j, at, size - at < PIECE ? size - at : PIECE);                  \
    }                                                                                     \
  }
FILL_PIECE(float, f32, DT_FLOAT32)
FILL_PIECE(double, f64, DT_FLOAT64)

static Status fill(const Call *c, DrawJob *j) {
  int64_t n = tensor_size(j->out);
  j->block = random_take(&engine_now()->random, (uint64_t)n);
  return run_parallel(parts(n, PIECE), 16, c->kernel->body, j);
}

static DrawJob job_of(const Call *c) {
  const Draw *d = c->kernel->own;
  return (DrawJob){ .d = d, .n_params = distribution_numbers(d->of), .out = c->out[0] };
}

/* For rows whose parameter struct begins with the distribution's numbers. */
static Status fill_from_numbers(Call *c) {
  DrawJob j = job_of(c);
  j.numbers = c->params;
  j.each = tensor_size(c->out[0]) + 1;
  return fill(c, &j);
}

static Status fill_from_arrays(Call *c) {
  int64_t n = tensor_size(c->in[0]), size = tensor_size(c->out[0]);
  DrawJob j = job_of(c);
  j.arrays = c->in;
  j.each = n > 0 && size > 0 ? size / n : 1;
  for (int64_t i = 0; i < n; i++) {
    double p[2];
    parameters_of(&j, i * j.each, p);
    Status s = distribution_check(j.d->of, p);
    if (s != OK) return fail_within(s, "%s", c->op->name);
  }
  return fill(c, &j);
}

/* ---- Integers ------------------------------------------------------------------------------------ */

typedef struct Integers { RandomBlock block; const RandintParams *p; Tensor *out; } Integers;

#define INTEGERS(T, suffix)                                                               \
  static void integers_##suffix(void *context, int64_t first, int64_t last) {             \
    const Integers *j = context;                                                          \
    const uint64_t low = (uint64_t)j->p->low, range = (uint64_t)j->p->high - low;         \
    T *out = j->out->data;                                                                \
    uint32_t fours[4 * PIECE];                                                            \
    for (int64_t at = first; at < last && !interrupted(); at += PIECE) {                  \
      const int64_t n = last - at < PIECE ? last - at : PIECE;                            \
      random_fours(j->block, (uint64_t)at, n, fours);                                     \
      for (int64_t i = 0; i < n; i++)                                                     \
        out[at + i] = (T)(int64_t)(low + random_below(fours + 4 * i, range));             \
    }                                                                                     \
  }
INTEGERS(int32_t, i32)
INTEGERS(int64_t, i64)

static Status randint(Call *c) {
  int64_t n = tensor_size(c->out[0]);
  Integers j = { random_take(&engine_now()->random, (uint64_t)n), c->params, c->out[0] };
  return run_parallel(n, 1 << 13, c->kernel->body, &j);
}

/* ---- Table --------------------------------------------------------------------------------------- */

/* float16 numbers are rounded from float32 ones. */
enum { SHORT_FLOATS = ONE_TYPE(DT_FLOAT16) | ONE_TYPE(DT_FLOAT32), LONG_FLOATS = ONE_TYPE(DT_FLOAT64) };

#define DRAWN(row, set, function, table, suffix) \
  { .op = row, .types = set, .run = function, .body = fill_pieces_##suffix, .own = &(table) }
#define DRAW(word, table)                                                                  \
  DRAWN("_random_" #word, SHORT_FLOATS, fill_from_numbers, table, f32),                    \
  DRAWN("_random_" #word, LONG_FLOATS, fill_from_numbers, table, f64),                     \
  DRAWN("_random_" #word "_like", ONE_TYPE(DT_FLOAT32), fill_from_numbers, table, f32),    \
  DRAWN("_random_" #word "_like", LONG_FLOATS, fill_from_numbers, table, f64),             \
  DRAWN("_sample_" #word, SHORT_FLOATS, fill_from_arrays, table, f32),                     \
  DRAWN("_sample_" #word, LONG_FLOATS, fill_from_arrays, table, f64)

const Kernel distributions_kernels[] = {
  DRAW(uniform, uniform),
  DRAW(normal, normal),
  DRAW(exponential, exponential),
  DRAW(gamma, gamma_),
  DRAW(poisson, poisson),
  DRAW(negative_binomial, negative_binomial),
  DRAW(generalized_negative_binomial, generalized),
  DRAW(binomial, binomial),
  DRAW(log_gamma, log_gamma),
  { .op = "_random_randint", .types = ONE_TYPE(DT_INT32), .run = randint, .body = integers_i32 },
  { .op = "_random_randint", .types = ONE_TYPE(DT_INT64), .run = randint, .body = integers_i64 },
  { 0 },
};
