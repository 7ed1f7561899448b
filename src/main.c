#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
int luaopen_hybridlua(lua_State *L);
int main(int argc, char **argv) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "hybridlua", luaopen_hybridlua, 0);
  if (argc > 1 && luaL_dofile(L, argv[1])) { fprintf(stderr, "%s\n", lua_tostring(L, -1)); return 1; }
  lua_close(L);
  return 0;
}
