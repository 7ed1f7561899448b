/* transpose_kernels.c - transpose, SwapAxis, reverse: one copy between two regions (tensor/strided_region.h), with
** permuted or negative strides.
*/
#include "kernels/kernel_registry.h"
#include "kernels/loops/fill_region.h"
#include "ops/common/shape_params.h"
#include "ops/common/shared_params.h"
#include "ops/shape/transpose.h"

typedef struct Permutation { Region from, to; } Permutation;

static Status permutation_workspace(const Query *q, AxisOrder *order_of, Workspace *w) {
  const Shape *shape = &query_in(q, 0)->shape;
  int order[MAX_DIMS];
  Permutation *p = kernel_plan(w, sizeof *p);
  if (!p) return w->status;
  TRY(order_of(q->op->name, q->params, shape->ndim, order));
  p->from = region_permuted(shape, order);
  p->to = region_of(&p->from.shape);
  return OK;
}

static Status transpose_workspace(const Query *q, Workspace *w) { return permutation_workspace(q, transpose_order, w); }
static Status swap_workspace(const Query *q, Workspace *w) { return permutation_workspace(q, swap_order, w); }

static Status permute(Call *c) {
  const Permutation *p = c->plan;
  region_copy(element_size(c), c->in[0]->data, &p->from, c->out[0]->data, &p->to);
  return interrupt_status();
}

static Status reverse(Call *c) {
  const List *axes = &((const TransposeParams *)c->params)->axes;
  Region from = region_of(&c->in[0]->type.shape);
  for (int64_t i = 0; i < axes->count; i++) {
    const int axis = axis_at(list_ints(axes)[i], from.shape.ndim);
    const int64_t dim = from.shape.dim[axis];
    region_slice(&from, axis, dim - 1, -1, dim);
  }
  return fill_from(c, from);
}

const Kernel transpose_kernels[] = {
  { .op = "transpose", .types = ALL_TYPES, .run = permute, .workspace = transpose_workspace },
  { .op = "SwapAxis", .types = ALL_TYPES, .run = permute, .workspace = swap_workspace },
  { .op = "reverse", .types = ALL_TYPES, .run = reverse },
  { 0 }
};
