/* index_portable.h - x[key] in operators that MXNet has, too, which files have instead of the row _index. */
#ifndef HL_OPS_INDEX_INDEX_PORTABLE_H
#define HL_OPS_INDEX_INDEX_PORTABLE_H

#include "ir/node_builder.h"
#include "ir/index_key.h"

/* The node's inputs are x and the key's index arrays. NO_ENTRY if a number of axes that is needed is not
** known: after "...", and if the axes of index arrays must be moved. */
Entry index_portable(Builder *b, const Key *key, const Node *n);

#endif
