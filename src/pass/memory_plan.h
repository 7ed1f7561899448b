/* memory_plan.h - the address of every value of a graph while an executable runs. */
#ifndef HL_PASS_MEMORY_PLAN_H
#define HL_PASS_MEMORY_PLAN_H

#include "base/bump.h"
#include "ir/graph/graph.h"

typedef enum Home {
  HOME_ARENA,      /* at an offset in the arena, which a run holds while its instructions run */
  HOME_SAVED,      /* at an offset in the saved memory, which a run keeps from forward to backward */
  HOME_INPUT,      /* bound by the caller */
  HOME_OUTPUT,     /* a fresh buffer for an output */
  HOME_CONSTANT,   /* the constant node's own tensor */
  HOME_NOWHERE     /* not computed, because the call does not use this output */
} Home;

typedef struct Address {
  Home home;
  int index;             /* inputs and constants: the node's position; outputs: their number */
  size_t offset;         /* bytes into the arena, the saved memory, or the home (views) */
  bool alias;            /* nothing is computed, because it is a view or the input itself */
} Address;

typedef struct MemoryPlan {
  Bump bump;             /* for the tables below */
  int *first;            /* by node position: the number of its first value */
  Address *place;          /* by value */
  size_t *workspace;       /* by node position: offset of its workspace, of memory_plan_workspace bytes */
  int threads;           /* number of threads that have workspaces in it */
  int *until;  /* by value that leads a group in the arena: the node after which its memory is free; else -1 */
  int n_values;
  size_t arena_bytes;    /* of the arena, which forward and backward use in turn */
  size_t saved_bytes;    /* of values of forward that backward reads */
  size_t value_bytes;    /* bytes that eager execution would allocate for the same values */
  size_t input_bytes, output_bytes;
} MemoryPlan;

/* Every output must be a separate value of an operator's node, as pass_outputs ensures. Backward overwrites nothing
** that forward computed, so that it can run again. */
Status memory_plan_make(const Graph *g, MemoryPlan *plan);
void memory_plan_free(MemoryPlan *plan);

/* Bytes that a run needs at the same time. */
static inline size_t memory_plan_bytes(const MemoryPlan *plan) { return plan->arena_bytes + plan->saved_bytes; }

/* Bytes of the workspace of n: the call's, then one per thread for that many threads. */
size_t memory_plan_workspace(const Graph *g, const Node *n, int threads);

/* Is output 0 of n only its first input, or a part of it *offset bytes into it? False for copies: pass_outputs adds
** them where an output needs separate memory. */
bool memory_plan_is_alias(const Node *n, size_t *offset);

/* The inputs whose memory output `out` of a node may take: bit k for input k. */
uint64_t memory_plan_overwritable(const Node *n, int out);

#endif
