/* dropout.h - parameters of Dropout, and what a call draws. */
#ifndef HL_OPS_RANDOM_DROPOUT_H
#define HL_OPS_RANDOM_DROPOUT_H

#include "ir/op_query.h"
#include "ir/params.h"

typedef struct DropoutParams { double p; int64_t mode; List axes; int64_t cudnn_off; } DropoutParams;
enum { DROP_TRAINING, DROP_ALWAYS };

/* May a call drop elements? */
static inline bool dropout_drops(const DropoutParams *p, bool train) {
  return p->p > 0 && (train || p->mode == DROP_ALWAYS);
}

/* Has each element a number of its own in the mask? Otherwise the mask broadcasts. */
static inline bool dropout_whole(const Type *mask, const Type *data) { return shape_equal(&mask->shape, &data->shape); }

#endif
