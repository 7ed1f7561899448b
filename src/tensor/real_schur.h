/* real_schur.h - the real Schur form of one general matrix, its exponential and square root.
**
** Loops in float64 on row-major matrices; products and systems by lapack.h. They allocate nothing: `work` has the doubles that are named. Input
** must be finite.
*/
#ifndef HL_TENSOR_REAL_SCHUR_H
#define HL_TENSOR_REAL_SCHUR_H

#include "tensor/lapack.h"

/* a (n, n) becomes T with a = Z T Z', and z the orthogonal Z. T is upper triangular, except for a 2 by 2 block on the
** diagonal for each pair of complex eigenvalues. z may be NULL. */
Fault real_schur(int64_t n, double *a, double *z);

/* Whether a T of real_schur has complex eigenvalues. */
bool real_schur_complex(int64_t n, const double *t);

/* x = e^a. Overwrites a. work: MATRIX_EXP_WORK n n. */
enum { MATRIX_EXP_WORK = 5, MATRIX_ROOT_WORK = 3 };
Fault matrix_exp(int64_t n, double *a, double *x, int *pivot, double *work);

/* x = the principal square root of a. Overwrites a. FAULT_MATRIX if there is none that is real. work:
** MATRIX_ROOT_WORK n n. */
Fault matrix_root(int64_t n, double *a, double *x, int *pivot, double *work);

#endif
