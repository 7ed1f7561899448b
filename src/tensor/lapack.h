/* lapack.h - factorizations of one matrix, by the LAPACK that lies in OpenBLAS, else by our own loops.
**
** Matrices are row-major and densely packed, of the dtype that factor_dtype gives. The functions work in place,
** allocate nothing (`work` has the bytes that the function's _workspace says) and run in several threads at once.
** Callers keep the library from using threads of its own (parallel_library_alone), on whose number bits would depend.
** One shape always makes the same calls of the library.
**
** LAPACK is column-major: what it sees is the transpose. So rows stand here where LAPACK's documentation says
** columns, and nothing need be turned round: eigenvectors and the vectors of Q are rows.
*/
#ifndef HL_TENSOR_LAPACK_H
#define HL_TENSOR_LAPACK_H

#include "tensor/tensor.h"

static inline int64_t lesser(int64_t m, int64_t n) { return m < n ? m : n; }
static inline int64_t greater(int64_t m, int64_t n) { return m < n ? n : m; }

/* How a factorization fails. */
typedef enum Fault {
  FAULT_NONE,
  FAULT_MATRIX,          /* it has none: singular, not positive definite */
  FAULT_NOT_FINITE,      /* NaN or an infinity where the algorithm cannot have it */
  FAULT_NOT_CONVERGED,
  FAULT_TOO_LARGE        /* for the library's 32 bit sizes */
} Fault;

/* Whether the library's LAPACK is used; what is, for --info. HYBRIDLUA_LAPACK=off in the environment: our loops. */
bool lapack_there(void);
const char *lapack_info(void);

/* The dtype to compute in: the same with LAPACK, float64 with the loops. */
DType factor_dtype(DType dtype);

/* Bytes of n elements of dtype t, rounded up so that the next part of a workspace begins aligned; takes that many off
** *workspace. */
size_t matrix_bytes(DType t, double n);
void *take_workspace(void **workspace, size_t bytes);

/* y (n, m) = x (m, n) transposed. */
void factor_transpose(DType t, int64_t m, int64_t n, const void *x, void *y);

/* The lower triangle of a becomes L with L L' = a, the upper one 0; only the lower one is looked at. */
Fault factor_cholesky(DType t, int64_t n, void *a);

/* From L, the inverse of L L'. */
Fault factor_cholesky_inverse(DType t, int64_t n, void *a, void *work);
size_t factor_cholesky_inverse_workspace(DType t, int64_t n);

/* Triangular factors in place of a, with exchanges in `pivot` (n ints): the next functions go on from there. The
** diagonal's product, with the sign, is the determinant. FAULT_MATRIX: an exact 0 is on the diagonal. */
Fault factor_lu(DType t, int64_t n, void *a, int *pivot);
int factor_lu_sign(int64_t n, const int *pivot);
Fault factor_lu_inverse(DType t, int64_t n, void *a, const int *pivot, void *work);
size_t factor_lu_inverse_workspace(DType t, int64_t n);
void factor_lu_solve(DType t, int64_t n, const void *a, const int *pivot, int64_t sides, void *x); /* x (n, sides) */

/* Of a (rows, n), k being the lesser: l (rows, k), lower triangular, and orthonormal rows in a with a = l q, q being
** the first k. q_rows of them are made (0, or from k to n); a has the capacity for that many rows. */
void factor_lq(DType t, int64_t rows, int64_t n, void *a, void *l, int64_t q_rows, void *work);
size_t factor_lq_workspace(DType t, int64_t rows, int64_t n, int64_t q_rows);

/* Eigenvalues w (ascending) of the symmetric a, whose lower or upper triangle is looked at; with vectors, they are
** the rows of a. */
Fault factor_eigen(DType t, int64_t n, void *a, void *w, bool lower, bool vectors, void *work);
size_t factor_eigen_workspace(DType t, int64_t n, bool vectors);

/* Singular values s (descending) of A (m, n), given as its transpose at (n, m), which is lost. Where ut is not NULL
** also U' (k, m) and V (n, k), with `full` (m, m) and (n, n). */
Fault factor_svd(DType t, int64_t m, int64_t n, void *at, void *s, void *ut, void *v, bool full, void *work);
size_t factor_svd_workspace(DType t, int64_t m, int64_t n, bool vectors, bool full);

/* The shortest x with the least |A x - b|, for each row of bt, max(m, n) elements long: b, and on return x and behind
** it, where *rank is n, elements whose squares sum up to the residual. at is A', lost. Singular values up to rcond
** times the largest count as 0: where there are clearly none, x is found by QR, in less time than they take, else by
** them. */
Fault factor_least_squares(DType t, int64_t m, int64_t n, int64_t sides, void *at, void *bt, double rcond, int *rank,
                           void *work);
size_t factor_least_squares_workspace(DType t, int64_t m, int64_t n, int64_t sides);

/* Only with LAPACK: x (m, n) becomes Y with op(a) Y = x, or Y op(a) = x where a is on the right; a is triangular. */
void factor_solve_triangle(DType t, int64_t m, int64_t n, const void *a, void *x, bool right, bool lower,
                           bool transpose);

/* c (m, n) = a (m, k) b (k, n) */
void factor_multiply(DType t, int64_t m, int64_t n, int64_t k, const void *a, const void *b, void *c);

#endif
