/* compiled_function.h - a traced graph and its specializations, one for each set of types.
**
** The graph is symbolic: its inputs' shapes are open. A call looks for a specialization for its types, modes and wanted
** gradients, or makes one (specialization.h). There are few of them, and the least recently used is dropped first.
**
** Specializations and run states are guarded by one lock, so several threads may call a compiled function at once;
** spec/native/threads.c calls one from eight threads, under ThreadSanitizer too (make tsan).
*/
#ifndef HL_EXEC_PROGRAM_COMPILED_FUNCTION_H
#define HL_EXEC_PROGRAM_COMPILED_FUNCTION_H

#include "exec/program/specialization.h"

/* The inputs of a graph that its calls write to. */
typedef struct MutatedInputs { int *input, n; } MutatedInputs;

enum { SPECIALIZATION_BUCKETS = 64 };

typedef struct Compiled {
  int refs;
  Graph graph;
  MutatedInputs written[2];        /* out of training mode, and in it */
  bool records;              /* the code enters autograd.record itself */
  Scope *outer;              /* the block call around the trace; NULL: the script */
  uint64_t first_order, n_orders;   /* the numbers of the graph's nodes and scopes */
  Lock lock;                 /* guards all that follows, plans and programs: several threads may call it */
  Specialization *bucket[SPECIALIZATION_BUCKETS]; /* plans by what calls differ in most: modes and shapes */
  uint64_t clock;            /* uses of plans so far */
  int n_specializations, most_specializations;
  uint64_t made, hits, dropped;      /* of plans */
  uint64_t expected_heads;   /* see compiled_expected_heads */
  char *name;                /* for errors and explain */
} Compiled;

/* `also`: random nodes and effects that nothing uses. most_specializations: as many kinds of calls may take turns (batch
** sizes, modes) without a plan being made again; 1 or more. */
Status compiled_new(const char *name, const Entry *out, int n_out, Node *const *input, int n_input,
                    const NodeList *also, int most_specializations, Compiled **c);

/* Lets backward compute values of forward anew instead of keeping them (pass/checkpoint.c); before the first call. */
static inline void compiled_remat(Compiled *c) { c->graph.remat = true; }
Compiled *compiled_retain(Compiled *c);
static inline const MutatedInputs *compiled_mutated(const Compiled *c, unsigned mode) {
  return &c->written[(mode & CALL_TRAINS) != 0];
}
void compiled_release(Compiled *c);

/* The plan for a call of this kind, made if there is none, and a workspace to run it in. Both are the caller's until
** compiled_end; the workspace for longer where its backward is to come (w NULL in compiled_end). */
Status compiled_begin(Compiled *c, const CallKind *kind, Specialization **plan, RunState **w);
void compiled_end(Compiled *c, Specialization *plan, RunState *w);

/* Which outputs had a head gradient in the latest backward; UINT64_MAX: there was none. */
static inline uint64_t compiled_expected_heads(const Compiled *c) {
  return __atomic_load_n(&c->expected_heads, __ATOMIC_RELAXED);
}
static inline void compiled_expect_heads(Compiled *c, uint64_t heads) {
  __atomic_store_n(&c->expected_heads, heads, __ATOMIC_RELAXED);
}

/* Makes the plan for such a call, if there is none: what explain shows. */
Status compiled_specialize(Compiled *c, const CallKind *kind);

/* The plan that was used last before this one; of all, where it is NULL. NULL: there is no other. */
const Specialization *compiled_specialization_before(const Compiled *c, const Specialization *p);

#endif
