/* blas.c - the only file that uses CBLAS.
**
** An OpenBLAS older than the processor takes it for an older model: 0.3.21 gives a Zen 5 Haswell kernels, at half the
** speed, and sgemm with one row takes 31 us instead of 5. Every processor with AVX-512 F, CD, BW, DQ and VL runs the
** SkylakeX kernels, so they are requested in the environment before the library is loaded, unless the user chose
** others. Other threads may read the environment at any time. This is therefore done when hybridlua starts, and only in
** a process with one thread. A host with several threads gets the kernels that it requests itself.
**
** OpenBLAS computes in the calling thread: with threads of its own, a product's bits would depend on their number.
** Large products are therefore divided into pieces here, which our threads share.
**
** Products with one row or column use gemv; the call depends on the shape alone. A row by a column, a dot product, is
** summed here in the order of base/math/tree_sum.h, because gemv's error grows with the length. The prototypes are
** declared here because the library is not linked; CBLAS's have been fixed since 1999
** (http://www.netlib.org/blas/#_cblas).
*/
#include "tensor/blas.h"

#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "base/settings/machine.h"
#include "base/threads/parallel_for.h"
#include "base/size_math.h"
#include "base/math/tree_sum.h"

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };

static struct {
  void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
  void (*dgemm)(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
  void (*sgemv)(int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
  void (*dgemv)(int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
  void (*set_threads)(int);
  char *(*core)(void), *(*config)(void);
} blas;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;
static char load_error[256];

/* RTLD_DEEPBIND resolves the library's 14000 references to its own functions within itself. Searching all libraries of
** the process takes 14 million instructions, and a host's other BLAS could be found instead. Sanitizers reject it.
** clang's programs use another OpenMP than the library, which must be found first. */
#if defined RTLD_DEEPBIND && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ && !defined __clang__
#define OWN_NAMES RTLD_DEEPBIND
#else
#define OWN_NAMES 0
#endif

/* The OpenMP build comes first, under its names in Debian and Ubuntu. */
static void *open_library(void) {
  /* clang-format off */
  static const char *const names[] = {
    "/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0",
    "/usr/lib/aarch64-linux-gnu/openblas-openmp/libopenblas.so.0",
    "libopenblasp.so.0", "libopenblas.so.0", "libopenblas.so",
  };
  /* clang-format on */
  const char *asked = getenv("HYBRIDLUA_BLAS");
  if (asked && *asked) return dlopen(asked, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *found = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL | OWN_NAMES);        /* most functions are never called */
    if (found) return found;
  }
  return NULL;
}

static void choose_kernels(void) {
  if (__libc_single_threaded && machine_has_avx512()) setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
}

void blas_prepare(void) {
  static pthread_once_t prepared = PTHREAD_ONCE_INIT;
  pthread_once(&prepared, choose_kernels);
}

static void load(void) {
  library = open_library();
  if (!library) {
    const char *advice = getenv("HYBRIDLUA_BLAS") ? "set by HYBRIDLUA_BLAS" : "apt-get install libopenblas0-openmp";
    snprintf(load_error, sizeof load_error, "OpenBLAS cannot be loaded (%s): %.120s", advice, dlerror());
    return;
  }
  const struct { void *slot; const char *name; } symbols[] = {
    { &blas.sgemm, "cblas_sgemm" },
    { &blas.dgemm, "cblas_dgemm" },
    { &blas.sgemv, "cblas_sgemv" },
    { &blas.dgemv, "cblas_dgemv" },
    { &blas.set_threads, "openblas_set_num_threads" },
    { &blas.core, "openblas_get_corename" },
    { &blas.config, "openblas_get_config" },
  };
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    void *function = dlsym(library, symbols[i].name);
    if (!function) snprintf(load_error, sizeof load_error, "OpenBLAS lacks %s", symbols[i].name);
    memcpy(symbols[i].slot, &function, sizeof function);
  }
  if (!load_error[0]) blas.set_threads(1);
}

static Status loaded(void) {
  pthread_once(&once, load);
  if (load_error[0]) return fail("%s", load_error);
  return OK;
}

void *blas_function(const char *name) { return loaded() == OK ? dlsym(library, name) : NULL; }

static int trans(bool t) { return t ? TRANS : NO_TRANS; }

#define GEMM(function, T)                                                                        \
  function(ROW_MAJOR, trans(p->transpose_a), trans(p->transpose_b), (int)p->m, (int)p->n, (int)p->k, \
           (T)p->alpha, p->a, (int)p->lda, p->b, (int)p->ldb, (T)p->beta, p->c, (int)p->ldc)

/* A matrix-vector product: op(matrix) * x; the matrix in memory is (rows, cols). */
#define GEMV(function, T, transposed, rows, cols, matrix, ld, x, inc_x, inc_y)                   \
  function(ROW_MAJOR, trans(transposed), (int)(rows), (int)(cols), (T)p->alpha, matrix, (int)(ld), \
           x, (int)(inc_x), (T)p->beta, p->c, (int)(inc_y))

static void one_row(const Product *p) {      /* c' = op(b)' a' */
  int64_t rows = p->transpose_b ? p->n : p->k, cols = p->transpose_b ? p->k : p->n;
  int64_t step = p->transpose_a ? p->lda : 1;
  if (p->dtype == DT_FLOAT32) GEMV(blas.sgemv, float, !p->transpose_b, rows, cols, p->b, p->ldb, p->a, step, 1);
  else GEMV(blas.dgemv, double, !p->transpose_b, rows, cols, p->b, p->ldb, p->a, step, 1);
}

static void one_column(const Product *p) {   /* c = op(a) b */
  int64_t rows = p->transpose_a ? p->k : p->m, cols = p->transpose_a ? p->m : p->k;
  int64_t step = p->transpose_b ? 1 : p->ldb;
  if (p->dtype == DT_FLOAT32) GEMV(blas.sgemv, float, p->transpose_a, rows, cols, p->a, p->lda, p->b, step, p->ldc);
  else GEMV(blas.dgemv, double, p->transpose_a, rows, cols, p->a, p->lda, p->b, step, p->ldc);
}

/* The sum of n products a[i] b[i] starting with i = first; elements of the vectors are a step apart. */
#define DOT(code, T, suffix)                                                                           \
  static double dot_##suffix(const Product *p, int64_t step_a, int64_t step_b, int64_t first, int64_t n) { \
    const T *a = (const T *)p->a + first * step_a, *b = (const T *)p->b + first * step_b;        \
    double sum;                                                                                  \
    if (step_a == 1 && step_b == 1) TREE_FOLD(sum, T, double, n, 0, TREE_ADD, a[i] * b[i]);      \
    else TREE_FOLD(sum, T, double, n, 0, TREE_ADD, a[i * step_a] * b[i * step_b]);               \
    return sum;                                                                                  \
  }
EACH_FLOAT(DOT)

/* Threads share the blocks of a group; their results are then added in order. */
enum { DOT_BLOCKS = TREE_GROUP / TREE_BLOCK };

typedef struct DotRun { const Product *p; int64_t step_a, step_b, first; double *result; } DotRun;

static void dot_piece(void *context, int64_t first, int64_t last) {
  DotRun *r = context;
  for (int64_t i = first; i < last && !interrupted(); i++) {
    int64_t at = r->first + i * TREE_BLOCK, n = r->p->k - at < TREE_BLOCK ? r->p->k - at : TREE_BLOCK;
    r->result[i] = r->p->dtype == DT_FLOAT32 ? dot_f32(r->p, r->step_a, r->step_b, at, n)
                                             : dot_f64(r->p, r->step_a, r->step_b, at, n);
  }
}

/* c = a b, for one element. Not inlined, because of its large frame. */
static __attribute__((noinline)) void one_element(const Product *p) {
  double result[DOT_BLOCKS], sum = 0;
  DotRun r = { .p = p, .step_a = p->transpose_a ? p->lda : 1, .step_b = p->transpose_b ? 1 : p->ldb, .result = result };
  for (; r.first < p->k; r.first += (int64_t)DOT_BLOCKS * TREE_BLOCK) {
    int64_t blocks = (p->k - r.first + TREE_BLOCK - 1) / TREE_BLOCK;
    if (blocks > DOT_BLOCKS) blocks = DOT_BLOCKS;
    parallel_for(blocks, 32, dot_piece, &r);
    double group = 0;
    for (int64_t i = 0; i < blocks; i++) group += result[i];
    sum += group;
  }
  if (p->dtype == DT_FLOAT32)
    *(float *)p->c = (float)p->alpha * (float)sum + (p->beta == 0 ? 0 : (float)p->beta * *(float *)p->c);
  else *(double *)p->c = p->alpha * sum + (p->beta == 0 ? 0 : p->beta * *(double *)p->c);
}

static void library_product(const Product *p) {
  const int before = parallel_library_alone();
  if (p->m == 1) one_row(p);
  else if (p->n == 1) one_column(p);
  else if (p->dtype == DT_FLOAT32) GEMM(blas.sgemm, float);
  else GEMM(blas.dgemm, double);
  parallel_library_let(before);
}

/* c = beta * c, for k = 0. */
static void scale_only(const Product *p) {
  for (int64_t i = 0; i < p->m; i++) {
    for (int64_t j = 0; j < p->n; j++) {
      int64_t at = i * p->ldc + j;
      if (p->dtype == DT_FLOAT32) ((float *)p->c)[at] = p->beta == 0 ? 0 : (float)p->beta * ((float *)p->c)[at];
      else ((double *)p->c)[at] = p->beta == 0 ? 0 : p->beta * ((double *)p->c)[at];
    }
  }
}

static Status prepare(const Product *given, Product *p) {
  *p = *given;
  if (p->dtype != DT_FLOAT32 && p->dtype != DT_FLOAT64)
    return fail("matrix product: data: expected float32 or float64, got %s", dtype_name(p->dtype));
  if (p->lda == 0) p->lda = p->transpose_a ? p->m : p->k;
  if (p->ldb == 0) p->ldb = p->transpose_b ? p->k : p->n;
  if (p->ldc == 0) p->ldc = p->n;
  int64_t largest = p->m > p->n ? p->m : p->n;
  if (p->k > largest) largest = p->k;
  if (largest > INT_MAX || p->lda > INT_MAX || p->ldb > INT_MAX || p->ldc > INT_MAX)
    return fail("matrix product: shape: expected dimensions below 2^31, got (%lld, %lld) by (%lld, %lld)",
                (long long)p->m, (long long)p->k, (long long)p->k, (long long)p->n);
  return loaded();
}

/* ---- Pieces ------------------------------------------------------------------------------------------- */

/* Products of one shape; a, b, c: distances in elements between operands. Each result is divided into down x across
** pieces. */
typedef struct Pieces {
  Product p;
  int64_t a, b, c;
  int64_t rows, columns, down, across;
} Pieces;

/* The work that pays for a thread (see parallel_for.c), for matrices and for vectors. */
enum { WHOLE = 1 << 22, WHOLE_VECTOR = 1 << 19, LEAST_COLUMNS = 1024 };

static int64_t rounded(int64_t n, int64_t step) { return parts(n, step) * step; }

/* Divides a matrix-vector product by rows of the matrix, or by columns if there are enough for long contiguous
** reads. */
static void cut_vector(Pieces *s) {
  const Product *p = &s->p;
  const bool by_rows = p->m == 1 ? p->transpose_b : !p->transpose_a;
  const int64_t n = p->m == 1 ? p->n : p->m, size = rounded(parts(WHOLE_VECTOR / 2, p->k), 64);
  const int64_t each = by_rows || size >= LEAST_COLUMNS ? size : LEAST_COLUMNS;
  if (p->m == 1) s->columns = each < n ? each : n;
  else s->rows = each < n ? each : n;
}

/* Each piece packs its own rows and columns, so large pieces are best: at most 512 by 256, smaller ones only if there
** would be too few. On one thread, pieces take a twentieth longer than a whole product. */
static void cut_matrix(Pieces *s, int64_t count) {
  enum { LONGEST = 512, LARGE = LONGEST * 256, SMALL = 128 * 64, SOME = 4, MANY = 8 };
  const Product *p = &s->p;
  while (count < MANY && s->rows * s->columns * p->k >= 2 * WHOLE) {
    int64_t *longer = s->rows > s->columns ? &s->rows : &s->columns;
    const int64_t area = s->rows * s->columns, n = count * parts(p->m, s->rows) * parts(p->n, s->columns);
    if (*longer <= LONGEST && area <= LARGE && (n >= SOME || area <= SMALL)) return;
    *longer = rounded(*longer / 2, 16);
  }
}

/* An element's bits depend on its piece, so pieces depend on sizes alone, and each is computed in one thread. */
static void cut(Pieces *s, int64_t count) {
  const Product *p = &s->p;
  const bool vector = p->m == 1 || p->n == 1;
  s->rows = p->m;
  s->columns = p->n;
  if ((p->m > 1 || p->n > 1) && p->m * p->n * p->k >= (vector ? WHOLE_VECTOR : WHOLE)) {
    if (vector) cut_vector(s);
    else cut_matrix(s, count);
  }
  s->down = parts(p->m, s->rows);
  s->across = parts(p->n, s->columns);
}

static void compute_piece(const Pieces *s, int64_t at, int64_t row, int64_t column) {
  const size_t size = dtype_size(s->p.dtype);
  Product p = s->p;
  p.m = p.m - row < s->rows ? p.m - row : s->rows;
  p.n = p.n - column < s->columns ? p.n - column : s->columns;
  p.a = (const char *)p.a + (size_t)(at * s->a + row * (p.transpose_a ? 1 : p.lda)) * size;
  p.b = (const char *)p.b + (size_t)(at * s->b + column * (p.transpose_b ? p.ldb : 1)) * size;
  p.c = (char *)p.c + (size_t)(at * s->c + row * p.ldc + column) * size;
  if (p.k == 0) scale_only(&p);
  else if (s->p.m == 1 && s->p.n == 1) one_element(&p);
  else library_product(&p);
}

static void compute_pieces(void *context, int64_t first, int64_t last) {
  const Pieces *s = context;
  for (int64_t i = first; i < last && !interrupted(); i++) {
    const int64_t within = i % (s->down * s->across);
    compute_piece(s, i / (s->down * s->across), within / s->across * s->rows, within % s->across * s->columns);
  }
}

Status blas_products(const Product *given, int64_t count, int64_t stride_a, int64_t stride_b, int64_t stride_c) {
  Pieces s = { .a = stride_a, .b = stride_b, .c = stride_c };
  TRY(prepare(given, &s.p));
  const Product *p = &s.p;
  if (p->m == 0 || p->n == 0) return OK;
  cut(&s, count);
  const int64_t n = count * s.down * s.across;
  const double work = (double)s.rows * (double)s.columns * (double)(p->k ? p->k : 1);
  if (n == 1) compute_pieces(&s, 0, 1);
  else parallel_for(n, (int64_t)((1 << 16) / work) + 1, compute_pieces, &s);
  return interrupt_status();
}

Status blas_product(const Product *p) { return blas_products(p, 1, 0, 0, 0); }

const char *blas_info(void) {
  static _Thread_local char text[256];
  if (loaded() != OK) return load_error;
  const char *config = blas.config();
  int version = 0;
  sscanf(config, "OpenBLAS %*s%n", &version);
  snprintf(text, sizeof text, "%.*s, %s, %s kernels", version, config,
           strstr(config, "USE_OPENMP") ? "OpenMP" : "own threads", blas.core());
  return text;
}
