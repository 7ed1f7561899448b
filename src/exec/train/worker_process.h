/* worker_process.h - worker processes: copies of this one, made by fork, that answer requests.
**
** A worker has everything that its parent had when it was made: arrays, functions, files of scripts. Later changes in
** one are not seen by the other, except through messages: a text and arrays, in shared memory. A worker computes in
** one thread and starts no compiler. It ends when its parent ends or ends it; it leaves no named file behind.
**
** Both sides have the same slots, numbered from 0. The side whose turn it is may write a message into a slot and notify
** the other, which takes messages in the order of the notifications and may then write into that slot.
**
** Processes and not threads: a thread would need a Lua state of its own, and a dataset with its transforms cannot be
** copied into one, because closures share what they refer to. A fork has all of it. A lock that was held by another
** thread at the fork (malloc in OpenBLAS, say) shows as a worker that does not answer in time. When a loop is left,
** or Ctrl-C or kill ends one side, the other side's socket ends too, so nothing is left behind.
*/
#ifndef HL_EXEC_TRAIN_WORKER_PROCESS_H
#define HL_EXEC_TRAIN_WORKER_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "tensor/tensor.h"

typedef struct WorkerSlot { int fd; void *at; size_t size; } WorkerSlot;

typedef struct Worker {
  pid_t owner;               /* the process in which this object is valid; 0: ended */
  pid_t process;             /* the worker's; 0 in the worker */
  int socket, n;
  WorkerSlot *slot;
  struct Worker *next, **place;      /* list of this process's workers: a new one must close their sockets */
} Worker;

/* Makes a worker with n slots. Returns in both processes: w->process is 0 in the new one, which ends by
** worker_leave. `w` must stay where it is until worker_end. */
Status worker_begin(Worker *w, int n);
void worker_end(Worker *w);
void worker_leave(void) __attribute__((noreturn));

typedef struct Message {
  int slot;                  /* -1: none came */
  bool ended;                /* none came because the other side has ended; else the time ran out */
  const char *text;          /* in the slot, as long as nothing is written there */
  size_t length;
  int n_arrays;
} Message;

/* Writes into a slot and notifies the other side. If that has ended, this is not an error here: worker_wait reports
** it. */
Status worker_tell(Worker *w, int slot, const char *text, size_t length, const Tensor *arrays, int n);

/* Waits at most `seconds` (less than 0: for ever) for the next message; Ctrl-C ends that. */
Status worker_wait(Worker *w, double seconds, Message *out);

/* The i-th array of a message, a copy. */
Status worker_array(const Worker *w, const Message *m, int i, Tensor *out);

/* How an ended worker ended: "was killed by signal 9". In a buffer of this thread. */
const char *worker_fate(Worker *w);

#endif
