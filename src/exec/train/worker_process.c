/* worker_process.c - see worker_process.h.
**
** Each slot is an unnamed file (memfd_create) that both sides map and that grows as needed. A socket carries the
** numbers of written slots; if it is closed, the other side has ended.
**
** fork copies only the calling thread, so a worker's loops run on one thread (parallel_be_worker). worker_begin holds
** the locks that other threads use during the fork and releases them on both sides.
*/
#define _GNU_SOURCE
#include "exec/train/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/linked_list.h"
#include "base/settings/machine.h"
#include "base/memory.h"
#include "base/script_origin.h"
#include "base/threads/parallel_for.h"
#include "base/size_math.h"
#include "exec/jit/compile_text.h"
#include "exec/program/executable.h"
#include "tensor/packed_weights.h"

/* A packet of the socket, and the beginning of a slot. */
typedef struct WorkerNote { int64_t slot, bytes; } WorkerNote;
typedef struct Head { int64_t bytes, length, n_arrays; } Head;       /* then the text, then the arrays, aligned */
typedef struct ArrayHead { int64_t offset; Device device; Type type; } ArrayHead;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Worker *workers;

/* ---- Slots -------------------------------------------------------------------------------------------------- */

static void close_slots(Worker *w) {
  for (int i = 0; i < w->n; i++) {
    if (w->slot[i].at) munmap(w->slot[i].at, w->slot[i].size);
    if (w->slot[i].fd >= 0) close(w->slot[i].fd);
  }
  object_free(w->slot);
  w->slot = NULL;
  w->n = 0;
}

static Status open_slots(Worker *w, int n) {
  w->slot = object_new((size_t)n * sizeof *w->slot);
  if (!w->slot) return no_memory("a worker's messages");
  for (w->n = 0; w->n < n; w->n++) {
    w->slot[w->n].fd = memfd_create("hybridlua worker", MFD_CLOEXEC);
    if (w->slot[w->n].fd < 0) return fail_as(E_IO, "worker: shared memory: %s", strerror(errno));
  }
  return OK;
}

/* Maps at least `bytes` bytes of a slot and allocates their memory, because a write into a hole that cannot be filled
** would end the process. */
static Status map_message(WorkerSlot *s, size_t bytes) {
  struct stat is;
  if (bytes <= s->size) return OK;
  if (fstat(s->fd, &is) != 0) return fail_as(E_IO, "worker: shared memory: %s", strerror(errno));
  size_t size = (size_t)is.st_size;
  if (size < bytes) {
    size = bytes < 1 << 16 ? 1 << 16 : whole_lines(bytes + bytes / 8);
    int code = posix_fallocate(s->fd, 0, (off_t)size);
    if (code == ENOSPC || code == ENOMEM)
      return fail_as(E_MEMORY, "out of memory: a batch of %zu bytes for another process", size);
    if (code != 0) return fail_as(E_IO, "worker: shared memory: %s", strerror(code));
  }
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
  if (at == MAP_FAILED) return no_memory("a message between processes");
  if (s->at) munmap(s->at, s->size);
  s->at = at;
  s->size = size;
  return OK;
}

/* ---- Beginning and end -------------------------------------------------------------------------------------- */

static void unlist(Worker *w) {
  pthread_mutex_lock(&lock);
  LIST_REMOVE(w);
  pthread_mutex_unlock(&lock);
}

/* In the worker: closes its copies of the parent's earlier workers, and takes its side of the socket. */
static void enter_worker(Worker *w, int socket, pid_t maker) {
  for (Worker *other = workers; other; other = other->next) {
    if (other == w) continue;
    close(other->socket);
    close_slots(other);
    other->owner = 0;
  }
  workers = w->next = NULL;
  w->place = NULL;
  close(w->socket);
  w->socket = socket;
  w->process = 0;
  w->owner = getpid();
  setpgid(0, 0);                                 /* the group ends as a whole */
  signal(SIGINT, SIG_IGN);                       /* the parent decides when the worker ends */
  if (gettid() == getpid() && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != maker) _exit(1);
  interrupt_clear(STOP_INTERRUPT);
  parallel_be_worker();
  compile_be_worker();
}

Status worker_begin(Worker *w, int n) {
  int ends[2];
  pid_t maker = getpid();
  *w = (Worker){ .socket = -1 };
  Status s = open_slots(w, n);
  if (s == OK && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    s = fail_as(E_IO, "worker: socket: %s", strerror(errno));
  if (s != OK) {
    close_slots(w);
    return s;
  }
  w->socket = ends[0];
  fflush(NULL);                                  /* buffered output would be written twice */
  pthread_mutex_lock(&lock);
  origin_hold();
  compile_hold();
  executable_hold_all();
  packed_weights_hold();
  pid_t process = fork();
  int error = errno;
  packed_weights_unhold();
  executable_unhold_all();
  compile_unhold();
  origin_let();
  if (process > 0) setpgid(process, process);    /* on both sides, since either may be first */
  if (process >= 0) {
    w->owner = maker;
    w->process = process;
    LIST_ADD(workers, w);
  }
  pthread_mutex_unlock(&lock);
  if (process == 0) enter_worker(w, ends[1], maker);
  else close(ends[1]);
  if (process >= 0) return OK;
  close(w->socket);
  close_slots(w);
  return fail_as(E_IO, "worker: cannot start a process: %s", strerror(error));
}

/* Waits until the process has ended; false if its status is not known. */
static bool await_end(Worker *w, int *status) {
  pid_t got;
  while ((got = waitpid(w->process, status, 0)) < 0 && errno == EINTR);
  w->process = 0;
  return got >= 0;
}

void worker_end(Worker *w) {
  int status;
  if (w->owner == 0) return;
  if (w->owner == getpid()) {
    unlist(w);
    close(w->socket);
    if (w->process > 0) {
      kill(-w->process, SIGKILL);
      kill(w->process, SIGKILL);
      await_end(w, &status);
    }
  }
  close_slots(w);
  w->owner = 0;
}

void worker_leave(void) {
  fflush(NULL);
  _exit(0);
}

const char *worker_fate(Worker *w) {
  static _Thread_local char text[64];
  int status = 0;
  if (!await_end(w, &status)) snprintf(text, sizeof text, "has ended");
  else if (WIFSIGNALED(status)) snprintf(text, sizeof text, "was killed by signal %d", WTERMSIG(status));
  else snprintf(text, sizeof text, "ended with status %d", WEXITSTATUS(status));
  return text;
}

/* ---- Sending ------------------------------------------------------------------------------------------------ */

/* Layout of a message: the head, the text, heads of arrays, then their elements. */
static size_t array_heads_at(size_t length) { return whole_lines(sizeof(Head) + length); }
static size_t elements_at(size_t length, int n) {
  return whole_lines(array_heads_at(length) + (size_t)n * sizeof(ArrayHead));
}

static Status write_note(const Worker *w, WorkerNote note) {
  while (send(w->socket, &note, sizeof note, MSG_NOSIGNAL) < 0 && errno == EINTR)
    if (interrupted()) return interrupt_status();
  return OK;                                     /* worker_wait reports the other side's end */
}

Status worker_tell(Worker *w, int slot, const char *text, size_t length, const Tensor *arrays, int n) {
  size_t bytes = elements_at(length, n);
  for (int i = 0; i < n; i++) bytes += whole_lines(tensor_bytes(&arrays[i]));
  TRY(map_message(&w->slot[slot], bytes));
  char *at = w->slot[slot].at;
  memcpy(at, &(Head){ (int64_t)bytes, (int64_t)length, n }, sizeof(Head));
  memcpy(at + sizeof(Head), text, length);
  size_t offset = elements_at(length, n);
  for (int i = 0; i < n; i++) {
    ArrayHead head = { .offset = (int64_t)offset, .device = tensor_device(&arrays[i]), .type = arrays[i].type };
    memcpy(at + array_heads_at(length) + (size_t)i * sizeof head, &head, sizeof head);
    if (tensor_bytes(&arrays[i]) > 0) memcpy(at + offset, arrays[i].data, tensor_bytes(&arrays[i]));
    offset += whole_lines(tensor_bytes(&arrays[i]));
  }
  return write_note(w, (WorkerNote){ slot, (int64_t)bytes });
}

/* ---- Receiving ---------------------------------------------------------------------------------------------- */

/* Waits until there is something to read, at most until `deadline`. SIGINT is blocked except in ppoll, so that none
** arrives between the check of its flag and the wait. */
static Status wait_readable(const Worker *w, double deadline, bool *ready) {
  sigset_t interrupt, outside;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, &outside);
  int got = 0;
  while (!interrupted()) {
    double left = deadline - machine_seconds();
    if (left < 0) left = 0;
    struct timespec time = { .tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9) };
    struct pollfd end = { .fd = w->socket, .events = POLLIN };
    got = ppoll(&end, 1, deadline < 0 ? NULL : &time, &outside);
    if (got >= 0 || errno != EINTR) break;
  }
  pthread_sigmask(SIG_SETMASK, &outside, NULL);
  *ready = got != 0;
  return interrupted() ? interrupt_status() : OK;
}

Status worker_wait(Worker *w, double seconds, Message *out) {
  WorkerNote note;
  double deadline = seconds < 0 ? -1 : machine_seconds() + seconds;
  bool ready;
  ssize_t n;
  *out = (Message){ .slot = -1 };
  do {
    TRY(wait_readable(w, deadline, &ready));
    if (!ready) return OK;
    n = recv(w->socket, &note, sizeof note, MSG_DONTWAIT);
  } while (n < 0 && (errno == EINTR || errno == EAGAIN));
  out->ended = n <= 0;
  if (out->ended) return OK;
  TRY(map_message(&w->slot[note.slot], (size_t)note.bytes));
  const char *at = w->slot[note.slot].at;
  Head head;
  memcpy(&head, at, sizeof head);
  *out = (Message){
    .slot = (int)note.slot, .text = at + sizeof head, .length = (size_t)head.length, .n_arrays = (int)head.n_arrays
  };
  return OK;
}

Status worker_array(const Worker *w, const Message *m, int i, Tensor *out) {
  const char *at = w->slot[m->slot].at;
  ArrayHead head;
  memcpy(&head, at + array_heads_at(m->length) + (size_t)i * sizeof head, sizeof head);
  TRY(tensor_new(&head.type, head.device, out));
  if (tensor_bytes(out) > 0) memcpy(out->data, at + head.offset, tensor_bytes(out));
  return OK;
}
