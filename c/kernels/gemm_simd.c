/* gemm_simd.c - the matrix product A B, in tiles of 4 rows by 8 columns.
 *
 * The sums of a tile stay in registers during the loop over k (columns of A, rows of B). Blocks of
 * both factors are packed, B in panels of 8 columns and A in panels of 4 rows, so that the inner
 * loop reads two arrays in order. If A has few rows, packing B costs more than it saves, and B is
 * read in place.
 *
 * Invariant: every element adds its products one by one for k = 0, 1, 2, ...; a block of k
 * continues from the sum that the previous block wrote to `out`. All paths yield the same bits.
 */
#include "kernels/kernels_simd.h"

#include "kernels/vec.h"

/* MR, NR: rows and columns of a tile. The sums of a tile are 8 vectors; 12 or more would spill in
 * today's WASM engines. KC, NC, MC: lengths of a packed block along k, columns of B, rows of A. A
 * panel of B has 8 KB, for L1; a block of B has 512 KB and a block of A 64 KB, for L2. FEW_ROWS:
 * products with fewer rows do not pack a B with contiguous rows. */
enum { MR = 4, NR = GEMM_PANEL, KC = 256, NC = 512, MC = 64, FEW_ROWS = 12 };

_Static_assert(GEMM_WORKSPACE_B >= KC * NC && GEMM_WORKSPACE_A >= MC * KC,
               "room for a block of each side");

/* Initial values of the sums of a tile: the values in the output if from_out, otherwise bias, or 0
 * if bias is NULL. */
typedef struct tile_start {
    const float *bias; /* bias of the 8 columns of the tile */
    bool from_out;
} tile_start;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* One step of k for a tile: sum (rows,8) += a (rows) * b (8). */
ALWAYS_INLINE void tile_step(int rows, f32x4 sum[MR][2], const float *a, const float *b) {
    f32x4 b0 = v_load(b);
    f32x4 b1 = v_load(b + 4);
    for (int i = 0; i < rows; i++) {
        f32x4 x = v_splat(a[i]);
        sum[i][0] += x * b0;
        sum[i][1] += x * b1;
    }
}

/* Computes a tile: out (rows,8) = start + sum over k of a (k,rows) * b (k,8), for packed a. `rows`
 * is a constant after inlining, and so is `b_row` (the distance between rows of b) if B is packed.
 * The loop over k is not unrolled: with four steps in a row, WASM engines spilled registers. */
ALWAYS_INLINE void tile(int rows, float *out, size_t out_row, const float *a, const float *b,
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
        tile_step(rows, sum, a, b);
        a += rows;
        b += b_row;
    }
    for (int i = 0; i < rows; i++) {
        v_store(out + (size_t)i * out_row, sum[i][0]);
        v_store(out + (size_t)i * out_row + 4, sum[i][1]);
    }
}

/* Calls tile with a constant number of rows, 1 to 4, so that its loops over rows are unrolled. */
#define TILE_BY_ROWS(b_row)                                                                        \
    switch (rows) {                                                                                \
    case 1:                                                                                        \
        tile(1, out, out_row, a, b, b_row, k, start);                                              \
        break;                                                                                     \
    case 2:                                                                                        \
        tile(2, out, out_row, a, b, b_row, k, start);                                              \
        break;                                                                                     \
    case 3:                                                                                        \
        tile(3, out, out_row, a, b, b_row, k, start);                                              \
        break;                                                                                     \
    default:                                                                                       \
        tile(4, out, out_row, a, b, b_row, k, start);                                              \
    }

static void tile_packed(int rows, float *out, size_t out_row, const float *a, const float *b, int k,
                        tile_start start) {
    TILE_BY_ROWS(NR)
}

static void tile_in_place(int rows, float *out, size_t out_row, const float *a, const float *b,
                          size_t b_row, int k, tile_start start) {
    TILE_BY_ROWS(b_row)
}

/* Computes a tile of fewer than 8 columns, in a buffer. `b` is a whole panel of 8 columns; the
 * surplus columns of the result are discarded. */
static void tile_edge(int rows, int columns, float *out, size_t out_row, const float *a,
                      const float *b, int k, tile_start start) {
    float buffer[MR * NR] = {0};
    float bias[NR] = {0};
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows && start.from_out; i++) {
            buffer[i * NR + j] = out[(size_t)i * out_row + (size_t)j];
        }
        bias[j] = start.bias ? start.bias[j] : 0.0f;
    }
    tile_packed(rows, buffer, NR, a, b, k, (tile_start){bias, start.from_out});
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            out[(size_t)i * out_row + (size_t)j] = buffer[i * NR + j];
        }
    }
}

/* Transposes 4 lines of `count` contiguous floats into `count` rows of 4 floats. Lines begin `line`
 * floats apart in `from`, rows `to_row` floats apart in `to`. */
static void pack_transposed(float *to, size_t to_row, const float *from, size_t line, int count) {
    const float *f0 = from, *f1 = from + line, *f2 = from + 2 * line, *f3 = from + 3 * line;
    int l = 0;
    for (; l + 4 <= count; l += 4, to += 4 * to_row) {
        f32x4 a = v_load(f0 + l), b = v_load(f1 + l), c = v_load(f2 + l), d = v_load(f3 + l);
        f32x4 ab_low = v_low_pairs(a, b), ab_high = v_high_pairs(a, b);
        f32x4 cd_low = v_low_pairs(c, d), cd_high = v_high_pairs(c, d);
        v_store(to, v_low_halves(ab_low, cd_low));
        v_store(to + to_row, v_high_halves(ab_low, cd_low));
        v_store(to + 2 * to_row, v_low_halves(ab_high, cd_high));
        v_store(to + 3 * to_row, v_high_halves(ab_high, cd_high));
    }
    for (; l < count; l++, to += to_row) {
        v_store(to, (f32x4){f0[l], f1[l], f2[l], f3[l]});
    }
}

void gemm_pack_simd(float *to, matrix b, int n, int k) {
    for (int j = 0; j < n; j += NR) {
        int columns = n - j < NR ? n - j : NR;
        const float *from = b.data + (size_t)j * b.column;
        if (columns == NR && b.column == 1) {
            for (int l = 0; l < k; l++, from += b.row, to += NR) {
                v_store(to, v_load(from));
                v_store(to + 4, v_load(from + 4));
            }
        } else if (columns == NR && b.row == 1) {
            pack_transposed(to, NR, from, b.column, k);
            pack_transposed(to + 4, NR, from + 4 * b.column, b.column, k);
            to += (size_t)k * NR;
        } else {
            for (int l = 0; l < k; l++, from += b.row, to += NR) {
                for (size_t c = 0; c < NR; c++) {
                    to[c] = c < (size_t)columns ? from[c * b.column] : 0.0f;
                }
            }
        }
    }
}

/* Copies the matrix a (m,k) into panels of 4 rows: panel p contains rows 4p .. 4p+3, column by
 * column. The last panel has only the remaining rows, without padding. */
static void pack_a(float *to, matrix a, int m, int k) {
    for (int i = 0; i < m; i += MR) {
        int rows = m - i < MR ? m - i : MR;
        const float *from = a.data + (size_t)i * a.row;
        if (rows == MR && a.row == 1) {
            for (int l = 0; l < k; l++, from += a.column, to += MR) {
                v_store(to, v_load(from));
            }
        } else if (rows == MR && a.column == 1) {
            pack_transposed(to, MR, from, a.row, k);
            to += (size_t)k * MR;
        } else {
            for (int l = 0; l < k; l++, from += a.column) {
                for (size_t r = 0; r < (size_t)rows; r++) {
                    *to++ = from[r * a.row];
                }
            }
        }
    }
}

#ifdef __x86_64__
typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x8_unaligned __attribute__((vector_size(32), aligned(4), may_alias));

/* AVX2 version of block(), in tiles of 4 rows by 16 columns: 8 accumulators of 8 lanes. Each lane
 * multiplies and adds as in tile(), so the bits are equal. Computes only whole tiles and returns
 * the number of columns that they cover; block() computes the remaining columns, and the last m % 4
 * rows of all columns. */
__attribute__((target("avx2"))) static int block_wide(float *out, size_t out_row, const float *a,
                                                      const float *b, size_t panel, int m, int n,
                                                      int k, const float *bias, bool from_out) {
    int j = 0;
    for (; j + 2 * NR <= n; j += 2 * NR, b += 2 * panel) {
        for (int i = 0; i + MR <= m; i += MR) {
            float *to = out + (size_t)i * out_row + (size_t)j;
            const float *x = a + (size_t)i * (size_t)k, *left = b, *right = b + panel;
            f32x8 sum[MR][2];
            for (size_t r = 0; r < MR; r++) {
                const float *start = from_out ? to + r * out_row : bias ? bias + j : NULL;
                sum[r][0] = start ? (f32x8) * (const f32x8_unaligned *)start : (f32x8){0};
                sum[r][1] = start ? (f32x8) * (const f32x8_unaligned *)(start + NR) : (f32x8){0};
            }
            for (int l = 0; l < k; l++, x += MR, left += NR, right += NR) {
                f32x8 b0 = (f32x8) * (const f32x8_unaligned *)left;
                f32x8 b1 = (f32x8) * (const f32x8_unaligned *)right;
                for (size_t r = 0; r < MR; r++) {
                    sum[r][0] += x[r] * b0;
                    sum[r][1] += x[r] * b1;
                }
            }
            for (size_t r = 0; r < MR; r++) {
                *(f32x8_unaligned *)(to + r * out_row) = (f32x8_unaligned)sum[r][0];
                *(f32x8_unaligned *)(to + r * out_row + NR) = (f32x8_unaligned)sum[r][1];
            }
        }
    }
    return j;
}
#endif

/* Computes out (m,n) from packed A (m,k) and packed B, whose panels (k,8) begin `panel` floats
 * apart. Sums start at the values in `out` if from_out, otherwise at bias (n), or at 0 if bias is
 * NULL. */
static void block(float *out, size_t out_row, const float *a, const float *b, size_t panel, int m,
                  int n, int k, const float *bias, bool from_out) {
    int wide = 0; // block_wide computes columns 0 .. wide-1, except in the last m % 4 rows
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        wide = block_wide(out, out_row, a, b, panel, m, n, k, bias, from_out);
    }
#endif
    for (int j = 0; j < n; j += NR, b += panel) {
        tile_start start = {bias ? bias + j : NULL, from_out};
        for (int i = j < wide ? m - m % MR : 0; i < m; i += MR) {
            int rows = m - i < MR ? m - i : MR;
            float *to = out + (size_t)i * out_row + (size_t)j;
            const float *rows_of_a = a + (size_t)i * (size_t)k;
            if (n - j < NR) {
                tile_edge(rows, n - j, to, out_row, rows_of_a, b, k, start);
            } else {
                tile_packed(rows, to, out_row, rows_of_a, b, k, start);
            }
        }
    }
}

/* Product with m < FEW_ROWS rows: packs A and reads B in place, since every number of B is used at
 * most three times (by three tiles). n is a multiple of 8. */
static void few_rows(float *out, size_t out_row, matrix a, matrix b, const float *bias, int m,
                     int n, int k, bool accumulate, float *workspace) {
    for (int l = 0; l == 0 || l < k; l += KC) {
        int depth = k - l < KC ? k - l : KC;
        pack_a(workspace, (matrix){a.data + (size_t)l * a.column, a.row, a.column}, m, depth);
        for (int j = 0; j < n; j += NR) {
            tile_start start = {l == 0 && bias ? bias + j : NULL, accumulate || l > 0};
            for (int i = 0; i < m; i += MR) {
                tile_in_place(m - i < MR ? m - i : MR, out + (size_t)i * out_row + (size_t)j,
                              out_row, workspace + (size_t)i * (size_t)depth,
                              b.data + (size_t)l * b.row + (size_t)j, b.row, depth, start);
            }
        }
    }
}

/* Product with a single row of A and a B with contiguous rows: out (n) += a (k) b (k,n). Reads B in
 * the order of memory, 8 rows at a time, so the running sums in `out` are loaded and stored once
 * for 8 steps of k. */
static void one_row(float *out, matrix a, matrix b, int n, int k) {
    enum { STEPS = 8 };
    int l = 0;
    for (; l + STEPS <= k; l += STEPS) {
        const float *from = b.data + (size_t)l * b.row;
        f32x4 x[STEPS];
        for (int s = 0; s < STEPS; s++) {
            x[s] = v_splat(a.data[(size_t)(l + s) * a.column]);
        }
        for (int j = 0; j < n; j += 4) {
            f32x4 sum = v_load(out + j);
            for (size_t s = 0; s < STEPS; s++) {
                sum += x[s] * v_load(from + s * b.row + (size_t)j);
            }
            v_store(out + j, sum);
        }
    }
    for (; l < k; l++) {
        const float *from = b.data + (size_t)l * b.row;
        f32x4 x = v_splat(a.data[(size_t)l * a.column]);
        for (int j = 0; j < n; j += 4) {
            v_store(out + j, v_load(out + j) + x * v_load(from + j));
        }
    }
}

/* Adds four steps of k to the sums of four outputs: sum_c += x_s from_cs for s = 0 .. 3, where
 * from_cs is number s of line c; lines begin `line` floats apart. Transposes the 4 by 4 block in
 * registers. */
ALWAYS_INLINE f32x4 four_lines(f32x4 sum, const f32x4 x[4], const float *from, size_t line) {
    f32x4 a = v_load(from), b = v_load(from + line);
    f32x4 c = v_load(from + 2 * line), d = v_load(from + 3 * line);
    f32x4 ab_low = v_low_pairs(a, b), ab_high = v_high_pairs(a, b);
    f32x4 cd_low = v_low_pairs(c, d), cd_high = v_high_pairs(c, d);
    sum += x[0] * v_low_halves(ab_low, cd_low);
    sum += x[1] * v_high_halves(ab_low, cd_low);
    sum += x[2] * v_low_halves(ab_high, cd_high);
    return sum + x[3] * v_high_halves(ab_high, cd_high);
}

/* Product with a single row of A and a transposed B: out (n) += a (k) w^T for w (n,k) with
 * contiguous rows (lines). Transposes 8 lines at a time in registers: w is read once, in order, and
 * not copied. */
static void one_row_transposed(float *out, matrix a, matrix b, int n, int k) {
    for (int j = 0; j < n; j += NR) {
        const float *lines = b.data + (size_t)j * b.column;
        const float *right = lines + 4 * b.column;
        f32x4 sum0 = v_load(out + j), sum1 = v_load(out + j + 4);
        int l = 0;
        for (; l + 4 <= k; l += 4) {
            const float *from = a.data + (size_t)l * a.column;
            f32x4 x[4] = {v_splat(from[0]), v_splat(from[a.column]), v_splat(from[2 * a.column]),
                          v_splat(from[3 * a.column])};
            sum0 = four_lines(sum0, x, lines + l, b.column);
            sum1 = four_lines(sum1, x, right + l, b.column);
        }
        for (; l < k; l++) {
            const float *f = lines + l, *g = right + l;
            size_t line = b.column;
            f32x4 x = v_splat(a.data[(size_t)l * a.column]);
            sum0 += x * (f32x4){f[0], f[line], f[2 * line], f[3 * line]};
            sum1 += x * (f32x4){g[0], g[line], g[2 * line], g[3 * line]};
        }
        v_store(out + j, sum0);
        v_store(out + j + 4, sum1);
    }
}

/* Product with a single row of A, as in decoding with a KV cache. Memory limits the speed, so B is
 * not packed but read once, in the order of memory. n is a multiple of 8. */
static void decode(float *out, matrix a, matrix b, const float *bias, int n, int k,
                   bool accumulate) {
    for (int j = 0; j < n && !accumulate; j += 4) {
        v_store(out + j, bias ? v_load(bias + j) : v_splat(0.0f));
    }
    if (b.column == 1) {
        one_row(out, a, b, n, k);
    } else {
        one_row_transposed(out, a, b, n, k);
    }
}

void gemm_simd(float *out, size_t out_row, matrix a, matrix b, const float *bias, int m, int n,
               int k, bool accumulate, float *workspace) {
    float *packed_a = workspace + GEMM_WORKSPACE_B;
    // The first `dense` columns of the output, a multiple of 8, are computed from B in place, the
    // remaining columns (often none) from a packed copy of B.
    bool in_place = b.column == 1 ? m < FEW_ROWS : m == 1 && b.row == 1;
    int dense = in_place ? n - n % NR : 0;
    if (dense && m == 1) {
        decode(out, a, b, bias, dense, k, accumulate);
    } else if (dense) {
        few_rows(out, out_row, a, b, bias, m, dense, k, accumulate, packed_a);
    }
    for (int j = dense; j < n; j += NC) {
        int columns = n - j < NC ? n - j : NC;
        for (int l = 0; l == 0 || l < k; l += KC) {
            int depth = k - l < KC ? k - l : KC;
            gemm_pack_simd(
                workspace,
                (matrix){b.data + (size_t)l * b.row + (size_t)j * b.column, b.row, b.column},
                columns, depth);
            for (int i = 0; i < m; i += MC) {
                int rows = m - i < MC ? m - i : MC;
                pack_a(packed_a,
                       (matrix){a.data + (size_t)i * a.row + (size_t)l * a.column, a.row, a.column},
                       rows, depth);
                block(out + (size_t)i * out_row + (size_t)j, out_row, packed_a, workspace,
                      (size_t)depth * NR, rows, columns, depth, l == 0 && bias ? bias + j : NULL,
                      accumulate || l > 0);
            }
        }
    }
}

void gemm_packed_simd(float *out, size_t out_row, matrix a, const float *packed, int packed_k,
                      int m, int n, int k, bool accumulate, float *workspace) {
    for (int l = 0; l == 0 || l < k; l += KC) {
        int depth = k - l < KC ? k - l : KC;
        for (int i = 0; i < m; i += MC) {
            int rows = m - i < MC ? m - i : MC;
            pack_a(workspace,
                   (matrix){a.data + (size_t)i * a.row + (size_t)l * a.column, a.row, a.column},
                   rows, depth);
            block(out + (size_t)i * out_row, out_row, workspace, packed + (size_t)l * NR,
                  (size_t)packed_k * NR, rows, n, depth, NULL, accumulate || l > 0);
        }
    }
}
