/* strided_region.c - see strided_region.h. */
#include "tensor/strided_region.h"

#include "base/assert.h"
#include "tensor/cast_copy.h"

Region region_of(const Shape *whole) {
  Region r = { .shape = *whole };
  strides_of(whole, r.stride);
  return r;
}

void region_slice(Region *r, int axis, int64_t begin, int64_t step, int64_t count) {
  HL_ASSERT(axis >= 0 && axis < r->shape.ndim);
  if (count > 0) r->offset += begin * r->stride[axis];
  if (count > 1) r->stride[axis] *= step;
  r->shape.dim[axis] = count;
}

Region region_broadcast(const Shape *whole, const Shape *to) {
  Region r = { .shape = *to };
  HL_ASSERT(whole->ndim <= to->ndim);
  broadcast_strides(whole, to, r.stride);
  return r;
}

Region region_permuted(const Shape *whole, const int *order) {
  Region from = region_of(whole), r = { .shape = { .ndim = whole->ndim } };
  for (int i = 0; i < whole->ndim; i++) {
    HL_ASSERT(order[i] >= 0 && order[i] < whole->ndim);
    r.shape.dim[i] = from.shape.dim[order[i]];
    r.stride[i] = from.stride[order[i]];
  }
  return r;
}

bool region_contiguous(const Region *r) {
  int64_t step = 1;
  for (int i = r->shape.ndim - 1; i >= 0; i--) {
    if (r->shape.dim[i] != 1 && r->stride[i] != step) return false;
    step *= r->shape.dim[i];
  }
  return true;
}

void region_copy(size_t size, const void *src, const Region *source, void *dst, const Region *target) {
  strided_copy(size, &source->shape, (const char *)src + source->offset * (int64_t)size, source->stride,
               (char *)dst + target->offset * (int64_t)size, target->stride);
}

static int64_t clamp(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

int64_t slice_range(int64_t begin, int64_t end, int64_t step, int64_t dim, int64_t *first, int64_t *stride) {
  *stride = step == NONE ? 1 : step;
  bool forwards = *stride > 0;
  int64_t low = forwards ? 0 : -1, high = forwards ? dim : dim - 1;      /* range of a bound */
  if (begin != NONE) begin = clamp(begin < 0 ? begin + dim : begin, low, high);
  else begin = forwards ? low : high;
  if (end != NONE) end = clamp(end < 0 ? end + dim : end, low, high);
  else end = forwards ? high : low;
  *first = begin;
  int64_t distance = forwards ? end - begin : begin - end;
  uint64_t pace = forwards ? (uint64_t)*stride : 0 - (uint64_t)*stride;
  return distance > 0 ? (int64_t)(((uint64_t)distance - 1) / pace) + 1 : 0;
}
