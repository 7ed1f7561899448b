/* rank_sort.h - a stable sort of a few thousand items by a key.
**
** The caller provides a workspace for the same number of items.
*/
#ifndef HL_KERNELS_LOOPS_RANK_SORT_H
#define HL_KERNELS_LOOPS_RANK_SORT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct Ranked { double key; int64_t index; } Ranked;

/* Sorts by descending key; where keys are NaN, the order is fixed, but not specified. Merges runs of 1, 2, 4 ... */
static inline void ranked_sort(Ranked *a, Ranked *workspace, int64_t n) {
  Ranked *from = a, *to = workspace;
  for (int64_t run = 1; run < n; run *= 2) {
    for (int64_t begin = 0; begin < n; begin += 2 * run) {
      const int64_t middle = begin + run < n ? begin + run : n, end = begin + 2 * run < n ? begin + 2 * run : n;
      int64_t left = begin, right = middle;
      for (int64_t i = begin; i < end; i++) {
        const bool take_left = left < middle && (right >= end || !(from[right].key > from[left].key));
        to[i] = from[take_left ? left++ : right++];
      }
    }
    Ranked *sorted = to;
    to = from;
    from = sorted;
  }
  if (from != a) memcpy(a, from, (size_t)n * sizeof *a);
}

#endif
