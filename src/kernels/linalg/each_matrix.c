/* each_matrix.c - see each_matrix.h. */
#include "kernels/linalg/each_matrix.h"

#include "base/threads/parallel_for.h"
#include "base/size_math.h"
#include "tensor/cast_copy.h"

enum { MOST_RUNNERS = 16, MOST_ROOM = 64 << 20 };

/* Multiplications for one matrix, roughly; they decide the number of runners. */
static double work_of(const Shape *s) {
  double rows = (double)s->dim[s->ndim - 2], columns = (double)s->dim[s->ndim - 1];
  return rows * columns * (rows < columns ? rows : columns);
}

/* Depends on sizes alone, so that equal calls use equal memory. */
static int64_t runners_for(const Shape *s, int64_t count, size_t workspace) {
  if (work_of(s) * (double)count < 1 << 16) return 1;
  return most(1, least(least(count, MOST_RUNNERS), (int64_t)(MOST_ROOM / (workspace + 1))));
}

size_t stack_workspace(const Type *in, int64_t count, size_t workspace) {
  return (size_t)runners_for(&in->shape, count, workspace) * workspace;
}

static void note_fault(MatrixStack *s, Fault fault, int64_t k) {
  int64_t first = __atomic_load_n(&s->failed[fault], __ATOMIC_RELAXED);
  while (k < first &&
         !__atomic_compare_exchange_n(&s->failed[fault], &first, k, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

/* Runner i computes its part of the matrices one by one. */
static void run_some(void *context, int64_t first, int64_t last) {
  MatrixStack *s = context;
  const int before = parallel_library_alone();
  for (int64_t i = first; i < last; i++) {
    void *workspace = (char *)s->c->workspace + (size_t)i * s->workspace;
    for (int64_t k = s->count * i / s->runners; k < s->count * (i + 1) / s->runners && !interrupted(); k++) {
      Fault fault = s->one(s, k, workspace);
      if (fault != FAULT_NONE) {
        note_fault(s, fault, k);
        break;
      }
    }
  }
  parallel_library_let(before);
}

static Status explain(const MatrixStack *s, const char *wanted) {
  const char *name = s->c->op->name, *input = op_input_name(s->c->op, 0);
  static const char *const texts[] = {
    [FAULT_NOT_FINITE] = "expected finite numbers, got NaN or an infinity",
    [FAULT_NOT_CONVERGED] = "expected matrices for which LAPACK's iteration converges, got one for which it does not",
    [FAULT_TOO_LARGE] = "expected matrices with at most 16000 rows or columns, got a larger one",
  };
  for (int fault = FAULT_MATRIX; fault <= FAULT_TOO_LARGE; fault++) {
    if (s->failed[fault] == s->count) continue;
    if (fault == FAULT_MATRIX)
      return fail("%s: %s: expected %s (number %lld)", name, input, wanted, (long long)s->failed[fault]);
    return fail("%s: %s: %s (matrix number %lld)", name, input, texts[fault], (long long)s->failed[fault]);
  }
  return OK;
}

Status each_matrix(Call *c, MatrixKernel *one, int64_t count, size_t workspace, const char *wanted) {
  const Shape *shape = &c->in[0]->type.shape;
  DType dtype = c->in[0]->type.dtype;
  MatrixStack s = { .c = c,
                    .rows = shape->dim[shape->ndim - 2],
                    .columns = shape->dim[shape->ndim - 1],
                    .count = count,
                    .dtype = dtype,
                    .work = factor_dtype(dtype),
                    .one = one,
                    .workspace = workspace,
                    .runners = runners_for(shape, count, workspace) };
  if (count == 0) return OK;
  for (int i = 0; i <= FAULT_TOO_LARGE; i++) s.failed[i] = count;
  parallel_for(s.runners, 1, run_some, &s);
  return interrupted() ? interrupt_status() : explain(&s, wanted);
}

size_t place_bytes(DType t, double n) { return factor_dtype(t) == t ? 0 : matrix_bytes(DT_FLOAT64, n); }

static char *element(const Tensor *t, int64_t at) { return (char *)t->data + (size_t)at * dtype_size(t->type.dtype); }

void load_elements(const MatrixStack *s, int input, int64_t at, int64_t n, void *to) {
  convert(s->dtype, element(s->c->in[input], at), s->work, to, n);
}

void store_elements(const MatrixStack *s, int output, int64_t at, int64_t n, const void *from) {
  char *to = element(s->c->out[output], at);
  if (to != from) convert(s->work, from, s->c->out[output]->type.dtype, to, n);
}

void load_doubles(const MatrixStack *s, int input, int64_t at, int64_t n, double *to) {
  convert(s->dtype, element(s->c->in[input], at), DT_FLOAT64, to, n);
}

void store_doubles(const MatrixStack *s, int output, int64_t at, int64_t n, const double *from) {
  convert(DT_FLOAT64, from, s->c->out[output]->type.dtype, element(s->c->out[output], at), n);
}

void *place_for(const MatrixStack *s, int output, int64_t at, void *workspace) {
  return s->work == s->dtype ? element(s->c->out[output], at) : workspace;
}

void load_transposed(const MatrixStack *s, int input, int64_t at, int64_t m, int64_t n, void *workspace, void *to) {
  const void *from = element(s->c->in[input], at);
  if (s->work != s->dtype) {
    load_elements(s, input, at, m * n, workspace);
    from = workspace;
  }
  factor_transpose(s->work, m, n, from, to);
}

void store_transposed(const MatrixStack *s, int output, int64_t at, int64_t m, int64_t n, const void *x,
                      void *workspace) {
  void *to = place_for(s, output, at, workspace);
  factor_transpose(s->work, m, n, x, to);
  store_elements(s, output, at, m * n, to);
}
