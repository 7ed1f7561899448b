/* linked_list.h - lists of all objects of a kind, linked through the objects: `next`, and `place`, the address of the
** pointer to the object. Lists allocate nothing, and removing an object needs no search. The caller guards the list. */
#ifndef HL_BASE_LINKED_LIST_H
#define HL_BASE_LINKED_LIST_H

#include <stddef.h>

/* Adds an object at the front. `first`: the variable that holds the list. */
#define LIST_ADD(first, item)                           \
  do {                                                  \
    (item)->next = (first);                             \
    (item)->place = &(first);                           \
    if (first) (first)->place = &(item)->next;          \
    (first) = (item);                                   \
  } while (0)

/* Removes an object; does nothing if its place is NULL, because it was never in a list. */
#define LIST_REMOVE(item)                               \
  do {                                                  \
    if ((item)->place) *(item)->place = (item)->next;   \
    if ((item)->next) (item)->next->place = (item)->place; \
  } while (0)

#endif
