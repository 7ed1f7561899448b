/* fill_region.h - outputs that are one copy of a region of input 0. */
#ifndef HL_OPS_SHAPE_FILL_REGION_H
#define HL_OPS_SHAPE_FILL_REGION_H

#include "base/threads/parallel_for.h"
#include "ir/op.h"
#include "tensor/strided_region.h"

static inline size_t element_size(const Call *c) { return dtype_size(c->in[0]->type.dtype); }

/* Input 0's elements, as `from` chooses them, fill the output. */
static inline Status fill_from(Call *c, const Region *from) {
  Region to = region_of(&from->shape);
  region_copy(element_size(c), c->in[0]->data, from, c->out[0]->data, &to);
  return interrupt_status();
}

#endif
