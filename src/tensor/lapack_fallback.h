/* lapack_fallback.h - the functions of lapack.h for libraries without LAPACK: textbook loops in float64 on one
** row-major matrix, in place. lapack.h says what each computes. They end early at an interrupt.
*/
#ifndef HL_TENSOR_LAPACK_FALLBACK_H
#define HL_TENSOR_LAPACK_FALLBACK_H

#include "tensor/lapack.h"

Fault loop_cholesky(int64_t n, double *a);
Fault loop_cholesky_inverse(int64_t n, double *a, double *work);                 /* work: n n */
Fault loop_lu(int64_t m, int64_t n, double *a, int *pivot);                      /* a: (m, n); pivot: the smaller */
Fault loop_general_eigen(int64_t n, double *a, double *w, double *v, double *work); /* work: n n + n; real_schur.c */
Fault loop_lu_inverse(int64_t n, double *a, const int *pivot, double *work);     /* work: n n */
void loop_lu_solve(int64_t n, const double *a, const int *pivot, int64_t sides, double *x);
/* work: k n, k the smaller of rows and n */
void loop_lq(int64_t rows, int64_t n, double *a, double *l, int64_t q_rows, double *work);
Fault loop_eigen(int64_t n, double *a, double *w, bool lower, double *work);     /* work: n n */
Fault loop_svd(int64_t m, int64_t n, double *at, double *s, double *ut, double *v, bool full, double *work);
int64_t loop_svd_work(int64_t m, int64_t n);
Fault loop_least_squares(int64_t m, int64_t n, int64_t sides, double *at, double *bt, double rcond, int *rank,
                         double *work);
int64_t loop_least_squares_work(int64_t m, int64_t n);
void loop_multiply(int64_t m, int64_t n, int64_t k, const double *a, const double *b, double *c);

#endif
