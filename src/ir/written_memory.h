/* written_memory.h - which memory of a graph its own nodes write to in place (row column `writes`).
**
** Code that lets two values share memory that would be apart in eager code, reads a value at another time than
** the script does, or makes one ahead, asks here first.
**
** Such memory is not shared, folded or merged where eager code would have copies. A backward that would read it is not
** compiled: recorded calls are inlined then (exec/tape/inline_call.h), and version counters accept or refuse the
** backward as in eager code.
*/
#ifndef HL_IR_WRITTEN_MEMORY_H
#define HL_IR_WRITTEN_MEMORY_H

#include "base/bump.h"
#include "ir/graph.h"

/* For a graph that owns its nodes, by position: does a node write into the memory that this one's values lie in?
** Views lie in their base's; what may be a view counts as one. *written is from the bump, NULL where no node writes. */
Status graph_written(const Graph *g, Bump *bump, bool **written);

/* Does the node read such memory? `written` may be NULL. */
bool written_read(const bool *written, const Node *n);

#endif
