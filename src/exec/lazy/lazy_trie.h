/* lazy_trie.h - the calls of a block's own code, as a tree: each step is a call behind those that led to it.
**
** What exec/lazy/lazy_value.h puts off finds its way in here by comparing: the same operator with the same operands,
** parameters and types behind the same calls is the same step. A piece, what runs in one go, is the way from the
** beginning to its last step, and what is known of it (its program, which of its values were asked for) is kept there.
**
** Invariants: a step is never changed, but for what is counted and learned of it, and lives as long as its tree. Places
** in a piece are bits of masks, so a piece has at most 64 steps.
*/
#ifndef HL_EXEC_LAZY_LAZY_TRIE_H
#define HL_EXEC_LAZY_LAZY_TRIE_H

#include "exec/lazy/lazy_value.h"

enum {
  MOST_LAZY_OPS = 64, MOST_INPUTS = 64      /* of a piece */
};

#define BIT(i) (1ull << (i))

/* A call behind those that led to it. The piece that ends with it is its own too. */
typedef struct LazyOp {
  struct LazyOp *parent, *first, *next;    /* first: of those that came behind it, the latest at the front */
  const Op *op;                          /* NULL: the beginning */
  Params *params;
  int place;                             /* in the piece; -1: the beginning */
  int n_in, n_fresh, n_inputs;           /* operands, those of them that are new inputs, inputs so far */
  int16_t operand[MOST_LAZY_OPERANDS];              /* of each operand: the step's place, or -1 - the input's number */
  int family;                            /* the step in whose memory its value lies: itself, or that which it views */
  Origin origin;
  Type type;
  uint16_t n_short, n_skipped, length;   /* of a first step: pieces in a row that were too short, calls since then,
                                         ** steps of the latest */
  const Op *varying;                     /* of the beginning: calls of it as first steps differ each time */
  uint64_t used;                         /* values of the piece that were asked for */
  uint64_t outputs;                      /* of the program */
  uint64_t runs;
  bool listed;                           /* in Steps.piece */
  Compiled *compiled;                    /* NULL: not yet */
  Type fresh[];                          /* types of the new inputs */
} LazyOp;

struct LazyTrie {
  int refs;                              /* Lua's, and one for each LazySegment */
  int n_ops;
  int pass;                              /* so many calls run at once: the rest of a piece that is too short */
  LazyOp *begin[2][2];                     /* by training mode, and whether the code is recorded */
  LazySegment *open;                        /* calls are put off into it; held */
  LazyOp **segment;                          /* those that ran */
  int n_segments, capacity;
  char *name;
};

/* A call as the tree has it. */
typedef struct LazyCall {
  bool train, recording;
  const Array *known;                    /* the inputs of the piece so far */
  int n_known;
  int n_in, n_fresh;
  int16_t operand[MOST_LAZY_OPERANDS];              /* see Step */
  Array fresh[MOST_LAZY_OPERANDS];               /* not held; node NULL: constants */
} LazyCall;

/* The step of such a call behind `from`; NULL: it was not met before. */
LazyOp *lazy_op_find(LazyOp *from, const Op *op, const Params *params, const LazyCall *w);

/* A step that was not met before; NULL: the call is to run at once. */
LazyOp *lazy_op_add(LazyTrie *t, LazyOp *from, const Op *op, Params *params, const LazyCall *w);

/* The steps up to this one, in list[0 .. place]. */
void lazy_op_list(const LazyOp *end, const LazyOp **list);

/* Is it the first step of a piece, one that is better run at once? */
bool lazy_op_is_short(LazyTrie *t, LazyOp *s);

/* A piece ran: was it worth it? */
void lazy_op_note_length(LazyOp *end);

/* Lists the piece for explain. */
Status lazy_op_list_segment(LazyTrie *t, LazyOp *end);

#endif
