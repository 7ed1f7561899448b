/* memory.h - all memory of the engine.
**
** There are two kinds. Blocks hold the data of arrays: they are aligned to 64 bytes, pooled by size class, counted
** (live, peak, pooled) and limited by a byte budget. Objects are the small structures around them (nodes, names,
** tables): plain malloc that never aborts, with fault injection for tests.
*/
#ifndef HL_BASE_MEMORY_H
#define HL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { BLOCK_ALIGN = 64 };       /* kept by whole_lines (size_math.h) */

/* A block of at least `bytes` bytes in *out, its content undefined. Fails with E_MEMORY if the budget would be exceeded
** or the system has none. */
Status block_new(size_t bytes, void **out);

/* Frees a block; `bytes` as in block_new. NULL is allowed. */
void block_free(void *block, size_t bytes);

/* The same for long-lived memory: its size is not rounded up to a class, and it bypasses the pool. NULL for 0 bytes. */
Status block_new_lasting(size_t bytes, void **out);
void block_free_lasting(void *block, size_t bytes);

/* Shrinks the block to its first `left` bytes and returns the rest to the system. */
void block_cut_lasting(void *block, size_t bytes, size_t left);

typedef struct MemoryCounters {
  int64_t live;    /* bytes of blocks in use */
  int64_t peak;    /* maximum of `live` since start or reset */
  int64_t pooled;  /* bytes of freed blocks kept for reuse */
  int64_t budget;  /* limit of `live` */
} MemoryCounters;

MemoryCounters memory_counters(void);
void memory_reset_peak(void);

/* Sets the byte budget; 0 sets the default, 90% of the machine's or cgroup's memory. HYBRIDLUA_MEM_LIMIT sets it at
** start (bytes, or with K, M, G). */
void memory_set_budget(int64_t bytes);

/* Frees every pooled block of this thread. */
void memory_trim(void);

/* Memory kept for later calls that can be recreated. Before a request fails, this thread's pooled blocks are freed,
** then the reclaimers' memory in order of rank, the cheapest to recreate first. The request is retried after each
** step. */
typedef enum ReclaimRank {
  RECLAIM_UNUSED,          /* memory without content: an allocation recreates it */
  RECLAIM_TABLES,          /* tables that are rewritten from a plan */
  RECLAIM_COMPUTED,        /* values that are recomputed from data */
  N_RECLAIM_RANKS
} ReclaimRank;

/* Callers of block_new may hold locks, so give_back must not wait for them, and allocates nothing. */
typedef struct Reclaimer {
  ReclaimRank rank;        /* no other reclaimer has it */
  const char *what, *why;  /* the kept memory and its purpose, for hl.memory */
  int64_t (*kept)(void);   /* bytes that give_back would free */
  void (*give_back)(void);
} Reclaimer;

/* Registers a reclaimer permanently; repeated calls have no effect. */
void memory_add_reclaimer(const Reclaimer *r);
const Reclaimer *memory_reclaimer(ReclaimRank rank);          /* NULL if none is registered */
int64_t memory_kept(void);                                    /* by all reclaimers */

/* Frees all memory that reclaimers keep. False if nothing was freed. */
bool memory_reclaim(void);

/* Total bytes of blocks allocated by this thread so far; src/bind paces Lua's collector by it. */
uint64_t memory_allocated(void);

/* Objects. NULL if memory runs out; object_new returns zeroed memory. */
void *object_new(size_t bytes);
void *object_resize(void *object, size_t bytes);
void object_free(void *object);

/* Declares a pointer to an object that is freed at the end of the enclosing block. */
#define FREED FREED_BY(object_free_at)
void object_free_at(void *pointer);          /* the address of the pointer */

/* A growing array of elements of `size` bytes: returns the same array or, if its capacity is below n, one at least
** twice as wide, and updates *capacity. Returns NULL and changes nothing if memory runs out. */
void *object_widened(void *array, int64_t n, int *capacity, size_t size);
static inline void *object_widen(void *array, int64_t n, int *capacity, size_t size) {
  return array && n <= *capacity ? array : object_widened(array, n, capacity, size);
}
char *object_text(const char *text);  /* a copy of a string */

/* For tests: the n-th object or block allocation from now fails, once; 0 for none. Returns the countdown left of the
** previous setting, 0 if that failure has happened. */
int64_t memory_fail_after(int64_t n);

/* The same, but all allocations fail starting with the n-th. */
void memory_fail_from(int64_t n);
bool memory_fails(void);              /* must an allocation made elsewhere fail? */

#endif
