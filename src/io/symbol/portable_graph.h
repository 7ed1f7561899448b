/* portable_graph.h - a graph for files, with operators that MXNet lacks rewritten as operators that it has. */
#ifndef HL_IO_SYMBOL_PORTABLE_GRAPH_H
#define HL_IO_SYMBOL_PORTABLE_GRAPH_H

#include "ir/graph/graph.h"

/* Makes a new graph of the outputs, with the row column `portable` applied, and `expand` to
** internal rows, those of gradients; own: except to those that have hybridlua's own form (symbol_node.h). Nodes are in
** MXNet's order; inserted nodes have new names. */
Status portable_graph(const Entry *outputs, int n, bool own, Graph *out);

#endif
