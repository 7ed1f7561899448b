/* worker_process.h - processes that compute beside this one: copies of it, made by fork, that are asked and answer.
**
** A worker has all that its maker had when it was made: arrays, functions, files of scripts. What happens in either
** later the other does not see, but for messages: a text and arrays, in memory that both share. A worker computes in
** one thread and starts no compiler. It ends when its maker ends or lets it go; nothing of it has a name that could
** stay behind.
**
** Each side has the same slots, numbered from 0. Who has the turn may write a message into a slot and tell the other,
** who takes it in the order in which they were told and may then write there.
**
** Processes and not threads: a thread would need a Lua state of its own, and a dataset with its transforms cannot be
** copied into one, because closures share what they refer to. A fork has all of it. A lock that does not come along and
** is noticed too late (another thread's malloc in OpenBLAS, say) shows as a worker that is late. When a loop is left,
** or Ctrl-C or kill ends one side, the other side's socket ends too, so nothing is left behind.
*/
#ifndef HL_EXEC_TRAIN_WORKER_PROCESS_H
#define HL_EXEC_TRAIN_WORKER_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "tensor/tensor.h"

typedef struct WorkerSlot { int fd; void *at; size_t size; } WorkerSlot;

typedef struct Worker {
  pid_t owner;               /* the process that this object is good in; 0: let go */
  pid_t process;             /* the worker's; 0 in the worker */
  int socket, n;
  WorkerSlot *slot;
  struct Worker *next;       /* of this process's: a new one must not keep their sockets open */
} Worker;

/* Makes a worker with n slots. Returns in both processes: w->process is 0 in the new one, which ends by
** worker_leave. `w` must stay where it is until worker_end. */
Status worker_begin(Worker *w, int n);
void worker_end(Worker *w);
void worker_leave(void) __attribute__((noreturn));

typedef struct Message {
  int slot;                  /* -1: none came */
  bool ended;                /* because the other has ended, else because it took longer than was to be waited for */
  const char *text;          /* in the slot, as long as nothing is written there */
  size_t length;
  int n_arrays;
} Message;

/* Writes into a slot and tells the other. A worker's reader that is gone is no error here: it is met by worker_wait. */
Status worker_tell(Worker *w, int slot, const char *text, size_t length, const Tensor *arrays, int n);

/* Waits at most `seconds` (less than 0: for ever) for the next message; Ctrl-C ends that. */
Status worker_wait(Worker *w, double seconds, Message *out);

/* The i-th array of a message, a copy. */
Status worker_array(const Worker *w, const Message *m, int i, Tensor *out);

/* How a worker ended that has: "was killed by signal 9". In a buffer of this thread. */
const char *worker_fate(Worker *w);

#endif
