/* ctc_loss.c - CTCLoss: the cost of labels over all alignments with a sequence (A. Graves et al., 2006).
**
** Let y[t][k] be the softmax of step t of T steps, and l the labels. A path is a series of T classes. It fits l if it
** becomes l when equal neighbours are merged and blanks are removed. The cost is -log of the sum, over all paths that
** fit, of the product of y along the path.
**
** The gradient of data is y[t][k] minus the share of paths that are in class k at step t. As in MXNet it is a hidden
** output of the same pass, computed if it may be needed. As in MXNet, too, labels that no path fits cost 0 with
** gradient 0, and a label equal to the blank is a state like any other. Steps and labels past a sequence's lengths are
** not read.
**
** The kernel is in kernels/sequence/ctc_loss_kernels.c.
*/
#include "ops/sequence/ctc_loss.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

static bool ctc_takes(const Query *q, int name) {
  const CtcParams *p = q->params;
  return name < DATA_LENGTHS || (name == DATA_LENGTHS ? p->use_data_lengths : p->use_label_lengths);
}

static int ctc_inputs(const Query *q) {
  const CtcParams *p = q->params;
  return 2 + !!p->use_data_lengths + !!p->use_label_lengths;
}

static Status infer_ctc(Infer *f) {
  Shape *data = &f->in[DATA].shape, *label = &f->in[LABEL].shape;
  TRY(one_float_dtype(f, 1, 2));
  if (data->ndim >= 0 && data->ndim != 3)
    return fail("data: expected 3 dimensions (steps, batch, classes), got shape %s", shape_text(data));
  if (label->ndim >= 0 && label->ndim != 2)
    return fail("label: expected 2 dimensions (batch, labels), got shape %s", shape_text(label));
  TRY(one_shape(f, DATA, 1));
  if (data->ndim < 0) return OK;
  if (data->dim[2] == 0 || data->dim[2] > INT32_MAX)
    return fail("data: expected at least one class, the blank, got shape %s", shape_text(data));
  TRY(input_shape(f, LABEL, &(Shape){ 2, { data->dim[1], UNKNOWN } }));
  for (int i = DATA_LENGTHS; i < f->n_in; i++) TRY(input_shape(f, i, &(Shape){ 1, { data->dim[1] } }));
  return output_shape(f, 0, &(Shape){ 1, { data->dim[1] } });
}

/* ---- Gradient ------------------------------------------------------------------------------------------------ */

static Status ctc_grad(Gradient *d) {
  const Entry g = d->out_grad[0];
  if (d->out_grad[1].node) return fail("CTCLoss: data: its gradient cannot be differentiated again");
  if (!g.node) return OK;
  const Shape column = shape_of(3, (int64_t[]){ 1, d->node->type[0].shape.dim[0], 1 });
  const Entry each = reshape_to(d->b, g, &column), whole = { d->node, 1 };
  return only_gradient(d, build_op(d->b, "broadcast_mul", NULL, 2, each, whole));
}

/* ---- Rows ----------------------------------------------------------------------------------------------------- */

/* clang-format off */
Op ctc_ops[] = {
  { .name = "CTCLoss", .aliases = "ctc_loss _contrib_CTCLoss _contrib_ctc_loss contrib.CTCLoss contrib.ctc_loss",
    .doc = "Connectionist temporal classification (A. Graves et al., 2006). For each sequence of data, (steps, batch, "
           "classes), the result is -log of the probability that its classes, drawn by the softmax of each step, "
           "become its labels, (batch, labels), when equal neighbours are merged and blanks removed. Without "
           "label_lengths, the labels of a row end at the first 0, or at the first -1 if the blank is the last class. "
           "Labels and steps past the lengths are not read. As in MXNet, labels that need more steps cost 0, and a "
           "label equal to the blank is aligned like others. The gradient of data cannot be differentiated again",
    .example = "F.CTCLoss(F.array{{{1, 2, 0.5}}, {{0, -1, 2}}, {{1, 1, 0.5}}}, "
               "F.array({{1, 2}}, {dtype = \"int32\"}))\n"
               "F.CTCLoss(F.array{{{1, 2}, {0.5, 1}}, {{0, -1}, {2, 1}}, {{1, 0}, {0.5, 3}}}, "
               "F.array({{0, 0}, {0, -1}}, {dtype = \"int32\"}), {blank_label = \"last\"})\n"
               "F.CTCLoss{data = F.array{{{1, 2}, {0.5, 1}}, {{0, -1}, {2, 1}}}, "
               "label = F.array({{1, 1}, {1, 0}}, {dtype = \"int32\"}), "
               "label_lengths = F.array({1, 1}, {dtype = \"int32\"}), use_label_lengths = true}",
    .inputs = "data label data_lengths label_lengths", .outputs = "output grad",
    .params = "use_data_lengths bool False Is there a number of steps for each sequence?\n"
              "use_label_lengths bool False Is there a number of labels for each sequence?\n"
              "blank_label {first,last} first The class of the blank: 0 or the last.\n",
    .params_size = sizeof(CtcParams), .n_inputs = ctc_inputs, .takes = ctc_takes, .n_visible = one_visible,
    .unused = hidden_unused, .differentiable = 1, .effects = op_fails_always, .infer = infer_ctc, .grad = ctc_grad },
  { 0 }
};
/* clang-format on */
