/* bracket_key.h - reading the key in x[key] from Lua values. */
#ifndef HL_BIND_VALUE_BRACKET_KEY_H
#define HL_BIND_VALUE_BRACKET_KEY_H

#include "bind/core/lua_object.h"
#include "ir/index_key.h"

/* A key, and the stack indices of its index arrays (NDArrays or Symbols). */
typedef struct IndexKey {
  Key key;
  int array[MAX_DIMS];
} IndexKey;

/* Reads the key at `index`: an integer, a string, an index array, or a table of these. The arrays of a table are left
** on the stack. Raises on errors. */
void index_key_read(lua_State *L, int index, IndexKey *out);

/* set_field_hint(f): f(name) returns advice on an unknown name, "; did you mean ...", or nil */
int index_key_set_unknown(lua_State *L);

#endif
