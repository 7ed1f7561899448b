/* pass.h - the passes: each rewrites a graph that owns its nodes. Nodes may be rewired, replaced and reordered; outputs
** keep their number, types and bits.
*/
#ifndef HL_PASS_PASS_H
#define HL_PASS_PASS_H

#include "pass/memory_plan.h"

/* Computes nodes whose inputs are all constants, using the ordinary kernels. */
Status pass_constant_fold(Graph *g);

/* Merges nodes that compute the same value; never random, printing or writing ones. */
Status pass_cse(Graph *g);

/* If the graph requests it, makes backward recompute values of forward, so that fewer are kept. */
Status pass_checkpoint(Graph *g);

/* Adds a copy after each output that could not be a fresh buffer: an input, a constant, part of another value, or the
** same value again. */
Status pass_outputs(Graph *g);

/* Replaces nodes whose kernels do not fuse by operators that do (row column `lower`). */
Status pass_lower(Graph *g);

/* Makes backward recompute cheap values of forward where that saves memory traffic. */
Status pass_remat_cheap(Graph *g);

/* Replaces clusters of nodes by nodes that each run a FusionGroup. */
Status pass_fuse(Graph *g);

/* Merges an operator that reports tiles of its result with the group that follows it (pass/epilogue.h). */
Status pass_epilogue(Graph *g);

/* Chooses the execution order of each part that needs the least memory, and returns the memory plan for it. */
Status pass_order(const Graph *g, MemoryPlan *plan);

/* Checks the invariants of a graph between passes; the error names the broken one. */
Status pass_verify_graph(const Graph *g, const char *after);

/* Checks that every value of the memory plan is still in its memory when it is read. */
Status pass_verify_plan(const Graph *g, const MemoryPlan *plan);

#endif
