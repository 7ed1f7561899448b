/* arena.c - see arena.h. Idle arenas of one kind and size class (a power of two) form a stack. So programs that
** alternate in a fixed order get the same arenas each time, no matter how many of other sizes are idle.
**
** Invariant: `lock` guards all lists and fields. A thread that holds it never waits, allocates or frees.
*/
#include "exec/program/arena.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "base/linked_list.h"
#include "base/settings/debug_switches.h"
#include "base/threads/spin_lock.h"

/* The header of an arena on the host, before its memory. */
typedef struct SharedArena {
  Arena arena;
  struct SharedArena *below;           /* in the stack of idle arenas */
  struct SharedArena *next, **place;   /* in the list of all arenas; the pointer to it */
  size_t bytes;              /* usable, after this header */
  size_t needed;             /* bytes needed by the run that has it; 0: it is idle */
  unsigned tick;             /* when it became idle */
  ArenaKind kind;
} SharedArena;
_Static_assert(sizeof(SharedArena) <= BLOCK_ALIGN, "the header must fit before the memory");

enum {
  N_CLASSES = 64,            /* size classes: class i is from 2^i bytes to less than 2^(i+1) */
  MOST_LOOKED_AT = 64        /* idle arenas examined in the class of the requested size */
};

static Lock lock;
static SharedArena *all[N_ARENA_KINDS], *idle[N_ARENA_KINDS][N_CLASSES];
static uint64_t has_idle[N_ARENA_KINDS];     /* bit i: class i has idle arenas */
static unsigned tick;                        /* of the sweeper; see below */
static bool sweeping;

static int class_of(size_t bytes) { return 63 - __builtin_clzll(bytes); }

/* ---- Life ---------------------------------------------------------------------------------------------- */

static void give_back_memory(void);
static int64_t kept_bytes(void);

static const Reclaimer reclaimer = { .rank = RECLAIM_UNUSED,
                                     .what = "arenas of compiled calls",
                                     .why = "for the intermediate values of the next call, of any program",
                                     .kept = kept_bytes,
                                     .give_back = give_back_memory };

/* Frees a chain of unlisted arenas. Their pages return to the system immediately, whatever malloc keeps. */
static void free_arenas(SharedArena *a) {
  while (a) {
    SharedArena *below = a->below;
    const size_t bytes = BLOCK_ALIGN + a->bytes;
    block_cut_lasting(a, bytes, BLOCK_ALIGN);
    block_free_lasting(a, BLOCK_ALIGN);
    a = below;
  }
}

/* A fork copies the lists while no thread changes them, and without the sweeper. */
static void hold(void) { lock_take(&lock); }
static void let(void) { lock_give(&lock); }

static void let_in_child(void) {
  sweeping = false;
  lock_give(&lock);
}

static void begin(void) {
  memory_add_reclaimer(&reclaimer);
  pthread_atfork(hold, let, let_in_child);
}

static Status arena_new(ArenaKind kind, size_t bytes, Arena **out) {
  static pthread_once_t begun = PTHREAD_ONCE_INIT;
  void *block;
  pthread_once(&begun, begin);
  TRY(block_new_lasting(BLOCK_ALIGN + bytes, &block));
  SharedArena *a = block;
  lock_take(&lock);
  *a = (SharedArena){ .arena.memory = (char *)block + BLOCK_ALIGN, .kind = kind, .bytes = bytes, .needed = bytes };
  LIST_ADD(all[kind], a);
  lock_give(&lock);
  *out = &a->arena;
  return OK;
}

/* An arena that is not on the host, whose memory functions may keep free blocks themselves. */
typedef struct OwnArena { Arena arena; size_t bytes; } OwnArena;

static __attribute__((cold, noinline)) Status take_elsewhere(Device device, size_t bytes, Arena **out) {
  void *memory;
  OwnArena *a = object_new(sizeof *a);
  if (!a) return no_memory("arena");
  const Status s = device_block_new(device, bytes, &memory);
  if (s != OK) {
    object_free(a);
    return s;
  }
  *a = (OwnArena){ { memory, device }, bytes };
  *out = &a->arena;
  return OK;
}

static __attribute__((cold, noinline)) void give_back_elsewhere(Arena *arena) {
  OwnArena *a = (OwnArena *)arena;
  device_block_free(arena->device, arena->memory, a->bytes);
  object_free(a);
}

/* ---- The sweeper ----------------------------------------------------------------------------------------- */

/* A thread that frees arenas after three idle ticks, about a second. It ends when no arena is idle. */
enum { TICK_NANOSECONDS = 400 * 1000 * 1000, OLD = 3 };

/* Unlists the idle arenas of a class that are at least `age` ticks old, and chains them before `others`. The youngest
** is on top of the stack, so these are at the bottom. */
static SharedArena *take_old_of(ArenaKind kind, int class, unsigned age, SharedArena *others) {
  SharedArena **at = &idle[kind][class];
  while (*at && tick - (*at)->tick < age) at = &(*at)->below;
  SharedArena *old = *at;
  *at = NULL;
  if (!idle[kind][class]) has_idle[kind] &= ~(1ull << class);
  while (old) {
    SharedArena *below = old->below;
    LIST_REMOVE(old);
    old->below = others;
    others = old;
    old = below;
  }
  return others;
}

static SharedArena *take_old(unsigned age) {
  SharedArena *old = NULL;
  for (ArenaKind k = 0; k < N_ARENA_KINDS; k++)
    for (int c = 0; c < N_CLASSES; c++) old = take_old_of(k, c, age, old);
  return old;
}

static bool any_idle(void) {
  for (ArenaKind k = 0; k < N_ARENA_KINDS; k++)
    if (has_idle[k]) return true;
  return false;
}

static void *sweep(void *unused) {
  (void)unused;
  for (bool more = true; more;) {
    nanosleep(&(struct timespec){ .tv_nsec = TICK_NANOSECONDS }, NULL);
    lock_take(&lock);
    tick++;
    SharedArena *old = take_old(OLD);
    more = sweeping = any_idle();
    lock_give(&lock);
    free_arenas(old);
  }
  return NULL;
}

/* Signals go to the program's threads only. If the thread cannot be started, idle arenas remain until memory is
** refused. */
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

static SharedArena *take_from(ArenaKind kind, int class, SharedArena **at) {
  SharedArena *a = *at;
  *at = a->below;
  if (!idle[kind][class]) has_idle[kind] &= ~(1ull << class);
  return a;
}

static SharedArena *take_top(ArenaKind kind, int class) { return take_from(kind, class, &idle[kind][class]); }

/* The smallest idle arena of a class that holds `bytes`, among the first in the stack; an exact match ends the
** search. */
static SharedArena **find_in_class(ArenaKind kind, int class, size_t bytes) {
  SharedArena **best = NULL;
  int n = 0;
  for (SharedArena **at = &idle[kind][class]; *at && n < MOST_LOOKED_AT; at = &(*at)->below, n++) {
    if ((*at)->bytes == bytes) return at;
    if ((*at)->bytes > bytes && (!best || (*at)->bytes < (*best)->bytes)) best = at;
  }
  return best;
}

/* Takes an idle arena that holds `bytes`, or NULL. Arenas of saved values are held for long, so these must be less than
** four times as large as needed. */
static SharedArena *take_idle(ArenaKind kind, size_t bytes) {
  const int class = class_of(bytes);
  SharedArena **found = find_in_class(kind, class, bytes);
  if (__builtin_expect(found != NULL, 1)) return take_from(kind, class, found);
  const uint64_t larger = has_idle[kind] & (kind == ARENA_SAVED ? 2ull << class : -(2ull << class));
  return larger ? take_top(kind, __builtin_ctzll(larger)) : NULL;
}

/* Takes one of the largest idle arenas that are too small for `bytes`, or NULL. The caller replaces it by a new one. */
static SharedArena *take_smaller(ArenaKind kind, size_t bytes) {
  const uint64_t smaller = has_idle[kind] & ((2ull << class_of(bytes)) - 1);
  SharedArena *a = smaller ? take_top(kind, class_of(smaller)) : NULL;
  if (a) {
    LIST_REMOVE(a);
    a->below = NULL;
  }
  return a;
}

Status arena_take(ArenaKind kind, Device device, size_t bytes, Arena **out) {
  SharedArena *smaller = NULL;
  if (__builtin_expect(!device_is_host(device), 0)) return take_elsewhere(device, bytes, out);
  lock_take(&lock);
  SharedArena *a = take_idle(kind, bytes);
  if (__builtin_expect(a != NULL, 1)) a->needed = bytes;
  else smaller = take_smaller(kind, bytes);
  lock_give(&lock);
  if (__builtin_expect(a != NULL, 1)) {
    *out = &a->arena;
    return OK;
  }
  free_arenas(smaller);
  return arena_new(kind, bytes, out);
}

void arena_give_back(Arena *arena) {
  SharedArena *a = (SharedArena *)arena;
  if (__builtin_expect(!device_is_host(arena->device), 0)) {
    give_back_elsewhere(arena);
    return;
  }
  if (__builtin_expect(debug.poison, 0)) debug_poison(arena->memory, a->needed);
  lock_take(&lock);
  const int class = class_of(a->bytes);
  a->needed = 0;
  a->tick = tick;
  a->below = idle[a->kind][class];
  idle[a->kind][class] = a;
  has_idle[a->kind] |= 1ull << class;
  const bool start = !sweeping;
  sweeping = true;
  lock_give(&lock);
  if (__builtin_expect(start, 0)) start_sweeper();
}

/* ---- Giving memory back to others ------------------------------------------------------------------------ */

static void give_back_memory(void) {
  lock_take(&lock);
  SharedArena *old = take_old(0);
  for (ArenaKind k = 0; k < N_ARENA_KINDS; k++) {
    for (SharedArena *a = all[k]; a; a = a->next) {
      block_cut_lasting(a, BLOCK_ALIGN + a->bytes, BLOCK_ALIGN + a->needed);
      a->bytes = a->needed;
    }
  }
  lock_give(&lock);
  free_arenas(old);
}

static int64_t kept_bytes(void) {
  int64_t bytes = 0;
  lock_take(&lock);
  for (ArenaKind k = 0; k < N_ARENA_KINDS; k++)
    for (SharedArena *a = all[k]; a; a = a->next)
      bytes += (int64_t)(a->needed ? a->bytes - a->needed : BLOCK_ALIGN + a->bytes);
  lock_give(&lock);
  return bytes;
}
