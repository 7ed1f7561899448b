/* weights_update.h - parameters of an optimizer step for several weights in place. */
#ifndef HL_OPS_TRAIN_WEIGHTS_UPDATE_H
#define HL_OPS_TRAIN_WEIGHTS_UPDATE_H

#include "ir/op.h"

/* The operands of each weight are the weight, its gradient and its states; after those of all weights come the
** numbers. */
typedef struct WeightsUpdateParams { const char *rule; int64_t num_weights, num_states; } WeightsUpdateParams;

/* The number of operands of one weight. */
static inline int weights_update_group(const WeightsUpdateParams *p) { return 2 + (int)p->num_states; }

/* The row of the rule; fails if there is none with elementwise steps and this number of states. */
Status weights_update_rule(const WeightsUpdateParams *p, const Op **rule);

#endif
