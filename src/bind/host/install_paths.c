/* install_paths.c - paths of the program, the module and compiled kernels; properties of the terminal. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/settings/debug_switches.h"
#include "bind/value/op_args.h"
#include "exec/jit/compile_text.h"

/* Appends the folder of a file, with symbolic links resolved, to the list on top. */
static void add_folder_of(lua_State *L, const char *file) {
  char path[PATH_MAX];
  char *slash = realpath(file, path) ? strrchr(path, '/') : NULL;
  if (!slash) return;
  lua_pushlstring(L, path, slash == path ? 1 : (size_t)(slash - path));
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* own_folders() -> the folders of the running program and of this code (the program, or the module) */
static int own_folders(lua_State *L) {
  Dl_info us;
  lua_newtable(L);
  add_folder_of(L, "/proc/self/exe");
  if (dladdr((void *)own_folders, &us) && us.dli_fname && strchr(us.dli_fname, '/')) add_folder_of(L, us.dli_fname);
  return 1;
}

/* compile_places() -> {mode =, compiler =, no_compiler =, cache =, no_cache =}; unused fields are nil */
static int jit_places_table(lua_State *L) {
  CompilePlaces p = compile_places();
  lua_createtable(L, 0, 5);
  set_string(L, "mode", jit_mode_name(debug.jit));
  set_string(L, *p.no_compiler ? "no_compiler" : "compiler", *p.no_compiler ? p.no_compiler : p.compiler);
  set_string(L, p.no_cache ? "no_cache" : "cache", p.no_cache ? p.no_cache : p.cache);
  return 1;
}

/* The width of the terminal at this descriptor; 0 if unknown. */
static int terminal_columns(int descriptor) {
  struct winsize size;
  return isatty(descriptor) && ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* output_columns() -> the width of the terminal on standard output, else COLUMNS, else nil */
static int output_columns(lua_State *L) {
  const char *said = getenv("COLUMNS");
  int n = terminal_columns(STDOUT_FILENO);
  if (n == 0 && said) n = atoi(said);
  return n > 0 ? return_integer(L, n) : 0;
}

/* error_columns() -> the width of the terminal on standard error, 80 if unknown; nil if it is not a terminal */
static int error_columns(lua_State *L) {
  int n = terminal_columns(STDERR_FILENO);
  return isatty(STDERR_FILENO) ? return_integer(L, n > 0 ? n : 80) : 0;
}

/* is_terminal(descriptor) */
static int is_terminal(lua_State *L) { return return_boolean(L, isatty((int)luaL_checkinteger(L, 1))); }

/* colours(descriptor) -> may output there be coloured? */
static int colours(lua_State *L) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  const int descriptor = (int)luaL_checkinteger(L, 1);
  return return_boolean(L, isatty(descriptor) && !(no && *no) && term && strcmp(term, "dumb") != 0);
}

void open_install_paths(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "own_folders", own_folders }, { "compile_places", jit_places_table }, { "output_columns", output_columns },
    { "error_columns", error_columns }, { "is_terminal", is_terminal }, { "colours", colours },
    { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
