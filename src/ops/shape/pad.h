/* pad.h - parameters of Pad and its gradient. */
#ifndef HL_OPS_SHAPE_PAD_H
#define HL_OPS_SHAPE_PAD_H

#include "ir/params.h"

typedef struct PadParams { int64_t mode; List pad_width; double constant_value; } PadParams;

/* The parameters of the gradient's row; `shape` is data's. */
typedef struct BackwardPadParams { int64_t mode; List pad_width, shape; } BackwardPadParams;

enum { PAD_CONSTANT, PAD_EDGE, PAD_REFLECT };
enum { PAD_LEAD = 2, PAD_MOST_AXES = 3 };      /* number of leading axes that are never padded; most axes that are */

#endif
