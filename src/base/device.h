/* device.h - the devices that hold memory; scripts call them contexts: cpu(0), gpu(1), cpu_pinned(0).
**
** A device is a small value: a kind and a number. 0 is cpu(0). Every storage has one (tensor.h), and all memory for
** data is allocated and freed here, so this file is where other devices would be added. So far only host memory exists:
** every kind of CPU is host memory under another name, and a GPU is an error unless a module adds one.
**
** The caller chooses the device of a new tensor. An operator's outputs are on the device of its inputs
** (exec/eager/eager_call.c rejects inputs on different devices); without inputs, on the device that the call names, or
** the current context. A compiled call has one device for all its arrays; its executable depends on no device. Only
** the copy between devices has its output on another device; its node keeps the device, and its gradient is copied
** back.
**
** A kind of device that is not host memory consists of a table of memory functions (DeviceMemory) and of kernels for it
** (ir/kernel.h). Functions of tensor/ move whole arrays and read and write single elements through the table. All
** other work on elements is done by kernels, and an operator without one for the device is an error.
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

/* The memory functions of the devices of one kind, by id. A copy begins when kernels that write the memory have ended,
** and returns when it is done; copies cannot fail. */
typedef struct DeviceMemory {
  int n_devices;
  Status (*new_block)(int id, size_t bytes, void **out);     /* aligned to 64 bytes, its content undefined */
  void (*free_block)(int id, void *block, size_t bytes);
  void (*copy_in)(int id, void *to, const void *from, size_t bytes);      /* from the host */
  void (*copy_out)(int id, void *to, const void *from, size_t bytes);     /* to the host */
  void (*copy)(int id, void *to, const void *from, size_t bytes);         /* on one device; may overlap */
  void (*clear)(int id, void *to, size_t bytes);                          /* to zeros */
} DeviceMemory;

/* Adds the devices of a kind without host memory. Call it before arrays on them exist; `memory` must last. */
void device_add(DeviceKind kind, const DeviceMemory *memory);

/* The table of a device, or NULL for host memory. */
const DeviceMemory *device_memory(Device d);

/* Fails if the device does not exist. */
static inline Status device_check(Device d) {
  return device_is_host(d) || (device_memory(d) && device_id(d) < device_memory(d)->n_devices) ? OK : device_missing(d);
}

/* A block of data on the device, its content undefined; to be freed with the same size. */
Status device_block_new(Device d, size_t bytes, void **out);
void device_block_free(Device d, void *block, size_t bytes);

/* Copies between any two blocks that do not overlap, or within one device. Host memory is copied by one thread. */
void device_copy(Device to_device, void *to, Device from_device, const void *from, size_t bytes);

#endif
