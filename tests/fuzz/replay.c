/* replay.c - runs every input of a target's corpus once, as a test.
 *
 * Linked instead of libFuzzer. The program fuzz_NAME reads tests/fuzz/corpus/NAME, or the files of
 * its arguments. A fault ends the program, with the report of the sanitizer after the name of the
 * input. Each input runs whole and as prefixes of 1, 3, 5 and 7 eighths, which test truncated
 * files.
 */
#include <dirent.h>

#include "../c/check.h"
#include "fuzz.h"

enum { INPUTS_MAX = 4096, INPUT_BYTES_MAX = 1 << 20 };

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lists the names of the files in a folder, sorted. Returns their number, at most INPUTS_MAX. */
static int list_files(const char *folder, char *names[INPUTS_MAX]) {
    int count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open)) && count < INPUTS_MAX;) {
        if (entry->d_name[0] != '.') {
            names[count++] = fuzz_copy(entry->d_name, strlen(entry->d_name), true).text;
        }
    }
    if (open) {
        closedir(open);
    }
    qsort(names, (size_t)count, sizeof *names, by_name);
    return count;
}

/* Runs the first `bytes` of an input, copied to an allocation of exactly that size. */
static void run_prefix(const uint8_t *input, size_t bytes) {
    uint8_t *exact = malloc(bytes ? bytes : 1);
    memcpy(exact, input, bytes);
    CHECK_INT(LLVMFuzzerTestOneInput(exact, bytes), 0);
    free(exact);
}

static void run_file(const char *path) {
    static uint8_t input[INPUT_BYTES_MAX];
    fprintf(stderr, "%s\n", path);
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL)) {
        return;
    }
    size_t bytes = fread(input, 1, sizeof input, file);
    fclose(file);
    CHECK(bytes < sizeof input);
    run_prefix(input, bytes);
    for (size_t eighths = 1; eighths < 8; eighths += 2) {
        run_prefix(input, bytes * eighths / 8);
    }
}

int main(int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/'), *program = slash ? slash + 1 : argv[0];
    const char *name = strncmp(program, "fuzz_", 5) == 0 ? program + 5 : program;
    static char *names[INPUTS_MAX];
    char folder[256], path[512], sentence[320];
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", name);
    int count = argc > 1 ? 0 : list_files(folder, names);
    snprintf(sentence, sizeof sentence,
             "every input of the corpus %s, whole or cut short, ends in an answer or an error",
             name);
    TEST(sentence) {
        CHECK(count > 0 || argc > 1);
        for (int i = 0; i < count; i++) {
            snprintf(path, sizeof path, "%s/%s", folder, names[i]);
            run_file(path);
            free(names[i]);
        }
        for (int i = 1; i < argc; i++) { // inputs named on the command line instead
            run_file(argv[i]);
        }
        run_prefix((const uint8_t *)"", 0);
    }
    return check_report();
}
