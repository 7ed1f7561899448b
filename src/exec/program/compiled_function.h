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
  MutatedInputs mutated[2];          /* out of training mode, and in it */
  bool records;                      /* the code enters autograd.record itself */
  Scope *outer;                      /* the block call around the trace; NULL: the script */
  uint64_t first_order, n_orders;    /* the sequence numbers of the graph's nodes and scopes */
  Lock lock;                         /* guards all that follows, specializations and executables: several threads may
                                     ** call it */
  Specialization *bucket[SPECIALIZATION_BUCKETS];   /* by what calls differ in most: modes and shapes */
  uint64_t clock;                     /* uses of specializations so far */
  int n_specializations, most_specializations;
  uint64_t made, hits, dropped;       /* of specializations */
  uint64_t expected_heads;            /* see compiled_expected_heads */
  char *name;                         /* for errors and explain */
} Compiled;

/* `also`: random nodes and effects that nothing uses. most_specializations: how many kinds of calls (batch sizes,
** modes) may alternate without a specialization being made again; 1 or more. */
Status compiled_new(const char *name, const Entry *out, int n_out, Node *const *input, int n_input,
                    const NodeList *also, int most_specializations, Compiled **c);

/* Lets backward recompute values of forward instead of keeping them (pass/checkpoint.c); before the first call. */
static inline void compiled_remat(Compiled *c) { c->graph.remat = true; }
Compiled *compiled_retain(Compiled *c);
static inline const MutatedInputs *compiled_mutated(const Compiled *c, unsigned mode) {
  return &c->mutated[(mode & CALL_TRAINS) != 0];
}
void compiled_release(Compiled *c);

/* The specialization for a call of this kind, made if there is none, and a run state to run it in. Both are the
** caller's until compiled_end; the run state for longer if its backward is still to come (w NULL in compiled_end). */
Status compiled_begin(Compiled *c, const CallKind *kind, Specialization **spec, RunState **w);
void compiled_end(Compiled *c, Specialization *spec, RunState *w);

/* Which outputs had a head gradient in the latest backward; UINT64_MAX: there was none. */
static inline uint64_t compiled_expected_heads(const Compiled *c) {
  return __atomic_load_n(&c->expected_heads, __ATOMIC_RELAXED);
}
static inline void compiled_expect_heads(Compiled *c, uint64_t heads) {
  __atomic_store_n(&c->expected_heads, heads, __ATOMIC_RELAXED);
}

/* Makes the specialization for such a call, if there is none: what explain shows. */
Status compiled_specialize(Compiled *c, const CallKind *kind);

/* The specialization that was used last before this one, or last of all if `p` is NULL. NULL: there is no other. */
const Specialization *compiled_specialization_before(const Compiled *c, const Specialization *p);

#endif
