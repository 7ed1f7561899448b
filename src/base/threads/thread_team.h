/* thread_team.h - a work-stealing thread team for parallel loops.
**
** Each thread gets one contiguous run of a loop's items and processes it in chunks, so that loops over the same arrays
** find them in the same caches. A thread that finishes its run steals chunks from the others: a thread that wakes late,
** or has lost its core to another program, delays the loop by one chunk at most. An idle thread spins for a tenth of a
** millisecond, because the loops of a call follow each other closely, and then sleeps.
**
** So a loop never takes much longer than on one thread, whatever other programs run. One loop at a time uses the team;
** meanwhile, loops of other threads run on those threads alone.
*/
#ifndef HL_BASE_THREADS_THREAD_TEAM_H
#define HL_BASE_THREADS_THREAD_TEAM_H

#include <stdbool.h>
#include <stdint.h>

typedef void TeamBody(void *context, int64_t first, int64_t last);

/* Calls body for chunks of [from, to) on up to `threads` threads, the caller's included, and returns when all are done;
** a chunk has at least `grain` items. Returns false, doing nothing, if no thread can help, for instance because another
** loop uses the team. */
bool team_run(int threads, int64_t from, int64_t to, int64_t grain, TeamBody *body, void *context);

/* Are that many threads spinning, so that they can start at almost no cost? */
bool team_is_awake(int threads);

bool team_is_inside(void);     /* this thread runs a chunk */
int team_thread(void);         /* index of the thread in its loop: 0, 1, ...; 0 outside loops */

#endif
