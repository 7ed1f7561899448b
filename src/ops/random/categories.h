/* categories.h - parameters of sample_multinomial. */
#ifndef HL_OPS_RANDOM_CATEGORIES_H
#define HL_OPS_RANDOM_CATEGORIES_H

#include "ir/params.h"

typedef struct MultinomialParams { List shape; int64_t get_prob, dtype; } MultinomialParams;

#endif
