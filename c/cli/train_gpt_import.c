/* train_gpt_import.c - converts a model file of another program to files of transformers.
 *
 * The weights are written to a temporary model.safetensors, which the loader then reads. The
 * options in config.json and the vocabulary are set directly in the recipe (gpt_config).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/train_gpt.h"

/* Size of the buffer for a text file, such as vocab.json, that is extracted from the model file. A
 * longer text counts as missing. For comparison: GPT-2's vocab.json has 1 MB. */
enum { TEXT_BYTES = 32 << 20 };

static int complain_of_import(const char *path, const gpt_import *import) {
    char message[512];
    (void)gpt_import_message(import, message, sizeof message);
    return complain(path, message);
}

/* Feeds the model file to the import, from the offsets that gpt_import_at returns, and writes the
 * converted safetensors file to `out`. `piece` is a buffer of PIECE_BYTES bytes; error messages
 * name `path`. */
static int pass(gpt_import *import, FILE *file, FILE *out, char *piece, const char *path) {
    double wants = 1;
    int got = 1;
    while (wants > 0 || got > 0) {
        double at = gpt_import_at(import);
        wants = gpt_import_wants(import);
        size_t now = wants < PIECE_BYTES ? (size_t)wants : PIECE_BYTES;
        if (now && (fseek(file, (long)at, SEEK_SET) != 0 || fread(piece, 1, now, file) != now)) {
            return complain(path, ferror(file) ? strerror(errno) : "the file ends early");
        }
        double taken = now ? gpt_import_feed(import, piece, now) : 0;
        got = taken < 0 ? 0 : gpt_import_take(import, piece, PIECE_BYTES);
        if (taken < 0 || got < 0) {
            return complain_of_import(path, import);
        }
        if (fwrite(piece, 1, (size_t)got, out) != (size_t)got) {
            return complain_of_system(path, errno);
        }
    }
    return EXIT_SUCCESS;
}

/* Extracts the text file `name`, such as "vocab.json", from the model file (gpt_import_text). The
 * caller frees the text. Returns NULL if the model file does not contain this text, or if memory is
 * refused. */
static char *text_of(gpt_import *import, const char *name) {
    char *text = malloc(TEXT_BYTES);
    int length = text ? gpt_import_text(import, name, text, TEXT_BYTES) : 0;
    if (length > 0) {
        return text;
    }
    free(text);
    return NULL;
}

/* Sets in `config` first the vocabulary, then the options of the model, both from text files that
 * the import extracts from the model file. Error messages name `path`. */
static int set_texts(gpt_config *config, gpt_import *import, const char *path) {
    char *json = text_of(import, "config.json"), *vocab = text_of(import, "vocab.json");
    char *merges = text_of(import, "merges.txt"), *added = text_of(import, "added_tokens.json");
    int status = GPT_OK;
    if (vocab) {
        status = gpt_config_set_bpe(config, vocab, strlen(vocab), merges,
                                    merges ? strlen(merges) : 0, added, added ? strlen(added) : 0);
    }
    if (status == GPT_OK && json) {
        status = gpt_config_import(config, json, strlen(json));
    }
    free(json);
    free(vocab);
    free(merges);
    free(added);
    return status < 0 ? complain_of_config(path, config) : EXIT_SUCCESS;
}

bool is_foreign(const char *path) {
    char first[BEGINNING];
    return gpt_import_knows(first, read_beginning(path, first));
}

FILE *open_foreign(const char *path, gpt_config *config) {
    FILE *file = fopen(path, "rb"), *out = tmpfile();
    char *piece = malloc(PIECE_BYTES);
    gpt_import *import = NULL;
    int status = file && out && piece ? EXIT_SUCCESS : complain_of_system(path, errno);
    long size = 0;
    if (status == EXIT_SUCCESS) {
        size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
        import = size < 0 ? NULL : gpt_import_open((double)size);
        status = import ? EXIT_SUCCESS : complain_of_system(path, errno);
    }
    status = status == EXIT_SUCCESS ? pass(import, file, out, piece, path) : status;
    status = status == EXIT_SUCCESS ? set_texts(config, import, path) : status;
    gpt_import_free(import);
    free(piece);
    if (file) {
        (void)fclose(file);
    }
    if (out && status != EXIT_SUCCESS) {
        (void)fclose(out);
        return NULL;
    }
    if (out) {
        rewind(out);
    }
    return out;
}
