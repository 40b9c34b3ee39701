/* train_gpt_receipt.c - --verify: replays the run that a receipt records and compares the results.
 *
 * If the run is a fork, which began with the weights of an earlier run, the earlier runs are
 * replayed too. The replay of each run needs its training text; all texts stay in memory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return gpt_verify_same(verifier) ? EXIT_SUCCESS : EXIT_FAILED;
}

/* Returns text number `index` of --verify, decoded by choose_text. Text 0 is the file a->data,
 * which the caller has already read into given->raw; a later text is the file a->more[index - 1],
 * which this function reads into given->raw. Returns NULL after printing an error. */
static const contents *read_text(const arguments *a, int index, training_text *given,
                                 const contents *receipt) {
    arguments one = *a;
    one.data = index ? a->more[index - 1] : a->data;
    if (index && read_file(one.data, &given->raw) != EXIT_SUCCESS) {
        return NULL;
    }
    return choose_text(&one, given, (text_claim){.receipt = receipt});
}

/* Reads and decodes all texts of --verify, of which the first is already in `given`, and replays
 * the receipt on them. */
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
