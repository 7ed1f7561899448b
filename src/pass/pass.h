/* pass.h - one rewriting of a graph that owns its nodes: nodes may be rewired, replaced and put in
** another order, the outputs keep their number, types and bits.
*/
#ifndef HL_PASS_PASS_H
#define HL_PASS_PASS_H

#include "pass/memory_plan.h"

/* Computes what depends on no input now, by the ordinary kernels. */
Status pass_constant_fold(Graph *g);

/* Makes one of nodes that compute the same; never random, printing or writing ones. */
Status pass_cse(Graph *g);

/* Where the graph says so, lets backward recompute values of forward, so that few are kept. */
Status pass_checkpoint(Graph *g);

/* Puts a copy behind each output that could not be a fresh buffer of its own: an input, a constant,
** part of another value, the same value again. */
Status pass_outputs(Graph *g);

/* Puts operators that fuse (row column `lower`) in the place of nodes whose kernels do not. */
Status pass_lower(Graph *g);

/* Lets backward recompute cheap values of forward where that saves memory traffic. */
Status pass_remat_cheap(Graph *g);

/* Replaces clusters of nodes by nodes that run a Group each. */
Status pass_fuse(Graph *g);

/* Makes one node of an operator that reports tiles of its result and the group that works on them (pass/epilogue.h). */
Status pass_epilogue(Graph *g);

/* Chooses the execution order within each part that takes the least memory, and leaves the memory plan of that. */
Status pass_order(const Graph *g, MemoryPlan *plan);

/* What every pass must leave true; fails saying what is broken. */
Status pass_verify_graph(const Graph *g, const char *after);

/* Does every value of the memory plan still lie in its memory when it is read? */
Status pass_verify_plan(const Graph *g, const MemoryPlan *plan);

#endif
