/* correlation.c - Correlation: patches of one image compared with displaced patches of another (FlowNet).
**
** Channel (dy, dx) of the output has, at each place, the mean over a patch and all channels of the products of data1
** and data2 displaced by (dy, dx), or of their absolute differences. Both images are padded with zeros.
**
** _backward_correlation is the gradient of one operand, the `side`. _correlation_along is its reverse: the change of
** the output if that operand changes by `values`. Both are linear in their first operand; with products they are
** linear in the other image too, so the rows are closed under differentiation.
**
** The kernels are in kernels/vision/correlation_kernels.c.
*/
#include "ops/vision/correlation.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status at_least(const char *name, int64_t x, int64_t least) {
  return x >= least && x <= INT32_MAX
           ? OK
           : fail("%s: expected %lld or more, got %lld", name, (long long)least, (long long)x);
}

static Status check_params(const CorrelationParams *p) {
  TRY(at_least("kernel_size", p->kernel_size, 1));
  if (p->kernel_size % 2 == 0) return fail("kernel_size: expected an odd number, got %lld", (long long)p->kernel_size);
  TRY(at_least("max_displacement", p->max_displacement, 0));
  TRY(at_least("stride1", p->stride1, 1));
  TRY(at_least("stride2", p->stride2, 1));
  TRY(at_least("pad_size", p->pad_size, 0));
  const int64_t across = 2 * correlation_steps(p) + 1;
  return across <= INT16_MAX ? OK
                             : fail("max_displacement: expected fewer than %d displacements along an axis, got %lld",
                                    INT16_MAX, (long long)across);
}

/* Number of places along an axis of data. */
static Status count_places(const CorrelationParams *p, const char *axis, int64_t size, int64_t *out) {
  *out = UNKNOWN;
  if (size < 0) return OK;
  const int64_t border = p->max_displacement + (p->kernel_size - 1) / 2, left = size + 2 * p->pad_size - 2 * border;
  if (left < 1)
    return fail(
      "data1: expected a padded %s of more than %lld, twice max_displacement and the patch's radius, got %lld", axis,
      (long long)(2 * border), (long long)(size + 2 * p->pad_size));
  *out = (left + p->stride1 - 1) / p->stride1;
  return OK;
}

static Status output_of(const CorrelationParams *p, const Shape *data, Shape *out) {
  const int64_t across = 2 * correlation_steps(p) + 1;
  *out = (Shape){ 4, { data->ndim < 0 ? UNKNOWN : data->dim[0], across * across, UNKNOWN, UNKNOWN } };
  if (data->ndim < 0) return OK;
  TRY(count_places(p, "height", data->dim[2], &out->dim[2]));
  return count_places(p, "width", data->dim[3], &out->dim[3]);
}

/* Inputs `first` and `first` + 1 are the images. */
static Status infer_images(Infer *f, int first) {
  TRY(check_params(f->params));
  for (int i = 0; i < 2; i++) {
    TRY(check_images(i == 0 ? "data1" : "data2", &f->in[first + i].shape));
    TRY(input_shape(f, first + i, &f->in[first + 1 - i].shape));
  }
  return OK;
}

static Status infer_correlation(Infer *f) {
  Shape out;
  TRY(one_float_dtype(f, 2, f->n_out));
  TRY(infer_images(f, 0));
  TRY(infer_empty_outputs(f));
  TRY(output_of(f->params, &f->in[0].shape, &out));
  return output_shape(f, 0, &out);
}

static Status infer_backward(Infer *f) {
  TRY(one_float_dtype(f, 3, 1));
  TRY(infer_images(f, 1));
  return one_shape(f, 1, 0);
}

static Status infer_along(Infer *f) {
  Shape out;
  TRY(one_float_dtype(f, 3, 1));
  TRY(infer_images(f, 1));
  TRY(input_shape(f, 0, &f->in[1].shape));
  TRY(output_of(f->params, &f->in[1].shape, &out));
  return output_shape(f, 0, &out);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Status correlation_grad(Gradient *d) {
  CorrelationSideParams p = { .of = *(const CorrelationParams *)gradient_params(d) };
  const Entry *in = d->node->in;
  for (p.side = 0; p.side < 2; p.side++)
    if (d->wanted[p.side])
      d->in_grad[p.side] = build_op(d->b, "_backward_correlation", &p, 3, d->out_grad[0], in[0], in[1]);
  return d->b->status;
}

/* For a row with the inputs (x, data1, data2): the gradient of x is another row; that of the other image is the
** gradient of g's products with the image `in place of` this side. */
static Status grad_of_side(Gradient *d, const char *reverse, Entry g, Entry values) {
  CorrelationSideParams p = *(const CorrelationSideParams *)gradient_params(d);
  const Entry *in = d->node->in;
  if (d->wanted[0]) d->in_grad[0] = build_op(d->b, reverse, &p, 3, d->out_grad[0], in[1], in[2]);
  const int other = 2 - (int)p.side;                   /* the input that is the other image */
  if (!p.of.is_multiply || !d->wanted[other]) return d->b->status;
  p.side = 1 - p.side;
  const Entry first = other == 1 ? in[1] : values, second = other == 1 ? values : in[2];
  d->in_grad[other] = build_op(d->b, "_backward_correlation", &p, 3, g, first, second);
  return d->b->status;
}

static Status backward_grad(Gradient *d) {
  return grad_of_side(d, "_correlation_along", d->node->in[0], d->out_grad[0]);
}

static Status along_grad(Gradient *d) {
  return grad_of_side(d, "_backward_correlation", d->out_grad[0], d->node->in[0]);
}

static double correlation_flops(const Query *q) {
  const CorrelationParams *p = q->params;
  const double patch = (double)(p->kernel_size * p->kernel_size) * (double)query_in_shape(q, 0)->dim[1];
  return 2 * patch * (double)shape_size(query_out_shape(q, 0));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define PARAMS                                                                                               \
  "kernel_size int 1 The patch's height and width, an odd number.\n"                                         \
  "max_displacement int 1 The largest displacement along an axis.\n"                                         \
  "stride1 int 1 The step between places in data1.\n"                                                        \
  "stride2 int 1 The step between displacements.\n"                                                          \
  "pad_size int 0 Number of zeros added on each side of both images.\n"                                      \
  "is_multiply bool True Compare by products, not by absolute differences.\n"
#define SIDE "side int - The operand that is differentiated.\n"
#define IMAGES                                                                                               \
  "F.array{{{{1, 2, 0.5}, {3, -1, 1.5}, {0.3, 2.5, -2}}}}, "                                                 \
  "F.array{{{{0.4, -1.3, 2.2}, {1.2, 0.7, -0.6}, {2.7, 0.9, 3.4}}}}"

/* clang-format off */
Op correlation_ops[] = {
  { .name = "Correlation",
    .doc = "Compares patches of data1 with displaced patches of data2, both (batch, channel, height, width). The "
           "output has a channel for each displacement, rows of dy and in them dx: the mean of data1(y, x) data2(y + "
           "dy, x + dx) over the patch and all channels, or of the absolute difference (A. Dosovitskiy et al., 2015)",
    .example = "F.Correlation(" IMAGES ", {max_displacement = 1, pad_size = 1})\n"
               "F.Correlation(" IMAGES ", {kernel_size = 3, max_displacement = 2, stride2 = 2, pad_size = 3, "
               "stride1 = 2})\n"
               "F.Correlation(" IMAGES ", {max_displacement = 1, pad_size = 1, is_multiply = false})",
    .inputs = "data1 data2", .outputs = "output tmp1 tmp2", .params = PARAMS, .params_size = sizeof(CorrelationParams),
    .n_visible = one_visible, .unused = hidden_empty, .infer = infer_correlation, .flops = correlation_flops,
    .grad = correlation_grad },
  { .name = "_backward_correlation", .doc = "The gradient of one operand", .inputs = "g data1 data2",
    .params = PARAMS SIDE, .params_size = sizeof(CorrelationSideParams), .flags = OP_INTERNAL, .infer = infer_backward,
    .grad = backward_grad },
  { .name = "_correlation_along", .doc = "The output's change if one operand changes by values",
    .inputs = "values data1 data2", .params = PARAMS SIDE, .params_size = sizeof(CorrelationSideParams),
    .flags = OP_INTERNAL, .infer = infer_along, .grad = along_grad },
  { 0 }
};
/* clang-format on */
