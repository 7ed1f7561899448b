/* recurrence.h - parameters of linear recurrences. */
#ifndef HL_OPS_REDUCE_RECURRENCE_H
#define HL_OPS_REDUCE_RECURRENCE_H

#include "ir/params.h"

typedef struct RecurrenceParams { int64_t axis, reverse; } RecurrenceParams;

#endif
