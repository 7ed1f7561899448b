/* rotary_embedding.c - rotary_embedding: pairs of a token's elements rotated by angles that encode its position.
**
** Angles, cosines and sines are computed in double and rounded to the element type, in a table with one row per
** position. Without given positions the table depends only on the type, and is computed when the call is prepared. The
** gradient is the inverse rotation: the same row with `inverse`, differentiable to any order.
*/
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "ir/node_builder.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

typedef struct RotaryParams { double base, scale; int64_t dims, interleaved, use_positions, inverse; } RotaryParams;
enum { DATA, POSITIONS };

static int rotary_inputs(const Query *q) { return ((const RotaryParams *)q->params)->use_positions ? 2 : 1; }

static Status infer_rotary(Infer *f) {
  const RotaryParams *p = f->params;
  const Shape *data = &f->in[DATA].shape;
  if (!(p->base > 0) || !isfinite(p->base)) return fail("base: expected more than 0, got %g", p->base);
  if (!isfinite(p->scale)) return fail("scale: expected a finite number, got %g", p->scale);
  TRY(one_float_dtype(f, 1, 1));
  TRY(least_dims(f, DATA, 2));
  TRY(one_shape(f, DATA, 0));
  if (data->ndim < 0) return OK;
  const int64_t width = data->dim[data->ndim - 1], tokens = data->dim[data->ndim - 2];
  if (p->dims != NONE && (p->dims < 0 || p->dims % 2 || (width >= 0 && p->dims > width)))
    return fail("dims: expected an even number of at most the width of data %s, got %lld", shape_text(data),
                (long long)p->dims);
  if (p->dims == NONE && width >= 0 && width % 2)
    return fail("data: expected an even width, got shape %s", shape_text(data));
  if (!p->use_positions) return OK;
  const Shape *s = &f->in[POSITIONS].shape;
  if (s->ndim == 2 && data->ndim > 2) return input_shape(f, POSITIONS, &(Shape){ 2, { data->dim[0], tokens } });
  if (s->ndim < 0 || s->ndim == 1) return input_shape(f, POSITIONS, &(Shape){ 1, { tokens } });
  return fail("positions: expected shape (tokens,) or (batch, tokens) of data %s, got %s", shape_text(data),
              shape_text(s));
}

/* rows: table rows; pairs: rotated pairs per token; width: elements per token. */
typedef struct Sizes { int64_t rows, pairs, width, tokens, outer, batch; } Sizes;

static Sizes sizes_of(const Query *q) {
  const RotaryParams *p = q->params;
  const Shape *s = &query_in(q, DATA)->shape;
  Sizes z = { .width = s->dim[s->ndim - 1],
              .tokens = s->dim[s->ndim - 2],
              .outer = shape_size_range(s, 0, s->ndim - 2) };
  const bool each = p->use_positions && query_in(q, POSITIONS)->shape.ndim == 2;
  z.batch = each ? s->dim[0] : 1;
  z.rows = z.batch * z.tokens;
  z.pairs = (p->dims == NONE ? z.width : p->dims) / 2;
  return z;
}

static size_t table_bytes(const Query *q) {
  const Sizes z = sizes_of(q);
  return (size_t)(2 * z.rows * z.pairs) * dtype_size(query_in(q, DATA)->dtype);
}

static bool positions_given(const Query *q) { return ((const RotaryParams *)q->params)->use_positions; }
static size_t rotary_prepared(const Query *q) { return positions_given(q) ? 0 : table_bytes(q); }
static size_t rotary_scratch(const Query *q) { return positions_given(q) ? table_bytes(q) : 0; }

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

static RotaryRun run_of(Call *c, void *table) {
  const Query q = query_of_call(c);
  return (RotaryRun){ .p = c->params,
                      .z = sizes_of(&q),
                      .positions = c->n_in > 1 ? c->in[POSITIONS] : NULL,
                      .x = c->in[DATA]->data,
                      .y = c->out[0]->data,
                      .table = table };
}

static Status fill(const Call *c, RotaryRun *r) { return run_parallel(r->z.rows, 64, BY_DTYPE(c, fill), r); }

static Status rotary_prepare(Call *c) {
  RotaryRun r = run_of(c, c->prepared);
  return r.p->use_positions ? OK : fill(c, &r);
}

static Status rotary_forward(Call *c) {
  const RotaryParams *p = c->params;
  RotaryRun r = run_of(c, p->use_positions ? c->workspace : c->prepared);
  if (p->use_positions) TRY(fill(c, &r));
  if (tensor_size(c->out[0]) == 0) return OK;
  return run_parallel(r.z.outer * r.z.tokens, 8192 / r.z.width + 1, BY_DTYPE(c, turn), &r);
}

static Status rotary_grad(Gradient *d) {
  RotaryParams p = *(const RotaryParams *)gradient_params(d);
  Entry in[2] = { d->out_grad[0] };
  p.inverse = !p.inverse;
  if (d->node->n_in > 1) in[1] = d->node->in[POSITIONS];
  return only_gradient(d, build_op_list(d->b, "_contrib_rotary_embedding", &p, d->node->n_in, in));
}

static double rotary_flops(const Query *q) { return 3 * (double)shape_size(&query_in(q, DATA)->shape); }

/* clang-format off */
Op rotary_ops[] = {
  { .name = "_contrib_rotary_embedding", .aliases = "contrib.rotary_embedding",
    .doc = "Rotates pair i of the elements of each token in data, (.., tokens, width), by the angle position scale "
           "base^(-2i / dims), so that products of two tokens depend on their distance (J. Su et al., RoFormer, 2021). "
           "A pair is elements i and i + dims / 2, or neighbours if interleaved. positions, (tokens) or (batch, "
           "tokens) of any dtype, are by default 0, 1, 2, ...",
    .example = "F.contrib.rotary_embedding(F.array{{{1, 2, 3, 4}, {0.5, -1, 2, 1}}})\n"
               "F.contrib.rotary_embedding(F.array{{{1, 2, 3, 4, 5}}, {{0.5, -1, 2, 1, 3}}}, "
               "{interleaved = true, dims = 4, "
               "base = 100, scale = 0.5, positions = F.array({{3}, {7}}, {dtype = \"int32\"})})\n"
               "F.contrib.rotary_embedding(F.array{{1, 2}, {3, 4}}, {positions = F.array({5, 6}, {dtype = \"int32\"}), "
               "inverse = true})",
    .inputs = "data positions",
    .params = "base float 10000 The base of the angles.\n"
              "scale float 1 Multiplies positions.\n"
              "dims int? None Number of a token's first elements to rotate; None: all.\n"
              "interleaved bool False Pair neighbours.\n"
              "use_positions bool False Are positions given? Set by calls that name them.\n"
              "inverse bool False Rotate by the negative angles.\n",
    .params_size = sizeof(RotaryParams), .n_inputs = rotary_inputs, .differentiable = 1 << DATA,
    .name_stem = "rotary_embedding",
    .infer = infer_rotary, .prepared = rotary_prepared, .prepare = rotary_prepare, .workspace = rotary_scratch,
    .forward = rotary_forward, .flops = rotary_flops, .grad = rotary_grad },
  { 0 }
};
/* clang-format on */
