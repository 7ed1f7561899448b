/* simd.h - vectors as wide as those of the target processor, and the multiply-add that chains consist of.
**
** A multiply-add rounds once if the processor has the instruction (LANES_FUSED), in vectors and alone, else twice; all
** processors that have it give the same bits. LANES_VECTORS vectors by LANES_ROWS rows of sums fit in the registers.
*/
#ifndef HL_KERNELS_LOOPS_SIMD_H
#define HL_KERNELS_LOOPS_SIMD_H

#if defined __AVX512F__ || (defined __AVX2__ && defined __FMA__)
#include <immintrin.h>             /* first: it uses some of our names itself */
#endif

#include "base/math/scalar_functions.h"

#if defined __AVX512F__
#define LANES_WIDE 1
enum { LANES_BYTES = 64, LANES_VECTORS = 4 };
#elif defined __AVX2__ && defined __FMA__
enum { LANES_BYTES = 32, LANES_VECTORS = 2 };
#else
enum { LANES_BYTES = 16, LANES_VECTORS = 2 };      /* NEON; else plain C, exact but slow */
#endif

/* At any address. */
typedef float lanes_f32 __attribute__((vector_size(LANES_BYTES), aligned(4), may_alias));
typedef double lanes_f64 __attribute__((vector_size(LANES_BYTES), aligned(8), may_alias));

#if defined __FMA__ || defined __FP_FAST_FMAF || defined __ARM_FEATURE_FMA
#define MULTIPLY_ADD(a, b, c) FLOATS(a, __builtin_fmaf, __builtin_fma)(a, b, c)
enum { LANES_FUSED = 1 };
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
enum { LANES_FUSED = 0 };
#endif

#if defined __AVX512F__
HL_INLINE lanes_f32 lanes_multiply_add_f32(lanes_f32 a, float b, lanes_f32 c) {
  return (lanes_f32)_mm512_fmadd_ps((__m512)a, _mm512_set1_ps(b), (__m512)c);
}
HL_INLINE lanes_f64 lanes_multiply_add_f64(lanes_f64 a, double b, lanes_f64 c) {
  return (lanes_f64)_mm512_fmadd_pd((__m512d)a, _mm512_set1_pd(b), (__m512d)c);
}
#elif defined __AVX2__ && defined __FMA__
HL_INLINE lanes_f32 lanes_multiply_add_f32(lanes_f32 a, float b, lanes_f32 c) {
  return (lanes_f32)_mm256_fmadd_ps((__m256)a, _mm256_set1_ps(b), (__m256)c);
}
HL_INLINE lanes_f64 lanes_multiply_add_f64(lanes_f64 a, double b, lanes_f64 c) {
  return (lanes_f64)_mm256_fmadd_pd((__m256d)a, _mm256_set1_pd(b), (__m256d)c);
}
#else
HL_INLINE lanes_f32 lanes_multiply_add_f32(lanes_f32 a, float b, lanes_f32 c) {
  for (unsigned i = 0; i < sizeof c / sizeof b; i++) c[i] = MULTIPLY_ADD(a[i], b, c[i]);
  return c;
}
HL_INLINE lanes_f64 lanes_multiply_add_f64(lanes_f64 a, double b, lanes_f64 c) {
  for (unsigned i = 0; i < sizeof c / sizeof b; i++) c[i] = MULTIPLY_ADD(a[i], b, c[i]);
  return c;
}
#endif

/* sum += x * y. With 16 registers, gcc 12 would recompute sums in other registers and spill some to memory; inline
** assembly keeps each sum in its own. */
HL_INLINE void lanes_add_product_f32(lanes_f32 *sum, lanes_f32 x, float y) {
#if defined __AVX2__ && defined __FMA__ && !defined __AVX512F__
  const lanes_f32 each = (lanes_f32)_mm256_set1_ps(y);
  __asm__("vfmadd231ps %2, %1, %0" : "+x"(*sum) : "x"(x), "x"(each));
#else
  *sum = lanes_multiply_add_f32(x, y, *sum);
#endif
}

/* ---- Parts of vectors ------------------------------------------------------------------------------------- */

/* Lanes [from, end) of a vector of floats: others are read as 0 without memory access, and not written. */
#if defined __AVX512F__
typedef __mmask16 LanesPart;
HL_INLINE LanesPart lanes_part(int64_t from, int64_t end) {
  const uint32_t below = end <= 0 ? 0 : end >= 16 ? 0xffff : (1u << end) - 1;
  return (LanesPart)(from <= 0 ? below : from >= 16 ? 0 : below >> from << from);
}
HL_INLINE lanes_f32 lanes_load_part(LanesPart part, const float *x) {
  return (lanes_f32)_mm512_maskz_loadu_ps(part, x);
}
HL_INLINE void lanes_store_part(LanesPart part, lanes_f32 x, float *to) { _mm512_mask_storeu_ps(to, part, (__m512)x); }
#elif defined __AVX2__ && defined __FMA__
typedef __m256i LanesPart;
HL_INLINE LanesPart lanes_part(int64_t from, int64_t end) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const int low = from < 0 ? 0 : from > 8 ? 8 : (int)from, high = end < 0 ? 0 : end > 8 ? 8 : (int)end;
  const __m256i before = _mm256_cmpgt_epi32(_mm256_set1_epi32(low), lane);
  return _mm256_andnot_si256(before, _mm256_cmpgt_epi32(_mm256_set1_epi32(high), lane));
}
HL_INLINE lanes_f32 lanes_load_part(LanesPart part, const float *x) { return (lanes_f32)_mm256_maskload_ps(x, part); }
HL_INLINE void lanes_store_part(LanesPart part, lanes_f32 x, float *to) { _mm256_maskstore_ps(to, part, (__m256)x); }
#else
typedef struct LanesPart { int64_t from, end; } LanesPart;
HL_INLINE LanesPart lanes_part(int64_t from, int64_t end) { return (LanesPart){ from, end }; }
HL_INLINE lanes_f32 lanes_load_part(LanesPart part, const float *x) {
  lanes_f32 v;
  for (int i = 0; i < (int)(sizeof v / sizeof *x); i++) v[i] = i >= part.from && i < part.end ? x[i] : 0;
  return v;
}
HL_INLINE void lanes_store_part(LanesPart part, lanes_f32 x, float *to) {
  for (int i = 0; i < (int)(sizeof x / sizeof *to); i++)
    if (i >= part.from && i < part.end) to[i] = x[i];
}
#endif

/* ---- Transposing ------------------------------------------------------------------------------------------ */

/* Transposes LANES_F32 vectors of that many floats, to[k][i] = from[i][k], in log2 steps: in step h, vectors h apart
** exchange the halves of their blocks of 2 h. */
enum { LANES_F32 = LANES_BYTES / 4 };
typedef int32_t lanes_i32 __attribute__((vector_size(LANES_BYTES)));

#define LANES_LOW(h, k) ((k) & (h) ? LANES_F32 + (k) - (h) : (k))
#define LANES_HIGH(h, k) ((k) & (h) ? LANES_F32 + (k) : (k) + (h))
#define LANES_FOUR(of, h, k) of(h, k), of(h, k + 1), of(h, k + 2), of(h, k + 3)
#if defined LANES_WIDE
#define LANES_ALL(of, h) LANES_FOUR(of, h, 0), LANES_FOUR(of, h, 4), LANES_FOUR(of, h, 8), LANES_FOUR(of, h, 12)
#elif defined __AVX2__ && defined __FMA__
#define LANES_ALL(of, h) LANES_FOUR(of, h, 0), LANES_FOUR(of, h, 4)
#else
#define LANES_ALL(of, h) LANES_FOUR(of, h, 0)
#endif

/* Elements of a and b by constant indices; variable ones would build vectors element by element. gcc 11 has only the
** first form, clang only the second. */
#ifndef __clang__
#define LANES_PICK(a, b, ...) __builtin_shuffle(a, b, (lanes_i32){ __VA_ARGS__ })
#else
#define LANES_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif

#define LANES_STEP(x, h)                                                                   \
  if (h < LANES_F32) {                                                                     \
    _Pragma("GCC unroll 16") for (int i = 0; i < LANES_F32; i++) {                         \
      if (i & h) continue;                                                                 \
      const lanes_f32 a = x[i], b = x[i + h];                                              \
      x[i] = LANES_PICK(a, b, LANES_ALL(LANES_LOW, h));                                    \
      x[i + h] = LANES_PICK(a, b, LANES_ALL(LANES_HIGH, h));                               \
    }                                                                                      \
  }

/* a[0], a[2], ..., b[0], b[2], ... */
#define LANES_SECOND(h, k) (2 * (k))
HL_INLINE lanes_f32 lanes_every_second(lanes_f32 a, lanes_f32 b) {
  return LANES_PICK(a, b, LANES_ALL(LANES_SECOND, 0));
}

HL_INLINE void lanes_turn_vectors(lanes_f32 *x){ LANES_STEP(x, 8) LANES_STEP(x, 4) LANES_STEP(x, 2) LANES_STEP(x, 1) }

HL_INLINE void lanes_turn(const float *from, int64_t from_step, float *to, int64_t to_step) {
  lanes_f32 x[LANES_F32];
  _Pragma("GCC unroll 16") for (int i = 0; i < LANES_F32; i++) x[i] = *(const lanes_f32 *)(from + i * from_step);
  lanes_turn_vectors(x);
  /* clang-format off */
  _Pragma("GCC unroll 16") for (int i = 0; i < LANES_F32; i++) *(lanes_f32 *)(to + i * to_step) = x[i];
  /* clang-format on */
}

/* The same for n <= LANES_F32 lines of m <= LANES_F32 floats. */
HL_INLINE void lanes_turn_part(const float *from, int64_t from_step, float *to, int64_t to_step, int n, int m) {
  const LanesPart columns = lanes_part(0, m), rows = lanes_part(0, n);
  lanes_f32 x[LANES_F32];
  _Pragma("GCC unroll 16") for (int i = 0; i < LANES_F32; i++)
    x[i] = i < n ? lanes_load_part(columns, from + i * from_step) : (lanes_f32){ 0 };
  lanes_turn_vectors(x);
  /* clang-format off */
  _Pragma("GCC unroll 16") for (int i = 0; i < LANES_F32; i++)
    if (i < m) lanes_store_part(rows, x[i], to + i * to_step);
  /* clang-format on */
}

#endif
