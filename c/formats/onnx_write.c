/* onnx_write.c - writes a model as an ONNX file: model_forward (model/model.c) in standard
 * operators, with the weights as initializers.
 *
 * Each operator is a line of text, "outputs = Operator inputs attributes" (put_node), so that the
 * graph reads like the forward pass. There are two graphs: "onnx" has a KV cache and the inputs and
 * outputs that transformers.js expects, "onnx-plain" computes logits from ids. Source of field
 * numbers and types: onnx.proto of the ONNX project.
 */
#include "formats/formats.h"

#include <assert.h>
#include <string.h>

#include "formats/protobuf.h"
#include "formats/gpt2.h"

/* The operators belong to opset 17, which came with IR version 8. */
enum { IR_VERSION = 8, OPSET = 17 };

/* Limit of the graph in bytes. A protobuf message is shorter than 2 GB (2^31 bytes); the difference
 * is room for the few fields before the graph. */
#define MODEL_BYTES_MAX 0x7FFFFF00

/* Field numbers by message, from onnx.proto. */
enum { MODEL_IR_VERSION = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_OPSET = 8 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OPERATOR = 4, NODE_ATTRIBUTE = 5 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_INT = 3, ATTRIBUTE_INTS = 8, ATTRIBUTE_TYPE = 20 };
enum { INITIALIZER_DIMS = 1, INITIALIZER_TYPE = 2, INITIALIZER_NAME = 8, INITIALIZER_RAW = 9 };
enum { VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1, TENSOR_TYPE_ELEMENT = 1 };
enum { TENSOR_TYPE_SHAPE = 2, SHAPE_DIM = 1, DIM_VALUE = 1, DIM_NAME = 2, OPSET_VERSION = 2 };

/* Values of enums, from onnx.proto. */
enum { ONNX_FLOAT = 1, ONNX_INT64 = 7, ATTRIBUTE_IS_INT = 2, ATTRIBUTE_IS_INTS = 7 };

enum { VALUE_NAME_MAX = 64, MESSAGE_MAX = 512 };

typedef struct graph {
    write_plan *plan;
    const config *options;
    bool cached;           /* the graph has a KV cache */
    bool writes;           /* false in the first pass, which only counts the graph's bytes */
    text_buffer *out;      /* the bytes of the plan; in the first pass, a buffer that only counts */
    uint64_t tensor_bytes; /* bytes of the weights, which `out` does not contain */
    int layer;             /* current block; -1: outside of the blocks */
    /* The texts that replace @ and < in a line (expand). */
    char stem[VALUE_NAME_MAX], input[VALUE_NAME_MAX];
    char stream[VALUE_NAME_MAX]; /* name of the residual stream's latest value */
} graph;

static bool has(const graph *g, int option) {
    return config_bool(g->options, option);
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* Writes `text` to `to`, with these characters replaced: % by the prefix of the current block
 * ("h.3."; outside of the blocks ""), # by the number of the block, @ by g->stem, < by g->input
 * (begin_stem). */
static void expand(const graph *g, const char *text, char *to, size_t capacity) {
    text_buffer out = text_begin(to, capacity);
    for (; *text; text++) {
        if (*text == '@') {
            text_put(&out, g->stem);
        } else if (*text == '<') {
            text_put(&out, g->input);
        } else if (*text == '#' || (*text == '%' && g->layer >= 0)) {
            text_put(&out, *text == '%' ? "h." : "");
            text_put_number(&out, g->layer);
            text_put(&out, *text == '%' ? "." : "");
        } else if (*text != '%') {
            text_put_bytes(&out, text, 1);
        }
    }
    size_t length = text_end(&out);
    assert(length < capacity);
    (void)length;
}

/* Sets the texts that replace @ (`stem`) and < (`input`) in the lines after this call. An @ in
 * `input` itself is replaced by the stem of the previous call. */
static void begin_stem(graph *g, const char *stem, const char *input) {
    char expanded[VALUE_NAME_MAX];
    expand(g, input, expanded, sizeof expanded);
    memcpy(g->input, expanded, sizeof expanded);
    expand(g, stem, g->stem, sizeof g->stem);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

/* Appends an attribute to a node. `text` (`size` bytes) has the form "axis=2" or "perm=[0,2,1,3]",
 * with numbers >= 0. */
static void put_attribute(text_buffer *node, const char *text, size_t size) {
    char bytes[MESSAGE_MAX];
    text_buffer message = text_begin(bytes, sizeof bytes);
    const char *end = text + size, *at = memchr(text, '=', size);
    proto_put_bytes(&message, ATTRIBUTE_NAME, text, (size_t)(at - text));
    bool list = *++at == '[';
    for (at += list; at < end; at++) {
        uint64_t number = 0;
        for (; at < end && *at >= '0' && *at <= '9'; at++) {
            number = 10 * number + (uint64_t)(*at - '0');
        }
        proto_put_whole(&message, list ? ATTRIBUTE_INTS : ATTRIBUTE_INT, number);
    }
    proto_put_whole(&message, ATTRIBUTE_TYPE, list ? ATTRIBUTE_IS_INTS : ATTRIBUTE_IS_INT);
    proto_put_message(node, NODE_ATTRIBUTE, &message);
}

/* Appends a node to the graph, from a line such as "%query %key %value = Split %qkv axis=2":
 * outputs, operator, inputs, attributes. */
static void put_node(graph *g, const char *text) {
    char line[MESSAGE_MAX], bytes[MESSAGE_MAX];
    text_buffer message = text_begin(bytes, sizeof bytes);
    expand(g, text, line, sizeof line);
    int field = NODE_OUTPUT;
    for (const char *word = line; *word;) {
        size_t size = strcspn(word, " ");
        if (size == 1 && *word == '=') {
            field = NODE_OPERATOR;
        } else if (memchr(word, '=', size)) {
            put_attribute(&message, word, size);
        } else {
            proto_put_bytes(&message, field, word, size);
            field = field == NODE_OPERATOR ? NODE_INPUT : field;
        }
        word += size + (word[size] == ' ');
    }
    proto_put_message(g->out, GRAPH_NODE, &message);
}

/* ---- Tensors --------------------------------------------------------------------------------- */

/* Appends an initializer with `count` dimensions, but without its `size` bytes of data, which the
 * caller appends next. */
static void begin_tensor(graph *g, const char *name, int type, const uint64_t *dims, int count,
                         uint64_t size) {
    char bytes[MESSAGE_MAX];
    text_buffer message = text_begin(bytes, sizeof bytes);
    for (int i = 0; i < count; i++) {
        proto_put_whole(&message, INITIALIZER_DIMS, dims[i]);
    }
    proto_put_whole(&message, INITIALIZER_TYPE, (uint64_t)type);
    proto_put_string(&message, INITIALIZER_NAME, name);
    proto_begin(&message, INITIALIZER_RAW, size);
    proto_begin(g->out, GRAPH_INITIALIZER, message.length + size);
    text_put_bytes(g->out, bytes, message.length);
}

/* Append a constant: a vector of `count` int64, or a scalar if `count` is 0 (put_wholes); an int64
 * scalar (put_whole); a float scalar (put_float). */
static void put_wholes(graph *g, const char *name, int count, const int64_t *values) {
    begin_tensor(g, name, ONNX_INT64, (uint64_t[]){(uint64_t)count}, count > 0,
                 8 * (uint64_t)(count ? count : 1));
    for (int i = 0; i < (count ? count : 1); i++) {
        char little[8];
        for (int b = 0; b < 8; b++) {
            little[b] = (char)((uint64_t)values[i] >> 8 * b);
        }
        text_put_bytes(g->out, little, sizeof little);
    }
}

static void put_whole(graph *g, const char *name, int64_t value) {
    put_wholes(g, name, 0, &value);
}

static void put_float(graph *g, const char *name, double value) {
    char bytes[8];
    text_buffer message = text_begin(bytes, sizeof bytes);
    proto_put_float(&message, 0, (float)value);
    begin_tensor(g, name, ONNX_FLOAT, NULL, 0, 4);
    text_put_bytes(g->out, bytes + message.length - 4, 4);
}

static void put_weights(graph *g) {
    const model *net = &g->plan->model->net;
    for (int i = 0; i < net->count; i++) {
        const param *w = &net->params[i];
        const uint64_t dims[] = {param_rows(w) ? param_rows(w) : param_columns(w),
                                 param_columns(w)};
        uint64_t size = 4 * dims[0] * (param_rows(w) ? dims[1] : 1);
        begin_tensor(g, w->name, ONNX_FLOAT, dims, param_rows(w) ? 2 : 1, size);
        g->tensor_bytes += size;
        if (g->writes) {
            plan_put_tensor(g->plan, w->name, PLAN_AS_IS);
        }
    }
}

/* Whether norms have a bias, by the rule of add_norm in model.c: the option bias is set, and the
 * norm is a LayerNorm with a gain. */
static bool norm_has_bias(const graph *g) {
    return has(g, OPT_NORM_GAIN) && has(g, OPT_BIAS) && config_norm(g->options) == NORM_LAYERNORM;
}

/* ---- Inputs and outputs ---------------------------------------------------------------------- */

/* A dimension of an input or output: the name of a variable size, or, if `name` is NULL, a fixed
 * size. */
typedef struct dimension {
    const char *name;
    int size;
} dimension;

/* Appends an input (`field` GRAPH_INPUT) or output (GRAPH_OUTPUT) of the graph with `count`
 * dimensions. */
static void put_value(graph *g, int field, const char *name, int type, const dimension *dims,
                      int count) {
    char shapes[MESSAGE_MAX], tensors[MESSAGE_MAX], types[MESSAGE_MAX], values[MESSAGE_MAX];
    char full[VALUE_NAME_MAX];
    text_buffer shape = text_begin(shapes, sizeof shapes);
    text_buffer typed = text_begin(tensors, sizeof tensors);
    text_buffer wrapped = text_begin(types, sizeof types);
    text_buffer value = text_begin(values, sizeof values);
    for (int i = 0; i < count; i++) {
        char bytes[VALUE_NAME_MAX];
        text_buffer dim = text_begin(bytes, sizeof bytes);
        if (dims[i].name) {
            proto_put_string(&dim, DIM_NAME, dims[i].name);
        } else {
            proto_put_whole(&dim, DIM_VALUE, (uint64_t)dims[i].size);
        }
        proto_put_message(&shape, SHAPE_DIM, &dim);
    }
    proto_put_whole(&typed, TENSOR_TYPE_ELEMENT, (uint64_t)type);
    proto_put_message(&typed, TENSOR_TYPE_SHAPE, &shape);
    proto_put_message(&wrapped, TYPE_TENSOR, &typed);
    expand(g, name, full, sizeof full);
    proto_put_string(&value, VALUE_NAME, full);
    proto_put_message(&value, VALUE_TYPE, &wrapped);
    proto_put_message(g->out, field, &value);
}

/* Appends cached keys and values of every block as inputs or outputs (`field`), in the order of
 * optimum's files. `length` is the name of the dimension that counts the cached positions. */
static void put_cache_values(graph *g, int field, const char *key, const char *value,
                             const char *length) {
    int H = config_int(g->options, OPT_HEADS), D = config_int(g->options, OPT_CHANNELS) / H;
    const dimension dims[] = {{"batch_size", 0}, {NULL, H}, {length, 0}, {NULL, D}};
    for (g->layer = 0; g->layer < config_int(g->options, OPT_LAYERS); g->layer++) {
        put_value(g, field, key, ONNX_FLOAT, dims, 4);
        put_value(g, field, value, ONNX_FLOAT, dims, 4);
    }
    g->layer = -1;
}

static void put_values(graph *g) {
    const dimension ids[] = {{"batch_size", 0}, {"sequence_length", 0}};
    const dimension mask[] = {{"batch_size", 0}, {"total_sequence_length", 0}};
    const dimension logits[] = {ids[0], ids[1], {NULL, g->plan->model->vocab}};
    put_value(g, GRAPH_INPUT, "input_ids", ONNX_INT64, ids, 2);
    put_value(g, GRAPH_OUTPUT, "logits", ONNX_FLOAT, logits, 3);
    if (g->cached) {
        put_value(g, GRAPH_INPUT, "attention_mask", ONNX_INT64, mask, 2);
        put_cache_values(g, GRAPH_INPUT, "past_key_values.#.key", "past_key_values.#.value",
                         "past_sequence_length");
        put_cache_values(g, GRAPH_OUTPUT, "present.#.key", "present.#.value",
                         "total_sequence_length");
    }
}

/* ---- The forward pass ------------------------------------------------------------------------ */

static void put_constants(graph *g) {
    int C = config_int(g->options, OPT_CHANNELS), H = config_int(g->options, OPT_HEADS), D = C / H;
    const double gelu = 1.5957691216057308; // 2 sqrt(2/pi)
    put_whole(g, "zero", 0);
    put_whole(g, "one", 1);
    put_wholes(g, "axes.0", 1, (int64_t[]){0});
    put_wholes(g, "axes.1", 1, (int64_t[]){1});
    put_wholes(g, "axes.1.2", 2, (int64_t[]){1, 2});
    put_wholes(g, "shape.heads", 4, (int64_t[]){0, 0, H, D}); // 0 keeps the size
    put_wholes(g, "shape.joined", 3, (int64_t[]){0, 0, C});
    put_wholes(g, "shape.rows", 2, (int64_t[]){-1, C}); // -1: ONNX infers the size
    put_wholes(g, "shape.vocabulary", 1, (int64_t[]){g->plan->model->vocab});
    put_float(g, "attention.scale", 1.0 / __builtin_sqrt((double)D));
    put_float(g, "attention.hidden", -3.4028234663852886e38); // lowest float: its exp is 0
    put_float(g, "norm.epsilon", g->options->value[OPT_NORM_EPSILON]);
    put_float(g, "gelu.linear", gelu);
    put_float(g, "gelu.cubic", 0.044715 * gelu);
}

/* Appends a norm over the channels: stem = (input - mean) / sqrt(variance + epsilon) [* gain +
 * bias]. RMSNorm does not subtract the mean. */
static void put_norm(graph *g, const char *stem, const char *input) {
    bool gain = has(g, OPT_NORM_GAIN), bias = norm_has_bias(g);
    begin_stem(g, stem, input);
    switch (config_norm(g->options)) {
    case NORM_LAYERNORM:
        put_node(g, "@.mean = ReduceMean < axes=[2]");
        put_node(g, "@.centred = Sub < @.mean");
        begin_stem(g, stem, "@.centred");
        break;
    case NORM_RMSNORM:
        break;
    }
    put_node(g, "@.squares = Mul < <");
    put_node(g, "@.variance = ReduceMean @.squares axes=[2]");
    put_node(g, "@.positive = Add @.variance norm.epsilon");
    put_node(g, "@.deviation = Sqrt @.positive");
    put_node(g, gain ? "@.scaled = Div < @.deviation" : "@ = Div < @.deviation");
    if (gain) {
        put_node(g, bias ? "@.gained = Mul @.scaled @.weight" : "@ = Mul @.scaled @.weight");
    }
    if (bias) {
        put_node(g, "@ = Add @.gained @.bias");
    }
}

/* Appends a linear layer: stem = input * weight [+ bias], with the weight (in,out). */
static void put_linear(graph *g, const char *stem, const char *input) {
    begin_stem(g, stem, input);
    if (has(g, OPT_BIAS)) {
        put_node(g, "@.product = MatMul < @.weight");
        put_node(g, "@ = Add @.product @.bias");
    } else {
        put_node(g, "@ = MatMul < @.weight");
    }
}

static void put_activation(graph *g, const char *stem, const char *input) {
    begin_stem(g, stem, input);
    switch (config_activation(g->options)) {
    case ACTIVATION_GELU:
        // with u = sqrt(2/pi) (x + 0.044715 x^3): x (1 + tanh(u)) / 2 = x sigmoid(2u)
        put_node(g, "@.square = Mul < <");
        put_node(g, "@.cubic = Mul @.square gelu.cubic");
        put_node(g, "@.factor = Add @.cubic gelu.linear");
        put_node(g, "@.exponent = Mul < @.factor");
        put_node(g, "@.gate = Sigmoid @.exponent");
        put_node(g, "@ = Mul < @.gate");
        break;
    case ACTIVATION_RELU2:
        put_node(g, "@.positive = Relu <");
        put_node(g, "@ = Mul @.positive @.positive");
        break;
    }
}

/* Appends the nodes that compute `positions`, the position of each input id, and `seen`, whether a
 * query (row) attends to a key (column). With a cache, a position is the number of ones before it
 * in the attention mask, so that positions continue those of the cache and do not count padding on
 * the left. */
static void put_positions(graph *g) {
    put_node(g, "ids.shape = Shape input_ids");
    put_node(g, "sequence = Gather ids.shape one");
    if (!g->cached) {
        put_node(g, "positions = Range zero sequence one");
        put_node(g, "positions.column = Unsqueeze positions axes.1");
        put_node(g, "seen = LessOrEqual positions positions.column");
        return;
    }
    put_node(g, "mask.shape = Shape attention_mask");
    put_node(g, "total = Gather mask.shape one");
    put_node(g, "past = Sub total sequence");
    put_node(g, "past.list = Unsqueeze past axes.0");
    put_node(g, "total.list = Unsqueeze total axes.0");
    put_node(g, "counted = CumSum attention_mask one");
    put_node(g, "counted.before = Sub counted one");
    put_node(g, "positions.all = Max counted.before zero");
    put_node(g, "positions = Slice positions.all past.list total.list axes.1");
    put_node(g, "keys = Range zero total one");
    put_node(g, "queries = Range past total one");
    put_node(g, "queries.column = Unsqueeze queries axes.1");
    put_node(g, "causal = LessOrEqual keys queries.column");
    put_node(g, "mask = Cast attention_mask to=9"); // 9: BOOL
    put_node(g, "mask.wide = Unsqueeze mask axes.1.2");
    put_node(g, "seen = And causal mask.wide");
}

/* Appends causal attention of all heads: reads %attn.c_attn, query, key and value side by side
 * (B,T,3C), and writes %attn.heads (B,T,C). */
static void put_attention(graph *g) {
    // query, key, value (B,T,C), each split into heads: (B,H,T,D)
    put_node(g, "%query %key %value = Split %attn.c_attn axis=2");
    put_node(g, "%query.split = Reshape %query shape.heads");
    put_node(g, "%query.heads = Transpose %query.split perm=[0,2,1,3]");
    put_node(g, "%key.split = Reshape %key shape.heads");
    put_node(g, "%key.heads = Transpose %key.split perm=[0,2,1,3]");
    put_node(g, "%value.split = Reshape %value shape.heads");
    put_node(g, "%value.heads = Transpose %value.split perm=[0,2,1,3]");
    // with a cache: keys and values of earlier positions precede the new ones, (B,H,past + T,D)
    if (g->cached) {
        put_node(g, "present.#.key = Concat past_key_values.#.key %key.heads axis=2");
        put_node(g, "present.#.value = Concat past_key_values.#.value %value.heads axis=2");
    }
    // scores = query key^T / sqrt(D); softmax over the keys that the query attends to
    begin_stem(g, "%attn", g->cached ? "present.#.key" : "%key.heads");
    put_node(g, "@.keys = Transpose < perm=[0,1,3,2]");
    put_node(g, "@.products = MatMul %query.heads @.keys");
    put_node(g, "@.scores = Mul @.products attention.scale");
    put_node(g, "@.seen = Where seen @.scores attention.hidden");
    put_node(g, "@.probs = Softmax @.seen axis=3");
    // output = probabilities * value; joins the heads side by side: (B,T,C)
    begin_stem(g, "%attn", g->cached ? "present.#.value" : "%value.heads");
    put_node(g, "@.mixed = MatMul @.probs <");
    put_node(g, "@.turned = Transpose @.mixed perm=[0,2,1,3]");
    put_node(g, "@.heads = Reshape @.turned shape.joined");
}

static void put_block(graph *g) {
    // attention: x += W_out heads(W_qkv norm(x))
    put_norm(g, "%ln_1", g->stream);
    put_linear(g, "%attn.c_attn", "%ln_1");
    put_attention(g);
    put_linear(g, "%attn.c_proj", "%attn.heads");
    begin_stem(g, "%middle", g->stream);
    put_node(g, "@ = Add < %attn.c_proj");
    // MLP, 4C wide: x += W_out act(W_fc norm(x))
    put_norm(g, "%ln_2", "%middle");
    put_linear(g, "%mlp.c_fc", "%ln_2");
    put_activation(g, "%mlp.activation", "%mlp.c_fc");
    put_linear(g, "%mlp.c_proj", "%mlp.activation");
    put_node(g, "%out = Add %middle %mlp.c_proj");
    expand(g, "%out", g->stream, sizeof g->stream);
}

static void put_nodes(graph *g) {
    put_positions(g);
    // residual stream: token embedding plus position embedding, (B,T,C)
    put_node(g, "embed.token = Gather wte.weight input_ids");
    put_node(g, "embed.position = Gather wpe.weight positions");
    put_node(g, "embed = Add embed.token embed.position");
    expand(g, "embed", g->stream, sizeof g->stream);
    if (has(g, OPT_EMBEDDING_NORM)) {
        put_norm(g, "ln_e", "embed");
        expand(g, "ln_e", g->stream, sizeof g->stream);
    }
    for (g->layer = 0; g->layer < config_int(g->options, OPT_LAYERS); g->layer++) {
        put_block(g);
    }
    g->layer = -1;
    if (has(g, OPT_FINAL_NORM)) {
        put_norm(g, "ln_f", g->stream);
        expand(g, "ln_f", g->stream, sizeof g->stream);
    }
    // logits (B,T,V): dot products of the residual stream with the rows of the head
    begin_stem(g, has(g, OPT_TIED_HEAD) ? "wte.weight" : "lm_head.weight", g->stream);
    put_node(g, "rows = Reshape < shape.rows");
    put_node(g, has(g, OPT_HEAD_BIAS) ? "rows.logits = Gemm rows @ lm_head.bias transB=1"
                                      : "rows.logits = Gemm rows @ transB=1");
    put_node(g, "shape.logits = Concat ids.shape shape.vocabulary axis=0");
    put_node(g, "logits = Reshape rows.logits shape.logits");
}

/* ---- The files ------------------------------------------------------------------------------- */

static void put_graph(graph *g) {
    put_nodes(g);
    proto_put_string(g->out, GRAPH_NAME, "glasshouse");
    put_constants(g);
    put_weights(g);
    put_values(g);
}

/* Refuses a recipe with an option of the model that the graph does not express. */
static void check_recipe(write_plan *p) {
    static const int KNOWN[] = {
        OPT_LAYERS,         OPT_HEADS,      OPT_CHANNELS, OPT_CONTEXT,       OPT_NORM,
        OPT_NORM_GAIN,      OPT_ACTIVATION, OPT_BIAS,     OPT_TIED_HEAD,     OPT_HEAD_BIAS,
        OPT_EMBEDDING_NORM, OPT_FINAL_NORM, OPT_INIT_STD, OPT_RESIDUAL_INIT, OPT_NORM_EPSILON};
    char detail[sizeof p->error->name];
    text_buffer why = text_begin(detail, sizeof detail);
    put_unfit(&why, &p->model->options, NULL, 0, KNOWN, sizeof KNOWN / sizeof *KNOWN);
    if (text_end(&why)) {
        plan_refuse(p, detail);
    }
}

/* Writes the plan of the file. Runs put_graph twice, because the file has the graph's length before
 * the graph: the first pass only counts bytes. */
static void put_model(write_plan *p, bool cached) {
    check_recipe(p);
    text_buffer measured = text_begin(NULL, 0);
    char bytes[16];
    text_buffer opset = text_begin(bytes, sizeof bytes);
    graph g = {.plan = p, .options = &p->model->options, .cached = cached, .layer = -1};
    g.out = &measured;
    put_graph(&g);
    uint64_t size = measured.length + g.tensor_bytes;
    if (size > MODEL_BYTES_MAX) {
        plan_refuse(p, "more than 2 GB in one file");
        return;
    }
    proto_put_whole(&p->bytes, MODEL_IR_VERSION, IR_VERSION);
    proto_put_string(&p->bytes, MODEL_PRODUCER, "glasshouse");
    proto_put_whole(&opset, OPSET_VERSION, OPSET);
    proto_put_message(&p->bytes, MODEL_OPSET, &opset);
    proto_begin(&p->bytes, MODEL_GRAPH, size);
    g.out = &p->bytes;
    g.writes = true;
    put_graph(&g);
}

void onnx_plan(write_plan *p) {
    put_model(p, true);
}

void onnx_plain_plan(write_plan *p) {
    put_model(p, false);
}

/* Writes config.json with the setting dtype, without which transformers.js in a browser looks for a
 * quantised model. If GPT-2 cannot compute the recipe, the sizes in the file are still right, and
 * transformers.js reads nothing else. */
void onnx_config_plan(write_plan *p) {
    const export_model *m = p->model;
    gpt2_begin_config(&p->bytes, &m->options, m->vocab, m->tok.bos);
    text_put(&p->bytes, ",\n  \"transformers.js_config\": {\"dtype\": \"fp32\"}\n}\n");
}
