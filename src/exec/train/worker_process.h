/* worker_process.h - worker processes: forks of this process that answer requests.
**
** A worker starts with everything that its parent had: arrays, functions, open files. From then on the two share only
** messages, each a text and arrays in shared memory. A worker computes in one thread and starts no compiler. It ends
** when its parent ends or ends it, and leaves no named file.
**
** Both sides have the same slots, numbered from 0. The side whose turn it is writes a message into a slot and notifies
** the other, which receives messages in the order of notification and may then write into that slot.
**
** Why not threads: a thread would need its own Lua state, and a dataset with its transforms cannot be copied into one,
** because closures share their upvalues. If another thread held a lock at the fork (malloc in OpenBLAS, say), the
** worker may never answer, which ends in a timeout. When a loop is left, or Ctrl-C or kill ends one side, the other
** side reads the end of the socket.
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
  int socket, n;             /* n: number of slots */
  WorkerSlot *slot;
  struct Worker *next, **place;      /* list of this process's workers: a new one must close their sockets */
} Worker;

/* Makes a worker with n slots. Returns in both processes; in the new one, which must end with worker_leave, w->process
** is 0. `w` must not move before worker_end. */
Status worker_begin(Worker *w, int n);
void worker_end(Worker *w);
void worker_leave(void) __attribute__((noreturn));

typedef struct Message {
  int slot;                  /* -1: no message */
  bool ended;                /* without a message: true if the other side has ended, false if the time is over */
  const char *text;          /* valid until the next message is written into the slot */
  size_t length;
  int n_arrays;
} Message;

/* Writes a message into a slot and notifies the other side. If that has ended, only worker_wait reports it. */
Status worker_tell(Worker *w, int slot, const char *text, size_t length, const Tensor *arrays, int n);

/* Waits up to `seconds` (negative: without limit) for the next message, or until Ctrl-C. */
Status worker_wait(Worker *w, double seconds, Message *out);

/* A copy of the i-th array of a message. */
Status worker_array(const Worker *w, const Message *m, int i, Tensor *out);

/* How a worker ended: "was killed by signal 9", in a buffer of this thread. */
const char *worker_fate(Worker *w);

#endif
