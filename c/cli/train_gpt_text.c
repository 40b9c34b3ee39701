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
enum { MARK_COUNT = sizeof MARKS / sizeof *MARKS };

/* Returns the index in MARKS of the byte order mark of a text; MARK_COUNT if the text begins with
 * no mark, or if `encoding` is not NULL and the mark is of another encoding. */
static size_t find_mark(const contents *text, const char *encoding) {
    size_t i = 0;
    while (i < MARK_COUNT && (text->size < MARKS[i].length ||
                              memcmp(text->bytes, MARKS[i].bytes, MARKS[i].length) != 0 ||
                              (encoding && strcasecmp(encoding, MARKS[i].encoding) != 0))) {
        i++;
    }
    return i;
}

size_t valid_utf8(const char *text, size_t size) {
    char piece[1 << 12], *in;
    memcpy(&in, &text, sizeof in); // iconv takes char **, but does not change the text
    size_t left = size;
    bool more = true;
    iconv_t converter = iconv_open("UTF-8", "UTF-8");
    while (more) {
        char *to = piece;
        size_t room = sizeof piece;
        more = iconv(converter, &in, &left, &to, &room) == (size_t)-1 && errno == E2BIG;
    }
    (void)iconv_close(converter);
    return size - left;
}

bool names_encoding(const contents *text) {
    return find_mark(text, NULL) < MARK_COUNT || valid_utf8(text->bytes, text->size) == text->size;
}

bool is_bytes(const char *encoding) {
    return encoding && strcasecmp(encoding, BYTES) == 0;
}

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
                          : "Say what the file is encoded in, such as --encoding windows-1252, "
                            "gb18030 or utf-16le");
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
        return complain_of_system(path, ENOMEM);
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
                return complain_of_system(path, ENOMEM);
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
        bool one = others == 1;
        (void)fprintf(stderr, "%s: %zu line end%s (CR, CR LF, NEL, U+2028 or U+2029) %s\n", path,
                      others, one ? "" : "s",
                      one ? "is read as a line feed" : "are read as line feeds");
    }
}

/* LOOKED_AT: bytes that are examined at the beginning of a text. MOST_NULS: the most NULs among
 * these bytes, in percent. MOST_CONTROLS: the most other control characters, in percent. */
enum { LOOKED_AT = 1 << 16, MOST_NULS = 30, MOST_CONTROLS = 8 };

/* Kinds of files other than texts, each recognised by a pattern of its bytes from offset `at`: '.'
 * matches any byte, '+' any number of bytes other than '/'. FIRST_ENTRY matches a zip archive by
 * the name of its first entry. The first match counts. web/store/text/file-kind.ts lists the same
 * kinds for the page. */
#define BYTES_AT(at, bytes) at, bytes, sizeof(bytes) - 1
#define FIRST_ENTRY(name)   BYTES_AT(0, "PK\3\4.........................." name)
static const char MODEL[] = "give it with --load, and a text with --data";
static const char UNPACK[] = "unpack it, and give the text in it";
static const char AS_TEXT[] = "save it as plain text (.txt) first";
static const char TEXT_ONLY[] = "choose a text";
static const struct {
    size_t at;
    const char *bytes;
    size_t length;
    const char *name;
    const char *advice; /* for --data; NULL: the file may be a text */
    const char *load;   /* for --load; NULL: advise to choose a model; MODEL: the file may be one */
} KINDS[] = {
    {BYTES_AT(0, "GGUF.\0"), "a model (GGUF)", MODEL, MODEL},
    {BYTES_AT(0, "\xC6\xD7\x34\x01"), "a model (llm.c)", MODEL, MODEL},
    {BYTES_AT(0, "\x80\x02\x8A\x0A"), "a model (PyTorch)", MODEL, MODEL},
    {BYTES_AT(0, "\x80\x04\x95"), "a model (PyTorch)", MODEL, MODEL},
    {BYTES_AT(0, "\x80\x05\x95"), "a model (PyTorch)", MODEL, MODEL},
    {FIRST_ENTRY("+/data.pkl"), "a model (PyTorch)", MODEL, MODEL},
    {BYTES_AT(4, "\0\0\0\0{"), "a model (safetensors)", MODEL, MODEL},
    {BYTES_AT(2, "\x12\x0Aglasshouse"), "a model (ONNX)", TEXT_ONLY,
     "it cannot be read here; load the checkpoint (--save) or the GGUF of the same model"},
    {BYTES_AT(0, "GLASSRUN"), "a whole run of the page", "open it on the page",
     "open it on the page, and save its checkpoint (.safetensors) there for --load"},
    {BYTES_AT(0, "{\"format\":\"glasshouse-receipt\""), "a receipt", NULL,
     "check it with --verify"},
    {BYTES_AT(0, "{"), "a JSON file", NULL,
     "give the folder of a model of transformers with --hf, and a JSON of the raw form with --raw"},
    {BYTES_AT(0, "\x89HDF\r\n"), "data (HDF5)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\x93NUMPY"), "data (NumPy)", TEXT_ONLY, NULL},
    {FIRST_ENTRY("+.npy"), "data (NumPy)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "PAR1\x15"), "data (Parquet)", TEXT_ONLY, NULL},
    {FIRST_ENTRY("mimetypeapplication/epub"), "a document (EPUB)", AS_TEXT, NULL},
    {FIRST_ENTRY("mimetypeapplication/vnd"), "a document (OpenDocument)", AS_TEXT, NULL},
    {FIRST_ENTRY("[Content_Types]"), "a document (Office)", AS_TEXT, NULL},
    {FIRST_ENTRY("_rels/"), "a document (Office)", AS_TEXT, NULL},
    {FIRST_ENTRY("docProps/"), "a document (Office)", AS_TEXT, NULL},
    {BYTES_AT(0, "\xD0\xCF\x11\xE0\xA1\xB1"), "a document (Office)", AS_TEXT, NULL},
    {BYTES_AT(0, "%PDF-"), "a document (PDF)", AS_TEXT, NULL},
    {FIRST_ENTRY("META-INF/"), "a program (JAR)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "PK\3\4"), "an archive (ZIP)",
     "unpack it, and give the text in it; a model of PyTorch goes with --load", MODEL},
    {BYTES_AT(0, "PK\5\6"), "an archive (ZIP)", UNPACK, NULL},
    {BYTES_AT(0, "\x1F\x8B"), "an archive (gzip)", UNPACK, NULL},
    {BYTES_AT(0, "\xFD\x37zXZ\0"), "an archive (xz)", UNPACK, NULL},
    {BYTES_AT(0, "\x28\xB5\x2F\xFD"), "an archive (Zstandard)", UNPACK, NULL},
    {BYTES_AT(0, "BZh.1AY&SY"), "an archive (bzip2)", UNPACK, NULL},
    {BYTES_AT(0, "7z\xBC\xAF\x27\x1C"), "an archive (7z)", UNPACK, NULL},
    {BYTES_AT(0, "Rar!\x1A\7"), "an archive (RAR)", UNPACK, NULL},
    {BYTES_AT(257, "ustar\0"), "an archive (tar)", UNPACK, NULL},
    {BYTES_AT(257, "ustar  \0"), "an archive (tar)", UNPACK, NULL},
    {BYTES_AT(0, "\x89PNG\r\n"), "a picture (PNG)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\xFF\xD8\xFF"), "a picture (JPEG)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "GIF87a"), "a picture (GIF)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "GIF89a"), "a picture (GIF)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "RIFF....WEBP"), "a picture (WebP)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "II*\0"), "a picture (TIFF)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "MM\0*"), "a picture (TIFF)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\0...ftyphei"), "a picture (HEIC/AVIF)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\0...ftypmif"), "a picture (HEIC/AVIF)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\0...ftypavi"), "a picture (HEIC/AVIF)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\0...ftyp"), "a film (MP4)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\x1A\x45\xDF\xA3"), "a film (Matroska/WebM)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "RIFF....AVI "), "a film (AVI)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "RIFF....WAVE"), "a sound (WAV)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "ID3\2"), "a sound (MP3)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "ID3\3"), "a sound (MP3)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "ID3\4"), "a sound (MP3)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "OggS\0"), "a sound (Ogg)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "fLaC\0"), "a sound (FLAC)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "wOFF"), "a font (WOFF)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "wOF2"), "a font (WOFF)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "OTTO\0"), "a font (OpenType)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\0\1\0\0\0"), "a font (OpenType)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "SQLite format 3\0"), "a database (SQLite)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\x7F\x45LF"), "a program (ELF)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "MZ\x90\0"), "a program (Windows)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\xCF\xFA\xED\xFE"), "a program (Mach-O)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\xCA\xFE\xBA\xBE"), "a program (Mach-O)", TEXT_ONLY, NULL},
    {BYTES_AT(0, "\0asm"), "a program (WebAssembly)", TEXT_ONLY, NULL},
};

/* True if `bytes` begins with a pattern of `length` bytes, which has at most one '+'. */
static bool matches(const char *bytes, size_t size, const char *pattern, size_t length) {
    size_t at = 0, retry = 0, rest = 0; // rest: index after the '+'; 0 if it was not reached
    for (size_t i = 0; i < length;) {
        if (pattern[i] == '+') {
            rest = ++i;
            retry = at;
        } else if (at < size && (pattern[i] == '.' || pattern[i] == bytes[at])) {
            i++;
            at++;
        } else if (rest && retry < size && bytes[retry] != '/') {
            i = rest; // '+' takes one byte more
            at = ++retry;
        } else {
            return false;
        }
    }
    return true;
}

int check_kind(const char *path, const char *first, size_t size, bool loads) {
    size = size < BEGINNING ? size : BEGINNING;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        size_t at = KINDS[i].at;
        if (size < at || !matches(first + at, size - at, KINDS[i].bytes, KINDS[i].length)) {
            continue;
        }
        if (loads ? KINDS[i].load == MODEL : !KINDS[i].advice) {
            return EXIT_SUCCESS;
        }
        char why[256];
        (void)snprintf(why, sizeof why, "this is %s%s: %s", KINDS[i].name,
                       loads ? "" : ", not a text",
                       !loads          ? KINDS[i].advice
                       : KINDS[i].load ? KINDS[i].load
                                       : "choose a checkpoint or a model file");
        return complain(path, why);
    }
    return EXIT_SUCCESS;
}

/* True for the UTF-16 units of Chinese, Japanese and Korean text: Han, kana, Hangul and their
 * punctuation, printable ASCII, line ends. */
static bool is_east_asian(int unit) {
    return (unit >= 0x3000 && unit <= 0x9FFF) || (unit >= 0xAC00 && unit <= 0xD7A3) ||
           (unit >= 0xF900 && unit <= 0xFAFF) || (unit >= 0xFF01 && unit <= 0xFFEE) ||
           (unit >= ' ' && unit <= '~') || unit == '\n' || unit == '\r';
}

/* Guesses whether a text without a byte order mark is UTF-16 or UTF-32, from its first LOOKED_AT
 * bytes. Returns the name of the encoding, or NULL. UTF-32: in more than half of the characters the
 * upper 16 bits are 0. UTF-16: the text has a byte below 7, and in one byte order either at least
 * three quarters of the high bytes have one of two values below 0x31 (most texts are in one
 * alphabet), or the bytes are not all ASCII and at least three quarters of the characters are East
 * Asian, more than in the other byte order. */
static const char *wide_encoding(const contents *raw) {
    size_t count = (raw->size < LOOKED_AT ? raw->size : LOOKED_AT) & ~(size_t)3, units = count / 2;
    size_t seen[2][256] = {{0}}, zeros[2] = {0}, east_asian[2] = {0};
    bool low = false, ascii = true;
    for (size_t i = 0; i < count; i++) {
        int byte = (unsigned char)raw->bytes[i];
        int before = i % 2 ? (unsigned char)raw->bytes[i - 1] : 0;
        seen[i % 2][byte]++;
        low |= byte < 7;
        ascii &= byte < 0x80;
        zeros[i / 2 % 2] += i % 2 && !byte && !before;
        east_asian[0] += i % 2 && is_east_asian(before << 8 | byte);
        east_asian[1] += i % 2 && is_east_asian(byte << 8 | before);
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
        bool alphabet = (first + second) * 4 >= units * 3;
        if (alphabet ||
            (!ascii && east_asian[high] > east_asian[!high] && east_asian[high] * 4 >= units * 3)) {
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
 * Refuses files of KINDS; in the last case also bytes that look like another encoding or like
 * binary data. Removes the byte order mark of the encoding. */
static int decode(const arguments *a, training_text *text) {
    const contents *raw = &text->raw;
    const char *encoding = a->encoding;
    size_t from = 0;
    size_t mark = find_mark(raw, encoding);
    if (mark < MARK_COUNT) {
        encoding = MARKS[mark].encoding;
        from = MARKS[mark].length;
    }
    encoding = encoding ? encoding : "UTF-8";
    int status = check_kind(a->data, raw->bytes, raw->size, false);
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
    bool as_it_lies = is_bytes(a->encoding);
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
