/* protobuf.h - writes the wire format of Protocol Buffers, independent of any schema.
 *
 * The length of a message precedes the message. So a message within another is first written to a
 * buffer of its own, then copied (proto_put_message). If the inner message is too large for a
 * buffer, the code that writes it runs twice: into a buffer that only counts bytes
 * (text_begin(NULL, 0)), and, after proto_begin, into the outer message.
 */
#ifndef GLASSHOUSE_PROTOBUF_H
#define GLASSHOUSE_PROTOBUF_H

#include "base/text_buffer.h"

/* Appends a varint: seven bits per byte, lowest bits first; the highest bit of a byte is set if
 * another byte follows. */
void proto_put_varint(text_buffer *out, uint64_t value);

/* Appends a field with a whole number (int32, int64, an enum), which must not be negative. */
void proto_put_whole(text_buffer *out, int field, uint64_t value);

/* Appends a field with a 32-bit float. */
void proto_put_float(text_buffer *out, int field, float value);

/* Appends tag and length of a field of `length` bytes, which the caller appends next. */
void proto_begin(text_buffer *out, int field, uint64_t length);

/* Append a field with bytes, a NUL-terminated string, or a message that its buffer contains
 * completely. */
void proto_put_bytes(text_buffer *out, int field, const void *bytes, size_t count);
void proto_put_string(text_buffer *out, int field, const char *text);
void proto_put_message(text_buffer *out, int field, const text_buffer *message);

#endif
