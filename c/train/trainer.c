/* trainer.c - see trainer.h. */
#include "train/trainer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/numeric.h"
#include "train/optimizer.h"

/* Allocates the memory of the whole run (dataset, batch, loss history and model) from t->persist,
 * which may be an arena that only counts bytes. */
static int lay_out(trainer *t, const trainer_source *from, gpt_error *error) {
    const config *c = from->options;
    arena *memory = &t->persist;
    int status = dataset_open(&t->data, c, from->vocab, from->bpe_vocab, from->text, from->bytes,
                              memory, error);
    if (status < 0) {
        return status;
    }
    t->frozen = !from->text;
    if (t->frozen) {
        return model_open_frozen(&t->net, c, t->data.tokenizer.vocab, memory, error);
    }
    uint64_t batch_size = (uint64_t)config_int(c, OPT_BATCH) * (uint64_t)config_int(c, OPT_CONTEXT);
    t->training.inputs = arena_alloc(memory, batch_size, sizeof(int32_t));
    t->training.targets = arena_alloc(memory, batch_size, sizeof(int32_t));
    t->losses = arena_alloc(memory, LOSSES_MAX, sizeof *t->losses);
    if (!t->training.inputs || !t->training.targets || !t->losses) {
        return arena_fail(memory, error);
    }
    return model_open(&t->net, c, t->data.tokenizer.vocab, memory, error);
}

/* Runs the forward pass, the loss and the backward pass of the batch (B,T) in t->training. Returns
 * the loss; NULL if t->step_memory is full. */
static tensor *forward_backward(trainer *t, int B, int T) {
    tape_rewind(&t->work, true);
    tensor *logits = model_forward(&t->net, &t->work, t->training.inputs, B, T, NULL);
    tensor *loss = op_cross_entropy(&t->work, "loss", logits, t->training.targets);
    return loss && tape_backward(&t->work, loss) == GPT_OK ? loss : NULL;
}

/* Measures how much memory t->step_memory needs, by its two largest uses: a full batch with
 * gradients; and, without gradients, the last PREFILL tokens of a prompt that fills the KV
 * cache. */
static int measure_step(trainer *t, const config *c, gpt_error *error) {
    arena_open_measuring(&t->step_memory);
    int status = tape_open(&t->work, &t->step_memory, model_node_count(c), error);
    if (status < 0) {
        return status;
    }
    int T = config_int(c, OPT_CONTEXT);
    int part = T < PREFILL ? T : PREFILL;
    kv_cache cache;
    arena elsewhere;
    // Counts the KV cache separately: a sampler allocates its cache in its own arena.
    arena_open_measuring(&elsewhere);
    bool fits = t->frozen || forward_backward(t, config_int(c, OPT_BATCH), T);
    tape_rewind(&t->work, false);
    fits = fits && kv_cache_open(&cache, &t->net.options, &elsewhere, error) == GPT_OK;
    cache.length = T - part;
    fits = fits && model_forward(&t->net, &t->work, t->training.inputs, 1, part, &cache);
    // The arenas only count bytes and cannot be full. If `fits` is false, model_node_count is too
    // low.
    assert(fits);
    return fits ? GPT_OK : gpt_fail(error, GPT_E_MEMORY, "", 9e18, 0, 0);
}

int trainer_measure(trainer *t, const trainer_source *from, gpt_error *error) {
    memset(t, 0, sizeof *t);
    arena_open_measuring(&t->persist);
    int status = config_check(from->options, error);
    status = status < 0 ? status : lay_out(t, from, error);
    return status < 0 ? status : measure_step(t, from->options, error);
}

/* Sets the state of the run to step 0 and shuffles the documents. The weights keep their values. */
static void start(trainer *t) {
    const config *c = &t->net.options;
    changes_close(&t->state.changes);
    t->state = (run_state){.initial = *c,
                           .stream = rng_from_seed((uint64_t)c->value[OPT_SEED]),
                           .text_hash = t->state.text_hash,
                           .text_bytes = t->state.text_bytes,
                           .loss_stride = 1,
                           .imported = t->state.imported,
                           .parent = t->state.parent};
    t->state.loss = t->state.rate = t->state.gradient_norm = __builtin_nan("");
    dataset_shuffle(&t->data, &t->state.stream);
}

int trainer_build(trainer *t, const trainer_source *from, gpt_error *error) {
    uint64_t persist_bytes = t->persist.peak, step_bytes = t->step_memory.peak;
    trainer_close(t);
    int status = arena_open(&t->persist, persist_bytes, error);
    status = status < 0 ? status : arena_open(&t->step_memory, step_bytes, error);
    status = status < 0 ? status : lay_out(t, from, error);
    int nodes = model_node_count(from->options);
    status = status < 0 ? status : tape_open(&t->work, &t->step_memory, nodes, error);
    if (status < 0) {
        trainer_close(t);
        return status;
    }
    t->state.text_hash = hash_fnv1a(from->text, from->bytes);
    t->state.text_bytes = from->bytes;
    t->state.imported = t->data.tokenizer.kind == TOKENIZER_BPE && from->bpe_vocab->from_files;
    start(t);
    if (!from->blank && !t->frozen) {
        model_init(&t->net, &t->state.stream);
    }
    return GPT_OK;
}

int trainer_open(trainer *t, const trainer_source *from, gpt_error *error) {
    int status = trainer_measure(t, from, error);
    if (status < 0) {
        trainer_close(t);
        return status;
    }
    return trainer_build(t, from, error);
}

void trainer_close(trainer *t) {
    changes_close(&t->state.changes);
    free((char *)t->state.parent.json);
    tape_close(&t->work);
    model_close(&t->net);
    arena_close(&t->persist);
    arena_close(&t->step_memory);
    memset(t, 0, sizeof *t);
}

int trainer_rewind(trainer *t, gpt_error *error) {
    if (t->state.imported || t->state.parent.runs || t->frozen) {
        return gpt_fail_name(error, GPT_E_ORIGIN, "");
    }
    start(t);
    model_init(&t->net, &t->state.stream);
    return GPT_OK;
}

int trainer_set(trainer *t, const char *option, double value, gpt_error *error) {
    config *c = &t->net.options;
    int i = config_find(option);
    if (i >= 0 && !(CONFIG_ROWS[i].use & LIVE)) {
        return gpt_fail_name(error, GPT_E_FIXED, option);
    }
    config changed = *c;
    int status = config_set(&changed, option, value, error);
    status = status < 0 ? status
                        : changes_note(&t->state.changes, t->state.step, i, c->value[i],
                                       changed.value[i], error);
    if (status == GPT_OK) {
        *c = changed;
    }
    return status;
}

/* Appends the loss of step t->state.step to the history if the step is a multiple of
 * t->state.loss_stride. If the history is full, deletes every second loss and doubles the stride,
 * so that the history always covers the whole run. */
static void append_loss(trainer *t) {
    if (t->state.step % t->state.loss_stride) {
        return;
    }
    if (t->state.loss_count == LOSSES_MAX) {
        for (uint64_t i = 0; i < LOSSES_MAX / 2; i++) {
            t->losses[i] = t->losses[2 * i];
        }
        t->state.loss_count = LOSSES_MAX / 2;
        t->state.loss_stride *= 2;
    }
    t->losses[t->state.loss_count++] = (float)t->state.loss;
}

/* Reads a batch, computes its loss and gradients, and updates the weights. */
static int train_step(trainer *t, gpt_error *error) {
    const config *c = &t->net.options;
    int B = config_int(c, OPT_BATCH);
    dataset_batch(&t->data, &t->training, t->state.cursor, B, &t->state.stream);
    tensor *loss = forward_backward(t, t->training.B, t->training.T);
    if (!loss) {
        return arena_fail(&t->step_memory, error);
    }
    t->state.loss = (double)loss->data[0];
    t->state.gradient_norm = optimizer_gradient_norm(&t->net);
    if (!num_finite(t->state.loss) || !num_finite(t->state.gradient_norm)) {
        return gpt_fail(error, GPT_E_DIVERGED, "", (double)(t->state.step + 1), 0, 0);
    }
    t->state.rate = schedule_rate(c, t->state.step);
    optimizer_step(&t->net, t->state.step, t->state.rate, t->state.gradient_norm);
    append_loss(t);
    t->state.step++;
    uint64_t documents = t->data.train_documents;
    t->state.cursor = documents ? (t->state.cursor + (uint64_t)B) % documents : 0;
    t->state.tokens_seen += (uint64_t)t->training.targets_count;
    return GPT_OK;
}

int trainer_step(trainer *t, gpt_error *error) {
    if (t->frozen) {
        return gpt_fail_name(error, GPT_E_NO_TEXT, "");
    }
    if ((double)t->state.step >= t->net.options.value[OPT_STEPS]) {
        return GPT_FINISHED;
    }
    rng before = t->state.stream;
    int status = train_step(t, error);
    if (status < 0) {
        // Restores the random stream, so that a repetition of the step draws the same batch.
        t->state.stream = before;
    }
    return status;
}

int trainer_validation_windows(const trainer *t) {
    enum { LEAST = 4, MOST = 32, TOKENS = 2048 };
    int fitting = TOKENS / config_int(&t->net.options, OPT_CONTEXT);
    return fitting < LEAST ? LEAST : fitting > MOST ? MOST : fitting;
}

double trainer_validate(trainer *t, int count) {
    uint64_t held_out = dataset_held_out(&t->data);
    if (!held_out || count < 1) {
        return __builtin_nan("");
    }
    int B = config_int(&t->net.options, OPT_BATCH);
    uint64_t stride = held_out > (uint64_t)count ? held_out / (uint64_t)count : 1;
    double sum = 0.0;
    uint64_t targets = 0;
    for (uint64_t i = 0; i < held_out && i < stride * (uint64_t)count; i += stride * (uint64_t)B) {
        int left = count - (int)(i / stride);
        dataset_held_out_batch(&t->data, &t->training, i, stride, left < B ? left : B);
        tape_rewind(&t->work, false);
        tensor *logits = model_forward(&t->net, &t->work, t->training.inputs, t->training.B,
                                       t->training.T, NULL);
        tensor *loss = op_cross_entropy(&t->work, "loss", logits, t->training.targets);
        if (!loss) {
            return __builtin_nan(""); // unreachable: the tape is sized for a batch with gradients
        }
        sum += (double)loss->data[0] * t->training.targets_count;
        targets += (uint64_t)t->training.targets_count;
    }
    return sum / (double)targets;
}
