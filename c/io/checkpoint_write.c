/* checkpoint_write.c - writes a checkpoint's metadata and lists its tensors. See checkpoint.h. */
#include "io/checkpoint.h"

#include "io/checkpoint_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"
#include "io/json_values.h"

/* Writes the JSON of glasshouse.state, a value of the file's metadata: the fields of the run that
 * RUN_FIELDS lists for checkpoints and, for a fork, the receipt of its parent. */
static void put_state(text_buffer *out, const run_parts *from) {
    const run_state *run = from->state;
    text_put(out, "{");
    json_put_run(out, run, IN_CHECKPOINT);
    if (run->parent.runs) {
        text_put_key(out, "parent");
        text_put_bytes(out, run->parent.json, run->parent.bytes);
    }
    text_put(out, "}");
}

/* The values of the metadata glasshouse.config, glasshouse.tokenizer and glasshouse.state,
 * concatenated. */
typedef struct metadata_texts {
    char *bytes;   /* owned (malloc) */
    size_t end[3]; /* offset of the end of each value */
} metadata_texts;

/* Calls `write`, which writes vocab.json or merges.txt, and appends its output as a JSON string. */
static int put_text(text_buffer *out, const tokenizer *tok,
                    void (*write)(const tokenizer *, text_buffer *), gpt_error *error) {
    text_buffer text = text_begin(NULL, 0);
    do {
        write(tok, &text);
    } while (text_again(&text, error));
    if (!text.out) {
        return GPT_E_ALLOCATION;
    }
    text_put_json_bytes(out, text.out, text.length);
    free(text.out);
    return GPT_OK;
}

static int put_tokenizer(text_buffer *out, const tokenizer *tok, gpt_error *error) {
    int status = GPT_OK;
    text_put(out, "{");
    switch (tok->kind) {
    case TOKENIZER_BYTE:
        break;
    case TOKENIZER_CHAR:
        text_put(out, "\"codes\":[");
        for (int i = 0; i < tok->code_count; i++) {
            text_put(out, i ? "," : "");
            text_put_whole(out, tok->codes[i]);
        }
        text_put(out, "]");
        break;
    case TOKENIZER_BPE:
        text_put(out, "\"vocab\":");
        status = put_text(out, tok, tokenizer_write_vocab, error);
        text_put(out, ",\"merges\":");
        status = status < 0 ? status : put_text(out, tok, tokenizer_write_merges, error);
        break;
    }
    text_put(out, "}");
    return status;
}

/* Writes the metadata values into new memory, texts->bytes, which the caller frees. Errors:
 * GPT_E_ALLOCATION. */
static int write_texts(metadata_texts *texts, const run_parts *from, const tokenizer *tok,
                       gpt_error *error) {
    text_buffer out = text_begin(NULL, 0);
    int status;
    do {
        json_put_options(&out, &from->net->options);
        texts->end[0] = out.length;
        status = put_tokenizer(&out, tok, error);
        texts->end[1] = out.length;
        put_state(&out, from);
        texts->end[2] = out.length;
    } while (status == GPT_OK && text_again(&out, error));
    texts->bytes = out.out;
    if (status < 0) {
        free(texts->bytes);
        return status;
    }
    return texts->bytes ? GPT_OK : GPT_E_ALLOCATION;
}

static void put_source(tensor_source *s, const char *prefix, const char *name, int type,
                       uint64_t rows, uint64_t columns, const void *from) {
    text_buffer buffer = text_begin(s->name, sizeof s->name);
    text_put(&buffer, prefix);
    text_put(&buffer, name);
    text_end(&buffer);
    s->type = type;
    s->rows = rows;
    s->columns = columns;
    s->from = from;
}

static void put_param(tensor_source *s, const char *prefix, const param *p, const real *from) {
    put_source(s, prefix, p->name, FILE_F32, param_rows(p), param_columns(p), from);
}

/* Lists the tensors of the file and returns their count. A tensor of 8-byte numbers comes first, so
 * that all tensors are aligned to the size of their numbers. */
static size_t list_sources(tensor_source *s, const run_parts *from, checkpoint_form form) {
    size_t n = 0;
    if (form == FORM_CHECKPOINT) {
        put_source(&s[n++], "", "run.last", FILE_F64, 0, 3, from->state->last);
    }
    for (int i = 0; i < from->net->count; i++) {
        const param *p = &from->net->params[i];
        bool prefixed = form == FORM_TRANSFORMERS && !param_is_head(p);
        put_param(&s[n++], prefixed ? "transformer." : "", p, p->value.data);
    }
    if (form == FORM_CHECKPOINT) {
        for (int i = 0; i < from->net->count; i++) {
            const param *p = &from->net->params[i];
            put_param(&s[n++], MOMENT_PREFIX[0], p, p->moment1);
            put_param(&s[n++], MOMENT_PREFIX[1], p, p->moment2);
        }
        put_source(&s[n++], "", "run.losses", FILE_F32, 0, from->state->loss_count, from->losses);
        if (from->order_count) {
            put_source(&s[n++], "", "run.order", FILE_I32, 0, from->order_count, from->order);
        }
    }
    return n;
}

int checkpoint_write(safetensors_writer *w, const run_parts *from, const tokenizer *tok,
                     checkpoint_form form, const char *note, size_t note_bytes, gpt_error *error) {
    memset(w, 0, sizeof *w);
    metadata_texts texts;
    int status = write_texts(&texts, from, tok, error);
    if (status < 0) {
        return status;
    }
    size_t room = 3 * (size_t)from->net->count + 3;
    tensor_source *sources = calloc(room, sizeof *sources);
    if (!sources) {
        free(texts.bytes);
        return gpt_fail_allocation(error, room * sizeof *sources);
    }
    const size_t *end = texts.end;
    metadata_entry metadata[] = {
        {"format", "pt", 2}, // transformers refuses files without this entry
        {KEY_CONFIG, texts.bytes, end[0]},
        {KEY_TOKENIZER, texts.bytes + end[0], end[1] - end[0]},
        {KEY_STATE, texts.bytes + end[1], end[2] - end[1]},
        {KEY_NOTE, note, note_bytes},
    };
    size_t entries = sizeof metadata / sizeof *metadata - (note_bytes == 0);
    size_t count = list_sources(sources, from, form);
    status = safetensors_write_open(w, metadata, entries, sources, count, error);
    free(texts.bytes);
    return status;
}
