/* loop_helpers.c - helper operators of loops (loop_rows.c).
**
** They split an array into rows and join rows, sum a run of terms, and make a value depend on further inputs. A row is
** the part of an array at one index of its first axis. The kernels are in kernels/control/loop_helpers_kernels.c.
*/
#include <string.h>

#include "base/memory.h"
#include "ir/node_builder.h"
#include "ir/graph/subgraph.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- The sum of a run of terms -------------------------------------------------------------------------------- */

static int terms_inputs(const Query *q) { return *(const int64_t *)q->params ? 3 : 2; }

static Status infer_terms(Infer *f) {
  Type row = row_type(&f->in[0]);
  TRY(output_type(f, 0, &row));
  if (f->n_in < 3) return OK;
  TRY(input_dtype(f, 2, row.dtype));
  return input_shape(f, 2, &row.shape);
}

/* The gradient of each term is the gradient of the sum. */
static Status terms_grad(Gradient *d) {
  const Type *run = gradient_input(d, 0);
  if (d->wanted[0])
    d->in_grad[0] = build_op(d->b, "_spread_terms", &run->shape.dim[0], 2, d->out_grad[0], d->node->in[1]);
  if (d->node->n_in > 2) d->in_grad[2] = d->out_grad[0];
  return d->b->status;
}

/* ---- A value for each term of a run ------------------------------------------------------------------------- */

static Status infer_spread(Infer *f) {
  Type run;
  TRY(rows_type(&f->in[0], *(const int64_t *)f->params, &run));
  return output_type(f, 0, &run);
}

static Status spread_grad(Gradient *d) {
  d->in_grad[0] = d->out_grad[0];
  d->in_count[0] = d->node->in[1];
  return OK;
}

/* ---- Further inputs of a value ------------------------------------------------------------------------ */

static Status infer_also_from(Infer *f) { return output_type(f, 0, &f->in[0]); }

static bool view_whole(const Query *q, size_t *offset) {
  (void)q;
  *offset = 0;
  return true;
}

static Status also_from_grad(Gradient *d) {
  d->in_grad[0] = d->out_grad[0];
  for (int i = 1; i < d->node->n_in; i++) {
    if (!d->wanted[i]) continue;
    d->in_grad[i] = build_zeros_like(d->b, d->node->in[i]);
    d->in_none[i] = true;
  }
  return d->b->status;
}

/* ---- Rows of an array ---------------------------------------------------------------------------------------- */

static int unstack_outputs(const Query *q) { return (int)((const UnstackParams *)q->params)->count; }

static Status infer_unstack(Infer *f) {
  const UnstackParams *p = f->params;
  TRY(least_dims(f, 0, 1));
  Type row = row_type(&f->in[0]);
  if (shape_known(&f->in[0].shape) && (p->begin < 0 || p->begin + p->count > f->in[0].shape.dim[0]))
    return fail("expected rows from 0 to %lld, got %lld to %lld", (long long)f->in[0].shape.dim[0] - 1,
                (long long)p->begin, (long long)(p->begin + p->count) - 1);
  for (int i = 0; i < f->n_out; i++) f->out[i] = row;
  return OK;
}

static Status unstack_grad(Gradient *d) {
  const UnstackParams *p = gradient_params(d);
  int n = 0, n_out = d->node->n_out;
  int64_t length = gradient_input(d, 0)->shape.dim[0];
  Entry *in = object_new((size_t)(n_out + 1) * (sizeof *in + sizeof(int64_t)));
  if (!in) return no_memory("gradient");
  int64_t *rows = (int64_t *)(in + n_out + 1);
  for (int i = 0; i < n_out; i++) {
    if (!d->out_grad[i].node) continue;
    rows[n] = p->begin + i;
    in[n++] = d->out_grad[i];
  }
  PutRowsParams put = { .num_args = n, .length = length, .plus_zero = length > 1, .rows.count = n };
  if (n > MAX_DIMS) put.rows.u.many_i = rows;
  else memcpy(put.rows.u.i, rows, (size_t)n * sizeof *rows);
  d->in_grad[0] = build_op_list(d->b, "_put_rows", &put, n, in);
  object_free(in);
  return d->b->status;
}

static Status infer_put_rows(Infer *f) {
  const PutRowsParams *p = f->params;
  Type row = f->in[0], whole;
  TRY(one_dtype(f, 0, f->n_in));
  for (int i = 1; i < f->n_in; i++)
    if (!types_merge(&row, &f->in[i]))
      return fail("expected rows of one type, got %s and %s", type_text(&row), type_text(&f->in[i]));
  TRY(rows_type(&row, p->length, &whole));
  for (int i = 0; i < f->n_in; i++) f->in[i] = row;
  for (int64_t i = 0; i < p->rows.count; i++)
    if (list_ints(&p->rows)[i] < 0 || list_ints(&p->rows)[i] >= p->length)
      return fail("rows: expected integers from 0 to %lld, got %lld", (long long)p->length - 1,
                  (long long)list_ints(&p->rows)[i]);
  if (p->rows.count >= 0 && p->rows.count != f->n_in)
    return fail("rows: expected %d, got %lld", f->n_in, (long long)p->rows.count);
  if (f->n_in > p->length) return fail("length: expected %d or more, got %lld", f->n_in, (long long)p->length);
  return output_type(f, 0, &whole);
}

static Status put_rows_grad(Gradient *d) {
  const PutRowsParams *p = gradient_params(d);
  Entry e = NO_ENTRY;
  if (p->length <= UINT16_MAX) e = build_op(d->b, "_unstack", &(UnstackParams){ 0, p->length }, 1, d->out_grad[0]);
  for (int i = 0; i < d->node->n_in; i++) {
    int64_t at = p->rows.count < 0 ? i : list_ints(&p->rows)[i];
    if (!d->wanted[i]) continue;
    if (p->length <= UINT16_MAX) d->in_grad[i] = entry_output(e, (int)at);
    else d->in_grad[i] = build_op(d->b, "_unstack", &(UnstackParams){ at, 1 }, 1, d->out_grad[0]);
  }
  return d->b->status;
}

/* ---- The rows ------------------------------------------------------------------------------------------------- */

/* clang-format off */
Op row_ops[] = {
  { .name = "_sum_terms", .doc = "Adds a run of terms to the sum of earlier terms, from left to right",
    .inputs = "terms count before", .params = "has_before int 0 Is there a sum of earlier terms?\n",
    .params_size = sizeof(int64_t), .n_inputs = terms_inputs, .flags = OP_INTERNAL,
    .differentiable = 1 << 0 | 1 << 2, .role = ROLE_SUM_TERMS, .infer = infer_terms, .grad = terms_grad },
  { .name = "_spread_terms", .doc = "A run of equal terms", .inputs = "data count",
    .params = "length int - Number of rows of the run.\n", .params_size = sizeof(int64_t), .flags = OP_INTERNAL,
    .differentiable = 1, .role = ROLE_SPREAD_TERMS, .infer = infer_spread, .grad = spread_grad },
  { .name = "_also_from", .doc = "The first input, which then depends on the others as well",
    .inputs = "data...", .params = "num_args int - Number of inputs.\n", .params_size = sizeof(int64_t),
    .flags = OP_INTERNAL | OP_VARIADIC, .role = ROLE_ALSO_FROM, .infer = infer_also_from, .view = view_whole,
    .grad = also_from_grad },
  { .name = "_unstack", .doc = "Splits an array into rows", .inputs = "data",
    .params = "begin int 0 The first row.\ncount int - Number of rows.\n", .params_size = sizeof(UnstackParams),
    .n_outputs = unstack_outputs, .flags = OP_INTERNAL, .role = ROLE_UNSTACK, .infer = infer_unstack,
    .grad = unstack_grad },
  { .name = "_put_rows", .doc = "Writes rows at their indices into an array that is zero elsewhere", .inputs = "row...",
    .params = "num_args int - Number of rows given.\nlength int - Number of rows of the array.\n"
              "rows shape None The index of each row; None: in order.\n"
              "plus_zero bool False Add 0 to each row.\n",
    .params_size = sizeof(PutRowsParams), .flags = OP_INTERNAL | OP_VARIADIC, .role = ROLE_PUT_ROWS,
    .infer = infer_put_rows, .grad = put_rows_grad },
  { .name = NULL },
};
/* clang-format on */
