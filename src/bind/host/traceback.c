/* traceback.c - the message handler of the program.
**
** It works like luaL_traceback, but omits frames of hybridlua's own Lua files and of C functions above the user's
** innermost line.
*/
#include "bind/host/traceback.h"

#include <stdbool.h>
#include <string.h>

#include "bind/core/interrupt.h"
#include "bind/core/lua_object.h"

enum { FIRST = 10, LAST = 11 };      /* frames shown at either end; the others are left out */
enum { NEAR = 1000 };                /* levels read at either end of a deeper stack */

typedef struct Frames {
  lua_State *L;
  int level;                         /* the next one */
  bool below;                        /* the user's innermost line was found */
  bool called_by_own;                /* called by one of our files, so its name is from there */
} Frames;

/* Is this C function shown? Yes, if it was called from Lua and is below the user's innermost line. */
static bool shown_in_c(const Frames *f, const lua_Debug *ar) { return f->below && *ar->namewhat != '\0'; }

/* Should the level be shown? */
static bool look_at_level(Frames *f, int level, lua_Debug *ar) {
  if (!lua_getstack(f->L, level, ar)) return false;
  lua_getinfo(f->L, "Slnt", ar);
  lua_Debug caller;
  f->called_by_own = lua_getstack(f->L, level + 1, &caller) && lua_getinfo(f->L, "S", &caller) && own_frame(&caller);
  bool own = own_frame(ar), in_c = *ar->what == 'C';
  if (!own && !in_c) f->below = true;
  return !own && (!in_c || shown_in_c(f, ar));
}

/* Finds the next frame to show, among the levels before `end`. */
static bool next_frame(Frames *f, int end, lua_Debug *ar) {
  while (f->level < end)
    if (look_at_level(f, f->level++, ar)) return true;
  return false;
}

static void add_frame(luaL_Buffer *b, const lua_Debug *ar, bool named) {
  lua_State *L = b->L;
  if (ar->currentline > 0) lua_pushfstring(L, "\n\t%s:%d: in ", ar->short_src, ar->currentline);
  else lua_pushfstring(L, "\n\t%s: in ", ar->short_src);
  luaL_addvalue(b);
  if (named && strcmp(ar->namewhat, "global") == 0) lua_pushfstring(L, "function '%s'", ar->name);
  else if (named && *ar->namewhat) lua_pushfstring(L, "%s '%s'", ar->namewhat, ar->name);
  else if (*ar->what == 'm') lua_pushliteral(L, "main chunk");
  else if (*ar->what == 'C') lua_pushliteral(L, "?");
  else lua_pushfstring(L, "function <%s:%d>", ar->short_src, ar->linedefined);
  luaL_addvalue(b);
  if (ar->istailcall) luaL_addstring(b, "\n\t(...tail calls...)");
}

static void add_skipped(luaL_Buffer *b, int n) {
  lua_pushfstring(b->L, "\n\t...\t(skipping %d levels)", n);
  luaL_addvalue(b);
}

/* Adds the frames of a whole stack, without level 0, the handler. */
static void add_frames(luaL_Buffer *b, int levels) {
  lua_Debug ar;
  Frames frames = { .L = b->L, .level = 1 };
  int n = 0;
  while (next_frame(&frames, levels, &ar)) n++;
  frames = (Frames){ .L = b->L, .level = 1 };
  for (int i = 0; next_frame(&frames, levels, &ar); i++) {
    if (n == 1 && *ar.what == 'L') return;            /* a line typed at the prompt, which the message shows */
    if (i == 0) luaL_addstring(b, "\nstack traceback:");
    if (i < FIRST || i >= n - LAST) add_frame(b, &ar, !frames.called_by_own);
    else if (i == FIRST) add_skipped(b, n - LAST - FIRST);
  }
}

/* Adds the frames at either end of a deep stack, for example of an endless recursion; the levels between are only
** counted. */
static void add_ends(luaL_Buffer *b, int levels) {
  lua_Debug ar;
  Frames frames = { .L = b->L, .level = 1 };
  luaL_addstring(b, "\nstack traceback:");
  for (int i = 0; i < FIRST && next_frame(&frames, NEAR, &ar); i++) add_frame(b, &ar, !frames.called_by_own);
  lua_Debug last[LAST];                              /* outermost first */
  bool named[LAST], by_own = false;
  int first = levels, n = 0;
  for (int i = 0; i < NEAR / LAST && n < LAST && lua_getstack(b->L, first - 1, &last[n]); i++) {
    lua_getinfo(b->L, "Slnt", &last[n]);
    bool own = own_frame(&last[n]), shown = !own && (*last[n].what != 'C' || shown_in_c(&frames, &last[n]));
    first--;
    named[n] = !by_own;
    by_own = own;
    n += shown;
  }
  add_skipped(b, first - frames.level);
  while (n-- > 0) add_frame(b, &last[n], named[n]);
}

/* Pushes the text that a function of one of our modules returns for a value. The function is the module itself or, if
** `field` is not NULL, that field. Returns NULL, with nothing pushed, if there is none. Errors in that code are
** ignored, because another error is being handled. */
static const char *push_text_by(lua_State *L, const char *module, const char *field, int value) {
  int top = lua_gettop(L);
  lua_getglobal(L, "require");
  lua_pushstring(L, module);
  bool found = lua_checkstack(L, LUA_MINSTACK) && lua_pcall(L, 1, 1, 0) == LUA_OK;
  if (found && field) found = lua_istable(L, -1) && lua_getfield(L, -1, field);
  if (found && lua_isfunction(L, -1)) {
    lua_pushvalue(L, value);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING) return lua_tostring(L, -1);
  }
  lua_settop(L, top);
  return NULL;
}

/* The number of stack levels, by doubling and bisection. */
static int stack_levels(lua_State *L) {
  lua_Debug ar;
  int there = 0, gone = 1;
  while (lua_getstack(L, gone, &ar)) {
    there = gone;
    gone *= 2;
  }
  while (gone - there > 1) {
    int middle = there + (gone - there) / 2;
    if (lua_getstack(L, middle, &ar)) there = middle;
    else gone = middle;
  }
  return gone;
}

static void push_traceback(lua_State *L, const char *message) {
  luaL_Buffer b;
  int levels = stack_levels(L);
  luaL_buffinit(L, &b);
  luaL_addstring(&b, message);
  if (levels <= 2 * NEAR) add_frames(&b, levels);
  else add_ends(&b, levels);
  luaL_pushresult(&b);
}

/* The text of a table that was raised, in the prompt's form; NULL if it is empty or cannot be shown. */
static const char *table_text(lua_State *L, int index) {
  int top = lua_gettop(L);
  lua_pushnil(L);
  bool empty = lua_next(L, index) == 0;
  lua_settop(L, top);
  const char *text = empty ? NULL : push_text_by(L, "hybridlua.repl.show", "value", index);
  return text ? lua_pushfstring(L, "error object: %s", text) : NULL;
}

int traceback_handler(lua_State *L) {
  if (interrupt_pending()) return 1;
  const char *message = lua_tostring(L, 1);
  if (!message) {
    if (luaL_callmeta(L, 1, "__tostring") && lua_type(L, -1) == LUA_TSTRING) return 1;
    if (lua_istable(L, 1)) message = table_text(L, 1);
    if (!message) message = lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
  }
  /* adds a hint of what to write instead (lua/hybridlua/language/error_hints.lua) */
  const bool may_have_hint = lua_type(L, 1) == LUA_TSTRING && strstr(message, ": ");
  const char *hinted = may_have_hint ? push_text_by(L, "hybridlua.language.error_hints", NULL, 1) : NULL;
  push_traceback(L, hinted ? hinted : message);
  return 1;
}
