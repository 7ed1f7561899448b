/* eager.h - running one operator at once. */
#ifndef HL_EAGER_H
#define HL_EAGER_H

#include "exec/array.h"
#include "ir/op.h"

/* How this thread runs operators. */
typedef struct Mode {
  bool recording;        /* operators go onto the tape */
  bool train;            /* training mode: Dropout drops */
  Origin origin;         /* the script's line, for what is recorded or written in place */
} Mode;
extern _Thread_local Mode mode_now;

/* Most inputs and outputs that are handled without allocation. */
enum { FEW_ARRAYS = 16 };

/* Runs op on `in`. Outputs are new arrays in out[0 .. op_outputs), hidden ones too,
** which the caller releases; on failure there are none. Recorded if the mode says so
** and an input is on the tape. */
Status eager_call(const Op *op, Params *params, Array *const *in, int n_in, Array *out);

/* The same with output 0 written into `to`, an existing array of the right type (in
** place if `to` is an input too). Further outputs as in eager_call, from out[1] on. */
Status eager_call_into(const Op *op, Params *params, Array *const *in, int n_in, Array *to, Array *out);

/* The kernel alone: types known, outputs allocated. Provides scratch memory. */
Status run_kernel(const Op *op, const Params *params, void *extra, const Tensor *const *in, int n_in,
                  Tensor *const *out, int n_out, bool train);

/* Infers, allocates (or makes a view) and runs; out[] are new tensors. */
Status run_op(const Op *op, const Params *params, void *extra, const Tensor *const *in, int n_in,
              Tensor *out, int n_out, bool train);

#endif
