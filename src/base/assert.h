/* assert.h - engine invariants whose violation would write out of bounds. Test builds (HL_VERIFY) check them and end
** the process if one fails; other builds compile no checks. Errors caused by input are Statuses.
*/
#ifndef HL_BASE_ASSERT_H
#define HL_BASE_ASSERT_H

/* Prints "FILE:LINE: EXPRESSION does not hold" and ends the process with a trap. */
__attribute__((noreturn, cold)) void assert_failed(const char *file, int line, const char *expression);

#ifdef HL_VERIFY
#define HL_ASSERT(expression) ((expression) ? (void)0 : assert_failed(__FILE__, __LINE__, #expression))
#else
#define HL_ASSERT(expression) ((void)sizeof((expression) ? 1 : 0))
#endif

#endif
