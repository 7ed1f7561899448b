/* parallel_for.h - loops over threads, and the flags that every long loop obeys.
**
** Loops share the threads of thread_team.h. A body gets consecutive items, and what an item computes never depends on
** the number of threads: whether there are several, and which gets what, may depend on the time.
**
** OpenBLAS and its LAPACK get no threads of their own, because their results would depend on the number of these: they
** compute in the calling thread (parallel_library_alone). Our threads share products: float32 ones in any parts
** (kernels/matmul/matmul_kernel.c), those of OpenBLAS in pieces by their sizes alone (tensor/blas.c), and the matrices of
** a stack (kernels/matmul/each_matrix.h). debug.share has every loop shared, however short.
** spec/ops/thread_counts_spec.lua compares the bits of several numbers of threads.
*/
#ifndef HL_BASE_THREADS_PARALLEL_FOR_H
#define HL_BASE_THREADS_PARALLEL_FOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Threads a loop may use: HYBRIDLUA_NUM_THREADS, else OMP_NUM_THREADS, else the
** machine's cores; never less than 1. */
int parallel_threads(void);
void parallel_set_threads(int n);

/* Libraries with OpenMP that this thread calls use no other threads until parallel_library_let gets what this gave:
** OpenMP has that number for each thread. */
int parallel_library_alone(void);
void parallel_library_let(int before);

/* Calls body(context, first, last) for consecutive chunks of [0, n), of which a thread may get several. More than one
** thread is used only if each gets at least `grain` items, and where the others sleep and there are many items, only if
** the time that the first ones took says that it pays. */
typedef void ParallelBody(void *context, int64_t first, int64_t last);
void parallel_for(int64_t n, int64_t grain, ParallelBody *body, void *context);

/* Which thread of its loop runs: 0, 1, ... below the number of threads; 0 outside of loops. */
int parallel_thread(void);

/* Loops of this thread take at most n threads from now on, whatever parallel_threads says; 0: as many as that.
** Gives what held before. */
int parallel_limit(int n);

/* parallel_for for a body that does not look at the flag below itself: it gets chunks of some milliseconds,
** and no more of them after an interrupt. */
void parallel_chunks(int64_t n, int64_t grain, ParallelBody *body, void *context);

/* Why work must stop: operators, instructions and chunks of long loops look at the
** flag. A loop that stops early leaves its output unfinished, and the call fails with
** what interrupt_status gives.
**   STOP_INTERRUPT  Ctrl-C; its handler sets it, and the code that serves it clears it.
**   STOP_FORKED     this is a child made by fork() without exec, and the threads of the
**                   pool did not come along: a loop over them would wait for ever. */
enum { STOP_INTERRUPT = 1, STOP_FORKED = 2 };
extern volatile int interrupt_flag;
static inline bool interrupted(void) { return __builtin_expect(interrupt_flag != 0, 0); }
static inline void interrupt_set(int why) { __atomic_fetch_or(&interrupt_flag, why, __ATOMIC_RELAXED); }
static inline void interrupt_clear(int why) { __atomic_fetch_and(&interrupt_flag, ~why, __ATOMIC_RELAXED); }
Status interrupt_status(void);

/* To be called before threads of the pool start, by the code that starts them: from then on a
** child made by fork() gets STOP_FORKED. */
void parallel_watch_forks(void);

/* This is a child made by fork() that is to compute all the same (exec/train/worker_process.h): in one thread, for
** good. */
void parallel_be_worker(void);

#endif
