/* parallel.h - loops over threads, and the flags that every long loop obeys.
**
** One pool: OpenMP's, which OpenBLAS's OpenMP build shares. A loop is cut into
** one run of consecutive items a thread, so what an item computes never depends
** on the number of threads.
*/
#ifndef HL_PARALLEL_H
#define HL_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Threads a loop may use: HYBRIDLUA_NUM_THREADS, else OMP_NUM_THREADS, else the
** machine's cores; never less than 1. */
int parallel_threads(void);
void parallel_set_threads(int n);

/* Calls body(context, first, last) for consecutive pieces of [0, n). More than
** one thread is used only if each gets at least `grain` items. */
typedef void ParallelBody(void *context, int64_t first, int64_t last);
void parallel_for(int64_t n, int64_t grain, ParallelBody *body, void *context);

/* Ctrl-C. The handler sets the flag; operators, instructions and pieces of long
** loops look at it. A loop that stops early leaves its output unfinished, and the
** call fails with E_INTERRUPT. */
extern volatile int interrupt_flag;
static inline bool interrupted(void) { return __builtin_expect(interrupt_flag != 0, 0); }
Status interrupt_status(void);

/* A child made by fork() without exec would hang in the thread pool: fails there. */
Status fork_check(void);

#endif
