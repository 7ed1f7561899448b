/* carried.h - arrays that are carried over a backward: a hidden state that goes from one batch into the next.
**
** Backward lets go of the tape that its heads reach. An array with such a place on the tape acts as a constant
** where it is used from then on: the recording begins anew there, as it does in MXNet.
*/
#ifndef HL_CARRIED_H
#define HL_CARRIED_H

#include "exec/array.h"

/* Is the array on the tape, and has no backward let go of that? */
bool carried_taped(const Array *a);

/* The same for an input of what is to be recorded. Where its tape was let go that is said, or an error, as the
** mode wants. */
Status carried_input(const Array *a, bool *taped);

/* A backward lets go of what it has reached. */
void carried_backward(Origin where);

#endif
