/* same_values.c - see same_values.h. Stretches are compared by memcmp; only a stretch with a difference is compared
** element by element. */
#include "tensor/same_values.h"

#include <string.h>

enum { STRETCH = 4096 };      /* elements */

/* Is an element a NaN? By its bits: the exponent is all ones, the fraction nonzero. */
static bool is_nan(DType dtype, const char *element) {
  uint16_t h;
  uint32_t f;
  uint64_t d;
  switch (dtype) {
    case DT_FLOAT16: memcpy(&h, element, sizeof h); return (h & 0x7FFF) > 0x7C00;
    case DT_FLOAT32: memcpy(&f, element, sizeof f); return (f & 0x7FFFFFFF) > 0x7F800000;
    case DT_FLOAT64: memcpy(&d, element, sizeof d); return (d & INT64_MAX) > (uint64_t)0x7FF << 52;
    default: return false;
  }
}

static bool same_element(DType dtype, const char *a, const char *b) {
  return memcmp(a, b, dtype_size(dtype)) == 0 || (is_nan(dtype, a) && is_nan(dtype, b));
}

int64_t tensor_difference(const Tensor *a, const Tensor *b, int64_t from) {
  DType dtype = a->type.dtype;
  size_t size = dtype_size(dtype);
  int64_t n = tensor_size(a);
  while (from < n) {
    int64_t end = n - from < STRETCH ? n : from + STRETCH;
    const char *x = (const char *)a->data + (size_t)from * size, *y = (const char *)b->data + (size_t)from * size;
    if (memcmp(x, y, (size_t)(end - from) * size) == 0) {
      from = end;
      continue;
    }
    for (; from < end; from++, x += size, y += size)
      if (!same_element(dtype, x, y)) return from;
  }
  return n;
}

bool tensor_same(const Tensor *a, const Tensor *b) {
  return type_equal(&a->type, &b->type) && tensor_difference(a, b, 0) == tensor_size(a);
}
