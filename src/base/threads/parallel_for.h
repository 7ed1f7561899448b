/* parallel_for.h - parallel loops, and the flag that all long loops check.
**
** Loops share the threads of thread_team.h. A body gets consecutive items, and an item's result never depends on the
** number of threads, although the division of work may depend on timing.
**
** OpenBLAS and its LAPACK run in the calling thread (parallel_library_alone), because their results would depend on
** their number of threads. Our threads share products: float32 ones in any parts (kernels/matmul/matrix_product.c),
** OpenBLAS's in parts that depend on sizes alone (tensor/blas.c), and the matrices of a stack
** (kernels/linalg/each_matrix.h). With debug.share, every loop is shared, however short.
** spec/ops/thread_counts_spec.lua compares bits across numbers of threads.
*/
#ifndef HL_BASE_THREADS_PARALLEL_FOR_H
#define HL_BASE_THREADS_PARALLEL_FOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Number of threads a loop may use: HYBRIDLUA_NUM_THREADS, else OMP_NUM_THREADS, else the machine's cores; at least
** 1. */
int parallel_threads(void);
void parallel_set_threads(int n);

/* Keeps OpenMP libraries that this thread calls from using other threads, until parallel_library_let gets the returned
** value; OpenMP keeps this setting per thread. */
int parallel_library_alone(void);
void parallel_library_let(int before);

/* Calls body(context, first, last) for consecutive chunks of [0, n); a thread may get several. Several threads are used
** only if each gets at least `grain` items. If the others sleep and there are many items, the time of the first items
** decides whether waking threads pays. */
typedef void ParallelBody(void *context, int64_t first, int64_t last);
void parallel_for(int64_t n, int64_t grain, ParallelBody *body, void *context);

/* The index of the running thread in its loop, 0 outside loops. */
int parallel_thread(void);

/* Limits loops of this thread to n threads; 0 removes the limit. Returns the previous limit. */
int parallel_limit(int n);

/* parallel_for for a body that does not check the flag below: it gets chunks of some milliseconds, and none after an
** interrupt. */
void parallel_chunks(int64_t n, int64_t grain, ParallelBody *body, void *context);

/* The reasons to stop work. Operators, instructions and chunks of long loops check the flag. A loop that stops early
** leaves its output unfinished, and the call fails with interrupt_status.
**   STOP_INTERRUPT  Ctrl-C; the signal handler sets it, and the code that serves it clears it.
**   STOP_FORKED     this process was made by fork() without exec. It lacks the threads of the
**                   pool, so a loop over them would wait forever. */
enum { STOP_INTERRUPT = 1, STOP_FORKED = 2 };
extern volatile int interrupt_flag;
static inline bool interrupted(void) { return __builtin_expect(interrupt_flag != 0, 0); }
static inline void interrupt_set(int why) { __atomic_fetch_or(&interrupt_flag, why, __ATOMIC_RELAXED); }
static inline void interrupt_clear(int why) { __atomic_fetch_and(&interrupt_flag, ~why, __ATOMIC_RELAXED); }
Status interrupt_status(void);

/* Must be called before threads of the pool start: from then on, a child made by fork() gets STOP_FORKED. */
void parallel_watch_forks(void);

/* Allows computing in a child made by fork() (exec/train/worker_process.h), permanently in one thread. */
void parallel_be_worker(void);

#endif
