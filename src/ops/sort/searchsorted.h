/* searchsorted.h - parameters of searching and counting. */
#ifndef HL_OPS_SORT_SEARCHSORTED_H
#define HL_OPS_SORT_SEARCHSORTED_H

#include "ir/params.h"

typedef struct SearchParams { int64_t side; } SearchParams;
typedef struct DigitizeParams { int64_t right; } DigitizeParams;
typedef struct IsinParams { int64_t invert; } IsinParams;
typedef struct BincountParams { int64_t minlength, weighted; } BincountParams;
typedef struct HistogramParams { int64_t bin_cnt; List range; } HistogramParams;

#endif
