/* sort_keys.h - elements as unsigned numbers in whose order they sort, and the sorting of those.
**
** A key is 32 bits wide for elements of up to 4 bytes, else 64. Keys compare as the elements do, upwards or
** downwards; NaNs come last in both directions. Sorting is by radix, or by quicksort where the processor
** parts vectors: the order of keys with their places is total, so the result is the same.
*/
#ifndef HL_KERNELS_LOOPS_SORT_KEYS_H
#define HL_KERNELS_LOOPS_SORT_KEYS_H

#include "tensor/dtype.h"

/* How elements become keys. `one_zero`: -0 and 0 have one key, as equals must if their order is
** requested; else -0 comes first and the element can be had back from its key. */
typedef struct KeyOrder {
  DType dtype;
  bool descending, one_zero;
} KeyOrder;

/* Keys of n elements at x; 32 bits for dtypes of up to 4 bytes, 64 for longer ones. */
void keys_32(KeyOrder o, const void *x, int64_t n, uint32_t *key);
void keys_64(KeyOrder o, const void *x, int64_t n, uint64_t *key);

/* The elements again; a NaN becomes the usual one. */
void keys_back_32(KeyOrder o, const uint32_t *key, int64_t n, void *x);
void keys_back_64(KeyOrder o, const uint64_t *key, int64_t n, void *x);

/* A key of 64 bits and where its element was. */
typedef struct WideKey { uint64_t key; int64_t place; } WideKey;

/* Sorts n at `a` with a workspace of n at `b`; returns which of the two holds the result. The result of a sort cut
** short by an interrupt must not be used. */
uint32_t *sort_32(uint32_t *a, uint32_t *b, int64_t n);
uint64_t *sort_64(uint64_t *a, uint64_t *b, int64_t n);
/* by the upper halves; the lower ones are places, which rise */
uint64_t *sort_pairs(uint64_t *a, uint64_t *b, int64_t n);
WideKey *sort_wide(WideKey *a, WideKey *b, int64_t n);

#endif
