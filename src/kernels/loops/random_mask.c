/* random_mask.c - see random_mask.h. */
#include "kernels/loops/random_mask.h"

#include "base/size_math.h"
#include "base/threads/parallel_for.h"
#include "state/engine.h"

enum { PIECE = 512 };        /* elements whose random numbers are drawn together; a multiple of four */

static void mask_pieces(void *context, int64_t first, int64_t last) {
  const RandomMask *m = context;
  uint32_t bits[PIECE] = { 0 };
  for (int64_t k = first; k < last && !interrupted(); k++) {
    int64_t at = k * PIECE, n = m->size - at < PIECE ? m->size - at : PIECE;
    if (m->draws) random_fours(m->block, (uint64_t)(at / 4), PIECE / 4, bits);
    m->piece(m, at, n, bits);
  }
}

Status random_mask_run(RandomMask *m) {
  if (m->draws) m->block = random_take(&engine_now()->random, (uint64_t)m->size);
  parallel_for(parts(m->size, PIECE), 32, mask_pieces, m);
  return interrupt_status();
}
