/* model_file.h - model files written by the engine, with parts replaced by the input.
 *
 * A fuzzer would not find a valid header length and table of tensors, and so never reach the code
 * behind these checks. Owns: writing the file of a small model, splitting it into parts, and
 * joining them again. The input has the parts config, tokenizer, state, note and table of tensors,
 * each up to a byte 0xFF (empty: the original part remains), then bytes that overwrite the front of
 * the data.
 */
#ifndef GLASSHOUSE_MODEL_FILE_H
#define GLASSHOUSE_MODEL_FILE_H

#include "api/gpt.h"
#include "base/json.h"
#include "base/text_buffer.h"
#include "fuzz.h"

static const char TEXT[] = "the cat sat on the mat\nthe rat ran\nthat cat had a hat\na bat\n";
enum { TEXT_BYTES = sizeof TEXT - 1, PARTS = 5, FILE_MAX = 1 << 18 };

/* A file that the engine has written, and its parts. */
typedef struct model_file {
    char bytes[FILE_MAX];
    size_t size, header, data; /* of the file; offsets of header and data */
    fuzz_part part[PARTS];     /* of the header, unescaped; the last: the table as written */
} model_file;

static const char *const KEYS[PARTS] = {"glasshouse.config", "glasshouse.tokenizer",
                                        "glasshouse.state", "glasshouse.note", NULL};

/* Saves a trainer in a form to `out` (FILE_MAX). Returns the size in bytes. */
static inline size_t save(gpt_trainer *t, const char *form, const char *note, char *out) {
    gpt_saver *s = gpt_save_open(t, form, note, strlen(note));
    REQUIRE(s != NULL);
    size_t size = (size_t)gpt_save_bytes(s), at = 0;
    REQUIRE(size <= FILE_MAX);
    for (double now; (now = gpt_save_read(s, out + at, 1000)) > 0;) {
        at += (size_t)now;
    }
    REQUIRE(at == size);
    gpt_save_free(s);
    return size;
}

/* Splits a header of the engine into parts: metadata first, then the tensors. */
static inline void take_apart(model_file *f) {
    uint64_t length = 0;
    memcpy(&length, f->bytes, 8);
    f->header = 8;
    f->data = 8 + (size_t)length;
    json_reader r = json_open(f->bytes + f->header, (size_t)length);
    REQUIRE(json_next(&r) == JSON_OBJECT_START && json_next(&r) == JSON_KEY);
    REQUIRE(json_next(&r) == JSON_OBJECT_START);
    while (json_next(&r) == JSON_KEY) {
        int which = 0;
        while (which < PARTS - 1 && !json_is(&r, KEYS[which])) {
            which++;
        }
        REQUIRE(json_next(&r) == JSON_STRING);
        if (which < PARTS - 1) {
            f->part[which] = (fuzz_part){malloc(r.size + 1), 0};
            f->part[which].bytes = json_string(&r, f->part[which].text, r.size);
        }
    }
    const char *table = f->bytes + f->header + r.at + 1; // after the comma
    const char *end = f->bytes + f->data;
    while (end[-1] != '}') {
        end--;
    }
    f->part[PARTS - 1] = fuzz_copy(table, (size_t)(end - 1 - table), false);
}

/* Options of a small model, and the form of its file. */
typedef struct small_model {
    const char *preset;
    int tokenizer, sequences, channels;
    const char *form;
} small_model;

/* Trains a small model for two steps and returns its file, which is never freed. */
static inline model_file *make_model_file(const small_model *m) {
    gpt_config *c = gpt_config_create(m->preset);
    REQUIRE(c != NULL);
    const struct {
        const char *option;
        double value;
    } options[] = {{"tokenizer", m->tokenizer},
                   {"sequences", m->sequences},
                   {"channels", m->channels},
                   {"layers", 1},
                   {"heads", 1},
                   {"context", 4},
                   {"batch", 2},
                   {"vocabulary", 258}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        REQUIRE(gpt_config_set(c, options[i].option, options[i].value) == GPT_OK);
    }
    gpt_trainer *t = gpt_trainer_create(c, TEXT, TEXT_BYTES);
    REQUIRE(t != NULL && gpt_step(t) == GPT_OK && gpt_step(t) == GPT_OK);
    model_file *file = calloc(1, sizeof *file);
    REQUIRE(file != NULL);
    file->size = save(t, m->form, "a note", file->bytes);
    take_apart(file);
    gpt_trainer_free(t);
    gpt_config_free(c);
    return file;
}

/* Writes the file with the parts of the input to `out`. Returns its size; 0 if it is too large. */
static inline size_t put_together(const model_file *f, fuzz_input *in, char out[FILE_MAX]) {
    text_buffer header = text_begin(out + 8, FILE_MAX - 8);
    text_put(&header, "{\"__metadata__\":{\"format\":\"pt\"");
    for (int i = 0; i < PARTS; i++) {
        fuzz_part given = fuzz_until_mark(in, false);
        const fuzz_part *part = given.bytes ? &given : &f->part[i];
        if (KEYS[i] && part->text) {
            text_put(&header, ",");
            text_put_json_string(&header, KEYS[i]);
            text_put(&header, ":");
            text_put_json_bytes(&header, part->text, part->bytes);
        } else if (!KEYS[i]) {
            text_put(&header, "},");
            text_put_bytes(&header, part->text, part->bytes);
        }
        free(given.text);
    }
    text_put(&header, "}");
    uint64_t length = text_end(&header);
    size_t data = f->size - f->data;
    if (length + data + 8 >= FILE_MAX) {
        return 0;
    }
    memcpy(out, &length, 8);
    memcpy(out + 8 + length, f->bytes + f->data, data);
    size_t over = in->size - in->at;
    if (over) {
        memcpy(out + 8 + length, in->data + in->at, over < data ? over : data);
    }
    return 8 + (size_t)length + data;
}

#endif
