/* iterations.h - the iterations of a loop or condition: calls of its subgraphs.
**
** A subgraph is a compiled function, with a specialization for each kind of call (types, modes, gradients) and with
** fused kernels. An iteration is one call of it, in a scope of its own.
**
** The results of an iteration are rows of the stacked outputs. Without recording they are written into the caller's
** tensors (`to`); with recording they are arrays (`row`), stacked after the last iteration.
*/
#ifndef HL_EXEC_TAPE_ITERATIONS_H
#define HL_EXEC_TAPE_ITERATIONS_H

#include "base/bump.h"
#include "exec/program/compiled_function.h"
#include "ir/graph/subgraph.h"

/* A compiled subgraph. */
typedef struct Body {
  Compiled *c;
  int *output;               /* by output of the subgraph: index of the output of c; -1 - i: input i, unchanged */
  uint64_t *dependents;      /* by input: outputs of c from which it gets a gradient */
  bool idle;                 /* computes nothing and has no effect */
} Body;

typedef struct Iterations {
  const Control *c;
  Body *body[MOST_SUBGRAPHS];
  Array *const *in;          /* inputs of the node */
  int64_t length;            /* most iterations; number of items of the data */
  Array *item;               /* [data][length]: the items of data on the tape; NULL without a tape */
  Array *state, *next;
  Array *made, **arg;        /* outputs and inputs of the current call */
  Array *views;              /* by data that are not on the tape: the current item */
  Tensor *const *to;         /* the stacked outputs, or NULL */
  Array *row;                /* [output][length]: rows of the stacked outputs, or NULL */
  int64_t steps;             /* number of iterations that ran */
  uint64_t order;            /* first sequence number: one for each operator that splits data into rows, then one for
                             ** all scopes; 0: new ones */
  const uint64_t *heads;     /* outputs of the body with a gradient in the last iteration, the one before, and so on;
                             ** or NULL */
  int n_heads;
  Bump memory;
} Iterations;

Status iterations_new(Iterations *l, const Control *c, Array *const *in);
void iterations_free(Iterations *l);

/* The type of one item of data, or of one term of a run. */
Type iterations_row_type(const Type *whole);

/* Runs the iterations; then l->state are the last states. */
Status iterations_run(Iterations *l);

/* Begins a block call with the loop's sequence number, which iterations_scope_end(*outer) ends. */
Status iterations_scope_begin(const Iterations *l, const char *path, Scope **outer);
void iterations_scope_end(Scope *outer);

/* Runs the operator with this role eagerly, with these parameters. */
Status iterations_call(Role role, const void *fields, Array *const *in, int n_in, Array *out);

#endif
