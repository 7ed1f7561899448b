/* tape_anchor.h - references from arrays to the Lua objects on their tape.
**
** The tape is in C; an autograd.Function on it is a Lua object (autograd_function.c). If C held the object, one that
** refers to its own output would never be freed, because Lua's collector cannot follow the path from the array through
** the tape back to the object. So the tape's node has only a WeakHandle, and Lua holds the object: an Anchor is a
** userdata with the object and the anchors of its inputs. Each array with such a node among its tape ancestors has an
** anchor, in a table with weak keys. So the collector sees all references among Lua objects, and the object is alive
** when a backward needs it: the caller has an array computed from the node, hence its anchor, hence the object.
**
** Invariant: if inputs of a recorded operation have anchors, its outputs have one that refers to all of them.
** Additional references do no harm, because an anchor is freed with its arrays.
*/
#ifndef HL_BIND_CORE_TAPE_ANCHOR_H
#define HL_BIND_CORE_TAPE_ANCHOR_H

#include "bind/core/lua_object.h"

/* The link between a node and its anchor, which may be freed in either order. */
typedef struct WeakHandle WeakHandle;
struct State;

/* Pushes an anchor for the object at index `object`, which was called with the arrays `in`. */
void push_object_anchor(lua_State *L, int object, Array *const *in, int n_in);

/* The weak handle of the anchor at index `anchor`, for a node to retain and release. */
WeakHandle *anchor_handle(lua_State *L, int anchor);
void *weak_handle_retain(void *link);
void weak_handle_release(void *link);

/* Keeps the object at index `object` alive until settle_anchors finds that its handle, which the caller owns, was
** released. */
WeakHandle *hold_object(lua_State *L, int object);

/* Pushes the weak handle's object; false, with nothing pushed, if it was collected. */
bool push_handled_object(lua_State *L, const WeakHandle *link);

/* Pushes an anchor that refers to those of the arrays, skipping NULLs; false, with nothing pushed, if they have
** none. */
bool push_anchor_of(lua_State *L, Array *const *in, int n_in);

/* Replaces the anchor (or nil) at index `anchor` by one that also refers to those of the arrays. */
void join_anchors(lua_State *L, int anchor, Array *const *in, int n_in);

void set_anchor(lua_State *L, int array, int anchor);
void drop_anchor(lua_State *L, int array);

/* Releases the objects of nodes that were freed, for example by a backward. */
void settle_anchors(lua_State *L);

/* Releases the weak handles that settle_anchors would, for a Lua state that ends. */
void weak_handles_forget(struct State *s);

void open_anchor(lua_State *L);

#endif
