/* lapack_fallback.c - see lapack_fallback.h.
**
** The algorithms are those of G. Golub, C. Van Loan, "Matrix Computations", with their numbers in the third edition;
** for singular values, J. Demmel, K. Veselic, "Jacobi's method is more accurate than QR", 1992. Loops over rows end at
** an interrupt.
*/
#include "tensor/lapack_fallback.h"

#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"

static double dot(const double *x, const double *y, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static void add_scaled(double *x, double factor, const double *y, int64_t n) {
  for (int64_t i = 0; i < n; i++) x[i] += factor * y[i];
}

static void swap_rows(double *x, double *y, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    double kept = x[i];
    x[i] = y[i];
    y[i] = kept;
  }
}

static void identity(int64_t n, double *x) {
  memset(x, 0, (size_t)(n * n) * sizeof *x);
  for (int64_t i = 0; i < n; i++) x[i * n + i] = 1;
}

/* ---- Cholesky (4.2.5, row by row) -------------------------------------------------------------------- */

Fault loop_cholesky(int64_t n, double *a) {
  for (int64_t i = 0; i < n && !interrupted(); i++) {
    double *row = a + i * n;
    for (int64_t m = 0; m < i; m++) row[m] = (row[m] - dot(row, a + m * n, m)) / a[m * n + m];
    double rest = row[i] - dot(row, row, i);
    if (!(rest > 0)) return FAULT_MATRIX;
    row[i] = sqrt(rest);
    for (int64_t m = i + 1; m < n; m++) row[m] = 0;
  }
  return FAULT_NONE;
}

/* (L L')^-1 = X' X; X is the inverse of L, also lower triangular. */
Fault loop_cholesky_inverse(int64_t n, double *a, double *x) {
  memset(x, 0, (size_t)(n * n) * sizeof *x);
  for (int64_t i = 0; i < n && !interrupted(); i++) {
    double pivot = a[i * n + i];
    if (pivot == 0) return FAULT_MATRIX;
    for (int64_t m = 0; m < i; m++) add_scaled(x + i * n, -a[i * n + m] / pivot, x + m * n, m + 1);
    x[i * n + i] = 1 / pivot;
  }
  memset(a, 0, (size_t)(n * n) * sizeof *a);
  for (int64_t m = 0; m < n && !interrupted(); m++)
    for (int64_t i = 0; i <= m; i++) add_scaled(a + i * n, x[m * n + i], x + m * n, m + 1);
  return FAULT_NONE;
}

/* ---- LU (3.4.1) ------------------------------------------------------------------------------------------ */

/* The row of a (m, n), at or below i, with the largest element of column i. */
static int64_t find_pivot(const double *a, int64_t m, int64_t n, int64_t i) {
  int64_t best = i;
  for (int64_t r = i + 1; r < m; r++)
    if (fabs(a[r * n + i]) > fabs(a[best * n + i])) best = r;
  return best;
}

Fault loop_lu(int64_t m, int64_t n, double *a, int *pivot) {
  Fault fault = FAULT_NONE;
  for (int64_t i = 0; i < lesser(m, n); i++) pivot[i] = (int)i + 1; /* including those that an interrupt leaves out */
  for (int64_t i = 0; i < lesser(m, n) && !interrupted(); i++) {
    int64_t best = find_pivot(a, m, n, i);
    pivot[i] = (int)best + 1;
    if (a[best * n + i] == 0) {
      fault = FAULT_MATRIX;
      continue;
    }
    if (best != i) swap_rows(a + best * n, a + i * n, n);
    for (int64_t r = i + 1; r < m; r++) {
      a[r * n + i] /= a[i * n + i];
      add_scaled(a + r * n + i + 1, -a[r * n + i], a + i * n + i + 1, n - i - 1);
    }
  }
  return fault;
}

void loop_lu_solve(int64_t n, const double *a, const int *pivot, int64_t sides, double *x) {
  for (int64_t i = 0; i < n; i++)
    if (pivot[i] != i + 1) swap_rows(x + i * sides, x + (pivot[i] - 1) * sides, sides);
  for (int64_t i = 0; i < n && !interrupted(); i++)
    for (int64_t m = 0; m < i; m++) add_scaled(x + i * sides, -a[i * n + m], x + m * sides, sides);
  for (int64_t i = n - 1; i >= 0 && !interrupted(); i--) {
    for (int64_t m = i + 1; m < n; m++) add_scaled(x + i * sides, -a[i * n + m], x + m * sides, sides);
    for (int64_t k = 0; k < sides; k++) x[i * sides + k] /= a[i * n + i];
  }
}

Fault loop_lu_inverse(int64_t n, double *a, const int *pivot, double *x) {
  for (int64_t i = 0; i < n; i++)
    if (a[i * n + i] == 0) return FAULT_MATRIX;
  identity(n, x);
  loop_lu_solve(n, a, pivot, n, x);
  memcpy(a, x, (size_t)(n * n) * sizeof *a);
  return FAULT_NONE;
}

/* ---- LQ ------------------------------------------------------------------------------------------------------ */

/* row -= 2 (row v) / (v v) v: the reflection along v. */
static void reflect(double *row, const double *v, int64_t n) {
  double length = dot(v, v, n);
  if (length > 0) add_scaled(row, -2 * dot(row, v, n) / length, v, n);
}

/* Householder reflections from the right (5.2.1, transposed): reflection i clears row i after its diagonal element,
** whose sign is flipped, as in LAPACK. Its vector is kept in the row, starting at the diagonal. Q is the first rows of
** the identity, reflected in reverse order. */
void loop_lq(int64_t rows, int64_t n, double *a, double *l, int64_t q_rows, double *vectors) {
  const int64_t k = rows < n ? rows : n;
  for (int64_t i = 0; i < rows && !interrupted(); i++) {
    double *v = a + i * n + i;
    int64_t known = i < k ? i : k;
    memcpy(l + i * k, a + i * n, (size_t)known * sizeof *l);
    if (i >= k) continue;
    double tail = dot(v + 1, v + 1, n - i - 1), first = v[0];
    double diagonal = tail == 0 ? first : first > 0 ? -sqrt(first * first + tail) : sqrt(first * first + tail);
    for (int64_t q = i; q < k; q++) l[i * k + q] = q == i ? diagonal : 0;
    v[0] = tail == 0 ? 0 : first - diagonal;
    for (int64_t r = i + 1; r < rows; r++) reflect(a + r * n + i, v, n - i);
  }
  if (q_rows == 0) return;
  memcpy(vectors, a, (size_t)(k * n) * sizeof *a);
  for (int64_t r = 0; r < q_rows && !interrupted(); r++) {
    for (int64_t q = 0; q < n; q++) a[r * n + q] = q == r;
    for (int64_t i = k - 1; i >= 0; i--) reflect(a + r * n + i, vectors + i * n + i, n - i);
  }
}

/* ---- Eigenvectors: Jacobi's method ------------------------------------------------------------------------ */

typedef struct Rotation { double c, s; } Rotation;

/* The rotation that makes the elements off the diagonal of the symmetric matrix (pp, pq; pq, qq) 0 (8.4.1). */
static Rotation rotation_of(double pp, double pq, double qq) {
  double tau = (qq - pp) / (2 * pq);
  double t = tau >= 0 ? 1 / (tau + sqrt(1 + tau * tau)) : -1 / (-tau + sqrt(1 + tau * tau));
  double c = 1 / sqrt(1 + t * t);
  return (Rotation){ c, t * c };
}

/* Rotates n pairs of elements of x and y, which are `step` apart. */
static void rotate(Rotation r, double *x, double *y, int64_t n, int64_t step) {
  for (int64_t i = 0; i < n; i++) {
    double a = x[i * step], b = y[i * step];
    x[i * step] = r.c * a - r.s * b;
    y[i * step] = r.s * a + r.c * b;
  }
}

/* Rotates rows and columns p and q of the symmetric a so that a[p][q] becomes 0, and rows p and q of u. */
static void rotate_both(double *a, double *u, int64_t n, int64_t p, int64_t q) {
  const Rotation r = rotation_of(a[p * n + p], a[p * n + q], a[q * n + q]);
  rotate(r, a + p, a + q, n, n);
  rotate(r, a + p * n, a + q * n, n, 1);
  rotate(r, u + p * n, u + q * n, n, 1);
}

/* Sorts n values, ascending with a sign of 1 and descending with -1, and with them the rows of x and y (may be NULL). */
static void sort_rows(int64_t n, double sign, double *value, double *x, int64_t x_length, double *y, int64_t y_length) {
  for (int64_t i = 0; i < n; i++) {
    int64_t first = i;
    for (int64_t k = i + 1; k < n; k++)
      if (sign * value[k] < sign * value[first]) first = k;
    if (first == i) continue;
    swap_rows(value + i, value + first, 1);
    swap_rows(x + i * x_length, x + first * x_length, x_length);
    if (y) swap_rows(y + i * y_length, y + first * y_length, y_length);
  }
}

/* Cyclic by rows, until the elements off the diagonal are negligible. */
Fault loop_eigen(int64_t n, double *a, double *w, bool lower, double *u) {
  enum { MOST_SWEEPS = 60 };
  for (int64_t i = 0; i < n; i++)
    for (int64_t m = i + 1; m < n; m++) {
      if (lower) a[i * n + m] = a[m * n + i];
      else a[m * n + i] = a[i * n + m];
    }
  identity(n, u);
  double size = dot(a, a, n * n), rest = size;
  for (int sweep = 0; sweep < MOST_SWEEPS && rest > 1e-32 * size && !interrupted(); sweep++) {
    for (int64_t p = 0; p < n && !interrupted(); p++)
      for (int64_t q = p + 1; q < n; q++)
        if (a[p * n + q] != 0) rotate_both(a, u, n, p, q);
    rest = 0;
    for (int64_t p = 0; p < n; p++) rest += dot(a + p * n + p + 1, a + p * n + p + 1, n - p - 1);
  }
  for (int64_t i = 0; i < n; i++) w[i] = a[i * n + i];
  sort_rows(n, 1, w, u, n, NULL, 0);
  memcpy(a, u, (size_t)(n * n) * sizeof *a);
  return FAULT_NONE;
}

/* ---- Singular values: Jacobi's method on one side ------------------------------------------------------------ */

/* Rotates rows p and q of x to make them orthogonal, and with them rows p and q of v; false if they were already. */
static bool turn(double *x, int64_t length, double *v, int64_t count, int64_t p, int64_t q) {
  double *xp = x + p * length, *xq = x + q * length, *vp = v + p * count, *vq = v + q * count;
  double pp = dot(xp, xp, length), qq = dot(xq, xq, length), pq = dot(xp, xq, length);
  if (fabs(pq) <= 1e-16 * sqrt(pp) * sqrt(qq)) return false;
  const Rotation r = rotation_of(pp, pq, qq);
  rotate(r, xp, xq, length, 1);
  rotate(r, vp, vq, count, 1);
  return true;
}

/* Adds row i to the i orthonormal rows of x: the unit vector furthest from them, orthogonalized. */
static void complete_row(double *x, int64_t length, int64_t i) {
  double furthest = -1;
  int64_t best = 0;
  for (int64_t e = 0; e < length; e++) {
    double rest = 1;
    for (int64_t r = 0; r < i; r++) rest -= x[r * length + e] * x[r * length + e];
    if (rest > furthest) {
      furthest = rest;
      best = e;
    }
  }
  double *row = x + i * length;
  for (int64_t e = 0; e < length; e++) row[e] = e == best;
  for (int again = 0; again < 2; again++)
    for (int64_t r = 0; r < i; r++) add_scaled(row, -dot(row, x + r * length, length), x + r * length, length);
  double size = sqrt(dot(row, row, length));
  for (int64_t e = 0; e < length; e++) row[e] /= size;
}

/* Turns x (count, length), count <= length, into `made` orthonormal rows, and y (count, count) into orthonormal rows
** with x = (y' diag(s)) rows; all in descending order of s. */
static Fault one_side(int64_t count, int64_t length, double *x, double *s, double *y, int64_t made) {
  enum { MOST_SWEEPS = 60 };
  bool turned = true;
  identity(count, y);
  for (int sweep = 0; sweep < MOST_SWEEPS && turned && !interrupted(); sweep++) {
    turned = false;
    for (int64_t p = 0; p < count && !interrupted(); p++)
      for (int64_t q = p + 1; q < count; q++)
        if (turn(x, length, y, count, p, q)) turned = true;
  }
  for (int64_t i = 0; i < count; i++) s[i] = sqrt(dot(x + i * length, x + i * length, length));
  sort_rows(count, -1, s, x, length, y, count);
  double least = count > 0 ? s[0] * 1e-16 * (double)length : 0;
  for (int64_t i = 0; i < made && !interrupted(); i++) {
    if (i < count && s[i] > least)
      for (int64_t e = 0; e < length; e++) x[i * length + e] /= s[i];
    else complete_row(x, length, i);
  }
  return FAULT_NONE;
}

static void transposed(int64_t m, int64_t n, const double *x, double *y) {
  for (int64_t i = 0; i < m; i++)
    for (int64_t k = 0; k < n; k++) y[k * m + i] = x[i * n + k];
}

int64_t loop_svd_work(int64_t m, int64_t n) {
  int64_t k = lesser(m, n), most = greater(m, n);
  return most * most + k * k;
}

/* Rotates the vectors of the shorter side: for n <= m the rows of at (A V = U S), else those of A. */
Fault loop_svd(int64_t m, int64_t n, double *at, double *s, double *ut, double *v, bool full, double *work) {
  const int64_t k = lesser(m, n), length = greater(m, n), made = ut ? full ? length : k : 0;
  double *x = work, *y = work + length * length;
  if (n <= m) memcpy(x, at, (size_t)(m * n) * sizeof *x);
  else transposed(n, m, at, x);
  Fault fault = one_side(k, length, x, s, y, made);
  if (!ut) return fault;
  if (n <= m) {
    memcpy(ut, x, (size_t)(made * m) * sizeof *x);
    transposed(n, n, y, v);
  } else {
    memcpy(ut, y, (size_t)(m * m) * sizeof *y);
    transposed(made, n, x, v);
  }
  return fault;
}

/* ---- Least squares: by singular values ---------------------------------------------------------------------- */

int64_t loop_least_squares_work(int64_t m, int64_t n) { return loop_svd_work(m, n) + lesser(m, n) * (m + n + 2); }

Fault loop_least_squares(int64_t m, int64_t n, int64_t sides, double *at, double *bt, double rcond, int *rank,
                         double *work) {
  const int64_t k = lesser(m, n), step = greater(m, n);
  double *ut = work + loop_svd_work(m, n), *v = ut + k * m, *s = v + n * k, *part = s + k;
  Fault fault = loop_svd(m, n, at, s, ut, v, false, work);
  *rank = 0;
  while (*rank < k && s[*rank] > rcond * s[0]) ++*rank;
  for (int64_t j = 0; j < sides && !interrupted(); j++) {
    double *b = bt + j * step;
    for (int64_t i = 0; i < *rank; i++) {
      part[i] = dot(ut + i * m, b, m);
      add_scaled(b, -part[i], ut + i * m, m);
      part[i] /= s[i];
    }
    double rest = sqrt(dot(b, b, m));
    for (int64_t i = 0; i < n; i++) b[i] = dot(v + i * k, part, *rank);
    for (int64_t i = n; i < m; i++) b[i] = i == n ? rest : 0;
  }
  return fault;
}

void loop_multiply(int64_t m, int64_t n, int64_t k, const double *a, const double *b, double *c) {
  memset(c, 0, (size_t)(m * n) * sizeof *c);
  for (int64_t i = 0; i < m && !interrupted(); i++)
    for (int64_t p = 0; p < k; p++) add_scaled(c + i * n, a[i * k + p], b + p * n, n);
}
