/* pretokenizer.c - see pretokenizer.h. */
#include "text/pretokenizer.h"

#include "base/utf8.h"
#include "text/unicode_classes.h"

typedef struct symbol {
    unicode_kind kind;
    size_t length;
} symbol;

static unicode_kind ascii_class(unsigned char c) {
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
        return UNICODE_LETTER;
    }
    if (c >= '0' && c <= '9') {
        return UNICODE_NUMBER;
    }
    return c == ' ' || (c >= '\t' && c <= '\r') ? UNICODE_SPACE : UNICODE_OTHER;
}

static symbol symbol_at(const unsigned char *text, size_t bytes) {
    if (text[0] < 0x80) {
        return (symbol){ascii_class(text[0]), 1};
    }
    utf8_symbol s = utf8_next(text, bytes);
    return (symbol){s.valid ? unicode_class(s.code) : UNICODE_OTHER, (size_t)s.length};
}

/* Matches the first seven alternatives of GPT-2's pattern (pretokenizer.h): an apostrophe and one
 * of s t re ve m ll d. Returns the length in bytes; 0 if none of them matches. */
static size_t contraction(const unsigned char *text, size_t bytes) {
    if (text[0] != '\'' || bytes < 2) {
        return 0;
    }
    unsigned char first = text[1], second = bytes > 2 ? text[2] : 0;
    if (first == 's' || first == 't' || first == 'm' || first == 'd') {
        return 2;
    }
    bool pair = (second == 'e' && (first == 'r' || first == 'v')) ||
                (first == 'l' && second == 'l');
    return pair ? 3 : 0;
}

/* Matches the last two alternatives of GPT-2's pattern (pretokenizer.h), white space; returns the
 * length in bytes. If another symbol follows the white space, the match excludes the last
 * white-space symbol, which begins the next word; a single white-space symbol is a word. */
static size_t white_space(const unsigned char *text, size_t bytes) {
    size_t at = 0, last = 0; // `last`: start of the last white-space symbol
    while (at < bytes) {
        symbol s = symbol_at(text + at, bytes - at);
        if (s.kind != UNICODE_SPACE) {
            return last ? last : at;
        }
        last = at;
        at += s.length;
    }
    return at;
}

size_t pretokenizer_word(const unsigned char *text, size_t bytes) {
    size_t at = contraction(text, bytes);
    if (at) {
        return at;
    }
    symbol first = symbol_at(text, bytes);
    if (text[0] == ' ' && bytes > 1) {
        symbol second = symbol_at(text + 1, bytes - 1);
        if (second.kind != UNICODE_SPACE) {
            first = second;
            at = 1;
        }
    }
    if (first.kind == UNICODE_SPACE) {
        return white_space(text, bytes);
    }
    for (at += first.length; at < bytes;) {
        symbol s = symbol_at(text + at, bytes - at);
        if (s.kind != first.kind) {
            break;
        }
        at += s.length;
    }
    return at;
}
