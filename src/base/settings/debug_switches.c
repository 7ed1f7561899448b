/* debug_switches.c - see debug_switches.h. */
#include "base/settings/debug_switches.h"

#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings/environment.h"

Debug debug;

static const char *const topic_names[] = { "trace", "plan", "kernel" };

static const char *const jit_names[] = { "background", "sync", "off" };

static int find_name(const char *const *names, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

int jit_mode(const char *name) { return find_name(jit_names, N_JIT_MODES, name); }

const char *jit_mode_name(JitMode mode) { return jit_names[mode]; }

int log_topic(const char *name) { return find_name(topic_names, N_LOG_TOPICS, name); }

static const char *const decompose_names[] = { "pays", "lowered", "expanded" };

int decompose_mode(const char *name) { return find_name(decompose_names, N_DECOMPOSE_MODES, name); }
const char *decompose_mode_name(DecomposeMode mode) { return decompose_names[mode]; }

static const char *const failure_names[] = { "error", "memory" };

int failure_kind(const char *name) { return find_name(failure_names, N_FAILURE_KINDS, name); }
const char *failure_kind_name(FailureKind kind) { return failure_names[kind]; }

void debug_poison(void *memory, size_t bytes) {
  if (bytes > 0) memset(memory, 0xFF, bytes);
}

/* Topics are separated by commas; unknown ones are ignored. */
static unsigned read_topics(const char *list) {
  unsigned topics = 0;
  char word[16];
  for (const char *at = list; *at;) {
    size_t n = strcspn(at, ", ");
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), at);
    int topic = log_topic(word);
    if (topic >= 0) topics |= 1u << topic;
    at += n + (at[n] != '\0');
  }
  return topics;
}

bool log_wanted(LogTopic topic) {
  static atomic_uint wanted = UINT_MAX;    /* not read yet */
  if (atomic_load_explicit(&wanted, memory_order_relaxed) == UINT_MAX) {
    const char *list = getenv("HYBRIDLUA_LOG");
    atomic_store(&wanted, list ? read_topics(list) : 0);
  }
  return atomic_load_explicit(&wanted, memory_order_relaxed) >> topic & 1;
}

void log_line(LogTopic topic, const char *format, ...) {
  if (!log_wanted(topic)) return;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fflush(stdout);                          /* keeps the order of output */
  fprintf(stderr, "hybridlua %s: %s\n", topic_names[topic], text);
}

__attribute__((constructor)) static void read_environment(void) {
  debug.poison = environment_is("HYBRIDLUA_POISON", "1");
  debug.no_plan = environment_is("HYBRIDLUA_NOPLAN", "1");
#ifdef HL_VERIFY
  debug.strict = true;
#else
  debug.strict = environment_is("HYBRIDLUA_STRICT", "1");
#endif
  const char *jit = getenv("HYBRIDLUA_JIT");
  debug.no_lapack = environment_is("HYBRIDLUA_LAPACK", "off");
  debug.direct_convolution = environment_is("HYBRIDLUA_CONVOLUTION", "direct");
  int mode = jit && *jit ? jit_mode(jit) : JIT_BACKGROUND;
  if (mode >= 0) debug.jit = (JitMode)mode;
}
