/* map.h - a hash table from pointers to small integers, for facts about nodes. */
#ifndef HL_BASE_MAP_H
#define HL_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"
#include "base/status.h"

typedef struct MapSlot { const void *key; int value; } MapSlot;

typedef struct Map {
  MapSlot *slot;
  uint32_t slots, used;    /* slots: a power of two, or 0 */
} Map;

/* The slot of the key, or the one to add it in; there must be slots. */
static inline MapSlot *map_find(const Map *m, const void *key) {
  uint64_t h = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
  uint32_t at = (uint32_t)(h >> 32) & (m->slots - 1);
  while (m->slot[at].key && m->slot[at].key != key) at = (at + 1) & (m->slots - 1);
  return &m->slot[at];
}

Status map_grow(Map *m);

/* The value of a key, writable until the next key is added; *is_new: the key was added, with value 0. */
static inline Status map_slot(Map *m, const void *key, int **value, bool *is_new) {
  if (2 * m->used >= m->slots) TRY(map_grow(m));
  MapSlot *slot = map_find(m, key);
  *is_new = !slot->key;
  m->used += *is_new;
  slot->key = key;
  *value = &slot->value;
  return OK;
}

Status map_put(Map *m, const void *key, int value);   /* key is not NULL */
int map_get(const Map *m, const void *key);           /* -1 if absent */
void map_free(Map *m);

/* The value of a key that must be present. */
static inline int map_at(const Map *m, const void *key) {
  int value = map_get(m, key);
  HL_ASSERT(value >= 0);
  return value;
}

#endif
