/* test_bits.c - the native build gives the bits that the WebAssembly module gives.
 *
 * tests/fixtures/losses.bits.txt holds the first losses of every preset on the names, as the bits
 * of floats; tests/bits.test.ts holds the module against the same file, and says how it is written.
 * The tests run from the root of the project.
 */
#include <stdlib.h>

#include "api/gpt.h"
#include "check.h"
#include "files.h"

int main(void) {
    static const char *const presets[] = {"tinygpt", "microgpt", "gpt2"};
    static const int steps[] = {10, 200, 4}; // the sanitizers make the large ones slow
    size_t bytes = 0, fixture_bytes = 0;
    char *names = read_file("public/texts/first-names-en.txt", &bytes);
    char *fixture = read_file("tests/fixtures/losses.bits.txt", &fixture_bytes);
    for (int p = 0; p < 3 && names && fixture; p++) {
        char sentence[96], line[2048];
        snprintf(sentence, sizeof sentence, "%s: the first losses have the bits of the module's",
                 presets[p]);
        TEST(sentence) {
            gpt_config *config = gpt_config_create(presets[p]);
            gpt_trainer *trainer = gpt_trainer_create(config, names, bytes);
            int length = snprintf(line, sizeof line, "%s", presets[p]);
            for (int step = 0; step < steps[p]; step++) {
                CHECK_INT(gpt_step(trainer), GPT_OK);
                float loss = (float)gpt_loss(trainer);
                unsigned bits;
                memcpy(&bits, &loss, sizeof bits);
                length += snprintf(line + length, sizeof line - (size_t)length, " %08x", bits);
            }
            snprintf(line + length, sizeof line - (size_t)length, "\n");
            if (!CHECK(strstr(fixture, line) != NULL)) printf("  %s", line);
            gpt_trainer_free(trainer);
            gpt_config_free(config);
        }
    }
    free(names);
    free(fixture);
    return check_report();
}
