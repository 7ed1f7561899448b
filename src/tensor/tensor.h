/* tensor.h - an array: a type and its memory.
**
** Always contiguous, row-major. A tensor is a small value that is copied freely; the memory belongs to a
** reference-counted storage, so reshapes and leading-axis slices are views: other tensors on the same storage. A
** storage is on a device (base/device.h), as are all tensors on it. Functions of this file work with every device;
** others in this folder expect host memory, which tensor_on_host provides. A storage counts in-place writes (`version`) and
** records the script line of the last one, so that backward can detect whether a value that it needs was overwritten.
*/
#ifndef HL_TENSOR_TENSOR_H
#define HL_TENSOR_TENSOR_H

#include <stdatomic.h>

#include "base/device.h"
#include "base/script_origin.h"
#include "tensor/shape.h"

typedef struct PackedWeights PackedWeights;          /* tensor/packed_weights.h */

typedef struct Storage {
  atomic_int refs;
  uint32_t version;      /* in-place writes so far */
  uint32_t waiting;      /* number of uses by lazy operators; report a write beforehand (exec/lazy_port.h) */
  Origin written_at;     /* script line of the last write */
  Device device;
  size_t bytes;          /* of the whole block, this header included; of the data alone if not on the host */
  _Atomic(PackedWeights *) packed;  /* NULL if none */
  void *elsewhere;       /* the block of data if it is not on the host */
} Storage;

typedef struct Tensor {
  Storage *storage;      /* this tensor's reference; NULL: other code's memory */
  void *data;            /* 64-byte aligned unless a view begins in the middle */
  Type type;
} Tensor;

#define NO_TENSOR ((Tensor){ .type = { .dtype = DT_UNKNOWN, .shape = { .ndim = UNKNOWN } } })

/* A new tensor of a known type on a device; its content is undefined, or zeros by tensor_zeros. */
Status tensor_new(const Type *type, Device device, Tensor *out);
Status tensor_zeros(const Type *type, Device device, Tensor *out);
size_t storage_bytes(const Type *type);               /* of a storage made by tensor_new */

/* Sets all elements to 0. */
void tensor_clear(Tensor *t);

/* Copies all elements into a tensor of the same type, on any device. */
void tensor_copy_to(const Tensor *from, Tensor *to);

/* *host is t if it is on the host, and otherwise `copy`, a new tensor there. Release `copy` in both cases. */
Status tensor_on_host(const Tensor *t, Tensor *copy, const Tensor **host);

Tensor tensor_share(const Tensor *t);                 /* another reference to the same memory */
void tensor_release(Tensor *t);                       /* releases the storage; *t is empty afterwards */

/* A view of `type` at `offset` bytes into t; must lie inside t. */
Tensor tensor_view(const Tensor *t, const Type *type, size_t offset);

Status tensor_copy(const Tensor *t, Device device, Tensor *out);     /* new memory on the device, same content */

/* Converts the elements to a dtype, as `convert` does (tensor/cast_copy.h); the latter two write into a tensor. */
Status tensor_cast(const Tensor *t, DType dtype, Device device, Tensor *out);
Status tensor_convert(const Tensor *from, Tensor *to);
Status tensor_convert_into(const Tensor *from, Tensor *to, int64_t at);   /* into `to`, starting at element `at` */

/* Sets all elements of a tensor on the host from tensor_bytes bytes; any nonzero byte is true. */
void tensor_set_bytes(Tensor *t, const void *bytes);

/* Moves a new tensor, without other holders, to another device. */
Status tensor_move(Tensor *t, Device device);

static inline int64_t tensor_size(const Tensor *t) { return shape_size(&t->type.shape); }
static inline size_t tensor_bytes(const Tensor *t) { return type_bytes(&t->type); }
/* Its device; cpu(0) in a run state's arena. */
static inline Device tensor_device(const Tensor *t) { return t->storage ? t->storage->device : 0; }

/* Unused outputs of a call have no data. Two tensors may begin at the same address. */
static inline bool tensor_has_data(const Tensor *t) { return t->data != NULL; }
static inline bool tensor_at_same_place(const Tensor *a, const Tensor *b) { return a->data == b->data; }

/* For tests: flips a bit of the first element, if there is one. */
void tensor_flip_bit(Tensor *t);

static inline uint32_t tensor_version(const Tensor *t) { return t->storage ? t->storage->version : 0; }

/* A 0-d tensor in the caller's memory, on the host. */
static inline Tensor tensor_number(DType dtype, uint64_t *memory) {
  return (Tensor){ .data = memory, .type = { .dtype = dtype } };
}

/* Records an in-place write into t. */
void tensor_written(Tensor *t, Origin where);

/* Gets or sets an element, by its row-major index; one by one, this is slow on other devices. */
double tensor_get(const Tensor *t, int64_t index);
int64_t tensor_get_int(const Tensor *t, int64_t index);
void tensor_set(Tensor *t, int64_t index, double value);
void tensor_set_int(Tensor *t, int64_t index, int64_t value);

#endif
