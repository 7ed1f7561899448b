/* fill_region.h - outputs that are copied from or to one region of an array. */
#ifndef HL_KERNELS_LOOPS_FILL_REGION_H
#define HL_KERNELS_LOOPS_FILL_REGION_H

#include "base/threads/parallel_for.h"
#include "ir/op.h"
#include "tensor/cast_copy.h"
#include "tensor/strided_region.h"

static inline size_t element_size(const Call *c) { return dtype_size(c->out[0]->type.dtype); }

/* Fills output 0 with the elements of input 0 in region `from`. */
static inline Status fill_from(Call *c, Region from) {
  Region to = region_of(&from.shape);
  region_copy(element_size(c), c->in[0]->data, &from, c->out[0]->data, &to);
  return interrupt_status();
}

/* Copies input 0 to region `to` of output 0, which is 0 elsewhere. */
static inline Status fill_part(Call *c, Region to) {
  Tensor *out = c->out[0];
  Region from = region_of(&to.shape);
  size_t size = element_size(c), before = 0, part = 0;
  if (region_contiguous(&to) && tensor_size(c->in[0]) > 0) { /* only the elements around it must be zeroed */
    before = (size_t)to.offset * size;
    part = tensor_bytes(c->in[0]);
  }
  clear_block(out->data, before);
  clear_block((char *)out->data + before + part, tensor_bytes(out) - before - part);
  region_copy(size, c->in[0]->data, &from, out->data, &to);
  return interrupt_status();
}

#endif
