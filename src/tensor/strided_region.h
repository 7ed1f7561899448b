/* strided_region.h - elements of a contiguous array at even steps along its axes, as selected by slices, splits, flips
** and permutations. Strides and offset count elements.
*/
#ifndef HL_TENSOR_STRIDED_REGION_H
#define HL_TENSOR_STRIDED_REGION_H

#include "tensor/shape.h"

typedef struct Region {
  Shape shape;
  int64_t stride[MAX_DIMS];     /* 0: one element serves the whole axis; negative: backwards */
  int64_t offset;               /* of element (0, 0, ..) */
} Region;

/* The whole array. */
Region region_of(const Shape *whole);

/* Restricts an axis to `count` elements begin, begin + step, ... */
void region_slice(Region *r, int axis, int64_t begin, int64_t step, int64_t count);

/* The array broadcast to the shape `to`. */
Region region_broadcast(const Shape *whole, const Shape *to);

/* Axis i becomes axis order[i]. */
Region region_permuted(const Shape *whole, const int *order);

/* Is it one contiguous piece of memory, in order? */
bool region_contiguous(const Region *r);

/* Copies elements of `size` bytes from region `source` of src to region `target` of dst, of the same shape. Elements of
** dst must not coincide. */
void region_copy(size_t size, const void *src, const Region *source, void *dst, const Region *target);

/* begin:end:step over an axis of `dim`: bounds count from the end if negative, may be NONE, and are clipped to the
** axis, as in NumPy. The elements are *first, *first + *stride, ...; returns their number. The step must not be 0. */
int64_t slice_range(int64_t begin, int64_t end, int64_t step, int64_t dim, int64_t *first, int64_t *stride);

#endif
