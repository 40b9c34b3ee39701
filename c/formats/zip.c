/* zip.c - see zip.h. Layout: PKWARE's APPNOTE.TXT, sections 4.3.7 to 4.3.16 and 4.5.3. */
#include "formats/zip.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOCAL = 0x04034b50,
    CENTRAL = 0x02014b50,
    END = 0x06054b50,
    END_64 = 0x06064b50,
    LOCATOR_64 = 0x07064b50,
    CENTRAL_BYTES = 46, // bytes of a directory entry, without name, extra field and comment
    END_RECORD_BYTES = 22,
    END_64_BYTES = 56,
    LOCATOR_64_BYTES = 20,
    EXTRA_64 = 1, // id of the extra field with 64-bit sizes
    FLAG_ENCRYPTED = 1,
};

static const char LOCAL_HEADER[] = "zip.local-header";
/* The value of a 32-bit field whose 64-bit form is in the extra field. */
static const uint32_t IN_EXTRA_FIELD = 0xFFFFFFFFu;

static uint64_t number_at(const unsigned char *bytes, size_t width) {
    uint64_t value = 0;
    for (size_t i = width; i-- > 0;) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static uint32_t u16_at(const unsigned char *bytes) {
    return (uint32_t)number_at(bytes, 2);
}

static uint32_t u32_at(const unsigned char *bytes) {
    return (uint32_t)number_at(bytes, 4);
}

static int fail_archive(gpt_error *error, const char *what) {
    return gpt_fail_name(error, GPT_E_FILE, what);
}

/* ---- The end --------------------------------------------------------------------------------- */

int zip_read_end(zip_file *z, const unsigned char *end, size_t count, uint64_t file_bytes,
                 gpt_error *error) {
    static const char WHAT[] = "zip.end";
    memset(z, 0, sizeof *z);
    if (count < END_RECORD_BYTES) {
        return fail_archive(error, WHAT);
    }
    const unsigned char *record = end + (count - END_RECORD_BYTES);
    if (u32_at(record) != END || u16_at(record + 20) != 0) {
        return fail_archive(error, WHAT);
    }
    uint64_t disks = u16_at(record + 4) | u16_at(record + 6);
    uint64_t here = u16_at(record + 8), entries = u16_at(record + 10);
    uint64_t at = u32_at(record + 16), bytes = u32_at(record + 12);
    uint64_t directory_end = file_bytes - END_RECORD_BYTES;
    if (count >= ZIP_END_BYTES && u32_at(record - LOCATOR_64_BYTES) == LOCATOR_64) {
        const unsigned char *larger = record - LOCATOR_64_BYTES - END_64_BYTES;
        directory_end -= LOCATOR_64_BYTES + END_64_BYTES;
        if (u32_at(larger) != END_64 || number_at(record - 12, 8) != directory_end ||
            number_at(larger + 4, 8) != END_64_BYTES - 12) {
            return fail_archive(error, WHAT);
        }
        disks = u32_at(larger + 16) | u32_at(larger + 20);
        here = number_at(larger + 24, 8);
        entries = number_at(larger + 32, 8);
        bytes = number_at(larger + 40, 8);
        at = number_at(larger + 48, 8);
    }
    if (disks || here != entries) {
        return gpt_fail_name(error, GPT_E_UNSUPPORTED, "zip.disks");
    }
    if (at > directory_end || bytes != directory_end - at || !entries ||
        entries > ZIP_ENTRIES_MAX || entries > bytes / CENTRAL_BYTES) {
        return fail_archive(error, WHAT);
    }
    z->directory_at = at;
    z->directory_bytes = bytes;
    z->count = (size_t)entries;
    return GPT_OK;
}

/* ---- The directory --------------------------------------------------------------------------- */

/* Replaces each of `values` (size, packed size and offset of an entry) that is IN_EXTRA_FIELD by
 * its 64-bit form. The extra field has only the 64-bit forms of these values, in this order. False
 * if it lacks one of them. */
static bool read_extra(uint64_t *const values[3], const unsigned char *extra, size_t bytes) {
    size_t at = 0, used = 0;
    while (bytes - at >= 4 && u16_at(extra + at) != EXTRA_64) {
        size_t skip = 4 + (size_t)u16_at(extra + at + 2);
        if (skip > bytes - at) {
            break;
        }
        at += skip;
    }
    bool found = bytes - at >= 4 && u16_at(extra + at) == EXTRA_64;
    size_t room = found ? u16_at(extra + at + 2) : 0;
    room = room > bytes - at - (found ? 4 : 0) ? 0 : room;
    for (int i = 0; i < 3; i++) {
        if (*values[i] != IN_EXTRA_FIELD) {
            continue;
        }
        if (room - used < 8) {
            return false;
        }
        *values[i] = number_at(extra + at + 4 + used, 8);
        used += 8;
    }
    return true;
}

/* Reads one entry of the directory from `bytes`, which has `left` bytes. Returns the length of the
 * entry in the directory; 0 if the entry is damaged. */
static size_t read_entry(zip_entry *e, const unsigned char *bytes, size_t left) {
    if (left < CENTRAL_BYTES || u32_at(bytes) != CENTRAL) {
        return 0;
    }
    size_t name_bytes = u16_at(bytes + 28), extra_bytes = u16_at(bytes + 30);
    size_t all = CENTRAL_BYTES + name_bytes + extra_bytes + u16_at(bytes + 32);
    uint64_t size = u32_at(bytes + 24), packed = u32_at(bytes + 20), local_at = u32_at(bytes + 42);
    uint64_t *const values[3] = {&size, &packed, &local_at};
    if (all > left || !name_bytes ||
        !read_extra(values, bytes + CENTRAL_BYTES + name_bytes, extra_bytes)) {
        return 0;
    }
    int method = (int)u16_at(bytes + 10);
    if (method == 0 && packed != size) {
        return 0;
    }
    *e = (zip_entry){.name = (const char *)bytes + CENTRAL_BYTES,
                     .name_bytes = name_bytes,
                     .method = method,
                     .flags = (int)u16_at(bytes + 8),
                     .local_at = local_at,
                     .size = packed};
    return all;
}

static int compare_places(const void *a, const void *b) {
    const zip_entry *x = a, *y = b;
    return (x->local_at > y->local_at) - (x->local_at < y->local_at);
}

static int compare_texts(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
    int order = memcmp(a, b, a_bytes < b_bytes ? a_bytes : b_bytes);
    return order ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

static int compare_names(const void *a, const void *b) {
    const zip_entry *x = a, *y = b;
    return compare_texts(x->name, x->name_bytes, y->name, y->name_bytes);
}

/* Sets the limit of each entry and sorts the entries by name. Errors: GPT_E_FILE if two entries
 * overlap or have the same name. */
static int check_entries(zip_file *z, gpt_error *error) {
    qsort(z->entries, z->count, sizeof *z->entries, compare_places);
    for (size_t i = 0; i < z->count; i++) {
        zip_entry *e = &z->entries[i];
        e->limit = i + 1 < z->count ? e[1].local_at : z->directory_at;
        uint64_t head = ZIP_LOCAL_BYTES + e->name_bytes;
        if (e->limit < e->local_at || e->limit - e->local_at < head ||
            e->limit - e->local_at - head < e->size) {
            return fail_archive(error, "zip.overlap");
        }
    }
    qsort(z->entries, z->count, sizeof *z->entries, compare_names);
    for (size_t i = 1; i < z->count; i++) {
        if (compare_names(&z->entries[i - 1], &z->entries[i]) == 0) {
            return fail_archive(error, "zip.twice");
        }
    }
    return GPT_OK;
}

int zip_read_directory(zip_file *z, const unsigned char *bytes, gpt_error *error) {
    size_t left = (size_t)z->directory_bytes;
    z->directory = malloc(left);
    z->entries = calloc(z->count, sizeof *z->entries);
    if (!z->directory || !z->entries) {
        return gpt_fail_allocation(error, left + z->count * sizeof *z->entries);
    }
    memcpy(z->directory, bytes, left);
    const unsigned char *at = (const unsigned char *)z->directory;
    for (size_t i = 0; i < z->count; i++) {
        size_t read = read_entry(&z->entries[i], at, left);
        if (!read) {
            return fail_archive(error, "zip.directory");
        }
        at += read;
        left -= read;
    }
    return left ? fail_archive(error, "zip.directory") : check_entries(z, error);
}

zip_entry *zip_find(const zip_file *z, const char *name, size_t bytes) {
    size_t low = 0, high = z->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        zip_entry *e = &z->entries[middle];
        int order = compare_texts(name, bytes, e->name, e->name_bytes);
        if (order == 0) {
            return e;
        }
        low = order > 0 ? middle + 1 : low;
        high = order > 0 ? high : middle;
    }
    return NULL;
}

/* ---- Entries --------------------------------------------------------------------------------- */

int zip_read_local(zip_entry *e, const unsigned char *bytes, gpt_error *error) {
    uint32_t flags = u16_at(bytes + 6) | (uint32_t)e->flags;
    uint32_t method = u16_at(bytes + 8) | (uint32_t)e->method;
    uint64_t head = ZIP_LOCAL_BYTES + (uint64_t)u16_at(bytes + 26) + u16_at(bytes + 28);
    uint64_t room = e->limit - e->local_at;
    if (u32_at(bytes) != LOCAL || u16_at(bytes + 26) != e->name_bytes) {
        return fail_archive(error, LOCAL_HEADER);
    }
    if (flags & FLAG_ENCRYPTED || method) {
        return gpt_fail_name(error, GPT_E_UNSUPPORTED, method ? "zip.compressed" : "zip.encrypted");
    }
    if (head > room || e->size > room - head) {
        return fail_archive(error, LOCAL_HEADER);
    }
    e->data_at = e->local_at + head;
    return GPT_OK;
}

void zip_close(zip_file *z) {
    free(z->directory);
    free(z->entries);
    memset(z, 0, sizeof *z);
}
