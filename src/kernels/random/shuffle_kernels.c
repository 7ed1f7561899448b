/* shuffle_kernels.c - the kernel of shuffle.
**
** A call takes one block of the random stream, with one counter per row. One thread draws the order; all threads copy
** rows.
*/
#include <string.h>

#include "base/math/random_stream.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "state/engine.h"

enum { PIECE = 512 };          /* rows whose random numbers are drawn together */

static int64_t rows_of(const Shape *s) { return s->ndim > 0 ? s->dim[0] : 1; }

static Status shuffle_workspace(const Query *q, Workspace *w) {
  w->bytes = (size_t)rows_of(&query_in(q, 0)->shape) * sizeof(int64_t);
  return OK;
}

typedef struct ShuffleRows { const int64_t *from; const char *in; char *out; size_t bytes; } ShuffleRows;

static void rows_piece(void *context, int64_t first, int64_t last) {
  const ShuffleRows *r = context;
  for (int64_t i = first; i < last && !interrupted(); i++)
    memcpy(r->out + (size_t)i * r->bytes, r->in + (size_t)r->from[i] * r->bytes, r->bytes);
}

/* Fisher-Yates: swaps the last of the first i rows with any of them. */
static Status shuffle(Call *c) {
  int64_t n = rows_of(&c->in[0]->type.shape), *from = c->workspace;
  RandomBlock b = random_take(&engine_now()->random, (uint64_t)n);
  if (tensor_size(c->in[0]) == 0) return OK;
  ShuffleRows r = { from, c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]) / (size_t)n };
  for (int64_t i = 0; i < n; i++) from[i] = i;
  uint32_t fours[4 * PIECE];
  for (int64_t end = n; end > 0; end -= PIECE) {
    int64_t first = end > PIECE ? end - PIECE : 0;
    random_fours(b, (uint64_t)first, end - first, fours);
    for (int64_t i = end - 1; i >= first; i--) {
      int64_t k = (int64_t)random_below(fours + 4 * (i - first), (uint64_t)i + 1), row = from[i];
      from[i] = from[k];
      from[k] = row;
    }
  }
  return run_parallel(n, (int64_t)((1 << 16) / (r.bytes + 1)) + 1, rows_piece, &r);
}

const Kernel shuffle_kernels[] = {
  { .op = "_shuffle", .types = ALL_TYPES, .run = shuffle, .workspace = shuffle_workspace },
  { 0 },
};
