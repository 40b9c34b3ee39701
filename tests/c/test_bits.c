/* test_bits.c - the native build computes the same bits as the WebAssembly module.
 *
 * tests/fixtures/losses.bits.txt lists the first losses of every preset on first-names-en.txt, as
 * the bits of floats. tests/bits.test.ts compares the module with the same file and describes how
 * to write it. The program runs from the root of the repository.
 */
#include <stdlib.h>

#include "api/gpt.h"
#include "check.h"
#include "files.h"

int main(void) {
    static const char *const presets[] = {"tinygpt", "microgpt", "gpt2"};
    static const int steps[] = {10, 200, 4}; // fewer for large models: the sanitizers are slow
    size_t bytes = 0, fixture_bytes = 0;
    char *names = read_file("public/texts/first-names-en.txt", &bytes);
    char *fixture = read_file("tests/fixtures/losses.bits.txt", &fixture_bytes);
    for (int p = 0; p < 3 && names && fixture; p++) {
        char sentence[96], line[2048];
        snprintf(sentence, sizeof sentence, "%s: native losses equal the module's to the bit",
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
