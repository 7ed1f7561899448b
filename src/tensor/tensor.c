/* tensor.c - storages and the tensors on them. Invariant: the storage header fills the first 64 bytes of its block and
** the data follow, so one block holds both and the data stay aligned.
*/
#include "tensor/tensor.h"

#include <string.h>

#include "base/assert.h"
#include "base/math/scalar_bits.h"
#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "tensor/cast_copy.h"
#include "tensor/packed_weights.h"

enum { HEADER = BLOCK_ALIGN };
_Static_assert(sizeof(Storage) <= HEADER, "the storage header must fit before the data");

size_t storage_bytes(const Type *type) { return HEADER + type_bytes(type); }

/* Other devices have only the data; the header is in host memory. */
static Status new_elsewhere(const Type *type, Device device, Tensor *out) {
  void *data;
  const size_t bytes = type_bytes(type);
  Status s = device_block_new(device, bytes, &data);
  if (s != OK) return s == E_MEMORY ? fail_within(s, "%s", type_text(type)) : s;
  Storage *storage = object_new(sizeof *storage);
  if (!storage) {
    device_block_free(device, data, bytes);
    return no_memory(type_text(type));
  }
  *storage = (Storage){ .refs = 1, .bytes = bytes, .device = device, .elsewhere = data };
  *out = (Tensor){ .storage = storage, .data = data, .type = *type };
  return OK;
}

Status tensor_new(const Type *type, Device device, Tensor *out) {
  void *block;
  size_t bytes = storage_bytes(type);
  *out = NO_TENSOR;
  if (__builtin_expect(!device_is_host(device), 0)) return new_elsewhere(type, device, out);
  Status s = block_new(bytes, &block);
  if (__builtin_expect(s != OK, 0)) return s == E_MEMORY ? fail_within(s, "%s", type_text(type)) : s;
  Storage *storage = block;
  *storage = (Storage){ .refs = 1, .bytes = bytes, .device = device };
  *out = (Tensor){ .storage = storage, .data = (char *)block + HEADER, .type = *type };
  return OK;
}

/* Frees a new tensor that an interrupt left incomplete. */
static Status whole(Tensor *t) {
  if (interrupted()) tensor_release(t);
  return interrupt_status();
}

Status tensor_zeros(const Type *type, Device device, Tensor *out) {
  TRY(tensor_new(type, device, out));
  tensor_clear(out);
  return whole(out);
}

void tensor_clear(Tensor *t) {
  const Device d = tensor_device(t);
  if (device_is_host(d)) clear_block(t->data, tensor_bytes(t));
  else device_memory(d)->clear(device_id(d), t->data, tensor_bytes(t));
}

static bool on_host(const Tensor *t) { return device_is_host(tensor_device(t)); }

void tensor_copy_to(const Tensor *from, Tensor *to) {
  if (on_host(from) && on_host(to)) copy_block(from->data, to->data, tensor_bytes(from));
  else device_copy(tensor_device(to), to->data, tensor_device(from), from->data, tensor_bytes(from));
}

Status tensor_on_host(const Tensor *t, Tensor *copy, const Tensor **host) {
  *copy = NO_TENSOR;
  *host = t;
  if (__builtin_expect(on_host(t), 1)) return OK;
  *host = copy;
  return tensor_copy(t, DEVICE_HOST, copy);
}

/* Frees a storage without references. */
static void storage_free(Storage *storage) {
  packed_weights_free(storage);
  if (__builtin_expect(device_is_host(storage->device), 1)) {
    block_free(storage, storage->bytes);
    return;
  }
  device_block_free(storage->device, storage->elsewhere, storage->bytes);
  object_free(storage);
}

Tensor tensor_share(const Tensor *t) {
  if (t->storage) atomic_fetch_add_explicit(&t->storage->refs, 1, memory_order_relaxed);
  return *t;
}

void tensor_release(Tensor *t) {
  Storage *storage = t->storage;
  if (storage && atomic_fetch_sub_explicit(&storage->refs, 1, memory_order_acq_rel) == 1) storage_free(storage);
  t->storage = NULL;
  t->data = NULL;
}

/* Is the data in the storage's block? A storage over other code's memory (exec/control/loop_kernels.c) has no bytes. */
static inline bool has_block(const Tensor *t) { return t->storage && t->storage->bytes > 0 && !t->storage->elsewhere; }

Tensor tensor_view(const Tensor *t, const Type *type, size_t offset) {
  Tensor view = tensor_share(t);
  view.data = (char *)t->data + offset;
  view.type = *type;
  HL_ASSERT(!has_block(t) || (char *)view.data + tensor_bytes(&view) <= (char *)t->storage + t->storage->bytes);
  return view;
}

Status tensor_copy(const Tensor *t, Device device, Tensor *out) {
  TRY(tensor_new(&t->type, device, out));
  tensor_copy_to(t, out);
  return whole(out);
}

/* Converts on the host, and copies the result to where `to` is. */
static Status convert_elsewhere(const Tensor *from, Tensor *to, size_t at) {
  Tensor copy, made;
  const Tensor *host;
  TRY(tensor_on_host(from, &copy, &host));
  Status s = tensor_cast(host, to->type.dtype, DEVICE_HOST, &made);
  if (s == OK) {
    device_copy(tensor_device(to), (char *)to->data + at, DEVICE_HOST, made.data, tensor_bytes(&made));
    tensor_release(&made);
  }
  tensor_release(&copy);
  return s;
}

Status tensor_convert(const Tensor *from, Tensor *to) {
  if (!on_host(from) || !on_host(to)) return convert_elsewhere(from, to, 0);
  convert_parallel(from->type.dtype, from->data, to->type.dtype, to->data, tensor_size(from));
  return OK;
}

Status tensor_convert_into(const Tensor *from, Tensor *to, int64_t at) {
  const DType dtype = to->type.dtype;
  const size_t offset = (size_t)at * dtype_size(dtype);
  if (!on_host(from) || !on_host(to)) return convert_elsewhere(from, to, offset);
  convert(from->type.dtype, from->data, dtype, (char *)to->data + offset, tensor_size(from));
  return OK;
}

void tensor_set_bytes(Tensor *t, const void *bytes) {
  size_t n = tensor_bytes(t);
  const unsigned char *from = bytes;
  if (t->type.dtype == DT_BOOL)
    for (size_t i = 0; i < n; i++) ((bool *)t->data)[i] = from[i] != 0;
  else memcpy(t->data, bytes, n);
}

Status tensor_cast(const Tensor *t, DType dtype, Device device, Tensor *out) {
  TRY(tensor_new(&(Type){ .dtype = dtype, .shape = t->type.shape }, device, out));
  const Status s = tensor_convert(t, out);
  if (s != OK) tensor_release(out);
  return s == OK ? whole(out) : s;
}

/* Devices with host memory differ only by name. */
Status tensor_move(Tensor *t, Device device) {
  Tensor moved;
  if (device_is_host(device) && on_host(t)) {
    t->storage->device = device;
    return OK;
  }
  TRY(tensor_copy(t, device, &moved));
  tensor_release(t);
  *t = moved;
  return OK;
}

void tensor_flip_bit(Tensor *t) {
  unsigned char byte;
  const Device d = tensor_device(t);
  if (tensor_bytes(t) == 0) return;
  device_copy(DEVICE_HOST, &byte, d, t->data, 1);
  byte ^= 1;
  device_copy(d, t->data, DEVICE_HOST, &byte, 1);
}

void tensor_written(Tensor *t, Origin where) {
  if (!t->storage) return;
  t->storage->version++;
  t->storage->written_at = where;
}

/* ---- Elements ----------------------------------------------------------------------------------- */

/* The address of element i, or of `copy` with its value if it is not on the host. */
static const void *element(const Tensor *t, int64_t i, uint64_t *copy) {
  const size_t size = dtype_size(t->type.dtype);
  const char *at = (const char *)t->data + (size_t)i * size;
  if (__builtin_expect(on_host(t), 1)) return at;
  device_copy(DEVICE_HOST, copy, tensor_device(t), at, size);
  return copy;
}

double tensor_get(const Tensor *t, int64_t i) {
  uint64_t copy;
  const void *at = element(t, i, &copy);
  switch (t->type.dtype) {
#define GET(code, T) case code: return (double)*(const T *)at;
    EACH_C_DTYPE(GET)
#undef GET
    case DT_FLOAT16: return (double)half_to_float(*(const uint16_t *)at);
    default: return 0;
  }
}

int64_t tensor_get_int(const Tensor *t, int64_t i) {
  uint64_t copy;
  return t->type.dtype == DT_INT64 ? *(const int64_t *)element(t, i, &copy) : hl_to_int64(tensor_get(t, i));
}

static void set_element_int(DType dtype, void *to, int64_t value) {
  switch (dtype) {
#define SET(code, T) case code: *(T *)to = (T)value; break;
    EACH_C_DTYPE(SET)
#undef SET
    case DT_FLOAT16: *(uint16_t *)to = half_from_float((float)value); break;
    default: break;
  }
}

static void set_element(DType dtype, void *to, double value) {
  switch (dtype) {
    case DT_FLOAT32: *(float *)to = (float)value; break;
    case DT_FLOAT64: *(double *)to = value; break;
    case DT_FLOAT16: *(uint16_t *)to = half_from_float((float)value); break;
    case DT_BOOL: *(bool *)to = value != 0; break;
    case DT_INT64: *(int64_t *)to = hl_to_int64(value); break;
    default: set_element_int(dtype, to, hl_to_int32(value)); break;
  }
}

void tensor_set(Tensor *t, int64_t i, double value) {
  uint64_t copy;
  void *at = (char *)t->data + (size_t)i * dtype_size(t->type.dtype);
  set_element(t->type.dtype, on_host(t) ? at : &copy, value);
  if (!on_host(t)) device_copy(tensor_device(t), at, DEVICE_HOST, &copy, dtype_size(t->type.dtype));
}

void tensor_set_int(Tensor *t, int64_t i, int64_t value) {
  uint64_t copy;
  void *at = (char *)t->data + (size_t)i * dtype_size(t->type.dtype);
  set_element_int(t->type.dtype, on_host(t) ? at : &copy, value);
  if (!on_host(t)) device_copy(tensor_device(t), at, DEVICE_HOST, &copy, dtype_size(t->type.dtype));
}
