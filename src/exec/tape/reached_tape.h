/* reached_tape.h - the tape under a backward: what its heads reach, with compiled calls taken apart where needed. */
#ifndef HL_EXEC_TAPE_REACHED_TAPE_H
#define HL_EXEC_TAPE_REACHED_TAPE_H

#include "exec/tape/recorded_call.h"

/* What heads reach on the tape: the nodes, inputs first, and of each which outputs are in use (bit i;
** of compiled calls of up to 64 outputs exactly, else all). */
typedef struct Reached {
  NodeList nodes;
  uint64_t *used;
} Reached;

/* Lists what head[] reach on the tape, as eager code would have it; fails where a part of that was let go by
** an earlier backward. With `again` the gradients are to be differentiated again: compiled calls are taken
** apart. head[] may be replaced by what stands in their place. */
Status reached_find(Entry *head, int n, bool again, Reached *out);
void reached_free(Reached *r);

#endif
