/* embedded_files.h - the Lua files of lua/hybridlua as C data: text from tools/embed.sh and, for ./hybridlua, bytecode
** from tools/chunks.c.
*/
#ifndef HL_BIND_HOST_EMBEDDED_FILES_H
#define HL_BIND_HOST_EMBEDDED_FILES_H

#include <stddef.h>

typedef struct EmbeddedFile {
  const char *module;      /* "hybridlua.gluon.block"; NULL ends the list */
  const char *path;        /* "hybridlua/gluon/block.lua" */
  const char *text;
  size_t size;
} EmbeddedFile;

extern const EmbeddedFile embedded_files[];

/* The bytecode of a file: ./hybridlua has one for each of embedded_files, in the same order. */
typedef struct EmbeddedChunk {
  const unsigned char *bytes;
  size_t size;
} EmbeddedChunk;

extern const EmbeddedChunk embedded_chunks[];

/* Makes files load from bytecode instead of text, for a program with the Lua version that compiled them. */
void embedded_use(const EmbeddedChunk *chunks);

#endif
