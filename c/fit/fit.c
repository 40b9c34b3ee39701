/* fit.c - see fit.h. */
#include "fit/fit.h"

#include <string.h>

#include "base/text_buffer.h"

/* ---- The kind of text ------------------------------------------------------------------------ */

/* Whether a count of `some` lines is at least `percent` % of all lines. */
static bool most_lines(const text_statistics *s, uint64_t some, uint64_t percent) {
    return some * 100 >= s->lines * percent;
}

/* The fewest lines for most rules that compare shares of lines: in a shorter text a share means
 * little. */
enum { FEW_LINES = 8 };

/* LONGEST_LINE_CONTEXT: the longest context chosen for documents, in tokens; longer lines are cut.
 * SHORT_ROW: the longest line of lists and tables, in characters. SHORT_SENTENCE: the longest line
 * of sentences. A text of sentences with longer lines becomes a stream: in batches of eight windows
 * a model learns such a text better (verses of 75 characters: held-out loss 1.65, not 2.11). */
enum { LONGEST_LINE_CONTEXT = 192, SHORT_ROW = 128, SHORT_SENTENCE = 48 };

/* Whether the text is one sequence without spaces, such as DNA, in lines of one length. */
static bool is_wrapped(const text_statistics *s) {
    enum { SHORTEST = 40 };
    uint64_t most = 0;
    for (int length = SHORTEST; length < LINE_LENGTHS; length++) {
        most = s->length[length] > most ? s->length[length] : most;
    }
    return s->words * 10 <= s->lines * 12 && most_lines(s, most, 60);
}

/* Whether the lines are independent of each other: more than two lines, not one wrapped sequence
 * (is_wrapped), hardly any blank (blank lines separate stanzas, paragraphs or functions), and at
 * most 1 % longer than `longest` characters. */
static bool has_lone_lines(const text_statistics *s, int longest) {
    bool unparted = s->blank_lines * 50 <= s->lines;
    return s->lines > 2 && unparted && !is_wrapped(s) &&
           text_statistics_longer(s, longest) * 100 <= s->lines;
}

/* Whether two speakers alternate, as in a chat. In a list of records ("Title: ...", "Author: ...")
 * the names before the colons repeat too, but a name returns only after all other names. */
static bool takes_turns(const line_marks *m) {
    return m->answers * 10 >= m->named && m->turns * 20 >= m->named && m->turns > 1;
}

static bool is_chat(const text_statistics *s) {
    bool stamped = s->marks.named * 2 <= s->marks.speakers;
    return s->lines > 2 && most_lines(s, s->marks.speakers, 40) &&
           (stamped || takes_turns(&s->marks));
}

static bool is_code(const text_statistics *s) {
    bool nested = most_lines(s, s->marks.indented, 15) && most_lines(s, s->marks.code_ends, 10);
    return s->lines >= FEW_LINES && (nested || most_lines(s, s->marks.code_ends, 40)) &&
           !most_lines(s, s->marks.records, 50);
}

static bool is_records(const text_statistics *s) {
    return s->lines >= FEW_LINES && has_lone_lines(s, SHORT_ROW) &&
           (most_lines(s, s->marks.records, 90) || most_lines(s, s->same_separators, 75));
}

static bool is_list(const text_statistics *s) {
    bool short_lines = s->words <= s->lines * (s->lines < FEW_LINES ? 3 : 5);
    return has_lone_lines(s, SHORT_ROW) && short_lines && !most_lines(s, s->marks.open_ends, 5) &&
           !most_lines(s, s->marks.indented, 5) && !most_lines(s, s->marks.fields, 10);
}

static bool is_sentences(const text_statistics *s) {
    return s->lines >= FEW_LINES && has_lone_lines(s, SHORT_SENTENCE) &&
           most_lines(s, s->marks.sentence_ends, 90);
}

static bool is_verse(const text_statistics *s) {
    return s->lines >= FEW_LINES && !is_wrapped(s) && s->characters <= 50 * s->lines &&
           !most_lines(s, s->marks.stamps, 50);
}

static bool is_prose(const text_statistics *s) {
    (void)s;
    return true;
}

/* The rules in the order in which a text is tested. The first rule that holds sets its kind. */
static const struct kind_rule {
    bool (*holds)(const text_statistics *s);
    int sequences;
} KINDS[] = {
    [FIT_CHAT] = {is_chat, SEQUENCES_STREAM},
    [FIT_CODE] = {is_code, SEQUENCES_STREAM},
    [FIT_RECORDS] = {is_records, SEQUENCES_DOCUMENTS},
    [FIT_SENTENCES] = {is_sentences, SEQUENCES_DOCUMENTS},
    [FIT_LIST] = {is_list, SEQUENCES_DOCUMENTS},
    [FIT_VERSE] = {is_verse, SEQUENCES_STREAM},
    [FIT_PROSE] = {is_prose, SEQUENCES_STREAM},
};
_Static_assert(sizeof KINDS / sizeof *KINDS == FIT_KIND_COUNT, "a rule for each kind");

const char *fit_kind_name(enum fit_kind kind) {
    static const char *const NAMES[] = {
#define KIND_NAME(symbol, name) name,
        FIT_KINDS(KIND_NAME)
#undef KIND_NAME
    };
    return NAMES[kind];
}

/* ---- The options ----------------------------------------------------------------------------- */

static void add_cause(fit *f, enum fit_reason reason, double first, double second) {
    f->causes[f->cause_count++] = (fit_cause){reason, {first, second}};
}

static void set(fit *f, int option, double value) {
    f->recipe.value[option] = value;
}

/* Returns the floating-point operations of one step over `tokens` tokens. Per parameter: 2 for each
 * token in the forward pass, 4 in the backward pass, and about 60 for the update and other fixed
 * costs. Counts the parameters of the blocks (12 C^2 each, C channels) and of the token and head
 * tables. */
static double step_operations(const config *c, double vocab, double tokens) {
    double C = c->value[OPT_CHANNELS];
    double parameters = 12 * c->value[OPT_LAYERS] * C * C + 2 * vocab * C;
    return parameters * (6 * tokens + 60);
}

/* Floating-point operations of 30 seconds on a laptop with two cores (50 GFLOP/s). */
static const double BUDGET = 30 * 5e10;

/* Returns `steps`, or the number of steps that BUDGET allows if that is smaller. One step costs
 * `operations` floating-point operations. */
static double affordable(double steps, double operations) {
    double most = BUDGET / operations;
    return steps < most ? steps : most;
}

/* The fewest characters of running text for a held-out part. In a shorter text a tenth is too
 * little to measure a loss, and a model memorises the text before it learns the language. */
enum { FEWEST_CHARACTERS = 10000 };

/* Chooses bytes or characters as the tokens of a stream. Characters if the text has at most LETTERS
 * distinct characters (an alphabet), or if it is so short that the model memorises it. Otherwise
 * bytes: most characters of a large script are too rare to be learned as tokens (30,000 characters
 * of Tang poems: held-out loss rising from step 500 on with characters, falling to the end with
 * bytes). A text of LONG characters, at least 99 % of them ASCII, gets bytes too, which can encode
 * any prompt at the same loss (Moby-Dick: held-out loss 1.93 with bytes, 1.92 with characters; its
 * first 20,000 characters 2.36 and 2.18). In version 1, every ASCII text gets bytes. */
static void fit_stream_tokens(fit *f) {
    enum { LETTERS = 256, LONG = 250000 };
    const text_statistics *s = &f->text;
    bool ascii = s->beyond_ascii * 100 <= s->characters;
    bool letters = s->distinct <= LETTERS || s->characters < FEWEST_CHARACTERS;
    bool bytes = ascii && (f->version == 1 || s->characters >= LONG);
    set(f, OPT_TOKENIZER, !bytes && letters ? TOKENIZER_CHAR : TOKENIZER_BYTE);
    add_cause(f,
              bytes     ? FIT_BYTES
              : letters ? FIT_CHARACTERS
                        : FIT_CHARACTER_BYTES,
              (double)s->distinct, 0);
}

/* Returns the shortest context that fits 99 % of the lines and 99 % of the characters, or the
 * longest context of LADDER if none does. A line of n characters needs n + 1 tokens. */
static int line_context(const text_statistics *s) {
    static const int LADDER[] = {32, 48, 64, 96, 128, LONGEST_LINE_CONTEXT};
    enum { LAST = sizeof LADDER / sizeof *LADDER - 1 };
    int i = 0;
    while (i < LAST && (text_statistics_longer(s, LADDER[i] - 1) * 100 > s->lines ||
                        text_statistics_beyond(s, LADDER[i]) * 100 > s->characters)) {
        i++;
    }
    return LADDER[i];
}

/* The fewest lines for a held-out part: a tenth of a shorter list is too small to measure a
 * loss. */
enum { FEWEST_LINES = 200 };

/* Returns how many times training reads each line: half of `length`, the mean length of a line in
 * characters, but from FEWEST to MOST. The held-out loss is lowest after about five readings of
 * lists of names, eight of titles of 17 characters, sixteen of longer lines. A text of fewer than
 * FEWEST_LINES lines is read twice as often, so that generated lines resemble it. A text of few
 * sentences (`few_sentences`) cannot teach a model to write: it is read BY_HEART times, until the
 * model has memorised it. */
static double line_readings(const text_statistics *s, double length, bool few_sentences) {
    enum { FEWEST = 5, MOST = 16, BY_HEART = 25 };
    double readings = length / 2 < FEWEST ? FEWEST : length / 2 > MOST ? MOST : length / 2;
    return few_sentences ? BY_HEART : readings * (s->lines < FEWEST_LINES ? 2 : 1);
}

static void fit_lines(fit *f) {
    const text_statistics *s = &f->text;
    int context = line_context(s);
    set(f, OPT_CONTEXT, context);
    add_cause(f, FIT_LINES, (double)s->lines, context);
    add_cause(f, FIT_CHARACTERS, (double)s->distinct, 0);
    enum { FEWEST_STEPS = 500 };
    double preset = f->recipe.value[OPT_STEPS], lines = (double)s->lines;
    double length = (double)(s->characters - s->line_breaks) / (lines > 0 ? lines : 1);
    bool few_sentences = f->kind == FIT_SENTENCES && s->characters < FEWEST_CHARACTERS;
    double steps = lines * line_readings(s, length, few_sentences);
    steps = steps > preset ? preset : steps;
    steps = steps < FEWEST_STEPS ? FEWEST_STEPS : steps;
    steps = steps < lines / 2 ? lines / 2 : steps;
    steps = affordable(steps, step_operations(&f->recipe, (double)s->distinct, length + 1));
    steps = (double)(uint64_t)steps;
    set(f, OPT_STEPS, steps);
    double readings = steps / (lines > 0 ? lines : 1);
    // HARDLY_KNOWN: with fewer readings no part is held out, because the training loss is close to
    // a held-out loss: up to four readings teach about as much as new text (Muennighoff et al.
    // 2023, arXiv:2305.16264). KNOWN: a short list that is read more often is memorised.
    enum { HARDLY_KNOWN = 5, KNOWN = 20 };
    bool by_heart = few_sentences || (lines < FEWEST_LINES && readings > KNOWN);
    if (few_sentences) {
        add_cause(f, FIT_TOO_SHORT, (double)s->characters, FEWEST_CHARACTERS);
    } else if (lines < FEWEST_LINES) {
        add_cause(f, FIT_TOO_SHORT, lines, FEWEST_LINES);
    } else if (readings < HARDLY_KNOWN) {
        add_cause(f, FIT_ALL_NEW, readings, 0);
    } else {
        set(f, OPT_VALIDATION, 0.1);
        add_cause(f, FIT_HELD_OUT, 10, 0);
    }
    add_cause(f, by_heart ? FIT_BY_HEART : FIT_READINGS, steps, readings);
}

static void fit_stream(fit *f) {
    const text_statistics *s = &f->text;
    int context = config_int(&f->recipe, OPT_CONTEXT);
    while (context > 2 && (uint64_t)context * 2 > s->characters) {
        context /= 2;
    }
    set(f, OPT_CONTEXT, context);
    add_cause(f, FIT_STREAM, context, 0);
    fit_stream_tokens(f);
    bool characters = f->recipe.value[OPT_TOKENIZER] == TOKENIZER_CHAR;
    double preset = f->recipe.value[OPT_STEPS];
    double tokens = (double)(characters ? s->characters : s->bytes);
    double per_step = f->recipe.value[OPT_BATCH] * context;
    double vocab = characters ? (double)s->distinct : 256;
    bool short_text = s->characters < FEWEST_CHARACTERS;
    // The step with the lowest held-out loss on the beginning of Moby-Dick; for a short text,
    // which has no held-out part, the step at which the model reproduces the text without errors,
    // with a learning rate that falls to zero.
    double steps = short_text ? 1500 + tokens / 8 : 800 + tokens / 40;
    steps = steps > preset && !short_text ? preset : steps;
    double trained = short_text ? tokens : 0.9 * tokens;
    steps = steps < trained / per_step ? trained / per_step : steps;
    steps = affordable(steps, step_operations(&f->recipe, vocab, per_step));
    steps = (double)(uint64_t)steps;
    set(f, OPT_STEPS, steps);
    if (short_text) {
        set(f, OPT_VALIDATION, 0);
        set(f, OPT_SCHEDULE, SCHEDULE_COSINE);
        add_cause(f, FIT_TOO_SHORT, (double)s->characters, FEWEST_CHARACTERS);
    } else {
        add_cause(f, FIT_HELD_OUT, 100 * f->recipe.value[OPT_VALIDATION], 0);
    }
    add_cause(f, short_text ? FIT_BY_HEART : FIT_READINGS, steps, steps * per_step / trained);
}

int fit_text(fit *f, int version, const char *text, size_t bytes) {
    memset(f, 0, sizeof *f);
    f->version = version;
    int status = text_statistics_read(&f->text, text, bytes);
    if (status < 0) {
        return status;
    }
    while (!KINDS[f->kind].holds(&f->text)) {
        f->kind++;
    }
    // A text of fewer than FEWEST_OF_STREAM characters becomes documents, whatever its kind: a
    // stream must have more tokens than its context; a document may have a single token.
    enum { FEWEST_OF_STREAM = 8 };
    bool lines = KINDS[f->kind].sequences == SEQUENCES_DOCUMENTS ||
                 f->text.characters < FEWEST_OF_STREAM;
    f->preset = lines ? PRESET_MICROGPT : PRESET_TINYGPT;
    (void)config_from_preset(&f->recipe, CONFIG_PRESETS[f->preset], NULL);
    (lines ? fit_lines : fit_stream)(f);
    if (f->kind == FIT_CHAT && most_lines(&f->text, f->text.marks.dated_speakers, 40)) {
        add_cause(f, FIT_STAMPS, (double)f->text.marks.dated_speakers, 0);
    }
    return GPT_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static const char *const REASONS[] = {
#define FIT_NAME(symbol, name) [FIT_##symbol] = name,
    FIT_REASONS(FIT_NAME)
#undef FIT_NAME
};

int fit_json(const fit *f, char *out, size_t capacity, gpt_error *error) {
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "{");
    text_put_string_member(&buffer, "kind", fit_kind_name(f->kind));
    text_put_string_member(&buffer, "preset", CONFIG_PRESETS[f->preset]);
    text_put_key(&buffer, "changes");
    text_put(&buffer, "{");
    for (int i = 0; i < OPT_COUNT; i++) {
        if (f->recipe.value[i] != CONFIG_ROWS[i].preset[f->preset]) {
            text_put_member(&buffer, CONFIG_ROWS[i].name, f->recipe.value[i]);
        }
    }
    text_put(&buffer, "},\"reasons\":[");
    for (int i = 0; i < f->cause_count; i++) {
        const fit_cause *cause = &f->causes[i];
        text_put(&buffer, i ? ",{" : "{");
        text_put_string_member(&buffer, "code", REASONS[cause->reason]);
        text_put_key(&buffer, "values");
        text_put(&buffer, "[");
        text_put_json_number(&buffer, cause->value[0]);
        text_put(&buffer, ",");
        text_put_json_number(&buffer, cause->value[1]);
        text_put(&buffer, "]}");
    }
    text_put(&buffer, "]");
    text_put_member(&buffer, "version", f->version);
    text_put_member(&buffer, "characters", (double)f->text.characters);
    text_put_member(&buffer, "lines", (double)f->text.lines);
    text_put(&buffer, "}");
    return text_answer(&buffer, error);
}
