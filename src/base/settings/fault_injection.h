/* fault_injection.h - bugs reintroduced on purpose, to show that the tests find them.
**
** A build with -DHL_FAULT=name (make faults) has the bug of that name; HL_FAULT_IS(name) is a constant, false in every
** other build, so its code costs nothing.
**   twice      an array passed twice to a compiled function gets its gradient counted twice
**   heads      if only some outputs have a gradient, sums follow the block call that first used a parameter
**   deferred   the same for a parameter that gets its shape inside a block call
**   scope      the same for every parameter of a compiled function
**   written    lazy values are computed after their data were overwritten
**   order      lazy operators are recorded when they run, not when called
**   reported   an epilogue omits the last element of each tile reported to it
**   views      of values that share memory, only the requested ones are computed, each in its own memory
**   stale      packed weights are returned even after a write into the weights
**   clusters   fusion makes kernels that need each other's results
**   untied     a loop of zero steps does not depend on the values that a step would read
*/
#ifndef HL_BASE_SETTINGS_FAULT_INJECTION_H
#define HL_BASE_SETTINGS_FAULT_INJECTION_H

enum { FAULT_none, FAULT_twice, FAULT_heads, FAULT_deferred, FAULT_scope, FAULT_written,
  FAULT_order,
  FAULT_reported,
  FAULT_views,
  FAULT_stale,
  FAULT_untied,
  FAULT_clusters
};

#ifndef HL_FAULT
#define HL_FAULT none
#endif
#define HL_FAULT_JOIN(name) FAULT_##name
#define HL_FAULT_OF(name) HL_FAULT_JOIN(name)
#define HL_FAULT_IS(name) (HL_FAULT_OF(HL_FAULT) == FAULT_##name)

#endif
