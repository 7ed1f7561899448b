/* index_rows.c - the elements that a key selects: x[key].
**
** A key (ir/index_key.h) is a parameter; its index arrays are inputs. Without index arrays a key selects a region: a
** view if the region is contiguous in memory, else a copy. With them it selects rows. The gradient writes each element
** back, and adds those selected several times in the order of the indices. The kernels:
** kernels/index/index_rows_kernels.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/index/added_rows.h"
#include "ops/index/index_choice.h"
#include "ops/index/index_portable.h"
#include "ops/op_registry.h"

typedef struct IndexBackwardParams { const Key *key; List shape; } IndexBackwardParams;

/* ---- Types ---------------------------------------------------------------------------------------- */

static Status infer_index(Infer *f) {
  Selection s;
  TRY(one_dtype(f, 0, 1));
  TRY(refuse_masks(f->in + 1, f->n_in - 1));
  TRY(select_types(key_of(f->params), &f->in[0].shape, f->in + 1, f->n_in - 1, &s));
  return output_shape(f, 0, &s.region.shape);
}

static Status infer_index_backward(Infer *f) {
  const IndexBackwardParams *p = f->params;
  Shape x = list_shape(&p->shape);
  Selection s;
  if (p->shape.count < 0) return fail("shape: expected a shape, got nothing");
  if (f->n_in > 1) TRY(refuse_half(f, "grad"));
  TRY(one_dtype(f, 0, 1));
  TRY(output_shape(f, 0, &x));
  TRY(refuse_masks(f->in + 1, f->n_in - 1));
  TRY(select_types(p->key, &x, f->in + 1, f->n_in - 1, &s));
  return input_shape(f, 0, &s.region.shape);
}

/* ---- Reading --------------------------------------------------------------------------------------- */

static bool index_view(const Query *q, size_t *offset) {
  const Type *x = query_in(q, 0);
  Selection s;
  if (q->n_in > 1 || key_select(key_of(q->params), &x->shape, NULL, &s) != OK) return false;
  if (!region_contiguous(&s.region)) return false;
  *offset = selection_begin(&s) * dtype_size(x->dtype);
  return true;
}

static Status index_grad(Gradient *d) {
  IndexBackwardParams p = { key_of(gradient_params(d)), list_of_shape(&gradient_input(d, 0)->shape) };
  return only_gradient(d, build_with_arrays(d, "_backward_index", &p, d->out_grad[0], 1));
}

static Entry portable(Builder *b, const Node *n) { return index_portable(b, key_of(n->params->fields), n); }

/* ---- The gradient of reading -------------------------------------------------------------------------- */

static Status index_backward_grad(Gradient *d) {
  IndexParams p = { key_of(gradient_params(d)) };
  return only_gradient(d, build_with_arrays(d, "_index", &p, d->out_grad[0], 1));
}

/* Index arrays may be out of range. */
static unsigned index_effects(const Query *q) { return q->n_in == 1 ? 0 : FAILS; }

/* ---- Rows ----------------------------------------------------------------------------------------------- */

/* clang-format off */
Op bracket_ops[] = {
  { .name = "_index", .name_stem = "index", .error_name = "index",
    .doc = "data[key] as in NumPy: begin:end:step, single indices, None, ..., and index arrays. A part that is "
           "contiguous in memory shares it with data",
    .inputs = "data" INDEX_ARRAYS,
    .example = "F.index(F.array{{1, 2, 3}, {4, 5, 6}}, {key = \"1, ::-2\"})\n"
               "F.index(F.array{{1, 2, 3}, {4, 5, 6}}, {key = \"None, -1\"})\n"
               "F.index(F.array{{1, 2, 3}, {4, 5, 6}}, "
               "F.array({2, 0, -1, 2}, {dtype = \"int32\"}), {key = \"..., @\"})\n"
               "F.index(F.array{{1, 2, 3}, {4, 5, 6}}, F.array({1, 0}, {dtype = \"int32\"}), "
               "F.array({{2}, {0}}, {dtype = \"int32\"}), {key = \"@, @\"})",
    .params = INDEX_KEY_LINE, .params_size = sizeof(IndexParams), .n_inputs = index_inputs, .differentiable = 1,
    .effects = index_effects,
    .role = ROLE_INDEX, .infer = infer_index, .view = index_view, .grad = index_grad, .portable = portable },
  { .name = "_backward_index",
    .doc = "An array of zeros with the selected elements written back, or added if they are selected several times",
    .inputs = "grad" INDEX_ARRAYS, .error_name = "index", .params = INDEX_KEY_LINE "shape shape - The shape.\n",
    .params_size = sizeof(IndexBackwardParams), .n_inputs = index_inputs, .differentiable = 1, .flags = OP_INTERNAL,
    .effects = index_effects, .infer = infer_index_backward, .grad = index_backward_grad },
  { 0 }
};
/* clang-format on */
