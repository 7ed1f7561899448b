/* memory.h - where every byte of the engine comes from.
**
** Two kinds. Blocks hold the data of arrays: aligned to 64 bytes, pooled by size
** class, counted (live, peak, pooled) and held under a byte budget. Objects are
** the small things around them (nodes, names, tables): plain malloc that never
** aborts, with a fault switch for tests.
*/
#ifndef HL_BASE_MEMORY_H
#define HL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { BLOCK_ALIGN = 64 };       /* whole_lines of size_math.h keeps it */

/* A block of at least `bytes` bytes in *out, its content undefined. Fails with
** E_MEMORY over the budget or when the system has none. */
Status block_new(size_t bytes, void **out);

/* Gives a block back; `bytes` as in block_new. NULL is fine. */
void block_free(void *block, size_t bytes);

/* The same for what stays: it takes the bytes that it needs instead of those of a class, and does not come out of
** the pool, nor go into it. Nothing (NULL) for 0 bytes. */
Status block_new_lasting(size_t bytes, void **out);
void block_free_lasting(void *block, size_t bytes);

/* Gives what is after the first `left` of its bytes back to the system; it has as many bytes from then on. */
void block_cut_lasting(void *block, size_t bytes, size_t left);

typedef struct MemoryCounters {
  int64_t live;    /* bytes of blocks in use */
  int64_t peak;    /* the most that `live` ever was, since start or reset */
  int64_t pooled;  /* bytes of freed blocks kept for reuse */
  int64_t budget;  /* what `live` may not exceed */
} MemoryCounters;

MemoryCounters memory_counters(void);
void memory_reset_peak(void);

/* Sets the byte budget; 0 gives the default, 90% of the machine's or cgroup's
** memory. HYBRIDLUA_MEM_LIMIT sets it at start (bytes, or with K, M, G). */
void memory_set_budget(int64_t bytes);

/* Frees every pooled block of this thread. */
void memory_trim(void);

/* Memory that is kept for later calls and can be made again. Before a block is refused, the pooled blocks of this
** thread are freed and then what reclaimers keep, in the order of their ranks: what is cheapest to make again goes
** first. After each the block is requested once more. */
typedef enum ReclaimRank {
  RECLAIM_UNUSED,          /* memory without content: an allocation makes it again */
  RECLAIM_TABLES,          /* tables that are written again from a plan */
  RECLAIM_COMPUTED,        /* values that are computed again from data */
  N_RECLAIM_RANKS
} ReclaimRank;

/* Callers of block_new may hold locks, so give_back waits for none of theirs, and it allocates nothing. */
typedef struct Reclaimer {
  ReclaimRank rank;        /* one reclaimer has it */
  const char *what, *why;  /* is kept, for hl.memory */
  int64_t (*kept)(void);   /* how many bytes give_back would free */
  void (*give_back)(void);
} Reclaimer;

/* Adds it for good; again: nothing happens. */
void memory_add_reclaimer(const Reclaimer *r);
const Reclaimer *memory_reclaimer(ReclaimRank rank);          /* NULL: there is none yet */
int64_t memory_kept(void);                                    /* by all */

/* Frees all that they keep. False: nothing was freed. */
bool memory_reclaim(void);

/* Bytes of blocks handed out by this thread so far, a count that only grows:
** src/bind paces Lua's collector by it. */
uint64_t memory_allocated(void);

/* Objects. NULL when there is no memory; object_new is zeroed. */
void *object_new(size_t bytes);
void *object_resize(void *object, size_t bytes);
void object_free(void *object);

/* Declares a pointer to an object that is freed at the end of the enclosing block. */
#define FREED FREED_BY(object_free_at)
void object_free_at(void *pointer);          /* the address of the pointer */

/* A growing array of elements of `size` bytes: the same array, or where its capacity is below n one twice as
** wide; *capacity says so then. NULL when there is no memory; array and *capacity are as they were. */
void *object_widened(void *array, int64_t n, int *capacity, size_t size);
static inline void *object_widen(void *array, int64_t n, int *capacity, size_t size) {
  return array && n <= *capacity ? array : object_widened(array, n, capacity, size);
}
char *object_text(const char *text);  /* a copy of a string */

/* For tests: the n-th object or block allocation from now fails, once; 0: none. Returns
** how far off the failure asked for before still was, 0 if it has happened. */
int64_t memory_fail_after(int64_t n);

/* The same, but all fail from the n-th on; and an allocation that is not made here, but counts too: shall
** it fail? */
void memory_fail_from(int64_t n);
bool memory_fails(void);

#endif
