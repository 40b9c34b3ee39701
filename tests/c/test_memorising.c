/* test_memorising.c - gpt_memorised, the share of prompts that a model continues word for word,
 * against greedy decoding token by token. */
#include <stdlib.h>

#include "api/handles.h"
#include "models.h"
#include "train/memorising.h"

/* Lines of at most 24 bytes, alternately random and a prefix of one sentence, so that a small model
 * memorises some of them. */
static char text[4000];

static void make_text(void) {
    rng r = rng_from_mixed_seed(5);
    for (size_t at = 0, line = 0; at + 40 < sizeof text; line++) {
        size_t length = 1 + (size_t)(rng_uniform(&r) * 24);
        for (size_t i = 0; i < length; i++) {
            text[at++] = line % 2 ? "the cat sat on the mat, and so it was."[i]
                                  : (char)('a' + (int)(rng_uniform(&r) * 9));
        }
        text[at++] = '\n';
    }
}

/* Returns a microgpt with `settings` on the text `of`. A quarter of the text is held out; training
 * never reads its byte ranges `left_out`, written as in the option left_out. */
static gpt_trainer *trainer_without(const setting *settings, const char *left_out, const char *of,
                                    size_t bytes) {
    gpt_config *c = gpt_config_create("microgpt");
    CHECK_INT(gpt_config_set_text(c, "left_out", left_out), GPT_OK);
    CHECK_INT(gpt_config_set(c, "validation", 0.25), GPT_OK);
    for (; settings->name; settings++) {
        CHECK_INT(gpt_config_set(c, settings->name, settings->value), GPT_OK);
    }
    gpt_trainer *t = gpt_trainer_create(c, of, bytes);
    CHECK(t != NULL);
    gpt_config_free(c);
    return t;
}

static gpt_trainer *trainer_of(const setting *settings, const char *of, size_t bytes) {
    return trainer_without(settings, "", of, bytes);
}

/* Returns token `i` of a prompt and its continuation, or BOS at the end of a document. `begin` is
 * the entry of the prompt in prompt_list. */
static int token_at(const dataset *d, uint64_t begin, uint64_t i) {
    if (!d->documents) {
        return d->tokens[begin + i];
    }
    uint64_t start = d->start[d->order[begin]], end = d->start[d->order[begin] + 1];
    return start + i < end ? d->tokens[start + i] : d->tokenizer.bos;
}

/* True if greedy decoding after the tokens 0 .. from-1 of a prompt yields its tokens from .. end-1.
 * `begin` is the entry of the prompt in prompt_list. */
static bool writes(gpt_trainer *t, uint64_t begin, uint64_t from, uint64_t end) {
    const dataset *d = &t->run.data;
    char prompt[64];
    int bytes = 0;
    for (uint64_t i = 0; i < from; i++) {
        bytes += gpt_token_bytes(t, token_at(d, begin, i), prompt + bytes, 8);
    }
    gpt_sampler *s = gpt_trainer_sampler(t);
    CHECK(gpt_sample_begin(s, prompt, (size_t)bytes, 0, 0, 1, 1) > 0);
    for (uint64_t i = from; i < end; i++) {
        if (gpt_sample_next(s) != token_at(d, begin, i)) return false;
    }
    return true;
}

/* Computes the share that gpt_memorised returns by decoding every continuation token by token. */
static double decoded_share(gpt_trainer *t, bool held_out) {
    const dataset *d = &t->run.data;
    prompt_list prompts = memorising_prompts(&t->run, held_out);
    int continued = 0;
    for (int i = 0; i < prompts.count; i++) {
        uint64_t begin = prompts.begin[i], from = 8, end = 16;
        if (d->documents) {
            uint64_t tokens = d->start[d->order[begin] + 1] - d->start[d->order[begin]] + 1;
            tokens = tokens > (uint64_t)d->context ? (uint64_t)d->context : tokens;
            end = tokens > 16 ? 16 : tokens;
            from = end / 2;
        } else if (d->context < 15) {
            from = (uint64_t)(d->context + 1) / 2;
            end = 2 * from;
        }
        continued += writes(t, begin, from, end);
    }
    return (double)continued / prompts.count;
}

/* Compares gpt_memorised with decoded_share, for training and held-out prompts. Returns the number
 * of shares that are neither 0 nor 1. */
static int compare(gpt_trainer *t) {
    int between = 0;
    for (int held_out = 0; held_out < 2; held_out++) {
        double share = gpt_memorised(t, held_out);
        CHECK(share == decoded_share(t, held_out));
        between += share > 0 && share < 1;
    }
    return between;
}

static void test_share(void) {
    static const setting CASES[][9] = {
        {{"tokenizer", 1}, {"sequences", 1}, {"context", 32}, END},
        {{"tokenizer", 1}, {"sequences", 1}, {"context", 9}, {"batch", 3}, END},
        {{"tokenizer", 0}, {"sequences", 1}, {"context", 2}, {"batch", 2}, END},
        {{"tokenizer", 1}, {"sequences", 0}, {"context", 16}, {"batch", 2}, END},
        {{"tokenizer", 0}, {"sequences", 0}, {"context", 15}, END},
        {{"tokenizer", 1}, {"sequences", 0}, {"context", 6}, {"batch", 4}, END},
    };
    TEST("the memorised share is the share of prompts that greedy decoding continues exactly") {
        for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
            gpt_trainer *t = trainer_of(CASES[i], text, strlen(text));
            int between = 0;
            CHECK_INT(gpt_trainer_set(t, "lr", 0.01), GPT_OK);
            int steps = getenv("LONG") ? 400 : 120;
            for (int step = 0; step < steps; step++) {
                CHECK_INT(gpt_step(t), GPT_OK);
                if (step % 40 == 39) between += compare(t);
            }
            CHECK(between > 0); // at least one share is neither 0 nor 1
            gpt_trainer_free(t);
        }
    }
}

static void test_prompts(void) {
    static const setting STREAM[] = {{"sequences", 0}, {"context", 8}, {"batch", 1}, END};
    TEST("prompts are distinct places of their part of the text, 32 or as many as there are") {
        gpt_trainer *t = trainer_of(STREAM, text, strlen(text));
        const dataset *d = &t->run.data;
        for (int held_out = 0; held_out < 2; held_out++) {
            prompt_list prompts = memorising_prompts(&t->run, held_out);
            CHECK_INT(prompts.count, PROMPTS_MAX);
            CHECK(prompts.begin[0] >= (held_out ? d->train_tokens : 0));
            for (int i = 1; i < prompts.count; i++) {
                CHECK(prompts.begin[i] > prompts.begin[i - 1]);
            }
            CHECK(prompts.begin[31] + 8 <= (held_out ? d->token_count : d->train_tokens));
        }
        CHECK_INT(gpt_trainer_get(t, "prompt_tokens"), 4);
        gpt_trainer_free(t);
        // A prompt and its continuation have eight tokens together: nine training tokens have two
        // places for them.
        t = trainer_of(STREAM, "abcdefghi", 9);
        CHECK_INT(gpt_trainer_get(t, "train_prompts"), 2);
        CHECK_INT(gpt_trainer_get(t, "held_out_prompts"), 0);
        CHECK(gpt_memorised(t, 0) >= 0);
        CHECK(gpt_memorised(t, 1) != gpt_memorised(t, 1));
        gpt_trainer_free(t);
        t = trainer_of((setting[]){END}, "ab\nc\nd\nef\n", 10);
        CHECK_INT(gpt_trainer_get(t, "train_prompts"), 3);
        CHECK_INT(gpt_trainer_get(t, "held_out_prompts"), 1);
        gpt_trainer_free(t);
    }
    TEST("another seed draws other prompts") {
        gpt_trainer *t = trainer_of(STREAM, text, strlen(text));
        gpt_trainer *other = trainer_of(
            (setting[]){{"seed", 43}, {"sequences", 0}, {"context", 8}, END}, text, strlen(text));
        prompt_list a = memorising_prompts(&t->run, false);
        prompt_list b = memorising_prompts(&other->run, false);
        CHECK(memcmp(a.begin, b.begin, sizeof a.begin) != 0);
        gpt_trainer_free(t);
        gpt_trainer_free(other);
    }
}

static void test_left_out(void) {
    TEST("no training prompt touches left-out text, and held-out prompts stay in the held-out "
         "part") {
        for (int documents = 0; documents < 2; documents++) {
            gpt_trainer *t = trainer_without((setting[]){{"sequences", documents}, END},
                                             "0:1400,1800:2000", text, strlen(text));
            const dataset *d = &t->run.data;
            prompt_list prompts = memorising_prompts(&t->run, false);
            CHECK(prompts.count > 5 && prompts.count <= PROMPTS_MAX);
            for (int i = 0; i < prompts.count; i++) {
                // A prompt begins at token number `begin` of a stream, or is the document
                // d->order[begin] of the shuffled documents.
                uint64_t begin = prompts.begin[i];
                uint64_t line = documents ? d->order[begin] : 0;
                CHECK(documents ? !left_out_touches(&d->left_out, line, line + 1)
                                : (begin >= 1400 && (begin + 16 <= 1800 || begin >= 2000)));
            }
            prompts = memorising_prompts(&t->run, true);
            CHECK_INT(prompts.count, PROMPTS_MAX);
            uint64_t from = documents ? d->train_documents + d->left_out_documents
                                      : d->train_tokens;
            CHECK(prompts.begin[0] >= from);
            CHECK_INT(gpt_step(t), GPT_OK);
            (void)compare(t);
            gpt_trainer_free(t);
        }
    }
}

static void test_same_bits(void) {
    TEST("gpt_memorised changes no bit of a run, with any number of threads") {
        // The windows of a text read as a stream are drawn from the run's random stream: one more
        // draw by gpt_memorised would change the receipt.
        int steps = getenv("LONG") ? 60 : 20;
        char receipts[3][20000] = {"", "", ""};
        double shares[3] = {0};
        for (int i = 0; i < 3; i++) {
            (void)gpt_threads_use(i == 2 ? 3 : 1);
            gpt_trainer *t = trainer_of(
                (setting[]){{"sequences", 0}, {"layers", 2}, {"channels", 96}, END}, text,
                strlen(text));
            CHECK_INT(gpt_trainer_set(t, "lr", 0.01), GPT_OK);
            for (int step = 0; step < steps; step++) {
                CHECK_INT(gpt_step(t), GPT_OK);
                for (int held_out = 0; i > 0 && held_out < 2; held_out++) {
                    shares[i] = 3 * shares[i] + gpt_memorised(t, held_out);
                }
            }
            CHECK(gpt_receipt_json(t, receipts[i], sizeof receipts[i]) > 0);
            gpt_trainer_free(t);
        }
        (void)gpt_threads_use(1);
        CHECK_STRING(receipts[1], receipts[0]);
        CHECK_STRING(receipts[2], receipts[0]);
        CHECK(shares[1] > 0 && shares[2] == shares[1]);
    }
}

int main(void) {
    make_text();
    test_share();
    test_prompts();
    test_left_out();
    test_same_bits();
    return check_report();
}
