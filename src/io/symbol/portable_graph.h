/* portable_graph.h - a graph as files say it: operators that MXNet does not have are written in those that it has. */
#ifndef HL_IO_SYMBOL_PORTABLE_GRAPH_H
#define HL_IO_SYMBOL_PORTABLE_GRAPH_H

#include "ir/graph.h"

/* The values in a graph of its own, with the row column `portable` applied. Nodes stand in MXNet's order; those that
** were put in have names of their own. */
Status portable_graph(const Entry *outputs, int n, Graph *out);

#endif
