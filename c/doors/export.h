/* export.h - our weights stream in, another program's file streams out.
 *
 * Owns: the walk over the parts of a plan. Of the weights no more is in memory at a time than a
 * piece, or one tensor whose rows and columns are swapped. */
#ifndef GLASSHOUSE_EXPORT_H
#define GLASSHOUSE_EXPORT_H

#include "doors/door_plan.h"
#include "doors/pump.h"

typedef struct door_export {
    const door_format *format;
    uint64_t data_bytes; /* of the file of weights */
    unsigned char prefix[SAFETENSORS_PREFIX];
    size_t prefix_at;
    char *header; /* owns; gone once it was read */
    size_t header_bytes, header_at;
    bool planned;
    door_model model;
    door_said said;
    door_plan plan;
    size_t part;      /* the one that goes next */
    uint64_t given;   /* bytes of it, where it is bytes */
    uint64_t data_at; /* bytes of data that have come */
    bool pumping;     /* `pump` has the tensor of `part` */
    pump pump;
    gpt_error *error;
} door_export;

/* Readies an export; `file_bytes`: of the weights as gpt_save_open("weights") tells them. */
void door_export_open(door_export *e, const door_format *format, uint64_t file_bytes,
                      gpt_error *error);
void door_export_close(door_export *e);

/* Keeps what the client knows, before the first bytes; false for another name, or without memory.
 */
bool door_export_say(door_export *e, const char *what, const char *text);

/* Takes the next bytes of the weights; answers how many, fewer than `count` while others wait to
 * go. What door_model_open and door_plan_open find. */
int64_t door_export_feed(door_export *e, const unsigned char *from, size_t count);

/* Writes the next bytes of the file (capacity: 128 or more); answers how many, 0 when more must
 * come first or all has gone. What pump_take finds. */
int64_t door_export_take(door_export *e, unsigned char *out, size_t capacity);

/* All has gone. */
bool door_export_done(const door_export *e);

#endif
