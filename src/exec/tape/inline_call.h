/* inline_call.h - inlining of recorded calls: the nodes that eager code would have recorded replace the call. */
#ifndef HL_EXEC_TAPE_INLINE_CALL_H
#define HL_EXEC_TAPE_INLINE_CALL_H

#include "exec/tape/recorded_call.h"
#include "ir/node_builder.h"

/* The value in the inlined call that replaces a value of the tape; the value itself if its call is not inlined. */
Entry inline_value(Entry e);

/* Did an earlier backward free the tape of this value? */
bool inline_is_freed(Entry e);

/* Frees the tape of these outputs of a call, and the node's history once no output has a tape. */
void inline_free_tape(Node *call, uint64_t outputs);

/* Builds the call's graph as nodes with values, which the builder owns; out[]: its outputs. */
Status inline_nodes(Builder *b, Node *call, Entry *out);

/* Inlines a call on the tape, for good. */
Status inline_on_tape(Node *call);

/* Replaces inputs of the listed nodes that are values of inlined calls; false if there were none. Users come after
** their inputs, so a call that is freed with its last user is not visited again. */
bool inline_replace_inputs(const NodeList *list);

#endif
