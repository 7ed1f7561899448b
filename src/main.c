/* main.c - the hybridlua program: its options, the script, and the loop around the REPL.
**
** As in lua.c, everything runs in one protected call, and each chunk in another one with the message handler of
** bind/host/traceback.c. This is the top level that serves interrupts.
*/
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bind/host/embedded_files.h"
#include "bind/core/interrupt.h"
#include "bind/host/line_edit.h"
#include "bind/host/child_process.h"
#include "bind/host/traceback.h"

enum { EXIT_ERROR = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

int luaopen_hybridlua(lua_State *L);

static const char version[] = "hybridlua " HL_VERSION ", " LUA_RELEASE "\n";
/* clang-format off */
static const char usage[] =
  "usage: hybridlua [options] [script [args]]\n"
  "  -e code         run the code\n"
  "  -l module       require the module into a global of its name (or -l name=module)\n"
  "  -i              enter the REPL after the script\n"
  "  -v              print the version first\n"
  "  --version       print the version\n"
  "  -W              turn warnings on\n"
  "  --info          print information about this build and machine\n"
  "  --help-op NAME  print an operator's documentation\n"
  "  --help          print this\n"
  "  --              end of the options\n"
  "  -               run standard input\n"
  "Without a script: runs the REPL on a terminal, else standard input.\n";
/* clang-format on */

/* ---- The command line ------------------------------------------------------------------- */

typedef struct CommandLine {
  int argc;
  char **argv;
  int script;                      /* its index; argc if there is none */
  bool interactive, execute, version, info;
  const char *answer;              /* the version or the usage, if only that was requested */
  const char *help_op;
} CommandLine;

/* The value of an option such as -e: the rest of the word, or the next word. */
static const char *option_value(const CommandLine *c, int *i) {
  if (c->argv[*i][2]) return c->argv[*i] + 2;
  return *i + 1 < c->argc ? c->argv[++*i] : NULL;
}

/* Reports a problem with an option; returns false. */
static bool refuse(const char *word, const char *problem) {
  fprintf(stderr, "hybridlua: '%s' %s\n%s", word, problem, usage);
  return false;
}

static bool parse_long(CommandLine *c, int *i) {
  const char *name = c->argv[*i] + 2;
  if (strcmp(name, "version") == 0) c->answer = version;
  else if (strcmp(name, "help") == 0) c->answer = usage;
  else if (strcmp(name, "info") == 0) c->info = true;
  else if (strcmp(name, "help-op") != 0) return refuse(c->argv[*i], "is not an option");
  else if (*i + 1 == c->argc) return refuse(c->argv[*i], "needs a value");
  else c->help_op = c->argv[++*i];
  return true;
}

/* Parses argv up to the script; run_options parses -e, -l and -W again. */
static bool parse(CommandLine *c) {
  int i = 1;
  for (; i < c->argc && c->argv[i][0] == '-' && c->argv[i][1]; i++) {
    const char *word = c->argv[i];
    if (strcmp(word, "--") == 0) {
      i++;
      break;
    }
    if (word[1] == '-') {
      if (!parse_long(c, &i)) return false;
    } else if (word[1] == 'e' || word[1] == 'l') {
      if (!option_value(c, &i)) return refuse(word, "needs a value");
      c->execute |= word[1] == 'e';
    } else if (strchr("ivW", word[1]) && word[2] == '\0') {
      c->interactive |= word[1] == 'i';
      c->version |= word[1] == 'v';
    } else {
      return refuse(word, "is not an option");
    }
  }
  c->script = i;
  return true;
}

/* ---- Running ------------------------------------------------------------------------------ */

/* The text around error messages. */
static const char *before_error = "hybridlua: ", *after_error = "\n";

static void report(const char *text, const char *more) {
  fflush(stdout);
  fprintf(stderr, "%s%s%s%s", before_error, text, more, after_error);
}

/* Calls the function below its n arguments. Reports a failure on stderr. Returns the exit code. */
static int call(lua_State *L, int n, int results) {
  int base = lua_gettop(L) - n;
  lua_pushcfunction(L, traceback_handler);
  lua_insert(L, base);
  int status = lua_pcall(L, n, results, base);
  lua_remove(L, base);
  const char *interrupted_at = interrupt_serve(L);
  if (status == LUA_OK) return EXIT_SUCCESS;
  if (interrupted_at) report(*interrupted_at ? "interrupted at " : "interrupted", interrupted_at);
  else report(lua_tostring(L, -1), "");
  lua_pop(L, 1);
  return interrupted_at ? EXIT_INTERRUPTED : EXIT_ERROR;
}

/* Calls a chunk that was just loaded with `status`, with arg[1], arg[2], ... as its arguments if `with_args`. */
static int call_chunk(lua_State *L, int status, bool with_args) {
  int n = 0;
  if (status != LUA_OK) {
    report(lua_tostring(L, -1), "");
    lua_pop(L, 1);
    return EXIT_ERROR;
  }
  if (with_args && lua_getglobal(L, "arg") == LUA_TTABLE) {
    int table = lua_gettop(L);
    n = (int)luaL_len(L, table);
    luaL_checkstack(L, n + 3, "too many arguments to script");
    for (int i = 1; i <= n; i++) lua_rawgeti(L, table, i);
    lua_remove(L, table);
  } else if (with_args) {
    lua_pop(L, 1);
  }
  return call(L, n, 0);
}

/* Calls function `name` of hybridlua's Lua module `module` with one string or nil. */
static int call_own(lua_State *L, const char *module, const char *name, const char *argument, int results) {
  lua_getglobal(L, "require");
  lua_pushstring(L, module);
  lua_call(L, 1, 1);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
  lua_pushstring(L, argument);
  return call(L, 1, results);
}

/* -l module, -l name=module */
static int require_global(lua_State *L, const char *text) {
  const char *equals = strchr(text, '=');
  lua_getglobal(L, "require");
  lua_pushstring(L, equals ? equals + 1 : text);
  int code = call(L, 1, 1);
  if (code != EXIT_SUCCESS) return code;
  if (equals) lua_pushlstring(L, text, (size_t)(equals - text));
  else lua_pushstring(L, text);
  lua_insert(L, -2);
  lua_pushglobaltable(L);
  lua_insert(L, -3);
  lua_settable(L, -3);
  lua_pop(L, 1);
  return EXIT_SUCCESS;
}

/* Runs -e, -l and -W in the order of the command line. */
static int run_options(lua_State *L, const CommandLine *c) {
  for (int i = 1; i < c->script; i++) {
    int code = EXIT_SUCCESS;
    switch (c->argv[i][0] == '-' ? c->argv[i][1] : '\0') {
      case 'W': lua_warning(L, "@on", 0); break;
      case 'l': code = require_global(L, option_value(c, &i)); break;
      case 'e': {
        const char *text = option_value(c, &i);
        code = call_chunk(L, luaL_loadbuffer(L, text, strlen(text), "=(command line)"), false);
      }
    }
    if (code != EXIT_SUCCESS) return code;
  }
  return EXIT_SUCCESS;
}

static int run_file(lua_State *L, const char *file) { return call_chunk(L, luaL_loadfile(L, file), true); }

/* Each step of hybridlua.repl reads a line and runs it; failures are reported here. */
static int run_repl(lua_State *L) {
  bool goes_on = true;
  int code = call_own(L, "hybridlua.repl", "start", NULL, 2);
  if (code != EXIT_SUCCESS) return code;
  before_error = lua_tostring(L, -2);      /* the strings stay on the stack */
  after_error = lua_tostring(L, -1);
  while (goes_on) {
    if (call_own(L, "hybridlua.repl", "step", NULL, 1) != EXIT_SUCCESS) continue;
    goes_on = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  return EXIT_SUCCESS;
}

static int run(lua_State *L, const CommandLine *c) {
  const bool terminal = isatty(STDIN_FILENO), have_script = c->script < c->argc;
  const bool nothing = !have_script && !c->execute;
  const bool repl = c->interactive || (nothing && terminal && !c->version);
  if (c->info) return call_own(L, "hybridlua.help", "print_info", NULL, 0);
  if (c->help_op) return call_own(L, "hybridlua.help", "print_operator", c->help_op, 0);
  if (c->version) fputs(version, stdout);
  if (repl || c->execute) {
    int code = call_own(L, "hybridlua.prelude", "set", NULL, 0);
    if (code != EXIT_SUCCESS) return code;
  }
  int code = run_options(L, c);
  if (code == EXIT_SUCCESS && have_script) {
    const char *name = c->argv[c->script];
    bool standard_input = strcmp(name, "-") == 0 && strcmp(c->argv[c->script - 1], "--") != 0;
    code = run_file(L, standard_input ? NULL : name);
  } else if (code == EXIT_SUCCESS && nothing && !repl && !c->version) {
    code = run_file(L, NULL);
  }
  return code == EXIT_SUCCESS && repl ? run_repl(L) : code;
}

/* ---- The state ------------------------------------------------------------------------------ */

/* Sets the global `arg` as lua does: arg[0] is the script, and the words before it have negative indices. */
static void set_arg(lua_State *L, const CommandLine *c) {
  int script = c->script < c->argc ? c->script : 0;
  lua_createtable(L, c->argc - script, script + 1);
  for (int i = 0; i < c->argc; i++) {
    lua_pushstring(L, c->argv[i]);
    lua_rawseti(L, -2, i - script);
  }
  lua_setglobal(L, "arg");
}

static void preload(lua_State *L, const char *module, lua_CFunction open) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, open);
  lua_setfield(L, -2, module);
  lua_pop(L, 1);
}

static int protected_main(lua_State *L) {
  const CommandLine *c = lua_touserdata(L, 1);
  luaL_checkversion(L);
  luaL_openlibs(L);
  interrupt_install(L);
  process_install(L);
  set_arg(L, c);
  embedded_use(embedded_chunks);
  luaL_requiref(L, "hybridlua", luaopen_hybridlua, 0);
  lua_gc(L, LUA_GCGEN, 0, 0);          /* young collections are cheap: see pace_collector */
  preload(L, "hybridlua.lineedit", luaopen_lineedit);
  lua_settop(L, 0);
  lua_pushinteger(L, run(L, c));
  return 1;
}

int main(int argc, char **argv) {
  CommandLine c = { .argc = argc, .argv = argv };
  if (!parse(&c)) return EXIT_USAGE;
  if (c.answer) {
    fputs(c.answer, stdout);
    return EXIT_SUCCESS;
  }
  lua_State *L = luaL_newstate();
  if (!L) {
    fputs("hybridlua: out of memory\n", stderr);
    return EXIT_ERROR;
  }
  lua_pushcfunction(L, protected_main);
  lua_pushlightuserdata(L, &c);
  int code = EXIT_ERROR;
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) code = (int)lua_tointeger(L, -1);
  else if (interrupt_serve(L)) code = EXIT_INTERRUPTED;
  else report(lua_tostring(L, -1), "");
  interrupt_uninstall();
  if (code == EXIT_INTERRUPTED) process_leave();
  lua_close(L);
  return code;
}
