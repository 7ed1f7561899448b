/* lazy_segment.h - what was put off in one go, and running it.
**
** A piece's first run is step by step, as eager code does, and shows which values are asked for; later ones are calls
** of a program that computes these alone. What is asked for besides is computed from the inputs, step by step.
**
** Invariant: a LazySegment is in the list of those that hold inputs (Deferring.first) as long as it may compute something
** from them, and each input is counted in its storage (Storage.waiting) meanwhile.
*/
#ifndef HL_EXEC_LAZY_LAZY_SEGMENT_H
#define HL_EXEC_LAZY_LAZY_SEGMENT_H

#include "exec/lazy/lazy_trie.h"

enum { FEW = 3 };                        /* inputs, and values, that most pieces have at most */

struct LazySegment {
  int refs;                              /* values that wait, and steps->open */
  LazyTrie *trie;
  LazyOp *end;
  bool train, recording;                 /* the modes of its calls */
  bool taped;                            /* it is to be on the tape: an input is */
  bool ran;
  Scope *scope;                          /* the block call that its calls are in */
  Device device;
  uint64_t waiting;                      /* values that somebody may ask for */
  uint64_t known;                        /* values that were computed: their places, in the order of value[] */
  int n_in, capacity;                        /* inputs; none once nothing more is computed from them */
  Array *in, *value;                     /* value: empty where nobody waits for it any more */
  LazyState *among;
  LazySegment *next, **link;                /* among those with inputs; link NULL: not there */
  Array few_in[FEW], few_value[FEW];
};

/* What still needs the inputs. */
static inline uint64_t lazy_segment_missing(const LazySegment *d) { return d->waiting & ~d->known; }

static inline Array *lazy_segment_value(LazySegment *d, int place) {
  return &d->value[__builtin_popcountll(d->known & (BIT(place) - 1))];
}

/* The inputs that a call brings; false if memory is short. */
bool lazy_segment_take_inputs(LazySegment *d, const LazyCall *w);
void lazy_segment_release_inputs(LazySegment *d);

/* Runs all that waits: by the piece's program, or step by step. */
Status lazy_segment_run(LazySegment *d);

/* Computes the values that wait and that the program did not give. */
Status lazy_segment_run_missing(LazySegment *d);

#endif
