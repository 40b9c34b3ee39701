/* hf_write.c - config.json and model.safetensors of transformers' GPT-2 for a recipe that it has
 * only in other words: a norm without gain has a gain of ones, a missing bias is a bias of zeros.
 * Such a file says nothing of our recipe: read again, it is a model with those weights. */
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

#include "formats/gpt2_weights.h"
#include "formats/gpt2.h"

/* The recipe in those words; a refusal when GPT-2 has none. */
static config in_other_words(write_plan *p) {
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
    config c = in_other_words(p);
    gpt2_write_config(&p->bytes, &c, p->model->vocab, p->model->tok.bos);
}

/* Our file and theirs have the same shapes; only GGUF turns some. */
static void put_header(text_buffer *out, const gpt2_sizes *sizes) {
    uint64_t at = 0;
    text_put(out, "{\"__metadata__\":{\"format\":\"pt\"}");
    for (size_t i = 0; i < gpt2_weight_count(sizes); i++) {
        gpt2_weight w = gpt2_weight_at(sizes, i);
        uint64_t numbers = (w.rows ? w.rows : 1) * w.columns;
        bool head = strcmp(w.ours, "lm_head.weight") == 0;
        text_put(out, head ? ",\"" : ",\"transformer.");
        text_put(out, w.ours);
        text_put(out, "\":{\"dtype\":\"F32\",\"shape\":[");
        if (w.rows) {
            text_put_whole(out, w.swapped ? w.columns : w.rows);
            text_put(out, ",");
        }
        text_put_whole(out, w.swapped ? w.rows : w.columns);
        text_put(out, "],\"data_offsets\":[");
        text_put_whole(out, at);
        text_put(out, ",");
        at += numbers * sizeof(float);
        text_put_whole(out, at);
        text_put(out, "]}");
    }
    text_put(out, "}");
    while (out->length % 8) {
        text_put(out, " ");
    }
}

void hf_model_plan(write_plan *p) {
    (void)in_other_words(p);
    const gpt2_sizes sizes = gpt2_sizes_of(p->model);
    text_buffer header = text_begin(NULL, 0);
    do {
        put_header(&header, &sizes);
    } while (text_again(&header, p->error));
    if (p->status < 0 || !header.out) {
        p->status = p->status < 0 ? p->status : GPT_E_ALLOCATION;
        free(header.out);
        return;
    }
    plan_put_u64(p, header.length);
    plan_put(p, header.out, header.length);
    free(header.out);
    for (size_t i = 0; i < gpt2_weight_count(&sizes); i++) {
        gpt2_weight w = gpt2_weight_at(&sizes, i);
        gpt2_put_weight(p, &w, PLAN_AS_IS);
    }
}
