/* architecture.c - see architecture.h. */
#include "model/architecture.h"

#include <assert.h>
#include <string.h>

/* A model and the tape of its forward pass, both over arenas that only count bytes: the tensors
 * have shapes but no data. */
typedef struct dry_run {
    arena persist, step;
    model net;
    tape work;
} dry_run;

static void dry_run_close(dry_run *d) {
    tape_close(&d->work);
    model_close(&d->net);
}

/* Opens the model and runs its forward pass, with one block and the loss, on one sequence of T
 * tokens (the context). The caller calls dry_run_close, also after a failure. */
static int dry_run_open(dry_run *d, const config *options, int vocab, gpt_error *error) {
    memset(d, 0, sizeof *d);
    arena_open_measuring(&d->persist);
    arena_open_measuring(&d->step);
    int status = model_open_frozen(&d->net, options, vocab, &d->persist, error);
    if (status < 0) {
        return status;
    }
    model first = d->net; // a copy with one block: all blocks have equal ops and shapes
    first.options.value[OPT_LAYERS] = 1;
    status = tape_open(&d->work, &d->step, model_node_count(&first.options), error);
    if (status < 0) {
        return status;
    }
    d->work.grad_mode = false;
    int T = config_int(options, OPT_CONTEXT);
    tensor *logits = model_forward(&first, &d->work, NULL, 1, T, NULL);
    tensor *loss = op_cross_entropy(&d->work, "loss", logits, NULL);
    assert(loss); // an arena that only counts bytes cannot run out
    return loss ? GPT_OK : gpt_fail(error, GPT_E_MEMORY, "", 9e18, 0, 0);
}

/* ---- Letters for lengths --------------------------------------------------------------------- */

/* Artificial values of H (heads), C (channels), T (context) and V (vocabulary), by which put_letter
 * recognises the size that determines a length. No value is a multiple of another, except C of H,
 * because the number of heads must divide the number of channels. */
enum { LETTER_H = 5, LETTER_C = 1009 * LETTER_H, LETTER_T = 1013, LETTER_V = 1019 };

/* Like dry_run_open, but with the artificial LETTER_ sizes, and one layer, instead of the sizes of
 * the recipe. */
static int dry_run_open_letters(dry_run *d, const config *options, gpt_error *error) {
    config lettered = *options;
    lettered.value[OPT_CONTEXT] = LETTER_T;
    lettered.value[OPT_CHANNELS] = LETTER_C;
    lettered.value[OPT_HEADS] = LETTER_H;
    lettered.value[OPT_LAYERS] = 1;
    return dry_run_open(d, &lettered, LETTER_V, error);
}

/* Writes the letter of `size`, one length of a tensor's shape in the model of artificial sizes: "T"
 * for LETTER_T, "3C" for 3 LETTER_C, nothing if the length depends on no artificial size. */
static void put_letter(text_buffer *out, int size) {
    if (size % LETTER_C == 0) {
        const int times = size / LETTER_C;
        if (times > 1) {
            text_put_number(out, times);
        }
        text_put(out, "C");
        return;
    }
    text_put(out, size == LETTER_T ? "T" : size == LETTER_H ? "H" : size == LETTER_V ? "V" : "");
}

/* Writes the last member of a tensor's JSON object, such as ,"letters":["","T","3C"], and the
 * closing brace. `lettered` is the tensor in the model of artificial sizes. */
static void put_letters(text_buffer *out, const tensor *lettered) {
    text_put(out, ",\"letters\":[");
    for (int d = 0; d < lettered->dims; d++) {
        text_put(out, d ? ",\"" : "\"");
        put_letter(out, lettered->shape[d]);
        text_put(out, "\"");
    }
    text_put(out, "]}");
}

/* ---- The JSON text --------------------------------------------------------------------------- */

static void put_sizes(text_buffer *out, const model *m) {
    text_put(out, "{");
    text_put_whole_member(out, "weights", m->weights);
    text_put_member(out, "layers", m->options.value[OPT_LAYERS]);
    text_put_key(out, "sizes");
    text_put(out, "{");
    text_put_member(out, "T", m->options.value[OPT_CONTEXT]);
    text_put_member(out, "C", m->options.value[OPT_CHANNELS]);
    text_put_member(out, "H", m->options.value[OPT_HEADS]);
    text_put_member(out, "V", m->vocab);
    text_put(out, "}");
}

/* Writes the parameters of `m` outside the blocks and in the first block. `lettered`, the model of
 * artificial sizes, has one block and so exactly these parameters. */
static void put_parameters(text_buffer *out, const model *m, const model *lettered) {
    for (int i = 0, j = 0; i < m->count && j < lettered->count; i++) {
        if (strcmp(m->params[i].name, lettered->params[j].name) != 0) {
            continue;
        }
        text_put(out, j ? ",{" : "{");
        model_put_parameter(out, &m->params[i]);
        put_letters(out, &lettered->params[j++].value);
    }
}

int architecture_json(const config *options, int vocab, char *out, size_t capacity,
                      gpt_error *error) {
    dry_run sized = {0}, lettered = {0};
    int status = dry_run_open(&sized, options, vocab, error);
    status = status < 0 ? status : dry_run_open_letters(&lettered, options, error);
    if (status == GPT_OK) {
        text_buffer buffer = text_begin(out, capacity);
        put_sizes(&buffer, &sized.net);
        text_put(&buffer, ",\"nodes\":[");
        tape_entry e;
        for (int i = 0; (e = tape_entry_at(&sized.work, i)).value; i++) {
            text_put(&buffer, i ? ",{" : "{");
            tape_put_entry(&buffer, e);
            put_letters(&buffer, tape_entry_at(&lettered.work, i).value);
        }
        text_put(&buffer, "],\"parameters\":[");
        put_parameters(&buffer, &sized.net, &lettered.net);
        text_put(&buffer, "]}");
        status = text_answer(&buffer, error);
    }
    dry_run_close(&sized);
    dry_run_close(&lettered);
    return status;
}
