/* eager_call.h - running one operator at once. */
#ifndef HL_EXEC_EAGER_EAGER_CALL_H
#define HL_EXEC_EAGER_EAGER_CALL_H

#include "exec/array.h"
#include "ir/run_op.h"

/* Runs op on `in`, where these are: all on one device, or it fails; without inputs on `device`. Outputs
** are new arrays in out[0 .. op_outputs), hidden ones too, which the caller releases; on failure there
** are none. Recorded if the mode says so and an input is on the tape. */
Status eager_call(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *out);

/* A copy of `in` on a device, recorded like any operator. */
Status eager_copy_to(Array *in, Device device, Array *out);

/* As eager_call, with the first n_to outputs (at least one) written into existing arrays of the right
** types on the same device (in place if they are inputs too). Further outputs as in eager_call, from out[n_to] on. */
Status eager_call_into(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *const *to,
                       int n_to, Array *out);

#endif
