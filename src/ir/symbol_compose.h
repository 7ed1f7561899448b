/* symbol_compose.h - variables as inputs of a new node: those made for inputs that were left out,
** and what MXNet gives every variable that becomes an input; and other values in their place. */
#ifndef HL_IR_SYMBOL_COMPOSE_H
#define HL_IR_SYMBOL_COMPOSE_H

#include "ir/graph.h"

/* A variable for input i of an operator's node `name`: "fc_weight". It carries the
** operator's parameters as attributes, as MXNet's do. */
Status compose_variable(const Op *op, const Params *p, const char *name, int i, Node **out);

/* Marks the auxiliary states among a node's inputs: the variables that it writes to. */
void compose_states(const Op *op, const Params *p, const Entry *in, int n_in);

/* Gives variables the initializers that the row has for their places (op->initializers),
** unless they have one. */
Status compose_initializers(const Op *op, const Entry *in, int n_in);

/* Puts with[i] in the place of g->input[i]; g is a clone of its own. What depends on a value
** that `replaced` marks is created again: its types are inferred again, its sequence number is a new one. */
Status compose_replace(Graph *g, const Entry *with, const bool *replaced);

#endif
