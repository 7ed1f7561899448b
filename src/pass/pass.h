/* pass.h - one rewriting of a private graph (graph_clone): nodes may be rewired and
** replaced, the outputs keep their number, types and bits. Nodes stand in the order of
** the script (Node.order), which is an order of computation too.
*/
#ifndef HL_PASS_H
#define HL_PASS_H

#include "pass/plan.h"

/* Computes what depends on no input now, by the ordinary kernels. */
Status pass_fold(Graph *g);

/* Makes one of nodes that compute the same; never random, printing or writing ones. */
Status pass_cse(Graph *g);

/* All of them in their order; after each, in builds for tests, the verifier. */
Status pipeline_run(Graph *g);

/* What every pass must leave true; fails saying what is broken. */
Status verify_graph(const Graph *g, const char *after);

/* Does every value of the plan still lie in its memory when it is read? */
Status verify_plan(const Graph *g, int n_forward, const MemoryPlan *plan);

#endif
