/* categories_kernels.c - kernels of sample_multinomial and its gradient.
**
** A call takes one block of the random stream, with one counter per draw. A draw finds a uniform number among the
** running sums of its row's probabilities.
*/
#include "base/math/random_stream.h"
#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "state/engine.h"
#include "tensor/cast_copy.h"

/* Workspace for a row's running sums. */
static Status multinomial_workspace(const Query *q, Workspace *w) {
  const Shape *s = &query_in(q, 0)->shape;
  w->bytes = (size_t)s->dim[s->ndim - 1] * sizeof(double);
  return OK;
}

/* The first index whose running sum is above x; the last index if there is none. */
static int64_t find_above(const double *sum, int64_t n, double x) {
  int64_t low = 0, high = n - 1;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (sum[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

static Status multinomial(Call *c) {
  const Tensor *data = c->in[0];
  int64_t n = data->type.shape.dim[data->type.shape.ndim - 1], rows = tensor_size(data) / n,
          size = tensor_size(c->out[0]);
  int64_t each = rows > 0 ? size / rows : 0;
  double *sum = c->workspace;
  RandomBlock b = random_take(&engine_now()->random, (uint64_t)size);
  for (int64_t r = 0; r < rows && !interrupted(); r++) {
    double total = 0;
    for (int64_t i = 0; i < n; i++) sum[i] = total += tensor_get(data, r * n + i);
    for (int64_t k = r * each; k < (r + 1) * each; k++) {
      uint32_t four[4];
      random_four(b, (uint64_t)k, four);
      int64_t chosen = find_above(sum, n, random_unit64(four[0], four[1]));
      tensor_set_int(c->out[0], k, chosen);
      if (c->n_out > 1) tensor_set(c->out[1], k, hl_log64(tensor_get(data, r * n + chosen)));
    }
  }
  return interrupt_status();
}

static Status backward_multinomial(Call *c) {
  const Tensor *g = c->in[0], *data = c->in[1], *sample = c->in[2];
  int64_t n = data->type.shape.dim[data->type.shape.ndim - 1], rows = tensor_size(data) / n;
  int64_t each = rows > 0 ? tensor_size(sample) / rows : 0;
  clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
  for (int64_t k = 0; k < rows * each && !interrupted(); k++) {
    int64_t at = k / each * n + tensor_get_int(sample, k);
    tensor_set(c->out[0], at, tensor_get(c->out[0], at) + tensor_get(g, k) / tensor_get(data, at));
  }
  return interrupt_status();
}

/* The dtypes of categories. */
enum { CATEGORY_TYPES = ALL_TYPES & ~(ONE_TYPE(DT_BOOL) | ONE_TYPE(DT_FLOAT16)) };

const Kernel categories_kernels[] = {
  { .op = "_sample_multinomial", .types = CATEGORY_TYPES, .run = multinomial, .workspace = multinomial_workspace },
  { .op = "_backward_sample_multinomial", .types = ALL_TYPES, .run = backward_multinomial },
  { 0 },
};
