/* nearest.c - Levenshtein's distance, case ignored, two rows at a time. */
#include "base/nearest.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 63 };

int edit_distance(const char *a, const char *b) {
  int row[LONGEST + 1];
  size_t m = strlen(a), n = strlen(b);
  if (m > LONGEST || n > LONGEST) return LONGEST;
  for (size_t j = 0; j <= n; j++) row[j] = (int)j;
  for (size_t i = 1; i <= m; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= n; j++) {
      int change = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
      diagonal = row[j];
      int best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
      row[j] = change < best ? change : best;
    }
  }
  return row[n];
}

int edit_is_near(const char *word, int distance) { return distance <= 1 + (int)strlen(word) / 4; }
