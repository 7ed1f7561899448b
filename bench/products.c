/* products.c - compares float32 products in the order of kernels/matmul/product_order.h with OpenBLAS's, in one process.
**
**   build/bench/products [--pairs N] [--only WORD]        (make bench-products PRODUCTS="...")
**
** Prints a table in Markdown: for each shape the median of N alternating pairs (default 30) of our time over OpenBLAS's,
** its quartiles, both times, and whether the goal of its class is met; at the end the geometric mean. OpenBLAS is called
** as tensor/blas.h calls it, with the threads that it gets there. HYBRIDLUA_NUM_THREADS sets their number,
** OPENBLAS_CORETYPE selects OpenBLAS's kernels. "kept": the weights, (n, k), are kept packed, as after the first call
** of Dense. WORD: only the shapes whose class contains it.
*/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/threads/parallel_for.h"
#include "state/engine.h"
#include "kernels/loops/simd.h"
#include "kernels/matmul/matrix_product.h"

typedef struct Case {
  const char *class;
  int64_t m, n, k;
  char ta, tb; /* 't': transposed */
  int64_t count;
  bool kept;
  double goal, narrow; /* largest allowed ratio of our time to OpenBLAS's; with vectors of 32 bytes */
} Case;

static const Case cases[] = {
  { "small", 64, 64, 64, '.', '.', 1, false, 1.8, 1.3 },
  { "square", 128, 128, 128, '.', '.', 1, false, 1.05, 1.05 },
  { "square", 256, 256, 256, '.', '.', 1, false, 1.05, 1.05 },
  { "square", 384, 384, 384, '.', '.', 1, false, 1.05, 1.05 },
  { "square", 512, 512, 512, '.', '.', 1, false, 1.05, 1.05 },
  { "square", 512, 512, 512, '.', 't', 1, false, 1.05, 1.05 },
  { "square", 512, 512, 512, 't', '.', 1, false, 1.05, 1.05 },
  { "square", 1024, 1024, 1024, '.', '.', 1, false, 1.05, 1.05 },
  { "square", 1024, 1024, 1024, '.', 't', 1, false, 1.05, 1.05 },
  { "square", 1024, 1024, 1024, 't', '.', 1, false, 1.05, 1.05 },
  { "large square", 1500, 1500, 1500, '.', '.', 1, false, 1.1, 1.15 },
  { "large square", 2048, 2048, 2048, '.', '.', 1, false, 1.1, 1.15 },
  { "row, (n, k), at first", 1, 512, 512, '.', 't', 1, false, 2.1, 2.1 },
  { "row, (n, k), at first", 1, 128, 784, '.', 't', 1, false, 2.1, 2.1 },
  { "row, (n, k), at first", 1, 4096, 1024, '.', 't', 1, false, 2.1, 2.1 },
  { "row, (n, k), at first", 1, 1024, 4096, '.', 't', 1, false, 2.1, 2.1 },
  { "row, (n, k), at first", 1, 1024, 256, '.', 't', 1, false, 2.1, 2.1 },
  { "row, ten outputs, at first", 1, 10, 128, '.', 't', 1, false, 3.4, 3.4 },
  { "row, kept", 1, 512, 512, '.', 't', 1, true, 1.05, 1.15 },
  { "row, kept", 1, 128, 784, '.', 't', 1, true, 1.05, 1.15 },
  { "row, kept", 1, 4096, 1024, '.', 't', 1, true, 1.05, 1.15 },
  { "row, kept", 1, 1024, 4096, '.', 't', 1, true, 1.05, 1.15 },
  { "row, kept", 1, 1024, 256, '.', 't', 1, true, 1.05, 1.15 },
  { "row, kept", 1, 10, 128, '.', 't', 1, true, 1.05, 1.15 },
  { "row, (k, n)", 1, 512, 512, '.', '.', 1, false, 1.1, 1.3 },
  { "row, (k, n)", 1, 4096, 1024, '.', '.', 1, false, 1.1, 1.3 },
  { "row, (k, n)", 1, 1024, 4096, '.', '.', 1, false, 1.1, 1.3 },
  { "column", 4096, 1, 1024, '.', '.', 1, false, 2.1, 2.1 },
  { "column", 4096, 1, 1024, 't', '.', 1, false, 2.1, 2.1 },
  { "dot", 1, 1, 1000000, '.', '.', 1, false, 3.4, 3.4 },
  { "few rows", 2, 1024, 1024, '.', 't', 1, false, 1, 1 },
  { "few rows", 4, 1024, 1024, '.', 't', 1, false, 1, 1 },
  { "few rows", 4, 1024, 1024, '.', '.', 1, false, 1, 1 },
  { "few rows", 16, 1024, 1024, '.', 't', 1, false, 1, 1 },
  { "few rows", 8, 512, 512, '.', 't', 1, false, 1, 1 },
  { "few rows", 8, 4096, 1024, '.', 't', 1, false, 1, 1 },
  { "few rows", 8, 1024, 4096, '.', 't', 1, false, 1, 1 },
  { "few rows", 64, 512, 512, '.', 't', 1, false, 1, 1 },
  { "few rows", 64, 128, 784, '.', 't', 1, false, 1, 1 },
  { "few rows", 64, 4096, 1024, '.', 't', 1, false, 1, 1 },
  { "few rows", 64, 1024, 4096, '.', 't', 1, false, 1, 1 },
  { "few rows, gradient of data", 64, 4096, 1024, '.', '.', 1, false, 1, 1.1 },
  { "few rows, gradient of weight", 1024, 4096, 64, 't', '.', 1, false, 1, 1 },
  { "few rows, gradient of weight", 128, 784, 64, 't', '.', 1, false, 1, 1 },
  { "few rows, kept", 8, 512, 512, '.', 't', 1, true, 1, 1 },
  { "few rows, kept", 64, 512, 512, '.', 't', 1, true, 1, 1 },
  { "small", 8, 128, 784, '.', 't', 1, false, 1.8, 1.3 },
  { "small", 64, 10, 128, '.', 't', 1, false, 1.8, 1.3 },
  { "small, kept", 8, 128, 784, '.', 't', 1, true, 1.8, 1.3 },
  { "small, kept", 64, 10, 128, '.', 't', 1, true, 1.8, 1.3 },
  { "LSTM step", 32, 1024, 256, '.', 't', 1, false, 1.05, 1 },
  { "LSTM step, kept", 32, 1024, 256, '.', 't', 1, true, 1.05, 1 },
  { "attention", 64, 64, 64, '.', 't', 96, false, 1.05, 1 },
  { "attention", 64, 64, 64, '.', '.', 96, false, 1.05, 1 },
  { "attention", 128, 128, 64, '.', 't', 32, false, 1.05, 1 },
  { "attention", 128, 64, 128, '.', '.', 32, false, 1.05, 1 },
  { "tall", 20000, 32, 64, '.', '.', 1, false, 1.1, 1.15 },
  { "tall", 10000, 64, 576, '.', '.', 1, false, 1.1, 1.15 },
  { "wide", 32, 20000, 64, '.', '.', 1, false, 1.1, 1.15 },
  { "wide", 64, 3136, 576, '.', '.', 1, false, 1.1, 1.15 },
  { "long", 16, 16, 1000000, 't', '.', 1, false, 1, 1.1 },
  { "long", 16, 16, 1000000, '.', 't', 1, false, 1, 1.1 },
  { "long", 64, 64, 100000, 't', '.', 1, false, 1, 1.1 },
  { "long", 128, 128, 20000, '.', '.', 1, false, 1, 1.1 },
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void stop(void) {
  fprintf(stderr, "products: %s\n", status_text());
  exit(1);
}

/* An array of n numbers between -0.5 and 0.5. */
static Tensor numbers(int64_t n) {
  const Type type = { .dtype = DT_FLOAT32, .shape = { .ndim = 1, .dim = { n } } };
  Tensor t;
  if (tensor_new(&type, engine_now()->mode.device, &t) != OK) stop();
  uint32_t seed = 12345;
  for (int64_t i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    ((float *)t.data)[i] = (float)(seed >> 8) / 16777216.f - 0.5f;
  }
  return t;
}

typedef struct Run { const Case *c; Product p; Tensor a, b, out; } Run;

static Status ours(const Run *r) {
  const Case *c = r->c;
  if (c->kept) return product_of(&r->p, &r->a, &r->b);
  return products(&r->p, c->count, c->m * c->k, c->k * c->n, c->m * c->n);
}

static Status theirs(const Run *r) {
  const Case *c = r->c;
  return blas_products(&r->p, c->count, c->m * c->k, c->k * c->n, c->m * c->n);
}

static double seconds(Status (*run)(const Run *), const Run *r, int64_t times) {
  const double start = now();
  for (int64_t i = 0; i < times; i++)
    if (run(r) != OK) stop();
  return (now() - start) / (double)times;
}

/* Number of repetitions that take 2 ms; at least 3, so that weights are packed. */
static int64_t repeats(const Run *r) {
  seconds(ours, r, 3);
  seconds(theirs, r, 1);
  for (int64_t times = 1;; times *= 2)
    if (seconds(ours, r, times) * (double)times > 2e-3) return times;
}

/* Prints a line of the table; returns the ratio. */
static double compare(const Case *c, int pairs) {
  enum { MOST = 1000 };
  double mine[MOST], its[MOST], ratio[MOST];
  Run r = { .c = c,
            .a = numbers(c->m * c->k * c->count),
            .b = numbers(c->n * c->k * c->count),
            .out = numbers(c->m * c->n * c->count) };
  r.p = (Product){ .dtype = DT_FLOAT32,
                   .transpose_a = c->ta == 't',
                   .transpose_b = c->tb == 't',
                   .m = c->m,
                   .n = c->n,
                   .k = c->k,
                   .alpha = 1,
                   .a = r.a.data,
                   .b = r.b.data,
                   .c = r.out.data };
  if (pairs > MOST) pairs = MOST;
  const int64_t times = repeats(&r);
  for (int i = 0; i < pairs; i++) {
    if (i % 2) its[i] = seconds(theirs, &r, times);
    mine[i] = seconds(ours, &r, times);
    if (i % 2 == 0) its[i] = seconds(theirs, &r, times);
    ratio[i] = mine[i] / its[i];
  }
  qsort(ratio, (size_t)pairs, sizeof *ratio, by_value);
  qsort(mine, (size_t)pairs, sizeof *mine, by_value);
  qsort(its, (size_t)pairs, sizeof *its, by_value);
  const double median = ratio[pairs / 2], goal = (int)sizeof(lanes_f32) == 64 ? c->goal : c->narrow;
  printf("| %s | %ld x %ld x %ld%s%s | %.2f (%.2f to %.2f) | %.1f | %.1f | %.2f%s |\n", c->class, (long)c->m,
         (long)c->n, (long)c->k, c->ta == 't' ? ", a'" : "", c->tb == 't' ? ", b'" : "", median, ratio[pairs / 4],
         ratio[pairs - 1 - pairs / 4], 1e6 * mine[pairs / 2], 1e6 * its[pairs / 2], goal,
         median > goal ? " missed" : "");
  fflush(stdout);
  tensor_release(&r.a);
  tensor_release(&r.b);
  tensor_release(&r.out);
  return median;
}

int main(int argc, char **argv) {
  int pairs = 30;
  const char *only = "";
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--pairs") == 0) pairs = atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--only") == 0) only = argv[i + 1];
  }
  blas_prepare();
  if (!LANES_FUSED) fprintf(stderr, "products: this build has no fused multiply-adds: both are OpenBLAS's\n");
  printf("%d thread(s), vectors of %d bytes; %s; %d pairs\n\n", parallel_threads(), (int)sizeof(lanes_f32), blas_info(),
         pairs);
  printf(
    "| class | m x n x k | ours / OpenBLAS (quartiles) | us | OpenBLAS, us | goal |\n|---|---|---:|---:|---:|---:|\n");
  double logarithms = 0;
  int n = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (strstr(cases[i].class, only)) logarithms += log(compare(&cases[i], pairs)), n++;
  printf("\nGeometric mean of %d: %.2f\n", n, exp(logarithms / (n > 0 ? n : 1)));
  return 0;
}
