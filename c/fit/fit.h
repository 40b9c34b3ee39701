/* fit.h - chooses a recipe for a text and lists the reasons.
 *
 * Recognises the kind of text by a table of rules (KINDS in fit.c) and sets options by kind and
 * size. Invariants: the recipe depends on the text and the version of the rules, never on the
 * machine; the three sample texts get exactly the presets that were tuned on them, microgpt and
 * tinygpt. Links name the version, so an older version keeps its rules for ever.
 */
#ifndef GLASSHOUSE_FIT_H
#define GLASSHOUSE_FIT_H

#include "fit/text_statistics.h"
#include "recipe/config.h"

/* X(symbol, name): the kinds of text. */
#define FIT_KINDS(X)                                                                               \
    X(CHAT, "chat")           /* people talk in turns */                                           \
    X(CODE, "code")           /* a programming language */                                         \
    X(RECORDS, "records")     /* short rows of one layout: CSV, JSON lines */                      \
    X(SENTENCES, "sentences") /* short lines that are whole sentences: proverbs, quatrains */      \
    X(LIST, "list")           /* names, words, titles: a few words a line */                       \
    X(VERSE, "verse")         /* short lines that depend on each other: songs, tunes */            \
    X(PROSE, "prose")         /* everything else */

/* X(symbol, name): the reasons for the options of a recipe. The comments name the numbers of
 * fit_cause.value; a second value that is not named is unused. */
#define FIT_REASONS(X)                                                                             \
    X(LINES, "lines")                     /* each line is a document; values: lines, context */    \
    X(STREAM, "stream")                   /* the whole text is one stream; value: context */       \
    X(BYTES, "bytes")                     /* byte tokens, nearly all ASCII; value: distinct */     \
    X(CHARACTERS, "characters")           /* character tokens; value: distinct characters */       \
    X(CHARACTER_BYTES, "character-bytes") /* byte tokens, large alphabet; value: distinct */       \
    X(HELD_OUT, "held-out")   /* a part of the text is held out; value: its percentage */          \
    X(ALL_NEW, "all-new")     /* no held-out part, lines are read few times; value: readings */    \
    X(TOO_SHORT, "too-short") /* too short to hold out a part; values: length, minimum */          \
    X(BY_HEART, "by-heart")   /* the model will memorise the text; values: steps, readings */      \
    X(STAMPS, "stamps")       /* a chat with dates and times; value: dated lines */                \
    X(READINGS, "readings")   /* length of training; values: steps, readings of the text */

#define FIT_ENUM(symbol, name) FIT_##symbol,
enum fit_kind { FIT_KINDS(FIT_ENUM) FIT_KIND_COUNT };
enum fit_reason { FIT_REASONS(FIT_ENUM) FIT_REASON_COUNT };
#undef FIT_ENUM

/* Returns the name of a kind of text in JSON, such as "prose". Static string. */
const char *fit_kind_name(enum fit_kind kind);

typedef struct fit_cause {
    enum fit_reason reason;
    double value[2]; /* meaning: see FIT_REASONS; 0 if unused */
} fit_cause;

/* Versions of the rules. Version 1 always splits ASCII streams into bytes, version 2 only long
 * ones. */
enum { FIT_OLDEST = 1, FIT_NEWEST = 2 };

typedef struct fit {
    int version; /* FIT_OLDEST to FIT_NEWEST */
    enum fit_kind kind;
    int preset; /* PRESET_...: the preset that the recipe started from */
    config recipe;
    fit_cause causes[FIT_REASON_COUNT];
    int cause_count;
    text_statistics text;
} fit;

/* Fits a recipe to a text of at least one byte by the rules of `version`, FIT_OLDEST to FIT_NEWEST.
 * GPT_OK or GPT_E_ALLOCATION. */
int fit_text(fit *f, int version, const char *text, size_t bytes);

/* Writes a fit as the JSON that gpt_config_fit (api/gpt.h) describes. Returns the length or
 * GPT_E_CAPACITY. */
int fit_json(const fit *f, char *out, size_t capacity, gpt_error *error);

#endif
