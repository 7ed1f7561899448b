/* child_process.c - see child_process.h.
**
** C's system() ignores Ctrl-C while it waits, and pclose() continues to wait. Here posix_spawn starts the child, and
** the wait ends when the child ends or Ctrl-C is pressed. The terminal sends SIGINT to the child too, but other senders
** do not, so the child gets another one. If it still runs after PATIENCE milliseconds, it is left running, and the
** interrupt is raised.
**
** A function that waits raises the interrupt itself, even if it has a result, because the hook of interrupt.c would
** raise it at the next instruction, with the wrong line. Ctrl-C often ends the child first, and Lua's read and write
** return on a signal.
*/
#define _GNU_SOURCE
#include "bind/host/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/threads/parallel_for.h"
#include "bind/core/interrupt.h"

extern char **environ;

enum { PATIENCE = 100, MOST_LEFT = 32 };

/* ---- Children ------------------------------------------------------------------------------------------ */

static pid_t left[MOST_LEFT];      /* children left running, to be reaped later */

static void reap_left(void) {
  for (int i = 0; i < MOST_LEFT; i++)
    if (left[i] && waitpid(left[i], NULL, WNOHANG) != 0) left[i] = 0;
}

static void leave(pid_t child) {
  for (int i = 0; i < MOST_LEFT; i++)
    if (!left[i]) {
      left[i] = child;
      return;
    }
}

/* Starts sh -c command. Descriptor `ours`, unless -1, becomes its standard input or output, `as`. Returns 0 or an error
** number. */
static int start(const char *command, int ours, int as, pid_t *child) {
  char *const arguments[] = { "sh", "-c", (char *)command, NULL };
  posix_spawn_file_actions_t files;
  reap_left();
  posix_spawn_file_actions_init(&files);
  if (ours >= 0) posix_spawn_file_actions_adddup2(&files, ours, as);
  int code = posix_spawn(child, "/bin/sh", &files, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  return code;
}

/* A descriptor that becomes readable when the child ends; -1 without pidfd_open. */
static int watch(pid_t child) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, child, 0);
#else
  (void)child;
  return -1;
#endif
}

/* Waits for the child; returns false if Ctrl-C came first. SIGINT is unblocked only while ppoll waits, so that it
** cannot arrive between the check of its flag and the wait. Without a descriptor, polls every few milliseconds. */
static bool await(pid_t child, int *status) {
  sigset_t interrupt, outside;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, &outside);
  struct pollfd end = { .fd = watch(child), .events = POLLIN };
  struct timespec pause = { .tv_nsec = 500000 };
  pid_t got;
  while ((got = waitpid(child, status, WNOHANG)) == 0 && !(interrupt_flag & STOP_INTERRUPT)) {
    ppoll(&end, end.fd >= 0, end.fd >= 0 ? NULL : &pause, &outside);
    if (pause.tv_nsec < 16000000) pause.tv_nsec *= 2;
  }
  if (end.fd >= 0) close(end.fd);
  pthread_sigmask(SIG_SETMASK, &outside, NULL);
  if (got < 0) *status = -1;
  return got != 0;
}

static void interrupt_child(pid_t child) {
  kill(child, SIGINT);
  for (int i = 0; i < PATIENCE / 2; i++) {
    if (waitpid(child, NULL, WNOHANG) != 0) return;
    nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
  }
  leave(child);
}

/* Pushes the results of os.execute and of a pipe's close. */
static int result(lua_State *L, pid_t child) {
  int status = 0;
  struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
  sigaction(SIGQUIT, &ignore, &before);              /* like system(): Ctrl-\ is for the child */
  bool ended = await(child, &status);
  sigaction(SIGQUIT, &before, NULL);
  if (!ended) interrupt_child(child);
  if (!ended || interrupt_flag & STOP_INTERRUPT) return interrupt_raise(L);
  if (status != -1) errno = 0;                       /* else luaL_execresult would report it */
  return luaL_execresult(L, status);
}

/* ---- os.execute ------------------------------------------------------------------------------------------ */

static int execute(lua_State *L) {
  const char *command = luaL_optstring(L, 1, NULL);
  pid_t child;
  if (!command) {
    lua_pushboolean(L, access("/bin/sh", X_OK) == 0);
    return 1;
  }
  errno = start(command, -1, -1, &child);
  return errno ? luaL_execresult(L, -1) : result(L, child);
}

/* ---- io.popen -------------------------------------------------------------------------------------------- */

typedef struct Pipe {
  luaL_Stream stream;        /* first member, because it is one of Lua's files */
  pid_t child;
} Pipe;

static bool leaving;

void process_leave(void) { leaving = true; }

static int close_pipe(lua_State *L) {
  Pipe *p = luaL_checkudata(L, 1, LUA_FILEHANDLE);
  fclose(p->stream.f);
  if (!leaving && !interrupt_pending()) return result(L, p->child);
  interrupt_child(p->child);
  return 0;
}

static int open_pipe(lua_State *L) {
  const char *command = luaL_checkstring(L, 1), *mode = luaL_optstring(L, 2, "r");
  int ends[2], code;
  bool reads = strcmp(mode, "r") == 0;
  luaL_argcheck(L, reads || strcmp(mode, "w") == 0, 2, "invalid mode");
  Pipe *p = lua_newuserdatauv(L, sizeof *p, 0);
  p->stream.closef = NULL;                           /* marks it closed until it is open */
  luaL_setmetatable(L, LUA_FILEHANDLE);
  fflush(NULL);
  if (pipe2(ends, O_CLOEXEC) != 0) return luaL_fileresult(L, 0, command);
  code = start(command, ends[reads ? 1 : 0], reads ? STDOUT_FILENO : STDIN_FILENO, &p->child);
  close(ends[reads ? 1 : 0]);
  p->stream.f = code == 0 ? fdopen(ends[reads ? 0 : 1], mode) : NULL;
  if (p->stream.f) {
    p->stream.closef = close_pipe;
    return 1;
  }
  close(ends[reads ? 0 : 1]);
  if (code == 0) leave(p->child);
  else errno = code;
  return luaL_fileresult(L, 0, command);
}

/* ---- Reading and writing --------------------------------------------------------------------------------- */

/* Calls Lua's function, upvalue 1, which itself has no upvalues. */
static int read_or_write(lua_State *L) {
  int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
  return interrupt_flag & STOP_INTERRUPT ? interrupt_raise(L) : results;
}

/* One C function for each, because a trace distinguishes functions by their code. */
static int read_input(lua_State *L) { return read_or_write(L); }
static int write_output(lua_State *L) { return read_or_write(L); }
static int read_file(lua_State *L) { return read_or_write(L); }
static int write_file(lua_State *L) { return read_or_write(L); }

/* Replaces a function in the table on top. */
static void wrap(lua_State *L, const char *name, lua_CFunction function) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

/* ---- Installing --------------------------------------------------------------------------------------------- */

static void put(lua_State *L, const char *library, const char *name, lua_CFunction function) {
  lua_getglobal(L, library);
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

void process_install(lua_State *L) {
  put(L, "os", "execute", execute);
  put(L, "io", "popen", open_pipe);
  lua_getglobal(L, "io");
  wrap(L, "read", read_input);
  wrap(L, "write", write_output);
  luaL_getmetatable(L, LUA_FILEHANDLE);
  lua_getfield(L, -1, "__index");
  wrap(L, "read", read_file);
  wrap(L, "write", write_file);
  lua_pop(L, 3);
}
