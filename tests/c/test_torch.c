/* test_torch.c - files of torch.save: real files are imported to the bit; malformed and hostile
 * files are refused with an error that names the cause. */
#include "formats/pickle.h"
#include "formats_files.h"
#include "files.h"

static const char FOLDER[] = "tests/fixtures/torch/";

/* Returns the file called `name` + `ending` of FOLDER; the caller frees `bytes`. */
static blob fixture(const char *name, const char *ending) {
    char path[256];
    blob file = {0};
    snprintf(path, sizeof path, "%s%s%s", FOLDER, name, ending);
    file.bytes = read_file(path, &file.size);
    return file;
}

/* Imports a file that must be refused. Returns the status; `detail` receives the name in the
 * error. */
static int refusal(blob file, char detail[256]) {
    gpt_import *i = gpt_import_open((double)file.size);
    char bytes[1024];
    double taken = 0;
    int got = 0;
    *detail = 0;
    while (taken >= 0 && got >= 0) {
        size_t at = (size_t)gpt_import_at(i), wants = (size_t)gpt_import_wants(i);
        if (!CHECK(at + wants <= file.size)) break;
        taken = wants ? gpt_import_feed(i, file.bytes + at, wants) : 0;
        got = taken < 0 ? (int)taken : gpt_import_take(i, bytes, sizeof bytes);
        if (got == 0 && !wants) break; // the import is complete
    }
    char json[1024];
    CHECK(gpt_import_error_json(i, json, sizeof json) > 0);
    const char *name = strstr(json, "\"name\":\"");
    CHECK_INT(gpt_import_error_json(i, bytes, 8), GPT_E_CAPACITY);
    if (name) snprintf(detail, 256, "%.*s", (int)strcspn(name + 8, "\""), name + 8);
    gpt_import_free(i);
    return got;
}

static void check_refused(blob file, int status, const char *detail) {
    char found[256];
    CHECK_INT(refusal(file, found), status);
    CHECK_STRING(found, detail);
}

/* Imports a file of FOLDER in pieces of many sizes and compares its weights with those of the
 * safetensors file of the same name. `says_config`: the recipe comes from the file itself, else
 * from config.json. */
static void check_same(const char *name, const char *ending, bool says_config) {
    blob file = fixture(name, ending), wanted = fixture(name, ".safetensors");
    blob given = fixture("config", ".json");
    gpt_trainer *expected = open_folder(wanted, given);
    for (size_t piece = 1; piece < 1 << 20 && CHECK(expected != NULL); piece = piece * 97 + 2) {
        int status;
        blob config = {0};
        blob weights = import_file(file, piece, says_config ? &config : NULL, &status);
        if (CHECK_INT(status, GPT_OK)) {
            gpt_trainer *opened = open_folder(weights, says_config ? config : given);
            if (CHECK(opened != NULL)) CHECK(same_weights(opened, expected));
            gpt_trainer_free(opened);
        }
        free(weights.bytes);
        free(config.bytes);
    }
    gpt_trainer_free(expected);
    free(file.bytes);
    free(wanted.bytes);
    free(given.bytes);
}

/* ---- Changes to an archive ------------------------------------------------------------------- */

/* Returns the start of record `index` (from 0) of the records that begin with the four bytes
 * `signature`. */
static unsigned char *record(blob file, const char *signature, int index) {
    for (size_t i = 0; i + 4 <= file.size; i++) {
        if (memcmp(file.bytes + i, signature, 4) == 0 && index-- == 0) {
            return (unsigned char *)file.bytes + i;
        }
    }
    CHECK(false);
    return (unsigned char *)file.bytes;
}

/* Writes `value` as an integer of `bytes` bytes, little-endian. */
static void put(unsigned char *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> 8 * i);
}

static const char CENTRAL[] = "PK\1\2", LOCAL[] = "PK\3\4", END[] = "PK\5\6",
                  LARGE_END[] = "PK\6\6", LOCATOR[] = "PK\6\7";

/* ---- Pickles --------------------------------------------------------------------------------- */

/* Returns the status of pickle_read; `detail` receives the name in the error. */
static int read_pickle(const char *bytes, size_t size, char detail[128]) {
    pickle p;
    gpt_error error = {0};
    unsigned char *exact = malloc(size); // the sanitizer reports a read beyond it
    memcpy(exact, bytes, size);
    int status = pickle_read(&p, exact, size, &error);
    CHECK(status == GPT_OK || status == error.status);
    snprintf(detail, 128, "%s", error.name);
    pickle_close(&p);
    free(exact);
    return status;
}

#define CHECK_PICKLE(text, status, name)                                                           \
    do {                                                                                           \
        char detail_[128];                                                                         \
        CHECK_INT(read_pickle(text, sizeof(text) - 1, detail_), status);                           \
        CHECK_STRING(detail_, name);                                                               \
    } while (0)

int main(void) {
    TEST("a checkpoint of nanoGPT imports to the bit, its linear weights transposed") {
        check_same("nanogpt", ".pt", true);
    }

    TEST("a compiled nanoGPT without biases imports as GPT-2 with zero biases") {
        check_same("nanogpt-without-bias", ".pt", true);
    }

    TEST("a pytorch_model.bin of F32, F16 or BF16 imports to the bit") {
        check_same("huggingface-F32", ".bin", false);
        check_same("huggingface-F16", ".bin", false);
        check_same("huggingface-BF16", ".bin", false);
    }

    TEST("a nanoGPT checkpoint imports with a config.json, a pytorch_model.bin without one") {
        const char *names[] = {"huggingface-F32.bin", "nanogpt.pt"};
        for (int k = 0; k < 2; k++) {
            blob file = fixture(names[k], "");
            gpt_import *i = gpt_import_open((double)file.size);
            while (gpt_import_size(i) == 0) {
                size_t at = (size_t)gpt_import_at(i), wants = (size_t)gpt_import_wants(i);
                if (!CHECK(gpt_import_feed(i, file.bytes + at, wants) == (double)wants)) break;
            }
            char text[2048] = "";
            int length = gpt_import_text(i, "config.json", text, sizeof text);
            CHECK(k ? length > 0 : length == 0);
            CHECK(!k || strstr(text, "\"n_positions\": 8,") != NULL);
            CHECK(!k || strstr(text, "\"tie_word_embeddings\": true") != NULL);
            gpt_import_free(i);
            free(file.bytes);
        }
    }

    TEST("a head that shares the storage of the token table is imported only once") {
        blob file = fixture("nanogpt.pt", "");
        int status;
        blob out = import_file(file, 4096, NULL, &status);
        size_t header = 0;
        CHECK(out.size > 8);
        memcpy(&header, out.bytes, 8);
        out.bytes[8 + header - 1] = 0; // replaces the header's last byte by a NUL for strstr
        CHECK(strstr(out.bytes + 8, "transformer.wte.weight") != NULL);
        CHECK(strstr(out.bytes + 8, "lm_head") == NULL);
        free(out.bytes);
        free(file.bytes);
    }

    TEST("archives of other zip programs open, those with ZIP64 records too") {
        const char *names[] = {"small.bin", "large.bin"};
        for (int k = 0; k < 2; k++) {
            blob file = fixture(names[k], "");
            int status;
            blob out = import_file(file, 4096, NULL, &status);
            CHECK_INT(status, GPT_OK);
            const float numbers[] = {0, 1, 2, 3, 4, 5};
            CHECK(out.size > sizeof numbers &&
                  !memcmp(out.bytes + out.size - sizeof numbers, numbers, sizeof numbers));
            free(out.bytes);
            free(file.bytes);
        }
    }

    TEST("a file that is not a state dict of plain tensors is refused, and the cause named") {
        const struct {
            const char *file;
            int status;
            const char *detail;
        } cases[] = {
            {"bad-system.bin", GPT_E_UNSUPPORTED, "posix.system"},
            {"bad-system-4.bin", GPT_E_UNSUPPORTED, "posix.system"},
            {"bad-protocol-0.bin", GPT_E_UNSUPPORTED, "pickle.opcode:0x64"},
            {"bad-compressed.bin", GPT_E_UNSUPPORTED, "zip.compressed"},
            {"bad-big-endian.bin", GPT_E_UNSUPPORTED, "big-endian"},
            {"bad-legacy.bin", GPT_E_UNSUPPORTED, "torch<1.6"},
            {"bad-strided.bin", GPT_E_UNSUPPORTED, "strided:wte.weight"},
            {"bad-double.bin", GPT_E_TENSOR_TYPE, "wte.weight"},
            {"bad-dimensions.bin", GPT_E_TENSOR_SHAPE, "wte.weight"},
            {"bad-nested.bin", GPT_E_UNSUPPORTED, "entry:state_dict"},
            {"bad-tensor.bin", GPT_E_FILE, "state_dict"},
            {"bad-lost-storage.bin", GPT_E_FILE, "storage"},
            {"bad-short-storage.bin", GPT_E_TENSOR_BYTES, "wte.weight"},
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            blob file = fixture(cases[i].file, "");
            check_refused(file, cases[i].status, cases[i].detail);
            free(file.bytes);
        }
    }

    TEST("a nanoGPT setting that is missing or of a wrong type is named with the expected type") {
        const struct {
            const char *place; // bytes to find in the file
            int at, bytes;     // offset of `value` from `place`, and its width in bytes
            uint64_t value;
            const char *detail;
        } cases[] = {
            {"n_la", 0, 1, 'N', "n_layer missing (int)"},
            {"n_la", 12, 2, 'h' | 1 << 8, "n_layer str (int)"},
            {"n_he", 11, 2, 'h', "n_head dict (int)"},
            {"K\10X\4", 16, 1, 'N', "bias None (bool)"},
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            blob file = fixture("nanogpt.pt", "");
            put(record(file, cases[i].place, 0) + cases[i].at, cases[i].value, cases[i].bytes);
            check_refused(file, GPT_E_CHOICE, cases[i].detail);
            free(file.bytes);
        }
    }

    TEST("a truncated file is refused") {
        const char *names[] = {"nanogpt.pt", "huggingface-F32.bin", "small.bin"};
        for (int k = 0; k < 3; k++) {
            blob file = fixture(names[k], "");
            for (size_t size = 0; size < file.size; size += 97) {
                char *exact = malloc(size + 1), detail[256];
                memcpy(exact, file.bytes, size);
                CHECK_INT(refusal((blob){.bytes = exact, .size = size}, detail), GPT_E_FILE);
                free(exact);
            }
            free(file.bytes);
        }
    }

    TEST("a file shorter than the end record of an archive is refused and read within bounds") {
        for (size_t size = 4; size <= 22; size++) {
            char *exact = calloc(size, 1); // of exact size: the sanitizer reports a read outside
            memcpy(exact, LOCAL, 4);
            check_refused((blob){.bytes = exact, .size = size}, GPT_E_FILE, "zip.end");
            free(exact);
        }
    }

    TEST("an archive whose records contradict each other is refused") {
        const struct {
            const char *signature;
            int index, at, bytes;
            uint64_t value;
            int status;
            const char *detail;
        } cases[] = {
            {CENTRAL, 1, 42, 4, 0, GPT_E_FILE, "zip.overlap"},
            {CENTRAL, 1, 42, 4, 0x7FFFFFFF, GPT_E_FILE, "zip.overlap"},
            {CENTRAL, 1, 42, 4, 0xFFFFFFFF, GPT_E_FILE, "zip.directory"},
            {CENTRAL, 1, 24, 4, 0x7FFFFFFF, GPT_E_FILE, "zip.directory"},
            {CENTRAL, 1, 28, 2, 0xFFFF, GPT_E_FILE, "zip.directory"},
            {CENTRAL, 1, 0, 4, 0, GPT_E_FILE, "zip.directory"},
            {CENTRAL, 1, 8, 2, 1, GPT_E_UNSUPPORTED, "zip.encrypted"},
            {CENTRAL, 1, 10, 2, 8, GPT_E_UNSUPPORTED, "zip.compressed"},
            {LOCAL, 1, 8, 2, 8, GPT_E_UNSUPPORTED, "zip.compressed"},
            {LOCAL, 1, 28, 2, 0xFFFF, GPT_E_FILE, "zip.local-header"},
            {LOCAL, 1, 26, 2, 3, GPT_E_FILE, "zip.local-header"},
            {LOCAL, 1, 0, 4, 0, GPT_E_FILE, "zip.local-header"},
            {LARGE_END, 0, 40, 8, UINT64_MAX, GPT_E_FILE, "zip.end"},
            {LARGE_END, 0, 48, 8, UINT64_MAX, GPT_E_FILE, "zip.end"},
            {LARGE_END, 0, 48, 8, 0, GPT_E_FILE, "zip.end"},
            {LARGE_END, 0, 32, 8, 1 << 20, GPT_E_UNSUPPORTED, "zip.disks"},
            {LARGE_END, 0, 16, 4, 1, GPT_E_UNSUPPORTED, "zip.disks"},
            {LOCATOR, 0, 8, 8, 4, GPT_E_FILE, "zip.end"},
            {END, 0, 20, 2, 1, GPT_E_FILE, "zip.end"},
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            blob file = fixture("huggingface-F32.bin", "");
            unsigned char *at = record(file, cases[i].signature, cases[i].index);
            put(at + cases[i].at, cases[i].value, cases[i].bytes);
            check_refused(file, cases[i].status, cases[i].detail);
            free(file.bytes);
        }
    }

    TEST("an archive that declares more entries than fit into its directory is refused") {
        blob file = fixture("huggingface-F32.bin", "");
        unsigned char *end = record(file, LARGE_END, 0);
        put(end + 24, 1 << 17, 8);
        put(end + 32, 1 << 17, 8);
        check_refused(file, GPT_E_FILE, "zip.end");
        free(file.bytes);
    }

    TEST("an entry that declares more bytes than the file has is refused") {
        blob file = fixture("bad-short-storage.bin", "");
        for (int index = 0; index < 3; index++) {
            unsigned char *central = record(file, CENTRAL, index);
            put(central + 20, 0xFFFFFFFE, 4);
            put(central + 24, 0xFFFFFFFE, 4);
            check_refused(file, GPT_E_FILE, "zip.overlap");
        }
        free(file.bytes);
    }

    TEST("an archive with two entries of one name is refused") {
        blob file = fixture("huggingface-F32.bin", "");
        bool changed = false;
        for (int i = 0; i < 9 && !changed; i++) {
            unsigned char *name = record(file, CENTRAL, i) + 46;
            size_t length = strlen("huggingface-F32/data/1");
            changed = memcmp(name, "huggingface-F32/data/1", length) == 0 && name[-18] == length;
            if (changed) name[length - 1] = '0';
        }
        CHECK(changed);
        check_refused(file, GPT_E_FILE, "zip.twice");
        free(file.bytes);
    }

    TEST("a zip archive without FOLDER/data.pkl is refused as no PyTorch file, not as damaged") {
        const char *names[] = {"archive/data.txt", "a/chive/data.pkl"};
        for (int k = 0; k < 2; k++) {
            blob file = fixture("small.bin", "");
            unsigned char *name = record(file, CENTRAL, 0) + 46;
            if (CHECK(memcmp(name, "archive/data.pkl", 16) == 0)) memcpy(name, names[k], 16);
            check_refused(file, GPT_E_FILE_ZIP, "");
            free(file.bytes);
        }
    }

    TEST("a tensor that extends beyond its storage is refused") {
        blob file = fixture("small.bin", "");
        record(file, "K\2K\3", 0)[3] = 4; // makes the shape (2,4) and the strides (4,1)
        record(file, "K\3K\1", 0)[1] = 4;
        check_refused(file, GPT_E_TENSOR_BYTES, "wte.weight");
        free(file.bytes);
    }

    TEST("an opcode or global name that no state dict needs is refused by name") {
        CHECK_PICKLE("\x80\2cos\nsystem\n.", GPT_E_UNSUPPORTED, "os.system");
        CHECK_PICKLE("\x80\4\x8c\2os\x8c\6system\x93.", GPT_E_UNSUPPORTED, "os.system");
        CHECK_PICKLE("\x80\2ctorch\nFloatStorage\nq\0)R.", GPT_E_UNSUPPORTED, "FloatStorage");
        CHECK_PICKLE("\x80\2(ios\nsystem\n.", GPT_E_UNSUPPORTED, "pickle.opcode:0x69");
        CHECK_PICKLE("\x80\2ccollections\nOrderedDict\n)\x81.", GPT_E_UNSUPPORTED,
                     "pickle.opcode:0x81");
        CHECK_PICKLE("\x80\2\x82\1.", GPT_E_UNSUPPORTED, "pickle.opcode:0x82");
        CHECK_PICKLE("\x80\2]}b.", GPT_E_UNSUPPORTED, "pickle.opcode:0x62");
        CHECK_PICKLE("\x80\1N.", GPT_E_UNSUPPORTED, "pickle.protocol");
        CHECK_PICKLE("\x80\2\x8a\11"
                     "123456789.",
                     GPT_E_UNSUPPORTED, "pickle.integer");
        CHECK_PICKLE("\x80\2}.", GPT_OK, "");
        CHECK_PICKLE("\x80\4\x95\3\0\0\0\0\0\0\0}\x94.", GPT_OK, "");
    }

    TEST("numpy scalars and arrays beside the tensors are skipped; other uses of numpy are "
         "refused") {
// DTYPE: a pickled numpy.dtype("f8", False, True) with its state. BYTES: a pickled string of two
// bytes in protocol 2.
#define MULTIARRAY "numpy.core.multiarray\n"
#define DTYPE                                                                                      \
    "cnumpy\ndtype\nX\2\0\0\0f8\x89\x88\x87R(K\3X\1\0\0\0<"                                        \
    "NNNJ\xFF\xFF\xFF\xFFJ\xFF\xFF\xFF\xFFK\0tb"
#define BYTES "c_codecs\nencode\nX\2\0\0\0abX\6\0\0\0latin1\x86R"
        CHECK_PICKLE("\x80\2c" MULTIARRAY "scalar\n" DTYPE BYTES "\x86R.", GPT_OK, "");
        CHECK_PICKLE("\x80\2cnumpy._core.multiarray\nscalar\n" DTYPE BYTES "\x86R.", GPT_OK, "");
        CHECK_PICKLE("\x80\3c" MULTIARRAY "scalar\n" DTYPE "C\2ab\x86R.", GPT_OK, "");
        CHECK_PICKLE("\x80\3c" MULTIARRAY "scalar\n" DTYPE "B\2\0\0\0ab\x86R.", GPT_OK, "");
        CHECK_PICKLE("\x80\2c" MULTIARRAY "_reconstruct\ncnumpy\nndarray\nK\0\x85" BYTES
                     "\x87R(K\1K\1\x85" DTYPE "\x89" BYTES "tb.",
                     GPT_OK, "");
        CHECK_PICKLE("\x80\2c" MULTIARRAY "scalar\nNR.", GPT_E_FILE, "data.pkl");
        CHECK_PICKLE("\x80\3C\2a", GPT_E_FILE, "data.pkl");
        CHECK_PICKLE("\x80\3}C\1ab.", GPT_E_UNSUPPORTED, "pickle.opcode:0x62");
        CHECK_PICKLE("\x80\2cnumpy\ndtype\nq\0Nb.", GPT_E_UNSUPPORTED, "pickle.opcode:0x62");
        CHECK_PICKLE("\x80\2cnumpy\nload\n.", GPT_E_UNSUPPORTED, "numpy.load");
    }

    TEST("a pickle that ends early or pops from an empty stack is refused") {
        static const char WHOLE[] = "\x80\2}q\0X\1\0\0\0aq\1K\1K\2\x86s.";
        char detail[128];
        CHECK_INT(read_pickle(WHOLE, sizeof WHOLE - 1, detail), GPT_OK);
        for (size_t size = 1; size < sizeof WHOLE - 1; size++) {
            CHECK_INT(read_pickle(WHOLE, size, detail), GPT_E_FILE);
        }
        static const char *const EMPTY[] = {".",   "a.",   "e.",  "s.",   "u.",      "t.",   "R.",
                                            "Q.",  "b.",   "q\1", "h\1.", "NN.",     "(.",   "]Ns.",
                                            "}Na", "}(Nu", "(a.", "](a",  "N(t\x85", "N)R.", ")Q."};
        for (size_t i = 0; i < sizeof EMPTY / sizeof *EMPTY; i++) {
            int status = read_pickle(EMPTY[i], strlen(EMPTY[i]), detail);
            CHECK(status == GPT_E_FILE || status == GPT_E_UNSUPPORTED);
        }
    }

    TEST("a container may contain itself; millions of marks or items are refused") {
        char detail[128];
        CHECK_PICKLE("\x80\2}q\0X\1\0\0\0ah\0s.", GPT_OK, "");
        enum { MANY = 3 << 20 };
        char *marks = malloc(MANY);
        memset(marks, '(', MANY);
        CHECK_INT(read_pickle(marks, MANY, detail), GPT_E_UNSUPPORTED);
        memset(marks, 'N', MANY);
        CHECK_INT(read_pickle(marks, MANY, detail), GPT_E_UNSUPPORTED);
        free(marks);
        // The opcode LONG_BINPUT with the index 2^31 - 1, far beyond the size of the memo.
        CHECK_PICKLE("\x80\2Nr\xFF\xFF\xFF\x7F.", GPT_E_FILE, "data.pkl");
    }

    return check_report();
}
