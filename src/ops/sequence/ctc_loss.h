/* ctc_loss.h - parameters and inputs of CTCLoss. */
#ifndef HL_OPS_SEQUENCE_CTC_LOSS_H
#define HL_OPS_SEQUENCE_CTC_LOSS_H

#include "ir/params.h"

typedef struct CtcParams { int64_t use_data_lengths, use_label_lengths, blank_label; } CtcParams;
enum { BLANK_FIRST, BLANK_LAST };
enum { DATA, LABEL, DATA_LENGTHS, LABEL_LENGTHS };

#endif
