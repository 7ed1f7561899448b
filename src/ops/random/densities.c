/* densities.c - random_pdf_*: densities of distributions, or their logarithms.
**
** A parameter has one element for each distribution; the sample has the same shape, then any number of axes with the
** draws from that distribution. The logarithm of a density is an elementwise expression (densities.h) of the sample and
** the parameters, broadcast along these axes; the density is its exponential. For Dirichlet distributions, the last
** axis of all operands has the components, over which the logarithm is a sum.
**
** The kernels are in kernels/random/densities_kernels.c.
*/
#include "ops/random/densities.h"

#include "ops/common/elementwise_rule.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

#define EXPRESSIONS2(name, expr, da, db, ...)                                                                \
  ELEMENTWISE(name##_y, "ab", 0, FLOAT_TYPES, #expr)                                                         \
  ELEMENTWISE(name##_da, "", 0, FLOAT_TYPES, #da) ELEMENTWISE(name##_db, "", 0, FLOAT_TYPES, #db)
#define EXPRESSIONS3(name, expr, da, db, dc, ...)                                                            \
  ELEMENTWISE(name##_y, "abc", 0, FLOAT_TYPES, #expr) ELEMENTWISE(name##_da, "", 0, FLOAT_TYPES, #da)        \
  ELEMENTWISE(name##_db, "", 0, FLOAT_TYPES, #db) ELEMENTWISE(name##_dc, "", 0, FLOAT_TYPES, #dc)
EACH_DENSITY(EXPRESSIONS2, EXPRESSIONS3)

/* ---- Inference ------------------------------------------------------------------------------------------ */

/* The first `own` axes of the sample are those of each parameter; then come the draws, then the last `shared` axes of
** the parameters. */
static Status infer_operands(Infer *f, int shared) {
  const Shape *sample = &f->in[0].shape;
  TRY(one_float_dtype(f, f->n_in, 1));
  for (int i = 1; i < f->n_in; i++) {
    TRY(input_shape(f, i, &f->in[1].shape));
    TRY(input_shape(f, 1, &f->in[i].shape));
    TRY(least_dims(f, i, shared));
  }
  const Shape *own = &f->in[1].shape;
  if (sample->ndim < 0 || own->ndim < 0) return OK;
  bool fits = sample->ndim >= own->ndim;
  for (int i = 0; i < own->ndim && fits; i++) {
    const int64_t a = own->dim[i], b = sample->dim[i < own->ndim - shared ? i : sample->ndim - own->ndim + i];
    fits = a < 0 || b < 0 || a == b;
  }
  if (!fits)
    return fail("%s: expected the first axes of sample %s%s, got %s", op_input_name(f->op, 1), shape_text(sample),
                shared ? " and its last one" : "", shape_text(own));
  return OK;
}

static Status infer_density(Infer *f) {
  TRY(infer_operands(f, 0));
  return one_shape(f, 0, 0);
}

static Status infer_dirichlet(Infer *f) {
  TRY(infer_operands(f, 1));
  const Shape *sample = &f->in[0].shape;
  if (sample->ndim < 0) return OK;
  TRY(least_dims(f, 0, 1));
  const Shape out = without_axis(sample, sample->ndim - 1);
  return output_shape(f, 0, &out);
}

/* ---- In terms of other operators --------------------------------------------------------------------------- */

/* Reshapes a parameter so that it broadcasts to the sample. */
static Entry spread(Builder *b, Entry e, int ndim, int shared) {
  if (b->status != OK) return NO_ENTRY;
  const Shape s = density_shape(&entry_type(e)->shape, ndim, shared);
  return reshape_to(b, e, &s);
}

static Entry exp_unless_log(Builder *b, const DensityParams *p, Entry e) {
  return p->is_log ? e : build_op(b, "exp", NULL, 1, e);
}

static Entry density_expand(Builder *b, Node *n, const char *row) {
  const int ndim = n->type[0].shape.ndim;
  Entry in[3] = { n->in[0] };
  for (int i = 1; i < n->n_in; i++) in[i] = spread(b, n->in[i], ndim, 0);
  return exp_unless_log(b, (const DensityParams *)n->params->fields, build_op_list(b, row, NULL, n->n_in, in));
}

static Entry dirichlet_expand(Builder *b, Node *n) {
  const Entry sample = n->in[0], alpha = n->in[1];
  const int ndim = entry_type(sample)->shape.ndim;
  const ReduceParams last = { .axis = { .count = 1, .u.i = { -1 } } };
  Entry power = plus(b, spread(b, alpha, ndim, 1), -1);
  Entry terms = build_op(b, "broadcast_mul", NULL, 2, power, build_op(b, "log", NULL, 1, sample));
  Entry of_sum = build_op(b, "gammaln", NULL, 1, build_op(b, "sum", &last, 1, alpha));
  Entry sum_of = build_op(b, "sum", &last, 1, build_op(b, "gammaln", NULL, 1, alpha));
  Entry factor = spread(b, build_op(b, "elemwise_sub", NULL, 2, of_sum, sum_of), ndim - 1, 0);
  Entry y = build_op(b, "broadcast_add", NULL, 2, build_op(b, "sum", &last, 1, terms), factor);
  return exp_unless_log(b, (const DensityParams *)n->params->fields, y);
}

#define EXPAND(name, ...)                                                                                    \
  static Entry name##_expand(Builder *b, Node *n) { return density_expand(b, n, "_log_pdf_" #name); }
EACH_DENSITY(EXPAND, EXPAND)

static void density_lower(Lowering *l) {
  if (l->followed || l->forced) l->out[0] = l->node->op->expand(l->b, l->node);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define IS_LOG "is_log bool False Return the logarithm of the density.\n"

#define LOG_ROW(title, operands, bits, ...)                                                                  \
  { .name = "_log_pdf_" #title, .doc = "The logarithm of a density", .domain = "0.2 0.8", .inputs = operands, \
    .differentiable = bits, .flags = OP_IN_PLACE | OP_INTERNAL, .infer = infer_elementwise,                  \
    .elementwise = &title##_y, .grad = elementwise_grad, .gradient = { __VA_ARGS__ } },
#define PUBLIC_ROW(title, operands, bits, text, call)                                                        \
  { .name = "_random_pdf_" #title, .doc = "The densities of " text,                                          \
    .example = "F.random_pdf_" #title "(" call ")\nF.random_pdf_" #title "(" call ", {is_log = true})",      \
    .inputs = operands, .params = IS_LOG, .params_size = sizeof(DensityParams), .differentiable = bits,      \
    .flags = OP_IN_PLACE, .infer = infer_density, .lower = density_lower, .expand = title##_expand },
#define ROWS2(title, expr, da, db, operands, bits, text, call)                                               \
  LOG_ROW(title, operands, bits, &title##_da, &title##_db) PUBLIC_ROW(title, operands, bits, text, call)
#define ROWS3(title, expr, da, db, dc, operands, bits, text, call)                                           \
  LOG_ROW(title, operands, bits, &title##_da, &title##_db, &title##_dc) PUBLIC_ROW(title, operands, bits, text, call)

/* clang-format off */
Op density_ops[] = {
  EACH_DENSITY(ROWS2, ROWS3)
  { .name = "_random_pdf_dirichlet", .doc = "The densities of Dirichlet distributions with the concentrations alpha, "
      "whose components are along the last axis. The output lacks that axis",
    .example = "F.random_pdf_dirichlet(F.array{{{0.2, 0.8}, {0.4, 0.6}}, {{0.1, 0.9}, {0.5, 0.5}}}, "
               "F.array{{1.5, 2}, {0.5, 3}})\n"
               "F.random_pdf_dirichlet(F.array{{0.2, 0.5, 0.3}}, F.array{{1.5, 2, 1}}, {is_log = true})",
    .inputs = "sample alpha", .params = IS_LOG, .params_size = sizeof(DensityParams), .infer = infer_dirichlet,
    .lower = density_lower, .expand = dirichlet_expand },
  { 0 }
};
/* clang-format on */
