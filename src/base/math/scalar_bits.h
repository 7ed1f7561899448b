/* scalar_bits.h - the bits of numbers, polynomials, and floats as integers.
**
** The ground under the functions of one number; eager kernels and generated kernels compile
** this one text. C leaves undefined what a float becomes that an integer cannot hold, and
** processors differ: hl_to_int32 and hl_to_int64 are what it becomes here, everywhere.
*/
#ifndef HL_BASE_MATH_SCALAR_BITS_H
#define HL_BASE_MATH_SCALAR_BITS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HL_INLINE static inline __attribute__((always_inline, unused))

/* Before a loop whose iterations are independent. clang would warn of each loop that
** it then cannot vectorise. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define IVDEP _Pragma("GCC ivdep")
#endif

/* Polynomials keep their rows of numbers, and functions of one line their line. */
/* clang-format off */

/* ---- Bits --------------------------------------------------------------------------------- */

HL_INLINE float hl_from_bits(uint32_t i) { float f; memcpy(&f, &i, 4); return f; }
HL_INLINE uint32_t hl_bits(float f) { uint32_t i; memcpy(&i, &f, 4); return i; }
HL_INLINE double hl_from_bits64(uint64_t i) { double f; memcpy(&f, &i, 8); return f; }
HL_INLINE uint64_t hl_bits64(double f) { uint64_t i; memcpy(&i, &f, 8); return i; }

/* yes or no by masks: gcc 12 does not vectorise ?: where the condition stays the same in
** the loop, as it does in log(s) and power(s, a) of a scalar s. */
HL_INLINE double hl_select64(bool condition, double yes, double no) {
  uint64_t mask = 0 - (uint64_t)condition;
  return hl_from_bits64((hl_bits64(yes) & mask) | (hl_bits64(no) & ~mask));
}
HL_INLINE float hl_select32(bool condition, float yes, float no) {
  uint32_t mask = 0 - (uint32_t)condition;
  return hl_from_bits((hl_bits(yes) & mask) | (hl_bits(no) & ~mask));
}

/* ---- Floats as integers --------------------------------------------------------------------- */

/* Cut towards 0. NaN and what is out of range become the least integer, as x86's instructions have
** it; integers of 8 bits are the lower bits of hl_to_int32's. */
HL_INLINE int64_t hl_to_int64(double x) { return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN; }
HL_INLINE int32_t hl_to_int32(double x) { return x > -0x1p31 - 1 && x < 0x1p31 ? (int32_t)x : INT32_MIN; }

/* A number as the C type T; and in the type of the loop. */
#define HL_FROM_FLOAT(T, x) \
  _Generic((T)0, float: (x), double: (x), bool: (x), int64_t: hl_to_int64(x), default: hl_to_int32(x))
#define HL_AS(T, x) ((T)_Generic((x), float: HL_FROM_FLOAT(T, x), double: HL_FROM_FLOAT(T, x), default: (x)))
#define HL_REAL(x) HL_AS(real, x)

/* ---- Polynomials -------------------------------------------------------------------------- */

/* Horner's scheme, the highest coefficient first: HL_POLYn(HL_F32 or HL_F64, x, n coefficients). */
#define HL_F32 __builtin_fmaf
#define HL_F64 __builtin_fma
#define HL_POLY2(fma, x, a, b) fma(a, x, b)
#define HL_POLY3(fma, x, a, b, ...) HL_POLY2(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY4(fma, x, a, b, ...) HL_POLY3(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY5(fma, x, a, b, ...) HL_POLY4(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY6(fma, x, a, b, ...) HL_POLY5(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY7(fma, x, a, b, ...) HL_POLY6(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY8(fma, x, a, b, ...) HL_POLY7(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY9(fma, x, a, b, ...) HL_POLY8(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY10(fma, x, a, b, ...) HL_POLY9(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY11(fma, x, a, b, ...) HL_POLY10(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY12(fma, x, a, b, ...) HL_POLY11(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY13(fma, x, a, b, ...) HL_POLY12(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY14(fma, x, a, b, ...) HL_POLY13(fma, x, fma(a, x, b), __VA_ARGS__)
#define HL_POLY15(fma, x, a, b, ...) HL_POLY14(fma, x, fma(a, x, b), __VA_ARGS__)

/* clang-format on */

#endif
