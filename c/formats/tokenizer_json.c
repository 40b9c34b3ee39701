/* tokenizer_json.c - writes the vocabulary as tokenizer.json of the tokenizers library, and the
 * three small files beside it that transformers reads.
 *
 * The tokens of a byte or BPE vocabulary are written in GPT-2's byte alphabet (bpe.h), which the
 * library's decoder ByteLevel reads. A character vocabulary is written as a BPE without merges,
 * which splits a text into single characters.
 */
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "formats/gpt2.h"

/* Writes each line of merges.txt after its header line as a JSON string. */
static void put_merges(write_plan *p) {
    text_buffer lines = text_begin(NULL, 0);
    do {
        tokenizer_write_merges(&p->model->tok, &lines);
    } while (text_again(&lines, p->error));
    if (!lines.out) {
        p->status = GPT_E_ALLOCATION;
        return;
    }
    const char *at = strchr(lines.out, '\n'), *comma = "\n      ";
    for (const char *end; at && (end = strchr(at + 1, '\n')) != NULL; at = end) {
        text_put(&p->bytes, comma);
        text_put_json_bytes(&p->bytes, at + 1, (size_t)(end - at - 1));
        comma = ",\n      ";
    }
    free(lines.out);
}

static void put_characters(write_plan *p) {
    const tokenizer *tok = &p->model->tok;
    text_put(&p->bytes, "{");
    for (int id = 0; id < tok->code_count; id++) {
        unsigned char bytes[TOKEN_BYTES_MAX];
        if (tok->codes[id] >= UTF8_ESCAPE && tok->codes[id] <= UTF8_ESCAPE + 0xFF) {
            // such a code represents a byte that is not UTF-8, which a JSON string cannot contain
            p->status = gpt_fail_name(p->error, GPT_E_FORMAT_BYTES, "");
            return;
        }
        int count = tokenizer_bytes(tok, id, bytes);
        text_put(&p->bytes, id ? "," : "");
        text_put_json_bytes(&p->bytes, (const char *)bytes, (size_t)count);
        text_put(&p->bytes, ":");
        text_put_whole(&p->bytes, (uint64_t)id);
    }
    if (tok->bos >= 0) {
        text_put(&p->bytes, ",\"<|endoftext|>\":");
        text_put_whole(&p->bytes, (uint64_t)tok->bos);
    }
    text_put(&p->bytes, "}");
}

/* Writes a byte or BPE vocabulary as a JSON object from tokens to ids: special tokens as plain
 * text, all others in the byte alphabet. Skips ids without a token (holes). */
static void put_vocabulary(write_plan *p) {
    const char *comma = "{";
    for (int id = 0; id < p->model->vocab; id++) {
        char text[EXPORT_TOKEN_MAX];
        size_t length = export_token(p->model, id, text);
        if (length > 0) {
            text_put(&p->bytes, comma);
            text_put_json_bytes(&p->bytes, text, length);
            text_put(&p->bytes, ":");
            text_put_whole(&p->bytes, (uint64_t)id);
            comma = ",";
        }
    }
    text_put(&p->bytes, "}");
}

/* Writes the post-processor that adds BOS before each sequence, for recipes whose sequences are
 * documents. */
static void put_beginning(text_buffer *out, int bos) {
    text_put(out,
             "{\"type\": \"TemplateProcessing\",\n    \"single\": [{\"SpecialToken\": {\"id\": "
             "\"<|endoftext|>\", \"type_id\": 0}}, {\"Sequence\": {\"id\": \"A\", "
             "\"type_id\": 0}}],\n    \"pair\": [{\"Sequence\": {\"id\": \"A\", \"type_id\": "
             "0}}, {\"Sequence\": {\"id\": \"B\", \"type_id\": 1}}],\n    "
             "\"special_tokens\": {\"<|endoftext|>\": {\"id\": \"<|endoftext|>\", \"ids\": [");
    text_put_whole(out, (uint64_t)bos);
    text_put(out, "], \"tokens\": [\"<|endoftext|>\"]}}}");
}

void tokenizer_json_plan(write_plan *p) {
    text_buffer *out = &p->bytes;
    const tokenizer *tok = &p->model->tok;
    bool characters = tok->kind == TOKENIZER_CHAR;
    bool documents = config_int(&p->model->options, OPT_SEQUENCES) == SEQUENCES_DOCUMENTS;
    text_put(out, "{\n  \"version\": \"1.0\",\n  \"truncation\": null,\n  \"padding\": null,\n  "
                  "\"added_tokens\": [");
    for (int id = 0, any = 0; id < p->model->vocab; id++) {
        char text[EXPORT_TOKEN_MAX];
        if (p->model->special[id]) {
            text_put(out, any++ ? ",\n    {\"id\": " : "{\"id\": ");
            text_put_whole(out, (uint64_t)id);
            text_put(out, ", \"content\": ");
            text_put_json_bytes(out, text, export_token(p->model, id, text));
            text_put(out, ", \"single_word\": false, \"lstrip\": false, \"rstrip\": false, "
                          "\"normalized\": false, \"special\": true}");
        }
    }
    text_put(out, "],\n  \"normalizer\": null,\n  \"pre_tokenizer\": ");
    text_put(out, characters ? "null"
                             : "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, "
                               "\"trim_offsets\": true, \"use_regex\": ");
    text_put(out, characters ? "" : tok->kind == TOKENIZER_BPE ? "true}" : "false}");
    text_put(out, ",\n  \"post_processor\": ");
    if (documents && tok->bos >= 0) {
        put_beginning(out, tok->bos);
    } else {
        text_put(out, "null");
    }
    text_put(out, characters ? ",\n  \"decoder\": {\"type\": \"Fuse\"}"
                             : ",\n  \"decoder\": {\"type\": \"ByteLevel\", \"add_prefix_space\": "
                               "false, \"trim_offsets\": true, \"use_regex\": true}");
    text_put(out, ",\n  \"model\": {\n    \"type\": \"BPE\",\n    \"dropout\": null,\n    "
                  "\"unk_token\": null,\n    \"continuing_subword_prefix\": null,\n    "
                  "\"end_of_word_suffix\": null,\n    \"fuse_unk\": false,\n    "
                  "\"byte_fallback\": false,\n    \"ignore_merges\": false,\n    \"vocab\": ");
    if (characters) {
        put_characters(p);
    } else {
        put_vocabulary(p);
    }
    text_put(out, ",\n    \"merges\": [");
    if (!characters) {
        put_merges(p);
    }
    text_put(out, "]\n  }\n}\n");
}

void special_tokens_map_plan(write_plan *p) {
    text_put(&p->bytes, p->model->tok.bos < 0
                            ? "{}\n"
                            : "{\n  \"bos_token\": \"<|endoftext|>\",\n  \"eos_token\": "
                              "\"<|endoftext|>\",\n  \"unk_token\": \"<|endoftext|>\"\n}\n");
}

/* Writes tokenizer_config.json. PreTrainedTokenizerFast is the class of transformers that reads the
 * whole tokenizer from tokenizer.json. */
void tokenizer_config_plan(write_plan *p) {
    gpt2_write_tokenizer_config(&p->bytes, &p->model->options, p->model->tok.bos,
                                "PreTrainedTokenizerFast");
}

void generation_config_plan(write_plan *p) {
    text_buffer *out = &p->bytes;
    text_put(out, "{\n  \"max_length\": ");
    text_put_number(out, p->model->options.value[OPT_CONTEXT]);
    if (p->model->tok.bos >= 0) {
        static const char *const NAMES[] = {"bos_token_id", "eos_token_id", "pad_token_id"};
        for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
            text_put(out, ",\n  \"");
            text_put(out, NAMES[i]);
            text_put(out, "\": ");
            text_put_whole(out, (uint64_t)p->model->tok.bos);
        }
    }
    text_put(out, "\n}\n");
}
