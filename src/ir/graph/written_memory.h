/* written_memory.h - the memory that nodes of a graph write to in place (row column `writes`).
**
** Some code lets values share memory that eager code keeps separate, reads a value at another time than the script, or
** computes one ahead. All such code must ask here first.
**
** Written memory is not shared, folded or merged where eager code would have copies. A backward that would read it is
** not compiled: instead, recorded calls are inlined (exec/tape/inline_call.h), and version counters accept or reject
** the backward as in eager code.
*/
#ifndef HL_IR_GRAPH_WRITTEN_MEMORY_H
#define HL_IR_GRAPH_WRITTEN_MEMORY_H

#include "base/bump.h"
#include "ir/graph/graph.h"

/* For a graph that owns its nodes: marks, by position, the nodes whose values are in memory that a node writes to.
** Views share the memory of their base; what may be a view counts as one. *written is from the bump, or NULL if no node
** writes. */
Status graph_written(const Graph *g, Bump *bump, bool **written);

/* Does the node read such memory? `written` may be NULL. */
bool written_read(const bool *written, const Node *n);

#endif
