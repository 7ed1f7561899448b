/* keys.c - see keys.h.
**
** The bits of a float order as those of an integer once the sign is turned around and, of negative numbers,
** all others too. The least significant digit is sorted by first (D. Knuth, TAOCP 3, 5.2.5): one pass counts all
** digits, then each digit that is not the same everywhere takes one pass that moves.
*/
#include "ops/keys.h"

#include <string.h>

#include "base/parallel.h"

/* ---- Keys of elements ---------------------------------------------------------------------------- */

/* Bits of a float of type U; `inf` are the bits of infinity, `top` the sign. */
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

/* An integer's key is its distance from the least one. */
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

void keys_32(KeyOrder o, const void *x, int64_t n, uint32_t *key) {
  switch (o.dtype) {
    case DT_FLOAT32: float_keys_f32(o, x, n, key); break;
    case DT_FLOAT16: float_keys_f16(o, x, n, key); break;
    case DT_INT32: integer_keys_i32(o, x, n, key); break;
    case DT_INT8: integer_keys_i8(o, x, n, key); break;
    default: integer_keys_u8(o, x, n, key);
  }
}

void keys_back_32(KeyOrder o, const uint32_t *key, int64_t n, void *x) {
  switch (o.dtype) {
    case DT_FLOAT32: floats_of_f32(o, key, n, x); break;
    case DT_FLOAT16: floats_of_f16(o, key, n, x); break;
    case DT_INT32: integers_of_i32(o, key, n, x); break;
    case DT_INT8: integers_of_i8(o, key, n, x); break;
    default: integers_of_u8(o, key, n, x);
  }
}

void keys_64(KeyOrder o, const void *x, int64_t n, uint64_t *key) {
  if (o.dtype == DT_FLOAT64) float_keys_f64(o, x, n, key);
  else integer_keys_i64(o, x, n, key);
}

void keys_back_64(KeyOrder o, const uint64_t *key, int64_t n, void *x) {
  if (o.dtype == DT_FLOAT64) floats_of_f64(o, key, n, x);
  else integers_of_i64(o, key, n, x);
}

/* ---- Sorting ------------------------------------------------------------------------------------- */

enum { FEW = 48, MANY = 1 << 15, CHUNK = 1 << 20 };   /* by insertion; by wide digits; between looks at the interrupt */

/* Where the elements of each digit begin; false if all have the same. */
static bool begin_digits(int64_t *count, int digits, int64_t n) {
  int64_t sum = 0;
  for (int d = 0; d < digits; d++) {
    const int64_t c = count[d];
    if (c == n) return false;
    count[d] = sum;
    sum += c;
  }
  return true;
}

/* A sort of elements T by so many digits of `bits` bits, the first `from` bits up, of KEY(x). */
#define DIGIT(x, KEY, from, bits, d) ((KEY(x) >> ((from) + (d) * (bits))) & ((1u << (bits)) - 1))
#define RADIX(name, T, KEY, from, bits, DIGITS)                                                         \
  static T *name(T *a, T *b, int64_t n) {                                                               \
    int64_t count[DIGITS][1 << (bits)];                                                                 \
    memset(count, 0, sizeof count);                                                                     \
    for (int64_t i = 0; i < n; i++)                                                                     \
      for (int d = 0; d < DIGITS; d++) count[d][DIGIT(a[i], KEY, from, bits, d)]++;                     \
    for (int d = 0; d < DIGITS; d++) {                                                                  \
      if (!begin_digits(count[d], 1 << (bits), n)) continue;                                            \
      int64_t *const at = count[d];                                                                     \
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

#define SORT(name, T, KEY, from, narrow, wide_bits, wide)                                               \
  INSERTION(few_##name, T, KEY)                                                                         \
  RADIX(narrow_##name, T, KEY, from, 8, narrow)                                                         \
  RADIX(wide_##name, T, KEY, from, wide_bits, wide)                                                     \
  T *name(T *a, T *b, int64_t n) {                                                                      \
    return n <= FEW ? few_##name(a, n) : n < MANY ? narrow_##name(a, b, n) : wide_##name(a, b, n);      \
  }

#define WHOLE(x) (x)
#define WIDE(x) ((x).key)
SORT(sort_32, uint32_t, WHOLE, 0, 4, 11, 3)
SORT(sort_64, uint64_t, WHOLE, 0, 8, 11, 6)
SORT(sort_pairs, uint64_t, WHOLE, 32, 4, 11, 3)
SORT(sort_wide, WideKey, WIDE, 0, 8, 11, 6)
