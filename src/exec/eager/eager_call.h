/* eager_call.h - runs one operator eagerly. */
#ifndef HL_EXEC_EAGER_EAGER_CALL_H
#define HL_EXEC_EAGER_EAGER_CALL_H

#include "exec/array.h"
#include "ir/run_op.h"

/* Runs op on the device of `in`, which must all be on one device; without inputs, on `device`. Outputs, including
** hidden ones, are new arrays in out[0 .. op_outputs), which the caller releases; on failure there are none. The call
** is recorded if recording is on and an input is on the tape. */
Status eager_call(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *out);

/* Copies `in` to a device; recorded like any operator. */
Status eager_copy_to(Array *in, Device device, Array *out);

/* Like eager_call, but writes the first n_to outputs (at least one) into existing arrays of the right types on the same
** device, which may be inputs too. Further outputs are new arrays, starting at out[n_to]. */
Status eager_call_into(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *const *to,
                       int n_to, Array *out);

#endif
