/* searchsorted.c - searching and counting: searchsorted, digitize, isin, histogram, bincount, argwhere.
**
** The kernels are in kernels/sort/searchsorted_kernels.c.
*/
#include "ops/sort/searchsorted.h"

#include <math.h>

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status infer_search(Infer *f, int ladder, int values) {
  const Shape *s = &f->in[ladder].shape;
  TRY(output_dtype(f, 0, DT_INT64));
  if (s->ndim >= 0 && s->ndim != 1)
    return fail("%s: expected 1 dimension, got %s", f->op->info->input[ladder], shape_text(s));
  return one_shape(f, values, 0);
}

static Status infer_searchsorted(Infer *f) { return infer_search(f, 0, 1); }
static Status infer_digitize(Infer *f) { return infer_search(f, 1, 0); }

static Status infer_isin(Infer *f) {
  TRY(output_dtype(f, 0, DT_BOOL));
  return one_shape(f, 0, 0);
}

static Status infer_run_starts(Infer *f) {
  if (f->in[0].dtype == DT_FLOAT16) return fail("a: expected any dtype but float16; convert with astype");
  TRY(output_dtype(f, 0, DT_BOOL));
  if (f->in[0].shape.ndim >= 0 && f->in[0].shape.ndim != 1)
    return fail("a: expected 1 dimension, got %s", shape_text(&f->in[0].shape));
  return one_shape(f, 0, 0);
}

static Status infer_argwhere(Infer *f) {
  Shape s = { .ndim = 2, .dim = { UNKNOWN, UNKNOWN } };
  TRY(output_dtype(f, 0, DT_INT64));
  if (f->in[0].shape.ndim >= 0) s.dim[1] = f->in[0].shape.ndim;
  return output_shape(f, 0, &s);
}

static int bincount_inputs(const Query *q) { return ((const BincountParams *)q->params)->weighted ? 2 : 1; }

static Status infer_bincount(Infer *f) {
  const BincountParams *p = f->params;
  const Shape *s = &f->in[0].shape;
  Shape out = { .ndim = 1, .dim = { UNKNOWN } };
  if (p->minlength < 0) return fail("minlength: expected 0 or more, got %lld", (long long)p->minlength);
  TRY(output_dtype(f, 0, f->n_in > 1 ? DT_FLOAT64 : DT_INT64));
  if (s->ndim >= 0 && s->ndim != 1) return fail("x: expected 1 dimension, got %s", shape_text(s));
  if (f->n_in > 1) TRY(input_shape(f, 1, s));
  return output_shape(f, 0, &out);
}

static int histogram_inputs(const Query *q) { return ((const HistogramParams *)q->params)->bin_cnt == NONE ? 2 : 1; }

static Status infer_histogram(Infer *f) {
  const HistogramParams *p = f->params;
  const Shape *bins = &f->in[f->n_in - 1].shape;
  DType dtype = f->in[0].dtype;
  int64_t edges = UNKNOWN;
  TRY(output_dtype(f, 0, DT_INT64));
  if (p->bin_cnt != NONE) {
    if (p->bin_cnt < 1) return fail("bin_cnt: expected 1 or more, got %lld", (long long)p->bin_cnt);
    if (p->range.count >= 0 && (p->range.count != 2 || !(list_floats(&p->range)[0] <= list_floats(&p->range)[1]) ||
                                !isfinite(list_floats(&p->range)[1] - list_floats(&p->range)[0])))
      return fail("range: expected two finite numbers, the lower first");
    edges = p->bin_cnt + 1;
    if (dtype != DT_UNKNOWN) TRY(output_dtype(f, 1, dtype == DT_FLOAT64 ? DT_FLOAT64 : DT_FLOAT32));
  } else {
    TRY(output_dtype(f, 1, f->in[1].dtype));
    if (bins->ndim >= 0 && bins->ndim != 1) return fail("bins: expected 1 dimension, got %s", shape_text(bins));
    if (bins->ndim == 1 && bins->dim[0] == 0) return fail("bins: expected edges, got none");
    if (bins->ndim == 1) edges = bins->dim[0];
  }
  Shape s = { .ndim = 1, .dim = { edges } }, counts = { .ndim = 1, .dim = { edges < 0 ? UNKNOWN : edges - 1 } };
  TRY(output_shape(f, 1, &s));
  return output_shape(f, 0, &counts);
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

/* clang-format off */
Op search_ops[] = {
  { .name = "_searchsorted",
    .doc = "The indices, as int64, at which to insert values into the ascending elements of a to keep their order: "
           "before or after equal elements. A NaN is greater than all numbers",
    .inputs = "a v", .flags = OP_NO_GRAD,
    .example = "F._searchsorted(F.array{1, 2, 2, 5}, F.array{{0, 2}, {3, 9}})\n"
               "F._searchsorted(F.array{1, 2, 2, 5}, F.array{2, 5}, \"right\")",
    .params = "side {left,right} left Before or after equal elements.\n", .params_size = sizeof(SearchParams),
    .infer = infer_searchsorted },
  { .name = "_digitize",
    .doc = "The bin of each element, as int64: bin i holds bins[i - 1] <= x < bins[i], or with right bins[i - 1] < x "
           "<= bins[i]. For descending edges the inequalities are reversed",
    .inputs = "x bins", .flags = OP_NO_GRAD,
    .example = "F._digitize(F.array{{0.2, 6.4}, {3, 1.6}}, F.array{0, 1, 2.5, 4, 10})\n"
               "F._digitize(F.array{1, 3, 2}, F.array{3, 2, 1}, {right = true})",
    .params = "right bool False Bins include their right edge, not the left one.\n",
    .params_size = sizeof(DigitizeParams), .effects = op_fails_always, .infer = infer_digitize },
  { .name = "_isin", .doc = "Whether each element is among the test elements, as bool. A NaN equals nothing",
    .inputs = "element test_elements", .flags = OP_NO_GRAD,
    .example = "F._isin(F.array{{1, 2}, {3, 4}}, F.array{2, 4, 6})\n"
               "F._isin(F.array{1, 2}, F.array{2}, {invert = true})",
    .params = "invert bool False Return whether it is not.\n", .params_size = sizeof(IsinParams),
    .infer = infer_isin },
  { .name = "_run_starts", .doc = "Whether each element differs from the one before it, as bool. A NaN equals a NaN",
    .inputs = "a", .flags = OP_NO_GRAD, .example = "F._run_starts(F.array{1, 1, 2, 1})", .typed_by = 1,
    .infer = infer_run_starts },
  { .name = "_argwhere", .doc = "The indices of the elements that are not 0, one row per element", .inputs = "a",
    .flags = OP_NO_GRAD | OP_DYNAMIC, .example = "F._argwhere(F.array{{0, 1}, {2, 0}})",
    .infer = infer_argwhere },
  { .name = "_bincount", .doc = "The number of occurrences of 0, 1, 2, ... in x, or the sums of their weights",
    .inputs = "x weights", .n_inputs = bincount_inputs, .flags = OP_NO_GRAD | OP_DYNAMIC,
    .example = "F._bincount(F.array{1, 3, 1})",
    .params = "minlength int 0 The least length of the result.\n" "weighted bool False Weights are given.\n",
    .params_size = sizeof(BincountParams), .effects = op_fails_always, .infer = infer_bincount },
  { .name = "_histogram",
    .doc = "The number of elements in each bin, and the edges of the bins. Bin i holds edge[i] <= x < edge[i + 1]; "
           "the last bin includes both of its edges",
    .inputs = "data bins", .outputs = "counts edges", .n_inputs = histogram_inputs, .flags = OP_NO_GRAD,
    .example = "F._histogram(F.array{1, 2, 1, 4}, {bin_cnt = 3, range = {0, 3}})\n"
               "F._histogram(F.array{1, 2, 1, 4}, F.array{0, 1, 2, 3})",
    .params = "bin_cnt int? None Number of bins of equal width; None: bins are the edges.\n"
              "range floats? None The outer edges of the bins; None: the least and the greatest element.\n",
    .params_size = sizeof(HistogramParams), .effects = op_fails_always, .infer = infer_histogram },
  { 0 }
};
/* clang-format on */
