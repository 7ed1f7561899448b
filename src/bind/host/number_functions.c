/* number_functions.c - core.number: exp, log, power, sin and cos of Lua numbers with the same bits on any machine. Code
** that computes learning rates, tables or draws for float32 arrays calls these, because math.exp and `^` use libm. And
** the norm of several arrays by their norms, as kernels compute it.
*/
#include "base/math/double_functions.h"
#include "base/math/global_norm.h"
#include "bind/core/lua_object.h"

static int number_exp(lua_State *L) { return return_number(L, hl_exp64(luaL_checknumber(L, 1))); }

static int number_log(lua_State *L) { return return_number(L, hl_log64(luaL_checknumber(L, 1))); }

static int number_power(lua_State *L) {
  return return_number(L, hl_pow64(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
}

static int number_sin(lua_State *L) { return return_number(L, hl_sin64(luaL_checknumber(L, 1))); }

static int number_cos(lua_State *L) { return return_number(L, hl_cos64(luaL_checknumber(L, 1))); }

/* norm_and_factor(norms, most): the norm of arrays with these norms, and the factor that reduces it to `most` */
static int norm_and_factor(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const int n = (int)lua_rawlen(L, 1);
  double *norm = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *norm, 0);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, 1, i + 1);
    norm[i] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  const double all = hl_global_norm(norm, n);
  return_number(L, all);
  return 1 + return_number(L, hl_norm_factor(all, luaL_checknumber(L, 2)));
}

void open_numbers(lua_State *L) {
  const luaL_Reg functions[] = {
    { "exp_of", number_exp }, { "log_of", number_log }, { "power_of", number_power },
    { "sin_of", number_sin }, { "cos_of", number_cos }, { "norm_and_factor", norm_and_factor },
    { NULL, NULL },
  };
  luaL_setfuncs(L, functions, 0);
}
