/* broadcast_tile_kernels.c - broadcast_to and related operators, tile, repeat.
**
** A broadcast or a repeat is one copy between two regions (tensor/strided_region.h) with a stride of 0.
*/
#include "kernels/kernel_registry.h"
#include "kernels/loops/fill_region.h"
#include "ops/common/shared_params.h"
#include "ops/shape/broadcast_tile.h"

static Status broadcast(Call *c) {
  return fill_from(c, region_broadcast(&c->in[0]->type.shape, &c->out[0]->type.shape));
}

/* Copies data to the first corner of the output. Then, from the last axis to the first, it doubles the filled part
** along the axis until the axis is full. */
static Status tile(Call *c) {
  Shape dims;
  int64_t times[MAX_DIMS];
  size_t size = element_size(c);
  Tensor *out = c->out[0];
  TRY(tile_dims(c->op->name, &((const ShapeParams *)c->params)->shape, &c->in[0]->type.shape, &dims, times));
  if (tensor_size(out) == 0) return OK;
  Region whole = region_of(&out->type.shape), from = region_of(&dims), done = whole;
  done.shape = dims;
  region_copy(size, c->in[0]->data, &from, out->data, &done);
  for (int i = dims.ndim - 1; i >= 0; i--) {
    for (int64_t have = 1; have < times[i] && !interrupted();) {
      int64_t more = have < times[i] - have ? have : times[i] - have;
      Region source = done, target = done;
      source.shape.dim[i] = target.shape.dim[i] = more * dims.dim[i];
      target.offset += have * dims.dim[i] * whole.stride[i];
      region_copy(size, out->data, &source, out->data, &target);
      have += more;
    }
    done.shape.dim[i] *= times[i];
  }
  return interrupt_status();
}

static Status repeat_each(Call *c) {
  const RepeatParams *p = c->params;
  int64_t units, after;
  repeat_units(p, &c->in[0]->type.shape, &units, &after);
  return fill_from(c, (Region){ .shape = { 3, { units, p->repeats, after } }, .stride = { after, 0, 1 } });
}

const Kernel broadcast_tile_kernels[] = {
  { .op = "broadcast_to", .types = ALL_TYPES, .run = broadcast },
  { .op = "_broadcast_exact", .types = ALL_TYPES, .run = broadcast },
  { .op = "broadcast_axis", .types = ALL_TYPES, .run = broadcast },
  { .op = "broadcast_like", .types = ALL_TYPES, .run = broadcast },
  { .op = "tile", .types = ALL_TYPES, .run = tile },
  { .op = "repeat", .types = ALL_TYPES, .run = repeat_each },
  { 0 },
};
