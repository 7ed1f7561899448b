/* random_stream.c - see random_stream.h. */
#include "base/math/random_stream.h"

/* The finaliser of splitmix64: every input bit reaches every output bit. */
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

RandomState random_seeded(uint64_t seed) { return (RandomState){ .key = mix(seed) }; }

/* random_four for LANES counters at once. The upper half of each product is needed, so 32-bit words are held in 64-bit
** lanes of compiler vectors, which span several machine vectors. */
enum { LANES = 16 };
typedef uint64_t Lanes __attribute__((vector_size(LANES * sizeof(uint64_t))));

static void fours_of_lanes(RandomBlock b, uint64_t counter, uint32_t *out) {
  const uint64_t low = UINT32_MAX;
  Lanes c0, c1, c2 = { 0 }, c3 = { 0 };
  uint32_t k0 = (uint32_t)b.key, k1 = (uint32_t)(b.key >> 32);
  for (int l = 0; l < LANES; l++) {
    c0[l] = (counter + (uint64_t)l) & low;
    c1[l] = (counter + (uint64_t)l) >> 32;
  }
  for (int round = 0; round < 10; round++) {
    Lanes p0 = (c0 & low) * 0xD2511F53u, p1 = (c2 & low) * 0xCD9E8D57u;
    c0 = (p1 >> 32) ^ c1 ^ (uint64_t)k0;
    c2 = (p0 >> 32) ^ c3 ^ (uint64_t)k1;
    c1 = p1 & low;
    c3 = p0 & low;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  for (int l = 0; l < LANES; l++) {
    out[4 * l] = (uint32_t)c0[l];
    out[4 * l + 1] = (uint32_t)c1[l];
    out[4 * l + 2] = (uint32_t)c2[l];
    out[4 * l + 3] = (uint32_t)c3[l];
  }
}

void random_fours(RandomBlock b, uint64_t i, int64_t counters, uint32_t *out) {
  for (; counters >= LANES; counters -= LANES, i += LANES, out += 4 * LANES) fours_of_lanes(b, b.first + i, out);
  for (; counters > 0; counters--, i++, out += 4) random_four(b, i, out);
}

uint64_t random_derive(uint64_t key, const char *name) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001B3u;
  return mix(key ^ mix(hash));
}
