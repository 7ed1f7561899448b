/* environment.h - settings from environment variables. An unreadable value is ignored; environment_check reports it
** once, when hybridlua starts.
*/
#ifndef HL_BASE_SETTINGS_ENVIRONMENT_H
#define HL_BASE_SETTINGS_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

bool environment_is(const char *variable, const char *value);
int environment_count(const char *variable);         /* a number of threads; 0 if not given */
int64_t environment_bytes(const char *variable);     /* bytes, or a number with K, M, G or T; 0 if not given */

/* Writes a line to stderr for each variable of hybridlua with an unreadable value, once per process. */
void environment_check(void);

#endif
