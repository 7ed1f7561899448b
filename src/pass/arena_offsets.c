/* arena_offsets.c - see arena_offsets.h.
**
** Two algorithms run, and the smaller arena wins. By time: each stretch gets the smallest free hole that fits, as from
** an allocator that does not know the future. By size: the largest stretch comes first, and each gets the lowest offset
** that is free during its lifetime. Thus large stretches are not placed above small ones that are freed early, but the
** time is quadratic in their number.
*/
#include "pass/arena_offsets.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bump.h"
#include "base/size_math.h"

enum { MOST_BY_SIZE = 4096 };

/* ---- In order of time ------------------------------------------------------------------------------ */

typedef struct Hole { size_t at, bytes; } Hole;
typedef struct Holes { Hole *at; int n; size_t end; } Holes;      /* sorted by offset */

static void give(Holes *h, size_t at, size_t bytes) {
  int i = 0;
  if (bytes == 0) return;
  while (i < h->n && h->at[i].at < at) i++;
  bool joins_before = i > 0 && h->at[i - 1].at + h->at[i - 1].bytes == at;
  bool joins_after = i < h->n && at + bytes == h->at[i].at;
  if (joins_before && joins_after) {
    h->at[i - 1].bytes += bytes + h->at[i].bytes;
    memmove(&h->at[i], &h->at[i + 1], (size_t)(--h->n - i) * sizeof *h->at);
  } else if (joins_before) {
    h->at[i - 1].bytes += bytes;
  } else if (joins_after) {
    h->at[i].at = at;
    h->at[i].bytes += bytes;
  } else {
    memmove(&h->at[i + 1], &h->at[i], (size_t)(h->n++ - i) * sizeof *h->at);
    h->at[i] = (Hole){ at, bytes };
  }
}

/* The smallest hole of at least that many bytes, or the end of the arena, which then grows. */
static size_t take(Holes *h, size_t bytes) {
  int best = -1;
  if (bytes == 0) return 0;
  for (int i = 0; i < h->n; i++)
    if (h->at[i].bytes >= bytes && (best < 0 || h->at[i].bytes < h->at[best].bytes)) best = i;
  if (best >= 0) {
    size_t at = h->at[best].at;
    h->at[best].at += bytes;
    h->at[best].bytes -= bytes;
    if (h->at[best].bytes == 0) memmove(&h->at[best], &h->at[best + 1], (size_t)(--h->n - best) * sizeof *h->at);
    return at;
  }
  const Hole *last = h->n > 0 ? &h->at[h->n - 1] : NULL;
  size_t at = h->end;
  if (last && last->at + last->bytes == h->end) {
    at = last->at;
    h->n--;
  }
  h->end = at + bytes;
  return at;
}

static int by_end(const void *x, const void *y) {
  const Lifetime *a = *(const Lifetime *const *)x, *b = *(const Lifetime *const *)y;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* *least: the most bytes needed in one step, a lower bound of any arena. */
static Status place_by_time(Bump *bump, Lifetime *s, int n, size_t *end, size_t *least) {
  size_t now = 0;
  Lifetime **ends = BUMP_ARRAY(bump, n, Lifetime *);
  Holes holes = { .at = BUMP_ARRAY(bump, n + 1, Hole) };
  TRY(bump->status);
  for (int i = 0; i < n; i++) ends[i] = &s[i];
  qsort(ends, (size_t)n, sizeof *ends, by_end);
  *least = 0;
  for (int i = 0, ended = 0; i < n; i++) {
    for (; ends[ended]->to < s[i].from; ended++) {
      give(&holes, ends[ended]->at, whole_lines(ends[ended]->bytes));
      now -= whole_lines(ends[ended]->bytes);
    }
    s[i].at = take(&holes, whole_lines(s[i].bytes));
    now += whole_lines(s[i].bytes);
    if (now > *least) *least = now;
  }
  *end = holes.end;
  return OK;
}

/* ---- In order of size ------------------------------------------------------------------------------- */

static int by_size(const void *x, const void *y) {
  const Lifetime *a = *(const Lifetime *const *)x, *b = *(const Lifetime *const *)y;
  if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
  return a < b ? -1 : a > b;
}

static bool together(const Lifetime *a, const Lifetime *b) { return a->from <= b->to && b->from <= a->to; }

/* The lowest offset that is free while s is needed; placed[] are by offset. */
static size_t lowest(const Lifetime *s, Lifetime *const *placed, int n) {
  size_t at = 0;
  for (int i = 0; i < n; i++) {
    const Lifetime *p = placed[i];
    if (!together(s, p)) continue;
    if (p->at >= at + whole_lines(s->bytes)) break;
    if (p->at + whole_lines(p->bytes) > at) at = p->at + whole_lines(p->bytes);
  }
  return at;
}

static Status place_by_size(Bump *bump, Lifetime *s, int n, size_t *end) {
  Lifetime **order = BUMP_ARRAY(bump, n, Lifetime *), **placed = BUMP_ARRAY(bump, n, Lifetime *);
  TRY(bump->status);
  *end = 0;
  for (int i = 0; i < n; i++) order[i] = &s[i];
  qsort(order, (size_t)n, sizeof *order, by_size);
  for (int i = 0; i < n && order[i]->bytes > 0; i++) {
    int at = i;
    order[i]->at = lowest(order[i], placed, i);
    for (; at > 0 && placed[at - 1]->at > order[i]->at; at--) placed[at] = placed[at - 1];
    placed[at] = order[i];
    size_t last = order[i]->at + whole_lines(order[i]->bytes);
    if (last > *end) *end = last;
  }
  return OK;
}

/* ---- Both -------------------------------------------------------------------------------------------- */

Status arena_place(Lifetime *s, int n, size_t *end) {
  size_t least = 0, other = 0;
  BUMP(bump, "memory plan");
  TRY(place_by_time(&bump, s, n, end, &least));
  if (*end == least || n > MOST_BY_SIZE) return OK;
  Lifetime *again = BUMP_ARRAY(&bump, n, Lifetime);
  TRY(bump.status);
  for (int i = 0; i < n; i++) again[i] = (Lifetime){ .bytes = s[i].bytes, .from = s[i].from, .to = s[i].to };
  TRY(place_by_size(&bump, again, n, &other));
  if (other < *end) {
    memcpy(s, again, (size_t)n * sizeof *s);
    *end = other;
  }
  return OK;
}
