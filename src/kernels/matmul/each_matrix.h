/* each_matrix.h - a kernel of tensor/lapack.h run on each matrix of a stack, the last two axes of input 0.
**
** Threads share the matrices, and each is computed in one: so its bits depend neither on threads nor on the others.
** Memory for one matrix at a time is given to each of a few runners, so what a call needs does not grow with the stack.
*/
#ifndef HL_KERNELS_MATMUL_EACH_MATRIX_H
#define HL_KERNELS_MATMUL_EACH_MATRIX_H

#include "ir/op.h"
#include "tensor/lapack.h"

typedef struct MatrixStack MatrixStack;

/* Does matrix k; `room` is as much as the row's room said. */
typedef Fault MatrixKernel(const MatrixStack *s, int64_t k, void *workspace);

struct MatrixStack {
  const Call *c;
  int64_t rows, columns, count;   /* of input 0; how many matrices */
  DType dtype, work;              /* of the operands; what to compute in: they differ where our loops compute */
  MatrixKernel *one;
  size_t workspace;
  int64_t runners, failed[FAULT_TOO_LARGE + 1];   /* the first matrix with this fault; `count`: none */
};

/* A row's forward: `count` matrices of input 0's size. `wanted` ends the error for one that has no
** such factors: "regular matrices, got a singular one". */
Status each_matrix(Call *c, MatrixKernel *one, int64_t count, size_t workspace, const char *wanted);

/* The row's scratch memory for that. */
size_t stack_scratch(const Type *in, int64_t count, size_t workspace);

/* The columns `scratch` and `forward` of a row with one input, out of its kernel title_one and of title_workspace(params,
** in), the bytes for one matrix. */
#define MATRIX_KERNEL(title, wanted)                                                              \
  static size_t title##_scratch(const Query *q) {                                                 \
    const Type *in = query_in(q, 0);                                                              \
    return stack_scratch(in, matrices_in(&in->shape), title##_workspace(q->params, in));               \
  }                                                                                               \
  static Status title##_forward(Call *c) {                                                        \
    const Type *in = &c->in[0]->type;                                                             \
    return each_matrix(c, title##_one, matrices_in(&in->shape), title##_workspace(c->params, in), wanted); \
  }

static inline int64_t rows_of(const Type *t) { return t->shape.dim[t->shape.ndim - 2]; }
static inline int64_t columns_of(const Type *t) { return t->shape.dim[t->shape.ndim - 1]; }
static inline double area(int64_t m, int64_t n) { return (double)m * (double)n; }

/* Matrices in a stack of this shape: the product of the axes before the last two. */
int64_t matrices_in(const Shape *s);

/* n elements of dtype t, with room for the next piece to begin aligned. */
size_t matrix_bytes(DType t, double n);

/* The same for what place_for needs: nothing where it computes in place. */
size_t place_bytes(DType t, double n);

/* So many bytes off *room. */
void *take_workspace(void **workspace, size_t bytes);

/* Elements from `at` on of an input, to the dtype to compute in, and of that into an output. */
void load_elements(const MatrixStack *s, int input, int64_t at, int64_t n, void *to);
void store_elements(const MatrixStack *s, int output, int64_t at, int64_t n, const void *from);

/* Where elements of output `output` from `at` on can be made: there, or, where the dtypes differ, in `room`, to be
** stored then. */
void *place_for(const MatrixStack *s, int output, int64_t at, void *workspace);

/* The transpose of matrix k (m, n) of an input; x (m, n) transposed as elements from `at` on of an output, by way of
** `room` where the dtypes differ. */
void load_transposed(const MatrixStack *s, int input, int64_t at, int64_t m, int64_t n, void *workspace, void *to);
void store_transposed(const MatrixStack *s, int output, int64_t at, int64_t m, int64_t n, const void *x, void *workspace);

#endif
