/* assert.h - invariants of the engine itself, where a broken one would write out of bounds. Builds for tests
** (HL_VERIFY) look, and end the process where one does not hold; others compile nothing of it. What input may bring
** about is no matter for this: that is a Status.
*/
#ifndef HL_BASE_ASSERT_H
#define HL_BASE_ASSERT_H

/* Prints "FILE:LINE: EXPRESSION does not hold" and ends the process by a trap. */
__attribute__((noreturn, cold)) void assert_failed(const char *file, int line, const char *expression);

#ifdef HL_VERIFY
#define HL_ASSERT(expression) ((expression) ? (void)0 : assert_failed(__FILE__, __LINE__, #expression))
#else
#define HL_ASSERT(expression) ((void)sizeof((expression) ? 1 : 0))
#endif

#endif
