/* bpe_files.c - see bpe_files.h. */
#include "text/bpe_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/json.h"
#include "base/utf8.h"
#include "text/vocabulary_parts.h"

/* The bytes of a token that is being read. */
typedef struct spelling {
    unsigned char bytes[TOKEN_BYTES_MAX];
    size_t count;
    char odd[5]; /* first character outside the byte alphabet ("?": no UTF-8, or NUL); "" if none */
    bool fits;   /* `count` is 1 to TOKEN_BYTES_MAX */
} spelling;

/* Decodes `count` bytes of UTF-8, in which each character represents a byte (the byte alphabet of
 * bpe.h), and appends the represented bytes to `s`. Stops at a character outside the alphabet and
 * stores the character in s->odd. */
static void spell(spelling *s, const char *text, size_t count) {
    for (size_t at = 0; at < count && s->fits;) {
        utf8_symbol symbol = utf8_next((const unsigned char *)text + at, count - at);
        int byte = symbol.valid ? bpe_byte_of_character(symbol.code) : -1;
        if (byte < 0) {
            bool shown = symbol.valid && symbol.code != 0;
            memcpy(s->odd, shown ? text + at : "?", shown ? (size_t)symbol.length : 1);
            return;
        }
        s->fits = s->count < TOKEN_BYTES_MAX;
        if (s->fits) {
            s->bytes[s->count++] = (unsigned char)byte;
        }
        at += (size_t)symbol.length;
    }
    s->fits = s->fits && s->count > 0;
}

/* ---- Tokens and their ids -------------------------------------------------------------------- */

/* Iterates over both lists of tokens, first the ordinary tokens, then the added tokens. */
typedef struct token_reader {
    const token_list *list;
    int left;     /* number of token lists after `list` that are not read yet */
    bool objects; /* `list` is a JSON array of {"id":50256,"content":"<|endoftext|>"} */
    json_reader json;
    spelling token; /* bytes of the last token that was read */
    double id;      /* id of this token, as written in the file */
} token_reader;

static int json_failure(const token_reader *v, gpt_error *error) {
    return gpt_fail(error, GPT_E_BPE_JSON, v->list->file, (double)(v->list->offset + v->json.at), 0,
                    0);
}

static int open_list(token_reader *v, gpt_error *error) {
    v->json = json_open(v->list->text, v->list->bytes);
    json_type type = json_next(&v->json);
    v->objects = v->list->plain && type == JSON_ARRAY_START;
    return v->objects || type == JSON_OBJECT_START ? GPT_OK : json_failure(v, error);
}

static int open_tokens(token_reader *v, const vocabulary_parts *parts, gpt_error *error) {
    *v = (token_reader){.list = parts->tokens, .left = parts->tokens[1].bytes ? 1 : 0};
    return open_list(v, error);
}

/* Reads the current JSON string or key into v->token. False if the token would not have 1 to
 * TOKEN_BYTES_MAX bytes. Each character of the string represents a byte (the byte alphabet of
 * bpe.h), with two exceptions, in which the UTF-8 of the string is the token: a list of special
 * tokens, which are plain text, and a string with a character outside the alphabet (a space, a
 * letter of another script). */
static bool read_spelling(token_reader *v) {
    char text[4 * TOKEN_BYTES_MAX]; // a byte is at most two bytes of UTF-8 in the alphabet
    size_t count = json_string(&v->json, text, sizeof text);
    v->token = (spelling){.fits = count <= sizeof text};
    if (!v->list->plain) {
        spell(&v->token, text, v->token.fits ? count : 0);
    }
    if (v->token.fits && (v->list->plain || v->token.odd[0])) {
        v->token = (spelling){.fits = count > 0 && count <= TOKEN_BYTES_MAX, .count = count};
        memcpy(v->token.bytes, text, v->token.fits ? count : 0);
    }
    return v->token.fits;
}

/* Reads a token object such as {"id":50256,"content":"<|endoftext|>"}. False if the id or the
 * content is missing or the JSON is damaged. */
static bool read_object(token_reader *v) {
    bool named = false, numbered = false;
    while (json_next(&v->json) == JSON_KEY) {
        json_reader key = v->json;
        if (json_is(&key, "content")) {
            named = json_next(&v->json) == JSON_STRING;
            (void)(named && read_spelling(v));
        } else if (json_is(&key, "id")) {
            numbered = json_next(&v->json) == JSON_NUMBER;
            v->id = numbered ? json_number(&v->json) : 0;
        } else if (!json_skip(&v->json)) {
            return false;
        }
    }
    return named && numbered && v->json.type == JSON_OBJECT_END;
}

/* Reads the next token and its id into v->token and v->id. Returns 1, or 0 after the last token.
 * Errors: GPT_E_BPE_JSON, GPT_E_BPE_TOKEN_LENGTH, GPT_E_BPE_ID. */
static int next_token(token_reader *v, gpt_error *error) {
    json_type type = json_next(&v->json);
    while (type == (v->objects ? JSON_ARRAY_END : JSON_OBJECT_END) &&
           json_next(&v->json) == JSON_END) {
        if (!v->left) {
            return 0;
        }
        v->left--;
        v->list++;
        int status = open_list(v, error);
        if (status < 0) {
            return status;
        }
        type = json_next(&v->json);
    }
    bool read;
    if (v->objects) {
        read = type == JSON_OBJECT_START && read_object(v);
    } else {
        read = type == JSON_KEY;
        (void)(read && read_spelling(v));
        read = read && json_next(&v->json) == JSON_NUMBER;
        v->id = read ? json_number(&v->json) : 0;
    }
    if (!read) {
        return json_failure(v, error);
    }
    if (!v->token.fits) {
        return gpt_fail(error, GPT_E_BPE_TOKEN_LENGTH, v->list->file, v->id, 1, TOKEN_BYTES_MAX);
    }
    if (!(v->id >= 0 && v->id < BPE_SIZE_MAX) || v->id != (double)(int)v->id) {
        return gpt_fail(error, GPT_E_BPE_ID, v->list->file, v->id, BPE_SIZE_MAX - 1, 0);
    }
    return 1;
}

/* Sets b->size to the highest id plus 1 and adds the lengths of all tokens to b->byte_count, for
 * the allocation. A token that is listed twice counts twice. */
static int measure_tokens(bpe *b, const vocabulary_parts *parts, gpt_error *error) {
    token_reader v;
    int status = open_tokens(&v, parts, error);
    while (status >= 0 && (status = next_token(&v, error)) > 0) {
        b->size = (int)v.id < b->size ? b->size : (int)v.id + 1;
        b->byte_count += (uint32_t)v.token.count; // the sum is at most the size of the files
    }
    return status;
}

/* Fills b->start and b->bytes from lists that measure_tokens has read. Pass 1: the length of each
 * token. Pass 2: its bytes. A token may be listed twice under the same id; an id that is not listed
 * becomes a hole. `filled` (size, zeroed) marks ids whose bytes are written. */
static int fill_tokens(bpe *b, const vocabulary_parts *parts, uint32_t *filled, gpt_error *error) {
    token_reader v;
    memset(b->start, 0, ((size_t)b->size + 1) * sizeof *b->start);
    int status = open_tokens(&v, parts, error);
    while (status >= 0 && (status = next_token(&v, error)) > 0) {
        uint32_t *length = &b->start[(int)v.id + 1];
        if (*length && *length != v.token.count) {
            return gpt_fail(error, GPT_E_BPE_ID, v.list->file, v.id, BPE_SIZE_MAX - 1, 0);
        }
        *length = (uint32_t)v.token.count;
    }
    for (int id = 0; id < b->size; id++) {
        b->start[id + 1] += b->start[id];
    }
    b->byte_count = b->start[b->size];
    status = status < 0 ? status : open_tokens(&v, parts, error);
    while (status >= 0 && (status = next_token(&v, error)) > 0) {
        unsigned char *bytes = b->bytes + b->start[(int)v.id];
        if (filled[(int)v.id] && memcmp(bytes, v.token.bytes, v.token.count) != 0) {
            return gpt_fail(error, GPT_E_BPE_ID, v.list->file, v.id, BPE_SIZE_MAX - 1, 0);
        }
        memcpy(bytes, v.token.bytes, v.token.count);
        filled[(int)v.id] = 1;
    }
    return status;
}

/* ---- Tokens by their bytes ------------------------------------------------------------------- */

/* Ids sorted by the bytes of their tokens, for binary search. Unlike a hash table, a sorted array
 * has no slow case that a hostile file could provoke. */
typedef struct token_order {
    const bpe *b;
    uint32_t *ids; /* sorted; ids without a token (holes) are excluded; length: count */
    size_t count;
} token_order;

/* Compares token `id` with `count` bytes. Returns a number below, equal to or above zero if the
 * token sorts before, equals or sorts after the bytes. A prefix sorts first. */
static int compare(const bpe *b, int id, const unsigned char *bytes, size_t count) {
    size_t own;
    const unsigned char *mine = bpe_token(b, id, &own);
    int order = memcmp(mine, bytes, own < count ? own : count);
    return order ? order : own < count ? -1 : own > count;
}

static bool sorts_before(const void *context, uint32_t id, uint32_t other) {
    const bpe *b = context;
    size_t count;
    const unsigned char *bytes = bpe_token(b, (int)other, &count);
    return compare(b, (int)id, bytes, count) < 0;
}

static void sort_tokens(token_order *o) {
    o->count = 0;
    for (int id = 0; id < o->b->size; id++) {
        if (o->b->start[id + 1] > o->b->start[id]) {
            o->ids[o->count++] = (uint32_t)id;
        }
    }
    heap_sort_first(o->ids, o->count, o->count, sorts_before, o->b);
}

/* Binary search: returns the id of the token with these bytes, or -1. */
static int find_token(const token_order *o, const unsigned char *bytes, size_t count) {
    size_t low = 0, high = o->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare(o->b, (int)o->ids[middle], bytes, count) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < o->count && compare(o->b, (int)o->ids[low], bytes, count) == 0;
    return found ? (int)o->ids[low] : -1;
}

static int check_distinct(const token_order *o, gpt_error *error) {
    for (size_t i = 0; i + 1 < o->count; i++) {
        if (!sorts_before(o->b, o->ids[i], o->ids[i + 1])) {
            int first = (int)o->ids[i], second = (int)o->ids[i + 1];
            return gpt_fail(error, GPT_E_BPE_TOKEN_TWICE, "", first < second ? first : second,
                            first < second ? second : first, 0);
        }
    }
    return GPT_OK;
}

/* ---- Merges ---------------------------------------------------------------------------------- */

typedef struct merge_reader {
    const char *text;
    size_t bytes, at;
    uint32_t line;     /* number of the current line or list entry, from 1 */
    const char *start; /* the current merge in the form "left right", without a line end */
    size_t length;     /* bytes at `start` */
    bool listed;       /* the merges are a JSON array, not lines */
    json_reader json;  /* if `listed`: reads "left right" or ["left","right"] */
    char both[4 * TOKEN_BYTES_MAX + 2]; /* if `listed`: the current merge, "left right" */
} merge_reader;

static void open_merges(merge_reader *m, const vocabulary_parts *parts) {
    m->text = parts->merges;
    m->bytes = parts->merges_bytes;
    m->at = m->line = 0;
    m->listed = parts->merges_listed;
    if (m->listed) {
        m->json = json_open(m->text, m->bytes);
        (void)json_next(&m->json);
    }
}

/* Appends the current JSON string to m->both. A string that does not fit is not appended, so that
 * fill_merges rejects the merge. */
static void put_part(merge_reader *m) {
    size_t room = sizeof m->both - m->length;
    size_t count = json_string(&m->json, m->both + m->length, room);
    m->length += count < room ? count : 0;
}

static bool next_listed(merge_reader *m) {
    json_type type = json_next(&m->json);
    if (type != JSON_STRING && type != JSON_ARRAY_START) {
        return false;
    }
    m->line++;
    m->start = m->both;
    m->length = 0;
    if (type == JSON_STRING) {
        put_part(m);
        return true;
    }
    for (int part = 0; json_next(&m->json) == JSON_STRING; part++) {
        if (part && m->length < sizeof m->both) {
            m->both[m->length++] = ' ';
        }
        put_part(m);
    }
    return m->json.type == JSON_ARRAY_END;
}

/* Moves to the next merge and sets m->start and m->length to its text, "left right". False after
 * the last merge, or if the JSON is damaged. */
static bool next_merge(merge_reader *m) {
    if (m->listed) {
        return next_listed(m);
    }
    while (m->at < m->bytes) {
        const char *from = m->text + m->at;
        const char *end = memchr(from, '\n', m->bytes - m->at);
        size_t length = end ? (size_t)(end - from) : m->bytes - m->at;
        m->at += length + (end ? 1 : 0);
        m->line++;
        if (length && from[length - 1] == '\r') {
            length--;
        }
        bool header = m->line == 1 && length >= 8 && memcmp(from, "#version", 8) == 0;
        if (length && !header) {
            m->start = from;
            m->length = length;
            return true;
        }
    }
    return false;
}

static int measure_merges(bpe *b, const vocabulary_parts *parts, gpt_error *error) {
    merge_reader m;
    open_merges(&m, parts);
    while (next_merge(&m)) {
        if (b->merges++ == BPE_MERGES_MAX) {
            return gpt_fail(error, GPT_E_BPE_SIZE, "merges.txt", BPE_MERGES_MAX, 0, 0);
        }
    }
    bool damaged = m.listed && (m.json.type != JSON_ARRAY_END || json_next(&m.json) != JSON_END);
    return damaged ? gpt_fail(error, GPT_E_BPE_MERGE, "", m.line, 0, 0) : GPT_OK;
}

/* Looks up the left or the right token of a merge. `text`, `count` bytes of UTF-8, is the token in
 * the byte alphabet of bpe.h, in which each character represents a byte. Returns the id of the
 * token and appends its bytes to `both`, the bytes of the merged token. Errors:
 * GPT_E_BPE_MERGE_UNKNOWN, with `text` and the line number `line`, if the vocabulary lacks the
 * token. */
static int merge_part(const token_order *o, uint32_t line, const char *text, size_t count,
                      spelling *both, gpt_error *error) {
    spelling part = {.fits = true};
    spell(&part, text, count);
    int id = part.fits && !part.odd[0] ? find_token(o, part.bytes, part.count) : -1;
    if (id < 0) {
        char name[sizeof error->name] = {0};
        memcpy(name, text, count < sizeof name - 1 ? count : sizeof name - 1);
        return gpt_fail(error, GPT_E_BPE_MERGE_UNKNOWN, name, line, 0, 0);
    }
    spell(both, text, count);
    return id;
}

static int fill_merges(bpe *b, const token_order *o, const vocabulary_parts *parts,
                       gpt_error *error) {
    merge_reader m;
    open_merges(&m, parts);
    for (int rank = 0; next_merge(&m); rank++) {
        const char *space = memchr(m.start, ' ', m.length);
        size_t first = space ? (size_t)(space - m.start) : 0;
        size_t second = space ? m.length - first - 1 : 0;
        if (!first || !second || memchr(space + 1, ' ', second)) {
            return gpt_fail(error, GPT_E_BPE_MERGE, "", m.line, 0, 0);
        }
        spelling both = {.fits = true};
        int left = merge_part(o, m.line, m.start, first, &both, error);
        int right = left < 0 ? left : merge_part(o, m.line, space + 1, second, &both, error);
        if (right < 0) {
            return right;
        }
        int made = both.fits ? find_token(o, both.bytes, both.count) : -1;
        if (made < 0) {
            char name[sizeof error->name] = {0};
            for (size_t i = 0, put = 0; i < m.length && put < sizeof name - 1; i++) {
                name[put] = m.start[i];
                put += m.start[i] != ' '; // the left and the right token, without the space
            }
            return gpt_fail(error, GPT_E_BPE_MERGE_UNKNOWN, name, m.line, 0, 0);
        }
        b->left[rank] = (uint16_t)left;
        b->right[rank] = (uint16_t)right;
        b->made[rank] = (uint16_t)made;
        // b->count is set to the line of each merge, for the error messages of bpe_index; fill()
        // resets it to 0 afterwards, because files do not count occurrences.
        b->count[rank] = m.line;
    }
    return GPT_OK;
}

/* ---- Reading a vocabulary -------------------------------------------------------------------- */

static int fill(bpe *b, token_order *o, const vocabulary_parts *parts, gpt_error *error) {
    int status = fill_tokens(b, parts, o->ids, error);
    if (status < 0) {
        return status;
    }
    sort_tokens(o);
    status = check_distinct(o, error);
    status = status < 0 ? status : fill_merges(b, o, parts, error);
    if (status < 0) {
        return status;
    }
    gpt_error index = {0};
    status = bpe_index(b, &index);
    if (status < 0) {
        bool merge = status == GPT_E_BPE_MERGE_TWICE;
        double at = merge ? b->count[(int)index.value[0]] : index.value[0];
        return gpt_fail(error, status, "", at, 0, 0);
    }
    memset(b->count, 0, (size_t)b->merges * sizeof *b->count);
    b->end_of_text = find_token(o, (const unsigned char *)BPE_END_OF_TEXT, strlen(BPE_END_OF_TEXT));
    return GPT_OK;
}

int bpe_read(bpe *b, arena *memory, const bpe_texts *from, gpt_error *error) {
    memset(b, 0, sizeof *b);
    memset(memory, 0, sizeof *memory);
    vocabulary_parts parts = {0};
    int status = vocabulary_parts_find(&parts, from, error);
    status = status < 0 ? status : measure_tokens(b, &parts, error);
    status = status < 0 ? status : measure_merges(b, &parts, error);
    status = status < 0 ? status : bpe_open(b, memory, error);
    if (status < 0) {
        return status;
    }
    token_order o = {b, calloc((size_t)b->size + 1, sizeof *o.ids), 0};
    if (!o.ids) {
        return gpt_fail_allocation(error, (size_t)b->size * sizeof *o.ids);
    }
    status = fill(b, &o, &parts, error);
    free(o.ids);
    return status;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Writes token `id` to `out` in the byte alphabet of bpe.h, in which each character represents a
 * byte, NUL-terminated. `b` NULL: the token is the single byte `id`. */
static void write_out(const bpe *b, int id, char out[2 * TOKEN_BYTES_MAX + 1]) {
    unsigned char byte = (unsigned char)id;
    size_t count = 1;
    const unsigned char *bytes = b ? bpe_token(b, id, &count) : &byte;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        at += (size_t)utf8_encode(bpe_character_of_byte(bytes[i]), (unsigned char *)out + at);
    }
    out[at] = 0;
}

void bpe_write_vocab(const bpe *b, int bos, text_buffer *out) {
    char token[2 * TOKEN_BYTES_MAX + 1];
    int size = b ? b->size : 256;
    bool any = false;
    for (int id = 0; id < size; id++) {
        write_out(b, id, token);
        if (!token[0]) {
            continue; // an id without a token (hole)
        }
        text_put(out, any ? "," : "{");
        any = true;
        text_put_json_string(out, token);
        text_put(out, ":");
        text_put_number(out, id);
    }
    if (bos == size) {
        text_put(out, ",\"<|endoftext|>\":");
        text_put_number(out, bos);
    }
    text_put(out, "}");
}

void bpe_write_merges(const bpe *b, text_buffer *out) {
    char token[2 * TOKEN_BYTES_MAX + 1];
    text_put(out, "#version: 0.2\n");
    for (int rank = 0; b && rank < b->merges; rank++) {
        write_out(b, b->left[rank], token);
        text_put(out, token);
        text_put(out, " ");
        write_out(b, b->right[rank], token);
        text_put(out, token);
        text_put(out, "\n");
    }
}
