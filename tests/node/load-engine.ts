/** The engine as it lies on the disk, for tests in Node. `make wasm` builds it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const enginePath = join(import.meta.dirname, '../../build/wasm/glasshouse.wasm');

/** Its bytes, which `WebAssembly.compile` and compileEngine take. */
export function engineBytes(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(enginePath));
}
