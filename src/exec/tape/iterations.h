/* iterations.h - iterations: the subgraphs of a loop or condition run one call after the other.
**
** A subgraph becomes a Compiled of its own, so each way in which it runs (types, modes, gradients) has a plan,
** and it is fused and planned as any compiled graph. An iteration is one call of it, in a scope of its own.
**
** What an iteration gives goes to rows: of tensors of the caller's, where nothing is recorded (`to`), else arrays that
** are put on top of each other when all are there (`row`).
*/
#ifndef HL_EXEC_TAPE_ITERATIONS_H
#define HL_EXEC_TAPE_ITERATIONS_H

#include "exec/program/compiled_function.h"
#include "ir/subgraph.h"

/* A subgraph, compiled. */
typedef struct Body {
  Compiled *c;
  int *output;               /* by output of the subgraph: which of c's; -1 - i: the subgraph's input i as it is */
  uint64_t *dependents;           /* by input: which outputs of c its gradient comes from */
  bool idle;                 /* computes nothing and has no effect */
} Body;

typedef struct Iterations {
  const Control *c;
  Body *body[MOST_SUBGRAPHS];
  Array *const *in;          /* of the node */
  int64_t length;            /* items; as many iterations as there can be */
  Array *item;               /* [data][length], where they are on the tape */
  Array *state, *next;
  Array *made, **arg;        /* of the call under way: outputs, inputs */
  Array *views;              /* by data: the item, where it is not on the tape */
  Tensor *const *to;         /* where rows of the stacked outputs go, or NULL: */
  Array *row;                /* [output][length] */
  int64_t steps;             /* iterations made */
  uint64_t order;            /* in the order, of what takes each of the data to rows, and then of all scopes; 0: as they
                             ** come */
  const uint64_t *heads;     /* which outputs of the body will have gradients: in the last iteration,
                             ** the one before...; or NULL */
  int n_heads;
  void *memory;
} Iterations;

Status iterations_new(Iterations *l, const Control *c, Array *const *in, int64_t length);
void iterations_free(Iterations *l);

/* How many iterations there are at most; `data`: the type of the first, where there are any. */
int64_t iterations_length(const Control *c, const Type *data);

Type iterations_row_type(const Type *whole);     /* of one item of data, or one term of a run */

/* Makes the iterations: then l->state are the last states, l->steps their number. */
Status iterations_run(Iterations *l);

/* A block call of what follows, at the loop's place in the order; iterations_scope_end(*outer) ends it. */
Status iterations_scope_begin(const Iterations *l, const char *path, Scope **outer);
void iterations_scope_end(Scope *outer);

/* An operator of this row at once, with these parameters. */
Status iterations_call(const Op *op, const void *fields, Array *const *in, int n_in, Array *out);

#endif
