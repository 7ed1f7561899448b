/* packed_weights.c - see packed_weights.h.
** Invariant: only the thread that takes packed weights from SEEN to MAKING writes their memory, until they are READY.
*/
#include "tensor/packed_weights.h"

#include <string.h>

#include "base/settings/debug_switches.h"
#include "base/settings/fault_injection.h"
#include "base/memory.h"

enum { SEEN, MAKING, READY };

struct PackedWeights {
  PackedWeightsKey key;
  size_t offset;                 /* of the tensor's elements in the storage */
  atomic_uint version;           /* of these, when the packed weights were last requested */
  atomic_int state;
  size_t bytes;
  void *memory;                  /* NULL: none yet */
};

static bool is_of(const PackedWeights *f, const Tensor *t, const PackedWeightsKey *key, size_t bytes) {
  return f->key.maker == key->maker && memcmp(f->key.size, key->size, sizeof key->size) == 0 && f->bytes == bytes &&
         f->offset == (size_t)((const char *)t->data - (const char *)t->storage);
}

/* Notes that packed weights were requested. */
static void see(const Tensor *t, const PackedWeightsKey *key, size_t bytes) {
  void *block;
  PackedWeights *none = NULL, *f;
  if (block_new_lasting(sizeof *f, &block) != OK) return;
  f = block;
  *f = (PackedWeights){ .key = *key,
                        .offset = (size_t)((const char *)t->data - (const char *)t->storage),
                        .bytes = bytes };
  atomic_init(&f->version, t->storage->version);
  atomic_init(&f->state, SEEN);
  if (!atomic_compare_exchange_strong(&t->storage->packed, &none, f)) block_free_lasting(f, sizeof *f);
}

const void *packed_weights_find(const Tensor *t, const PackedWeightsKey *key, size_t bytes, void **memory) {
  *memory = NULL;
  if (debug.no_packed_weights) return NULL;
  if (!t->storage || t->storage->bytes == 0) return NULL;     /* memory of other code, which may write at any time */
  PackedWeights *f = atomic_load_explicit(&t->storage->packed, memory_order_acquire);
  if (!f) {
    see(t, key, bytes);
    return NULL;
  }
  int state = atomic_load_explicit(&f->state, memory_order_acquire);
  if (!is_of(f, t, key, bytes) || state == MAKING) return NULL;
  const bool written = atomic_exchange(&f->version, t->storage->version) != t->storage->version;
  if (written && !HL_FAULT_IS(stale)) {
    atomic_store(&f->state, SEEN);
    return NULL;
  }
  if (state == READY) return f->memory;
  if (!atomic_compare_exchange_strong(&f->state, &state, MAKING)) return NULL;
  if (!f->memory && block_new_lasting(bytes, &f->memory) != OK) {
    f->memory = NULL;
    atomic_store(&f->state, SEEN);
  }
  *memory = f->memory;
  return NULL;
}

void packed_weights_made(const Tensor *t) {
  atomic_store_explicit(&atomic_load(&t->storage->packed)->state, READY, memory_order_release);
}

void packed_weights_free(Storage *storage) {
  PackedWeights *f = atomic_load_explicit(&storage->packed, memory_order_relaxed);
  if (!f) return;
  block_free_lasting(f->memory, f->bytes);
  block_free_lasting(f, sizeof *f);
}
