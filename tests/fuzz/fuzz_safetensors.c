/* fuzz_safetensors.c - the container: its prefix, table of tensors, metadata and data. The ranges
 * of an accepted file cover the data exactly, and its numbers do not depend on the sizes of the
 * pieces.
 *
 * Input: one byte (1: the file has its own prefix), one byte for the pieces, then the file; without
 * a prefix of its own the header ends at a byte 0xFF. */
#include "fuzz.h"
#include "io/safetensors.h"

/* Binds every tensor to new memory, which `memory` lists; tensors of other types or shapes are
 * skipped. `exact`: floats must be F32. */
static void bind(tensor_file *f, void **memory, bool exact) {
    for (size_t i = 0; i < f->count; i++) {
        file_tensor *t = &f->tensors[i];
        static const target_kind kinds[FILE_TYPE_COUNT] = {[FILE_F32] = INTO_FLOAT,
                                                           [FILE_F16] = INTO_FLOAT,
                                                           [FILE_BF16] = INTO_FLOAT,
                                                           [FILE_F64] = INTO_DOUBLE,
                                                           [FILE_I32] = INTO_INT};
        target_kind kind = kinds[t->type];
        kind = exact && kind == INTO_FLOAT ? INTO_FLOAT_EXACT : kind;
        bool matrix = t->dims == 2 && t->shape[0];
        uint64_t rows = matrix ? t->shape[0] : 0, columns = t->dims ? t->shape[t->dims - 1] : 1;
        uint64_t size = tensor_file_size(t);
        memory[i] = calloc((size_t)size + 1, sizeof(double));
        REQUIRE(memory[i] != NULL);
        gpt_error error = {0};
        bool crop = matrix && rows > 1;
        int status = tensor_file_bind(t, kind, memory[i], matrix ? rows - crop : 0, columns, crop,
                                      &error);
        REQUIRE(status == GPT_OK || status == GPT_E_TENSOR_SHAPE || status == GPT_E_TENSOR_TYPE);
        REQUIRE(status == error.status);
        REQUIRE(status < 0 || t->count <= size);
    }
}

/* Feeds the data in pieces. With `compare` the numbers must equal `expected`; otherwise sets
 * `expected`, whose memory the caller frees. */
static void feed(tensor_file *f, const fuzz_part *data, fuzz_pieces pieces, void **expected,
                 bool compare) {
    void **memory = calloc(f->count + 1, sizeof(void *));
    REQUIRE(memory != NULL);
    bind(f, memory, !compare);
    f->at = f->current = f->carried = 0;
    for (size_t at = 0; at < data->bytes;) {
        size_t now = fuzz_piece(&pieces, data->bytes - at);
        char *piece = malloc(now);
        REQUIRE(piece != NULL);
        memcpy(piece, data->text + at, now);
        REQUIRE(tensor_file_feed(f, piece, now, NULL) == GPT_OK);
        free(piece);
        at += now;
    }
    REQUIRE(tensor_file_done(f));
    gpt_error error = {0};
    REQUIRE(tensor_file_feed(f, "x", 1, &error) == GPT_E_FILE_LONG);
    for (size_t i = 0; i < f->count; i++) {
        const file_tensor *t = &f->tensors[i];
        size_t bytes = ((size_t)tensor_file_size(t) + 1) * sizeof(double);
        // The pass that set `expected` refused half precision, so those tensors are not compared.
        if (compare && t->kind != INTO_NOTHING && (t->type != FILE_F16 && t->type != FILE_BF16)) {
            REQUIRE(memcmp(memory[i], expected[i], bytes) == 0);
        }
        if (compare) {
            free(memory[i]);
        } else {
            expected[i] = memory[i];
        }
    }
    free(memory);
}

static void check_table(tensor_file *f, uint64_t data_bytes) {
    uint64_t end = 0;
    for (size_t i = 0; i < f->count; i++) {
        const file_tensor *t = &f->tensors[i];
        REQUIRE(t->begin == end && t->end >= t->begin);
        REQUIRE(t->end - t->begin == tensor_file_size(t) * tensor_file_type_bytes(t->type));
        REQUIRE(strlen(t->name) > 0 && tensor_file_find(f, "", t->name) == t);
        end = t->end;
    }
    REQUIRE(end == data_bytes);
    REQUIRE(tensor_file_find(f, "no tensor is ", "called so") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_open(data, size);
    bool own_prefix = fuzz_choice(&in, 2) == 1;
    fuzz_pieces pieces = fuzz_pieces_from(fuzz_choice(&in, 256));
    gpt_error error = {0};
    fuzz_part header;
    if (own_prefix) {
        unsigned char prefix[SAFETENSORS_PREFIX];
        size_t left = size - in.at, length = 0;
        if (left < sizeof prefix) {
            return 0;
        }
        memcpy(prefix, in.data + in.at, sizeof prefix);
        in.at += sizeof prefix;
        int status = safetensors_header_length(prefix, left, &length, &error);
        REQUIRE(status == error.status);
        if (status < 0) {
            return 0;
        }
        REQUIRE(length >= 2 && length <= left - sizeof prefix);
        header = fuzz_copy(in.data + in.at, length, false);
        in.at += length;
    } else {
        header = fuzz_until_mark(&in, false);
    }
    fuzz_part rest = fuzz_rest(&in);
    tensor_file f;
    int status = safetensors_open(&f, header.text, header.bytes, rest.bytes, &error);
    REQUIRE(status == error.status && status <= GPT_OK);
    json_reader value;
    if (safetensors_metadata(header.text, header.bytes, "format", &value)) {
        REQUIRE(value.type == JSON_STRING && value.start >= header.text &&
                value.start + value.size <= header.text + header.bytes);
    }
    if (status == GPT_OK) {
        check_table(&f, rest.bytes);
        void **expected = calloc(f.count + 1, sizeof(void *));
        REQUIRE(expected != NULL);
        feed(&f, &rest, fuzz_pieces_from(0), expected, false);
        feed(&f, &rest, pieces, expected, true);
        for (size_t i = 0; i < f.count; i++) {
            free(expected[i]);
        }
        free(expected);
    }
    tensor_file_close(&f);
    free(header.text);
    free(rest.text);
    return 0;
}
