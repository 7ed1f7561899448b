/* map.c - open addressing, at most half full. */
#include "base/map.h"

#include "base/memory.h"

/* Where the key is, or is to be. */
static MapSlot *find(const Map *m, const void *key) {
  uint64_t h = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
  uint32_t at = (uint32_t)(h >> 32) & (m->slots - 1);
  while (m->slot[at].key && m->slot[at].key != key) at = (at + 1) & (m->slots - 1);
  return &m->slot[at];
}

static Status grow(Map *m) {
  Map wider = { .slots = m->slots ? m->slots * 4 : 64, .used = m->used };
  wider.slot = object_new(wider.slots * sizeof *wider.slot);
  if (!wider.slot) return no_memory("table");
  for (uint32_t i = 0; i < m->slots; i++) if (m->slot[i].key) *find(&wider, m->slot[i].key) = m->slot[i];
  map_free(m);
  *m = wider;
  return OK;
}

Status map_slot(Map *m, const void *key, int **value, bool *is_new) {
  if (2 * m->used >= m->slots) TRY(grow(m));
  MapSlot *slot = find(m, key);
  *is_new = !slot->key;
  m->used += *is_new;
  slot->key = key;
  *value = &slot->value;
  return OK;
}

Status map_put(Map *m, const void *key, int value) {
  int *to;
  bool is_new;
  TRY(map_slot(m, key, &to, &is_new));
  *to = value;
  return OK;
}

int map_get(const Map *m, const void *key) {
  if (m->slots == 0) return -1;
  const MapSlot *slot = find(m, key);
  return slot->key ? slot->value : -1;
}

void map_free(Map *m) {
  object_free(m->slot);
  *m = (Map){ 0 };
}
