/* run_starts.h - whether each element differs from the one before; neighbouring NaNs do not, and the first one does. */
#include "plain/common/numbers.h"

static void TYPED(run_starts)(const real *data, bool *out, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    const bool both = i > 0 && TYPED(is_nan)(data[i]) && TYPED(is_nan)(data[i - 1]);
    out[i] = i == 0 || (data[i] != data[i - 1] && !both);
  }
}
