/* control.h - running the subgraphs of loops and conditions. */
#ifndef HL_EXEC_CONTROL_H
#define HL_EXEC_CONTROL_H

#include "exec/array.h"
#include "ir/subgraph.h"

/* Puts the engine in place that the rows' kernels call. */
void control_open(void);

/* Runs a loop or condition in the modes of this thread, as eager code would: each iteration is one recorded call in
** a scope of its own (at `place` in the order; 0: as they come). `type`: of the visible outputs, which go to out[]. */
Status control_unroll(const Control *how, Array *const *in, const Type *type, uint64_t place, Array *out);

#endif
