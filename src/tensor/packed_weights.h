/* packed_weights.h - a storage's elements in the order in which a kernel reads them (weights in panels), packed once
** and kept for later calls.
**
** Each storage keeps one set, until it is freed, or until a request for memory would fail while no call reads the set.
** A write into the storage invalidates it. Memory is allocated when the same packed weights are requested for the
** second time, so weights that change at each step get none. Threads may find and pack weights concurrently, but not
** while others write into the storage; then the packed elements are undefined, like the tensor's.
**
** So every write into an array must be reported (tensor_written), not only for autograd. Memory without its own block
** has no packed weights.
*/
#ifndef HL_TENSOR_PACKED_WEIGHTS_H
#define HL_TENSOR_PACKED_WEIGHTS_H

#include "tensor/tensor.h"

/* Distinguishes packed weights of one tensor: the kernel that packs them, and the sizes. */
typedef struct PackedWeightsKey { const void *maker; int64_t size[3]; } PackedWeightsKey;

/* The packed weights of t, of this many bytes; else NULL. Then *memory is where to pack them before calling
** packed_weights_made, or NULL if packing does not pay, memory is short, or another thread packs them. If either is not
** NULL, call packed_weights_done after reading them. */
const void *packed_weights_find(const Tensor *t, const PackedWeightsKey *key, size_t bytes, void **memory);
void packed_weights_made(const Tensor *t);
void packed_weights_done(const Tensor *t);

/* Called by the storage's last holder. */
void packed_weights_free(Storage *storage);

/* Until packed_weights_unhold no other thread uses the list of all packed weights, so that fork copies a consistent
** list. */
void packed_weights_hold(void);
void packed_weights_unhold(void);

#endif
