/* window_params.c - see window_params.h. */
#include "ops/nn/window_params.h"

#include <string.h>

static Status read_list(const char *name, const List *kernel, const List *list, int64_t least, int64_t *out) {
  const int lead = WINDOW_AXES - (int)kernel->count;
  if (list->count == 0) return OK;
  Shape given = list_shape(kernel);
  if (list->count != kernel->count)
    return fail("%s: expected %d numbers, as in kernel %s, got %lld", name, (int)kernel->count, shape_numbers(&given),
                (long long)list->count);
  for (int i = 0; i < (int)list->count; i++) {
    int64_t x = list->u.i[i];
    if (x < least || x > INT32_MAX) {
      given = list_shape(list);
      return fail("%s: expected numbers of %d or more, got %s", name, (int)least, shape_numbers(&given));
    }
    out[lead + i] = x;
  }
  return OK;
}

Status windows_read(const List *kernel, const List *stride, const List *dilate, const List *pad, Windows *w) {
  *w = (Windows){ .axes = (int)kernel->count };
  for (int i = 0; i < WINDOW_AXES; i++) w->kernel[i] = w->stride[i] = w->dilate[i] = w->in[i] = w->out[i] = 1;
  if (kernel->count < 1 || kernel->count > WINDOW_AXES)
    return fail("kernel: expected 1, 2 or 3 numbers, one for each axis, got %lld", (long long)kernel->count);
  TRY(read_list("kernel", kernel, kernel, 1, w->kernel));
  TRY(read_list("stride", kernel, stride, 1, w->stride));
  if (dilate) TRY(read_list("dilate", kernel, dilate, 1, w->dilate));
  return read_list("pad", kernel, pad, 0, w->pad);
}

static const char *const layouts[] = { "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC" };

Status windows_layout(int64_t layout, int axes) {
  if (layout == NONE) return OK;
  const char *name = layouts[layout];
  int has = (int)strlen(name) - 2;
  const char *wanted = layouts[WINDOW_AXES - (axes ? axes : has)];
  if (name[1] == 'C' && (axes == 0 || has == axes)) return OK;
  if (name[1] != 'C') return fail("layout: expected %s, with channels first, got %s; transpose the data", wanted, name);
  return fail("layout: expected %s for a kernel of %d numbers, got %s", wanted, axes, name);
}

const char *windows_layout_name(int axes, bool channels_last) {
  return layouts[(channels_last ? 2 : 1) * WINDOW_AXES - axes];
}

Status windows_dims(const Shape *data, int axes, bool channels_last) {
  static const char *const parts[] = { "width", "height, width", "depth, height, width" };
  if (data->ndim < 0 || data->ndim == axes + 2) return OK;
  return fail("data: expected %d dimensions (batch, %s%s%s), got %s", axes + 2, channels_last ? "" : "channel, ",
              parts[axes - 1], channels_last ? ", channel" : "", shape_text(data));
}

static bool may_be_channels(int64_t n) { return n == 1 || n == 3 || n == 4; }

const char *windows_hint(const Shape *data) {
  /* clang-format off */
  static const char *const hints[] = {
    "; channels come second: if they are last, write x:transpose{0, 2, 1}",
    "; channels come second: if they are last, write x:transpose{0, 3, 1, 2}",
    "; channels come second: if they are last, write x:transpose{0, 4, 1, 2, 3}" };
  /* clang-format on */
  const int last = data->ndim - 1;
  if (last < 2 || last > 4 || !may_be_channels(data->dim[last]) || data->dim[1] < 0 || may_be_channels(data->dim[1]))
    return "";
  return hints[last - 2];
}
