/* loop_helpers_kernels.c - kernels of the helper operators of loops. */
#include <string.h>

#include "ir/graph/subgraph.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "kernels/loops/kernel_calls.h"

typedef struct TermSum { ElementLoop *sum; size_t size; int64_t row, n; const char *term, *before; char *to; } TermSum;

static void sum_piece(void *context, int64_t first, int64_t last) {
  static const double no_scalars[MAX_SCALARS];
  const TermSum *t = context;
  size_t at = (size_t)first * t->size, bytes = (size_t)(last - first) * t->size, step = (size_t)t->row * t->size;
  char *to = t->to + at;
  const char *from = t->before ? t->before : t->n > 0 ? t->term : NULL;
  if (!from) memset(to, 0, bytes);
  else if (from + at != to) memcpy(to, from + at, bytes);
  for (int64_t i = t->before ? 0 : 1; i < t->n; i++) {
    const void *slots[N_SLOTS] = { to, to, t->term + (size_t)i * step + at, to, to };
    t->sum(last - first, slots, to, no_scalars);
  }
}

static Status terms(Call *c) {
  TermSum t = { .sum = elementwise_loop(op_with_role(ROLE_SUM), c->out[0]->type.dtype),
                .size = dtype_size(c->out[0]->type.dtype),
                .row = tensor_size(c->out[0]),
                .n = *(const int64_t *)c->in[1]->data,
                .term = c->in[0]->data,
                .before = c->n_in > 2 ? c->in[2]->data : NULL,
                .to = c->out[0]->data };
  if (!t.sum) return fail("expected a dtype with addition, got %s", dtype_name(c->out[0]->type.dtype));
  return run_parallel(t.row, (1 << 15) / (t.n + 1) + 1, sum_piece, &t);
}

static Status spread(Call *c) {
  const size_t bytes = tensor_bytes(c->in[0]);
  const int64_t n = *(const int64_t *)c->in[1]->data;
  char *to = c->out[0]->data;
  for (int64_t i = 0; i < n; i++) memcpy(to + (size_t)i * bytes, c->in[0]->data, bytes);
  memset(to + (size_t)n * bytes, 0, tensor_bytes(c->out[0]) - (size_t)n * bytes);
  return OK;
}

static Status unstack(Call *c) {
  const UnstackParams *p = c->params;
  size_t bytes = tensor_bytes(c->out[0]);
  for (int i = 0; i < c->n_out; i++)
    memcpy(c->out[i]->data, (const char *)c->in[0]->data + (size_t)(p->begin + i) * bytes, bytes);
  return OK;
}

/* The column `own` of _put_rows for floats. */
typedef struct ZeroAdder { void (*add_zero)(void *data, int64_t n); } ZeroAdder;

/* Has the effect of adding rows of zeros: -0 becomes 0. */
#define ADD_ZERO(code, T, suffix)                                                 \
  static void add_zero_##suffix(void *data, int64_t n) {                          \
    for (int64_t i = 0; i < n; i++) ((T *)data)[i] += (T)0;                       \
  }
EACH_FLOAT(ADD_ZERO)

static Status put_rows(Call *c) {
  const PutRowsParams *p = c->params;
  const ZeroAdder *own = c->kernel->own;
  char *to = c->out[0]->data;
  size_t bytes = tensor_bytes(c->in[0]);
  if (c->n_in < p->length) memset(to, 0, tensor_bytes(c->out[0]));
  for (int i = 0; i < c->n_in; i++) {
    char *row = to + (size_t)(p->rows.count < 0 ? i : list_ints(&p->rows)[i]) * bytes;
    memcpy(row, c->in[i]->data, bytes);
    if (p->plus_zero && own) own->add_zero(row, tensor_size(c->in[i]));
  }
  return OK;
}

const Kernel loop_helpers_kernels[] = {
  { .op = "_sum_terms", .types = ALL_TYPES, .run = terms },
  { .op = "_spread_terms", .types = ALL_TYPES, .run = spread },
  { .op = "_unstack", .types = ALL_TYPES, .run = unstack },
  { .op = "_put_rows", .types = ALL_TYPES & ~FLOAT_TYPES, .run = put_rows },
  { .op = "_put_rows", .types = ONE_TYPE(DT_FLOAT32), .run = put_rows, .own = &(const ZeroAdder){ add_zero_f32 } },
  { .op = "_put_rows", .types = ONE_TYPE(DT_FLOAT64), .run = put_rows, .own = &(const ZeroAdder){ add_zero_f64 } },
  { 0 },
};
