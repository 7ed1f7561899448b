/* thread_team.h - a work-stealing thread team for parallel loops.
**
** Each thread gets one contiguous run of a loop's items and works through it in chunks, so that loops over the same
** arrays find them in the same caches. A thread that finishes its run steals chunks from the others: a thread that
** wakes late, or whose core another program has, costs one chunk at most. A thread without work looks for the next loop
** for a tenth of a millisecond, because the loops of a call follow each other at once, and then sleeps.
**
** So a loop never takes much longer than on one thread, whatever other programs run. One loop at a time has the team:
** the loops of other threads run alone meanwhile.
*/
#ifndef HL_BASE_THREADS_THREAD_TEAM_H
#define HL_BASE_THREADS_THREAD_TEAM_H

#include <stdbool.h>
#include <stdint.h>

typedef void TeamBody(void *context, int64_t first, int64_t last);

/* Calls body for chunks of [from, to) on that many threads, the caller's among them, and returns when all are done; a
** chunk has `grain` items at least. False, and nothing is done, if there is no thread to help, for instance since the
** loop of another thread has them all. */
bool team_run(int threads, int64_t from, int64_t to, int64_t grain, TeamBody *body, void *context);

/* Are that many threads looking for work, so that giving them some costs next to nothing? */
bool team_is_awake(int threads);

bool team_is_inside(void);     /* this thread runs a chunk */
int team_thread(void);         /* which thread of the loop it is: 0, 1, ...; 0 outside of loops */

#endif
