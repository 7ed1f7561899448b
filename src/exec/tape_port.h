/* tape_port.h - what an eager call asks of the tape (exec/tape/tape.h). */
#ifndef HL_EXEC_TAPE_PORT_H
#define HL_EXEC_TAPE_PORT_H

#include "exec/array.h"
#include "ir/op.h"

/* Is the array on the tape, and has no backward freed that? */
bool tape_holds(const Array *a);

/* Before recording with these inputs: an error if the mode refuses one whose tape was freed. */
Status tape_allows_freed(Array *const *in, int n);

/* After it, as n_orders nodes numbered from `order`: a backward that reaches them warns of such inputs. */
void tape_note_freed(Array *const *in, int n, uint64_t order, uint64_t n_orders);

/* A call that is to come, for the tape: all that can fail, so that a call that was made is never refused (it
** may have drawn random numbers, and written states). Then either tape_record, or node_release. */
Status tape_prepare(const Op *op, Params *params, Array *const *in, int n_in, int n_out, Node **out);

/* Puts it, done, onto the tape; `out` get their nodes. */
void tape_record(Node *n, Array *const *in, Array *out);

#endif
