/* tape.h - tensors and reverse-mode automatic differentiation.
 *
 * Owns: tensors, the record of what was computed from what, and the walk back. Define-by-run: every
 * op in ops.h computes its output at once and appends a node; the order of the nodes is therefore a
 * topological order, and tape_backward walks it in reverse, each node adding to the gradients of
 * its inputs (the multivariate chain rule; Linnainmaa 1970). It knows nothing of models.
 *
 * Memory: everything of a step comes from one arena, which the caller rewinds. A gradient exists
 * from its first use until the op that made its tensor has run backward, and its room then serves
 * the next one of that size. Parameters bring their own data and gradients. On a tape whose arena
 * measures, ops check shapes and take memory as always but compute nothing.
 *
 * Failure: ops return NULL once memory ran out (and for NULL inputs), so a model is written as
 * plain calls and checked once at its end. Wrong shapes are a programmer's error: assert.
 */
#ifndef GLASSHOUSE_TAPE_H
#define GLASSHOUSE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/real.h"
#include "base/text_buffer.h"

enum { TENSOR_DIMS = 4, NODE_INPUTS = 3 };

typedef struct tensor tensor;
typedef struct tape_node tape_node;
typedef struct tape tape;

struct tensor {
    const char *name; /* such as "attn.qkv", as long-lived as the tensor; NULL: not for viewers */
    int block;        /* number of the Transformer block it belongs to, or -1 */
    int dims;
    int shape[TENSOR_DIMS];
    uint64_t size; /* product of shape */
    real *data;    /* row-major: the last dimension is contiguous */
    real *grad;    /* NULL until the walk back needs it */
    bool requires_grad;
    bool grad_started;  /* grad holds a value of this walk; else the next use sets it */
    bool owns_grad;     /* a parameter: its grad stays after the walk */
    tensor *base;       /* a view shares data and gradient with this tensor; else NULL */
    tensor *next_spent; /* list of tensors whose gradient's room may be reused */
    tape_node *node;    /* the op that made it; NULL for parameters and inputs */
};

/* A number that stands in the formula of an op, such as the epsilon of a norm. */
typedef struct op_constant {
    const char *name;
    double value;
} op_constant;

enum { OP_CONSTANTS = 2 };

/* One kind of operation: forward and backward side by side in ops_*.c. */
typedef struct tape_op {
    const char *name;     /* "linear" */
    const char *function; /* the C function that computes it: "linear_forward" */
    void (*forward)(tape *t, tape_node *n);
    void (*backward)(tape *t, tape_node *n);                /* NULL for views */
    uint64_t (*scratch)(const tape_node *n);                /* reals that backward needs, or NULL */
    int (*constants)(const tape_node *n, op_constant *out); /* fills in up to OP_CONSTANTS, returns
                                                               how many; or NULL */
} tape_op;

/* Where keys and values of earlier positions are kept (see op_attention). */
typedef struct attention_cache {
    real *key, *value; /* (capacity, C) each */
    int capacity;
} attention_cache;

struct tape_node {
    const tape_op *op;
    tensor *out;
    tensor *in[NODE_INPUTS]; /* NULL where an optional input is absent */
    bool add[NODE_INPUTS];   /* during backward: add to that gradient instead of setting it */
    tensor *kept[2];         /* results of forward that backward or a viewer needs */
    real *scratch;
    const int32_t *ids; /* token ids or targets, borrowed until the tape is rewound */
    // Parameters of one op or two, see ops.h; 0 elsewhere.
    int heads;             /* of attention */
    int first;             /* first position of positional and attention, first column of slice */
    bool causal;           /* of softmax */
    real factor;           /* of scale */
    real epsilon;          /* of the norms */
    attention_cache cache; /* of attention; its key is NULL without one */
};

struct tape {
    arena *memory;   /* borrows: holds the step's data */
    real *workspace; /* GEMM_WORKSPACE reals */
    tensor *tensors; /* owns: room for tensor_capacity */
    int tensor_count, tensor_capacity;
    tape_node *nodes; /* owns */
    int node_count, node_capacity;
    int block;           /* given to every new tensor */
    bool grad_mode;      /* false: nothing is recorded for backward */
    bool keep_grads;     /* a probe: gradients stay readable after the walk */
    tensor *spent_grads; /* see tensor.next_spent */
    uint64_t start;      /* where the step's part of `memory` begins */
};

/* Room for `nodes` nodes over `memory`; takes its records from the system and its workspace from
 * `memory`. GPT_E_ALLOCATION, GPT_E_MEMORY. */
int tape_open(tape *t, arena *memory, int nodes, gpt_error *error);
void tape_close(tape *t);

/* Forgets every node and the data of the step; parameters stay. */
void tape_rewind(tape *t);

/* Fills a caller's tensor as a parameter or input with data of its own; nothing is copied. */
tensor tensor_of(const char *name, real *data, real *grad, int dims, const int *shape);

/* A new tensor on the tape, not cleared; NULL when memory ran out. */
tensor *tape_tensor(tape *t, const char *name, int dims, const int *shape);

/* Appends a node for `op` whose output has `shape`; the op fills in the rest and calls tape_run.
 * NULL when memory ran out. */
tape_node *tape_record(tape *t, const tape_op *op, const char *name, int dims, const int *shape);

/* Computes the node and answers its output. */
tensor *tape_run(tape *t, tape_node *n);

/* Walks back from `loss` (a scalar): its gradient is 1, and every tensor that requires one and
 * that it depends on gets d loss / d tensor. Parameters that it does not depend on keep theirs.
 * GPT_E_MEMORY when the gradients do not fit. */
int tape_backward(tape *t, tensor *loss);

/* Checks results, such as logits: GPT_E_NOT_FINITE names the first tensor on the tape that holds
 * a value that is not finite, for the token `at`. */
int tape_check_finite(const tape *t, const real *results, int count, int at, gpt_error *error);

/* Writes a tensor's name with its block: "block3.attn.qkv". */
void tensor_put_name(text_buffer *out, const tensor *x);

/* A tensor that a viewer may see: the output of a node, or something that the node kept. */
typedef struct tape_entry {
    const tape_node *node;
    const tensor *value;
} tape_entry;

/* Entry `index` in order of computation; value NULL past the end. */
tape_entry tape_entry_at(const tape *t, int index);

/* Writes the fields of an entry's JSON object, without the braces: name, op, function, shape,
 * inputs, constants. */
void tape_put_entry(text_buffer *out, tape_entry entry);

/* Writes a shape as JSON: [8,64]. */
void tensor_put_shape(text_buffer *out, const tensor *x);

/* Rows of a tensor seen as a matrix (everything before the last dimension), and its last
 * dimension. */
int tensor_rows(const tensor *x);
int tensor_last(const tensor *x);

#endif
