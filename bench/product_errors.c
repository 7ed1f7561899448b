/* product_errors.c - compares the rounding errors of float32 products with OpenBLAS's.
**
**   build/bench/product_errors          (make bench-product-errors)
**
** Prints a table in Markdown. An error is the distance from the same product in float64, in units of 2^-24 times the sum
** of |a| |b| over k; the table has the root of the mean square and, in brackets, the largest, over at least 4,096 elements,
** of numbers from N(0, 1) and of numbers uniform between 0 and 1.
*/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/threads/parallel_for.h"
#include "state/engine.h"
#include "kernels/matmul/matrix_product.h"

enum { ELEMENTS = 4096, MOST_K = 1 << 20 };

static void stop(const char *text) {
  fprintf(stderr, "product_errors: %s\n", text);
  exit(1);
}

static double uniform(void) {                                /* an LCG by Knuth, MMIX's; above 0 */
  static uint64_t state = 29;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

static double normal(void) { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()); }

typedef struct Error { double squares, most; int64_t n; } Error;

static void add_errors(Error *e, Status (*compute)(const Product *), const Product *p) {
  if (compute(p) != OK) stop(status_text());
  const float *a = p->a, *b = p->b, *c = p->c;
  for (int64_t i = 0; i < p->m; i++)
    for (int64_t j = 0; j < p->n; j++) {
      double exact = 0, sum = 0;
      for (int64_t s = 0; s < p->k; s++) {
        const double term = (double)a[i * p->k + s] * (double)b[s * p->n + j];
        exact += term;
        sum += fabs(term);
      }
      const double error = fabs((double)c[i * p->n + j] - exact) / (0x1p-24 * sum);
      e->squares += error * error;
      e->most = fmax(e->most, error);
      e->n++;
    }
}

static void print_errors(const Error *e) { printf(" %.2f (%.1f) |", sqrt(e->squares / (double)e->n), e->most); }

static void compare(const char *name, double (*draw)(void), int64_t size, int64_t k) {
  static float a[64 * MOST_K / 8], b[64 * MOST_K / 8], c[64 * 64];
  Error mine = { 0 }, its = { 0 };
  const Product p = { .dtype = DT_FLOAT32, .m = size, .n = size, .k = k, .alpha = 1, .a = a, .b = b, .c = c };
  while (mine.n < (k > 65536 ? 256 : ELEMENTS)) {
    for (int64_t i = 0; i < size * k; i++) a[i] = (float)draw(), b[i] = (float)draw();
    add_errors(&mine, product, &p);
    add_errors(&its, blas_product, &p);
  }
  printf("| %s | %ld x %ld | %ld |", name, (long)size, (long)size, (long)k);
  print_errors(&mine);
  print_errors(&its);
  printf("\n");
  fflush(stdout);
}

int main(void) {
  static const int64_t sizes[] = { 8, 64 }, lengths[] = { 16, 256, 1024, 4096, 65536, MOST_K };
  blas_prepare();
  printf("%s, %d thread(s)\n\n", blas_info(), parallel_threads());
  printf("| numbers | m x n | k | ours | OpenBLAS |\n|---|---|---:|---:|---:|\n");
  for (int i = 0; i < 2; i++)
    for (int s = 0; s < 2; s++)
      for (int l = 0; l < (sizes[s] == 8 ? 6 : 5); l++)
        compare(i ? "[0, 1]" : "N(0, 1)", i ? uniform : normal, sizes[s], lengths[l]);
  return 0;
}
