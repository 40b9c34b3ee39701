/* gpt_fit.c - implements gpt_config_fit by the rules of fit/fit.h. */
#include "api/handles.h"

#include <stdlib.h>

#include "fit/fit.h"

int gpt_config_fit(gpt_config *c, int version, const char *text, size_t bytes, char *out,
                   size_t capacity) {
    if (!c) {
        return GPT_E_ARGUMENT;
    }
    version = version == 0 ? FIT_NEWEST : version;
    if (version < FIT_OLDEST || version > FIT_NEWEST) {
        return gpt_fail(&c->error, GPT_E_RANGE, "fit", version, FIT_OLDEST, FIT_NEWEST);
    }
    int status = handle_check_text(text, bytes, &c->error);
    if (status < 0) {
        return status;
    }
    fit *f = malloc(sizeof *f);
    if (!f || fit_text(f, version, text, bytes) < 0) {
        free(f);
        return gpt_fail_allocation(&c->error, sizeof *f);
    }
    status = out ? fit_json(f, out, capacity, &c->error) : GPT_OK;
    if (status >= 0) {
        // All options are replaced but left_out, the byte ranges that training never reads.
        f->recipe.left_out = c->options.left_out;
        c->options = f->recipe;
        c->kind = fit_kind_name(f->kind);
    }
    free(f);
    return status;
}

const char *gpt_config_kind(const gpt_config *c) {
    return c && c->kind ? c->kind : "";
}
