/* embedded_files.h - the Lua files of lua/hybridlua, made into C by tools/embed.sh, and for the program by tools/chunks.c. */
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

/* A file as Lua compiles it: the program has one for each of embedded_files, in their order. */
typedef struct EmbeddedChunk {
  const unsigned char *bytes;
  size_t size;
} EmbeddedChunk;

extern const EmbeddedChunk embedded_chunks[];

/* From here on files are loaded from these, not from their text: for a program that holds the Lua that made them. */
void embedded_use(const EmbeddedChunk *chunks);

#endif
