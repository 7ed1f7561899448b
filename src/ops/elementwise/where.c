/* where.c - a choice between two arrays, element by element.
**
** _npi_where is the elementwise row, in which condition, x and y broadcast. In `where`, MXNet's older operator, a 1-d
** condition chooses whole rows: the same loops run with the condition's shape read as (n, 1, ..), and the gradient is
** that of _npi_where.
*/
#include "ops/common/elementwise_rule.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/elementwise/where.h"
#include "ops/op_registry.h"

/* The condition may have its own dtype; it is true unless 0. */
#define EXPRESSION_OF(name, used, expression) \
  static Elementwise name = { .expr = #expression, .slots = used, .condition = true, .types = VALUE_TYPES };
EACH_CHOICE(EXPRESSION_OF)

/* ---- Gradients ----------------------------------------------------------------------------------- */

static Status choose_grad(Gradient *d) {
  static const char *const kept[] = { NULL, "_where_true", "_where_false" };
  for (int i = 1; i < 3; i++) {
    if (!d->wanted[i]) continue;
    Entry g = build_op(d->b, kept[i], NULL, 2, d->node->in[0], d->out_grad[0]);
    d->in_grad[i] = sum_to(d->b, g, gradient_input(d, i));
  }
  return d->b->status;
}

static Status kept_grad(Gradient *d) {
  Entry g = build_op(d->b, d->node->op->name, NULL, 2, d->node->in[0], d->out_grad[0]);
  d->in_grad[1] = sum_to(d->b, g, gradient_input(d, 1));
  return d->b->status;
}

/* ---- where: a 1-d condition chooses rows ----------------------------------------------------------- */

Shape where_condition_shape(const Shape *condition, const Shape *chosen) {
  Shape s = *condition;
  if (condition->ndim != 1 || chosen->ndim <= 1) return s;
  s.ndim = chosen->ndim;
  for (int i = 1; i < s.ndim; i++) s.dim[i] = 1;
  return s;
}

static Status infer_where(Infer *f) {
  const Shape *condition = &f->in[0].shape;
  Shape chosen, sum;
  TRY(one_dtype(f, 1, 3));
  if (f->out[0].dtype == DT_FLOAT16) return fail("x: expected any dtype but float16; convert with astype");
  if (!shape_broadcast(&f->in[1].shape, &f->in[2].shape, &chosen))
    return fail("y: expected a shape that broadcasts with %s, got %s", shape_text(&f->in[1].shape),
                shape_text(&f->in[2].shape));
  if (!shape_known(condition) || !shape_known(&chosen)) return OK;
  Shape s = where_condition_shape(condition, &chosen);
  if (!shape_broadcast(&s, &chosen, &sum) || (s.ndim != condition->ndim && !shape_merge(&sum, &chosen)))
    return fail("condition: expected a shape that broadcasts with %s, or one truth value for each of its rows, got %s",
                shape_text(&chosen), shape_text(condition));
  return output_shape(f, 0, &sum);
}

static Entry where_expand(Builder *b, Node *n) {
  Shape s = where_condition_shape(&entry_type(n->in[0])->shape, &n->type[0].shape);
  return build_op(b, "_npi_where", NULL, 3, reshape_to(b, n->in[0], &s), n->in[1], n->in[2]);
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

static Entry keep_true_portable(Builder *b, const Node *n) {
  return build_op(b, "_npi_where", NULL, 3, n->in[0], n->in[1], build_zeros_like(b, n->in[1]));
}
static Entry keep_false_portable(Builder *b, const Node *n) {
  return build_op(b, "_npi_where", NULL, 3, n->in[0], build_zeros_like(b, n->in[1]), n->in[1]);
}

#define CHOICE_INPUTS .inputs = "condition x y", .differentiable = 6
#define KEPT(title, loops, text)                                                                          \
  { .name = title, .doc = text, .inputs = "condition data", .differentiable = 2, .flags = OP_INTERNAL | OP_IN_PLACE, \
    .infer = infer_elementwise, .elementwise = &loops, .grad = kept_grad, .portable = loops##_portable }

/* clang-format off */
Op where_ops[] = {
  { .name = "where",
    .doc = "x where the condition is not 0, else y; a 1-d condition chooses rows. x and y may be numbers",
    CHOICE_INPUTS,
    .example = "F.where(F.array{{1, 0}, {0, 1}}, F.array{{1, 2}, {3, 4}}, F.array{{5, 6}, {7, 8}})\n"
               "F.where(F.array({1, 0}, {dtype = \"int32\"}), F.array{{1, 2}, {3, 4}}, F.array{{5, 6}, {7, 8}})\n"
               "F.where(F.array{{1}, {0}}, F.array{{1, 2}}, F.array{5, 6})\n"
               "F.where(F.array{1, 0}, F.array{3, 4}, -1)",
    .flags = OP_NUMBERS, .infer = infer_where, .expand = where_expand },
  { .name = "_npi_where", .doc = "x where the condition is not 0, else y; all three broadcast", CHOICE_INPUTS,
    .example = "F._npi_where(F.array({1, 0}, {dtype = \"int32\"}), F.array{{1, 2}, {3, 4}}, F.array{{5}, {6}})",
    .flags = OP_IN_PLACE | OP_NUMBERS, .infer = infer_elementwise, .elementwise = &choose, .grad = choose_grad },
  KEPT("_where_true", keep_true, "data where the condition is not 0, else 0"),
  KEPT("_where_false", keep_false, "data where the condition is 0, else 0"),
  { 0 }
};
/* clang-format on */
