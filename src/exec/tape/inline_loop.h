/* inline_loop.h - loops and conditions inlined on the tape: the iterations that eager code would have recorded. */
#ifndef HL_EXEC_TAPE_INLINE_LOOP_H
#define HL_EXEC_TAPE_INLINE_LOOP_H

#include "exec/tape/iterations.h"

/* Runs a loop or condition in the modes of this thread, as eager code would: each iteration is one recorded call in
** a scope of its own. `order`: first of the sequence numbers; 0: new ones. `type`, `out`: by visible output. */
Status inline_loop_run(const Control *how, Array *const *in, const Type *type, uint64_t order, Array *out);

/* Before the iterations: splits data on the tape into items, and allocates the lists of the outputs' rows. */
Status inline_loop_data(Iterations *l);

/* After the iterations: stacks the rows of output i. */
Status inline_loop_stack(Iterations *l, int i, const Type *type, Array *out);

#endif
