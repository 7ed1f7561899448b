/* cumsum_kernels.c - cumsum, from either end.
**
** The running sum of floats is a double. float32 sums along the last axis add groups of 16, whose own running sums take
** four vector additions, so that the order of additions depends only on the position. Along other axes a block of
** columns is summed row by row.
*/
#include "kernels/kernel_registry.h"
#include "kernels/loops/axis_blocks.h"
#include "ops/reduce/cumsum.h"
#include "tensor/cast_copy.h"

typedef struct Scan {
  const Tensor *in;
  Tensor *out;
  Along along;
  bool back;                 /* from the end to the beginning */
} Scan;

enum { GROUP = 16, STRETCH = 1024 };

/* ---- Rows of float32, in groups ------------------------------------------------------------------------ */

typedef float Floats __attribute__((vector_size(4 * GROUP)));
typedef double Half __attribute__((vector_size(4 * GROUP)));
typedef float HalfFloats __attribute__((vector_size(2 * GROUP)));

/* LANES_OF selects lanes: 0 to 15 are zeros, 16 to 31 are x. LOW_HALF and HIGH_HALF split v. gcc 11 lacks
** __builtin_shufflevector. */
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

/* The running sums of a group: each lane plus the lanes 1, 2, 4 and 8 before it. */
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

/* Elements of another dtype are converted in a buffer; `wide` is the type of the running sum. */
#define SCAN(T, wide, code, groups)                                                                           \
  static void row_##code(const void *context, int64_t outer) {                                         \
    const Scan *s = context;                                                                                  \
    const int64_t n = s->along.n;                                                                             \
    const DType from = s->in->type.dtype;                                                                     \
    const size_t size = dtype_size(from);                                                                     \
    const char *x = (const char *)s->in->data + (size_t)(outer * n) * size;                                   \
    T *out = (T *)s->out->data + outer * n;                                                                   \
    wide run = 0;                                                                                         \
    T buffer[STRETCH];                                                                                        \
    for (int64_t done = 0; done < n && !interrupted(); done += STRETCH) {                                     \
      const int64_t m = n - done < STRETCH ? n - done : STRETCH, at = s->back ? n - done - m : done;          \
      const T *piece = (const T *)(x + (size_t)at * size);                                                    \
      if (from != code) convert(from, x + (size_t)at * size, code, buffer, m), piece = buffer;                \
      int64_t i = 0;                                                                                          \
      if (s->back) {                                                                                          \
        for (i = m - 1; i >= 0; i--) out[at + i] = (T)(run = run + (wide)piece[i]);               \
        continue;                                                                                             \
      }                                                                                                       \
      groups                                                                                                  \
      for (; i < m; i++) out[at + i] = (T)(run = run + (wide)piece[i]);                           \
    }                                                                                                         \
  }                                                                                                           \
  static void columns_##code(const void *context, int64_t outer, int64_t column, int64_t count) {      \
    const Scan *s = context;                                                                                  \
    const DType from = s->in->type.dtype;                                                                     \
    const size_t size = dtype_size(from);                                                                     \
    wide run[ALONG_COLUMNS];                                                                                  \
    T buffer[ALONG_COLUMNS];                                                                                  \
    for (int64_t l = 0; l < count; l++) run[l] = 0;                                                       \
    for (int64_t k = 0; k < s->along.n; k++) {                                                                \
      const int64_t i = s->back ? s->along.n - 1 - k : k, at = (outer * s->along.n + i) * s->along.inner + column; \
      const char *x = (const char *)s->in->data + (size_t)at * size;                                          \
      const T *piece = (const T *)x;                                                                          \
      T *out = (T *)s->out->data + at;                                                                        \
      if (from != code) convert(from, x, code, buffer, count), piece = buffer;                                \
      for (int64_t l = 0; l < count; l++) out[l] = (T)(run[l] = run[l] + (wide)piece[l]);         \
    }                                                                                                         \
  }
#define SUM_GROUPS i = m / GROUP * GROUP; run = sum_groups(piece, i, run, out + at);
SCAN(float, double, DT_FLOAT32, SUM_GROUPS)
SCAN(double, double, DT_FLOAT64, )
SCAN(uint8_t, uint8_t, DT_UINT8, )
SCAN(int8_t, int8_t, DT_INT8, )
SCAN(int32_t, int32_t, DT_INT32, )
SCAN(int64_t, int64_t, DT_INT64, )

typedef struct CumsumLoops { AlongRow *row; AlongColumns *columns; } CumsumLoops;

static Status scan(Call *c, int64_t axis, bool back) {
  Scan s = { c->in[0], c->out[0], { 1, tensor_size(c->in[0]), 1 }, back };
  const CumsumLoops *k = c->kernel->own;
  if (axis != NONE) TRY(along_axis(c->op->name, &c->in[0]->type.shape, axis, &s.along));
  return along_run(&s.along, k->row, k->columns, &s);
}

static Status cumsum(Call *c) { return scan(c, ((const ScanParams *)c->params)->axis, false); }
static Status cumsum_back(Call *c) { return scan(c, ((const CumsumGradParams *)c->params)->axis, true); }

#define KERNEL(row, code, function) \
  { .op = row, .types = ONE_TYPE(code), .run = function, .own = &(const CumsumLoops){ row_##code, columns_##code }, \
    BLOCK_SIZES(GROUP, STRETCH) },
#define KERNELS(code, T, suffix) KERNEL("_np_cumsum", code, cumsum) KERNEL("_backward_cumsum", code, cumsum_back)

const Kernel cumsum_kernels[] = { EACH_NUMBER(KERNELS){ 0 } };
