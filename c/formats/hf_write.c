/* hf_write.c - writes config.json and model.safetensors of transformers' GPT-2, also for recipes
 * without gains or biases.
 *
 * Missing gains are written as ones and missing biases as zeros. The files do not contain this
 * engine's recipe: the model that they describe has these gains and biases.
 */
#include "formats/formats.h"

#include <stdlib.h>

#include "formats/gpt2_weights.h"
#include "formats/gpt2.h"

/* Returns the recipe that the files describe: the model's recipe, but with gains and biases.
 * Refuses the plan if GPT-2 cannot compute the returned recipe. */
static config config_with_gains(write_plan *p) {
    config c = p->model->options;
    c.value[OPT_NORM_GAIN] = 1;
    c.value[OPT_BIAS] = 1;
    gpt_error why = {0};
    if (gpt2_check_export(&c, &why) < 0) {
        plan_refuse(p, why.name);
    }
    return c;
}

void hf_config_plan(write_plan *p) {
    config c = config_with_gains(p);
    gpt2_write_config(&p->bytes, &c, p->model->vocab, p->model->tok.bos);
}

void hf_model_plan(write_plan *p) {
    model weights = {0};
    (void)config_with_gains(p);
    if (p->status == GPT_OK) {
        p->status = gpt2_open_weights(&weights, &p->model->options, p->model->vocab, p->error);
    }
    text_buffer header = text_begin(NULL, 0);
    do {
        uint64_t at = 0;
        text_put(&header, "{\"__metadata__\":{\"format\":\"pt\"}");
        for (int i = 0; i < weights.count; i++) {
            const param *w = &weights.params[i];
            char name[FILE_NAME_MAX];
            text_buffer full = text_begin(name, sizeof name);
            text_put(&full, param_is_head(w) ? "" : "transformer.");
            text_put(&full, w->name);
            text_end(&full);
            safetensors_put_tensor(&header, name, FILE_F32, param_rows(w), param_columns(w), &at);
        }
        safetensors_put_end(&header);
    } while (p->status == GPT_OK && text_again(&header, p->error));
    if (p->status == GPT_OK && header.out) {
        plan_put_u64(p, header.length);
        plan_put(p, header.out, header.length);
    }
    for (int i = 0; i < weights.count && header.out; i++) {
        gpt2_put_weight(p, &weights.params[i], PLAN_AS_IS);
    }
    if (p->status == GPT_OK && !header.out) {
        p->status = GPT_E_ALLOCATION;
    }
    free(header.out);
    model_close(&weights);
}
