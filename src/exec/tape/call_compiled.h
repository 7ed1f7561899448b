/* call_compiled.h - calls of a compiled function, recorded as one operation each. */
#ifndef HL_EXEC_TAPE_CALL_COMPILED_H
#define HL_EXEC_TAPE_CALL_COMPILED_H

#include "exec/program/compiled_function.h"

/* Runs it on graph.n_input arrays, all on one device, in the modes of this thread; graph.n_out new arrays in
** out[], on the same (on `device`, if it has no inputs). Recorded as one operation if the mode says so and an
** input is on the tape. */
Status call_compiled(Compiled *c, Array *const *in, Device device, Array *out);

#endif
