/* qr_eigen_svd.h - parameters of linalg.qr, eigh, eigvalsh and svd. */
#ifndef HL_OPS_LINALG_QR_EIGEN_SVD_H
#define HL_OPS_LINALG_QR_EIGEN_SVD_H

#include "ir/params.h"

enum { QR_REDUCED, QR_COMPLETE, QR_R };
typedef struct QrParams { int64_t mode; } QrParams;

enum { UPLO_L, UPLO_U };
typedef struct EighParams { int64_t uplo; } EighParams;

typedef struct SvdParams { int64_t full_matrices, compute_uv; } SvdParams;

#endif
