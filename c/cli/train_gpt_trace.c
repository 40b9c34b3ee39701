/* train_gpt_trace.c - answers questions about the training text; trains nothing.
 *
 * --trace FILE compares FILE, here called the written text, with the training text. The matches are
 * whole lines that occur in both texts (if sequences are documents), and runs: pieces that occur in
 * both texts and cannot be extended. Only runs longer than the base rate are printed, which is the
 * length that runs reach by chance. --yardsticks prints baselines: losses of n-gram tables on the
 * held-out text, to compare a model with.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/train_gpt.h"

/* SHOWN_BYTES: most bytes that are printed of a match. COMMON_PERCENT: this percentage of chance
 * matches is not longer than "base_characters" of gpt_trace_get. */
enum { SHOWN_BYTES = 72, COMMON_PERCENT = 95 };

static int complain_of_trace(const char *what, const gpt_trace *trace) {
    char message[512];
    (void)gpt_trace_message(trace, message, sizeof message);
    return complain(what, message);
}

/* Builds the index of the training text. The caller frees the index with gpt_trace_free. Returns
 * NULL after printing an error. */
static gpt_trace *open_trace(gpt_trainer *trainer, const contents *text) {
    gpt_trace *trace = gpt_trace_create(trainer, text->bytes, text->size);
    if (!trace) {
        (void)complain_of_trainer("--data", trainer);
        return NULL;
    }
    int status;
    while ((status = gpt_trace_step(trace)) == GPT_OK) {}
    if (status < 0) {
        (void)complain_of_trace("--data", trace);
        gpt_trace_free(trace);
        return NULL;
    }
    return trace;
}

/* The training text with its index, and the written text (the file of --trace) to compare with
 * it. */
typedef struct question {
    gpt_trace *trace;
    const contents *text, *written; /* the training text and the written text; borrowed */
    bool documents;                 /* true: each line of the training text is a document */
    /* The base rate: matches of at most this many characters may be chance. */
    int common;
} question;

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

/* True for a continuation byte of UTF-8: any byte of a character but its first. */
static bool continues(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static size_t characters_of(const char *text, size_t bytes) {
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++) {
        count += !continues(text[i]);
    }
    return count;
}

/* Returns the length in bytes of the line that begins at offset `from`, without its line feed. */
static size_t line_bytes(const char *text, size_t size, size_t from) {
    const char *end = memchr(text + from, '\n', size - from);
    return (end ? (size_t)(end - text) : size) - from;
}

/* ---- The base rate: the length that matches reach by chance ---------------------------------- */

/* Measures the base rate, prints it and sets q->common to its length in characters; to -1 if it
 * cannot be measured, because the text is a single line and nothing is held out. */
static int measure_common(question *q) {
    int status;
    while ((status = gpt_base_rate_step(q->trace)) == GPT_OK) {}
    if (status < 0) {
        return complain_of_trace("--trace", q->trace);
    }
    double longest = gpt_trace_get(q->trace, "base_characters");
    bool held_out = gpt_trace_get(q->trace, "held_out") == 1;
    q->common = -1;
    if (longest != longest) {
        (void)puts("no base rate: the text is a single line and nothing of it is held out, so "
                   "that nothing tells what chance alone gives");
        return EXIT_SUCCESS;
    }
    q->common = (int)longest;
    (void)printf("%d %% of the runs that begin %s have at most %d character%s\n", COMMON_PERCENT,
                 held_out ? "in the held-out text"
                          : "in a line, were that line left out of the text,",
                 q->common, plural((size_t)q->common));
    if (q->documents) {
        (void)printf("%.1f %% of the lines of the %s\n",
                     100 * gpt_trace_get(q->trace, "base_lines"),
                     held_out ? "held-out text stand in the rest of the text too"
                              : "text stand there more than once");
    }
    return EXIT_SUCCESS;
}

/* ---- Matches of the written text with the training text -------------------------------------- */

/* A match: a part of the written text that occurs in the training text. */
typedef struct found_run {
    /* at, bytes: offset and size in the written text, in bytes. count: how often the part occurs in
     * the training text. place, line: one of these occurrences, by the offset of its first byte
     * (from 0) and its line number (from 1). */
    size_t at, bytes, place, count, line;
    bool is_line; /* true: a whole line; false: a run */
} found_run;

/* Copies the runs of `all` that have more than q->common characters to `runs`. Returns their count,
 * at most one for each byte of the written text. */
static size_t add_runs(const question *q, const gpt_run *all, int found, found_run *runs) {
    const contents *written = q->written;
    size_t count = 0;
    for (int i = 0; i < found; i++) {
        found_run r = {(size_t)all[i].at,
                       (size_t)all[i].bytes,
                       (size_t)all[i].place,
                       (size_t)all[i].count,
                       0,
                       false};
        if (characters_of(written->bytes + r.at, r.bytes) > (size_t)q->common) {
            runs[count++] = r;
        }
    }
    return count;
}

/* Finds the lines of the written text that are equal to a line of the training text, writes them to
 * `runs` and returns how many there are: at most one for each byte of the written text. */
static size_t add_whole_lines(const question *q, found_run *runs) {
    const contents *written = q->written;
    size_t count = 0;
    for (size_t at = 0, bytes; at < written->size; at += bytes + 1) {
        bytes = line_bytes(written->bytes, written->size, at);
        int32_t place;
        int found = bytes ? gpt_trace_find_line(q->trace, written->bytes + at, bytes, &place, 1)
                          : 0;
        if (found > 0) {
            found_run line = {.at = at, .bytes = bytes, .count = (size_t)found, .is_line = true};
            line.place = (size_t)place;
            runs[count++] = line;
        }
    }
    return count;
}

static int by_place(const void *a, const void *b) {
    const found_run *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Compares two matches for qsort: by offset in the written text; at the same offset the longer
 * match first; at the same length a whole line before a run. */
static int by_position(const void *a, const void *b) {
    const found_run *x = a, *y = b;
    return x->at != y->at         ? (x->at > y->at) - (x->at < y->at)
           : x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes)
                                  : y->is_line - x->is_line;
}

/* Sets the line number of each match in one pass over the training text, then sorts the matches by
 * their offset in the written text (by_position). */
static void number_lines(const question *q, found_run *runs, size_t count) {
    qsort(runs, count, sizeof *runs, by_place);
    for (size_t i = 0, line = 1, at = 0; i < count; i++) {
        for (; at < runs[i].place; at++) {
            line += q->text->bytes[at] == '\n';
        }
        runs[i].line = line;
    }
    qsort(runs, count, sizeof *runs, by_position);
}

/* Prints the beginning of a text on one line, without a part of a character at the end. Control
 * characters are printed as spaces. */
static void print_shown(const char *text, size_t bytes) {
    size_t shown = bytes < SHOWN_BYTES ? bytes : SHOWN_BYTES;
    while (shown < bytes && shown > 0 && continues(text[shown])) {
        shown--;
    }
    for (size_t i = 0; i < shown; i++) {
        unsigned char byte = (unsigned char)text[i];
        (void)putchar(byte < 0x20 || byte == 0x7F ? ' ' : byte);
    }
    (void)fputs(shown < bytes ? "...\n" : "\n", stdout);
}

/* Prints the matches, sorted by_position, and skips a match inside an earlier one. Then prints
 * totals, which count each character once even where matches overlap. */
static void print_found(const char *path, const question *q, const found_run *runs, size_t count) {
    const contents *written = q->written;
    size_t counted = 0, before = 0, end = 0, covered = 0, whole = 0, longer = 0, lines = 0;
    for (const found_run *r = runs; r < runs + count; r++) {
        if (r->at + r->bytes <= end) {
            continue;
        }
        before += characters_of(written->bytes + counted, r->at - counted);
        counted = r->at;
        size_t characters = characters_of(written->bytes + r->at, r->bytes);
        (void)printf("character %zu: ", before + 1);
        if (r->is_line) {
            (void)printf("a whole line,");
        } else {
            (void)printf("%zu character%s stand%s in", characters, plural(characters),
                         characters == 1 ? "s" : "");
        }
        (void)printf(" line %zu (byte %zu), %zu time%s: ", r->line, r->place + 1, r->count,
                     plural(r->count));
        print_shown(written->bytes + r->at, r->bytes);
        size_t from = r->at > end ? r->at : end;
        end = r->at + r->bytes;
        covered += characters_of(written->bytes + from, end - from);
        *(r->is_line ? &whole : &longer) += 1;
    }
    size_t all = characters_of(written->bytes, written->size);
    (void)printf("%s: ", path);
    if (q->documents) {
        for (size_t at = 0, bytes; at < written->size; at += bytes + 1) {
            bytes = line_bytes(written->bytes, written->size, at);
            lines += bytes > 0;
            all -= at + bytes < written->size; // no match contains a line feed
        }
        (void)printf("%zu whole line%s of %zu, ", whole, plural(whole), lines);
    }
    (void)printf("%zu longer run%s, %zu of %zu character%s\n", longer, plural(longer), covered, all,
                 plural(all));
}

static int print_runs(const char *path, const question *q) {
    // At each byte of the written text at most one run and one whole line begin.
    size_t bytes = q->written->size;
    found_run *runs = calloc(2 * bytes + 1, sizeof *runs);
    gpt_run *all = calloc(bytes + 1, sizeof *all);
    if (!runs || !all) {
        free(all);
        free(runs);
        return complain("--trace", strerror(ENOMEM));
    }
    int found = gpt_trace_runs(q->trace, q->written->bytes, bytes, q->common + 1, all, bytes);
    int status = found < 0 ? complain_of_trace("--trace", q->trace) : EXIT_SUCCESS;
    if (status == EXIT_SUCCESS) {
        size_t count = add_runs(q, all, found, runs);
        count += q->documents ? add_whole_lines(q, runs + count) : 0;
        number_lines(q, runs, count);
        print_found(path, q, runs, count);
    }
    free(all);
    free(runs);
    return status;
}

static int print_trace(const arguments *a, question *q) {
    arguments of_written = *a; // to decode the written text by the same --encoding
    of_written.data = a->trace;
    training_text given = {0};
    int status = read_file(a->trace, &given.raw);
    q->written = status == EXIT_SUCCESS ? choose_text(&of_written, &given, (text_claim){0}) : NULL;
    status = q->written ? measure_common(q) : EXIT_FAILED;
    if (status == EXIT_SUCCESS && q->common >= 0) {
        status = print_runs(a->trace, q);
    }
    free_text(&given);
    return status;
}

/* ---- Baselines: losses of n-gram tables ------------------------------------------------------ */

static int print_baselines(gpt_trace *trace) {
    int status;
    while ((status = gpt_baselines_step(trace)) == GPT_OK) {}
    if (status < 0) {
        return complain_of_trace("--yardsticks", trace);
    }
    if (!(gpt_trace_get(trace, "scored_tokens") > 0)) {
        return complain("--yardsticks", "no token is scored");
    }
    (void)printf(
        "Losses of tables on %.0f tokens of the %s\n", gpt_trace_get(trace, "scored_tokens"),
        gpt_trace_get(trace, "held_out") == 1 ? "held-out text"
                                              : "training text, each left out of the counts");
    (void)printf("%-18s %16s %20s\n", "", "nats per token", "bits per character");
    for (int order = -1; gpt_baseline(trace, order) >= 0; order++) {
        double nats = gpt_baseline(trace, order);
        char name[32];
        (void)snprintf(name, sizeof name, "%d token%s before", order, plural((size_t)order));
        (void)printf("%-18s %16.4f %20.4f\n",
                     order < 0    ? "guessing"
                     : order == 0 ? "frequencies"
                                  : name,
                     nats, nats * gpt_trace_get(trace, "bits_per_character"));
    }
    return EXIT_SUCCESS;
}

int ask_text(gpt_trainer *trainer, const arguments *a, const contents *text) {
    gpt_trace *trace = open_trace(trainer, text);
    if (!trace) {
        return EXIT_FAILED;
    }
    int status = a->baselines ? print_baselines(trace) : EXIT_SUCCESS;
    if (status == EXIT_SUCCESS && a->trace) {
        bool documents = gpt_trainer_get(trainer, "sequences") == 1;
        question q = {.trace = trace, .text = text, .documents = documents};
        status = print_trace(a, &q);
    }
    gpt_trace_free(trace);
    return status;
}
