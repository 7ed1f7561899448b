/* eager_index.h - x[key] and x[key] = v on arrays, for the brackets of scripts and for other code with a Key. */
#ifndef HL_EXEC_EAGER_EAGER_INDEX_H
#define HL_EXEC_EAGER_EAGER_INDEX_H

#include "exec/array.h"
#include "ir/index_key.h"

/* x[key] like any operator's result: in[0] is x, then come the key's index arrays. */
Status eager_index(const Key *key, Array *const *in, int n_in, Array *out);

/* x[key] = value, in place: in[0] is x, in[1] the value, in any dtype and on any device, then come the index arrays,
** of which one may be a mask. Recorded arrays are neither written over nor written from. */
Status eager_index_assign(const Key *key, Array *const *in, int n_in);

#endif
