/* recurrence_kernels.c - linear recurrences, from either end.
**
** Each line is one chain, in the order of its elements. The running value of float32 is a double.
*/
#include "kernels/kernel_registry.h"
#include "kernels/loops/axis_blocks.h"
#include "ops/reduce/recurrence.h"

typedef struct Recurrence { const void *term, *factor; void *out; Along along; bool reverse; } Recurrence;

#define RECURRENCE_IN(T, wide, suffix)                                                                        \
  static void recurrence_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const Recurrence *s = context;                                                                            \
    const int64_t n = s->along.n, inner = s->along.inner;                                                     \
    wide run[ALONG_COLUMNS];                                                                                  \
    for (int64_t k = 0; k < n; k++) {                                                                         \
      const int64_t at = (outer * n + (s->reverse ? n - 1 - k : k)) * inner + column;                         \
      const T *term = (const T *)s->term + at, *factor = (const T *)s->factor + at;                           \
      T *out = (T *)s->out + at;                                                                              \
      for (int64_t l = 0; l < count; l++) {                                                                   \
        run[l] = k == 0 ? (wide)term[l] : (wide)(term[l] + factor[l] * run[l]);                               \
        out[l] = (T)run[l];                                                                                   \
      }                                                                                                       \
    }                                                                                                         \
  }                                                                                                           \
  static void recurrence_row_##suffix(const void *context, int64_t outer) {                                   \
    recurrence_columns_##suffix(context, outer, 0, 1);                                                        \
  }
RECURRENCE_IN(float, double, f32)
RECURRENCE_IN(double, double, f64)
RECURRENCE_IN(uint8_t, uint8_t, u8)
RECURRENCE_IN(int8_t, int8_t, i8)
RECURRENCE_IN(int32_t, uint32_t, i32)        /* unsigned, so that an overflow wraps */
RECURRENCE_IN(int64_t, uint64_t, i64)

static Status recurrence(Call *c) {
  const RecurrenceParams *p = c->params;
  Recurrence s = { c->in[0]->data, c->in[1]->data, c->out[0]->data, { 0 }, p->reverse };
  TRY(along_axis(c->op->name, &c->in[0]->type.shape, p->axis, &s.along));
  return along_call(c, &s.along, &s);
}

#define KERNEL(code, suffix) ALONG_KERNEL("_linear_recurrence", code, recurrence, recurrence, suffix)

const Kernel recurrence_kernels[] = {
  KERNEL(DT_FLOAT32, f32),
  KERNEL(DT_FLOAT64, f64),
  KERNEL(DT_UINT8, u8),
  KERNEL(DT_INT8, i8),
  KERNEL(DT_INT32, i32),
  KERNEL(DT_INT64, i64),
  { 0 },
};
