/* gradient_check_kernels.c - checks and norms of gradients. */
#include "base/math/global_norm.h"
#include "base/math/tree_sum.h"
#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/whole_norm.h"
#include "ops/train/gradient_checks.h"
#include "tensor/cast_copy.h"

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

static Status all_finite(Call *c) {
  NonfiniteSearch s = { 0 };
  for (int i = 0; i < c->n_in && !s.found; i++) {
    s.in = c->in[i];
    parallel_chunks(tensor_size(s.in), 1 << 15, s.in->type.dtype == DT_FLOAT32 ? find_infinite_f32 : find_infinite_f64,
                    &s);
  }
  tensor_set(c->out[0], 0, !s.found);
  return OK;
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

static Status sum_sq(Call *c) {
  parallel_for(c->n_in, 1, sum_sq_piece, c);
  return OK;
}

/* ---- Clipping ---------------------------------------------------------------------------------------- */

typedef struct Scaling { const Tensor *from; Tensor *to; double factor; } Scaling;

#define SCALE(code, T, suffix)                                                                    \
  static void scale_##suffix(void *context, int64_t first, int64_t last) {                        \
    const Scaling *s = context;                                                                   \
    const T *from = s->from->data, factor = (T)s->factor;                                         \
    T *to = s->to->data;                                                                          \
    for (int64_t i = first; i < last; i++) to[i] = from[i] * factor;                              \
  }
EACH_FLOAT(SCALE)

/* The norms, then the memory of whole_norm. */
static Status clip_workspace(const Query *q, Workspace *w) {
  size_t most = 0;
  for (int i = 0; i < q->n_in; i++) {
    const size_t bytes = whole_norm_workspace(query_in(q, i));
    if (bytes > most) most = bytes;
  }
  w->bytes = (size_t)q->n_in * sizeof(double) + most;
  return OK;
}

/* It is not interrupted, so that all arrays are scaled or none. */
static Status clip(Call *c) {
  const ClipNormParams *p = c->params;
  double *norm = c->workspace;
  for (int i = 0; i < c->n_in; i++) norm[i] = whole_norm(c->in[i], norm + c->n_in);
  const double all = hl_global_norm(norm, c->n_in), factor = hl_norm_factor(all, p->max_norm);
  const bool scales = factor < 1 || factor != factor;
  for (int i = 0; i < c->n_in; i++) {
    const Scaling s = { c->in[i], p->in_place ? (Tensor *)c->in[i] : c->out[i], factor };
    const bool single = s.from->type.dtype == DT_FLOAT32;
    if (scales) parallel_for(tensor_size(s.from), 1 << 14, single ? scale_f32 : scale_f64, (void *)&s);
    else if (!p->in_place) copy_block(s.from->data, s.to->data, tensor_bytes(s.from));
  }
  *(double *)c->out[c->n_out - 1]->data = all;
  return OK;
}

/* clang-format off */
const Kernel gradient_check_kernels[] = {
  { .op = "all_finite", .types = ALL_TYPES, .run = all_finite },
  { .op = "multi_all_finite", .types = ALL_TYPES, .run = all_finite },
  { .op = "multi_sum_sq", .types = ALL_TYPES, .run = sum_sq },
  { .op = "_contrib_clip_global_norm", .types = FLOAT_TYPES, .run = clip, .workspace = clip_workspace },
  { 0 },
};
/* clang-format on */
