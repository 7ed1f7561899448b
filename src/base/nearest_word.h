/* nearest_word.h - the nearest of a set of words, for errors that suggest a name. */
#ifndef HL_BASE_NEAREST_WORD_H
#define HL_BASE_NEAREST_WORD_H

/* The number of edits (insert, delete, change a character, swap two neighbours) from a to b. */
int edit_distance(const char *a, const char *b);

/* The candidate nearest to a word; the first of equals. Initialize with { .word = word }. */
typedef struct NearestWord {
  const char *word;
  const void *best;          /* the candidate's value; NULL before the first */
  int distance;
} NearestWord;
void nearest_offer(NearestWord *n, const char *candidate, const void *stands_for);
const void *nearest_found(const NearestWord *n);     /* NULL if none is near enough */

#endif
