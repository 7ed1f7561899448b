/* dtype.h - the element types. Their numbers are MXNet's codes, as in files.
**
** A new type also needs conversions (cast_copy.c), loops (kernels/loops/elementwise_loops.h), scalar functions
** (base/math/scalar_functions.h), and its code in the file formats that support it.
*/
#ifndef HL_TENSOR_DTYPE_H
#define HL_TENSOR_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum DType {
  DT_UNKNOWN = -1,
  DT_FLOAT32 = 0,
  DT_FLOAT64,
  DT_FLOAT16,
  DT_UINT8,
  DT_INT32,
  DT_INT8,
  DT_INT64,
  DT_BOOL,
  N_DTYPES
} DType;

size_t dtype_size(DType t);             /* bytes of one element */
const char *dtype_name(DType t);        /* "float32", ...; "unknown" */
const char *dtype_c_name(DType t);      /* the C type: "float", "int64_t", ... */
DType dtype_from_name(const char *name, size_t length);  /* DT_UNKNOWN if there is none */

/* The end of the error for an unknown name: "; did you mean 'int32'?" for another library's name or a misspelling; or
** the reason why there is no such dtype; or "". */
const char *dtype_advice(const char *name);
#define DTYPE_NAMES "float32, float64, float16, int8, int32, int64, uint8 or bool"

bool dtype_holds(DType t, double x);    /* integer types: is x an integer in range? bool: any number */

static inline bool dtype_is_float(DType t) { return t == DT_FLOAT32 || t == DT_FLOAT64 || t == DT_FLOAT16; }

/* float16 is storage only: 1 sign, 5 exponent, 10 fraction bits (IEEE 754 binary16). */
uint16_t half_from_float(float x);      /* to nearest, ties to even */
float half_to_float(uint16_t h);

/* X(code, C type, suffix): the dtypes in which kernels with their own loops compute. */
#define EACH_FLOAT(X) X(DT_FLOAT32, float, f32) X(DT_FLOAT64, double, f64)

/* The same for integers, too. */
#define EACH_NUMBER(X)                                                                          \
  EACH_FLOAT(X) X(DT_INT32, int32_t, i32) X(DT_INT64, int64_t, i64) X(DT_INT8, int8_t, i8)      \
  X(DT_UINT8, uint8_t, u8)

/* X(code, C type): all dtypes whose elements are C numbers. */
#define EACH_C_DTYPE(X)                                                             \
  X(DT_FLOAT32, float) X(DT_FLOAT64, double) X(DT_UINT8, uint8_t) X(DT_INT32, int32_t) \
  X(DT_INT8, int8_t) X(DT_INT64, int64_t) X(DT_BOOL, bool)

/* Does float32 round the integer? Fails with an error that says so, and what to write. */
static inline bool rounds_in_float32(int64_t n) {
  if (n >= -(1 << 24) && n <= 1 << 24) return false;
  const float x = (float)n;
  return x >= 0x1p63f || (int64_t)x != n;
}
Status fail_rounded(int64_t n);

#endif
