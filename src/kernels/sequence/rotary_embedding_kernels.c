/* rotary_embedding_kernels.c - rotary_embedding.
**
** Angles, cosines and sines are computed in double and rounded to the element type, in a table with one row per
** position.
*/
#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/sequence/rotary_embedding.h"
#include "tensor/cast_copy.h"

/* rows: table rows; pairs: rotated pairs per token; width: elements per token. */
typedef struct Sizes { int64_t rows, pairs, width, tokens, outer, batch; } Sizes;

static Sizes sizes_of(const Query *q) {
  const RotaryParams *p = q->params;
  const Shape *s = &query_in(q, ROTARY_DATA)->shape;
  Sizes z = { .width = s->dim[s->ndim - 1],
              .tokens = s->dim[s->ndim - 2],
              .outer = shape_size_range(s, 0, s->ndim - 2) };
  const bool each = p->use_positions && query_in(q, ROTARY_POSITIONS)->shape.ndim == 2;
  z.batch = each ? s->dim[0] : 1;
  z.rows = z.batch * z.tokens;
  z.pairs = (p->dims == NONE ? z.width : p->dims) / 2;
  return z;
}

static size_t table_bytes(const Query *q) {
  const Sizes z = sizes_of(q);
  return (size_t)(2 * z.rows * z.pairs) * dtype_size(query_in(q, ROTARY_DATA)->dtype);
}

typedef struct RotaryRun {
  const RotaryParams *p;
  Sizes z;
  const Tensor *positions;         /* NULL: not given */
  const void *x;
  void *y, *table;                 /* a row has the cosines, then the sines */
} RotaryRun;

/* A pair (x, y) becomes (x cos - y sin, y cos + x sin). */
#define ROTARY(code, T, suffix)                                                                           \
  static void fill_##suffix(void *context, int64_t first, int64_t last) {                                 \
    const RotaryRun *r = context;                                                                         \
    const int64_t n = r->z.pairs;                                                                         \
    const double way = r->p->inverse ? -1 : 1;                                                            \
    for (int64_t row = first; row < last; row++) {                                                        \
      const double at = (r->positions ? tensor_get(r->positions, row) : (double)row) * r->p->scale;       \
      T *to = (T *)r->table + 2 * n * row;                                                                \
      for (int64_t i = 0; i < n; i++) {                                                                   \
        const double angle = at * hl_pow64(r->p->base, -(double)i / (double)n);                           \
        to[i] = (T)hl_cos64(angle);                                                                       \
        to[n + i] = (T)(way * hl_sin64(angle));                                                           \
      }                                                                                                   \
    }                                                                                                     \
  }                                                                                                       \
  static void turn_##suffix(void *context, int64_t first, int64_t last) {                                 \
    const RotaryRun *r = context;                                                                         \
    const int64_t n = r->z.pairs, width = r->z.width, each = r->z.outer / r->z.batch;                     \
    for (int64_t i = first; i < last; i++) {                                                              \
      const int64_t token = i % r->z.tokens, batch = r->z.batch > 1 ? i / r->z.tokens / each : 0;         \
      const T *x = (const T *)r->x + i * width;                                                           \
      const T *c = (const T *)r->table + 2 * n * (batch * r->z.tokens + token), *s = c + n;               \
      T *y = (T *)r->y + i * width;                                                                       \
      if (r->p->interleaved)                                                                              \
        for (int64_t k = 0; k < n; k++) {                                                                 \
          const T a = x[2 * k], b = x[2 * k + 1];                                                         \
          y[2 * k] = a * c[k] - b * s[k];                                                                 \
          y[2 * k + 1] = b * c[k] + a * s[k];                                                             \
        }                                                                                                 \
      else                                                                                                \
        IVDEP for (int64_t k = 0; k < n; k++) {                                                           \
          const T a = x[k], b = x[n + k];                                                                 \
          y[k] = a * c[k] - b * s[k];                                                                     \
          y[n + k] = b * c[k] + a * s[k];                                                                 \
        }                                                                                                 \
      for (int64_t k = 2 * n; k < width; k++) y[k] = x[k];                                                \
    }                                                                                                     \
  }
EACH_FLOAT(ROTARY)

static RotaryRun run_of(const Query *q, void *table) {
  return (RotaryRun){ .p = q->params, .z = sizes_of(q), .table = table };
}

static Status fill(DType dtype, RotaryRun *r) {
  return run_parallel(r->z.rows, 64, dtype == DT_FLOAT64 ? fill_f64 : fill_f32, r);
}

/* Without given positions the table depends only on the type, so it is the plan. */
static Status rotary_workspace(const Query *q, Workspace *w) {
  if (((const RotaryParams *)q->params)->use_positions) {
    w->bytes = table_bytes(q);
    return OK;
  }
  RotaryRun r = run_of(q, kernel_plan(w, table_bytes(q)));
  return r.table ? fill(query_in(q, ROTARY_DATA)->dtype, &r) : w->status;
}

static Status rotary_embedding(Call *c) {
  const RotaryParams *p = c->params;
  const Query q = query_of_call(c);
  RotaryRun r = run_of(&q, p->use_positions ? c->workspace : (void *)c->plan);
  r.x = c->in[ROTARY_DATA]->data;
  r.y = c->out[0]->data;
  if (p->use_positions) {
    r.positions = c->in[ROTARY_POSITIONS];
    TRY(fill(c->out[0]->type.dtype, &r));
  }
  if (tensor_size(c->out[0]) == 0) return OK;
  return run_parallel(r.z.outer * r.z.tokens, 8192 / r.z.width + 1, c->kernel->body, &r);
}

const Kernel rotary_embedding_kernels[] = {
  FLOAT_KERNELS("_contrib_rotary_embedding", rotary_embedding, turn, .workspace = rotary_workspace), { 0 }
};
