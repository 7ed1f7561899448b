/* zipfian_kernels.c - different classes drawn from an approximately Zipfian distribution.
**
** A call takes one counter of the random stream per row, whose bits key the row's own stream. A try is one counter of
** that stream; it fails if the row has the class already, which a table of hashes tells.
*/
#include "ops/random/zipfian.h"

#include "base/math/random_stream.h"
#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "state/engine.h"

/* The table has at least twice as many places as a row has classes; -1 is a free place. */
static uint64_t table_size(int64_t classes) {
  uint64_t size = 2;
  while (size < 2 * (uint64_t)classes) size *= 2;
  return size;
}

static Status zipfian_workspace(const Query *q, Workspace *w) {
  w->bytes = table_size(query_out_shape(q, 0)->dim[1]) * sizeof(int64_t);
  return OK;
}

/* Adds a class; false if it was added before. */
static bool add_class(int64_t *table, uint64_t size, int64_t class) {
  uint64_t at = (uint64_t)class * 0x9E3779B97F4A7C15u >> 32;
  while (table[at & (size - 1)] >= 0)
    if (table[at++ & (size - 1)] == class) return false;
  table[at & (size - 1)] = class;
  return true;
}

static Status zipfian(Call *c) {
  const int64_t range = ((const ZipfianParams *)c->params)->range_max;
  const Shape *s = &c->out[0]->type.shape;
  const uint64_t size = table_size(s->dim[1]);
  const double log_range = hl_log64((double)range + 1);
  const RandomBlock b = random_take(&engine_now()->random, (uint64_t)s->dim[0]);
  int64_t *out = c->out[0]->data, *tries = c->out[1]->data, *table = c->workspace;
  for (int64_t row = 0; row < s->dim[0]; row++) {
    uint32_t four[4];
    random_four(b, (uint64_t)row, four);
    const RandomBlock own = { (uint64_t)four[0] << 32 | four[1], (uint64_t)four[2] << 32 | four[3] };
    uint64_t n = 0;
    for (uint64_t i = 0; i < size; i++) table[i] = -1;
    for (int64_t k = 0; k < s->dim[1] && !interrupted(); n++) {
      random_four(own, n, four);
      const double e = hl_exp64(random_unit64(four[0], four[1]) * log_range) - 1;
      const int64_t class = (int64_t)(e > 0 ? e : 0) % range;
      if (add_class(table, size, class)) out[row * s->dim[1] + k++] = class;
    }
    tries[row] = (int64_t)n;
  }
  return interrupt_status();
}

const Kernel zipfian_kernels[] = {
  { .op = "_sample_unique_zipfian", .types = ONE_TYPE(DT_INT64), .run = zipfian, .workspace = zipfian_workspace },
  { 0 },
};
