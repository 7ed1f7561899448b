/* pad.c - padding around the last two or three axes: Pad.
**
** Along an axis, element i of the output is element source(i) of data: the same one (constant; -1 outside data), the
** nearest one (edge), or the one mirrored at the first or last element (reflect). The gradient sums over the copies of
** each element, in the order of the output's elements. That row and Pad with zeros are each other's gradients.
** The kernels: kernels/shape/pad_kernels.c.
*/
#include "ops/shape/pad.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status check_widths(const List *width, int ndim) {
  const int64_t *w = list_ints(width);
  if (width->count != 2 * ndim)
    return fail("pad_width: expected %d numbers, before and after for each axis, got %lld", 2 * ndim,
                (long long)width->count);
  for (int i = 0; i < 2 * ndim; i++) {
    if (w[i] < 0 || w[i] > MAX_ELEMENTS)
      return fail("pad_width: expected numbers of 0 or more, got %lld", (long long)w[i]);
    if (i < 2 * PAD_LEAD && w[i] > 0)
      return fail("pad_width: expected 0 for the first two axes, got %lld", (long long)w[i]);
  }
  return OK;
}

/* Fails if data has no elements to repeat or to reflect. */
static Status check_axis(int64_t mode, const Shape *data, int axis, int64_t before, int64_t after) {
  const int64_t n = data->dim[axis], most = before > after ? before : after;
  if (mode == PAD_REFLECT && most > 0 && most >= n)
    return fail("pad_width: expected less than %lld, the dimension of axis %d, to reflect, got %lld", (long long)n,
                axis, (long long)most);
  if (mode == PAD_EDGE && most > 0 && n == 0)
    return fail("data: expected elements along axis %d to repeat, got shape %s", axis, shape_text(data));
  return OK;
}

static Status padded_shape(int64_t mode, const List *width, const Shape *data, Shape *out) {
  const int64_t *w = list_ints(width);
  if (data->ndim < PAD_LEAD + 2 || data->ndim > PAD_LEAD + PAD_MOST_AXES)
    return fail("data: expected 4 or 5 dimensions (batch, channel, height, width) or (batch, channel, depth, height, "
                "width), got %s",
                shape_text(data));
  TRY(check_widths(width, data->ndim));
  *out = *data;
  for (int i = PAD_LEAD; i < data->ndim; i++) {
    if (data->dim[i] < 0) continue;
    TRY(check_axis(mode, data, i, w[2 * i], w[2 * i + 1]));
    out->dim[i] = data->dim[i] + w[2 * i] + w[2 * i + 1];
  }
  return OK;
}

static Status infer_pad(Infer *f) {
  const PadParams *p = f->params;
  Shape out;
  TRY(one_float_dtype(f, 1, 1));
  if (f->in[0].shape.ndim < 0) return OK;
  TRY(padded_shape(p->mode, &p->pad_width, &f->in[0].shape, &out));
  TRY(output_shape(f, 0, &out));
  for (int i = 0; i < PAD_LEAD; i++) f->in[0].shape.dim[i] = f->out[0].shape.dim[i];
  return OK;
}

static Status infer_backward_pad(Infer *f) {
  const BackwardPadParams *p = f->params;
  Shape data = list_shape(&p->shape), out;
  TRY(one_float_dtype(f, 1, 1));
  TRY(padded_shape(p->mode, &p->pad_width, &data, &out));
  TRY(input_shape(f, 0, &out));
  return output_shape(f, 0, &data);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Status pad_grad(Gradient *d) {
  const PadParams *p = gradient_params(d);
  BackwardPadParams back = { p->mode, p->pad_width, list_of_shape(&gradient_input(d, 0)->shape) };
  return only_gradient(d, build_op(d->b, "_backward_pad", &back, 1, d->out_grad[0]));
}

static Status backward_pad_grad(Gradient *d) {
  const BackwardPadParams *p = gradient_params(d);
  return only_gradient(d, build_op(d->b, "Pad", &(PadParams){ p->mode, p->pad_width, 0 }, 1, d->out_grad[0]));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define PAD_PARAMS                                                                                                  \
  "mode {constant,edge,reflect} - The new elements: constant_value, the nearest element, or the elements mirrored at " \
  "the outermost one.\n"                                                                                  \
  "pad_width shape - Number of elements to add before and after, for each axis; 0 for the first two.\n"

/* clang-format off */
Op pad_ops[] = {
  { .name = "Pad", .aliases = "pad",
    .doc = "data with padding around the last two axes of (batch, channel, height, width), or the last three of "
           "(batch, channel, depth, height, width)",
    .example = "F.Pad(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, "
               "{mode = \"constant\", pad_width = {0, 0, 0, 0, 1, 0, 1, 2}, "
               "constant_value = 9})\n"
               "F.Pad(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, "
               "{mode = \"edge\", pad_width = {0, 0, 0, 0, 1, 0, 1, 2}})\n"
               "F.Pad(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, "
               "{mode = \"reflect\", pad_width = {0, 0, 0, 0, 1, 1, 2, 1}})\n"
               "F.Pad(F.array{{{{{1, 2}}, {{3, 0.5}}}}}, "
               "{mode = \"reflect\", pad_width = {0, 0, 0, 0, 1, 0, 0, 0, 1, 1}})\n"
               "F.Pad(F.array{{{{{1, 2}}, {{3, 0.5}}}}}, "
               "{mode = \"edge\", pad_width = {0, 0, 0, 0, 1, 0, 0, 1, 0, 1}})",
    .inputs = "data", .params = PAD_PARAMS "constant_value float 0 The value for constant.\n",
    .params_size = sizeof(PadParams), .flags = OP_NAMED_INPUT, .infer = infer_pad, .grad = pad_grad },
  { .name = "_backward_pad", .doc = "The gradient of data: for each element, the sum over its copies",
    .inputs = "g", .params = PAD_PARAMS "shape shape - The shape of data.\n", .params_size = sizeof(BackwardPadParams),
    .flags = OP_INTERNAL, .infer = infer_backward_pad, .grad = backward_pad_grad },
  { 0 }
};
/* clang-format on */
