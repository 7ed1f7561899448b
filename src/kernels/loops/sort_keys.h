/* sort_keys.h - unsigned keys that sort like elements, and sorting them.
**
** A key has 32 bits for elements of up to 4 bytes, else 64. Keys compare like the elements, ascending or descending;
** NaNs are last either way. Sorting is by radix, or by quicksort if the processor can partition vectors. The order of
** keys with their places is total, so the result is the same.
*/
#ifndef HL_KERNELS_LOOPS_SORT_KEYS_H
#define HL_KERNELS_LOOPS_SORT_KEYS_H

#include "tensor/dtype.h"

/* How elements become keys. `one_zero`: -0 and 0 share a key, as equal elements must if their order is requested; else
** -0 comes first, and the key determines the element. */
typedef struct KeyOrder {
  DType dtype;
  bool descending, one_zero;
} KeyOrder;

/* Writes the keys of n elements at x; 32 bits for dtypes of up to 4 bytes, 64 for longer ones. */
void keys_32(KeyOrder o, const void *x, int64_t n, uint32_t *key);
void keys_64(KeyOrder o, const void *x, int64_t n, uint64_t *key);

/* Converts keys back to elements; all NaNs become the usual one. */
void keys_back_32(KeyOrder o, const uint32_t *key, int64_t n, void *x);
void keys_back_64(KeyOrder o, const uint64_t *key, int64_t n, void *x);

/* A 64-bit key and its element's place. */
typedef struct WideKey { uint64_t key; int64_t place; } WideKey;

/* Sorts n keys at `a` with a workspace for n at `b`; returns the one that holds the result. The result of an
** interrupted sort must not be used. */
uint32_t *sort_32(uint32_t *a, uint32_t *b, int64_t n);
uint64_t *sort_64(uint64_t *a, uint64_t *b, int64_t n);
/* Sorts by the upper halves; the lower ones are places, ascending at first. */
uint64_t *sort_pairs(uint64_t *a, uint64_t *b, int64_t n);
WideKey *sort_wide(WideKey *a, WideKey *b, int64_t n);

#endif
