/* own.h - what computations have of their own, in one object: the random stream, the mode, the block call under way,
** the order of nodes, print options, what is watched. A thread that runs no script has one itself, in the parts; a
** script's state brings its own (bind/state.h). So scripts do not meet, in whatever threads they run.
*/
#ifndef HL_OWN_H
#define HL_OWN_H

#include "base/random.h"
#include "exec/deferred.h"
#include "exec/eager.h"
#include "exec/watch.h"
#include "tensor/print.h"

typedef struct Own {
  RandomState random;
  PrintOptions print;
  NodeMaking making;
  Watching watching;
  Profile profile;
  Running running;
  Deferring deferring;
} Own;

Own own_begin(void);

/* This thread computes for `o` from here on, which must stay where it is; NULL: for itself. */
void own_lend(Own *o);

void own_end(Own *o);

#endif
