/* random_stream.h - the random stream: counter-based, Philox4x32-10.
**
** J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11. Number i of a block depends only on (seed,
** first counter of the block, i), so a loop over a block can be divided among threads in any way. A random operator
** takes its block when it runs, in the script's order of operators.
**
** Compiled code takes blocks in the same order, and runs a random node even if its value is unused. Parameters are
** initialized from their own keys, derived from one key and the structural path (gluon/parameter.lua), so they do not
** depend on the stream.
*/
#ifndef HL_BASE_MATH_RANDOM_STREAM_H
#define HL_BASE_MATH_RANDOM_STREAM_H

#include <stdint.h>

typedef struct RandomBlock { uint64_t key, first; } RandomBlock;

/* A stream's state; each script has one stream (state/engine.h). */
typedef struct RandomState { uint64_t key, next; } RandomState;
#define RANDOM_BEGIN { .key = 0xE220A8397B1DCDAFu }      /* random_seeded(0) */

/* The start of the stream with this seed. */
RandomState random_seeded(uint64_t seed);

/* Takes the next `counters` counters (each gives four 32-bit numbers). */
static inline RandomBlock random_take(RandomState *stream, uint64_t counters) {
  const RandomBlock block = { .key = stream->key, .first = stream->next };
  stream->next += counters;
  return block;
}

/* The four numbers of counter `i` of a block. */
static inline void random_four(RandomBlock b, uint64_t i, uint32_t out[4]) {
  uint64_t counter = b.first + i;
  uint32_t c0 = (uint32_t)counter, c1 = (uint32_t)(counter >> 32), c2 = 0, c3 = 0;
  uint32_t k0 = (uint32_t)b.key, k1 = (uint32_t)(b.key >> 32);
  for (int round = 0; round < 10; round++) {
    uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
    uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
    c1 = (uint32_t)p1;
    c3 = (uint32_t)p0;
    c0 = n0;
    c2 = n2;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/* The numbers of `counters` counters starting with `i`, four each, in the order of random_four. */
void random_fours(RandomBlock b, uint64_t i, int64_t counters, uint32_t *out);

/* [0, 1), every value a multiple of 2^-24: exact in float32. */
static inline float random_unit32(uint32_t bits) { return (float)(bits >> 8) * 0x1p-24f; }

/* [0, 1), every value a multiple of 2^-53. */
static inline double random_unit64(uint32_t high, uint32_t low) {
  return (double)((((uint64_t)high << 32) | low) >> 11) * 0x1p-53;
}

/* An integer below `range` from a counter's first 64 random bits: the upper half of their product, biased by less than
** range / 2^64. */
static inline uint64_t random_below(const uint32_t four[4], uint64_t range) {
  return (uint64_t)((unsigned __int128)((uint64_t)four[0] << 32 | four[1]) * range >> 64);
}

/* A key derived from a key and a name: each parameter has its own, so the order of first calls does not matter. FNV-1a,
** then a 64-bit finaliser. */
uint64_t random_derive(uint64_t key, const char *name);

#endif
