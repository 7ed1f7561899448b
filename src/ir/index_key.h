/* index_key.h - the key in x[key]: its parts, its text, and the elements that it selects.
**
** A key is a list of parts, one per axis in order, with NumPy's meaning:
**     3         that position; the axis is dropped       1:3, ::-1   begin:end:step
**     None      a new axis of 1                          ...         all axes not otherwise indexed
**     @         the positions in an index array; these arrays are operands after the key, in order
** and "() " before them if one element is a 0-d array.
** Index arrays broadcast against each other. Their axes replace the first of them, or come first of all if a slice or a
** new axis is between two of them. A single position next to them counts as an array. A key applied to a shape returns
** a Selection and is checked then, so it may be made before the shape is known.
**
** A key is a parameter of the rows in ops/index/index_rows.c; index arrays are inputs. bind/value/bracket_key.c reads
** keys from Lua values, exec/eager/eager_index.c applies them to arrays and implements writing in place.
*/
#ifndef HL_IR_INDEX_KEY_H
#define HL_IR_INDEX_KEY_H

#include "base/status.h"
#include "base/text_buffer.h"
#include "tensor/strided_region.h"

typedef enum KeyKind { KEY_SLICE, KEY_SINGLE, KEY_NEW, KEY_REST, KEY_ARRAY } KeyKind;

typedef struct KeyPart {
  KeyKind kind;
  int64_t begin, end, step;     /* a slice's bounds, NONE if omitted; a single position is `begin` */
} KeyPart;

enum { MOST_KEY_PARTS = 2 * MAX_DIMS + 1 };

typedef struct Key {
  int n;
  bool zero_dims;               /* one element has shape (), as in NumPy; otherwise (1,), as in MXNet */
  KeyPart part[MOST_KEY_PARTS];
} Key;

extern const KeyPart KEY_WHOLE;               /* ":" */

/* ---- Text ---- */

bool key_part_read(const char **at, KeyPart *out);   /* one part, up to a comma or the end; false if it is not one */
bool key_read(const char *text, Key *out);           /* "1:3, ::2, -1", "..., 0", "@, None" */
void key_print(const Key *key, Text *out);           /* a text that key_read accepts */

bool key_equal(const Key *a, const Key *b);
size_t key_bytes(const Key *key);                       /* of a copy, without capacity for further parts */

/* Number of index arrays. */
static inline int key_arrays(const Key *key) {
  int n = 0;
  for (int i = 0; i < key->n; i++) n += key->part[i].kind == KEY_ARRAY;
  return n;
}

/* ---- Against a shape ---- */

/* The elements that a key selects. Index arrays are not part of `region`: element (i0, i1, ..) is at the region's
** offset and strides (0 for the arrays' axes), plus each array's index times the stride of its `axis` in x. */
typedef struct Selection {
  Region region;                /* its shape is that of x[key] */
  int first, chosen;            /* axes [first, first + chosen) of it come from the index arrays */
  int n_arrays;
  int axis[MAX_DIMS];           /* the axis of x that each index array indexes */
} Selection;

/* `arrays` is the shape to which the index arrays broadcast. If a shape is known in part, so is the selection; if ndim
** is unknown, only conditions independent of shapes are checked. Errors begin with "index: ". */
Status key_select(const Key *key, const Shape *x, const Shape *arrays, Selection *out);

/* The offset of the selection's first element in x; 0 if it is empty. */
static inline size_t selection_begin(const Selection *s) {
  return shape_size(&s->region.shape) > 0 ? (size_t)s->region.offset : 0;
}

/* Fails, naming the position and the axis. */
Status key_out_of_range(int64_t place, int axis, const Shape *x);

#endif
