/* specialization.h - what a compiled function runs for calls of one set of types, modes and wanted gradients.
**
** Making one infers types, builds gradients, runs the passes and plans memory. compiled_function.h chooses the
** specialization of a call.
**
** Outputs lie where eager code has them: in fresh buffers, or, where eager code gives a view, in the memory of an input
** or of another output with the same base. Which inputs are the same array is part of the types, because an array that
** is passed as two inputs is one value with one gradient. A backward that reads memory which the graph wrote over is
** not built (ir/written_memory.h).
*/
#ifndef HL_EXEC_PROGRAM_SPECIALIZATION_H
#define HL_EXEC_PROGRAM_SPECIALIZATION_H

#include "exec/array.h"
#include "exec/program/fused_executable.h"
#include "exec/program/run_state.h"

enum {
  CALL_TRAINS = 1,           /* the caller is in training mode */
  CALL_RECORDING = 2,        /* the caller is recording; read only if the call is recorded */
  CALL_RECORDED = 4,         /* backward may come */
  CALL_HOOKED = 8            /* operator by operator, as traced, because a kernel hook sees each result
                             ** (ir/kernel_hook.h) */
};

/* The kind of a call: what a specialization is made for. */
typedef struct CallKind {
  const Type *type;          /* of each input */
  const bool *wanted;        /* which inputs are on the tape; read only if the call is recorded */
  const int *same;           /* by input: the first that is the same value of the tape; NULL: all differ */
  unsigned mode;             /* one word, since it is compared at every call */
} CallKind;

/* Where an output lies. As in eager code, what is a view there shares memory with its base here:
** with an input, or with another output of the same root. */
typedef struct Output {
  int input;                 /* a part of this input, or -1: */
  int root;                  /* of this output of the executable */
  size_t offset;             /* bytes into it */
  Type type;
  bool taped;                /* eager code would have it on the tape */
  uint64_t tape_ancestors;   /* the outputs that depend on it on the tape, itself among them: its tape is freed with
                             ** theirs */
  bool used_inside;          /* the graph reads it too, outside of the block call that made it */
} Output;

typedef struct Specialization {
  Executable *executable;    /* what runs now */
  Tier *tier;                /* what is to run when its kernels are there */
  bool fused;                /* it does */
  uint64_t fused_after;      /* calls before it did */
  Type *type;                /* of each input */
  bool *wanted;              /* which inputs are on the tape */
  int *same;                 /* as in CallKind, or NULL */
  int *grad_output;          /* by input: which of backward's outputs, or -1 */
  bool *multiple_terms;      /* by input: its gradient has several terms that no block call of the graph holds
                             ** together */
  uint64_t *dependents;      /* by input: which outputs depend on it, on the tape (bit i; all for more than 64) */
  Output *output;            /* of each of the graph's outputs */
  int n_roots;               /* outputs of the forward part */
  bool direct;               /* output i is root i, whole */
  bool taped;                /* an output is on the tape */
  uint64_t possible_heads;   /* bit i: output i is a float on the tape */
  uint64_t heads;            /* of these, those that have a head gradient in backward */
  unsigned mode;             /* as in CallKind */
  size_t eager_bytes;        /* what eager execution of forward allocates */
  int eager_nodes;           /* operators before the passes */
  uint64_t hits;
  int calls;                 /* that use it now */
  double seconds;            /* that it took to make */
  uint64_t used;             /* when it was last: the compiled function's clock */
  Bump bump;                 /* for the arrays above */
  struct Specialization *next;   /* in its bucket, less recently used */
} Specialization;

struct Compiled;               /* exec/program/compiled_function.h */

/* A specialization for calls of this kind. */
Status specialization_new(struct Compiled *c, const CallKind *kind, Specialization **out);
void specialization_release(Specialization *p);

/* Runs the fused executable from now on, if its kernels are there: every call checks until they are. Runs whose
** backward is still to come keep the executable that they began with. */
Status specialization_take_fused(Specialization *spec, const char *name, Lock *lock);

#endif
