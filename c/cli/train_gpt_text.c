/* train_gpt_text.c - decodes the text of --data.
 *
 * Converts the text to UTF-8 (through iconv), removes its byte order mark, turns all line ends into
 * line feeds, and refuses files that are not texts. The model is trained on the decoded text, and
 * receipts contain the hash of the decoded text. Older versions of the program trained on undecoded
 * bytes: choose_text recognises the text of such a run by its hash. The web page decodes by similar
 * rules (web/store/text/decode.ts).
 */
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/train_gpt.h"

static const char *const BYTES = "bytes"; /* value of --encoding for a text that is not decoded */

/* Names of encodings in browsers, each with the name of the same encoding in iconv. Lists only
 * encodings whose browser name iconv does not know, or uses for another encoding. */
static const char *const ICONV_NAMES[][2] = {
    {"shift_jis", "CP932"},     {"shift-jis", "CP932"},     {"euc-kr", "CP949"},
    {"gbk", "GB18030"},         {"gb2312", "GB18030"},      {"big5", "BIG5-HKSCS"},
    {"iso-8859-1", "CP1252"},   {"latin1", "CP1252"},       {"ascii", "CP1252"},
    {"ibm866", "CP866"},        {"windows-874", "CP874"},   {"windows-1250", "CP1250"},
    {"windows-1251", "CP1251"}, {"windows-1252", "CP1252"}, {"windows-1253", "CP1253"},
    {"windows-1254", "CP1254"}, {"windows-1255", "CP1255"}, {"windows-1256", "CP1256"},
    {"windows-1257", "CP1257"}, {"windows-1258", "CP1258"},
};

/* Byte order marks. Longer marks come first, because the mark of UTF-32LE begins with FF FE, the
 * mark of UTF-16LE. */
static const struct {
    const char *bytes;
    size_t length;
    const char *encoding;
} MARKS[] = {
    {"\xFF\xFE\0\0", 4, "UTF-32LE"}, {"\0\0\xFE\xFF", 4, "UTF-32BE"}, {"\xEF\xBB\xBF", 3, "UTF-8"},
    {"\xFF\xFE", 2, "UTF-16LE"},     {"\xFE\xFF", 2, "UTF-16BE"},
};

static const char *iconv_name(const char *encoding) {
    for (size_t i = 0; i < sizeof ICONV_NAMES / sizeof *ICONV_NAMES; i++) {
        if (strcasecmp(encoding, ICONV_NAMES[i][0]) == 0) {
            return ICONV_NAMES[i][1];
        }
    }
    return encoding;
}

/* Reports that the byte at offset `at` of `raw` is not valid in the encoding. `chosen` is true if
 * the encoding is from the flag --encoding. */
static int complain_of_byte(const char *path, const char *encoding, const contents *raw, size_t at,
                            bool chosen) {
    char why[256];
    (void)snprintf(why, sizeof why,
                   "byte %zu (0x%02X) is not %s. %s, or --encoding bytes to learn the bytes as "
                   "they are",
                   at + 1, (unsigned char)raw->bytes[at], encoding,
                   chosen ? "Choose another --encoding"
                          : "Say what the file is encoded in, such as --encoding windows-1252 or "
                            "utf-16le");
    return complain(path, why);
}

/* Converts the bytes of `raw` from offset `from` on to UTF-8 in `out`. The caller frees out->bytes,
 * even on failure. Drops an incomplete character at the end of the text and prints a note about
 * it. */
static int convert(iconv_t converter, const char *path, const char *encoding, const contents *raw,
                   size_t from, bool chosen, contents *out) {
    size_t left = raw->size - from, room = left + 16;
    char *in = raw->bytes + from, *to = out->bytes = malloc(room);
    if (!to) {
        return complain(path, strerror(ENOMEM));
    }
    bool all = false; // true: all input is converted, and the next call flushes the converter
    for (;;) {
        size_t done = iconv(converter, all ? NULL : &in, &left, &to, &room);
        out->size = (size_t)(to - out->bytes);
        bool cut = done == (size_t)-1 && errno == EINVAL;
        if (cut) {
            (void)fprintf(stderr, "%s: %zu %s at its end left out: no whole character\n", path,
                          left, left == 1 ? "byte" : "bytes");
        }
        if (all && done != (size_t)-1) {
            return EXIT_SUCCESS;
        }
        if (cut || done != (size_t)-1) {
            all = true;
        } else if (errno != E2BIG) {
            return complain_of_byte(path, encoding, raw, (size_t)(in - raw->bytes), chosen);
        } else {
            room = out->size + left + 16;
            char *larger = realloc(out->bytes, out->size + room);
            if (!larger) {
                return complain(path, strerror(ENOMEM));
            }
            out->bytes = larger;
            to = larger + out->size;
        }
    }
}

/* Returns the length in bytes of the line end at offset `at`: CR LF, CR, NEL, U+2028 or U+2029.
 * Returns 0 for other characters, also for a line feed, which need not be replaced. */
static size_t line_end(const contents *text, size_t at) {
    static const char *const ENDS[] = {"\r\n", "\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        size_t length = strlen(ENDS[i]);
        if (text->size - at >= length && memcmp(text->bytes + at, ENDS[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* Replaces every line end by a line feed, in place, and prints how many were replaced. */
static void unify_line_ends(const char *path, contents *text) {
    size_t to = 0, others = 0;
    for (size_t at = 0; at < text->size;) {
        size_t length = line_end(text, at);
        others += length > 0;
        if (length) {
            text->bytes[to++] = '\n';
            at += length;
        } else {
            text->bytes[to++] = text->bytes[at++];
        }
    }
    text->size = to;
    if (others) {
        (void)fprintf(
            stderr, "%s: %zu line ends (CR, CR LF, NEL, U+2028 or U+2029) are read as line feeds\n",
            path, others);
    }
}

/* LOOKED_AT: bytes that are examined at the beginning of a text. MOST_NULS: the most NULs among
 * these bytes, in percent. MOST_CONTROLS: the most other control characters, in percent. */
enum { LOOKED_AT = 1 << 16, MOST_NULS = 30, MOST_CONTROLS = 8 };

/* The first bytes of files that are not texts: GGUF versions 2 and 3, llm.c, a pickle of PyTorch, a
 * zip archive. */
static const struct {
    const char *bytes;
    size_t length;
    bool model; /* true: files with these bytes are models; false: zip archives */
} OTHERS[] = {
    {"GGUF\2\0", 6, true},         {"GGUF\3\0", 6, true}, {"\xC6\xD7\x34\x01", 4, true},
    {"\x80\x02\x8A\x0A", 4, true}, {"PK\3\4", 4, false},
};

/* Refuses models and archives. Decoding does not refuse them, because in many encodings every byte
 * is a character. */
static int check_is_no_model(const char *path, const contents *raw) {
    // A safetensors file begins with the size of its header, a number of eight bytes; then comes
    // the header, which is JSON.
    bool model = raw->size > 8 && !memcmp(raw->bytes + 4, "\0\0\0\0{", 5), archive = false;
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        bool begins = raw->size >= OTHERS[i].length &&
                      memcmp(raw->bytes, OTHERS[i].bytes, OTHERS[i].length) == 0;
        model |= begins && OTHERS[i].model;
        archive |= begins && !OTHERS[i].model;
    }
    return model ? complain(path, "this is a model, not a text: give it with --load, and a text "
                                  "with --data")
           : archive
               ? complain(path, "this is a zip archive, not a text: give a PyTorch model with "
                                "--load, and save a document as plain text first")
               : EXIT_SUCCESS;
}

/* Guesses whether a text without a byte order mark is UTF-16 or UTF-32, from its first LOOKED_AT
 * bytes. Returns the name of the encoding, or NULL. UTF-32: in more than half of the characters the
 * upper 16 bits are 0. UTF-16: the text has a byte below 7, and at least three quarters of the high
 * bytes have one of two values below 0x31, because most texts are in one alphabet. */
static const char *wide_encoding(const contents *raw) {
    size_t count = (raw->size < LOOKED_AT ? raw->size : LOOKED_AT) & ~(size_t)3, units = count / 2;
    size_t seen[2][256] = {{0}}, zeros[2] = {0};
    bool low = false;
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = (unsigned char)raw->bytes[i];
        seen[i % 2][byte]++;
        low |= byte < 7;
        zeros[i / 2 % 2] += i % 2 && !byte && !raw->bytes[i - 1];
    }
    if (count && (zeros[0] > units / 4 || zeros[1] > units / 4)) {
        return zeros[1] > units / 4 ? "utf-32le" : "utf-32be";
    }
    for (int high = 1; low && high >= 0; high--) {
        size_t first = 0, second = 0;
        for (int value = 0; value < 0x31; value++) {
            size_t now = seen[high][value];
            second = now > first ? first : now > second ? now : second;
            first = now > first ? now : first;
        }
        if ((first + second) * 4 >= units * 3) {
            return high ? "utf-16le" : "utf-16be";
        }
    }
    return NULL;
}

/* Refuses a text in UTF-16 or UTF-32 without a byte order mark. Such bytes can be valid UTF-8 with
 * other characters: Hindi in UTF-16 would be read as letters and tabs. */
static int check_is_narrow(const char *path, const contents *raw) {
    const char *wide = wide_encoding(raw);
    if (!wide) {
        return EXIT_SUCCESS;
    }
    char why[160];
    (void)snprintf(why, sizeof why,
                   "its bytes lie as in %s without its mark. Say --encoding %s, or --encoding "
                   "bytes to learn the bytes as they are",
                   wide, wide);
    return complain(path, why);
}

/* Refuses valid UTF-8 that is not text: RTF, UTF-16 without a byte order mark, binary data. */
static int check_is_text(const char *path, const contents *text) {
    static const char RTF[] = "{\\rtf";
    if (text->size >= sizeof RTF - 1 && memcmp(text->bytes, RTF, sizeof RTF - 1) == 0) {
        return complain(path, "this is RTF, which writes a text with codes between its words. Save "
                              "it as plain text (.txt) in the program that made it, or say "
                              "--encoding bytes to learn the bytes as they are");
    }
    size_t count = text->size < LOOKED_AT ? text->size : LOOKED_AT, nuls = 0, controls = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = (unsigned char)text->bytes[i];
        bool spaces = (byte >= '\t' && byte <= '\r') || byte == 0x1B; // ESC begins colour codes
        nuls += byte == 0;
        controls += byte > 0 && (byte < ' ' || byte == 0x7F) && !spaces;
    }
    if (nuls * 100 > count * MOST_NULS) {
        return complain(path, "as many bytes are 0 as in UTF-16 without its mark. Say --encoding "
                              "utf-16le (or utf-16be), or --encoding bytes to learn the bytes as "
                              "they are");
    }
    if (controls * 100 > count * MOST_CONTROLS) {
        return complain(path, "it has more control characters than a text. Say --encoding bytes to "
                              "learn the bytes as they are");
    }
    return EXIT_SUCCESS;
}

/* Decodes text->raw into text->decoded, by --encoding, else by the byte order mark, else as UTF-8.
 * In the last case, refuses bytes that look like another encoding or like binary data. Removes the
 * byte order mark of the encoding. */
static int decode(const arguments *a, training_text *text) {
    const contents *raw = &text->raw;
    const char *encoding = a->encoding;
    size_t from = 0;
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS && !from; i++) {
        bool marked = raw->size >= MARKS[i].length &&
                      memcmp(raw->bytes, MARKS[i].bytes, MARKS[i].length) == 0;
        if (marked && (!encoding || strcasecmp(encoding, MARKS[i].encoding) == 0)) {
            encoding = MARKS[i].encoding;
            from = MARKS[i].length;
        }
    }
    encoding = encoding ? encoding : "UTF-8";
    int status = check_is_no_model(a->data, raw);
    status = status == EXIT_SUCCESS && !a->encoding && !from ? check_is_narrow(a->data, raw)
                                                             : status;
    if (status != EXIT_SUCCESS) {
        return status;
    }
    iconv_t converter = iconv_open("UTF-8", iconv_name(encoding));
    if ((intptr_t)converter == -1) {
        return complain("--encoding", "this encoding is not known here: `iconv -l` lists them");
    }
    status = convert(converter, a->data, encoding, raw, from, a->encoding != NULL, &text->decoded);
    (void)iconv_close(converter);
    if (status == EXIT_SUCCESS && !a->encoding && !from) {
        status = check_is_text(a->data, &text->decoded);
    }
    if (status == EXIT_SUCCESS) {
        if (strcmp(encoding, "UTF-8") != 0) {
            (void)fprintf(stderr, "%s: read as %s\n", a->data, encoding);
        }
        unify_line_ends(a->data, &text->decoded);
    }
    return status;
}

const contents *choose_text(const arguments *a, training_text *text, text_claim claim) {
    static const contents NOTHING;
    const contents *raw = &text->raw;
    if (!a->data) {
        return &NOTHING;
    }
    bool as_it_lies = a->encoding && strcasecmp(a->encoding, BYTES) == 0;
    if (claim.receipt) {
        as_it_lies = as_it_lies || gpt_receipt_names_text(claim.receipt->bytes, claim.receipt->size,
                                                          raw->bytes, raw->size);
    }
    if (claim.checkpoint) {
        as_it_lies = as_it_lies || gpt_load_names_text(claim.checkpoint, raw->bytes, raw->size);
    }
    if (as_it_lies || !raw->size) {
        return raw;
    }
    return decode(a, text) == EXIT_SUCCESS ? &text->decoded : NULL;
}

const contents *chosen_text(const training_text *text) {
    return text->decoded.bytes ? &text->decoded : &text->raw;
}

void free_text(training_text *text) {
    free(text->raw.bytes);
    free(text->decoded.bytes);
    *text = (training_text){0};
}
