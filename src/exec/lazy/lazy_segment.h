/* lazy_segment.h - a segment of deferred calls, and running it.
**
** A segment's first run executes its operators one by one, as eager code does, and shows which values are requested;
** later runs call a compiled function that computes only these. Other values that are requested all the same are
** computed from the inputs, operator by operator.
**
** Invariant: a LazySegment is in the list of those that hold inputs (LazyState.first) as long as it may compute
** something from them, and each input is counted in its storage (Storage.waiting) meanwhile.
*/
#ifndef HL_EXEC_LAZY_LAZY_SEGMENT_H
#define HL_EXEC_LAZY_LAZY_SEGMENT_H

#include "exec/lazy/lazy_trie.h"

enum { FEW = 3 };                        /* most segments have at most this many inputs, and values */

struct LazySegment {
  int refs;                              /* lazy values, and trie->open */
  LazyTrie *trie;
  LazyOp *end;
  bool train, recording;                 /* the modes of its calls */
  bool taped;                            /* it must be recorded: an input is on the tape */
  bool ran;
  Scope *scope;                          /* the block call that its calls are in */
  Device device;
  uint64_t waiting;                      /* values that may still be requested, as bits */
  uint64_t known;                        /* values that were computed, as bits; value[] has them in order */
  int n_in, capacity;                    /* inputs; none once nothing more is computed from them */
  Array *in, *value;                     /* value: empty where it is no longer needed */
  LazyState *among;
  LazySegment *next, **place;               /* in the list of those with inputs */
  Array few_in[FEW], few_value[FEW];
};

/* The values that must still be computed from the inputs. */
static inline uint64_t lazy_segment_missing(const LazySegment *d) { return d->waiting & ~d->known; }

static inline Array *lazy_segment_value(LazySegment *d, int place) {
  return &d->value[__builtin_popcountll(d->known & (BIT(place) - 1))];
}

/* Adds the new inputs of a call; false if memory is short. */
bool lazy_segment_take_inputs(LazySegment *d, const LazyCall *w);
void lazy_segment_release_inputs(LazySegment *d);

/* Runs the whole segment, compiled or operator by operator. */
Status lazy_segment_run(LazySegment *d);

/* Computes the values that are still needed and that the compiled function did not compute. */
Status lazy_segment_run_missing(LazySegment *d);

#endif
