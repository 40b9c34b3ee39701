/* train_gpt_arguments.c - the flags of the command line, its help and its error messages.
 *
 * FLAGS is the table of all flags; read_arguments makes the list for getopt_long from this table.
 * The options of a recipe are in a table of the engine: --set accepts every option, and the help
 * lists all options with their values in each preset.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/train_gpt.h"

static const char HELP[] =
#include "cli/help.txt.inc"
    ;

/* ---- Messages -------------------------------------------------------------------------------- */

int complain(const char *what, const char *why) {
    (void)fflush(stdout);
    (void)fprintf(stderr, "train_gpt: %s%s%s\n", what, why ? ": " : "", why ? why : "");
    return EXIT_FAILED;
}

int complain_of_system(const char *what, int error) {
    static const struct {
        int error;
        const char *advice;
    } ADVICE[] = {
        {ENOENT, "check the path; a folder must exist before a file is written to it"},
        {EACCES, "choose another place, or change the rights there"},
        {EROFS, "choose a place that can be written"},
        {EISDIR, "name a file; the folder of a model is given with --hf"},
        {ENOTDIR, "a part of this path is a file; a model in one file is given with --load"},
        {ENAMETOOLONG, "choose a shorter path"},
        {ENOSPC, "make room, or choose another place"},
        {EDQUOT, "make room, or choose another place"},
        {EFBIG, "raise the limit (ulimit -f), or choose another place"},
        {ENOMEM, "close other programs, or choose a smaller text or model"},
    };
    char why[256];
    const char *advice = NULL;
    for (size_t i = 0; i < sizeof ADVICE / sizeof *ADVICE; i++) {
        advice = ADVICE[i].error == error ? ADVICE[i].advice : advice;
    }
    (void)snprintf(why, sizeof why, "%s%s%s", strerror(error), advice ? ": " : "",
                   advice ? advice : "");
    return complain(what, why);
}

int complain_of_config(const char *what, const gpt_config *config) {
    char message[512];
    (void)gpt_config_message(config, message, sizeof message);
    return complain(what, message);
}

int complain_of_trainer(const char *what, const gpt_trainer *trainer) {
    char message[512];
    (void)gpt_trainer_message(trainer, message, sizeof message);
    return complain(what, message);
}

static int wrong_use(const char *what, const char *detail) {
    (void)fprintf(stderr, "train_gpt: %s%s%s\nTry `train_gpt --help`.\n", what, detail ? ": " : "",
                  detail ? detail : "");
    return EXIT_USAGE;
}

/* Writes the value of option `index` to `out` as --set reads it: a number, `true` or `false`, or
 * the name of a choice. */
static void write_value(char out[64], int index, double value) {
    const char *type = gpt_option_type(index);
    const char *choices = strcmp(type, "bool") == 0 ? "false|true" : type;
    if (!strchr(choices, '|')) {
        (void)snprintf(out, 64, "%.9g", value);
        return;
    }
    for (; value > 0 && strchr(choices, '|'); value--) {
        choices = strchr(choices, '|') + 1;
    }
    (void)snprintf(out, 64, "%.*s", (int)strcspn(choices, "|"), choices);
}

static void print_help(void) {
    char value[64];
    (void)fputs(HELP, stdout);
    (void)printf("  %-16s", "");
    for (int p = 0; gpt_preset_name(p); p++) {
        (void)printf(" %-13s", gpt_preset_name(p));
    }
    (void)printf(" values\n");
    for (int i = 0; gpt_option_name(i); i++) {
        (void)printf("  %-16s", gpt_option_name(i));
        for (int p = 0; gpt_preset_name(p); p++) {
            gpt_config *config = gpt_config_create(gpt_preset_name(p));
            write_value(value, i, gpt_config_get(config, gpt_option_name(i)));
            (void)printf(" %-13s", value);
            gpt_config_free(config);
        }
        (void)printf(" %s\n", gpt_option_type(i));
    }
}

/* ---- Flags ----------------------------------------------------------------------------------- */

/* The name of the option for byte ranges that training never reads, and its flag. This option alone
 * is not in the engine's table of options. */
static const char LEFT_OUT[] = "left_out";
#define LEFT_OUT_FLAG "left-out"

/* How the value of a flag is stored: for most kinds, the type of its field in `arguments`. */
typedef enum flag_kind {
    FLAG_OPTION, /* an item of `settings`; see option_of_flag */
    FLAG_TEXT,   /* const char * */
    FLAG_SWITCH, /* bool; no value */
    FLAG_COUNT,  /* int */
    FLAG_WHOLE,  /* double, a whole number */
    FLAG_NUMBER, /* double */
    FLAG_SET,    /* an item of `settings`; the value of the flag is OPTION=VALUE */
    FLAG_EXPORT, /* an item of `exports` */
    FLAG_HELP,   /* no value, like every kind below */
    FLAG_VERSION,
} flag_kind;

#define AT(field) offsetof(arguments, field)
static const struct flag {
    const char *name;
    flag_kind kind;
    size_t at;            /* offset of the field in `arguments`, in bytes */
    const char *sampling; /* name for gpt_sampling_limit; NULL: use `low` and `high` */
    double low, high;
} FLAGS[] = {
    {.name = "batch", .kind = FLAG_OPTION},
    {.name = "seq", .kind = FLAG_OPTION},
    {.name = "dmodel", .kind = FLAG_OPTION},
    {.name = "layers", .kind = FLAG_OPTION},
    {.name = "heads", .kind = FLAG_OPTION},
    {.name = "lr", .kind = FLAG_OPTION},
    {.name = "seed", .kind = FLAG_OPTION},
    {.name = "steps", .kind = FLAG_OPTION},
    {.name = "schedule", .kind = FLAG_OPTION},
    {.name = LEFT_OUT_FLAG, .kind = FLAG_OPTION},
    {.name = "data", .kind = FLAG_TEXT, .at = AT(data)},
    {.name = "encoding", .kind = FLAG_TEXT, .at = AT(encoding)},
    {.name = "preset", .kind = FLAG_TEXT, .at = AT(preset)},
    {.name = "set", .kind = FLAG_SET},
    {.name = "save", .kind = FLAG_TEXT, .at = AT(save)},
    {.name = "load", .kind = FLAG_TEXT, .at = AT(load)},
    {.name = "tune", .kind = FLAG_SWITCH, .at = AT(tune)},
    {.name = "fork", .kind = FLAG_SWITCH, .at = AT(fork)},
    {.name = "fit", .kind = FLAG_SWITCH, .at = AT(fit)},
    {.name = "fit-version", .kind = FLAG_COUNT, .at = AT(fit_version), .low = 1, .high = 1e6},
    {.name = "hf", .kind = FLAG_TEXT, .at = AT(hf)},
    {.name = "raw", .kind = FLAG_TEXT, .at = AT(raw)},
    {.name = "export", .kind = FLAG_EXPORT},
    {.name = "language", .kind = FLAG_TEXT, .at = AT(language)},
    {.name = "receipt", .kind = FLAG_TEXT, .at = AT(receipt)},
    {.name = "verify", .kind = FLAG_TEXT, .at = AT(verify)},
    {.name = "trace", .kind = FLAG_TEXT, .at = AT(trace)},
    {.name = "yardsticks", .kind = FLAG_SWITCH, .at = AT(baselines)},
    {.name = "prompt", .kind = FLAG_TEXT, .at = AT(prompt)},
    {.name = "samples", .kind = FLAG_COUNT, .at = AT(samples), .low = 0, .high = 1e6},
    {.name = "max-tokens", .kind = FLAG_COUNT, .at = AT(max_tokens), .sampling = "max_tokens"},
    {.name = "temperature", .kind = FLAG_NUMBER, .at = AT(temperature), .sampling = "temperature"},
    {.name = "top-k", .kind = FLAG_COUNT, .at = AT(top_k), .sampling = "top_k"},
    {.name = "top-p", .kind = FLAG_NUMBER, .at = AT(top_p), .sampling = "top_p"},
    {.name = "sample-seed", .kind = FLAG_WHOLE, .at = AT(sample_seed), .sampling = "seed"},
    {.name = "every", .kind = FLAG_COUNT, .at = AT(every), .low = 1, .high = 1e9},
    {.name = "threads", .kind = FLAG_COUNT, .at = AT(threads), .low = 1, .high = 16},
    {.name = "help", .kind = FLAG_HELP},
    {.name = "version", .kind = FLAG_VERSION},
};
#undef AT
enum { FLAG_TOTAL = sizeof FLAGS / sizeof *FLAGS };

/* Returns the name of the option that a flag of kind FLAG_OPTION sets. */
static const char *option_of_flag(const char *flag) {
    return strcmp(flag, "seq") == 0           ? "context"
           : strcmp(flag, "dmodel") == 0      ? "channels"
           : strcmp(flag, LEFT_OUT_FLAG) == 0 ? LEFT_OUT
                                              : flag;
}

/* Returns the Levenshtein distance of two words: the fewest letters to insert, delete or replace.
 * `length` is the length of `one`. Reads at most 31 letters of each word. */
static int edits(const char *one, const char *other, size_t length) {
    enum { MOST = 32 };
    int row[MOST] = {0};
    size_t columns = strlen(other) < MOST - 1 ? strlen(other) : MOST - 1;
    for (size_t j = 0; j <= columns; j++) {
        row[j] = (int)j;
    }
    for (size_t i = 1; i <= length && i < MOST; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= columns; j++) {
            int cost = diagonal + (one[i - 1] != other[j - 1]);
            int least = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = cost < least ? cost : least;
        }
    }
    return row[columns];
}

/* Prints on standard error the name nearest to an unknown word of `length` letters by Levenshtein
 * distance; nothing if no name is near. `option` true: searches only the options of --set. */
static void suggest(const char *word, size_t length, bool option) {
    int least = length < 4 ? 2 : 3; // a near name has a smaller distance than this
    const char *near = NULL, *before = "", *name;
    for (int i = option ? FLAG_TOTAL : 0;
         (name = i < FLAG_TOTAL ? FLAGS[i].name : gpt_option_name(i - FLAG_TOTAL)) != NULL; i++) {
        int distance = edits(word, name, length);
        if (distance < least) {
            near = name;
            before = i < FLAG_TOTAL ? "--" : "--set ";
            least = distance;
        }
    }
    if (near) {
        (void)fprintf(stderr, "Did you mean %s%s?\n", before, near);
    }
}

/* Appends an option and its value to a->settings. The name of the option is the first `length`
 * bytes of `name`. Keeps the pointer `value`. */
static int add_setting(arguments *a, const char *name, size_t length, const char *value) {
    setting *s = &a->settings[a->setting_count];
    if (a->setting_count == SETTINGS_MAX || length >= sizeof s->name) {
        return wrong_use("too many or too long options", name);
    }
    memcpy(s->name, name, length);
    s->name[length] = 0;
    s->value = value;
    a->setting_count++;
    return EXIT_SUCCESS;
}

/* Reads a number from `text`, the value of a flag, and checks that the number is within the limits
 * of the flag. */
static int read_number(const struct flag *flag, const char *text, double *value) {
    double low = flag->sampling ? gpt_sampling_limit(flag->sampling, 0) : flag->low;
    double high = flag->sampling ? gpt_sampling_limit(flag->sampling, 1) : flag->high;
    bool whole = flag->kind != FLAG_NUMBER;
    char *end = NULL;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= low && *value <= high &&
        !(whole && *value != (double)(long long)*value)) {
        return EXIT_SUCCESS;
    }
    char detail[256];
    (void)snprintf(detail, sizeof detail, "--%s is %s, but must be a%s from %.16g to %.16g",
                   flag->name, text, whole ? " whole number" : " number", low, high);
    return wrong_use(detail, NULL);
}

/* Stores `text`, the value of a flag, in `a`. A FLAG_SWITCH has no value: `text` is NULL. */
static int read_flag(arguments *a, const struct flag *flag, const char *text) {
    void *field = (char *)a + flag->at;
    const char *name, *equals;
    double number;
    int status;
    switch (flag->kind) {
    case FLAG_OPTION:
        name = option_of_flag(flag->name);
        return add_setting(a, name, strlen(name), text);
    case FLAG_SET:
        equals = strchr(text, '=');
        return equals ? add_setting(a, text, (size_t)(equals - text), equals + 1)
                      : wrong_use("--set wants OPTION=VALUE", text);
    case FLAG_EXPORT:
        if (a->export_count == EXPORTS_MAX) {
            return wrong_use("too many exports", text);
        }
        a->exports[a->export_count++] = text;
        return EXIT_SUCCESS;
    case FLAG_TEXT:
        *(const char **)field = text;
        return EXIT_SUCCESS;
    case FLAG_SWITCH:
        *(bool *)field = true;
        return EXIT_SUCCESS;
    case FLAG_COUNT:
        status = read_number(flag, text, &number);
        *(int *)field = status == EXIT_SUCCESS ? (int)number : *(int *)field;
        return status;
    default:
        return read_number(flag, text, field);
    }
}

/* True for the options that change neither the model nor how text becomes tokens and sequences: all
 * options of training, and seed, validation and left_out. False for an unknown name. */
static bool is_of_training(const char *name) {
    for (int i = 0; gpt_option_name(i); i++) {
        if (strcmp(name, gpt_option_name(i)) == 0) {
            return strcmp(gpt_option_group(i), "training") == 0 || strcmp(name, "seed") == 0 ||
                   strcmp(name, "validation") == 0;
        }
    }
    return strcmp(name, LEFT_OUT) == 0;
}

/* True if a flag sets an option of the model, of its tokenizer or of its sequences. */
static bool names_model(const arguments *a) {
    for (int i = 0; i < a->setting_count; i++) {
        if (!is_of_training(a->settings[i].name)) {
            return true;
        }
    }
    return false;
}

bool leaves_out(const arguments *a) {
    bool found = false;
    for (int i = 0; i < a->setting_count; i++) {
        found |= strcmp(a->settings[i].name, LEFT_OUT) == 0;
    }
    return found;
}

/* Rejects meaningless combinations of flags. `others` is true if the command line has a flag that
 * --verify does not allow. */
static int check_arguments(const arguments *a, bool others) {
    int sources = (a->load != NULL) + (a->hf != NULL) + (a->raw != NULL);
    const struct {
        bool wrong;
        const char *why;
    } rules[] = {
        {a->verify && others,
         "--verify takes --data, --encoding and --threads only: the receipt brings the recipe"},
        {sources > 1, "--load, --hf and --raw exclude each other"},
        {a->preset && sources, "--preset is for new runs: a file brings its own recipe"},
        {a->fit && (a->preset || sources),
         "--fit chooses the recipe: leave --preset, --load, --hf and --raw out"},
        {a->tune && !(a->load && a->data),
         "--tune needs --load FILE and --data FILE; --hf and --raw with --data train without it"},
        {a->fork && !(a->load && a->data), "--fork needs --load FILE and --data FILE"},
        {a->fork && a->tune, "--fork and --tune exclude each other"},
        {!a->data && !sources, "--data FILE is missing: the text to learn from"},
        {a->receipt && !a->data, "--receipt needs --data FILE: it is the receipt of a training"},
        {(a->trace || a->baselines) && !a->data,
         "--trace and --yardsticks need --data FILE: the text that is asked about"},
        {(a->trace || a->baselines) && (a->save || a->receipt || a->export_count),
         "--trace and --yardsticks train nothing: leave --save, --receipt and --export out"},
        {a->encoding && !a->data && !a->prompt,
         "--encoding needs --data FILE: it says how that text is encoded"},
        {a->language && strcmp(a->language, "en") != 0 && strcmp(a->language, "zh") != 0,
         "--language must be en or zh: it is the language of the cards of exports"},
        {leaves_out(a) && !a->data,
         "--left-out needs --data FILE: it says which bytes of that text training never reads"},
        {a->save && !a->data, "--save needs --data FILE: without a text nothing is trained"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].wrong) {
            return wrong_use(rules[i].why, NULL);
        }
    }
    return EXIT_SUCCESS;
}

int read_arguments(arguments *a, int count, char **words, bool *done) {
    *a = (arguments){.samples = -1, .temperature = -1, .top_p = 1, .sample_seed = -1, .every = 1};
    struct option options[FLAG_TOTAL + 1] = {{0}};
    for (int i = 0; i < FLAG_TOTAL; i++) {
        bool alone = FLAGS[i].kind == FLAG_SWITCH || FLAGS[i].kind >= FLAG_HELP;
        options[i] = (struct option){FLAGS[i].name, alone ? no_argument : required_argument, NULL,
                                     (int)FLAGS[i].kind};
    }
    int kind, index = 0;
    bool others = false; // true once a flag occurs that --verify does not allow
    while ((kind = getopt_long(count, words, "h", options, &index)) != -1) {
        kind = kind == 'h' ? FLAG_HELP : kind;
        *done = kind == FLAG_HELP || kind == FLAG_VERSION;
        if (kind == FLAG_HELP) {
            print_help();
        } else if (kind == FLAG_VERSION) {
            (void)printf("train_gpt %s\n", gpt_version());
        } else if (kind == '?') { // getopt_long has printed the error
            const char *word = words[optind - 1];
            if (!optopt && strncmp(word, "--", 2) == 0) {
                suggest(word + 2, strcspn(word + 2, "="), false);
            }
            (void)fputs("Try `train_gpt --help`.\n", stderr);
            return EXIT_USAGE;
        }
        int status = *done ? EXIT_SUCCESS : read_flag(a, &FLAGS[index], optarg);
        if (*done || status != EXIT_SUCCESS) {
            return status;
        }
        const char *name = FLAGS[index].name;
        others = others || (strcmp(name, "data") != 0 && strcmp(name, "encoding") != 0 &&
                            strcmp(name, "threads") != 0 && strcmp(name, "verify") != 0);
    }
    if (optind < count && !a->verify) {
        return wrong_use("flags only, not", words[optind]);
    }
    if (optind < count && !a->data) {
        a->data = words[optind++];
    }
    a->more = words + optind;
    a->more_count = count - optind;
    if (a->more_count >= TEXTS_MAX) {
        return wrong_use("too many texts", NULL);
    }
    a->fit = a->fit || a->fit_version > 0;
    int status = check_arguments(a, others);
    a->fit = a->fit || !(a->preset || a->load || a->hf || a->raw || a->verify || names_model(a));
    return status;
}

int apply_settings_to_file(gpt_config *config, const arguments *a) {
    bool any_live = a->load && !a->tune && !a->fork;
    enum { OPTIONS_MAX = 128 };
    double before[OPTIONS_MAX];
    int count = 0;
    for (; count < OPTIONS_MAX && gpt_option_name(count); count++) {
        before[count] = gpt_config_get(config, gpt_option_name(count));
    }
    int status = apply_settings(config, a);
    for (int i = 0; i < count && status == EXIT_SUCCESS; i++) {
        const char *name = gpt_option_name(i);
        double now = gpt_config_get(config, name);
        bool context = strcmp(name, "context") == 0;
        bool fixed = any_live  ? !gpt_option_live(i)
                     : context ? now > before[i]
                               : strcmp(gpt_option_group(i), "model") == 0;
        if (fixed && now != before[i]) {
            char value[64], why[256];
            write_value(value, i, before[i]);
            const char *most = context && !any_live ? ", or choose at most " : "";
            (void)snprintf(
                why, sizeof why,
                "%s cannot change: the weights were trained with %s %s. Leave it out%s%s",
                context ? "context (--seq)" : name, name, value, most, *most ? value : "");
            const char *file = a->load ? a->load : a->hf ? a->hf : a->raw;
            status = complain(file, why);
        }
    }
    return status;
}

int fit_recipe(gpt_config *config, int version, const contents *text) {
    if (gpt_config_fit(config, version, text->bytes, text->size, NULL, 0) < 0) {
        return complain_of_config("this cannot be trained", config);
    }
    const char *preset = gpt_config_preset(config);
    (void)fprintf(stderr, "fitted to the text (%s): --preset %s", gpt_config_kind(config), preset);
    gpt_config *plain = gpt_config_create(preset);
    for (int i = 0; plain && gpt_option_name(i); i++) {
        double value = gpt_config_get(config, gpt_option_name(i));
        if (value != gpt_config_get(plain, gpt_option_name(i))) {
            char shown[64];
            write_value(shown, i, value);
            (void)fprintf(stderr, " --set %s=%s", gpt_option_name(i), shown);
        }
    }
    gpt_config_free(plain);
    (void)fputc('\n', stderr);
    return EXIT_SUCCESS;
}

int apply_settings(gpt_config *config, const arguments *a) {
    for (int i = 0; i < a->setting_count; i++) {
        const char *name = a->settings[i].name;
        int status = gpt_config_set_text(config, name, a->settings[i].value);
        if (status < 0) {
            (void)complain_of_config("wrong option", config);
            if (status == GPT_E_OPTION) {
                suggest(name, strlen(name), true);
                (void)fputs("Try `train_gpt --help`.\n", stderr);
            }
            return EXIT_USAGE;
        }
    }
    return EXIT_SUCCESS;
}
