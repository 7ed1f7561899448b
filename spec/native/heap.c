/* heap.c - a Lua module for one spec: counts malloc's blocks, and makes Lua run out of memory. */
#include <lauxlib.h>
#include <lua.h>
#include <malloc.h>
#include <stdlib.h>

static lua_Alloc ordinary;
static void *ordinary_data;
static long long left = -1;        /* number of Lua's allocations until all fail; below 0: none fails */
static long long luas;             /* malloc's bytes that Lua has allocated since counting began */

/* Includes malloc's own overhead. */
static long long size_of(void *block) { return block ? (long long)malloc_usable_size(block) + 8 : 0; }

static void *watched(void *data, void *block, size_t before, size_t after) {
  (void)data;
  if (left >= 0 && after > (block ? before : 0) && (left == 0 || --left == 0)) return NULL;
  long long size = size_of(block);
  void *now = ordinary(ordinary_data, block, before, after);
  if (now || after == 0) luas += size_of(now) - size;
  return now;
}

/* fail(n): Lua's n-th allocation from now on fails, and all later ones; fail() ends that -> did any fail? */
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

/* malloc keeps up to seven freed blocks of each size up to 1032 bytes for this thread, and counts them as in use.
** Filling all makes their number the same whenever used() counts. */
static void fill_kept(void) {
  enum { SMALLEST = 24, LARGEST = 1032, STEP = 16, KEPT = 7 };
  for (size_t size = SMALLEST; size <= LARGEST; size += STEP) {
    void *block[KEPT];
    for (int i = 0; i < KEPT; i++) block[i] = malloc(size);
    for (int i = 0; i < KEPT; i++) free(block[i]);
  }
}

/* used() -> malloc's bytes in use, without Lua's since the first fail(); 0 if a sanitizer replaces malloc */
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
