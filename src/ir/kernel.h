/* kernel.h - kernels: what computes an operator. What it means is its row (op.h).
**
** A kernel is one function for one operator, one place and some dtypes. The tables of src/kernels are entered into the
** rows at start-up, as op->kernel[place][dtype]. Code that makes calls (eager calls, executables, updates) chooses the
** kernel once, with op_kernel, and keeps it in Call.kernel; nothing else looks at the tables. Only files of src/kernels
** read the data of a call.
**
** Invariant: a kernel never allocates. It states the memory that it needs in `workspace`, which is called before it
** runs: once per executable, or in each eager call.
*/
#ifndef HL_IR_KERNEL_H
#define HL_IR_KERNEL_H

#include "base/device.h"
#include "base/threads/parallel_for.h"
#include "ir/op_query.h"
#include "tensor/tensor.h"

typedef struct Kernel Kernel;

/* A callback that works on output 0 while it is in cache. The thread that computed elements [first, first + n) calls it
** once the kernel no longer reads or writes them. */
typedef struct TileReady { void (*ready)(void *context, int64_t first, int64_t n); void *context; } TileReady;

/* A kernel call. Every type is known, and the outputs are allocated. A kernel may fail because of values or an
** interrupt. */
typedef struct Call {
  const Op *op;
  const Kernel *kernel;
  const void *params;      /* the row's parameter struct */
  const Tensor *const *in;
  Tensor *const *out;      /* out[i] may be the memory of in[j] if the row allows it; unused outputs have no data */
  int n_in, n_out;
  bool train;              /* training mode */
  /* What the kernel's `workspace` requested, 64-byte aligned; undefined if it requested none. */
  const void *plan;
  void *workspace;
  char *thread_workspace;  /* one per thread, thread_bytes apart: see call_thread_workspace */
  size_t thread_bytes;
  const TileReady *tile_ready; /* for rows with OP_REPORTS_TILES, or NULL */
} Call;

/* The workspace of the calling thread, inside a loop of base/threads/parallel_for.h or outside. */
static inline void *call_thread_workspace(const Call *c) {
  return c->thread_workspace + (size_t)parallel_thread() * c->thread_bytes;
}

static inline Query query_of_call(const Call *c) {
  return (Query){
    .op = c->op, .params = c->params, .n_in = c->n_in, .n_out = c->n_out, .train = c->train, .in = c->in, .out = c->out
  };
}

/* Computes elements [first, last) of a call. */
typedef void OpRange(const Call *c, int64_t first, int64_t last);

/* ---- Workspaces --------------------------------------------------------------------------------- */

/* The memory of a call other than its outputs. A kernel's `workspace` sets the first three, then may request a plan. */
typedef struct Workspace {
  size_t bytes;            /* for the whole call */
  size_t thread_bytes;     /* for each thread of its loops */
  int most_threads;        /* number of threads that can have work; unlimited at first */
  void *plan;              /* see kernel_plan */
  size_t plan_bytes;
  bool sizes_only;         /* the caller wants no plan */
  char *near;              /* free memory of the caller, of `left` bytes, for small plans */
  size_t left;
  Status status;           /* of kernel_plan */
} Workspace;

/* Allocates a plan: the results of work that depends on types and parameters alone, such as resolved axes, a chosen
** algorithm or tables. An executable keeps it for all its runs, and kernels only read it. If it returns NULL, the
** callback must return w->status at once. */
void *kernel_plan(Workspace *w, size_t bytes);

/* Asks a kernel for its workspace; sizes are rounded up to multiples of 64. On failure no plan is left. `w` has the
** fields sizes_only, near and left. */
Status kernel_workspace(const Kernel *k, const Query *q, Workspace *w);

/* Frees the plan, if any. */
void kernel_plan_free(Workspace *w);

/* ---- The table ---------------------------------------------------------------------------------- */

/* Where data is: kernels of one place cannot read memory of another. Kernels that reach data only by functions of
** tensor/tensor.h work everywhere. */
typedef enum KernelPlace { ON_HOST, ON_GPU, N_KERNEL_PLACES, EVERYWHERE = N_KERNEL_PLACES } KernelPlace;

static inline KernelPlace device_place(Device d) { return device_is_host(d) ? ON_HOST : ON_GPU; }

/* Sets of dtypes, a bit each. */
#define ONE_TYPE(dtype) (1u << (dtype))
enum { FLOAT_TYPES = 1 << DT_FLOAT32 | 1 << DT_FLOAT64, ALL_TYPES = (1 << N_DTYPES) - 1 };

struct Kernel {
  const char *op;          /* the row's name; NULL ends a table */
  KernelPlace place;
  uint32_t types;          /* dtypes of the operand that decides (op->typed_by) */
  Status (*run)(Call *);
  Status (*workspace)(const Query *, Workspace *);   /* NULL: none */
  /* Computes elements [first, last) of output 0 (and of inputs that the kernel writes) from the same elements of the
  ** inputs alone. So calls for many arrays can run as one loop. */
  OpRange *range;
  /* Rows with OP_DYNAMIC: completes the output types from the inputs' values, before the outputs are allocated. */
  Status (*dynamic)(const Query *, Type *out);
  /* Numbers of elements at which the kernel's loops change, such as block sizes, ending in 0. Specs try sizes next to
  ** them. */
  const int64_t *sizes;
  /* What `run` needs to serve several kernels: the loop over work items in this dtype, or a table of its own. */
  ParallelBody *body;
  const void *own;
};

/* The column `sizes`. */
#define BLOCK_SIZES(...) .sizes = (const int64_t[]){ __VA_ARGS__, 0 }

/* The float32 and the float64 kernel of a row, with the loops stem_f32 and stem_f64. */
#define FLOAT_KERNELS(row, function, stem, ...)                                                       \
  { .op = row, .types = ONE_TYPE(DT_FLOAT32), .run = function, .body = stem##_f32, __VA_ARGS__ },     \
  { .op = row, .types = ONE_TYPE(DT_FLOAT64), .run = function, .body = stem##_f64, __VA_ARGS__ }

/* The tables of all kernels, ending in NULL (src/kernels/kernel_registry.c). */
extern const Kernel *const kernel_tables[];

#endif
