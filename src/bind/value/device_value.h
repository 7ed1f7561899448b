/* device_value.h - contexts as Lua values: hl.cpu(1). */
#ifndef HL_BIND_VALUE_DEVICE_VALUE_H
#define HL_BIND_VALUE_DEVICE_VALUE_H

#include "bind/core/lua_object.h"

/* Pushes the context of a device; the same value while that is referenced. */
void push_device(lua_State *L, Device d);

bool is_device_value(lua_State *L, int index);
bool is_device_list(lua_State *L, int index);       /* a table whose first element is a context */

/* Reads a context, or a list of one, into *out; nil leaves it unchanged. `what` begins error texts: "initialize:
** ctx". */
Status check_device_value(lua_State *L, int index, const char *what, Device *out);

/* The device of a required context; raises. */
Device required_device(lua_State *L, int index, const char *what);

/* Fails if `given` is not the context of the call's inputs, if any. */
Status check_call_device(const Op *op, Device given, Array *const *in, int n_in);

void open_device(lua_State *L);

#endif
