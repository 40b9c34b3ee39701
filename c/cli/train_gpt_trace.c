/* train_gpt_trace.c - what of a written text stands in the training text, and what tables of the
 * last few tokens lose on the held-out part. Trains nothing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/train_gpt.h"

enum { SHOWN_BYTES = 72, BASE_BYTES = 1 << 20, LENGTH_MAX = 1 << 16, COMMON_PERCENT = 95 };

enum { NO_MEMORY = -1, NO_RATE = -2 };

static int complain_of_trace(const char *what, const gpt_trace *trace) {
    char message[512];
    (void)gpt_trace_message(trace, message, sizeof message);
    return complain(what, message);
}

/* The index of the training text; NULL on failure. */
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

/* The written text and the one that it is looked up in. */
typedef struct question {
    gpt_trace *trace;
    const contents *text, *written;
    bool documents; /* sequences are lines */
    int common;     /* characters of a run up to which it says nothing */
} question;

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

/* Is this byte inside a character of UTF-8, behind its first? */
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

/* The bytes of the line that begins at `from`, without its end. */
static size_t line_bytes(const char *text, size_t size, size_t from) {
    const char *end = memchr(text + from, '\n', size - from);
    return (end ? (size_t)(end - text) : size) - from;
}

/* ---- The base rate: how much any text has, that nobody copied -------------------------------- */

/* How often each length in characters occurs among the longest runs, and whole lines. */
typedef struct base_rate {
    size_t counts[LENGTH_MAX + 1], total, lines, copied;
    int32_t lengths[BASE_BYTES], places[BASE_BYTES];
    size_t before[BASE_BYTES + 1]; /* characters that begin before each byte */
} base_rate;

/* Adds the runs of a text and whether it is a line; it is no copy of what begins at the places
 * from..to-1. */
static void add_text(base_rate *b, const question *q, const char *text, size_t bytes, size_t from,
                     size_t to) {
    bytes = bytes < BASE_BYTES ? bytes : BASE_BYTES;
    for (size_t i = 0; i < bytes; i++) {
        b->before[i + 1] = b->before[i] + !continues(text[i]);
    }
    int count = gpt_trace_lengths(q->trace, text, bytes, (double)from, (double)to, b->lengths,
                                  b->places);
    for (size_t i = 0; i < (size_t)(count > 0 ? count : 0); i++) {
        if (!continues(text[i])) {
            size_t end = i + (size_t)b->lengths[i];
            bool cut = end < bytes && continues(text[end]);
            size_t length = b->before[end] - b->before[i] - cut;
            b->counts[length < LENGTH_MAX ? length : LENGTH_MAX]++;
            b->total++;
        }
    }
    if (q->documents) {
        b->lines++;
        b->copied += gpt_trace_find_line(q->trace, text, bytes, NULL, 0) > (to > from);
    }
}

static bool is_blank(const char *text, size_t bytes) {
    size_t i = 0;
    while (i < bytes && (unsigned char)text[i] <= ' ') {
        i++;
    }
    return i == bytes;
}

/* Adds the lines that begin in the first BASE_BYTES of a text; `left_out`: it is the training
 * text, each line of it as if it were left out. How many of them are not blank. */
static size_t add_lines(base_rate *b, const question *q, const char *text, size_t size,
                        bool left_out) {
    size_t lines = 0;
    for (size_t from = 0, bytes; from < size && from < BASE_BYTES; from += bytes + 1) {
        bytes = line_bytes(text, size, from);
        lines += !is_blank(text + from, bytes);
        if (bytes) {
            add_text(b, q, text + from, bytes, left_out ? from : 0, left_out ? from + bytes : 0);
        }
    }
    return lines;
}

/* The length that 95 % of the runs do not exceed. */
static int common_length(const base_rate *b) {
    size_t seen = 0;
    for (int length = 0; length <= LENGTH_MAX; length++) {
        seen += b->counts[length];
        if (seen * 100 >= b->total * COMMON_PERCENT) {
            return length;
        }
    }
    return LENGTH_MAX;
}

/* The length of runs that is common, and how common whole lines are, in words. */
static void print_rate(const base_rate *b, bool held_out, int longest) {
    (void)printf("%d %% of the runs that begin %s have at most %d character%s\n", COMMON_PERCENT,
                 held_out ? "in the held-out text"
                          : "in a line, were that line left out of the text,",
                 longest, plural((size_t)longest));
    if (b->lines) {
        (void)printf("%.1f %% of the lines of the %s\n",
                     100.0 * (double)b->copied / (double)b->lines,
                     held_out ? "held-out text stand in the rest of the text too"
                              : "text stand there more than once");
    }
}

/* Prints the base rate. The length up to which runs are common in text that the run has not
 * learned; NO_RATE if the text is a single line and nothing is held out, NO_MEMORY. */
static int measure_common(const question *q) {
    base_rate *b = calloc(1, sizeof *b);
    char *held_out = malloc(BASE_BYTES);
    int longest = NO_MEMORY;
    if (b && held_out) {
        int held = gpt_trace_held_out_text(q->trace, held_out, BASE_BYTES);
        size_t bytes = held > 0 ? (size_t)held : 0;
        size_t lines = 2; // of a text beside which others stand
        if (bytes && !q->documents) {
            add_text(b, q, held_out, bytes, 0, 0);
        } else if (bytes) {
            (void)add_lines(b, q, held_out, bytes, false);
        } else {
            lines = add_lines(b, q, q->text->bytes, q->text->size, true);
        }
        longest = lines > 1 ? common_length(b) : NO_RATE;
        if (lines > 1) {
            print_rate(b, bytes > 0, longest);
        } else {
            (void)puts("no base rate: the text is a single line and nothing of it is held out, so "
                       "that nothing tells what chance alone gives");
        }
    }
    free(b);
    free(held_out);
    return longest;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* A part of the written text that stands in the training text. */
typedef struct found_run {
    size_t at, bytes, place, count, line;
    bool is_line;
} found_run;

/* All runs as JSON (free it); NULL on failure. */
static char *find_runs(const question *q) {
    char *json = NULL;
    int length = GPT_E_CAPACITY;
    for (size_t room = 1 << 16; length == GPT_E_CAPACITY; room *= 4) {
        char *grown = realloc(json, room);
        if (!grown) {
            break;
        }
        json = grown;
        length = gpt_trace_runs_json(q->trace, q->written->bytes, q->written->size, q->common + 1,
                                     json, room);
    }
    if (length < 0) {
        free(json);
        return NULL;
    }
    return json;
}

/* Adds the runs of the JSON that have more characters than common ones; returns how many. */
static size_t add_runs(const question *q, const char *json, found_run *runs) {
    size_t count = 0;
    for (const char *next = json; (next = strchr(next, '{')) != NULL; next++) {
        found_run r = {0};
        if (sscanf(next, "{\"at\":%zu,\"bytes\":%zu,\"place\":%zu,\"count\":%zu", &r.at, &r.bytes,
                   &r.place, &r.count) == 4 &&
            characters_of(q->written->bytes + r.at, r.bytes) > (size_t)q->common) {
            runs[count++] = r;
        }
    }
    return count;
}

/* Adds the written lines that are lines of the text; returns how many. */
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

/* In the order of the written text, a longer run before those within it, a line before a run. */
static int by_position(const void *a, const void *b) {
    const found_run *x = a, *y = b;
    return x->at != y->at         ? (x->at > y->at) - (x->at < y->at)
           : x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes)
                                  : y->is_line - x->is_line;
}

/* Says of each run in which line of the text it stands: reads the text once. */
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

/* Prints text on one line, cut between characters. */
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

/* Prints the runs that are within no other one, and how much they are in all. */
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
            all -= at + bytes < written->size; // its end stands in no run
        }
        (void)printf("%zu whole line%s of %zu, ", whole, plural(whole), lines);
    }
    (void)printf("%zu longer run%s, %zu of %zu character%s\n", longer, plural(longer), covered, all,
                 plural(all));
}

static int print_runs(const char *path, const question *q) {
    char *json = find_runs(q);
    size_t most = 1;
    for (const char *next = json; next && (next = strchr(next, '{')) != NULL; next++) {
        most++;
    }
    for (size_t i = 0; i < q->written->size; i++) {
        most += q->written->bytes[i] == '\n';
    }
    found_run *runs = json ? calloc(most, sizeof *runs) : NULL;
    if (runs) {
        size_t count = add_runs(q, json, runs);
        count += q->documents ? add_whole_lines(q, runs + count) : 0;
        number_lines(q, runs, count);
        print_found(path, q, runs, count);
    }
    free(json);
    free(runs);
    return runs ? EXIT_SUCCESS : complain("--trace", strerror(ENOMEM));
}

static int print_trace(const arguments *a, question *q) {
    arguments of_written = *a; // decoded as the text is
    of_written.data = a->trace;
    training_text given = {0};
    int status = read_file(a->trace, &given.raw);
    q->written = status == EXIT_SUCCESS ? choose_text(&of_written, &given, NULL) : NULL;
    q->common = q->written ? measure_common(q) : 0;
    status = !q->written              ? EXIT_FAILED
             : q->common == NO_MEMORY ? complain("--trace", strerror(ENOMEM))
             : q->common == NO_RATE   ? EXIT_SUCCESS
                                      : print_runs(a->trace, q);
    free_text(&given);
    return status;
}

/* ---- Baselines ------------------------------------------------------------------------------ */

static int print_yardsticks(gpt_trace *trace) {
    int status;
    while ((status = gpt_baselines_step(trace)) == GPT_OK) {}
    char json[2048], held_out[8];
    if (status < 0 || gpt_baselines_json(trace, json, sizeof json) < 0) {
        return complain_of_trace("--baselines", trace);
    }
    double targets = 0, nats, bits;
    int order;
    (void)sscanf(json, "{\"held_out\":%7[a-z],\"targets\":%lf", held_out, &targets);
    (void)printf("Losses of tables on %.0f tokens of the %s\n", targets,
                 held_out[0] == 't' ? "held-out text"
                                    : "training text, each left out of the counts");
    (void)printf("%-18s %16s %20s\n", "", "nats per token", "bits per character");
    const char *next = json;
    while ((next = strstr(next, "\"order\"")) != NULL) {
        if (sscanf(next, "\"order\":%d,\"nats\":%lf,\"bits\":%lf", &order, &nats, &bits) != 3) {
            return complain("--baselines", "no token is scored");
        }
        char name[32];
        (void)snprintf(name, sizeof name, "%d token%s before", order, order == 1 ? "" : "s");
        (void)printf("%-18s %16.4f %20.4f\n",
                     order < 0    ? "guessing"
                     : order == 0 ? "frequencies"
                                  : name,
                     nats, bits);
        next++;
    }
    return EXIT_SUCCESS;
}

int ask_text(gpt_trainer *trainer, const arguments *a, const contents *text) {
    gpt_trace *trace = open_trace(trainer, text);
    if (!trace) {
        return EXIT_FAILED;
    }
    int status = a->baselines ? print_yardsticks(trace) : EXIT_SUCCESS;
    if (status == EXIT_SUCCESS && a->trace) {
        bool documents = gpt_trainer_get(trainer, "sequences") == 1;
        question q = {.trace = trace, .text = text, .documents = documents};
        status = print_trace(a, &q);
    }
    gpt_trace_free(trace);
    return status;
}
