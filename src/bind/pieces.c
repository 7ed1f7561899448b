/* pieces.c - see pieces.h. */
#include "bind/pieces.h"

static const char list_key, tell_key;        /* in the registry: the list, and who is told */

bool pieces_told(lua_State *L) {
  context_enter(L);
  const Pieces *p = &state_now->pieces;
  return p->on && !context_now.tracing && context_leads(p->context);
}

bool pieces_learning(void) {
  const Pieces *p = &state_now->pieces;
  return p->learning && !context_now.tracing && context_leads(p->context);
}

/* tell(list, what, block): the value on top is the block, or nil for a read. */
static void tell(lua_State *L, const char *what) {
  const int block = lua_gettop(L);
  luaL_checkstack(L, 8, "pieces");
  lua_rawgetp(L, LUA_REGISTRYINDEX, &tell_key);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_pushstring(L, what);
  lua_pushvalue(L, block);
  lua_call(L, 3, 0);
  lua_settop(L, block - 1);
}

void pieces_tell_read(lua_State *L, const char *what) {
  if (!pieces_told(L)) return;
  lua_pushnil(L);
  tell(L, what);
}

void pieces_tell_call(lua_State *L, int block) {
  if (!pieces_told(L)) return;
  lua_pushvalue(L, block);
  tell(L, "");
}

/* pieces_read(what): for functions that are written in Lua */
static int pieces_read(lua_State *L) {
  piece_read(L, luaL_checkstring(L, 1));
  return 0;
}

/* pieces_set(list or nil, learning, context or nil) -> the list, learning and context that were set before. What code of
** this coroutine, or of the one with the number `context`, does is told to the list. learning: blocks inside are to
** run at once, because one around them is looked at. */
static int pieces_set(lua_State *L) {
  lua_settop(L, 3);
  context_enter(L);
  Pieces *p = &state_now->pieces;
  const Pieces before = *p;
  *p = (Pieces){ .on = lua_istable(L, 1), .learning = lua_toboolean(L, 2),
                 .context = lua_isnil(L, 3) ? context_id() : (uint64_t)lua_tointeger(L, 3) };
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_pushboolean(L, before.learning);
  lua_pushinteger(L, (lua_Integer)before.context);
  return 3;
}

/* pieces_now() -> is what this code does told?, is a block around it looked at?, the list */
static int pieces_now(lua_State *L) {
  lua_pushboolean(L, pieces_told(L));
  lua_pushboolean(L, pieces_learning());
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  return 3;
}

/* pieces_teller(fn): fn(list, what, block or nil) is told */
static int pieces_teller(lua_State *L) {
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &tell_key);
  return 0;
}

void open_pieces(lua_State *L) {
  const luaL_Reg functions[] = {
    { "pieces_set", pieces_set }, { "pieces_now", pieces_now }, { "pieces_teller", pieces_teller },
    { "pieces_read", pieces_read }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
