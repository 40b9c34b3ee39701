/* gpt_formats.h - a further part of the public interface: files of other programs, in and out.
 *
 * gpt.h includes it, so clients name that one alone. It is a file of its own because only the
 * module for questions (build/wasm-questions) has formats. They need no model in memory: what goes
 * out is made from the weights as gpt_save_open("weights") writes them, and what comes in becomes
 * the folder that transformers would have, which gpt_load_open reads. Both stream: pieces in,
 * pieces out. */
#ifndef GLASSHOUSE_GPT_FORMATS_H
#define GLASSHOUSE_GPT_FORMATS_H

#include "api/gpt.h"

typedef struct gpt_export gpt_export;
typedef struct gpt_import gpt_import;

/* ---- Out ------------------------------------------------------------------------------------- */

/* A file to be made in this form, by the names of EXPORT_FORMATS (formats/formats.h), of weights of
 * `bytes`. NULL for another name, or without memory. */
GPT_API gpt_export *gpt_export_open(const char *form, double bytes);
GPT_API void gpt_export_free(gpt_export *e);

/* Sets a field of the form "template", before anything is fed: the template itself under the name
 * "template", and what it asks for (its grammar is in formats/template.c). The first of a name
 * counts. GPT_E_ARGUMENT after the first bytes or 16 fields, or without memory. */
GPT_API int gpt_export_set_field(gpt_export *e, const char *name, const char *text);

/* Takes the next bytes of the weights, from the first on; answers how many it took, fewer than
 * `bytes` while others wait to be taken. GPT_E_FORMAT when the form has no way to say the recipe,
 * what a damaged file is refused for, GPT_E_ALLOCATION. After a failure: GPT_E_STATE. */
GPT_API double gpt_export_feed(gpt_export *e, const void *piece, size_t bytes);

/* Writes the next bytes of the file, at most `capacity` (128 or more); answers how many, 0 when
 * more must be fed first or all was taken. GPT_E_TENSOR_NUMBER for a weight that the form cannot
 * say. */
GPT_API int gpt_export_take(gpt_export *e, void *out, size_t capacity);

/* Bytes of the whole file: known once the header of the weights was fed, 0 before. */
GPT_API double gpt_export_size(const gpt_export *e);

/* 1 when all was taken. The rest of the weights need not be fed. */
GPT_API int gpt_export_done(const gpt_export *e);

/* The last failure, as gpt_config_error and gpt_config_message. */
GPT_API int gpt_export_error_json(const gpt_export *e, char *out, size_t capacity);
GPT_API int gpt_export_message(const gpt_export *e, char *out, size_t capacity);

/* ---- In -------------------------------------------------------------------------------------- */

/* 1 if a file that begins with these bytes (16, or all of a shorter file) is of a known format. */
GPT_API int gpt_import_knows(const void *first, size_t bytes);

/* A file of `bytes` of another program, told apart by what is in it. NULL without memory. */
GPT_API gpt_import *gpt_import_open(double bytes);
GPT_API void gpt_import_free(gpt_import *i);

/* Where the bytes lie that it needs next, and how many of them: pieces of it will do. Both are 0 at
 * the end. */
GPT_API double gpt_import_at(const gpt_import *i);
GPT_API double gpt_import_wants(const gpt_import *i);

/* Takes bytes from there; answers how many. GPT_E_FILE for a file of no known form,
 * GPT_E_UNSUPPORTED, GPT_E_TRUNCATED; GPT_E_RANGE, GPT_E_WHOLE or GPT_E_CHOICE, with its name, for
 * a size that no model has; GPT_E_ALLOCATION. After a failure: GPT_E_STATE. */
GPT_API double gpt_import_feed(gpt_import *i, const void *piece, size_t bytes);

/* Bytes of the model.safetensors that it becomes: 0 until what is in the file is known. */
GPT_API double gpt_import_size(const gpt_import *i);

/* Writes its next bytes, at most `capacity` (256 or more); answers how many, 0 when more must be
 * fed first or all was taken. */
GPT_API int gpt_import_take(gpt_import *i, void *out, size_t capacity);

/* Once the size is known, the text of "config.json", "vocab.json", "merges.txt" or
 * "added_tokens.json"; empty for what the file does not have. GPT_E_CAPACITY, GPT_E_ARGUMENT. */
GPT_API int gpt_import_text(gpt_import *i, const char *name, char *out, size_t capacity);

/* The last failure, as gpt_config_error and gpt_config_message. */
GPT_API int gpt_import_error_json(const gpt_import *i, char *out, size_t capacity);
GPT_API int gpt_import_message(const gpt_import *i, char *out, size_t capacity);

#endif
