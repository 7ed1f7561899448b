/* count_nonfinite.c - see count_nonfinite.h.
**
** An element is nonfinite if all bits of its exponent are set. Stretches are first tested as a whole, in loops that
** vectorize; only those with such an element are counted.
*/
#include "tensor/count_nonfinite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STRETCH = 1024 };

#define COUNT(name, Bits, EXPONENT)                                                       \
  static void name(const Bits *x, int64_t n, NotFinite *bad) {                            \
    for (int64_t begin = 0; begin < n; begin += STRETCH) {                                \
      int64_t end = n - begin < STRETCH ? n : begin + STRETCH;                            \
      Bits any = 0;                                                                       \
      for (int64_t i = begin; i < end; i++) any |= (x[i] & (EXPONENT)) == (EXPONENT);     \
      for (int64_t i = begin; any && i < end; i++) {                                      \
        if ((x[i] & (EXPONENT)) != (EXPONENT)) continue;                                  \
        if (bad->count++ == 0) bad->first = i;                                            \
      }                                                                                   \
    }                                                                                     \
  }

COUNT(count_16, uint16_t, 0x7C00)
COUNT(count_32, uint32_t, 0x7F800000)
COUNT(count_64, uint64_t, 0x7FF0000000000000)

NotFinite tensor_not_finite(const Tensor *t) {
  NotFinite bad = { 0, -1 };
  if (!t->data) return bad;
  switch (t->type.dtype) {
    case DT_FLOAT16: count_16(t->data, tensor_size(t), &bad); break;
    case DT_FLOAT32: count_32(t->data, tensor_size(t), &bad); break;
    case DT_FLOAT64: count_64(t->data, tensor_size(t), &bad); break;
    default: break;
  }
  return bad;
}

/* Writes the indices of element `at`: "[0, 2]". */
static void place_text(const Shape *s, int64_t at, char *to, size_t capacity) {
  int64_t place[MAX_DIMS];
  size_t used = (size_t)snprintf(to, capacity, "[");
  for (int i = s->ndim - 1; i >= 0; i--) {
    place[i] = at % s->dim[i];
    at /= s->dim[i];
  }
  for (int i = 0; i < s->ndim && used < capacity; i++)
    used += (size_t)snprintf(to + used, capacity - used, "%s%lld", i ? ", " : "", (long long)place[i]);
  if (used < capacity) snprintf(to + used, capacity - used, "]");
}

void not_finite_text(const Tensor *t, NotFinite bad, char *to, size_t capacity) {
  char place[256];
  const double value = tensor_get(t, bad.first);
  const int64_t n = tensor_size(t);
  place_text(&t->type.shape, bad.first, place, sizeof place);
  snprintf(to, capacity, "%lld of %lld element%s %s not finite, first %s at %s", (long long)bad.count, (long long)n,
           n == 1 ? "" : "s", bad.count == 1 ? "is" : "are",
           isnan(value) ? "nan"
           : value > 0  ? "inf"
                        : "-inf",
           place);
}
