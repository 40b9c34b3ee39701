/* train_gpt_trace.c - answers questions about the training text; trains nothing.
 *
 * --trace FILE searches FILE, which a model may have generated, for text from the training text. A
 * match is a whole line that also occurs in the training text (if sequences are documents), or a
 * stretch that occurs there and cannot be extended. Prints all whole lines, but only stretches that
 * are longer than the base rate, the length that stretches reach by chance. --yardsticks prints
 * baselines for the loss of a model: the losses of n-gram tables on the held-out text.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/train_gpt.h"

/* SHOWN_BYTES: the most bytes that are printed of a match. COMMON_PERCENT: the base rate is this
 * percentile of the lengths of chance matches. */
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

/* The training text and the text of --trace, for the search for matches. */
typedef struct question {
    gpt_trace *trace;               /* index of the training text; borrowed */
    const contents *text, *written; /* training text; text given to --trace; borrowed */
    bool documents;                 /* true: each line of the training text is a document */
    int common; /* base rate: the most characters of a match that may be chance; -1: unknown */
} question;

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

/* True for every byte of a UTF-8 character except its first byte. */
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

/* Measures and prints the base rate, and sets q->common to it, in characters. Sets q->common to -1
 * if the base rate cannot be measured: the text is a single line and no part of it is held out. */
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

/* ---- Matches with the training text ---------------------------------------------------------- */

/* A match: a part of the text given to --trace that occurs in the training text. */
typedef struct found_match {
    /* at, bytes: offset and length of the match in the text given to --trace, in bytes. count: its
     * occurrences in the training text. place, line: offset in bytes (from 0) and line number (from
     * 1) of one occurrence. */
    size_t at, bytes, place, count, line;
    bool is_line; /* true: a whole line; false: a stretch, see the head of this file */
} found_match;

/* Copies the matches of more than q->common characters from `all`, which has `found` matches, to
 * `matches`. Returns their count: at most one for each byte of the text given to --trace. */
static size_t add_matches(const question *q, const gpt_run *all, int found, found_match *matches) {
    const contents *written = q->written;
    size_t count = 0;
    for (int i = 0; i < found; i++) {
        found_match r = {(size_t)all[i].at,
                         (size_t)all[i].bytes,
                         (size_t)all[i].place,
                         (size_t)all[i].count,
                         0,
                         false};
        if (characters_of(written->bytes + r.at, r.bytes) > (size_t)q->common) {
            matches[count++] = r;
        }
    }
    return count;
}

/* Finds the lines of the text given to --trace that equal a line of the training text, and writes
 * them to `matches`. Returns their count: at most one for each byte of the text given to
 * --trace. */
static size_t add_whole_lines(const question *q, found_match *matches) {
    const contents *written = q->written;
    size_t count = 0;
    for (size_t at = 0, bytes; at < written->size; at += bytes + 1) {
        bytes = line_bytes(written->bytes, written->size, at);
        int32_t place;
        int found = bytes ? gpt_trace_find_line(q->trace, written->bytes + at, bytes, &place, 1)
                          : 0;
        if (found > 0) {
            found_match line = {.at = at, .bytes = bytes, .count = (size_t)found, .is_line = true};
            line.place = (size_t)place;
            matches[count++] = line;
        }
    }
    return count;
}

static int by_place(const void *a, const void *b) {
    const found_match *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Compares two matches for qsort: by offset in the text given to --trace; at the same offset the
 * longer match first; at the same length a whole line before a stretch. */
static int by_position(const void *a, const void *b) {
    const found_match *x = a, *y = b;
    return x->at != y->at         ? (x->at > y->at) - (x->at < y->at)
           : x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes)
                                  : y->is_line - x->is_line;
}

/* Sets the line number of each match in one pass over the training text, then sorts the matches by
 * their offset in the text given to --trace (by_position). */
static void number_lines(const question *q, found_match *matches, size_t count) {
    qsort(matches, count, sizeof *matches, by_place);
    for (size_t i = 0, line = 1, at = 0; i < count; i++) {
        for (; at < matches[i].place; at++) {
            line += q->text->bytes[at] == '\n';
        }
        matches[i].line = line;
    }
    qsort(matches, count, sizeof *matches, by_position);
}

/* Prints the beginning of a text on one line: at most SHOWN_BYTES bytes, whole characters only.
 * Prints control characters as spaces. */
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

/* Prints the matches, which are sorted by their offset in the text given to --trace; skips a match
 * that lies within an earlier one. Then prints totals, which count a character once even if several
 * matches contain it. */
static void print_found(const char *path, const question *q, const found_match *matches,
                        size_t count) {
    const contents *written = q->written;
    size_t counted = 0, before = 0, end = 0, covered = 0, whole = 0, longer = 0, lines = 0;
    for (const found_match *r = matches; r < matches + count; r++) {
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
            all -= at + bytes <
                   written->size; // subtracts the line feed: no match with documents contains one
        }
        (void)printf("%zu whole line%s of %zu, ", whole, plural(whole), lines);
    }
    (void)printf("%zu longer run%s, %zu of %zu character%s\n", longer, plural(longer), covered, all,
                 plural(all));
}

static int print_matches(const char *path, const question *q) {
    // At each byte of the text given to --trace at most one stretch and one whole line begin.
    size_t bytes = q->written->size;
    found_match *matches = calloc(2 * bytes + 1, sizeof *matches);
    gpt_run *all = calloc(bytes + 1, sizeof *all);
    if (!matches || !all) {
        free(all);
        free(matches);
        return complain_of_system("--trace", ENOMEM);
    }
    int found = gpt_trace_runs(q->trace, q->written->bytes, bytes, q->common + 1, all, bytes);
    int status = found < 0 ? complain_of_trace("--trace", q->trace) : EXIT_SUCCESS;
    if (status == EXIT_SUCCESS) {
        size_t count = add_matches(q, all, found, matches);
        count += q->documents ? add_whole_lines(q, matches + count) : 0;
        number_lines(q, matches, count);
        print_found(path, q, matches, count);
    }
    free(all);
    free(matches);
    return status;
}

static int print_trace(const arguments *a, question *q) {
    // The file of --trace may have another encoding than the file of --data, to which --encoding
    // refers: --encoding applies to the file of --trace only if that file has no byte order mark
    // and is not UTF-8. With --encoding bytes neither file is decoded.
    arguments of_written = *a;
    of_written.data = a->trace;
    training_text given = {0};
    int status = read_file(a->trace, &given.raw);
    if (status == EXIT_SUCCESS && !is_bytes(a->encoding) && names_encoding(&given.raw)) {
        of_written.encoding = NULL;
    }
    q->written = status == EXIT_SUCCESS ? choose_text(&of_written, &given, (text_claim){0}) : NULL;
    status = q->written ? measure_common(q) : EXIT_FAILED;
    if (status == EXIT_SUCCESS && q->common >= 0) {
        status = print_matches(a->trace, q);
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
