/* conversion.h - an element of one type in another one, as Cast converts it. */
#include "plain/common/numbers.h"

/* Integers of another size keep their last bits. */
static inline real TYPED(converted)(other x) {
  const bool whole = (other)0.5 == 0;
  return whole ? (real)x : TYPED(number)((double)x);
}
