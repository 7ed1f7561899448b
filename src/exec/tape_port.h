/* tape_port.h - what an eager call needs of the tape (exec/tape/tape.h). */
#ifndef HL_EXEC_TAPE_PORT_H
#define HL_EXEC_TAPE_PORT_H

#include "exec/array.h"
#include "ir/op.h"

/* Is the array on a tape that no backward has freed? */
bool tape_holds(const Array *a);

/* Before recording with these inputs: an error if the mode refuses one whose tape was freed. */
Status tape_allows_freed(Array *const *in, int n);

/* After recording, as n_orders nodes with sequence numbers from `order`: a backward that reaches them warns of such
** inputs. */
void tape_note_freed(Array *const *in, int n, uint64_t order, uint64_t n_orders);

/* Makes the node of a call before the call runs. All that can fail is here, so that a call that ran, and may have drawn
** random numbers and written states, is always recorded. Then either tape_record or node_release. */
Status tape_prepare(const Op *op, Params *params, Array *const *in, int n_in, int n_out, Node **out);

/* Records the call after it ran; the arrays `out` get their nodes. */
void tape_record(Node *n, Array *const *in, Array *out);

#endif
