/* diag_kernels.c - diag and its gradient: one copy from or to the region that is the diagonal. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/fill_region.h"
#include "ops/shape/diag.h"

/* The diagonal of a square matrix that holds a vector of this length. */
static Region diag_of_matrix(const DiagParams *p, int64_t length) {
  int64_t side = diag_side(p, length), down = p->k < 0 ? -p->k : 0, right = p->k > 0 ? p->k : 0;
  return (Region){ .shape = { .ndim = 1, .dim = { length } },
                   .stride = { side + 1 },
                   .offset = length > 0 ? down * side + right : 0 };
}

static Status diag(Call *c) {
  const DiagParams *p = c->params;
  const Shape *in = &c->in[0]->type.shape;
  Region r;
  if (in->ndim == 1) return fill_part(c, diag_of_matrix(p, in->dim[0]));
  TRY(diagonal(c->op->name, p, in, &r));
  return fill_from(c, r);
}

static Status backward_diag(Call *c) {
  const DiagBackwardParams *p = c->params;
  const Shape *out = &c->out[0]->type.shape;
  Region r;
  if (out->ndim == 1) return fill_from(c, diag_of_matrix(&p->diag, out->dim[0]));
  TRY(diagonal(c->op->name, &p->diag, out, &r));
  return fill_part(c, r);
}

const Kernel diag_kernels[] = {
  { .op = "diag", .types = ALL_TYPES, .run = diag },
  { .op = "_backward_diag", .types = ALL_TYPES, .run = backward_diag },
  { 0 },
};
