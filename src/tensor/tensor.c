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

Status tensor_new(const Type *type, Device device, Tensor *out) {
  void *block;
  size_t bytes = storage_bytes(type);
  *out = NO_TENSOR;
  Status s = device_block_new(device, bytes, &block);
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
  clear_block(out->data, tensor_bytes(out));
  return whole(out);
}

Tensor tensor_share(const Tensor *t) {
  if (t->storage) atomic_fetch_add_explicit(&t->storage->refs, 1, memory_order_relaxed);
  return *t;
}

void tensor_release(Tensor *t) {
  Storage *storage = t->storage;
  if (storage && atomic_fetch_sub_explicit(&storage->refs, 1, memory_order_acq_rel) == 1) {
    packed_weights_free(storage);
    device_block_free(storage->device, storage, storage->bytes);
  }
  t->storage = NULL;
  t->data = NULL;
}

/* Is the data in the storage's block? A storage over other code's memory (exec/control/loop_kernels.c) has no bytes. */
static inline bool has_block(const Tensor *t) { return t->storage && t->storage->bytes > 0; }

Tensor tensor_view(const Tensor *t, const Type *type, size_t offset) {
  Tensor view = tensor_share(t);
  view.data = (char *)t->data + offset;
  view.type = *type;
  HL_ASSERT(!has_block(t) || (char *)view.data + tensor_bytes(&view) <= (char *)t->storage + t->storage->bytes);
  return view;
}

Status tensor_copy(const Tensor *t, Device device, Tensor *out) {
  TRY(tensor_new(&t->type, device, out));
  copy_block(t->data, out->data, tensor_bytes(t));
  return whole(out);
}

void tensor_convert(const Tensor *from, Tensor *to) {
  convert_parallel(from->type.dtype, from->data, to->type.dtype, to->data, tensor_size(from));
}

void tensor_convert_into(const Tensor *from, Tensor *to, int64_t at) {
  DType dtype = to->type.dtype;
  convert(from->type.dtype, from->data, dtype, (char *)to->data + (size_t)at * dtype_size(dtype), tensor_size(from));
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
  tensor_convert(t, out);
  return whole(out);
}

/* All existing devices share the host's memory, so only the name changes. */
Status tensor_move(Tensor *t, Device device) {
  if (!device_is_host(device)) return device_missing(device);
  t->storage->device = device;
  return OK;
}

void tensor_written(Tensor *t, Origin where) {
  if (!t->storage) return;
  t->storage->version++;
  t->storage->written_at = where;
}

double tensor_get(const Tensor *t, int64_t i) {
  switch (t->type.dtype) {
#define GET(code, T) case code: return (double)((const T *)t->data)[i];
    EACH_C_DTYPE(GET)
#undef GET
    case DT_FLOAT16: return (double)half_to_float(((const uint16_t *)t->data)[i]);
    default: return 0;
  }
}

int64_t tensor_get_int(const Tensor *t, int64_t i) {
  return t->type.dtype == DT_INT64 ? ((const int64_t *)t->data)[i] : hl_to_int64(tensor_get(t, i));
}

void tensor_set(Tensor *t, int64_t i, double value) {
  switch (t->type.dtype) {
    case DT_FLOAT32: ((float *)t->data)[i] = (float)value; break;
    case DT_FLOAT64: ((double *)t->data)[i] = value; break;
    case DT_FLOAT16: ((uint16_t *)t->data)[i] = half_from_float((float)value); break;
    case DT_BOOL: ((bool *)t->data)[i] = value != 0; break;
    case DT_INT64: ((int64_t *)t->data)[i] = hl_to_int64(value); break;
    default: tensor_set_int(t, i, hl_to_int32(value)); break;
  }
}

void tensor_set_int(Tensor *t, int64_t i, int64_t value) {
  switch (t->type.dtype) {
#define SET(code, T) case code: ((T *)t->data)[i] = (T)value; break;
    EACH_C_DTYPE(SET)
#undef SET
    case DT_FLOAT16: ((uint16_t *)t->data)[i] = half_from_float((float)value); break;
    default: break;
  }
}
