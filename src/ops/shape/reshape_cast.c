/* reshape_cast.c - the same elements with another shape or dtype: Reshape and related operators, Cast, identity.
**
** The order of the elements does not change, so most rows are views without a kernel. Their gradient is the output's
** gradient in the input's shape. The other kernels: kernels/shape/reshape_cast_kernels.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

static bool view_all(const Query *q, size_t *offset) {
  (void)q;
  *offset = 0;
  return true;
}

static Status reshaped_grad(Gradient *d) {
  return only_gradient(d, reshape_to(d->b, d->out_grad[0], &gradient_input(d, 0)->shape));
}

/* Computes a single unknown dimension from the number of elements. */
static void fill_open(Shape *s, const Shape *whole) {
  int64_t rest = 1, open = -1;
  if (s->ndim < 0 || !shape_known(whole)) return;
  for (int i = 0; i < s->ndim; i++) {
    if (s->dim[i] >= 0 && __builtin_mul_overflow(rest, s->dim[i], &rest)) return;
    if (s->dim[i] < 0 && open >= 0) return;
    if (s->dim[i] < 0) open = i;
  }
  if (open >= 0 && rest > 0 && shape_size(whole) % rest == 0) s->dim[open] = shape_size(whole) / rest;
}

/* The output has the elements of input 0 in shape s. */
static Status give_reshaped(Infer *f, const Shape *s) {
  const Shape *in = &f->in[0].shape;
  if (shape_known(in) && shape_known(s) && shape_size(in) != shape_size(s))
    return fail("shape: expected %lld element%s, as %s has, got %s", (long long)shape_size(in),
                shape_size(in) == 1 ? "" : "s", shape_text(in), shape_text(s));
  TRY(output_shape(f, 0, s));
  fill_open(&f->in[0].shape, &f->out[0].shape);
  return OK;
}

/* ---- Reshape: MXNet's codes ------------------------------------------------------------------- */

/* Codes and input dimensions are read in parallel from left to right (`reverse`: from the right). Each code marks the
** dimensions that it carries over. -1 is computed from the unmarked dimensions of input and output, so that empty
** arrays can be reshaped too. */
typedef struct Codes {
  const Shape *in;
  const int64_t *code;
  int n_codes;
  bool reverse, np;        /* np: the codes of npx.reshape */
  int at, used;            /* index of the next code; number of input dimensions read */
  Shape out;
  int inferred;            /* index of -1 in out; -1 if absent */
  bool carried[MAX_DIMS], given[MAX_DIMS]; /* input dimensions that are carried over; output dimensions that are not */
} Codes;

static int64_t in_dim(const Codes *c, int i) { return c->in->dim[c->reverse ? c->in->ndim - 1 - i : i]; }
static int64_t next_code(Codes *c) {
  int i = c->at++;
  return c->code[c->reverse ? c->n_codes - 1 - i : i];
}

static Status push_dim(Codes *c, int64_t dim, bool given) {
  if (c->out.ndim == MAX_DIMS) return fail("shape: expected at most %d dimensions, got more", MAX_DIMS);
  c->given[c->out.ndim] = given;
  c->out.dim[c->out.ndim++] = dim;
  return OK;
}

/* Fails if the input has fewer than n dimensions left for a code. */
static Status need_dims(const Codes *c, int n, int64_t code) {
  if (c->used + n <= c->in->ndim) return OK;
  return fail("shape: expected %d more dimension%s of data %s for the code %lld, got %d", n, n == 1 ? "" : "s",
              shape_text(c->in), (long long)code, c->in->ndim > c->used ? c->in->ndim - c->used : 0);
}

static Status carry(Codes *c) {
  c->carried[c->used] = true;
  return push_dim(c, in_dim(c, c->used++), false);
}

/* -3 merges two dimensions. */
static Status merge_two(Codes *c) {
  TRY(need_dims(c, 2, -3));
  int64_t a = in_dim(c, c->used), b = in_dim(c, c->used + 1);
  c->carried[c->used] = c->carried[c->used + 1] = true;
  c->used += 2;
  return push_dim(c, a < 0 || b < 0 ? UNKNOWN : a * b, false);
}

/* -4, a, b splits one dimension into two; one of a and b may be -1. */
static Status split_one(Codes *c) {
  if (c->at + 2 > c->n_codes)
    return fail("shape: expected two dimensions after the code -4, got %d", c->n_codes - c->at);
  TRY(need_dims(c, 1, -4));
  int64_t whole = in_dim(c, c->used), a = next_code(c), b = next_code(c);
  if (a < -1 || b < -1 || (a == -1 && b == -1))
    return fail("shape: expected two dimensions, one of them possibly -1, after the code -4, got %lld and %lld",
                (long long)a, (long long)b);
  int64_t known = a == -1 ? b : a;
  bool one_open = a == -1 || b == -1;
  if (whole >= 0 && (one_open ? known == 0 || whole % known != 0 : a * b != whole))
    return fail("shape: expected two dimensions that make %lld after the code -4, got %lld and %lld", (long long)whole,
                (long long)a, (long long)b);
  int64_t other = whole < 0 || known == 0 ? UNKNOWN : whole / known;
  c->carried[c->used++] = true;
  TRY(push_dim(c, a == -1 ? other : a, false));
  return push_dim(c, b == -1 ? other : b, false);
}

/* npx.reshape's codes by nd's: -2 the same dimension, -4 all remaining ones, -5 merges two, -6 splits one. */
static int64_t nd_code(int64_t code) { return code == -2 ? 0 : code <= -4 ? code + 2 : code; }

/* npx.reshape's -3 drops a dimension of 1. */
static Status drop_one(Codes *c) {
  TRY(need_dims(c, 1, -3));
  const int64_t dim = in_dim(c, c->used);
  if (dim >= 0 && dim != 1)
    return fail("newshape: expected a dimension of 1 for the code -3, got %lld", (long long)dim);
  c->carried[c->used++] = true;
  return OK;
}

static Status read_code(Codes *c) {
  int64_t code = next_code(c);
  if (c->np && code == -3) return drop_one(c);
  if (c->np && code == 0) {
    c->used++;
    return push_dim(c, 0, true);
  }
  if (c->np) code = nd_code(code);
  switch (code) {
    case 0: TRY(need_dims(c, 1, 0)); return carry(c);
    case -1:
      if (c->inferred >= 0) return fail("shape: expected -1 at most once, got it twice");
      c->inferred = c->out.ndim;
      c->used++;
      return push_dim(c, 1, true);
    case -2:
      while (c->used < c->in->ndim) TRY(carry(c));
      return OK;
    case -3: return merge_two(c);
    case -4: return split_one(c);
    default:
      if (code < 0) return fail("shape: expected dimensions and the codes 0 to -4, got %lld", (long long)code);
      c->used++;
      return push_dim(c, code, true);
  }
}

/* Computes -1 from the unmarked dimensions. */
static Status resolve_inferred(Codes *c) {
  int64_t rest = 1, given = 1;
  for (int i = 0; i < c->in->ndim; i++) {
    if (c->carried[i]) continue;
    if (in_dim(c, i) < 0) {
      c->out.dim[c->inferred] = UNKNOWN;
      return OK;
    }
    rest *= in_dim(c, i);
  }
  for (int i = 0; i < c->out.ndim; i++)
    if (c->given[i]) given *= c->out.dim[i];
  if (given == 0 ? rest != 0 : rest % given != 0)
    return fail("shape: expected dimensions that divide %lld elements, got %lld for all but -1", (long long)rest,
                (long long)given);
  c->out.dim[c->inferred] = given == 0 ? 0 : rest / given;
  return OK;
}

static void turn_round(Shape *s) {
  for (int i = 0, k = s->ndim - 1; i < k; i++, k--) {
    int64_t dim = s->dim[i];
    s->dim[i] = s->dim[k];
    s->dim[k] = dim;
  }
}

static Status reshape_by_codes(const Shape *in, const List *shape, bool reverse, bool np, Shape *out) {
  Codes c = {
    .in = in, .code = list_ints(shape), .n_codes = (int)shape->count, .reverse = reverse, .np = np, .inferred = -1
  };
  while (c.at < c.n_codes) TRY(read_code(&c));
  if (c.inferred >= 0) TRY(resolve_inferred(&c));
  if (reverse) turn_round(&c.out);
  *out = c.out;
  return OK;
}

/* The older parameter target_shape: 0 is inferred; keep_highest keeps the first dimension. */
static Status reshape_by_target(const Shape *in, const ReshapeParams *p, Shape *out) {
  int open = -1, n_open = 0;
  if (p->target_shape.count > MAX_DIMS)
    return fail("target_shape: expected at most %d dimensions, got %lld", MAX_DIMS, (long long)p->target_shape.count);
  *out = list_shape(&p->target_shape);
  if (p->keep_highest && in->ndim > 0) out->dim[0] = in->dim[0];
  for (int i = p->keep_highest ? 1 : 0; i < out->ndim; i++) {
    if (out->dim[i] < 0) return fail("target_shape: expected dimensions of 0 or more, got %s", shape_numbers(out));
    if (out->dim[i] == 0) {
      open = i;
      n_open++;
    }
  }
  if (n_open != 1) return OK;
  out->dim[open] = 1;
  if (!shape_known(in) || !shape_known(out)) {
    out->dim[open] = UNKNOWN;
    return OK;
  }
  int64_t others = shape_size(out);
  if (others == 0 || shape_size(in) % others != 0)
    return fail("target_shape: expected dimensions that divide %s, got %s", shape_text(in), shape_text(out));
  out->dim[open] = shape_size(in) / others;
  return OK;
}

static Status infer_reshape(Infer *f) {
  const ReshapeParams *p = f->params;
  Shape s;
  TRY(one_dtype(f, 0, 1));
  if (f->in[0].shape.ndim < 0) return OK;
  if (p->shape.count <= 0 && p->target_shape.count > 0) TRY(reshape_by_target(&f->in[0].shape, p, &s));
  else TRY(reshape_by_codes(&f->in[0].shape, &p->shape, p->reverse, false, &s));
  return give_reshaped(f, &s);
}

typedef struct NpReshapeParams { List newshape; int64_t reverse; } NpReshapeParams;

static Status infer_np_reshape(Infer *f) {
  const NpReshapeParams *p = f->params;
  Shape s;
  TRY(one_dtype(f, 0, 1));
  if (f->in[0].shape.ndim < 0) return OK;
  TRY(reshape_by_codes(&f->in[0].shape, &p->newshape, p->reverse, true, &s));
  return give_reshaped(f, &s);
}

static Status infer_reshape_exact(Infer *f) {
  Shape s = list_shape(&((const ShapeParams *)f->params)->shape);
  TRY(one_dtype(f, 0, 1));
  return give_reshaped(f, &s);
}

/* In Reshape, 0 keeps a dimension, and no dimensions keep the shape. */
static Entry reshape_exact_portable(Builder *b, const Node *n) {
  const List *shape = &((const ShapeParams *)n->params->fields)->shape;
  for (int i = 0; i < shape->count; i++)
    if (list_ints(shape)[i] < 1) return NO_ENTRY;
  if (shape->count < 1) return NO_ENTRY;
  return build_op_list(b, "Reshape", &(ReshapeParams){ .shape = *shape }, 1, n->in);
}

/* ---- Other rows that only change the shape -------------------------------------------------------- */

static Status infer_flatten(Infer *f) {
  const Shape *in = &f->in[0].shape;
  Shape s = { .ndim = 2, .dim = { 1, 1 } };
  TRY(one_dtype(f, 0, 1));
  if (in->ndim < 0) return OK;
  if (in->ndim > 0) s.dim[0] = in->dim[0];
  for (int i = 1; i < in->ndim; i++) s.dim[1] = s.dim[1] < 0 || in->dim[i] < 0 ? UNKNOWN : s.dim[1] * in->dim[i];
  return output_shape(f, 0, &s);
}

static Status infer_expand_dims(Infer *f) {
  const Shape *in = &f->in[0].shape, *out = &f->out[0].shape;
  int axis, ndim = in->ndim >= 0 ? in->ndim : out->ndim - 1;
  TRY(one_dtype(f, 0, 1));
  if (ndim < 0) return OK;
  if (ndim == MAX_DIMS) return fail("data: expected at most %d dimensions, got %s", MAX_DIMS - 1, shape_text(in));
  TRY(new_axis(((const AxisParams *)f->params)->axis, ndim, &axis));
  Shape wide = { .ndim = ndim + 1 }, narrow = { .ndim = ndim };
  for (int i = 0; i <= ndim; i++) wide.dim[i] = i == axis ? 1 : in->ndim < 0 ? UNKNOWN : in->dim[i - (i > axis)];
  TRY(output_shape(f, 0, &wide));
  for (int i = 0; i < ndim; i++) narrow.dim[i] = f->out[0].shape.dim[i + (i >= axis)];
  return input_shape(f, 0, &narrow);
}

/* Removes all axes of dimension 1, or the given ones; an array of one element keeps one axis. */
static Status infer_squeeze(Infer *f) {
  const List *axes = &((const SqueezeParams *)f->params)->axes;
  const Shape *in = &f->in[0].shape;
  bool named[MAX_DIMS];
  Shape s = { 0 };
  TRY(one_dtype(f, 0, 1));
  if (in->ndim < 0) return OK;
  TRY(mark_axes(f->op->name, "axis", axes, in->ndim, named));
  for (int i = 0; i < in->ndim; i++) {
    if (named[i] && (in->dim[i] > 1 || in->dim[i] == 0))
      return fail("axis: expected axes of dimension 1, got axis %d of shape %s", i, shape_text(in));
    if (axes->count < 0 && in->dim[i] < 0) return OK; /* it may turn out to be 1 */
    if (axes->count < 0 ? in->dim[i] != 1 : !named[i]) s.dim[s.ndim++] = in->dim[i];
  }
  if (in->ndim > 0) s = number_shape(s, ((const SqueezeParams *)f->params)->np);
  return output_shape(f, 0, &s);
}

typedef struct ReshapeLikeParams { int64_t lhs_begin, lhs_end, rhs_begin, rhs_end;
  const char *check;
} ReshapeLikeParams;

/* Converts a range of axes to [*begin, *end); NONE leaves its end of the range open. */
static Status axis_range(const char *side, int64_t given_begin, int64_t given_end, int ndim, int *begin, int *end) {
  int64_t b = given_begin == NONE ? 0 : given_begin < 0 ? given_begin + ndim : given_begin;
  int64_t e = given_end == NONE ? ndim : given_end < 0 ? given_end + ndim : given_end;
  bool whole = given_begin == NONE && given_end == NONE;
  if (!whole && (b < 0 || b >= e || e > ndim))
    return fail("%s_begin: expected a range of axes within 0 to %d, got %lld to %lld", side, ndim, (long long)b,
                (long long)e);
  *begin = (int)b;
  *end = (int)e;
  return OK;
}

static Status infer_reshape_like(Infer *f) {
  const ReshapeLikeParams *p = f->params;
  const Shape *l = &f->in[0].shape, *r = &f->in[1].shape;
  int l_begin = 0, l_end = 0, r_begin = 0, r_end = 0;
  Shape s = { 0 };
  TRY(one_dtype(f, 0, 1));
  if (l->ndim < 0 || r->ndim < 0) return OK;
  TRY(axis_range("lhs", p->lhs_begin, p->lhs_end, l->ndim, &l_begin, &l_end));
  TRY(axis_range("rhs", p->rhs_begin, p->rhs_end, r->ndim, &r_begin, &r_end));
  if (l->ndim - (l_end - l_begin) + r_end - r_begin > MAX_DIMS)
    return fail("rhs: expected at most %d dimensions in all, got more", MAX_DIMS);
  for (int i = 0; i < l_begin; i++) s.dim[s.ndim++] = l->dim[i];
  for (int i = r_begin; i < r_end; i++) s.dim[s.ndim++] = r->dim[i];
  for (int i = l_end; i < l->ndim; i++) s.dim[s.ndim++] = l->dim[i];
  if (p->check && shape_known(l) && shape_known(&s) && shape_size(l) != shape_size(&s))
    return fail("%s: expected %lld element%s, as predictions of shape %s have, got shape %s", p->check,
                (long long)shape_size(&s), shape_size(&s) == 1 ? "" : "s", shape_text(r), shape_text(l));
  return give_reshaped(f, &s);
}

/* ---- The shape as an array --------------------------------------------------------------------------- */

static Status infer_shape_array(Infer *f) {
  TRY(output_dtype(f, 0, DT_INT64));
  if (f->in[0].shape.ndim < 0) return OK;
  return output_shape(f, 0, &(Shape){ .ndim = 1, .dim = { f->in[0].shape.ndim } });
}

static Status infer_size_array(Infer *f) {
  TRY(output_dtype(f, 0, DT_INT64));
  return output_shape(f, 0, &(Shape){ .ndim = 1, .dim = { 1 } });
}

/* ---- Copies and casts ------------------------------------------------------------------------------------ */

static bool always_same(const Query *q) {
  (void)q;
  return true;
}

static Status copy_grad(Gradient *d) { return only_gradient(d, d->out_grad[0]); }

/* Copies the gradient back to the input's device. */
static Status copyto_grad(Gradient *d) {
  Entry from = d->node->in[0];
  Device device = from.node->value ? tensor_device(&from.node->value[from.index]) : from.node->device;
  return only_gradient(d, build_copy_to(d->b, d->out_grad[0], device));
}

static Status infer_cast_to(Infer *f, DType dtype) {
  TRY(output_dtype(f, 0, dtype));
  TRY(output_shape(f, 0, &f->in[0].shape));
  return input_shape(f, 0, &f->out[0].shape);
}

static Status infer_cast(Infer *f) { return infer_cast_to(f, (DType)((const DTypeParams *)f->params)->dtype); }

/* Casts float32 and float16 only. */
static Status infer_amp_cast(Infer *f) {
  DType in = f->in[0].dtype, to = (DType)((const DTypeParams *)f->params)->dtype;
  return infer_cast_to(f, in == DT_FLOAT32 || in == DT_FLOAT16 ? to : in);
}

/* As in NumPy: floats stay, integers and bools become float64. */
static Status infer_as_float(Infer *f) {
  DType in = f->in[0].dtype;
  return infer_cast_to(f, in == DT_UNKNOWN || dtype_is_float(in) ? in : DT_FLOAT64);
}

/* No gradient passes through integers and bools. */
static Status cast_grad(Gradient *d) {
  DType from = gradient_input(d, 0)->dtype, to = d->node->type[0].dtype;
  if (!dtype_is_float(from) || !dtype_is_float(to)) return OK;
  if (from == to) return copy_grad(d);
  return only_gradient(d, build_op(d->b, "Cast", &(DTypeParams){ from }, 1, d->out_grad[0]));
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

#define RESHAPED .view = view_all, .grad = reshaped_grad

/* clang-format off */
Op shape_ops[] = {
  { .name = "Reshape", .aliases = "reshape", .inputs = "data",
    .doc = "The elements in another shape. Codes: 0 keeps a dimension, -1 is inferred, -2 keeps all remaining ones, -3 "
           "merges two, -4 splits one into the next two numbers",
    .example = "F.reshape(F.array{{1, 2, 3}, {4, 5, 6}}, {shape = {3, 2}})\n"
               "F.reshape(F.array{{1, 2, 3}, {4, 5, 6}}, {-1})\n"
               "F.reshape(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, {0, -3})\n"
               "F.reshape(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, {shape = {-1, 0}, reverse = true})\n"
               "F.reshape(F.array{{1, 2, 3, 4}, {5, 6, 7, 8}}, {shape = {-4, 1, 2, -4, 2, -1, 1}})",
    .params = "shape shape () The new dimensions, and codes.\n"
              "reverse bool False Read the codes from the last dimension to the first.\n"
              "target_shape shape () The older form of shape: 0 is inferred.\n"
              "keep_highest bool False With target_shape: keep the first dimension.\n",
    .synonyms = "newshape shape", .params_size = sizeof(ReshapeParams), .infer = infer_reshape, RESHAPED },
  { .name = "_npx_reshape", .inputs = "a",
    .doc = "The elements in another shape, as npx.reshape. Codes: -1 is inferred, -2 keeps a dimension, -3 drops one of "
           "1, -4 keeps all remaining ones, -5 merges two, -6 splits one into the next two numbers",
    .example = "F._npx_reshape(F.array{{{1, 2, 3}, {4, 5, 6}}}, {newshape = {-3, -5}})",
    .params = "newshape shape - The new dimensions, and codes.\n"
              "reverse bool False Read the codes from the last dimension to the first.\n",
    .params_size = sizeof(NpReshapeParams), .infer = infer_np_reshape, RESHAPED },
  { .name = "_reshape_exact", .doc = "The elements in exactly this shape, in which 0 is 0", .inputs = "data",
    .flags = OP_INTERNAL, .params = "shape shape - The new dimensions.\n", .params_size = sizeof(ShapeParams),
    .infer = infer_reshape_exact, .portable = reshape_exact_portable, RESHAPED },
  { .name = "Flatten", .aliases = "flatten", .doc = "data with all axes except the first merged into one",
    .inputs = "data", .example = "F.flatten(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})", .flags = OP_SAME_MEMORY,
    .infer = infer_flatten, RESHAPED },
  { .name = "expand_dims", .doc = "data with a new axis of dimension 1", .inputs = "data",
    .example = "F.expand_dims(F.array{1, 2}, {axis = 0})\nF.expand_dims(F.array{{1, 2}, {3, 4}}, {axis = -1})",
    .params = "axis int - The position of the new axis, from -ndim - 1 to ndim.\n", .params_size = sizeof(AxisParams),
    .flags = OP_SAME_MEMORY, .infer = infer_expand_dims, RESHAPED },
  { .name = "squeeze", .aliases = "/_np_squeeze", .doc = "data without axes of dimension 1; an array of one element keeps shape (1,)",
    .inputs = "data",
    .example = "F.squeeze(F.array{{{1}, {2}}})\nF.squeeze(F.array{{{1}, {2}}}, {axis = {-1}})\nF.squeeze(F.array{{5}})",
    .params = "axis shape? None The axes to drop; None: all of dimension 1.\n" NP_SHAPES,
    .params_size = sizeof(SqueezeParams),
    .flags = OP_SAME_MEMORY | OP_NAMED_INPUT, .infer = infer_squeeze, RESHAPED },
  { .name = "reshape_like", .doc = "lhs in the shape of rhs, or with some of its axes replaced by axes of rhs",
    .inputs = "lhs rhs",
    .example = "F.reshape_like(F.array{1, 2, 3, 4}, F.array{{0, 0}, {0, 0}})\n"
               "F.reshape_like(F.array{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, F.zeros{2, 2, 5}, "
               "{lhs_end = 1, rhs_begin = 0, rhs_end = -1})",
    .params = "lhs_begin int? None The first axis of lhs to replace.\n"
              "lhs_end int? None The axis after the last.\n"
              "rhs_begin int? None The first axis of rhs to use instead.\n"
              "rhs_end int? None The axis after the last.\n"
              "_check string? None The beginning of the error about different sizes.\n",
    .params_size = sizeof(ReshapeLikeParams), .differentiable = 1, .infer = infer_reshape_like, RESHAPED },
  { .name = "shape_array", .doc = "The shape as an array of int64", .inputs = "data",
    .example = "F.shape_array(F.array{{1, 2, 3}, {4, 5, 6}})", .flags = OP_NO_GRAD | OP_BY_TYPES,
    .infer = infer_shape_array },
  { .name = "size_array", .doc = "The number of elements as an array with one int64", .inputs = "data",
    .example = "F.size_array(F.array{{1, 2, 3}, {4, 5, 6}})", .flags = OP_NO_GRAD | OP_BY_TYPES,
    .infer = infer_size_array },
  { .name = "_copy", .aliases = "identity", .doc = "The input", .inputs = "data",
    .example = "F.identity(F.array{1, 2})", .flags = OP_IN_PLACE, .role = ROLE_COPY,
    .infer = infer_same_type, .grad = copy_grad },
  { .name = "_copyto", .doc = "The input in another context", .inputs = "data", .flags = OP_INTERNAL | OP_CROSSES,
    .role = ROLE_COPY_TO, .infer = infer_same_type, .grad = copyto_grad },
  { .name = "BlockGrad", .aliases = "stop_gradient",
    .doc = "The input, in the same memory; no gradient flows back through it", .inputs = "data",
    .example = "F.stop_gradient(F.array{1, 2})", .flags = OP_NO_GRAD, .infer = infer_same_type, .view = view_all },
  { .name = "Cast", .aliases = "cast astype", .role = ROLE_CAST,
    .doc = "The elements in another dtype. Floats are truncated towards 0 to become integers. NaN, and numbers "
           "outside int64 (for int64) or int32 (for the others), become the least number of that dtype; int8 and "
           "uint8 take the lower bits. As a bool, NaN is true. The gradient passes only between float dtypes",
    .inputs = "data",
    .example = "F.cast(F.array{1.5, -2.5}, {dtype = \"int32\"})\nF.cast(F.array{1.5, -2.5}, {dtype = \"float64\"})",
    .params = "dtype dtype - The new element type.\n", .params_size = sizeof(DTypeParams),
    .infer = infer_cast, .same = always_same, .grad = cast_grad },
  { .name = "amp_cast", .doc = "float32 and float16 elements in another dtype; other dtypes are unchanged",
    .inputs = "data", .example = "F.amp_cast(F.array{1.5, -2.5}, {dtype = \"float16\"})",
    .params = "dtype dtype - The new element type.\n", .params_size = sizeof(DTypeParams),
    .infer = infer_amp_cast, .same = always_same, .grad = cast_grad },
  { .name = "_as_float", .doc = "Integers and bools as float64; floats are unchanged", .inputs = "data",
    .example = "F._as_float(F.array{1, 2})",
    .infer = infer_as_float, .same = always_same, .grad = cast_grad },
  { 0 }
};
/* clang-format on */
