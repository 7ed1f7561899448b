/* memory_plan.h - where every value of a graph lives while an executable runs. */
#ifndef HL_PASS_MEMORY_PLAN_H
#define HL_PASS_MEMORY_PLAN_H

#include "base/bump.h"
#include "ir/graph.h"

typedef enum Home {
  HOME_ARENA,      /* at an offset in the arena, which a run has while its instructions run */
  HOME_SAVED,      /* at an offset in the saved memory, which it keeps from forward to backward */
  HOME_INPUT,      /* bound by the caller */
  HOME_OUTPUT,     /* a fresh buffer for an output */
  HOME_CONSTANT,   /* the constant node's own tensor */
  HOME_NOWHERE     /* not computed: the call has no use for this output */
} Home;

typedef struct Address {
  Home home;
  int index;             /* inputs and constants: the node's position; outputs: which */
  size_t offset;         /* bytes into the arena, the saved memory, or the home (views) */
  bool alias;            /* nothing is computed: a view, or the input itself */
} Address;

typedef struct MemoryPlan {
  Bump bump;             /* for the tables below */
  int *first;            /* by node position: where its outputs begin in `place` */
  Address *place;          /* of each value */
  size_t *workspace;       /* by node position: offset of its workspaces, memory_plan_workspace bytes */
  int threads;           /* that have workspaces in it */
  int *until;            /* of values that lead memory in the arena: the node after which it is free; else -1 */
  int n_values;
  size_t arena_bytes;    /* of the arena; forward and backward have one each in turn */
  size_t saved_bytes;    /* of the saved memory: values of forward that backward reads */
  size_t value_bytes;    /* what eager execution would allocate for the same values */
  size_t input_bytes, output_bytes;
} MemoryPlan;

/* Every output must be the value of an operator's node, each once: pass_outputs sees to
** it. Backward writes over nothing that forward computed, so that it can run again. */
Status memory_plan_make(const Graph *g, MemoryPlan *plan);
void memory_plan_free(MemoryPlan *plan);

/* What a run needs at once. */
static inline size_t memory_plan_bytes(const MemoryPlan *plan) { return plan->arena_bytes + plan->saved_bytes; }

/* The bytes of the workspaces of n: that of the call and, after it, those of that many threads. */
size_t memory_plan_workspace(const Node *n, int threads);

/* Is output 0 of n nothing but (a part of) its first input, *offset bytes into it? A copy is
** not: pass_outputs makes them where memory of its own is wanted. */
bool memory_plan_is_alias(const Node *n, size_t *offset);

/* Which inputs output `out` of a node may take the memory of: bit k for input k. */
uint64_t memory_plan_overwritable(const Node *n, int out);

#endif
