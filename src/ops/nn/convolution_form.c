/* convolution_form.c - see convolution_form.h. */
#include "ops/nn/convolution_form.h"

#include "base/settings/debug_switches.h"

static int64_t to_sixteens(int64_t n) { return (n + 15) & -16; }

/* Would padding channels and filters to multiples of 16 increase the products by more than half? */
static bool fills_too_many(const Convolution *v) {
  return 2 * to_sixteens(v->channels) * to_sixteens(v->filters) > 3 * v->channels * v->filters;
}

static const char *why_direct(const Convolution *v) {
  enum { FEWEST = 16, SMALLEST = 4 };     /* channels and filters; places of the output along an axis */
  const Windows *w = &v->w;
  const int64_t window = w->kernel[1];
  if (v->direct) return "direct: cudnn_off";
  if (debug.direct_convolution) return "direct: HYBRIDLUA_CONVOLUTION=direct";
  if (v->dtype != DT_FLOAT32) return "direct: not float32";
  if (w->axes != 2 || window != w->kernel[2] || (window != 3 && window != 5)) return "direct: no 3x3 or 5x5 window";
  if (windows_size(w->stride) != 1) return "direct: stride";
  if (windows_size(w->dilate) != 1) return "direct: dilation";
  if (v->groups != 1) return "direct: groups";
  if (w->pad[1] >= window || w->pad[2] >= window) return "direct: more padding than the window less 1";
  if (v->channels < FEWEST || v->filters < FEWEST) return "direct: fewer than 16 channels or filters";
  if (fills_too_many(v)) return "direct: too few channels and filters for their multiples of 16";
  if (w->out[1] < SMALLEST || w->out[2] < SMALLEST) return "direct: an output smaller than 4x4";
  return NULL;
}

ConvForm convolution_form(const Convolution *v) {
  const char *why = why_direct(v);
  return (ConvForm){ why == NULL, why ? why : v->w.kernel[1] == 3 ? "F(4x4, 3x3)" : "F(2x2, 5x5)" };
}
