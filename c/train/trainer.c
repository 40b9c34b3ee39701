/* trainer.c - see trainer.h. */
#include "train/trainer.h"

#include <string.h>

#include "base/numeric.h"
#include "train/optimizer.h"

/* Takes everything that lasts as long as the run from t->persist, measuring or real. */
static int lay_out(trainer *t, const config *c, bpe_source *source, const char *text, size_t bytes,
                   gpt_error *error) {
    arena *memory = &t->persist;
    int status = dataset_open(&t->data, c, source, text, bytes, memory, error);
    if (status < 0) {
        return status;
    }
    uint64_t batch_size = (uint64_t)config_int(c, OPT_BATCH) * (uint64_t)config_int(c, OPT_CONTEXT);
    t->training.inputs = arena_take(memory, batch_size, sizeof(int32_t));
    t->training.targets = arena_take(memory, batch_size, sizeof(int32_t));
    if (!t->training.inputs || !t->training.targets) {
        return gpt_fail(error, GPT_E_MEMORY, "", (double)memory->peak, (double)memory->capacity, 0);
    }
    return model_open(&t->net, c, t->data.words.vocab, memory, error);
}

/* Forward, loss and backward of a batch on the step's tape; NULL when memory ran out. */
static tensor *learn(trainer *t, int B, int T) {
    tape_rewind(&t->work);
    t->work.grad_mode = true;
    tensor *logits = model_forward(&t->net, &t->work, t->training.inputs, B, T, NULL);
    tensor *loss = op_cross_entropy(&t->work, "loss", logits, t->training.targets);
    return loss && tape_backward(&t->work, loss) == GPT_OK ? loss : NULL;
}

/* The largest thing that is ever put on the step's tape: a full batch with gradients, or without
 * gradients one sequence that is read into the cache. */
static int measure_step(trainer *t, const config *c, gpt_error *error) {
    arena_open_measuring(&t->step_memory);
    int status = tape_open(&t->work, &t->step_memory, model_node_count(c), error);
    if (status < 0) {
        return status;
    }
    int T = config_int(c, OPT_CONTEXT);
    bool fits = learn(t, config_int(c, OPT_BATCH), T) != NULL;
    tape_rewind(&t->work);
    t->work.grad_mode = false;
    fits = fits && model_forward(&t->net, &t->work, t->training.inputs, 1, T, NULL);
    return fits ? GPT_OK : gpt_fail(error, GPT_E_MEMORY, "", 9e18, 0, 0);
}

int trainer_measure(trainer *t, const config *c, bpe_source *source, const char *text, size_t bytes,
                    gpt_error *error) {
    memset(t, 0, sizeof *t);
    arena_open_measuring(&t->persist);
    int status = config_check(c, error);
    status = status < 0 ? status : lay_out(t, c, source, text, bytes, error);
    return status < 0 ? status : measure_step(t, c, error);
}

int trainer_open(trainer *t, const config *c, bpe_source *source, const char *text, size_t bytes,
                 gpt_error *error) {
    int status = trainer_measure(t, c, source, text, bytes, error);
    uint64_t persist_bytes = t->persist.peak, step_bytes = t->step_memory.peak;
    trainer_close(t);
    if (status < 0) {
        return status;
    }
    status = arena_open(&t->persist, persist_bytes, error);
    status = status < 0 ? status : arena_open(&t->step_memory, step_bytes, error);
    status = status < 0 ? status : lay_out(t, c, source, text, bytes, error);
    status = status < 0 ? status : tape_open(&t->work, &t->step_memory, model_node_count(c), error);
    if (status < 0) {
        trainer_close(t);
        return status;
    }
    trainer_rewind(t);
    return GPT_OK;
}

void trainer_close(trainer *t) {
    tape_close(&t->work);
    model_close(&t->net);
    arena_close(&t->persist);
    arena_close(&t->step_memory);
    memset(t, 0, sizeof *t);
}

void trainer_rewind(trainer *t) {
    t->stream = rng_from_seed((uint64_t)t->net.options.value[OPT_SEED]);
    t->step = 0;
    t->tokens_seen = 0;
    t->loss = t->rate = t->gradient_norm = __builtin_nan("");
    dataset_shuffle(&t->data, &t->stream);
    model_init(&t->net, &t->stream);
}

int trainer_step(trainer *t, gpt_error *error) {
    const config *c = &t->net.options;
    if ((double)t->step >= c->value[OPT_STEPS]) {
        return GPT_FINISHED;
    }
    dataset_batch(&t->data, &t->training, t->step, config_int(c, OPT_BATCH), &t->stream);
    tensor *loss = learn(t, t->training.B, t->training.T);
    if (!loss) {
        return gpt_fail(error, GPT_E_MEMORY, "", (double)t->step_memory.peak,
                        (double)t->step_memory.capacity, 0);
    }
    t->loss = (double)loss->data[0];
    t->gradient_norm = optimizer_gradient_norm(&t->net);
    if (!num_finite(t->loss) || !num_finite(t->gradient_norm)) {
        return gpt_fail(error, GPT_E_DIVERGED, "", (double)(t->step + 1), 0, 0);
    }
    t->rate = schedule_rate(c, t->step);
    optimizer_step(&t->net, t->step, t->rate, t->gradient_norm);
    t->step++;
    t->tokens_seen += (uint64_t)t->training.targets_count;
    return GPT_OK;
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
    t->work.grad_mode = false;
    for (uint64_t i = 0; i < held_out && i < stride * (uint64_t)count; i += stride * (uint64_t)B) {
        int left = count - (int)(i / stride);
        dataset_held_out_batch(&t->data, &t->training, i, stride, left < B ? left : B);
        tape_rewind(&t->work);
        tensor *logits = model_forward(&t->net, &t->work, t->training.inputs, t->training.B,
                                       t->training.T, NULL);
        tensor *loss = op_cross_entropy(&t->work, "loss", logits, t->training.targets);
        if (!loss) {
            return __builtin_nan(""); // cannot be: a training step of this size has fitted
        }
        sum += (double)loss->data[0] * t->training.targets_count;
        targets += (uint64_t)t->training.targets_count;
    }
    return sum / (double)targets;
}
