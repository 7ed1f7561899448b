/* concat_split.c - arrays joined, split and added: Concat, stack, split, add_n.
**
** Joining and splitting are each other's gradients. The kernels: kernels/shape/concat_split_kernels.c.
*/
#include "ops/shape/concat_split.h"

#include "base/memory.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

enum { MOST_PARTS = 4096 };

/* ---- Concat ------------------------------------------------------------------------------------ */

/* Merges the axes of all inputs and the output except the joined one. */
static Status merge_others(Infer *f, int ndim, int axis) {
  Shape common = { .ndim = ndim };
  for (int i = 0; i < ndim; i++) common.dim[i] = UNKNOWN;
  for (int i = 0; i <= f->n_in; i++) {
    const Shape *given = i < f->n_in ? &f->in[i].shape : &f->out[0].shape;
    Shape s = *given;
    if (s.ndim == ndim) s.dim[axis] = UNKNOWN;
    if (!shape_merge(&common, &s))
      return fail("%s: expected shape %s, got %s", i < f->n_in ? op_input_name(f->op, i) : "output",
                  shape_text(&common), shape_text(given));
  }
  for (int i = 0; i < f->n_in; i++) TRY(input_shape(f, i, &common));
  return output_shape(f, 0, &common);
}

/* Infers the joined axis: the output's dimension is the sum of the inputs', so a single unknown one follows. */
static Status sum_joined(Infer *f, int axis) {
  int64_t sum = 0, *open = NULL, *whole = &f->out[0].shape.dim[axis];
  for (int i = 0; i < f->n_in; i++) {
    int64_t *dim = &f->in[i].shape.dim[axis];
    if (*dim >= 0) sum += *dim;
    else if (open) return OK;
    else open = dim;
  }
  if (!open) {
    Shape s = f->out[0].shape;
    s.dim[axis] = sum;
    return output_shape(f, 0, &s);
  }
  if (*whole >= 0 && *whole < sum)
    return fail("output: expected at least %lld along axis %d, got %lld", (long long)sum, axis, (long long)*whole);
  if (*whole >= 0) *open = *whole - sum;
  return OK;
}

static Status infer_concat(Infer *f) {
  int axis, ndim = f->out[0].shape.ndim;
  for (int i = f->n_in - 1; i >= 0; i--)
    if (f->in[i].shape.ndim >= 0) ndim = f->in[i].shape.ndim;
  TRY(one_dtype(f, 0, f->n_in));
  if (ndim < 0) return OK;
  TRY(axis_normal(f->op->name, "dim", ((const ConcatParams *)f->params)->dim, ndim, &axis));
  TRY(merge_others(f, ndim, axis));
  return sum_joined(f, axis);
}

/* Infers the weights of recurrent layers. Only the first layer's input weights may be unknown, one for each direction.
** They have equal sizes, which follow from the output's. */
static Status infer_weights(Infer *f) {
  int64_t rest, n = 0;
  TRY(infer_concat(f));
  rest = f->out[0].shape.ndim == 1 ? f->out[0].shape.dim[0] : UNKNOWN;
  for (int i = 0; i < f->n_in; i++) {
    if (f->in[i].shape.ndim != 1) return OK;
    if (f->in[i].shape.dim[0] < 0) n++;
    else rest -= f->in[i].shape.dim[0];
  }
  if (n == 0 || f->out[0].shape.dim[0] < 0 || rest < 0 || rest % n) return OK;
  for (int i = 0; i < f->n_in; i++)
    if (f->in[i].shape.dim[0] < 0) f->in[i].shape.dim[0] = rest / n;
  return OK;
}

static Entry part_of(Builder *b, Entry e, int axis, int64_t begin, int64_t length) {
  return build_op(b, "slice_axis", &(SliceAxisParams){ axis, begin, begin + length }, 1, e);
}

static Status concat_grad(Gradient *d) {
  const int axis = axis_at(((const ConcatParams *)gradient_params(d))->dim, d->node->type[0].shape.ndim);
  int64_t at = 0;
  for (int i = 0; i < d->node->n_in; i++) {
    int64_t length = gradient_input(d, i)->shape.dim[axis];
    if (d->wanted[i]) d->in_grad[i] = part_of(d->b, d->out_grad[0], axis, at, length);
    at += length;
  }
  return d->b->status;
}

/* Gives all inputs one shape, *each. */
static Status inputs_of_one_shape(Infer *f, Shape *each) {
  for (int i = 0; i < f->n_in; i++)
    if (!shape_merge(each, &f->in[i].shape))
      return fail("%s: expected shape %s, got %s", op_input_name(f->op, i), shape_text(each),
                  shape_text(&f->in[i].shape));
  for (int i = 0; i < f->n_in; i++) f->in[i].shape = *each;
  return OK;
}

/* ---- stack: Concat along a new axis ------------------------------------------------------------------ */

static Status infer_stack(Infer *f) {
  int axis;
  Shape each = SHAPE_UNKNOWN;
  TRY(one_dtype(f, 0, f->n_in));
  TRY(inputs_of_one_shape(f, &each));
  if (each.ndim < 0) return OK;
  if (each.ndim == MAX_DIMS)
    return fail("%s: expected at most %d dimensions, got %s", op_input_name(f->op, 0), MAX_DIMS - 1, shape_text(&each));
  TRY(new_axis(((const StackParams *)f->params)->axis, each.ndim, &axis));
  Shape s = { .ndim = each.ndim + 1 };
  for (int i = 0; i < s.ndim; i++) s.dim[i] = i == axis ? f->n_in : each.dim[i - (i > axis)];
  return output_shape(f, 0, &s);
}

static Status stack_grad(Gradient *d) {
  const int axis = axis_at(((const StackParams *)gradient_params(d))->axis, d->node->type[0].shape.ndim);
  for (int i = 0; i < d->node->n_in; i++) {
    if (!d->wanted[i]) continue;
    d->in_grad[i] = reshape_to(d->b, part_of(d->b, d->out_grad[0], axis, i, 1), &gradient_input(d, i)->shape);
  }
  return d->b->status;
}

/* ---- SliceChannel, _split_v2 ----------------------------------------------------------------------------- */

JoinParts channel_parts(const void *params) {
  const ChannelParams *p = params;
  return (JoinParts){ p->num_outputs, p->axis, p->squeeze_axis, NULL };
}

JoinParts split_parts(const void *params) {
  const SplitParams *p = params;
  if (p->sections > 0) return (JoinParts){ p->sections, p->axis, p->squeeze_axis, NULL };
  return (JoinParts){ p->indices.count, p->axis, p->squeeze_axis, list_ints(&p->indices) };
}

/* Returns 1 for an invalid number, which inference reports. */
static int count_parts(JoinParts p) { return p.n < 1 || p.n > MOST_PARTS ? 1 : (int)p.n; }
static int channel_outputs(const Query *q) { return count_parts(channel_parts(q->params)); }
static int split_outputs(const Query *q) { return count_parts(split_parts(q->params)); }

static Status check_parts(const JoinParts *p, const char *param, const Shape *s, int axis) {
  int64_t dim = s->dim[axis];
  for (int64_t i = 0; i < p->n; i++) {
    int64_t begin = part_begin(p, i, dim), end = part_begin(p, i + 1, dim);
    if ((i == 0 && begin != 0) || begin > end || end > dim)
      return fail("%s: expected beginnings from 0 up to %lld along axis %d of shape %s, got %lld after %lld", param,
                  (long long)dim, axis, shape_text(s), (long long)(i == 0 && begin != 0 ? begin : end),
                  (long long)(i == 0 && begin != 0 ? 0 : begin));
    if (p->squeeze && end - begin != 1)
      return fail("squeeze_axis: expected parts of dimension 1 along axis %d of shape %s, got %lld", axis,
                  shape_text(s), (long long)(end - begin));
  }
  return OK;
}

/* Infers the input from the outputs: the other axes from each, the split axis from their sum. */
static void infer_whole(Infer *f, const JoinParts *p, int axis) {
  Shape *whole = &f->in[0].shape;
  int64_t sum = 0;
  for (int k = 0; k < f->n_out; k++) {
    const Shape *part = &f->out[k].shape;
    const int64_t length = p->squeeze ? 1 : part->dim[axis];
    for (int i = 0; i < whole->ndim; i++)
      if (i != axis && whole->dim[i] < 0) whole->dim[i] = part->dim[p->squeeze && i > axis ? i - 1 : i];
    sum = sum < 0 || length < 0 ? UNKNOWN : sum + length;
  }
  if (whole->dim[axis] < 0) whole->dim[axis] = sum;
}

static Status infer_parts(Infer *f, const JoinParts *p, const char *param) {
  Shape s = f->in[0].shape;
  int axis;
  TRY(one_dtype(f, 0, 1));
  if (p->n < 1 || p->n > MOST_PARTS)
    return fail("%s: expected 1 to %d parts, got %lld", param, MOST_PARTS, (long long)p->n);
  if (s.ndim < 0) return OK;
  TRY(axis_normal(f->op->name, "axis", p->axis, s.ndim, &axis));
  int64_t dim = s.dim[axis];
  if (dim >= 0) TRY(check_parts(p, param, &f->in[0].shape, axis));
  for (int i = 0; i < f->n_out; i++) {
    s = f->in[0].shape;
    s.dim[axis] = dim >= 0 ? part_length(p, i, dim) : UNKNOWN;
    if (p->squeeze) s = without_axis(&s, axis);
    TRY(output_shape(f, i, &s));
  }
  infer_whole(f, p, axis);
  return OK;
}

static Status infer_channel(Infer *f) {
  JoinParts p = channel_parts(f->params);
  const Shape *in = &f->in[0].shape;
  TRY(infer_parts(f, &p, "num_outputs"));
  if (in->ndim < 0) return OK;
  const int axis = axis_at(p.axis, in->ndim);
  if (in->dim[axis] >= 0 && in->dim[axis] % p.n != 0)
    return fail("num_outputs: expected a divisor of %lld, the dimension of axis %d of shape %s, got %lld",
                (long long)in->dim[axis], axis, shape_text(in), (long long)p.n);
  return OK;
}

static Status infer_split(Infer *f) {
  JoinParts p = split_parts(f->params);
  return infer_parts(f, &p, ((const SplitParams *)f->params)->sections > 0 ? "sections" : "indices");
}

/* Joins the parts' gradients, with zeros for parts without one. */
static Status join_grads(Gradient *d, JoinParts p) {
  const Shape *whole = &gradient_input(d, 0)->shape;
  const int n = d->node->n_out, axis = axis_at(p.axis, whole->ndim);
  Entry *grads = object_new((size_t)n * sizeof *grads);
  if (!grads) return no_memory("gradient");
  for (int i = 0; i < n; i++) {
    Shape kept = *whole;
    kept.dim[axis] = part_length(&p, i, whole->dim[axis]);
    grads[i] = reshape_to(d->b, out_grad_or_zeros(d, i), &kept);
  }
  d->in_grad[0] = n == 1 ? grads[0] : build_op_list(d->b, "Concat", &(ConcatParams){ n, axis }, n, grads);
  object_free(grads);
  return d->b->status;
}

static Status channel_grad(Gradient *d) { return join_grads(d, channel_parts(gradient_params(d))); }
static Status split_grad(Gradient *d) { return join_grads(d, split_parts(gradient_params(d))); }

/* ---- add_n --------------------------------------------------------------------------------------------------- */

typedef struct PartCountParams { int64_t num_args; } PartCountParams;

static Status infer_add_n(Infer *f) {
  TRY(one_dtype(f, 0, f->n_in));
  if (f->out[0].dtype == DT_FLOAT16 || f->out[0].dtype == DT_BOOL)
    return fail("%s: expected dtype float32, float64 or an integer, got %s; convert with astype",
                op_input_name(f->op, 0), dtype_name(f->out[0].dtype));
  Shape s = f->out[0].shape;
  TRY(inputs_of_one_shape(f, &s));
  return output_shape(f, 0, &s);
}

static Status add_n_grad(Gradient *d) {
  for (int i = 0; i < d->node->n_in; i++)
    if (d->wanted[i]) d->in_grad[i] = d->out_grad[0];
  return OK;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

#define NUM_ARGS "num_args int - Number of arrays.\n"
#define CONCAT_LINES NUM_ARGS "dim int 1 The axis to join along.\n"
#define CONCAT .inputs = "data...", .synonyms = "axis dim", .params = CONCAT_LINES, \
  .params_size = sizeof(ConcatParams), .flags = OP_VARIADIC, .grad = concat_grad

/* clang-format off */
Op join_ops[] = {
  { .name = "Concat", .aliases = "concat /_npi_concatenate", .doc = "Arrays joined along an axis; all other dimensions must be equal",
    CONCAT, .infer = infer_concat,
    .example = "F.concat(F.array{{1, 2}, {3, 4}}, F.array{{5}, {6}}, {dim = 1})\n"
               "F.concat(F.array{{1, 2}}, F.array{{3, 4}, {5, 6}}, F.array{{7, 8}}, {dim = -2})\n"
               "F.concat({F.array{1, 2}, F.array{3}}, {dim = 0})" },
  { .name = "_rnn_param_concat", .doc = "Concat under the name that graphs with fused recurrent layers use", CONCAT,
    .infer = infer_weights,
    .example = "F._rnn_param_concat(F.array{1, 2}, F.array{3}, {dim = 0})" },
  { .name = "stack", .doc = "Arrays of equal shape joined along a new axis", .inputs = "data...",
    .synonyms = "dim axis", .example = "F.stack(F.array{1, 2}, F.array{3, 4})\n"
               "F.stack(F.array{{1, 2}}, F.array{{3, 4}}, F.array{{5, 6}}, {axis = -1})",
    .params = "axis int 0 The new axis.\n" NUM_ARGS, .params_size = sizeof(StackParams), .flags = OP_VARIADIC,
    .infer = infer_stack, .grad = stack_grad },
  { .name = "SliceChannel", .aliases = "split", .doc = "Equal parts along an axis", .inputs = "data",
    .example = "F.split(F.array{{1, 2, 3, 4}, {5, 6, 7, 8}}, {num_outputs = 2})\n"
               "F.split(F.array{{1, 2, 3}, {4, 5, 6}}, {num_outputs = 3, axis = -1, squeeze_axis = true})",
    .params = "num_outputs int - Number of parts.\n"
              "axis int 1 The axis to split.\n"
              "squeeze_axis bool False Drop the axis; parts then have dimension 1.\n",
    .params_size = sizeof(ChannelParams), .n_outputs = channel_outputs,
    .flags = OP_NAMED_INPUT, .infer = infer_channel, .grad = channel_grad },
  { .name = "_split_v2", .doc = "Parts of an axis that begin at given indices, or a number of nearly equal parts",
    .inputs = "data",
    .example = "F._split_v2(F.array{{1, 2, 3, 4}, {5, 6, 7, 8}}, {indices = {0, 1, 3}})\n"
               "F._split_v2(F.array{{1, 2}, {3, 4}, {5, 6}}, {indices = {}, axis = 0, sections = 2})\n"
               "F._split_v2(F.array{{1, 2}, {3, 4}}, {indices = {0, 1}, axis = -2, squeeze_axis = true})",
    .params = "indices shape - The beginning of each part, the first at 0.\n"
              "axis int 1 The axis to split.\n"
              "squeeze_axis bool False Drop the axis; parts then have dimension 1.\n"
              "sections int 0 Number of parts; 0: split at indices.\n",
    .params_size = sizeof(SplitParams), .n_outputs = split_outputs,
    .flags = OP_NAMED_INPUT, .infer = infer_split, .grad = split_grad },
  { .name = "add_n", .aliases = "ElementWiseSum",
    .doc = "The sum of any number of arrays of equal shape, from left to right", .inputs = "args...",
    .example = "F.add_n(F.array{1, 2}, F.array{3, 4}, F.array{5, 6})\nF.add_n(F.array{1, 2})", .params = NUM_ARGS,
    .params_size = sizeof(PartCountParams), .flags = OP_VARIADIC | OP_IN_PLACE,
    .infer = infer_add_n, .grad = add_n_grad },
  { 0 }
};
/* clang-format on */
