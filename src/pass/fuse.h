/* fuse.h - which nodes run as one kernel. */
#ifndef HL_FUSE_H
#define HL_FUSE_H

#include "pass/group.h"

/* Puts operators that fuse (row column `lower`) in the place of nodes whose kernels do not.
** The first *n_forward nodes are forward's, before and after. */
Status lower_graph(Graph *g, int *n_forward);

/* Lets backward compute cheap values of forward again where that saves memory traffic. */
Status recompute_graph(Graph *g, int *n_forward);

/* Replaces clusters of nodes by nodes that run a Group each; *n_groups says how many. */
Status fuse_graph(Graph *g, int *n_forward, int *n_groups);

#endif
