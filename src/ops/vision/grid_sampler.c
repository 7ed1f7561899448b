/* grid_sampler.c - BilinearSampler, GridGenerator and SpatialTransformer: images sampled at the points of a grid.
**
** A grid contains for each output a point (x, y), from -1 to 1 over data's width and height. The output is the sum of
** the four elements around the point, weighted by w(x) w(y), in the element type; elements outside data are 0. Along an
** axis the two weights are (1 - t, t), where t is the fractional distance, and their derivative is (-1, 1). (M.
** Jaderberg et al., 2015.)
**
** The rows _sample and _sample_back have a parameter per axis, the order of the weights' derivative. _sample reads
** data; _sample_back adds g at data's positions, in the order of outputs. Each is linear in its first operand, with the
** other row as gradient. The gradient of the grid consists of samples with one more derivative of the weights, so the
** rows are closed under differentiation.
**
** An axis with one output is treated as if it had two: its coordinate is -1, where MXNet divides by 0.
**
** The kernels are in kernels/vision/grid_sampler_kernels.c.
*/
#include "ops/vision/grid_sampler.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

typedef struct SamplerParams { int64_t cudnn_off; } SamplerParams;
typedef struct TransformerParams {
  List target_shape;
  int64_t transform_type, sampler_type, cudnn_off;
} TransformerParams;

/* ---- Inference ------------------------------------------------------------------------------------------ */

/* Infers data, or g, and a grid with the same batch; g has the grid's height and width. */
static Status infer_grid(Infer *f, int64_t height, int64_t width) {
  const Shape *data = &f->in[0].shape;
  TRY(check_images(op_input_name(f->op, 0), data));
  TRY(check_images("grid", &f->in[1].shape));
  return input_shape(f, 1, &(Shape){ 4, { data->ndim < 0 ? UNKNOWN : data->dim[0], 2, height, width } });
}

static Status infer_sample(Infer *f) {
  const Shape *data = &f->in[0].shape, *grid = &f->in[1].shape;
  TRY(one_float_dtype(f, 2, f->n_out));
  TRY(infer_empty_outputs(f));
  TRY(infer_grid(f, UNKNOWN, UNKNOWN));
  if (data->ndim < 0 || grid->ndim < 0) return OK;
  return output_shape(f, 0, &(Shape){ 4, { data->dim[0], data->dim[1], grid->dim[2], grid->dim[3] } });
}

static Status infer_sample_back(Infer *f) {
  const Shape *g = &f->in[0].shape, data = list_shape(&((const SampleBackParams *)f->params)->shape);
  TRY(one_float_dtype(f, 2, 1));
  TRY(check_images("shape", &data));
  TRY(infer_grid(f, g->ndim < 0 ? UNKNOWN : g->dim[2], g->ndim < 0 ? UNKNOWN : g->dim[3]));
  return output_shape(f, 0, &data);
}

static Status check_target(const List *target) {
  const Shape s = list_shape(target);
  if (target->count == 2 && s.dim[0] >= 1 && s.dim[1] >= 1) return OK;
  return fail("target_shape: expected two numbers of 1 or more, height and width, got %s", shape_numbers(&s));
}

static Status infer_affine(Infer *f, int input, const List *target) {
  TRY(check_target(target));
  return input_shape(f, input, &(Shape){ 2, { UNKNOWN, 6 } });
}

static Status infer_generator(Infer *f) {
  const GridParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(infer_empty_outputs(f));
  if (p->transform_type == GRID_WARP) {
    TRY(check_images("data", data));
    TRY(input_shape(f, 0, &(Shape){ 4, { UNKNOWN, 2, UNKNOWN, UNKNOWN } }));
    return one_shape(f, 0, 0);
  }
  TRY(infer_affine(f, 0, &p->target_shape));
  const int64_t *size = list_ints(&p->target_shape);
  return output_shape(f, 0, &(Shape){ 4, { data->dim[0], 2, size[0], size[1] } });
}

/* The input g is a grid's gradient; the result is data's. */
static Status infer_backward_generator(Infer *f) {
  const GridParams *p = f->params;
  const Shape *g = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, 1));
  TRY(check_images("g", g));
  if (p->transform_type == GRID_WARP) return one_shape(f, 0, 0);
  return output_shape(f, 0, &(Shape){ 2, { g->ndim < 0 ? UNKNOWN : g->dim[0], 6 } });
}

static Status infer_transformer(Infer *f) {
  const TransformerParams *p = f->params;
  const int64_t *size = list_ints(&p->target_shape);
  Shape *data = &f->in[0].shape, *loc = &f->in[1].shape;
  TRY(one_float_dtype(f, 2, f->n_out));
  TRY(infer_empty_outputs(f));
  TRY(check_images("data", data));
  TRY(infer_affine(f, 1, &p->target_shape));
  if (data->ndim < 0) return OK;
  TRY(input_shape(f, 1, &(Shape){ 2, { data->dim[0], 6 } }));
  data->dim[0] = loc->dim[0];
  return output_shape(f, 0, &(Shape){ 4, { data->dim[0], data->dim[1], size[0], size[1] } });
}

static double sample_flops(const Query *q) { return 8 * (double)shape_size(&query_out(q, 0)->shape); }
static double sample_back_flops(const Query *q) { return 8 * (double)shape_size(&query_in(q, 0)->shape); }

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Entry sample(Builder *b, Entry data, Entry grid, int64_t dx, int64_t dy) {
  return build_op(b, "_sample", &(OffsetParams){ dx, dy }, 2, data, grid);
}

static Entry sample_back(Builder *b, Entry g, Entry grid, int64_t dx, int64_t dy, const Shape *data) {
  return build_op(b, "_sample_back", &(SampleBackParams){ dx, dy, list_of_shape(data) }, 2, g, grid);
}

/* The gradient of one coordinate, for the sum of g times a sample of data; 0 if its weights are derivatives already. */
static Entry along(Builder *b, Entry g, Entry data, Entry grid, int64_t dx, int64_t dy, int64_t extent, bool flat) {
  const ReduceParams channels = { .axis = { .count = 1, .u.i = { 1 } }, .keepdims = true };
  if (flat) return build_zeros_like(b, build_op(b, "slice_axis", &(SliceAxisParams){ 1, 0, 1 }, 1, grid));
  Entry each = build_op(b, "elemwise_mul", NULL, 2, g, sample(b, data, grid, dx, dy));
  return times(b, build_op(b, "sum", &channels, 1, each), (double)(extent - 1) / 2);
}

static Entry grid_gradient(Builder *b, Entry g, Entry data, Entry grid, int64_t dx, int64_t dy) {
  const Shape *s = &entry_type(data)->shape;
  if (dx > 0 && dy > 0) return NO_ENTRY;
  Entry x = along(b, g, data, grid, dx + 1, dy, s->dim[3], dx > 0);
  Entry y = along(b, g, data, grid, dx, dy + 1, s->dim[2], dy > 0);
  return build_joined(b, x, y, 1);
}

static Status grad_of_sample(Gradient *d, int64_t dx, int64_t dy) {
  const Entry data = d->node->in[0], grid = d->node->in[1], g = d->out_grad[0];
  if (d->wanted[0]) d->in_grad[0] = sample_back(d->b, g, grid, dx, dy, &entry_type(data)->shape);
  if (d->wanted[1]) d->in_grad[1] = grid_gradient(d->b, g, data, grid, dx, dy);
  return d->b->status;
}

static Status sampler_grad(Gradient *d) { return grad_of_sample(d, 0, 0); }

static Status sample_grad(Gradient *d) {
  const OffsetParams *p = gradient_params(d);
  return grad_of_sample(d, p->dx, p->dy);
}

/* h, the upstream gradient, has data's shape. */
static Status sample_back_grad(Gradient *d) {
  const SampleBackParams *p = gradient_params(d);
  const Entry g = d->node->in[0], grid = d->node->in[1], h = d->out_grad[0];
  if (d->wanted[0]) d->in_grad[0] = sample(d->b, h, grid, p->dx, p->dy);
  if (d->wanted[1]) d->in_grad[1] = grid_gradient(d->b, g, h, grid, p->dx, p->dy);
  return d->b->status;
}

static Status generator_grad(Gradient *d) { return gradient_by(d, "_backward_grid_generator"); }

static Status backward_generator_grad(Gradient *d) {
  const GridParams *p = gradient_params(d);
  const Shape *grid = &gradient_input(d, 0)->shape;
  GridParams q = { p->transform_type, { .count = 2, .u.i = { grid->dim[2], grid->dim[3] } } };
  const char *op = p->transform_type == GRID_WARP ? "_backward_grid_generator" : "GridGenerator";
  return only_gradient(d, build_op(d->b, op, &q, 1, d->out_grad[0]));
}

static Entry transformer_expand(Builder *b, Node *n) {
  const TransformerParams *p = (const TransformerParams *)n->params->fields;
  GridParams q = { GRID_AFFINE, p->target_shape };
  Entry grid = build_op(b, "GridGenerator", &q, 1, n->in[1]);
  return build_op(b, "BilinearSampler", &(SamplerParams){ NONE }, 2, n->in[0], grid);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define CUDNN "cudnn_off bool? None Accepted for MXNet's sake.\n"
#define DERIVED "dx int - The order of the weights' derivative along width.\ndy int - The same along height.\n"
#define TARGET "target_shape shape (0,0) The grid's height and width, with affine.\n"

/* clang-format off */
Op sampler_ops[] = {
  { .name = "BilinearSampler",
    .doc = "Samples data, (batch, channel, height, width), at the points of a grid, (batch, 2, height, width) of the "
           "output, by bilinear interpolation. The coordinates x and y run from -1 to 1 over data's width and height; "
           "data is 0 outside (M. Jaderberg et al., 2015)",
    .example = "F.BilinearSampler(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, F.array{{{{-0.7, 0.3}}, {{0.4, -0.2}}}})\n"
               "F.BilinearSampler(F.array{{{{1, 2}, {3, -1}}, {{0.5, 4}, {1, 2}}}}, "
               "F.array{{{{0.9, 1.4}}, {{-1.3, 0.2}}}})",
    .inputs = "data grid", .outputs = "output tmp", .params = CUDNN, .params_size = sizeof(SamplerParams),
    .n_visible = one_visible, .unused = hidden_empty, .infer = infer_sample,
    .flops = sample_flops, .grad = sampler_grad },
  { .name = "_sample", .doc = "BilinearSampler with derivatives of weights", .inputs = "data grid", .params = DERIVED,
    .params_size = sizeof(OffsetParams), .flags = OP_INTERNAL, .infer = infer_sample,
    .flops = sample_flops, .grad = sample_grad },
  { .name = "_sample_back", .doc = "Adds g at the points of a grid in data, with derivatives of the weights",
    .inputs = "g grid", .params = DERIVED "shape shape - The shape of data.\n", .params_size = sizeof(SampleBackParams),
    .flags = OP_INTERNAL, .infer = infer_sample_back, .flops = sample_back_flops,
    .grad = sample_back_grad },
  { .name = "GridGenerator",
    .doc = "A grid for BilinearSampler, (batch, 2, height, width). affine: data is (batch, 6), a transform [a b c; d e "
           "f] per image, and the point (x, y) of target_shape becomes (a x + b y + c, d x + e y + f), with "
           "coordinates from -1 to 1. warp: data is (batch, 2, height, width), the displacement of each point in "
           "elements",
    .example = "F.GridGenerator(F.array{{1, 0.5, 0, -0.2, 0.8, 0.1}}, "
               "{transform_type = \"affine\", target_shape = {2, 3}})\n"
               "F.GridGenerator(F.array{{{{0, 0.5}, {1, 0}}, {{0, 0}, {-1, 0.3}}}}, {transform_type = \"warp\"})",
    .inputs = "data", .outputs = "output grid_dst",
    .params = "transform_type {affine,warp} - The meaning of data.\n" TARGET,
    .params_size = sizeof(GridParams), .n_visible = one_visible, .unused = hidden_empty, .flags = OP_NAMED_INPUT,
    .infer = infer_generator, .grad = generator_grad },
  { .name = "_backward_grid_generator", .doc = "The gradient of data", .inputs = "g",
    .params = "transform_type {affine,warp} - The meaning of data.\n" TARGET, .params_size = sizeof(GridParams),
    .flags = OP_INTERNAL, .infer = infer_backward_generator, .grad = backward_generator_grad },
  { .name = "SpatialTransformer",
    .doc = "Samples data by BilinearSampler, with the grid that GridGenerator makes from loc, (batch, 6), with affine "
           "(M. Jaderberg et al., 2015)",
    .example = "F.SpatialTransformer(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}, {0, 4, 1}}}}, "
               "F.array{{0.7, 0.3, 0.15, -0.2, 0.6, 0.12}}, {target_shape = {2, 2}, transform_type = \"affine\", "
               "sampler_type = \"bilinear\"})",
    .inputs = "data loc", .outputs = "output grid_dst grid_src",
    .params = TARGET "transform_type {affine} - The meaning of loc.\nsampler_type {bilinear} - Interpolation.\n" CUDNN,
    .params_size = sizeof(TransformerParams), .n_visible = one_visible, .unused = hidden_empty,
    .infer = infer_transformer, .flops = sample_flops, .expand = transformer_expand },
  { 0 }
};
/* clang-format on */
