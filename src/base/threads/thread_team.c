/* thread_team.c - see thread_team.h.
**
** The loop's owner and each member agree without a lock through the member's state. The owner calls an idle member; the
** member accepts the call, or the owner withdraws it once all chunks are taken. So no thread waits for another to wake
** up. The loop's description is constant from the first call until no member works.
*/
#include "base/threads/thread_team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/settings/machine.h"
#include "base/size_math.h"

enum { MOST_THREADS = 256 };
enum { CHUNKS = 16, FEWEST = 8 };        /* maximum number of chunks per thread's run, and per grain */

/* Time in seconds that a thread spins before it sleeps: a few times the cost of sleeping and waking. */
static const double LOOKING = 100e-6;

typedef enum WorkerState { IDLE, CALLED, WORKING } WorkerState;

/* Member 0 is the loop's owner, which has no state but can sleep. */
typedef struct TeamThread {
  _Alignas(LINE_BYTES) _Atomic(WorkerState) state;
  atomic_bool sleeps;
  int id;
  pthread_mutex_t lock;
  pthread_cond_t wake;
} TeamThread;

typedef struct LoopShare { _Alignas(LINE_BYTES) atomic_int_fast64_t next; int64_t end; } LoopShare;

static TeamThread member[MOST_THREADS] = { { .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER } };
static LoopShare run[MOST_THREADS];
static struct { TeamBody *body; void *context; int64_t chunk; int threads; bool looks; } loop;
static atomic_int started = 1;           /* number of members, the owner included */
static atomic_bool owned;                /* a loop uses the team and the variables above */
static _Thread_local int self;
static _Thread_local bool inside;

bool team_is_inside(void) { return inside; }
int team_thread(void) { return self; }

static inline void breathe(void) {
#if defined __x86_64__
  __builtin_ia32_pause();
#endif
}

static bool is_called(const TeamThread *m) { return atomic_load(&m->state) == CALLED; }
static bool is_through(const TeamThread *m) { return atomic_load(&m->state) != WORKING; }

/* Waits until `reached` holds for m: spins, then sleeps in `sleeper`. */
static void await(const TeamThread *m, bool (*reached)(const TeamThread *), TeamThread *sleeper, bool looks) {
  enum { TURNS = 32 };                   /* between two readings of the clock */
  for (;;) {
    const double start = looks ? machine_seconds() : 0;
    do {
      for (int turn = 0; turn < TURNS; turn++, breathe())
        if (reached(m)) return;
    } while (looks && machine_seconds() - start < LOOKING);
    pthread_mutex_lock(&sleeper->lock);
    atomic_store(&sleeper->sleeps, true);
    if (!reached(m)) pthread_cond_wait(&sleeper->wake, &sleeper->lock);
    atomic_store(&sleeper->sleeps, false);
    pthread_mutex_unlock(&sleeper->lock);
  }
}

static void wake(TeamThread *sleeper) {
  if (!atomic_load(&sleeper->sleeps)) return;
  pthread_mutex_lock(&sleeper->lock);
  pthread_cond_signal(&sleeper->wake);
  pthread_mutex_unlock(&sleeper->lock);
}

/* Processes the chunks of the thread's own run, then steals from the others. */
static void work(int id) {
  inside = true;
  for (int i = 0; i < loop.threads; i++) {
    LoopShare *r = &run[(id + i) % loop.threads];
    for (int64_t at; (at = atomic_fetch_add_explicit(&r->next, loop.chunk, memory_order_relaxed)) < r->end;)
      loop.body(loop.context, at, r->end - at < loop.chunk ? r->end : at + loop.chunk);
  }
  inside = false;
}

static void *live(void *argument) {
  TeamThread *m = argument;
  self = m->id;
  for (bool looks = true;;) {
    await(m, is_called, m, looks);
    WorkerState called = CALLED;
    if (!atomic_compare_exchange_strong(&m->state, &called, WORKING)) continue;
    work(m->id);
    looks = loop.looks;
    atomic_store(&m->state, IDLE);
    wake(&member[0]);
  }
  return NULL;
}

/* The program's own threads handle signals. */
static bool start(TeamThread *m) {
  pthread_attr_t detached;
  pthread_t thread;
  sigset_t all, before;
  if (pthread_attr_init(&detached) != 0) return false;
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_mutex_init(&m->lock, NULL);
  pthread_cond_init(&m->wake, NULL);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool ok = pthread_create(&thread, &detached, live, m) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&detached);
  return ok;
}

static int gather(int threads) {
  if (threads > MOST_THREADS) threads = MOST_THREADS;
  for (int id = started; id < threads; started = ++id) {
    member[id].id = id;
    if (!start(&member[id])) return id;
  }
  return threads;
}

/* Long runs begin at multiples of a vector. */
static int64_t whole(int64_t n) { return n < 64 * LINE_BYTES ? n : n & -LINE_BYTES; }

static void deal(int64_t from, int64_t to, int64_t grain) {
  const int64_t n = to - from, each = n / loop.threads, more = n % loop.threads;
  loop.chunk = most(1, whole(most(each / CHUNKS, grain / FEWEST)));
  for (int64_t i = 0; i < loop.threads; i++) {
    atomic_store_explicit(&run[i].next, from, memory_order_relaxed);
    run[i].end = from = i + 1 == loop.threads ? to : from + whole(each + (i < more));
  }
}

bool team_run(int threads, int64_t from, int64_t to, int64_t grain, TeamBody *body, void *context) {
  static int cores;
  if (atomic_exchange(&owned, true)) return false;
  if (cores == 0) cores = machine_cores();
  loop.threads = gather(threads);
  loop.looks = threads <= cores;
  loop.body = body;
  loop.context = context;
  const bool shared = loop.threads > 1;
  if (shared) {
    deal(from, to, grain);
    for (int i = 1; i < loop.threads; i++) {
      atomic_store(&member[i].state, CALLED);
      wake(&member[i]);
    }
    work(0);
    for (int i = 1; i < loop.threads; i++) {
      WorkerState called = CALLED;
      if (!atomic_compare_exchange_strong(&member[i].state, &called, IDLE))
        await(&member[i], is_through, &member[0], loop.looks);
    }
  }
  atomic_store(&owned, false);
  return shared;
}

bool team_is_awake(int threads) {
  if (threads > started) return false;
  for (int i = 1; i < threads; i++)
    if (atomic_load_explicit(&member[i].sleeps, memory_order_relaxed)) return false;
  return true;
}
