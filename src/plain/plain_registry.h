/* plain_registry.h - the tables of plain texts: each is in the file of its name. */
#ifndef HL_PLAIN_PLAIN_REGISTRY_H
#define HL_PLAIN_PLAIN_REGISTRY_H

#include "ir/op.h"
#include "ir/plain.h"

/* F(table): an array that ends in an entry without an operator. */
#define EACH_PLAIN_TABLE(F)                                                                                   \
  F(plain_softmax)                                                                                            \
  F(plain_products)                                                                                           \
  F(plain_transforms)                                                                                         \
  F(plain_windows)                                                                                            \
  F(plain_index)                                                                                              \
  F(plain_brackets)                                                                                           \
  F(plain_regions)                                                                                            \
  F(plain_joins)                                                                                              \
  F(plain_norms)                                                                                              \
  F(plain_lines)                                                                                              \
  F(plain_sort)                                                                                               \
  F(plain_images)                                                                                             \
  F(plain_boxes)                                                                                              \
  F(plain_rnn)                                                                                                \
  F(plain_ctc)                                                                                                \
  F(plain_hawkes)                                                                                             \
  F(plain_sequence)                                                                                           \
  F(plain_attention)

#define DECLARE_PLAIN(table) extern const Plain table[];
EACH_PLAIN_TABLE(DECLARE_PLAIN)

#endif
