/* each_matrix.h - a kernel of tensor/lapack.h run on each matrix of a stack, the last two axes of input 0.
**
** Threads share the matrices, and each is computed by one: so its bits depend neither on threads nor on the others.
** Each of a few runners has a workspace for one matrix at a time, so a call's workspace does not grow with the stack.
*/
#ifndef HL_KERNELS_MATMUL_EACH_MATRIX_H
#define HL_KERNELS_MATMUL_EACH_MATRIX_H

#include "ir/op.h"
#include "tensor/lapack.h"

typedef struct MatrixStack MatrixStack;

/* Computes matrix k; `workspace` has the bytes for one matrix that were given. */
typedef Fault MatrixKernel(const MatrixStack *s, int64_t k, void *workspace);

struct MatrixStack {
  const Call *c;
  int64_t rows, columns, count;   /* of input 0; number of matrices */
  DType dtype, work;              /* of the operands; of the computation: they differ where our loops compute */
  MatrixKernel *one;
  size_t workspace;
  int64_t runners, failed[FAULT_TOO_LARGE + 1];   /* the first matrix with this fault; `count`: none */
};

/* A row's forward: `count` matrices of input 0's size. `wanted` ends the error for one that has no
** such factors: "regular matrices, got a singular one". */
Status each_matrix(Call *c, MatrixKernel *one, int64_t count, size_t workspace, const char *wanted);

/* The row's workspace for that. */
size_t stack_scratch(const Type *in, int64_t count, size_t workspace);

/* The columns `workspace` and `forward` of a row with one input, out of its kernel title_one and of
** title_workspace(params, in), the bytes for one matrix. */
#define MATRIX_KERNEL(title, wanted)                                                              \
  static size_t title##_scratch(const Query *q) {                                                 \
    const Type *in = query_in(q, 0);                                                              \
    return stack_scratch(in, matrices_in(&in->shape), title##_workspace(q->params, in));          \
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

/* matrix_bytes for place_for: nothing where it computes in place. */
size_t place_bytes(DType t, double n);

/* Casts elements of an input, starting with `at`, to the dtype to compute in; and from that into an output. */
void load_elements(const MatrixStack *s, int input, int64_t at, int64_t n, void *to);
void store_elements(const MatrixStack *s, int output, int64_t at, int64_t n, const void *from);

/* Where elements of output `output`, starting with `at`, can be computed: there, or, if the dtypes differ, in
** `workspace`, to be stored afterwards. */
void *place_for(const MatrixStack *s, int output, int64_t at, void *workspace);

/* Loads the transpose of matrix k (m, n) of an input; stores x (m, n) transposed as elements of an output, starting
** with `at`, through `workspace` if the dtypes differ. */
void load_transposed(const MatrixStack *s, int input, int64_t at, int64_t m, int64_t n, void *workspace, void *to);
void store_transposed(const MatrixStack *s, int output, int64_t at, int64_t m, int64_t n, const void *x,
                      void *workspace);

#endif
