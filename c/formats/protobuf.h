/* protobuf.h - writing Protocol Buffers: the wire format, and no message of any schema.
 *
 * Owns: varints, and the tag and length before each field. A message that lies within another is
 * written into a buffer of its own first, because its length comes before it; where that is too
 * large, its writer runs over a measuring buffer (text_begin(NULL, 0)) and then once more.
 */
#ifndef GLASSHOUSE_PROTOBUF_H
#define GLASSHOUSE_PROTOBUF_H

#include "base/text_buffer.h"

/* Seven bits a byte, the lowest first; the highest bit of a byte says that another follows. */
void proto_put_varint(text_buffer *out, uint64_t value);

/* A field with a whole number (int32, int64, an enum's value; none of ours is negative). */
void proto_put_whole(text_buffer *out, int field, uint64_t value);

/* A field with a 32-bit float. */
void proto_put_float(text_buffer *out, int field, float value);

/* Begins a field of `length` bytes, which the caller writes behind it. */
void proto_begin(text_buffer *out, int field, uint64_t length);

/* A field with bytes, with a string, with a message that is in a buffer as a whole. */
void proto_put_bytes(text_buffer *out, int field, const void *bytes, size_t count);
void proto_put_string(text_buffer *out, int field, const char *text);
void proto_put_message(text_buffer *out, int field, const text_buffer *message);

#endif
