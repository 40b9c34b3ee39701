/* train_gpt_receipt.c - --verify: replays the run of a receipt and compares the results.
 *
 * The receipt of a fork needs the text of each run; all texts stay in memory during the replay.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/train_gpt.h"

enum { FINDING_BYTES = 512 };

/* Replays to the end or the first difference, and prints the findings as JSON. EXIT_FAILED if there
 * is a difference. */
static int replay(gpt_verifier *verifier, const gpt_config *config, const arguments *a) {
    int status;
    while ((status = gpt_verify_step(verifier)) == GPT_OK) {}
    if (status < 0) {
        return complain_of_config(a->verify, config);
    }
    char finding[FINDING_BYTES];
    (void)gpt_verify_json(verifier, finding, sizeof finding);
    (void)printf("%s\n", finding);
    return gpt_verify_same(verifier) ? EXIT_SUCCESS : EXIT_FAILED;
}

/* Returns text `index` of --verify: 0 is a->data, already in given->raw; the others are read into
 * `given`. NULL after a message. */
static const contents *read_text(const arguments *a, int index, training_text *given,
                                 const contents *receipt) {
    arguments one = *a;
    one.data = index ? a->more[index - 1] : a->data;
    if (index && read_file(one.data, &given->raw) != EXIT_SUCCESS) {
        return NULL;
    }
    return choose_text(&one, given, (text_claim){.receipt = receipt});
}

/* Reads all texts and replays the receipt on them. */
static int verify_on_texts(gpt_config *config, const arguments *a, training_text *given,
                           const contents *receipt) {
    training_text read[TEXTS_MAX];
    const char *texts[TEXTS_MAX];
    size_t sizes[TEXTS_MAX];
    int count = a->more_count + 1, status = EXIT_SUCCESS;
    memset(read, 0, sizeof read);
    for (int i = 0; i < count && status == EXIT_SUCCESS; i++) {
        const contents *text = read_text(a, i, i ? &read[i] : given, receipt);
        status = text ? EXIT_SUCCESS : EXIT_FAILED;
        texts[i] = text ? text->bytes : NULL;
        sizes[i] = text ? text->size : 0;
    }
    if (status == EXIT_SUCCESS) {
        gpt_verifier *verifier = gpt_verify_open_all(config, receipt->bytes, receipt->size, texts,
                                                     sizes, count);
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
