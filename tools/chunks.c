/* chunks.c - `chunks FILE...` writes the Lua files as compiled chunks in C, in the order of tools/embed.sh, for
** src/bind/host/embedded_files.h. Parsing the files took half of the start-up time.
**
** It is linked with the program's Lua library and runs during the build, because compiled chunks are valid only for one
** release of Lua and one kind of machine. The module for other programs contains only the text. The chunks keep their
** names and lines, so that errors and debug.getinfo are the same as for text.
*/
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <string.h>

/* Decimal numbers are shorter, and compilers read them faster. */
static int write_bytes(lua_State *L, const void *bytes, size_t size, void *length) {
  (void)L;
  const unsigned char *b = bytes;
  for (size_t i = 0; i < size; i++) printf(++*(size_t *)length % 32 ? "%d," : "%d,\n", b[i]);
  return ferror(stdout);
}

/* Appends lua/hybridlua/x.lua under the same name as its text in src/bind/host/core_module.c. */
static int compile(lua_State *L, const char *file, int number, size_t *length) {
  const char *path = strncmp(file, "lua/", 4) == 0 ? file + 4 : file;
  luaL_Buffer text;
  char piece[4096];
  FILE *f = fopen(file, "rb");
  if (!f) {
    perror(file);
    return 1;
  }
  luaL_buffinit(L, &text);
  for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;) luaL_addlstring(&text, piece, n);
  fclose(f);
  luaL_pushresult(&text);
  lua_pushfstring(L, "=%s", path);
  size_t size;
  const char *source = lua_tolstring(L, -2, &size);
  if (luaL_loadbufferx(L, source, size, lua_tostring(L, -1), "t") != LUA_OK) {
    fprintf(stderr, "%s\n", lua_tostring(L, -1));
    return 1;
  }
  *length = 0;
  printf("static const unsigned char chunk%d[] = {\n", number);
  if (lua_dump(L, write_bytes, length, 0) != 0) {
    perror("chunks");
    return 1;
  }
  puts("};");
  lua_settop(L, 0);
  return 0;
}

int main(int argc, char **argv) {
  lua_State *L = luaL_newstate();
  if (!L) return 1;
  puts("#include \"bind/host/embedded_files.h\"");
  for (int i = 1; i < argc; i++) {
    size_t length;
    if (compile(L, argv[i], i, &length) != 0) return 1;
  }
  puts("const EmbeddedChunk embedded_chunks[] = {");
  for (int i = 1; i < argc; i++) printf("  { chunk%d, sizeof chunk%d },\n", i, i);
  puts("};");
  lua_close(L);
  return ferror(stdout) || fflush(stdout) != 0;
}
