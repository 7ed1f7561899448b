/* freed_tape.h - arrays that are carried over a backward: a hidden state that goes from one batch into the next.
**
** Backward frees the tape that its heads reach. An array with such a place on the tape acts as a constant where it is
** used from then on: the recording starts from it, as in MXNet. The warning comes only once a further backward reaches
** nodes recorded from it, since a metric that merely reads an output loses no gradient.
*/
#ifndef HL_EXEC_TAPE_FREED_TAPE_H
#define HL_EXEC_TAPE_FREED_TAPE_H

#include "exec/array.h"
#include "ir/graph.h"

/* Is the array on the tape, and has no backward freed that? */
bool carried_taped(const Array *a);

/* Before recording with these inputs: an error if the mode refuses one whose tape was freed. */
Status carried_allowed(Array *const *in, int n);

/* After it, as n_orders nodes numbered from `order`: a backward that reaches them warns of such inputs. */
void carried_note(Array *const *in, int n, uint64_t order, uint64_t n_orders);
void carried_reached(const NodeList *nodes);

/* A backward at this line frees the tape that it has reached. */
void carried_backward(Origin where);

#endif
