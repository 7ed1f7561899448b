/* optimizer_rows.h - parameters of optimizer steps. */
#ifndef HL_OPS_TRAIN_OPTIMIZER_ROWS_H
#define HL_OPS_TRAIN_OPTIMIZER_ROWS_H

#include "ir/params.h"

typedef struct SgdParams { double lr, wd, rescale_grad, clip_gradient; int64_t lazy_update; } SgdParams;
typedef struct MomentumParams { double lr, momentum, wd, rescale_grad, clip_gradient;
  int64_t lazy_update;
} MomentumParams;
typedef struct NagParams { double lr, momentum, wd, rescale_grad, clip_gradient; } NagParams;
typedef struct SignSgdParams { double lr, wd, rescale_grad, clip_gradient; } SignSgdParams;
typedef struct SignumParams { double lr, momentum, wd, rescale_grad, clip_gradient, wd_lh; } SignumParams;
typedef struct AdamParams { double lr, beta1, beta2, epsilon, wd, rescale_grad, clip_gradient;
  int64_t lazy_update;
} AdamParams;
typedef struct RmsPropParams { double lr, gamma1, epsilon, wd, rescale_grad, clip_gradient, clip_weights; } RmsPropParams;
typedef struct AlexParams { double lr, gamma1, gamma2, epsilon, wd, rescale_grad, clip_gradient, clip_weights; } AlexParams;
typedef struct FtrlParams { double lr, lamda1, beta, wd, rescale_grad, clip_gradient; } FtrlParams;
typedef struct FtmlParams { double lr, beta1, beta2, epsilon; int64_t t; double wd, rescale_grad, clip_grad;
} FtmlParams;
typedef struct AdaGradParams { double lr, epsilon, wd, rescale_grad, clip_gradient; } AdaGradParams;
typedef struct AdaDeltaParams { double rho, epsilon, wd, rescale_grad, clip_gradient; } AdaDeltaParams;
typedef struct AdamaxParams { double lr, beta1, beta2, wd, rescale_grad, clip_gradient; } AdamaxParams;
typedef struct NadamParams { double lr, beta1, beta2, epsilon, grad_factor, mean_factor, var_divisor, wd, rescale_grad, clip_gradient;
} NadamParams;
typedef struct DcasgdParams { double lr, lamda, wd, rescale_grad, clip_gradient; } DcasgdParams;
typedef struct DcasgdMomentumParams { double lr, momentum, lamda, wd, rescale_grad, clip_gradient; } DcasgdMomentumParams;
typedef struct LambParams { double beta1, beta2, epsilon; int64_t t, bias_correction; double wd, rescale_grad, clip_gradient;
} LambParams;
typedef struct Lamb2Params { double lr, lower_bound, upper_bound; } Lamb2Params;
typedef struct LarsParams { double eta, eps, rescale_grad; } LarsParams;
typedef struct AdamWParams { double lr, beta1, beta2, epsilon, wd, eta, clip_gradient; } AdamWParams;
typedef struct AdamWStepParams { double lr, beta1, beta2, epsilon, wd, rescale_grad, clip_gradient, eta; } AdamWStepParams;

/* The first parameters of both rows. */
typedef struct MultiRates { List lrs, wds; } MultiRates;
typedef struct MultiSgdParams { MultiRates rates; double rescale_grad, clip_gradient;
  int64_t num_weights;
} MultiSgdParams;
typedef struct MultiMomentumParams { MultiRates rates; double momentum, rescale_grad, clip_gradient;
  int64_t num_weights;
} MultiMomentumParams;

#endif
