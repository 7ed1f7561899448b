/* guarded.c - a device for the specs: its memory faults if anything but its kernels and memory functions touches it.
**
** Linked with the program it makes build/guarded, a program with two GPUs, gpu(0) and gpu(1). A block of their memory is
** pages that cannot be read or written (PROT_NONE). With GUARDED_END in the environment data end at the end of a page,
** so that reads past them fault; otherwise they begin at its beginning. Kernels open the blocks of their operands, run
** the host's kernel on them, and close them.
*/
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "ir/op.h"

enum { PAGE = 4096, MOST_BLOCKS = 1 << 14, N_GUARDED = 2 };

/* ---- Memory ------------------------------------------------------------------------------------- */

typedef struct Guarded { char *pages, *data; size_t bytes, data_bytes; int open; } Guarded;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Guarded block[MOST_BLOCKS];
static int n_blocks;
static bool at_end;

static Status guarded_new(int id, size_t bytes, void **out) {
  const size_t pages = (bytes + PAGE) / PAGE * PAGE;
  (void)id;
  char *at = mmap(NULL, pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return no_memory("guarded memory");
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < n_blocks && block[i].pages) i++;
  if (i == n_blocks && n_blocks < MOST_BLOCKS) n_blocks++;
  const size_t before = at_end && bytes > 0 ? (pages - bytes) & ~(size_t)63 : 0;
  block[i] = (Guarded){ at, at + before, pages, bytes, 0 };
  *out = block[i].data;
  pthread_mutex_unlock(&lock);
  return OK;
}

static Guarded *block_with(const void *address) {
  for (int i = 0; i < n_blocks; i++)
    if (block[i].pages && (const char *)address >= block[i].pages &&
        (const char *)address < block[i].pages + block[i].bytes)
      return &block[i];
  return NULL;
}

static void guarded_free(int id, void *at, size_t bytes) {
  (void)id, (void)bytes;
  pthread_mutex_lock(&lock);
  Guarded *b = block_with(at);
  munmap(b->pages, b->bytes);
  *b = (Guarded){ 0 };
  pthread_mutex_unlock(&lock);
}

/* Opens the block around an address, or closes it; other memory is left alone. */
static void guarded_open(const void *address, int step) {
  pthread_mutex_lock(&lock);
  Guarded *b = address ? block_with(address) : NULL;
  if (b) {
    b->open += step;
    if (b->open == (step > 0)) mprotect(b->pages, b->bytes, b->open ? PROT_READ | PROT_WRITE : PROT_NONE);
  }
  pthread_mutex_unlock(&lock);
}

static void copy_opened(int id, void *to, const void *from, size_t bytes) {
  (void)id;
  guarded_open(to, 1);
  guarded_open(from, 1);
  memmove(to, from, bytes);
  guarded_open(from, -1);
  guarded_open(to, -1);
}

static void guarded_clear(int id, void *to, size_t bytes) {
  (void)id;
  guarded_open(to, 1);
  memset(to, 0, bytes);
  guarded_open(to, -1);
}

static const DeviceMemory guarded_memory = { .n_devices = N_GUARDED,
                                             .new_block = guarded_new,
                                             .free_block = guarded_free,
                                             .copy_in = copy_opened,
                                             .copy_out = copy_opened,
                                             .copy = copy_opened,
                                             .clear = guarded_clear };

/* ---- Kernels ------------------------------------------------------------------------------------ */

static void open_operands(const Call *c, int step) {
  for (int i = 0; i < c->n_in; i++) guarded_open(c->in[i]->data, step);
  for (int i = 0; i < c->n_out; i++) guarded_open(c->out[i]->data, step);
}

static const Kernel *host_kernel(const Op *op, const Query *q) { return op_kernel(op, ON_HOST, q); }

static Status guarded_run(Call *c) {
  const Query q = query_of_call(c);
  Call host = *c;
  host.kernel = host_kernel(c->op, &q);
  open_operands(c, 1);
  guarded_open(c->workspace, 1);
  Status s = host.kernel->run(&host);
  guarded_open(c->workspace, -1);
  open_operands(c, -1);
  return s;
}

static Status guarded_workspace(const Query *q, Workspace *w) {
  const Kernel *k = host_kernel(q->op, q);
  return k->workspace ? k->workspace(q, w) : OK;
}

/* The host's elementwise kernels have no range, but they run on parts of arrays, too. */
static void guarded_range(const Call *c, int64_t first, int64_t last) {
  const Query q = query_of_call(c);
  const Kernel *k = host_kernel(c->op, &q);
  Call host = *c;
  host.kernel = k;
  open_operands(c, 1);
  if (k->range) k->range(&host, first, last);
  else if (first == 0 && last == tensor_size(c->out[0])) k->run(&host);
  else abort();
  open_operands(c, -1);
}

/* For abs: opens nothing, which must fault. */
static Status stray_run(Call *c) {
  const Query q = query_of_call(c);
  return host_kernel(c->op, &q)->run(c);
}

#define ROW(name) { .op = name, .place = ON_GPU, .types = ALL_TYPES, .run = guarded_run, .workspace = guarded_workspace }
#define RANGE_ROW(name) \
  { .op = name, .place = ON_GPU, .types = ALL_TYPES, .run = guarded_run, .range = guarded_range }

/* What an MLP and its training need. */
static const Kernel guarded_kernels[] = {
  ROW("FullyConnected"),
  ROW("dot"),
  ROW("Activation"),
  ROW("_backward_relu"),
  ROW("log_softmax"),
  ROW("_backward_log_softmax"),
  ROW("pick"),
  ROW("_backward_pick"),
  ROW("negative"),
  ROW("_backward_negative"),
  ROW("mean"),
  ROW("sum"),
  ROW("_mul_scalar"),
  ROW("_div_scalar"),
  ROW("broadcast_axis"),
  ROW("_zeros"),
  ROW("_ones"),
  ROW("zeros_like"),
  ROW("ones_like"),
  ROW("_full"),
  ROW("broadcast_like"),
  RANGE_ROW("elemwise_add"),
  RANGE_ROW("_grad_add"),
  RANGE_ROW("sgd_update"),
  RANGE_ROW("sgd_mom_update"),
  RANGE_ROW("adam_update"),
  /* Without a range: gradients in float64 cannot be added. */
  { .op = "elemwise_add", .place = ON_GPU, .types = ONE_TYPE(DT_FLOAT64), .run = guarded_run },
  { .op = "abs", .place = ON_GPU, .types = ALL_TYPES, .run = stray_run },
  { 0 }
};

__attribute__((constructor)) static void add_device(void) {
  at_end = getenv("GUARDED_END") != NULL;
  device_add(DEVICE_GPU, &guarded_memory);
  op_add_kernels(guarded_kernels);
}
