/* reshape_cast_kernels.c - casts, copies, and the shape as an array. */
#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "tensor/cast_copy.h"

static Status shape_array(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  for (int i = 0; i < s->ndim; i++) tensor_set_int(c->out[0], i, s->dim[i]);
  return OK;
}

static Status size_array(Call *c) {
  tensor_set_int(c->out[0], 0, tensor_size(c->in[0]));
  return OK;
}

static Status copy(Call *c) {
  tensor_copy_to(c->in[0], c->out[0]);
  return interrupt_status();
}

static Status cast(Call *c) {
  const Tensor *in = c->in[0], *out = c->out[0];
  convert_parallel(in->type.dtype, in->data, out->type.dtype, out->data, tensor_size(in));
  return interrupt_status();
}

const Kernel reshape_cast_kernels[] = {
  { .op = "shape_array", .place = EVERYWHERE, .types = ONE_TYPE(DT_INT64), .run = shape_array },
  { .op = "size_array", .place = EVERYWHERE, .types = ONE_TYPE(DT_INT64), .run = size_array },
  { .op = "_copy", .place = EVERYWHERE, .types = ALL_TYPES, .run = copy },
  { .op = "_copyto", .place = EVERYWHERE, .types = ALL_TYPES, .run = copy },
  { .op = "Cast", .types = ALL_TYPES, .run = cast },
  { .op = "amp_cast", .types = ALL_TYPES, .run = cast },
  { .op = "_as_float", .types = ALL_TYPES, .run = cast },
  { 0 },
};
