/* pickle_objects.c - functions that read the objects of a pickle; see pickle.h. */
#include "formats/pickle.h"

#include <string.h>

enum { DIMENSIONS_MAX = 64 };

bool pickle_spells(const char *bytes, size_t length, const char *text) {
    return length == strlen(text) && memcmp(bytes, text, length) == 0;
}

bool pickle_is(const pickle_object *o, const char *text) {
    return o->type == PICKLE_TEXT && pickle_spells(o->as.text.bytes, o->as.text.length, text);
}

int64_t pickle_tuple_items(const pickle *p, pickle_id tuple, pickle_id *items, size_t most) {
    const pickle_object *o = pickle_at(p, tuple);
    if (o->type != PICKLE_TUPLE) {
        return -1;
    }
    uint32_t cell = o->as.items.first;
    for (size_t i = 0; i < most && i < o->as.items.count; i++) {
        items[i] = p->cells[cell].item;
        cell = p->cells[cell].next;
    }
    return o->as.items.count;
}

bool pickle_is_count(const pickle *p, pickle_id id) {
    return pickle_at(p, id)->type == PICKLE_WHOLE && pickle_at(p, id)->as.whole >= 0;
}

bool pickle_is_dimensions(const pickle *p, pickle_id tuple) {
    const pickle_object *o = pickle_at(p, tuple);
    bool good = o->type == PICKLE_TUPLE && o->as.items.count <= DIMENSIONS_MAX;
    uint32_t cell = good ? o->as.items.first : 0;
    for (uint32_t i = 0; good && i < o->as.items.count; i++, cell = p->cells[cell].next) {
        good = pickle_is_count(p, p->cells[cell].item);
    }
    return good;
}

const pickle_object *pickle_find(const pickle *p, const pickle_object *dict, const char *key) {
    const pickle_object *found = NULL;
    uint32_t cell = dict->type == PICKLE_DICT ? dict->as.items.first : 0;
    while (cell) {
        const pickle_cell *value = &p->cells[p->cells[cell].next];
        if (pickle_is(pickle_at(p, p->cells[cell].item), key)) {
            found = pickle_at(p, value->item);
        }
        cell = value->next;
    }
    return found;
}
