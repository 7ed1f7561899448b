/* random_mask.h - random masks over an array, for rrelu and Dropout.
**
** A call takes a block of the random stream with one counter per element, although one counter gives the numbers of
** four elements.
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
  bool draws;                /* random bits are needed */
  int64_t size;
  const void *x;             /* out = x mask; NULL: only the mask is computed */
  void *out, *mask;          /* Dropout: the mask may be NULL */
  double low, range;         /* rrelu: range of slopes */
  uint32_t threshold;        /* Dropout: smaller numbers drop the element */
  double scale;              /* Dropout: factor of other elements */
};

/* Draws the numbers and runs `piece` over all elements; fails on an interrupt. */
Status random_mask_run(RandomMask *m);

#endif
