/* ops_dense.c - matrix products, norms and activations. */
#include "tape/ops_internal.h"

static matrix dense(const real *data, int columns) {
    return (matrix){data, (size_t)columns, 1};
}

static matrix transposed(const real *data, int columns) {
    return (matrix){data, 1, (size_t)columns};
}

/* ---- linear: out (M,N) = x (M,K) w (K,N) + bias (N) ------------------------------------------ */

void linear_forward(tape *t, tape_node *n) {
    int N = tensor_last(n->out), K = tensor_last(n->in[0]);
    kernel(gemm)(n->out->data, (size_t)N, dense(n->in[0]->data, K), dense(n->in[1]->data, N),
                 n->in[2] ? n->in[2]->data : NULL, tensor_rows(n->out), N, K, false, t->workspace);
}

/* dbias += column sums of dout. */
static void bias_backward(tape_node *n) {
    if (wants_grad(n->in[2])) {
        kernel(column_sums)(n->in[2]->grad, n->out->grad, tensor_rows(n->out), tensor_last(n->out),
                            n->add[2]);
    }
}

/* dx += dout w^T; dw += x^T dout; dbias += column sums of dout. */
void linear_backward(tape *t, tape_node *n) {
    int M = tensor_rows(n->out), N = tensor_last(n->out), K = tensor_last(n->in[0]);
    if (wants_grad(n->in[0])) {
        kernel(gemm)(n->in[0]->grad, (size_t)K, dense(n->out->grad, N),
                     transposed(n->in[1]->data, N), NULL, M, K, N, n->add[0], t->workspace);
    }
    if (wants_grad(n->in[1])) {
        kernel(gemm)(n->in[1]->grad, (size_t)N, transposed(n->in[0]->data, K),
                     dense(n->out->grad, N), NULL, K, N, M, n->add[1], t->workspace);
    }
    bias_backward(n);
}

static tensor *record_linear(tape *t, const tape_op *op, const char *name, tensor *x, tensor *w,
                             tensor *bias, int width) {
    tape_node *n = record_rows(t, op, name, x, width);
    if (!n) {
        return NULL;
    }
    assert(w->dims == 2 && (!bias || bias->size == (uint64_t)width));
    n->in[1] = w;
    n->in[2] = bias;
    return tape_run(t, n);
}

tensor *op_linear(tape *t, const char *name, tensor *x, tensor *w, tensor *bias) {
    assert(!x || tensor_last(x) == w->shape[0]);
    return record_linear(t, &linear_op, name, x, w, bias, w->shape[1]);
}

/* ---- linear_transposed: out (M,N) = x (M,K) w^T + bias (N), w (N,K) -------------------------- */

void linear_transposed_forward(tape *t, tape_node *n) {
    int N = tensor_last(n->out), K = tensor_last(n->in[0]);
    kernel(gemm)(n->out->data, (size_t)N, dense(n->in[0]->data, K), transposed(n->in[1]->data, K),
                 n->in[2] ? n->in[2]->data : NULL, tensor_rows(n->out), N, K, false, t->workspace);
}

/* dx += dout w; dw += dout^T x; dbias += column sums of dout. */
void linear_transposed_backward(tape *t, tape_node *n) {
    int M = tensor_rows(n->out), N = tensor_last(n->out), K = tensor_last(n->in[0]);
    if (wants_grad(n->in[0])) {
        kernel(gemm)(n->in[0]->grad, (size_t)K, dense(n->out->grad, N), dense(n->in[1]->data, K),
                     NULL, M, K, N, n->add[0], t->workspace);
    }
    if (wants_grad(n->in[1])) {
        kernel(gemm)(n->in[1]->grad, (size_t)K, transposed(n->out->grad, N),
                     dense(n->in[0]->data, K), NULL, N, K, M, n->add[1], t->workspace);
    }
    bias_backward(n);
}

tensor *op_linear_transposed(tape *t, const char *name, tensor *x, tensor *w, tensor *bias) {
    assert(!x || tensor_last(x) == w->shape[1]);
    return record_linear(t, &linear_transposed_op, name, x, w, bias, w->shape[0]);
}

/* ---- matmul: linear without a bias, where neither side need be a parameter ------------------- */

void matmul_forward(tape *t, tape_node *n) {
    linear_forward(t, n);
}

/* da += dout b^T; db += a^T dout. */
void matmul_backward(tape *t, tape_node *n) {
    linear_backward(t, n);
}

tensor *op_matmul(tape *t, const char *name, tensor *a, tensor *b) {
    if (!a || !b) {
        return NULL;
    }
    assert(a->dims == 2 && b->dims == 2 && a->shape[1] == b->shape[0] && a != b);
    return record_linear(t, &matmul_op, name, a, b, NULL, b->shape[1]);
}

/* ---- layernorm ------------------------------------------------------------------------------- */

static real *data_of(const tensor *x) {
    return x ? x->data : NULL;
}

static real *grad_of(const tensor *x) {
    return wants_grad(x) ? x->grad : NULL;
}

/* A norm's backward always writes the gradient of x: where nobody wants it, it goes to scratch. */
uint64_t norm_scratch(const tape_node *n) {
    return wants_grad(n->in[0]) ? 0 : n->in[0]->size;
}

int norm_constants(const tape_node *n, op_constant *out) {
    out[0] = (op_constant){"epsilon", (double)n->epsilon};
    return 1;
}

static real *norm_dx(const tape_node *n) {
    return wants_grad(n->in[0]) ? n->in[0]->grad : n->scratch;
}

void layernorm_forward(tape *t, tape_node *n) {
    (void)t;
    kernel(layernorm)(n->out->data, n->kept[0]->data, n->kept[1]->data, n->in[0]->data,
                      data_of(n->in[1]), data_of(n->in[2]), tensor_rows(n->out),
                      tensor_last(n->out), n->epsilon);
}

void layernorm_backward(tape *t, tape_node *n) {
    (void)t;
    kernel(layernorm_backward)(norm_dx(n), grad_of(n->in[1]), grad_of(n->in[2]), n->in[0]->data,
                               n->kept[0]->data, n->kept[1]->data, data_of(n->in[1]), n->out->grad,
                               tensor_rows(n->out), tensor_last(n->out), n->add[0], n->add[1],
                               n->add[2]);
}

tensor *op_layernorm(tape *t, const char *name, tensor *x, tensor *gain, tensor *bias, real eps) {
    tape_node *n = record_like(t, &layernorm_op, name, x);
    if (!n) {
        return NULL;
    }
    n->in[1] = gain;
    n->in[2] = bias;
    n->epsilon = eps;
    n->kept[0] = tape_tensor(t, NULL, 1, (int[]){tensor_rows(x)});
    n->kept[1] = tape_tensor(t, NULL, 1, (int[]){tensor_rows(x)});
    return n->kept[0] && n->kept[1] ? tape_run(t, n) : NULL;
}

/* ---- rmsnorm --------------------------------------------------------------------------------- */

void rmsnorm_forward(tape *t, tape_node *n) {
    (void)t;
    kernel(rmsnorm)(n->out->data, n->kept[0]->data, n->in[0]->data, data_of(n->in[1]),
                    tensor_rows(n->out), tensor_last(n->out), n->epsilon);
}

void rmsnorm_backward(tape *t, tape_node *n) {
    (void)t;
    kernel(rmsnorm_backward)(norm_dx(n), grad_of(n->in[1]), n->in[0]->data, n->kept[0]->data,
                             data_of(n->in[1]), n->out->grad, tensor_rows(n->out),
                             tensor_last(n->out), n->add[0], n->add[1]);
}

tensor *op_rmsnorm(tape *t, const char *name, tensor *x, tensor *gain, real eps) {
    tape_node *n = record_like(t, &rmsnorm_op, name, x);
    if (!n) {
        return NULL;
    }
    n->in[1] = gain;
    n->epsilon = eps;
    n->kept[0] = tape_tensor(t, NULL, 1, (int[]){tensor_rows(x)});
    return n->kept[0] ? tape_run(t, n) : NULL;
}

/* ---- activations, element by element --------------------------------------------------------- */

static tensor *record_activation(tape *t, const tape_op *op, const char *name, tensor *x) {
    tape_node *n = record_like(t, op, name, x);
    return n ? tape_run(t, n) : NULL;
}

void gelu_forward(tape *t, tape_node *n) {
    (void)t;
    kernel(gelu)(n->out->data, n->in[0]->data, (size_t)n->out->size);
}

void gelu_backward(tape *t, tape_node *n) {
    (void)t;
    kernel(gelu_backward)(n->in[0]->grad, n->in[0]->data, n->out->grad, (size_t)n->out->size,
                          n->add[0]);
}

int gelu_constants(const tape_node *n, op_constant *out) {
    (void)n;
    out[0] = (op_constant){"scale", (double)GELU_SCALE};
    out[1] = (op_constant){"cubic", (double)GELU_CUBIC};
    return 2;
}

tensor *op_gelu(tape *t, const char *name, tensor *x) {
    return record_activation(t, &gelu_op, name, x);
}

void relu2_forward(tape *t, tape_node *n) {
    (void)t;
    kernel(relu2)(n->out->data, n->in[0]->data, (size_t)n->out->size);
}

void relu2_backward(tape *t, tape_node *n) {
    (void)t;
    kernel(relu2_backward)(n->in[0]->grad, n->in[0]->data, n->out->grad, (size_t)n->out->size,
                           n->add[0]);
}

tensor *op_relu2(tape *t, const char *name, tensor *x) {
    return record_activation(t, &relu2_op, name, x);
}
