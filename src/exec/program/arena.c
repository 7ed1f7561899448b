/* arena.c - see arena.h. Idle arenas of a kind are a stack: programs that alternate in the same way each time get the
** same arenas each time.
**
** Invariant: `lock` guards all lists and fields; who holds it waits for nothing, and allocates and frees nothing.
*/
#include "exec/program/arena.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/settings/debug_switches.h"
#include "base/threads/spin_lock.h"

struct Arena {
  Arena *below;              /* in the stack of idle ones */
  Arena *next, **place;      /* in the list of all; where the pointer to it is */
  size_t bytes;              /* after this header */
  size_t needed;             /* by the run that has it; 0: it is idle */
  unsigned tick;             /* when it became idle */
  ArenaKind kind;
};
_Static_assert(sizeof(Arena) <= BLOCK_ALIGN, "the header must fit before the memory");

enum {
  MOST_LOOKED_AT = 64,       /* idle ones, for the best */
  MOST_TIMES = 4 /* what is needed: a larger one is not taken for saved values, since it is held for long */
};

static Lock lock;
static Arena *all[N_ARENA_KINDS], *idle[N_ARENA_KINDS];
static unsigned tick; /* the sweeper's; see below */
static bool sweeping;
static pid_t sweeper_process;

/* ---- Life ---------------------------------------------------------------------------------------------- */

static void give_back_memory(void);
static int64_t kept_bytes(void);

static const Reclaimer reclaimer = { .rank = RECLAIM_UNUSED,
                                     .what = "arenas of compiled calls",
                                     .why = "for the intermediate values of the next call, of any program",
                                     .kept = kept_bytes,
                                     .give_back = give_back_memory };

static void unlist(Arena *a) {
  *a->place = a->next;
  if (a->next) a->next->place = a->place;
}

/* Frees a chain of arenas, which are in no list; their pages go to the system at once, whatever malloc keeps. */
static void free_arenas(Arena *a) {
  while (a) {
    Arena *below = a->below;
    const size_t bytes = BLOCK_ALIGN + a->bytes;
    block_cut_lasting(a, bytes, BLOCK_ALIGN);
    block_free_lasting(a, BLOCK_ALIGN);
    a = below;
  }
}

static Status arena_new(ArenaKind kind, size_t bytes, Arena **out) {
  void *block;
  memory_add_reclaimer(&reclaimer);
  TRY(block_new_lasting(BLOCK_ALIGN + bytes, &block));
  Arena *a = *out = block;
  lock_take(&lock);
  *a = (Arena){ .kind = kind, .bytes = bytes, .needed = bytes, .next = all[kind], .place = &all[kind] };
  if (a->next) a->next->place = &a->next;
  all[kind] = a;
  lock_give(&lock);
  return OK;
}

/* ---- The sweeper ----------------------------------------------------------------------------------------- */

/* A thread that frees arenas when they were idle for two ticks; it ends when there are no idle ones. */
enum { TICK_NANOSECONDS = 500 * 1000 * 1000, OLD = 2 };

/* Takes the idle arenas of a kind that were put there `age` ticks ago or before out of the lists. The youngest is on
** top, so they are at the bottom. */
static Arena *take_old(ArenaKind kind, unsigned age) {
  Arena **at = &idle[kind];
  while (*at && tick - (*at)->tick < age) at = &(*at)->below;
  Arena *old = *at;
  *at = NULL;
  for (Arena *a = old; a; a = a->below) unlist(a);
  return old;
}

static void *sweep(void *unused) {
  (void)unused;
  for (bool more = true; more;) {
    Arena *old[N_ARENA_KINDS];
    nanosleep(&(struct timespec){ .tv_nsec = TICK_NANOSECONDS }, NULL);
    lock_take(&lock);
    tick++;
    more = false;
    for (ArenaKind k = 0; k < N_ARENA_KINDS; k++) {
      old[k] = take_old(k, OLD);
      more = more || idle[k];
    }
    sweeping = more;
    lock_give(&lock);
    for (ArenaKind k = 0; k < N_ARENA_KINDS; k++) free_arenas(old[k]);
  }
  return NULL;
}

/* Signals stay with the threads of the program. Without the thread idle arenas stay until memory is refused. */
static __attribute__((cold, noinline)) void start_sweeper(void) {
  pthread_attr_t detached;
  pthread_t thread;
  sigset_t signals, before;
  if (pthread_attr_init(&detached) != 0) return;
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  sigfillset(&signals);
  pthread_sigmask(SIG_SETMASK, &signals, &before);
  pthread_create(&thread, &detached, sweep, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&detached);
}

/* ---- Taking and giving back ------------------------------------------------------------------------------ */

/* The smallest idle one that holds `bytes` and at most `most`, at once if the one on top is as large as needed. */
static Arena **find_idle(ArenaKind kind, size_t bytes, size_t most) {
  Arena **best = NULL;
  int n = 0;
  for (Arena **at = &idle[kind]; *at && n < MOST_LOOKED_AT; at = &(*at)->below, n++) {
    if ((*at)->bytes < bytes || (*at)->bytes > most) continue;
    if (!best || (*at)->bytes < (*best)->bytes) best = at;
    if ((*best)->bytes == bytes) break;
  }
  return best;
}

/* The largest idle one of fewer bytes. */
static Arena **find_smaller(ArenaKind kind, size_t bytes) {
  Arena **best = NULL;
  int n = 0;
  for (Arena **at = &idle[kind]; *at && n < MOST_LOOKED_AT; at = &(*at)->below, n++)
    if ((*at)->bytes < bytes && (!best || (*at)->bytes > (*best)->bytes)) best = at;
  return best;
}

static Arena *take_from(Arena **at) {
  Arena *a = *at;
  *at = a->below;
  a->below = NULL;
  return a;
}

Status arena_take(ArenaKind kind, size_t bytes, Arena **out) {
  lock_take(&lock);
  Arena **found = find_idle(kind, bytes, kind == ARENA_SAVED ? MOST_TIMES * bytes : SIZE_MAX), *smaller = NULL;
  if (__builtin_expect(found != NULL, 1)) {
    *out = take_from(found);
    (*out)->needed = bytes;
  } else if ((found = find_smaller(kind, bytes))) {
    smaller = take_from(found); /* the new one serves in its place, too */
    unlist(smaller);
  }
  const bool taken = found && !smaller;
  lock_give(&lock);
  if (__builtin_expect(taken, 1)) return OK;
  free_arenas(smaller);
  return arena_new(kind, bytes, out);
}

void arena_give_back(Arena *a) {
  if (__builtin_expect(debug.poison, 0)) debug_poison(arena_memory(a), a->needed);
  lock_take(&lock);
  a->needed = 0;
  a->tick = tick;
  a->below = idle[a->kind];
  idle[a->kind] = a;
  const bool start = !sweeping;
  if (__builtin_expect(start, 0)) {
    sweeping = true;
    sweeper_process = getpid();
  }
  lock_give(&lock);
  if (__builtin_expect(start, 0)) start_sweeper();
}

/* ---- Giving memory back to others ------------------------------------------------------------------------ */

static void give_back_memory(void) {
  if (!lock_try(&lock)) return;
  Arena *old[N_ARENA_KINDS];
  for (ArenaKind k = 0; k < N_ARENA_KINDS; k++) {
    old[k] = take_old(k, 0);
    for (Arena *a = all[k]; a; a = a->next) {
      block_cut_lasting(a, BLOCK_ALIGN + a->bytes, BLOCK_ALIGN + a->needed);
      a->bytes = a->needed;
    }
  }
  lock_give(&lock);
  for (ArenaKind k = 0; k < N_ARENA_KINDS; k++) free_arenas(old[k]);
}

static int64_t kept_bytes(void) {
  int64_t bytes = 0;
  lock_take(&lock);
  for (ArenaKind k = 0; k < N_ARENA_KINDS; k++)
    for (Arena *a = all[k]; a; a = a->next)
      bytes += (int64_t)(a->needed ? a->bytes - a->needed : BLOCK_ALIGN + a->bytes);
  lock_give(&lock);
  return bytes;
}

void arena_hold_all(void) { lock_take(&lock); }

/* A fork copies no sweeper: in the child it begins anew. */
void arena_unhold_all(void) {
  if (sweeping && sweeper_process != getpid()) sweeping = false;
  lock_give(&lock);
}
