/* packed_weights.h - the elements of a storage in another order, which a kernel has made and that lasts: weights in panels.
**
** It is kept with the storage, one for each, until this goes; what was made before a write into the storage is not
** given any more. Memory is taken when the same form of the same elements is asked for a second time, so weights that
** change at each step get none. A form is given and made by threads side by side, but not while others write into the
** storage: then its elements may be any, as the tensor's own.
**
** So every write into an array must be reported (tensor_written), not for autograd alone. Memory without a block of its
** own has no packed form.
*/
#ifndef HL_TENSOR_PACKED_WEIGHTS_H
#define HL_TENSOR_PACKED_WEIGHTS_H

#include "tensor/tensor.h"

/* What tells forms of a tensor apart: who makes it, and of which sizes. */
typedef struct PackedWeightsKey { const void *maker; int64_t size[3]; } PackedWeightsKey;

/* The form of t, of so many bytes; else NULL. Then *room is memory to make it in, which is told to packed_weights_made; or NULL,
** where that is not worth it, there is no memory, or another thread makes it. */
const void *packed_weights_find(const Tensor *t, const PackedWeightsKey *key, size_t bytes, void **memory);
void packed_weights_made(const Tensor *t);

/* Its memory goes; the storage's last holder calls it. */
void packed_weights_free(Storage *storage);

#endif
