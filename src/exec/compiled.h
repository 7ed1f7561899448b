/* compiled.h - a traced graph and the programs made of it, one for each set of types.
**
** The graph is symbolic: its inputs' shapes are open. A call looks for a plan with the
** types, modes and wanted gradients at hand, or makes one: types are inferred, gradients
** built, passes run, memory planned. Plans are few and bounded, the least recently used
** goes first.
*/
#ifndef HL_COMPILED_H
#define HL_COMPILED_H

#include "exec/array.h"
#include "exec/program.h"
#include "exec/tier.h"

typedef struct Plan {
  Program *program;          /* what runs now */
  Tier *tier;                /* what is to run when its kernels are there */
  bool fused;                /* it does */
  uint64_t fused_after;      /* calls before it did */
  Type *type;                /* of each input */
  bool *wanted;              /* which inputs' gradients backward computes */
  int *grad_output;          /* by input: which of backward's outputs, or -1 */
  uint64_t heads;            /* bit i: output i has a head gradient in backward */
  bool train, record;
  size_t eager_bytes;        /* what eager execution of forward allocates */
  int eager_nodes;           /* operators before the passes */
  uint64_t hits;
  double seconds;            /* that it took to make */
  struct Plan *next;         /* less recently used */
} Plan;

typedef struct Compiled {
  int refs;
  Graph graph;
  int *written;              /* the inputs that the graph writes to: states */
  int n_written;
  Scope *outer;              /* the block call around the trace; NULL: the script */
  uint64_t first_order, n_orders;   /* the numbers of the graph's nodes and scopes */
  Plan *plans;               /* most recently used first */
  int n_plans;
  uint64_t made, hits;
  uint64_t expected_heads;   /* what the latest backward had */
  char *name;                /* for errors and explain */
} Compiled;

enum { MOST_PLANS = 16 };

/* `also`: random nodes and effects that nothing uses. */
Status compiled_new(const char *name, const Entry *out, int n_out, Node *const *input, int n_input, const NodeList *also, Compiled **c);
Compiled *compiled_retain(Compiled *c);
void compiled_release(Compiled *c);

/* Runs it on graph.n_input arrays, in the modes of this thread; graph.n_out new arrays in
** out[]. Recorded as one operation if the mode says so and an input is on the tape. */
Status compiled_call(Compiled *c, Array *const *in, Array *out);

/* The plan for these types, made if there is none: what explain shows. */
Status compiled_plan(Compiled *c, const Type *types, const bool *wanted, bool train, bool record, Plan **out);

#endif
