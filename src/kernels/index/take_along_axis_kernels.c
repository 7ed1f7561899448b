/* take_along_axis_kernels.c - take_along_axis and its gradient: rows of one element (kernels/loops/gather_rows.h). */
#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/axis_blocks.h"
#include "kernels/loops/gather_rows.h"
#include "ops/common/shared_params.h"
#include "tensor/cast_copy.h"

/* Indices into an array whose shape differs from theirs along one axis at most. */
typedef struct AlongRows { RowGather rows; const Tensor *index; Along a; int64_t dim; } AlongRows;

static void find_along(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const AlongRows *r = (const AlongRows *)rows;
  index_values(r->index, first, n, place);
  index_normal(TAKE_RAISE, r->dim, n, place);
  for (int64_t i = 0; i < n; i++) {
    int64_t outer = (first + i) / (r->a.n * r->a.inner), inner = (first + i) % r->a.inner;
    place[i] = (outer * r->dim + place[i]) * r->a.inner + inner;
  }
}

/* `whole` is the shape of the array chosen from. */
static Status along_rows(const char *who, const Tensor *index, const Shape *whole, int64_t axis, AlongRows *out) {
  Along all = lines_along(whole, axis), a = lines_along(&index->type.shape, axis);
  *out = (AlongRows){ .rows = { .n = tensor_size(index), .places = shape_size(whole), .width = 1, .find = find_along },
                      .index = index,
                      .a = a,
                      .dim = all.n };
  return index_check(who, "indices", index, 0, out->rows.n, all.n, true);
}

static Status take_along_axis(Call *c) {
  AlongRows r;
  TRY(along_rows(c->op->name, c->in[1], &c->in[0]->type.shape, ((const AxisParams *)c->params)->axis, &r));
  rows_gather(&r.rows, dtype_size(c->in[0]->type.dtype), c->in[0]->data, c->out[0]->data);
  return interrupt_status();
}

static Status put_along_axis(Call *c) {
  const AlongBackwardParams *p = c->params;
  Tensor *out = c->out[0];
  AlongRows r;
  TRY(along_rows(c->op->name, c->in[1], &out->type.shape, p->axis, &r));
  clear_block(out->data, tensor_bytes(out));
  rows_add(&r.rows, c->kernel->own, c->in[0]->data, out->data);
  return interrupt_status();
}

const Kernel take_along_axis_kernels[] = {
  { .op = "take_along_axis", .types = ALL_TYPES, .run = take_along_axis },
  ADDING_KERNELS("_backward_take_along_axis", put_along_axis),
  { 0 },
};
