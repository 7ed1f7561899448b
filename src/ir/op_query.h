/* op_query.h - queries: one call of an operator, as far as it is known, for the columns of a row to answer.
**
** Every column that is a function (number of outputs, workspace, writes) takes one Query. A query points at the
** operands in a node, in tensors or in a list of types, and copies nothing, so making one cannot fail.
**
** Invariant: query_in and query_out are valid while the source of the query exists.
*/
#ifndef HL_IR_OP_QUERY_H
#define HL_IR_OP_QUERY_H

#include "ir/node.h"
#include "ir/params.h"

typedef struct Query {
  const Op *op;
  const void *params;              /* the row's parameter struct */
  int n_in, n_out;                 /* both 0 if only the parameters are known */
  bool train;                      /* training mode */
  bool no_gradient;                /* no gradient will read the results */
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

static inline const Shape *query_in_shape(const Query *q, int i) { return &query_in(q, i)->shape; }
static inline const Shape *query_out_shape(const Query *q, int i) { return &query_out(q, i)->shape; }

/* For columns that depend on parameters alone. */
static inline Query query_of_params(const Op *op, const void *params) { return (Query){ .op = op, .params = params }; }

/* The number of inputs is known, but no types. */
static inline Query query_of_inputs(const Op *op, const void *params, int n_in) {
  return (Query){ .op = op, .params = params, .n_in = n_in };
}

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

/* Types for inference to fill in, a few of them without allocation. */
enum { FEW_TYPES = 32 };
typedef struct TypeList { Type few[FEW_TYPES], *at; } TypeList;

/* Allocates n types; types_free frees them. */
Status types_new(TypeList *list, int n);
void types_free(TypeList *list);

#endif
