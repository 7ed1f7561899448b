/* index_assign.c - assignment to the elements that a key selects: x[key] = v.
**
** If an element is selected several times, its last value in the order of the indices wins. A mask, an array of bool as
** the whole key, marks elements of the first axes. It serves only for writing: reading by a mask has a shape that
** depends on values (boolean_mask). The kernels: kernels/index/index_assign_kernels.c.
*/
#include "ops/index/index_assign.h"

#include <string.h>

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

static int write_inputs(const Query *q) { return 2 + key_arrays(key_of(q->params)); }

/* ---- Types ---------------------------------------------------------------------------------------- */

Status check_value(const Shape *value, const Shape *target) {
  Shape shape, sum;
  if (!shape_known(value) || !shape_known(target)) return OK;
  shape = without_leading(value, target->ndim);
  if (shape_broadcast(&shape, target, &sum) && shape_equal(&sum, target)) return OK;
  return fail("assignment: expected a value of shape %s or one that broadcasts to it, got %s", shape_text(target),
              shape_text(value));
}

static Status check_mask(const Shape *x, const Shape *mask) {
  if (!shape_known(x) || !shape_known(mask)) return OK;
  bool counts = mask->ndim >= 1 && mask->ndim <= x->ndim;
  if (counts && memcmp(mask->dim, x->dim, (size_t)mask->ndim * sizeof *mask->dim) == 0) return OK;
  return fail("assignment: expected a mask of shape %s or its first axes, got %s", shape_text(x), shape_text(mask));
}

static Status infer_index_assign(Infer *f) {
  const Key *key = key_of(f->params);
  const Shape *x = &f->in[0].shape;
  Selection s;
  TRY(one_dtype(f, 0, 2));
  TRY(one_shape(f, 0, 0));
  if (f->n_in == 3 && is_mask(key, f->in[2].dtype)) return check_mask(x, &f->in[2].shape);
  TRY(refuse_masks(f->in + 2, f->n_in - 2));
  TRY(select_types(key, x, f->in + 2, f->n_in - 2, &s));
  return check_value(&f->in[1].shape, &s.region.shape);
}

/* ---- Gradients -------------------------------------------------------------------------------------- */

/* The row of the value's gradient: only the last of several values assigned to an element gets a gradient. */
static Status infer_index_last(Infer *f) {
  Selection s;
  TRY(one_dtype(f, 0, 1));
  TRY(select_types(key_of(f->params), &f->in[0].shape, f->in + 1, f->n_in - 1, &s));
  return output_shape(f, 0, &s.region.shape);
}

static Status index_last_grad(Gradient *d) {
  Entry in[2 + MAX_DIMS] = { build_zeros_like(d->b, d->node->in[0]), d->out_grad[0] };
  memcpy(in + 2, d->node->in + 1, (size_t)(d->node->n_in - 1) * sizeof *in);
  return only_gradient(d, build_op_list(d->b, "_index_assign", gradient_params(d), d->node->n_in + 1, in));
}

static Status index_assign_grad(Gradient *d) {
  const Node *n = d->node;
  if (d->wanted[0]) {
    Entry in[2 + MAX_DIMS] = { d->out_grad[0], build_zeros_like(d->b, n->in[1]) };
    memcpy(in + 2, n->in + 2, (size_t)(n->n_in - 2) * sizeof *in);
    d->in_grad[0] = build_op_list(d->b, n->op->name, n->params->fields, n->n_in, in);
  }
  if (!d->wanted[1]) return d->b->status;
  if (n->n_in == 3 && is_mask(key_of(n->params->fields), entry_type(n->in[2])->dtype))
    return fail("assignment: a value that a mask places has no gradient; use F.where");
  Entry g = build_with_arrays(d, n->n_in > 2 ? "_backward_index_assign" : "_index", gradient_params(d), d->out_grad[0],
                              2);
  d->in_grad[1] = sum_to(d->b, g, gradient_input(d, 1));
  return d->b->status;
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

/* clang-format off */
Op index_assign_ops[] = {
  { .name = "_index_assign", .name_stem = "index_assign", .error_name = "index assignment",
    .doc = "data with data[key] replaced by value, which broadcasts. If an element is selected several times, the last "
           "value wins. An array of bool as the whole key is a mask over the first axes",
    .inputs = "data value" INDEX_ARRAYS,
    .example = "F.index_assign(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{{7}, {8}}, {key = \":, 1:\"})\n"
               "F.index_assign(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{7, 8, 9}, "
               "F.array({1, 0, 1}, {dtype = \"int32\"}), "
               "{key = \"0, @\"})\n"
               "F.index_assign(F.array{1, 2, 3, 4}, F.array{5}, F.array({1, 3}, {dtype = \"int32\"}), {key = \"@\"})",
    .params = INDEX_KEY_LINE, .params_size = sizeof(IndexParams), .n_inputs = write_inputs, .differentiable = 3,
    .flags = OP_IN_PLACE_EACH, .role = ROLE_INDEX_ASSIGN,
    .effects = op_fails_always, .infer = infer_index_assign, .grad = index_assign_grad },
  { .name = "_backward_index_assign",
    .doc = "grad[key]; of elements that are selected several times, all but the last are 0",
    .inputs = "grad" INDEX_ARRAYS, .error_name = "index", .params = INDEX_KEY_LINE, .params_size = sizeof(IndexParams),
    .n_inputs = index_inputs, .differentiable = 1,
    .flags = OP_INTERNAL,
    .effects = op_fails_always, .infer = infer_index_last, .grad = index_last_grad },
  { 0 }
};
/* clang-format on */
