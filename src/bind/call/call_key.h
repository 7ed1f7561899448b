/* call_key.h - the arguments of a block's call, flattened: bytes that are equal for calls which one trace serves, and
** the arrays among them, each once, in the order in which they are met.
*/
#ifndef HL_BIND_CALL_CALL_KEY_H
#define HL_BIND_CALL_CALL_KEY_H

#include "bind/core/lua_object.h"

typedef struct CallKey {
  uint8_t *bytes;
  size_t n, capacity;
  Array **leaf;              /* what the caller handed over holds them */
  int n_leaves, leaf_room;
  int at;                    /* places on the stack: of more bytes, more leaves and their index */
  int list;                  /* of a Lua list that gets the leaves, too; 0: none */
  int32_t *index;            /* a hash table of the leaves, once they are many */
  uint32_t index_size;
  uint8_t few_bytes[256];
  Array *few_leaves[32];
} CallKey;

/* Reads the values from `first` to `last` on the stack; leaves KEY_SLOTS values on it that the key is in. `list`: where
** on the stack a Lua list is that gets the arrays, or 0. Runs no Lua. False: there is something among them that no
** compiled call takes; gluon/hybridize/call_signature.lua says what. */
enum { KEY_SLOTS = 3 };
bool call_key_read(lua_State *L, int first, int last, int list, CallKey *k);

#endif
