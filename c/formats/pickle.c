/* pickle.c - see pickle.h. Opcodes: Python's pickletools.py. */
#include "formats/pickle.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"

enum {
    OP_MARK = '(',
    OP_STOP = '.',
    OP_BINBYTES = 'B',
    OP_SHORT_BINBYTES = 'C',
    OP_BINFLOAT = 'G',
    OP_BININT = 'J',
    OP_BININT1 = 'K',
    OP_BININT2 = 'M',
    OP_NONE = 'N',
    OP_BINPERSID = 'Q',
    OP_REDUCE = 'R',
    OP_BINUNICODE = 'X',
    OP_APPEND = 'a',
    OP_BUILD = 'b',
    OP_GLOBAL = 'c',
    OP_APPENDS = 'e',
    OP_BINGET = 'h',
    OP_LONG_BINGET = 'j',
    OP_BINPUT = 'q',
    OP_LONG_BINPUT = 'r',
    OP_SETITEM = 's',
    OP_TUPLE = 't',
    OP_SETITEMS = 'u',
    OP_EMPTY_TUPLE = ')',
    OP_EMPTY_LIST = ']',
    OP_EMPTY_DICT = '}',
    OP_PROTO = 0x80,
    OP_TUPLE1 = 0x85,
    OP_TUPLE2 = 0x86,
    OP_TUPLE3 = 0x87,
    OP_NEWTRUE = 0x88,
    OP_NEWFALSE = 0x89,
    OP_LONG1 = 0x8a,
    OP_SHORT_BINUNICODE = 0x8c,
    OP_STACK_GLOBAL = 0x93,
    OP_MEMOIZE = 0x94,
    OP_FRAME = 0x95,
    FIRST_CAPACITY = 256,
    RUNNING = 1, // status after every opcode but STOP
};

/* A mark on the stack, and an empty entry of the memo. Neither is the index of an object. */
static const pickle_id MARK_ID = UINT32_MAX, NOT_PUT = UINT32_MAX;

static const struct {
    const char *module, *name;
} GLOBALS[] = {
#define GLOBAL(symbol, module, name) {module, name},
    PICKLE_GLOBALS(GLOBAL)
#undef GLOBAL
};

static int fail_damaged(pickle *p) {
    return gpt_fail_name(p->error, GPT_E_FILE, "data.pkl");
}

static int fail_opcode(pickle *p, int opcode) {
    char detail[32];
    text_buffer out = text_begin(detail, sizeof detail);
    text_put(&out, "pickle.opcode:0x");
    text_put_hex(&out, (uint64_t)opcode, 2);
    text_end(&out);
    return gpt_fail_name(p->error, GPT_E_UNSUPPORTED, detail);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Returns `array`, reallocated if necessary, with room for one more item of `width` bytes after its
 * `count` items. On failure returns NULL, sets the status of p->error and leaves `array` valid. */
static void *make_room(pickle *p, void *array, size_t count, size_t *capacity, size_t width) {
    if (count < *capacity) {
        return array;
    }
    if (count >= PICKLE_ITEMS_MAX) {
        (void)gpt_fail_name(p->error, GPT_E_UNSUPPORTED, "pickle.items");
        return NULL;
    }
    size_t larger = *capacity ? 2 * *capacity : FIRST_CAPACITY;
    void *grown = realloc(array, larger * width);
    if (!grown) {
        (void)gpt_fail_allocation(p->error, larger * width);
        return NULL;
    }
    *capacity = larger;
    return grown;
}

static int push(pickle *p, pickle_id id) {
    void *stack = make_room(p, p->stack, p->depth, &p->stack_capacity, sizeof *p->stack);
    if (!stack) {
        return p->error->status;
    }
    p->stack = stack;
    p->stack[p->depth++] = id;
    return GPT_OK;
}

/* Pushes a new object of this type, with all other members zero. NULL on failure, see p->error. */
static pickle_object *push_object(pickle *p, pickle_type type) {
    void *objects = make_room(p, p->objects, p->object_count, &p->object_capacity,
                              sizeof *p->objects);
    if (!objects) {
        return NULL;
    }
    p->objects = objects;
    if (push(p, (pickle_id)p->object_count) < 0) {
        return NULL;
    }
    pickle_object *o = &p->objects[p->object_count++];
    memset(o, 0, sizeof *o);
    o->type = type;
    return o;
}

static int push_whole(pickle *p, pickle_type type, int64_t value) {
    pickle_object *o = push_object(p, type);
    if (!o) {
        return p->error->status;
    }
    o->as.whole = value;
    return RUNNING;
}

/* Pushes an object without a stored value: None, a float, an opaque or an empty container. */
static int push_empty(pickle *p, pickle_type type) {
    return push_object(p, type) ? RUNNING : p->error->status;
}

/* Appends an item to a container: a tuple, list or dict. */
static int add_item(pickle *p, pickle_id container, pickle_id item) {
    void *cells = make_room(p, p->cells, p->cell_count, &p->cell_capacity, sizeof *p->cells);
    if (!cells) {
        return p->error->status;
    }
    p->cells = cells;
    uint32_t cell = (uint32_t)p->cell_count++;
    pickle_object *o = &p->objects[container];
    p->cells[cell] = (pickle_cell){item, 0};
    if (o->as.items.count++) {
        p->cells[o->as.items.last].next = cell;
    } else {
        o->as.items.first = cell;
    }
    o->as.items.last = cell;
    return GPT_OK;
}

/* ---- The stack ------------------------------------------------------------------------------- */

/* Whether the top `count` entries of the stack exist and are not marks. */
static bool has_top(const pickle *p, size_t count) {
    for (size_t i = 1; i <= count; i++) {
        if (p->depth < i || p->stack[p->depth - i] == MARK_ID) {
            return false;
        }
    }
    return true;
}

/* Returns the number of objects above the topmost mark; SIZE_MAX if the stack has no mark. */
static size_t above_mark(const pickle *p) {
    for (size_t i = p->depth; i-- > 0;) {
        if (p->stack[i] == MARK_ID) {
            return p->depth - i - 1;
        }
    }
    return SIZE_MAX;
}

/* Makes a tuple of the top `count` objects (SIZE_MAX: no mark) and drops `marks` (0, 1) below. */
static int make_tuple(pickle *p, size_t count, size_t marks) {
    if (count == SIZE_MAX || (!marks && !has_top(p, count))) {
        return fail_damaged(p);
    }
    size_t from = p->depth - count;
    pickle_object *o = push_object(p, PICKLE_TUPLE);
    if (!o) {
        return p->error->status;
    }
    pickle_id tuple = p->stack[p->depth - 1];
    int status = GPT_OK;
    for (size_t i = from; i < from + count && status == GPT_OK; i++) {
        status = add_item(p, tuple, p->stack[i]);
    }
    p->depth = from - marks;
    p->stack[p->depth++] = tuple;
    return status < 0 ? status : RUNNING;
}

/* Pops the top `count` objects, and `marks` (0 or 1) marks below them, and appends the objects to
 * the container of `type` that is on top of the stack then. */
static int add_items(pickle *p, pickle_type type, size_t count, size_t marks) {
    if (count == SIZE_MAX || (!marks && !has_top(p, count)) || p->depth < count + marks + 1) {
        return fail_damaged(p);
    }
    size_t from = p->depth - count;
    pickle_id container = p->stack[from - marks - 1];
    if (container == MARK_ID || p->objects[container].type != type ||
        (type == PICKLE_DICT && count % 2)) {
        return fail_damaged(p);
    }
    int status = GPT_OK;
    for (size_t i = from; i < p->depth && status == GPT_OK; i++) {
        status = add_item(p, container, p->stack[i]);
    }
    p->depth = from - marks;
    return status < 0 ? status : RUNNING;
}

/* ---- Bytes of the pickle --------------------------------------------------------------------- */

/* Reads the next `count` bytes and returns them; NULL if the pickle has fewer. */
static const unsigned char *next_bytes(pickle *p, uint64_t count) {
    if (count > p->size - p->at) {
        return NULL;
    }
    const unsigned char *bytes = p->bytes + p->at;
    p->at += (size_t)count;
    return bytes;
}

/* Reads a little-endian number of `width` bytes (0 to 8); false if the pickle has fewer bytes. */
static bool next_number(pickle *p, size_t width, uint64_t *value) {
    const unsigned char *bytes = next_bytes(p, width);
    *value = 0;
    for (size_t i = width; bytes && i-- > 0;) {
        *value = *value << 8 | bytes[i];
    }
    return bytes != NULL;
}

/* Reads a whole number of `width` bytes, in two's complement if `is_signed`, and pushes it. */
static int read_whole(pickle *p, uint64_t width, bool is_signed) {
    uint64_t value;
    if (width > 8) {
        return gpt_fail_name(p->error, GPT_E_UNSUPPORTED, "pickle.integer");
    }
    if (!next_number(p, (size_t)width, &value)) {
        return fail_damaged(p);
    }
    if (is_signed && width && width < 8 && value >> (8 * width - 1)) {
        value |= UINT64_MAX << 8 * width;
    }
    return push_whole(p, PICKLE_WHOLE, (int64_t)value);
}

static int read_long(pickle *p) {
    uint64_t width;
    return next_number(p, 1, &width) ? read_whole(p, width, true) : fail_damaged(p);
}

/* Reads the length of a text (a number of `width` bytes) and the text, and pushes the text. */
static int read_text(pickle *p, size_t width) {
    uint64_t length;
    const unsigned char *bytes = next_number(p, width, &length) ? next_bytes(p, length) : NULL;
    if (!bytes) {
        return fail_damaged(p);
    }
    pickle_object *o = push_object(p, PICKLE_TEXT);
    if (!o) {
        return p->error->status;
    }
    o->as.text.bytes = (const char *)bytes;
    o->as.text.length = (size_t)length;
    return RUNNING;
}

/* Skips a bytes object (its length is a number of `width` bytes) and pushes an opaque object. */
static int read_bytes(pickle *p, size_t width) {
    uint64_t length;
    return next_number(p, width, &length) && next_bytes(p, length) ? push_empty(p, PICKLE_OPAQUE)
                                                                   : fail_damaged(p);
}

/* ---- The memo -------------------------------------------------------------------------------- */

static int memo_put(pickle *p, uint64_t index) {
    // picklers number the entries of the memo from 0 on, and setting an entry takes at least a
    // byte, so a valid index is below p->size
    if (!has_top(p, 1) || index >= p->size) {
        return fail_damaged(p);
    }
    while (p->memo_count <= index) {
        void *memo = make_room(p, p->memo, p->memo_count, &p->memo_capacity, sizeof *p->memo);
        if (!memo) {
            return p->error->status;
        }
        p->memo = memo;
        p->memo[p->memo_count++] = NOT_PUT;
    }
    p->memo[index] = p->stack[p->depth - 1];
    return RUNNING;
}

static int read_put(pickle *p, size_t width) {
    uint64_t index;
    return next_number(p, width, &index) ? memo_put(p, index) : fail_damaged(p);
}

static int read_get(pickle *p, size_t width) {
    uint64_t index;
    if (!next_number(p, width, &index) || index >= p->memo_count || p->memo[index] == NOT_PUT) {
        return fail_damaged(p);
    }
    int status = push(p, p->memo[index]);
    return status < 0 ? status : RUNNING;
}

/* ---- Names and calls ------------------------------------------------------------------------- */

static int push_global(pickle *p, const char *module, size_t module_length, const char *name,
                       size_t name_length) {
    for (int i = 0; i < PICKLE_GLOBAL_COUNT; i++) {
        if (pickle_spells(module, module_length, GLOBALS[i].module) &&
            pickle_spells(name, name_length, GLOBALS[i].name)) {
            pickle_object *o = push_object(p, PICKLE_GLOBAL);
            if (!o) {
                return p->error->status;
            }
            o->as.global = (pickle_global)i;
            return RUNNING;
        }
    }
    char detail[sizeof p->error->name];
    text_buffer out = text_begin(detail, sizeof detail);
    text_put_bytes(&out, module, module_length);
    text_put(&out, ".");
    text_put_bytes(&out, name, name_length);
    text_end(&out);
    return gpt_fail_name(p->error, GPT_E_UNSUPPORTED, detail);
}

/* Reads two lines, a module and a name in it, and pushes the global that they name. */
static int read_global(pickle *p) {
    const char *part[2];
    size_t length[2];
    for (int i = 0; i < 2; i++) {
        part[i] = (const char *)p->bytes + p->at;
        const char *end = memchr(part[i], '\n', p->size - p->at);
        if (!end) {
            return fail_damaged(p);
        }
        length[i] = (size_t)(end - part[i]);
        p->at += length[i] + 1;
    }
    return push_global(p, part[0], length[0], part[1], length[1]);
}

/* Pops two texts, a module and a name in it, and pushes the global that they name. */
static int stack_global(pickle *p) {
    if (!has_top(p, 2)) {
        return fail_damaged(p);
    }
    p->depth -= 2;
    const pickle_object *module = pickle_at(p, p->stack[p->depth]);
    const pickle_object *name = pickle_at(p, p->stack[p->depth + 1]);
    if (module->type != PICKLE_TEXT || name->type != PICKLE_TEXT) {
        return fail_damaged(p);
    }
    return push_global(p, module->as.text.bytes, module->as.text.length, name->as.text.bytes,
                       name->as.text.length);
}

/* Pops the tuple ('storage', type, key, location, numbers), by which torch refers to a storage, and
 * pushes the storage. `numbers` is how many numbers it has. */
static int load_storage(pickle *p) {
    pickle_id items[5];
    if (!has_top(p, 1) || pickle_tuple_items(p, p->stack[p->depth - 1], items, 5) != 5) {
        return fail_damaged(p);
    }
    const pickle_object *kind = pickle_at(p, items[1]);
    if (!pickle_is(pickle_at(p, items[0]), "storage") || kind->type != PICKLE_GLOBAL ||
        kind->as.global < PICKLE_FLOAT || pickle_at(p, items[2])->type != PICKLE_TEXT ||
        !pickle_is_count(p, items[4])) {
        return fail_damaged(p);
    }
    pickle_global global = kind->as.global;
    p->depth--;
    pickle_object *o = push_object(p, PICKLE_STORAGE);
    if (!o) {
        return p->error->status;
    }
    o->as.storage.kind = global;
    o->as.storage.key = items[2];
    o->as.storage.numbers = (uint64_t)pickle_at(p, items[4])->as.whole;
    return RUNNING;
}

/* Pushes the tensor that _rebuild_tensor_v2 makes of the tuple `arguments`: (storage, offset,
 * shape, strides, requires_grad, hooks). Later versions of torch append metadata. */
static int rebuild_tensor(pickle *p, pickle_id arguments) {
    pickle_id items[4];
    int64_t count = pickle_tuple_items(p, arguments, items, 4);
    if (count < 6 || count > 7 || pickle_at(p, items[0])->type != PICKLE_STORAGE ||
        !pickle_is_count(p, items[1]) || !pickle_is_dimensions(p, items[2]) ||
        !pickle_is_dimensions(p, items[3]) ||
        pickle_at(p, items[2])->as.items.count != pickle_at(p, items[3])->as.items.count) {
        return fail_damaged(p);
    }
    pickle_object *o = push_object(p, PICKLE_TENSOR);
    if (!o) {
        return p->error->status;
    }
    o->as.tensor.storage = items[0];
    o->as.tensor.shape = items[2];
    o->as.tensor.strides = items[3];
    o->as.tensor.offset = (uint64_t)pickle_at(p, items[1])->as.whole;
    return RUNNING;
}

/* Pushes the tensor in the `arguments` of _rebuild_parameter: (tensor, requires_grad, hooks). */
static int rebuild_parameter(pickle *p, pickle_id arguments) {
    pickle_id tensor[1];
    if (pickle_tuple_items(p, arguments, tensor, 1) != 3 ||
        pickle_at(p, tensor[0])->type != PICKLE_TENSOR) {
        return fail_damaged(p);
    }
    int status = push(p, tensor[0]);
    return status < 0 ? status : RUNNING;
}

/* Pops a global, the function to call, and a tuple of arguments; pushes the object that the call
 * would return. */
static int reduce(pickle *p) {
    if (!has_top(p, 2)) {
        return fail_damaged(p);
    }
    p->depth -= 2;
    const pickle_object *called = pickle_at(p, p->stack[p->depth]);
    pickle_id arguments = p->stack[p->depth + 1];
    if (called->type != PICKLE_GLOBAL) {
        return fail_damaged(p);
    }
    switch (called->as.global) {
    case PICKLE_ORDERED_DICT:
        return pickle_tuple_items(p, arguments, NULL, 0) != 0 ? fail_damaged(p)
                                                              : push_empty(p, PICKLE_DICT);
    case PICKLE_REBUILD_TENSOR:
        return rebuild_tensor(p, arguments);
    case PICKLE_REBUILD_PARAMETER:
        return rebuild_parameter(p, arguments);
    case PICKLE_NUMPY_DTYPE:
    case PICKLE_NUMPY_SCALAR:
    case PICKLE_NUMPY_ARRAY:
    case PICKLE_NUMPY2_SCALAR:
    case PICKLE_NUMPY2_ARRAY:
    case PICKLE_ENCODE:
        return pickle_tuple_items(p, arguments, NULL, 0) < 0 ? fail_damaged(p)
                                                             : push_empty(p, PICKLE_OPAQUE);
    default:
        return gpt_fail_name(p->error, GPT_E_UNSUPPORTED, GLOBALS[called->as.global].name);
    }
}

/* Pops and ignores the state for the object below it: attributes of a dict (_metadata of a state
 * dict), or the state of an opaque object. No tensor depends on these. Refuses other objects. */
static int build(pickle *p) {
    pickle_type of = has_top(p, 2) ? pickle_at(p, p->stack[p->depth - 2])->type : PICKLE_NONE;
    if (of != PICKLE_OPAQUE &&
        (of != PICKLE_DICT || pickle_at(p, p->stack[p->depth - 1])->type != PICKLE_DICT)) {
        return fail_opcode(p, OP_BUILD);
    }
    p->depth--;
    return RUNNING;
}

/* ---- The machine ----------------------------------------------------------------------------- */

static int read_protocol(pickle *p) {
    const unsigned char *version = next_bytes(p, 1);
    if (!version) {
        return fail_damaged(p);
    }
    return *version >= 2 && *version <= 5
               ? RUNNING
               : gpt_fail_name(p->error, GPT_E_UNSUPPORTED, "pickle.protocol");
}

static int stop(pickle *p) {
    if (p->depth != 1 || !has_top(p, 1)) {
        return fail_damaged(p);
    }
    p->root = p->stack[0];
    return GPT_OK;
}

static int push_mark(pickle *p) {
    int status = push(p, MARK_ID);
    return status < 0 ? status : RUNNING;
}

/* Executes one opcode. Returns RUNNING, GPT_OK after STOP, or an error. */
static int run_opcode(pickle *p, int opcode) {
    switch (opcode) {
    case OP_PROTO:
        return read_protocol(p);
    case OP_FRAME:
        return next_bytes(p, 8) ? RUNNING : fail_damaged(p);
    case OP_MARK:
        return push_mark(p);
    case OP_STOP:
        return stop(p);
    case OP_NONE:
        return push_empty(p, PICKLE_NONE);
    case OP_NEWTRUE:
    case OP_NEWFALSE:
        return push_whole(p, PICKLE_BOOLEAN, opcode == OP_NEWTRUE);
    case OP_BININT:
        return read_whole(p, 4, true);
    case OP_BININT1:
        return read_whole(p, 1, false);
    case OP_BININT2:
        return read_whole(p, 2, false);
    case OP_LONG1:
        return read_long(p);
    case OP_BINFLOAT:
        return next_bytes(p, 8) ? push_empty(p, PICKLE_NUMBER) : fail_damaged(p);
    case OP_BINUNICODE:
        return read_text(p, 4);
    case OP_SHORT_BINUNICODE:
        return read_text(p, 1);
    case OP_BINBYTES:
        return read_bytes(p, 4);
    case OP_SHORT_BINBYTES:
        return read_bytes(p, 1);
    case OP_EMPTY_TUPLE:
        return push_empty(p, PICKLE_TUPLE);
    case OP_EMPTY_LIST:
        return push_empty(p, PICKLE_LIST);
    case OP_EMPTY_DICT:
        return push_empty(p, PICKLE_DICT);
    case OP_TUPLE:
        return make_tuple(p, above_mark(p), 1);
    case OP_TUPLE1:
    case OP_TUPLE2:
    case OP_TUPLE3:
        return make_tuple(p, (size_t)opcode - OP_TUPLE1 + 1, 0);
    case OP_APPEND:
        return add_items(p, PICKLE_LIST, 1, 0);
    case OP_APPENDS:
        return add_items(p, PICKLE_LIST, above_mark(p), 1);
    case OP_SETITEM:
        return add_items(p, PICKLE_DICT, 2, 0);
    case OP_SETITEMS:
        return add_items(p, PICKLE_DICT, above_mark(p), 1);
    case OP_BINPUT:
        return read_put(p, 1);
    case OP_LONG_BINPUT:
        return read_put(p, 4);
    case OP_MEMOIZE:
        return memo_put(p, p->memo_count);
    case OP_BINGET:
        return read_get(p, 1);
    case OP_LONG_BINGET:
        return read_get(p, 4);
    case OP_GLOBAL:
        return read_global(p);
    case OP_STACK_GLOBAL:
        return stack_global(p);
    case OP_BINPERSID:
        return load_storage(p);
    case OP_REDUCE:
        return reduce(p);
    case OP_BUILD:
        return build(p);
    default:
        return fail_opcode(p, opcode);
    }
}

int pickle_read(pickle *p, const unsigned char *bytes, size_t size, gpt_error *error) {
    memset(p, 0, sizeof *p);
    p->bytes = bytes;
    p->size = size;
    p->error = error;
    p->cell_count = 1; // cell 0 is unused, because index 0 ends a list
    int status = RUNNING;
    while (status == RUNNING) {
        const unsigned char *opcode = next_bytes(p, 1);
        status = opcode ? run_opcode(p, *opcode) : fail_damaged(p);
    }
    return status;
}

void pickle_close(pickle *p) {
    free(p->objects);
    free(p->cells);
    free(p->stack);
    free(p->memo);
    memset(p, 0, sizeof *p);
}
