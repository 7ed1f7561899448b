/* specialization.h - a traced graph and the programs made of it, one for each set of types.
**
** The graph is symbolic: its inputs' shapes are open. A call looks for a plan with the
** types, modes and wanted gradients at hand, or makes one: types are inferred, gradients
** built, passes run, memory planned. Plans are few and bounded, the least recently used
** goes first.
**
** Outputs lie where eager code has them: in fresh buffers, or, where eager code gives a view, in the memory of an input
** or of another output with the same base. Which inputs are the same array is part of the types, because an array that
** enters in two places is one value with one gradient. A backward that reads memory which the graph wrote over is not
** built (ir/written_memory.h).
**
** Specializations and run states are guarded by one lock, so several threads may call a compiled function at once;
** spec/native/threads.c calls one from eight threads, under ThreadSanitizer too (make tsan).
*/
#ifndef HL_EXEC_PROGRAM_SPECIALIZATION_H
#define HL_EXEC_PROGRAM_SPECIALIZATION_H

#include "exec/array.h"
#include "exec/program/executable.h"
#include "exec/program/fused_executable.h"

enum {
  CALL_TRAINS = 1,           /* the modes of the caller */
  CALL_RECORDING = 2,        /* looked at where the call is recorded */
  CALL_RECORDED = 4,         /* backward may come */
  CALL_HOOKED = 8           /* operator by operator, as traced, for each result is looked at (ir/kernel_hook.h) */
};

/* How a call stands: what a plan is made for. */
typedef struct CallKind {
  const Type *type;          /* of each input */
  const bool *wanted;        /* which inputs are on the tape; looked at where it is recorded */
  const int *same;           /* by input: the first that is the same value of the tape; NULL: all differ */
  unsigned mode;             /* one word, since it is compared at every call */
} CallKind;

/* Where an output lies. As in eager code, what is a view there shares memory with its base here:
** with an input, or with another output of the same root. */
typedef struct Output {
  int input;                 /* a part of this input, or -1: */
  int root;                  /* of this output of the program */
  size_t offset;             /* bytes into it */
  Type type;
  bool taped;                /* eager code would have it on the tape */
  uint64_t tape_ancestors;            /* on the tape it lies under these outputs, itself among them: with theirs its tape goes */
  bool used_inside;          /* the graph reads it too, outside of the block call that made it */
} Output;

typedef struct Specialization {
  Executable *program;          /* what runs now */
  Tier *tier;                /* what is to run when its kernels are there */
  bool fused;                /* it does */
  uint64_t fused_after;      /* calls before it did */
  Type *type;                /* of each input */
  bool *wanted;              /* which inputs are on the tape */
  int *same;                 /* as in CallKind, or NULL */
  int *grad_output;          /* by input: which of backward's outputs, or -1 */
  bool *multiple_terms;             /* by input: its gradient has several terms
                             ** that no block call of the graph holds together */
  uint64_t *dependents;           /* by input: which outputs depend on it, on the tape (bit i; all for more than 64) */
  Output *output;            /* of each of the graph's outputs */
  int n_roots;               /* outputs of the forward program */
  bool direct;               /* output i is root i, whole */
  bool taped;                /* an output is on the tape */
  uint64_t possible_heads;   /* bit i: output i is a float on the tape */
  uint64_t heads;            /* of these, those that have a head gradient in backward */
  unsigned mode;             /* as in CallKind */
  size_t eager_bytes;        /* what eager execution of forward allocates */
  int eager_nodes;           /* operators before the passes */
  uint64_t hits;
  int calls;                 /* under way with it */
  double seconds;            /* that it took to make */
  uint64_t used;             /* when it was last: the compiled graph's clock */
  struct Specialization *next;         /* on its bucket, less recently used */
} Specialization;

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
