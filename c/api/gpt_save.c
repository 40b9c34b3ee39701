/* gpt_save.c - savers, and the hash of a text. See the section Files of gpt_files.h.
 *
 * Chooses the parts of a run for each form and checks that the form can store the run. c/io and
 * c/formats write the bytes. */
#include "api/handles.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text_buffer.h"
#include "io/checkpoint.h"
#include "formats/gpt2.h"

/* Names of the forms of gpt_save_open, in the order of checkpoint_form and then save_form. */
static const char *const SAVE_FORMS[] = {"checkpoint",           "weights",    "model.safetensors",
                                         "config.json",          "vocab.json", "merges.txt",
                                         "tokenizer_config.json"};
typedef enum save_form {
    SAVE_CONFIG = FORM_TRANSFORMERS + 1,
    SAVE_VOCAB,
    SAVE_MERGES,
    SAVE_TOKENIZER_CONFIG
} save_form;
enum { SAVE_FORM_COUNT = sizeof SAVE_FORMS / sizeof *SAVE_FORMS };

/* Writes a file of tensors (`writer`), or a text file (`text`). */
struct gpt_saver {
    gpt_trainer *trainer; /* borrowed */
    uint64_t step;        /* step of the trainer when the saver was opened */
    safetensors_writer writer;
    char *text;                 /* owned (malloc): the whole file; NULL: a file of tensors */
    size_t text_bytes, text_at; /* size; bytes written so far */
};

// Limit of a note in bytes: notes are for names and settings of the client, not for whole files.
static const size_t NOTE_BYTES_MAX = 1u << 20;

/* Checks that a file of this form can store the run. Errors: GPT_E_EXPORT (GPT-2 lacks an option of
 * the recipe), GPT_E_NO_TEXT (a checkpoint of a trainer that only generates), GPT_E_STATE (GPT-2's
 * vocabulary files, but tokens are characters). */
static int check_form(int form, const trainer *run, gpt_error *error) {
    if (form == FORM_TRANSFORMERS || form == SAVE_CONFIG) {
        return gpt2_check_export(&run->net.options, error);
    }
    if (form == FORM_CHECKPOINT && run->frozen) {
        return gpt_fail_name(error, GPT_E_NO_TEXT, "");
    }
    bool characters = run->data.tokenizer.kind == TOKENIZER_CHAR;
    bool bytes = form == SAVE_VOCAB || form == SAVE_MERGES;
    return bytes && characters ? gpt_fail_name(error, GPT_E_STATE, "tokenizer") : GPT_OK;
}

/* Writes the text file of this form to `out`, or only counts its bytes if out->out is NULL. */
static void put_text_file(text_buffer *out, save_form form, const trainer *run) {
    const tokenizer *tok = &run->data.tokenizer;
    switch (form) {
    case SAVE_CONFIG:
        gpt2_write_config(out, &run->net.options, tok->vocab, tok->bos);
        break;
    case SAVE_VOCAB:
        tokenizer_write_vocab(tok, out);
        break;
    case SAVE_MERGES:
        tokenizer_write_merges(tok, out);
        break;
    case SAVE_TOKENIZER_CONFIG:
        gpt2_write_tokenizer_config(out, &run->net.options, tok->bos,
                                    // A character vocabulary needs a tokenizer.json, which
                                    // PreTrainedTokenizerFast reads and GPT2Tokenizer does not.
                                    tok->kind == TOKENIZER_CHAR ? "PreTrainedTokenizerFast"
                                                                : "GPT2Tokenizer");
        break;
    }
}

static int open_text(gpt_saver *s, save_form form, const trainer *run, gpt_error *error) {
    text_buffer out = text_begin(NULL, 0);
    do {
        put_text_file(&out, form, run);
    } while (text_again(&out, error));
    s->text = out.out;
    s->text_bytes = out.length;
    return s->text ? GPT_OK : GPT_E_ALLOCATION;
}

static int open_tensors(gpt_saver *s, trainer *run, checkpoint_form form, const char *note,
                        size_t note_bytes, gpt_error *error) {
    run_parts parts = {&run->net, &run->state, run->losses, run->data.order,
                       run->data.document_count};
    return checkpoint_write(&s->writer, &parts, &run->data.tokenizer, form, note, note_bytes,
                            error);
}

gpt_saver *gpt_save_open(gpt_trainer *t, const char *form, const char *note, size_t note_bytes) {
    if (!t) {
        return NULL;
    }
    int which = handle_find(SAVE_FORMS, SAVE_FORM_COUNT, form);
    bool bad_note = (!note && note_bytes) || note_bytes > NOTE_BYTES_MAX;
    if (which < 0 || bad_note) {
        (void)gpt_fail_name(&t->error, GPT_E_ARGUMENT, bad_note ? "note" : "form");
        return NULL;
    }
    gpt_saver *s = calloc(1, sizeof *s);
    if (!s) {
        (void)gpt_fail_allocation(&t->error, sizeof *s);
        return NULL;
    }
    s->trainer = t;
    s->step = t->run.state.step;
    int status = check_form(which, &t->run, &t->error);
    if (status == GPT_OK) {
        status = which > FORM_TRANSFORMERS ? open_text(s, (save_form)which, &t->run, &t->error)
                                           : open_tensors(s, &t->run, (checkpoint_form)which, note,
                                                          note_bytes, &t->error);
    }
    if (status < 0) {
        gpt_save_free(s);
        return NULL;
    }
    return s;
}

double gpt_save_bytes(const gpt_saver *s) {
    return !s ? GPT_E_ARGUMENT : s->text ? (double)s->text_bytes : (double)s->writer.size;
}

double gpt_save_read(gpt_saver *s, char *out, size_t capacity) {
    if (!s || !out) {
        return GPT_E_ARGUMENT;
    }
    if (s->text) {
        size_t left = s->text_bytes - s->text_at;
        size_t now = left < capacity ? left : capacity;
        memcpy(out, s->text + s->text_at, now);
        s->text_at += now;
        return (double)now;
    }
    const trainer *run = &s->trainer->run;
    if (run->state.step != s->step) {
        return gpt_fail_name(&s->trainer->error, GPT_E_STATE, "save");
    }
    return (double)safetensors_write_piece(&s->writer, out, capacity);
}

void gpt_save_free(gpt_saver *s) {
    if (s) {
        safetensors_write_close(&s->writer);
        free(s->text);
        free(s);
    }
}

int gpt_text_hash(const char *text, size_t bytes, char *out, size_t capacity) {
    if (!text && bytes) {
        return GPT_E_ARGUMENT;
    }
    text_buffer buffer = text_begin(out, capacity);
    text_put_hex(&buffer, hash_fnv1a(text, bytes), 16);
    return text_answer(&buffer, NULL);
}
