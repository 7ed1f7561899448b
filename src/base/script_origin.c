/* script_origin.c - the table of origins: open addressing by (source, line), one per process, guarded by a lock.
** Entries are never removed; a script has few lines. */
#include "base/script_origin.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

typedef struct OriginSlot { uint64_t hash; char *text; } OriginSlot;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static OriginSlot *places;            /* places[0] is "unknown" */
static uint32_t *slots;          /* hash slot -> index into places; 0 if free */
static uint32_t n_places = 1, n_slots;

static uint64_t hash_of(const char *source, int line) {
  uint64_t h = 0xCBF29CE484222325u ^ (uint64_t)line;
  for (; *source; source++) h = (h ^ (unsigned char)*source) * 0x100000001B3u;
  return h * 0x9E3779B97F4A7C15u;
}

static int grow(void) {
  uint32_t wider = n_slots ? n_slots * 2 : 256;
  uint32_t *s = object_new(wider * sizeof *s);
  OriginSlot *p = s ? object_resize(places, (wider / 2 + 1) * sizeof *p) : NULL;
  if (!p) {
    object_free(s);
    return 0;
  }
  for (uint32_t i = 1; i < n_places; i++) {
    uint32_t at = (uint32_t)(p[i].hash >> 32) & (wider - 1);
    while (s[at]) at = (at + 1) & (wider - 1);
    s[at] = i;
  }
  object_free(slots);
  slots = s;
  places = p;
  n_slots = wider;
  return 1;
}

static Origin intern(const char *source, int line) {
  uint64_t hash = hash_of(source, line);
  if (n_places >= n_slots / 2 && !grow()) return 0;
  uint32_t at = (uint32_t)(hash >> 32) & (n_slots - 1);
  for (; slots[at]; at = (at + 1) & (n_slots - 1))
    if (places[slots[at]].hash == hash) return slots[at];
  char text[512];
  snprintf(text, sizeof text, line > 0 ? "%s:%d" : "%s", source, line);
  char *copy = object_text(text);
  if (!copy) return 0;
  places[n_places] = (OriginSlot){ hash, copy };
  slots[at] = n_places;
  return n_places++;
}

Origin origin_of(const char *source, int line) {
  pthread_mutex_lock(&lock);
  Origin o = intern(source, line);
  pthread_mutex_unlock(&lock);
  return o;
}

const char *origin_text(Origin o) {
  if (o == 0) return "";
  pthread_mutex_lock(&lock);
  const char *text = places[o].text;
  pthread_mutex_unlock(&lock);
  return text;
}

void origin_hold(void) { pthread_mutex_lock(&lock); }
void origin_let(void) { pthread_mutex_unlock(&lock); }
