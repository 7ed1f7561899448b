/* environment.c - see environment.h. */
#include "base/settings/environment.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/settings/debug_switches.h"

enum { MOST_THREADS = 1024 };

/* The value of a variable; NULL if unset or empty. */
static const char *value_of(const char *variable) {
  const char *value = getenv(variable);
  return value && *value ? value : NULL;
}

/* Reads a number of threads, the first of a list such as OMP_NUM_THREADS. */
static int count_in(const char *text) {
  char *end;
  long n = strtol(text, &end, 10);
  return end != text && (*end == '\0' || *end == ',') && n >= 1 && n <= MOST_THREADS ? (int)n : 0;
}

static int64_t bytes_in(const char *text) {
  static const char units[] = "KMGT";
  char *end;
  double value = strtod(text, &end);
  if (end == text) return 0;
  for (const char *unit = units; *end && *unit; unit++) {
    if ((*end & ~32) != *unit) continue;               /* k as well as K */
    for (const char *at = units; at <= unit; at++) value *= 1024;
    end++;
    break;
  }
  return *end == '\0' && value >= 1 && value < 9e18 ? (int64_t)value : 0;
}

bool environment_is(const char *variable, const char *value) {
  const char *given = value_of(variable);
  return given && strcmp(given, value) == 0;
}

int environment_count(const char *variable) {
  const char *value = value_of(variable);
  return value ? count_in(value) : 0;
}

int64_t environment_bytes(const char *variable) {
  const char *value = value_of(variable);
  return value ? bytes_in(value) : 0;
}

/* ---- Reporting invalid values ---------------------------------------------------------------------------- */

static bool is_count(const char *value) { return count_in(value) > 0; }
static bool is_size(const char *value) { return bytes_in(value) > 0; }
static bool is_mode(const char *value) { return jit_mode(value) >= 0; }
static bool is_switch(const char *value) { return strcmp(value, "0") == 0 || strcmp(value, "1") == 0; }
static bool is_way(const char *value) { return strcmp(value, "on") == 0 || strcmp(value, "off") == 0; }
static bool is_form(const char *value) { return strcmp(value, "direct") == 0; }
static bool is_collecting(const char *value) { return strcmp(value, "aggressive") == 0; }

/* A name without a path is left to the loader. */
static bool is_library(const char *value) { return !strchr(value, '/') || access(value, R_OK) == 0; }

static void tell(const char *variable, const char *expected, const char *value) {
  fprintf(stderr, "hybridlua: %s: expected %s, got '%s'\n", variable, expected, value);
}

/* Reports unknown topics. */
static void check_topics(const char *variable) {
  const char *list = value_of(variable);
  char word[16];
  for (const char *at = list ? list : ""; *at;) {
    size_t n = strcspn(at, ", ");
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), at);
    if (n > 0 && log_topic(word) < 0) tell(variable, "trace, plan or kernel", word);
    at += n + (at[n] != '\0');
  }
}

void environment_check(void) {
  static atomic_flag checked = ATOMIC_FLAG_INIT;
  static const struct { const char *variable, *expected; bool (*fits)(const char *value); } settings[] = {
    { "HYBRIDLUA_NUM_THREADS", "a whole number from 1 to 1024", is_count },
    { "HYBRIDLUA_MEM_LIMIT", "bytes, or a number with K, M, G or T", is_size },
    { "HYBRIDLUA_BLAS", "a library that can be read", is_library },
    { "HYBRIDLUA_LAPACK", "on or off", is_way },
    { "HYBRIDLUA_CONVOLUTION", "direct", is_form },
    { "HYBRIDLUA_DISABLE", "1 or 0", is_switch },
    { "HYBRIDLUA_JIT", "off, sync or background", is_mode },
    { "HYBRIDLUA_POISON", "1 or 0", is_switch },
    { "HYBRIDLUA_NOPLAN", "1 or 0", is_switch },
    { "HYBRIDLUA_STRICT", "1 or 0", is_switch },
    { "HYBRIDLUA_GC", "aggressive", is_collecting },
  };
  if (atomic_flag_test_and_set(&checked)) return;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    const char *value = value_of(settings[i].variable);
    if (value && !settings[i].fits(value)) tell(settings[i].variable, settings[i].expected, value);
  }
  check_topics("HYBRIDLUA_LOG");
}
