/* script_origin.h - the script line that created an object: "train.lua:12". Interned: an Origin is a small number valid
** for the life of the process; 0 is "unknown". */
#ifndef HL_BASE_SCRIPT_ORIGIN_H
#define HL_BASE_SCRIPT_ORIGIN_H

#include <stdint.h>

typedef uint32_t Origin;

Origin origin_of(const char *source, int line); /* 0 if memory runs out */
const char *origin_text(Origin o); /* "" for 0 */

/* Between these calls no thread changes the table, so that fork copies it in a consistent state. */
void origin_hold(void);
void origin_let(void);

#endif
