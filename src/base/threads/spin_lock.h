/* spin_lock.h - a lock for rare contention: taking a free lock costs one atomic operation. A waiting thread first
** spins, then sleeps for ever longer times, so the lock may be held while a specialization is made. All zeros: free.
*/
#ifndef HL_BASE_THREADS_SPIN_LOCK_H
#define HL_BASE_THREADS_SPIN_LOCK_H

#include <stdbool.h>
#include <time.h>

typedef struct Lock { bool taken; } Lock;

/* Waits, longer each time; *turn starts at 0. */
static inline void lock_wait(int *turn) {
  enum { SPINS = 64, LONGEST = 1 << 20 };
  if (++*turn < SPINS) return;
  long nap = 1000L << (*turn - SPINS < 10 ? *turn - SPINS : 10);
  nanosleep(&(struct timespec){ 0, nap < LONGEST ? nap : LONGEST }, NULL);
}

static inline void lock_take(Lock *l) {
  for (int turn = 0; __builtin_expect(__atomic_exchange_n(&l->taken, true, __ATOMIC_ACQUIRE), 0);) lock_wait(&turn);
}

static inline bool lock_try(Lock *l) { return !__atomic_exchange_n(&l->taken, true, __ATOMIC_ACQUIRE); }
static inline void lock_give(Lock *l) { __atomic_store_n(&l->taken, false, __ATOMIC_RELEASE); }

#endif
