/* forked.c - a Lua module for one spec: calls a function in a child forked without exec. */
#include <lauxlib.h>
#include <lua.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* forked(fn) -> the result of fn in the child, as a string, or "error: " and its message; "hung" after 10 s. */
static int forked(lua_State *L) {
  int ends[2], status;
  char text[4096];
  luaL_checktype(L, 1, LUA_TFUNCTION);
  if (pipe(ends) != 0) return luaL_error(L, "no pipe");
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);      /* an ancestor may have blocked SIGALRM */
    signal(SIGALRM, SIG_DFL);
    alarm(10);
    lua_settop(L, 1);
    int failed = lua_pcall(L, 0, 1, 0);
    FILE *to = fdopen(ends[1], "w");
    fprintf(to, "%s%s", failed ? "error: " : "", luaL_tolstring(L, -1, NULL));
    fflush(to);
    _exit(0);
  }
  close(ends[1]);
  FILE *from = fdopen(ends[0], "r");
  size_t n = fread(text, 1, sizeof text, from);
  fclose(from);
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) lua_pushliteral(L, "hung");
  else lua_pushlstring(L, text, n);
  return 1;
}

int luaopen_forked(lua_State *L) {
  lua_pushcfunction(L, forked);
  return 1;
}
