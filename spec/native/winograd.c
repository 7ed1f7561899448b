/* winograd.c - a Lua module for one spec: the plain loops of winograd_plain.h.
**
** forward(data, weight, bias or nil, sizes, fused), data(g, weight, sizes, fused) and weight(g, data, sizes, fused) get
** arrays as strings of bytes, and sizes = {images, channels, filters, height, width, pad, pad, window} of the forward
** layer. They return the result's bytes.
*/
#include <lauxlib.h>
#include <lua.h>

#include "winograd_plain.h"

static WinogradPlain layer(lua_State *L, int at) {
  long n[8];
  for (int i = 0; i < 8; i++) {
    lua_geti(L, at, i + 1);
    n[i] = (long)lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  const long less = n[7] - 1;
  return (WinogradPlain){ .images = n[0],
                          .channels = n[1],
                          .filters = n[2],
                          .in = { n[3], n[4] },
                          .out = { n[3] + 2 * n[5] - less, n[4] + 2 * n[6] - less },
                          .pad = { n[5], n[6] },
                          .window = n[7] };
}

static int forward(lua_State *L) {
  const WinogradPlain s = layer(L, 4);
  const size_t n = (size_t)(s.images * s.filters * s.out[0] * s.out[1]) * sizeof(float);
  luaL_Buffer b;
  winograd_fused = lua_toboolean(L, 5);
  char *out = luaL_buffinitsize(L, &b, n);
  winograd_plain_forward(&s, (const float *)lua_tostring(L, 1), (const float *)lua_tostring(L, 2), false,
                         (const float *)lua_tostring(L, 3), (float *)out);
  luaL_pushresultsize(&b, n);
  return 1;
}

static int data(lua_State *L) {
  const WinogradPlain f = layer(L, 3);
  const WinogradPlain s = { .images = f.images,
                            .channels = f.filters,
                            .filters = f.channels,
                            .in = { f.out[0], f.out[1] },
                            .out = { f.in[0], f.in[1] },
                            .pad = { f.window - 1 - f.pad[0], f.window - 1 - f.pad[1] },
                            .window = f.window };
  const size_t n = (size_t)(f.images * f.channels * f.in[0] * f.in[1]) * sizeof(float);
  luaL_Buffer b;
  winograd_fused = lua_toboolean(L, 4);
  char *out = luaL_buffinitsize(L, &b, n);
  winograd_plain_forward(&s, (const float *)lua_tostring(L, 1), (const float *)lua_tostring(L, 2), true, NULL,
                         (float *)out);
  luaL_pushresultsize(&b, n);
  return 1;
}

static int weight(lua_State *L) {
  const WinogradPlain s = layer(L, 3);
  const size_t n = (size_t)(s.filters * s.channels * s.window * s.window) * sizeof(float);
  luaL_Buffer b;
  winograd_fused = lua_toboolean(L, 4);
  char *out = luaL_buffinitsize(L, &b, n);
  winograd_plain_weight(&s, (const float *)lua_tostring(L, 2), (const float *)lua_tostring(L, 1), (float *)out);
  luaL_pushresultsize(&b, n);
  return 1;
}

int luaopen_winograd(lua_State *L) {
  const luaL_Reg functions[] = { { "forward", forward }, { "data", data }, { "weight", weight }, { NULL, NULL } };
  luaL_newlib(L, functions);
  return 1;
}
