/* taped_values.h - which values of a graph eager code would have on the tape. */
#ifndef HL_EXEC_PROGRAM_TAPED_VALUES_H
#define HL_EXEC_PROGRAM_TAPED_VALUES_H

#include "ir/graph/graph.h"

/* Are the outputs of a node on the tape if this input is? */
bool taped_values_through(const Node *n, int input);

/* Sets on[], by position: is the node's value on the tape? on[] is zeros at first. wanted: the same for each of the
** first n_in inputs of the graph; its other inputs are not. */
void taped_values_find(const Graph *g, const bool *wanted, int n_in, bool *on);

#endif
