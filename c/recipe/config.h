/* config.h - the recipe: every numeric option of a model and its training, in one table.
 *
 * A row of the table has the type of an option, its range, its value in each preset (tinygpt,
 * microgpt, gpt2) and how forms show the option. Forms, URLs, the command line and checkpoints read
 * their options from this table. The functions check values and combinations of values, but not
 * whether the values suit a text or the available memory.
 */
#ifndef GLASSHOUSE_CONFIG_H
#define GLASSHOUSE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "base/error.h"
#include "recipe/left_out.h"

typedef enum tokenizer_kind { TOKENIZER_BYTE, TOKENIZER_CHAR, TOKENIZER_BPE } tokenizer_kind;
typedef enum sequences_kind { SEQUENCES_STREAM, SEQUENCES_DOCUMENTS } sequences_kind;
typedef enum norm_kind { NORM_LAYERNORM, NORM_RMSNORM } norm_kind;
typedef enum activation_kind { ACTIVATION_GELU, ACTIVATION_RELU2 } activation_kind;
typedef enum residual_init { RESIDUAL_NORMAL, RESIDUAL_ZERO, RESIDUAL_SCALED } residual_init;
typedef enum schedule_kind {
    SCHEDULE_CONSTANT,
    SCHEDULE_COSINE,
    SCHEDULE_WARMUP_COSINE
} schedule_kind;
typedef enum decay_kind { DECAY_ALL, DECAY_MATRICES } decay_kind;

/* 2^53 - 1, the largest seed and the largest whole number in files: a double represents every whole
 * number up to this one exactly. */
#define CONFIG_WHOLE_MAX 9007199254740991.0

/* Flags of an option. LIVE: the option may change during a run. BASIC: forms show the option at
 * once; they show other options on request. */
enum { LIVE = 1, BASIC = 2 };

/* X(symbol, name, group, type, min, max, use, ladder, term, needs, tinygpt, microgpt, gpt2)
 *
 *     type      "int", "real", "bool", or the choices separated by "|"; a choice is stored as its
 *               index, from 0
 *     use       LIVE, BASIC, both, or 0
 *     ladder    the round values that a form steps through: "ones" (whole numbers), "halves" (1,
 *               1.5, 2, 3, 4, 6, 8...), "decades" (1, 2, 5, 10...), "twentieths" (steps of 0.05);
 *               "" for choices and bools
 *     term      the entry of the glossary that explains the option, or ""
 *     needs     "option=choice": this option has an effect only if the named option has that
 *               choice; "" if it always has an effect
 *     tinygpt, microgpt, gpt2    the value in each preset
 *
 * Sources of the values: all values of microgpt and the optimizer settings of tinygpt come from the
 * programs that these presets reproduce; the optimizer settings of gpt2 follow the GPT-3 paper
 * (appendix B). The sizes, learning rates and warm-up of tinygpt and gpt2 are ours, tuned on the
 * sample texts so that the first minute of training shows progress. gpt2's vocabulary of 1024
 * tokens is ours too: after a minute of training, its bits per character on held-out text are below
 * those of 256 and 512 tokens in English and Chinese; 2048 tokens are 3 % better in English and
 * worse in Chinese, whose sample is small.
 */
#define CONFIG_OPTIONS(X)                                                                          \
    X(TOKENIZER, "tokenizer", "data", "byte|char|bpe", 0, 2, BASIC, "", "token", "", 0, 1, 2)      \
    X(VOCABULARY, "vocabulary", "data", "int", 256, 50000, 0, "decades", "vocabulary",             \
      "tokenizer=bpe", 1024, 1024, 1024)                                                           \
    X(SPECIAL_TOKENS, "special_tokens", "data", "bool", 0, 1, 0, "", "bos", "", 0, 0, 0)           \
    X(SEQUENCES, "sequences", "data", "stream|documents", 0, 1, BASIC, "", "document", "", 0, 1,   \
      0)                                                                                           \
    X(VALIDATION, "validation", "data", "real", 0, 0.5, 0, "twentieths", "validation", "", 0.1, 0, \
      0.1)                                                                                         \
    X(SEED, "seed", "data", "int", 0, CONFIG_WHOLE_MAX, BASIC, "decades", "seed", "", 42, 42, 42)  \
    X(LAYERS, "layers", "model", "int", 1, 96, BASIC, "ones", "layer", "", 2, 2, 4)                \
    X(HEADS, "heads", "model", "int", 1, 64, BASIC, "halves", "head", "", 1, 4, 4)                 \
    X(CHANNELS, "channels", "model", "int", 1, 8192, BASIC, "halves", "channels", "", 64, 64, 128) \
    X(CONTEXT, "context", "model", "int", 2, 8192, BASIC, "halves", "context", "", 64, 32, 64)     \
    X(NORM, "norm", "model", "layernorm|rmsnorm", 0, 1, 0, "", "normalisation", "", 0, 1, 0)       \
    X(NORM_GAIN, "norm_gain", "model", "bool", 0, 1, 0, "", "normalisation", "", 0, 0, 1)          \
    X(ACTIVATION, "activation", "model", "gelu|relu2", 0, 1, 0, "", "activation", "", 0, 1, 0)     \
    X(BIAS, "bias", "model", "bool", 0, 1, 0, "", "", "", 1, 0, 1)                                 \
    X(TIED_HEAD, "tied_head", "model", "bool", 0, 1, 0, "", "embedding", "", 0, 0, 1)              \
    X(HEAD_BIAS, "head_bias", "model", "bool", 0, 1, 0, "", "", "", 1, 0, 0)                       \
    X(EMBEDDING_NORM, "embedding_norm", "model", "bool", 0, 1, 0, "", "normalisation", "", 0, 1,   \
      0)                                                                                           \
    X(FINAL_NORM, "final_norm", "model", "bool", 0, 1, 0, "", "normalisation", "", 1, 0, 1)        \
    X(INIT_STD, "init_std", "model", "real", 0, 1, 0, "decades", "", "", 0.02, 0.02, 0.02)         \
    X(RESIDUAL_INIT, "residual_init", "model", "normal|zero|scaled", 0, 2, 0, "", "", "", 0, 1, 2) \
    X(BATCH, "batch", "training", "int", 1, 1024, BASIC, "halves", "batch", "", 8, 1, 8)           \
    X(STEPS, "steps", "training", "int", 1, 1e9, LIVE | BASIC, "decades", "step", "", 2000, 5000,  \
      2000)                                                                                        \
    X(LR, "lr", "training", "real", 0, 10, LIVE | BASIC, "decades", "learning_rate", "", 0.003,    \
      0.001, 0.003)                                                                                \
    X(SCHEDULE, "schedule", "training", "constant|cosine|warmup_cosine", 0, 2, LIVE, "",           \
      "learning_rate", "", 0, 1, 2)                                                                \
    X(WARMUP, "warmup", "training", "int", 0, 1e9, LIVE, "decades", "learning_rate", "", 0, 0,     \
      100)                                                                                         \
    X(MIN_LR, "min_lr", "training", "real", 0, 1, LIVE, "twentieths", "learning_rate", "", 0, 0,   \
      0.1)                                                                                         \
    X(BETA1, "beta1", "training", "real", 0, 0.9999, 0, "twentieths", "optimizer", "", 0.9, 0.9,   \
      0.9)                                                                                         \
    X(BETA2, "beta2", "training", "real", 0, 0.99999, 0, "twentieths", "optimizer", "", 0.999,     \
      0.95, 0.95)                                                                                  \
    X(EPSILON, "epsilon", "training", "real", 1e-12, 1, 0, "decades", "optimizer", "", 1e-8, 1e-8, \
      1e-8)                                                                                        \
    X(WEIGHT_DECAY, "weight_decay", "training", "real", 0, 10, LIVE, "decades", "weight_decay",    \
      "", 0.01, 0, 0.1)                                                                            \
    X(DECAY, "decay", "training", "all|matrices", 0, 1, 0, "", "weight_decay", "", 0, 0, 1)        \
    X(CLIP, "clip", "training", "real", 0, 1e6, LIVE, "decades", "gradient_norm", "", 0, 0, 1)

/* Options added after the first receipts (records of runs) were published, oldest first. A row has
 * one more column, `before`: the value that the option has in older runs, which do not name it. A
 * file that does not name the option has this value, and the hash of a recipe includes the option
 * only if its value differs from `before`. So older receipts and checkpoints stay valid. */
#ifndef CONFIG_INVENTED_OPTIONS /* more rows, which tests define to imitate a later version */
#define CONFIG_INVENTED_OPTIONS(X)
#endif
#define CONFIG_LATER_OPTIONS(X)                                                                    \
    X(NORM_EPSILON, "norm_epsilon", "model", "real", 1e-12, 1, 0, "decades", "", "", 1e-5, 1e-5,   \
      1e-5, 1e-5)                                                                                  \
    CONFIG_INVENTED_OPTIONS(X)

#define CONFIG_ENUM(symbol, ...) OPT_##symbol,
enum config_option {
    CONFIG_OPTIONS(CONFIG_ENUM) OPT_FIRST_LATER,
    OPT_BEFORE_LATER = OPT_FIRST_LATER - 1,
    CONFIG_LATER_OPTIONS(CONFIG_ENUM) OPT_COUNT
};
#undef CONFIG_ENUM

enum { PRESET_TINYGPT, PRESET_MICROGPT, PRESET_GPT2, PRESET_COUNT };

/* A recipe: the value of every option by number (OPT_...), each checked against its range. */
typedef struct config {
    double value[OPT_COUNT];
    left_out left_out; /* the only option that is not a number; it has no row in the table */
} config;

typedef struct config_row {
    const char *name, *group, *type;
    double min, max;
    const char *ladder, *term, *needs;
    double preset[PRESET_COUNT];
    double before; /* value of the option in files that do not name it */
    int use;       /* LIVE, BASIC, both or 0 */
    bool later;    /* true if the option is in CONFIG_LATER_OPTIONS (options added later) */
} config_row;

/* The name, in files, texts and messages, of the option config.left_out: the bytes that training
 * never reads. An empty list of bytes is neither written to files nor included in hashes, so that
 * files and hashes from before this option stay valid. */
#define CONFIG_LEFT_OUT "left_out"

/* The rows of CONFIG_OPTIONS, then the rows of CONFIG_LATER_OPTIONS, indexed by option number
 * (OPT_...): OPT_COUNT rows in all. */
extern const config_row CONFIG_ROWS[];
extern const char *const CONFIG_PRESETS[PRESET_COUNT];

/* Sets all options to their values in a preset and empties left_out. Errors: GPT_E_PRESET if no
 * preset has that name; `c` is unchanged then. */
int config_from_preset(config *c, const char *preset, gpt_error *error);

/* Returns the recipe of a file that names no option: for each option in CONFIG_LATER_OPTIONS its
 * `before`, for every other option its value in the preset tinygpt, and an empty left_out. */
config config_before(void);

/* Returns the number (OPT_...) of an option; -1 if `name` is NULL, unknown or CONFIG_LEFT_OUT. */
int config_find(const char *name);

/* Sets an option. Errors: GPT_E_OPTION if no option has that name, GPT_E_RANGE for a value out of
 * range or NaN, GPT_E_WHOLE for a fraction where the type is not "real"; `c` is unchanged then. */
int config_set(config *c, const char *name, double value, gpt_error *error);

/* Sets an option from text: a JSON number, `true` or `false` of a bool, or the name of a choice.
 * For the name CONFIG_LEFT_OUT, left_out_read reads the text. Errors: GPT_E_CHOICE for other texts,
 * GPT_E_ARGUMENT if `text` is NULL, and the errors of config_set and left_out_read; `c` is
 * unchanged then. */
int config_set_text(config *c, const char *name, const char *text, gpt_error *error);

/* Checks combinations of options: GPT_E_HEADS if the number of heads does not divide the
 * channels. */
int config_check(const config *c, gpt_error *error);

/* Writes the names of the presets and the table of options as JSON, for clients. Returns the length
 * in bytes, or GPT_E_CAPACITY if `out` is too small. */
int config_json(char *out, size_t capacity);

/* Whether a file or a hash must name the option: true unless the option is in CONFIG_LATER_OPTIONS
 * and has its value `before`. */
static inline bool config_is_written(const config *c, int option) {
    return !CONFIG_ROWS[option].later || c->value[option] != CONFIG_ROWS[option].before;
}

static inline int config_int(const config *c, int option) {
    return (int)c->value[option];
}

static inline bool config_bool(const config *c, int option) {
    return c->value[option] != 0;
}

/* Five functions that return the choice of an option as an enum. A switch over such an enum has no
 * default, so that -Wswitch reports every switch that does not handle a new choice. */
static inline norm_kind config_norm(const config *c) {
    return (norm_kind)config_int(c, OPT_NORM);
}

static inline activation_kind config_activation(const config *c) {
    return (activation_kind)config_int(c, OPT_ACTIVATION);
}

static inline residual_init config_residual_init(const config *c) {
    return (residual_init)config_int(c, OPT_RESIDUAL_INIT);
}

static inline schedule_kind config_schedule(const config *c) {
    return (schedule_kind)config_int(c, OPT_SCHEDULE);
}

static inline tokenizer_kind config_tokenizer(const config *c) {
    return (tokenizer_kind)config_int(c, OPT_TOKENIZER);
}

#endif
