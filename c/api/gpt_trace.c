/* gpt_trace.c - building the index of a training text and finding matches. See gpt_trace.h. */
#include "api/handles.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/numeric.h"
#include "base/text_buffer.h"
#include "train/text_matches.h"

gpt_trace *gpt_trace_create(gpt_trainer *t, const char *text, size_t bytes) {
    if (!t || handle_check_text(text, bytes, &t->error) < 0) {
        return NULL;
    }
    const run_state *run = &t->run.state;
    if (run->text_bytes &&
        (bytes != run->text_bytes || hash_fnv1a(text, bytes) != run->text_hash)) {
        (void)gpt_fail(&t->error, GPT_E_TEXT_DIFFERS, "", (double)run->text_bytes, 0, 0);
        return NULL;
    }
    gpt_trace *trace = calloc(1, sizeof *trace);
    if (!trace) {
        (void)gpt_fail_allocation(&t->error, sizeof *trace);
        return NULL;
    }
    // No option that may change during a run (live) affects the split into training and held-out
    // part or the shuffle: the present options reproduce both.
    if (training_index_open(&trace->index, &t->run.net.options, &t->run.data.tokenizer, text, bytes,
                            &t->error) < 0) {
        free(trace);
        return NULL;
    }
    return trace;
}

void gpt_trace_free(gpt_trace *t) {
    if (t) {
        base_rate_close(&t->base);
        training_index_close(&t->index);
        free(t);
    }
}

int gpt_trace_step(gpt_trace *t) {
    return t ? training_index_step(&t->index, &t->error) : GPT_E_ARGUMENT;
}

double gpt_trace_get(const gpt_trace *t, const char *name) {
    if (!t || !name) {
        return __builtin_nan("");
    }
    const training_index *x = &t->index;
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"progress", training_index_progress(x)},
        {"bytes", (double)x->byte_index.count},
        {"tokens", (double)training_index_tokens(x)->count},
        {"held_out", x->held_out},
        {"base_characters", base_rate_characters(&t->base)},
        {"base_lines", base_rate_lines(&t->base)},
        {"scored_tokens", (double)t->scores.targets},
        {"bits_per_character", x->tokens_per_character / num_log(2.0)},
        {"memory_bytes", (double)(training_index_bytes(x) + sizeof *t - sizeof *x)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name) == 0) {
            return numbers[i].value;
        }
    }
    return __builtin_nan("");
}

int handle_check_trace(gpt_trace *t) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    return training_index_is_ready(&t->index) ? GPT_OK
                                              : gpt_fail_name(&t->error, GPT_E_STATE, "trace");
}

/* Checks that the index is ready and `text` is a valid argument. Errors: GPT_E_STATE,
 * GPT_E_ARGUMENT. */
static int check_question(gpt_trace *t, const char *text, size_t bytes) {
    int status = handle_check_trace(t);
    if (status == GPT_OK && ((!text && bytes) || bytes > TEXT_BYTES_MAX)) {
        status = gpt_fail_name(&t->error, GPT_E_ARGUMENT, "text");
    }
    return status;
}

int gpt_trace_runs(gpt_trace *t, const char *text, size_t bytes, int least, gpt_run *runs,
                   size_t capacity) {
    int status = check_question(t, text, bytes);
    if (status == GPT_OK && (least < 1 || (!runs && capacity))) {
        status = gpt_fail_name(&t->error, GPT_E_ARGUMENT, least < 1 ? "least" : "runs");
    }
    if (status < 0) {
        return status;
    }
    match_finder finder = match_finder_open(&t->index, text, bytes);
    maximal_match run;
    size_t count = 0;
    for (; match_finder_next(&finder, (uint32_t)least, &run); count++) {
        if (runs && count < capacity) {
            runs[count] = (gpt_run){run.at, run.bytes, run.place, run.count};
        }
    }
    return (int)count;
}

int gpt_base_rate_step(gpt_trace *t) {
    int status = handle_check_trace(t);
    if (status == GPT_OK && !t->measuring) {
        status = base_rate_open(&t->base, &t->index, &t->error);
        t->measuring = status == GPT_OK;
    }
    return status < 0 ? status : base_rate_step(&t->base);
}

typedef void place_finder(const training_index *x, const char *text, size_t bytes,
                          place_list *list);

static int find(gpt_trace *t, place_finder *finder, const char *text, size_t bytes, int32_t *places,
                size_t capacity) {
    int status = check_question(t, text, bytes);
    if (status == GPT_OK && (!bytes || (!places && capacity))) {
        status = gpt_fail_name(&t->error, GPT_E_ARGUMENT, bytes ? "places" : "text");
    }
    if (status < 0) {
        return status;
    }
    place_list list = {places, capacity, 0};
    int separator = t->index.bytes.separator;
    if (separator < 0 || !memchr(text, separator, bytes)) {
        finder(&t->index, text, bytes, &list);
    }
    return (int)list.count;
}

int gpt_trace_find(gpt_trace *t, const char *text, size_t bytes, int32_t *places, size_t capacity) {
    return find(t, text_places, text, bytes, places, capacity);
}

int gpt_trace_find_line(gpt_trace *t, const char *text, size_t bytes, int32_t *places,
                        size_t capacity) {
    return find(t, text_line_places, text, bytes, places, capacity);
}
