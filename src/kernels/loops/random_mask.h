/* random_mask.h - random masks over an array: what rrelu and Dropout share.
**
** A call takes a block of the random stream with one counter per element, but four elements get their numbers from
** one counter.
*/
#ifndef HL_KERNELS_LOOPS_RANDOM_MASK_H
#define HL_KERNELS_LOOPS_RANDOM_MASK_H

#include <stdbool.h>

#include "base/math/random_stream.h"
#include "base/status.h"

typedef struct RandomMask RandomMask;
struct RandomMask {
  void (*piece)(const RandomMask *m, int64_t at, int64_t n, const uint32_t *bits);
  RandomBlock block;
  bool draws;                /* bits are needed */
  int64_t size;
  const void *x;             /* out = x mask; NULL: only the mask is made */
  void *out, *mask;          /* Dropout: the mask may be NULL */
  double low, range;         /* rrelu: slopes from low on */
  uint32_t threshold;        /* Dropout: numbers below it drop the element, */
  double scale;              /* the others scale it */
};

/* Takes the numbers and runs `piece` over all elements; fails on an interrupt. */
Status random_mask_run(RandomMask *m);

#endif
