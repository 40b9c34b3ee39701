/* test_allocation.c - memory that is refused, at every place where the engine asks for some; and how
 * often it asks at all.
 *
 * The linker puts this file's malloc and calloc before the real ones (see the Makefile; not every
 * system's linker can: elsewhere only the first test runs). The leak sanitizer watches.
 */
#include "api/gpt.h"
#include "check.h"

static const char TEXT[] = "the cat sat on the mat\nthe rat ran\nthat cat had a hat\na bat\n";

/* Makes a small trainer of a preset; NULL when something failed. */
static gpt_trainer *make_trainer(gpt_config *c) {
    static const struct {
        const char *option;
        double value;
    } sizes[] = {{"layers", 1}, {"channels", 16}, {"heads", 2}, {"context", 12}, {"batch", 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CHECK_INT(gpt_config_set(c, sizes[i].option, sizes[i].value), GPT_OK);
    }
    return gpt_trainer_create(c, TEXT, sizeof TEXT - 1);
}

static void test_limit(void) {
    TEST("a trainer takes what its recipe's limit allows, and one byte less is refused with the "
         "numbers") {
        gpt_config *c = gpt_config_create("microgpt");
        gpt_trainer *t = make_trainer(c);
        if (!CHECK(t != NULL)) break;
        double bytes = gpt_trainer_get(t, "memory_bytes");
        gpt_trainer_free(t);
        CHECK_INT(gpt_config_set_memory_limit(c, bytes), GPT_OK);
        t = make_trainer(c);
        CHECK(t != NULL);
        gpt_trainer_free(t);
        CHECK_INT(gpt_config_set_memory_limit(c, bytes - 1), GPT_OK);
        CHECK(make_trainer(c) == NULL);
        char out[512], expected[128];
        CHECK(gpt_config_error(c, out, sizeof out) > 0);
        snprintf(expected, sizeof expected,
                 "\"code\":\"memory\",\"name\":\"\",\"values\":[%.0f,%.0f,0]", bytes, bytes - 1);
        CHECK(strstr(out, expected) != NULL);
        gpt_config_free(c);
    }
}

#ifdef ALLOCATION_WRAPPED

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static int asked;          // allocations since it was last set to 0
static int refuse_at = -1; // number of the allocation to refuse, from 0

static bool refuse(void) {
    return asked++ == refuse_at;
}

void *__wrap_malloc(size_t size) {
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return refuse() ? NULL : __real_calloc(count, size);
}

/* The failure that a recipe remembers names "allocation". */
static bool says_allocation(const gpt_config *c) {
    char out[512];
    return gpt_config_error(c, out, sizeof out) > 0 &&
           strstr(out, "\"code\":\"allocation\"") != NULL;
}

static void test_refusals(void) {
    for (int p = 0; p < 2; p++) {
        const char *preset = p ? "gpt2" : "microgpt",
                   *what[3] = {"creating a trainer", "planning", "probing"};
        char sentences[3][128];
        for (int i = 0; i < 3; i++) {
            snprintf(sentences[i], sizeof sentences[i],
                     "%s: %s fails with a status at each allocation, without a leak", preset,
                     what[i]);
        }
        gpt_config *c = gpt_config_create(preset);
        TEST(sentences[0]) {
            gpt_trainer *t = NULL;
            int refused = 0;
            for (; t == NULL && refused < 100; refused++) {
                asked = 0, refuse_at = refused;
                t = make_trainer(c);
                CHECK(t != NULL || says_allocation(c));
            }
            refuse_at = -1;
            CHECK(t != NULL && refused > 8); // tables, arenas, tape, sampler, handle
            CHECK_INT(gpt_step(t), GPT_OK);
            gpt_trainer_free(t);
        }
        TEST(sentences[1]) {
            char out[1024];
            int status = -1, refused = 0;
            for (; status < 0 && refused < 100; refused++) {
                asked = 0, refuse_at = refused;
                status = gpt_plan_json(c, TEXT, sizeof TEXT - 1, out, sizeof out);
                CHECK(status > 0 || (status == GPT_E_ALLOCATION && says_allocation(c)));
            }
            refuse_at = -1;
            CHECK(status > 0 && refused > 3);
        }
        TEST(sentences[2]) {
            gpt_trainer *t = make_trainer(c);
            int status = -1, refused = 0;
            for (; status < 0 && refused < 100; refused++) {
                asked = 0, refuse_at = refused;
                status = gpt_probe(t, "the cat", 7, 1);
                CHECK(status > 0 || status == GPT_E_ALLOCATION);
                if (status < 0) CHECK(gpt_probe_data(t, 0) == NULL && gpt_probe_tokens(t) == NULL);
            }
            refuse_at = -1;
            CHECK(status > 0 && refused > 3);
            CHECK(gpt_probe_data(t, 0) != NULL);
            gpt_trainer_free(t);
        }
        gpt_config_free(c);
    }
    TEST("a recipe that finds no memory is NULL") {
        asked = 0, refuse_at = 0;
        CHECK(gpt_config_create("gpt2") == NULL);
        refuse_at = -1;
    }
}

static void test_steps(void) {
    TEST("training, validating and sampling ask the system for nothing") {
        static const char *const presets[] = {"tinygpt", "microgpt", "gpt2"};
        for (int p = 0; p < 3; p++) {
            gpt_config *c = gpt_config_create(presets[p]);
            CHECK_INT(gpt_config_set(c, "validation", 0.3), GPT_OK);
            if (p == 2) {
                // Reading a prompt as BPE may borrow room for its words; training never does.
                CHECK_INT(gpt_config_set(c, "tokenizer", 0), GPT_OK);
            }
            gpt_trainer *t = make_trainer(c);
            char out[256];
            asked = 0;
            for (int i = 0; i < 5; i++) {
                CHECK_INT(gpt_step(t), GPT_OK);
                CHECK(gpt_validate(t, 2) > 0);
                CHECK(gpt_sample(t, "the", 3, 30, 1, 5, 0.9, 1, out, sizeof out) >= 0);
            }
            CHECK_INT(gpt_rewind(t), GPT_OK);
            CHECK_INT(asked, 0);
            gpt_trainer_free(t);
            gpt_config_free(c);
        }
    }
}

#endif

int main(void) {
    test_limit();
#ifdef ALLOCATION_WRAPPED
    test_refusals();
    test_steps();
#endif
    return check_report();
}
