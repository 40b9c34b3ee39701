/* train_gpt_receipt.c - receipts of runs: written, and replayed to see whether they are true. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/train_gpt.h"

enum { LINE_BYTES = 256, FINDING_BYTES = 512 };

/* More than the longest receipt: eight characters for each of 2^18 losses, and all changes. */
enum { RECEIPT_BYTES = 8 << 20 };

int save_receipt(gpt_trainer *trainer, const char *path) {
    char line[LINE_BYTES];
    char *json = malloc(RECEIPT_BYTES);
    if (!json) {
        return complain(path, strerror(ENOMEM));
    }
    int length = gpt_receipt_json(trainer, json, RECEIPT_BYTES);
    if (length < 0 || gpt_receipt_line(trainer, line, sizeof line) < 0) {
        free(json);
        return complain_of_trainer(path, trainer);
    }
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(json, 1, (size_t)length, file) == (size_t)length;
    good = (!file || fclose(file) == 0) && good;
    free(json);
    if (!good) {
        return complain(path, strerror(errno));
    }
    (void)printf("receipt %s\n", line);
    return EXIT_SUCCESS;
}

int verify_receipt(gpt_config *config, const arguments *a, const contents *text) {
    contents claim;
    int status = read_file(a->verify, &claim);
    if (status != EXIT_SUCCESS) {
        return status;
    }
    gpt_verifier *verifier = gpt_verify_open(config, claim.bytes, claim.size, text->bytes,
                                             text->size);
    free(claim.bytes);
    if (!verifier) {
        return complain_of_config(a->verify, config);
    }
    while (gpt_verify_step(verifier) == GPT_OK) {}
    char finding[FINDING_BYTES];
    (void)gpt_verify_json(verifier, finding, sizeof finding);
    gpt_verify_free(verifier);
    (void)printf("%s\n", finding);
    // The JSON's own first member says it.
    bool same = strstr(finding, "\"same\":true") != NULL;
    return same ? EXIT_SUCCESS : EXIT_FAILED;
}
