/* carried.h - arrays that are carried over a backward: a hidden state that goes from one batch into the next.
**
** Backward lets go of the tape that its heads reach. An array with such a place on the tape acts as a constant
** where it is used from then on: the recording begins anew there, as it does in MXNet. That is told once a further
** backward reaches what was recorded of it; a metric that merely looks at an output loses no gradient.
*/
#ifndef HL_CARRIED_H
#define HL_CARRIED_H

#include "exec/array.h"
#include "ir/graph.h"

/* Is the array on the tape, and has no backward let go of that? */
bool carried_taped(const Array *a);

/* Of what is to be recorded with these inputs: an error where the mode refuses one whose tape was let go. */
Status carried_allowed(Array *const *in, int n);

/* It was recorded, as nodes of n_orders numbers from `order` on: a backward that reaches them says so. */
void carried_note(Array *const *in, int n, uint64_t order, uint64_t n_orders);
void carried_reached(const NodeList *nodes);

/* A backward lets go of what it has reached. */
void carried_backward(Origin where);

#endif
