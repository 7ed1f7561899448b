/* inline_call.h - recorded calls of compiled graphs taken apart into the nodes that eager code would have recorded. */
#ifndef HL_EXEC_TAPE_INLINE_CALL_H
#define HL_EXEC_TAPE_INLINE_CALL_H

#include "exec/tape/recorded_call.h"
#include "ir/node_builder.h"

/* What stands in the place of a value of the tape: itself, or what its call was taken apart into. */
Entry inline_value(Entry e);

/* Has an earlier backward let go of the tape under this value? */
bool inline_is_freed(Entry e);

/* The tape under these outputs of a call is let go; under all of them, the node's history goes. */
void inline_free_tape(Node *call, uint64_t outputs);

/* The call's graph as nodes with values, which are the builder's: its outputs in out[]. */
Status inline_nodes(Builder *b, Node *call, Entry *out);

/* Takes a call apart on the tape: from then on these nodes stand in its place. */
Status inline_on_tape(Node *call);

/* Inputs of the listed nodes that were taken apart give way to what stands in their place; false if there were none.
** Users come after their inputs, so a call that goes with its last user is not looked at again. */
bool inline_replace_inputs(const NodeList *list);

#endif
