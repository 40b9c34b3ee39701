/* vocabulary_parts.c - see vocabulary_parts.h. */
#include "text/vocabulary_parts.h"

#include <string.h>

#include "base/json.h"

static int refuse_tokenizer(const char *what, gpt_error *error) {
    return gpt_fail_name(error, GPT_E_UNSUPPORTED, what);
}

/* Skips the value of the current key, an object or array, and sets *from and *bytes to the start
 * and length of its JSON. False, with *bytes = 0, if the JSON is damaged. */
static bool skip_value(json_reader *r, const char *text, const char **from, size_t *bytes) {
    (void)json_next(r);
    size_t begin = r->at - 1; // json_next has read the opening bracket or brace
    bool whole = json_skip(r);
    *from = text + begin;
    *bytes = whole ? r->at - begin : 0;
    return whole;
}

/* Reads the member "model" of a tokenizer.json, which must be byte-level BPE with the options of
 * GPT-2. Errors: GPT_E_UNSUPPORTED. */
static int read_tokenizer_model(vocabulary_parts *parts, json_reader *r, const char *text,
                                gpt_error *error) {
    static const char *const OFF[] = {"byte_fallback", "ignore_merges"};
    static const char *const AFFIXES[] = {"end_of_word_suffix", "continuing_subword_prefix"};
    while (json_next(r) == JSON_KEY) {
        json_reader key = *r;
        if (json_is(&key, "vocab")) {
            token_list *list = &parts->tokens[0];
            (void)skip_value(r, text, &list->text, &list->bytes);
            list->offset = (size_t)(list->text - text);
        } else if (json_is(&key, "merges")) {
            (void)skip_value(r, text, &parts->merges, &parts->merges_bytes);
        } else if (json_is(&key, "type")) {
            if (json_next(r) != JSON_STRING || !json_is(r, "BPE")) {
                return refuse_tokenizer("tokenizer.json model.type", error);
            }
        } else if (json_is(&key, AFFIXES[0]) || json_is(&key, AFFIXES[1])) {
            json_type type = json_next(r);
            if (type != JSON_NULL && !(type == JSON_STRING && json_is(r, ""))) {
                return refuse_tokenizer("tokenizer.json end_of_word_suffix, "
                                        "continuing_subword_prefix",
                                        error);
            }
        } else {
            bool known = json_is(&key, OFF[0]) || json_is(&key, OFF[1]);
            if (known && json_next(r) == JSON_TRUE) {
                return refuse_tokenizer("tokenizer.json byte_fallback, ignore_merges", error);
            }
            (void)(known || json_skip(r));
        }
    }
    return GPT_OK;
}

/* Reads the member "pre_tokenizer" of a tokenizer.json, which must be GPT-2's rule, called
 * ByteLevel in this format. Errors: GPT_E_UNSUPPORTED. */
static int read_pre_tokenizer(json_reader *r, gpt_error *error) {
    bool same = json_next(r) == JSON_OBJECT_START, named = false;
    while (same && json_next(r) == JSON_KEY) {
        json_reader key = *r;
        if (json_is(&key, "type")) {
            named = json_next(r) == JSON_STRING && json_is(r, "ByteLevel");
        } else if (json_is(&key, "add_prefix_space")) {
            same = json_next(r) == JSON_FALSE;
        } else if (json_is(&key, "use_regex")) {
            same = json_next(r) == JSON_TRUE;
        } else {
            same = json_skip(r);
        }
    }
    return same && named ? GPT_OK : refuse_tokenizer("tokenizer.json pre_tokenizer", error);
}

/* Returns whether the text is a tokenizer.json: it has a version (a string) or a model (an object).
 * The version is the first member, so a truncated file is recognised too. No value of a vocab.json
 * is a string or an object. */
static bool is_tokenizer_json(const char *text, size_t bytes) {
    json_reader r = json_open(text, bytes);
    (void)json_next(&r);
    while (json_next(&r) == JSON_KEY) {
        bool model = json_is(&r, "model"), version = json_is(&r, "version");
        json_type type = json_next(&r);
        if ((model && type == JSON_OBJECT_START) || (version && type == JSON_STRING)) {
            return true;
        }
        if (!json_skip(&r)) {
            break;
        }
    }
    return false;
}

static int read_tokenizer_json(vocabulary_parts *parts, const char *text, size_t bytes,
                               gpt_error *error) {
    json_reader r = json_open(text, bytes);
    int status = GPT_OK;
    bool cuts = false; // the file has a pre_tokenizer
    *parts = (vocabulary_parts){.merges_listed = true};
    parts->tokens[0].file = parts->tokens[1].file = "tokenizer.json";
    parts->tokens[1].plain = true;
    (void)json_next(&r);
    while (status == GPT_OK && json_next(&r) == JSON_KEY) {
        json_reader key = r;
        if (json_is(&key, "model")) {
            status = json_next(&r) == JSON_OBJECT_START
                         ? read_tokenizer_model(parts, &r, text, error)
                         : refuse_tokenizer("tokenizer.json model", error);
        } else if (json_is(&key, "pre_tokenizer")) {
            status = read_pre_tokenizer(&r, error);
            cuts = true;
        } else if (json_is(&key, "normalizer")) {
            status = json_next(&r) == JSON_NULL
                         ? GPT_OK
                         : refuse_tokenizer("tokenizer.json normalizer", error);
        } else if (json_is(&key, "added_tokens")) {
            token_list *list = &parts->tokens[1];
            (void)skip_value(&r, text, &list->text, &list->bytes);
            list->offset = (size_t)(list->text - text);
        } else {
            (void)json_skip(&r);
        }
    }
    bool whole = r.type == JSON_OBJECT_END && json_next(&r) == JSON_END && parts->tokens[0].text &&
                 parts->merges;
    // A truncated tokenizer.json is reported as damaged (GPT_E_BPE_JSON), even if reading its first
    // part failed because of a tokenizer rule that GPT-2 does not have (GPT_E_UNSUPPORTED).
    if (r.type == JSON_ERROR || (status == GPT_OK && !whole)) {
        status = gpt_fail(error, GPT_E_BPE_JSON, "tokenizer.json", (double)r.at, 0, 0);
    }
    // The tokenizers library does not split a text into words if the file has no pre_tokenizer.
    return status < 0 || cuts ? status : refuse_tokenizer("tokenizer.json pre_tokenizer", error);
}

int vocabulary_parts_find(vocabulary_parts *parts, const bpe_texts *from, gpt_error *error) {
    if (is_tokenizer_json(from->vocab, from->vocab_bytes)) {
        return read_tokenizer_json(parts, from->vocab, from->vocab_bytes, error);
    }
    if (!from->merges) {
        return gpt_fail_name(error, GPT_E_ARGUMENT, "merges");
    }
    bool marked = from->merges_bytes >= 3 && memcmp(from->merges, "\xEF\xBB\xBF", 3) == 0;
    *parts = (vocabulary_parts){
        .tokens = {{"vocab.json", from->vocab, from->vocab_bytes, 0, false},
                   {"added_tokens.json", from->added, from->added_bytes, 0, true}},
        .merges = marked ? from->merges + 3 : from->merges,
        .merges_bytes = marked ? from->merges_bytes - 3 : from->merges_bytes,
    };
    return GPT_OK;
}
