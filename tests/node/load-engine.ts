/** The engine as it lies on the disk, for tests in Node. `make wasm` builds it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const build = join(import.meta.dirname, '../../build');

export const enginePath = join(build, 'wasm/glasshouse.wasm');

/** Bytes of one of the modules, which `WebAssembly.compile` and compileEngine take. */
export function engineBytes(folder: 'wasm' | 'wasm-questions' = 'wasm'): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(build, folder, 'glasshouse.wasm')));
}
