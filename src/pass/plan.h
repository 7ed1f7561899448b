/* plan.h - where every value of a graph lives while a program runs. */
#ifndef HL_PLAN_H
#define HL_PLAN_H

#include "ir/graph.h"

typedef enum Home {
  HOME_ARENA,      /* at an offset of the workspace */
  HOME_INPUT,      /* bound by the caller */
  HOME_OUTPUT,     /* a fresh buffer for an output */
  HOME_CONSTANT    /* the constant node's own tensor */
} Home;

typedef struct Place {
  Home home;
  int index;             /* inputs and constants: the node's position; outputs: which */
  size_t offset;         /* bytes into the arena, or into the home (views) */
  bool alias;            /* nothing is computed: a view, or the input itself */
} Place;

typedef struct MemoryPlan {
  int *first;            /* by node position: where its outputs begin in `place` */
  Place *place;          /* of each value */
  size_t *scratch;       /* by node position: offset of its scratch memory */
  int *until;            /* of values that lead memory in the arena: the node after which it is free; else -1 */
  int n_values;
  size_t arena_bytes;    /* the workspace */
  size_t value_bytes;    /* what eager execution would allocate for the same values */
  size_t input_bytes, output_bytes;
} MemoryPlan;

/* Every output must be the value of an operator's node, each once: pass_outputs sees to
** it. Nodes from position n_forward on run later (backward): they write over nothing
** that was computed before them, so that they can run again. */
Status plan_memory(const Graph *g, int n_forward, MemoryPlan *plan);
void plan_free(MemoryPlan *plan);

/* Is output 0 of n nothing but (a part of) its first input, *offset bytes into it? A copy is
** not: pass_outputs makes them where memory of its own is wanted. */
bool plan_is_alias(const Node *n, size_t *offset);

/* Puts a copy behind each of the outputs [first, last) that could not be a fresh buffer of
** its own: an input, a constant, part of another value, the same value again. The copies
** stand at `order`. */
Status pass_outputs(Graph *g, int first, int last, uint64_t order);

#endif
