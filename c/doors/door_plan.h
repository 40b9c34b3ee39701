/* door_plan.h - a file to be written: bytes that are known, and tensors whose numbers come later.
 *
 * Owns: the list of parts in the order of the file. A format writes its plan from a door_model; it
 * never sees a weight. Tensors go in the order in which they lie in the file of our weights, which
 * streams by once. A plan function runs twice, the first time only to measure.
 */
#ifndef GLASSHOUSE_DOOR_PLAN_H
#define GLASSHOUSE_DOOR_PLAN_H

#include "base/text_buffer.h"
#include "doors/door_model.h"

/* What a client knows of the model and the file of weights does not, for its card. X(name): "file",
 * the name of the file; "receipt", its short form; "loss", as text in nats a token, and
 * "validation"; "prompt" and "sample", what the model writes after it at temperature 0; "tokens",
 * how many tokens that is at most, so that they are within the context. */
#define DOOR_SAYINGS(X) X(file) X(receipt) X(loss) X(validation) X(prompt) X(sample) X(tokens)

#define DOOR_SAYING_FIELD(name) char *name;
typedef struct door_said {
    DOOR_SAYINGS(DOOR_SAYING_FIELD) /* own (malloc); NULL: not said */
} door_said;
#undef DOOR_SAYING_FIELD

/* How a tensor goes into the file; may be joined. */
enum { DOOR_AS_IS = 0, DOOR_SWAPPED = 1, DOOR_HALF = 2 };

typedef struct door_part {
    const file_tensor *tensor; /* NULL: bytes */
    size_t begin;              /* of the bytes, in `bytes` */
    uint64_t size;             /* of the part in the file */
    int how;
} door_part;

typedef struct door_plan {
    const door_model *model;
    const door_said *said;
    text_buffer bytes; /* all known ones; text may be written straight into it */
    door_part *parts;  /* owns */
    size_t count, capacity;
    size_t covered; /* of `bytes`, by the parts */
    uint64_t size;  /* of the parts */
    int status;     /* the first failure; nothing is put after it */
    gpt_error *error;
} door_plan;

/* Bytes of the file so far. */
uint64_t door_size(door_plan *p);

/* Bytes, and numbers as little-endian ones. */
void door_put(door_plan *p, const void *bytes, size_t count);
void door_put_u32(door_plan *p, uint32_t value);
void door_put_u64(door_plan *p, uint64_t value);
void door_put_f32(door_plan *p, float value);

/* The text of a token: bytes in the byte alphabet of GPT-2, a special one as it stands. Returns its
 * length; 0 for a hole. */
enum { DOOR_TOKEN_MAX = 2 * TOKEN_BYTES_MAX };
size_t door_token(const door_model *m, int id, char out[DOOR_TOKEN_MAX]);

/* The tensor of this name and shape (rows 0: a vector). GPT_E_TENSOR_MISSING, GPT_E_TENSOR_SHAPE,
 * GPT_E_STATE when it lies before the last one. */
void door_put_tensor(door_plan *p, const char *name, uint64_t rows, uint64_t columns, int how);

/* Refuses the recipe: GPT_E_DOOR, naming what stands in the way ("norm rmsnorm"). */
void door_refuse(door_plan *p, const char *why);

/* A format that goes out. Its name is what clients ask for; a text needs no tensor. */
typedef struct door_format {
    const char *name;
    void (*plan)(door_plan *p);
} door_format;

/* The one of this name, or NULL. The table is in door_plan.c: a format is one line there. */
const door_format *door_find(const char *name);

/* Makes the plan of `format` for the model `of`; that and what is said are borrowed until
 * door_plan_close. GPT_E_DOOR, what door_put_tensor finds, GPT_E_ALLOCATION. */
int door_plan_open(door_plan *p, const door_format *format, const door_model *of,
                   const door_said *said, gpt_error *error);

/* Gives everything back. A zeroed plan may be closed. */
void door_plan_close(door_plan *p);

#endif
