/* gpt_load.c - loaders. See the section Files of gpt_files.h.
 *
 * Owns the states of a loader and their order: headers, gpt_load_begin, data, gpt_load_finish. c/io
 * and c/formats read the formats. */
#include "api/handles.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text_buffer.h"
#include "io/checkpoint.h"
#include "io/fork.h"
#include "formats/gpt2.h"
#include "text/bpe_files.h"

/* Names of the forms of gpt_load_open. */
static const char *const LOAD_FORMS[] = {"safetensors", "raw", "index"};
typedef enum load_form { LOAD_SAFETENSORS, LOAD_RAW, LOAD_INDEX } load_form;
enum { LOAD_FORM_COUNT = sizeof LOAD_FORMS / sizeof *LOAD_FORMS };

/* Names of the purposes of gpt_load_begin. */
static const char *const PURPOSES[] = {"train", "fork", "resume", "generate"};
typedef enum load_purpose { TO_TRAIN, TO_FORK, TO_RESUME, TO_GENERATE } load_purpose;
enum { PURPOSE_COUNT = sizeof PURPOSES / sizeof *PURPOSES };

_Static_assert((int)PART_FILES_MAX == (int)GPT_LOAD_FILES_MAX,
               "one limit, told above and kept below");

struct gpt_loader {
    gpt_config *config; /* borrowed */
    enum gpt_load_state state;
    bool failed; /* a failure was final; `state` has no meaning */
    load_form form;
    load_purpose purpose;
    uint64_t bytes; /* size of the file whose header is read now */
    unsigned char prefix[SAFETENSORS_PREFIX];
    size_t prefix_at; /* number of bytes in `prefix` */
    char *header;     /* owned: the header, or JSON, being read; NULL until its length is known */
    size_t header_bytes, header_at; /* length of `header`; bytes read so far */
    /* Copy of config->options when all headers were read, to find options that the client changes
     * afterwards. */
    config recipe;
    tensor_file file;
    file_facts facts;
    bpe_source merges; /* owned; the BPE vocabulary of the file, if it has one */
    part_file *files;  /* owned (PART_FILES_MAX): named by the JSON; NULL for LOAD_SAFETENSORS */
    int file_count, announced;   /* files named; files announced by gpt_load_next */
    safetensors_header *headers; /* LOAD_INDEX: owned (PART_FILES_MAX), until all are read */
    size_t headers_bytes;        /* sum of the lengths of all headers */
    fork_parts fork;
    gpt_trainer *trainer; /* owned until gpt_load_finish returns it */
};

/* Sets the tokenizer to BPE if the client has set a BPE vocabulary with gpt_config_set_bpe. Without
 * this function the tokens of an imported model with 256 or 257 tokens would always be bytes. */
static void prefer_merges(gpt_config *c) {
    if (c->source.given) {
        c->options.value[OPT_TOKENIZER] = TOKENIZER_BPE;
        c->options.value[OPT_SEQUENCES] = SEQUENCES_STREAM;
    }
}

int gpt_config_import(gpt_config *c, const char *json, size_t bytes) {
    if (!c) {
        return GPT_E_ARGUMENT;
    }
    if (!json || bytes > SAFETENSORS_HEADER_MAX) {
        return gpt_fail_name(&c->error, GPT_E_ARGUMENT, "json");
    }
    int status = gpt2_read_config(&c->options, &c->vocab, json, bytes, &c->error);
    if (status == GPT_OK) {
        prefer_merges(c);
    }
    return status;
}

/* Allocates memory for a header of this length. GPT_E_ALLOCATION. */
static int open_header(gpt_loader *l, size_t length) {
    l->header_bytes = length;
    l->header_at = 0;
    l->header = malloc(length + 1);
    return l->header ? GPT_OK : gpt_fail_allocation(&l->config->error, length);
}

gpt_loader *gpt_load_open(gpt_config *c, const char *form, double bytes) {
    if (!c) {
        return NULL;
    }
    int which = handle_find(LOAD_FORMS, LOAD_FORM_COUNT, form);
    if (which < 0) {
        (void)gpt_fail_name(&c->error, GPT_E_ARGUMENT, "form");
        return NULL;
    }
    bool json = which != LOAD_SAFETENSORS; // the whole file is read as a header
    if (!(bytes >= 1 && bytes <= (json ? SAFETENSORS_HEADER_MAX : CONFIG_WHOLE_MAX))) {
        (void)gpt_fail(&c->error, GPT_E_FILE_HEADER, "", bytes, 0, 0);
        return NULL;
    }
    gpt_loader *l = calloc(1, sizeof *l);
    if (!l) {
        (void)gpt_fail_allocation(&c->error, sizeof *l);
        return NULL;
    }
    l->config = c;
    l->form = (load_form)which;
    l->bytes = (uint64_t)bytes;
    l->files = json ? calloc(PART_FILES_MAX, sizeof *l->files) : NULL;
    l->headers = which == LOAD_INDEX ? calloc(PART_FILES_MAX, sizeof *l->headers) : NULL;
    bool taken = (!json || l->files) && (which != LOAD_INDEX || l->headers);
    if (!taken) {
        (void)gpt_fail_allocation(&c->error, PART_FILES_MAX * sizeof *l->files);
    }
    if (!taken || (json && open_header(l, (size_t)bytes) < 0)) {
        gpt_load_free(l);
        return NULL;
    }
    return l;
}

static void free_headers(gpt_loader *l) {
    for (int i = 0; l->headers && i < l->announced; i++) {
        free((char *)l->headers[i].text);
    }
    free(l->headers);
    l->headers = NULL;
}

void gpt_load_free(gpt_loader *l) {
    if (l) {
        gpt_trainer_free(l->trainer);
        tensor_file_close(&l->file);
        checkpoint_facts_close(&l->facts);
        free(l->fork.positions);
        bpe_source_close(&l->merges);
        free_headers(l);
        free(l->header);
        free(l->files);
        free(l);
    }
}

int gpt_load_state(const gpt_loader *l) {
    return !l ? GPT_E_ARGUMENT : l->failed ? GPT_E_STATE : (int)l->state;
}

/* Reads `count` complete headers: the tensors of all files, and the metadata of the first file with
 * its BPE vocabulary, if any. If this engine wrote the file, its recipe replaces the options of
 * l->config. */
static int read_safetensors(gpt_loader *l, const safetensors_header *headers, int count) {
    gpt_config *c = l->config;
    int status = safetensors_open_all(&l->file, headers, count, &c->error);
    status = status < 0 ? status : gpt2_name_tensors(&l->file, &c->error);
    status = status < 0 ? status
                        : checkpoint_read(&l->facts, &c->options, headers->text, headers->length,
                                          &c->error);
    const file_facts *facts = &l->facts;
    if (status == GPT_OK && facts->vocab && facts->merges) {
        bpe_texts from = {
            facts->vocab, facts->vocab_bytes, facts->merges, facts->merges_bytes, NULL, 0};
        status = bpe_source_give(&l->merges, &from, &c->error);
    }
    l->recipe = c->options;
    l->state = GPT_LOAD_BEGIN;
    return status;
}

/* Reads the complete JSON that names the files of a model. */
static int read_json(gpt_loader *l) {
    gpt_config *c = l->config;
    l->state = GPT_LOAD_NEXT;
    if (l->form == LOAD_INDEX) {
        return gpt2_read_index(l->files, &l->file_count, l->header, l->header_bytes, &c->error);
    }
    int status = gpt2_read_raw(&l->file, &c->options, &c->vocab, l->files, &l->file_count,
                               l->header, l->header_bytes, &c->error);
    status = status < 0 ? status : gpt2_name_tensors(&l->file, &c->error);
    if (status == GPT_OK) {
        prefer_merges(c);
    }
    l->recipe = c->options;
    return status;
}

/* Reads a complete header, or JSON, and sets the next state. */
static int read_header(gpt_loader *l) {
    int status;
    if (l->files && !l->file_count) {
        status = read_json(l);
    } else {
        safetensors_header header = {NULL, l->header, l->header_bytes,
                                     l->bytes - SAFETENSORS_PREFIX - l->header_bytes};
        if (l->form != LOAD_INDEX) {
            status = read_safetensors(l, &header, 1);
        } else {
            header.name = l->files[l->announced - 1].name;
            l->headers[l->announced - 1] = header;
            l->header = NULL; // now owned by l->headers
            l->state = GPT_LOAD_NEXT;
            status = l->announced < l->file_count ? GPT_OK
                                                  : read_safetensors(l, l->headers, l->file_count);
            if (l->state == GPT_LOAD_BEGIN) {
                free_headers(l);
            }
        }
    }
    free(l->header);
    l->header = NULL;
    l->prefix_at = 0;
    return status;
}

int gpt_load_next(gpt_loader *l, double bytes) {
    if (!l) {
        return GPT_E_ARGUMENT;
    }
    gpt_error *error = &l->config->error;
    if (l->failed || l->state != GPT_LOAD_NEXT) {
        return gpt_fail_name(error, GPT_E_STATE, "load");
    }
    if (!(bytes >= 0 && bytes <= CONFIG_WHOLE_MAX)) {
        return gpt_fail(error, GPT_E_FILE_HEADER, "", bytes, 0, 0);
    }
    part_file *file = &l->files[l->announced++];
    if (l->form == LOAD_INDEX) {
        l->bytes = file->bytes = (uint64_t)bytes;
        l->state = GPT_LOAD_HEADER;
        return GPT_OK;
    }
    if ((double)file->bytes != bytes) {
        l->failed = true;
        return gpt_fail(error, GPT_E_PART_SIZE, file->name, bytes, (double)file->bytes, 0);
    }
    l->state = l->announced == l->file_count ? GPT_LOAD_BEGIN : GPT_LOAD_NEXT;
    return GPT_OK;
}

/* Reads bytes of a header from `piece`, from offset *taken up to the end of the header or of the
 * piece, and advances *taken. */
static int feed_header(gpt_loader *l, const char *piece, size_t bytes, size_t *taken) {
    int status = GPT_OK;
    while (!l->header && *taken < bytes && status == GPT_OK) {
        l->prefix[l->prefix_at++] = (unsigned char)piece[(*taken)++];
        if (l->prefix_at == SAFETENSORS_PREFIX) {
            size_t length = 0;
            gpt_error *error = &l->config->error;
            status = safetensors_header_length(l->prefix, l->bytes, &length, error);
            l->headers_bytes += length;
            if (l->headers_bytes > SAFETENSORS_HEADER_MAX) { // one limit for all headers together
                status = gpt_fail_name(error, GPT_E_FILE_HEADER, "");
            }
            status = status < 0 ? status : open_header(l, length);
        }
    }
    if (status == GPT_OK && l->header) {
        size_t left = l->header_bytes - l->header_at;
        size_t now = left < bytes - *taken ? left : bytes - *taken;
        memcpy(l->header + l->header_at, piece + *taken, now);
        l->header_at += now;
        *taken += now;
        if (l->header_at == l->header_bytes) {
            status = read_header(l);
        }
    }
    return status;
}

double gpt_load_feed(gpt_loader *l, const char *piece, size_t bytes) {
    if (!l) {
        return GPT_E_ARGUMENT;
    }
    gpt_error *error = &l->config->error;
    if (!piece && bytes) {
        return gpt_fail_name(error, GPT_E_ARGUMENT, "piece");
    }
    if (l->failed || l->state == GPT_LOAD_FINISHED) {
        return gpt_fail_name(error, GPT_E_STATE, "load");
    }
    size_t taken = 0;
    int status = GPT_OK;
    if (l->state == GPT_LOAD_HEADER && bytes) {
        status = feed_header(l, piece, bytes, &taken);
    } else if (l->state == GPT_LOAD_DATA || l->state == GPT_LOAD_FINISH) {
        status = tensor_file_feed(&l->file, piece, bytes, error);
        taken = bytes;
        l->state = tensor_file_done(&l->file) ? GPT_LOAD_FINISH : GPT_LOAD_DATA;
    }
    if (status < 0) {
        l->failed = true;
        return status;
    }
    return (double)taken;
}

int gpt_load_json(gpt_loader *l, char *out, size_t capacity) {
    if (!l || l->failed || l->state == GPT_LOAD_HEADER || l->state >= GPT_LOAD_NEXT) {
        return l ? gpt_fail_name(&l->config->error, GPT_E_STATE, "load") : GPT_E_ARGUMENT;
    }
    const run_state *run = &l->facts.run;
    bool resumable = checkpoint_resumable(&l->file, &l->facts);
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "{");
    text_put_string_member(&buffer, "form", resumable ? "checkpoint" : "weights");
    text_put_bool_member(&buffer, "resumable", resumable);
    text_put_bool_member(&buffer, "forkable", fork_check(&l->file, &l->facts, NULL) == GPT_OK);
    text_put_whole_member(&buffer, "step", run->step);
    text_put_whole_member(&buffer, "tokens_seen", run->tokens_seen);
    text_put(&buffer, ",\"text_hash\":\"");
    if (run->text_bytes) {
        text_put_hex(&buffer, run->text_hash, 16);
    }
    text_put(&buffer, "\"");
    text_put_whole_member(&buffer, "text_bytes", run->text_bytes);
    text_put_whole_member(&buffer, "data_bytes", l->file.data_bytes);
    text_put_key(&buffer, "note");
    text_put_json_bytes(&buffer, l->facts.note ? l->facts.note : "", l->facts.note_bytes);
    text_put(&buffer, ",\"files\":[");
    for (int i = 0; i < l->file_count; i++) {
        text_put(&buffer, i ? ",{" : "{");
        text_put_string_member(&buffer, "name", l->files[i].name);
        text_put_whole_member(&buffer, "bytes", l->files[i].bytes);
        text_put(&buffer, "}");
    }
    text_put(&buffer, "]}");
    return text_answer(&buffer, &l->config->error);
}

/* Returns whether the run in the file was trained on exactly these bytes. */
static bool is_own_text(const gpt_loader *l, const char *text, size_t bytes) {
    const run_state *run = &l->facts.run;
    return bytes == run->text_bytes && hash_fnv1a(text, bytes) == run->text_hash;
}

int gpt_load_names_text(const gpt_loader *l, const char *text, size_t bytes) {
    return l && text && bytes && is_own_text(l, text, bytes);
}

int gpt_load_file(gpt_loader *l, int index, char *out, size_t capacity) {
    if (!l || index < 0) {
        return GPT_E_ARGUMENT;
    }
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, index < l->file_count ? l->files[index].name : "");
    return text_answer(&buffer, &l->config->error);
}

/* Checks that the run in the file can continue on this text: the file is resumable, its run was
 * trained on this text, and the client has changed only options that may change during a run
 * (live). GPT_E_NO_RUN, GPT_E_FIXED, GPT_E_TEXT_DIFFERS. */
static int check_resume(gpt_loader *l, const char *text, size_t bytes) {
    gpt_error *error = &l->config->error;
    if (!checkpoint_resumable(&l->file, &l->facts)) {
        return gpt_fail_name(error, GPT_E_NO_RUN, "");
    }
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!(CONFIG_ROWS[i].use & LIVE) && l->config->options.value[i] != l->recipe.value[i]) {
            return gpt_fail_name(error, GPT_E_FIXED, CONFIG_ROWS[i].name);
        }
    }
    if (!left_out_same(&l->config->options.left_out, &l->recipe.left_out)) {
        return gpt_fail_name(error, GPT_E_FIXED, CONFIG_LEFT_OUT);
    }
    if (!is_own_text(l, text, bytes)) {
        return gpt_fail(error, GPT_E_TEXT_DIFFERS, "", (double)l->facts.run.text_bytes, 0, 0);
    }
    return GPT_OK;
}

/* Clears the option left_out (byte ranges that training never reads) if the new run is trained on
 * another text than the run in the file: the ranges do not apply to that text. Ranges that the
 * client has changed since the file was read are kept. */
static void forget_left_out(gpt_loader *l, const char *text, size_t bytes) {
    left_out *set = &l->config->options.left_out;
    if (set->count && left_out_same(set, &l->recipe.left_out) && !is_own_text(l, text, bytes)) {
        set->count = 0;
    }
}

/* Checks the arguments of gpt_load_begin as far as this is possible without a trainer, and sets
 * l->purpose. Fills `from`, the description of the trainer to be measured or built, and `vocab`,
 * its vocabulary. `from` borrows `vocab` and `text`. Errors as gpt_load_begin. */
static int find_source(gpt_loader *l, const char *purpose, const char *text, size_t bytes,
                       vocabulary *vocab, trainer_source *from) {
    gpt_error *error = &l->config->error;
    const config *c = &l->config->options;
    int wanted = handle_find(PURPOSES, PURPOSE_COUNT, purpose);
    bool generate = wanted == TO_GENERATE;
    if (wanted < 0) {
        return gpt_fail_name(error, GPT_E_ARGUMENT, "purpose");
    }
    if (l->failed || l->state != GPT_LOAD_BEGIN) {
        return gpt_fail_name(error, GPT_E_STATE, "load");
    }
    int status = GPT_OK;
    if (generate && (text || bytes)) {
        return gpt_fail_name(error, GPT_E_ARGUMENT, "text");
    }
    if (!generate) {
        status = handle_check_text(text, bytes, error);
    }
    if (status == GPT_OK && wanted == TO_RESUME) {
        status = check_resume(l, text, bytes);
    } else if (status == GPT_OK && wanted == TO_FORK) {
        status = fork_check(&l->file, &l->facts, error);
    }
    if (status == GPT_OK && wanted <= TO_FORK) {
        forget_left_out(l, text, bytes);
    }
    // The vocabulary is known if tokens are bytes, if the file lists characters (only files of this
    // engine do), or if a BPE vocabulary is in a file of this engine or was set by the client.
    tokenizer_kind kind = config_tokenizer(c);
    bpe_source *merges = l->merges.given ? &l->merges : &l->config->source;
    int bytes_vocab = config_int(c, OPT_SEQUENCES) == SEQUENCES_DOCUMENTS ? 257 : 256;
    bool known = kind == TOKENIZER_CHAR  ? l->facts.has_codes
                 : kind == TOKENIZER_BPE ? merges->given
                                         : l->facts.ours || l->config->vocab == bytes_vocab;
    if (status == GPT_OK && !known) {
        return gpt_fail(error, GPT_E_VOCABULARY_FILE, "", l->config->vocab, 0, 0);
    }
    // The trainer has as many ids as the token table has rows, because rows without a token take
    // part in every softmax.
    int rows = l->facts.ours ? checkpoint_rows(&l->file) : l->config->vocab;
    *vocab = (vocabulary){l->facts.code_count, l->facts.codes, rows};
    *from = (trainer_source){c, text, bytes, vocab, merges, true};
    l->purpose = (load_purpose)wanted;
    return status;
}

int gpt_load_plan_json(gpt_loader *l, const char *purpose, const char *text, size_t bytes,
                       char *out, size_t capacity) {
    vocabulary vocab;
    trainer_source from;
    int status = l ? find_source(l, purpose, text, bytes, &vocab, &from) : GPT_E_ARGUMENT;
    return status < 0 ? status : handle_plan_json(l->config, &from, out, capacity);
}

int gpt_load_begin(gpt_loader *l, const char *purpose, const char *text, size_t bytes) {
    vocabulary vocab;
    trainer_source from;
    int status = l ? find_source(l, purpose, text, bytes, &vocab, &from) : GPT_E_ARGUMENT;
    if (status < 0) {
        return status;
    }
    gpt_error *error = &l->config->error;
    gpt_trainer *t = handle_measure(l->config, &from);
    if (!t) {
        return error->status;
    }
    // Check names, shapes and types before allocating the model.
    run_parts measured = {.net = &t->run.net};
    status = checkpoint_bind(&l->file, &l->facts, &measured, BIND_WEIGHTS, 0, error);
    if (status < 0) {
        gpt_trainer_free(t);
        return status;
    }
    t = handle_build(l->config, t, &from);
    if (!t) {
        return error->status;
    }
    trainer *run = &t->run;
    run_parts parts = {&run->net, &l->facts.run, run->losses, run->data.order,
                       run->data.document_count};
    status = l->purpose == TO_FORK
                 ? fork_bind(&l->fork, &l->file, &l->facts, &parts, LOSSES_MAX, error)
                 : checkpoint_bind(&l->file, &l->facts, &parts,
                                   l->purpose == TO_RESUME ? BIND_RUN : BIND_WEIGHTS, LOSSES_MAX,
                                   error);
    if (status < 0) {
        gpt_trainer_free(t);
        l->failed = true; // l->file may have pointers into the freed trainer
        return status;
    }
    l->trainer = t;
    l->state = tensor_file_done(&l->file) ? GPT_LOAD_FINISH : GPT_LOAD_DATA;
    return GPT_OK;
}

/* Restores the state of the saved run. GPT_E_FILE (run.order, the order of the documents in the
 * file, contains a document that does not exist or that training must not read), GPT_E_CHANGES (too
 * many changes of options), GPT_E_ALLOCATION. */
static int restore(gpt_loader *l) {
    trainer *run = &l->trainer->run;
    for (uint64_t i = 0; i < run->data.document_count; i++) {
        uint64_t document = run->data.order[i];
        bool read = i < run->data.train_documents;
        if (document >= run->data.document_count ||
            (read && left_out_touches(&run->data.left_out, document, document + 1))) {
            return gpt_fail_name(&l->config->error, GPT_E_FILE, "run.order");
        }
    }
    changes_close(&run->state.changes);
    run->state = l->facts.run;
    l->facts.run.changes = (change_log){0}; // now owned by the trainer
    l->facts.run.parent = (run_parent){0};
    // The cursor is an index into the shuffled documents. In older checkpoints it counts the
    // documents of all passes.
    uint64_t documents = run->data.train_documents;
    run->state.cursor = documents ? run->state.cursor % documents : 0;
    int status = GPT_OK;
    // Append each option that the client has changed since the file was read to the change log of
    // the run, as changed at the present step.
    for (int i = 0; i < OPT_COUNT && status == GPT_OK; i++) {
        status = changes_note(&run->state.changes, run->state.step, i, l->recipe.value[i],
                              run->net.options.value[i], &l->config->error);
    }
    return status;
}

gpt_trainer *gpt_load_finish(gpt_loader *l) {
    if (!l) {
        return NULL;
    }
    if (l->failed || l->state != GPT_LOAD_FINISH) {
        bool missing = !l->failed && l->state == GPT_LOAD_DATA;
        (void)gpt_fail(&l->config->error, missing ? GPT_E_TRUNCATED : GPT_E_STATE, "load",
                       (double)l->file.at, (double)l->file.data_bytes, 0);
        return NULL;
    }
    trainer *run = &l->trainer->run;
    int status = l->purpose == TO_RESUME ? restore(l)
                 : l->purpose == TO_FORK ? fork_finish(&l->fork, &l->facts, &run->net, run->losses,
                                                       &run->state.parent, &l->config->error)
                                         : GPT_OK;
    if (status < 0) {
        l->failed = true;
        return NULL;
    }
    if (l->purpose != TO_RESUME) {
        run->state.imported = l->purpose != TO_FORK;
    }
    if (run->frozen) {
        run->state.step = l->facts.run.step;
        run->state.tokens_seen = l->facts.run.tokens_seen;
        run->state.stream = l->facts.run.stream.state ? l->facts.run.stream : run->state.stream;
    }
    gpt_trainer *t = l->trainer;
    l->trainer = NULL;
    l->state = GPT_LOAD_FINISHED;
    return t;
}
