/* gpt2_index.c - for models in several files: checks file names, and reads the index of the shards
 * of model.safetensors. See gpt2.h. */
#include "formats/gpt2.h"

#include <string.h>

#include "base/json.h"

bool gpt2_is_plain_name(const char *name, size_t length) {
    if (!length || length >= PART_FILE_NAME_MAX || name[0] == '.') {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c < 0x20 || c == '/' || c == '\\' || c == ':') {
            return false;
        }
    }
    return true;
}

static int fail_index(gpt_error *error) {
    return gpt_fail_name(error, GPT_E_FILE, "weight_map");
}

/* Reads the member "weight_map": {"wte.weight":"model-00001-of-00002.safetensors",...}. Adds each
 * shard to `files` once. */
static int read_weight_map(part_file *files, int *count, json_reader *r, gpt_error *error) {
    if (json_next(r) != JSON_OBJECT_START || *count) {
        return fail_index(error);
    }
    while (json_next(r) == JSON_KEY) {
        char name[PART_FILE_NAME_MAX] = {0};
        size_t length = json_next(r) == JSON_STRING ? json_string(r, name, sizeof name - 1) : 0;
        if (!gpt2_is_plain_name(name, length)) {
            return fail_index(error);
        }
        int i = 0;
        while (i < *count && strcmp(files[i].name, name) != 0) {
            i++;
        }
        if (i < *count) {
            continue;
        }
        if (*count == PART_FILES_MAX) {
            return fail_index(error);
        }
        memcpy(files[(*count)++].name, name, sizeof name);
    }
    return r->type == JSON_OBJECT_END && *count ? GPT_OK : fail_index(error);
}

int gpt2_read_index(part_file *files, int *file_count, const char *json, size_t bytes,
                    gpt_error *error) {
    json_reader r = json_open(json, bytes);
    *file_count = 0;
    if (json_next(&r) != JSON_OBJECT_START) {
        return fail_index(error);
    }
    int status = GPT_OK;
    while (status == GPT_OK && json_next(&r) == JSON_KEY) {
        if (json_is(&r, "weight_map")) {
            status = read_weight_map(files, file_count, &r, error);
        } else if (!json_skip(&r)) {
            break;
        }
    }
    if (status < 0) {
        return status;
    }
    bool whole = r.type == JSON_OBJECT_END && json_next(&r) == JSON_END && *file_count;
    return whole ? GPT_OK : fail_index(error);
}
