/* nearest_word.h - the most similar of some words, for errors that suggest a name. */
#ifndef HL_BASE_NEAREST_WORD_H
#define HL_BASE_NEAREST_WORD_H

/* Edits (insert, delete, change one character, swap two neighbours) from a to b. */
int edit_distance(const char *a, const char *b);

/* The candidate most similar to a word; of equals the first. Begins as { .word = word }. */
typedef struct NearestWord {
  const char *word;
  const void *best;          /* what the candidate stands for; NULL before the first */
  int distance;
} NearestWord;
void nearest_offer(NearestWord *n, const char *candidate, const void *stands_for);
const void *nearest_found(const NearestWord *n);     /* NULL if none is near enough to be meant */

#endif
