/* fusible.c - see fusible.h. The answers depend only on the columns of the row and on types. */
#include "pass/fusible.h"

#include <string.h>

#include "base/math/tree_sum.h"

const Elementwise *fusible_expression(const Node *n) {
  const Elementwise *e = op_elementwise(n->op, n->params->fields);
  DType dtype = n->type[0].dtype;
  if (!e || !e->slots || !(e->types >> dtype & 1)) return NULL;
  if (op_bound_numbers(n->op) && !dtype_is_float(dtype)) return NULL;      /* its kernel rejects fractions */
  for (int i = 0; e->slots[i]; i++) {
    DType in = entry_type(n->in[i])->dtype;
    bool condition = e->condition && e->slots[i] == 'a';
    if (in != dtype && !(condition && in != DT_FLOAT16)) return NULL;
  }
  return e;
}

bool fusible_reshape(const Node *n) {
  size_t offset = 0;
  if (!n->op->view || n->n_in < 1) return false;
  const Query q = query_of_node(n);
  const Type *in = query_in(&q, 0);
  return n->op->view(&q, &offset) && offset == 0 && shape_size(&n->type[0].shape) == shape_size(&in->shape) &&
         in->dtype == n->type[0].dtype;
}

/* If there are few rows, of TREE_SHARED elements or more, the operator's own kernel lets several threads work on one
** row. A fused kernel does not. */
enum { FEW_ROWS = 4 };

bool fusible_fold(const Node *n, GroupKind *kind, int *inner) {
  const Type *in = entry_type(n->in[0]);
  bool reduced[MAX_DIMS];
  int runs = 0, first_of_last = 0;
  bool last = false;
  if (!n->op->folding || (in->dtype != DT_FLOAT32 && in->dtype != DT_FLOAT64)) return false;
  const Query q = query_of_node(n);
  const Folding *folding = n->op->folding(&q, reduced);
  if (!folding) return false;
  for (int i = 0; i < in->shape.ndim; i++) {
    if (in->shape.dim[i] == 1) continue;
    if (runs == 0 || reduced[i] != last) {
      runs++;
      first_of_last = i;
    }
    last = reduced[i];
  }
  if (runs == 0 || runs > 2 || (runs == 1 && !last)) return false;
  *kind = last ? GROUP_ROWS : GROUP_COLUMNS;
  if (folding->again && !last) return false;      /* only the operator's kernel folds columns twice */
  *inner = in->shape.ndim - first_of_last;
  int64_t row = shape_size_range(&in->shape, first_of_last, in->shape.ndim);
  return !(last && row >= TREE_SHARED && shape_size(&in->shape) / row < FEW_ROWS);
}

int fusible_operands(const Node *n) {
  const Elementwise *e = op_elementwise(n->op, n->params->fields);
  return e && e->slots ? (int)strlen(e->slots) : 1;
}

int fusible_scalars(const Node *n) {
  const Elementwise *e = op_elementwise(n->op, n->params->fields);
  return e ? e->n_scalars : 0;
}

bool fusible(const Node *n) {
  GroupKind kind;
  int inner;
  if (!n->op || n->n_out != 1 || n->n_in == 0 || node_effects(n)) return false;
  if (shape_size(&n->type[0].shape) == 0 || shape_size(&entry_type(n->in[0])->shape) == 0) return false;
  return fusible_expression(n) || fusible_reshape(n) || fusible_fold(n, &kind, &inner);
}
