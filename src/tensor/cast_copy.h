/* cast_copy.h - moving elements: from one dtype to another, from one layout to another. */
#ifndef HL_TENSOR_CAST_COPY_H
#define HL_TENSOR_CAST_COPY_H

#include "tensor/tensor.h"

/* The number as a dtype takes it: integers and truth values without its fraction. */
double dtype_cut(DType t, double x);

/* n elements of `from` at src into `to` at dst. Floats become integers as
** base/math/scalar_bits.h has it. To bool, anything but 0 is true. */
void convert(DType from, const void *src, DType to, void *dst, int64_t n);

/* The same over all threads. */
void convert_parallel(DType from, const void *src, DType to, void *dst, int64_t n);

/* dst[i0, i1, ..] = src[..] over `shape`, elements of `size` bytes; strides count
** elements and may be 0 (a broadcast) or negative; src and dst point at element (0, 0, ..).
** Two elements of dst must not be the same place. */
void strided_copy(size_t size, const Shape *shape, const void *src, const int64_t *src_strides, void *dst,
                  const int64_t *dst_strides);

/* Copies a block of memory, over all threads where it is large. */
void copy_block(const void *src, void *dst, size_t bytes);
void clear_block(void *dst, size_t bytes);

/* Row-major strides of a shape, in elements; those of an array broadcast to a shape, for the axes of which it has one
** element 0. */
void strides_of(const Shape *shape, int64_t *strides);
void broadcast_strides(const Shape *shape, const Shape *to, int64_t *strides);

#endif
