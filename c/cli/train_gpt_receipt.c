/* train_gpt_receipt.c - receipts of runs, replayed to see whether they are true. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/train_gpt.h"

enum { FINDING_BYTES = 512 };

int verify_receipt(gpt_config *config, const arguments *a, training_text *given) {
    contents claim;
    int status = read_file(a->verify, &claim);
    if (status != EXIT_SUCCESS) {
        return status;
    }
    char *json = realloc(claim.bytes, claim.size + 1);
    if (!json) {
        free(claim.bytes);
        return complain(a->verify, strerror(ENOMEM));
    }
    json[claim.size] = 0;
    const contents *text = choose_text(a, given, json);
    gpt_verifier *verifier = text ? gpt_verify_open(config, json, claim.size, text->bytes,
                                                    text->size)
                                  : NULL;
    free(json);
    if (!text) {
        return EXIT_FAILED;
    }
    if (!verifier) {
        return complain_of_config(a->verify, config);
    }
    while (gpt_verify_step(verifier) == GPT_OK) {}
    char finding[FINDING_BYTES];
    (void)gpt_verify_json(verifier, finding, sizeof finding);
    int same = gpt_verify_same(verifier);
    gpt_verify_free(verifier);
    (void)printf("%s\n", finding);
    return same ? EXIT_SUCCESS : EXIT_FAILED;
}
