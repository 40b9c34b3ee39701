/* fuzz_format_import.c - files of other programs through gpt_import. The import of any file ends
 * with an error, or with a result of the announced size, which the loader accepts or refuses. All
 * requested bytes are within the file.
 *
 * Input: one byte for the pieces, one for the form; then the file. Form 1: a pickle, which the
 * target wraps in an archive of torch.save with two storages, because a fuzzer would rarely find
 * sizes that agree.
 */
#include "api/gpt.h"
#include "api/gpt_formats.h"
#include "base/text_buffer.h"
#include "fuzz.h"
#include "io/safetensors.h"

enum { OUT_MAX = 1 << 20, ENTRIES = 3, STORAGE_BYTES = 8192 };

/* The recipe for a file without a config.json. */
static const char CONFIG[] =
    "{\"n_layer\":1,\"n_head\":2,\"n_embd\":4,\"n_positions\":8,\"vocab_size\":256}";

/* ---- An archive around a pickle -------------------------------------------------------------- */

/* Appends the lowest `bytes` bytes of a number, little-endian. */
static void put(text_buffer *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        char byte = (char)(value >> 8 * i);
        text_put_bytes(out, &byte, 1);
    }
}

/* Appends the fields that a local header and a directory entry of a ZIP file share. */
static void put_entry(text_buffer *out, const char *name, size_t bytes) {
    put(out, 0, 4); // flags, method
    put(out, 0, 8); // time, date, checksum
    put(out, bytes, 4);
    put(out, bytes, 4);
    put(out, strlen(name), 2);
    put(out, 0, 2); // extra field
}

static void put_archive(text_buffer *out, const fuzz_part *pickle) {
    static const char *const names[ENTRIES] = {"a/data.pkl", "a/data/0", "a/data/1"};
    static const char numbers[STORAGE_BYTES] = {1, 2, 3};
    const fuzz_part data[ENTRIES] = {
        *pickle, {(char *)numbers, STORAGE_BYTES}, {(char *)numbers, STORAGE_BYTES / 64}};
    size_t places[ENTRIES];
    for (int i = 0; i < ENTRIES; i++) {
        places[i] = out->length;
        put(out, 0x04034b50, 4);
        put(out, 20, 2);
        put_entry(out, names[i], data[i].bytes);
        text_put(out, names[i]);
        text_put_bytes(out, data[i].text, data[i].bytes);
    }
    size_t directory = out->length;
    for (int i = 0; i < ENTRIES; i++) {
        put(out, 0x02014b50, 4);
        put(out, 20, 4);
        put_entry(out, names[i], data[i].bytes);
        put(out, 0, 6); // comment, disk, attributes
        put(out, 0, 4);
        put(out, places[i], 4);
        text_put(out, names[i]);
    }
    size_t bytes = out->length - directory;
    put(out, 0x06054b50, 4);
    put(out, 0, 4);
    put(out, ENTRIES, 2);
    put(out, ENTRIES, 2);
    put(out, bytes, 4);
    put(out, directory, 4);
    put(out, 0, 2);
}

static fuzz_part archive_of(const fuzz_part *pickle) {
    text_buffer out = text_begin(NULL, 0);
    do {
        put_archive(&out, pickle);
    } while (text_again(&out, NULL));
    REQUIRE(out.out != NULL);
    fuzz_part part = fuzz_copy(out.out, out.length, false);
    free(out.out);
    return part;
}

/* ---- Import ---------------------------------------------------------------------------------- */

/* Imports the whole file. Returns the size of the result, of which `out` has the first OUT_MAX
 * bytes, or -1 if the file is refused. */
static double import_all(gpt_import *i, const fuzz_part *file, fuzz_pieces pieces,
                         char out[OUT_MAX]) {
    double at = 0, size = 0;
    for (;;) {
        double from = gpt_import_at(i), wants = gpt_import_wants(i);
        REQUIRE(from >= 0 && wants >= 0 && from + wants <= (double)file->bytes);
        double taken = 0;
        if (wants > 0) {
            size_t now = fuzz_piece(&pieces, (size_t)wants);
            fuzz_part piece = fuzz_copy(file->text + (size_t)from, now, false);
            taken = gpt_import_feed(i, piece.text, now);
            REQUIRE(taken <= (double)now);
            free(piece.text);
        }
        char piece[1000];
        int got = taken < 0 ? (int)taken : gpt_import_take(i, piece, sizeof piece);
        if (got < 0) {
            REQUIRE(got != GPT_E_STATE && gpt_import_feed(i, "", 1) == GPT_E_STATE);
            char json[2048];
            REQUIRE(gpt_import_error_json(i, json, sizeof json) > 0);
            return -1;
        }
        REQUIRE(size == 0 || size == gpt_import_size(i));
        size = gpt_import_size(i);
        REQUIRE(at + got <= size);
        if (got && at + got <= OUT_MAX) {
            memcpy(out + (size_t)at, piece, (size_t)got);
        }
        at += got;
        if (got == 0 && wants == 0) {
            break;
        }
        REQUIRE(got > 0 || taken > 0); // every round makes progress
    }
    REQUIRE(at == size && size > SAFETENSORS_PREFIX);
    return at;
}

/* Loads the result as a client would, with the imported config.json or, without one, CONFIG. */
static void load(gpt_import *i, const char *out, size_t size, fuzz_pieces pieces) {
    static char text[1 << 16];
    gpt_config *c = gpt_config_create("gpt2");
    REQUIRE(c != NULL && gpt_config_set_memory_limit(c, 8 << 20) == GPT_OK);
    int length = gpt_import_text(i, "config.json", text, sizeof text);
    REQUIRE(length >= 0);
    if (length == 0) {
        length = (int)strlen(strcpy(text, CONFIG));
    }
    REQUIRE(gpt_config_import(c, text, (size_t)length) <= GPT_OK);
    gpt_loader *l = gpt_load_open(c, "safetensors", (double)size);
    size_t at = 0;
    while (l && at < size) {
        int state = gpt_load_state(l);
        size_t now = fuzz_piece(&pieces, size - at);
        double taken = gpt_load_feed(l, out + at, now);
        REQUIRE(taken <= (double)now);
        if (taken < 0) {
            break;
        }
        at += (size_t)taken;
        if (state != gpt_load_state(l) && gpt_load_begin(l, "generate", NULL, 0) < 0) {
            break;
        }
    }
    gpt_trainer_free(l && at == size ? gpt_load_finish(l) : NULL);
    gpt_load_free(l);
    gpt_config_free(c);
}

/* Checks that the result is a safetensors file: a table of tensors, then their bytes. */
static void check_header(const char *out, uint64_t size) {
    size_t length;
    gpt_error error;
    tensor_file table;
    unsigned char prefix[SAFETENSORS_PREFIX];
    memcpy(prefix, out, sizeof prefix);
    if (safetensors_header_length(prefix, size, &length, &error) < 0) {
        return; // the header is longer than the loader allows
    }
    REQUIRE(SAFETENSORS_PREFIX + length <= size);
    int status = safetensors_open(&table, out + SAFETENSORS_PREFIX, length,
                                  size - SAFETENSORS_PREFIX - length, &error);
    // The names come from the file: duplicates, __metadata__, or too long after replaced bytes.
    REQUIRE(status == GPT_OK || status == GPT_E_TENSOR_TWICE || status == GPT_E_FILE_HEADER);
    tensor_file_close(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char out[OUT_MAX];
    fuzz_input in = fuzz_open(data, size);
    fuzz_pieces pieces = fuzz_pieces_from(fuzz_choice(&in, 256));
    int form = fuzz_choice(&in, 2);
    fuzz_part file = fuzz_rest(&in);
    if (form == 1) {
        fuzz_part archive = archive_of(&file);
        free(file.text);
        file = archive;
    }
    gpt_import *i = gpt_import_open((double)file.bytes);
    REQUIRE(i != NULL);
    double written = import_all(i, &file, pieces, out);
    if (written >= 0 && written <= OUT_MAX) {
        check_header(out, (uint64_t)written);
        load(i, out, (size_t)written, pieces);
    }
    gpt_import_free(i);
    free(file.text);
    return 0;
}
