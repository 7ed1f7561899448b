/* lazy_value.h - lazy values: the results of operators that are deferred until a value is requested.
**
** In a block that runs in segments (hybridize{breaks = true}), a call in the block's own code is typed and deferred.
** When a value is requested, all deferred calls, a lazy segment, run together. They run as one compiled function if the
** same sequence of calls ran before. A LazyTrie holds the segments of a block as a tree of lazy ops. Each is a call
** with its operands and types, with which the next run of the code is compared.
**
** The first run of a segment executes its operators one by one and shows which values are requested; the compiled
** function computes only these. Any other value that is requested is computed from the inputs, and is a result of the
** function from then on.
**
** Invariants: a deferred call has no effects, and cannot fail once its types are known. Inputs keep their values while
** a lazy value depends on them: code that writes into an array first calls lazy_before_write. Values that share memory
** in eager code are deferred and computed together.
**
** Calls that cannot be deferred run eagerly, which reports their errors. Before a write, values that are likely to be
** requested are computed, and the others get a copy of the input.
**
** Values for the tape are recorded before anything else is, and before a block call begins or ends (exec/lazy_port.h).
** At most one segment waits for that, so its nodes get the sequence numbers of eager code. Like other compiled calls it
** is one node; it computes all its values, since any of them may have a gradient.
*/
#ifndef HL_EXEC_LAZY_LAZY_VALUE_H
#define HL_EXEC_LAZY_LAZY_VALUE_H

#include "exec/lazy_port.h"
#include "exec/program/compiled_function.h"

typedef struct LazyTrie LazyTrie;

/* A value of a segment: the result of call number `at`. */
typedef struct LazyValue { LazySegment *of; int at; } LazyValue;

/* An operand: an array, or a lazy value of the segment to which the call is added. */
typedef struct LazyOperand { const Array *array; LazyValue later; } LazyOperand;
enum { MOST_LAZY_OPERANDS = 8 };

/* `name`: the block's, for explain and the profiler. */
Status lazy_trie_new(const char *name, LazyTrie **out);
void lazy_trie_release(LazyTrie *s);

/* The segment that further calls are added to, or NULL. */
LazySegment *lazy_trie_open(const LazyTrie *s);

/* Can calls of the operator be deferred? */
bool lazy_takes(const Op *op);

/* Does deferring a call pay off now, before its operands are known? */
bool lazy_expects(LazyTrie *s, const Op *op);

/* Defers a call, and sets *type to the type of its result; lazy_value_release frees `out`. If out->of is NULL, the call
** must run eagerly instead, which also reports its errors. */
void lazy_add(LazyTrie *s, const Op *op, Params *params, const LazyOperand *in, int n_in, LazyValue *out, Type *type);

/* The script's line of the call; 0 if unknown. */
Origin *lazy_value_origin(LazyValue l);

/* Computes the value if necessary. The caller owns *out, and must still release the lazy value. */
Status lazy_value_materialize(LazyValue l, Array *out);
Device lazy_value_device(LazyValue l);

void lazy_value_release(LazyValue l);
LazySegment *lazy_segment_retain(LazySegment *d);
void lazy_segment_release(LazySegment *d);

/* At the end of the block's code: computes the deferred values that are likely to be requested. */
Status lazy_trie_run(LazyTrie *s);

/* Ends the open segment: further calls begin a new one. */
void lazy_trie_end(LazyTrie *s);

/* Notes that the code returned the value, so it is likely to be requested. */
void lazy_value_returned(LazyValue l);

/* For explain: the segments in the order of their first runs. */
typedef struct SegmentView {
  int n;
  const Op *op[64];
  Origin origin[64];
  uint64_t runs;
  Compiled *compiled;        /* NULL: it runs operator by operator */
} SegmentView;
int lazy_trie_segments(const LazyTrie *s);
void lazy_trie_segment(const LazyTrie *s, int i, SegmentView *out);

#endif
