/* device.h - the devices that hold memory; scripts call them contexts: cpu(0), gpu(1), cpu_pinned(0).
**
** A device is a small value: a kind and a number. 0 is cpu(0). Every storage has one (tensor.h), and all memory for
** data is allocated and freed here, so this file is where other devices would be added. So far only host memory exists:
** every kind of CPU is host memory under another name, and a GPU is an error.
**
** The caller chooses the device of a new tensor. An operator's outputs are on the device of its inputs
** (exec/eager/eager_call.c rejects inputs on different devices); without inputs, on the device that the call names, or
** the current context. A compiled call has one device for all its arrays; its executable depends on no device. Only
** the copy between devices has its output on another device; its node keeps the device, and its gradient is copied
** back. Apart from this file, a new kind of device would change tensor_move (tensor/tensor.h) and the kernels for it.
*/
#ifndef HL_BASE_DEVICE_H
#define HL_BASE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

typedef uint32_t Device;

/* cpu(0), into which files are read. */
#define DEVICE_HOST ((Device)0)

typedef enum DeviceKind { DEVICE_CPU, DEVICE_GPU, DEVICE_CPU_PINNED, DEVICE_CPU_SHARED, N_DEVICE_KINDS } DeviceKind;

enum { MAX_DEVICE_ID = (1 << 24) - 1 };

static inline Device device_of(DeviceKind kind, int64_t id) { return (Device)kind << 24 | (Device)id; }
static inline DeviceKind device_kind(Device d) { return (DeviceKind)(d >> 24); }
static inline int device_id(Device d) { return (int)(d & MAX_DEVICE_ID); }

const char *device_kind_name(DeviceKind kind);        /* "cpu_pinned" */
int device_kind_code(DeviceKind kind);                /* MXNet's number: 1 for cpu */

/* "cpu(0)", in a thread-local buffer that is reused after four calls. */
const char *device_text(Device d);

/* Fails because the device does not exist. */
Status device_missing(Device d) __attribute__((cold));
static inline bool device_is_host(Device d) { return device_kind(d) != DEVICE_GPU; }

/* A block of data on the device, its content undefined; to be freed with the same size. */
static inline Status device_block_new(Device d, size_t bytes, void **out) {
  if (__builtin_expect(!device_is_host(d), 0)) return device_missing(d);
  return block_new(bytes, out);
}
static inline void device_block_free(Device d, void *block, size_t bytes) {
  (void)d;
  block_free(block, bytes);
}

#endif
