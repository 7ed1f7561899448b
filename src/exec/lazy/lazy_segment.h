/* lazy_segment.h - a segment of deferred calls.
**
** The first run of a segment executes its operators one by one, as eager code does, and shows which values are
** requested. Later runs call a compiled function that computes only these. Any other value that is requested is
** computed from the inputs, operator by operator.
**
** Invariant: while it may compute something from its inputs, a LazySegment is in the list of those with inputs
** (LazyState.first), and each input is counted in its storage (Storage.waiting).
*/
#ifndef HL_EXEC_LAZY_LAZY_SEGMENT_H
#define HL_EXEC_LAZY_LAZY_SEGMENT_H

#include "exec/lazy/lazy_trie.h"

enum { FEW = 3 };                        /* enough inputs or values for most segments */

struct LazySegment {
  int refs;                              /* from lazy values and trie->open */
  LazyTrie *trie;
  LazyOp *end;
  bool train, recording;                 /* the modes of its calls */
  bool taped;                            /* it must be recorded: an input is on the tape */
  bool ran;
  Scope *scope;                          /* the block call of its calls */
  Device device;
  uint64_t waiting;                      /* bit i: value i may still be requested */
  uint64_t known;                        /* bit i: value i was computed; value[] has them in order */
  int n_in, capacity;                    /* inputs; 0 once nothing more is computed from them */
  Array *in, *value;                     /* value: empty entries are no longer needed */
  LazyState *among;
  LazySegment *next, **place;               /* in LazyState.first */
  Array few_in[FEW], few_value[FEW];
};

/* The values that must still be computed from the inputs. */
static inline uint64_t lazy_segment_missing(const LazySegment *d) { return d->waiting & ~d->known; }

static inline Array *lazy_segment_value(LazySegment *d, int place) {
  return &d->value[__builtin_popcountll(d->known & (BIT(place) - 1))];
}

/* Adds the new inputs of a call; false if memory ran out. */
bool lazy_segment_take_inputs(LazySegment *d, const LazyCall *w);
void lazy_segment_release_inputs(LazySegment *d);

/* Runs the whole segment, compiled or operator by operator. */
Status lazy_segment_run(LazySegment *d);

/* Computes the needed values that the compiled function did not compute. */
Status lazy_segment_run_missing(LazySegment *d);

#endif
