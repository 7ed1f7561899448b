/* map.h - from pointers to small integers, for the notes that a pass keeps on nodes. */
#ifndef HL_MAP_H
#define HL_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"
#include "base/status.h"

typedef struct MapSlot { const void *key; int value; } MapSlot;

typedef struct Map {
  MapSlot *slot;
  uint32_t slots, used;    /* slots: a power of two, or 0 */
} Map;

/* The value of a key, for the caller to write; *is_new: it was not there, and its value is 0. */
Status map_slot(Map *m, const void *key, int **value, bool *is_new);
Status map_put(Map *m, const void *key, int value);   /* key is not NULL */
int map_get(const Map *m, const void *key);           /* -1 if it is not there */
void map_free(Map *m);

/* Of a key that must be there: a place in an array. */
static inline int map_at(const Map *m, const void *key) {
  int value = map_get(m, key);
  HL_ASSERT(value >= 0);
  return value;
}

#endif
