/* np_promotion.h - the dtypes of np's calls: operands of unlike dtypes are cast before the call, as in NumPy. */
#ifndef HL_BIND_VALUE_NP_PROMOTION_H
#define HL_BIND_VALUE_NP_PROMOTION_H

#include "bind/core/lua_object.h"

/* The dtype of a result from operands of two dtypes; DT_UNKNOWN if one is unknown. */
DType np_common_dtype(DType a, DType b);

/* The dtype of an array or a Symbol of one output; DT_UNKNOWN for other values, or if it is not known. */
DType operand_dtype(lua_State *L, int index);

/* Casts the operands of an elementwise row, at the stack indices `first` to `last`, to the dtype in which np computes
** it; other values stay as they are. Returns the dtype to which the result must be cast, or DT_UNKNOWN. */
DType np_promote(lua_State *L, const Op *op, int first, int last);

/* Replaces the array or Symbol at `index` by one of that dtype. */
void np_cast(lua_State *L, int index, DType dtype);

#endif
