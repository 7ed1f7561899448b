/* zipfian.h - parameters of _sample_unique_zipfian. */
#ifndef HL_OPS_RANDOM_ZIPFIAN_H
#define HL_OPS_RANDOM_ZIPFIAN_H

#include "ir/params.h"

typedef struct ZipfianParams { int64_t range_max; List shape; } ZipfianParams;

#endif
