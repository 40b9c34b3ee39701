/* ops_dense.c - matrix products, norms and activations.
 *
 * Shapes and arguments are in ops.h; a tensor (...,C) is a matrix of tensor_rows rows. In the
 * formulas of backward passes, dout is the gradient of the op's output and dx the gradient of its
 * input x (in[i]->grad). "dx +=" means: the first node that contributes to dx sets it, later nodes
 * add to it (n->add[i]).
 */
#include "tape/ops_internal.h"

/* dense returns an array of rows of `columns` contiguous numbers as a matrix; transposed returns
 * the transpose of this matrix. */
static matrix dense(const real *data, int columns) {
    return (matrix){data, (size_t)columns, 1};
}

static matrix transposed(const real *data, int columns) {
    return (matrix){data, 1, (size_t)columns};
}

/* ---- linear: out (M,N) = x (M,K) w (K,N) + bias (N) ------------------------------------------ */

void linear_forward(tape *t, tape_node *n) {
    int N = tensor_last(n->out), K = tensor_last(n->in[0]);
    parallel(gemm, n->out->data, (size_t)N, dense(n->in[0]->data, K), dense(n->in[1]->data, N),
             n->in[2] ? n->in[2]->data : NULL, tensor_rows(n->out), N, K, false, t->workspace);
}

/* dbias_n += sum over rows m of dout_mn, because out_mn = ... + bias_n for every row. */
static void bias_backward(tape_node *n) {
    if (wants_grad(n->in[2])) {
        int N = tensor_last(n->out);
        parallel(column_sums, n->in[2]->grad, n->out->grad, (size_t)N, tensor_rows(n->out), N,
                 n->add[2]);
    }
}

/* out_mn = sum_k x_mk w_kn + bias_n, so with dout (M,N):
 *   dx_mk += sum over n of dout_mn w_kn:   dx (M,K) += dout w^T
 *   dw_kn += sum over m of x_mk dout_mn:   dw (K,N) += x^T dout
 * The sum over m runs over all positions of the batch. The sizes in a gemm call are the rows and
 * columns of the gradient and the number of terms: M, K, N for dx and K, N, M for dw. dbias is in
 * bias_backward. */
void linear_backward(tape *t, tape_node *n) {
    int M = tensor_rows(n->out), N = tensor_last(n->out), K = tensor_last(n->in[0]);
    if (wants_grad(n->in[0])) {
        parallel(gemm, n->in[0]->grad, (size_t)K, dense(n->out->grad, N),
                 transposed(n->in[1]->data, N), NULL, M, K, N, n->add[0], t->workspace);
    }
    if (wants_grad(n->in[1])) {
        parallel(gemm, n->in[1]->grad, (size_t)N, transposed(n->in[0]->data, K),
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
    parallel(gemm, n->out->data, (size_t)N, dense(n->in[0]->data, K), transposed(n->in[1]->data, K),
             n->in[2] ? n->in[2]->data : NULL, tensor_rows(n->out), N, K, false, t->workspace);
}

/* out_mn = sum_k x_mk w_nk + bias_n, so with dout (M,N):
 *   dx_mk += sum over n of dout_mn w_nk:   dx (M,K) += dout w
 *   dw_nk += sum over m of dout_mn x_mk:   dw (N,K) += dout^T x
 * The sum over m runs over all positions of the batch. dbias is in bias_backward. */
void linear_transposed_backward(tape *t, tape_node *n) {
    int M = tensor_rows(n->out), N = tensor_last(n->out), K = tensor_last(n->in[0]);
    if (wants_grad(n->in[0])) {
        parallel(gemm, n->in[0]->grad, (size_t)K, dense(n->out->grad, N), dense(n->in[1]->data, K),
                 NULL, M, K, N, n->add[0], t->workspace);
    }
    if (wants_grad(n->in[1])) {
        parallel(gemm, n->in[1]->grad, (size_t)K, transposed(n->out->grad, N),
                 dense(n->in[0]->data, K), NULL, N, K, M, n->add[1], t->workspace);
    }
    bias_backward(n);
}

tensor *op_linear_transposed(tape *t, const char *name, tensor *x, tensor *w, tensor *bias) {
    assert(!x || tensor_last(x) == w->shape[1]);
    return record_linear(t, &linear_transposed_op, name, x, w, bias, w->shape[0]);
}

/* ---- matmul: linear of two matrices without a bias ------------------------------------------- */

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

/* ---- layernorm: out = (x - mean) / sqrt(variance + eps) [* gain] [+ bias], row by row -------- */

static real *data_of(const tensor *x) {
    return x ? x->data : NULL;
}

int norm_constants(const tape_node *n, op_constant *out) {
    out[0] = (op_constant){"epsilon", (double)n->epsilon};
    return 1;
}

/* dgain += sum over rows of dout xhat, where xhat = (x - mean) inverse; mean NULL means 0. */
static void gain_backward(tape_node *n, const real *mean, const real *inverse) {
    if (wants_grad(n->in[1])) {
        int N = tensor_last(n->out);
        parallel(norm_gain_backward, n->in[1]->grad, n->in[0]->data, mean, inverse, n->out->grad,
                 (size_t)N, tensor_rows(n->out), N, n->add[1]);
    }
}

/* kept[0] = mean and kept[1] = 1 / sqrt(variance + eps) of each row, for the backward pass. */
void layernorm_forward(tape *t, tape_node *n) {
    (void)t;
    parallel(layernorm, n->out->data, n->kept[0]->data, n->kept[1]->data, n->in[0]->data,
             data_of(n->in[1]), data_of(n->in[2]), tensor_rows(n->out), tensor_last(n->out),
             n->epsilon);
}

/* xhat = (x - mean) inverse, g = dout gain; derivation at layernorm_backward_ref in
 * kernels/kernels_ref.c:
 *   dx += inverse (g - mean(g) - xhat mean(g xhat)), means over the row
 *   dgain += sum over rows of dout xhat;  dbias += sum over rows of dout */
void layernorm_backward(tape *t, tape_node *n) {
    (void)t;
    gain_backward(n, n->kept[0]->data, n->kept[1]->data);
    bias_backward(n);
    if (wants_grad(n->in[0])) {
        parallel(layernorm_backward, n->in[0]->grad, n->in[0]->data, n->kept[0]->data,
                 n->kept[1]->data, data_of(n->in[1]), n->out->grad, tensor_rows(n->out),
                 tensor_last(n->out), n->add[0]);
    }
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

/* ---- rmsnorm: out = x / sqrt(mean(x^2) + eps) [* gain], row by row --------------------------- */

/* kept[0] = 1 / sqrt(mean(x^2) + eps) of each row, for the backward pass. */
void rmsnorm_forward(tape *t, tape_node *n) {
    (void)t;
    parallel(rmsnorm, n->out->data, n->kept[0]->data, n->in[0]->data, data_of(n->in[1]),
             tensor_rows(n->out), tensor_last(n->out), n->epsilon);
}

/* g = dout gain; derivation at rmsnorm_backward_ref in kernels/kernels_ref.c:
 *   dx += inverse g - x inverse^3 mean(g x), mean over the row
 *   dgain += sum over rows of dout x inverse */
void rmsnorm_backward(tape *t, tape_node *n) {
    (void)t;
    gain_backward(n, NULL, n->kept[0]->data);
    if (wants_grad(n->in[0])) {
        parallel(rmsnorm_backward, n->in[0]->grad, n->in[0]->data, n->kept[0]->data,
                 data_of(n->in[1]), n->out->grad, tensor_rows(n->out), tensor_last(n->out),
                 n->add[0]);
    }
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
    parallel(gelu, n->out->data, n->in[0]->data, (size_t)n->out->size);
}

/* dx += dout gelu'(x). */
void gelu_backward(tape *t, tape_node *n) {
    (void)t;
    parallel(gelu_backward, n->in[0]->grad, n->in[0]->data, n->out->grad, (size_t)n->out->size,
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
    parallel(relu2, n->out->data, n->in[0]->data, (size_t)n->out->size);
}

/* dx += dout 2 max(0, x). */
void relu2_backward(tape *t, tape_node *n) {
    (void)t;
    parallel(relu2_backward, n->in[0]->grad, n->in[0]->data, n->out->grad, (size_t)n->out->size,
             n->add[0]);
}

tensor *op_relu2(tape *t, const char *name, tensor *x) {
    return record_activation(t, &relu2_op, name, x);
}
