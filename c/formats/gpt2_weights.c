/* gpt2_weights.c - see gpt2_weights.h. */
#include "formats/gpt2_weights.h"

#include <string.h>

int gpt2_open_weights(model *list, const config *options, int vocab, gpt_error *error) {
    config full = *options;
    full.value[OPT_NORM_GAIN] = full.value[OPT_BIAS] = 1;
    arena counting;
    arena_open_measuring(&counting);
    return model_open_frozen(list, &full, vocab, &counting, error);
}

const param *gpt2_find_weight(const model *list, const char *name) {
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->params[i].name, name) == 0) {
            return &list->params[i];
        }
    }
    return NULL;
}

void gpt2_put_weight(write_plan *p, const param *weight, int how) {
    if (gpt2_find_weight(&p->model->net, weight->name)) {
        plan_put_tensor(p, weight->name, how);
        return;
    }
    for (uint64_t i = 0; i < param_columns(weight); i++) {
        plan_put_f32(p, weight->init == INIT_ONE ? 1.0f : 0.0f);
    }
}
