/* index_portable.h - x[key] built from MXNet's operators, for files, which cannot contain the row _index. */
#ifndef HL_OPS_INDEX_INDEX_PORTABLE_H
#define HL_OPS_INDEX_INDEX_PORTABLE_H

#include "ir/node_builder.h"
#include "ir/index_key.h"

/* The node's inputs are x and the key's index arrays. Returns NO_ENTRY if a needed number of axes is unknown: after
** "...", or if the axes of index arrays must move. */
Entry index_portable(Builder *b, const Key *key, const Node *n);

#endif
