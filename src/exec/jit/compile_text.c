/* compile_text.c - see compile_text.h.
**
** A shell runs the compiler, writes the checksum and moves both files into the cache, so the result is kept even if
** this process ends first. Each shell has its own process group, which a Ctrl-C at the terminal does not reach. At most
** MOST_RUNNING run at a time.
**
** One lock guards the list of modules and their fields, because several threads may run Lua states. Only `state` is
** read without the lock. It is written last, so that a thread that reads JIT_READY or JIT_FAILED also sees the other
** fields.
*/
#define _GNU_SOURCE
#include "exec/jit/compile_text.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/settings/debug_switches.h"
#include "base/safe_open.h"
#include "base/settings/machine.h"
#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "exec/jit/kernel_cache.h"

extern char **environ;

enum { MOST_RUNNING = 2, TRIM_EVERY = 256, NICE = 5 };     /* calls have priority over compilers */

/* The target is the processor that hybridlua was built for, so that both use the same instructions. Contraction and
** other optimizations that could change a bit are off. So are builtins, because the compiler's value of expm1(1.0) may
** differ from libm's in the last place. gcc schedules instructions before it allocates registers, so that polynomials
** overlap (4% on tanh and sigmoid). */
#define NO_BUILTIN(name) " -fno-builtin-" #name
#define FLAGS                                                                                            \
  "-std=gnu11 -O3 -march=" HL_MARCH " -ffp-contract=off -fno-math-errno -fno-trapping-math -fwrapv -fschedule-insns " \
  "-fPIC -shared -s -w"                                                                                  \
  NO_BUILTIN(exp) NO_BUILTIN(expm1) NO_BUILTIN(log) NO_BUILTIN(log1p) NO_BUILTIN(log2) NO_BUILTIN(log10)  \
  NO_BUILTIN(sin) NO_BUILTIN(cos) NO_BUILTIN(tan) NO_BUILTIN(asin) NO_BUILTIN(acos) NO_BUILTIN(atan)      \
  NO_BUILTIN(atan2)                                                                                      \
  NO_BUILTIN(sinh) NO_BUILTIN(cosh) NO_BUILTIN(tanh) NO_BUILTIN(asinh) NO_BUILTIN(acosh) NO_BUILTIN(atanh) \
  NO_BUILTIN(erf) NO_BUILTIN(tgamma) NO_BUILTIN(lgamma) NO_BUILTIN(pow) NO_BUILTIN(cbrt) NO_BUILTIN(hypot)

static Module *modules;
static int n_running;
static pid_t started_by;             /* the process that started the compilers, not a fork of it */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- The compiler --------------------------------------------------------------------------------- */

/* Finds the program's file by PATH. */
static bool find_program(const char *name, char *path, size_t size) {
  const char *search = getenv("PATH");
  if (strchr(name, '/')) {
    snprintf(path, size, "%s", name);
    return access(path, X_OK) == 0;
  }
  while (search && *search) {
    size_t n = strcspn(search, ":");
    snprintf(path, size, "%.*s/%s", (int)n, search, name);
    if (access(path, X_OK) == 0) return true;
    search += n + (search[n] == ':');
  }
  return false;
}

typedef struct Compiler {
  char command[PATH_MAX];           /* words for the shell */
  char identity[PATH_MAX + 64];     /* path, size and modification time, instead of its version */
  char missing[PATH_MAX + 64];      /* why there is no compiler; "" if there is one */
} Compiler;

static Compiler the_compiler;
static pthread_once_t compiler_once = PTHREAD_ONCE_INIT;

static void find_compiler(void) {
  Compiler *c = &the_compiler;
  const char *asked = getenv("HYBRIDLUA_CC"), *usual[] = { "cc", "gcc", "clang" };
  bool own = asked && *asked;
  char first[PATH_MAX], path[PATH_MAX];
  struct stat s = { 0 };
  for (int i = 0; i < (own ? 1 : 3); i++) {
    const char *command = own ? asked : usual[i];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(command, " "), command);
    if (!find_program(first, path, sizeof path)) continue;
    snprintf(c->command, sizeof c->command, "%s", command);
    stat(path, &s);
    snprintf(c->identity, sizeof c->identity, "%s %lld %lld", path, (long long)s.st_size, (long long)s.st_mtime);
    return;
  }
  if (own) snprintf(c->missing, sizeof c->missing, "HYBRIDLUA_CC=%s is not a program", asked);
  else snprintf(c->missing, sizeof c->missing, "no C compiler was found (cc, gcc or clang)");
  log_line(LOG_KERNEL, "no kernels are compiled: %s", c->missing);
}

static const Compiler *compiler(void) {
  pthread_once(&compiler_once, find_compiler);
  return &the_compiler;
}

bool compile_enabled(const char **why) {
  *why = NULL;
  if (debug.jit == JIT_OFF) *why = "switched off by HYBRIDLUA_JIT=off";
  else if (*compiler()->missing) *why = compiler()->missing;
  else kernel_cache_directory(why);
  return *why == NULL;
}

CompilePlaces compile_places(void) {
  CompilePlaces p = { .compiler = compiler()->command, .no_compiler = compiler()->missing };
  const CacheDirectory *directory = kernel_cache_directory(&p.no_cache);
  if (directory) p.cache = directory->name;
  return p;
}

/* ---- Keys -------------------------------------------------------------------------------------------- */

/* Two FNV-1a hashes with different seeds, each 64 bits. */
static void hash_text(uint64_t *h, const char *text) {
  for (const unsigned char *at = (const unsigned char *)text;; at++) {
    h[0] = (h[0] ^ *at) * 0x100000001B3u;
    h[1] = (h[1] ^ *at) * 0x100000001B3u + (h[1] >> 29);
    if (!*at) return;
  }
}

static void write_key(const char *text, char *key) {
  uint64_t h[2] = { 0xCBF29CE484222325u, 0x9AE16A3B2F90404Fu };
  hash_text(h, text);
  hash_text(h, FLAGS);
  hash_text(h, compiler()->command);
  hash_text(h, compiler()->identity);
  hash_text(h, machine_cpu());
  snprintf(key, 33, "%016llx%016llx", (unsigned long long)h[0], (unsigned long long)h[1]);
}

/* ---- A module's life ------------------------------------------------------------------------------- */

static void set_state(Module *m, JitState state) { __atomic_store_n(&m->state, state, __ATOMIC_RELEASE); }

static void fail_module(Module *m, const char *error) {
  m->error = object_text(error);
  set_state(m, JIT_FAILED);
  log_line(LOG_KERNEL, "%s: %s", m->key, error);
}

/* Loads the library; returns why it cannot be used, or NULL. */
static const char *try_library(Module *m, const char *path) {
  static char missing[40];
  m->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!m->handle) {
    const char *said = dlerror(), *behind = strstr(said, m->key);      /* skips the folder, a path in /proc */
    return behind ? behind : said;
  }
  for (int i = 0; i < m->n_functions; i++) {
    char name[24];
    snprintf(name, sizeof name, "kernel%d", i);
    if (module_function(m, name)) continue;
    dlclose(m->handle);
    m->handle = NULL;
    snprintf(missing, sizeof missing, "function %s is missing", name);
    return missing;
  }
  return NULL;
}

/* Loads the entry, if the cache has one. Removes an unusable entry; *why: the problem. */
static bool load(Module *m, const char **why) {
  char path[PATH_MAX];
  *why = "the compiler left no library in the cache";
  if (!kernel_cache_find(m->key, path, sizeof path)) return false;
  *why = try_library(m, path);
  if (*why) {
    log_line(LOG_KERNEL, "%s: the entry in the cache cannot be used: %s", m->key, *why);
    unlink(path);
    return false;
  }
  m->seconds = machine_seconds() - m->asked;
  set_state(m, JIT_READY);
  log_line(LOG_KERNEL, "%s: ready after %.1f ms", m->key, m->seconds * 1e3);
  return true;
}

/* Writes the text into a new file; m->work is its name KEY.XXXXXX without .c. The name is unique, because other
** processes, perhaps on other machines, may compile the same text. */
static bool write_text(Module *m, const char *directory) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s.XXXXXX.c", directory, m->key);
  int file = mkostemps(path, 2, O_CLOEXEC);
  size_t n = strlen(m->text);
  if (file < 0) return false;
  bool good = write(file, m->text, n) == (ssize_t)n;
  if (close(file) != 0 || !good) {
    unlink(path);
    return false;
  }
  memcpy(m->work, path + strlen(directory) + 1, sizeof m->work - 1);
  return true;
}

static void remove_work(const Module *m, const char *directory, const char *ending) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s.%s", directory, m->work, ending);
  unlink(path);
}

/* Runs in the cache's directory. $1: key, $2: m->work, $3: flags, $4: the compiler. Standard error is the file $2.err.
** If the compiler fails, the process that started it reads and removes that file, or removes it when it ends. */
/* clang-format off */
static const char script[] =
  "$4 $3 -x c -o \"$2.so\" - -lm <\"$2.c\" && cksum <\"$2.so\" >\"$2.sum\" &&\n"
  "  chmod 600 \"$2.so\" \"$2.sum\" && mv -f \"$2.sum\" \"$1.sum\" && mv -f \"$2.so\" \"$1.so\"\n"
  "code=$?\n"
  "[ $code -ne 0 ] || rm -f \"$2.err\"\n"
  "rm -f \"$2.c\" \"$2.so\" \"$2.sum\"\n"
  "exit $code\n";
/* clang-format on */

/* Starts the shell in the directory; returns 0 or an error number. The shell inherits no file of the script, since a
** pipe would stay open while the compiler runs. `complaints`: the file for standard error. */
static int spawn(char *const *arguments, int directory, const char *complaints, pid_t *process) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGPIPE);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addfchdir_np(&files, directory);
  posix_spawn_file_actions_addopen(&files, 2, complaints, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
#if __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
#endif
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &usual);
  int code = posix_spawn(process, "/bin/sh", &files, &how, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  return code;
}

/* A shell that outlives this process removes its own files but not the compiler's messages, so they are removed
** here. */
static void at_exit(void) {
  if (getpid() != started_by || pthread_mutex_trylock(&lock) != 0) return;
  for (Module *m = modules; m; m = m->next)
    if (m->state == JIT_COMPILING) remove_work(m, kernel_cache_directory(NULL)->path, "err");
  pthread_mutex_unlock(&lock);
}

static void start(Module *m) {
  static unsigned started;
  const CacheDirectory *directory = kernel_cache_directory(NULL);
  if (started_by != getpid()) atexit(at_exit);
  started_by = getpid();
  if (started++ % TRIM_EVERY == 0) kernel_cache_trim();
  if (!write_text(m, directory->path)) {
    fail_module(m, "the kernel's text cannot be written to the cache");
    return;
  }
  char *const arguments[] = { "sh", "-c", (char *)script, "sh", m->key, m->work, FLAGS, (char *)compiler()->command,
                              NULL };
  char complaints[sizeof m->work + 8];
  snprintf(complaints, sizeof complaints, "%s.err", m->work);
  if (spawn(arguments, directory->fd, complaints, &m->process) != 0) {
    remove_work(m, directory->path, "c");
    remove_work(m, directory->path, "err");
    fail_module(m, "the compiler cannot be started");
    return;
  }
  if (debug.jit == JIT_BACKGROUND) setpriority(PRIO_PROCESS, (id_t)m->process, getpriority(PRIO_PROCESS, 0) + NICE);
  set_state(m, JIT_COMPILING);
  n_running++;
  log_line(LOG_KERNEL, "%s: %s has started", m->key, compiler()->command);
}

static void give_up(Module *m, const char *why) {
  fail_module(m, why);
  fprintf(stderr, "hybridlua: a kernel did not compile, its operators run one by one: %s\n", m->error ? m->error : "");
}

/* Gives up; the error is the compiler's first line that contains "error", or else its first line. */
static void read_error(Module *m) {
  const char *directory = kernel_cache_directory(NULL)->path;
  char path[PATH_MAX], line[400], found[400] = "";
  struct stat s;
  snprintf(path, sizeof path, "%s/%s.err", directory, m->work);
  int fd = open_regular(path, O_RDONLY | O_NOFOLLOW, 0, &s);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    if (!*found || strstr(line, "error")) snprintf(found, sizeof found, "%s", line);
    if (strstr(line, "error")) break;
  }
  if (file) fclose(file);
  remove_work(m, directory, "err");
  give_up(m, *found ? found : "the compiler failed");
}

static void finish(Module *m, bool waits) {
  int code = 0;
  pid_t got;
  while ((got = waitpid(m->process, &code, waits ? 0 : WNOHANG)) < 0 && errno == EINTR && !interrupted());
  if (got == 0 || (got < 0 && errno == EINTR)) return;
  n_running--;
  m->process = 0;
  if (got < 0 || (WIFEXITED(code) && WEXITSTATUS(code) == 0)) {
    const char *why;
    if (!load(m, &why)) give_up(m, why);
  } else {
    read_error(m);
  }
}

JitState module_poll(Module *m) {
  static _Thread_local double looked;
  JitState state = __atomic_load_n(&m->state, __ATOMIC_ACQUIRE);
  double now;
  if (state == JIT_READY || state == JIT_FAILED || (now = machine_seconds()) - looked < 1e-3) return state;
  looked = now;
  pthread_mutex_lock(&lock);
  for (Module *at = modules; at; at = at->next)
    if (at->state == JIT_COMPILING) finish(at, false);
  for (Module *at = modules; at; at = at->next)
    if (at->state == JIT_WAITING && n_running < MOST_RUNNING) start(at);
  state = m->state;
  pthread_mutex_unlock(&lock);
  return state;
}

static Module *find_module(const char *key) {
  for (Module *m = modules; m; m = m->next)
    if (strcmp(m->key, key) == 0) return m;
  return NULL;
}

Status module_of_text(const char *text, int n_functions, Module **out) {
  const char *why;
  char key[33];
  write_key(text, key);
  pthread_mutex_lock(&lock);
  Module *m = find_module(key);
  if (m) {
    m->refs++;
  } else if ((m = object_new(sizeof *m)) && (m->text = object_text(text))) {
    m->refs = 1;
    m->n_functions = n_functions;
    m->asked = machine_seconds();
    memcpy(m->key, key, sizeof key);
    m->from_cache = load(m, &why);
    if (!m->from_cache && (n_running < MOST_RUNNING || debug.jit == JIT_SYNC)) start(m);
    m->next = modules;
    modules = m;
  } else {
    object_free(m);
    m = NULL;
  }
  if (m && debug.jit == JIT_SYNC && m->state == JIT_COMPILING) finish(m, true);
  pthread_mutex_unlock(&lock);
  *out = m;
  return m ? OK : no_memory("kernels");
}

Module *module_retain(Module *m) {
  pthread_mutex_lock(&lock);
  m->refs++;
  pthread_mutex_unlock(&lock);
  return m;
}

/* A module without references stays listed until its compiler has ended. */
void module_release(Module *m) {
  if (!m) return;
  pthread_mutex_lock(&lock);
  m->refs--;
  for (Module **at = &modules; *at;) {
    Module *old = *at;
    if (old->refs == 0 && old->state == JIT_COMPILING) finish(old, false);
    if (old->refs > 0 || old->state == JIT_COMPILING) {
      at = &old->next;
      continue;
    }
    *at = old->next;
    if (old->handle) dlclose(old->handle);
    object_free(old->text);
    object_free(old->error);
    object_free(old);
  }
  pthread_mutex_unlock(&lock);
}

void compile_hold(void) { pthread_mutex_lock(&lock); }
void compile_unhold(void) { pthread_mutex_unlock(&lock); }

void compile_be_worker(void) {
  for (Module *m = modules; m; m = m->next) {
    if (m->state != JIT_COMPILING) continue;
    m->process = 0;
    set_state(m, JIT_WAITING);
  }
  n_running = MOST_RUNNING;
  debug.jit = JIT_OFF;
}

void *module_function(const Module *m, const char *name) { return m->handle ? dlsym(m->handle, name) : NULL; }
