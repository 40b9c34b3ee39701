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

/* ---- The base rate: how long runs are in text that nobody copied ----------------------------- */

/* How often each length occurs among the longest runs. */
typedef struct base_rate {
    size_t counts[LENGTH_MAX + 1], total;
    int32_t lengths[BASE_BYTES], places[BASE_BYTES];
} base_rate;

/* Adds the runs of a text, without what begins at the places from..to-1. */
static void add_lengths(base_rate *b, gpt_trace *trace, const char *text, size_t bytes, size_t from,
                        size_t to) {
    bytes = bytes < BASE_BYTES ? bytes : BASE_BYTES;
    int count = gpt_trace_lengths(trace, text, bytes, (double)from, (double)to, b->lengths,
                                  b->places);
    for (int i = 0; i < count; i++) {
        b->counts[b->lengths[i] < LENGTH_MAX ? b->lengths[i] : LENGTH_MAX]++;
    }
    b->total += (size_t)(count > 0 ? count : 0);
}

static bool is_blank(const char *text, size_t bytes) {
    size_t i = 0;
    while (i < bytes && (unsigned char)text[i] <= ' ') {
        i++;
    }
    return i == bytes;
}

/* Adds the lines of the training text, each as if it were left out, until enough are added. False
 * if there is only one: nothing stands beside it. */
static bool add_lines(base_rate *b, gpt_trace *trace, const contents *text) {
    size_t from = 0, lines = 0;
    while (from < text->size && b->total < BASE_BYTES) {
        size_t room = text->size - from < BASE_BYTES ? text->size - from : BASE_BYTES;
        const char *end = memchr(text->bytes + from, '\n', room);
        size_t to = end ? (size_t)(end - text->bytes) : from + room;
        add_lengths(b, trace, text->bytes + from, to - from, from, to);
        lines += !is_blank(text->bytes + from, to - from);
        from = to + 1;
    }
    return lines + (from < text->size) > 1;
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

/* The length up to which runs are common in text that the run has not learned; NO_RATE if it is
 * a single line and nothing is held out, NO_MEMORY. */
static int measure_common(gpt_trace *trace, const contents *text) {
    base_rate *b = calloc(1, sizeof *b);
    char *held_out = malloc(BASE_BYTES);
    int longest = NO_MEMORY;
    if (b && held_out) {
        int bytes = gpt_trace_held_out_text(trace, held_out, BASE_BYTES);
        bool is_told = true;
        if (bytes > 0) {
            add_lengths(b, trace, held_out, (size_t)bytes, 0, 0);
        } else {
            is_told = add_lines(b, trace, text);
        }
        longest = is_told ? common_length(b) : NO_RATE;
        if (is_told) {
            (void)printf("%d %% of the runs that begin %s have at most %d bytes\n", COMMON_PERCENT,
                         bytes > 0 ? "in the held-out text"
                                   : "in a line, were that line left out of the text,",
                         longest);
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

/* All runs as JSON (free it); NULL on failure. */
static char *find_runs(gpt_trace *trace, const contents *written, int least) {
    char *json = NULL;
    int length = GPT_E_CAPACITY;
    for (size_t room = 1 << 16; length == GPT_E_CAPACITY; room *= 4) {
        char *grown = realloc(json, room);
        if (!grown) {
            break;
        }
        json = grown;
        length = gpt_trace_runs_json(trace, written->bytes, written->size, least, json, room);
    }
    if (length < 0) {
        free(json);
        (void)complain("--trace", strerror(ENOMEM));
        return NULL;
    }
    return json;
}

static size_t line_of(const contents *text, size_t place) {
    size_t line = 1;
    for (size_t i = 0; i < place; i++) {
        line += text->bytes[i] == '\n';
    }
    return line;
}

/* Prints text on one line, cut between characters. */
static void print_shown(const char *text, size_t bytes) {
    size_t shown = bytes < SHOWN_BYTES ? bytes : SHOWN_BYTES;
    while (shown < bytes && shown > 0 && ((unsigned char)text[shown] & 0xC0) == 0x80) {
        shown--;
    }
    for (size_t i = 0; i < shown; i++) {
        unsigned char byte = (unsigned char)text[i];
        (void)putchar(byte < 0x20 || byte == 0x7F ? ' ' : byte);
    }
    (void)fputs(shown < bytes ? "...\n" : "\n", stdout);
}

/* Prints the runs that are longer than common ones. */
static int print_runs(const char *path, gpt_trace *trace, const contents *text,
                      const contents *written, int common) {
    char *json = find_runs(trace, written, common + 1);
    if (!json) {
        return EXIT_FAILED;
    }
    size_t at, bytes, place, count, end = 0, covered = 0, runs = 0;
    const char *next = json;
    while ((next = strchr(next, '{')) != NULL &&
           sscanf(next, "{\"at\":%zu,\"bytes\":%zu,\"place\":%zu,\"count\":%zu", &at, &bytes,
                  &place, &count) == 4) {
        (void)printf("byte %zu: %zu bytes stand in line %zu (byte %zu), %zu time%s: ", at + 1,
                     bytes, line_of(text, place), place + 1, count, count == 1 ? "" : "s");
        print_shown(written->bytes + at, bytes);
        covered += at + bytes - (at > end ? at : end);
        end = at + bytes;
        runs++;
        next++;
    }
    (void)printf("%s: %zu longer runs, %zu of %zu bytes\n", path, runs, covered, written->size);
    free(json);
    return EXIT_SUCCESS;
}

static int print_trace(const arguments *a, gpt_trace *trace, const contents *text) {
    arguments of_written = *a; // decoded as the text is
    of_written.data = a->trace;
    training_text given = {0};
    int status = read_file(a->trace, &given.raw);
    const contents *written = status == EXIT_SUCCESS ? choose_text(&of_written, &given, NULL)
                                                     : NULL;
    int common = written ? measure_common(trace, text) : 0;
    status = !written              ? EXIT_FAILED
             : common == NO_MEMORY ? complain("--trace", strerror(ENOMEM))
             : common == NO_RATE   ? EXIT_SUCCESS
                                   : print_runs(a->trace, trace, text, written, common);
    free_text(&given);
    return status;
}

/* ---- Yardsticks ------------------------------------------------------------------------------ */

static int print_yardsticks(gpt_trace *trace) {
    int status;
    while ((status = gpt_yardsticks_step(trace)) == GPT_OK) {}
    char json[2048], held_out[8];
    if (status < 0 || gpt_yardsticks_json(trace, json, sizeof json) < 0) {
        return complain_of_trace("--yardsticks", trace);
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
            return complain("--yardsticks", "no token is scored");
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
    int status = a->yardsticks ? print_yardsticks(trace) : EXIT_SUCCESS;
    if (status == EXIT_SUCCESS && a->trace) {
        status = print_trace(a, trace, text);
    }
    gpt_trace_free(trace);
    return status;
}
