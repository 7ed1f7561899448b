/* call_compiled.h - calls of a compiled function, each recorded as one node. */
#ifndef HL_EXEC_TAPE_CALL_COMPILED_H
#define HL_EXEC_TAPE_CALL_COMPILED_H

#include "exec/program/compiled_function.h"
#include "exec/program/step_rows.h"

/* Calls it with graph.n_input arrays of one device, in the modes of this thread. Makes graph.n_out arrays in out[] on
** that device, or on `device` if it has no inputs. Records the call if the mode demands it and an input is on the
** tape. `host`: of training steps; NULL for functions without any. */
Status call_compiled(Compiled *c, Array *const *in, Device device, StepHost *host, Array *out);

#endif
