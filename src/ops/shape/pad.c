/* pad.c - padding around the last two or three axes: Pad.
**
** Along an axis, element i of the output is element source(i) of data: the same one (constant; -1 outside data), the
** nearest one (edge), or the one mirrored at the first or last element (reflect). The gradient sums over the copies of
** each element, in the order of the output's elements. That row and Pad with zeros are each other's gradients.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

typedef struct PadParams { int64_t mode; List pad_width; double constant_value; } PadParams;

/* The parameters of the gradient's row; `shape` is data's. */
typedef struct BackwardPadParams { int64_t mode; List pad_width, shape; } BackwardPadParams;

enum { PAD_CONSTANT, PAD_EDGE, PAD_REFLECT };
enum { LEAD = 2, MOST_AXES = 3 };              /* number of leading axes that are never padded; most axes that are */

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status check_widths(const List *width, int ndim) {
  const int64_t *w = list_ints(width);
  if (width->count != 2 * ndim)
    return fail("pad_width: expected %d numbers, before and after for each axis, got %lld", 2 * ndim,
                (long long)width->count);
  for (int i = 0; i < 2 * ndim; i++) {
    if (w[i] < 0 || w[i] > MAX_ELEMENTS)
      return fail("pad_width: expected numbers of 0 or more, got %lld", (long long)w[i]);
    if (i < 2 * LEAD && w[i] > 0)
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
  if (data->ndim < LEAD + 2 || data->ndim > LEAD + MOST_AXES)
    return fail("data: expected 4 or 5 dimensions (batch, channel, height, width) or (batch, channel, depth, height, "
                "width), got %s",
                shape_text(data));
  TRY(check_widths(width, data->ndim));
  *out = *data;
  for (int i = LEAD; i < data->ndim; i++) {
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
  for (int i = 0; i < LEAD; i++) f->in[0].shape.dim[i] = f->out[0].shape.dim[i];
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

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

/* One call; data is seen as (planes, depth, height, width). */
typedef struct PadRun {
  int64_t mode, planes, in[MOST_AXES], out[MOST_AXES], before[MOST_AXES];
  double constant;
  const void *from;
  void *to;
} PadRun;

static PadRun run_of(int64_t mode, const List *width, const Shape *data) {
  const int64_t *w = list_ints(width);
  const int axes = data->ndim - LEAD;
  PadRun r = { .mode = mode, .planes = data->dim[0] * data->dim[1], .in = { 1, 1, 1 }, .out = { 1, 1, 1 } };
  for (int i = 0; i < axes; i++) {
    const int at = MOST_AXES - axes + i, axis = LEAD + i;
    r.in[at] = data->dim[axis];
    r.before[at] = w[2 * axis];
    r.out[at] = data->dim[axis] + w[2 * axis] + w[2 * axis + 1];
  }
  return r;
}

static int64_t source(const PadRun *r, int axis, int64_t i) {
  const int64_t at = i - r->before[axis], n = r->in[axis];
  if (at >= 0 && at < n) return at;
  if (r->mode == PAD_CONSTANT) return -1;
  if (r->mode == PAD_EDGE) return at < 0 ? 0 : n - 1;
  return at < 0 ? -at : 2 * (n - 1) - at;
}

/* The row of data's plane that is copied to this row of the output's plane; -1 if none is. */
static int64_t source_row(const PadRun *r, int64_t row) {
  const int64_t depth = source(r, 0, row / r->out[1]), height = source(r, 1, row % r->out[1]);
  return depth < 0 || height < 0 ? -1 : depth * r->in[1] + height;
}

#define PAD(code, T, suffix)                                                                                  \
  static void fill_##suffix(T *to, int64_t n, T value) { for (int64_t i = 0; i < n; i++) to[i] = value; }     \
  static void pad_##suffix(void *context, int64_t first, int64_t last) {                                      \
    const PadRun *r = context;                                                                                \
    const int64_t rows = r->out[0] * r->out[1], n = r->in[2], left = r->before[2], width = r->out[2];         \
    const T constant = (T)r->constant;                                                                        \
    for (int64_t i = first; i < last && !interrupted(); i++) {                                                \
      const int64_t row = source_row(r, i % rows);                                                            \
      const T *from = (const T *)r->from + (i / rows * r->in[0] * r->in[1] + row) * n;                        \
      T *to = (T *)r->to + i * width;                                                                         \
      if (row < 0) { fill_##suffix(to, width, constant); continue; }                                          \
      memcpy(to + left, from, (size_t)n * sizeof(T));                                                         \
      if (r->mode == PAD_CONSTANT) {                                                                          \
        fill_##suffix(to, left, constant);                                                                    \
        fill_##suffix(to + left + n, width - left - n, constant);                                             \
        continue;                                                                                             \
      }                                                                                                       \
      for (int64_t k = 0; k < left; k++) to[k] = from[source(r, 2, k)];                                       \
      for (int64_t k = left + n; k < width; k++) to[k] = from[source(r, 2, k)];                               \
    }                                                                                                         \
  }                                                                                                           \
  static void backward_pad_##suffix(void *context, int64_t first, int64_t last) {                             \
    const PadRun *r = context;                                                                                \
    const int64_t rows = r->out[0] * r->out[1], n = r->in[2], left = r->before[2], width = r->out[2];         \
    for (int64_t i = first; i < last && !interrupted(); i++) {                                                \
      T *plane = (T *)r->to + i * r->in[0] * r->in[1] * n;                                                    \
      for (int64_t k = 0; k < rows; k++) {                                                                    \
        const int64_t row = source_row(r, k);                                                                 \
        const T *g = (const T *)r->from + (i * rows + k) * width;                                             \
        T *to = plane + row * n;                                                                              \
        if (row < 0) continue;                                                                                \
        if (r->mode != PAD_CONSTANT) for (int64_t m = 0; m < left; m++) to[source(r, 2, m)] += g[m];          \
        for (int64_t m = 0; m < n; m++) to[m] += g[left + m];                                                 \
        if (r->mode == PAD_CONSTANT) continue;                                                                \
        for (int64_t m = left + n; m < width; m++) to[source(r, 2, m)] += g[m];                               \
      }                                                                                                       \
    }                                                                                                         \
  }
EACH_FLOAT(PAD)

static Status pad_forward(Call *c) {
  const PadParams *p = c->params;
  PadRun r = run_of(p->mode, &p->pad_width, &c->in[0]->type.shape);
  r.constant = p->constant_value;
  r.from = c->in[0]->data;
  r.to = c->out[0]->data;
  return run_parallel(r.planes * r.out[0] * r.out[1], (1 << 13) / (r.out[2] + 1) + 1, BY_DTYPE(c, pad), &r);
}

static Status backward_pad_forward(Call *c) {
  const BackwardPadParams *p = c->params;
  PadRun r = run_of(p->mode, &p->pad_width, &c->out[0]->type.shape);
  r.from = c->in[0]->data;
  r.to = c->out[0]->data;
  clear_block(r.to, tensor_bytes(c->out[0]));
  return run_parallel(r.planes, (1 << 13) / (r.out[0] * r.out[1] * r.out[2] + 1) + 1, BY_DTYPE(c, backward_pad), &r);
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
    .params_size = sizeof(PadParams), .flags = OP_NAMED_INPUT, .infer = infer_pad, .forward = pad_forward,
    .grad = pad_grad },
  { .name = "_backward_pad", .doc = "The gradient of data: for each element, the sum over its copies",
    .inputs = "g", .params = PAD_PARAMS "shape shape - The shape of data.\n", .params_size = sizeof(BackwardPadParams),
    .flags = OP_INTERNAL, .infer = infer_backward_pad, .forward = backward_pad_forward, .grad = backward_pad_grad },
  { 0 }
};
/* clang-format on */
