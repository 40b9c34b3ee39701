/* fit.h - the recipe that suits a text, and why.
 *
 * Owns: the rules, as two tables in fit.c: what kind of text it is, and what each kind is given.
 * The answer depends on the text alone, never on the machine. Its three anchors are the sample
 * texts: they get exactly the presets microgpt and tinygpt, which were tuned on them.
 */
#ifndef GLASSHOUSE_FIT_H
#define GLASSHOUSE_FIT_H

#include "fit/text_statistics.h"
#include "recipe/config.h"

/* X(symbol, name): the kinds of text. */
#define FIT_KINDS(X)                                                                               \
    X(CHAT, "chat")           /* people talk in turns */                                           \
    X(CODE, "code")           /* a programming language */                                         \
    X(RECORDS, "records")     /* short rows of one form: CSV, JSON lines */                        \
    X(SENTENCES, "sentences") /* short lines that are whole sentences: proverbs, quatrains */      \
    X(LIST, "list")           /* names, words, titles: a few words a line */                       \
    X(VERSE, "verse")         /* short lines that belong together: songs, tunes */                 \
    X(PROSE, "prose")         /* everything else */

/* X(symbol, name): what a fitted recipe is explained with, each with up to two numbers. */
#define FIT_REASONS(X)                                                                             \
    X(LINES, "lines")           /* each line by itself: lines, context */                          \
    X(STREAM, "stream")         /* windows of the whole text: context */                           \
    X(BYTES, "bytes")           /* nearly all characters are ASCII: distinct characters */         \
    X(CHARACTERS, "characters") /* distinct characters */                                          \
    X(CHARACTER_BYTES, "character-bytes") /* too many characters: distinct characters */           \
    X(HELD_OUT, "held-out")               /* a share is held out: percent */                       \
    X(ALL_NEW, "all-new")     /* nothing held out: hardly a line is read often: readings */        \
    X(TOO_SHORT, "too-short") /* nothing held out: too little text: characters, needed */          \
    X(BY_HEART, "by-heart")   /* so little text that it is learned by heart: readings */           \
    X(STAMPS, "stamps")       /* a chat with dates and times: lines that have them */              \
    X(READINGS, "readings")   /* steps; how often they read the training part */

#define FIT_ENUM(symbol, name) FIT_##symbol,
enum fit_kind { FIT_KINDS(FIT_ENUM) FIT_KIND_COUNT };
enum fit_reason { FIT_REASONS(FIT_ENUM) FIT_REASON_COUNT };
#undef FIT_ENUM

/* Its name in JSON. Static storage. */
const char *fit_kind_name(enum fit_kind kind);

typedef struct fit_cause {
    enum fit_reason reason;
    double value[2];
} fit_cause;

typedef struct fit {
    enum fit_kind kind;
    int preset; /* the one that the recipe starts from */
    config recipe;
    fit_cause causes[FIT_REASON_COUNT];
    int cause_count;
    text_statistics text;
} fit;

/* Fits a recipe to `text` (at least one byte). GPT_E_ALLOCATION. */
int fit_text(fit *f, const char *text, size_t bytes);

/* Writes a fit as JSON, see gpt_config_fit. Returns the length or GPT_E_CAPACITY. */
int fit_json(const fit *f, char *out, size_t capacity, gpt_error *error);

#endif
