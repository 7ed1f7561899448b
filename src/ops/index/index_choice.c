/* index_choice.c - see index_choice.h. */
#include "ops/index/index_choice.h"

#include <string.h>

/* ---- Types ---------------------------------------------------------------------------------------- */

int index_inputs(const Query *q) { return 1 + key_arrays(key_of(q->params)); }

static Status no_common_shape(const Shape *const *shape, int n) {
  fail("index: expected arrays of shapes that broadcast together, got %s", shape_text(shape[0]));
  for (int i = 1; i < n; i++) fail_append(E_INPUT, " and %s", shape_text(shape[i]));
  return E_INPUT;
}

Status arrays_shape(const Shape *const *shape, int n, Shape *out) {
  *out = n > 0 ? *shape[0] : (Shape){ 0 };
  for (int i = 1; i < n; i++)
    if (!shape_broadcast(out, shape[i], out)) return no_common_shape(shape, n);
  return OK;
}

Status select_types(const Key *key, const Shape *x, const Type *arrays, int n, Selection *out) {
  const Shape *shape[MAX_DIMS];
  Shape chosen;
  if (names_rows(key) && n == 1 && select_rows(x, &arrays[0].shape, &out->region.shape)) return OK;
  if (n > MAX_DIMS) return fail("index: expected at most %d arrays, got %d", MAX_DIMS, n);
  for (int i = 0; i < n; i++) shape[i] = &arrays[i].shape;
  TRY(arrays_shape(shape, n, &chosen));
  return key_select(key, x, &chosen, out);
}

/* ---- Gradients --------------------------------------------------------------------------------------- */

Entry build_with_arrays(Gradient *d, const char *op, const void *params, Entry g, int first) {
  Entry in[1 + MAX_DIMS] = { g };
  int n = d->node->n_in - first;
  memcpy(in + 1, d->node->in + first, (size_t)n * sizeof *in);
  return build_op_list(d->b, op, params, 1 + n, in);
}
