/* tape.c - see tape.h. */
#include "tape/tape.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"

int tape_open(tape *t, arena *memory, int nodes, gpt_error *error) {
    memset(t, 0, sizeof *t);
    t->memory = memory;
    t->grad_mode = true;
    t->node_capacity = nodes;
    t->tensor_capacity = nodes * 3; // for each node, its output and up to two kept tensors
    t->nodes = calloc((size_t)t->node_capacity, sizeof *t->nodes);
    t->tensors = calloc((size_t)t->tensor_capacity, sizeof *t->tensors);
    if (!t->nodes || !t->tensors) {
        tape_close(t);
        return gpt_fail_allocation(error, (size_t)nodes * 512);
    }
    t->workspace = arena_alloc(memory, GEMM_WORKSPACE, sizeof(real));
    if (!t->workspace) {
        tape_close(t);
        return arena_fail(memory, error);
    }
    t->start = memory->used;
    return GPT_OK;
}

void tape_close(tape *t) {
    free(t->nodes);
    free(t->tensors);
    memset(t, 0, sizeof *t);
}

void tape_rewind(tape *t, bool grad_mode) {
    t->node_count = 0;
    t->tensor_count = 0;
    t->scope = (tape_scope){NULL, 0};
    t->grad_mode = grad_mode;
    t->spent_grads = NULL;
    arena_rewind(t->memory, t->start);
}

tensor tensor_of(const char *name, real *data, real *grad, int dims, const int *shape) {
    assert(dims >= 1 && dims <= TENSOR_DIMS);
    tensor x = {.name = name, .dims = dims, .size = 1, .data = data, .grad = grad};
    for (int i = 0; i < dims; i++) {
        x.shape[i] = shape[i];
        x.size *= (uint64_t)shape[i];
    }
    x.requires_grad = grad != NULL;
    x.owns_grad = grad != NULL;
    return x;
}

int tensor_last(const tensor *x) {
    return x->shape[x->dims - 1];
}

int tensor_rows(const tensor *x) {
    return (int)(x->size / (uint64_t)tensor_last(x));
}

static tensor *new_tensor(tape *t, const char *name, real *data, int dims, const int *shape) {
    if (t->tensor_count == t->tensor_capacity) {
        return NULL;
    }
    tensor *x = &t->tensors[t->tensor_count++];
    *x = tensor_of(name, data, NULL, dims, shape);
    x->scope = t->scope;
    return x;
}

tensor *tape_tensor(tape *t, const char *name, int dims, const int *shape) {
    uint64_t size = 1;
    for (int i = 0; i < dims; i++) {
        size *= (uint64_t)shape[i];
    }
    real *data = arena_alloc(t->memory, size, sizeof(real));
    return data ? new_tensor(t, name, data, dims, shape) : NULL;
}

tape_node *tape_record(tape *t, const tape_op *op, const char *name, int dims, const int *shape) {
    if (t->node_count == t->node_capacity) {
        return NULL;
    }
    // A view (an op without a backward pass) allocates no data: op_reshape then sets out->data to
    // the data of the input, and out->base to the input.
    tensor *out = op->backward ? tape_tensor(t, name, dims, shape)
                               : new_tensor(t, name, NULL, dims, shape);
    if (!out) {
        return NULL;
    }
    tape_node *n = &t->nodes[t->node_count++];
    memset(n, 0, sizeof *n);
    n->op = op;
    n->out = out;
    out->node = n;
    return n;
}

tensor *tape_run(tape *t, tape_node *n) {
    for (int i = 0; i < NODE_INPUTS; i++) {
        if (t->grad_mode && n->in[i] && n->in[i]->requires_grad) {
            n->out->requires_grad = true;
        }
    }
    if (!t->memory->measuring && n->op->forward) {
        n->op->forward(t, n);
    }
    return n->out;
}

/* Returns the tensor whose gradient x uses: the base of a view, otherwise x itself. */
static tensor *grad_holder(tensor *x) {
    while (x->base) {
        x = x->base;
    }
    return x;
}

/* Ensures that x->grad points to memory: of a gradient of equal size that is no longer needed, or
 * newly allocated. Sets *add to true if an earlier node of this backward walk has written the
 * gradient. False if memory ran out. */
static bool start_grad(tape *t, tensor *x, bool *add) {
    tensor *holder = grad_holder(x);
    if (!holder->grad) {
        tensor **link = &t->spent_grads;
        while (*link && (*link)->size != holder->size) {
            link = &(*link)->next_spent;
        }
        if (*link) {
            tensor *spent = *link;
            *link = spent->next_spent;
            holder->grad = spent->grad;
            spent->grad = NULL;
        } else {
            holder->grad = arena_alloc(t->memory, holder->size, sizeof(real));
            if (!holder->grad) {
                return false;
            }
        }
    }
    *add = holder->grad_started;
    holder->grad_started = true;
    x->grad = holder->grad;
    return true;
}

/* Makes the memory of x->grad reusable: the node that computed x has run backward, so no later node
 * of the walk reads x->grad. Does nothing for views and parameters, and if keep_grads is true. */
static void release_grad(tape *t, tensor *x) {
    if (!t->keep_grads && !x->base && !x->owns_grad && x->grad) {
        x->next_spent = t->spent_grads;
        t->spent_grads = x;
    }
}

/* Runs the backward pass of one node, with scratch memory that is freed at its end. Returns GPT_OK
 * or GPT_E_MEMORY. */
static int node_backward(tape *t, tape_node *n) {
    for (int i = 0; i < NODE_INPUTS; i++) {
        if (n->in[i] && n->in[i]->requires_grad && !start_grad(t, n->in[i], &n->add[i])) {
            return GPT_E_MEMORY;
        }
    }
    uint64_t mark = t->memory->used;
    if (n->op->scratch) {
        n->scratch = arena_alloc(t->memory, n->op->scratch(n), sizeof(real));
        if (!n->scratch) {
            return GPT_E_MEMORY;
        }
    }
    if (!t->memory->measuring) {
        n->op->backward(t, n);
    }
    arena_rewind(t->memory, mark);
    return GPT_OK;
}

int tape_backward(tape *t, tensor *loss) {
    assert(loss->size == 1 && loss->node && t->grad_mode);
    // Gradients of parameters still have the values of the previous step: the first contribution
    // of this walk overwrites them.
    for (int i = 0; i < t->node_count; i++) {
        for (int j = 0; j < NODE_INPUTS; j++) {
            tensor *x = t->nodes[i].in[j];
            if (x && x->owns_grad) {
                x->grad_started = false;
            }
        }
    }
    bool ignored;
    if (!start_grad(t, loss, &ignored)) {
        return GPT_E_MEMORY;
    }
    if (!t->memory->measuring) {
        grad_holder(loss)->grad[0] = R(1.0);
    }
    for (int i = t->node_count - 1; i >= 0; i--) {
        tape_node *n = &t->nodes[i];
        // Skips outputs that the loss does not depend on: no node has written a gradient for them.
        if (!n->out->requires_grad || !grad_holder(n->out)->grad_started) {
            continue;
        }
        n->out->grad = grad_holder(n->out)->grad;
        if (n->op->backward) {
            int status = node_backward(t, n);
            if (status < 0) {
                return status;
            }
            release_grad(t, n->out);
        }
    }
    return GPT_OK;
}

/* ---- Results --------------------------------------------------------------------------------- */

static bool all_finite(const real *values, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        if (!__builtin_isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

int tape_check_finite(const tape *t, const real *results, int count, int at, gpt_error *error) {
    if (all_finite(results, (uint64_t)count)) {
        return GPT_OK;
    }
    char name[sizeof error->name] = "";
    for (int i = 0; i < t->node_count && !name[0]; i++) {
        const tensor *out = t->nodes[i].out;
        if (out->name && !all_finite(out->data, out->size)) {
            text_buffer buffer = text_begin(name, sizeof name);
            tensor_put_name(&buffer, out);
            text_end(&buffer);
        }
    }
    return gpt_fail(error, GPT_E_NOT_FINITE, name, at, 0, 0);
}

void tensor_put_name(text_buffer *out, const tensor *x) {
    if (x->scope.name) {
        text_put(out, x->scope.name);
        text_put_number(out, x->scope.index);
        text_put(out, ".");
    }
    text_put(out, x->name ? x->name : "");
}

void tensor_put_shape(text_buffer *out, const tensor *x) {
    for (int d = 0; d < x->dims; d++) {
        text_put(out, d ? "," : "[");
        text_put_number(out, x->shape[d]);
    }
    text_put(out, "]");
}

tape_entry tape_entry_at(const tape *t, int index) {
    for (int i = 0; i < t->node_count; i++) {
        const tape_node *n = &t->nodes[i];
        const tensor *shown[3] = {n->out, n->kept[0], n->kept[1]};
        for (int j = 0; j < 3; j++) {
            if (shown[j] && shown[j]->name && index-- == 0) {
                return (tape_entry){n, shown[j]};
            }
        }
    }
    return (tape_entry){NULL, NULL};
}

static void put_constants(text_buffer *out, const tape_node *n) {
    op_constant constants[OP_CONSTANTS];
    int count = n->op->constants ? n->op->constants(n, constants) : 0;
    assert(count <= OP_CONSTANTS);
    for (int i = 0; i < count; i++) {
        text_put_member(out, constants[i].name, constants[i].value);
    }
}

void tape_put_entry(text_buffer *out, tape_entry entry) {
    const tape_node *n = entry.node;
    text_put(out, "\"name\":\"");
    tensor_put_name(out, entry.value);
    text_put(out, "\"");
    text_put_string_member(out, "op", n->op->name);
    text_put_string_member(out, "function", n->op->function);
    text_put_key(out, "shape");
    tensor_put_shape(out, entry.value);
    text_put(out, ",\"inputs\":[");
    for (int j = 0, written = 0; j < NODE_INPUTS; j++) {
        if (n->in[j] && n->in[j]->name) {
            text_put(out, written++ ? ",\"" : "\"");
            tensor_put_name(out, n->in[j]);
            text_put(out, "\"");
        }
    }
    text_put(out, "],\"constants\":{");
    put_constants(out, n);
    text_put(out, "}");
}
