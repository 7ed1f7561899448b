/* packed_weights.h - the elements of a storage in the order in which a kernel reads them (weights in panels), packed
** once and kept for later calls.
**
** They are kept with the storage, one set for each, until it is freed, or until a block would be refused for lack of
** memory (base/memory.h) while no call reads them. Those packed before a write into the storage are no longer returned.
** Memory is taken when the same packed weights are requested for the second time, so weights
** that change at each step get none. Threads find and pack weights side by side, but not while others write into
** the storage: then the packed elements may be any, as the tensor's own.
**
** So every write into an array must be reported (tensor_written), not for autograd alone. Memory without a block of its
** own has no packed weights.
*/
#ifndef HL_TENSOR_PACKED_WEIGHTS_H
#define HL_TENSOR_PACKED_WEIGHTS_H

#include "tensor/tensor.h"

/* What distinguishes packed weights of one tensor: the kernel that packs them, and the sizes. */
typedef struct PackedWeightsKey { const void *maker; int64_t size[3]; } PackedWeightsKey;

/* The packed weights of t, of that many bytes; else NULL. Then *memory is where to pack them, before calling
** packed_weights_made; or NULL, where that is not worth it, there is no memory, or another thread packs them. Whoever
** got one of both calls packed_weights_done when they were read. */
const void *packed_weights_find(const Tensor *t, const PackedWeightsKey *key, size_t bytes, void **memory);
void packed_weights_made(const Tensor *t);
void packed_weights_done(const Tensor *t);

/* Frees them; the storage's last holder calls it. */
void packed_weights_free(Storage *storage);

/* Until packed_weights_unhold no other thread uses the list of all packed weights: a fork copies it as it is. */
void packed_weights_hold(void);
void packed_weights_unhold(void);

#endif
