/* tape.h - tensors and reverse-mode automatic differentiation.
 *
 * Define-by-run: every op of ops.h computes its output at once and appends a node to the tape. The
 * order of the nodes is thus a topological order. tape_backward walks the nodes in reverse; each
 * node adds to the gradients of its inputs (the multivariate chain rule; Linnainmaa 1970).
 *
 * Memory: all data of a step is in one arena, which tape_rewind rewinds. A gradient needs memory
 * from its first contribution until the node that computed its tensor has run backward; then the
 * next gradient of equal size reuses the memory. Parameters have data and gradients of their own.
 * If the arena only counts bytes (measuring), ops check shapes and allocate as usual but compute
 * nothing.
 *
 * Errors: an op returns NULL if memory ran out, or if one of its inputs is NULL because an earlier
 * op failed. So a model is a chain of calls, checked once at its end. Wrong shapes are a
 * programmer's error: assert.
 */
#ifndef GLASSHOUSE_TAPE_H
#define GLASSHOUSE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/real.h"
#include "base/text_buffer.h"

/* The most dimensions of a tensor, and the most inputs of a node. */
enum { TENSOR_DIMS = 4, NODE_INPUTS = 3 };

/* One occurrence of a part that a model has several times: block 3 is "block" with index 3. name
 * NULL: outside of all such parts. */
typedef struct tape_scope {
    const char *name; /* static storage */
    int index;        /* from 0 */
} tape_scope;

typedef struct tensor tensor;
typedef struct tape_node tape_node;
typedef struct tape tape;

struct tensor {
    const char *name; /* borrowed, such as "attn.qkv"; NULL if viewers do not show the tensor */
    tape_scope scope; /* scope of the tape when the tensor was computed */
    int dims;
    int shape[TENSOR_DIMS];
    uint64_t size; /* product of shape */
    real *data;    /* row-major: the last dimension is contiguous */
    real *grad;    /* same shape as data; NULL until tape_backward needs it */
    bool requires_grad;
    // True if tape_backward has written grad. If false, the next contribution overwrites grad.
    bool grad_started;
    bool owns_grad;     /* true for a parameter: its grad is not reused after tape_backward */
    tensor *base;       /* tensor whose data and gradient a view shares; NULL if no view */
    tensor *next_spent; /* next tensor in the list of tensors with reusable gradient memory */
    tape_node *node;    /* node that computed the tensor; NULL for parameters and inputs */
};

/* A constant in the formula of an op, such as the epsilon of a norm. */
typedef struct op_constant {
    const char *name;
    double value;
} op_constant;

enum { OP_CONSTANTS = 2 };

/* One kind of operation. Its forward and backward pass are in ops_*.c. */
typedef struct tape_op {
    const char *name;     /* "linear" */
    const char *function; /* name of the C function, for viewers: "linear_forward" */
    void (*forward)(tape *t, tape_node *n);  /* NULL for views */
    void (*backward)(tape *t, tape_node *n); /* NULL for views */
    // Function that returns the size of n->scratch in reals; NULL if the op needs no scratch.
    uint64_t (*scratch)(const tape_node *n);
    // Function that writes the constants to `out` and returns their number, at most OP_CONSTANTS;
    // NULL if the op has no constants.
    int (*constants)(const tape_node *n, op_constant *out);
} tape_op;

/* Keys and values of earlier positions, borrowed (see op_attention). */
typedef struct attention_cache {
    real *key, *value; /* each (capacity,C): a row of C numbers for each position */
    int capacity;
} attention_cache;

/* One application of an op. */
struct tape_node {
    const tape_op *op;
    tensor *out;
    tensor *in[NODE_INPUTS]; /* NULL if an optional input is absent */
    // true: the backward pass adds to the gradient of in[i]; false: it overwrites the gradient.
    bool add[NODE_INPUTS];
    tensor *kept[2];    /* forward results for the backward pass or for viewers; may be NULL */
    real *scratch;      /* in the backward pass: op->scratch(n) reals; NULL if none are needed */
    const int32_t *ids; /* token ids or targets, borrowed; NULL for other ops */
    // Arguments that only some ops have (see ops.h); 0 in the nodes of other ops.
    int heads;             /* of attention */
    int first;             /* of positional and attention: first position; of slice: first column */
    bool causal;           /* of softmax */
    real factor;           /* of scale */
    real epsilon;          /* of the norms */
    attention_cache cache; /* of attention; cache.key is NULL without a cache */
};

struct tape {
    arena *memory;   /* borrowed; contains the data of a step and the workspace */
    real *workspace; /* scratch of gemm and attention: GEMM_WORKSPACE reals */
    tensor *tensors; /* owned; addresses stay valid until tape_rewind */
    int tensor_count, tensor_capacity;
    tape_node *nodes; /* owned; in the order of computation */
    int node_count, node_capacity;
    tape_scope scope;    /* present scope, copied to every new tensor */
    bool grad_mode;      /* false: outputs require no gradient, tape_backward is not allowed */
    bool keep_grads;     /* true: no gradient memory is reused, so all gradients stay readable */
    tensor *spent_grads; /* head of the list of reusable gradients, linked by tensor.next_spent */
    uint64_t start;      /* offset in `memory` that tape_rewind returns to */
};

/* Opens a tape of up to `nodes` nodes. Allocates the records of nodes and tensors from the system,
 * and the workspace from `memory`, which is borrowed until tape_close. Errors: GPT_E_ALLOCATION if
 * the system refuses memory, GPT_E_MEMORY if `memory` is too small. */
int tape_open(tape *t, arena *memory, int nodes, gpt_error *error);

/* Frees the records of nodes and tensors. A zeroed tape may be closed. */
void tape_close(tape *t);

/* Removes all nodes and tensors, frees the data of the step, and sets grad_mode for the next step.
 * Parameters and keep_grads keep their values. */
void tape_rewind(tape *t, bool grad_mode);

/* Returns a tensor that borrows `name`, `data` and `grad`: a parameter, or an input if grad is
 * NULL. data and grad have as many numbers as `shape` has elements. */
tensor tensor_of(const char *name, real *data, real *grad, int dims, const int *shape);

/* Allocates a tensor on the tape, valid until tape_rewind; data is uninitialised. NULL if memory
 * ran out. */
tensor *tape_tensor(tape *t, const char *name, int dims, const int *shape);

/* Appends a node for `op` with an output of the given shape. The caller sets inputs and arguments
 * and calls tape_run. NULL if memory ran out or the tape has no free node. */
tape_node *tape_record(tape *t, const tape_op *op, const char *name, int dims, const int *shape);

/* Computes the node's output and returns it. The output requires a gradient if an input does and
 * grad_mode is true. */
tensor *tape_run(tape *t, tape_node *n);

/* Sets the gradient of `loss` (a scalar on the tape) to 1, walks the nodes in reverse and sets the
 * gradient of every tensor that requires one and that `loss` depends on to d loss / d tensor.
 * Parameters that `loss` does not depend on keep their earlier gradient. Call it at most once
 * between rewinds. GPT_OK, or GPT_E_MEMORY if the gradients do not fit. */
int tape_backward(tape *t, tensor *loss);

/* Returns GPT_OK if `count` results, such as logits, are finite. Otherwise fails with
 * GPT_E_NOT_FINITE, the name of the first named output on the tape that contains NaN or infinity
 * ("" if none does), and the token number `at`. */
int tape_check_finite(const tape *t, const real *results, int count, int at, gpt_error *error);

/* Writes a tensor's name, after its scope if it has one: "block3.attn.qkv". */
void tensor_put_name(text_buffer *out, const tensor *x);

/* A named tensor for viewers: the output of a node or a result that the node kept. */
typedef struct tape_entry {
    const tape_node *node;
    const tensor *value;
} tape_entry;

/* Returns entry number `index`, from 0, in the order of computation. Both pointers of the entry are
 * NULL after the last one. */
tape_entry tape_entry_at(const tape *t, int index);

/* Writes the members of an entry's JSON object, without braces: name, op, function, shape, inputs,
 * constants. */
void tape_put_entry(text_buffer *out, tape_entry entry);

/* Writes a shape as JSON: [8,64]. */
void tensor_put_shape(text_buffer *out, const tensor *x);

/* The size of a tensor seen as a matrix: tensor_last returns its last dimension (columns),
 * tensor_rows the product of the other dimensions. */
int tensor_rows(const tensor *x);
int tensor_last(const tensor *x);

#endif
