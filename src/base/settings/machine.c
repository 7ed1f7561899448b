/* machine.c - reads /proc, the cgroup (v2 and v1), the processor's feature bits and the clock. */
#define _GNU_SOURCE
#include "base/settings/machine.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double machine_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The first integer in a small file; -1 if there is none, as for "max". */
static long long first_number(const char *path) {
  FILE *f = fopen(path, "r");
  long long value = -1;
  if (!f) return -1;
  if (fscanf(f, "%lld", &value) != 1) value = -1;
  fclose(f);
  return value;
}

static long long cgroup_cores(void) {
  long long quota = -1, period = -1;
  FILE *f = fopen("/sys/fs/cgroup/cpu.max", "r");
  if (f) {
    if (fscanf(f, "%lld %lld", &quota, &period) != 2) quota = -1;
    fclose(f);
  } else {
    quota = first_number("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    period = first_number("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  }
  if (quota <= 0 || period <= 0) return -1;
  return (quota + period - 1) / period;
}

int machine_cores(void) {
  cpu_set_t set;
  long long cores = sysconf(_SC_NPROCESSORS_ONLN), quota = cgroup_cores();
  if (sched_getaffinity(0, sizeof set, &set) == 0) cores = CPU_COUNT(&set);
  if (quota > 0 && quota < cores) cores = quota;
  return cores < 1 ? 1 : (int)cores;
}

int64_t machine_memory(void) {
  int64_t total = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGE_SIZE);
  long long limit = first_number("/sys/fs/cgroup/memory.max");
  if (limit <= 0) limit = first_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  if (limit > 0 && limit < total) total = limit;
  return total;
}

bool machine_has_avx512(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

#if defined(__x86_64__)
/* Asks the processor, because reading /proc/cpuinfo collects every core's entry. */
static bool ask_processor(char *name) {
  unsigned int text[12] = { 0 };
  char whole[sizeof text + 1] = "";
  if ((unsigned int)__get_cpuid_max(0x80000000u, NULL) < 0x80000004u) return false;
  for (unsigned int i = 0; i < 3; i++)
    __get_cpuid(0x80000002u + i, &text[4 * i], &text[4 * i + 1], &text[4 * i + 2], &text[4 * i + 3]);
  memcpy(whole, text, sizeof text);
  strcpy(name, whole + strspn(whole, " "));
  for (size_t n = strlen(name); n > 0 && name[n - 1] == ' ';) name[--n] = '\0';
  return name[0] != '\0';
}
#else
static bool ask_processor(char *name) {
  (void)name;
  return false;
}
#endif

/* The value of a line in /proc/cpuinfo with this label; "" for other lines. */
static const char *labelled(char *line, const char *label) {
  char *colon = strchr(line, ':');
  if (strncmp(line, label, strlen(label)) != 0 || !colon) return "";
  colon[strcspn(colon, "\n")] = '\0';
  return colon + 1 + strspn(colon + 1, " ");
}

/* The file has a name on x86, four numbers on Arm. */
static void read_cpuinfo(char *name, size_t size) {
  static const char *const numbers[] = { "CPU implementer", "CPU variant", "CPU part", "CPU revision" };
  enum { NUMBERS = sizeof numbers / sizeof *numbers };
  char line[256], number[NUMBERS][16] = { "" };
  FILE *f = fopen("/proc/cpuinfo", "r");
  name[0] = '\0';
  while (f && !name[0] && !number[NUMBERS - 1][0] && fgets(line, sizeof line, f)) {
    snprintf(name, size, "%.100s", labelled(line, "model name"));
    for (int i = 0; i < NUMBERS; i++)
      if (*labelled(line, numbers[i])) snprintf(number[i], sizeof number[i], "%.15s", labelled(line, numbers[i]));
  }
  if (f) fclose(f);
  if (name[0]) return;
  if (number[2][0])
    snprintf(name, size, "Arm %s, part %s, variant %s, revision %s", number[0], number[2], number[1], number[3]);
  else strcpy(name, "unknown processor");
}

const char *machine_cpu(void) {
  static _Thread_local char name[128];
  if (!name[0] && !ask_processor(name)) read_cpuinfo(name, sizeof name);
  return name;
}
