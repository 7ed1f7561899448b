/* hidden_outputs.h - columns of rows with outputs that the user does not see. */
#ifndef HL_OPS_COMMON_HIDDEN_OUTPUTS_H
#define HL_OPS_COMMON_HIDDEN_OUTPUTS_H

#include "ir/op.h"

int one_visible(const Query *q);                     /* column `n_visible`: output 0 alone */
bool hidden_unused(const Query *q, int output);      /* column `unused`: only gradients read hidden outputs */

/* MXNet's operator has hidden outputs for its own gradient, and its graphs count them. Ours are empty: the column
** `unused`, and inference. */
bool hidden_empty(const Query *q, int output);
Status infer_empty_outputs(Infer *f);

#endif
