/* number_functions.c - core.number: exp, log, power, sin and cos of Lua numbers with the same bits on any machine. Code
** that computes learning rates, tables or draws for float32 arrays calls these, because math.exp and `^` use libm.
*/
#include "base/math/double_functions.h"
#include "bind/core/lua_object.h"

static int number_exp(lua_State *L) { return return_number(L, hl_exp64(luaL_checknumber(L, 1))); }

static int number_log(lua_State *L) { return return_number(L, hl_log64(luaL_checknumber(L, 1))); }

static int number_power(lua_State *L) {
  return return_number(L, hl_pow64(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
}

static int number_sin(lua_State *L) { return return_number(L, hl_sin64(luaL_checknumber(L, 1))); }

static int number_cos(lua_State *L) { return return_number(L, hl_cos64(luaL_checknumber(L, 1))); }

void open_numbers(lua_State *L) {
  const luaL_Reg functions[] = {
    { "exp_of", number_exp }, { "log_of", number_log }, { "power_of", number_power },
    { "sin_of", number_sin }, { "cos_of", number_cos }, { NULL, NULL },
  };
  luaL_setfuncs(L, functions, 0);
}
