/* specialization.h - the executable form of a compiled function for calls with the same types, modes and wanted
** gradients.
**
** Making one infers types, builds gradients, runs the passes and plans memory. compiled_function.h chooses the
** specialization of a call.
**
** Outputs share memory as in eager code: they are fresh buffers or, if eager code returns a view, parts of an input or
** of another output with the same base. Which inputs are the same array is part of the kind, because an array passed as
** two inputs is one value with one gradient. A backward that reads memory overwritten by the graph is not built
** (ir/graph/written_memory.h).
*/
#ifndef HL_EXEC_PROGRAM_SPECIALIZATION_H
#define HL_EXEC_PROGRAM_SPECIALIZATION_H

#include "exec/array.h"
#include "exec/program/fused_executable.h"
#include "exec/program/run_state.h"
#include "exec/program/step_graph.h"

enum {
  CALL_TRAINS = 1,           /* the caller is in training mode */
  CALL_RECORDING = 2,        /* the caller is recording; read only if the call is recorded */
  CALL_RECORDED = 4,         /* a backward may follow */
  CALL_ELSEWHERE = 16,       /* the arrays are on CallKind.device, which is not host memory */
  CALL_STEPS = 32,           /* its executable may perform training steps: all arrays on the tape are leaves */
  CALL_HOOKED = 8            /* operators run one by one, as traced, because a kernel hook observes each result
                             ** (ir/kernel_hook.h) */
};

/* The properties of a call that determine its specialization. */
typedef struct CallKind {
  const Type *type;          /* by input */
  const bool *wanted;        /* by input: it is on the tape; read only if the call is recorded */
  const int *same;           /* by input: the first that is the same value on the tape; NULL: all differ */
  const uint8_t *req;        /* by input: the GradReq of its leaf or GRAD_NULL; read only with CALL_STEPS */
  const StepUpdate *update;  /* by number: what the training steps will update; read only with CALL_STEPS */
  unsigned mode;             /* one word, since every call compares it */
  Device device;             /* read only with CALL_ELSEWHERE */
} CallKind;

/* The memory of an output: a part of an input, or of an output of the executable that other outputs may share. */
typedef struct Output {
  int input;                 /* the input, or -1 */
  int root;                  /* the output of the executable if `input` is -1 */
  size_t offset;             /* bytes into that input or output */
  Type type;
  bool taped;                /* eager code would have it on the tape */
  uint64_t tape_ancestors;   /* the outputs that depend on it on the tape, itself included: its tape is freed with
                             ** theirs */
  bool used_inside;          /* the graph also reads it outside the block call that made it */
} Output;

typedef struct Specialization {
  Executable *executable;    /* of the tier in use */
  Tier *tier;                /* tier 1, until its kernels are ready */
  bool fused;                /* tier 1 is running */
  uint64_t fused_after;      /* number of calls before tier 1 ran */
  Type *type;                /* by input */
  bool *wanted;              /* by input: it is on the tape */
  int *same;                 /* as in CallKind, or NULL */
  int *grad_output;          /* by input: the index among backward's outputs, or -1 */
  bool *multiple_terms; /* by input: its gradient has several terms that are not inside one block call of the graph */
  uint64_t *dependents; /* by input: the outputs that depend on it on the tape (bit i; all set if there are more
                             ** than 64) */
  Output *output; /* by output of the graph */
  int n_roots; /* number of outputs of the forward part */
  bool direct; /* output i is the whole of root i */
  bool taped; /* an output is on the tape */
  uint64_t possible_heads; /* bit i: output i is a float on the tape */
  uint64_t heads; /* possible heads with a head gradient in backward */
  bool steps;    /* the executable performs the training steps; else the host does, on the tape */
  uint8_t *req;  /* as in CallKind */
  StepUpdate *update; /* as in CallKind, without arrays */
  StepInput *added; /* as in StepPlan */
  int n_added;
  unsigned mode; /* as in CallKind */
  Device device; /* as in CallKind, or DEVICE_HOST */
  size_t eager_bytes; /* allocated by eager execution of forward */
  int eager_nodes; /* number of operators before the passes */
  uint64_t hits;
  int calls; /* number of calls in progress */
  double seconds; /* spent on making it */
  uint64_t used; /* latest use, by the compiled function's clock */
  Bump bump; /* for the arrays above */
  struct Specialization *next;   /* in its bucket; less recently used */
} Specialization;

struct Compiled;               /* exec/program/compiled_function.h */

/* Makes a specialization for calls of this kind. */
Status specialization_new(struct Compiled *c, const CallKind *kind, Specialization **out);
void specialization_release(Specialization *p);

/* Switches to the fused executable if its kernels are ready; every call checks until they are. Runs with a pending
** backward keep their executable. */
Status specialization_take_fused(Specialization *spec, const char *name, Lock *lock);

#endif
