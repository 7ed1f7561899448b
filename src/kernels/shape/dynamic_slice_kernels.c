/* dynamic_slice_kernels.c - dynamic_slice, dynamic_update_slice: one copy for each index of the axes before the sliced
** one.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "ops/common/shape_params.h"
#include "ops/shape/dynamic_slice.h"
#include "tensor/cast_copy.h"

/* data seen as (outer, places, bytes of a place); a part has n places. */
typedef struct SliceParts { int64_t outer, places, n, groups; size_t bytes; const Tensor *begin; } SliceParts;

static SliceParts parts_of(const Call *c, int64_t axis, const Tensor *part, const Tensor *begin) {
  const Shape *s = &c->in[0]->type.shape;
  const int at = axis_at(axis, s->ndim);
  return (SliceParts){ shape_size_range(s, 0, at),
                       s->dim[at],
                       part->type.shape.dim[at],
                       tensor_size(begin) == 1 ? 1 : s->dim[0],
                       (size_t)shape_size_range(s, at + 1, s->ndim) * dtype_size(c->in[0]->type.dtype),
                       begin };
}

static Status check_begin(const SliceParts *p, const char *who) {
  for (int64_t i = 0; i < tensor_size(p->begin); i++) {
    const int64_t begin = tensor_get_int(p->begin, i);
    if (begin < 0 || begin > p->places - p->n)
      return fail("%s: begin: expected 0 to %lld, got %lld", who, (long long)(p->places - p->n), (long long)begin);
  }
  return OK;
}

/* The offset of the part in data, in bytes. */
static size_t part_at(const SliceParts *p, int64_t outer) {
  const int64_t begin = tensor_get_int(p->begin, p->groups == 1 ? 0 : outer / (p->outer / p->groups));
  return (size_t)(outer * p->places + begin) * p->bytes;
}

static Status slice_at(Call *c) {
  const SliceParts p = parts_of(c, ((const SliceAtParams *)c->params)->axis, c->out[0], c->in[1]);
  const size_t bytes = (size_t)p.n * p.bytes;
  TRY(check_begin(&p, "contrib_dynamic_slice"));
  for (int64_t i = 0; i < p.outer && bytes > 0; i++)
    memcpy((char *)c->out[0]->data + (size_t)i * bytes, (const char *)c->in[0]->data + part_at(&p, i), bytes);
  return interrupt_status();
}

static Status update_at(Call *c) {
  const SliceParts p = parts_of(c, ((const UpdateAtParams *)c->params)->axis, c->in[1], c->in[2]);
  const size_t bytes = (size_t)p.n * p.bytes;
  TRY(check_begin(&p, "contrib_dynamic_update_slice"));
  if (c->out[0]->data != c->in[0]->data && tensor_bytes(c->out[0]) > 0)
    memcpy(c->out[0]->data, c->in[0]->data, tensor_bytes(c->out[0]));
  for (int64_t i = 0; i < p.outer && bytes > 0; i++)
    memcpy((char *)c->out[0]->data + part_at(&p, i), (const char *)c->in[1]->data + (size_t)i * bytes, bytes);
  return interrupt_status();
}

const Kernel dynamic_slice_kernels[] = {
  { .op = "_contrib_dynamic_slice", .types = ALL_TYPES, .run = slice_at },
  { .op = "_contrib_dynamic_update_slice", .types = ALL_TYPES, .run = update_at },
  { 0 },
};
