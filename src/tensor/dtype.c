/* dtype.c - names and sizes of the element types, and float16's bits. */
#include "tensor/dtype.h"

#include <math.h>
#include <string.h>

static const struct { const char *name, *c_name; size_t size; } dtypes[N_DTYPES] = {
  [DT_FLOAT32] = { "float32", "float", 4 },  [DT_FLOAT64] = { "float64", "double", 8 },
  [DT_FLOAT16] = { "float16", "uint16_t", 2 }, [DT_UINT8] = { "uint8", "uint8_t", 1 },
  [DT_INT32] = { "int32", "int32_t", 4 },    [DT_INT8] = { "int8", "int8_t", 1 },
  [DT_INT64] = { "int64", "int64_t", 8 },    [DT_BOOL] = { "bool", "bool", 1 },
};

size_t dtype_size(DType t) { return t < 0 ? 0 : dtypes[t].size; }
const char *dtype_name(DType t) { return t < 0 ? "unknown" : dtypes[t].name; }
const char *dtype_c_name(DType t) { return t < 0 ? "void" : dtypes[t].c_name; }

DType dtype_from_name(const char *name, size_t length) {
  for (int t = 0; t < N_DTYPES; t++)
    if (strlen(dtypes[t].name) == length && memcmp(dtypes[t].name, name, length) == 0) return (DType)t;
  return DT_UNKNOWN;
}

uint16_t half_from_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return sign | 0x7E00u;             /* NaN */
  if (magnitude >= 0x477FF000u) return sign | 0x7C00u;            /* rounds to infinity */
  if (magnitude < 0x33000001u) return sign;                       /* rounds to zero */
  if (magnitude < 0x38800000u) {                                  /* subnormal in half */
    uint32_t shift = 126 - (magnitude >> 23);
    uint32_t fraction = (magnitude & 0x7FFFFFu) | 0x800000u;
    uint32_t half = fraction >> shift, rest = fraction & ((1u << shift) - 1), tie = 1u << (shift - 1);
    if (rest > tie || (rest == tie && (half & 1))) half++;
    return sign | (uint16_t)half;
  }
  uint32_t half = (magnitude - 0x38000000u) >> 13, rest = magnitude & 0x1FFFu;
  if (rest > 0x1000u || (rest == 0x1000u && (half & 1))) half++;
  return sign | (uint16_t)half;
}

float half_to_float(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000u) << 16, exponent = h >> 10 & 31u, fraction = h & 0x3FFu, bits;
  if (exponent == 31) {
    bits = sign | 0x7F800000u | fraction << 13;
  } else if (exponent == 0) {
    float value = (float)fraction * 0x1p-24f;
    return sign ? -value : value;
  } else {
    bits = sign | (exponent + 112) << 23 | fraction << 13;
  }
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

bool dtype_holds(DType t, double x) {
  if (t == DT_BOOL) return true;
  const double beyond = ldexp(1, 8 * (int)dtype_size(t) - (t != DT_UINT8)), least = t == DT_UINT8 ? 0 : -beyond;
  return x >= least && x < beyond && x == (double)(int64_t)x;
}
