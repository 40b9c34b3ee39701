/* test_safetensors.c - hostile headers are refused with a status, before memory is allocated for
 * their entries. */
#include <stdlib.h>

#include "check.h"
#include "formats/gpt2.h"
#include "io/safetensors.h"

/* The status of safetensors_open for a header that `data_bytes` of tensor data follow. */
static int header_status(const char *header, size_t data_bytes) {
    tensor_file f;
    gpt_error error = {0};
    int status = safetensors_open(&f, header, strlen(header), data_bytes, &error);
    tensor_file_close(&f);
    return status;
}
int main(void) {
    TEST("hostile headers are refused with a status") {
        static const struct {
            const char *header;
            size_t data;
        } table[] = {
            {"", 0},
            {"[]", 0},
            {"{", 0},
            {"{}x", 0},
            {"{\"a\":1}", 0},
            {"{\"a\":{}}", 0},
            {"{\"__metadata__\":{\"a\":1}}", 0},
            {"{\"__metadata__\":[]}", 0},
            {"{\"__metadata__\":{},\"__metadata__\":{}}", 0},
            {"{\"\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4},
            {"{\"a\":{\"dtype\":\"F33\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,8]}}", 8},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}", 4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 3},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 5},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}", 8},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}", 4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1.5],\"data_offsets\":[0,6]}}", 6},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"shape\":[1]}}", 4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}", 4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}", 4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":1,\"data_offsets\":[0,4]}}", 4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,4]}}", 4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}}",
             0},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4503599627370496,4096],\"data_offsets\":[0,0]}}",
             0},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[9007199254740993e99],\"data_offsets\":[0,4]}}",
             4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
             "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
             4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
             "\"\\u0061\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
             8},
            {"{\"a\\u0000b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4},
            {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":[[[[[[[[[[[[[[[["
             "[[[[[[[[[[[[[[[["
             "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
             "[[[[[[[[[[[",
             4},
        };
        for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
            if (!CHECK(header_status(table[i].header, table[i].data) < 0))
                printf("%s\n", table[i].header);
        }
        CHECK_INT(header_status("{}", 0), GPT_OK);
        CHECK_INT(
            header_status("{\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}  ", 4),
            GPT_OK);
        CHECK_INT(
            header_status("{\"a\":{\"dtype\":\"F32\",\"shape\":[0,5],\"data_offsets\":[0,0]}}", 0),
            GPT_OK);
        const unsigned char huge[8] = {255, 255, 255, 255, 255, 255, 255, 127}, three[8] = {3};
        size_t length;
        CHECK_INT(safetensors_header_length(huge, 1000, &length, NULL), GPT_E_FILE_HEADER);
        CHECK_INT(safetensors_header_length(huge, UINT64_MAX, &length, NULL), GPT_E_FILE_HEADER);
        CHECK_INT(safetensors_header_length(three, 10, &length, NULL), GPT_E_FILE_HEADER);
        CHECK_INT(safetensors_header_length(three, 7, &length, NULL), GPT_E_FILE_HEADER);
        CHECK_INT(safetensors_header_length(three, 11, &length, NULL), GPT_OK);
    }

    TEST("a header of a million empty entries is refused before memory is allocated for them") {
        enum { ENTRIES = 1000000 };
        char *header = malloc(7 * ENTRIES + 64);
        tensor_file file;
        gpt_error error = {0};
        size_t at = 0;
        header[at++] = '{';
        for (int i = 0; i < ENTRIES; i++) {
            memcpy(header + at, i ? ",\"a\":{}" : "\"a\":{}", i ? 7 : 6);
            at += i ? 7 : 6;
        }
        header[at++] = '}';
        CHECK_INT(safetensors_open(&file, header, at, 0, &error), GPT_E_FILE_HEADER);
        CHECK(file.tensors == NULL);
        at = (size_t)sprintf(header,
                             "{\"format\":\"gpt2-raw\",\"version\":1,\"config\":{\"n_vocab\":256,"
                             "\"n_ctx\":4,\"n_embd\":4,\"n_head\":1,\"n_layer\":1},"
                             "\"files\":[{\"name\":\"a\",\"bytes\":0}],\"tensors\":[0");
        while (at < 7 * ENTRIES) {
            memcpy(header + at, ",0", 2);
            at += 2;
        }
        memcpy(header + at, "]}", 2);
        config c = {0};
        int vocab, files;
        part_file *list = calloc(PART_FILES_MAX, sizeof *list);
        CHECK_INT(gpt2_read_raw(&file, &c, &vocab, list, &files, header, at + 2, &error),
                  GPT_E_FILE_HEADER);
        free(list);
        free(header);
    }
    return check_report();
}
