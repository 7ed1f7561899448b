/* environment.h - settings that the environment gives. A value that cannot be read counts as not given; it is
** reported once, when hybridlua starts (environment_check), not where the setting is used.
*/
#ifndef HL_BASE_SETTINGS_ENVIRONMENT_H
#define HL_BASE_SETTINGS_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

bool environment_is(const char *variable, const char *value);
int environment_count(const char *variable);         /* a number of threads; 0: not given */
int64_t environment_bytes(const char *variable);     /* bytes, or a number with K, M, G or T; 0: not given */

/* One line on stderr for each variable of hybridlua's whose value cannot be read; once a process. */
void environment_check(void);

#endif
