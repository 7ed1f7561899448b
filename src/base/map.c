/* map.c - open addressing, at most half full. */
#include "base/map.h"

#include "base/memory.h"

Status map_grow(Map *m) {
  Map wider = { .slots = m->slots ? m->slots * 4 : 64, .used = m->used };
  wider.slot = object_new(wider.slots * sizeof *wider.slot);
  if (!wider.slot) return no_memory("table");
  for (uint32_t i = 0; i < m->slots; i++)
    if (m->slot[i].key) *map_find(&wider, m->slot[i].key) = m->slot[i];
  map_free(m);
  *m = wider;
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
  const MapSlot *slot = map_find(m, key);
  return slot->key ? slot->value : -1;
}

void map_free(Map *m) {
  object_free(m->slot);
  *m = (Map){ 0 };
}
