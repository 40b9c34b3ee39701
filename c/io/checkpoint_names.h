/* checkpoint_names.h - names that a file has in it; private to checkpoint.c and
 * checkpoint_write.c. */
#ifndef GLASSHOUSE_CHECKPOINT_NAMES_H
#define GLASSHOUSE_CHECKPOINT_NAMES_H

/* Keys of the metadata. */
#define KEY_CONFIG    "glasshouse.config"
#define KEY_TOKENIZER "glasshouse.tokenizer"
#define KEY_STATE     "glasshouse.state"
#define KEY_NOTE      "glasshouse.note"

/* Before the name of the weights that they belong to. */
static const char *const MOMENT_PREFIX[2] = {"adam.m.", "adam.v."};

#endif
