/* gemm_simd.c - matrix product in tiles of 4 rows by 8 columns.
 *
 * Eight accumulators (two vectors for each of four rows) stay in registers while k runs; twelve or
 * more would spill in today's WASM engines. B is packed into panels of 8 columns so that the inner
 * loop reads it in order; blocks of KC = 256 rows of B (8 KB a panel, L1) and NC = 512 columns (512
 * KB, L2) are packed at a time. A is read in place through its strides, one splat a row.
 * With few rows packing would cost more than it saves, so a B whose rows are dense is then read in
 * place. None of this changes a bit: each element adds its products for k = 0, 1, 2, ... in turn; a
 * block of k continues from what the block before it left in `out`.
 */
#include "kernels/kernels.h"

#ifndef GPT_REAL_DOUBLE

#include "kernels/vec.h"

enum { MR = 4, NR = 8, KC = 256, NC = 512, PACK_ROWS = 12 };

/* Where the running sums of a tile start. */
typedef struct tile_start {
    const float *bias; /* 8 numbers, or NULL */
    bool from_out;
} tile_start;

/* out (rows,8) = start + sum over k of a (rows,k) * b (k,8); rows is a constant after inlining. */
static inline __attribute__((always_inline)) void tile(int rows, float *out, size_t out_row,
                                                       const float *a, size_t a_row,
                                                       size_t a_column, const float *b,
                                                       size_t b_row, int k, tile_start start) {
    f32x4 sum[MR][2];
    for (int i = 0; i < rows; i++) {
        sum[i][0] = sum[i][1] = v_splat(0.0f);
        if (start.from_out) {
            sum[i][0] = v_load(out + (size_t)i * out_row);
            sum[i][1] = v_load(out + (size_t)i * out_row + 4);
        } else if (start.bias) {
            sum[i][0] = v_load(start.bias);
            sum[i][1] = v_load(start.bias + 4);
        }
    }
    for (int l = 0; l < k; l++) {
        f32x4 b0 = v_load(b);
        f32x4 b1 = v_load(b + 4);
        b += b_row;
        for (int i = 0; i < rows; i++) {
            f32x4 x = v_splat(a[(size_t)i * a_row]);
            sum[i][0] += x * b0;
            sum[i][1] += x * b1;
        }
        a += a_column;
    }
    for (int i = 0; i < rows; i++) {
        v_store(out + (size_t)i * out_row, sum[i][0]);
        v_store(out + (size_t)i * out_row + 4, sum[i][1]);
    }
}

static void tile_rows(int rows, float *out, size_t out_row, const float *a, size_t a_row,
                      size_t a_column, const float *b, size_t b_row, int k, tile_start start) {
    switch (rows) {
    case 1:
        tile(1, out, out_row, a, a_row, a_column, b, b_row, k, start);
        break;
    case 2:
        tile(2, out, out_row, a, a_row, a_column, b, b_row, k, start);
        break;
    case 3:
        tile(3, out, out_row, a, a_row, a_column, b, b_row, k, start);
        break;
    default:
        tile(4, out, out_row, a, a_row, a_column, b, b_row, k, start);
    }
}

/* A tile narrower than 8 columns goes through a buffer; `b` has all 8 columns (zeros beyond). */
static void tile_edge(int rows, int columns, float *out, size_t out_row, const float *a,
                      size_t a_row, size_t a_column, const float *b, int k, tile_start start) {
    float buffer[MR * NR] = {0};
    float bias[NR] = {0};
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows && start.from_out; i++) {
            buffer[i * NR + j] = out[(size_t)i * out_row + (size_t)j];
        }
        bias[j] = start.bias ? start.bias[j] : 0.0f;
    }
    tile_rows(rows, buffer, NR, a, a_row, a_column, b, NR, k, (tile_start){bias, start.from_out});
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            out[(size_t)i * out_row + (size_t)j] = buffer[i * NR + j];
        }
    }
}

/* Packs b (k,n) into panels of 8 columns: panel p holds columns 8p..8p+7 for l = 0..k-1. */
static void pack(float *to, matrix b, int n, int k) {
    for (int j = 0; j < n; j += NR) {
        int columns = n - j < NR ? n - j : NR;
        const float *from = b.data + (size_t)j * b.column;
        if (columns == NR && b.column == 1) {
            for (int l = 0; l < k; l++, from += b.row, to += NR) {
                v_store(to, v_load(from));
                v_store(to + 4, v_load(from + 4));
            }
        } else if (columns == NR) {
            for (int l = 0; l < k; l++, from += b.row, to += NR) {
                for (size_t c = 0; c < NR; c++) {
                    to[c] = from[c * b.column];
                }
            }
        } else {
            for (int l = 0; l < k; l++, from += b.row, to += NR) {
                for (size_t c = 0; c < NR; c++) {
                    to[c] = c < (size_t)columns ? from[c * b.column] : 0.0f;
                }
            }
        }
    }
}

/* One packed or dense block: out (m,n) from a (m,k) and the block's panels. */
static void block(float *out, size_t out_row, matrix a, const float *b, size_t b_row, size_t panel,
                  int m, int n, int k, const float *bias, bool from_out) {
    for (int j = 0; j < n; j += NR) {
        const float *columns_of_b = b + (size_t)(j / NR) * panel;
        tile_start start = {bias ? bias + j : NULL, from_out};
        for (int i = 0; i < m; i += MR) {
            int rows = m - i < MR ? m - i : MR;
            const float *rows_of_a = a.data + (size_t)i * a.row;
            float *to = out + (size_t)i * out_row + (size_t)j;
            if (n - j < NR) {
                tile_edge(rows, n - j, to, out_row, rows_of_a, a.row, a.column, columns_of_b, k,
                          start);
            } else {
                tile_rows(rows, to, out_row, rows_of_a, a.row, a.column, columns_of_b, b_row, k,
                          start);
            }
        }
    }
}

void gemm_simd(float *out, size_t out_row, matrix a, matrix b, const float *bias, int m, int n,
               int k, bool accumulate, float *workspace) {
    enum { MC = 64 }; /* rows of A that stay in L2 while all panels pass over them */
    int dense = m < PACK_ROWS && b.column == 1 ? n - n % NR : 0;
    if (dense) {
        block(out, out_row, a, b.data, b.row, NR, m, dense, k, bias, accumulate);
    }
    for (int j = dense; j < n; j += NC) {
        int columns = n - j < NC ? n - j : NC;
        for (int l = 0; l == 0 || l < k; l += KC) {
            int depth = k - l < KC ? k - l : KC;
            matrix part = {b.data + (size_t)l * b.row + (size_t)j * b.column, b.row, b.column};
            pack(workspace, part, columns, depth);
            for (int i = 0; i < m; i += MC) {
                matrix rows = {a.data + (size_t)i * a.row + (size_t)l * a.column, a.row, a.column};
                block(out + (size_t)i * out_row + (size_t)j, out_row, rows, workspace, NR,
                      (size_t)depth * NR, m - i < MC ? m - i : MC, columns, depth,
                      l == 0 && bias ? bias + j : NULL, accumulate || l > 0);
            }
        }
    }
}

#endif
