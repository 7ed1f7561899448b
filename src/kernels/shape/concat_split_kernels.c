/* concat_split_kernels.c - Concat, stack, SliceChannel, _split_v2, add_n.
**
** A part is a range of one axis, so joining and splitting are one copy per part, in long runs of memory
** (tensor/strided_region.h).
*/
#include <string.h>

#include "base/math/scalar_functions.h"
#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_params.h"
#include "ops/common/shared_params.h"
#include "ops/shape/concat_split.h"
#include "tensor/strided_region.h"

/* The part [begin, begin + length) of an axis. */
static Region stretch(const Shape *whole, int axis, int64_t begin, int64_t length) {
  Region r = region_of(whole);
  region_slice(&r, axis, begin, 1, length);
  return r;
}

static Status concat(Call *c) {
  Tensor *out = c->out[0];
  const Shape *whole = &out->type.shape;
  const int axis = axis_at(((const ConcatParams *)c->params)->dim, whole->ndim);
  int64_t at = 0;
  for (int i = 0; i < c->n_in && !interrupted(); i++) {
    const Shape *part = &c->in[i]->type.shape;
    Region from = region_of(part), to = stretch(whole, axis, at, part->dim[axis]);
    region_copy(dtype_size(out->type.dtype), c->in[i]->data, &from, out->data, &to);
    at += part->dim[axis];
  }
  return interrupt_status();
}

static Status stack(Call *c) {
  Tensor *out = c->out[0];
  const Shape *whole = &out->type.shape;
  const int axis = axis_at(((const StackParams *)c->params)->axis, whole->ndim);
  for (int i = 0; i < c->n_in && !interrupted(); i++) {
    Region to = stretch(whole, axis, i, 1), from = region_of(&to.shape);
    region_copy(dtype_size(out->type.dtype), c->in[i]->data, &from, out->data, &to);
  }
  return interrupt_status();
}

static Status cut(Call *c, JoinParts p) {
  const Tensor *in = c->in[0];
  const Shape *whole = &in->type.shape;
  const int axis = axis_at(p.axis, whole->ndim);
  for (int i = 0; i < c->n_out && !interrupted(); i++) {
    int64_t begin = part_begin(&p, i, whole->dim[axis]);
    Region from = stretch(whole, axis, begin, part_length(&p, i, whole->dim[axis])), to = region_of(&from.shape);
    region_copy(dtype_size(in->type.dtype), in->data, &from, c->out[i]->data, &to);
  }
  return interrupt_status();
}

static Status cut_channels(Call *c) { return cut(c, channel_parts(c->params)); }
static Status cut_split(Call *c) { return cut(c, split_parts(c->params)); }

enum { STRETCH = 1024 };   /* elements added together */

/* Adds from left to right in a buffer, because the output may be the memory of any input. */
#define ADD(code, T, suffix)                                                                \
  static void add_##suffix(void *context, int64_t first, int64_t last) {                    \
    const Call *c = context;                                                                \
    T sum[STRETCH], *out = c->out[0]->data;                                                 \
    for (int64_t at = first; at < last && !interrupted(); at += STRETCH) {                  \
      const int64_t n = last - at < STRETCH ? last - at : STRETCH;                          \
      memcpy(sum, (const T *)c->in[0]->data + at, (size_t)n * sizeof(T));                   \
      for (int i = 1; i < c->n_in; i++) {                                                   \
        const T *x = (const T *)c->in[i]->data + at;                                        \
        IVDEP                                                                               \
        for (int64_t k = 0; k < n; k++) sum[k] = (T)(sum[k] + x[k]);                        \
      }                                                                                     \
      memcpy(out + at, sum, (size_t)n * sizeof(T));                                         \
    }                                                                                       \
  }
EACH_NUMBER(ADD)

static Status add_n(Call *c) { return run_parallel(tensor_size(c->out[0]), 1 << 15, c->kernel->body, c); }

#define ADD_KERNEL(code, T, suffix) \
  { .op = "add_n", .types = ONE_TYPE(code), .run = add_n, .body = add_##suffix, BLOCK_SIZES(STRETCH) },

/* clang-format off */
const Kernel concat_split_kernels[] = {
  { .op = "Concat", .types = ALL_TYPES, .run = concat },
  { .op = "_rnn_param_concat", .types = ALL_TYPES, .run = concat },
  { .op = "stack", .types = ALL_TYPES, .run = stack },
  { .op = "SliceChannel", .types = ALL_TYPES, .run = cut_channels },
  { .op = "_split_v2", .types = ALL_TYPES, .run = cut_split },
  EACH_NUMBER(ADD_KERNEL)
  { 0 },
};
/* clang-format on */
