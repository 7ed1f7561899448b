/* hidden_outputs.h - columns of rows whose later outputs are hidden from the user. */
#ifndef HL_OPS_COMMON_HIDDEN_OUTPUTS_H
#define HL_OPS_COMMON_HIDDEN_OUTPUTS_H

#include "ir/op.h"

int one_visible(const Query *q);                     /* column `n_visible`: only output 0 */
bool hidden_unused(const Query *q, int output);      /* column `unused`, if only gradients read hidden outputs */

/* Column `unused`, and inference, of hidden outputs that exist only because MXNet's graphs count them: they are
** empty. */
bool hidden_empty(const Query *q, int output);
Status infer_empty_outputs(Infer *f);

#endif
