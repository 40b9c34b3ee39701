/** Fetches and compiles the engine's module, and provides its imports. */
import type { EngineSource, Uncompiled } from './engine-source.ts';
import { asError, failure } from './errors.ts';

/** Compiles the module; a URL is compiled while it downloads, if the server sends the MIME type. */
export async function compileEngine(source: EngineSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  try {
    return await compileFrom(source);
  } catch (thrown) {
    // Browsers name the policy in the message; nothing else distinguishes this case.
    const refused = thrown instanceof WebAssembly.CompileError || thrown instanceof EvalError;
    if (!refused) throw thrown;
    if (!/policy|unsafe-eval|disallowed|blocked/i.test(thrown.message)) {
      // The answer is no WebAssembly: hosts of single-page apps send HTML for a missing file.
      const message = `what came for the engine is no WebAssembly module: ${thrown.message}`;
      throw failure('load', message, [], 'server');
    }
    throw failure('policy', `this page does not allow WebAssembly: ${thrown.message}`);
  }
}

async function compileFrom(source: Uncompiled): Promise<WebAssembly.Module> {
  if (typeof source !== 'string' && !(source instanceof URL)) return WebAssembly.compile(source);
  let response: Response;
  try {
    response = await fetch(source);
  } catch (thrown) {
    throw failure('load', `the engine could not be loaded: ${asError(thrown).message}`);
  }
  if (!response.ok) {
    const message = `the engine could not be loaded: status ${String(response.status)}`;
    throw failure('load', message, [], 'server');
  }
  // Streaming compilation needs the MIME type, which a plain static host may not send.
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Whether the module imports its memory: the threaded one shares it between threads. */
export function wantsMemory(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');
}

/** The imports of a module: `memory`, and functions that must never be called or do nothing. */
export function importsFor(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory | undefined,
): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === 'memory' && memory !== undefined) (imports[space] ??= {})[name] = memory;
    if (kind !== 'function') continue;
    (imports[space] ??= {})[name] = () => {
      if (name === 'emscripten_notify_memory_growth') return 0;
      throw failure('unexpected', `the engine called ${space}.${name}, which it should never do`);
    };
  }
  return imports;
}
