/* strided_region.h - some elements of a contiguous array, chosen by even steps along its axes:
** what slices, splits, flips and permutations select. Strides and offset count elements.
*/
#ifndef HL_TENSOR_STRIDED_REGION_H
#define HL_TENSOR_STRIDED_REGION_H

#include "tensor/shape.h"

typedef struct Region {
  Shape shape;
  int64_t stride[MAX_DIMS];     /* 0: one element stands for the whole axis; negative: backwards */
  int64_t offset;               /* of element (0, 0, ..) */
} Region;

/* The whole array. */
Region region_of(const Shape *whole);

/* Of axis `axis` only the elements begin, begin + step, ..., `count` of them. */
void region_slice(Region *r, int axis, int64_t begin, int64_t step, int64_t count);

/* The array spread out to `to`, with which it must broadcast. */
Region region_broadcast(const Shape *whole, const Shape *to);

/* Axis i becomes what axis order[i] was. */
Region region_permuted(const Shape *whole, const int *order);

/* Is it one piece of memory, in order? */
bool region_contiguous(const Region *r);

/* Copies elements of `size` bytes from region `source` of src to region `target` of dst,
** which has the same shape. No element of dst may be named twice. */
void region_copy(size_t size, const void *src, const Region *source, void *dst, const Region *target);

/* begin:end:step over an axis of `dim`, bounds counted from the end when negative, NONE
** when left out, cut to the axis as NumPy does: the elements *first, *first + *stride, ...
** Returns how many. The step must not be 0. */
int64_t slice_range(int64_t begin, int64_t end, int64_t step, int64_t dim, int64_t *first, int64_t *stride);

#endif
