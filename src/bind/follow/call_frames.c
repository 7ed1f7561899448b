/* call_frames.c - see call_frames.h. */
#include "bind/follow/call_frames.h"

#include "base/memory.h"

FrameStack *frames_of(FrameStacks *all, lua_State *L) {
  if (all->last < all->n && all->at[all->last].L == L) return &all->at[all->last];
  for (int i = 0; i < all->n; i++) {
    if (all->at[i].L != L) continue;
    all->last = i;
    return &all->at[i];
  }
  FrameStack *wider = object_widen(all->at, (int64_t)all->n + 1, &all->room, sizeof *wider);
  if (!wider) return NULL;
  all->at = wider;
  all->last = all->n;
  all->at[all->n] = (FrameStack){ .L = L };
  return &all->at[all->n++];
}

Frame *frame_find(const FrameStack *s, const void *call) {
  if (s->n > 0 && s->at[s->n - 1].call == call) return &s->at[s->n - 1];
  int i = map_get(&s->place, call);
  return i >= 0 && i < s->n && s->at[i].call == call ? &s->at[i] : NULL;
}

Frame *frame_push(FrameStack *s, const void *call) {
  Frame *wider = object_widen(s->at, (int64_t)s->n + 1, &s->room, sizeof *wider);
  if (!wider) return NULL;
  s->at = wider;
  if (map_put(&s->place, call, s->n) != OK) return NULL;
  s->at[s->n] = (Frame){ .call = call };
  return &s->at[s->n++];
}

void frames_free(FrameStacks *all) {
  for (int i = 0; i < all->n; i++) {
    object_free(all->at[i].at);
    map_free(&all->at[i].place);
  }
  object_free(all->at);
}
