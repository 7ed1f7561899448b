/* packed_weights.c - see packed_weights.h. Invariant: only the thread that changed the state to MAKING writes or frees
** the memory, until the state is READY or SEEN again. Memory with users is not freed: users are counted before the
** state is checked, and a thread that frees sets the state before it checks for users. A state includes the storage's
** version, so weights READY for an older version are never used.
*/
#include "tensor/packed_weights.h"

#include <string.h>

#include "base/settings/debug_switches.h"
#include "base/settings/fault_injection.h"
#include "base/linked_list.h"
#include "base/memory.h"
#include "base/size_math.h"
#include "base/threads/spin_lock.h"

enum { SEEN, MAKING, READY };    /* requested; being packed or freed; packed */

/* A state, and its version of the storage. */
typedef uint64_t Stage;
static Stage stage_of(uint32_t version, int state) { return (Stage)version << 2 | (Stage)state; }
static int state_of(Stage s) { return (int)(s & 3); }
static uint32_t version_of(Stage s) { return (uint32_t)(s >> 2); }

struct PackedWeights {
  PackedWeightsKey key;
  size_t offset;                 /* of the tensor's elements in the storage */
  _Atomic(Stage) stage;
  size_t bytes;
  void *memory;                  /* NULL if not allocated */
  atomic_int users;              /* calls that read it or pack into it */
  PackedWeights *next, **place;  /* list of all; address of the pointer to this */
};

/* ---- All of them ------------------------------------------------------------------------------------------ */

static Lock lock;                /* guards the list; its holder neither waits nor allocates */
static PackedWeights *all;

static void free_memory(PackedWeights *f) {
  Stage stage = atomic_load(&f->stage);
  const uint32_t version = version_of(stage);
  if (state_of(stage) == MAKING || !atomic_compare_exchange_strong(&f->stage, &stage, stage_of(version, MAKING)))
    return;
  if (atomic_load(&f->users) == 0) {
    block_free_lasting(f->memory, f->bytes);
    f->memory = NULL;
    stage = stage_of(version, SEEN);
  }
  atomic_store(&f->stage, stage);
}

static void give_back(void) {
  lock_take(&lock);
  for (PackedWeights *f = all; f; f = f->next) free_memory(f);
  lock_give(&lock);
}

static int64_t kept(void) {
  int64_t bytes = 0;
  lock_take(&lock);
  for (PackedWeights *f = all; f; f = f->next)
    if (state_of(atomic_load(&f->stage)) == READY && atomic_load(&f->users) == 0)
      bytes += (int64_t)whole_lines(f->bytes);
  lock_give(&lock);
  return bytes;
}

static const Reclaimer reclaimer = { .rank = RECLAIM_COMPUTED,
                                     .what = "packed weights",
                                     .why = "for the next call with the same weights",
                                     .kept = kept,
                                     .give_back = give_back };

static void list(PackedWeights *f) {
  memory_add_reclaimer(&reclaimer);
  lock_take(&lock);
  LIST_ADD(all, f);
  lock_give(&lock);
}

static void unlist(PackedWeights *f) {
  lock_take(&lock);
  LIST_REMOVE(f);
  lock_give(&lock);
}

void packed_weights_hold(void) { lock_take(&lock); }
void packed_weights_unhold(void) { lock_give(&lock); }

/* ---- Those of one tensor ---------------------------------------------------------------------------------- */

static bool is_of(const PackedWeights *f, const Tensor *t, const PackedWeightsKey *key, size_t bytes) {
  return f->key.maker == key->maker && memcmp(f->key.size, key->size, sizeof key->size) == 0 && f->bytes == bytes &&
         f->offset == (size_t)((const char *)t->data - (const char *)t->storage);
}

/* Records a request for packed weights. */
static void see(const Tensor *t, const PackedWeightsKey *key, size_t bytes) {
  void *block;
  PackedWeights *none = NULL, *f;
  if (block_new_lasting(sizeof *f, &block) != OK) return;
  f = block;
  *f = (PackedWeights){ .key = *key,
                        .offset = (size_t)((const char *)t->data - (const char *)t->storage),
                        .bytes = bytes };
  atomic_init(&f->stage, stage_of(t->storage->version, SEEN));
  list(f);
  if (atomic_compare_exchange_strong(&t->storage->packed, &none, f)) return;
  unlist(f);
  block_free_lasting(f, sizeof *f);
}

const void *packed_weights_find(const Tensor *t, const PackedWeightsKey *key, size_t bytes, void **memory) {
  *memory = NULL;
  if (debug.no_packed_weights) return NULL;
  if (!t->storage || t->storage->bytes == 0) return NULL;     /* other code's memory, which may change at any time */
  PackedWeights *f = atomic_load_explicit(&t->storage->packed, memory_order_acquire);
  if (!f) {
    see(t, key, bytes);
    return NULL;
  }
  Stage stage = atomic_load_explicit(&f->stage, memory_order_acquire);
  const uint32_t version = HL_FAULT_IS(stale) ? version_of(stage) : t->storage->version;
  if (!is_of(f, t, key, bytes) || state_of(stage) == MAKING) return NULL;
  if (version_of(stage) != version) {
    atomic_compare_exchange_strong(&f->stage, &stage, stage_of(version, SEEN));
    return NULL;
  }
  if (state_of(stage) == READY) {
    atomic_fetch_add(&f->users, 1);
    if (atomic_load(&f->stage) == stage) return f->memory;
    atomic_fetch_sub(&f->users, 1);
    return NULL;
  }
  if (!atomic_compare_exchange_strong(&f->stage, &stage, stage_of(version, MAKING))) return NULL;
  if (!f->memory && block_new_lasting(bytes, &f->memory) != OK) {
    f->memory = NULL;
    atomic_store(&f->stage, stage);
    return NULL;
  }
  atomic_fetch_add(&f->users, 1);
  *memory = f->memory;
  return NULL;
}

void packed_weights_made(const Tensor *t) {
  PackedWeights *f = atomic_load(&t->storage->packed);
  atomic_store(&f->stage, stage_of(version_of(atomic_load(&f->stage)), READY));
}

void packed_weights_done(const Tensor *t) { atomic_fetch_sub(&atomic_load(&t->storage->packed)->users, 1); }

void packed_weights_free(Storage *storage) {
  PackedWeights *f = atomic_load_explicit(&storage->packed, memory_order_relaxed);
  if (!f) return;
  unlist(f);
  block_free_lasting(f->memory, f->bytes);
  block_free_lasting(f, sizeof *f);
}
