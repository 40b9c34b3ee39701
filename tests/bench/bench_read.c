/* bench_read.c - how fast the module reads its own memory: what decoding is held against.
 *
 * Linked with the engine into a module for the benchmark alone. */
#include <stddef.h>
#include <wasm_simd128.h>

int bench_read(const void *from, size_t bytes, int streams);

/* Reads `bytes` once, those short of a whole block excepted, and returns something that depends on all
 * of them: 1 stream from beginning to end, or 8 streams, 4 KB apart, which keeps more of the
 * processor's prefetchers busy (the decoder's own way of reading). */
int bench_read(const void *from, size_t bytes, int streams) {
    enum { LANES = 8, PAGE = 4096, BLOCK = LANES * PAGE };
    size_t stride = streams == 1 ? 16 : PAGE;
    size_t step = streams == 1 ? 16 * LANES : 16;
    v128_t sum[LANES] = {0};
    for (const char *at = from, *end = at + bytes / BLOCK * BLOCK; at < end; at += BLOCK) {
        for (size_t i = 0; i < PAGE / 16; i++) {
            for (size_t lane = 0; lane < LANES; lane++) {
                sum[lane] = wasm_v128_xor(sum[lane], wasm_v128_load(at + i * step + lane * stride));
            }
        }
    }
    for (int lane = 1; lane < LANES; lane++) {
        sum[0] = wasm_v128_xor(sum[0], sum[lane]);
    }
    return wasm_i32x4_extract_lane(sum[0], 0) ^ wasm_i32x4_extract_lane(sum[0], 3);
}
