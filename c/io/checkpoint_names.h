/* checkpoint_names.h - names of metadata and moments in a checkpoint; private to checkpoint.c and
 * checkpoint_write.c. */
#ifndef GLASSHOUSE_CHECKPOINT_NAMES_H
#define GLASSHOUSE_CHECKPOINT_NAMES_H

/* Keys of the metadata. */
#define KEY_CONFIG    "glasshouse.config"
#define KEY_TOKENIZER "glasshouse.tokenizer"
#define KEY_STATE     "glasshouse.state"
#define KEY_NOTE      "glasshouse.note"

/* Prefixes of the tensors with AdamW's first and second moments: adam.m.wte.weight is the first
 * moment of the weight wte.weight. */
static const char *const MOMENT_PREFIX[2] = {"adam.m.", "adam.v."};

#endif
