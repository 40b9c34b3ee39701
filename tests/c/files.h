/* files.h - reading a file of the project in a native test. */
#ifndef GLASSHOUSE_TEST_FILES_H
#define GLASSHOUSE_TEST_FILES_H

#include <stdlib.h>

#include "check.h"

/* A whole file, NUL-terminated; NULL when it is not there. Free it. */
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
