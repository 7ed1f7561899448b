/* mode.h - names of the former thread-locals. */
#ifndef HL_EXEC_MODE_H
#define HL_EXEC_MODE_H

#include "ir/node.h"
#include "state/engine.h"

#endif
