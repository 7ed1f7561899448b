/* lazy_value.h - operators that are put off until somebody asks for a value.
**
** The own code of a block that runs piece by piece (hybridize{breaks = true}) computes nothing at once: a call gets its
** type and waits. Calls gather until a value is asked for; then all of them run, as one program where the code came
** that way before. What was gathered is a piece, and a Steps knows the pieces of a block: a tree in which each step is
** a call behind those before it, with operands and types, so that the next run of the code finds its way by comparing.
**
** A piece's first run is step by step, and shows which values are asked for; the program computes these alone. Another
** value that is asked for all the same is computed from the inputs, and is among the results from then on.
**
** Invariants: only calls are put off that do nothing but compute, and that cannot fail once their types are known. The
** inputs stay as they were while a value waits that is made of them: whoever writes into an array says so first
** (lazy_before_write). Values that share memory in eager code wait together and are computed together.
**
** Everything that can be wrong with a call is found by the ordinary eager path, which takes calls that cannot wait.
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

/* Where a value is that is to come. */
typedef struct LazyValue { LazySegment *of; int at; } LazyValue;

/* An operand: an array, or a value that waits in the same Deferred as the call is to. */
typedef struct LazyOperand { const Array *array; LazyValue later; } LazyOperand;
enum { MOST_LAZY_OPERANDS = 8 };

/* `name`: the block's, for explain and the profiler. */
Status lazy_trie_new(const char *name, LazyTrie **out);
void lazy_trie_release(LazyTrie *s);

/* Where further calls go; NULL: nothing waits that could go on. */
LazySegment *lazy_trie_open(const LazyTrie *s);

/* Whether calls of the operator can be put off at all. */
bool lazy_takes(const Op *op);

/* Is a call of it worth to be put off now, as far as that is known before its operands are? */
bool lazy_expects(LazyTrie *s, const Op *op);

/* Puts a call off. out->of is NULL where it is to run at once instead, which says what is wrong with it, if anything.
** Else *type is the result's, and out counts as one holder: lazy_value_release. */
void lazy_add(LazyTrie *s, const Op *op, Params *params, const LazyOperand *in, int n_in, LazyValue *out, Type *type);

/* The script's line of the call; 0 where nobody said it yet. */
Origin *lazy_value_origin(LazyValue l);

/* The value, computed if need be; the caller's. lazy_value_release afterwards. */
Status lazy_value_materialize(LazyValue l, Array *out);
Device lazy_value_device(LazyValue l);

/* Nobody asks for the value any more. */
void lazy_value_release(LazyValue l);
LazySegment *lazy_segment_retain(LazySegment *d);
void lazy_segment_release(LazySegment *d);

/* The code of the block comes to its end. What waits is computed, as far as it is expected to be asked for. */
Status lazy_trie_run(LazyTrie *s);

/* Further calls begin a new piece. */
void lazy_trie_end(LazyTrie *s);

/* The value was given back by the code: it is expected to be asked for. */
void lazy_value_returned(LazyValue l);

/* For explain: the pieces in the order of their first runs. */
typedef struct SegmentView {
  int n;
  const Op *op[64];
  Origin origin[64];
  uint64_t runs;
  Compiled *compiled;        /* NULL: it runs step by step */
} SegmentView;
int lazy_trie_segments(const LazyTrie *s);
void lazy_trie_segment(const LazyTrie *s, int i, SegmentView *out);

#endif
