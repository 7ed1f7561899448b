/* depth_to_space_kernels.c - depth_to_space, space_to_depth: one copy of a permuted array with six axes
** (tensor/strided_region.h). */
#include "kernels/kernel_registry.h"
#include "kernels/loops/fill_region.h"
#include "ops/shape/depth_to_space.h"

static Status depth_to_space(Call *c) {
  const int64_t b = ((const BlockParams *)c->params)->block_size;
  const Shape *in = &c->in[0]->type.shape;
  const Shape parts = { .ndim = 6, .dim = { in->dim[0], b, b, in->dim[1] / (b * b), in->dim[2], in->dim[3] } };
  return fill_from(c, region_permuted(&parts, (const int[]){ 0, 3, 4, 1, 5, 2 }));
}

static Status space_to_depth(Call *c) {
  const int64_t b = ((const BlockParams *)c->params)->block_size;
  const Shape *in = &c->in[0]->type.shape;
  const Shape parts = { .ndim = 6, .dim = { in->dim[0], in->dim[1], in->dim[2] / b, b, in->dim[3] / b, b } };
  return fill_from(c, region_permuted(&parts, (const int[]){ 0, 3, 5, 1, 2, 4 }));
}

const Kernel depth_to_space_kernels[] = {
  { .op = "depth_to_space", .types = ALL_TYPES, .run = depth_to_space },
  { .op = "space_to_depth", .types = ALL_TYPES, .run = space_to_depth },
  { 0 },
};
