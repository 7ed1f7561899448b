/* creation_kernels.c - zeros, ones, full, arange, linspace, eye, and their _like forms. */
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "ops/shape/creation.h"
#include "tensor/cast_copy.h"

/* ---- One value ---------------------------------------------------------------------------------- */

/* Writes the first element, then copies the filled part, at most PIECE bytes at a time. */
static Status fill(Tensor *t, double value) {
  const size_t bytes = tensor_bytes(t), PIECE = 1 << 22;
  const bool zero = value == 0 && !signbit(value);
  char *data = t->data;
  size_t done = 0;
  if (bytes > 0 && !zero) {
    tensor_set(t, 0, value);
    done = dtype_size(t->type.dtype);
  }
  for (size_t more; done < bytes && !interrupted(); done += more) {
    more = zero || done > PIECE ? PIECE : done;
    if (more > bytes - done) more = bytes - done;
    if (zero) memset(data + done, 0, more);
    else memcpy(data + done, data, more);
  }
  return interrupt_status();
}

static Status zeros(Call *c) { return fill(c->out[0], 0); }
static Status ones(Call *c) { return fill(c->out[0], 1); }
static Status full(Call *c) { return fill(c->out[0], ((const FullParams *)c->params)->value); }
static Status full_like(Call *c) { return fill(c->out[0], ((const FullLikeParams *)c->params)->fill_value); }

/* ---- Ranges and the unit matrix ------------------------------------------------------------------ */

static Status arange(Call *c) {
  const ArangeParams *p = c->params;
  double start, stop;
  arange_range(p, &start, &stop);
  start = dtype_cut(c->out[0]->type.dtype, start);
  const double step = dtype_cut(c->out[0]->type.dtype, p->step);
  for (int64_t i = 0, n = tensor_size(c->out[0]); i < n; i++)
    tensor_set(c->out[0], i, start + (double)(i / p->repeat) * step);
  return OK;
}

static Status linspace(Call *c) {
  const LinspaceParams *p = c->params;
  int64_t steps = p->endpoint ? p->num - 1 : p->num;
  double step = steps > 0 ? (p->stop - p->start) / (double)steps : 0;
  for (int64_t i = 0; i < p->num; i++)
    tensor_set(c->out[0], i, p->endpoint && i == p->num - 1 && i > 0 ? p->stop : p->start + (double)i * step);
  return OK;
}

static Status eye(Call *c) {
  const EyeParams *p = c->params;
  int64_t rows = c->out[0]->type.shape.dim[0], columns = c->out[0]->type.shape.dim[1];
  TRY(fill(c->out[0], 0));
  for (int64_t i = 0; i < rows; i++)
    if (i + p->k >= 0 && i + p->k < columns) tensor_set(c->out[0], i * columns + i + p->k, 1);
  return OK;
}

const Kernel creation_kernels[] = {
  { .op = "_zeros", .types = ALL_TYPES, .run = zeros },
  { .op = "_ones", .types = ALL_TYPES, .run = ones },
  { .op = "_empty", .types = ALL_TYPES, .run = zeros },
  { .op = "_full", .types = ALL_TYPES, .run = full },
  { .op = "zeros_like", .types = ALL_TYPES, .run = zeros },
  { .op = "ones_like", .types = ALL_TYPES, .run = ones },
  { .op = "full_like", .types = ALL_TYPES, .run = full_like },
  { .op = "_arange", .types = ALL_TYPES, .run = arange },
  { .op = "_linspace", .types = ALL_TYPES, .run = linspace },
  { .op = "_eye", .types = ALL_TYPES, .run = eye },
  { 0 },
};
