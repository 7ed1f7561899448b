/* linked_list.h - lists of all objects of a kind, linked through the objects: `next`, and `place`, where the pointer to
** it is. Nothing is allocated, and an object leaves its list without a search. The caller guards the list. */
#ifndef HL_BASE_LINKED_LIST_H
#define HL_BASE_LINKED_LIST_H

#include <stddef.h>

/* Puts an object first. `first`: the variable that the list begins with. */
#define LIST_ADD(first, item)                           \
  do {                                                  \
    (item)->next = (first);                             \
    (item)->place = &(first);                           \
    if (first) (first)->place = &(item)->next;          \
    (first) = (item);                                   \
  } while (0)

/* Takes an object out; nothing happens if its place is NULL, for it never came into a list. */
#define LIST_REMOVE(item)                               \
  do {                                                  \
    if ((item)->place) *(item)->place = (item)->next;   \
    if ((item)->next) (item)->next->place = (item)->place; \
  } while (0)

#endif
