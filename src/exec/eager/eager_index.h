/* eager_index.h - x[key] and x[key] = v on arrays, for brackets in scripts and other code with a Key. */
#ifndef HL_EXEC_EAGER_EAGER_INDEX_H
#define HL_EXEC_EAGER_EAGER_INDEX_H

#include "exec/array.h"
#include "ir/index_key.h"

/* x[key] as an operator's result; in[0] is x, followed by the index arrays. */
Status eager_index(const Key *key, Array *const *in, int n_in, Array *out);

/* x[key] = value in place; in[0] is x and in[1] the value, of any dtype and on any device, followed by the index
** arrays, one of which may be a mask. Neither x nor the value may be recorded. */
Status eager_index_assign(const Key *key, Array *const *in, int n_in);

#endif
