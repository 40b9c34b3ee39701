/* fuzz_shards.c - weights of GPT-2 in shards through the loader of gpt.h: the index that names the
 * files, then the header of each file, then the data of each in the same order.
 *
 * Input: one byte for the pieces, one for the purpose, the index up to a byte 0xFF; then for each
 * file the size of its data (two bytes, the lower first) and its header up to 0xFF. All data is
 * zeros. */
#include "api/gpt.h"
#include "fuzz.h"

enum { DATA_MAX = 1 << 16, SHARDS_MAX = 8 };

static const char TEXT[] = "a text to learn: the cat sat on the mat, the rat ran, a bat had a hat";
static const char CONFIG[] = "{\"n_layer\":1,\"n_head\":1,\"n_embd\":2,\"n_positions\":4,"
                             "\"vocab_size\":256}";

/* One file: its header, and the number of data bytes after it. */
typedef struct shard {
    fuzz_part header;
    size_t data;
} shard;

/* Feeds bytes in pieces until all are taken or the loader leaves `state`. Returns the number of
 * bytes taken, or -1 if the loader refuses a piece. */
static double feed(gpt_loader *l, const char *from, size_t bytes, int state, fuzz_pieces *pieces) {
    size_t at = 0;
    while (at < bytes && gpt_load_state(l) == state) {
        size_t now = fuzz_piece(pieces, bytes - at);
        double taken = gpt_load_feed(l, from + at, now);
        if (taken < 0) {
            REQUIRE(gpt_load_state(l) == GPT_E_STATE);
            return -1;
        }
        REQUIRE(taken <= (double)now);
        at += (size_t)taken;
    }
    return (double)at;
}

/* Announces every file and feeds its header. Returns the number of files; -1 if the loader refuses
 * one or there are more than SHARDS_MAX. */
static int feed_headers(gpt_loader *l, fuzz_input *in, shard shards[SHARDS_MAX],
                        fuzz_pieces *pieces) {
    int count = 0;
    while (gpt_load_state(l) == GPT_LOAD_NEXT) {
        char name[256];
        REQUIRE(gpt_load_file(l, count, name, sizeof name) > 0);
        REQUIRE(!strpbrk(name, "/\\:") && name[0] != '.');
        if (count == SHARDS_MAX) {
            return -1;
        }
        shard *s = &shards[count++];
        s->data = (size_t)fuzz_choice(in, 256);
        s->data += (size_t)fuzz_choice(in, 256) << 8;
        s->header = fuzz_until_mark(in, false);
        if (gpt_load_next(l, (double)(8 + s->header.bytes + s->data)) < 0) {
            return -1;
        }
        uint64_t length = s->header.bytes;
        char prefix[8];
        memcpy(prefix, &length, sizeof prefix);
        if (feed(l, prefix, sizeof prefix, 0, pieces) < 0 ||
            feed(l, s->header.text, s->header.bytes, 0, pieces) < 0) {
            return -1;
        }
        REQUIRE(gpt_load_state(l) != 0); // a complete header is accepted or refused
    }
    return gpt_load_state(l) == 1 ? count : -1;
}

static void use(gpt_loader *l, const shard shards[SHARDS_MAX], int count, const char *purpose,
                fuzz_pieces *pieces) {
    static const char zeros[DATA_MAX];
    char out[4096];
    bool trains = strcmp(purpose, "train") == 0;
    REQUIRE(gpt_load_json(l, out, sizeof out) > 0 || count > 4);
    const char *text = trains ? TEXT : NULL;
    if (gpt_load_begin(l, purpose, text, trains ? sizeof TEXT - 1 : 0) < 0) {
        return;
    }
    bool fed = true;
    for (int i = 0; i < count && fed; i++) {
        fed = feed(l, zeros, shards[i].data, 2, pieces) >= 0;
    }
    gpt_trainer *t = gpt_load_finish(l);
    REQUIRE(fed || t == NULL);
    if (t && trains) {
        int status = gpt_step(t);
        REQUIRE(status == GPT_OK || status == GPT_E_DIVERGED);
    }
    gpt_trainer_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_open(data, size);
    fuzz_pieces pieces = fuzz_pieces_from(fuzz_choice(&in, 256));
    const char *purpose = fuzz_choice(&in, 2) ? "train" : "generate";
    fuzz_part index = fuzz_until_mark(&in, false);
    shard shards[SHARDS_MAX] = {{{NULL, 0}, 0}};
    gpt_config *c = gpt_config_create("tinygpt");
    REQUIRE(c != NULL && gpt_config_import(c, CONFIG, sizeof CONFIG - 1) == GPT_OK);
    REQUIRE(gpt_config_set_memory_limit(c, 8 << 20) == GPT_OK);
    gpt_loader *l = gpt_load_open(c, "index", (double)index.bytes);
    REQUIRE((l != NULL) == (index.bytes > 0));
    if (l && feed(l, index.text, index.bytes, 0, &pieces) >= 0) {
        int count = feed_headers(l, &in, shards, &pieces);
        if (count > 0) {
            use(l, shards, count, purpose, &pieces);
        }
    }
    char message[2048];
    REQUIRE(gpt_config_message(c, message, sizeof message) >= 0);
    gpt_load_free(l);
    gpt_config_free(c);
    for (int i = 0; i < SHARDS_MAX; i++) {
        free(shards[i].header.text);
    }
    free(index.text);
    return 0;
}
