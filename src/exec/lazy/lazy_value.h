/* lazy_value.h - lazy values: the results of operators that are deferred until a value is requested.
**
** The own code of a block that runs in segments (hybridize{breaks = true}) computes nothing at once: a call gets its
** type and is deferred. When a value is requested, all deferred calls, a lazy segment, run together, as one compiled
** function if the same sequence of calls ran before. A LazyTrie has the segments of a block: a tree in which each lazy
** op is a call after those before it, with operands and types, so that the next run of the code is found by comparing.
**
** A segment's first run executes its operators one by one and shows which values are requested; the compiled function
** computes only these. Another value that is requested all the same is computed from the inputs, and is among the
** results from then on.
**
** Invariants: only calls are deferred that do nothing but compute, and that cannot fail once their types are known. The
** inputs keep their values while a lazy value depends on them: code that writes into an array calls lazy_before_write
** first. Values that share memory in eager code are deferred together and computed together.
**
** All errors of a call are found by the ordinary eager path, which runs the calls that cannot be deferred.
** Before a write, values that are expected to be requested are computed, and a copy of the input is kept for the rest.
**
** Values that belong on the tape go there before anything else does, and before a block call begins or ends
** (exec/lazy_port.h): at most one segment waits for that, so its nodes get the sequence numbers that eager code gives
** them. It is one node, like other compiled calls, and computes all its values, since any of them may have a gradient
** of its own.
*/
#ifndef HL_EXEC_LAZY_LAZY_VALUE_H
#define HL_EXEC_LAZY_LAZY_VALUE_H

#include "exec/lazy_port.h"
#include "exec/program/compiled_function.h"

typedef struct LazyTrie LazyTrie;

/* A value of a segment: the result of its call number `at`. */
typedef struct LazyValue { LazySegment *of; int at; } LazyValue;

/* An operand: an array, or a lazy value of the segment in which the call will be deferred. */
typedef struct LazyOperand { const Array *array; LazyValue later; } LazyOperand;
enum { MOST_LAZY_OPERANDS = 8 };

/* `name`: name of the block, for explain and the profiler. */
Status lazy_trie_new(const char *name, LazyTrie **out);
void lazy_trie_release(LazyTrie *s);

/* The segment that further calls are added to; NULL if there is none. */
LazySegment *lazy_trie_open(const LazyTrie *s);

/* Can calls of the operator be deferred at all? */
bool lazy_takes(const Op *op);

/* Does deferring a call of it pay off now, as far as that is known before its operands are? */
bool lazy_expects(LazyTrie *s, const Op *op);

/* Defers a call. out->of is NULL if the call must run eagerly instead, which also finds its errors.
** Else *type is the type of the result, and the caller must free `out` with lazy_value_release. */
void lazy_add(LazyTrie *s, const Op *op, Params *params, const LazyOperand *in, int n_in, LazyValue *out, Type *type);

/* The script's line of the call; 0 if it is not known yet. */
Origin *lazy_value_origin(LazyValue l);

/* Materializes the value: computes it, if it was not yet; the caller owns *out. lazy_value_release afterwards. */
Status lazy_value_materialize(LazyValue l, Array *out);
Device lazy_value_device(LazyValue l);

/* The value is no longer needed. */
void lazy_value_release(LazyValue l);
LazySegment *lazy_segment_retain(LazySegment *d);
void lazy_segment_release(LazySegment *d);

/* At the end of the block's code: computes the deferred values that are expected to be requested. */
Status lazy_trie_run(LazyTrie *s);

/* Further calls begin a new segment. */
void lazy_trie_end(LazyTrie *s);

/* The code returned the value: it is expected to be requested. */
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
