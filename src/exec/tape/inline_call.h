/* inline_call.h - recorded calls of compiled functions inlined: replaced by the nodes that eager code would have
** recorded.
*/
#ifndef HL_EXEC_TAPE_INLINE_CALL_H
#define HL_EXEC_TAPE_INLINE_CALL_H

#include "exec/tape/recorded_call.h"
#include "ir/node_builder.h"

/* What replaces a value of the tape: the value that it has in its inlined call, or itself. */
Entry inline_value(Entry e);

/* Has an earlier backward freed the tape of this value? */
bool inline_is_freed(Entry e);

/* Frees the tape of these outputs of a call; once that of all of them is freed, the node's history too. */
void inline_free_tape(Node *call, uint64_t outputs);

/* The call's graph as nodes with values, owned by the builder; its outputs in out[]. */
Status inline_nodes(Builder *b, Node *call, Entry *out);

/* Inlines a call on the tape: from then on these nodes replace it. */
Status inline_on_tape(Node *call);

/* Replaces inputs of the listed nodes that are values of inlined calls by what they became; false if there were none.
** Users come after their inputs, so a call that is freed with its last user is not visited again. */
bool inline_replace_inputs(const NodeList *list);

#endif
