/* gpt_formats.h - files of other programs: exports them and imports them.
 *
 * gpt.h includes this header, and its conventions apply. The header is separate because the
 * WebAssembly module that trains does not export these functions. A second module
 * (build/wasm-questions) does: it computes traces, exports and earlier steps of a run while the
 * first module trains. An export converts the weights that gpt_save_open("weights") writes. An
 * import converts a file to the files of a transformers model, which gpt_load_open and
 * gpt_config_import read. Both convert in pieces and need no model in memory.
 */
#ifndef GLASSHOUSE_GPT_FORMATS_H
#define GLASSHOUSE_GPT_FORMATS_H

#include "api/gpt.h"

/* A conversion of a model to (gpt_export) or from (gpt_import) the format of another program. Needs
 * no trainer and no recipe. */
typedef struct gpt_export gpt_export;
typedef struct gpt_import gpt_import;

/* ---- Export ----------------------------------------------------------------------------------
 *
 * Repeat gpt_export_feed and gpt_export_take until gpt_export_done returns 1. */

/* Creates an export to a format of EXPORT_FORMATS (formats/formats.h), by its name. `bytes` is the
 * size of the file of weights. Returns NULL for another name, an impossible size, or if memory is
 * refused. */
GPT_API gpt_export *gpt_export_open(const char *form, double bytes);
GPT_API void gpt_export_free(gpt_export *e);

/* Sets a field of the format "template"; copies both strings. The field "template" is the template
 * itself, which refers to the other fields by name (grammar: formats/template.c). If a name is set
 * twice, the first text is used. Errors: GPT_E_ARGUMENT after the first gpt_export_feed, for more
 * than 16 fields, or if memory is refused. */
GPT_API int gpt_export_set_field(gpt_export *e, const char *name, const char *text);

/* Feeds the next bytes of the weights, from the beginning of the file. Returns the count of bytes
 * read; if it is below `bytes`, call gpt_export_take before feeding the others. After a failure of
 * this function or of gpt_export_take both return GPT_E_STATE. Errors: GPT_E_FORMAT, with the name
 * of an option that the format lacks; GPT_E_FORMAT_BYTES if tokens are characters and the text has
 * bytes that are not UTF-8; if the file is damaged GPT_E_FILE, GPT_E_FILE_...,
 * GPT_E_TENSOR_..., GPT_E_TRUNCATED, GPT_E_BPE_..., GPT_E_VOCABULARY_..., GPT_E_OPTION,
 * GPT_E_RANGE, GPT_E_WHOLE, GPT_E_HEADS, GPT_E_CHANGES, GPT_E_RECEIPT..., GPT_E_FORK_DEPTH. */
GPT_API double gpt_export_feed(gpt_export *e, const void *piece, size_t bytes);

/* Writes the next bytes of the exported file to `out`, which must have 128 bytes or more. Returns
 * their count; 0 if the export needs more weights, and at the end. Errors: GPT_E_TENSOR_NUMBER (a
 * weight is too large for the number type of the format). */
GPT_API int gpt_export_take(gpt_export *e, void *out, size_t capacity);

/* Returns the size of the exported file in bytes; 0 until the header of the weights is fed. */
GPT_API double gpt_export_size(const gpt_export *e);

/* Returns 1 once the whole exported file is written, else 0. Weights that were not fed until then
 * are not needed. */
GPT_API int gpt_export_done(const gpt_export *e);

/* gpt_export_error_json writes the last failure of this export as JSON (see gpt_config_error),
 * gpt_export_message as an English sentence (see gpt_config_message). */
GPT_API int gpt_export_error_json(const gpt_export *e, char *out, size_t capacity);
GPT_API int gpt_export_message(const gpt_export *e, char *out, size_t capacity);

/* ---- Import ----------------------------------------------------------------------------------
 *
 * Repeat until gpt_import_wants and gpt_import_take both return 0: feed at most gpt_import_wants
 * bytes of the file, from the offset gpt_import_at on, and read the converted bytes with
 * gpt_import_take. */

/* Returns 1 if a file that begins with these bytes has a known format, else 0. `bytes` is 16, or
 * the size of a smaller file. */
GPT_API int gpt_import_knows(const void *first, size_t bytes);

/* Creates an import of a file of `bytes` bytes, in any known format, which is recognised from the
 * contents of the file. NULL for an impossible size or if memory is refused. */
GPT_API gpt_import *gpt_import_open(double bytes);
GPT_API void gpt_import_free(gpt_import *i);

/* Return the offset in the file of the bytes that are needed next, and their count. These bytes may
 * be fed in smaller pieces. If the count is 0, no bytes are needed before the next gpt_import_take,
 * and the offset has no meaning. */
GPT_API double gpt_import_at(const gpt_import *i);
GPT_API double gpt_import_wants(const gpt_import *i);

/* Feeds bytes from offset gpt_import_at of the file. Returns the count of bytes read, which may be
 * below `bytes`. After a failure of this function or of gpt_import_take both return GPT_E_STATE.
 * Errors: GPT_E_FILE if the format is unknown or the file is damaged; GPT_E_FILE_...,
 * GPT_E_TRUNCATED, GPT_E_TENSOR_..., GPT_E_BPE_... if it is damaged; GPT_E_UNSUPPORTED, with the
 * name of a feature of the file that is not supported; GPT_E_RANGE, GPT_E_WHOLE or GPT_E_CHOICE,
 * with the name of a setting that has an impossible value. */
GPT_API double gpt_import_feed(gpt_import *i, const void *piece, size_t bytes);

/* Returns the size of the converted model.safetensors in bytes; 0 until it is known. */
GPT_API double gpt_import_size(const gpt_import *i);

/* Writes the next bytes of model.safetensors to `out`, which must have 256 bytes or more. Returns
 * their count; 0 if the import needs more bytes, and at the end. Errors: GPT_E_FILE (the file is
 * empty). */
GPT_API int gpt_import_take(gpt_import *i, void *out, size_t capacity);

/* Writes the text of "config.json", "vocab.json", "merges.txt" or "added_tokens.json". The text is
 * empty if the imported file has no such content, and before the size is known. Errors:
 * GPT_E_ARGUMENT for another name. */
GPT_API int gpt_import_text(gpt_import *i, const char *name, char *out, size_t capacity);

/* gpt_import_error_json writes the last failure of this import as JSON (see gpt_config_error),
 * gpt_import_message as an English sentence (see gpt_config_message). */
GPT_API int gpt_import_error_json(const gpt_import *i, char *out, size_t capacity);
GPT_API int gpt_import_message(const gpt_import *i, char *out, size_t capacity);

#endif
