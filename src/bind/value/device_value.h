/* device_value.h - contexts as Lua values: hl.cpu(1). */
#ifndef HL_BIND_VALUE_DEVICE_VALUE_H
#define HL_BIND_VALUE_DEVICE_VALUE_H

#include "bind/core/lua_object.h"

/* Pushes the context of a device: the same value as before, as long as that is referenced. */
void push_device(lua_State *L, Device d);

bool is_device_value(lua_State *L, int index);
bool is_device_list(lua_State *L, int index);       /* a table whose first entry is one */

/* Reads an argument that is a context: one, or a list of one, goes into *out; nil leaves it unchanged.
** Anything else fails; `what` begins the error: "initialize: ctx". */
Status check_device_value(lua_State *L, int index, const char *what, Device *out);

/* The device of a context that must be given; raises. */
Device required_device(lua_State *L, int index, const char *what);

/* Checks the context that a script gives for an operator call: if there are inputs, it must be theirs. */
Status check_call_device(const Op *op, Device given, Array *const *in, int n_in);

void open_device(lua_State *L);

#endif
