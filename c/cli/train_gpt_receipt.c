/* train_gpt_receipt.c - --verify: replays the run that a receipt records and compares the results.
 *
 * If the run is a fork, which began with the weights of an earlier run, the earlier runs are
 * replayed too. The replay of each run needs its training text; all texts stay in memory.
 */
// NOLINTNEXTLINE(bugprone-reserved-identifier): POSIX asks for this name
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/train_gpt.h"

enum { FINDING_BYTES = 512 };

/* Replays the run to its end or to the first difference from the receipt, and prints the findings
 * as JSON. EXIT_FAILED if there is a difference. */
static int replay(gpt_verifier *verifier, const gpt_config *config, const arguments *a) {
    int status;
    while ((status = gpt_verify_step(verifier)) == GPT_OK) {}
    if (status < 0) {
        return complain_of_config(a->verify, config);
    }
    char finding[FINDING_BYTES];
    (void)gpt_verify_json(verifier, finding, sizeof finding);
    (void)printf("%s\n", finding);
    if (!gpt_verify_same(verifier)) {
        return complain(a->verify, "the replay differs from this receipt; the line of JSON says "
                                   "in what (\"difference\") and at which step (\"at\")");
    }
    if (isatty(STDOUT_FILENO)) {
        (void)fprintf(stderr,
                      "%s is true: the replay gave the same losses and weights, bit for "
                      "bit\n",
                      a->verify);
    }
    return EXIT_SUCCESS;
}

static const char *text_path(const arguments *a, int index) {
    return index ? a->more[index - 1] : a->data;
}

/* Reads and decodes text number `index` of --verify. The caller has already read text 0 into
 * given->raw; this function reads a later text into given->raw. Sets *text to the text. If a text
 * cannot be decoded and there are others, prints the error and sets *text to an empty text, because
 * the receipt need not name this text. EXIT_FAILED if the file cannot be read. */
static int read_text(const arguments *a, int index, training_text *given, const contents *receipt,
                     contents *text) {
    arguments one = *a;
    one.data = text_path(a, index);
    if (index && read_file(one.data, &given->raw) != EXIT_SUCCESS) {
        return EXIT_FAILED;
    }
    const contents *read = choose_text(&one, given, (text_claim){.receipt = receipt});
    *text = read ? *read : (contents){0};
    return read || a->more_count ? EXIT_SUCCESS : EXIT_FAILED;
}

/* Prints on standard error the paths of the texts that the receipt does not name. */
static void print_unused(const arguments *a, const contents *receipt, const char *const *texts,
                         const size_t *sizes, int count) {
    for (int i = 0; i < count; i++) {
        if (!gpt_receipt_names_text(receipt->bytes, receipt->size, texts[i], sizes[i])) {
            (void)fprintf(stderr, "%s is not used: the receipt names no such text\n",
                          text_path(a, i));
        }
    }
}

/* Reads and decodes all texts of --verify, of which the first is already in `given`, and replays
 * the receipt on them. */
static int verify_on_texts(gpt_config *config, const arguments *a, training_text *given,
                           const contents *receipt) {
    training_text read[TEXTS_MAX];
    const char *texts[TEXTS_MAX] = {NULL};
    size_t sizes[TEXTS_MAX] = {0};
    int count = a->more_count + 1, status = EXIT_SUCCESS;
    memset(read, 0, sizeof read);
    for (int i = 0; i < count && status == EXIT_SUCCESS; i++) {
        contents text = {0};
        status = read_text(a, i, i ? &read[i] : given, receipt, &text);
        texts[i] = text.bytes;
        sizes[i] = text.size;
    }
    if (status == EXIT_SUCCESS) {
        gpt_verifier *verifier = gpt_verify_open_all(config, receipt->bytes, receipt->size, texts,
                                                     sizes, count);
        if (verifier) {
            print_unused(a, receipt, texts, sizes, count);
        }
        status = verifier ? replay(verifier, config, a) : complain_of_config(a->verify, config);
        gpt_verify_free(verifier);
    }
    for (int i = 0; i < count; i++) {
        free_text(&read[i]);
    }
    return status;
}

int verify_receipt(gpt_config *config, const arguments *a, training_text *given) {
    contents receipt;
    int status = read_file(a->verify, &receipt);
    status = status == EXIT_SUCCESS ? verify_on_texts(config, a, given, &receipt) : status;
    free(receipt.bytes);
    return status;
}
