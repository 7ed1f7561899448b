/* slice_kernels.c - parts of an array, read or replaced: slice, slice_axis, slice_like, Crop, _slice_assign. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/fill_region.h"
#include "ops/shape/slice.h"

static Status read_part(Call *c) {
  SlicesOf *const *slices_of = c->kernel->own;
  const Shape *in = &c->in[0]->type.shape;
  const SliceParams slices = (*slices_of)(c->params, in, &c->out[0]->type.shape);
  return fill_from(c, slice_region(&slices, in));
}

static Status backward_slice(Call *c) {
  return fill_part(c, slice_region(&((const SliceBackwardParams *)c->params)->slice, &c->out[0]->type.shape));
}

static Status slice_assign(Call *c) {
  Tensor *out = c->out[0];
  Region to = slice_region(c->params, &out->type.shape), from = region_of(&to.shape);
  copy_block(c->in[0]->data, out->data, tensor_bytes(out));
  region_copy(element_size(c), c->in[1]->data, &from, out->data, &to);
  return interrupt_status();
}

static Status slice_assign_scalar(Call *c) {
  const SliceScalarParams *p = c->params;
  Tensor *out = c->out[0];
  Region to = slice_region(&p->slice, &out->type.shape);
  uint64_t element;
  Tensor scalar = { .data = &element, .type = { .dtype = out->type.dtype } };
  Region from = region_broadcast(&scalar.type.shape, &to.shape);
  tensor_set(&scalar, 0, p->scalar);
  copy_block(c->in[0]->data, out->data, tensor_bytes(out));
  region_copy(element_size(c), &element, &from, out->data, &to);
  return interrupt_status();
}

#define READ(row, slices) { .op = row, .types = ALL_TYPES, .run = read_part, .own = &(SlicesOf *const){ slices } }

const Kernel slice_kernels[] = {
  READ("slice", slice_slices),
  READ("slice_axis", slice_axis_slices),
  READ("slice_like", slice_like_slices),
  READ("Crop", crop_slices),
  { .op = "_backward_slice", .types = ALL_TYPES, .run = backward_slice },
  { .op = "_slice_assign", .types = ALL_TYPES, .run = slice_assign },
  { .op = "_slice_assign_scalar", .types = ALL_TYPES, .run = slice_assign_scalar },
  { 0 },
};
