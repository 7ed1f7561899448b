/* op_query.h - what a row is asked about: one call of an operator, as far as it is known.
**
** Every question of a row (how many outputs, how much workspace, what it writes) takes one
** Query. It points at the operands wherever they are, in a node, in tensors or in a list of
** types, and copies nothing, so making one cannot fail, whatever the number of inputs.
** Invariant: query_in and query_out are valid as long as what the query was made of.
*/
#ifndef HL_IR_OP_QUERY_H
#define HL_IR_OP_QUERY_H

#include "ir/node.h"
#include "ir/params.h"

typedef struct Query {
  const Op *op;
  const void *params;              /* the row's parameter struct */
  int n_in, n_out;                 /* both 0 where the parameters alone are known */
  bool train;                      /* training mode */
  bool no_gradient;                /* it is known that no gradient will read what the call computes */
  /* The inputs: one of these, */
  const Entry *entry;
  const Tensor *const *in;
  const Type *in_type;
  /* and the outputs: one of these. Read them with query_in and query_out. */
  Tensor *const *out;
  const Type *out_type;
} Query;

/* The type of input or output i. */
static inline const Type *query_in(const Query *q, int i) {
  return q->in_type ? &q->in_type[i] : q->in ? &q->in[i]->type : entry_type(q->entry[i]);
}

static inline const Type *query_out(const Query *q, int i) { return q->out_type ? &q->out_type[i] : &q->out[i]->type; }

/* Of parameters alone: for what depends on nothing else. */
static inline Query query_of_params(const Op *op, const void *params) { return (Query){ .op = op, .params = params }; }

/* Before there are operands: their number is known, no type is. */
static inline Query query_of_inputs(const Op *op, const void *params, int n_in) {
  return (Query){ .op = op, .params = params, .n_in = n_in };
}

/* Of a node of a graph. */
static inline Query query_of_node(const Node *n) {
  return (Query){ .op = n->op,
                  .params = n->params->fields,
                  .n_in = n->n_in,
                  .n_out = n->n_out,
                  .train = n->train,
                  .entry = n->in,
                  .out_type = n->type };
}

/* ---- Lists of types -------------------------------------------------------------------------------- */

/* Types that inference may fill in, a few without allocation. */
enum { FEW_TYPES = 32 };
typedef struct TypeList { Type few[FEW_TYPES], *at; } TypeList;

/* Space for n types, to be freed with types_free. */
Status types_new(TypeList *list, int n);
void types_free(TypeList *list);

#endif
