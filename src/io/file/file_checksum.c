/* file_checksum.c - see file_checksum.h. */
#include "io/file/file_checksum.h"

#include <string.h>

static const uint64_t ODD_A = 0x9E3779B97F4A7C15u, ODD_B = 0xD6E8FEB86659FD93u;

static inline uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }
static inline uint64_t step(uint64_t lane, uint64_t word) { return rotate(lane ^ word, 29) * ODD_A + ODD_B; }

Checksum checksum_new(void) {
  Checksum c = { .length = 0 };
  for (int i = 0; i < CHECKSUM_LANES; i++) c.lane[i] = ODD_B * (uint64_t)(i + 1);
  return c;
}

static void add_blocks(Checksum *c, const unsigned char *at, size_t blocks) {
  uint64_t a = c->lane[0], b = c->lane[1], d = c->lane[2], e = c->lane[3], word[CHECKSUM_LANES];
  for (; blocks > 0; blocks--, at += CHECKSUM_BLOCK) {
    memcpy(word, at, CHECKSUM_BLOCK);
    a = step(a, word[0]);
    b = step(b, word[1]);
    d = step(d, word[2]);
    e = step(e, word[3]);
  }
  c->lane[0] = a, c->lane[1] = b, c->lane[2] = d, c->lane[3] = e;
}

void checksum_add(Checksum *c, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  size_t held = c->length % CHECKSUM_BLOCK;
  c->length += n;
  if (held > 0) {
    size_t take = CHECKSUM_BLOCK - held < n ? CHECKSUM_BLOCK - held : n;
    memcpy(c->rest + held, at, take);
    if (held + take < CHECKSUM_BLOCK) return;
    add_blocks(c, c->rest, 1);
    at += take;
    n -= take;
  }
  add_blocks(c, at, n / CHECKSUM_BLOCK);
  if (n % CHECKSUM_BLOCK > 0) memcpy(c->rest, at + n - n % CHECKSUM_BLOCK, n % CHECKSUM_BLOCK);
}

uint64_t checksum_value(const Checksum *c) {
  Checksum last = *c;
  memset(last.rest + c->length % CHECKSUM_BLOCK, 0, CHECKSUM_BLOCK - c->length % CHECKSUM_BLOCK);
  add_blocks(&last, last.rest, 1);
  uint64_t h = c->length;
  for (int i = 0; i < CHECKSUM_LANES; i++) h = step(h, last.lane[i]);
  h = (h ^ h >> 32) * ODD_B;
  h ^= h >> 29;
  return h ? h : ODD_A;
}
