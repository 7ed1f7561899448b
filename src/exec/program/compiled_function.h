/* compiled_function.h - a traced graph and its specializations, one for each set of types.
**
** The graph is symbolic: the shapes of its inputs are open. A call uses the specialization for its types, modes and
** wanted gradients, made on demand (specialization.h). Their number is limited, and the least recently used one is
** dropped first.
**
** One lock guards specializations and run states, so several threads may call a compiled function at the same time.
** spec/native/threads.c calls one from eight threads, also under ThreadSanitizer (make tsan).
*/
#ifndef HL_EXEC_PROGRAM_COMPILED_FUNCTION_H
#define HL_EXEC_PROGRAM_COMPILED_FUNCTION_H

#include "exec/program/specialization.h"

/* The inputs of a graph that calls write to. */
typedef struct MutatedInputs { int *input, n; } MutatedInputs;

enum { SPECIALIZATION_BUCKETS = 64 };

typedef struct Compiled {
  int refs;
  Graph graph;
  MutatedInputs mutated[2];          /* outside training mode, and in it */
  bool records;                      /* the code itself enters autograd.record */
  bool has_steps;                    /* the graph has nodes of training steps (step_rows.h) */
  int n_updates;                     /* number of steps that may be updates (StepParams.update) */
  bool *marks;                       /* by output: the host's mark (compiled_mark); NULL: none has one */
  int n_results;                     /* number of outputs that the script gets, the first ones (compiled_hides) */
  Origin backward;                   /* the line of its last backward, or 0 */
  Scope *outer;                      /* the block call around the trace; NULL: the script */
  uint64_t first_order, n_orders;    /* range of sequence numbers of the graph's nodes and scopes */
  Lock lock;  /* guards the fields below, specializations and executables: several threads may call the function */
  Specialization *bucket[SPECIALIZATION_BUCKETS];   /* hashed by modes and shapes, in which calls differ most */
  uint64_t clock;                     /* number of uses of specializations so far */
  int n_specializations, most_specializations;
  uint64_t made, hits, dropped;       /* of specializations */
  uint64_t expected_heads;            /* see compiled_expected_heads */
  char *name;                         /* for errors and explain */
} Compiled;

/* `also`: unused nodes to keep because they draw random numbers or have other effects. most_specializations, at least
** 1: the number of kinds of calls (batch sizes, modes) that can alternate without respecializing. */
Status compiled_new(const char *name, const Entry *out, int n_out, Node *const *input, int n_input,
                    const NodeList *also, int most_specializations, Compiled **c);

/* Makes backward recompute forward values instead of keeping them (pass/checkpoint.c). To be called before the first
** call. */
static inline void compiled_remat(Compiled *c) { c->graph.remat = true; }

/* Says that the script gets only the first n outputs; the others are heads of training steps. To be called before the
** first call. */
static inline void compiled_hides(Compiled *c, int n_results) { c->n_results = n_results; }

/* Marks an output for the host, which gives arrays of two kinds (bind/core/lua_object.h). */
Status compiled_mark(Compiled *c, int output);

Compiled *compiled_retain(Compiled *c);
static inline const MutatedInputs *compiled_mutated(const Compiled *c, unsigned mode) {
  return &c->mutated[(mode & CALL_TRAINS) != 0];
}
void compiled_release(Compiled *c);

/* Finds or makes the specialization for a call, and a run state for it. The caller has both until compiled_end. If a
** backward may follow, it keeps the run state and passes NULL for w there. */
Status compiled_begin(Compiled *c, const CallKind *kind, Specialization **spec, RunState **w);
void compiled_end(Compiled *c, Specialization *spec, RunState *w);

/* The outputs that had a head gradient in the latest backward; UINT64_MAX if there was none. */
static inline uint64_t compiled_expected_heads(const Compiled *c) {
  return __atomic_load_n(&c->expected_heads, __ATOMIC_RELAXED);
}
static inline void compiled_expect_heads(Compiled *c, uint64_t heads) {
  __atomic_store_n(&c->expected_heads, heads, __ATOMIC_RELAXED);
}

/* Makes the specialization for calls of this kind if necessary, for explain. */
Status compiled_specialize(Compiled *c, const CallKind *kind);

/* The specialization used most recently before `p`, or most recently of all if `p` is NULL. NULL: none. */
const Specialization *compiled_specialization_before(const Compiled *c, const Specialization *p);

#endif
