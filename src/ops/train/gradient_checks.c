/* gradient_checks.c - checks and norms of gradients: finiteness, sums of squares, the rates of LARS. */
#include <math.h>

#include "base/math/tree_sum.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

typedef struct AllFiniteParams { int64_t init_output; } AllFiniteParams;
typedef struct MultiFiniteParams { int64_t num_arrays, init_output; } MultiFiniteParams;
typedef struct ArrayCountParams { int64_t num_arrays; } ArrayCountParams;

static int counted_inputs(const Query *q) { return (int)((const ArrayCountParams *)q->params)->num_arrays; }

/* Arrays of floats give n float32 numbers. */
static Status infer_numbers(Infer *f, int64_t n) {
  TRY(float_inputs(f, f->n_in));
  TRY(output_dtype(f, 0, DT_FLOAT32));
  return output_shape(f, 0, &(Shape){ 1, { n } });
}

static Status infer_finite(Infer *f) { return infer_numbers(f, 1); }
static Status infer_sum_sq(Infer *f) { return infer_numbers(f, f->n_in); }

typedef struct NonfiniteSearch { const Tensor *in; int found; } NonfiniteSearch;

#define FIND_INFINITE(code, T, suffix)                                                            \
  static void find_infinite_##suffix(void *context, int64_t first, int64_t last) {                \
    NonfiniteSearch *s = context;                                                                 \
    const T *x = s->in->data;                                                                     \
    int found = 0;                                                                                \
    for (int64_t i = first; i < last; i++) found |= !(x[i] - x[i] == 0);                          \
    if (found) __atomic_store_n(&s->found, 1, __ATOMIC_RELAXED);                                  \
  }
EACH_FLOAT(FIND_INFINITE)

static Status finite_forward(Call *c) {
  NonfiniteSearch s = { 0 };
  for (int i = 0; i < c->n_in && !s.found; i++) {
    s.in = c->in[i];
    parallel_chunks(tensor_size(s.in), 1 << 15, s.in->type.dtype == DT_FLOAT32 ? find_infinite_f32 : find_infinite_f64,
                    &s);
  }
  tensor_set(c->out[0], 0, !s.found);
  return OK;
}

static double sum_sq_flops(const Query *q) {
  double elements = 0;
  for (int i = 0; i < q->n_in; i++) elements += (double)shape_size(&query_in(q, i)->shape);
  return 2 * elements;
}

#define SUM_SQUARES(code, T, suffix)                                                              \
  static double sum_squares_##suffix(const T *x, int64_t n) {                                     \
    double sum;                                                                                   \
    TREE_FOLD(sum, T, double, n, 0, TREE_ADD, x[i] * x[i]);                                       \
    return sum;                                                                                   \
  }
EACH_FLOAT(SUM_SQUARES)

static void sum_sq_piece(void *context, int64_t first, int64_t last) {
  const Call *c = context;
  for (int64_t i = first; i < last; i++) {
    const Tensor *x = c->in[i];
    int64_t n = tensor_size(x);
    tensor_set(c->out[0], i, x->type.dtype == DT_FLOAT32 ? sum_squares_f32(x->data, n) : sum_squares_f64(x->data, n));
  }
}

static Status sum_sq_forward(Call *c) {
  parallel_for(c->n_in, 1, sum_sq_piece, c);
  return OK;
}

/* LARS: lr eta |w| / (|g| rescale + wd |w| + eps) if both norms are positive, else lr. */
typedef struct LarsParams { double eta, eps, rescale_grad; } LarsParams;

static Status lars_forward(Call *c) {
  const LarsParams *p = c->params;
  for (int64_t i = 0; i < tensor_size(c->out[0]); i++) {
    double lr = tensor_get(c->in[0], i), w = sqrt(tensor_get(c->in[1], i)), g = sqrt(tensor_get(c->in[2], i)),
           wd = tensor_get(c->in[3], i);
    tensor_set(c->out[0], i, w > 0 && g > 0 ? lr * p->eta * w / (g * p->rescale_grad + wd * w + p->eps) : lr);
  }
  return OK;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* clang-format off */
Op gradient_check_ops[] = {
  { .name = "all_finite", .doc = "1 if every element is finite, else 0; float32 (1,)",
    .example = "F.all_finite(F.array{1, 2})", .inputs = "data",
    .params = "init_output bool True Accepted for MXNet's sake: the output is always initialized.\n",
    .params_size = sizeof(AllFiniteParams), .flags = OP_NO_GRAD | OP_NAMED_INPUT, .infer = infer_finite,
    .forward = finite_forward },
  { .name = "multi_all_finite", .doc = "1 if every element of the arrays is finite, else 0; float32 (1,)",
    .example = "F.multi_all_finite(F.array{1, 2}, F.array{3}, {num_arrays = 2})", .inputs = "data...",
    .params = "num_arrays int 1 Number of arrays.\n"
              "init_output bool True Accepted for MXNet's sake: the output is always initialized.\n",
    .params_size = sizeof(MultiFiniteParams), .n_inputs = counted_inputs, .flags = OP_NO_GRAD | OP_VARIADIC,
    .infer = infer_finite, .forward = finite_forward },
  { .name = "multi_sum_sq", .doc = "The sum of squares of each array; float32 (num_arrays,)",
    .example = "F.multi_sum_sq(F.array{1, 2}, F.array{3}, {num_arrays = 2})", .inputs = "data...",
    .params = "num_arrays int - Number of arrays.\n", .params_size = sizeof(ArrayCountParams),
    .n_inputs = counted_inputs, .flags = OP_NO_GRAD | OP_VARIADIC, .infer = infer_sum_sq, .forward = sum_sq_forward,
    .flops = sum_sq_flops },
  { .name = "multi_lars",
    .doc = "The learning rates of LARS: lr eta |w| / (rescale_grad |g| + wd |w| + eps), or lr if a norm is 0 (Y. You "
           "et al., 2017)",
    .example = "F.multi_lars(F.array{0.1, 0.2}, F.array{4, 9}, F.array{1, 4}, F.array{0.01, 0}, "
               "{eta = 0.001, eps = 0.0001})",
    .inputs = "lrs weights_sum_sq grads_sum_sq wds",
    .params = "eta float - The trust coefficient.\neps float - Added to the divisor.\n"
              "rescale_grad float 1 Multiplies the gradient.\n",
    .params_size = sizeof(LarsParams), .flags = OP_NO_GRAD, .infer = infer_same_floats, .forward = lars_forward },
  { 0 }
};
/* clang-format on */
