/* index_portable.h - x[key] in operators that MXNet has, too: what files say for the row _index. */
#ifndef HL_OPS_INDEX_INDEX_PORTABLE_H
#define HL_OPS_INDEX_INDEX_PORTABLE_H

#include "ir/node_builder.h"
#include "ir/index_key.h"

/* The node's inputs are x and the key's index arrays. NO_ENTRY where a number of axes would have to be known that is
** not: behind "...", and where the axes of index arrays must be moved. */
Entry index_portable(Builder *b, const Key *key, const Node *n);

#endif
