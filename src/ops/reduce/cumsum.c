/* cumsum.c - cumsum: each element plus all before it along an axis.
**
** The running result of floats is kept in double. Sums of float32 along the last axis go by groups of 16, whose
** own running sums take four additions of whole vectors; so the order depends on the place alone. Along another axis a
** block of columns is walked row by row.
*/
#include "base/threads/parallel_for.h"
#include "kernels/loops/axis_blocks.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

typedef struct ScanParams { int64_t axis, dtype; } ScanParams;
typedef struct CumsumGradParams { int64_t axis; } CumsumGradParams;

typedef struct Scan {
  const Tensor *in;
  Tensor *out;
  Along along;
  bool back;                 /* from the end */
} Scan;

enum { GROUP = 16, STRETCH = 1024 };

/* ---- Rows of float32, in groups ------------------------------------------------------------------------ */

typedef float Floats __attribute__((vector_size(4 * GROUP)));
typedef double Half __attribute__((vector_size(4 * GROUP)));
typedef float HalfFloats __attribute__((vector_size(2 * GROUP)));

/* Lanes of zeros, 0 to 15, and of x, from 16 on; and half of v. gcc 11 has no __builtin_shufflevector. */
#if __has_builtin(__builtin_shufflevector)
#define LANES_OF(x, ...) __builtin_shufflevector((Floats){ 0 }, x, __VA_ARGS__)
#define LOW_HALF(v) __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH_HALF(v) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)
#else
typedef int32_t Lanes __attribute__((vector_size(4 * GROUP)));
#define LANES_OF(x, ...) __builtin_shuffle((Floats){ 0 }, x, (Lanes){ __VA_ARGS__ })
#define LOW_HALF(v) half_of(&(v), 0)
#define HIGH_HALF(v) half_of(&(v), 1)
static inline HalfFloats half_of(const Floats *v, int which) {
  HalfFloats half;
  __builtin_memcpy(&half, (const char *)v + which * (int)sizeof half, sizeof half);
  return half;
}
#endif

/* The running sums of a group: each lane plus the one 1, 2, 4 and 8 before it. */
static inline void group_sums(Floats *v) {
  Floats x = *v;
  x += LANES_OF(x, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
  x += LANES_OF(x, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
  x += LANES_OF(x, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
  x += LANES_OF(x, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23);
  *v = x;
}

static double sum_groups(const float *x, int64_t n, double sum, float *out) {
  for (int64_t i = 0; i < n; i += GROUP) {
    Floats v;
    __builtin_memcpy(&v, x + i, sizeof v);
    group_sums(&v);
    HalfFloats low = LOW_HALF(v), high = HIGH_HALF(v);
    low = __builtin_convertvector(__builtin_convertvector(low, Half) + sum, HalfFloats);
    high = __builtin_convertvector(__builtin_convertvector(high, Half) + sum, HalfFloats);
    __builtin_memcpy(out + i, &low, sizeof low);
    __builtin_memcpy(out + i + GROUP / 2, &high, sizeof high);
    sum += (double)v[GROUP - 1];
  }
  return sum;
}

/* ---- Lines, from either end ------------------------------------------------------------------------------ */

#define SCAN_ADD(x, y) ((x) + (y))

/* A row goes through a buffer of the output's dtype; `wide` holds the running result. */
#define SCAN(kind, start, T, wide, code, groups)                                                              \
  static void kind##_row_##code(const void *context, int64_t outer) {                                         \
    const Scan *s = context;                                                                                  \
    const int64_t n = s->along.n;                                                                             \
    const DType from = s->in->type.dtype;                                                                     \
    const size_t size = dtype_size(from);                                                                     \
    const char *x = (const char *)s->in->data + (size_t)(outer * n) * size;                                   \
    T *out = (T *)s->out->data + outer * n;                                                                   \
    wide run = start;                                                                                         \
    T buffer[STRETCH];                                                                                        \
    for (int64_t done = 0; done < n && !interrupted(); done += STRETCH) {                                     \
      const int64_t m = n - done < STRETCH ? n - done : STRETCH, at = s->back ? n - done - m : done;          \
      const T *piece = (const T *)(x + (size_t)at * size);                                                    \
      if (from != code) convert(from, x + (size_t)at * size, code, buffer, m), piece = buffer;                \
      int64_t i = 0;                                                                                          \
      if (s->back) {                                                                                          \
        for (i = m - 1; i >= 0; i--) out[at + i] = (T)(run = SCAN_##kind(run, (wide)piece[i]));               \
        continue;                                                                                             \
      }                                                                                                       \
      groups                                                                                                  \
      for (; i < m; i++) out[at + i] = (T)(run = SCAN_##kind(run, (wide)piece[i]));                           \
    }                                                                                                         \
  }                                                                                                           \
  static void kind##_columns_##code(const void *context, int64_t outer, int64_t column, int64_t count) {      \
    const Scan *s = context;                                                                                  \
    const DType from = s->in->type.dtype;                                                                     \
    const size_t size = dtype_size(from);                                                                     \
    wide run[ALONG_COLUMNS];                                                                                  \
    T buffer[ALONG_COLUMNS];                                                                                  \
    for (int64_t l = 0; l < count; l++) run[l] = start;                                                       \
    for (int64_t k = 0; k < s->along.n; k++) {                                                                \
      const int64_t i = s->back ? s->along.n - 1 - k : k, at = (outer * s->along.n + i) * s->along.inner + column; \
      const char *x = (const char *)s->in->data + (size_t)at * size;                                          \
      const T *piece = (const T *)x;                                                                          \
      T *out = (T *)s->out->data + at;                                                                        \
      if (from != code) convert(from, x, code, buffer, count), piece = buffer;                                \
      for (int64_t l = 0; l < count; l++) out[l] = (T)(run[l] = SCAN_##kind(run[l], (wide)piece[l]));         \
    }                                                                                                         \
  }
#define SUM_GROUPS i = m / GROUP * GROUP; run = sum_groups(piece, i, run, out + at);
#define EACH_INTEGER_SCAN(kind, start)                                                                        \
  SCAN(kind, start, uint8_t, uint8_t, DT_UINT8, ) SCAN(kind, start, int8_t, int8_t, DT_INT8, )                \
  SCAN(kind, start, int32_t, int32_t, DT_INT32, ) SCAN(kind, start, int64_t, int64_t, DT_INT64, )
SCAN(ADD, 0, float, double, DT_FLOAT32, SUM_GROUPS)
SCAN(ADD, 0, double, double, DT_FLOAT64, )
EACH_INTEGER_SCAN(ADD, 0)

typedef struct CumsumKernels { AlongRow *row; AlongColumns *columns; } CumsumKernels;
#define KERNEL(kind, code) [code] = { kind##_row_##code, kind##_columns_##code }
#define KERNELS(kind)                                                                                         \
  { KERNEL(kind, DT_FLOAT32), KERNEL(kind, DT_FLOAT64), KERNEL(kind, DT_UINT8), KERNEL(kind, DT_INT8),        \
    KERNEL(kind, DT_INT32), KERNEL(kind, DT_INT64) }
static const CumsumKernels sums[N_DTYPES] = KERNELS(ADD);

static Status scan(Call *c, const CumsumKernels *kernels, int64_t axis, bool back) {
  Scan s = { c->in[0], c->out[0], { 1, tensor_size(c->in[0]), 1 }, back };
  if (axis != NONE) TRY(along_axis(c->op->name, &c->in[0]->type.shape, axis, &s.along));
  const CumsumKernels *k = &kernels[c->out[0]->type.dtype];
  return along_run(&s.along, k->row, k->columns, &s);
}

static Status cumsum_forward(Call *c) { return scan(c, sums, ((const ScanParams *)c->params)->axis, false); }
static Status cumsum_back_forward(Call *c) { return scan(c, sums, ((const CumsumGradParams *)c->params)->axis, true); }

/* ---- Inference and gradients --------------------------------------------------------------------------------- */

static Status infer_scan(Infer *f) {
  const ScanParams *p = f->params;
  const Shape *in = &f->in[0].shape;
  DType dtype = p->dtype != DT_UNKNOWN ? (DType)p->dtype : f->in[0].dtype == DT_BOOL ? DT_INT64 : f->in[0].dtype;
  Shape flat = { .ndim = 1, .dim = { UNKNOWN } };
  int axis;
  if (p->dtype == DT_FLOAT16 || p->dtype == DT_BOOL)
    return fail("dtype: expected float32, float64 or an integer, got %s", dtype_name(dtype));
  if (dtype == DT_FLOAT16)
    return fail("a: expected dtype float32, float64 or an integer, got float16; convert with astype");
  TRY(output_dtype(f, 0, dtype));
  if (in->ndim < 0) return OK;
  if (p->axis != NONE) {
    TRY(axis_normal(f->op->name, "axis", p->axis, in->ndim, &axis));
    return one_shape(f, 0, 0);
  }
  if (shape_known(in)) flat.dim[0] = shape_size(in);
  return output_shape(f, 0, &flat);
}

/* g, in the shape and dtype of the array that was scanned. */
static Entry like_input(Builder *b, Entry g, const Type *in) {
  if (b->status != OK || !g.node) return g;
  if (!shape_equal(&entry_type(g)->shape, &in->shape)) g = reshape_to(b, g, &in->shape);
  if (entry_type(g)->dtype != in->dtype) g = build_op(b, "Cast", &(DTypeParams){ in->dtype }, 1, g);
  return g;
}

static Status cumsum_grad(Gradient *d) {
  const ScanParams *p = (const ScanParams *)d->node->params->fields;
  CumsumGradParams back = { p->axis };
  d->in_grad[0] = like_input(d->b, build_op(d->b, "_backward_cumsum", &back, 1, d->out_grad[0]),
                             entry_type(d->node->in[0]));
  return d->b->status;
}

static Status cumsum_back_grad(Gradient *d) {
  ScanParams p = { ((const CumsumGradParams *)d->node->params->fields)->axis, DT_UNKNOWN };
  d->in_grad[0] = like_input(d->b, build_op(d->b, "_np_cumsum", &p, 1, d->out_grad[0]), entry_type(d->node->in[0]));
  return d->b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define PARAMS                                                                    \
  "axis int? None The axis; None: the flattened array.\n"                         \
  "dtype dtype? None The element type to compute in; None: a's, int64 for bool.\n"

/* clang-format off */
Op scan_ops[] = {
  { .name = "_np_cumsum", .aliases = "cumsum",
    .doc = "The sum of each element and all before it along an axis; of float32 rounded from double", .inputs = "a",
    .example = "F.cumsum(F.array{{1, 2, 3}, {4, 5, 6}})\nF.cumsum(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = 1})\n"
               "F.cumsum(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = 0, dtype = \"float64\"})",
    .params = PARAMS, .params_size = sizeof(ScanParams), .infer = infer_scan, .forward = cumsum_forward,
    .grad = cumsum_grad },
  { .name = "_backward_cumsum", .doc = "The sum of each element and all after it along an axis", .inputs = "g",
    .params = "axis int? None The axis; None: g is flat.\n", .params_size = sizeof(CumsumGradParams),
    .flags = OP_INTERNAL,
    .infer = infer_same_type, .forward = cumsum_back_forward, .grad = cumsum_back_grad },
  { 0 }
};
/* clang-format on */
