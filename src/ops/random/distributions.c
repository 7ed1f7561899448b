/* distributions.c - random numbers: uniform, normal, exponential, gamma and its logarithm, poisson, binomials, integers.
** Other distributions are written on top of these in functions/distributions.lua.
**
** A call takes one block of the random stream, with one counter per element of its output. Element i depends only on
** the block and i. The kernels are in kernels/random/distributions_kernels.c.
*/
#include "ops/random/distributions.h"

#include <math.h>

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- Distributions ------------------------------------------------------------------------------ */

typedef struct Allowed { int numbers; Status (*check[2])(const double *p); } Allowed;

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

CHECK(check_trials, p[0] >= 0 && p[0] == floor(p[0]) && isfinite(p[0]), "n", "a whole number of 0 or more", p[0])
CHECK(check_chance, p[1] >= 0 && p[1] <= 1, "p", "a probability", p[1])

static const Allowed allowed[] = {
  [UNIFORM] = { 2, { check_uniform } },
  [NORMAL] = { 2, { check_normal } },
  [EXPONENTIAL] = { 1, { check_exponential } },
  [GAMMA] = { 2, { check_alpha, check_beta } },
  [POISSON] = { 1, { check_poisson } },
  [NEGATIVE_BINOMIAL] = { 2, { check_failures, check_probability } },
  [GENERALIZED_BINOMIAL] = { 2, { check_mean, check_dispersion } },
  [BINOMIAL] = { 2, { check_trials, check_chance } },
  [LOG_GAMMA] = { 1, { check_alpha } },
};

int distribution_numbers(Distribution d) { return allowed[d].numbers; }

Status distribution_check(Distribution d, const double *p) {
  for (int i = 0; i < 2; i++)
    if (allowed[d].check[i]) TRY(allowed[d].check[i](p));
  return OK;
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
static Status infer_from_numbers(Infer *f, Distribution d) {
  const List *shape = (const List *)((const double *)f->params + distribution_numbers(d));
  TRY(distribution_check(d, f->params));
  TRY(infer_float_dtype(*(const int64_t *)(shape + 1), &f->out[0].dtype));
  return infer_shape_param(f, shape);
}

static Status infer_like(Infer *f, Distribution d) {
  TRY(distribution_check(d, f->params));
  TRY(one_float_dtype(f, 1, 1));
  return one_shape(f, 0, 0);
}

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

#define FUNCTIONS(name, d)                                                                  \
  static Status infer_##name(Infer *f) { return infer_from_numbers(f, d); }                 \
  static Status infer_##name##_like(Infer *f) { return infer_like(f, d); }
FUNCTIONS(uniform, UNIFORM)
FUNCTIONS(normal, NORMAL)
FUNCTIONS(exponential, EXPONENTIAL)
FUNCTIONS(gamma_, GAMMA)
FUNCTIONS(poisson, POISSON)
FUNCTIONS(negative_binomial, NEGATIVE_BINOMIAL)
FUNCTIONS(generalized, GENERALIZED_BINOMIAL)
FUNCTIONS(binomial, BINOMIAL)
FUNCTIONS(log_gamma, LOG_GAMMA)

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


/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define SHAPE "shape shape? None The shape; None: (1,).\n"
#define DTYPE "dtype dtype? float32 The element type; None: float32.\n"
#define MORE_SHAPE "shape shape () The shape of the numbers for each element of the parameters.\n"

#define UNIFORM_PARAMS "low float 0 The least value.\nhigh float 1 The upper bound, excluded.\n"
#define NORMAL_PARAMS "loc float 0 The mean.\nscale float 1 The standard deviation.\n"
#define EXPONENTIAL_PARAMS "lam float 1 The rate: the inverse of the mean.\n"
#define GAMMA_PARAMS "alpha float 1 The shape.\nbeta float 1 The scale: the mean is alpha beta.\n"
#define POISSON_PARAMS "lam float 1 The mean.\n"
#define NEGATIVE_PARAMS "k float 1 The number of successes.\np float 1 The probability of success.\n"
#define GENERALIZED_PARAMS "mu float 1 The mean.\nalpha float 1 The dispersion: the variance is mu + alpha mu^2.\n"

#define BINOMIAL_PARAMS "n float 1 The number of trials.\np float 0.5 The probability of success.\n"
#define LOG_GAMMA_PARAMS "alpha float 1 The shape.\n"

/* Elements of the parameters may be outside of their range. */
static unsigned sample_effects(const Query *q) { return (void)q, (unsigned)(DRAWS | FAILS); }

/* Three rows per distribution: with numbers as parameters, in the shape of another array, with arrays as parameters. */
#define DRAW(word, names, fn, n, numbers, arrays, text, call, like, sample)                                     \
  { .name = "_random_" #word, .aliases = names, .doc = text, .example = call, .inputs = "",                     \
    .params = numbers SHAPE DTYPE, .params_size = (n) * sizeof(double) + sizeof(List) + sizeof(int64_t),        \
    .effects = op_draws_always, .flags = OP_NO_GRAD, .array_form = "_sample_" #word, .infer = infer_##fn },    \
  { .name = "_random_" #word "_like", .aliases = "random." #word "_like", .doc = text ", with data's shape and dtype", \
    .example = like, .inputs = "data", .params = numbers, .params_size = (n) * sizeof(double),                  \
    .effects = op_draws_always, .flags = OP_NO_GRAD, .infer = infer_##fn##_like },                              \
  { .name = "_sample_" #word, .doc = text ", for each element of the parameters", .example = sample,            \
    .inputs = arrays, .params = MORE_SHAPE DTYPE, .params_size = sizeof(SampleParams),                          \
    .effects = sample_effects, .flags = OP_NO_GRAD, .infer = infer_from_arrays },

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
  DRAW(binomial, "random.binomial", binomial, 2, BINOMIAL_PARAMS, "n p",
       "Binomially distributed counts: the number of successes in n trials (W. Hoermann, 1993)",
       "F.random.binomial(10, 0.4, {2, 3})", "F.random.binomial_like(F.array{1, 2, 3}, 100, 0.3)",
       "F.sample_binomial(F.array{10, 1000}, F.array{0.5, 0.9}, {shape = {3}})")
  DRAW(log_gamma, "random.log_gamma", log_gamma, 1, LOG_GAMMA_PARAMS, "alpha",
       "The logarithms of gamma distributed numbers of scale 1, accurate even for a small alpha, where the numbers "
       "themselves are 0 in their dtype",
       "F.random.log_gamma(0.01, {2, 3})", "F.random.log_gamma_like(F.array{1, 2, 3}, 2)",
       "F.sample_log_gamma(F.array{0.01, 10}, {shape = {3}})")
  { .name = "_random_randint", .aliases = "random.randint",
    .doc = "Integers drawn uniformly from [low, high)",
    .example = "F.random.randint(0, 10, {2, 3})\nF.random.randint{low = -5, high = 5, shape = {4}, dtype = \"int64\"}",
    .inputs = "",
    .params = "low int - The least value.\n"
              "high int - The upper bound, excluded.\n" SHAPE "dtype dtype? None int32 or int64; None: int32.\n",
    .params_size = sizeof(RandintParams), .effects = op_draws_always, .flags = OP_NO_GRAD, .infer = infer_randint },
  { 0 }
};
/* clang-format on */
