/* train_gpt_arguments.c - the flags of the command line, and its messages. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/train_gpt.h"

/* ---- Messages -------------------------------------------------------------------------------- */

int complain(const char *what, const char *why) {
    (void)fflush(stdout);
    (void)fprintf(stderr, "train_gpt: %s%s%s\n", what, why ? ": " : "", why ? why : "");
    return EXIT_FAILED;
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

static void print_help(void) {
    (void)fputs(
        "Usage: train_gpt --data FILE [--preset NAME] [options]     train on a text\n"
        "       train_gpt --load FILE --data FILE [options]         go on with a saved run\n"
        "       train_gpt --load FILE [--prompt TEXT] [options]     generate with saved weights\n"
        "\n"
        "What to train\n"
        "  --data FILE        the text to learn from: UTF-8, or what its byte order mark says\n"
        "  --encoding NAME    what else it is encoded in, such as windows-1252 or shift_jis; "
        "bytes: "
        "take\n"
        "                     the bytes as they are\n"
        "  --fit              choose preset and options by the text (the default unless a preset "
        "or an\n"
        "                     option of the model is named); says what it chose\n"
        "  --preset NAME      tinygpt, microgpt or gpt2: the values of every option below\n"
        "  --batch N --seq N --dmodel N --layers N --heads N      size of batch and model\n"
        "  --lr X --steps N --schedule NAME --seed N              training\n"
        "  --set OPTION=VALUE any option of the table below, again and again\n"
        "\n"
        "Files\n"
        "  --save FILE        write a checkpoint at the end, or when interrupted (Ctrl-C)\n"
        "  --load FILE        read one: with --data it goes on bit for bit as if never stopped\n"
        "  --tune             with --load and --data: train its weights on another text, from step "
        "0\n"
        "  --hf FOLDER        start from GPT-2 weights: config.json and model.safetensors, or its\n"
        "                     shards and their index (with vocab.json and merges.txt beside them;\n"
        "                     also beside --raw)\n"
        "  --raw FILE         start from GPT-2 weights in the raw form: the JSON, .bin files "
        "beside\n"
        "  --receipt FILE     write the receipt of the run: what it was made of and what came out, "
        "to "
        "the bit\n"
        "  --verify FILE      replay the run of a receipt on --data and say where it first "
        "differs\n"
        "  --export FOLDER    write config.json and model.safetensors for transformers\n"
        "\n"
        "Samples, after training\n"
        "  --prompt TEXT      what to continue (then at least one sample)\n"
        "  --samples N        how many (microgpt ends with 20, as its source does)\n"
        "  --max-tokens N     longest sample (default: 200, or a whole document)\n"
        "  --temperature X    0 is greedy (default 0.8; microgpt 0.5)\n"
        "  --top-k N --top-p X    keep the likeliest tokens only\n"
        "  --sample-seed N    a random stream of their own (default: the run's stream goes on)\n"
        "\n"
        "  --threads N        how many threads compute (default: as many as there are cores); no "
        "bit\n"
        "                     depends on it\n"
        "  --every N          a line every N steps where the output is no terminal (default 1)\n"
        "  --help             this text\n"
        "  --version          the version of the engine\n"
        "\n"
        "Options and their values in each preset\n",
        stdout);
    (void)printf("  %-16s", "");
    for (int p = 0; gpt_preset_name(p); p++) {
        (void)printf(" %-10s", gpt_preset_name(p));
    }
    (void)printf(" values\n");
    for (int i = 0; gpt_option_name(i); i++) {
        (void)printf("  %-16s", gpt_option_name(i));
        for (int p = 0; gpt_preset_name(p); p++) {
            gpt_config *config = gpt_config_create(gpt_preset_name(p));
            (void)printf(" %-10g", gpt_config_get(config, gpt_option_name(i)));
            gpt_config_free(config);
        }
        (void)printf(" %s\n", gpt_option_type(i));
    }
}

/* ---- Flags ----------------------------------------------------------------------------------- */

enum {
    FLAG_DATA = 256,
    FLAG_ENCODING,
    FLAG_PRESET,
    FLAG_OPTION, /* a flag that is another name of an option: see OPTION_FLAGS */
    FLAG_SET,
    FLAG_SAVE,
    FLAG_LOAD,
    FLAG_TUNE,
    FLAG_FIT,
    FLAG_HF,
    FLAG_RAW,
    FLAG_EXPORT,
    FLAG_RECEIPT,
    FLAG_VERIFY,
    FLAG_PROMPT,
    FLAG_SAMPLES,
    FLAG_MAX_TOKENS,
    FLAG_TEMPERATURE,
    FLAG_TOP_K,
    FLAG_TOP_P,
    FLAG_SAMPLE_SEED,
    FLAG_EVERY,
    FLAG_THREADS,
    FLAG_HELP,
    FLAG_VERSION,
};

static const struct option FLAGS[] = {
    {"batch", required_argument, NULL, FLAG_OPTION},
    {"seq", required_argument, NULL, FLAG_OPTION},
    {"dmodel", required_argument, NULL, FLAG_OPTION},
    {"layers", required_argument, NULL, FLAG_OPTION},
    {"heads", required_argument, NULL, FLAG_OPTION},
    {"lr", required_argument, NULL, FLAG_OPTION},
    {"seed", required_argument, NULL, FLAG_OPTION},
    {"steps", required_argument, NULL, FLAG_OPTION},
    {"schedule", required_argument, NULL, FLAG_OPTION},
    {"data", required_argument, NULL, FLAG_DATA},
    {"encoding", required_argument, NULL, FLAG_ENCODING},
    {"preset", required_argument, NULL, FLAG_PRESET},
    {"set", required_argument, NULL, FLAG_SET},
    {"save", required_argument, NULL, FLAG_SAVE},
    {"load", required_argument, NULL, FLAG_LOAD},
    {"tune", no_argument, NULL, FLAG_TUNE},
    {"fit", no_argument, NULL, FLAG_FIT},
    {"hf", required_argument, NULL, FLAG_HF},
    {"raw", required_argument, NULL, FLAG_RAW},
    {"export", required_argument, NULL, FLAG_EXPORT},
    {"receipt", required_argument, NULL, FLAG_RECEIPT},
    {"verify", required_argument, NULL, FLAG_VERIFY},
    {"prompt", required_argument, NULL, FLAG_PROMPT},
    {"samples", required_argument, NULL, FLAG_SAMPLES},
    {"max-tokens", required_argument, NULL, FLAG_MAX_TOKENS},
    {"temperature", required_argument, NULL, FLAG_TEMPERATURE},
    {"top-k", required_argument, NULL, FLAG_TOP_K},
    {"top-p", required_argument, NULL, FLAG_TOP_P},
    {"sample-seed", required_argument, NULL, FLAG_SAMPLE_SEED},
    {"every", required_argument, NULL, FLAG_EVERY},
    {"threads", required_argument, NULL, FLAG_THREADS},
    {"help", no_argument, NULL, FLAG_HELP},
    {"version", no_argument, NULL, FLAG_VERSION},
    {NULL, 0, NULL, 0},
};

/* The option that a flag stands for. */
static const char *option_of_flag(const char *flag) {
    return strcmp(flag, "seq") == 0 ? "context" : strcmp(flag, "dmodel") == 0 ? "channels" : flag;
}

/* Remembers `name` (its first `length` characters) = value. */
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

/* A number between two limits; `whole`: without a fraction. */
static int read_number(const char *flag, const char *text, double low, double high, bool whole,
                       double *value) {
    char *end = NULL;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= low && *value <= high &&
        !(whole && *value != (double)(long long)*value)) {
        return EXIT_SUCCESS;
    }
    char detail[256];
    (void)snprintf(detail, sizeof detail, "--%s is %s, but must be a%s from %.16g to %.16g", flag,
                   text, whole ? " whole number" : " number", low, high);
    return wrong_use(detail, NULL);
}

static int read_whole(const char *flag, const char *text, double low, double high, int *value) {
    double number;
    int status = read_number(flag, text, low, high, true, &number);
    *value = status == EXIT_SUCCESS ? (int)number : *value;
    return status;
}

static double lowest(const char *sampling) {
    return gpt_sampling_limit(sampling, 0);
}

static double highest(const char *sampling) {
    return gpt_sampling_limit(sampling, 1);
}

static int read_flag(arguments *a, int flag, const char *name, const char *text) {
    const struct {
        int flag;
        const char **text;
    } texts[] = {{FLAG_DATA, &a->data},
                 {FLAG_ENCODING, &a->encoding},
                 {FLAG_PRESET, &a->preset},
                 {FLAG_SAVE, &a->save},
                 {FLAG_LOAD, &a->load},
                 {FLAG_HF, &a->hf},
                 {FLAG_RAW, &a->raw},
                 {FLAG_PROMPT, &a->prompt},
                 {FLAG_EXPORT, &a->export_folder},
                 {FLAG_RECEIPT, &a->receipt},
                 {FLAG_VERIFY, &a->verify}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].flag == flag) {
            *texts[i].text = text;
            return EXIT_SUCCESS;
        }
    }
    const char *equals;
    switch (flag) {
    case FLAG_OPTION:
        name = option_of_flag(name);
        return add_setting(a, name, strlen(name), text);
    case FLAG_SET:
        equals = strchr(text, '=');
        return equals ? add_setting(a, text, (size_t)(equals - text), equals + 1)
                      : wrong_use("--set wants OPTION=VALUE", text);
    case FLAG_TUNE:
        a->tune = true;
        return EXIT_SUCCESS;
    case FLAG_FIT:
        a->fit = true;
        return EXIT_SUCCESS;
    case FLAG_SAMPLES:
        return read_whole(name, text, 0, 1e6, &a->samples);
    case FLAG_MAX_TOKENS:
        return read_whole(name, text, lowest("max_tokens"), highest("max_tokens"), &a->max_tokens);
    case FLAG_TOP_K:
        return read_whole(name, text, lowest("top_k"), highest("top_k"), &a->top_k);
    case FLAG_EVERY:
        return read_whole(name, text, 1, 1e9, &a->every);
    case FLAG_THREADS:
        return read_whole(name, text, 1, 16, &a->threads);
    case FLAG_TEMPERATURE:
        return read_number(name, text, lowest("temperature"), highest("temperature"), false,
                           &a->temperature);
    case FLAG_TOP_P:
        return read_number(name, text, lowest("top_p"), highest("top_p"), false, &a->top_p);
    case FLAG_SAMPLE_SEED:
        return read_number(name, text, lowest("seed"), highest("seed"), true, &a->sample_seed);
    default:
        (void)fputs("Try `train_gpt --help`.\n", stderr); // getopt has said what is wrong
        return EXIT_USAGE;
    }
}

/* Is the option one of training? The seed and the held-out share say nothing of the model
 * either. */
static bool is_of_training(const char *name) {
    for (int i = 0; gpt_option_name(i); i++) {
        if (strcmp(name, gpt_option_name(i)) == 0) {
            return strcmp(gpt_option_group(i), "training") == 0 || strcmp(name, "seed") == 0 ||
                   strcmp(name, "validation") == 0;
        }
    }
    return false;
}

/* Do the flags name an option of the model, or of what it reads? */
static bool names_model(const arguments *a) {
    for (int i = 0; i < a->setting_count; i++) {
        if (!is_of_training(a->settings[i].name)) {
            return true;
        }
    }
    return false;
}

int read_arguments(arguments *a, int count, char **words, bool *done) {
    *a = (arguments){.samples = -1, .temperature = -1, .top_p = 1, .sample_seed = -1, .every = 1};
    int flag, index = 0, status = EXIT_SUCCESS;
    bool others = false; // flags that --verify does not take
    while (status == EXIT_SUCCESS && (flag = getopt_long(count, words, "", FLAGS, &index)) != -1) {
        if (flag == FLAG_HELP || flag == FLAG_VERSION) {
            if (flag == FLAG_HELP) {
                print_help();
            } else {
                (void)printf("train_gpt %s\n", gpt_version());
            }
            *done = true;
            return EXIT_SUCCESS;
        }
        others = others || (flag != FLAG_DATA && flag != FLAG_ENCODING && flag != FLAG_VERIFY);
        status = read_flag(a, flag, FLAGS[index].name, optarg);
    }
    if (status != EXIT_SUCCESS) {
        return status;
    }
    if (a->verify && others) {
        return wrong_use("--verify takes --data and --encoding only: the receipt brings the recipe",
                         NULL);
    }
    int sources = (a->load != NULL) + (a->hf != NULL) + (a->raw != NULL);
    if (optind < count) {
        return wrong_use("flags only, not", words[optind]);
    }
    if (sources > 1) {
        return wrong_use("--load, --hf and --raw exclude each other", NULL);
    }
    if (a->preset && sources) {
        return wrong_use("--preset is for new runs: a file brings its own recipe", NULL);
    }
    if (a->fit && (a->preset || sources)) {
        return wrong_use("--fit chooses the recipe: leave --preset, --load, --hf and --raw out",
                         NULL);
    }
    a->fit = a->fit || !(a->preset || sources || a->verify || names_model(a));
    if (a->tune && !(a->load && a->data)) {
        return wrong_use("--tune needs --load FILE and --data FILE", NULL);
    }
    if (!a->data && !sources) {
        return wrong_use("--data FILE is missing: the text to learn from", NULL);
    }
    if (a->receipt && !a->data) {
        return wrong_use("--receipt needs --data FILE: it is the receipt of a training", NULL);
    }
    if (a->encoding && !a->data) {
        return wrong_use("--encoding needs --data FILE: it says how that text is encoded", NULL);
    }
    if (a->save && !a->data) {
        return wrong_use("--save needs --data FILE: without a text nothing is trained", NULL);
    }
    return EXIT_SUCCESS;
}

int apply_settings_to_file(gpt_config *config, const arguments *a, bool generates) {
    enum { OPTIONS_MAX = 128 };
    double before[OPTIONS_MAX];
    int count = 0;
    for (; count < OPTIONS_MAX && gpt_option_name(count); count++) {
        before[count] = gpt_config_get(config, gpt_option_name(count));
    }
    int status = apply_settings(config, a);
    for (int i = 0; i < count && status == EXIT_SUCCESS; i++) {
        const char *name = gpt_option_name(i);
        // A saved run has all of its recipe; of other weights the model at least is as it is, but
        // for a smaller context.
        bool fixed = generates && a->load ? !gpt_option_live(i)
                                          : strcmp(gpt_option_group(i), "model") == 0 &&
                                                strcmp(name, "context") != 0;
        if (fixed && gpt_config_get(config, name) != before[i]) {
            char why[128];
            (void)snprintf(why, sizeof why,
                           "%s cannot change: the weights were trained with it as it is", name);
            const char *file = a->load ? a->load : a->hf ? a->hf : a->raw;
            status = complain(file, why);
        }
    }
    return status;
}

int fit_recipe(gpt_config *config, const contents *text) {
    char json[4096], kind[32] = "", preset[32] = "";
    if (gpt_config_fit(config, text->bytes, text->size, json, sizeof json) < 0) {
        return complain_of_config("this cannot be trained", config);
    }
    // The answer begins with these two.
    (void)sscanf(json, "{\"kind\":\"%31[a-z]\",\"preset\":\"%31[a-z0-9]", kind, preset);
    (void)fprintf(stderr, "fitted to the text (%s): --preset %s", kind, preset);
    gpt_config *plain = gpt_config_create(preset);
    for (int i = 0; plain && gpt_option_name(i); i++) {
        double value = gpt_config_get(config, gpt_option_name(i));
        if (value != gpt_config_get(plain, gpt_option_name(i))) {
            (void)fprintf(stderr, " --set %s=%.9g", gpt_option_name(i), value);
        }
    }
    gpt_config_free(plain);
    (void)fputc('\n', stderr);
    return EXIT_SUCCESS;
}

int apply_settings(gpt_config *config, const arguments *a) {
    for (int i = 0; i < a->setting_count; i++) {
        if (gpt_config_set_text(config, a->settings[i].name, a->settings[i].value) < 0) {
            (void)complain_of_config("wrong option", config);
            return EXIT_USAGE;
        }
    }
    return EXIT_SUCCESS;
}
