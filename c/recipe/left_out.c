/* left_out.c - see left_out.h. */
#include "recipe/left_out.h"

#include <string.h>

#include "base/text_buffer.h"

/* Binary search: returns the index of the first range whose `to` is at least `place`, or set->count
 * if all ranges end before `place`. */
static uint32_t find(const left_out *set, uint64_t place) {
    uint32_t low = 0, high = set->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (set->ranges[middle].to < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool left_out_add(left_out *set, uint32_t from, uint32_t to) {
    uint32_t first = find(set, from), end = first;
    for (; end < set->count && set->ranges[end].from <= to; end++) {
        from = set->ranges[end].from < from ? set->ranges[end].from : from;
        to = set->ranges[end].to > to ? set->ranges[end].to : to;
    }
    if (first == end && set->count == LEFT_OUT_MAX) {
        return false;
    }
    memmove(&set->ranges[first + 1], &set->ranges[end], (set->count - end) * sizeof *set->ranges);
    set->ranges[first] = (left_out_range){from, to};
    set->count = set->count + 1 - (end - first);
    return true;
}

bool left_out_touches(const left_out *set, uint64_t from, uint64_t to) {
    uint32_t i = find(set, from + 1);
    return i < set->count && set->ranges[i].from < to;
}

bool left_out_same(const left_out *a, const left_out *b) {
    return a->count == b->count && memcmp(a->ranges, b->ranges, a->count * sizeof *a->ranges) == 0;
}

/* Reads a number of exactly `length` decimal digits. False for "", other characters and values
 * above UINT32_MAX. */
static bool read_place(const char *digits, size_t length, uint32_t *place) {
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9' || value > UINT32_MAX) {
            return false;
        }
        value = value * 10 + (uint64_t)(digits[i] - '0');
    }
    *place = (uint32_t)value;
    return length && value <= UINT32_MAX;
}

int left_out_read(left_out *set, const char *text, gpt_error *error) {
    left_out read = {0};
    const char *whole = text;
    while (*text) {
        size_t length = strcspn(text, ","), colon = strcspn(text, ":,");
        uint32_t from, to;
        if (colon == length || !read_place(text, colon, &from) ||
            !read_place(text + colon + 1, length - colon - 1, &to) || from >= to) {
            char name[sizeof error->name];
            text_buffer buffer = text_begin(name, sizeof name);
            text_put_bytes(&buffer, length ? text : whole, length ? length : strlen(whole));
            text_end(&buffer);
            return gpt_fail_name(error, GPT_E_LEFT_OUT_RANGE, name);
        }
        if (!left_out_add(&read, from, to)) {
            return gpt_fail(error, GPT_E_LEFT_OUT_COUNT, "", LEFT_OUT_MAX, 0, 0);
        }
        text += length + (text[length] == ',');
    }
    *set = read;
    return GPT_OK;
}
