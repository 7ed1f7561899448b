/* nearest_word.c - Damerau's edit distance (optimal string alignment: no substring is edited twice), ignoring case;
** keeps three rows of the table. */
#include "base/nearest_word.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 63 };

static int smaller(int a, int b) { return a < b ? a : b; }

static bool same(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

int edit_distance(const char *a, const char *b) {
  int rows[3][LONGEST + 1];
  size_t m = strlen(a), n = strlen(b);
  if (m > LONGEST || n > LONGEST) return LONGEST;
  for (size_t j = 0; j <= n; j++) rows[0][j] = (int)j;
  for (size_t i = 1; i <= m; i++) {
    int *row = rows[i % 3];
    const int *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    row[0] = (int)i;
    for (size_t j = 1; j <= n; j++) {
      row[j] = smaller(above[j - 1] + !same(a[i - 1], b[j - 1]), 1 + smaller(above[j], row[j - 1]));
      bool swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      if (swapped) row[j] = smaller(row[j], before[j - 2] + 1);
    }
  }
  return rows[m % 3][n];
}

void nearest_offer(NearestWord *n, const char *candidate, const void *stands_for) {
  int distance = edit_distance(n->word, candidate);
  if (n->best && distance >= n->distance) return;
  n->best = stands_for;
  n->distance = distance;
}

/* A one-letter word matches nothing: one change replaces all of it. */
const void *nearest_found(const NearestWord *n) {
  int length = (int)strlen(n->word);
  return n->distance < length && n->distance <= 1 + length / 4 ? n->best : NULL;
}
