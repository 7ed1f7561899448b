/* lazy_trie.h - the lazy trie: the sequences of operator calls in a block's own code, as a tree of lazy ops.
**
** exec/lazy/lazy_value.h looks up each call that it defers. Calls with the same operator, operands, parameters and
** types, after the same calls, are one lazy op. A segment is the path from the root to its last lazy op, which stores
** the segment's compiled function and the values that were requested.
**
** Invariants: a lazy op is immutable except for its counts and what was learned about it, and lives as long as its
** trie. Indices in a segment are bits of masks, so a segment has at most 64 lazy ops.
*/
#ifndef HL_EXEC_LAZY_LAZY_TRIE_H
#define HL_EXEC_LAZY_LAZY_TRIE_H

#include "exec/lazy/lazy_value.h"

enum {
  MOST_LAZY_OPS = 64,
  MOST_INPUTS = 64      /* of a segment */
};

#define BIT(i) (1ull << (i))

/* A call after those on the path to it, with data about the segment that ends there. */
typedef struct LazyOp {
  struct LazyOp *parent, *first, *next; /* first: the first child; the latest one found is at the front */
  const Op *op;                         /* NULL: the root */
  Params *params;
  int place;                            /* index in the segment; -1: the root */
  int n_in, n_fresh, n_inputs;          /* number of operands, of new inputs among them, and of inputs so far */
  int16_t operand[MOST_LAZY_OPERANDS];  /* index of the lazy op that computes it, or -1 - the number of an input */
  int family;                           /* index of the lazy op that owns the memory, itself or the base of a view */
  Origin origin;
  Type type;
  uint16_t n_short, n_skipped, length;   /* of a first lazy op: consecutive short segments, calls since then, length
                                         ** of the latest segment */
  const Op *varying;                     /* of the root: an operator whose first calls differ each time */
  uint64_t used;                         /* values of the segment that were requested */
  uint64_t outputs;                      /* values that the compiled function computes */
  uint64_t runs;
  bool listed;                           /* in LazyTrie.segment */
  Compiled *compiled;                    /* NULL: not yet */
  Type fresh[];                          /* types of the new inputs */
} LazyOp;

struct LazyTrie {
  int refs;                             /* from Lua, and one per LazySegment */
  int n_ops;
  int pass;                             /* number of calls to run eagerly: the rest of a short segment */
  LazyOp *begin[2][2];                  /* the roots, by training mode and recording */
  LazySegment *open;                    /* the segment that calls are added to; retained */
  LazyOp **segment;                     /* the last lazy ops of the segments that ran */
  int n_segments, capacity;
  char *name;
};

/* A call, ready to be looked up. */
typedef struct LazyCall {
  bool train, recording;
  const Array *known;                    /* the inputs of the segment so far */
  int n_known;
  int n_in, n_fresh;
  int16_t operand[MOST_LAZY_OPERANDS];   /* see LazyOp */
  Array fresh[MOST_LAZY_OPERANDS];       /* the new inputs, not retained; node NULL: constants */
} LazyCall;

/* The lazy op of this call after `from`, or NULL. */
LazyOp *lazy_op_find(LazyOp *from, const Op *op, const Params *params, const LazyCall *w);

/* Adds a lazy op; NULL if the call must run eagerly. */
LazyOp *lazy_op_add(LazyTrie *t, LazyOp *from, const Op *op, Params *params, const LazyCall *w);

/* Lists the lazy ops up to `end` in list[0 .. place]. */
void lazy_op_list(const LazyOp *end, const LazyOp **list);

/* Is it the first lazy op of a segment that should run eagerly, because recent ones were too short? */
bool lazy_op_is_short(LazyTrie *t, LazyOp *s);

/* Counts whether the segment that ran was long enough. */
void lazy_op_note_length(LazyOp *end);

/* Adds the segment to the list for explain. */
Status lazy_op_list_segment(LazyTrie *t, LazyOp *end);

#endif
