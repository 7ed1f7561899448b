/* each_matrix.h - running a kernel of tensor/lapack.h on each matrix of a stack, the last two axes of input 0.
**
** Threads divide the matrices; one thread computes each, so its bits depend neither on threads nor on other matrices.
** Each of a few runners has a workspace for one matrix at a time, so a call's workspace does not grow with the stack.
*/
#ifndef HL_KERNELS_LINALG_EACH_MATRIX_H
#define HL_KERNELS_LINALG_EACH_MATRIX_H

#include "kernels/kernel_registry.h"
#include "ops/linalg/stack_rules.h"
#include "tensor/lapack.h"
#include "tensor/strided_region.h"

typedef struct MatrixStack MatrixStack;

/* Computes matrix k in a workspace for one matrix. */
typedef Fault MatrixKernel(const MatrixStack *s, int64_t k, void *workspace);

struct MatrixStack {
  const Call *c;
  int64_t rows, columns, count;   /* of input 0; number of matrices */
  DType dtype, work;              /* dtypes of operands and computation; they differ if our loops compute */
  MatrixKernel *one;
  size_t workspace;
  int64_t runners, failed[FAULT_TOO_LARGE + 1];   /* index of the first matrix with each fault; `count` if none */
};

/* The column `run` of a kernel for `count` matrices of input 0's size. `wanted` completes the error if a matrix has no
** factors: "regular matrices, got a singular one". */
Status each_matrix(Call *c, MatrixKernel *one, int64_t count, size_t workspace, const char *wanted);

/* Bytes of the workspace of each_matrix. */
size_t stack_workspace(const Type *in, int64_t count, size_t workspace);

/* Defines title_run and title_workspace, the columns of the kernel of a row with one input, from title_one and from
** title_bytes(params, in), the bytes for one matrix. */
#define MATRIX_KERNEL(title, wanted)                                                              \
  static Status title##_workspace(const Query *q, Workspace *w) {                                 \
    const Type *in = query_in(q, 0);                                                              \
    w->bytes = stack_workspace(in, matrices_in(&in->shape), title##_bytes(q->params, in));        \
    return OK;                                                                                    \
  }                                                                                               \
  static Status title##_run(Call *c) {                                                            \
    const Type *in = &c->in[0]->type;                                                             \
    return each_matrix(c, title##_one, matrices_in(&in->shape), title##_bytes(c->params, in), wanted); \
  }

/* The kernel that MATRIX_KERNEL defines, for a row. */
#define MATRIX_ROW(row, title) \
  { .op = "_linalg_" row, .types = FLOAT_TYPES, .run = title##_run, .workspace = title##_workspace }

static inline double area(int64_t m, int64_t n) { return (double)m * (double)n; }

/* The position in an array of element k of its region. */
static inline int64_t region_position(const Region *r, int64_t k) {
  int64_t at = 0;
  for (int i = r->shape.ndim - 1; i >= 0; k /= r->shape.dim[i--]) at += k % r->shape.dim[i] * r->stride[i];
  return at;
}

/* Bytes of place_for's workspace: 0 if it computes in place. */
size_t place_bytes(DType t, double n);

/* Converts elements of an input, starting at `at`, to the dtype of the computation; stores results in an output. */
void load_elements(const MatrixStack *s, int input, int64_t at, int64_t n, void *to);
void store_elements(const MatrixStack *s, int output, int64_t at, int64_t n, const void *from);

/* The same for kernels that compute in float64 in any case. */
void load_doubles(const MatrixStack *s, int input, int64_t at, int64_t n, double *to);
void store_doubles(const MatrixStack *s, int output, int64_t at, int64_t n, const double *from);

/* Where to compute elements of an output, starting at `at`: in place or, if dtypes differ, in `workspace`, to be stored
** afterwards. */
void *place_for(const MatrixStack *s, int output, int64_t at, void *workspace);

/* Loads the transpose of a matrix (m, n) of an input; stores x (m, n), transposed, in an output, starting at `at`,
** through `workspace` if dtypes differ. */
void load_transposed(const MatrixStack *s, int input, int64_t at, int64_t m, int64_t n, void *workspace, void *to);
void store_transposed(const MatrixStack *s, int output, int64_t at, int64_t m, int64_t n, const void *x,
                      void *workspace);

#endif
