/* node_builder.h - builds nodes for symbols, the tape and gradients. */
#ifndef HL_IR_NODE_BUILDER_H
#define HL_IR_NODE_BUILDER_H

#include "ir/op.h"

/* Makes the node of `op` on these inputs, with inferred types, and retains `params` (NULL: the defaults). On failure
** sets b->status and returns NO_ENTRY. Does nothing if b->status is set already; an input NO_ENTRY is a failure. */
Entry build(Builder *b, const Op *op, Params *params, const Entry *in, int n_in);

/* The same from a parameter struct (NULL: the defaults). */
Entry build_from(Builder *b, const Op *op, const void *fields, const Entry *in, int n_in);

/* The same by the operator's name, for operators. */
Entry build_op(Builder *b, const char *op, const void *fields, int n_in, ...);   /* n_in Entries */
Entry build_op_list(Builder *b, const char *op, const void *fields, int n_in, const Entry *in);

/* Makes a node whose output types are known. */
Entry build_typed(Builder *b, const Op *op, Params *params, const Entry *in, int n_in, const Type *out, int n_out);

/* Another output of the node of e. */
static inline Entry entry_output(Entry e, int index) { return (Entry){ e.node, index }; }

/* A constant of a known value. */
Entry build_constant(Builder *b, const Tensor *value);

/* By role: a + c of one type, and zeros or ones like e. */
Entry build_sum(Builder *b, Entry a, Entry c);
Entry build_zeros_like(Builder *b, Entry e);
Entry build_ones_like(Builder *b, Entry e);

/* Copies e to a device; on the tape only. */
Entry build_copy_to(Builder *b, Entry e, Device device);

/* Keeps a node of other code alive as long as the builder. */
Status builder_hold(Builder *b, Node *n);

void builder_free(Builder *b);    /* releases the nodes made */

#endif
