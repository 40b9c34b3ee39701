/* gpt_load.c - loaders. See the section Files of gpt_files.h.
 *
 * Owns the states of a loader and their order: headers, gpt_load_begin, data, gpt_load_finish. c/io
 * and c/formats read the formats. */
#include "api/handles.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"
#include "formats/gpt2.h"
#include "runs/run_file.h"

/* Names of the forms of gpt_load_open. */
static const char *const LOAD_FORMS[] = {"safetensors", "raw", "index"};
typedef enum load_form { LOAD_SAFETENSORS, LOAD_RAW, LOAD_INDEX } load_form;
enum { LOAD_FORM_COUNT = sizeof LOAD_FORMS / sizeof *LOAD_FORMS };

/* Names of the purposes of gpt_load_begin, in the order of run_purpose. */
static const char *const PURPOSES[] = {"train", "fork", "resume", "generate"};
enum { PURPOSE_COUNT = sizeof PURPOSES / sizeof *PURPOSES };

_Static_assert((int)PART_FILES_MAX == (int)GPT_LOAD_FILES_MAX,
               "one limit, told above and kept below");

struct gpt_loader {
    gpt_config *config; /* borrowed */
    enum gpt_load_state state;
    bool failed; /* a failure was final: calls return GPT_E_STATE, `state` has no meaning */
    load_form form;
    run_purpose purpose;
    uint64_t bytes; /* size of the file whose header is read now */
    unsigned char prefix[SAFETENSORS_PREFIX];
    size_t prefix_at; /* number of bytes in `prefix` */
    char *header; /* the header or JSON that is being read; owned; NULL until its length is known */
    size_t header_bytes, header_at; /* length of `header`; bytes read so far */
    run_file file;
    part_file *files; /* the files that the JSON names; owned; NULL for LOAD_SAFETENSORS */
    /* Number of files that the JSON names; number of them that gpt_load_next has announced. */
    int file_count, announced;
    safetensors_header *headers; /* LOAD_INDEX: headers of the files; owned until all are read */
    size_t headers_bytes;        /* sum of the lengths of all headers */
    gpt_trainer *trainer;        /* owned until gpt_load_finish returns it */
};

/* Sets the tokenizer to BPE if the client has set a BPE vocabulary with gpt_config_set_bpe. Without
 * this function the tokens of an imported model with 256 or 257 tokens would always be bytes. */
static void prefer_bpe(gpt_config *c) {
    if (c->bpe_vocab.from_files) {
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
    int status = gpt2_read_config(&c->options, &c->rows, json, bytes, &c->error);
    if (status == GPT_OK) {
        prefer_bpe(c);
    }
    return status;
}

/* Allocates memory for a header of this length. Errors: GPT_E_ALLOCATION. */
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
        run_file_close(&l->file);
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
    tensor_file *tensors = &l->file.tensors;
    int status = safetensors_open_all(tensors, headers, count, &c->error);
    status = status < 0 ? status : gpt2_name_tensors(tensors, &c->error);
    status = status < 0
                 ? status
                 : run_file_read(&l->file, &c->options, headers->text, headers->length, &c->error);
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
    int status = gpt2_read_raw(&l->file.tensors, &c->options, &c->rows, l->files, &l->file_count,
                               l->header, l->header_bytes, &c->error);
    status = status < 0 ? status : gpt2_name_tensors(&l->file.tensors, &c->error);
    if (status == GPT_OK) {
        prefer_bpe(c);
    }
    l->file.recipe = c->options;
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
        status = tensor_file_feed(&l->file.tensors, piece, bytes, error);
        taken = bytes;
        l->state = tensor_file_done(&l->file.tensors) ? GPT_LOAD_FINISH : GPT_LOAD_DATA;
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
    const tensor_file *tensors = &l->file.tensors;
    const file_metadata *metadata = &l->file.metadata;
    const run_state *run = &metadata->run;
    bool resumable = checkpoint_resumable(tensors, metadata);
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "{");
    text_put_string_member(&buffer, "form", resumable ? "checkpoint" : "weights");
    text_put_bool_member(&buffer, "resumable", resumable);
    text_put_bool_member(&buffer, "forkable", fork_check(tensors, metadata, NULL) == GPT_OK);
    text_put_whole_member(&buffer, "step", run->step);
    text_put_whole_member(&buffer, "tokens_seen", run->tokens_seen);
    text_put(&buffer, ",\"text_hash\":\"");
    if (run->text_bytes) {
        text_put_hex(&buffer, run->text_hash, 16);
    }
    text_put(&buffer, "\"");
    text_put_whole_member(&buffer, "text_bytes", run->text_bytes);
    text_put_whole_member(&buffer, "data_bytes", tensors->data_bytes);
    text_put_key(&buffer, "note");
    text_put_json_bytes(&buffer, metadata->note ? metadata->note : "", metadata->note_bytes);
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

int gpt_load_names_text(const gpt_loader *l, const char *text, size_t bytes) {
    return l && text && bytes && run_file_names_text(&l->file, text, bytes);
}

int gpt_load_file(gpt_loader *l, int index, char *out, size_t capacity) {
    if (!l || index < 0) {
        return GPT_E_ARGUMENT;
    }
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, index < l->file_count ? l->files[index].name : "");
    return text_answer(&buffer, &l->config->error);
}

/* Checks the arguments of gpt_load_begin before a trainer exists, and sets l->purpose. Sets `from`
 * and `vocab` as run_file_source does. Errors: see gpt_load_begin. */
static int find_source(gpt_loader *l, const char *purpose, const char *text, size_t bytes,
                       vocabulary *vocab, trainer_source *from) {
    gpt_config *c = l->config;
    int wanted = handle_find(PURPOSES, PURPOSE_COUNT, purpose);
    if (wanted < 0) {
        return gpt_fail_name(&c->error, GPT_E_ARGUMENT, "purpose");
    }
    if (l->failed || l->state != GPT_LOAD_BEGIN) {
        return gpt_fail_name(&c->error, GPT_E_STATE, "load");
    }
    if (wanted == TO_GENERATE && (text || bytes)) {
        return gpt_fail_name(&c->error, GPT_E_ARGUMENT, "text");
    }
    int status = wanted == TO_GENERATE ? GPT_OK : handle_check_text(text, bytes, &c->error);
    run_request request = {(run_purpose)wanted, &c->options, &c->bpe_vocab, c->rows, text, bytes};
    status = status < 0 ? status : run_file_source(&l->file, &request, vocab, from, &c->error);
    l->purpose = request.purpose;
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
    status = run_file_check(&l->file, l->config->rows, &t->run, error);
    if (status < 0) {
        gpt_trainer_free(t);
        return status;
    }
    t = handle_build(l->config, t, &from);
    if (!t) {
        return error->status;
    }
    status = run_file_bind(&l->file, l->purpose, &t->run, error);
    if (status < 0) {
        gpt_trainer_free(t);
        l->failed = true; // l->file may have pointers into the freed trainer
        return status;
    }
    l->trainer = t;
    l->state = tensor_file_done(&l->file.tensors) ? GPT_LOAD_FINISH : GPT_LOAD_DATA;
    return GPT_OK;
}

gpt_trainer *gpt_load_finish(gpt_loader *l) {
    if (!l) {
        return NULL;
    }
    if (l->failed || l->state != GPT_LOAD_FINISH) {
        const tensor_file *tensors = &l->file.tensors;
        bool missing = !l->failed && l->state == GPT_LOAD_DATA;
        (void)gpt_fail(&l->config->error, missing ? GPT_E_TRUNCATED : GPT_E_STATE, "load",
                       (double)tensors->at, (double)tensors->data_bytes, 0);
        return NULL;
    }
    gpt_error *error = &l->config->error;
    if (run_file_finish(&l->file, l->purpose, &l->trainer->run, error) < 0) {
        l->failed = true;
        return NULL;
    }
    gpt_trainer *t = l->trainer;
    l->trainer = NULL;
    l->state = GPT_LOAD_FINISHED;
    return t;
}
