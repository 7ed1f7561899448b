/* map.c - open addressing, at most half full. */
#include "base/map.h"

#include "base/memory.h"

static uint32_t slot_of(const Map *m, const void *key) {
  uint64_t h = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
  uint32_t at = (uint32_t)(h >> 32) & (m->slots - 1);
  while (m->key[at] && m->key[at] != key) at = (at + 1) & (m->slots - 1);
  return at;
}

static Status grow(Map *m) {
  Map wider = { .slots = m->slots ? m->slots * 2 : 64 };
  wider.key = object_new(wider.slots * sizeof *wider.key);
  wider.value = object_new(wider.slots * sizeof *wider.value);
  if (!wider.key || !wider.value) { map_free(&wider); return no_memory("table"); }
  for (uint32_t i = 0; i < m->slots; i++) {
    if (!m->key[i]) continue;
    uint32_t at = slot_of(&wider, m->key[i]);
    wider.key[at] = m->key[i];
    wider.value[at] = m->value[i];
  }
  wider.used = m->used;
  map_free(m);
  *m = wider;
  return OK;
}

Status map_put(Map *m, const void *key, int value) {
  if (2 * m->used >= m->slots) {
    Status s = grow(m);
    if (s != OK) return s;
  }
  uint32_t at = slot_of(m, key);
  if (!m->key[at]) m->used++;
  m->key[at] = key;
  m->value[at] = value;
  return OK;
}

int map_get(const Map *m, const void *key) {
  if (m->slots == 0) return -1;
  uint32_t at = slot_of(m, key);
  return m->key[at] ? m->value[at] : -1;
}

void map_free(Map *m) {
  object_free(m->key);
  object_free(m->value);
  *m = (Map){ 0 };
}
