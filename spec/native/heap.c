/* heap.c - a Lua module for one spec: what malloc has given out, and a Lua that runs out of memory. */
#include <lauxlib.h>
#include <lua.h>
#include <malloc.h>
#include <stdlib.h>

static lua_Alloc ordinary;
static void *ordinary_data;
static long long left = -1;        /* allocations of Lua's until none succeeds; below 0: all do */
static long long luas;             /* bytes of malloc's that Lua has got more than when counting began */

/* With what malloc itself needs for a block. */
static long long size_of(void *block) { return block ? (long long)malloc_usable_size(block) + 8 : 0; }

static void *watched(void *data, void *block, size_t before, size_t after) {
  (void)data;
  if (left >= 0 && after > (block ? before : 0) && (left == 0 || --left == 0)) return NULL;
  long long size = size_of(block);
  void *now = ordinary(ordinary_data, block, before, after);
  if (now || after == 0) luas += size_of(now) - size;
  return now;
}

/* fail(n): the n-th allocation of Lua's from now on fails, and all after it; fail() ends that -> did any? */
static int fail(lua_State *L) {
  int failed = left == 0;
  if (!ordinary) {
    ordinary = lua_getallocf(L, &ordinary_data);
    lua_setallocf(L, watched, NULL);
  }
  left = luaL_optinteger(L, 1, -1);
  lua_pushboolean(L, failed);
  return 1;
}

/* malloc keeps up to seven freed blocks of each size up to 1032 bytes for this thread, and counts them as given out. All
** are filled here, so that their number is the same whenever used() counts. */
static void fill_kept(void) {
  enum { SMALLEST = 24, LARGEST = 1032, STEP = 16, KEPT = 7 };
  for (size_t size = SMALLEST; size <= LARGEST; size += STEP) {
    void *block[KEPT];
    for (int i = 0; i < KEPT; i++) block[i] = malloc(size);
    for (int i = 0; i < KEPT; i++) free(block[i]);
  }
}

/* used() -> bytes that malloc has given out and not got back, without Lua's since the first fail(); 0 where malloc is a
** sanitizer's, which does not say */
static int used(lua_State *L) {
  fill_kept();
  struct mallinfo2 info = mallinfo2();
  lua_pushinteger(L, info.uordblks ? (lua_Integer)(info.uordblks + info.hblkhd) - luas : 0);
  return 1;
}

int luaopen_heap(lua_State *L) {
  luaL_newlib(L, ((luaL_Reg[]){ { "fail", fail }, { "used", used }, { NULL, NULL } }));
  return 1;
}
