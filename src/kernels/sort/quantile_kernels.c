/* quantile_kernels.c - the kernel of _quantile.
**
** The reduced axes become the last axis of a copy in the workspace. Its lines are sorted by keys (sort_keys.h) and
** divided among threads.
*/
#include <math.h>

#include "base/assert.h"
#include "base/size_math.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/loops/sort_keys.h"
#include "ops/sort/quantile.h"
#include "tensor/cast_copy.h"
#include "tensor/strided_region.h"

/* The plan: lines, and the position of each quantile. */
typedef struct QuantilePlan { QuantileLines z; Spot spot[]; } QuantilePlan;

/* One call. Lines have the dtype of the result. */
typedef struct Quantiles {
  const QuantilePlan *plan;
  int64_t count;             /* number of quantiles */
  const void *data;
  const Call *c;
} Quantiles;

/* Bytes of a copy of the data. The workspace has two: in another order, and in the dtype of the computation. */
static size_t copy_bytes(const QuantileLines *z) { return whole_lines((size_t)(z->lines * z->n) * sizeof(double)); }

/* Threads have space for two lines of keys. */
static Status quantile_workspace(const Query *q, Workspace *w) {
  const QuantileParams *p = q->params;
  const QuantileLines z = quantile_lines(p, &query_in(q, 0)->shape);
  const size_t line = (size_t)z.n * dtype_size(query_out(q, 0)->dtype);
  w->bytes = 2 * copy_bytes(&z);
  w->thread_bytes = workspace_by_items(z.lines, 2 * line, &w->most_threads);
  QuantilePlan *plan = kernel_plan(w, sizeof *plan + (size_t)p->q.count * sizeof(Spot));
  if (!plan) return w->status;
  plan->z = z;
  for (int64_t k = 0; k < p->q.count; k++) plan->spot[k] = quantile_spot((int)p->method, z.n, list_floats(&p->q)[k]);
  return OK;
}

/* Exact at both ends, so an infinite neighbour with weight 0 has no effect. */
static double between(double low, double high, double share) {
  if (share == 0 || low == high) return low;
  if (share == 1) return high;
  if (isinf(high - low)) return low * (1 - share) + high * share;
  return share >= 0.5 ? high - (high - low) * (1 - share) : low + (high - low) * share;
}

#define QUANTILES(code, T, suffix, K, bits)                                                                 \
  /* Converts a sorted key of a line back to its element. */                                                \
  static double element_##suffix(const K *keys, int64_t i) {                                                \
    T x;                                                                                                    \
    keys_back_##bits((KeyOrder){ .dtype = code }, keys + i, 1, &x);                                         \
    return x;                                                                                               \
  }                                                                                                         \
  static void quantiles_##suffix(void *context, int64_t first, int64_t last) {                              \
    const Quantiles *s = context;                                                                           \
    const QuantileLines *z = &s->plan->z;                                                                   \
    K *a = call_thread_workspace(s->c), *b = a + z->n;                                                      \
    T *out = s->c->out[0]->data;                                                                            \
    for (int64_t line = first; line < last && !interrupted(); line++) {                                     \
      keys_##bits((KeyOrder){ .dtype = code }, (const T *)s->data + line * z->n, z->n, a);                  \
      const K *sorted = sort_##bits(a, b, z->n);                                                            \
      const double greatest = element_##suffix(sorted, z->n - 1);                                           \
      for (int64_t k = 0; k < s->count; k++) {                                                              \
        const Spot at = s->plan->spot[k];                                                                   \
        double y = between(element_##suffix(sorted, at.low), element_##suffix(sorted, at.high), at.share);  \
        if (greatest != greatest) y = greatest;         /* NaNs are last; one makes the result NaN */       \
        out[k * z->lines + line] = (T)y;                                                                    \
      }                                                                                                     \
    }                                                                                                       \
  }
QUANTILES(DT_FLOAT32, float, f32, uint32_t, 32)
QUANTILES(DT_FLOAT64, double, f64, uint64_t, 64)

static Status quantile(Call *c) {
  const Tensor *in = c->in[0];
  const QuantilePlan *plan = c->plan;
  const DType dtype = c->out[0]->type.dtype;
  Quantiles s = { .plan = plan, .count = ((const QuantileParams *)c->params)->q.count, .c = c };
  if (tensor_size(in) == 0) return OK;
  char *moved = c->workspace, *computed = moved + copy_bytes(&plan->z);
  Region from = region_permuted(&in->type.shape, plan->z.order), to = region_of(&from.shape);
  region_copy(dtype_size(in->type.dtype), in->data, &from, moved, &to);
  s.data = moved;
  if (in->type.dtype != dtype)
    convert_parallel(in->type.dtype, moved, dtype, computed, tensor_size(in)), s.data = computed;
  HL_ASSERT(plan->z.lines * s.count == tensor_size(c->out[0]));
  return run_parallel(plan->z.lines, 4096 / plan->z.n + 1, c->kernel->body, &s);
}

const Kernel quantile_kernels[] = {
  FLOAT_KERNELS("_quantile", quantile, quantiles, .workspace = quantile_workspace),
  { 0 },
};
