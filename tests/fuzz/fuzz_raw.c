/* fuzz_raw.c - the raw form through the loader of gpt.h: JSON in pieces, then data, into a model
 * that generates or trains.
 *
 * Input: one byte for the pieces, one for the purpose, the JSON up to a byte 0xFF, then bytes of
 * data, which repeat. */
#include "api/gpt.h"
#include "fuzz.h"
#include "formats/gpt2.h"

enum { DATA_MAX = 1 << 18 };

static const char TEXT[] = "a text to learn: the cat sat on the mat, the rat ran, a bat had a hat";

/* Announces each file that the JSON names, with its required size. Returns the total size in bytes,
 * or -1 if the loader refuses a file. */
static double announce_files(gpt_loader *l, const char *json, size_t bytes) {
    static part_file files[PART_FILES_MAX];
    tensor_file table;
    config c = {0};
    gpt_error error;
    int vocab, count;
    REQUIRE(gpt2_read_raw(&table, &c, &vocab, files, &count, json, bytes, &error) == GPT_OK);
    tensor_file_close(&table);
    REQUIRE(count > 0 && count <= PART_FILES_MAX);
    double total = 0;
    for (int i = 0; i < count; i++) {
        char name[256];
        REQUIRE(gpt_load_file(l, i, name, sizeof name) > 0);
        REQUIRE(!strcmp(name, files[i].name) && !strpbrk(name, "/\\:") && name[0] != '.');
        REQUIRE(gpt_load_state(l) == GPT_LOAD_NEXT);
        if (gpt_load_next(l, (double)files[i].bytes) < 0) {
            return -1;
        }
        total += (double)files[i].bytes;
    }
    REQUIRE(gpt_load_state(l) == 1);
    return total;
}

/* Feeds `total` bytes, a repetition of `bytes` (zeros if empty). False if a piece is refused. */
static bool feed_data(gpt_loader *l, const fuzz_part *bytes, double total, fuzz_pieces pieces) {
    static char piece[4096];
    size_t at = 0;
    for (double left = total; left > 0;) {
        size_t now = fuzz_piece(&pieces, left < sizeof piece ? (size_t)left : sizeof piece);
        for (size_t i = 0; i < now; i++) {
            piece[i] = bytes->bytes ? bytes->text[at++ % bytes->bytes] : 0;
        }
        if (gpt_load_feed(l, piece, now) < 0) {
            return false;
        }
        left -= (double)now;
    }
    return true;
}

static void use(gpt_trainer *t, bool trains) {
    char out[512];
    int status = trains ? gpt_step(t) : GPT_OK;
    REQUIRE(status == GPT_OK || status == GPT_E_DIVERGED);
    status = gpt_sample(t, "a", 1, 12, 0.8, 5, 0.9, 7, out, sizeof out);
    REQUIRE(status >= 0 || status == GPT_E_NOT_FINITE); // large finite weights may overflow
    REQUIRE(gpt_rewind(t) == GPT_E_ORIGIN);
}

static void load(gpt_config *c, gpt_loader *l, const char *purpose, const fuzz_part *bytes,
                 fuzz_pieces pieces, double total) {
    char json[65536];
    REQUIRE(gpt_load_json(l, json, sizeof json) > 0);
    bool trains = strcmp(purpose, "generate") != 0;
    const char *text = trains ? TEXT : NULL;
    size_t text_bytes = trains ? sizeof TEXT - 1 : 0;
    int planned = gpt_load_plan_json(l, purpose, text, text_bytes, json, sizeof json);
    int status = gpt_load_begin(l, purpose, text, text_bytes);
    REQUIRE(status <= GPT_OK && (status < 0 || planned > 0));
    if (status == GPT_OK && total <= DATA_MAX) {
        bool fed = feed_data(l, bytes, total, pieces);
        gpt_trainer *t = gpt_load_finish(l);
        REQUIRE((t != NULL) == fed);
        REQUIRE(fed || gpt_config_error(c, json, sizeof json) > 0);
        if (t) {
            use(t, trains);
        }
        gpt_trainer_free(t);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_open(data, size);
    fuzz_pieces pieces = fuzz_pieces_from(fuzz_choice(&in, 256));
    static const char *const purposes[] = {"generate", "train", "resume", "nothing"};
    const char *purpose = purposes[fuzz_choice(&in, 4)];
    fuzz_part header = fuzz_until_mark(&in, false), bytes = fuzz_rest(&in);
    gpt_config *c = gpt_config_create("gpt2");
    REQUIRE(c != NULL);
    REQUIRE(gpt_config_set_memory_limit(c, 8 << 20) == GPT_OK);
    gpt_loader *l = gpt_load_open(c, "raw", (double)header.bytes);
    REQUIRE((l != NULL) == (header.bytes > 0));
    for (size_t at = 0; l && at < header.bytes && gpt_load_state(l) == 0;) {
        size_t now = fuzz_piece(&pieces, header.bytes - at);
        double taken = gpt_load_feed(l, header.text + at, now);
        REQUIRE(taken < 0 || taken == (double)now);
        at += now;
    }
    if (l && gpt_load_state(l) == GPT_LOAD_NEXT) {
        double total = announce_files(l, header.text, header.bytes);
        if (total >= 0) {
            load(c, l, purpose, &bytes, pieces, total);
        }
    }
    gpt_load_free(l);
    gpt_config_free(c);
    free(header.text);
    free(bytes.text);
    return 0;
}
