/* memory.c - pooled blocks and plain objects.
**
** A block's size is rounded up to a class, four per power of two, so at most a quarter is wasted. Freed blocks are kept
** in one list per class and thread, so reusing one needs no lock; another thread may free a block. A thread's pool
** keeps at most max(POOL_FLOOR, half of the live bytes). A block freed recently is the likeliest to be requested again
** and the warmest in the caches, so blocks of other sizes leave the pool first. Invariant: `live` counts whole classes,
** and live + pooled is the memory allocated from the system.
*/
#define _GNU_SOURCE
#include "base/memory.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/settings/debug_switches.h"
#include "base/settings/environment.h"
#include "base/settings/machine.h"
#include "base/size_math.h"

enum {
  MIN_SHIFT = 8,                       /* quarter classes begin above 256 bytes */
  MAX_SHIFT = 48,
  N_CLASSES = (MAX_SHIFT - MIN_SHIFT) * 4 + 4,
  HUGE_BLOCK = 1 << 22                 /* from this size, huge pages */
};
static const int64_t POOL_FLOOR = 128ll << 20;

typedef struct Free { struct Free *next; } Free;
typedef struct BlockPool {
  Free *list[N_CLASSES];
  int64_t bytes;
  uint64_t allocated;
} BlockPool;

static _Thread_local BlockPool pool;
static atomic_int_fast64_t live, peak, pooled, budget, fault;
static atomic_bool fault_stays;

/* The class for `bytes`, with its size in *size. The first classes are one cache line apart. */
static int class_of(size_t bytes, size_t *size) {
  if (bytes <= 4 * BLOCK_ALIGN) {
    int lines = bytes ? (int)((bytes + BLOCK_ALIGN - 1) / BLOCK_ALIGN) : 1;
    *size = (size_t)lines * BLOCK_ALIGN;
    return lines - 1;
  }
  int shift = 63 - __builtin_clzll(bytes - 1);      /* 2^shift < bytes <= 2^(shift+1) */
  size_t quarter = (size_t)1 << (shift - 2);
  size_t quarters = (bytes - ((size_t)1 << shift) + quarter - 1) / quarter;  /* 1..4 */
  *size = ((size_t)1 << shift) + quarters * quarter;
  return (shift - MIN_SHIFT) * 4 + (int)quarters + 3;
}

static bool count_down(void) {
  if (atomic_fetch_sub(&fault, 1) > 1) return false;
  if (atomic_load(&fault_stays)) atomic_store(&fault, 1);
  return true;
}

static bool faulty(void) {
  return __builtin_expect(atomic_load_explicit(&fault, memory_order_relaxed) != 0, 0) && count_down();
}
bool memory_fails(void) { return faulty(); }

int64_t memory_fail_after(int64_t n) {
  atomic_store(&fault_stays, false);
  return atomic_exchange(&fault, n);
}

void memory_fail_from(int64_t n) {
  atomic_store(&fault_stays, n > 0);
  atomic_store(&fault, n);
}

void memory_set_budget(int64_t bytes) { atomic_store(&budget, bytes > 0 ? bytes : machine_memory() / 10 * 9); }

static int64_t budget_now(void) {
  int64_t b = atomic_load_explicit(&budget, memory_order_relaxed);
  if (__builtin_expect(b == 0, 0)) {
    memory_set_budget(environment_bytes("HYBRIDLUA_MEM_LIMIT"));
    b = atomic_load(&budget);
  }
  return b;
}

/* "3.64 TiB", "96 bytes", into text. */
static const char *amount(double bytes, char text[32]) {
  static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  int unit = 0;
  while (bytes >= 1024 && unit < 6) {
    bytes /= 1024;
    unit++;
  }
  snprintf(text, 32, unit == 0 || bytes >= 100 ? "%.0f %s" : bytes >= 10 ? "%.1f %s" : "%.2f %s", bytes, units[unit]);
  return text;
}

static Status refuse(size_t bytes, int64_t in_use) {
  char more[32], now[32], all[32];
  return fail_as(E_MEMORY, "out of memory: %s more are needed; %s of %s in use", amount((double)bytes, more),
                 amount((double)in_use, now), amount((double)budget_now(), all));
}

static void raise_peak(int64_t now) {
  int64_t p = atomic_load_explicit(&peak, memory_order_relaxed);
  while (now > p && !atomic_compare_exchange_weak(&peak, &p, now)) {}
}

static Status test_fault(size_t bytes) { return fail_as(E_MEMORY, "out of memory: %zu bytes (a test's fault)", bytes); }

/* Counts `size` bytes as live, unless the budget forbids it; *now: the live bytes. */
static inline Status count_live(size_t bytes, size_t size, int64_t *now) {
  *now = atomic_fetch_add_explicit(&live, (int64_t)size, memory_order_relaxed) + (int64_t)size;
  if (*now <= budget_now()) return OK;
  atomic_fetch_sub(&live, (int64_t)size);
  return refuse(bytes, *now - (int64_t)size);
}

/* A block from the system, for bytes already counted; NULL if there is none. */
static void *fresh_block(size_t size) {
  void *block = NULL;
  if (posix_memalign(&block, size >= HUGE_BLOCK ? 1 << 21 : BLOCK_ALIGN, size) != 0) {
    atomic_fetch_sub(&live, (int64_t)size);
    return NULL;
  }
  if (size >= HUGE_BLOCK) madvise(block, size, MADV_HUGEPAGE);
  return block;
}

/* Returns a block of `size` bytes, already counted as live: this one or, if it is NULL, one from the system. */
static inline Status hand_out(void *block, size_t bytes, size_t size, int64_t now, void **out) {
  if (!block && !(block = fresh_block(size))) return refuse(bytes, now - (int64_t)size);
  if (now > atomic_load_explicit(&peak, memory_order_relaxed)) raise_peak(now);
  pool.allocated += size;
  if (__builtin_expect(debug.poison, 0)) debug_poison(block, size);
  *out = block;
  return OK;
}

static inline Status pooled_or_fresh(size_t bytes, void **out) {
  size_t size;
  int64_t now;
  *out = NULL;
  if (bytes > (size_t)1 << (MAX_SHIFT - 1)) return refuse(bytes, atomic_load(&live));
  int class = class_of(bytes, &size);
  TRY(count_live(bytes, size, &now));
  Free *block = pool.list[class];
  if (block) {
    pool.list[class] = block->next;
    pool.bytes -= (int64_t)size;
    atomic_fetch_sub_explicit(&pooled, (int64_t)size, memory_order_relaxed);
  }
  return hand_out(block, bytes, size, now, out);
}

static Status lasting(size_t bytes, void **out) {
  size_t size = whole_lines(bytes);
  int64_t now;
  *out = NULL;
  if (bytes == 0) return OK;
  if (bytes > (size_t)1 << (MAX_SHIFT - 1)) return refuse(bytes, atomic_load(&live));
  TRY(count_live(bytes, size, &now));
  return hand_out(NULL, bytes, size, now, out);
}

/* ---- Reclaiming ---------------------------------------------------------------------------------------- */

static _Atomic(const Reclaimer *) reclaimer[N_RECLAIM_RANKS];

void memory_add_reclaimer(const Reclaimer *r) { atomic_store(&reclaimer[r->rank], r); }
const Reclaimer *memory_reclaimer(ReclaimRank rank) { return atomic_load(&reclaimer[rank]); }

int64_t memory_kept(void) {
  int64_t bytes = 0;
  for (int i = 0; i < N_RECLAIM_RANKS; i++) {
    const Reclaimer *r = memory_reclaimer(i);
    if (r) bytes += r->kept();
  }
  return bytes;
}

static int64_t in_use_and_pooled(void) { return atomic_load(&live) + atomic_load(&pooled); }

/* Rank -1 is the pool. A reclaimer may free memory into the pool, so the pool is trimmed again. */
static void reclaim_one(int rank) {
  const Reclaimer *r = rank < 0 ? NULL : memory_reclaimer(rank);
  if (r) r->give_back();
  if (r || rank < 0) memory_trim();
}

bool memory_reclaim(void) {
  const int64_t before = in_use_and_pooled();
  for (int rank = -1; rank < N_RECLAIM_RANKS; rank++) reclaim_one(rank);
  return in_use_and_pooled() < before;
}

/* Retries a failed request after each step that may have freed memory. */
static __attribute__((cold, noinline)) Status after_reclaim(Status s, size_t bytes, void **out,
                                                            Status (*request)(size_t, void **)) {
  if ((double)bytes > (double)budget_now()) return s;
  for (int rank = -1; rank < N_RECLAIM_RANKS && s != OK; rank++) {
    reclaim_one(rank);
    s = request(bytes, out);
  }
  return s;
}

/* ---- Blocks --------------------------------------------------------------------------------------------- */

Status block_new(size_t bytes, void **out) {
  if (faulty()) {
    *out = NULL;
    return test_fault(bytes);
  }
  Status s = pooled_or_fresh(bytes, out);
  return __builtin_expect(s == OK, 1) ? s : after_reclaim(s, bytes, out, pooled_or_fresh);
}

Status block_new_lasting(size_t bytes, void **out) {
  if (bytes > 0 && faulty()) {
    *out = NULL;
    return test_fault(bytes);
  }
  Status s = lasting(bytes, out);
  return s == OK ? s : after_reclaim(s, bytes, out, lasting);
}

void block_cut_lasting(void *block, size_t bytes, size_t left) {
  enum { PAGE = 4096 };
  const uintptr_t from = ((uintptr_t)block + left + PAGE - 1) & -(uintptr_t)PAGE;
  const uintptr_t to = ((uintptr_t)block + bytes) & -(uintptr_t)PAGE;
  if (from < to) madvise((void *)from, to - from, MADV_DONTNEED);
  atomic_fetch_sub_explicit(&live, (int64_t)(whole_lines(bytes) - whole_lines(left)), memory_order_relaxed);
}

void block_free_lasting(void *pointer, size_t bytes) {
  if (!pointer) return;
  atomic_fetch_sub_explicit(&live, (int64_t)whole_lines(bytes), memory_order_relaxed);
  free(pointer);
}

/* Frees pooled blocks of a class until the pool holds at most `most` bytes. */
static void shrink_class(int class, size_t size, int64_t most) {
  while (pool.list[class] && pool.bytes > most) {
    Free *block = pool.list[class];
    pool.list[class] = block->next;
    pool.bytes -= (int64_t)size;
    atomic_fetch_sub_explicit(&pooled, (int64_t)size, memory_order_relaxed);
    free(block);
  }
}

/* The size of a class: the inverse of class_of. */
static size_t class_size(int class) {
  if (class < 4) return (size_t)(class + 1) * BLOCK_ALIGN;
  size_t power = (size_t)1 << (MIN_SHIFT + (class - 4) / 4);
  return power + power / 4 * (size_t)((class - 4) % 4 + 1);
}

/* Shrinks all classes but one, the largest first. */
static void shrink_others(int class, int64_t most) {
  for (int c = N_CLASSES - 1; c >= 0 && pool.bytes > most; c--)
    if (c != class) shrink_class(c, class_size(c), most);
}

void block_free(void *pointer, size_t bytes) {
  if (!pointer) return;
  size_t size;
  int class = class_of(bytes, &size);
  int64_t left = atomic_fetch_sub_explicit(&live, (int64_t)size, memory_order_relaxed) - (int64_t)size;
  int64_t keep = (left / 2 > POOL_FLOOR ? left / 2 : POOL_FLOOR) - (int64_t)size;
  if (__builtin_expect(pool.bytes > keep, 0)) {
    if (keep >= 0) shrink_others(class, keep);
    if (pool.bytes > keep) {
      free(pointer);
      return;
    }
  }
  if (__builtin_expect(debug.poison, 0)) debug_poison(pointer, size);
  Free *block = pointer;
  block->next = pool.list[class];
  pool.list[class] = block;
  pool.bytes += (int64_t)size;
  atomic_fetch_add_explicit(&pooled, (int64_t)size, memory_order_relaxed);
}

void memory_trim(void) { shrink_others(-1, 0); }

MemoryCounters memory_counters(void) {
  return (MemoryCounters){
    .live = atomic_load(&live), .peak = atomic_load(&peak), .pooled = atomic_load(&pooled), .budget = budget_now()
  };
}

void memory_reset_peak(void) { atomic_store(&peak, atomic_load(&live)); }
uint64_t memory_allocated(void) { return pool.allocated; }

/* glibc's calloc bypasses the thread's cache of small chunks, which makes it several times as slow. */
void *object_new(size_t bytes) {
  enum { SMALL = 1024 };
  if (faulty()) return NULL;
  if (bytes > SMALL) return calloc(1, bytes);
  void *object = malloc(bytes ? bytes : 1);
  return object ? memset(object, 0, bytes) : NULL;
}

void *object_resize(void *object, size_t bytes) { return faulty() ? NULL : realloc(object, bytes ? bytes : 1); }
void object_free(void *object) { free(object); }

void object_free_at(void *pointer) {
  void *object;
  memcpy(&object, pointer, sizeof object);
  free(object);
}

void *object_widened(void *array, int64_t n, int *capacity, size_t size) {
  enum { FIRST = 32 };
  int64_t wider = *capacity ? *capacity : FIRST;
  while (wider < n) wider *= 2;
  void *widened = wider <= INT_MAX ? object_resize(array, (size_t)wider * size) : NULL;
  if (widened) *capacity = (int)wider;
  return widened;
}

char *object_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = object_new(size);
  return copy ? memcpy(copy, text, size) : NULL;
}
