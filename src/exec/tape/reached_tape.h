/* reached_tape.h - the part of the tape that the heads of a backward reach, with calls inlined where needed. */
#ifndef HL_EXEC_TAPE_REACHED_TAPE_H
#define HL_EXEC_TAPE_REACHED_TAPE_H

#include "exec/tape/recorded_call.h"

/* The nodes, inputs first, with a mask of each node's used outputs: exact for compiled calls of up to 64 outputs,
** otherwise all set. */
typedef struct Reached {
  NodeList nodes;
  uint64_t *used;
} Reached;

/* Lists the nodes that head[] reach; fails if an earlier backward freed a part of them. `again`: the gradients will be
** differentiated again, so all compiled calls are inlined. A head that is an output of an inlined call is replaced. The
** caller frees *out, after a failure too. */
Status reached_find(Entry *head, int n, bool again, Reached *out);
void reached_free(Reached *r);

#endif
