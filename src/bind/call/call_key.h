/* call_key.h - the signature of a block's call: bytes that are equal for calls which the same trace serves, and
** the flattened arguments: the arrays, each once, in order of appearance.
*/
#ifndef HL_BIND_CALL_CALL_KEY_H
#define HL_BIND_CALL_CALL_KEY_H

#include "bind/core/lua_object.h"

typedef struct CallKey {
  uint8_t *bytes;
  size_t n, capacity;
  Array **argument;       /* held by the values that the caller passed */
  int n_arguments, argument_capacity;
  int at;                 /* stack index of KEY_SLOTS values: userdata for more bytes, more arguments, their index */
  int list;               /* stack index of a Lua list that gets the arguments too; 0: none */
  int32_t *index;         /* a hash table of the arguments, once there are many */
  uint32_t index_size;
  uint8_t few_bytes[256];
  Array *few_arguments[32];
} CallKey;

/* Reads the values from `first` to `last` on the stack; leaves KEY_SLOTS values on it, which hold the key. `list`:
** stack index of a Lua list that gets the arrays, or 0. `numbers`: bit i if value i + 1 is bound at run time: if it is a
** number, its value does not count. Runs no Lua code. False if one of the values is not allowed in
** a compiled call; gluon/hybridize/call_signature.lua finds which. */
enum { KEY_SLOTS = 3 };
bool call_key_read(lua_State *L, int first, int last, int list, uint64_t numbers, CallKey *k);

#endif
