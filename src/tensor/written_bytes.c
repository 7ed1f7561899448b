/* written_bytes.c - see written_bytes.h. */
#include "tensor/written_bytes.h"

#define DEFINE_CLEAR(Bits, negative)                                                        \
  static void clear_##Bits(Bits *x, size_t n) {                                             \
    const Bits nan = negative, sign = (Bits)((Bits)1 << (8 * sizeof(Bits) - 1));            \
    for (size_t i = 0; i < n; i++) x[i] = (Bits)(x[i] == nan ? x[i] - sign : x[i]);         \
  }
DEFINE_CLEAR(uint16_t, 0xFE00)
DEFINE_CLEAR(uint32_t, 0xFFC00000)
DEFINE_CLEAR(uint64_t, 0xFFF8000000000000)

size_t written_bytes(const Tensor *t, size_t at, size_t room, void *to) {
  const size_t left = tensor_bytes(t) - at, n = left < room ? left : room;
  if (n == 0) return 0;                                /* data may be NULL */
  device_copy(DEVICE_HOST, to, tensor_device(t), (const char *)t->data + at, n);
  switch (t->type.dtype) {
    case DT_FLOAT16: clear_uint16_t(to, n / 2); break;
    case DT_FLOAT32: clear_uint32_t(to, n / 4); break;
    case DT_FLOAT64: clear_uint64_t(to, n / 8); break;
    default: break;
  }
  return n;
}
