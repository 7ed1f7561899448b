/* device.c - see device.h. */
#include "base/device.h"

#include <stdio.h>
#include <string.h>

static const struct { const char *name; int code; } kinds[N_DEVICE_KINDS] = {
  [DEVICE_CPU] = { "cpu", 1 },
  [DEVICE_GPU] = { "gpu", 2 },
  [DEVICE_CPU_PINNED] = { "cpu_pinned", 3 },
  [DEVICE_CPU_SHARED] = { "cpu_shared", 5 },
};

const char *device_kind_name(DeviceKind kind) { return kinds[kind].name; }
int device_kind_code(DeviceKind kind) { return kinds[kind].code; }

const char *device_text(Device d) {
  static _Thread_local char buffer[4][32];
  static _Thread_local unsigned next;
  char *text = buffer[next++ % 4];
  snprintf(text, sizeof buffer[0], "%s(%d)", device_kind_name(device_kind(d)), device_id(d));
  return text;
}

/* ---- Memory ------------------------------------------------------------------------------------- */

static const DeviceMemory *memory_of[N_DEVICE_KINDS];

void device_add(DeviceKind kind, const DeviceMemory *memory) { memory_of[kind] = memory; }
const DeviceMemory *device_memory(Device d) { return memory_of[device_kind(d)]; }

Status device_block_new(Device d, size_t bytes, void **out) {
  if (device_is_host(d)) return block_new(bytes, out);
  TRY(device_check(d));
  return device_memory(d)->new_block(device_id(d), bytes, out);
}

void device_block_free(Device d, void *block, size_t bytes) {
  if (device_is_host(d)) block_free(block, bytes);
  else device_memory(d)->free_block(device_id(d), block, bytes);
}

/* Copies between two devices in pieces through the host. */
static void copy_between(Device to_device, char *to, Device from_device, const char *from, size_t bytes) {
  char piece[1 << 14];
  for (size_t at = 0, n; at < bytes; at += n) {
    n = bytes - at < sizeof piece ? bytes - at : sizeof piece;
    device_memory(from_device)->copy_out(device_id(from_device), piece, from + at, n);
    device_memory(to_device)->copy_in(device_id(to_device), to + at, piece, n);
  }
}

void device_copy(Device to_device, void *to, Device from_device, const void *from, size_t bytes) {
  const bool to_host = device_is_host(to_device), from_host = device_is_host(from_device);
  if (bytes == 0) return;
  if (to_host && from_host) memmove(to, from, bytes);
  else if (to_host) device_memory(from_device)->copy_out(device_id(from_device), to, from, bytes);
  else if (from_host) device_memory(to_device)->copy_in(device_id(to_device), to, from, bytes);
  else if (to_device == from_device) device_memory(to_device)->copy(device_id(to_device), to, from, bytes);
  else copy_between(to_device, to, from_device, from, bytes);
}

Status device_missing(Device d) {
  const DeviceMemory *memory = device_memory(d);
  if (memory) return fail("context %s: expected a number below %d", device_text(d), memory->n_devices);
  return fail("context %s: no GPU in this build", device_text(d));
}
