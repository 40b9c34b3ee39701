/* files.h - reads files of the repository. Test programs run from its root. */
#ifndef GLASSHOUSE_TEST_FILES_H
#define GLASSHOUSE_TEST_FILES_H

#include <stdlib.h>

#include "check.h"

/* Returns the content of a file, NUL-terminated, and its size without the NUL in *bytes; the caller
 * frees it. NULL and a failed check if the file cannot be opened. */
static inline char *read_file(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL)) return NULL;
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*bytes + 1);
    CHECK(fread(text, 1, *bytes, file) == *bytes);
    text[*bytes] = 0;
    fclose(file);
    return text;
}

#endif
