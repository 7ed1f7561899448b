/* scalar_bits.h - the bits of numbers, polynomials, and floats as integers.
**
** The basis of the scalar functions, in C99; eager kernels, generated kernels and exported C compile this same text.
** Converting a float that the integer type cannot hold is undefined in C and differs among processors: hl_to_int32 and
** hl_to_int64 define it here.
*/
#ifndef HL_BASE_MATH_SCALAR_BITS_H
#define HL_BASE_MATH_SCALAR_BITS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Inlined always, and if it pays. */
#ifdef __GNUC__
#define HL_INLINE static inline __attribute__((always_inline, unused))
#define HL_FUNCTION static inline __attribute__((unused))
#else
#define HL_INLINE static inline
#define HL_FUNCTION static inline
#endif

/* Products and sums are rounded one by one: clang needs the pragma, gcc with -std=c99 does not. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

/* Precedes a loop with independent iterations. clang would warn about each one that it cannot vectorise. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define IVDEP _Pragma("clang loop vectorize(assume_safety)")
#elif defined __GNUC__
#define IVDEP _Pragma("GCC ivdep")
#else
#define IVDEP
#endif

/* Polynomials keep their rows of coefficients, and one-line functions their line. */
/* clang-format off */

/* ---- Bits --------------------------------------------------------------------------------- */

HL_INLINE float hl_from_bits(uint32_t i) { float f; memcpy(&f, &i, 4); return f; }
HL_INLINE uint32_t hl_bits(float f) { uint32_t i; memcpy(&i, &f, 4); return i; }
HL_INLINE double hl_from_bits64(uint64_t i) { double f; memcpy(&f, &i, 8); return f; }
HL_INLINE uint64_t hl_bits64(double f) { uint64_t i; memcpy(&i, &f, 8); return i; }

/* yes or no, selected by masks: gcc 12 does not vectorise ?: with a loop-invariant condition, as in log(s) and power(s,
** a) with a scalar s. */
HL_INLINE double hl_select64(bool condition, double yes, double no) {
  uint64_t mask = 0 - (uint64_t)condition;
  return hl_from_bits64((hl_bits64(yes) & mask) | (hl_bits64(no) & ~mask));
}
HL_INLINE float hl_select32(bool condition, float yes, float no) {
  uint32_t mask = 0 - (uint32_t)condition;
  return hl_from_bits((hl_bits(yes) & mask) | (hl_bits(no) & ~mask));
}

/* ---- Floats as integers --------------------------------------------------------------------- */

/* Truncates. NaN and values out of range become the smallest integer, as on x86; 8-bit integers are the low bits of
** hl_to_int32. */
HL_INLINE int64_t hl_to_int64(double x) { return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN; }
HL_INLINE int32_t hl_to_int32(double x) { return x > -0x1p31 - 1 && x < 0x1p31 ? (int32_t)x : INT32_MIN; }

/* ---- Polynomials -------------------------------------------------------------------------- */

/* Horner's scheme, the highest coefficient first: HL_POLYn(HL_F32 or HL_F64, x, n coefficients). */
#define HL_F32 fmaf
#define HL_F64 fma
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
