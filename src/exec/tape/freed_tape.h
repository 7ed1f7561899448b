/* freed_tape.h - inputs whose graph an earlier backward freed, such as a hidden state carried into the next batch.
**
** A later recording treats such an array as a constant, as in MXNet. The warning waits until another backward reaches
** nodes recorded from it, since a metric that only reads an output loses no gradient.
*/
#ifndef HL_EXEC_TAPE_FREED_TAPE_H
#define HL_EXEC_TAPE_FREED_TAPE_H

#include "exec/array.h"
#include "exec/tape_port.h"
#include "ir/graph/graph.h"

/* Warns of such inputs from which one of these nodes was recorded. */
void freed_tape_warn(const NodeList *nodes);

#endif
