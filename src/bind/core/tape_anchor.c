/* tape_anchor.c - see tape_anchor.h.
**
** Three tables are in the registry. `holders` maps arrays to anchors; its keys are weak, and an entry whose value alone
** refers back to its key is collected (Lua's ephemerons). `places` maps addresses, which arrays and weak handles keep,
** to anchors; its values are weak. `held` has the anchors of hold_object. An address is looked up only while the array
** is alive, or through a weak handle, whose address the anchor clears when it is collected.
*/
#include "bind/core/tape_anchor.h"

#include "base/memory.h"
#include "bind/core/lua_state.h"

static const char anchor_tag, holders_key, places_key, held_key;

struct WeakHandle {
  int refs;                  /* one for the anchor, and one for all its nodes */
  int nodes;                 /* number of nodes that have it */
  struct Anchor *anchor;     /* NULL if collected */
  State *state;              /* the Lua state of the anchor and its object */
  WeakHandle *next;          /* in State.settling, the list of those without nodes */
};

/* User value 1 is the object, or nil in an anchor that only joins others; the joined anchors follow. */
struct Anchor { WeakHandle *link; };

static void link_release(WeakHandle *link) {
  if (link && --link->refs == 0) object_free(link);
}

void *weak_handle_retain(void *pointer) {
  WeakHandle *link = pointer;
  if (link->nodes++ == 0) link->refs++;
  return link;
}

void weak_handle_release(void *pointer) {
  WeakHandle *link = pointer;
  if (--link->nodes > 0) return;
  link->next = link->state->settling;         /* its reference stays until settle_anchors */
  link->state->settling = link;
}

static int anchor_gc(lua_State *L) {
  Anchor *a = lua_touserdata(L, 1);
  if (a->link) a->link->anchor = NULL;
  link_release(a->link);
  a->link = NULL;
  return 0;
}

/* Pushes the anchor with this address; false, with nothing pushed, if it was collected. */
static bool push_place(lua_State *L, const Anchor *a) {
  if (!a) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &places_key);
  bool there = lua_rawgetp(L, -1, a) == LUA_TUSERDATA;
  lua_remove(L, -2);
  if (!there) lua_pop(L, 1);
  return there;
}

static Anchor *push_anchor(lua_State *L, int others) {
  Anchor *a = lua_newuserdatauv(L, sizeof *a, 1 + others);
  *a = (Anchor){ 0 };
  take_metatable(L, &anchor_tag);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &places_key);
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, a);
  lua_pop(L, 1);
  return a;
}

/* Does in[i] have an anchor that no earlier array has? */
static bool first_of_its(Array *const *in, int i) {
  if (!in[i] || !*array_anchor(in[i])) return false;
  for (int k = 0; k < i; k++)
    if (in[k] && *array_anchor(in[k]) == *array_anchor(in[i])) return false;
  return true;
}

static int count_anchors(Array *const *in, int n_in) {
  int n = 0;
  for (int i = 0; i < n_in; i++) n += first_of_its(in, i);
  return n;
}

/* Stores the arrays' anchors in the anchor on top, as its user values from `at` on. */
static void hold_all(lua_State *L, int at, Array *const *in, int n_in) {
  for (int i = 0; i < n_in; i++) {
    if (!first_of_its(in, i) || !push_place(L, *array_anchor(in[i]))) continue;
    lua_setiuservalue(L, -2, at++);
  }
}

void push_object_anchor(lua_State *L, int object, Array *const *in, int n_in) {
  object = lua_absindex(L, object);
  state_enter(L);
  Anchor *a = push_anchor(L, count_anchors(in, n_in));
  lua_pushvalue(L, object);
  lua_setiuservalue(L, -2, 1);
  hold_all(L, 2, in, n_in);
  a->link = object_new(sizeof *a->link);
  if (!a->link) raise_status(L, no_memory("Function"));
  *a->link = (WeakHandle){ .refs = 1, .anchor = a, .state = state_now() };
}

WeakHandle *hold_object(lua_State *L, int object) {
  push_object_anchor(L, object, NULL, 0);
  Anchor *a = lua_touserdata(L, -1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &held_key);
  lua_insert(L, -2);
  lua_rawsetp(L, -2, a);
  lua_pop(L, 1);
  return weak_handle_retain(a->link);
}

WeakHandle *anchor_handle(lua_State *L, int anchor) { return ((Anchor *)lua_touserdata(L, anchor))->link; }

bool push_handled_object(lua_State *L, const WeakHandle *link) {
  if (!push_place(L, link->anchor)) return false;
  lua_getiuservalue(L, -1, 1);
  lua_remove(L, -2);
  return true;
}

bool push_anchor_of(lua_State *L, Array *const *in, int n_in) {
  int n = count_anchors(in, n_in);
  if (__builtin_expect(n == 0, 1)) return false;
  if (n > 1) {
    push_anchor(L, n);
    hold_all(L, 2, in, n_in);
    return true;
  }
  for (int i = 0; i < n_in; i++)
    if (first_of_its(in, i)) return push_place(L, *array_anchor(in[i]));
  return false;
}

void join_anchors(lua_State *L, int anchor, Array *const *in, int n_in) {
  anchor = lua_absindex(L, anchor);
  if (!push_anchor_of(L, in, n_in)) return;
  if (!lua_isnil(L, anchor) && !lua_rawequal(L, anchor, -1)) {
    push_anchor(L, 2);
    lua_pushvalue(L, anchor);
    lua_setiuservalue(L, -2, 2);
    lua_pushvalue(L, -2);
    lua_setiuservalue(L, -2, 3);
    lua_remove(L, -2);
  }
  lua_replace(L, anchor);
}

void set_anchor(lua_State *L, int array, int anchor) {
  weak_table_set(L, &holders_key, array, anchor);
  *array_anchor(array_lazy(L, array)) = lua_touserdata(L, anchor);
}

void drop_anchor(lua_State *L, int array) {
  Anchor **anchor = array_anchor(array_lazy(L, array));
  if (*anchor) weak_table_set(L, &holders_key, array, 0);
  *anchor = NULL;
}

void settle_anchors(lua_State *L) {
  state_enter(L);
  for (WeakHandle *link; (link = state_now()->settling); link_release(link)) {
    state_now()->settling = link->next;
    if (push_place(L, link->anchor)) {           /* other nodes may still need the joined anchors */
      lua_pushnil(L);
      lua_setiuservalue(L, -2, 1);
      lua_pop(L, 1);
      lua_rawgetp(L, LUA_REGISTRYINDEX, &held_key);
      lua_pushnil(L);
      lua_rawsetp(L, -2, link->anchor);
      lua_pop(L, 1);
    }
  }
}

void weak_handles_forget(struct State *s) {
  for (WeakHandle *link; (link = s->settling); link_release(link)) s->settling = link->next;
}

void open_anchor(lua_State *L) {
  new_weak_table(L, &holders_key, "k");
  new_weak_table(L, &places_key, "v");
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &held_key);
  new_metatable(L, &anchor_tag, "hybridlua.Anchor", anchor_gc);
  set_boolean(L, "__metatable", false);               /* out of a script's reach */
  lua_pop(L, 1);
}
