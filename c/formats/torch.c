/* torch.c - reads files of torch.save: pytorch_model.bin (a state dict) and ckpt.pt of nanoGPT,
 * recognised by its key 'model_args'.
 *
 * A file is a zip archive of storages (arrays of numbers), with a pickle that states which part of
 * which storage each tensor is. Linear weights of nanoGPT are (out,in) and are transposed. A
 * nanoGPT without biases becomes a GPT-2 with biases of zero. nanoGPT computes GELU exactly, this
 * engine approximates it by tanh.
 */
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

#include "formats/pickle.h"
#include "formats/zip.h"
#include "formats/gpt2.h"
#include "formats/gpt2_weights.h"

enum {
    FOLDER_MAX = 256,
    KEY_MAX = 32,
    /* A request covers the local headers that begin within this many bytes of its first byte. */
    BATCH_BYTES = 1 << 18,
    END_OF_TEXT = 50256, // id of <|endoftext|> in GPT-2's vocabulary
};

/* The source of a tensor's numbers: the archive's entry that contains its storage. NULL for a
 * tensor of zeros (FOREIGN_ZEROS). */
typedef struct tensor_place {
    zip_entry *entry;
} tensor_place;

/* The state of this reader (foreign_reader.own). */
typedef struct torch_file {
    zip_file zip;
    char folder[FOLDER_MAX];        /* the folder of all entries, with its slash */
    zip_entry *pickle;              /* the entry data.pkl */
    tensor_place *places;           /* owned; one for each tensor of the reader */
    tensor_place *wanted;           /* owned; the places with an entry, sorted by its offset */
    size_t wanted_count, wanted_at; /* length of `wanted`; its first item with an unread header */
    size_t batch; /* items from wanted_at on whose local headers the current request covers */
} torch_file;

static torch_file *file_of(const foreign_reader *r) {
    return r->own;
}

static void close_file(foreign_reader *r) {
    torch_file *f = file_of(r);
    zip_close(&f->zip);
    free(f->places);
    free(f->wanted);
    free(f);
}

/* ---- Local headers --------------------------------------------------------------------------- */

/* Adds the offset of each storage in the file to the offsets of the tensors within their storages,
 * and sets r->ready. */
static int finish(foreign_reader *r) {
    const torch_file *f = file_of(r);
    for (size_t i = 0; i < r->count; i++) {
        r->sources[i].begin += f->places[i].entry ? f->places[i].entry->data_at : 0;
    }
    r->ready = true;
    return GPT_OK;
}

static reader_step read_headers;

/* Requests a range with the next local headers: the first unread header, and all headers that begin
 * within BATCH_BYTES of it. */
static int want_headers(foreign_reader *r, gpt_error *error) {
    torch_file *f = file_of(r);
    uint64_t from = f->wanted[f->wanted_at].entry->local_at;
    f->batch = 1;
    while (f->wanted_at + f->batch < f->wanted_count &&
           f->wanted[f->wanted_at + f->batch].entry->local_at - from < BATCH_BYTES) {
        f->batch++;
    }
    uint64_t last = f->wanted[f->wanted_at + f->batch - 1].entry->local_at;
    return reader_want(r, from, last - from + ZIP_LOCAL_BYTES, read_headers, error);
}

static int read_headers(foreign_reader *r, const unsigned char *bytes, size_t count,
                        gpt_error *error) {
    (void)count;
    torch_file *f = file_of(r);
    for (size_t i = 0; i < f->batch; i++) {
        zip_entry *e = f->wanted[f->wanted_at + i].entry;
        int status = zip_read_local(e, bytes + (e->local_at - r->want_at), error);
        if (status < 0) {
            return status;
        }
    }
    f->wanted_at += f->batch;
    return f->wanted_at < f->wanted_count ? want_headers(r, error) : finish(r);
}

static int compare_places(const void *a, const void *b) {
    const zip_entry *x = ((const tensor_place *)a)->entry, *y = ((const tensor_place *)b)->entry;
    return (x->local_at > y->local_at) - (x->local_at < y->local_at);
}

/* Fills f->wanted with the entries of all tensors, sorted by offset, and requests the first local
 * headers. Errors: GPT_E_FILE if no tensor has an entry. */
static int list_wanted(foreign_reader *r, gpt_error *error) {
    torch_file *f = file_of(r);
    f->wanted = malloc(r->count * sizeof *f->wanted + 1);
    if (!f->wanted) {
        return gpt_fail_allocation(error, r->count * sizeof *f->wanted);
    }
    for (size_t i = 0; i < r->count; i++) {
        if (f->places[i].entry) {
            f->wanted[f->wanted_count++] = f->places[i];
        }
    }
    qsort(f->wanted, f->wanted_count, sizeof *f->wanted, compare_places);
    return f->wanted_count ? want_headers(r, error)
                           : gpt_fail_name(error, GPT_E_FILE, "state_dict.tensors");
}

/* ---- Tensors --------------------------------------------------------------------------------- */

/* Returns the archive's entry that contains a storage, or NULL. */
static zip_entry *find_storage(const torch_file *f, const pickle *p, const pickle_object *storage) {
    const pickle_object *key = pickle_at(p, storage->as.storage.key);
    char name[FOLDER_MAX + KEY_MAX + 8];
    text_buffer out = text_begin(name, sizeof name);
    text_put(&out, f->folder);
    text_put(&out, "data/");
    text_put_bytes(&out, key->as.text.bytes, key->as.text.length);
    size_t length = text_end(&out);
    return length < sizeof name ? zip_find(&f->zip, name, length) : NULL;
}

/* Returns the FILE_... type of a storage's numbers; -1 for a type that weights cannot have. */
static int type_of(const pickle_object *storage) {
    switch (storage->as.storage.kind) {
    case PICKLE_FLOAT:
        return FILE_F32;
    case PICKLE_HALF:
        return FILE_F16;
    case PICKLE_BFLOAT16:
        return FILE_BF16;
    default:
        return -1;
    }
}

static int refuse(const char *what, const char *name, gpt_error *error) {
    char detail[sizeof error->name];
    text_buffer out = text_begin(detail, sizeof detail);
    text_put(&out, what);
    text_put(&out, name);
    text_end(&out);
    return gpt_fail_name(error, GPT_E_UNSUPPORTED, detail);
}

/* Copies the first two numbers of a tuple to `out`, or fewer if the tuple is shorter. */
static void read_dimensions(const pickle *p, pickle_id tuple, uint64_t out[2]) {
    uint32_t cell = pickle_at(p, tuple)->as.items.first;
    for (int i = 0; i < 2 && cell; i++) {
        out[i] = (uint64_t)pickle_at(p, p->cells[cell].item)->as.whole;
        cell = p->cells[cell].next;
    }
}

/* Sets the shape and type of the tensor `s` from the pickle's object `from`, its archive entry in
 * `place`, and s->begin to the offset in its storage, in bytes. Errors: GPT_E_TENSOR_TYPE,
 * GPT_E_TENSOR_SHAPE, GPT_E_UNSUPPORTED (transposed or strided), GPT_E_FILE (the archive lacks the
 * storage), GPT_E_TENSOR_BYTES (beyond the end of the storage). */
static int place_tensor(const torch_file *f, const pickle *p, const pickle_object *from,
                        foreign_tensor *s, tensor_place *place, gpt_error *error) {
    const pickle_object *storage = pickle_at(p, from->as.tensor.storage);
    uint32_t dims = pickle_at(p, from->as.tensor.shape)->as.items.count;
    uint64_t shape[2] = {0}, strides[2] = {0};
    read_dimensions(p, from->as.tensor.shape, shape);
    read_dimensions(p, from->as.tensor.strides, strides);
    s->type = type_of(storage);
    if (s->type < 0) {
        return gpt_fail_name(error, GPT_E_TENSOR_TYPE, s->name);
    }
    if (dims < 1 || dims > 2 || !shape[0] || !shape[dims - 1]) {
        return gpt_fail_name(error, GPT_E_TENSOR_SHAPE, s->name);
    }
    s->rows = dims == 2 ? shape[0] : 0;
    s->columns = shape[dims - 1];
    // in a dimension of length 1 the stride is never used, so it may have any value
    if ((s->columns > 1 && strides[dims - 1] != 1) || (s->rows > 1 && strides[0] != s->columns)) {
        return refuse("strided:", s->name, error);
    }
    place->entry = find_storage(f, p, storage);
    if (!place->entry) {
        return gpt_fail_name(error, GPT_E_FILE, "storage");
    }
    uint64_t width = tensor_file_type_bytes(s->type), bytes = foreign_tensor_bytes(s);
    uint64_t numbers = storage->as.storage.numbers, offset = from->as.tensor.offset;
    if (numbers > place->entry->size / width || offset > numbers ||
        bytes > (numbers - offset) * width) {
        return gpt_fail_name(error, GPT_E_TENSOR_BYTES, s->name);
    }
    s->begin = offset * width;
    return GPT_OK;
}

static bool ends_with(const char *name, const char *end) {
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* Adds the bias of the weight r->sources[of] as zeros, for a nanoGPT without biases. */
static int add_zeros(foreign_reader *r, size_t of, gpt_error *error) {
    const char *name = r->sources[of].name;
    char bias[FILE_NAME_MAX];
    text_buffer out = text_begin(bias, sizeof bias);
    text_put_bytes(&out, name, strlen(name) - strlen("weight"));
    text_put(&out, "bias");
    foreign_tensor *s = reader_add_tensor(r, bias, text_end(&out), error);
    if (!s) {
        return error->status;
    }
    // read only now, because reader_add_tensor may have moved the array r->sources
    const foreign_tensor *weight = &r->sources[of];
    s->type = weight->type;
    s->columns = weight->rows ? weight->rows : weight->columns;
    s->begin = FOREIGN_ZEROS;
    return GPT_OK;
}

/* A state dict, and how to read its tensors. */
typedef struct state_dict {
    const pickle_object *dict;
    bool nano;   /* the file is a checkpoint of nanoGPT */
    bool biases; /* the model has biases */
    bool shared; /* the head and the token table share a storage */
} state_dict;

static int add_tensor(foreign_reader *r, const pickle *p, const state_dict *d,
                      const pickle_object *key, const pickle_object *value, gpt_error *error) {
    torch_file *f = file_of(r);
    char name[FILE_NAME_MAX];
    text_buffer out = text_begin(name, sizeof name);
    if (key->type == PICKLE_TEXT) {
        text_put_bytes(&out, key->as.text.bytes, key->as.text.length);
    }
    size_t length = text_end(&out), at = r->count;
    if (value->type != PICKLE_TENSOR) {
        return refuse("entry:", name, error);
    }
    if (gpt2_ignores(name) || (d->shared && ends_with(name, "lm_head.weight"))) {
        return GPT_OK;
    }
    foreign_tensor *s = reader_add_tensor(r, name, length, error);
    if (!s) {
        return error->status;
    }
    const param *weight = gpt2_find_weight(&r->weights, gpt2_plain_name(name));
    bool linear = weight && weight->linear, norm = weight && weight->init == INIT_ONE;
    s->transposed = d->nano && linear;
    int status = place_tensor(f, p, value, s, &f->places[at], error);
    bool zeros = d->nano && !d->biases && (linear || norm);
    return status == GPT_OK && zeros ? add_zeros(r, at, error) : status;
}

static int add_tensors(foreign_reader *r, const pickle *p, const state_dict *d, gpt_error *error) {
    torch_file *f = file_of(r);
    // upper bound of the number of tensors: the dict has two items, key and value, for each of its
    // entries, and an entry adds at most two tensors, a weight and a bias of zeros
    size_t most = d->dict->as.items.count;
    f->places = calloc(most + 1, sizeof *f->places);
    if (!f->places) {
        return gpt_fail_allocation(error, most * sizeof *f->places);
    }
    int status = GPT_OK;
    for (uint32_t cell = d->dict->as.items.first; cell && status == GPT_OK;) {
        const pickle_cell *value = &p->cells[p->cells[cell].next];
        status = add_tensor(r, p, d, pickle_at(p, p->cells[cell].item), pickle_at(p, value->item),
                            error);
        cell = value->next;
    }
    return status < 0 ? status : list_wanted(r, error);
}

/* ---- nanoGPT --------------------------------------------------------------------------------- */

/* Returns the first tensor of a state dict whose name ends with `end`, or NULL. */
static const pickle_object *find_tensor(const pickle *p, const pickle_object *dict,
                                        const char *end) {
    size_t length = strlen(end);
    for (uint32_t cell = dict->as.items.first; cell;) {
        const pickle_cell *value = &p->cells[p->cells[cell].next];
        const pickle_object *key = pickle_at(p, p->cells[cell].item);
        if (key->type == PICKLE_TEXT && key->as.text.length >= length &&
            memcmp(key->as.text.bytes + key->as.text.length - length, end, length) == 0 &&
            pickle_at(p, value->item)->type == PICKLE_TENSOR) {
            return pickle_at(p, value->item);
        }
        cell = value->next;
    }
    return NULL;
}

/* Whether two tensors begin at the same number of the same storage. */
static bool share_storage(const pickle *p, const pickle_object *a, const pickle_object *b) {
    const pickle_object *x = pickle_at(p, a->as.tensor.storage);
    const pickle_object *y = pickle_at(p, b->as.tensor.storage);
    const pickle_object *one = pickle_at(p, x->as.storage.key);
    const pickle_object *other = pickle_at(p, y->as.storage.key);
    return a->as.tensor.offset == b->as.tensor.offset &&
           one->as.text.length == other->as.text.length &&
           memcmp(one->as.text.bytes, other->as.text.bytes, one->as.text.length) == 0;
}

/* Fails with GPT_E_CHOICE, named "n_layer str (int)": the argument's name, its type in the file
 * ("missing" if `value` is NULL) and, in parentheses, the type `wanted`. */
static int refuse_argument(const char *name, const pickle_object *value, const char *wanted,
                           gpt_error *error) {
    static const char *const TYPES[] = {
        [PICKLE_NONE] = "None",       [PICKLE_BOOLEAN] = "bool",  [PICKLE_WHOLE] = "int",
        [PICKLE_NUMBER] = "float",    [PICKLE_TEXT] = "str",      [PICKLE_TUPLE] = "tuple",
        [PICKLE_LIST] = "list",       [PICKLE_DICT] = "dict",     [PICKLE_GLOBAL] = "type",
        [PICKLE_STORAGE] = "storage", [PICKLE_TENSOR] = "tensor", [PICKLE_OPAQUE] = "numpy"};
    char detail[sizeof error->name];
    text_buffer out = text_begin(detail, sizeof detail);
    text_put(&out, name);
    text_put(&out, " ");
    text_put(&out, value ? TYPES[value->type] : "missing");
    text_put(&out, " (");
    text_put(&out, wanted);
    text_put(&out, ")");
    text_end(&out);
    return gpt_fail_name(error, GPT_E_CHOICE, detail);
}

static int read_arguments(foreign_reader *r, const pickle *p, const pickle_object *arguments,
                          state_dict *d, gpt_error *error) {
    gpt2_shape shape = {.bos = -1};
    double vocab = 0;
    const struct {
        const char *name;
        double *value;
    } numbers[] = {{"n_layer", &shape.layers},
                   {"n_head", &shape.heads},
                   {"n_embd", &shape.channels},
                   {"block_size", &shape.context},
                   {"vocab_size", &vocab}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const pickle_object *value = pickle_find(p, arguments, numbers[i].name);
        if (!value || value->type != PICKLE_WHOLE) {
            return refuse_argument(numbers[i].name, value, "int", error);
        }
        *numbers[i].value = (double)value->as.whole;
    }
    if (!(vocab >= 1 && vocab <= VOCABULARY_MAX)) {
        return gpt_fail(error, GPT_E_RANGE, "vocab_size", vocab, 1, VOCABULARY_MAX);
    }
    const pickle_object *bias = pickle_find(p, arguments, "bias");
    if (bias && bias->type != PICKLE_BOOLEAN) {
        return refuse_argument("bias", bias, "bool", error);
    }
    const pickle_object *table = find_tensor(p, d->dict, "wte.weight");
    const pickle_object *head = find_tensor(p, d->dict, "lm_head.weight");
    d->nano = true;
    d->biases = !bias || bias->as.whole; // a file without `bias` is older; its model has biases
    d->shared = table && head && share_storage(p, table, head);
    shape.tied = d->shared || !head;
    shape.vocab = (int)vocab;
    // both sizes mean GPT-2's vocabulary: nanoGPT pads it to 50304 rows
    shape.bos = shape.vocab == END_OF_TEXT + 1 || shape.vocab == 50304 ? END_OF_TEXT : -1;
    return reader_set_config(r, &shape, error);
}

static int read_values(foreign_reader *r, const pickle *p, gpt_error *error) {
    const pickle_object *root = pickle_at(p, p->root);
    const pickle_object *arguments = pickle_find(p, root, "model_args");
    state_dict d = {.dict = arguments ? pickle_find(p, root, "model") : root};
    if (!d.dict || d.dict->type != PICKLE_DICT) {
        return gpt_fail_name(error, GPT_E_FILE, "state_dict");
    }
    int status = arguments ? read_arguments(r, p, arguments, &d, error) : GPT_OK;
    return status < 0 ? status : add_tensors(r, p, &d, error);
}

/* ---- The archive ----------------------------------------------------------------------------- */

/* Requests the bytes of an entry and of its local header. The length of the header is not known
 * yet, so the range has room for the longest possible header, but ends at the entry's limit.
 * Errors: GPT_E_FILE if the entry is longer than PICKLE_BYTES_MAX. */
static int want_entry(foreign_reader *r, const zip_entry *e, reader_step *step, gpt_error *error) {
    uint64_t room = e->limit - e->local_at, most = ZIP_LOCAL_BYTES + 2 * 65535 + e->size;
    if (e->size > PICKLE_BYTES_MAX) {
        return gpt_fail_name(error, GPT_E_FILE, "data.pkl");
    }
    return reader_want(r, e->local_at, room < most ? room : most, step, error);
}

static int read_pickle(foreign_reader *r, const unsigned char *bytes, size_t count,
                       gpt_error *error) {
    (void)count;
    zip_entry *e = file_of(r)->pickle;
    int status = zip_read_local(e, bytes, error);
    if (status < 0) {
        return status;
    }
    pickle p;
    status = pickle_read(&p, bytes + (e->data_at - e->local_at), (size_t)e->size, error);
    status = status < 0 ? status : read_values(r, &p, error);
    pickle_close(&p);
    return status;
}

/* Returns the entry of this name in f->folder, or NULL. */
static zip_entry *find_entry(const torch_file *f, const char *name) {
    char path[FOLDER_MAX + 16];
    text_buffer out = text_begin(path, sizeof path);
    text_put(&out, f->folder);
    text_put(&out, name);
    return zip_find(&f->zip, path, text_end(&out));
}

/* Reads the entry "byteorder", which must be "little", and requests the pickle. Errors:
 * GPT_E_UNSUPPORTED. Files from before torch 2.1 have no such entry and are little-endian. */
static int read_byte_order(foreign_reader *r, const unsigned char *bytes, size_t count,
                           gpt_error *error) {
    (void)count;
    torch_file *f = file_of(r);
    zip_entry *e = find_entry(f, "byteorder");
    int status = zip_read_local(e, bytes, error);
    if (status < 0) {
        return status;
    }
    const char *order = (const char *)bytes + (e->data_at - e->local_at);
    if (e->size != 6 || memcmp(order, "little", 6) != 0) {
        return gpt_fail_name(error, GPT_E_UNSUPPORTED, "big-endian");
    }
    return want_entry(r, f->pickle, read_pickle, error);
}

/* Finds the entry FOLDER/data.pkl and sets f->pickle and f->folder. Errors: GPT_E_FILE_ZIP if the
 * archive has no such entry, GPT_E_FILE if it has several. */
static int find_folder(torch_file *f, gpt_error *error) {
    static const char PICKLE[] = "/data.pkl";
    enum { LENGTH = sizeof PICKLE - 1 };
    for (size_t i = 0; i < f->zip.count; i++) {
        zip_entry *e = &f->zip.entries[i];
        size_t folder = e->name_bytes < LENGTH ? 0 : e->name_bytes - LENGTH;
        if (!folder || memcmp(e->name + folder, PICKLE, LENGTH) != 0 ||
            memchr(e->name, '/', folder) || memchr(e->name, 0, folder)) {
            continue;
        }
        if (f->pickle || folder + 1 >= FOLDER_MAX) {
            return gpt_fail_name(error, GPT_E_FILE, "data.pkl");
        }
        f->pickle = e;
        memcpy(f->folder, e->name, folder + 1);
    }
    return f->pickle ? GPT_OK : gpt_fail_name(error, GPT_E_FILE_ZIP, "");
}

static int read_directory(foreign_reader *r, const unsigned char *bytes, size_t count,
                          gpt_error *error) {
    (void)count;
    torch_file *f = file_of(r);
    int status = zip_read_directory(&f->zip, bytes, error);
    status = status < 0 ? status : find_folder(f, error);
    if (status < 0) {
        return status;
    }
    const zip_entry *order = find_entry(f, "byteorder");
    return order ? want_entry(r, order, read_byte_order, error)
                 : want_entry(r, f->pickle, read_pickle, error);
}

static int read_end(foreign_reader *r, const unsigned char *bytes, size_t count, gpt_error *error) {
    zip_file *z = &file_of(r)->zip;
    int status = zip_read_end(z, bytes, count, r->file_bytes, error);
    return status < 0 ? status
                      : reader_want(r, z->directory_at, z->directory_bytes, read_directory, error);
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* The first bytes of a zip archive. */
static const unsigned char ARCHIVE[] = {'P', 'K', 3, 4};
/* The first bytes of a file of torch before 1.6, which begins with the pickle of a magic number. */
static const unsigned char LEGACY[] = {0x80, 2, 0x8a, 10};

bool torch_is(const unsigned char *first, size_t count) {
    return count >= 4 && (memcmp(first, ARCHIVE, sizeof ARCHIVE) == 0 ||
                          memcmp(first, LEGACY, sizeof LEGACY) == 0);
}

static int read_start(foreign_reader *r, const unsigned char *bytes, size_t count,
                      gpt_error *error) {
    (void)count;
    if (memcmp(bytes, LEGACY, sizeof LEGACY) == 0) {
        return gpt_fail_name(error, GPT_E_UNSUPPORTED, "torch<1.6");
    }
    torch_file *f = calloc(1, sizeof *f);
    if (!f) {
        return gpt_fail_allocation(error, sizeof *f);
    }
    r->own = f;
    r->close = close_file;
    uint64_t end = r->file_bytes < ZIP_END_BYTES ? r->file_bytes : ZIP_END_BYTES;
    return reader_want(r, r->file_bytes - end, end, read_end, error);
}

int torch_open(foreign_reader *r, gpt_error *error) {
    return reader_want(r, 0, sizeof ARCHIVE, read_start, error);
}
