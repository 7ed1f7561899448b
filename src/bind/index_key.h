/* index_key.h - what stands in the brackets of x[...], as one Axis a dimension. */
#ifndef HL_INDEX_KEY_H
#define HL_INDEX_KEY_H

#include "bind/object.h"

typedef enum AxisKind {
  AXIS_SLICE,                   /* begin, end, step as given; NONE where left out */
  AXIS_SINGLE,                  /* the index `begin`: the axis goes away */
  AXIS_NEW,                     /* None: an axis of 1 that is not there yet */
  AXIS_REST                     /* "...": all the axes that nothing else is said of */
} AxisKind;

typedef struct Axis {
  AxisKind kind;
  int64_t begin, end, step;
} Axis;

enum { MOST_PARTS = 2 * MAX_DIMS + 1 };

/* Once settled the axes are those of the array, from the first on: slices and single indices. */
typedef struct Key {
  int n, n_new;
  Axis axis[MOST_PARTS];
  int new_at[MOST_PARTS];       /* where in the result the new axes are, ascending */
} Key;

extern const Axis WHOLE_AXIS;

/* Reads the key at `index`: an integer, a text, a table of these. Raises. */
void key_read(lua_State *L, int index, Key *key);

/* Puts axes in the place of "...", takes new ones out, and checks the rest against the shape, of which
** ndim or dimensions may be unknown. Raises. */
void key_settle(lua_State *L, Key *key, const Shape *shape);

void key_out_of_range(lua_State *L, int64_t index, int axis, const Shape *s) __attribute__((noreturn));

/* set_unknown(f): f(name) tells what to write instead of a name that is nothing: "; did you mean ..." or nil */
int key_set_unknown(lua_State *L);

#endif
