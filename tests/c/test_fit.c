/* test_fit.c - fitting recipes to texts: kinds, presets, trainable recipes, text statistics. */
#include <stdlib.h>

#include "api/gpt.h"
#include "check.h"
#include "files.h"
#include "fit/fit.h"

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Returns `lines` repeated `times` times; the caller frees it. */
static char *repeated(const char *lines, int times) {
    size_t length = strlen(lines);
    char *text = malloc(length * (size_t)times + 1);
    for (int i = 0; text && i < times; i++) {
        memcpy(text + length * (size_t)i, lines, length + 1);
    }
    return text;
}

static const struct {
    enum fit_kind kind;
    const char *lines;
} KINDS[] = {
    {FIT_LIST, "anna\nbob\ncarla\n"},
    {FIT_LIST, "The Velvet Sparrows\nIron Garden\nNo Tomorrow Club\n"},
    {FIT_LIST, "子涵\n欣怡\n浩然\n"},
    {FIT_SENTENCES,
     "Look before you leap.\nStill waters run deep, they say.\nHaste makes waste!\n"},
    {FIT_SENTENCES, "散影玉阶柳，含翠隐鸣蝉。微形藏叶里，乱响出风前。\n"},
    {FIT_VERSE, "I walk the line tonight with you\nand every road is shining,\n"
                "the moon has lost its silver shoe\nbehind the clouds, declining\n\n"},
    {FIT_VERSE, "I walk the line tonight with you\nand every road is shining\n"
                "the moon has lost its silver shoe\nbehind the clouds declining\n"},
    {FIT_PROSE,
     "It was the best of times, it was the worst of times, it was the age of wisdom, it was "
     "the age of foolishness, it was the epoch of belief, it was the epoch of doubt.\n\n"},
    {FIT_PROSE, "one line without an end "},
    {FIT_CHAT, "Ada: hi there\nBob: hello\nAda: how are you today?\n"},
    {FIT_CHAT, "12/03/2021, 14:05 - Ada: hi there\n12/03/2021, 14:06 - Bob: hello you\n"},
    {FIT_CHAT, "[03.12.21, 14:05:11] Ada: hi there\n[03.12.21, 14:06:10] Bob: hello you\n"},
    {FIT_CHAT, "20/6/2017 8:20 p. m. - Ada: hi there\n20/6/2017 8:21 p. m. - Ben: yes\n"},
    {FIT_CHAT, "18:00 <Ada> are you there\n18:01 <Ben> yes, on my way\n"},
    {FIT_CHAT, "Ada, [10.07.16 18:00]\nare you there\n\nBen, [11.07.16 18:01]\nyes\n\n"},
    {FIT_VERSE, "X:1\nT:The Butterfly\nM:9/8\nK:Em\nB2E G2E F3|B2E G2E FED|\n\n"},
    {FIT_PROSE, "ACGTACGGACGTACGGACGTACGGACGTACGGACGTACGGACGTACGGACGTACGGACGT\n"},
    {FIT_CODE, "int add(int a, int b) {\n    return a + b;\n}\n\n"},
    {FIT_CODE, "def add(a, b):\n    if a > b:\n        return (a)\n    return (a + b)\n\n"},
    {FIT_RECORDS, "1,anna,3.5\n2,bob,2.5\n"},
    {FIT_RECORDS, "{\"name\":\"anna\",\"age\":3}\n"},
};

/* Texts that are fitted as they are: repeating them would change the order of speakers and
 * fields. */
static const struct {
    enum fit_kind kind;
    const char *text;
} WHOLE[] = {
    // Cooking recipes: words before colons are fields, not speakers.
    {FIT_VERSE, "Pancakes\n\nServes: 4\nTime: 20 min\n\nIngredients:\nFlour: 200 g\nMilk: 300 ml\n"
                "Eggs: 2\nSalt: a pinch\nButter: some, for the pan\n\nMethod:\nStir the flour\n"
                "into the milk,\nadd the eggs\nand fry both sides\n"},
    {FIT_LIST, "Soup\nServes: two\nTime: half an hour\nLeeks: three\nCream: a cup\nSalt: to taste\n"
               "Tart\nServes: eight\nTime: one hour\nApples: a pound\nSugar: a cup\nSalt: none\n"
               "Jam\nServes: many\nTime: an evening\nPlums: a basket\nSugar: a bag\n"},
    // Catalogue cards: the same fields in the same order.
    {FIT_VERSE, "Title: The Sea\nAuthor: Ada Bell\nPlace: London\n\n"
                "Title: The Hill\nAuthor: Ben Cole\nPlace: York\n\n"
                "Title: The Road\nAuthor: Cy Drew\nPlace: Leeds\n\n"
                "Title: The Wood\nAuthor: Di Eames\nPlace: Hull\n\n"},
    {FIT_CHAT,
     "Ada: are you there?\nBen: yes, on my way\nBen: ten minutes\nAda: fine\nBen: 5 now\n"},
    {FIT_CHAT, "Ada: who brings the cake?\nBen: not me\nCy: I can\nAda: great\nCy: which one?\n"
               "Ben: chocolate!\nAda: chocolate\nand some tea\nCy: ok\nDi: I am late\nBen: again?\n"
               "Di: sorry\n"},
    {FIT_CHAT, "<ada> hi all\n<ben> hello\n<ada> is the build red?\n<cy> yes\n<ada> since when\n"
               "<ben> since noon\n<cy> I am on it\n"},
    {FIT_CHAT, "민수: 안녕\n지영: 응, 어디야?\n민수: 집\n민수: 너는?\n지영: 학교\n"},
    {FIT_CHAT, "2024년 3월 11일 오전 8:35, 민수 : 안녕\n2024년 3월 11일 오전 8:36, 지영 : 응\n"
               "2024년 3월 11일 오전 8:38, 민수 : 어디야?\n"},
    {FIT_CHAT, "--------------- 2024년 3월 11일 월요일 ---------------\n[민수] [오전 8:35] 안녕\n"
               "[지영] [오전 8:36] 응\n[민수] [오전 8:38] 어디야?\n"},
};

/* ---- every fitted recipe trains -------------------------------------------------------------- */

/* Fits a recipe to `text` and computes the memory plan of its trainer. Returns GPT_OK or the
 * error. */
static int fit_and_create(const char *text, size_t bytes) {
    gpt_config *config = gpt_config_create("gpt2");
    char json[2048];
    int status = gpt_config_fit(config, 0, text, bytes, json, sizeof json);
    if (status >= 0) {
        status = gpt_plan_json(config, text, bytes, json, sizeof json);
    }
    gpt_config_free(config);
    return status < 0 ? status : GPT_OK;
}

int main(void) {
    TEST("the kind of each text is detected") {
        for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
            char *text = repeated(KINDS[i].lines, 12);
            fit *f = malloc(sizeof *f);
            if (CHECK(text && f && fit_text(f, FIT_NEWEST, text, strlen(text)) == GPT_OK) &&
                !CHECK_INT(f->kind, KINDS[i].kind)) {
                printf("%s\n", KINDS[i].lines);
            }
            free(f);
            free(text);
        }
    }
    TEST("names that return in turn are speakers, and names of fields are not") {
        for (size_t i = 0; i < sizeof WHOLE / sizeof *WHOLE; i++) {
            fit *f = malloc(sizeof *f);
            if (CHECK(f &&
                      fit_text(f, FIT_NEWEST, WHOLE[i].text, strlen(WHOLE[i].text)) == GPT_OK) &&
                !CHECK_INT(f->kind, WHOLE[i].kind)) {
                printf("%s\n", WHOLE[i].text);
            }
            free(f);
        }
    }
    TEST("the sample texts get exactly the presets that were tuned on them") {
        static const char *const SAMPLES[][2] = {
            {"public/texts/first-names-en.txt", "microgpt"},
            {"public/texts/tang-quatrains-zh.txt", "microgpt"},
            {"public/texts/moby-dick-en.txt", "tinygpt"},
        };
        for (int i = 0; i < 3; i++) {
            size_t bytes = 0;
            char *text = read_file(SAMPLES[i][0], &bytes);
            gpt_config *fitted = gpt_config_create("gpt2");
            gpt_config *preset = gpt_config_create(SAMPLES[i][1]);
            CHECK(text && gpt_config_fit(fitted, 0, text, bytes, NULL, 0) == GPT_OK);
            for (int o = 0; gpt_option_name(o); o++) {
                const char *name = gpt_option_name(o);
                CHECK_NEAR(gpt_config_get(fitted, name), gpt_config_get(preset, name), 0);
            }
            gpt_config_free(fitted);
            gpt_config_free(preset);
            free(text);
        }
    }
    TEST(
        "an alphabet is split into its characters, if the text is not long; version 1 uses bytes") {
        char song[] = "Run, run, run with the paper moon\nover the town tonight;\n";
        gpt_config *config = gpt_config_create("gpt2");
        static const struct {
            int version, repeats, tokenizer;
        } CASES[] = {{0, 9, TOKENIZER_CHAR},
                     {2, 9, TOKENIZER_CHAR},
                     {1, 9, TOKENIZER_BYTE},
                     {0, 900, TOKENIZER_CHAR},
                     {0, 4400, TOKENIZER_BYTE}};
        for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
            char *text = repeated(song, CASES[i].repeats);
            CHECK(text &&
                  gpt_config_fit(config, CASES[i].version, text, strlen(text), NULL, 0) == 0);
            CHECK_NEAR(gpt_config_get(config, "tokenizer"), CASES[i].tokenizer, 0);
            free(text);
        }
        CHECK_INT(gpt_config_fit(config, 3, song, strlen(song), NULL, 0), GPT_E_RANGE);
        CHECK_INT(gpt_config_fit(config, -1, song, strlen(song), NULL, 0), GPT_E_RANGE);
        gpt_config_free(config);
    }
    TEST("every prefix of a text gets a recipe that can be trained") {
        static const char *const FILES[] = {"public/texts/first-names-en.txt",
                                            "public/texts/tang-quatrains-zh.txt",
                                            "public/texts/moby-dick-en.txt"};
        for (int i = 0; i < 3; i++) {
            size_t bytes = 0;
            char *text = read_file(FILES[i], &bytes);
            for (size_t length = 1; text && length < 30000; length += 1 + length / 8) {
                CHECK_INT(fit_and_create(text, length), GPT_OK);
            }
            free(text);
        }
        CHECK_INT(fit_and_create("a", 1), GPT_OK);
        CHECK_INT(fit_and_create("\xFF\xFE\x00", 3), GPT_OK);
        CHECK_INT(fit_and_create("\0\0\0\0\0\0\0\0\0\0\0\0", 12), GPT_OK);
    }
    TEST("a fitted context cuts at most 1 % of the lines and 1 % of the characters") {
        char text[64 * 260];
        for (int longest = 1; longest < 250; longest += 7) {
            size_t at = 0;
            for (int line = 0; line < 64; line++) {
                int length = 1 + line * longest / 63;
                memset(text + at, 'a' + line % 26, (size_t)length);
                at += (size_t)length;
                text[at++] = line % 2 ? '.' : '!';
                text[at++] = '\n';
            }
            fit *f = malloc(sizeof *f);
            if (CHECK(f && fit_text(f, FIT_NEWEST, text, at) == GPT_OK) &&
                config_int(&f->recipe, OPT_SEQUENCES) == SEQUENCES_DOCUMENTS) {
                int context = config_int(&f->recipe, OPT_CONTEXT);
                CHECK(text_statistics_longer(&f->text, context - 1) * 100 <= f->text.lines);
                CHECK(text_statistics_beyond(&f->text, context) * 100 <= f->text.characters);
            }
            free(f);
        }
    }
    TEST("a failed fit returns a status and does not change the recipe") {
        gpt_config *config = gpt_config_create("gpt2");
        char json[2048];
        CHECK_INT(gpt_config_fit(NULL, 0, "a", 1, json, sizeof json), GPT_E_ARGUMENT);
        CHECK_INT(gpt_config_fit(config, 0, NULL, 1, json, sizeof json), GPT_E_ARGUMENT);
        CHECK_INT(gpt_config_fit(config, 0, "", 0, json, sizeof json), GPT_E_EMPTY);
        CHECK_INT(gpt_config_fit(config, 0, "anna\nbob\n", 9, json, 8), GPT_E_CAPACITY);
        CHECK_NEAR(gpt_config_get(config, "channels"), 128, 0);
        gpt_config_free(config);
    }
    TEST("text_statistics_read counts characters, lines and lengths") {
        text_statistics *s = malloc(sizeof *s);
        const char *text = "añb\r\n\n  \n日本語\n\xFF\n";
        if (CHECK(s && text_statistics_read(s, text, strlen(text)) == GPT_OK)) {
            CHECK_INT(s->lines, 3);
            CHECK_INT(s->blank_lines, 2);
            CHECK_INT(s->characters, 3 + 2 + 1 + 3 + 4 + 2);
            CHECK_INT(s->line_breaks, 6);
            CHECK_INT(s->length[3], 2);
            CHECK_INT(s->longest, 3);
            CHECK_INT(text_statistics_beyond(s, 2), 2);
            CHECK_INT(text_statistics_longer(s, 2), 2);
        }
        free(s);
    }
    return check_report();
}
