/* products.c - a Lua module for one spec: the plain loop of product_plain.h.
**
** product(a, b, c or nil, sizes, transpose_a, transpose_b, alpha, beta) gets arrays as strings of bytes and sizes = {m,
** n, k}, and returns the result's bytes. canonical(bytes) replaces every NaN by the same one, since their sign and
** payload are unspecified.
*/
#include <lauxlib.h>
#include <lua.h>
#include <string.h>

#include "product_plain.h"

static int product(lua_State *L) {
  int64_t size[3];
  for (int i = 0; i < 3; i++) {
    lua_geti(L, 4, i + 1);
    size[i] = lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  const size_t n = (size_t)(size[0] * size[1]) * sizeof(float);
  luaL_Buffer b;
  const char *before = lua_tostring(L, 3);
  char *out = luaL_buffinitsize(L, &b, n);
  if (before) memcpy(out, before, n);
  product_plain(size[0], size[1], size[2], lua_toboolean(L, 5), lua_toboolean(L, 6), (float)lua_tonumber(L, 7),
                (const float *)lua_tostring(L, 1), (const float *)lua_tostring(L, 2), (float)lua_tonumber(L, 8),
                (float *)out);
  luaL_pushresultsize(&b, n);
  return 1;
}

static int canonical(lua_State *L) {
  size_t n;
  const char *bytes = luaL_checklstring(L, 1, &n);
  luaL_Buffer b;
  float *x = (float *)luaL_buffinitsize(L, &b, n);
  memcpy(x, bytes, n);
  for (size_t i = 0; i < n / sizeof *x; i++)
    if (isnan(x[i])) x[i] = NAN;
  luaL_pushresultsize(&b, n);
  return 1;
}

int luaopen_products(lua_State *L) {
  const luaL_Reg functions[] = { { "product", product }, { "canonical", canonical }, { NULL, NULL } };
  luaL_newlib(L, functions);
  return 1;
}
