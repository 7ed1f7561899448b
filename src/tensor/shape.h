/* shape.h - dimensions of an array, known or not yet.
**
** At most MAX_DIMS dimensions. 0 dimensions is a scalar and a dimension of 0 an
** empty array, both legal. Unknown has a value of its own, UNKNOWN: as `ndim` it
** says that nothing is known, as a dimension that this one is not. Only at MXNet's
** boundary (files, Parameter shapes) is unknown written 0.
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
#define NONE INT64_MIN           /* an integer that was left out: a slice's bound, an optional parameter */

typedef struct Shape {
  int ndim;
  int64_t dim[MAX_DIMS];
} Shape;

/* What a value is: element type and dimensions. */
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

/* Refuses negative dimensions and more than MAX_ELEMENTS elements. As in NumPy dimensions of 0 are left out
** of that product: (2^40, 2^40, 0) has no elements, but its strides and the sizes of its parts would overflow. */
Status shape_check(const Shape *s, const char *who);

static inline size_t type_bytes(const Type *t) { return (size_t)shape_size(&t->shape) * dtype_size(t->dtype); }

/* Brings what is known of two shapes together in *into; false if they contradict. */
bool shape_merge(Shape *into, const Shape *other);
bool dtype_merge(DType *into, DType other);

/* The shape of a and b broadcast against each other as NumPy does, in *out; false
** if they do not fit. Unknown dimensions give unknown ones unless the other side decides. */
bool shape_broadcast(const Shape *a, const Shape *b, Shape *out);

/* An axis counted from the end when negative; fails naming `who`, `param` and the interval. */
Status axis_normal(const char *who, const char *param, int64_t axis, int ndim, int *out);

/* "(2, 3)", "(5,)", "()", with "?" for what is unknown, into a buffer of this
** thread that the eighth call from now reuses. */
const char *shape_text(const Shape *s);
const char *shape_numbers(const Shape *s);             /* of one that was given: "(-1,)" is -1 there, and wrong */
const char *type_text(const Type *t);                  /* "float32 (2, 3)" */

#endif
