/* gguf_weights.c - the names and shapes of the model's parameters in GGUF files; see gguf.h. */
#include "formats/gguf.h"

#include <string.h>

static const struct {
    const char *ours, *theirs;
} NAMES[] = {
    {"wte.", "token_embd."},      {"wpe.", "position_embd."},       {"lm_head.", "output."},
    {"ln_f.", "output_norm."},    {"ln_1.", "attn_norm."},          {"attn.c_attn.", "attn_qkv."},
    {"ln_2.", "ffn_norm."},       {"attn.c_proj.", "attn_output."}, {"mlp.c_fc.", "ffn_up."},
    {"mlp.c_proj.", "ffn_down."},
};

gguf_weight gguf_weight_of(const param *p) {
    gguf_weight w = {.rows = param_rows(p), .columns = param_columns(p), .transposed = p->linear};
    // F16 for all matrices but the position table, which llama.cpp's converter keeps in F32
    w.half = w.rows && strcmp(p->name, "wpe.weight") != 0;
    if (w.transposed) {
        w.rows = param_columns(p);
        w.columns = param_rows(p);
    }
    // bytes of the layer's number and its dot: 2 (of "3.") in "h.3.ln_1.weight"; 0 for a parameter
    // that belongs to no block
    size_t layer = strncmp(p->name, "h.", 2) == 0 ? strspn(p->name + 2, "0123456789") + 1 : 0;
    const char *name = p->name + (layer ? 2 + layer : 0);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        size_t length = strlen(NAMES[i].ours);
        if (strncmp(name, NAMES[i].ours, length) == 0) {
            text_buffer out = text_begin(w.name, sizeof w.name);
            text_put(&out, layer ? "blk." : "");
            text_put_bytes(&out, p->name + 2, layer);
            text_put(&out, NAMES[i].theirs);
            text_put(&out, name + length);
            text_end(&out);
        }
    }
    return w;
}
