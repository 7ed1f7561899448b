/* shape.h - the dimensions of an array, possibly unknown.
**
** At most MAX_DIMS dimensions. 0 dimensions are a scalar, and a dimension of 0 makes an empty array; both are legal.
** UNKNOWN marks what is unknown: all dimensions, if `ndim` has this value, or one of them. Only at MXNet's boundary
** (files, Parameter shapes) is unknown written as 0.
*/
#ifndef HL_TENSOR_SHAPE_H
#define HL_TENSOR_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text_buffer.h"
#include "tensor/dtype.h"

enum { MAX_DIMS = 8, UNKNOWN = -1 };
#define MAX_ELEMENTS ((int64_t)1 << 48)
#define NONE INT64_MIN           /* an omitted integer: a slice's bound, an optional parameter */

typedef struct Shape {
  int ndim;
  int64_t dim[MAX_DIMS];
} Shape;

/* The type of a value: element type and dimensions. */
typedef struct Type {
  DType dtype;
  Shape shape;
} Type;

#define SHAPE_UNKNOWN ((Shape){ .ndim = UNKNOWN })
#define TYPE_UNKNOWN ((Type){ .dtype = DT_UNKNOWN, .shape = { .ndim = UNKNOWN } })

Shape shape_of(int ndim, const int64_t *dims);
bool shape_known(const Shape *s);                      /* every dimension */
bool shape_equal(const Shape *a, const Shape *b);
bool type_known(const Type *t);
bool type_equal(const Type *a, const Type *b);

/* Number of elements of a known shape that passed shape_check, so no product of its dimensions overflows. */
static inline int64_t shape_size(const Shape *s) {
  int64_t n = 1;
  for (int i = 0; i < s->ndim; i++) n *= s->dim[i];
  return n;
}
int64_t shape_size_range(const Shape *s, int first, int last);  /* product of dims [first, last) */

/* Rejects negative dimensions and more than MAX_ELEMENTS elements. As in NumPy, dimensions of 0 are left out of the
** product: (2^40, 2^40, 0) has no elements, but its strides and the sizes of its parts would overflow. */
Status shape_check(const Shape *s, const char *who);

static inline size_t type_bytes(const Type *t) { return (size_t)shape_size(&t->shape) * dtype_size(t->dtype); }

/* Merges the known parts of two shapes in *into; false if they contradict. */
bool shape_merge(Shape *into, const Shape *other);
bool dtype_merge(DType *into, DType other);

/* The shape of a and b broadcast against each other as in NumPy, in *out; false if they do not fit. Unknown dimensions
** stay unknown unless the other side decides. */
bool shape_broadcast(const Shape *a, const Shape *b, Shape *out);

/* Normalizes an axis, which counts from the end if negative; errors name `who`, `param` and the interval. */
Status axis_normal(const char *who, const char *param, int64_t axis, int ndim, int *out);

/* "(2, 3)", "(5,)", "()", with "?" for unknown parts, in a thread-local buffer that is reused after eight calls. */
const char *shape_text(const Shape *s);
const char *shape_numbers(const Shape *s);             /* an invalid shape as given: "(-1,)" */
const char *type_text(const Type *t);                  /* "float32 (2, 3)" */

#endif
