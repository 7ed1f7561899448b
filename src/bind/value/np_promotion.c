/* np_promotion.c - see np_promotion.h.
**
** Floats win over integers, the wider type over the narrower, and anything over bool. Where MXNet 1.9.1 is an error or
** gives meaningless numbers (integer division, sqrt of integers), NumPy's rule holds with float32 as the float.
** A number beside an array has no dtype of its own: it takes the array's.
*/
#include "bind/value/np_promotion.h"

#include "bind/core/coroutine.h"
#include "bind/trace/graph_breaks.h"
#include "bind/value/op_functions.h"

#include <math.h>
#include <string.h>

/* Floats from the narrowest, then integers. uint8 and int8 have no common 16-bit type here: they give int32. */
DType np_common_dtype(DType a, DType b) {
  static const int rank[N_DTYPES] = { [DT_BOOL] = 0,  [DT_UINT8] = 1,   [DT_INT8] = 1,    [DT_INT32] = 2,
                                      [DT_INT64] = 3, [DT_FLOAT16] = 4, [DT_FLOAT32] = 5, [DT_FLOAT64] = 6 };
  if (a == DT_UNKNOWN || b == DT_UNKNOWN) return DT_UNKNOWN;
  if (a == b) return a;
  if (rank[a] == rank[b]) return DT_INT32;
  return rank[a] > rank[b] ? a : b;
}

DType operand_dtype(lua_State *L, int index) {
  const Type *type = array_type(L, index);
  const Symbol *s = type ? NULL : to_symbol(L, index);
  if (s && s->n == 1) type = entry_type(s->entry[0]);
  return type ? type->dtype : DT_UNKNOWN;
}

void np_cast(lua_State *L, int index, DType dtype) {
  index = lua_absindex(L, index);
  push_operator(L, op_with_role(ROLE_CAST));
  lua_pushvalue(L, index);
  lua_pushstring(L, dtype_name(dtype));
  lua_call(L, 2, 1);
  lua_replace(L, index);
}

/* Does a number at one of the indices have a fraction? */
static bool has_fraction(lua_State *L, int first, int last) {
  for (int i = first; i <= last; i++)
    if (lua_type(L, i) == LUA_TNUMBER && lua_tonumber(L, i) != floor(lua_tonumber(L, i))) return true;
  return false;
}

/* The dtype in which the row computes operands of the common dtype t. */
static DType computed_in(lua_State *L, const Op *op, DType t, int first, int last) {
  const Elementwise *e = op->elementwise;
  const bool number = last > first && (lua_type(L, first) == LUA_TNUMBER || lua_type(L, last) == LUA_TNUMBER);
  const bool divides = op->metamethod && strcmp(op->metamethod, "__div") == 0;
  if (dtype_is_float(t)) return t;
  if (divides || !(e->types & INTEGER_TYPES)) return DT_FLOAT32;
  if (op->flags & OP_TRUTH) return number && has_fraction(L, first, last) ? DT_FLOAT64 : t;
  if (t != DT_BOOL) return t;
  if (number) return has_fraction(L, first, last) ? DT_FLOAT32 : DT_INT64;
  return e->types >> DT_BOOL & 1 ? t : DT_INT32;
}

DType np_promote(lua_State *L, const Op *op, int first, int last) {
  DType common = DT_BOOL;
  int operands = 0;
  const int from = first + (op->elementwise && op->elementwise->condition);
  for (int i = from; i <= last; i++) {
    if (!is_operand(L, i)) continue;
    common = np_common_dtype(common, operand_dtype(L, i));
    operands++;
  }
  if (!op->elementwise || operands == 0) return DT_UNKNOWN;
  if (common == DT_UNKNOWN) return op->flags & OP_TRUTH ? DT_BOOL : DT_UNKNOWN;
  const DType in = computed_in(L, op, common, from, last);
  for (int i = from; i <= last; i++)
    if (is_operand(L, i) && operand_dtype(L, i) != in) np_cast(L, i, in);
  if (op->flags & OP_TRUTH) return in == DT_BOOL ? DT_UNKNOWN : DT_BOOL;
  return common == DT_BOOL && in == DT_INT32 ? DT_BOOL : DT_UNKNOWN;
}

/* ---- Calls: np's functions and Lua operators of rows -------------------------------------------------------- */

/* The fast path for a row that computes arrays of one float dtype without parameters. */
static bool call_np_arrays(lua_State *L, const Op *op) {
  enum { MOST = 3 };
  Array *in[MOST];
  const int n = op->info->n_inputs;
  if (op->params || n > MOST || lua_gettop(L) != n) return false;
  DType dtype = DT_UNKNOWN;
  for (int i = 1; i <= n; i++) {
    const Type *type = array_type(L, i);
    if (!type || (i > 1 ? type->dtype != dtype : !dtype_is_float(type->dtype))) return false;
    dtype = type->dtype;
  }
  if (breaks_defer(L, op, NULL, (const int[]){ 1, 2, 3 }, n)) {
    make_np(L, -1);
    return true;
  }
  for (int i = 0; i < n; i++) {
    in[i] = to_array(L, i + 1);
    if (array_freed(in[i])) return false;
  }
  return push_eager(L, op, NULL, in, n, KIND_NP);
}

/* np's fast path: arrays of one float dtype, or such an array and a number, so that nothing is promoted. Otherwise
** the stack stays as it is. */
static bool call_plainly(lua_State *L, const Op *op) {
  if (!op->elementwise || op->elementwise->condition || op->flags & OP_TRUTH || !coroutine_plain()) return false;
  if (call_np_arrays(L, op)) return true;
  if (!op->scalar_form || lua_gettop(L) != 2) return false;
  const int array = lua_type(L, 1) == LUA_TNUMBER ? 2 : 1;
  const Type *type = lua_type(L, 3 - array) == LUA_TNUMBER ? array_type(L, array) : NULL;
  if (!type || !dtype_is_float(type->dtype)) return false;
  const Op *scalar = op_find(array == 1 ? op->scalar_form : op->scalar_form_reversed);
  if (array == 2) lua_insert(L, 1);
  if (call_array_and_number(L, scalar, KIND_NP)) return true;
  if (array == 2) lua_insert(L, 1);
  return false;
}

/* Upvalues as for op_function, with FACE_NP: np.NAME. */
static int np_function(lua_State *L) {
  const Op *op = lua_touserdata(L, lua_upvalueindex(1));
  const int n = lua_gettop(L), most = op->info->n_inputs;
  coroutine_enter(L);
  if (call_plainly(L, op)) return 1;
  const DType to = np_promote(L, op, 1, n < most ? n : most);
  const int results = call_by_form(L, op, (Face)lua_tointeger(L, lua_upvalueindex(2)));
  if (to != DT_UNKNOWN) np_cast(L, -1, to);
  return results;
}

/* np_function(name, of sym?) -> np's function of a row: it casts operands of unlike dtypes, and its results are np's */
static int new_np_function(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const Op *op = op_find(name);
  if (!op) return raise_error(L, "np_function: there is no operator '%s'", name);
  push_function(L, np_function, op, FACE_NP | (lua_toboolean(L, 2) ? FACE_SYM : FACE_ND));
  return 1;
}

int np_metamethod(lua_State *L, const Op *op) {
  if (call_plainly(L, op)) return 1;
  const DType to = np_promote(L, op, 1, op->info->n_inputs);
  const int results = call_by_metamethod(L, op);
  if (to != DT_UNKNOWN) np_cast(L, -1, to);
  return results;
}

/* ---- For Lua -------------------------------------------------------------------------------------------------- */

/* promote(operands...) -> the operands in their common dtype; other values stay as they are */
static int promote(lua_State *L) {
  DType common = DT_BOOL;
  const int n = lua_gettop(L);
  for (int i = 1; i <= n; i++)
    if (is_operand(L, i)) common = np_common_dtype(common, operand_dtype(L, i));
  if (common == DT_UNKNOWN) return n;
  luaL_checkstack(L, 8, "operands");
  for (int i = 1; i <= n; i++)
    if (is_operand(L, i) && operand_dtype(L, i) != common) np_cast(L, i, common);
  return n;
}

/* common_dtype(a, b) -> the name of the dtype */
static int common_dtype(lua_State *L) {
  lua_pushstring(L, dtype_name(np_common_dtype(check_dtype(L, 1, "result_type"), check_dtype(L, 2, "result_type"))));
  return 1;
}

/* dtype_of(x) -> the dtype of an array or a Symbol, nil if it is not known */
static int dtype_of(lua_State *L) {
  const DType t = operand_dtype(L, 1);
  if (t == DT_UNKNOWN) lua_pushnil(L);
  else lua_pushstring(L, dtype_name(t));
  return 1;
}

void open_np_promotion(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "promote", promote }, { "common_dtype", common_dtype }, { "dtype_of", dtype_of },
    { "np_function", new_np_function }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
