/* inline_call.h - the tape under a backward: what its heads reach, compiled calls taken apart where needed. */
#ifndef HL_EXEC_TAPE_INLINE_CALL_H
#define HL_EXEC_TAPE_INLINE_CALL_H

#include "exec/tape/recorded_call.h"
#include "ir/node_builder.h"

/* What heads reach on the tape: the nodes, inputs first, and of each which outputs are in use (bit i;
** of compiled calls of up to 64 outputs exactly, else all). */
typedef struct Reached {
  NodeList nodes;
  uint64_t *used;
} Reached;

/* Lists what head[] reach on the tape, as eager code would have it; fails where a part of that was let go by
** an earlier backward. With `again` the gradients are to be differentiated again: compiled calls are taken
** apart. head[] may be replaced by what stands in their place. */
Status inline_reached(Entry *head, int n, bool again, Reached *out);
void reached_free(Reached *r);

/* What stands in the place of a value of the tape: itself, or what its call was taken apart into. */
Entry inline_value(Entry e);

/* Has an earlier backward let go of the tape under this value? */
bool inline_is_freed(Entry e);

/* The tape under these outputs of a call is let go; under all of them, the node's history goes. */
void inline_free_tape(Node *call, uint64_t outputs);

/* The call's graph as nodes with values, which are the builder's: its outputs in out[]. */
Status inline_nodes(Builder *b, Node *call, Entry *out);

#endif
