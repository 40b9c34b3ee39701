/** Reads the built engine from disk, for tests in Node. `make wasm` builds it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const build = join(import.meta.dirname, '../../build');

type Folder = 'wasm' | 'wasm-questions';

/** The path of one of the modules. */
export const engineFile = (folder: Folder = 'wasm'): string =>
  join(build, folder, 'glasshouse.wasm');

/** Bytes of one of the modules, for `WebAssembly.compile` and compileEngine. */
export function engineBytes(folder: Folder = 'wasm'): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(engineFile(folder)));
}
