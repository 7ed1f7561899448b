/* nearest.h - the most similar of some words, for errors that suggest a name. */
#ifndef HL_NEAREST_H
#define HL_NEAREST_H

/* Edits (insert, delete, change one character, swap two neighbours) from a to b. */
int edit_distance(const char *a, const char *b);

/* Is `distance` small enough for a word of that length to be meant? */
int edit_is_near(const char *word, int distance);

#endif
