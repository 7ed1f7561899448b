/* sort_keys.c - see sort_keys.h.
**
** A float's bits order like an integer's after the sign bit is flipped and, for negative numbers, all other bits, too.
** Radix sort starts with the least significant digit (D. Knuth, TAOCP 3, 5.2.5): one pass counts all digits, then each
** digit with several values takes one pass that moves.
*/
#include "kernels/loops/sort_keys.h"

#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "base/threads/parallel_for.h"

/* ---- Keys of elements ---------------------------------------------------------------------------- */

/* Keys of floats with bits of type U; `inf` is infinity's bits, `top` the sign bit. */
#define FLOAT_KEYS(U, I, suffix, shift, top, inf, K)                                                    \
  static void float_keys_##suffix(KeyOrder o, const U *x, int64_t n, K *key) {                          \
    const U turn = o.descending ? (U)~(U)0 : 0;                                                         \
    const U zero = o.one_zero ? (U)(top) : 0;                                                           \
    for (int64_t i = 0; i < n; i++) {                                                                   \
      const U bits = x[i] == zero ? 0 : x[i];                                                           \
      const U up = bits ^ ((U)((I)bits >> (shift)) | (U)(top));                                         \
      key[i] = (U)(bits << 1) > (U)((U)(inf) << 1) ? (K)(U)~(U)0 : (K)(U)(up ^ turn);                   \
    }                                                                                                   \
  }                                                                                                     \
  static void floats_of_##suffix(KeyOrder o, const K *key, int64_t n, U *x) {                           \
    const U turn = o.descending ? (U)~(U)0 : 0;                                                         \
    for (int64_t i = 0; i < n; i++) {                                                                   \
      const U up = (U)key[i] ^ turn, bits = up ^ ((U)((I)~up >> (shift)) | (U)(top));                   \
      x[i] = (U)key[i] == (U)~(U)0 ? (U)((U)(inf) | (U)(inf) >> 1) : bits;                              \
    }                                                                                                   \
  }
FLOAT_KEYS(uint16_t, int16_t, f16, 15, 0x8000u, 0x7C00u, uint32_t)
FLOAT_KEYS(uint32_t, int32_t, f32, 31, 0x80000000u, 0x7F800000u, uint32_t)
FLOAT_KEYS(uint64_t, int64_t, f64, 63, 0x8000000000000000u, 0x7FF0000000000000u, uint64_t)

/* An integer's key is its distance from the smallest one. */
#define INTEGER_KEYS(T, U, suffix, least, K)                                                            \
  static void integer_keys_##suffix(KeyOrder o, const T *x, int64_t n, K *key) {                        \
    const K turn = o.descending ? (U)~(U)0 : 0;                                                         \
    for (int64_t i = 0; i < n; i++) key[i] = (K)(U)((U)x[i] - (U)(least)) ^ turn;                       \
  }                                                                                                     \
  static void integers_of_##suffix(KeyOrder o, const K *key, int64_t n, T *x) {                         \
    const K turn = o.descending ? (U)~(U)0 : 0;                                                         \
    for (int64_t i = 0; i < n; i++) x[i] = (T)(U)((U)(key[i] ^ turn) + (U)(least));                     \
  }
INTEGER_KEYS(uint8_t, uint8_t, u8, 0, uint32_t)
INTEGER_KEYS(int8_t, uint8_t, i8, INT8_MIN, uint32_t)
INTEGER_KEYS(int32_t, uint32_t, i32, INT32_MIN, uint32_t)
INTEGER_KEYS(int64_t, uint64_t, i64, INT64_MIN, uint64_t)

#define KEYS_32(name, floats, integers, From, To)                                                       \
  void name(KeyOrder o, const From *from, int64_t n, To *to) {                                          \
    switch (o.dtype) {                                                                                  \
      case DT_FLOAT32: floats##_f32(o, from, n, to); break;                                             \
      case DT_FLOAT16: floats##_f16(o, from, n, to); break;                                             \
      case DT_INT32: integers##_i32(o, from, n, to); break;                                             \
      case DT_INT8: integers##_i8(o, from, n, to); break;                                               \
      default: integers##_u8(o, from, n, to);                                                           \
    }                                                                                                   \
  }
KEYS_32(keys_32, float_keys, integer_keys, void, uint32_t)
KEYS_32(keys_back_32, floats_of, integers_of, uint32_t, void)

void keys_64(KeyOrder o, const void *x, int64_t n, uint64_t *key) {
  if (o.dtype == DT_FLOAT64) float_keys_f64(o, x, n, key);
  else integer_keys_i64(o, x, n, key);
}

void keys_back_64(KeyOrder o, const uint64_t *key, int64_t n, void *x) {
  if (o.dtype == DT_FLOAT64) floats_of_f64(o, key, n, x);
  else integers_of_i64(o, key, n, x);
}

/* ---- Sorting ------------------------------------------------------------------------------------- */

/* Maximum for insertion sort; minimum for wide digits; elements between checks of the interrupt flag. */
enum { FEW = 64, MANY = 1 << 15, CHUNK = 1 << 20 };

/* Turns counts of digits into offsets; false if all elements have the same digit. */
#define BEGIN_DIGITS(name, C)                                                                           \
  static bool name(C *count, int digits, int64_t n) {                                                   \
    C sum = 0;                                                                                          \
    for (int d = 0; d < digits; d++) {                                                                  \
      const C c = count[d];                                                                             \
      if (c == n) return false;                                                                         \
      count[d] = sum;                                                                                   \
      sum = (C)(sum + c);                                                                               \
    }                                                                                                   \
    return true;                                                                                        \
  }
BEGIN_DIGITS(begin_narrow, uint16_t)
BEGIN_DIGITS(begin_wide, int64_t)

/* Sorts elements T by digits of `bits` bits of KEY(x), skipping the first `from` bits. */
#define DIGIT(x, KEY, from, bits, d) ((KEY(x) >> ((from) + (d) * (bits))) & ((1u << (bits)) - 1))
#define RADIX(name, T, KEY, from, bits, DIGITS, C, begin)                                               \
  static T *name(T *a, T *b, int64_t n) {                                                               \
    C count[DIGITS][1 << (bits)];                                                                       \
    memset(count, 0, sizeof count);                                                                     \
    for (int64_t i = 0; i < n; i++)                                                                     \
      for (int d = 0; d < DIGITS; d++) count[d][DIGIT(a[i], KEY, from, bits, d)]++;                     \
    for (int d = 0; d < DIGITS; d++) {                                                                  \
      if (!begin(count[d], 1 << (bits), n)) continue;                                                   \
      C *const at = count[d];                                                                           \
      for (int64_t i = 0; i < n && !interrupted(); ) {                                                  \
        for (const int64_t end = n - i < CHUNK ? n : i + CHUNK; i < end; i++) {                         \
          const T x = a[i];                                                                             \
          b[at[DIGIT(x, KEY, from, bits, d)]++] = x;                                                    \
        }                                                                                               \
      }                                                                                                 \
      T *const other = a;                                                                               \
      a = b;                                                                                            \
      b = other;                                                                                        \
    }                                                                                                   \
    return a;                                                                                           \
  }

#define INSERTION(name, T, KEY)                                                                         \
  static T *name(T *a, int64_t n) {                                                                     \
    for (int64_t i = 1; i < n; i++) {                                                                   \
      const T x = a[i];                                                                                 \
      int64_t k = i;                                                                                    \
      for (; k > 0 && KEY(a[k - 1]) > KEY(x); k--) a[k] = a[k - 1];                                     \
      a[k] = x;                                                                                         \
    }                                                                                                   \
    return a;                                                                                           \
  }

#define SORT(linkage, name, T, KEY, from, narrow, wide_bits, wide)                                      \
  INSERTION(few_##name, T, KEY)                                                                         \
  RADIX(narrow_##name, T, KEY, from, 8, narrow, uint16_t, begin_narrow)                                 \
  RADIX(wide_##name, T, KEY, from, wide_bits, wide, int64_t, begin_wide)                                \
  linkage T *name(T *a, T *b, int64_t n) {                                                              \
    return n <= FEW ? few_##name(a, n) : n < MANY ? narrow_##name(a, b, n) : wide_##name(a, b, n);      \
  }

#define WHOLE(x) (x)
#define WIDE(x) ((x).key)
SORT(, sort_wide, WideKey, WIDE, 0, 8, 11, 6)

#ifndef __AVX512F__
SORT(, sort_32, uint32_t, WHOLE, 0, 4, 11, 3)
SORT(, sort_64, uint64_t, WHOLE, 0, 8, 11, 6)
SORT(, sort_pairs, uint64_t, WHOLE, 32, 4, 11, 3)
#else

/* ---- Quicksort, a vector at a time ------------------------------------------------------------------ */

/* Whole keys need no order among equals, so quicksort is faster if one instruction can partition a vector. One part
** stays in place; the other is moved to the workspace and back. Up to LEAF keys are sorted by a bitonic network (K.
** Batcher, "Sorting networks and their applications", 1968), first within vectors, then in pairs. Parts that do not
** shrink fast enough are sorted by radix. */
SORT(static, radix_pairs, uint64_t, WHOLE, 32, 4, 11, 3)
SORT(static, radix_32, uint32_t, WHOLE, 0, 4, 11, 3)
SORT(static, radix_64, uint64_t, WHOLE, 0, 8, 11, 6)

typedef uint32_t Lanes32 __attribute__((vector_size(64)));
typedef uint64_t Lanes64 __attribute__((vector_size(64)));
#define NUMBERS_32 ((Lanes32){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 })
#define NUMBERS_64 ((Lanes64){ 0, 1, 2, 3, 4, 5, 6, 7 })
#define EACH(v, vectors) _Pragma("GCC unroll 8") for (int v = 0; v < (vectors); v++)

/* LANES elements of T per vector; `W` is the suffix of its instructions. */
#define QUICK(T, W, suffix, LANES, LEAF)                                                                \
  /* Compares each lane with lane number ^ partner: the greater is placed where the number has `bit`. */ \
  static inline __m512i stage_##suffix(__m512i x, int partner, int bit) {                               \
    const Lanes##W numbers = NUMBERS_##W, other = numbers ^ (T)partner, high = (Lanes##W)((numbers & (T)bit) != 0); \
    const __m512i y = _mm512_permutexvar_epi##W((__m512i)other, x);                                     \
    return _mm512_mask_max_epu##W(_mm512_min_epu##W(x, y), _mm512_movepi##W##_mask((__m512i)high), x, y); \
  }                                                                                                     \
  static inline __m512i turn_##suffix(__m512i x) {                                                      \
    const Lanes##W numbers = NUMBERS_##W;                                                               \
    return _mm512_permutexvar_epi##W((__m512i)(LANES - 1 - numbers), x);                                \
  }                                                                                                     \
  /* Sorts n keys in `vectors` vectors, padded with the greatest key. */                                \
  static inline __attribute__((always_inline)) void vectors_##suffix(T *a, int n, const int vectors) {  \
    __m512i x[LEAF / LANES];                                                                            \
    EACH(v, vectors) {                                                                                  \
      const int rest = n - v * LANES;                                                                   \
      const __mmask##LANES there = (__mmask##LANES)(rest >= LANES ? ~0u : rest > 0 ? (1u << rest) - 1 : 0); \
      x[v] = _mm512_mask_loadu_epi##W(_mm512_set1_epi##W(-1), there, a + v * LANES);                    \
    }                                                                                                   \
    _Pragma("GCC unroll 4") for (int k = 2; k <= LANES; k *= 2)                                         \
      EACH(v, vectors) {                                                                                \
        x[v] = stage_##suffix(x[v], k - 1, k / 2);                                                      \
        _Pragma("GCC unroll 4") for (int d = k / 4; d > 0; d /= 2) x[v] = stage_##suffix(x[v], d, d);   \
      }                                                                                                 \
    _Pragma("GCC unroll 4") for (int k = 2; k <= vectors; k *= 2) {                                     \
      EACH(v, vectors) {                                                                                \
        const int w = v ^ (k - 1);                                                                      \
        if (w < v) continue;                                                                            \
        const __m512i y = turn_##suffix(x[w]), low = _mm512_min_epu##W(x[v], y);                        \
        x[w] = turn_##suffix(_mm512_max_epu##W(x[v], y));                                               \
        x[v] = low;                                                                                     \
      }                                                                                                 \
      _Pragma("GCC unroll 4") for (int d = k / 4; d > 0; d /= 2)                                        \
        EACH(v, vectors) {                                                                              \
          if (v & d) continue;                                                                          \
          const __m512i low = _mm512_min_epu##W(x[v], x[v + d]);                                        \
          x[v + d] = _mm512_max_epu##W(x[v], x[v + d]);                                                 \
          x[v] = low;                                                                                   \
        }                                                                                               \
      EACH(v, vectors)                                                                                  \
        _Pragma("GCC unroll 4") for (int d = LANES / 2; d > 0; d /= 2) x[v] = stage_##suffix(x[v], d, d); \
    }                                                                                                   \
    EACH(v, vectors) {                                                                                  \
      const int rest = n - v * LANES;                                                                   \
      const __mmask##LANES there = (__mmask##LANES)(rest >= LANES ? ~0u : rest > 0 ? (1u << rest) - 1 : 0); \
      _mm512_mask_storeu_epi##W(a + v * LANES, there, x[v]);                                            \
    }                                                                                                   \
  }                                                                                                     \
  static void leaf_##suffix(T *a, int n) {                                                              \
    if (n <= LANES) vectors_##suffix(a, n, 1);                                                          \
    else if (n <= 2 * LANES) vectors_##suffix(a, n, 2);                                                 \
    else if (n <= 4 * LANES) vectors_##suffix(a, n, 4);                                                 \
    else vectors_##suffix(a, n, 8);                                                                     \
  }                                                                                                     \
  static inline unsigned first_##suffix(__m512i x, __m512i pivot, const bool equal) {                   \
    return equal ? _mm512_cmpeq_epu##W##_mask(x, pivot) : _mm512_cmplt_epu##W##_mask(x, pivot);         \
  }                                                                                                     \
  /* Moves keys below the pivot, or with `equal` those equal to it, to the front; returns their number. */ \
  static inline __attribute__((always_inline)) int64_t part_##suffix(T *a, T *workspace, int64_t n, T pivot, \
                                                                     const bool equal) {                \
    const __m512i p = _mm512_set1_epi##W((int##W##_t)pivot);                                            \
    int64_t low = 0, high = 0, i = 0;                                                                   \
    for (; i + 4 * LANES <= n; i += 4 * LANES) {                                                        \
      __m512i x[4];                                                                                     \
      unsigned first[4];                                                                                \
      EACH(v, 4) x[v] = _mm512_loadu_si512(a + i + v * LANES), first[v] = first_##suffix(x[v], p, equal); \
      EACH(v, 4) {                                                                                      \
        _mm512_storeu_si512(a + low, _mm512_maskz_compress_epi##W((__mmask##LANES)first[v], x[v]));     \
        _mm512_storeu_si512(workspace + high, _mm512_maskz_compress_epi##W((__mmask##LANES)~first[v], x[v])); \
        low += __builtin_popcount(first[v]);                                                            \
        high += LANES - __builtin_popcount(first[v]);                                                   \
      }                                                                                                 \
    }                                                                                                   \
    for (; i < n; i += LANES) {                                                                         \
      const unsigned rest = n - i >= LANES ? (1u << LANES) - 1 : (1u << (n - i)) - 1;                   \
      const __m512i x = _mm512_maskz_loadu_epi##W((__mmask##LANES)rest, a + i);                         \
      const unsigned first = rest & first_##suffix(x, p, equal), second = rest & ~first;                \
      _mm512_mask_compressstoreu_epi##W(a + low, (__mmask##LANES)first, x);                             \
      _mm512_mask_compressstoreu_epi##W(workspace + high, (__mmask##LANES)second, x);                   \
      low += __builtin_popcount(first);                                                                 \
      high += __builtin_popcount(second);                                                               \
    }                                                                                                   \
    for (i = 0; i + LANES <= high; i += LANES) _mm512_storeu_si512(a + low + i, _mm512_loadu_si512(workspace + i)); \
    if (i < high) {                                                                                     \
      const __mmask##LANES rest = (__mmask##LANES)((1u << (high - i)) - 1);                             \
      _mm512_mask_storeu_epi##W(a + low + i, rest, _mm512_maskz_loadu_epi##W(rest, workspace + i));     \
    }                                                                                                   \
    return low;                                                                                         \
  }                                                                                                     \
  static T middle_##suffix(T x, T y, T z) {                                                             \
    const T low = x < y ? x : y, high = x < y ? y : x, top = high < z ? high : z;                       \
    return low > top ? low : top;                                                                       \
  }                                                                                                     \
  static T pivot_##suffix(const T *a, int64_t n) {                                                      \
    const int64_t s = (n - 1) / 10;                                                                     \
    const T middle = middle_##suffix(a[4 * s], a[5 * s], a[6 * s]);                                     \
    if (n < 256) return middle;                                                                         \
    return middle_##suffix(middle_##suffix(a[s], a[2 * s], a[3 * s]), middle,                           \
                           middle_##suffix(a[7 * s], a[8 * s], a[9 * s]));                              \
  }                                                                                                     \
  static void quick_##suffix(T *a, T *workspace, int64_t n, int depth) {                                \
    while (n > LEAF && !interrupted()) {                                                                \
      if (depth-- == 0) {                                                                               \
        const T *sorted = radix_##suffix(a, workspace, n);                                              \
        if (sorted != a) memcpy(a, sorted, (size_t)n * sizeof(T));                                      \
        return;                                                                                         \
      }                                                                                                 \
      const T pivot = pivot_##suffix(a, n);                                                             \
      int64_t low = part_##suffix(a, workspace, n, pivot, false);                                       \
      if (low == 0) {                                     /* the pivot is the minimum: split off its equals */ \
        low = part_##suffix(a, workspace, n, pivot, true);                                              \
      } else if (low <= n - low) {                                                                      \
        quick_##suffix(a, workspace, low, depth);                                                       \
      } else {                                                                                          \
        quick_##suffix(a + low, workspace, n - low, depth);                                             \
        n = low;                                                                                        \
        continue;                                                                                       \
      }                                                                                                 \
      a += low;                                                                                         \
      n -= low;                                                                                         \
    }                                                                                                   \
    if (n > 1 && n <= LEAF) leaf_##suffix(a, (int)n);                                                   \
  }
QUICK(uint32_t, 32, 32, 16, 128)
QUICK(uint64_t, 64, 64, 8, 64)

static int depth_of(int64_t n) { return 2 * (64 - __builtin_clzll((uint64_t)n | 1)); }

uint32_t *sort_32(uint32_t *a, uint32_t *b, int64_t n) {
  quick_32(a, b, n, depth_of(n));
  return a;
}

uint64_t *sort_64(uint64_t *a, uint64_t *b, int64_t n) {
  quick_64(a, b, n, depth_of(n));
  return a;
}

/* Few pairs are sorted as whole integers: the same order, because places ascend among equal keys. */
uint64_t *sort_pairs(uint64_t *a, uint64_t *b, int64_t n) { return n < MANY ? sort_64(a, b, n) : radix_pairs(a, b, n); }
#endif
