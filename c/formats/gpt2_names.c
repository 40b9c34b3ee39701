/* gpt2_names.c - names of tensors in the files of transformers and of trainers; see gpt2.h. */
#include "formats/gpt2.h"

#include <string.h>

const char *gpt2_plain_name(const char *name) {
    static const char *const WRAPPERS[] = {"transformer.", "module.", "model.", "_orig_mod."};
    for (size_t i = 0; i < sizeof WRAPPERS / sizeof *WRAPPERS;) {
        size_t length = strlen(WRAPPERS[i]);
        bool wrapped = strncmp(name, WRAPPERS[i], length) == 0;
        name += wrapped ? length : 0;
        i = wrapped ? 0 : i + 1;
    }
    return name;
}

/* Whether a plain name is a causal mask, which older files have in every layer, or a mask of
 * cross-attention. */
static bool is_mask(const char *name) {
    static const char *const MASKS[] = {".attn.bias", ".attn.masked_bias", ".attn.causal_mask",
                                        ".crossattention.bias", ".crossattention.masked_bias"};
    if (strncmp(name, "h.", 2) != 0) {
        return false;
    }
    name += 2 + strspn(name + 2, "0123456789");
    for (size_t i = 0; i < sizeof MASKS / sizeof *MASKS; i++) {
        if (strcmp(name, MASKS[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a plain name belongs to the head of another task: classification, question answering,
 * multiple choice, a value function. */
static bool is_other_head(const char *name) {
    static const char *const HEADS[] = {"score.", "classifier.", "qa_outputs.", "v_head.",
                                        "multiple_choice_head."};
    for (size_t i = 0; i < sizeof HEADS / sizeof *HEADS; i++) {
        if (strncmp(name, HEADS[i], strlen(HEADS[i])) == 0) {
            return true;
        }
    }
    return false;
}

bool gpt2_ignores(const char *name) {
    name = gpt2_plain_name(name);
    return is_mask(name) || is_other_head(name);
}

int gpt2_name_tensors(tensor_file *f, gpt_error *error) {
    for (size_t i = 0; i < f->count; i++) {
        file_tensor *t = &f->tensors[i];
        t->prefix = (size_t)(gpt2_plain_name(t->name) - t->name);
        t->ignored = gpt2_ignores(t->name);
    }
    return tensor_file_index(f, error);
}
