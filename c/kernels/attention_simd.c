/* attention_simd.c - causal attention, forward and backward, head by head.
 *
 * Blocks of ATTENTION_BLOCK queries turn the dot products of kernels_ref.c into matrix products. A
 * block multiplies only the keys up to its last query, which skips about half of the scores: those
 * above the diagonal. All blocks of a head multiply with the same keys and values, which are
 * therefore packed once per head if the workspace is large enough; with few queries, as in
 * decoding, keys and values are read in place. The backward pass adds the terms of one block after
 * another to dkey and dvalue, so its scratch memory contains the scores of only one block.
 *
 * Invariant: every product adds its terms in the order of gemm, so blocks and packing change no
 * bit, and new queries over cached keys yield the same bits as a pass over the whole sequence.
 */
#include "kernels/kernels_simd.h"

#include <string.h>

#include "base/real.h"
#include "base/numeric.h"

/* A matrix that is the right factor of several products, perhaps with a packed copy. */
typedef struct side {
    matrix raw;
    const float *packed; /* packed copy of `raw`; NULL: products read `raw` in place */
    int k;               /* number of rows of the matrix */
} side;

/* Free workspace for packed factors. `left` is its size in floats; with 0, no factor is packed. */
typedef struct packing {
    float *room;
    size_t left;
} packing;

/* Number of floats in a packed matrix (k,n). */
static size_t packed_size(int n, int k) {
    return (size_t)(n + GEMM_PANEL - 1) / GEMM_PANEL * GEMM_PANEL * (size_t)k;
}

/* Packs b (k,n) if the workspace `p` has enough space; otherwise products will read b in place. */
static side side_of(packing *p, matrix b, int n, int k) {
    size_t size = packed_size(n, k);
    if (size > p->left) {
        return (side){b, NULL, k};
    }
    float *to = p->room;
    gemm_pack_simd(to, b, n, k);
    p->room += size;
    p->left -= size;
    return (side){b, to, k};
}

/* Matrix product out (m,n) = a (m,k) b (k,n), or += if `accumulate`. The right factor is the first
 * k rows and n columns of the matrix in `b`. */
static void multiply(float *out, size_t out_row, matrix a, const side *b, int m, int n, int k,
                     bool accumulate, float *workspace) {
    if (b->packed) {
        gemm_packed_simd(out, out_row, a, b->packed, b->k, m, n, k, accumulate,
                         workspace + GEMM_WORKSPACE_B);
    } else {
        gemm_simd(out, out_row, a, b->raw, NULL, m, n, k, accumulate, workspace);
    }
}

/* Number of queries in the block that begins at query `first`. */
static int block_rows(int first, int n_query) {
    return n_query - first < ATTENTION_BLOCK ? n_query - first : ATTENTION_BLOCK;
}

/* Attention of one head of one sequence. Each pointer addresses the first number of the head in its
 * array. */
static void attend(float *out, float *probs, const float *query, const float *key,
                   const float *value, attention_shape s, float *workspace) {
    int d = s.channels / s.heads;
    int past = s.n_key - s.n_query;
    size_t row = (size_t)s.n_key;
    float factor = 1.0f / real_sqrt((float)d);
    // Packs both keys and values or neither: a product whose factor is not packed here packs it
    // itself and overwrites the whole workspace.
    bool packs = s.n_query >= ATTENTION_BLOCK / 2 &&
                 packed_size(s.n_key, d) + packed_size(d, s.n_key) <= GEMM_WORKSPACE_B;
    packing p = {workspace, packs ? GEMM_WORKSPACE_B : 0};
    side keys = side_of(&p, (matrix){key, 1, s.key_row}, s.n_key, d);
    side values = side_of(&p, (matrix){value, s.value_row, 1}, d, s.n_key);
    for (int first = 0; first < s.n_query; first += ATTENTION_BLOCK) {
        int rows = block_rows(first, s.n_query);
        int seen = past + first + rows;
        float *weights = probs + (size_t)first * row;
        matrix q = {query + (size_t)first * s.query_row, s.query_row, 1};
        // pass 1: scores (rows,seen) = queries times keys^T, written to probs
        multiply(weights, row, q, &keys, rows, seen, d, false, workspace);
        // pass 2: softmax of each row up to its diagonal, 0 after it
        for (int i = 0; i < rows; i++) {
            float *line = weights + (size_t)i * row;
            int visible = past + first + i + 1;
            softmax_row_simd(line, line, factor, visible);
            memset(line + visible, 0, (size_t)(s.n_key - visible) * sizeof *line);
        }
        // pass 3: out (rows,d) = probabilities times values
        multiply(out + (size_t)first * (size_t)s.channels, (size_t)s.channels,
                 (matrix){weights, row, 1}, &values, rows, d, seen, false, workspace);
    }
}

void attention_heads_simd(float *out, float *probs, const float *query, const float *key,
                          const float *value, attention_shape s, int first, int count,
                          float *workspace) {
    size_t queries = (size_t)s.n_query, keys = (size_t)s.n_key;
    size_t heads = (size_t)s.heads, d = (size_t)s.channels / heads;
    size_t end = (size_t)first + (size_t)count;
    for (size_t i = (size_t)first; i < end; i++) {
        size_t b = i / heads, column = i % heads * d;
        attend(out + b * queries * (size_t)s.channels + column, probs + i * queries * keys,
               query + b * queries * s.query_row + column, key + b * keys * s.key_row + column,
               value + b * keys * s.value_row + column, s, workspace);
    }
}

void attention_simd(float *out, float *probs, const float *query, const float *key,
                    const float *value, attention_shape s, float *workspace) {
    attention_heads_simd(out, probs, query, key, value, s, 0, s.batch * s.heads, workspace);
}

/* Adds the terms of one block of queries to dvalue (with weights = probs, b = dout) or to dkey
 * (with weights = score gradients, b = queries):
 *   gradient (seen,d) += weights^T (seen,rows) b (rows,d)
 * where the block has `rows` queries from query `first` on and sees seen = first + rows keys. No
 * earlier block has seen the keys first .. seen-1. Unless `accumulate`, their rows of the gradient
 * are overwritten, so the gradient needs no zeroing. */
static void accumulate_kv_grad(float *gradient, size_t gradient_row, const float *weights,
                               size_t row, const side *b, int first, int rows, int d,
                               bool accumulate, float *workspace) {
    if (accumulate || first > 0) {
        int older = accumulate ? first + rows : first;
        multiply(gradient, gradient_row, (matrix){weights, 1, row}, b, older, d, rows, true,
                 workspace);
    }
    if (!accumulate) {
        multiply(gradient + (size_t)first * gradient_row, gradient_row,
                 (matrix){weights + first, 1, row}, b, rows, d, rows, false, workspace);
    }
}

/* Backward pass of one head of one sequence, by the formulas of attend_backward in kernels_ref.c.
 * `scores` is scratch of ATTENTION_BLOCK * n_query floats. */
static void attend_backward(float *dquery, float *dkey, float *dvalue, const float *probs,
                            const float *query, const float *key, const float *value,
                            const float *dout, attention_shape s, bool accumulate, float *scores,
                            float *workspace) {
    int d = s.channels / s.heads, t = s.n_query;
    size_t row = (size_t)t, channels = (size_t)s.channels;
    float factor = 1.0f / real_sqrt((float)d);
    size_t needed = packed_size(t, d) + packed_size(d, t) + 2 * packed_size(d, ATTENTION_BLOCK);
    packing whole = {workspace, needed <= GEMM_WORKSPACE_B ? GEMM_WORKSPACE_B : 0};
    side values = side_of(&whole, (matrix){value, 1, s.value_row}, t, d);
    side keys = side_of(&whole, (matrix){key, s.key_row, 1}, d, t);
    for (int first = 0; first < t; first += ATTENTION_BLOCK) {
        int rows = block_rows(first, t);
        int seen = first + rows;
        // Each block reuses the space after the packed keys and values.
        packing p = whole;
        const float *weights = probs + (size_t)first * row;
        matrix go = {dout + (size_t)first * channels, channels, 1};
        matrix q = {query + (size_t)first * s.query_row, s.query_row, 1};
        // pass 1: gradients of the probabilities (rows,seen) = dout times values^T
        multiply(scores, row, go, &values, rows, seen, d, false, workspace);
        // pass 2: gradients of the scores, row by row, in place; 0 after the diagonal
        for (int i = 0; i < rows; i++) {
            float *line = scores + (size_t)i * row;
            int visible = first + i + 1;
            softmax_row_backward_simd(line, weights + (size_t)i * row, line, factor, visible,
                                      false);
            memset(line + visible, 0, (size_t)(seen - visible) * sizeof *line);
        }
        // pass 3: dquery (rows,d) = score gradients times keys, or += if `accumulate`
        multiply(dquery + (size_t)first * s.query_row, s.query_row, (matrix){scores, row, 1}, &keys,
                 rows, d, seen, accumulate, workspace);
        // pass 4: dvalue += probs^T dout, dkey += score gradients^T queries
        side gos = side_of(&p, go, d, rows);
        side queries = side_of(&p, q, d, rows);
        accumulate_kv_grad(dvalue, s.value_row, weights, row, &gos, first, rows, d, accumulate,
                           workspace);
        accumulate_kv_grad(dkey, s.key_row, scores, row, &queries, first, rows, d, accumulate,
                           workspace);
    }
}

void attention_heads_backward_simd(float *dquery, float *dkey, float *dvalue, const float *probs,
                                   const float *query, const float *key, const float *value,
                                   const float *dout, attention_shape s, int first, int count,
                                   bool accumulate, float *scratch, float *workspace) {
    size_t t = (size_t)s.n_query, heads = (size_t)s.heads, d = (size_t)s.channels / heads;
    size_t end = (size_t)first + (size_t)count;
    for (size_t i = (size_t)first; i < end; i++) {
        size_t b = i / heads, column = i % heads * d;
        size_t q = b * t * s.query_row + column, k = b * t * s.key_row + column,
               v = b * t * s.value_row + column;
        attend_backward(dquery + q, dkey + k, dvalue + v, probs + i * t * t, query + q, key + k,
                        value + v, dout + b * t * (size_t)s.channels + column, s, accumulate,
                        scratch, workspace);
    }
}

void attention_backward_simd(float *dquery, float *dkey, float *dvalue, const float *probs,
                             const float *query, const float *key, const float *value,
                             const float *dout, attention_shape s, bool accumulate, float *scratch,
                             float *workspace) {
    attention_heads_backward_simd(dquery, dkey, dvalue, probs, query, key, value, dout, s, 0,
                                  s.batch * s.heads, accumulate, scratch, workspace);
}
