/* bracket_key.h - reads what stands in the brackets of x[...] from Lua values. */
#ifndef HL_BIND_VALUE_BRACKET_KEY_H
#define HL_BIND_VALUE_BRACKET_KEY_H

#include "bind/core/lua_object.h"
#include "ir/index_key.h"

/* A key, and where on the stack its index arrays are (NDArrays or Symbols). */
typedef struct IndexKey {
  Key key;
  int array[MAX_DIMS];
} IndexKey;

/* Reads the key at `index`: an integer, a text, an index array, a table of these. The arrays of a table are left on
** the stack. Raises. */
void index_key_read(lua_State *L, int index, IndexKey *out);

/* set_field_hint(f): f(name) tells what to write instead of a name that is nothing: "; did you mean ..." or nil */
int index_key_set_unknown(lua_State *L);

#endif
