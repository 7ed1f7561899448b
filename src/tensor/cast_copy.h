/* cast_copy.h - converting elements between dtypes, and copying them between layouts. */
#ifndef HL_TENSOR_CAST_COPY_H
#define HL_TENSOR_CAST_COPY_H

#include "tensor/tensor.h"

/* The number as a dtype holds it: integers and bools drop its fraction. */
double dtype_cut(DType t, double x);

/* Converts n elements of `from` at src to `to` at dst. base/math/scalar_bits.h defines how floats become integers. Any
** nonzero value becomes true. */
void convert(DType from, const void *src, DType to, void *dst, int64_t n);

/* The same on all threads. */
void convert_parallel(DType from, const void *src, DType to, void *dst, int64_t n);

/* dst[i0, i1, ..] = src[..] over `shape`, for elements of `size` bytes. Strides count elements and may be 0 (a
** broadcast) or negative; src and dst point at element (0, 0, ..). Elements of dst must not coincide. */
void strided_copy(size_t size, const Shape *shape, const void *src, const int64_t *src_strides, void *dst,
                  const int64_t *dst_strides);

/* Copies a block of memory; a large one on all threads. */
void copy_block(const void *src, void *dst, size_t bytes);
void clear_block(void *dst, size_t bytes);

/* Row-major strides of a shape, in elements; strides of an array broadcast to a shape, 0 along its axes of length 1. */
void strides_of(const Shape *shape, int64_t *strides);
void broadcast_strides(const Shape *shape, const Shape *to, int64_t *strides);

#endif
