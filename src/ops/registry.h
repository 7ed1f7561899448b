/* registry.h - the families. A new file of operators adds one line here and one in registry.c. */
#ifndef HL_REGISTRY_H
#define HL_REGISTRY_H

#include "ir/op.h"

/* Each ends in a row without a name. */
extern Op unary_ops[], binary_ops[], scalar_ops[], reduce_ops[], create_ops[], linalg_ops[], random_ops[];

#endif
