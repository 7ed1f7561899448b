/* lapack.h - factorizations of one matrix, by the LAPACK in OpenBLAS, else by our own loops.
**
** Matrices are row-major and densely packed, of the dtype that factor_dtype returns. The functions work in place and
** allocate nothing: `work` has the bytes that the function's _workspace returns. They may run in several threads at
** once. Callers keep the library from using its own threads (parallel_library_alone), on whose number bits would
** depend. A shape determines the library calls.
**
** LAPACK is column-major, so it reads the transpose. LAPACK's columns are therefore rows here, and nothing needs to be
** transposed: eigenvectors and the vectors of Q are rows.
*/
#ifndef HL_TENSOR_LAPACK_H
#define HL_TENSOR_LAPACK_H

#include "tensor/tensor.h"

static inline int64_t lesser(int64_t m, int64_t n) { return m < n ? m : n; }
static inline int64_t greater(int64_t m, int64_t n) { return m < n ? n : m; }

/* Failures of a factorization. */
typedef enum Fault {
  FAULT_NONE,
  FAULT_MATRIX,          /* no factorization exists: singular, not positive definite */
  FAULT_NOT_FINITE,      /* a NaN or infinity that the algorithm cannot handle */
  FAULT_NOT_CONVERGED,
  FAULT_TOO_LARGE        /* sizes exceed the library's 32 bits */
} Fault;

/* Whether the library's LAPACK is used (HYBRIDLUA_LAPACK=off in the environment disables it); a description for
** --info. */
bool lapack_there(void);
const char *lapack_info(void);

/* The dtype to compute in: the same with LAPACK, float64 with the loops. */
DType factor_dtype(DType dtype);

/* Bytes of n elements of dtype t, rounded up to keep the parts of a workspace aligned; takes bytes off *workspace. */
size_t matrix_bytes(DType t, double n);
void *take_workspace(void **workspace, size_t bytes);

/* y (n, m) = x (m, n) transposed. */
void factor_transpose(DType t, int64_t m, int64_t n, const void *x, void *y);

/* The lower triangle of a becomes L with L L' = a, the upper one 0; only the lower one is read. */
Fault factor_cholesky(DType t, int64_t n, void *a);

/* Computes the inverse of L L' from L. */
Fault factor_cholesky_inverse(DType t, int64_t n, void *a, void *work);
size_t factor_cholesky_inverse_workspace(DType t, int64_t n);

/* Replaces a by triangular factors, with exchanges in `pivot` (n ints), for the functions below. The product of the
** diagonal, times the sign, is the determinant. FAULT_MATRIX: a diagonal element is exactly 0. */
Fault factor_lu(DType t, int64_t n, void *a, int *pivot);
int factor_lu_sign(int64_t n, const int *pivot);

/* Replaces a (m, n) by the factors l, without its diagonal of ones, and u of the matrix whose rows are exchanged:
** row i with row pivot[i] - 1, for i from 0 to the smaller of m and n. work: m n. */
Fault factor_lu_rows(int64_t m, int64_t n, double *a, int *pivot, double *work);
Fault factor_lu_inverse(DType t, int64_t n, void *a, const int *pivot, void *work);
size_t factor_lu_inverse_workspace(DType t, int64_t n);
void factor_lu_solve(DType t, int64_t n, const void *a, const int *pivot, int64_t sides, void *x); /* x (n, sides) */

/* Factors a (rows, n) as l q, with k the smaller of rows and n. l (rows, k) is lower triangular; q is the first k of
** the orthonormal rows written to a. q_rows of these are computed (0, or from k to n); a has the capacity for them. */
void factor_lq(DType t, int64_t rows, int64_t n, void *a, void *l, int64_t q_rows, void *work);
size_t factor_lq_workspace(DType t, int64_t rows, int64_t n, int64_t q_rows);

/* Eigenvalues w (ascending) of the symmetric a, of which the lower or upper triangle is read; with `vectors`, the rows
** of a become eigenvectors. */
Fault factor_eigen(DType t, int64_t n, void *a, void *w, bool lower, bool vectors, void *work);
size_t factor_eigen_workspace(DType t, int64_t n, bool vectors);

/* Eigenvalues w of a general matrix, and its eigenvectors of norm 1 as the rows of v unless that is NULL. Overwrites a.
** FAULT_MATRIX: some are complex. */
Fault factor_general_eigen(int64_t n, double *a, double *w, double *v, void *work);
size_t factor_general_eigen_workspace(int64_t n, bool vectors);

/* Singular values s (descending) of A (m, n), whose transpose is passed at (n, m) and overwritten. If ut is not NULL,
** also U' (k, m) and V (n, k); with `full`, (m, m) and (n, n). */
Fault factor_svd(DType t, int64_t m, int64_t n, void *at, void *s, void *ut, void *v, bool full, void *work);
size_t factor_svd_workspace(DType t, int64_t m, int64_t n, bool vectors, bool full);

/* The shortest x that minimizes |A x - b|, for each row of bt. A row has max(m, n) elements: b on input, x on output.
** If *rank is n, elements follow x whose squares sum to the residual. at is A', overwritten. Singular values up to
** rcond times the largest count as 0. If there are clearly none, x is computed by QR, which is faster than by singular
** values. */
Fault factor_least_squares(DType t, int64_t m, int64_t n, int64_t sides, void *at, void *bt, double rcond, int *rank,
                           void *work);
size_t factor_least_squares_workspace(DType t, int64_t m, int64_t n, int64_t sides);

/* Only with LAPACK: x (m, n) becomes the solution Y of op(a) Y = x, or of Y op(a) = x if a is on the right; a is
** triangular. */
void factor_solve_triangle(DType t, int64_t m, int64_t n, const void *a, void *x, bool right, bool lower,
                           bool transpose);

/* c (m, n) = a (m, k) b (k, n) */
void factor_multiply(DType t, int64_t m, int64_t n, int64_t k, const void *a, const void *b, void *c);

#endif
