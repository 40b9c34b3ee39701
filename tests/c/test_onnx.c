/* test_onnx.c - the export to ONNX, parsed by a small reader of Protocol Buffers.
 *
 * Every length must match its field, every name must be defined before its use, and every
 * initializer must have the bits of its weight.
 */
#include "formats/gpt2_weights.h"
#include "formats_files.h"

/* The bytes of a message or a field of Protocol Buffers. Borrows. */
typedef struct span {
    const unsigned char *at, *end;
} span;

typedef struct field {
    int number, wire;
    uint64_t value; /* value of a field of wire type 0 (varint) */
    span bytes;     /* content of a field of wire type 2 (with a length) or 5 (4 bytes) */
} field;

static uint64_t read_varint(span *s) {
    uint64_t value = 0;
    for (int shift = 0; CHECK(s->at < s->end && shift < 70); shift += 7) {
        unsigned char byte = *s->at++;
        value |= (uint64_t)(byte & 0x7F) << (shift & 63);
        if (!(byte & 0x80)) return value;
    }
    s->at = s->end;
    return 0;
}

/* Reads the next field and advances `message` past it; false at the end of the message. */
static bool next(span *message, field *f) {
    if (message->at == message->end) return false;
    uint64_t tag = read_varint(message);
    *f = (field){.number = (int)(tag >> 3), .wire = (int)(tag & 7)};
    uint64_t left = (uint64_t)(message->end - message->at), size = 0;
    if (f->wire == 0) {
        f->value = read_varint(message);
    } else if (f->wire == 2) {
        size = read_varint(message);
        left = (uint64_t)(message->end - message->at);
    } else {
        size = CHECK_INT(f->wire, 5) ? 4 : left;
    }
    if (!CHECK(size <= left)) size = left;
    f->bytes = (span){message->at, message->at + size};
    message->at += size;
    return true;
}

/* Returns the content of the first field with the given number; empty if the message has no such
 * field. */
static span find(span message, int number) {
    field f;
    while (next(&message, &f)) {
        if (f.number == number) return f.bytes;
    }
    return (span){NULL, NULL};
}

static size_t size_of(span s) {
    return (size_t)(s.end - s.at);
}

static bool is(span s, const char *text) {
    return size_of(s) == strlen(text) && memcmp(s.at, text, size_of(s)) == 0;
}

/* Returns the graph of an ONNX model, its field 7. */
static span graph_of(blob file) {
    return find((span){(unsigned char *)file.bytes, (unsigned char *)file.bytes + file.size}, 7);
}

/* Reads every nested message of the graph to its end, which checks that the lengths of its fields
 * add up to its length. `path`: the field numbers that lead from the graph to `message`, separated
 * by dots; "" for the graph. */
static void read_through(span message, const char *path) {
    // The paths, as field numbers, of all fields of the graph that are messages: a node (1) and its
    // attributes (1.5), an initializer (5), an input (11), an output (12), and the types of both.
    static const char *const MESSAGES[] = {"1",      "1.5",      "5",          "11", "11.2",
                                           "11.2.1", "11.2.1.2", "11.2.1.2.1", "12", "12.2",
                                           "12.2.1", "12.2.1.2", "12.2.1.2.1"};
    field f;
    while (next(&message, &f)) {
        char below[64];
        snprintf(below, sizeof below, "%s%s%d", path, *path ? "." : "", f.number);
        for (size_t i = 0; i < sizeof MESSAGES / sizeof *MESSAGES; i++) {
            if (f.wire == 2 && strcmp(MESSAGES[i], below) == 0) read_through(f.bytes, below);
        }
    }
}

/* Counts the initializers (weights) called `name`. `raw` and `dims` receive the data and at most
 * two dimensions of the last such initializer. */
static uint64_t initializers(span graph, const char *name, span *raw, uint64_t dims[2]) {
    field f;
    uint64_t count = 0;
    while (next(&graph, &f)) {
        if (f.number != 5 || !is(find(f.bytes, 8), name)) continue;
        count++;
        *raw = find(f.bytes, 9);
        span tensor = f.bytes;
        int rank = 0;
        while (next(&tensor, &f)) {
            if (f.number == 1 && rank < 2) dims[rank++] = f.value;
            if (f.number == 2) CHECK_INT((int)f.value, 1); // the data type FLOAT
        }
    }
    return count;
}

/* Checks that every name that a node or an output reads is defined before: by an input, an
 * initializer or an earlier node. */
static void check_names(span graph) {
    static span made[4096];
    size_t count = 0;
    field f, g;
    for (span s = graph; next(&s, &f);) {
        if (f.number == 11) made[count++] = find(f.bytes, 1);
        if (f.number == 5) made[count++] = find(f.bytes, 8);
    }
    for (int pass = 0; pass < 2; pass++) { // pass 0: nodes, pass 1: outputs
        for (span s = graph; next(&s, &f);) {
            if (f.number != (pass ? 12 : 1)) continue;
            for (span node = f.bytes; next(&node, &g);) {
                if (g.number != 1) continue;
                bool known = false;
                for (size_t i = 0; i < count; i++) {
                    known |= size_of(made[i]) == size_of(g.bytes) &&
                             memcmp(made[i].at, g.bytes.at, size_of(g.bytes)) == 0;
                }
                if (!CHECK(known)) printf("  %.*s\n", (int)size_of(g.bytes), g.bytes.at);
            }
            for (span node = f.bytes; !pass && next(&node, &g);) {
                if (g.number == 2 && CHECK(count < 4096)) made[count++] = g.bytes;
            }
        }
    }
}

static void check_file(gpt_trainer *t, blob file) {
    span graph = graph_of(file);
    CHECK(graph.end == (unsigned char *)file.bytes + file.size); // the graph is the last field
    read_through(graph, "");
    check_names(graph);
    for (int i = 0; i < t->run.net.count; i++) {
        const param *p = &t->run.net.params[i];
        span raw = {NULL, NULL};
        uint64_t dims[2] = {0, 0}, rows = param_rows(p);
        CHECK_INT((int)initializers(graph, p->name, &raw, dims), 1);
        CHECK(dims[0] == (rows ? rows : param_columns(p)));
        CHECK(dims[1] == (rows ? param_columns(p) : 0));
        CHECK(size_of(raw) == (size_t)p->value.size * sizeof(float) &&
              memcmp(raw.at, p->value.data, size_of(raw)) == 0);
    }
}

/* Returns a small model after two steps. `changes`: pairs of an option and its value as text; a
 * NULL option ends the list. */
static gpt_trainer *grown(const char *preset, const char *changes[][2]) {
    gpt_config *config = small(preset);
    for (; (*changes)[0]; changes++) {
        CHECK_INT(gpt_config_set_text(config, (*changes)[0], (*changes)[1]), GPT_OK);
    }
    gpt_trainer *t = gpt_trainer_create(config, LINES, strlen(LINES));
    for (int i = 0; t && i < 2; i++) CHECK_INT(gpt_step(t), GPT_OK);
    gpt_config_free(config);
    return t;
}

int main(void) {
    TEST("every weight of every preset is an initializer with the same bits, for pieces of any "
         "size") {
        static const char *PLAIN[][2] = {{NULL, NULL}};
        static const char *LONG[][2] = {{"layers", "12"}, {"tied_head", "false"}, {NULL, NULL}};
        for (int k = 0; gpt_preset_name(k); k++) {
            for (int more = 0; more < 2; more++) {
                gpt_trainer *t = grown(gpt_preset_name(k), more ? LONG : PLAIN);
                if (!CHECK(t != NULL)) continue;
                const char *forms[] = {"onnx", "onnx-plain"};
                for (int f = 0; f < 2; f++) {
                    int status;
                    blob whole = export_as(t, forms[f], 1 << 20, &status);
                    CHECK_INT(status, GPT_OK);
                    check_file(t, whole);
                    for (size_t piece = more ? 777 : 33; piece < 1000; piece = piece * 23 + 2) {
                        blob pieces = export_as(t, forms[f], piece, &status);
                        CHECK(pieces.size == whole.size &&
                              memcmp(pieces.bytes, whole.bytes, whole.size) == 0);
                        free(pieces.bytes);
                    }
                    free(whole.bytes);
                }
                gpt_trainer_free(t);
            }
        }
    }

    TEST("only the graph with a KV cache has inputs and outputs for it, two for each block") {
        static const char *CHANGES[][2] = {{"layers", "3"}, {NULL, NULL}};
        gpt_trainer *t = grown("gpt2", CHANGES);
        for (int plain = 0; t && plain < 2; plain++) {
            int status, inputs = 0, outputs = 0;
            blob file = export_as(t, plain ? "onnx-plain" : "onnx", 4096, &status);
            field f;
            for (span s = graph_of(file); next(&s, &f);) {
                inputs += f.number == 11;
                outputs += f.number == 12;
            }
            CHECK_INT(inputs, plain ? 1 : 2 + 6);
            CHECK_INT(outputs, plain ? 1 : 1 + 6);
            free(file.bytes);
        }
        gpt_trainer_free(t);
    }

    TEST("config.json of an ONNX export has the model's sizes even if the recipe is not GPT-2's") {
        static const char *CHANGES[][2] = {{"sequences", "documents"}, {NULL, NULL}};
        gpt_trainer *t = grown("microgpt", CHANGES);
        int status;
        blob text = export_as(t, "onnx-config.json", 4096, &status);
        CHECK_INT(status, GPT_OK);
        CHECK(strstr(text.bytes, "\"model_type\": \"gpt2\"") != NULL);
        CHECK(strstr(text.bytes, "\"n_layer\": 2") && strstr(text.bytes, "\"n_head\": 4"));
        CHECK(strstr(text.bytes, "\"n_embd\": 16") && strstr(text.bytes, "\"n_positions\": 16"));
        CHECK(strstr(text.bytes, "\"dtype\": \"fp32\"") != NULL);
        free(text.bytes);
        gpt_trainer_free(t);
    }

    TEST("a model of more than 2 GB is refused by its header, before any weight is read") {
        static const char *CHANGES[][2] = {{NULL, NULL}};
        gpt_trainer *t = grown("gpt2", CHANGES);
        blob weights = save(t, "weights", ""), large = {0};
        static const char CHANNELS[] = "\\\"channels\\\":";
        char *number = strstr(weights.bytes + 8, CHANNELS) + strlen(CHANNELS);
        CHECK(strncmp(number, "16,", 3) == 0);
        // Builds the header of a larger model: the metadata with 8192 instead of 16 channels, and
        // the table of the tensors of such a model.
        const char *tensors = strstr(number, ",\"wte.weight\"");
        config wide = t->run.net.options;
        wide.value[OPT_CHANNELS] = 8192;
        model list;
        CHECK_INT(gpt2_open_weights(&list, &wide, t->run.net.vocab, NULL), GPT_OK);
        text_buffer header = text_begin(NULL, 0);
        uint64_t at;
        do {
            at = 0;
            text_put_bytes(&header, weights.bytes + 8, (size_t)(number - weights.bytes) - 8);
            text_put(&header, "8192");
            text_put_bytes(&header, number + 2, (size_t)(tensors - number) - 2);
            for (int i = 0; i < list.count; i++) {
                const param *p = &list.params[i];
                safetensors_put_tensor(&header, p->name, FILE_F32, param_rows(p), param_columns(p),
                                       &at);
            }
            safetensors_put_end(&header);
        } while (text_again(&header, NULL));
        uint64_t length = header.length;
        blob_put(&large, &length, sizeof length);
        blob_put(&large, header.out, header.length);
        gpt_export *e = gpt_export_open("onnx", (double)(large.size + at));
        CHECK(gpt_export_feed(e, large.bytes, large.size) == GPT_E_FORMAT);
        char error[2048];
        CHECK(gpt_export_error_json(e, error, sizeof error) > 0);
        CHECK(strstr(error, "more than 2 GB") != NULL);
        gpt_export_free(e);
        model_close(&list);
        free(header.out);
        free(large.bytes);
        free(weights.bytes);
        gpt_trainer_free(t);
    }

    return check_report();
}
