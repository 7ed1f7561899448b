/* distributions.c - random numbers: uniform, normal, exponential, gamma, poisson, negative binomials, integers.
**
** A call takes one block of the random stream, with one counter per element of its output. Element i depends only on
** the block and i, so threads may share the elements in any way, and later draws do not depend on this call's dtype.
**
** Uniform, normal (Box-Muller: two uniform numbers make two normal ones) and exponential numbers are standard numbers,
** scaled and shifted. Standard numbers are computed a piece at a time from consecutive counters. The other
** distributions use rejection, so an element needs any number of uniform numbers: its counter's bits key its own
** stream. The functions are those of base/math, so that a number has the same bits on any machine.
*/
#include "ops/random/distributions.h"

#include <math.h>

#include "base/threads/parallel_for.h"
#include "base/math/random_stream.h"
#include "base/math/scalar_functions.h"
#include "base/size_math.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
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

typedef enum Standard { REJECTING, UNIFORM, NORMAL, EXPONENTIAL } Standard;

/* shift + stretch * standard number. Results of `limit` or more, possible by rounding, become shift. */
typedef struct AffineDraw { double shift, stretch, limit; } AffineDraw;

typedef struct Distribution {
  int n_params;
  Status (*check[2])(const double *p);
  Standard standard;
  AffineDraw (*place)(const double *p);
  double (*draw)(Stream *s, const double *p);      /* if REJECTING, else NULL */
} Distribution;

#define CHECK(name, condition, parameter, expected, value) \
  static Status name(const double *p) { \
    return condition ? OK : fail(parameter ": expected " expected ", got %g", value); \
  }

CHECK(check_uniform, p[1] >= p[0], "high", "low or more", p[1])
CHECK(check_normal, p[1] >= 0, "scale", "0 or more", p[1])
CHECK(check_exponential, p[0] > 0, "lam", "more than 0", p[0])
CHECK(check_alpha, p[0] > 0 && isfinite(p[0]), "alpha", "more than 0, and finite", p[0])
CHECK(check_beta, p[1] > 0, "beta", "more than 0", p[1])
CHECK(check_poisson, p[0] >= 0 && isfinite(p[0]), "lam", "0 or more", p[0])
CHECK(check_failures, p[0] >= 0 && isfinite(p[0]), "k", "0 or more, and finite", p[0])
CHECK(check_probability, p[1] > 0 && p[1] <= 1, "p", "a probability above 0", p[1])
CHECK(check_mean, p[0] >= 0 && isfinite(p[0]), "mu", "0 or more", p[0])
CHECK(check_dispersion, p[1] == 0 || (p[1] > 0 && isfinite(p[1]) && isfinite(1 / p[1])), "alpha",
      "0 or more, and finite", p[1])

static AffineDraw place_uniform(const double *p) { return (AffineDraw){ p[0], p[1] - p[0], p[1] }; }
static AffineDraw place_normal(const double *p) { return (AffineDraw){ p[0], p[1], INFINITY }; }
static AffineDraw place_exponential(const double *p) { return (AffineDraw){ 0, 1 / p[0], INFINITY }; }

/* A gamma number of shape `alpha` and scale 1 (G. Marsaglia, W. Tsang, "A simple method for generating gamma
** variables", 2000). For alpha < 1 it uses gamma(a) = gamma(a + 1) u^(1/a), their section 6. */
static double draw_standard_gamma(Stream *s, double alpha) {
  double two[2], boost = 1;
  if (alpha < 1) {
    next_two(s, two);
    boost = hl_pow64(1 - two[0], 1 / alpha);
    alpha += 1;
  }
  const double d = alpha - 1.0 / 3, c = 1 / sqrt(9 * d);
  while (!interrupted()) {
    next_two(s, two);
    double x = sqrt(-2 * hl_log64(1 - two[0])) * hl_cos_turns64(two[1]), v = 1 + c * x;
    if (v <= 0) continue;
    v = v * v * v;
    next_two(s, two);
    if (hl_log64(1 - two[0]) < 0.5 * x * x + d - d * v + d * hl_log64(v)) return d * v * boost;
  }
  return 0;
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

static double draw_gamma(Stream *s, const double *p) { return draw_standard_gamma(s, p[0]) * p[1]; }
static double draw_poisson(Stream *s, const double *p) { return draw_poisson_of(s, p[0]); }

/* A Poisson number whose mean is gamma distributed. */
static double draw_negative_binomial(Stream *s, const double *p) {
  return p[0] == 0 ? 0 : draw_poisson_of(s, draw_standard_gamma(s, p[0]) * (1 - p[1]) / p[1]);
}
static double draw_generalized(Stream *s, const double *p) {
  return draw_poisson_of(s, p[1] == 0 ? p[0] : draw_standard_gamma(s, 1 / p[1]) * p[1] * p[0]);
}

static const Distribution uniform = { 2, { check_uniform }, UNIFORM, place_uniform, NULL };
static const Distribution normal = { 2, { check_normal }, NORMAL, place_normal, NULL };
static const Distribution exponential = { 1, { check_exponential }, EXPONENTIAL, place_exponential, NULL };
static const Distribution gamma_ = { 2, { check_alpha, check_beta }, REJECTING, NULL, draw_gamma };
static const Distribution poisson = { 1, { check_poisson }, REJECTING, NULL, draw_poisson };
static const Distribution negative_binomial = {
  2, { check_failures, check_probability }, REJECTING, NULL, draw_negative_binomial
};
static const Distribution generalized = { 2, { check_mean, check_dispersion }, REJECTING, NULL, draw_generalized };

static Status check_parameters(const Distribution *d, const double *p) {
  for (int i = 0; i < 2; i++)
    if (d->check[i]) TRY(d->check[i](p));
  return OK;
}

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
    if (kind == EXPONENTIAL) {                                                            \
      for (int i = 0; i < PIECE; i++) out[i] = -LOG(1 - out[i]);                          \
    } else if (kind == NORMAL) {                 /* loops that the compiler vectorizes */ \
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
  const Distribution *d;
  RandomBlock block;
  Tensor *out;
  const double *numbers;               /* the parameters, if `arrays` is NULL */
  const Tensor *const *arrays;
  int64_t each;                        /* number of output elements for each set of parameters */
} DrawJob;

static void parameters_of(const DrawJob *j, int64_t element, double *p) {
  for (int i = 0; i < j->d->n_params; i++)
    p[i] = j->arrays ? tensor_get(j->arrays[i], element / j->each) : j->numbers[i];
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
    convert(code, piece, to,  (char *)j->out->data + (size_t)at * dtype_size(to), n);     \
  }
FILL_PIECE(float, f32, DT_FLOAT32)
FILL_PIECE(double, f64, DT_FLOAT64)

static void fill_pieces(void *context, int64_t first, int64_t last) {
  const DrawJob *j = context;
  int64_t size = tensor_size(j->out);
  for (int64_t i = first; i < last && !interrupted(); i++) {
    int64_t at = i * PIECE, n = size - at < PIECE ? size - at : PIECE;
    if (j->out->type.dtype == DT_FLOAT64) fill_piece_f64(j, at, n);
    else fill_piece_f32(j, at, n);
  }
}

static Status fill(DrawJob *j) {
  int64_t n = tensor_size(j->out);
  j->block = random_take(&engine_now()->random, (uint64_t)n);
  return run_parallel(parts(n, PIECE), 16, fill_pieces, j);
}

/* For rows whose parameter struct begins with the distribution's numbers. */
static Status fill_from_numbers(Call *c, const Distribution *d) {
  DrawJob j = { .d = d, .out = c->out[0], .numbers = c->params, .each = tensor_size(c->out[0]) + 1 };
  return fill(&j);
}

static Status fill_from_arrays(Call *c, const Distribution *d) {
  int64_t n = tensor_size(c->in[0]), size = tensor_size(c->out[0]);
  DrawJob j = { .d = d, .out = c->out[0], .arrays = c->in, .each = n > 0 && size > 0 ? size / n : 1 };
  for (int64_t i = 0; i < n; i++) {
    double p[2];
    parameters_of(&j, i * j.each, p);
    Status s = check_parameters(d, p);
    if (s != OK) return fail_within(s, "%s", c->op->name);
  }
  return fill(&j);
}

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status infer_float_dtype(int64_t given, DType *dtype) {
  *dtype = given == DT_UNKNOWN ? DT_FLOAT32 : (DType)given;
  return dtype_is_float(*dtype) ? OK : fail("dtype: expected float16, float32 or float64, got %s", dtype_name(*dtype));
}

/* The default shape is (1,). */
static Status infer_shape_param(Infer *f, const List *shape) {
  if (shape->count > MAX_DIMS)
    return fail("shape: expected at most %d dimensions, got %lld", MAX_DIMS, (long long)shape->count);
  Shape s = shape->count < 0 ? shape_of(1, (int64_t[]){ 1 }) : list_shape(shape);
  return output_shape(f, 0, &s);
}

/* The parameter struct has the numbers, then the shape, then the dtype. */
static Status infer_from_numbers(Infer *f, const Distribution *d) {
  const List *shape = (const List *)((const double *)f->params + d->n_params);
  TRY(check_parameters(d, f->params));
  TRY(infer_float_dtype(*(const int64_t *)(shape + 1), &f->out[0].dtype));
  return infer_shape_param(f, shape);
}

static Status infer_like(Infer *f, const Distribution *d) {
  TRY(check_parameters(d, f->params));
  TRY(one_float_dtype(f, 1, 1));
  return one_shape(f, 0, 0);
}

typedef struct SampleParams { List shape; int64_t dtype; } SampleParams;

Status append_shape(const Shape *first, const List *shape, Shape *out) {
  *out = *first;
  if (shape->count > MAX_DIMS - first->ndim)
    return fail("shape: expected at most %d dimensions after those of %s, got %lld", MAX_DIMS - first->ndim,
                shape_text(first), (long long)shape->count);
  for (int64_t i = 0; i < shape->count; i++) out->dim[out->ndim++] = list_ints(shape)[i];
  return OK;
}

static Status infer_from_arrays(Infer *f) {
  const SampleParams *p = f->params;
  Shape out;
  TRY(infer_float_dtype(p->dtype, &f->out[0].dtype));
  for (int i = 1; i < f->n_in; i++) {
    TRY(input_shape(f, i, &f->in[0].shape));
    TRY(input_shape(f, 0, &f->in[i].shape));
  }
  if (f->in[0].shape.ndim < 0) return OK;
  TRY(append_shape(&f->in[0].shape, &p->shape, &out));
  return output_shape(f, 0, &out);
}

#define FUNCTIONS(d)                                                                        \
  static Status infer_##d(Infer *f) { return infer_from_numbers(f, &d); }                   \
  static Status infer_##d##_like(Infer *f) { return infer_like(f, &d); }                    \
  static Status fill_##d(Call *c) { return fill_from_numbers(c, &d); }                      \
  static Status sample_##d(Call *c) { return fill_from_arrays(c, &d); }
/* clang-format off */
FUNCTIONS(uniform) FUNCTIONS(normal) FUNCTIONS(exponential) FUNCTIONS(gamma_) FUNCTIONS(poisson)
FUNCTIONS(negative_binomial) FUNCTIONS(generalized)
  /* clang-format on */

  /* ---- randint --------------------------------------------------------------------------------------------- */

typedef struct RandintParams { int64_t low, high; List shape; int64_t dtype; } RandintParams;

static Status infer_randint(Infer *f) {
  const RandintParams *p = f->params;
  DType dtype = p->dtype == DT_UNKNOWN ? DT_INT32 : (DType)p->dtype;
  if (dtype != DT_INT32 && dtype != DT_INT64) return fail("dtype: expected int32 or int64, got %s", dtype_name(dtype));
  if (p->low >= p->high)
    return fail("high: expected more than low (%lld), got %lld", (long long)p->low, (long long)p->high);
  if (dtype == DT_INT32 && p->low < INT32_MIN)
    return fail("low: expected an int32, got %lld; pass dtype int64", (long long)p->low);
  if (dtype == DT_INT32 && p->high - 1 > INT32_MAX)
    return fail("high: expected an int32, got %lld; pass dtype int64", (long long)p->high);
  f->out[0].dtype = dtype;
  return infer_shape_param(f, &p->shape);
}

typedef struct Integers { RandomBlock block; const RandintParams *p; Tensor *out; } Integers;

static void integers_piece(void *context, int64_t first, int64_t last) {
  const Integers *j = context;
  uint64_t low = (uint64_t)j->p->low, range = (uint64_t)j->p->high - low;
  bool wide = j->out->type.dtype == DT_INT64;
  uint32_t fours[4 * PIECE];
  for (int64_t at = first; at < last && !interrupted(); at += PIECE) {
    int64_t n = last - at < PIECE ? last - at : PIECE;
    random_fours(j->block, (uint64_t)at, n, fours);
    for (int64_t i = 0; i < n; i++) {
      int64_t x = (int64_t)(low + random_below(fours + 4 * i, range));
      if (wide) ((int64_t *)j->out->data)[at + i] = x;
      else ((int32_t *)j->out->data)[at + i] = (int32_t)x;
    }
  }
}

static Status fill_randint(Call *c) {
  int64_t n = tensor_size(c->out[0]);
  Integers j = { random_take(&engine_now()->random, (uint64_t)n), c->params, c->out[0] };
  return run_parallel(n, 1 << 13, integers_piece, &j);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define SHAPE "shape shape? None The shape; None: (1,).\n"
#define DTYPE "dtype dtype? None The element type; None: float32.\n"
#define MORE_SHAPE "shape shape () The shape of the numbers for each element of the parameters.\n"

#define UNIFORM_PARAMS "low float 0 The least value.\nhigh float 1 The upper bound, excluded.\n"
#define NORMAL_PARAMS "loc float 0 The mean.\nscale float 1 The standard deviation.\n"
#define EXPONENTIAL_PARAMS "lam float 1 The rate: the inverse of the mean.\n"
#define GAMMA_PARAMS "alpha float 1 The shape.\nbeta float 1 The scale: the mean is alpha beta.\n"
#define POISSON_PARAMS "lam float 1 The mean.\n"
#define NEGATIVE_PARAMS "k float 1 The number of successes.\np float 1 The probability of success.\n"
#define GENERALIZED_PARAMS "mu float 1 The mean.\nalpha float 1 The dispersion: the variance is mu + alpha mu^2.\n"

/* Three rows per distribution: with numbers as parameters, in the shape of another array, with arrays as parameters. */
#define DRAW(word, names, fn, n, numbers, arrays, text, call, like, sample)                                     \
  { .name = "_random_" #word, .aliases = names, .doc = text, .example = call, .inputs = "",                     \
    .params = numbers SHAPE DTYPE, .params_size = (n) * sizeof(double) + sizeof(List) + sizeof(int64_t),        \
    .effects = op_draws_always, .flags = OP_NO_GRAD, .array_form = "_sample_" #word, .infer = infer_##fn,       \
    .forward = fill_##fn },                                                                                     \
  { .name = "_random_" #word "_like", .aliases = "random." #word "_like", .doc = text ", with data's shape and dtype", \
    .example = like, .inputs = "data", .params = numbers, .params_size = (n) * sizeof(double),                  \
    .effects = op_draws_always, .flags = OP_NO_GRAD, .infer = infer_##fn##_like, .forward = fill_##fn },        \
  { .name = "_sample_" #word, .doc = text ", for each element of the parameters", .example = sample,            \
    .inputs = arrays, .params = MORE_SHAPE DTYPE, .params_size = sizeof(SampleParams),                          \
    .effects = op_draws_always, .flags = OP_NO_GRAD, .infer = infer_from_arrays, .forward = sample_##fn },

/* clang-format off */
Op distribution_ops[] = {
  DRAW(uniform, "random.uniform uniform", uniform, 2, UNIFORM_PARAMS, "low high",
       "Numbers drawn uniformly from [low, high)",
       "F.random.uniform(0, 1, {2, 3})\nF.random_uniform{low = -1, high = 1, shape = {4}, dtype = \"float64\"}",
       "F.random.uniform_like(F.array{1, 2, 3}, -1, 1)",
       "F.sample_uniform(F.array{0, 10}, F.array{1, 20}, {shape = {3}})")
  DRAW(normal, "random.normal normal", normal, 2, NORMAL_PARAMS, "mu sigma",
     "Normally distributed numbers (G. Box, M. Muller, 1958)",
       "F.random.normal(0, 1, {2, 3})\nF.random_normal{loc = 5, scale = 0.1, shape = {4}}",
       "F.random.normal_like(F.array{1, 2, 3}, 5, 0.1)",
       "F.sample_normal(F.array{0, 10}, F.array{1, 0.5}, {shape = {3}})")
  DRAW(exponential, NULL, exponential, 1, EXPONENTIAL_PARAMS, "lam",
       "Exponentially distributed numbers of mean 1 / lam",
       "F.random_exponential{lam = 2, shape = {2, 3}}", "F.random_exponential_like(F.array{1, 2, 3}, 2)",
       "F.sample_exponential(F.array{1, 10}, {shape = {3}})")
  DRAW(gamma, "random.gamma", gamma_, 2, GAMMA_PARAMS, "alpha beta",
       "Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000)",
       "F.random.gamma(2, 0.5, {2, 3})", "F.random.gamma_like(F.array{1, 2, 3}, 2, 0.5)",
       "F.sample_gamma(F.array{1, 10}, F.array{1, 0.5}, {shape = {3}})")
  DRAW(poisson, "random.poisson", poisson, 1, POISSON_PARAMS, "lam", "Poisson distributed counts (W. Hoermann, 1993)",
       "F.random.poisson(4, {2, 3})", "F.random.poisson_like(F.array{1, 2, 3}, 4)",
           "F.sample_poisson(F.array{1, 100}, {shape = {3}})")
  DRAW(negative_binomial, "random.negative_binomial", negative_binomial, 2, NEGATIVE_PARAMS, "k p",
     "Negative binomial counts: the number of failures before k successes",
       "F.random.negative_binomial(3, 0.4, {2, 3})", "F.random.negative_binomial_like(F.array{1, 2, 3}, 3, 0.4)",
       "F.sample_negative_binomial(F.array{1, 10}, F.array{0.5, 0.9}, {shape = {3}})")
  DRAW(generalized_negative_binomial, "random.generalized_negative_binomial", generalized, 2, GENERALIZED_PARAMS,
       "mu alpha",
       "Negative binomial counts with a given mean and dispersion",
       "F.random.generalized_negative_binomial(4, 0.3, {2, 3})",
       "F.random.generalized_negative_binomial_like(F.array{1, 2, 3}, 4, 0.3)",
       "F.sample_generalized_negative_binomial(F.array{1, 10}, F.array{0.5, 0.1}, {shape = {3}})")
  { .name = "_random_randint", .aliases = "random.randint",
    .doc = "Integers drawn uniformly from [low, high)",
    .example = "F.random.randint(0, 10, {2, 3})\nF.random.randint{low = -5, high = 5, shape = {4}, dtype = \"int64\"}",
    .inputs = "",
    .params = "low int - The least value.\n"
              "high int - The upper bound, excluded.\n" SHAPE "dtype dtype? None int32 or int64; None: int32.\n",
    .params_size = sizeof(RandintParams), .effects = op_draws_always, .flags = OP_NO_GRAD, .infer = infer_randint,
    .forward = fill_randint },
  { 0 }
};
/* clang-format on */
