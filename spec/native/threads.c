/* threads.c - eight threads run one compiled function: `threads [runs [starved]]`.
**
** Its graph has products, a chain that fuses and reductions, and draws no random numbers. Two batch sizes alternate, so
** specializations are found, made, and switched to their fused executables while others run. Every output must have the
** bits of a single thread. In between, all threads compete for the thread team (base/threads/thread_team.h), and each
** item of their loops must run once. Starved: a ninth thread constantly frees idle run states, as a refused allocation
** does. Prints "N runs, N wrong" and fails if any is wrong. Also runs under ThreadSanitizer (make tsan).
*/
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "exec/tape/call_compiled.h"
#include "state/engine.h"
#include "ir/node_builder.h"

enum { THREADS = 8, INPUTS = 4, BATCHES = 2, WIDTH = 48 };

typedef struct Work {
  Compiled *c;
  Array in[BATCHES][INPUTS];
  Array expected[BATCHES][2];
  int runs;
} Work;

static void stop(const char *what) {
  fprintf(stderr, "threads: %s: %s\n", what, status_text());
  exit(1);
}

/* y = tanh(x W' + b) * x W' + x, softmax over its rows, and the mean of all. */
static Compiled *make(void) {
  Node *in[INPUTS];
  static const char *const names[INPUTS] = { "x", "weight", "bias", "scale" };
  Builder b = { 0 };
  for (int i = 0; i < INPUTS; i++)
    if (node_variable(names[i], NULL, &in[i]) != OK) stop("variable");
  Entry x = { in[0], 0 }, weight = { in[1], 0 }, bias = { in[2], 0 }, scale = { in[3], 0 };
  Entry product = build_op(&b, "dot", NULL, 2, x, weight);
  Entry shifted = build_op(&b, "broadcast_add", NULL, 2, product, bias);
  Entry chain = build_op(&b, "elemwise_mul", NULL, 2, build_op(&b, "tanh", NULL, 1, shifted), product);
  Entry sum = build_op(&b, "elemwise_add", NULL, 2, chain, x);
  Entry rows = build_op(&b, "softmax", NULL, 1, build_op(&b, "broadcast_mul", NULL, 2, sum, scale));
  Entry out[] = { build_op(&b, "dot", NULL, 2, rows, weight), build_op(&b, "mean", NULL, 1, sum) };
  Compiled *c;
  if (b.status != OK || compiled_new("threads", out, 2, in, INPUTS, NULL, 64, &c) != OK) stop("graph");
  builder_free(&b);
  for (int i = 0; i < INPUTS; i++) node_release(in[i]);
  return c;
}

static void fill(Array *a, int rows, int columns, unsigned *seed) {
  Type type = { .dtype = DT_FLOAT32, .shape = { .ndim = 2, .dim = { rows, columns } } };
  if (tensor_new(&type, engine_now()->mode.device, &a->t) != OK) stop("array");
  for (int i = 0; i < rows * columns; i++) {
    *seed = *seed * 1664525u + 1013904223u;
    ((float *)a->t.data)[i] = (float)(int)(*seed >> 8 & 0xFFFF) / 65536.0f - 0.5f;
  }
}

static void call(Work *w, int batch, Array *out) {
  Array *in[INPUTS];
  for (int i = 0; i < INPUTS; i++) in[i] = &w->in[batch][i];
  if (call_compiled(w->c, in, engine_now()->mode.device, NULL, out) != OK) stop("call");
}

static bool same(const Array *a, const Array *b) {
  return type_equal(&a->t.type, &b->t.type) && memcmp(a->t.data, b->t.data, tensor_bytes(&a->t)) == 0;
}

/* A loop inside an item uses threads only if the outer loop does not. */
enum { ITEMS = 997, INNER = 3, TEAM = 3 };

static void count_inner(void *context, int64_t first, int64_t last) {
  __atomic_fetch_add((int *)context, (int)(last - first), __ATOMIC_RELAXED);
}

static void count_items(void *context, int64_t first, int64_t last) {
  int *done = context;
  for (int64_t i = first; i < last; i++) parallel_for(INNER, 1, count_inner, &done[i]);
}

static bool loop_is_whole(void) {
  int done[ITEMS] = { 0 };
  parallel_for(ITEMS, 1, count_items, done);
  for (int i = 0; i < ITEMS; i++)
    if (done[i] != INNER) return false;
  return true;
}

static void *run(void *argument) {
  Work *w = argument;
  intptr_t wrong = 0;
  for (int i = 0; i < w->runs; i++) {
    Array out[2];
    call(w, i % BATCHES, out);
    wrong += !loop_is_whole();
    for (int k = 0; k < 2; k++) {
      wrong += !same(&out[k], &w->expected[i % BATCHES][k]);
      array_release(&out[k]);
    }
  }
  return (void *)wrong;
}

static atomic_bool over;

static void *starve(void *argument) {
  intptr_t times = 0;
  while (!atomic_load(&over)) times += memory_reclaim();
  *(intptr_t *)argument = times;
  return NULL;
}

int main(int argc, char **argv) {
  Work w = { .c = make(), .runs = argc > 1 ? atoi(argv[1]) : 200 };
  const bool starved = argc > 2;
  pthread_t thread[THREADS], starving;
  unsigned seed = 1;
  intptr_t wrong = 0, times = 0;
  parallel_set_threads(TEAM);
  for (int batch = 0; batch < BATCHES; batch++) {
    fill(&w.in[batch][0], batch == 0 ? 64 : 7, WIDTH, &seed);
    fill(&w.in[batch][1], WIDTH, WIDTH, &seed);
    fill(&w.in[batch][2], 1, WIDTH, &seed);
    fill(&w.in[batch][3], 1, 1, &seed);
    call(&w, batch, w.expected[batch]);
  }
  Compiled *reference = w.c;
  w.c = make();                       /* the threads make their own specializations */
  if (starved && pthread_create(&starving, NULL, starve, &times) != 0) stop("thread");
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, run, &w) != 0) stop("thread");
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(thread[i], &result);
    wrong += (intptr_t)result;
  }
  atomic_store(&over, true);
  if (starved) pthread_join(starving, NULL);
  if (starved && times == 0) wrong++;
  printf("%d runs, %d wrong\n", THREADS * w.runs, (int)wrong);
  compiled_release(reference);
  compiled_release(w.c);
  return wrong > 0 || w.runs == 0;
}
