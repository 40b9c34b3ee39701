/* gpt2.c - see gpt2.h. Settings are named as in GPT2Config of the transformers library. */
#include "formats/gpt2.h"

#include <string.h>

#include "io/json_values.h"
#include "text/tokenizer.h"

/* ---- config.json ----------------------------------------------------------------------------- */

/* Returns the number of letters at the offset where the parser failed: 3 at NaN, which JSON lacks;
 * 0 if there is no letter. */
static size_t word_size(const json_reader *r) {
    size_t size = 0;
    while (r->at + size < r->length && (r->text[r->at + size] | 0x20) >= 'a' &&
           (r->text[r->at + size] | 0x20) <= 'z') {
        size++;
    }
    return size;
}

/* Fails with GPT_E_UNSUPPORTED, named "key value", both spelled as in the file. */
static int refuse(const json_reader *key, const json_reader *value, gpt_error *error) {
    char detail[sizeof error->name];
    text_buffer buffer = text_begin(detail, sizeof detail);
    text_put_bytes(&buffer, key->start, key->size);
    text_put(&buffer, " ");
    switch (value->type) {
    case JSON_TRUE:
        text_put(&buffer, "true");
        break;
    case JSON_FALSE:
        text_put(&buffer, "false");
        break;
    case JSON_NULL:
        text_put(&buffer, "null");
        break;
    case JSON_STRING: // a string that looks like a number is quoted
    case JSON_NUMBER: {
        const char *quote = value->type == JSON_STRING && value->size &&
                                    strchr("-.0123456789", value->start[0])
                                ? "\""
                                : "";
        text_put(&buffer, quote);
        text_put_bytes(&buffer, value->start, value->size);
        text_put(&buffer, quote);
        break;
    }
    case JSON_ERROR:
        text_put(&buffer, value->at && value->text[value->at - 1] == '-' ? "-" : "");
        text_put_bytes(&buffer, value->text + value->at, word_size(value));
        break;
    default:
        text_put(&buffer, value->type == JSON_ARRAY_START ? "[...]" : "{...}");
    }
    text_end(&buffer);
    return gpt_fail_name(error, GPT_E_UNSUPPORTED, detail);
}

/* Settings of which one value is supported: the value that a missing setting has by default. Values
 * are spelled as in JSON; `also` is a second supported value, "" if there is only one. */
static const struct {
    const char *name, *value, *also;
} FIXED[] = {
    {"model_type", "gpt2", ""},
    {"scale_attn_weights", "true", ""},
    {"scale_attn_by_inverse_layer_idx", "false", ""},
    {"reorder_and_upcast_attn", "false", ""},
    {"add_cross_attention", "false", ""},
    {"is_encoder_decoder", "false", ""},
    {"quantization_config", "null", ""},
};

static bool spells(const json_reader *value, const char *text) {
    switch (value->type) {
    case JSON_TRUE:
        return strcmp(text, "true") == 0;
    case JSON_FALSE:
        return strcmp(text, "false") == 0;
    case JSON_NULL:
        return strcmp(text, "null") == 0;
    case JSON_STRING:
        return *text && json_is(value, text);
    default:
        return false;
    }
}

/* The activations that this engine computes, by their names in transformers. */
static const struct {
    const char *name;
    activation_kind activation;
} ACTIVATIONS[] = {
    {"gelu_new", ACTIVATION_GELU},
    {"gelu_pytorch_tanh",
     ACTIVATION_GELU}, // this and the next three names: the formula of gelu_new
    {"gelu_fast", ACTIVATION_GELU},
    {"gelu_accurate", ACTIVATION_GELU},
    {"gelu_python_tanh", ACTIVATION_GELU},
    {"relu2", ACTIVATION_RELU2},
};

static int read_activation(config *c, const json_reader *key, const json_reader *value,
                           gpt_error *error) {
    for (size_t i = 0; i < sizeof ACTIVATIONS / sizeof *ACTIVATIONS; i++) {
        if (spells(value, ACTIVATIONS[i].name)) {
            c->value[OPT_ACTIVATION] = ACTIVATIONS[i].activation;
            return GPT_OK;
        }
    }
    return refuse(key, value, error);
}

/* Returns transformers' name of the recipe's activation, for config.json. Every version of
 * transformers knows gelu_new; only newer versions know relu2. */
static const char *activation_name(const config *c) {
    switch (config_activation(c)) {
    case ACTIVATION_GELU:
        return "gelu_new";
    case ACTIVATION_RELU2:
        return "relu2";
    }
    return NULL;
}

/* A key of config.json or of the raw form whose value is a number, and the variable that receives
 * the number. */
typedef struct named_number {
    const char *name;
    double *value;
} named_number;

/* Returns the item of `numbers` for a key; NULL if `numbers` lacks the key. */
static const named_number *find_number(const named_number *numbers, size_t count,
                                       const json_reader *key) {
    for (size_t i = 0; i < count; i++) {
        if (json_is(key, numbers[i].name)) {
            return &numbers[i];
        }
    }
    return NULL;
}

typedef struct dimensions {
    double layers, heads, channels, context, vocab, inner;
    double older_context; /* n_ctx; the context of a file that lacks n_positions */
} dimensions;

/* The value of a number that the file lacks: NaN, which JSON cannot express. */
#define ABSENT __builtin_nan("")

/* Returns `value`, or `otherwise` if it is ABSENT. */
static double value_or(double value, double otherwise) {
    return value == value ? value : otherwise;
}

/* Sets all options to those of GPT-2 (preset gpt2, BPE, one stream of text). The sizes in a file
 * then replace those of the preset. */
static void use_family(config *c) {
    (void)config_from_preset(c, CONFIG_PRESETS[PRESET_GPT2], NULL);
    c->value[OPT_TOKENIZER] = TOKENIZER_BPE;
    c->value[OPT_SEQUENCES] = SEQUENCES_STREAM;
}

/* Checks the sizes `d` and sets them in the recipe `c`; sets `*vocab`. Errors: GPT_E_RANGE,
 * GPT_E_WHOLE, GPT_E_HEADS, GPT_E_UNSUPPORTED (n_inner). */
static int use_dimensions(config *c, int *vocab, const dimensions *d, gpt_error *error) {
    const struct {
        const char *option;
        double value;
    } options[] = {{"layers", d->layers},
                   {"heads", d->heads},
                   {"channels", d->channels},
                   {"context", d->context}};
    int status = GPT_OK;
    for (size_t i = 0; i < sizeof options / sizeof *options && status == GPT_OK; i++) {
        status = config_set(c, options[i].option, options[i].value, error);
    }
    if (status == GPT_OK && !(d->vocab >= 1 && d->vocab <= VOCABULARY_MAX)) {
        status = gpt_fail(error, GPT_E_RANGE, "vocab_size", d->vocab, 1, VOCABULARY_MAX);
    }
    if (status == GPT_OK && d->vocab != (int)d->vocab) {
        status = gpt_fail(error, GPT_E_WHOLE, "vocab_size", d->vocab, 0, 0);
    }
    if (status == GPT_OK && value_or(d->inner, 4 * d->channels) != 4 * d->channels) {
        char detail[sizeof error->name];
        text_buffer buffer = text_begin(detail, sizeof detail);
        text_put(&buffer, "n_inner ");
        text_put_number(&buffer, d->inner);
        text_end(&buffer);
        status = gpt_fail_name(error, GPT_E_UNSUPPORTED, detail);
    }
    if (status < 0) {
        return status;
    }
    if (d->vocab == 256 || d->vocab == 257) { // 257: bytes and the BOS of documents
        c->value[OPT_TOKENIZER] = TOKENIZER_BYTE;
        c->value[OPT_SEQUENCES] = d->vocab == 257 ? SEQUENCES_DOCUMENTS : SEQUENCES_STREAM;
    }
    status = config_check(c, error);
    if (status == GPT_OK) {
        *vocab = (int)d->vocab;
    }
    return status;
}

/* Reads the value of one member of config.json. The current token of `r` is the first token of the
 * value. */
static int read_setting(config *c, dimensions *d, const json_reader *key, json_reader *r,
                        gpt_error *error) {
    const named_number numbers[] = {{"n_layer", &d->layers},     {"n_head", &d->heads},
                                    {"n_embd", &d->channels},    {"n_positions", &d->context},
                                    {"vocab_size", &d->vocab},   {"n_inner", &d->inner},
                                    {"n_ctx", &d->older_context}};
    const named_number *number = find_number(numbers, sizeof numbers / sizeof *numbers, key);
    if (r->type == JSON_ERROR) {
        return word_size(r) ? refuse(key, r, error)
                            : gpt_fail_name(error, GPT_E_FILE, "config.json");
    }
    if (number && r->type == JSON_NUMBER) {
        *number->value = json_number(r);
        return GPT_OK;
    }
    if (number) {
        return r->type == JSON_NULL && number->value == &d->inner ? GPT_OK : refuse(key, r, error);
    }
    for (size_t i = 0; i < sizeof FIXED / sizeof *FIXED; i++) {
        if (json_is(key, FIXED[i].name)) {
            return spells(r, FIXED[i].value) || spells(r, FIXED[i].also) ? GPT_OK
                                                                         : refuse(key, r, error);
        }
    }
    if (json_is(key, "activation_function")) {
        return read_activation(c, key, r, error);
    }
    if (json_is(key, "layer_norm_epsilon")) {
        return r->type == JSON_NUMBER
                   ? config_set(c, CONFIG_ROWS[OPT_NORM_EPSILON].name, json_number(r), error)
                   : refuse(key, r, error);
    }
    if (json_is(key, "tie_word_embeddings")) {
        if (r->type == JSON_TRUE || r->type == JSON_FALSE) {
            c->value[OPT_TIED_HEAD] = r->type == JSON_TRUE;
        }
        return r->type == JSON_TRUE || r->type == JSON_FALSE || r->type == JSON_NULL
                   ? GPT_OK // null: the default of GPT2Config, a tied head
                   : refuse(key, r, error);
    }
    // skips all other settings, such as dropout, class names and ids of special tokens: the forward
    // pass does not depend on them
    return json_skip(r) ? GPT_OK : gpt_fail_name(error, GPT_E_FILE, "config.json");
}

int gpt2_read_config(config *c, int *vocab, const char *json, size_t bytes, gpt_error *error) {
    config read = {0};
    use_family(&read);
    dimensions d = {12, 12, 768, ABSENT, 50257, ABSENT, ABSENT}; // the defaults of GPT2Config
    json_reader r = json_open(json, bytes);
    int status = json_next(&r) == JSON_OBJECT_START
                     ? GPT_OK
                     : gpt_fail_name(error, GPT_E_FILE, "config.json");
    bool any = false;
    while (status == GPT_OK && json_next(&r) == JSON_KEY) {
        json_reader key = r;
        any = true;
        (void)json_next(&r);
        status = read_setting(&read, &d, &key, &r, error);
    }
    if (status == GPT_OK && (r.type != JSON_OBJECT_END || json_next(&r) != JSON_END || !any)) {
        status = gpt_fail_name(error, GPT_E_FILE, "config.json");
    }
    d.context = value_or(d.context, value_or(d.older_context, 1024));
    status = status < 0 ? status : use_dimensions(&read, vocab, &d, error);
    if (status == GPT_OK) {
        *c = read;
    }
    return status;
}

void put_unfit(text_buffer *why, const config *c, const fixed_option *fixed, size_t fixed_count,
               const int *stated, size_t stated_count) {
    for (int option = 0; option < OPT_COUNT; option++) {
        const char *name = CONFIG_ROWS[option].name;
        bool fits = strcmp(CONFIG_ROWS[option].group, "model") != 0 ||
                    c->value[option] == CONFIG_ROWS[option].before;
        for (size_t i = 0; i < stated_count; i++) {
            fits = fits || stated[i] == option;
        }
        for (size_t i = 0; i < fixed_count; i++) {
            if (fixed[i].option == option) {
                fits = c->value[option] == fixed[i].value;
                name = fixed[i].refused;
            }
        }
        if (!fits) {
            text_put(why, why->length ? ", " : "");
            text_put(why, name);
        }
    }
}

/* Options of the model that may have any value in an export, because config.json states them or
 * because they only determine the initial weights. */
static const int STATED[] = {OPT_LAYERS,   OPT_HEADS,         OPT_CHANNELS,
                             OPT_CONTEXT,  OPT_ACTIVATION,    OPT_TIED_HEAD,
                             OPT_INIT_STD, OPT_RESIDUAL_INIT, OPT_NORM_EPSILON};

int gpt2_check_export(const config *c, gpt_error *error) {
    static const fixed_option FIXED_THERE[] = {
        {OPT_NORM, NORM_LAYERNORM, "norm rmsnorm"},
        {OPT_NORM_GAIN, 1, "norm_gain false"},
        {OPT_BIAS, 1, "bias false"},
        {OPT_HEAD_BIAS, 0, "head_bias true"},
        {OPT_EMBEDDING_NORM, 0, "embedding_norm true"},
        {OPT_FINAL_NORM, 1, "final_norm false"},
    };
    char detail[sizeof error->name];
    text_buffer why = text_begin(detail, sizeof detail);
    put_unfit(&why, c, FIXED_THERE, sizeof FIXED_THERE / sizeof *FIXED_THERE, STATED,
              sizeof STATED / sizeof *STATED);
    return text_end(&why) ? gpt_fail_name(error, GPT_E_EXPORT, detail) : GPT_OK;
}

static void put_setting(text_buffer *out, const char *name, double value) {
    text_put(out, ",\n  ");
    text_put_json_string(out, name);
    text_put(out, ": ");
    text_put_number(out, value);
}

void gpt2_begin_config(text_buffer *out, const config *c, int vocab, int bos) {
    text_put(out, "{\n  \"model_type\": \"gpt2\",\n  \"architectures\": [\"GPT2LMHeadModel\"]"
                  ",\n  \"torch_dtype\": \"float32\",\n  \"activation_function\": ");
    text_put_json_string(out, activation_name(c));
    put_setting(out, "vocab_size", vocab);
    put_setting(out, "n_positions", c->value[OPT_CONTEXT]);
    put_setting(out, "n_embd", c->value[OPT_CHANNELS]);
    put_setting(out, "n_layer", c->value[OPT_LAYERS]);
    put_setting(out, "n_head", c->value[OPT_HEADS]);
    put_setting(out, "layer_norm_epsilon", c->value[OPT_NORM_EPSILON]);
    put_setting(out, "initializer_range", c->value[OPT_INIT_STD]);
    put_setting(out, "embd_pdrop", 0);
    put_setting(out, "attn_pdrop", 0);
    put_setting(out, "resid_pdrop", 0);
    if (bos >= 0) {
        put_setting(out, "bos_token_id", bos);
        put_setting(out, "eos_token_id", bos);
    } else {
        // GPT2Config's default is token 50256, which the vocabulary may lack
        text_put(out, ",\n  \"bos_token_id\": null,\n  \"eos_token_id\": null");
    }
    text_put(out, config_bool(c, OPT_TIED_HEAD) ? ",\n  \"tie_word_embeddings\": true"
                                                : ",\n  \"tie_word_embeddings\": false");
}

void gpt2_write_config(text_buffer *out, const config *c, int vocab, int bos) {
    gpt2_begin_config(out, c, vocab, bos);
    text_put(out, "\n}\n");
}

void gpt2_write_tokenizer_config(text_buffer *out, const config *c, int bos,
                                 const char *tokenizer_class) {
    static const char *const NAMES[] = {"bos_token", "eos_token", "unk_token"};
    text_put(out, "{\n  \"tokenizer_class\": ");
    text_put_json_string(out, tokenizer_class);
    text_put(out, ",\n  \"add_prefix_space\": false,\n  "
                  "\"clean_up_tokenization_spaces\": false");
    bool documents = config_int(c, OPT_SEQUENCES) == SEQUENCES_DOCUMENTS;
    text_put(out, documents && bos >= 0 ? ",\n  \"add_bos_token\": true"
                                        : ",\n  \"add_bos_token\": false");
    put_setting(out, "model_max_length", c->value[OPT_CONTEXT]);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        text_put(out, ",\n  ");
        text_put_json_string(out, NAMES[i]);
        text_put(out, bos >= 0 ? ": \"<|endoftext|>\"" : ": null");
    }
    text_put(out, "\n}\n");
}

/* ---- The raw form ---------------------------------------------------------------------------- */

static int fail_raw(gpt_error *error, const char *what) {
    return gpt_fail_name(error, GPT_E_FILE, what);
}

/* Reads the member "config" of the raw form:
 * {"n_vocab":50257,"n_ctx":1024,"n_embd":768,"n_head":12,"n_layer":12,"tied_head":true}. */
static int read_raw_config(config *c, dimensions *d, json_reader *r, gpt_error *error) {
    const named_number numbers[] = {{"n_vocab", &d->vocab},
                                    {"n_ctx", &d->context},
                                    {"n_embd", &d->channels},
                                    {"n_head", &d->heads},
                                    {"n_layer", &d->layers}};
    if (json_next(r) != JSON_OBJECT_START) {
        return fail_raw(error, "config");
    }
    while (json_next(r) == JSON_KEY) {
        json_reader key = *r;
        const named_number *number = find_number(numbers, sizeof numbers / sizeof *numbers, &key);
        (void)json_next(r);
        if (number && r->type == JSON_NUMBER) {
            *number->value = json_number(r);
        } else if (json_is(&key, "tied_head") && (r->type == JSON_TRUE || r->type == JSON_FALSE)) {
            c->value[OPT_TIED_HEAD] = r->type == JSON_TRUE;
        } else {
            return refuse(&key, r, error);
        }
    }
    return r->type == JSON_OBJECT_END ? GPT_OK : fail_raw(error, "config");
}

/* Reads the member "files" of the raw form: [{"name":"model.bin","bytes":497759232},...]. */
static int read_raw_files(part_file *files, int *count, json_reader *r, gpt_error *error) {
    if (json_next(r) != JSON_ARRAY_START || *count) {
        return fail_raw(error, "files");
    }
    while (json_next(r) == JSON_OBJECT_START) {
        if (*count == PART_FILES_MAX) {
            return fail_raw(error, "files");
        }
        part_file *file = &files[(*count)++];
        bool named = false, sized = false;
        while (json_next(r) == JSON_KEY) {
            if (json_is(r, "name") && json_next(r) == JSON_STRING) {
                // if "name" occurs twice, the second value replaces the first
                memset(file->name, 0, sizeof file->name);
                size_t length = json_string(r, file->name, PART_FILE_NAME_MAX - 1);
                named = gpt2_is_plain_name(file->name, length);
            } else if (r->type == JSON_KEY && json_is(r, "bytes")) {
                sized = json_next(r) == JSON_NUMBER && json_read_count(r, &file->bytes);
            } else {
                return fail_raw(error, "files");
            }
        }
        if (r->type != JSON_OBJECT_END || !named || !sized) {
            return fail_raw(error, "files");
        }
    }
    return r->type == JSON_ARRAY_END ? GPT_OK : fail_raw(error, "files");
}

/* Reads one entry of the member "tensors" of the raw form: {"name":"wte.weight",
 * "shape":[50257,768],"file":"model.bin","offset":0}. "file" may be missing if there is only one
 * file. */
static int read_raw_tensor(tensor_file *f, const part_file *files, int file_count, json_reader *r,
                           gpt_error *error) {
    json_reader name = {0};
    file_tensor read = {0};
    char wanted[PART_FILE_NAME_MAX] = {0};
    uint64_t offset = 0, before = 0;
    read.dims = -1;
    while (json_next(r) == JSON_KEY) {
        bool good;
        if (json_is(r, "name")) {
            good = json_next(r) == JSON_STRING;
            name = *r;
        } else if (json_is(r, "shape")) {
            (void)json_next(r);
            read.dims = tensor_file_numbers(r, read.shape, FILE_DIMS);
            good = read.dims >= 0;
        } else if (json_is(r, "file")) {
            good = json_next(r) == JSON_STRING &&
                   json_string(r, wanted, sizeof wanted - 1) < sizeof wanted;
        } else if (json_is(r, "offset")) {
            good = json_next(r) == JSON_NUMBER && json_read_count(r, &offset);
        } else {
            good = false;
        }
        if (!good) {
            return fail_raw(error, "tensors");
        }
    }
    int file = 0;
    while (file < file_count && *wanted && strcmp(files[file].name, wanted) != 0) {
        before += files[file++].bytes;
    }
    uint64_t bytes = tensor_file_size(&read);
    if (r->type != JSON_OBJECT_END || read.dims < 0 || !name.text || file == file_count ||
        (!*wanted && file_count > 1) || bytes > UINT64_MAX >> 8 || bytes * 4 > files[file].bytes ||
        offset > files[file].bytes - bytes * 4) {
        return fail_raw(error, "tensors");
    }
    file_tensor *t = tensor_file_add(f, &name, error);
    if (!t) {
        return GPT_E_FILE_HEADER;
    }
    memcpy(read.name, t->name, sizeof read.name);
    *t = read;
    t->type = FILE_F32;
    t->begin = before + offset;
    t->end = t->begin + bytes * 4;
    return GPT_OK;
}

/* Returns the number of entries of the array that begins at the next token of `r`; -1 if no valid
 * array begins there. */
static long count_entries(json_reader r) {
    long count = 0;
    if (json_next(&r) != JSON_ARRAY_START) {
        return -1;
    }
    while (json_next(&r) != JSON_ARRAY_END) {
        if (r.type == JSON_ERROR || !json_skip(&r)) {
            return -1;
        }
        count++;
    }
    return count;
}

int gpt2_read_raw(tensor_file *f, config *c, int *vocab, part_file *files, int *file_count,
                  const char *json, size_t bytes, gpt_error *error) {
    memset(f, 0, sizeof *f);
    *file_count = 0;
    config recipe = {0};
    use_family(&recipe);
    dimensions d = {.inner = ABSENT};
    json_reader r = json_open(json, bytes), tensors = {0};
    bool form = false, dimensioned = false;
    int status = json_next(&r) == JSON_OBJECT_START ? GPT_OK
                                                    : gpt_fail_name(error, GPT_E_FILE_HEADER, "");
    while (status == GPT_OK && json_next(&r) == JSON_KEY) {
        if (json_is(&r, "format")) {
            form = json_next(&r) == JSON_STRING && json_is(&r, "gpt2-raw");
        } else if (json_is(&r, "version")) {
            status = json_next(&r) == JSON_NUMBER && json_number(&r) == 1
                         ? GPT_OK
                         : fail_raw(error, "version");
        } else if (json_is(&r, "config")) {
            status = read_raw_config(&recipe, &d, &r, error);
            dimensioned = true;
        } else if (json_is(&r, "files")) {
            status = read_raw_files(files, file_count, &r, error);
        } else if (json_is(&r, "tensors")) {
            // remembers where "tensors" begins; its entries are read later, because they refer to
            // "files"
            tensors = r;
            status = json_skip(&r) ? GPT_OK : fail_raw(error, "tensors");
        } else {
            status = json_skip(&r) ? GPT_OK : gpt_fail_name(error, GPT_E_FILE_HEADER, "");
        }
    }
    if (status == GPT_OK && (r.type != JSON_OBJECT_END || json_next(&r) != JSON_END || !form ||
                             !dimensioned || !*file_count || !tensors.text)) {
        status = gpt_fail_name(error, GPT_E_FILE_HEADER, "");
    }
    status = status < 0 ? status : use_dimensions(&recipe, vocab, &d, error);
    uint64_t data_bytes = 0;
    for (int i = 0; i < *file_count; i++) {
        data_bytes += files[i].bytes; // at most 256 sizes below 2^53: no overflow
    }
    long entries = status < 0 ? 0 : count_entries(tensors);
    status = status < 0 || entries >= 0 ? status : fail_raw(error, "tensors");
    status = status < 0 ? status : tensor_file_open(f, (size_t)entries, bytes, data_bytes, error);
    if (status == GPT_OK) {
        (void)json_next(&tensors);
    }
    while (status == GPT_OK && json_next(&tensors) == JSON_OBJECT_START) {
        status = read_raw_tensor(f, files, *file_count, &tensors, error);
    }
    status = status < 0 || tensors.type == JSON_ARRAY_END ? status : fail_raw(error, "tensors");
    status = status < 0 ? status : tensor_file_check(f, error);
    if (status < 0) {
        tensor_file_close(f);
        return status;
    }
    *c = recipe;
    return GPT_OK;
}
