/* fault_injection.h - mistakes put back on purpose, for the tests to show that they would be found.
**
** A build with -DHL_FAULT=name (make faults) has the one of that name; HL_FAULT_IS(name) is a constant,
** false in every other build, so that the code behind it costs nothing.
**   twice      an array that is given to a compiled function in two places counts its gradient in both
**   heads      where only some outputs have a gradient, sums follow the block call that met a parameter first
**   deferred   the same for a parameter that gets its shape inside a block call
**   scope      the same for every parameter of a compiled function
**   written    lazy values are computed from what was written since
**   order      lazy operators go onto the tape when they run
**   reported   an epilogue leaves out the last element of each tile that is reported to it
**   views      of values that share memory those are computed that are asked for, each in memory of its own
**   stale      packed weights are returned even after a write into the weights
**   clusters   fusion makes kernels that need each other's results
**   untied     a loop that makes no step does not come from what a step would read
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
