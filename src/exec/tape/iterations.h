/* iterations.h - iterations: the subgraphs of a loop or condition run one call after the other.
**
** A subgraph becomes a compiled function of its own, so it has a specialization for each kind of call (types, modes,
** gradients), and it is fused like any other. An iteration is one call of it, in a scope of its own.
**
** The results of an iteration are rows: of the caller's tensors, if nothing is recorded (`to`), else arrays that are
** stacked when all of them are there (`row`).
*/
#ifndef HL_EXEC_TAPE_ITERATIONS_H
#define HL_EXEC_TAPE_ITERATIONS_H

#include "base/bump.h"
#include "exec/program/compiled_function.h"
#include "ir/subgraph.h"

/* A subgraph, compiled. */
typedef struct Body {
  Compiled *c;
  int *output;               /* by output of the subgraph: which of c's; -1 - i: the subgraph's input i as it is */
  uint64_t *dependents;      /* by input: which outputs of c its gradient comes from */
  bool idle;                 /* computes nothing and has no effect */
} Body;

typedef struct Iterations {
  const Control *c;
  Body *body[MOST_SUBGRAPHS];
  Array *const *in;          /* of the node */
  int64_t length;            /* number of items, and of iterations at most */
  Array *item;               /* [data][length], if they are on the tape */
  Array *state, *next;
  Array *made, **arg;        /* of the current call: outputs, inputs */
  Array *views;              /* by data: the item, if it is not on the tape */
  Tensor *const *to;         /* where rows of the stacked outputs go, or NULL... */
  Array *row;                /* ...and they are here: [output][length] */
  int64_t steps;             /* iterations made */
  uint64_t order;            /* sequence numbers: of the operators that split each of the data into rows, and then of
                             ** all scopes; 0: new ones */
  const uint64_t *heads;     /* which outputs of the body will have gradients: in the last iteration, the one before
                             ** it, and so on; or NULL */
  int n_heads;
  Bump memory;
} Iterations;

Status iterations_new(Iterations *l, const Control *c, Array *const *in);
void iterations_free(Iterations *l);

Type iterations_row_type(const Type *whole);     /* of one item of data, or one term of a run */

/* Makes the iterations: then l->state are the last states, l->steps their number. */
Status iterations_run(Iterations *l);

/* Begins a block call around what follows, with the loop's sequence number; iterations_scope_end(*outer) ends it. */
Status iterations_scope_begin(const Iterations *l, const char *path, Scope **outer);
void iterations_scope_end(Scope *outer);

/* Runs the operator with this role eagerly, with these parameters. */
Status iterations_call(Role role, const void *fields, Array *const *in, int n_in, Array *out);

#endif
