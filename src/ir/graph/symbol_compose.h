/* symbol_compose.h - variables as inputs of symbols: makes those for omitted inputs, sets MXNet's attributes, and
** replaces variables by other values.
*/
#ifndef HL_IR_GRAPH_SYMBOL_COMPOSE_H
#define HL_IR_GRAPH_SYMBOL_COMPOSE_H

#include "ir/graph/graph.h"

/* Makes a variable for input i of an operator's node `name`, such as "fc_weight". Like MXNet's, it has the operator's
** parameters as attributes. */
Status compose_variable(const Op *op, const Params *p, const char *name, int i, Node **out);

/* Marks the auxiliary states among a node's inputs, which are the variables that it writes to. */
void compose_states(const Op *op, const Params *p, const Entry *in, int n_in);

/* Sets the row's initializers (op->initializers) of variables that have none. */
Status compose_initializers(const Op *op, const Entry *in, int n_in);

/* Replaces g->input[i] by with[i] in a graph that owns its nodes. Nodes that depend on a value marked in `replaced` get
** new sequence numbers and are inferred again. */
Status compose_replace(Graph *g, const Entry *with, const bool *replaced);

#endif
