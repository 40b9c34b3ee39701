/* protobuf.c - see protobuf.h. */
#include "formats/protobuf.h"

#include <assert.h>
#include <string.h>

/* Wire types: how a field's value is encoded. */
enum { WIRE_VARINT = 0, WIRE_LENGTH = 2, WIRE_32_BITS = 5 };

void proto_put_varint(text_buffer *out, uint64_t value) {
    char bytes[10];
    size_t count = 0;
    while (value >= 0x80) {
        bytes[count++] = (char)(value | 0x80);
        value >>= 7;
    }
    bytes[count++] = (char)value;
    text_put_bytes(out, bytes, count);
}

static void put_tag(text_buffer *out, int field, unsigned wire) {
    proto_put_varint(out, (uint64_t)field << 3 | wire);
}

void proto_put_whole(text_buffer *out, int field, uint64_t value) {
    put_tag(out, field, WIRE_VARINT);
    proto_put_varint(out, value);
}

void proto_put_float(text_buffer *out, int field, float value) {
    uint32_t bits;
    char little[4];
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; i++) {
        little[i] = (char)(bits >> 8 * i);
    }
    put_tag(out, field, WIRE_32_BITS);
    text_put_bytes(out, little, sizeof little);
}

void proto_begin(text_buffer *out, int field, uint64_t length) {
    put_tag(out, field, WIRE_LENGTH);
    proto_put_varint(out, length);
}

void proto_put_bytes(text_buffer *out, int field, const void *bytes, size_t count) {
    proto_begin(out, field, count);
    text_put_bytes(out, bytes, count);
}

void proto_put_string(text_buffer *out, int field, const char *text) {
    proto_put_bytes(out, field, text, strlen(text));
}

void proto_put_message(text_buffer *out, int field, const text_buffer *message) {
    assert(message->length <= message->capacity); // the buffer had room for the whole message
    proto_put_bytes(out, field, message->out, message->length);
}
