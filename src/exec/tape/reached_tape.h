/* reached_tape.h - the part of the tape that the heads of a backward reach, with compiled calls inlined if needed. */
#ifndef HL_EXEC_TAPE_REACHED_TAPE_H
#define HL_EXEC_TAPE_REACHED_TAPE_H

#include "exec/tape/recorded_call.h"

/* The nodes of the tape that the heads reach, inputs first, with a mask of each node's used outputs (bit i; exact for
** compiled calls of up to 64 outputs, else all). */
typedef struct Reached {
  NodeList nodes;
  uint64_t *used;
} Reached;

/* Lists what head[] reach on the tape, as eager code would have it; fails if a part of that was freed by an earlier
** backward. With `again` the gradients are to be differentiated again, so compiled calls are inlined. Entries of head[]
** may be replaced by what their calls were inlined into. */
Status reached_find(Entry *head, int n, bool again, Reached *out);
void reached_free(Reached *r);

#endif
