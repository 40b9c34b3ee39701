/* test_bpe.c - byte-level BPE under the sanitizers: words, merging compared with its definition,
 * damaged files, exact use of memory. tests/bpe.test.ts compares tokens with GPT-2.
 */
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/rng.h"
#include "check.h"
#include "text/bpe_files.h"
#include "text/bpe_learn.h"
#include "text/pretokenizer.h"
#include "text/tokenizer.h"
#include "text/unicode_classes.h"

/* Returns the words of a text, each followed by '|', in static storage. */
static const char *words_of(const char *text, size_t bytes) {
    static char out[512];
    size_t put = 0;
    for (size_t at = 0; at < bytes;) {
        size_t length = pretokenizer_word((const unsigned char *)text + at, bytes - at);
        memcpy(out + put, text + at, length);
        put += length;
        out[put++] = '|';
        at += length;
    }
    out[put] = 0;
    return out;
}

#define WORDS(text) words_of(text, sizeof(text) - 1)

static uint32_t below(rng *r, uint32_t limit) {
    return (uint32_t)(rng_uniform(r) * limit);
}

/* Merges a word by the definition of BPE: the leftmost pair of the lowest rank first, until no pair
 * has a merge. Returns the number of tokens. */
static size_t merge_plainly(const bpe *b, const unsigned char *word, size_t count, uint16_t *ids) {
    for (size_t i = 0; i < count; i++) {
        ids[i] = b->byte_id[word[i]];
    }
    for (;;) {
        int best = b->merges;
        size_t where = 0;
        for (size_t i = 0; i + 1 < count; i++) {
            for (int rank = 0; rank < best; rank++) {
                if (b->left[rank] == ids[i] && b->right[rank] == ids[i + 1]) {
                    best = rank;
                    where = i;
                }
            }
        }
        if (best == b->merges) {
            return count;
        }
        ids[where] = b->made[best];
        count--;
        memmove(ids + where + 1, ids + where + 2, (count - where - 1) * sizeof *ids);
    }
}

/* ---- vocab.json and merges.txt for tests ----------------------------------------------------- */

typedef struct files {
    char vocab[16384], merges[8192];
    size_t vocab_bytes, merges_bytes;
} files;

/* Learns a vocabulary of at most `size` tokens from a text and writes its files. */
static void write_files(files *f, int size, const char *text) {
    bpe b;
    arena memory;
    CHECK_INT(bpe_learn(&b, &memory, size, false, text, strlen(text), NULL, NULL), GPT_OK);
    text_buffer vocab = text_begin(f->vocab, sizeof f->vocab);
    bpe_write_vocab(&b, b.size, &vocab); // <|endoftext|> has the id b.size
    f->vocab_bytes = text_end(&vocab);
    text_buffer merges = text_begin(f->merges, sizeof f->merges);
    bpe_write_merges(&b, &merges);
    f->merges_bytes = text_end(&merges);
    CHECK(f->vocab_bytes < sizeof f->vocab && f->merges_bytes < sizeof f->merges);
    arena_close(&memory);
}

/* Returns a vocabulary of `size` tokens of one byte each, with memory for `merges` merges, which
 * the caller fills in. The caller closes `memory`. */
static bpe with_byte_tokens(int size, int merges, arena *memory) {
    bpe b = {.size = size, .merges = merges, .byte_count = (uint32_t)size};
    CHECK_INT(arena_open(memory, 1 << 20, NULL), GPT_OK);
    CHECK_INT(bpe_lay_out(&b, memory, NULL), GPT_OK);
    for (int id = 0; id <= size; id++) {
        b.start[id] = (uint32_t)id;
        b.bytes[id < size ? id : 0] = (unsigned char)id;
    }
    return b;
}

static const char TEXT[] =
    "the cat that sat on the mat and the rat that ate the hat; it's that cat's "
    "hat, they're the cats\xE3\x80\x80\xE6\x98\xA5\xE6\x98\xA5 123 123 1234\n";

int main(void) {
    TEST("words end where the pattern of GPT-2 ends them") {
        CHECK_STRING(WORDS("Hello world"), "Hello| world|");
        CHECK_STRING(WORDS("it's we'll 'sup I'd've"), "it|'s| we|'ll| '|sup| I|'d|'ve|");
        CHECK_STRING(WORDS("IT'S l'l 'l"), "IT|'|S| l|'|l| '|l|");
        CHECK_STRING(WORDS("'"), "'|");
        CHECK_STRING(WORDS("'r"), "'|r|");
        CHECK_STRING(WORDS("abc123!?x"), "abc|123|!?|x|");
        CHECK_STRING(WORDS("a  b"), "a| | b|");
        CHECK_STRING(WORDS("a \n b"), "a| \n| b|");
        CHECK_STRING(WORDS("a\n\nb"), "a|\n|\n|b|");
        CHECK_STRING(WORDS("a  "), "a|  |");
        CHECK_STRING(WORDS(" "), " |");
        CHECK_STRING(WORDS(" 's"), " '|s|");
        CHECK_STRING(WORDS("a \t!"), "a| |\t|!|");
    }

    TEST("words use the letters, numbers and white space of Unicode") {
        CHECK_STRING(WORDS("caf\xC3\xA9 \xE6\x98\xA5\xE7\x9C\xA0"),
                     "caf\xC3\xA9| \xE6\x98\xA5\xE7\x9C\xA0|");
        CHECK_STRING(WORDS("x\xC2\xBD\xD9\xA3y"),
                     "x|\xC2\xBD\xD9\xA3|y|");             // the characters 1/2 and Arabic 3
        CHECK_STRING(WORDS("e\xCC\x81!"), "e|\xCC\x81!|"); // a combining accent is not a letter
        CHECK_STRING(WORDS("a\xE3\x80\x80\xE3\x80\x80"
                           "b"),
                     "a|\xE3\x80\x80|\xE3\x80\x80|b|");
        CHECK_STRING(WORDS("a\xC2\x85\xC2\x85"
                           "b"),
                     "a|\xC2\x85|\xC2\x85|b|");                       // U+0085 is white space
        CHECK_STRING(WORDS("a\xEF\xBB\xBF!b"), "a|\xEF\xBB\xBF!|b|"); // U+FEFF is not white space
        // A word includes the character before it only if that is the space U+0020.
        CHECK_STRING(WORDS(" \xC2\xA0x"), " |\xC2\xA0|x|");
        CHECK_INT(unicode_class(0x10FFFF), UNICODE_OTHER);
        CHECK_INT(unicode_class(0), UNICODE_OTHER);
        CHECK_INT(unicode_class(0x2FA1D), UNICODE_LETTER);
    }

    TEST("bytes that are not UTF-8 count as symbols") {
        CHECK_STRING(WORDS("a\xFF\xFE!b"), "a|\xFF\xFE!|b|");
        CHECK_STRING(WORDS(" \x80"), " \x80|");
        CHECK_STRING(WORDS("\xE6\x98"), "\xE6\x98|");
        CHECK_STRING(WORDS("  \xC2"), " | \xC2|");
        // Three bytes that encode a surrogate.
        CHECK_STRING(WORDS("\xED\xA0\x80z"), "\xED\xA0\x80|z|");
    }

    TEST("the byte alphabet is a bijection and agrees with known characters of GPT-2") {
        for (int byte = 0; byte < 256; byte++) {
            CHECK_INT(bpe_byte_of_character(bpe_character_of_byte(byte)), byte);
        }
        CHECK_INT(bpe_character_of_byte(' '), 0x120);
        CHECK_INT(bpe_character_of_byte('\n'), 0x10A);
        CHECK_INT(bpe_character_of_byte(0xAD), 0x143);
        CHECK_INT(bpe_character_of_byte(0x7F), 0x121);
        CHECK_INT(bpe_character_of_byte('a'), 'a');
        CHECK_INT(bpe_byte_of_character(' '), -1);
        CHECK_INT(bpe_byte_of_character(0x144), -1);
        CHECK_INT(bpe_byte_of_character(0x6625), -1);
    }

    TEST("a heap returns numbers in ascending order") {
        rng r = rng_from_seed(12345);
        uint64_t heap[64];
        for (size_t count = 0; count < 64; count++) {
            size_t built = count / 2, waiting = built;
            for (size_t i = 0; i < built; i++) {
                heap[i] = below(&r, 50);
            }
            heap_build(heap, built);
            while (waiting < count) {
                heap_push(heap, &waiting, below(&r, 50));
            }
            uint64_t last = 0;
            while (waiting) {
                uint64_t next = heap_pop(heap, &waiting);
                CHECK(next >= last);
                last = next;
            }
        }
    }

    TEST("learning merges the most frequent pair first, on ties the smallest ids") {
        bpe b;
        arena memory;
        const char text[] = "xyxy zz zz ab ab";
        CHECK_INT(bpe_learn(&b, &memory, 300, false, text, strlen(text), NULL, NULL), GPT_OK);
        // The pairs " a", "ab", " z", "zz" and "xy" (within one word) occur twice. " a" has the
        // smallest ids, (32,97), and is merged first.
        CHECK(b.merges >= 4 && b.size == 256 + b.merges && b.end_of_text == -1);
        CHECK(b.left[0] == ' ' && b.right[0] == 'a' && b.made[0] == 256 && b.count[0] == 2);
        CHECK(b.left[1] == ' ' && b.right[1] == 'z');
        CHECK(b.left[2] == 'x' && b.right[2] == 'y');
        CHECK(b.left[3] == 256 && b.right[3] == 'b'); // " a" (id 256) and "b": the largest left id
        arena_close(&memory);
    }

    TEST("short and long words are merged by the definition of BPE") {
        rng r = rng_from_seed(777);
        unsigned char text[4000], word[300];
        uint16_t ids[300], plain[300];
        uint64_t scratch[300 * 3];
        for (size_t i = 0; i < sizeof text; i++) {
            text[i] = below(&r, 9) ? (unsigned char)("aab\xC3"[below(&r, 4)]) : ' ';
        }
        bpe b;
        arena memory;
        CHECK_INT(bpe_learn(&b, &memory, 400, false, (char *)text, sizeof text, NULL, NULL),
                  GPT_OK);
        CHECK(bpe_scratch_bytes(300) <= sizeof scratch);
        for (size_t count = 1; count <= 300; count += count < 130 ? 1 : 17) {
            for (size_t i = 0; i < count; i++) {
                word[i] = (unsigned char)("aab\xC3"[below(&r, 4)]);
            }
            size_t expected = merge_plainly(&b, word, count, plain);
            CHECK_INT(bpe_merge_word(&b, word, count, ids, scratch), expected);
            CHECK(memcmp(ids, plain, expected * sizeof *ids) == 0);
        }
        arena_close(&memory);
    }

    TEST("a merge that creates a pair of a lower rank is handled, in short and long words") {
        // The merge (b,c) has rank 2 and creates the pair (a,bc), whose merge has rank 1. Learning
        // never writes such files, but a person may.
        char vocab[8192];
        text_buffer out = text_begin(vocab, sizeof vocab);
        text_put(&out, "{");
        for (int byte = 0; byte < 256; byte++) {
            unsigned char character[5] = {0};
            (void)utf8_encode(bpe_character_of_byte(byte), character);
            text_put_json_string(&out, (char *)character);
            text_put(&out, ":");
            text_put_number(&out, byte);
            text_put(&out, ",");
        }
        text_put(&out, "\"bc\":256,\"abc\":257,\"abcabc\":258}");
        size_t vocab_bytes = text_end(&out);
        const char merges[] = "abc abc\na bc\nb c\n";
        bpe b;
        arena memory;
        CHECK_INT(bpe_read(&b, &memory,
                           &(bpe_texts){vocab, vocab_bytes, merges, strlen(merges), NULL, 0}, NULL),
                  GPT_OK);
        unsigned char word[96];
        uint16_t ids[96], plain[96];
        uint64_t scratch[96 * 3];
        for (size_t i = 0; i < sizeof word; i++) {
            word[i] = (unsigned char)"abc"[i % 3];
        }
        for (size_t count = 2; count <= sizeof word; count++) {
            size_t expected = merge_plainly(&b, word, count, plain);
            CHECK_INT(bpe_merge_word(&b, word, count, ids, scratch), expected);
            CHECK(memcmp(ids, plain, expected * sizeof *ids) == 0);
        }
        arena_close(&memory);
    }

    TEST("merges whose hashes collide are found") {
        enum { TOKENS = 3000, MERGES = 400 };
        arena memory;
        bpe b = with_byte_tokens(TOKENS, MERGES, &memory);
        int found = 0;
        for (uint32_t pair = 0; found < MERGES; pair++) { // pairs whose hash by bpe_slot_of is 7
            uint32_t left = pair / TOKENS, right = pair % TOKENS, key = left << 16 | right;
            if ((key ^ key >> 16) * 0x9E3779B1u >> (32 - b.slot_bits) == 7) {
                b.left[found] = (uint16_t)left;
                b.right[found] = (uint16_t)right;
                b.made[found] = (uint16_t)found;
                found++;
            }
        }
        CHECK_INT(bpe_index(&b, NULL), GPT_OK);
        for (int rank = 0; rank < MERGES; rank++) {
            const bpe_slot *slot = bpe_find(&b, b.left[rank], b.right[rank]);
            CHECK(slot && slot->rank == rank);
        }
        CHECK(bpe_find(&b, TOKENS, 0) == NULL);
        arena_close(&memory);
    }

    TEST("the largest id can be merged with itself") {
        enum { TOKENS = BPE_SIZE_MAX, LAST = TOKENS - 1 };
        arena memory;
        bpe b = with_byte_tokens(TOKENS, 1, &memory);
        b.left[0] = b.right[0] = LAST;
        b.made[0] = 300;
        CHECK_INT(bpe_index(&b, NULL), GPT_OK);
        const bpe_slot *slot = bpe_find(&b, LAST, LAST);
        CHECK(slot && slot->made == 300);
        CHECK(bpe_find(&b, LAST, 0) == NULL);
        arena_close(&memory);
    }

    TEST("copying a vocabulary uses the memory that measuring counted") {
        bpe b, copy;
        arena memory, measuring, real_memory;
        CHECK_INT(bpe_learn(&b, &memory, 290, false, TEXT, strlen(TEXT), NULL, NULL), GPT_OK);
        arena_open_measuring(&measuring);
        CHECK_INT(bpe_copy(&copy, &b, &measuring, NULL), GPT_OK);
        CHECK_INT(memory.peak, measuring.peak);
        CHECK_INT(arena_open(&real_memory, measuring.peak, NULL), GPT_OK);
        CHECK_INT(bpe_copy(&copy, &b, &real_memory, NULL), GPT_OK);
        CHECK_INT(real_memory.used, real_memory.capacity);
        CHECK(memcmp(copy.bytes, b.bytes, b.byte_count) == 0 && copy.bytes != b.bytes);
        arena_close(&real_memory);
        gpt_error error = {0};
        CHECK_INT(arena_open(&real_memory, measuring.peak - 64, NULL), GPT_OK);
        CHECK_INT(bpe_copy(&copy, &b, &real_memory, &error), GPT_E_MEMORY);
        CHECK_INT(error.status, GPT_E_MEMORY);
        arena_close(&real_memory);
        arena_close(&memory);
    }

    TEST("learning and counting are cached until an option changes") {
        bpe_source source = {0};
        tokenizer_options options = {.kind = TOKENIZER_BPE, .context = 4, .vocabulary = 270};
        tokenizer k;
        arena memory;
        text_counts first, second;
        arena_open_measuring(&memory);
        CHECK_INT(
            tokenizer_open(&k, options, NULL, &source, TEXT, strlen(TEXT), &memory, &first, NULL),
            GPT_OK);
        const unsigned char *bytes = source.bpe.bytes;
        CHECK_INT(
            tokenizer_open(&k, options, NULL, &source, TEXT, strlen(TEXT), &memory, &second, NULL),
            GPT_OK);
        CHECK(source.bpe.bytes == bytes && memcmp(&first, &second, sizeof first) == 0);
        CHECK_INT(k.vocab, 270);
        CHECK_INT(k.bos, -1);
        options.documents = true;
        CHECK_INT(
            tokenizer_open(&k, options, NULL, &source, TEXT, strlen(TEXT), &memory, &second, NULL),
            GPT_OK);
        CHECK_INT(k.bos, 270);
        CHECK_INT(second.cut_documents, 1);
        CHECK_INT(second.cut_tokens, second.tokens - 4);
        options.vocabulary = 260;
        CHECK_INT(
            tokenizer_open(&k, options, NULL, &source, TEXT, strlen(TEXT), &memory, &second, NULL),
            GPT_OK);
        CHECK_INT(k.bos, 260);
        gpt_error error = {0};
        CHECK_INT(
            tokenizer_open(&k, options, NULL, NULL, TEXT, strlen(TEXT), &memory, &second, &error),
            GPT_E_ARGUMENT);
        bpe_source_close(&source);
    }

    TEST("decoding restores the encoded bytes, with and without the word cache") {
        bpe_source source = {0};
        tokenizer_options options = {.kind = TOKENIZER_BPE, .context = 4, .vocabulary = 300};
        tokenizer k;
        arena memory;
        text_counts counts;
        CHECK_INT(arena_open(&memory, 1 << 20, NULL), GPT_OK);
        CHECK_INT(
            tokenizer_open(&k, options, NULL, &source, TEXT, strlen(TEXT), &memory, &counts, NULL),
            GPT_OK);
        bpe_source_close(&source); // the tokenizer has its own copy
        rng r = rng_from_seed(4242);
        char text[2000];
        // 5000: with a cache in the encoder.
        for (size_t expected = 0; expected <= 5000; expected += 5000) {
            for (int round = 0; round < 50; round++) {
                for (size_t i = 0; i < sizeof text; i++) {
                    text[i] = round % 2 ? (char)below(&r, 256) : TEXT[below(&r, sizeof TEXT - 1)];
                }
                int32_t ids[sizeof text];
                id_list list = {ids, sizeof text, 0};
                encoder e = encoder_open(&k, expected);
                CHECK_INT(encoder_put(&e, text, sizeof text, id_list_add, &list, NULL), GPT_OK);
                encoder_close(&e);
                unsigned char back[sizeof text + TOKEN_BYTES_MAX];
                size_t at = 0;
                for (size_t i = 0; i < list.count && at <= sizeof text; i++) {
                    at += (size_t)tokenizer_bytes(&k, list.ids[i], back + at);
                }
                CHECK_INT(at, sizeof text);
                CHECK(memcmp(back, text, sizeof text) == 0);
            }
        }
        arena_close(&memory);
    }

    TEST("a damaged vocabulary file is read or refused with a GPT_E_BPE_ status") {
        static files good, bad;
        write_files(&good, 270, TEXT);
        bpe b;
        arena memory;
        gpt_error error = {0};
        bpe_texts whole = {good.vocab, good.vocab_bytes, good.merges, good.merges_bytes, NULL, 0};
        CHECK_INT(bpe_read(&b, &memory, &whole, &error), GPT_OK);
        CHECK_INT(b.size, 271);
        CHECK_INT(b.end_of_text, 270);
        arena_close(&memory);
        rng r = rng_from_seed(1);
        int refused = 0;
        for (int round = 0; round < 3000; round++) {
            bad = good;
            for (uint32_t i = 0; i <= below(&r, 3); i++) {
                bool vocab = below(&r, 2) != 0;
                char *text = vocab ? bad.vocab : bad.merges;
                size_t bytes = vocab ? bad.vocab_bytes : bad.merges_bytes;
                text[below(&r, (uint32_t)bytes)] = below(&r, 2) ? (char)below(&r, 256)
                                                                : "{}[]\":,0 \n\\"[below(&r, 11)];
            }
            // Copies in allocations of exact size: the address sanitizer reports a read past the
            // end.
            size_t vocab_bytes = below(&r, 4) ? bad.vocab_bytes
                                              : below(&r, (uint32_t)bad.vocab_bytes);
            char *vocab = malloc(vocab_bytes + 1), *merges = malloc(bad.merges_bytes);
            if (!CHECK(vocab && merges)) {
                free(vocab);
                free(merges);
                break;
            }
            memcpy(vocab + 1, bad.vocab, vocab_bytes);
            memcpy(merges, bad.merges, bad.merges_bytes);
            bpe_texts damaged = {vocab + 1, vocab_bytes, merges, bad.merges_bytes, NULL, 0};
            int status = bpe_read(&b, &memory, &damaged, &error);
            CHECK(status == GPT_OK ||
                  (status <= GPT_E_BPE_JSON && status >= GPT_E_BPE_MERGE_TWICE));
            refused += status < 0;
            arena_close(&memory);
            free(vocab);
            free(merges);
        }
        CHECK(refused > 1000);
    }

    return check_report();
}
