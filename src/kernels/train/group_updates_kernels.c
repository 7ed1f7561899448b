/* group_updates_kernels.c - optimizer steps for groups: GroupAdaGrad, and AdamW for several weights.
**
** As in optimizer_kernels.c, a step is not interrupted.
*/
#include "ops/train/group_updates.h"

#include <math.h>

#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "kernels/kernel_registry.h"
#include "ops/train/optimizer_rows.h"
#include "tensor/cast_copy.h"

/* ---- GroupAdaGrad --------------------------------------------------------------------------------------- */

/* A work item is a row of the weight. The mean has the order of base/math/tree_sum.h. */
#define GROUP_ADAGRAD(code, T, suffix)                                                                       \
  static void group_adagrad_##suffix(void *context, int64_t first, int64_t last) {                           \
    const Call *c = context;                                                                                 \
    const GroupAdaGradParams *p = c->params;                                                                 \
    const T lr = (T)p->lr, rescale = (T)p->rescale_grad, epsilon = (T)p->epsilon;                            \
    const T most = p->clip_gradient >= 0 ? (T)p->clip_gradient : (T)HUGE_VAL;                                \
    const int64_t n = tensor_size(c->in[0]) / c->in[0]->type.shape.dim[0];                                   \
    for (int64_t row = first; row < last; row++) {                                                           \
      const T *w = (const T *)c->in[0]->data + row * n, *grad = (const T *)c->in[1]->data + row * n;         \
      T *history = (T *)c->in[2]->data + row, *out = (T *)c->out[0]->data + row * n;                         \
      double squares;                                                                                        \
      TREE_FOLD(squares, T, double, n, 0, TREE_ADD, square(bounded(rescale * grad[i], most)));               \
      *history += (T)(squares / (double)n);                                                                  \
      const T divisor = sqrt(*history + epsilon);                                                            \
      for (int64_t i = 0; i < n; i++)                                                                        \
        out[i] = w[i] - lr * bounded(rescale * grad[i], most) / divisor;                                     \
    }                                                                                                        \
  }
EACH_FLOAT(GROUP_ADAGRAD)

static Status group_adagrad(Call *c) {
  const int64_t size = tensor_size(c->in[0]);
  if (size == 0) return OK;
  const int64_t rows = c->in[0]->type.shape.dim[0];
  parallel_for(rows, (1 << 13) / (size / rows + 1) + 1, c->kernel->body, c);
  return OK;
}

/* ---- AdamW of several weights ------------------------------------------------------------------------------- */

enum { ADAMW_GROUP = 4 };

/* Each weight is a step of the row adamw_step. */
static Status multi_adamw(Call *c) {
  const MultiAdamWParams *p = c->params;
  const Op *row = op_find("adamw_step");
  const double scale = tensor_get(c->in[c->n_in - 1], 0);
  for (int k = 0; k < c->n_out; k++) {
    const AdamWStepParams step = { .lr = list_floats(&p->lrs)[k],
                                   .beta1 = p->beta1,
                                   .beta2 = p->beta2,
                                   .epsilon = p->epsilon,
                                   .wd = list_floats(&p->wds)[k],
                                   .rescale_grad = scale,
                                   .clip_gradient = p->clip_gradient,
                                   .eta = list_floats(&p->etas)[k] };
    const Tensor *const *in = c->in + k * ADAMW_GROUP;
    Call one = { .op = row,
                 .kernel = row->kernel[ON_HOST][c->out[k]->type.dtype],
                 .params = &step,
                 .in = in,
                 .out = c->out + k,
                 .n_in = ADAMW_GROUP,
                 .n_out = 1 };
    if (isfinite(scale) && scale != 0) TRY(one.kernel->run(&one));
    else if (c->out[k]->data != in[0]->data) copy_block(in[0]->data, c->out[k]->data, tensor_bytes(in[0]));
  }
  return OK;
}

const Kernel group_updates_kernels[] = {
  FLOAT_KERNELS("_contrib_group_adagrad_update", group_adagrad, group_adagrad),
  { .op = "_multi_adamw_update", .types = FLOAT_TYPES, .run = multi_adamw },
  { 0 },
};
