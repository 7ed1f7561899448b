/* traceback.c - the message handler of the program.
**
** Like luaL_traceback, but it speaks about the user's script: frames of hybridlua's own Lua
** files, and of C functions above the user's innermost line, are left out.
*/
#include "bind/traceback.h"

#include <stdbool.h>
#include <string.h>

#include "bind/interrupt.h"
#include "bind/object.h"

enum { FIRST = 10, LAST = 11 };      /* of more frames the middle is left out */

typedef struct Frames {
  lua_State *L;
  int level;                         /* of the next one */
  bool below;                        /* the user's innermost line was passed */
  bool called_by_own;                /* then its name is a name in our files */
} Frames;

/* The next frame to be shown. */
static bool next_frame(Frames *f, lua_Debug *ar) {
  while (lua_getstack(f->L, f->level, ar)) {
    f->level++;
    lua_getinfo(f->L, "Slnt", ar);
    lua_Debug caller;
    f->called_by_own = lua_getstack(f->L, f->level, &caller) && lua_getinfo(f->L, "S", &caller) && own_frame(&caller);
    bool own = own_frame(ar), in_c = *ar->what == 'C', named = *ar->namewhat != '\0';
    if (!own && !in_c) f->below = true;
    if (!own && (!in_c || (f->below && named))) return true;
  }
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

/* Pushes message and traceback; the handler itself, level 0, is not in it. */
static void push_traceback(lua_State *L, const char *message) {
  lua_Debug ar;
  Frames frames = { .L = L, .level = 1 };
  int n = 0;
  while (next_frame(&frames, &ar)) n++;
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, message);
  frames = (Frames){ .L = L, .level = 1 };
  for (int i = 0; next_frame(&frames, &ar); i++) {
    if (n == 1 && *ar.what == 'L') break;            /* a line typed at the prompt: the message has it all */
    if (i == 0) luaL_addstring(&b, "\nstack traceback:");
    if (i < FIRST || i >= n - LAST) { add_frame(&b, &ar, !frames.called_by_own); continue; }
    if (i > FIRST) continue;
    lua_pushfstring(L, "\n\t...\t(skipping %d levels)", n - LAST - FIRST);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
}

int traceback_handler(lua_State *L) {
  if (interrupt_pending()) return 1;
  const char *message = lua_tostring(L, 1);
  if (!message) {
    if (luaL_callmeta(L, 1, "__tostring") && lua_type(L, -1) == LUA_TSTRING) return 1;
    message = lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
  }
  push_traceback(L, message);
  return 1;
}
