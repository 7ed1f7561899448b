/* random.c - the position in the random stream, one a thread. */
#include "base/random.h"

/* Begins as after random_seed(0): 0xE220... is mix(0). */
static _Thread_local RandomState stream = { .key = 0xE220A8397B1DCDAFu };

/* The finaliser of splitmix64: every input bit reaches every output bit. */
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

void random_seed(uint64_t seed) { stream = (RandomState){ .key = mix(seed), .next = 0 }; }

RandomBlock random_take(uint64_t counters) {
  RandomBlock block = { .key = stream.key, .first = stream.next };
  stream.next += counters;
  return block;
}

RandomState random_state(void) { return stream; }
void random_restore(RandomState state) { stream = state; }

uint64_t random_derive(uint64_t key, const char *name) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001B3u;
  return mix(key ^ mix(hash));
}
