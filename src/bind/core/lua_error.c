/* lua_error.c - see lua_error.h. */
#include "bind/core/lua_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind/core/interrupt.h"
#include "ir/op.h"

static const char error_key;          /* registry key: the error that a callback raised */

bool own_frame(const lua_Debug *ar) { return strncmp(ar->source, OWN_CHUNK, sizeof OWN_CHUNK - 1) == 0; }

bool called_by_script(lua_State *L) {
  lua_Debug ar;
  for (int level = 0; lua_getstack(L, level, &ar); level++)
    if (lua_getinfo(L, "S", &ar) && *ar.what != 'C') return !own_frame(&ar);
  return false;
}

static _Thread_local FrameLine frame_line;

FrameLine script_frame_line(FrameLine now) {
  const FrameLine before = frame_line;
  frame_line = now;
  return before;
}

/* Is it the frame with a line of its own? Then *ar gets that line. */
static bool has_line(lua_State *L, lua_Debug *ar) {
  if (!frame_line.frame || !frame_line.line || !lua_getinfo(L, "f", ar)) return false;
  const bool same = lua_tocfunction(L, -1) == frame_line.frame;
  lua_pop(L, 1);
  const char *text = origin_text(frame_line.line), *colon = strrchr(text, ':');
  if (!same || !colon) return false;
  snprintf(ar->short_src, sizeof ar->short_src, "%.*s", (int)(colon - text), text);
  ar->currentline = atoi(colon + 1);
  return true;
}

bool script_frame(lua_State *L, int *level, lua_Debug *ar) {
  while (lua_getstack(L, (*level)++, ar)) {
    if (!lua_getinfo(L, "S", ar)) continue;
    if (*ar->what == 'C') {
      if (has_line(L, ar)) return true;
    } else if (!own_frame(ar)) {
      return lua_getinfo(L, "l", ar);
    }
  }
  return false;
}

/* The innermost frame that runs the user's code. */
static bool user_frame(lua_State *L, lua_Debug *ar) {
  for (int level = 0; script_frame(L, &level, ar);)
    if (ar->currentline > 0) return true;
  return false;
}

Origin origin_here(lua_State *L) {
  lua_Debug ar;
  return user_frame(L, &ar) ? origin_of(ar.short_src, ar.currentline) : 0;
}

const char *script_place(lua_State *L) {
  lua_Debug ar;
  return user_frame(L, &ar) ? lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.currentline) : lua_pushliteral(L, "");
}

Status keep_error(lua_State *L) {
  lua_rawsetp(L, LUA_REGISTRYINDEX, &error_key);
  return fail_as(E_LUA, "a callback raised an error");
}

/* Pushes the text, with a registry name of an operator at its start replaced by the public one: "zeros: shape: ..." */
static void push_public(lua_State *L, const char *text) {
  char name[64];
  size_t n = strcspn(text, ":");
  bool short_enough = *text == '_' && n < sizeof name && text[n] == ':';
  if (short_enough) {
    memcpy(name, text, n);
    name[n] = '\0';
  }
  const Op *op = short_enough ? op_find(name) : NULL;
  if (op) lua_pushfstring(L, "%s%s", op_title(op), text + n);
  else lua_pushstring(L, text);
}

int raise_status(lua_State *L, Status s) {
  if (s == E_LUA) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &error_key);
    lua_pushboolean(L, false);             /* the slot stays, so that keep_error does not allocate */
    lua_rawsetp(L, LUA_REGISTRYINDEX, &error_key);
    return lua_error(L);
  }
  if (s == E_INTERRUPT) return interrupt_raise(L);
  const Origin line = status_line();
  if (line) lua_pushfstring(L, "%s: ", origin_text(line));
  else script_place(L);
  push_public(L, status_text());
  lua_concat(L, 2);
  return lua_error(L);
}

void check(lua_State *L, Status s) {
  if (__builtin_expect(s != OK, 0)) raise_status(L, s);
}

int raise_error(lua_State *L, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  script_place(L);
  lua_pushstring(L, text);
  lua_concat(L, 2);
  lua_error(L);
  __builtin_unreachable();
}

void open_error(lua_State *L) {
  lua_pushboolean(L, false);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &error_key);
}
