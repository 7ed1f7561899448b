/* debug_switches.h - switches for finding bugs of the engine. Off, they cost one comparison where they are tested.
**
** HYBRIDLUA_POISON=1   new and freed memory is filled with NaN
** HYBRIDLUA_NOPLAN=1   values of a compiled function share no memory
** HYBRIDLUA_JIT=off|sync|background   generated kernels: none, waited for, or used when ready (the default)
** HYBRIDLUA_STRICT=1   a pass that breaks a graph is an error; otherwise the program continues without fused kernels
** HYBRIDLUA_LAPACK=off linear algebra by our loops, as if the library had no LAPACK
** HYBRIDLUA_CONVOLUTION=direct  no Winograd convolution (kernels/conv/conv_algorithm.h)
** HYBRIDLUA_LOG=trace,plan,kernel   a line on stderr for each of these made
*/
#ifndef HL_BASE_SETTINGS_DEBUG_SWITCHES_H
#define HL_BASE_SETTINGS_DEBUG_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum JitMode { JIT_BACKGROUND, JIT_SYNC, JIT_OFF, N_JIT_MODES } JitMode;

/* Which operators an executable decomposes, by their row's `lower` or `expand`, in both tiers: those for which it pays
** or, in tests, all that can be. */
typedef enum DecomposeMode {
  DECOMPOSE_WHERE_IT_PAYS,
  DECOMPOSE_LOWERED,
  DECOMPOSE_EXPANDED,
  N_DECOMPOSE_MODES
} DecomposeMode;

/* A failure made for tests: of an instruction, which Ctrl-C takes the same way as an error, or of the memory that a run
** takes before its first instruction. */
typedef enum FailureKind { FAILURE_ERROR, FAILURE_MEMORY, N_FAILURE_KINDS } FailureKind;

typedef struct Debug {
  bool poison;
  bool no_plan;
  bool remat;            /* backward recomputes all it can, in every graph (pass/checkpoint.c) */
  bool report_tiles;     /* kernels report tiles of any length, even of small results (ir/op.h) */
  bool share;            /* loops and products use all threads, however small they are */
  bool strict;           /* a pass that breaks a graph is an error; otherwise there are no fused kernels */
  bool no_packed_weights;     /* kernels keep no packed weights for later calls (tensor/packed_weights.h) */
  bool no_lapack;        /* constant once memory plans exist: their workspaces fit one setting */
  bool direct_convolution;  /* constant likewise */
  JitMode jit;
  DecomposeMode decompose;
  int n_decomposed;      /* number of nodes decomposed because of `decompose` */
  int64_t fail_in;       /* for tests: the instruction, counted from now, that fails before it runs; 0: none */
  FailureKind failure;   /* the kind of that failure; of FAILURE_MEMORY runs are counted instead */
  char wrong[64];        /* for tests: in compiled functions, results of this operator get a wrong bit */
} Debug;
extern Debug debug;      /* read from the environment at start */

void debug_poison(void *memory, size_t bytes);     /* fills it with 0xFF: NaN, or -1 */

/* The mode with this name; -1 if there is none. */
int jit_mode(const char *name);
const char *jit_mode_name(JitMode mode);

/* The mode with this name (pays, lowered, expanded); -1 if there is none. */
int decompose_mode(const char *name);
const char *decompose_mode_name(DecomposeMode mode);

/* The kind with this name (error, memory); -1 if there is none. */
int failure_kind(const char *name);
const char *failure_kind_name(FailureKind kind);

typedef enum LogTopic { LOG_TRACE, LOG_PLAN, LOG_KERNEL, N_LOG_TOPICS } LogTopic;

/* The topic with this name; -1 if there is none. */
int log_topic(const char *name);
bool log_wanted(LogTopic topic);

/* Writes "hybridlua TOPIC: ..." to stderr if the topic is wanted. */
void log_line(LogTopic topic, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
