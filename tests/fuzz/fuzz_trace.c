/* fuzz_trace.c - the index of a training text. For any text and question, matches are at their
 * stated places, losses are numbers and generated text is valid UTF-8; or the answer is an error.
 *
 * Input: one byte each for the tokenizer, the sequences, the held-out share, special tokens, the
 * order and a number; the text up to a byte 0xFF; the written text. */
#include "api/handles.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "train/text_matches.h"

enum { IDS_MAX = 1 << 13 };

/* Returns a small model of the text, or NULL if the trainer refuses the text. */
static gpt_trainer *make_trainer(const fuzz_part *text, const int *choices) {
    gpt_config *c = gpt_config_create("microgpt");
    REQUIRE(c != NULL);
    const struct {
        const char *option;
        double value;
    } options[] = {{"tokenizer", choices[0]},
                   {"sequences", choices[1]},
                   {"validation", choices[2] / 10.0},
                   {"special_tokens", choices[3]},
                   {"layers", 1},
                   {"channels", 4},
                   {"heads", 2},
                   {"context", 6},
                   {"batch", 1},
                   {"vocabulary", 262}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        REQUIRE(gpt_config_set(c, options[i].option, options[i].value) == GPT_OK);
    }
    gpt_trainer *t = gpt_trainer_create(c, text->text, text->bytes);
    gpt_config_free(c);
    return t;
}

static void check_error(const gpt_trace *t, int status) {
    char out[2048];
    REQUIRE(status < 0 && gpt_trace_error(t, out, sizeof out) > 0);
    REQUIRE(gpt_trace_message(t, out, sizeof out) > 0);
}

/* Checks that the text has every match at its stated place, outside the excluded places. */
static void check_matches(gpt_trace *t, const fuzz_part *text, const fuzz_part *written, int from) {
    text_reader r = text_reader_open(&t->index, written->text, written->bytes,
                                     (text_span){(uint32_t)from, 2 * (uint32_t)from});
    for (; r.at < r.count; text_reader_skip(&r, 1)) {
        int32_t place = text_reader_place(&r);
        size_t length = r.longest.length;
        REQUIRE(length <= written->bytes - r.at && (length == 0) == (place == -1));
        REQUIRE(length == 0 ||
                ((size_t)place + length <= text->bytes && (place < from || place >= 2 * from) &&
                 memcmp(text->text + place, written->text + r.at, length) == 0));
    }
    size_t room = written->bytes + 1;
    gpt_run *runs = malloc(room * sizeof *runs);
    REQUIRE(runs != NULL);
    int least = 1 + from % 4;
    int count = gpt_trace_runs(t, written->text, written->bytes, least, runs, room);
    REQUIRE(count >= 0 && (size_t)count <= written->bytes);
    for (int i = 0; i < count; i++) {
        REQUIRE(runs[i].at >= 0 && runs[i].bytes >= least && runs[i].count >= 1 &&
                runs[i].at + runs[i].bytes <= (double)written->bytes && runs[i].place >= 0 &&
                runs[i].place + runs[i].bytes <= (double)text->bytes &&
                memcmp(text->text + (size_t)runs[i].place, written->text + (size_t)runs[i].at,
                       (size_t)runs[i].bytes) == 0);
    }
    free(runs);
}

static void check_places(gpt_trace *t, const fuzz_part *text, const fuzz_part *written) {
    int32_t places[8];
    for (int lines = 0; lines < 2; lines++) {
        int count = (lines ? gpt_trace_find_line : gpt_trace_find)(t, written->text, written->bytes,
                                                                   places, 8);
        REQUIRE(count >= 0 ? written->bytes > 0 : count == GPT_E_ARGUMENT && !written->bytes);
        for (int i = 0; i < count && i < 8; i++) {
            REQUIRE(places[i] >= 0 && (size_t)places[i] + written->bytes <= text->bytes &&
                    memcmp(text->text + places[i], written->text, written->bytes) == 0);
        }
    }
}

/* Checks that losses are numbers. */
static void check_tables(gpt_trace *t, const int32_t *ids, int count, int order) {
    static float nats[IDS_MAX];
    REQUIRE(gpt_trace_score(t, order, ids, (size_t)count, nats) == count);
    for (int i = 0; i < count; i++) {
        REQUIRE(nats[i] >= 0 && nats[i] < 100);
    }
}

static void check_writing(gpt_trace *t, const fuzz_part *prompt, int order, int number) {
    char out[4096];
    int length = gpt_trace_write(t, order, prompt->text, prompt->bytes, number % 40, number, out,
                                 sizeof out);
    if (length < 0) {
        check_error(t, length);
        return;
    }
    for (int at = 0; at < length;) {
        utf8_symbol s = utf8_next((const unsigned char *)out + at, (size_t)(length - at));
        REQUIRE(s.valid);
        at += s.length;
    }
}

static void check_rates(gpt_trace *t) {
    double before = gpt_baseline(t, 0);
    REQUIRE(before != before);
    while (gpt_baselines_step(t) == GPT_OK) {}
    REQUIRE(gpt_baseline(t, -1) >= 0);
    while (gpt_base_rate_step(t) == GPT_OK) {}
    double longest = gpt_trace_get(t, "base_characters"), lines = gpt_trace_get(t, "base_lines");
    REQUIRE((longest != longest || longest >= 0) && lines >= 0 && lines <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int32_t ids[IDS_MAX];
    fuzz_input in = fuzz_open(data, size);
    const int choices[] = {fuzz_choice(&in, 3), fuzz_choice(&in, 2), fuzz_choice(&in, 6),
                           fuzz_choice(&in, 2)};
    int order = fuzz_choice(&in, 8), number = fuzz_choice(&in, 256);
    fuzz_part text = fuzz_until_mark(&in, false), written = fuzz_rest(&in);
    gpt_trainer *trainer = make_trainer(&text, choices);
    if (trainer) {
        gpt_trace *t = gpt_trace_create(trainer, text.text, text.bytes);
        REQUIRE(t != NULL);
        REQUIRE(gpt_trace_find(t, "a", 1, NULL, 0) == GPT_E_STATE);
        while (gpt_trace_step(t) == GPT_OK) {}
        REQUIRE(gpt_trace_get(t, "progress") == 1);
        int count = gpt_encode(trainer, written.text, written.bytes, ids, IDS_MAX);
        gpt_trainer_free(trainer); // a trace does not need its trainer
        check_matches(t, &text, &written, number);
        check_places(t, &text, &written);
        if (order <= 5 && count >= 0) {
            check_tables(t, ids, count, order);
        }
        check_writing(t, &written, order, number);
        check_rates(t);
        gpt_trace_free(t);
    }
    free(text.text);
    free(written.text);
    return 0;
}
