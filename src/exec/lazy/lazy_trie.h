/* lazy_trie.h - the lazy trie: the sequences of operator calls of a block's own code, as a tree of lazy ops.
**
** A call that exec/lazy/lazy_value.h defers is looked up here: the same operator with the same operands, parameters and
** types, after the same calls, is the same lazy op. A segment, the calls that run together, is the path from the root
** to its last lazy op, which keeps what is known of the segment (its compiled function, which values were requested).
**
** Invariants: a lazy op is never changed, except for its counts and what was learned of it, and lives as long as its
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

/* A call after those that led to it. It also has what is known of the segment that ends with it. */
typedef struct LazyOp {
  struct LazyOp *parent, *first, *next; /* first: the first child; the one found last is at the front */
  const Op *op;                         /* NULL: the root */
  Params *params;
  int place;                            /* index in the segment; -1: the root */
  int n_in, n_fresh, n_inputs;          /* operands, those of them that are new inputs, inputs so far */
  int16_t operand[MOST_LAZY_OPERANDS];  /* index of the lazy op that computes it, or -1 - the input's number */
  int family;                           /* index of the lazy op that owns the memory: itself, or one that it views */
  Origin origin;
  Type type;
  uint16_t n_short, n_skipped, length;   /* of a first lazy op: consecutive segments that were too short, calls since
                                         ** then, length of the latest segment */
  const Op *varying;                     /* of the root: an operator whose calls as first ones differ each time */
  uint64_t used;                         /* values of the segment that were requested */
  uint64_t outputs;                      /* those that the compiled function computes */
  uint64_t runs;
  bool listed;                           /* in LazyTrie.segment */
  Compiled *compiled;                    /* NULL: not yet */
  Type fresh[];                          /* types of the new inputs */
} LazyOp;

struct LazyTrie {
  int refs;                             /* Lua's, and one for each LazySegment */
  int n_ops;
  int pass;                             /* number of calls to run eagerly: the rest of a segment that is too short */
  LazyOp *begin[2][2];                  /* the roots, by training mode and by recording */
  LazySegment *open;                    /* where calls are deferred now; held */
  LazyOp **segment;                     /* the segments that ran, by their last lazy ops */
  int n_segments, capacity;
  char *name;
};

/* A call in the form in which it is looked up. */
typedef struct LazyCall {
  bool train, recording;
  const Array *known;                    /* the inputs of the segment so far */
  int n_known;
  int n_in, n_fresh;
  int16_t operand[MOST_LAZY_OPERANDS];   /* see LazyOp */
  Array fresh[MOST_LAZY_OPERANDS];       /* the new inputs, not held; node NULL: constants */
} LazyCall;

/* The lazy op of this call after `from`; NULL if there is none yet. */
LazyOp *lazy_op_find(LazyOp *from, const Op *op, const Params *params, const LazyCall *w);

/* Adds a lazy op; NULL if the call must run eagerly. */
LazyOp *lazy_op_add(LazyTrie *t, LazyOp *from, const Op *op, Params *params, const LazyCall *w);

/* The lazy ops up to this one, in list[0 .. place]. */
void lazy_op_list(const LazyOp *end, const LazyOp **list);

/* Is it the first lazy op of a segment that had better run eagerly, because it was too short of late? */
bool lazy_op_is_short(LazyTrie *t, LazyOp *s);

/* After a segment ran: counts whether it was long enough. */
void lazy_op_note_length(LazyOp *end);

/* Lists the segment for explain. */
Status lazy_op_list_segment(LazyTrie *t, LazyOp *end);

#endif
