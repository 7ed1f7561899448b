/* real_schur.c - see real_schur.h. Reflections bring the matrix to Hessenberg form, then Francis's double shifts split
** off one or two eigenvalues at a time from the end (G. Golub, C. Van Loan, "Matrix Computations", 2013, 7.4 and 7.5).
**
** A column that is zero below the diagonal stays so. Hence the blocks of a block triangular matrix keep their own
** eigenvalues, which gradients of functions of matrices rely on: they use blocks that have equal eigenvalues.
*/
#include "tensor/real_schur.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tensor/lapack_fallback.h"

enum { MOST_STEPS = 60, UNUSUAL_SHIFT = 10 };

/* m elements, `step` apart in memory. */
typedef struct Vector { double *x; int64_t m, step; } Vector;

/* Replaces a vector by the v of the reflection 1 - beta v v' that makes all elements but the first zero; returns beta,
** 0 if they are zero already. *first: the new first element. */
static double reflection(Vector v, double *first) {
  double size = 0, rest = 0, squares = 0;
  for (int64_t i = 1; i < v.m; i++) rest = fabs(v.x[i * v.step]) > rest ? fabs(v.x[i * v.step]) : rest;
  *first = v.x[0];
  if (rest == 0) return 0;
  size = fabs(v.x[0]) > rest ? fabs(v.x[0]) : rest;
  for (int64_t i = 0; i < v.m; i++) {
    double *x = v.x + i * v.step;
    *x /= size;
    squares += *x * *x;
  }
  const double to = v.x[0] > 0 ? -sqrt(squares) : sqrt(squares), beta = 1 / (squares - to * v.x[0]);
  *first = to * size;
  v.x[0] -= to;
  return beta;
}

/* Applies a reflection to rows of a (., n) from `row` on, in the columns from `column` on. */
static void reflect_rows(int64_t n, double *a, int64_t row, int64_t column, Vector v, double beta) {
  for (int64_t k = column; k < n; k++) {
    double sum = 0;
    for (int64_t i = 0; i < v.m; i++) sum += v.x[i * v.step] * a[(row + i) * n + k];
    for (int64_t i = 0; i < v.m; i++) a[(row + i) * n + k] -= beta * sum * v.x[i * v.step];
  }
}

/* Applies a reflection to columns of a from `column` on, in the first `rows` rows. */
static void reflect_columns(int64_t n, double *a, int64_t column, int64_t rows, Vector v, double beta) {
  for (int64_t k = 0; k < rows; k++) {
    double sum = 0, *x = a + k * n + column;
    for (int64_t i = 0; i < v.m; i++) sum += v.x[i * v.step] * x[i];
    for (int64_t i = 0; i < v.m; i++) x[i] -= beta * sum * v.x[i * v.step];
  }
}

/* The vector of a reflection has up to n - 1 elements: the column that it reflects holds it. */
static void to_hessenberg(int64_t n, double *a, double *z) {
  for (int64_t k = 0; k + 2 < n; k++) {
    const Vector v = { a + (k + 1) * n + k, n - k - 1, n };
    double first;
    const double beta = reflection(v, &first);
    if (beta == 0) continue;
    reflect_rows(n, a, k + 1, k + 1, v, beta);
    reflect_columns(n, a, k + 1, n, v, beta);
    if (z) reflect_columns(n, z, k + 1, n, v, beta);
    v.x[0] = first;
    for (int64_t i = 1; i < v.m; i++) v.x[i * n] = 0;
  }
}

/* Turns rows and columns at, at + 1 so that the element below the diagonal is 0, if the eigenvalues are real. */
static void split_pair(int64_t n, double *a, double *z, int64_t at) {
  double *top = a + at * n, *low = top + n;
  const double half = (top[at] - low[at + 1]) / 2, inside = half * half + top[at + 1] * low[at];
  if (!(inside >= 0)) return;
  double c = half + (half < 0 ? -sqrt(inside) : sqrt(inside)), s = low[at];
  const double larger = fabs(c) > fabs(s) ? fabs(c) : fabs(s),
               size = sqrt(c / larger * (c / larger) + s / larger * (s / larger));
  c = c / larger / size;
  s = s / larger / size;
  for (int64_t k = at; k < n; k++) {
    const double x = top[k], y = low[k];
    top[k] = c * x + s * y;
    low[k] = c * y - s * x;
  }
  for (int pass = 0; pass < 2; pass++) {
    if (pass && !z) break;
    double *row = (pass ? z : a) + at;
    for (int64_t r = 0; r < (pass ? n : at + 2); r++, row += n) {
      const double x = row[0], y = row[1];
      row[0] = c * x + s * y;
      row[1] = c * y - s * x;
    }
  }
  low[at] = 0;
}

/* One double shift of rows and columns low to high. */
static void francis_step(int64_t n, double *a, double *z, int64_t low, int64_t high, bool unusual) {
#define A(i, k) a[(i) * n + (k)]
  double sum = A(high - 1, high - 1) + A(high, high),
         product = A(high - 1, high - 1) * A(high, high) - A(high - 1, high) * A(high, high - 1);
  if (unusual) {
    const double size = fabs(A(high, high - 1)) + fabs(A(high - 1, high - 2));
    sum = 1.5 * size;
    product = size * size;
  }
  double v[3] = { A(low, low) * A(low, low) + A(low, low + 1) * A(low + 1, low) - sum * A(low, low) + product,
                  A(low + 1, low) * (A(low, low) + A(low + 1, low + 1) - sum), A(low + 1, low) * A(low + 2, low + 1) };
  for (int64_t k = low; k < high; k++) {
    const Vector vector = { v, k + 2 <= high ? 3 : 2, 1 };
    double first;
    const double beta = reflection(vector, &first);
    if (beta != 0) {
      reflect_rows(n, a, k, k > low ? k - 1 : low, vector, beta);
      reflect_columns(n, a, k, lesser(k + 4, high + 1), vector, beta);
      if (z) reflect_columns(n, z, k, n, vector, beta);
    }
    if (k > low) {
      A(k, k - 1) = first;
      for (int64_t i = 1; i < vector.m; i++) A(k + i, k - 1) = 0;
    }
    v[0] = A(k + 1, k);
    v[1] = k + 2 <= high ? A(k + 2, k) : 0;
    v[2] = k + 3 <= high ? A(k + 3, k) : 0;
  }
}

Fault real_schur(int64_t n, double *a, double *z) {
  double largest = 0;
  for (int64_t i = 0; i < n * n; i++) {
    if (!isfinite(a[i])) return FAULT_NOT_FINITE;
    largest = fabs(a[i]) > largest ? fabs(a[i]) : largest;
  }
  if (z) memset(z, 0, (size_t)(n * n) * sizeof *z);
  for (int64_t i = 0; z && i < n; i++) z[i * (n + 1)] = 1;
  to_hessenberg(n, a, z);
  int steps = 0;
  for (int64_t high = n - 1; high > 0;) {
    int64_t low = high;
    for (; low > 0; low--) {
      double near = fabs(A(low, low)) + fabs(A(low - 1, low - 1));
      if (near == 0) near = largest;
      if (!(fabs(A(low, low - 1)) > DBL_EPSILON * near)) break;
    }
    if (low > 0) A(low, low - 1) = 0;
    if (low + 1 >= high) {
      if (low + 1 == high) split_pair(n, a, z, low);
      high = low - 1;
      steps = 0;
    } else if (steps++ == MOST_STEPS) {
      return FAULT_NOT_CONVERGED;
    } else {
      francis_step(n, a, z, low, high, steps % UNUSUAL_SHIFT == 0);
    }
  }
  return FAULT_NONE;
}

bool real_schur_complex(int64_t n, const double *a) {
  for (int64_t i = 1; i < n; i++)
    if (A(i, i - 1) != 0) return true;
  return false;
}

/* The eigenvectors of z a z' for a triangular a, as rows of v of norm 1. work: n. */
static void vectors_of(int64_t n, const double *a, const double *z, double *v, double *work) {
  double largest = 0;
  for (int64_t i = 0; i < n * n; i++) largest = fabs(a[i]) > largest ? fabs(a[i]) : largest;
  const double least = largest > 0 ? DBL_EPSILON * largest : 1;
  for (int64_t k = 0; k < n; k++) {
    double squares = 0;
    work[k] = 1;
    for (int64_t i = k - 1; i >= 0; i--) {
      double sum = 0, differs = A(i, i) - A(k, k);
      for (int64_t j = i + 1; j <= k; j++) sum += A(i, j) * work[j];
      if (fabs(differs) < least) differs = differs < 0 ? -least : least;
      work[i] = -sum / differs;
      if (fabs(work[i]) > 1e100) {                                 /* products of such elements could overflow */
        const double factor = 1 / fabs(work[i]);
        for (int64_t j = i; j <= k; j++) work[j] *= factor;
      }
    }
    double peak = 0;
    for (int64_t r = 0; r < n; r++) {
      double sum = 0;
      for (int64_t j = 0; j <= k; j++) sum += z[r * n + j] * work[j];
      v[k * n + r] = sum;
      if (fabs(sum) > fabs(peak)) peak = sum;
    }
    for (int64_t r = 0; r < n; r++) {
      v[k * n + r] /= peak;
      squares += v[k * n + r] * v[k * n + r];
    }
    for (int64_t r = 0; r < n; r++) v[k * n + r] /= sqrt(squares);
  }
}

/* work: n n + n */
Fault loop_general_eigen(int64_t n, double *a, double *w, double *v, double *work) {
  Fault fault = real_schur(n, a, v ? work : NULL);
  if (fault != FAULT_NONE) return fault;
  if (real_schur_complex(n, a)) return FAULT_MATRIX;
  for (int64_t i = 0; i < n; i++) w[i] = A(i, i);
  if (v) vectors_of(n, a, work, v, work + n * n);
  return FAULT_NONE;
}

/* ---- Exponential ----------------------------------------------------------------------------------------- */

static void multiply(int64_t n, const double *x, const double *y, double *to) {
  factor_multiply(DT_FLOAT64, n, n, n, x, y, to);
}

/* The (13, 13) Pade approximant of a / 2^s, squared s times (N. Higham, "The scaling and squaring method for the matrix
** exponential revisited", 2005). Its error is below the precision up to the norm 5.37. */
Fault matrix_exp(int64_t n, double *a, double *x, int *pivot, double *work) {
  static const double b[] = { 64764752532480000,
                              32382376266240000,
                              7771770303897600,
                              1187353796428800,
                              129060195264000,
                              10559470521600,
                              670442572800,
                              33522128640,
                              1323241920,
                              40840800,
                              960960,
                              16380,
                              182,
                              1 };
  const int64_t all = n * n;
  double norm = 0, *a2 = work, *a4 = a2 + all, *a6 = a4 + all, *u = a6 + all, *v = u + all;
  for (int64_t k = 0; k < n; k++) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += fabs(A(i, k));
    if (!isfinite(sum)) return FAULT_NOT_FINITE;
    norm = sum > norm ? sum : norm;
  }
  int squarings = 0;
  if (norm > 5.371920351148152) {
    frexp(norm / 5.371920351148152, &squarings);
    for (int64_t i = 0; i < all; i++) a[i] = ldexp(a[i], -squarings);
  }
  multiply(n, a, a, a2);
  multiply(n, a2, a2, a4);
  multiply(n, a2, a4, a6);
  for (int64_t i = 0; i < all; i++) v[i] = b[13] * a6[i] + b[11] * a4[i] + b[9] * a2[i];
  multiply(n, a6, v, x);
  for (int64_t i = 0; i < all; i++) x[i] += b[7] * a6[i] + b[5] * a4[i] + b[3] * a2[i] + (i % (n + 1) == 0 ? b[1] : 0);
  multiply(n, a, x, u);
  for (int64_t i = 0; i < all; i++) x[i] = b[12] * a6[i] + b[10] * a4[i] + b[8] * a2[i];
  multiply(n, a6, x, v);
  for (int64_t i = 0; i < all; i++) {
    v[i] += b[6] * a6[i] + b[4] * a4[i] + b[2] * a2[i] + (i % (n + 1) == 0 ? b[0] : 0);
    a2[i] = v[i] - u[i];
    x[i] = 2 * u[i];                   /* (v + u) / (v - u) = 1 + 2 u / (v - u), which is exact for a = 0 */
  }
  Fault fault = factor_lu(DT_FLOAT64, n, a2, pivot);
  if (fault != FAULT_NONE) return fault;
  factor_lu_solve(DT_FLOAT64, n, a2, pivot, n, x);
  for (int64_t i = 0; i < n; i++) x[i * (n + 1)] += 1;
  for (; squarings > 0; squarings--) {
    multiply(n, x, x, u);
    memcpy(x, u, (size_t)all * sizeof *x);
  }
  return FAULT_NONE;
}

/* ---- Square root ----------------------------------------------------------------------------------------- */

/* r = the root of a triangular t, by columns: t_ij is the sum of r_ik r_kj for k from i to j (A. Bjorck, S. Hammarling,
** "A Schur method for the square root of a matrix", 1983). What rounding left of a zero, `least`, counts as zero. */
static Fault triangular_root(int64_t n, const double *t, double *r, double least) {
  memset(r, 0, (size_t)(n * n) * sizeof *r);
  for (int64_t k = 0; k < n; k++) {
    const double last = t[k * (n + 1)];
    r[k * (n + 1)] = last > least ? sqrt(last) : 0;
    for (int64_t i = k - 1; i >= 0; i--) {
      double left = t[i * n + k];
      const double over = r[i * (n + 1)] + r[k * (n + 1)];
      for (int64_t j = i + 1; j < k; j++) left -= r[i * n + j] * r[j * n + k];
      if (over > 0) r[i * n + k] = left / over;
      else if (fabs(left) > least) return FAULT_MATRIX;
    }
  }
  return FAULT_NONE;
}

/* x = the root of a with complex eigenvalues: the product form of the iteration of Denman and Beavers, scaled by the
** determinant (N. Higham, "Functions of Matrices", 2008, 6.3). m and y are n by n. */
static Fault root_by_iteration(int64_t n, const double *a, double *x, double *m, double *y, int *pivot, double *more) {
  const size_t bytes = (size_t)(n * n) * sizeof *x;
  double before = INFINITY;
  memcpy(m, a, bytes);
  memcpy(x, a, bytes);
  for (int step = 0; step < 100; step++) {
    int64_t exponents = 0;
    double distance = 0;
    memcpy(more, m, bytes);
    Fault fault = factor_lu(DT_FLOAT64, n, more, pivot);
    if (fault != FAULT_NONE) return fault;
    for (int64_t i = 0; i < n; i++) {  /* the power of 2 nearest to each pivot */
      int exponent;
      const double part = frexp(fabs(more[i * (n + 1)]), &exponent);
      exponents += exponent - (part < 0.70710678118654752);
    }
    /* near |det|^(-1/n); 1 once m is near 1 */
    const double scale = before > 0.01 ? ldexp(1, -(int)floor((double)exponents / (double)n + 0.5)) : 1;
    for (int64_t i = 0; i < n * n; i++) y[i] = i % (n + 1) == 0;
    factor_lu_solve(DT_FLOAT64, n, more, pivot, n, y);             /* y = the inverse of m */
    for (int64_t i = 0; i < n * n; i++) {
      const double one = i % (n + 1) == 0;
      m[i] = one / 2 + (scale * m[i] + y[i] / scale) / 4;
      y[i] = (one + y[i] / scale) * sqrt(scale) / 2;
      const double off = fabs(m[i] - one);
      distance = off > distance ? off : distance;
    }
    if (!isfinite(distance)) return FAULT_NOT_CONVERGED;
    multiply(n, x, y, more);
    memcpy(x, more, bytes);
    if (distance <= 1e-15 || (distance < 1e-8 && distance >= before / 2)) return FAULT_NONE;
    before = distance;
  }
  return FAULT_NOT_CONVERGED;
}

Fault matrix_root(int64_t n, double *a, double *x, int *pivot, double *work) {
  const int64_t all = n * n;
  double squares = 0, *t = work, *z = t + all, *more = z + all;
  memcpy(t, a, (size_t)all * sizeof *t);
  Fault fault = real_schur(n, t, z);
  if (fault != FAULT_NONE) return fault;
  for (int64_t i = 0; i < all; i++) squares += t[i] * t[i];
  const double least = 10 * (double)n * DBL_EPSILON * sqrt(squares);
  for (int64_t i = 1; i < n; i++)      /* pairs that rounding made of eigenvalues 0 */
    if (fabs(t[i * n + i - 1]) <= least) t[i * n + i - 1] = 0;
  for (int64_t i = 0; i < n; i++) {
    const bool pair = (i > 0 && t[i * n + i - 1] != 0) || (i + 1 < n && t[(i + 1) * n + i] != 0);
    if (!pair && t[i * (n + 1)] < -least) return FAULT_MATRIX;
  }
  if (real_schur_complex(n, t)) return root_by_iteration(n, a, x, t, z, pivot, more);
  fault = triangular_root(n, t, more, least);
  if (fault != FAULT_NONE) return fault;
  multiply(n, z, more, t);
  for (int64_t i = 0; i < n; i++)
    for (int64_t k = 0; k < n; k++) {
      double sum = 0;
      for (int64_t j = 0; j < n; j++) sum += t[i * n + j] * z[k * n + j];
      x[i * n + k] = sum;
    }
  return FAULT_NONE;
}
