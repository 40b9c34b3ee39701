/* test_pairwise.c - every pair of option values occurs in a recipe whose model is built and
 * trained.
 *
 * A faulty combination is nearly always one of two options. The recipes (rows of values) are found
 * greedily: the random candidate with the most new pairs is added until no pair is missing.
 */
#include "api/gpt.h"
#include "numbers.h"
#include "recipe/config.h"

enum { CHOICES_MAX = 32, VALUES = 3, ROWS_MAX = 60 };

/* The name of each value of an enum. An enum with another value does not compile (-Wswitch). */
#define NAME(symbol, name)                                                                         \
    case symbol:                                                                                   \
        return name;
#define CHOICE(kind, names)                                                                        \
    static const char *name_of_##kind(int value) {                                                 \
        switch ((kind)value) { names }                                                             \
        return NULL;                                                                               \
    }
CHOICE(tokenizer_kind,
       NAME(TOKENIZER_BYTE, "byte") NAME(TOKENIZER_CHAR, "char") NAME(TOKENIZER_BPE, "bpe"))
CHOICE(sequences_kind, NAME(SEQUENCES_STREAM, "stream") NAME(SEQUENCES_DOCUMENTS, "documents"))
CHOICE(norm_kind, NAME(NORM_LAYERNORM, "layernorm") NAME(NORM_RMSNORM, "rmsnorm"))
CHOICE(activation_kind, NAME(ACTIVATION_GELU, "gelu") NAME(ACTIVATION_RELU2, "relu2"))
CHOICE(residual_init,
       NAME(RESIDUAL_NORMAL, "normal") NAME(RESIDUAL_ZERO, "zero") NAME(RESIDUAL_SCALED, "scaled"))
CHOICE(schedule_kind, NAME(SCHEDULE_CONSTANT, "constant") NAME(SCHEDULE_COSINE, "cosine")
                          NAME(SCHEDULE_WARMUP_COSINE, "warmup_cosine"))
CHOICE(decay_kind, NAME(DECAY_ALL, "all") NAME(DECAY_MATRICES, "matrices"))

static const struct {
    int option;
    const char *(*name_of)(int value);
} KINDS[] = {{OPT_TOKENIZER, name_of_tokenizer_kind},
             {OPT_SEQUENCES, name_of_sequences_kind},
             {OPT_NORM, name_of_norm_kind},
             {OPT_ACTIVATION, name_of_activation_kind},
             {OPT_RESIDUAL_INIT, name_of_residual_init},
             {OPT_SCHEDULE, name_of_schedule_kind},
             {OPT_DECAY, name_of_decay_kind}};

static struct {
    const char *option;
    int values; // the values are 0 .. values-1
} choices[CHOICES_MAX];
static int choice_count;

/* Collects every choice and every boolean of the option table, and clip with the values 0 and 1. */
static void read_choices(void) {
    for (int i = 0; i < OPT_COUNT; i++) {
        const config_row *row = &CONFIG_ROWS[i];
        int values = strcmp(row->type, "bool") == 0 ? 2 : 1;
        for (const char *c = row->type; *c; c++) values += *c == '|';
        if (values == 1) continue;
        CHECK_INT(values, (int)row->max + 1); // a choice has as many names as values
        CHECK(values <= VALUES && choice_count < CHOICES_MAX - 1);
        choices[choice_count].option = row->name;
        choices[choice_count++].values = values;
    }
    choices[choice_count].option = "clip";
    choices[choice_count++].values = 2;
}

typedef struct pairs {
    bool seen[CHOICES_MAX][VALUES][CHOICES_MAX][VALUES];
} pairs;

/* Counts the pairs of values of `row` that no earlier row has; `keep` marks them as seen. */
static int new_pairs(pairs *p, const int *row, bool keep) {
    int count = 0;
    for (int i = 0; i < choice_count; i++) {
        for (int j = i + 1; j < choice_count; j++) {
            count += !p->seen[i][row[i]][j][row[j]];
            if (keep) p->seen[i][row[i]][j][row[j]] = true;
        }
    }
    return count;
}

static int missing_pairs(const pairs *p) {
    int count = 0;
    for (int i = 0; i < choice_count; i++) {
        for (int j = i + 1; j < choice_count; j++) {
            for (int a = 0; a < choices[i].values; a++) {
                for (int b = 0; b < choices[j].values; b++) count += !p->seen[i][a][j][b];
            }
        }
    }
    return count;
}

/* Fills `rows` until every pair is seen or ROWS_MAX is reached; returns the number of rows. */
static int cover(int rows[ROWS_MAX][CHOICES_MAX], pairs *p) {
    uint64_t state = 1;
    int count = 0;
    while (missing_pairs(p) && count < ROWS_MAX) {
        int best = -1;
        for (int candidate = 0; candidate < 200; candidate++) {
            int row[CHOICES_MAX] = {0};
            for (int i = 0; i < choice_count; i++) {
                row[i] = (int)((random_number(&state) + 1) / 2 * choices[i].values);
            }
            int gain = new_pairs(p, row, false);
            if (gain > best) {
                best = gain;
                memcpy(rows[count], row, sizeof row);
            }
        }
        (void)new_pairs(p, rows[count++], true);
    }
    return count;
}

static const char TEXT[] = "the cat sat on the mat\nand the rat sat on the cat\n\xC3\xA9t\xC3\xA9 "
                           "\xE4\xB8\x80\xE4\xBA\x8C\r\n"
                           "a cat is a cat is a cat\nthe mat is flat\nthat is that\n";

enum { JSON_MAX = 1 << 17 };

/* Removes the list that begins with `name`, such as `,"inputs":[`, from every object of a JSON. */
static void remove_lists(char *json, const char *name) {
    for (char *at; (at = strstr(json, name)) != NULL;) {
        char *end = strchr(at, ']') + 1;
        memmove(at, end, strlen(end) + 1);
    }
}

/* Replaces the block number (one digit) in the names of all nodes and parameters of a JSON by 0. */
static void number_blocks_0(char *json) {
    for (char *at = json; *at; at++) {
        if (strncmp(at, "\"block", 6) == 0) at[6] = '0';
        if (strncmp(at, "\"h.", 3) == 0) at[3] = '0';
    }
}

/* Counts the JSON objects of `list` and checks that each occurs in the text `among`. Returns -1 if
 * an object is too long. */
static int objects_among(const char *list, const char *among) {
    int count = 0;
    static char one[1024];
    for (const char *at = list; (at = strstr(at, "{\"name\"")) != NULL; count++) {
        const char *next = strstr(at + 1, ",{\"name\"");
        size_t length = next ? (size_t)(next - at) : (size_t)(strrchr(at, '}') + 1 - at);
        if (!CHECK(length < sizeof one)) return -1;
        memcpy(one, at, length);
        one[length] = '\0';
        if (!CHECK(strstr(among, one) != NULL)) printf("  %s\n", one);
        at += length;
    }
    return count;
}

/* Counts the occurrences of `what` in a text. */
static int count_of(const char *text, const char *what) {
    int count = 0;
    while ((text = strstr(text, what)) != NULL) {
        text++;
        count++;
    }
    return count;
}

/* Compares gpt_architecture_json of a recipe with the nodes and parameters of its model. With one
 * layer they must be equal; with more, each block of the model must equal the only block of the
 * architecture. */
static void check_architecture(gpt_config *config, int layers) {
    static char listed[JSON_MAX], nodes[JSON_MAX], parameters[JSON_MAX];
    static int32_t ids[257];
    CHECK_INT(gpt_config_set(config, "layers", layers), GPT_OK);
    gpt_trainer *trainer = gpt_trainer_create(config, TEXT, strlen(TEXT));
    int vocab = (int)gpt_trainer_get(trainer, "vocab");
    int T = (int)gpt_config_get(config, "context");
    CHECK_INT(gpt_probe_ids(trainer, ids, T + 1, 0), T);
    CHECK(gpt_probe_json(trainer, nodes, sizeof nodes) > 0);
    CHECK(gpt_parameters_json(trainer, parameters, sizeof parameters) > 0);
    CHECK(gpt_architecture_json(config, vocab, listed, sizeof listed) > 0);
    char weights[64];
    (void)snprintf(weights, sizeof weights, "{\"weights\":%.0f,\"layers\":%d,",
                   gpt_trainer_get(trainer, "parameters"), layers);
    CHECK(strncmp(listed, weights, strlen(weights)) == 0);
    gpt_trainer_free(trainer);
    remove_lists(listed, ",\"letters\":[");
    if (layers == 1) {
        CHECK(strstr(listed, nodes) != NULL);
        CHECK(strstr(listed, parameters) != NULL);
        return;
    }
    remove_lists(listed, ",\"inputs\":[");
    remove_lists(nodes, ",\"inputs\":[");
    number_blocks_0(nodes);
    number_blocks_0(parameters);
    char *own = strstr(listed, ",\"parameters\":");
    CHECK_INT(objects_among(parameters, own),
              count_of(own, "{\"name\"") + (layers - 1) * count_of(own, "{\"name\":\"h.0."));
    *own = '\0';
    CHECK_INT(objects_among(nodes, listed),
              count_of(listed, "{\"name\"") +
                  (layers - 1) * count_of(listed, "{\"name\":\"block0."));
}

/* Trains the recipe with the option values `row` for three steps, then checks its architecture.
 * Prints the row if a check fails. */
static void check_row(const int *row) {
    static const struct {
        const char *option;
        double value;
    } sizes[] = {{"layers", 2}, {"heads", 2},  {"channels", 16}, {"context", 12}, {"batch", 3},
                 {"steps", 3},  {"warmup", 1}, {"lr", 0.01},     {"seed", 7}};
    gpt_config *config = gpt_config_create("gpt2");
    bool good = CHECK(config != NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        good &= CHECK_INT(gpt_config_set(config, sizes[i].option, sizes[i].value), GPT_OK);
    }
    for (int i = 0; i < choice_count; i++) {
        good &= CHECK_INT(gpt_config_set(config, choices[i].option, row[i]), GPT_OK);
    }
    gpt_trainer *trainer = gpt_trainer_create(config, TEXT, strlen(TEXT));
    good &= CHECK(trainer != NULL);
    double random_loss = log(gpt_trainer_get(trainer, "vocab"));
    for (int step = 0; step < 3; step++) {
        good &= CHECK_INT(gpt_step(trainer), GPT_OK);
        double loss = gpt_loss(trainer);
        // Initial weights of about 0.02 make logits of about 0.02 * sqrt(16) and so nearly uniform
        // probabilities.
        if (step == 0) good &= CHECK_NEAR(loss, random_loss, 0.1);
        good &= CHECK(loss > 0 && loss < random_loss + 1);
    }
    good &= CHECK_INT(gpt_step(trainer), GPT_FINISHED);
    if (!good) {
        for (int i = 0; i < choice_count; i++) printf("  %s=%d", choices[i].option, row[i]);
        printf("\n");
    }
    gpt_trainer_free(trainer);
    check_architecture(config, 1);
    check_architecture(config, 3);
    gpt_config_free(config);
}

int main(void) {
    static int rows[ROWS_MAX][CHOICES_MAX];
    static pairs seen;
    TEST("every choice of the option table has as many names as values") {
        read_choices();
        CHECK(choice_count > 12);
    }
    int count = cover(rows, &seen);
    TEST("the type of an option with named values lists the names of its enum, in order") {
        int rows_with_names = 0;
        for (int i = 0; i < OPT_COUNT; i++) {
            rows_with_names += strchr(CONFIG_ROWS[i].type, '|') != NULL;
        }
        CHECK_INT(sizeof KINDS / sizeof *KINDS, rows_with_names);
        for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
            char names[64] = "";
            const char *name;
            int value = 0;
            for (; (name = KINDS[i].name_of(value)) != NULL; value++) {
                strcat(strcat(names, value ? "|" : ""), name);
            }
            CHECK(strcmp(names, CONFIG_ROWS[KINDS[i].option].type) == 0);
            CHECK_INT(value - 1, (int)CONFIG_ROWS[KINDS[i].option].max);
        }
    }
    TEST("the generated recipes contain every pair of choices") {
        CHECK_INT(missing_pairs(&seen), 0);
    }
    TEST("gpt_architecture_json of every preset lists the nodes and parameters of its model") {
        for (int i = 0; gpt_preset_name(i); i++) {
            gpt_config *config = gpt_config_create(gpt_preset_name(i));
            (void)gpt_config_set_text(config, "tokenizer", "byte");
            check_architecture(config, 1);
            check_architecture(config, 2);
            gpt_config_free(config);
        }
    }
    TEST("gpt_architecture_json distinguishes equal sizes by their letters and refuses invalid "
         "arguments") {
        static char json[1 << 14];
        gpt_config *config = gpt_config_create("tinygpt"); // context and channels are 64
        CHECK(gpt_architecture_json(config, 64, json, sizeof json) > 0);
        CHECK(strstr(json, "\"sizes\":{\"T\":64,\"C\":64,\"H\":1,\"V\":64}"));
        CHECK(strstr(json, "\"shape\":[1,64,64],\"inputs\":[\"wte.weight\"],\"constants\":{},"
                           "\"letters\":[\"\",\"T\",\"C\"]"));
        CHECK(strstr(json, "\"name\":\"lm_head.weight\",\"shape\":[64,64],\"decay\":true,"
                           "\"letters\":[\"V\",\"C\"]"));
        CHECK(strstr(json, "\"letters\":[\"\",\"T\",\"3C\"]"));
        CHECK(strstr(json, "\"letters\":[\"\",\"H\",\"T\",\"T\"]"));
        CHECK_INT(gpt_architecture_json(config, 0, json, sizeof json), GPT_E_ARGUMENT);
        CHECK_INT(gpt_architecture_json(NULL, 64, json, sizeof json), GPT_E_ARGUMENT);
        CHECK_INT(gpt_architecture_json(config, 64, json, 10), GPT_E_CAPACITY);
        CHECK_INT(gpt_config_set(config, "heads", 5), GPT_OK);
        CHECK_INT(gpt_architecture_json(config, 64, json, sizeof json), GPT_E_HEADS);
        gpt_config_free(config);
    }
    TEST("every pair of choices trains: the first loss is near ln V, none exceeds ln V + 1") {
        for (int i = 0; i < count; i++) check_row(rows[i]);
    }
    return check_report();
}
