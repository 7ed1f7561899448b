/* call_key.h - the key of a block's call: bytes that are equal for calls that one trace serves; and the call's arrays,
** each once, in order of appearance.
*/
#ifndef HL_BIND_CALL_CALL_KEY_H
#define HL_BIND_CALL_CALL_KEY_H

#include "bind/core/lua_object.h"

typedef struct CallKey {
  uint8_t *bytes;
  size_t n, capacity;
  Array **argument;       /* held by the values that the caller passed */
  int n_arguments, argument_capacity;
  int at; /* stack index of KEY_SLOTS values: userdata for long keys, for many arguments, for `index` */
  int list; /* stack index of a Lua list that gets the arguments, or 0 */
  int32_t *index; /* hash table of the arguments if there are many, or NULL */
  uint32_t index_size;
  uint8_t few_bytes[256];
  Array *few_arguments[32];
} CallKey;

/* Reads the values from `first` to `last` on the stack; pushes KEY_SLOTS values, which hold the key. `list`: stack
** index of a Lua list that gets the arrays, or 0. `numbers`: bit i if value i + 1 is bound at run time, so that the key
** does not depend on it if it is a number. Runs no Lua code. False if compiled calls do not allow a value;
** gluon/hybridize/call_signature.lua determines which. */
enum { KEY_SLOTS = 3 };
bool call_key_read(lua_State *L, int first, int last, int list, uint64_t numbers, CallKey *k);

#endif
