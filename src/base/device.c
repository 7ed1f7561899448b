/* device.c - see device.h. */
#include "base/device.h"

#include <stdio.h>

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

Status device_missing(Device d) { return fail("context %s: no GPU in this build", device_text(d)); }
