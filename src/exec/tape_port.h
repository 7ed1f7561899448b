/* tape_port.h - the functions of the tape (exec/tape/tape.h) that eager calls use. */
#ifndef HL_EXEC_TAPE_PORT_H
#define HL_EXEC_TAPE_PORT_H

#include "exec/array.h"
#include "ir/op.h"

/* Is the array on a tape that has not been freed? */
bool tape_holds(const Array *a);

/* Before recording: fails if the mode refuses an input whose tape was freed. */
Status tape_allows_freed(Array *const *in, int n);

/* After recording n_orders nodes with sequence numbers from `order` on: a backward that reaches them will warn of such
** inputs. */
void tape_note_freed(Array *const *in, int n, uint64_t order, uint64_t n_orders);

/* Makes the node of a call before the call runs. Only this can fail, so a call that ran, and may have drawn random
** numbers or written states, is always recorded. The caller then calls tape_record or node_release. */
Status tape_prepare(const Op *op, Params *params, Array *const *in, int n_in, int n_out, Node **out);

/* Records the call after it ran: out[] get its node. */
void tape_record(Node *n, Array *const *in, Array *out);

#endif
