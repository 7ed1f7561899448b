/* tensor.h - an array: a type and the memory that holds it.
**
** Always contiguous, row-major. A tensor is a small value that is copied about;
** the memory belongs to a storage with a count of its holders, so reshapes and
** leading-axis slices are views: other tensors on the same storage.
** A storage lies on a device (base/device.h), and so do all tensors on it.
** A storage counts its in-place writes (`version`) and remembers where in the
** script the last one stood, so that backward can tell when a value that it needs
** was overwritten.
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
  uint32_t waiting;      /* lazy operators that read it (exec/lazy/lazy_value.h): a write must be reported before */
  Origin written_at;     /* where the last one stood */
  Device device;
  size_t bytes;          /* of the whole block, this header included */
  _Atomic(PackedWeights *) packed;  /* packed weights; NULL: none */
} Storage;

typedef struct Tensor {
  Storage *storage;      /* this tensor's own reference; NULL: the memory is other code's */
  void *data;            /* 64-byte aligned unless a view begins in the middle */
  Type type;
} Tensor;

#define NO_TENSOR ((Tensor){ .type = { .dtype = DT_UNKNOWN, .shape = { .ndim = UNKNOWN } } })

/* A new tensor of a known type on a device, its content undefined (zeroed by tensor_zeros). */
Status tensor_new(const Type *type, Device device, Tensor *out);
Status tensor_zeros(const Type *type, Device device, Tensor *out);
size_t storage_bytes(const Type *type);               /* of a storage that tensor_new makes */

Tensor tensor_share(const Tensor *t);                 /* another holder of the same memory */
void tensor_release(Tensor *t);                       /* releases the storage; *t is empty afterwards */

/* A view: `type` at `offset` bytes into t; it must lie inside. */
Tensor tensor_view(const Tensor *t, const Type *type, size_t offset);

Status tensor_copy(const Tensor *t, Device device, Tensor *out);     /* fresh memory there, same type and content */

/* The same elements in a dtype, as `convert` makes them (tensor/cast_copy.h); into a tensor that has as many. */
Status tensor_cast(const Tensor *t, DType dtype, Device device, Tensor *out);
void tensor_convert(const Tensor *from, Tensor *to);
void tensor_convert_into(const Tensor *from, Tensor *to, int64_t at);   /* into the elements of `to` from `at` on */

/* All elements from their bytes, as many as tensor_bytes; any byte but 0 is true. */
void tensor_set_bytes(Tensor *t, const void *bytes);

/* Takes a new tensor, which has no other holder, to another device. */
Status tensor_move(Tensor *t, Device device);

static inline int64_t tensor_size(const Tensor *t) { return shape_size(&t->type.shape); }
static inline size_t tensor_bytes(const Tensor *t) { return type_bytes(&t->type); }
/* Where it is; what lies in the arena of a run state counts as cpu(0). */
static inline Device tensor_device(const Tensor *t) { return t->storage ? t->storage->device : 0; }

static inline uint32_t tensor_version(const Tensor *t) { return t->storage ? t->storage->version : 0; }

/* A tensor without axes over memory of the caller's, on the host. */
static inline Tensor tensor_number(DType dtype, uint64_t *memory) {
  return (Tensor){ .data = memory, .type = { .dtype = dtype } };
}

/* Notes an in-place write into t. */
void tensor_written(Tensor *t, Origin where);

/* One element as a number, by its position in row-major order. */
double tensor_get(const Tensor *t, int64_t index);
int64_t tensor_get_int(const Tensor *t, int64_t index);
void tensor_set(Tensor *t, int64_t index, double value);
void tensor_set_int(Tensor *t, int64_t index, int64_t value);

#endif
