/* limits.c - the machine's own limits, with which bench/run.lua compares: copying and reading at every level of memory,
** matrix products by direct calls of OpenBLAS, the cost of a Lua call that creates an object, a handwritten loop, and the
** start of a process.
**
** A Lua module, built as build/bench/limits.so and never installed. Each function repeats short work until it can be
** timed, and returns the seconds of one run. Buffers are kept between calls. OpenBLAS is the library that the engine
** loaded, so both run the same kernels on the same threads.
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <link.h>
#include <lua.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "base/math/scalar_functions.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Timing ------------------------------------------------------------------------------------- */

typedef struct Work {
  size_t bytes;
  int threads;
  int m, n, k, transpose_a, transpose_b;
} Work;

/* Seconds of one run: the mean of as many runs as take LEAST seconds. */
static double time_of(void (*run)(const Work *), const Work *w) {
  const double LEAST = 2e-3;
  run(w);
  for (int64_t n = 1;; n *= 2) {
    double start = now();
    for (int64_t i = 0; i < n; i++) run(w);
    double seconds = now() - start;
    if (seconds >= LEAST) return seconds / (double)n;
  }
}

/* ---- Memory --------------------------------------------------------------------------------------- */

enum { N_BUFFERS = 3, ALIGNMENT = 1 << 21 };
static struct { char *at; size_t bytes; } buffers[N_BUFFERS];

/* A buffer of at least `bytes`, whose pages are in memory. */
static char *buffer(lua_State *L, int i, size_t bytes) {
  if (buffers[i].bytes >= bytes) return buffers[i].at;
  size_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  free(buffers[i].at);
  buffers[i].bytes = 0;
  buffers[i].at = aligned_alloc(ALIGNMENT, size);
  if (!buffers[i].at) luaL_error(L, "no memory for a buffer of %d MiB", (int)(size >> 20));
  madvise(buffers[i].at, size, MADV_HUGEPAGE);
  for (size_t k = 0; k < size / sizeof(float); k++) ((float *)buffers[i].at)[k] = (float)(k % 1000) / 1000;
  buffers[i].bytes = size;
  return buffers[i].at;
}

/* The beginning of thread i's part of `bytes`, in whole cache lines. */
static size_t part(size_t bytes, int i, int n) { return i == n ? bytes : bytes / 64 * (size_t)i / (size_t)n * 64; }

typedef void *Copy(void *restrict to, const void *restrict from, size_t bytes);

/* Stores through the caches at every size; memcpy bypasses them for large sizes. */
__attribute__((optimize("no-tree-loop-distribute-patterns"))) static void *
copy_through(void *restrict to, const void *restrict from, size_t bytes) {
  for (size_t i = 0; i < bytes / 8; i++) ((uint64_t *)to)[i] = ((const uint64_t *)from)[i];
  return to;
}

static void copy_by(Copy *by, const Work *w) {
  if (w->threads == 1) {
    by(buffers[1].at, buffers[0].at, w->bytes);
    __asm__ volatile("" ::: "memory");
    return;
  }
#pragma omp parallel for num_threads(w->threads) schedule(static, 1)
  for (int i = 0; i < w->threads; i++) {
    size_t from = part(w->bytes, i, w->threads), end = part(w->bytes, i + 1, w->threads);
    by(buffers[1].at + from, buffers[0].at + from, end - from);
  }
}

static void copy_around_caches(const Work *w) { copy_by(memcpy, w); }
static void copy_through_caches(const Work *w) { copy_by(copy_through, w); }

static volatile uint64_t sink;

static uint64_t sum(const char *at, size_t bytes) {
  const uint64_t *words = (const uint64_t *)at;
  uint64_t total = 0;
  for (size_t i = 0; i < bytes / 8; i++) total += words[i];
  return total;
}

static void read_all(const Work *w) {
  if (w->threads == 1) {
    sink = sum(buffers[0].at, w->bytes);
    return;
  }
  uint64_t total = 0;
#pragma omp parallel for num_threads(w->threads) schedule(static, 1) reduction(+ : total)
  for (int i = 0; i < w->threads; i++) {
    size_t from = part(w->bytes, i, w->threads), end = part(w->bytes, i + 1, w->threads);
    total += sum(buffers[0].at + from, end - from);
  }
  sink = total;
}

/* copy(bytes, threads) -> seconds to copy that many bytes, the faster of through and around caches */
static int limit_copy(lua_State *L) {
  Work w = { .bytes = (size_t)luaL_checkinteger(L, 1), .threads = (int)luaL_optinteger(L, 2, 1) };
  buffer(L, 0, w.bytes);
  buffer(L, 1, w.bytes);
  double through = time_of(copy_through_caches, &w), around = time_of(copy_around_caches, &w);
  lua_pushnumber(L, through < around ? through : around);
  return 1;
}

/* read(bytes, threads) -> seconds to read that many bytes */
static int limit_read(lua_State *L) {
  Work w = { .bytes = (size_t)luaL_checkinteger(L, 1), .threads = (int)luaL_optinteger(L, 2, 1) };
  buffer(L, 0, w.bytes);
  lua_pushnumber(L, time_of(read_all, &w));
  return 1;
}

/* ---- Matrix products --------------------------------------------------------------------------------- */

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };
static void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
static void (*sgemv)(int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
static void (*set_threads)(int);
static int (*get_threads)(void);

static int is_openblas(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  if (!strstr(info->dlpi_name, "openblas")) return 0;
  *(const char **)found = info->dlpi_name;
  return 1;
}

static void open_blas(lua_State *L) {
  const char *path = NULL;
  if (sgemm) return;
  dl_iterate_phdr(is_openblas, &path);
  void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) luaL_error(L, "the engine has loaded no OpenBLAS yet");
  *(void **)&sgemm = dlsym(library, "cblas_sgemm");
  *(void **)&sgemv = dlsym(library, "cblas_sgemv");
  *(void **)&set_threads = dlsym(library, "openblas_set_num_threads");
  *(void **)&get_threads = dlsym(library, "openblas_get_num_threads");
  if (!sgemm || !sgemv || !set_threads || !get_threads) luaL_error(L, "%s lacks functions", path);
}

/* c (m, n) = op(a) op(b), operands densely packed; with one row or column by sgemv. */
static void product(const Work *w) {
  const float *a = (float *)buffers[0].at, *b = (float *)buffers[1].at;
  float *c = (float *)buffers[2].at;
  if (w->m == 1) {
    int rows = w->transpose_b ? w->n : w->k, columns = w->transpose_b ? w->k : w->n;
    sgemv(ROW_MAJOR, w->transpose_b ? NO_TRANS : TRANS, rows, columns, 1, b, columns, a, 1, 0, c, 1);
    return;
  }
  sgemm(ROW_MAJOR, w->transpose_a ? TRANS : NO_TRANS, w->transpose_b ? TRANS : NO_TRANS, w->m, w->n, w->k, 1, a,
        w->transpose_a ? w->m : w->k, b, w->transpose_b ? w->k : w->n, 0, c, w->n);
}

/* product(m, n, k, transpose_a, transpose_b, threads) -> seconds of one */
static int limit_product(lua_State *L) {
  Work w = { .m = (int)luaL_checkinteger(L, 1),
             .n = (int)luaL_checkinteger(L, 2),
             .k = (int)luaL_checkinteger(L, 3),
             .transpose_a = lua_toboolean(L, 4),
             .transpose_b = lua_toboolean(L, 5),
             .threads = (int)luaL_optinteger(L, 6, 1) };
  open_blas(L);
  buffer(L, 0, (size_t)w.m * (size_t)w.k * sizeof(float));
  buffer(L, 1, (size_t)w.k * (size_t)w.n * sizeof(float));
  buffer(L, 2, (size_t)w.m * (size_t)w.n * sizeof(float));
  int before = get_threads();
  set_threads(w.threads);
  double seconds = time_of(product, &w);
  set_threads(before);
  lua_pushnumber(L, seconds);
  return 1;
}

/* ---- A fused chain by hand ------------------------------------------------------------------------------ */

static void chain_range(int64_t from, int64_t end) {
  typedef float real;
  const real *a = (real *)buffers[0].at, *b = (real *)buffers[1].at;
  real *out = (real *)buffers[2].at;
  IVDEP
  for (int64_t i = from; i < end; i++) out[i] = tanh(a[i] * b[i] + a[i]) * sigmoid(b[i]) - (a[i] > 0 ? a[i] : 0);
}

static void chain(const Work *w) {
  if (w->threads == 1) {
    chain_range(0, w->n);
    return;
  }
#pragma omp parallel for num_threads(w->threads) schedule(static, 1)
  for (int i = 0; i < w->threads; i++)
    chain_range((int64_t)w->n * i / w->threads, (int64_t)w->n * (i + 1) / w->threads);
}

/* chain(n, threads) -> seconds of tanh(a*b+a)*sigmoid(b)-relu(a) over n floats in one loop */
static int limit_chain(lua_State *L) {
  Work w = { .n = (int)luaL_checkinteger(L, 1), .threads = (int)luaL_optinteger(L, 2, 1) };
  for (int i = 0; i < N_BUFFERS; i++) buffer(L, i, (size_t)w.n * sizeof(float));
  lua_pushnumber(L, time_of(chain, &w));
  return 1;
}

/* ---- Lua and processes -------------------------------------------------------------------------------------- */

enum { OBJECT_BYTES = 144 };      /* size of an array's userdata */

static int nothing(lua_State *L) {
  (void)L;
  return 0;
}

/* object(...) -> a new userdata with a finalizer, as every operator's call creates one */
static int limit_object(lua_State *L) {
  lua_newuserdatauv(L, OBJECT_BYTES, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_setmetatable(L, -2);
  return 1;
}

/* spawn{program, argument, ...} -> seconds from start to end, and whether it succeeded */
static int limit_spawn(lua_State *L) {
  enum { MOST = 16 };
  extern char **environ;
  char *argv[MOST + 1] = { NULL };
  int n = (int)luaL_len(L, 1), status = -1;
  if (n < 1 || n > MOST) return luaL_error(L, "spawn: expected 1 to %d words", MOST);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, 1, i + 1);
    argv[i] = (char *)luaL_checkstring(L, -1); /* stays on the stack */
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t child;
  double start = now();
  int failed = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
  if (!failed) waitpid(child, &status, 0);
  double seconds = now() - start;
  posix_spawn_file_actions_destroy(&actions);
  lua_pushnumber(L, seconds);
  lua_pushboolean(L, !failed && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return 2;
}

int luaopen_limits(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = { { "copy", limit_copy }, { "read", limit_read }, { "product", limit_product },
                                 { "chain", limit_chain }, { "spawn", limit_spawn }, { NULL, NULL } };
  /* clang-format on */
  luaL_newlib(L, functions);
  lua_newtable(L);
  lua_pushcfunction(L, nothing);
  lua_setfield(L, -2, "__gc");
  lua_pushcclosure(L, limit_object, 1);
  lua_setfield(L, -2, "object");
  return 1;
}
