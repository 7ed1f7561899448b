/* roll_tril_kernels.c - roll, tril, triu.
**
** A roll of n axes copies up to 2^n pieces (tensor/strided_region.h): along each axis, the elements before the cut and
** those after it. In each row of a triangle one part is copied and the other is zeroed.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "ops/shape/roll_tril.h"
#include "tensor/strided_region.h"

static Status roll(Call *c) {
  const RollParams *p = c->params;
  Shape s = c->in[0]->type.shape;
  int64_t shifts[MAX_DIMS], size = shape_size(&s);
  if (size == 0) return OK;
  if (rolled_in_line(p)) {
    s = shape_of(1, &size);
    shifts[0] = (list_ints(&p->shift)[0] % size + size) % size;
  } else {
    TRY(roll_shifts(c->op->name, p, &s, shifts));
  }
  for (unsigned piece = 0; piece < 1u << s.ndim && !interrupted(); piece++) {
    Region from = region_of(&s), to = region_of(&s);
    bool empty = false;
    for (int i = 0; i < s.ndim; i++) {
      bool after = piece >> i & 1;                   /* the part after the cut, which moves to the beginning */
      int64_t rest = s.dim[i] - shifts[i], count = after ? shifts[i] : rest;
      empty = empty || count == 0;
      region_slice(&from, i, after ? rest : 0, 1, count);
      region_slice(&to, i, after ? 0 : shifts[i], 1, count);
    }
    if (!empty) region_copy(dtype_size(c->in[0]->type.dtype), c->in[0]->data, &from, c->out[0]->data, &to);
  }
  return interrupt_status();
}

typedef struct Triangle {
  const char *in;
  char *out;
  size_t size;
  int64_t rows, columns, k, step;      /* step: distance between rows of the input */
  bool lower;
} Triangle;

static void triangle_piece(void *context, int64_t first, int64_t last) {
  const Triangle *t = context;
  for (int64_t row = first; row < last; row++) {
    int64_t i = row % t->rows;
    /* Columns before `cut` are on or below the diagonal k; for triu, strictly below it. */
    int64_t cut = t->k >= t->columns ? t->columns : t->k < -t->rows ? 0 : i + t->k + (t->lower ? 1 : 0);
    if (cut < 0) cut = 0;
    if (cut > t->columns) cut = t->columns;
    const char *from = t->in + (size_t)(row * t->step) * t->size;
    char *to = t->out + (size_t)(row * t->columns) * t->size;
    size_t before = (size_t)cut * t->size, after = (size_t)(t->columns - cut) * t->size;
    if (t->lower) {
      memcpy(to, from, before);
      memset(to + before, 0, after);
    } else {
      memset(to, 0, before);
      memcpy(to + before, from + before, after);
    }
  }
}

static Status triangle(Call *c) {
  const Shape *in = &c->in[0]->type.shape, *out = &c->out[0]->type.shape;
  int64_t columns = out->dim[out->ndim - 1];
  if (tensor_size(c->out[0]) == 0) return OK;
  Triangle t = { c->in[0]->data,
                 c->out[0]->data,
                 dtype_size(c->in[0]->type.dtype),
                 out->dim[out->ndim - 2],
                 columns,
                 ((const KParams *)c->params)->k,
                 in->ndim == 1 ? 0 : columns,
                 *(const bool *)c->kernel->own };
  parallel_chunks(shape_size_range(out, 0, out->ndim - 1), (1 << 15) / (columns + 1) + 1, triangle_piece, &t);
  return interrupt_status();
}

const Kernel roll_tril_kernels[] = {
  { .op = "roll", .types = ALL_TYPES, .run = roll },
  { .op = "tril", .types = ALL_TYPES, .run = triangle, .own = &(const bool){ true } },
  { .op = "triu", .types = ALL_TYPES, .run = triangle, .own = &(const bool){ false } },
  { 0 },
};
