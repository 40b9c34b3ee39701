/** Detects WebAssembly SIMD, which the engine needs. */

/** A module of one function that uses one SIMD instruction: (i32.const 0) i8x16.splat drop. */
const TINY = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic, version 1
  ...[0x01, 0x04, 0x01, 0x60, 0x00, 0x00], // one type: () -> ()
  ...[0x03, 0x02, 0x01, 0x00], // one function of that type
  ...[0x0a, 0x09, 0x01, 0x07, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x1a, 0x0b], // its code
);

export function hasSimd(): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(TINY);
}
