/* line_edit.c - the REPL's terminal: lines edited by libedit, their history, TAB.
**
** libedit reads characters through read_char, which waits for input and signals at the same time: Ctrl-C ends the line,
** a new window size redraws it. The history's file is plain text, one line per entry, private to the user. Each line is
** appended when it is entered, so that a crash loses nothing; a file that is too long is rewritten at the start, as a
** new file that is then renamed.
*/
#define _GNU_SOURCE
#include "bind/host/line_edit.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <histedit.h>
#include <lauxlib.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "base/safe_open.h"
#include "base/threads/parallel_for.h"
#include "bind/core/interrupt.h"
#include "bind/core/lua_object.h"

enum { MOST_LINES = 10000, STALE = 3600 /* s */ };

typedef struct Editor {
  EditLine *el;
  int input;                 /* the terminal, opened again for non-blocking reads */
  History *history;
  char *path;                /* of the history's file, or NULL */
  lua_State *L;              /* set while a line is read; the completion function is at index `complete` */
  int complete;
  const char *prompt;
} Editor;

static const char editor_type[] = "hybridlua.Editor";

/* ---- Characters, and signals during the wait ------------------------------------- */

static volatile sig_atomic_t resized, continued;

static void on_terminal_signal(int signal) {
  if (signal == SIGWINCH) resized = 1;
  else continued = 1;
}

static void redraw(EditLine *el) {
  if (continued) {                         /* the shell used the terminal meanwhile */
    el_set(el, EL_PREP_TERM, 0);
    el_set(el, EL_PREP_TERM, 1);
  }
  el_resize(el);
  fputs("\r\033[J", stdout);              /* moves to the line's beginning, and clears the rest */
  el_set(el, EL_REFRESH);
  resized = continued = 0;
}

static Editor *editor_of(EditLine *el) {
  Editor *e = NULL;
  el_get(el, EL_CLIENTDATA, &e);
  return e;
}

/* Waits until there may be input; returns false if Ctrl-C came first. The signals are unblocked only while ppoll waits,
** so that none can arrive between the check of its flag and the wait. */
static bool wait_for_input(EditLine *el) {
  sigset_t signals, outside;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGWINCH);
  sigaddset(&signals, SIGCONT);
  pthread_sigmask(SIG_BLOCK, &signals, &outside);
  struct pollfd input = { .fd = editor_of(el)->input, .events = POLLIN };
  bool ready = false;
  while (!ready && !interrupted()) {
    if (resized || continued) redraw(el);
    ready = ppoll(&input, 1, NULL, &outside) > 0 || errno != EINTR;
  }
  pthread_sigmask(SIG_SETMASK, &outside, NULL);
  return ready;
}

/* libedit's getc: returns 1, 0 at the end of input, -1 to discard the line. The read must not block: on Ctrl-C the
** terminal drops typed characters, so the input that ppoll reported may be gone. */
static int read_char(EditLine *el, wchar_t *c) {
  mbstate_t state = { 0 };
  char byte;
  while (wait_for_input(el)) {
    ssize_t n = read(editor_of(el)->input, &byte, 1);
    if (n == 0) return 0;
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) return -1;
    size_t used = mbrtowc(c, &byte, 1, &state);
    if (used == (size_t)-1) state = (mbstate_t){ 0 };      /* skips bytes that are invalid in this encoding */
    else if (used != (size_t)-2) return 1;
  }
  return -1;
}

static void watch_terminal(void) {
  struct sigaction action = { .sa_handler = on_terminal_signal };
  sigemptyset(&action.sa_mask);
  sigaction(SIGWINCH, &action, NULL);
  sigaction(SIGCONT, &action, NULL);
}

/* ---- The history's file ------------------------------------------------------------------------- */

static void enter_history(Editor *e, const char *line) {
  HistEvent event;
  history(e->history, &event, H_ENTER, line);
}

/* Opens the file for the trimmed history, with the history's name and ".tmp". An existing file is being written by
** another session, unless it is old: then that session was killed. */
static int open_beside(const char *beside) {
  struct stat s;
  if (lstat(beside, &s) == 0 && S_ISREG(s.st_mode) && time(NULL) - s.st_mtime > STALE) unlink(beside);
  return open_regular(beside, O_WRONLY | O_CREAT | O_EXCL, 0600, &s);
}

/* Cuts the file down to its last MOST_LINES lines. */
static void trim_file(const char *path, FILE *from, int lines) {
  char *beside = NULL, *line = NULL;
  size_t capacity = 0;
  if (asprintf(&beside, "%s.tmp", path) < 0) return;
  int fd = open_beside(beside);
  FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
  bool good = to != NULL;
  rewind(from);
  for (int i = 0; good && getline(&line, &capacity, from) > 0; i++)
    if (i >= lines - MOST_LINES) good = fputs(line, to) >= 0;
  good = good && fflush(to) == 0 && fsync(fd) == 0;
  if (to) good = fclose(to) == 0 && good;
  if (fd >= 0 && (!good || rename(beside, path) != 0)) unlink(beside);
  free(line);
  free(beside);
}

static void load_history(Editor *e) {
  struct stat s;
  int fd = e->path ? open_regular(e->path, O_RDONLY, 0, &s) : -1;
  FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  int lines = 0;
  if (!f) return;
  for (; (length = getline(&line, &capacity, f)) > 0; lines++) {
    if (line[length - 1] == '\n') line[length - 1] = '\0';
    enter_history(e, line);
  }
  if (lines > MOST_LINES) trim_file(e->path, f, lines);
  free(line);
  fclose(f);
}

/* Makes the folders of the file, private to the user. */
static void make_folders(const char *path) {
  char *folder = strdup(path);
  for (char *slash = folder ? strchr(folder + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(folder, 0700);
    *slash = '/';
  }
  free(folder);
}

/* Ignores errors, because they must not stop the session. */
static void append_history(const Editor *e, const char *line, size_t length) {
  struct stat s;
  int fd = e->path ? open_regular(e->path, O_WRONLY | O_APPEND | O_CREAT, 0600, &s) : -1;
  if (fd < 0) return;
  const struct iovec parts[] = { { (char *)line, length }, { "\n", 1 } };
  ssize_t written = writev(fd, parts, 2);  /* one call, so that lines of parallel sessions do not mix */
  (void)written;
  close(fd);
}

/* ---- Editing ---------------------------------------------------------------------------------------- */

static char *prompt_of(EditLine *el) { return (char *)editor_of(el)->prompt; }

/* TAB: complete(text before the cursor) -> text to insert, list to show or nil */
static unsigned char complete(EditLine *el, int key) {
  (void)key;
  Editor *e = editor_of(el);
  lua_State *L = e->L;
  const LineInfo *line = el_line(el);
  unsigned char result = CC_REFRESH;
  lua_pushvalue(L, e->complete);
  lua_pushlstring(L, line->buffer, (size_t)(line->cursor - line->buffer));
  if (lua_pcall(L, 1, 2, 0) != LUA_OK) {
    lua_pop(L, 1);
    if (!interrupt_pending()) return CC_ERROR;
    interrupt_serve(L);
    return CC_REFRESH;
  }
  const char *insert = lua_tostring(L, -2), *list = lua_tostring(L, -1);
  if (list) {
    printf("\n%s\n", list);
    fflush(stdout);
    result = CC_REDISPLAY;
  }
  if (insert && *insert) el_insertstr(el, insert);
  else if (!list) result = CC_ERROR;       /* a beep */
  lua_pop(L, 2);
  return result;
}

static Editor *check_editor(lua_State *L) { return luaL_checkudata(L, 1, editor_type); }

/* editor:read(prompt, complete) -> line; nil at the end of input; nil, "interrupted" */
static int editor_read(lua_State *L) {
  Editor *e = check_editor(L);
  int length = 0;
  e->prompt = luaL_checkstring(L, 2);
  luaL_checktype(L, 3, LUA_TFUNCTION);
  e->complete = 3;
  e->L = L;
  /* before the prompt is shown, so that keys typed then are already libedit's */
  el_set(e->el, EL_PREP_TERM, 1);
  const char *line = el_gets(e->el, &length);
  if (line && length > 0) {
    if (line[length - 1] == '\n') length--;
    lua_pushlstring(L, line, (size_t)length);
    return 1;
  }
  lua_pushnil(L);
  fputs(interrupted() ? "^C\n" : "\n", stdout);
  if (!interrupted()) return 1;
  interrupt_serve(L);
  lua_pushliteral(L, "interrupted");
  return 2;
}

/* editor:remember(line): adds it to the history, unless it repeats the last line */
static int editor_remember(lua_State *L) {
  Editor *e = check_editor(L);
  size_t length;
  const char *line = luaL_checklstring(L, 2, &length);
  HistEvent last;
  if (length == 0 || (history(e->history, &last, H_FIRST) == 0 && strcmp(last.str, line) == 0)) return 0;
  enter_history(e, line);
  append_history(e, line, length);
  return 0;
}

static int editor_gc(lua_State *L) {
  Editor *e = check_editor(L);
  if (e->el) el_end(e->el);
  if (e->history) history_end(e->history);
  if (e->input > STDIN_FILENO) close(e->input);
  free(e->path);
  *e = (Editor){ 0 };
  return 0;
}

static void set_keys(EditLine *el) {
  /* clang-format off */
  static const char *const keys[][2] = {
    { "^I", "hybridlua-complete" }, { "^R", "em-inc-search-prev" }, { "\\e[3~", "ed-delete-next-char" },
    { "\\e[H", "ed-move-to-beg" }, { "\\e[1~", "ed-move-to-beg" },
    { "\\e[F", "ed-move-to-end" }, { "\\e[4~", "ed-move-to-end" },
    { "\\e[1;5C", "em-next-word" }, { "\\e[1;5D", "ed-prev-word" } };
  /* clang-format on */
  el_set(el, EL_EDITOR, "emacs");
  el_set(el, EL_ADDFN, "hybridlua-complete", "Completes the word before the cursor", complete);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) el_set(el, EL_BIND, keys[i][0], keys[i][1], NULL);
}

/* ~/.editrc overrides the settings above. It is read only if it is a regular file, because libedit would wait on a
** pipe. */
static void read_editrc(EditLine *el) {
  const char *given = getenv("EDITRC"), *home = getenv("HOME");
  char path[PATH_MAX];
  struct stat s;
  snprintf(path, sizeof path, "%s%s", given ? given : home ? home : "", given ? "" : "/.editrc");
  int fd = open_regular(path, O_RDONLY, 0, &s);
  if (fd < 0) return;
  el_source(el, path);
  close(fd);
}

/* Sets the user's encoding, or UTF-8 if none is set, for characters only: numbers keep their decimal point. */
static void set_encoding(void) {
  if (!setlocale(LC_CTYPE, "") || MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
}

/* open(history path or nil) -> editor; nil unless standard input and output are terminals */
static int editor_open(lua_State *L) {
  const char *path = luaL_optstring(L, 1, NULL);
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return 0;
  Editor *e = lua_newuserdatauv(L, sizeof *e, 0);
  *e = (Editor){ 0 };
  luaL_setmetatable(L, editor_type);
  set_encoding();
  HistEvent event;
  const char *terminal = ttyname(STDIN_FILENO);
  int input = terminal ? open(terminal, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
  e->input = input < 0 ? STDIN_FILENO : input;
  e->history = history_init();
  e->el = el_init("hybridlua", stdin, stdout, stderr);
  if (!e->history || !e->el) return luaL_error(L, "the terminal cannot be set up");
  if (path) make_folders(path);
  e->path = path ? strdup(path) : NULL;
  history(e->history, &event, H_SETSIZE, MOST_LINES);
  load_history(e);
  el_set(e->el, EL_CLIENTDATA, e);
  el_set(e->el, EL_PROMPT, prompt_of);
  el_set(e->el, EL_HIST, history, e->history);
  el_set(e->el, EL_GETCFN, read_char);
  set_keys(e->el);
  read_editrc(e->el);
  watch_terminal();
  return 1;
}

/* ---- Other queries of the REPL -------------------------------------------------------------------------- */

static void found_end(void *found) { globfree(found); }

/* files(prefix) -> the files with this prefix; folders end in a slash */
static int files(lua_State *L) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (const char *c = luaL_checkstring(L, 1); *c; c++) {
    if (strchr("*?[]\\", *c)) luaL_addchar(&b, '\\');
    luaL_addchar(&b, *c);
  }
  luaL_addchar(&b, '*');
  luaL_pushresult(&b);
  glob_t *found = push_owned(L, sizeof *found, found_end);
  lua_newtable(L);
  if (glob(lua_tostring(L, -3), GLOB_MARK, NULL, found) != 0) return 1;
  for (size_t i = 0; i < found->gl_pathc; i++) {
    lua_pushstring(L, found->gl_pathv[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  owned_end(found);
  return 1;
}

int luaopen_lineedit(lua_State *L) {
  static const luaL_Reg methods[] = { { "read", editor_read }, { "remember", editor_remember }, { NULL, NULL } };
  /* clang-format off */
  static const luaL_Reg functions[] = {
    { "open", editor_open }, { "files", files }, { NULL, NULL } };
  /* clang-format on */
  luaL_newmetatable(L, editor_type);
  set_function(L, "__gc", editor_gc);
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
