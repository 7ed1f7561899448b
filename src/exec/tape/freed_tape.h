/* freed_tape.h - inputs whose graph was freed by an earlier backward: a hidden state that goes from one batch into the
** next.
**
** Backward frees the tape that its heads reach. An array on such a tape acts as a constant wherever it is used
** from then on: the recording starts from it, as in MXNet. The warning comes only once a further backward reaches
** nodes recorded from it, since a metric that merely reads an output loses no gradient.
*/
#ifndef HL_EXEC_TAPE_FREED_TAPE_H
#define HL_EXEC_TAPE_FREED_TAPE_H

#include "exec/array.h"
#include "exec/tape_port.h"
#include "ir/graph.h"

/* Warns of such an input, if one of these nodes was recorded from it. */
void freed_tape_warn(const NodeList *nodes);

#endif
