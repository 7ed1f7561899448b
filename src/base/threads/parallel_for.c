/* parallel_for.c - see parallel_for.h. */
#include "base/threads/parallel_for.h"

#ifdef _OPENMP
#include <omp.h>
#else            /* without OpenMP */
static inline int omp_get_max_threads(void) { return 1; }
static inline void omp_set_num_threads(int n) { (void)n; }
#endif
#include <pthread.h>
#include <stdlib.h>

#include "base/settings/debug_switches.h"
#include "base/settings/environment.h"
#include "base/settings/machine.h"
#include "base/threads/thread_team.h"

volatile int interrupt_flag;

static int threads;
static bool worker;
static _Thread_local int most_threads;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static void in_child(void) { interrupt_set(STOP_FORKED); }
static void watch(void) { pthread_atfork(NULL, NULL, in_child); }

void parallel_watch_forks(void) { pthread_once(&watch_once, watch); }

int parallel_threads(void) {
  if (__builtin_expect(threads == 0, 0)) {
    int n = environment_count("HYBRIDLUA_NUM_THREADS");
    if (n == 0) n = environment_count("OMP_NUM_THREADS");
    parallel_set_threads(n > 0 ? n : machine_cores());
  }
  return threads;
}

void parallel_set_threads(int n) { threads = n < 1 || worker ? 1 : n; }

void parallel_be_worker(void) {
  worker = true;
  threads = 1;
  interrupt_clear(STOP_FORKED);
}

int parallel_library_alone(void) {
  const int before = omp_get_max_threads();
  if (before != 1) omp_set_num_threads(1);
  return before;
}

void parallel_library_let(int before) {
  if (before != 1) omp_set_num_threads(before);
}

/* Waking a thread and waiting for it costs 5 us if it slept for less than 50 us, else 40 us (AMD EPYC, a virtual
** machine), so its work must take as long. */
static const double WORTH_A_THREAD = 30e-6;
enum { PROBES = 16 };            /* the first 1/PROBES of a loop is timed */

int parallel_thread(void) { return team_thread(); }

int parallel_limit(int n) {
  int before = most_threads;
  most_threads = n;
  return before;
}

void parallel_for(int64_t n, int64_t grain, ParallelBody *body, void *context) {
  int team = parallel_threads();
  if (most_threads > 0 && team > most_threads) team = most_threads;
  int64_t done = 0;
  if (grain < 1 || debug.share) grain = 1;
  if (n / grain < team) team = (int)(n / grain);
  if (team > 1 && (team_is_inside() || interrupt_flag & STOP_FORKED)) team = 1;
  if (team > 1 && n >= PROBES && !debug.share && !team_is_awake(team)) {
    double start = machine_seconds();
    done = n / PROBES < grain ? n / PROBES : grain;
    body(context, 0, done);
    double rest = (machine_seconds() - start) / (double)done * (double)(n - done);
    if (rest < WORTH_A_THREAD * team) team = (int)(rest / WORTH_A_THREAD);
  }
  if (team > 1) parallel_watch_forks();
  if (team > 1 && team_run(team, done, n, grain, body, context)) return;
  if (n > done) body(context, done, n);
}

typedef struct LoopChunks { ParallelBody *body; void *context; int64_t step; } LoopChunks;

static void run_chunks(void *context, int64_t first, int64_t last) {
  const LoopChunks *p = context;
  for (int64_t at = first, n; at < last && !(interrupt_flag & STOP_INTERRUPT); at += n) {
    n = last - at < p->step ? last - at : p->step;
    p->body(p->context, at, at + n);
  }
}

enum { GRAINS = 32 };            /* per chunk */

void parallel_chunks(int64_t n, int64_t grain, ParallelBody *body, void *context) {
  if (grain < 1) grain = 1;
  parallel_for(n, grain, run_chunks, &(LoopChunks){ body, context, grain < n / GRAINS ? grain * GRAINS : n });
}

Status interrupt_status(void) {
  if (interrupt_flag & STOP_FORKED)
    return fail(
      "hybridlua cannot be used in a process made by fork() without exec: its threads exist only in the parent");
  return interrupted() ? fail_as(E_INTERRUPT, "interrupted!") : OK;
}
