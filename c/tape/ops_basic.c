/* ops_basic.c - embedding, positions, sums, scaling, views and slices.
 *
 * Shapes and arguments are in ops.h. In the formulas of backward passes, dout is the gradient of
 * the op's output and dx the gradient of its input x (in[i]->grad). "dx +=" means: the first node
 * that contributes to dx sets it, later nodes add to it (n->add[i]). A pass that always adds, row
 * by row, sets dx to 0 first if its node is the first.
 */
#include <string.h>

#include "tape/ops_internal.h"

/* ---- embedding: out[i] = table[ids[i]] ------------------------------------------------------- */

void embedding_forward(tape *t, tape_node *n) {
    (void)t;
    size_t width = (size_t)tensor_last(n->out);
    for (int i = 0; i < tensor_rows(n->out); i++) {
        memcpy(n->out->data + (size_t)i * width, n->in[0]->data + (size_t)n->ids[i] * width,
               width * sizeof(real));
    }
}

/* dtable[ids[i]] += dout[i] for every position i: the gradient of a token is the sum over all of
 * its positions in the batch, and 0 for a token that does not occur. */
void embedding_backward(tape *t, tape_node *n) {
    (void)t;
    size_t width = (size_t)tensor_last(n->out);
    if (!n->add[0]) {
        clear(n->in[0]->grad, n->in[0]->size);
    }
    for (int i = 0; i < tensor_rows(n->out); i++) {
        real *row = n->in[0]->grad + (size_t)n->ids[i] * width;
        parallel(add, row, row, n->out->grad + (size_t)i * width, width);
    }
}

tensor *op_embedding(tape *t, const char *name, tensor *table, const int32_t *ids, int B, int T) {
    assert(table->dims == 2);
    tape_node *n = record_shape(t, &embedding_op, name, table, 3,
                                (int[]){B, T, tensor_last(table)});
    if (!n) {
        return NULL;
    }
    n->ids = ids;
    return tape_run(t, n);
}

/* ---- positional: out[b][t] = x[b][t] + table[first + t] -------------------------------------- */

void positional_forward(tape *t, tape_node *n) {
    (void)t;
    size_t sequence = (size_t)n->out->shape[1] * (size_t)n->out->shape[2];
    const real *table = n->in[1]->data + (size_t)n->first * (size_t)n->out->shape[2];
    for (size_t b = 0; b < (size_t)n->out->shape[0]; b++) {
        parallel(add, n->out->data + b * sequence, n->in[0]->data + b * sequence, table, sequence);
    }
}

/* dx += dout; dtable[first + t] += sum over b of dout[b][t]: all sequences share the table. */
void positional_backward(tape *t, tape_node *n) {
    (void)t;
    if (wants_grad(n->in[0])) {
        parallel(scale, n->in[0]->grad, n->out->grad, R(1.0), (size_t)n->out->size, n->add[0]);
    }
    if (!wants_grad(n->in[1])) {
        return;
    }
    if (!n->add[1]) {
        clear(n->in[1]->grad, n->in[1]->size);
    }
    size_t sequence = (size_t)n->out->shape[1] * (size_t)n->out->shape[2];
    real *table = n->in[1]->grad + (size_t)n->first * (size_t)n->out->shape[2];
    for (size_t b = 0; b < (size_t)n->out->shape[0]; b++) {
        parallel(add, table, table, n->out->grad + b * sequence, sequence);
    }
}

tensor *op_positional(tape *t, const char *name, tensor *x, tensor *table, int first) {
    tape_node *n = record_like(t, &positional_op, name, x);
    if (!n) {
        return NULL;
    }
    assert(x->dims == 3 && first >= 0 && first + x->shape[1] <= table->shape[0]);
    n->in[1] = table;
    n->first = first;
    return tape_run(t, n);
}

/* ---- add: out = a + b ------------------------------------------------------------------------ */

void add_forward(tape *t, tape_node *n) {
    (void)t;
    parallel(add, n->out->data, n->in[0]->data, n->in[1]->data, (size_t)n->out->size);
}

/* da += dout, db += dout: a residual connection passes the gradient on unchanged. */
void add_backward(tape *t, tape_node *n) {
    (void)t;
    for (int i = 0; i < 2; i++) {
        if (wants_grad(n->in[i])) {
            parallel(scale, n->in[i]->grad, n->out->grad, R(1.0), (size_t)n->out->size, n->add[i]);
        }
    }
}

tensor *op_add(tape *t, const char *name, tensor *a, tensor *b) {
    tape_node *n = b ? record_like(t, &add_op, name, a) : NULL;
    if (!n) {
        return NULL;
    }
    assert(a->size == b->size);
    n->in[1] = b;
    return tape_run(t, n);
}

/* ---- scale: out = factor x ------------------------------------------------------------------- */

void scale_forward(tape *t, tape_node *n) {
    (void)t;
    parallel(scale, n->out->data, n->in[0]->data, n->factor, (size_t)n->out->size, false);
}

/* dx += factor dout. */
void scale_backward(tape *t, tape_node *n) {
    (void)t;
    parallel(scale, n->in[0]->grad, n->out->grad, n->factor, (size_t)n->out->size, n->add[0]);
}

int scale_constants(const tape_node *n, op_constant *out) {
    out[0] = (op_constant){"factor", (double)n->factor};
    return 1;
}

tensor *op_scale(tape *t, const char *name, tensor *x, real factor) {
    tape_node *n = record_like(t, &scale_op, name, x);
    if (!n) {
        return NULL;
    }
    n->factor = factor;
    return tape_run(t, n);
}

/* ---- reshape: a view of x; both passes compute nothing --------------------------------------- */

tensor *op_reshape(tape *t, const char *name, tensor *x, int dims, const int *shape) {
    tape_node *n = record_shape(t, &reshape_op, name, x, dims, shape);
    if (!n) {
        return NULL;
    }
    assert(n->out->size == x->size);
    n->out->data = x->data;
    n->out->base = x;
    return tape_run(t, n);
}

/* ---- slice: out[r] = x[r][first .. first+width-1] -------------------------------------------- */

void slice_forward(tape *t, tape_node *n) {
    (void)t;
    size_t width = (size_t)tensor_last(n->out);
    size_t from = (size_t)tensor_last(n->in[0]);
    for (size_t r = 0; r < (size_t)tensor_rows(n->out); r++) {
        memcpy(n->out->data + r * width, n->in[0]->data + r * from + (size_t)n->first,
               width * sizeof(real));
    }
}

/* dx[r][first + j] += dout[r][j]; the gradient of the other columns of x is 0. */
void slice_backward(tape *t, tape_node *n) {
    (void)t;
    size_t width = (size_t)tensor_last(n->out);
    size_t from = (size_t)tensor_last(n->in[0]);
    if (!n->add[0]) {
        clear(n->in[0]->grad, n->in[0]->size);
    }
    for (size_t r = 0; r < (size_t)tensor_rows(n->out); r++) {
        real *row = n->in[0]->grad + r * from + (size_t)n->first;
        parallel(add, row, row, n->out->grad + r * width, width);
    }
}

int slice_constants(const tape_node *n, op_constant *out) {
    out[0] = (op_constant){"first", n->first};
    return 1;
}

tensor *op_slice(tape *t, const char *name, tensor *x, int first, int width) {
    tape_node *n = record_rows(t, &slice_op, name, x, width);
    if (!n) {
        return NULL;
    }
    assert(first >= 0 && width >= 1 && first + width <= tensor_last(x));
    n->first = first;
    return tape_run(t, n);
}
