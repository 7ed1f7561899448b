/* script_origin.h - where in the user's script something was made: "train.lua:12".
** Interned: an Origin is a small number that lives as long as the process; 0 is
** "unknown". */
#ifndef HL_BASE_SCRIPT_ORIGIN_H
#define HL_BASE_SCRIPT_ORIGIN_H

#include <stdint.h>

typedef uint32_t Origin;

Origin origin_of(const char *source, int line);   /* 0 when there is no memory */
const char *origin_text(Origin o);                /* "" for 0 */

/* Between these no thread changes the table: fork copies it whole. */
void origin_hold(void);
void origin_let(void);

#endif
