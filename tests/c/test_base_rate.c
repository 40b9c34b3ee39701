/* test_base_rate.c - the length of matches by chance, against a plain search, and the held-out text
 * on which it is measured. */
#include <stdlib.h>

#include "api/handles.h"
#include "check.h"

enum { TEXTS = 200, TEXT_BYTES = 160, COMMON_PERCENT = 95 };

static gpt_trainer *open_trainer(const char *text, int sequences, double validation) {
    gpt_config *c = gpt_config_create("microgpt");
    gpt_config_set(c, "sequences", sequences);
    gpt_config_set(c, "tokenizer", TOKENIZER_BYTE);
    gpt_config_set(c, "validation", validation);
    gpt_config_set(c, "layers", 1);
    gpt_trainer *t = gpt_trainer_create(c, text, strlen(text));
    gpt_config_free(c);
    return t;
}

static bool continues(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static size_t line_end(const char *text, size_t from) {
    return from + strcspn(text + from, "\n");
}

/* Returns the length, in whole characters, of the longest match of text[at..end-1] that begins
 * outside the line from..end-1. */
static size_t longest_match(const char *text, size_t from, size_t at, size_t end) {
    size_t longest = 0, characters = 0;
    for (size_t p = 0; text[p]; p++) {
        size_t length = 0;
        while (at + length < end && text[p + length] == text[at + length]) length++;
        bool own = p >= from && p < end;
        longest = !own && length > longest ? length : longest;
    }
    for (size_t i = at; i < at + longest; i++) characters += !continues(text[i]);
    bool cut = at + longest < end && continues(text[at + longest]);
    return characters - cut;
}

/* A base rate by plain search: the length in characters that COMMON_PERCENT of the matches do not
 * exceed, NaN for a single line, and the share of lines that occur twice. */
static void search(const char *text, double *common, double *recurring) {
    size_t counts[TEXT_BYTES + 1] = {0}, total = 0, lines = 0, copied = 0, seen = 0;
    for (size_t from = 0, end; text[from]; from = end + (text[end] != 0)) {
        end = line_end(text, from);
        if (end == from) continue;
        bool twice = false;
        for (size_t other = 0, stop; text[other]; other = stop + (text[stop] != 0)) {
            stop = line_end(text, other);
            twice |= other != from && stop - other == end - from &&
                     memcmp(text + other, text + from, end - from) == 0;
        }
        lines++;
        copied += twice;
        for (size_t at = from; at < end; at++) {
            if (continues(text[at])) continue;
            counts[longest_match(text, from, at, end)]++;
            total++;
        }
    }
    size_t length = 0;
    while ((seen += counts[length]) * 100 < total * COMMON_PERCENT) length++;
    *common = lines > 1 ? (double)length : __builtin_nan("");
    *recurring = (double)copied / (double)lines;
}

static void test_plain_search(void) {
    TEST("the base rate of lines equals that of a plain search, each line compared with the "
         "others") {
        static const char *const PIECES[] = {"a", "b", "\xC3\xA9", "\xC3\xA8", "\n", "ab"};
        rng r = rng_from_seed(7);
        int single = 0;
        for (int number = 0; number < TEXTS; number++) {
            char text[TEXT_BYTES + 1] = "a";
            size_t wanted = 2 + (size_t)(rng_uniform(&r) * (number % 5 ? TEXT_BYTES - 4 : 4));
            while (strlen(text) < wanted) strcat(text, PIECES[(int)(rng_uniform(&r) * 6)]);
            gpt_trainer *trainer = open_trainer(text, SEQUENCES_DOCUMENTS, 0);
            if (!CHECK(trainer != NULL)) break;
            gpt_trace *trace = gpt_trace_create(trainer, text, strlen(text));
            double common, recurring;
            search(text, &common, &recurring);
            CHECK(isnan(gpt_trace_get(trace, "base_characters")));
            while (gpt_trace_step(trace) == GPT_OK) {}
            while (gpt_base_rate_step(trace) == GPT_OK) {}
            double found = gpt_trace_get(trace, "base_characters");
            single += isnan(common);
            CHECK(found == common || (isnan(found) && isnan(common)));
            CHECK(gpt_trace_get(trace, "base_lines") == recurring);
            gpt_trace_free(trace);
            gpt_trainer_free(trainer);
        }
        CHECK(single > 0 && single < TEXTS / 4);
    }
}

/* Returns whether `line` is a line of `text`, which ends with a line break. */
static bool has_line(const char *text, size_t bytes, const char *line, size_t length) {
    for (size_t at = 0; at + length < bytes; at++) {
        bool begins = !at || text[at - 1] == '\n';
        if (begins && memcmp(text + at, line, length) == 0 && text[at + length] == '\n')
            return true;
    }
    return false;
}

static void test_held_out(void) {
    TEST("the held-out text of the index is that of the trainer, cut between characters") {
        static char text[2][4096] = {"ann\r\nbob\n\nclara\ndora\nemil\nfrida\nhanna\n"}, told[4096];
        for (int i = 0; i < 300; i++) strcat(text[1], "ab\xE7\x95\x8C\xE7\x95\x8C");
        for (int stream = 0; stream < 2; stream++) {
            int sequences = stream ? SEQUENCES_STREAM : SEQUENCES_DOCUMENTS;
            gpt_trainer *trainer = open_trainer(text[stream], sequences, 0.4);
            gpt_trace *trace = gpt_trace_create(trainer, text[stream], strlen(text[stream]));
            unsigned char known[4096], part[8];
            int bytes = gpt_held_out_text(trainer, told, sizeof told);
            size_t count = training_index_held_out(&trace->index, known, sizeof known);
            CHECK(bytes > 0);
            CHECK_INT(count, bytes);
            if (stream) CHECK(memcmp(told, known, count) == 0);
            for (int at = 0, end; !stream && at < bytes; at = end + 1) {
                for (end = at; told[end] != '\n';) end++;
                CHECK(has_line((const char *)known, count, told + at, (size_t)(end - at)));
            }
            size_t cut = training_index_held_out(&trace->index, part, sizeof part);
            CHECK(cut > 4 && cut <= 8 && memcmp(part, known, cut) == 0);
            CHECK((known[cut] & 0xC0) != 0x80);
            gpt_trace_free(trace);
            gpt_trainer_free(trainer);
        }
    }
}

int main(void) {
    test_plain_search();
    test_held_out();
    return check_report();
}
