/* node_builder.h - making nodes: the step that symbols, the tape and gradients share. */
#ifndef HL_IR_NODE_BUILDER_H
#define HL_IR_NODE_BUILDER_H

#include "ir/op.h"

/* The node of `op` on these inputs, its types inferred. `params` may be NULL (the
** defaults); a reference is taken. On failure b->status is set and the entry is
** NO_ENTRY; with b->status set, or an input NO_ENTRY, nothing happens. */
Entry build(Builder *b, const Op *op, Params *params, const Entry *in, int n_in);

/* The same by name and parameter struct (NULL: defaults): what operators use. */
Entry build_op(Builder *b, const char *op, const void *fields, int n_in, ...);   /* n_in Entries */
Entry build_op_list(Builder *b, const char *op, const void *fields, int n_in, const Entry *in);

/* A node whose output types are known already and need no inference. */
Entry build_typed(Builder *b, const Op *op, Params *params, const Entry *in, int n_in, const Type *out, int n_out);

/* Another output of the node of e. */
static inline Entry entry_output(Entry e, int index) { return (Entry){ e.node, index }; }

/* A constant of a known value. */
Entry build_constant(Builder *b, const Tensor *value);

/* By role: a + b of one type; zeros like e. */
Entry build_sum(Builder *b, Entry a, Entry c);
Entry build_zeros_like(Builder *b, Entry e);
Entry build_ones_like(Builder *b, Entry e);

/* A copy of e on a device; on the tape only. */
Entry build_copy_to(Builder *b, Entry e, Device device);

/* Holds a node that other code made as long as the builder. */
Status builder_hold(Builder *b, Node *n);

void builder_free(Builder *b);    /* releases the nodes made */

#endif
