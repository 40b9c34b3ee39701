/* utf8.c - see utf8.h. */
#include "base/utf8.h"

utf8_symbol utf8_next(const unsigned char *bytes, size_t count) {
    unsigned char lead = bytes[0];
    if (lead < 0x80) {
        return (utf8_symbol){lead, 1, true, false};
    }
    utf8_symbol bad = {UTF8_ESCAPE + lead, 1, false, false};
    int length = lead >= 0xC2 && lead <= 0xDF   ? 2
                 : lead >= 0xE0 && lead <= 0xEF ? 3
                 : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                : 0;
    if (!length) {
        return bad;
    }
    // The range of the second byte depends on the first: it excludes overlong forms, surrogates and
    // codes above U+10FFFF.
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    uint32_t code = lead & (0xFFu >> (length + 1));
    for (int i = 1; i < length; i++) {
        if ((size_t)i >= count) {
            bad.incomplete = true;
            return bad;
        }
        if (bytes[i] < low || bytes[i] > high) {
            return bad;
        }
        code = code << 6 | (bytes[i] & 0x3F);
        low = 0x80;
        high = 0xBF;
    }
    return (utf8_symbol){code, length, true, false};
}

int utf8_encode(uint32_t code, unsigned char out[4]) {
    if (code < 0x80) {
        out[0] = (unsigned char)code;
        return 1;
    }
    if (code >= UTF8_ESCAPE + 0x80 && code <= UTF8_ESCAPE + 0xFF) {
        out[0] = (unsigned char)(code - UTF8_ESCAPE);
        return 1;
    }
    if (code < 0x800) {
        out[0] = (unsigned char)(0xC0 | code >> 6);
        out[1] = (unsigned char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (unsigned char)(0xE0 | code >> 12);
        out[1] = (unsigned char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (unsigned char)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (unsigned char)(0xF0 | code >> 18);
    out[1] = (unsigned char)(0x80 | (code >> 12 & 0x3F));
    out[2] = (unsigned char)(0x80 | (code >> 6 & 0x3F));
    out[3] = (unsigned char)(0x80 | (code & 0x3F));
    return 4;
}

bool utf8_is_valid(const unsigned char *bytes, size_t count) {
    for (size_t at = 0; at < count;) {
        utf8_symbol symbol = utf8_next(bytes + at, count - at);
        if (!symbol.valid) {
            return false;
        }
        at += (size_t)symbol.length;
    }
    return true;
}
