/* weights_update.h - parameters of an optimizer step for several weights in place. */
#ifndef HL_OPS_TRAIN_WEIGHTS_UPDATE_H
#define HL_OPS_TRAIN_WEIGHTS_UPDATE_H

#include "ir/op.h"

/* The operands of each weight are the weight, its gradient and its states; after those of all weights come the
** numbers. */
typedef struct WeightsUpdateParams { const char *rule; int64_t num_weights, states; } WeightsUpdateParams;

enum { MOST_UPDATED = 1 << 16, MOST_UPDATE_STATES = 16 };

/* The number of operands of one weight, for any parameters. */
static inline int weights_update_group(const WeightsUpdateParams *p) {
  return 2 + (p->states < 0 ? 0 : p->states > MOST_UPDATE_STATES ? MOST_UPDATE_STATES : (int)p->states);
}

/* The row of the rule; fails if there is none with elementwise steps and this number of states. */
Status weights_update_rule(const WeightsUpdateParams *p, const Op **rule);

#endif
