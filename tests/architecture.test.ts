/** The layers of c/ and web/: arrows that point one way, and a contract with nothing beside it. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engineModule } from './node/engine-memory.ts';

const root = join(import.meta.dirname, '..');

/** From the ground up. Folders of one row know nothing of each other. */
const rows = [
  ['base'],
  ['kernels', 'recipe'],
  ['tape', 'text'],
  ['model'],
  ['train', 'infer', 'io', 'fit'],
  ['api'],
  ['cli'],
];
const rowOf = (folder: string) => rows.findIndex((row) => row.includes(folder));

/** Files below a folder, with what they include or import, as written. */
function links(
  folder: string,
  extension: RegExp,
  pattern: RegExp,
): { file: string; target: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => extension.test(name))
    .flatMap((name) => {
      const file = join(folder, name);
      const source = readFileSync(join(root, file), 'utf8');
      return [...source.matchAll(pattern)].map((match) => ({ file, target: match[1]! }));
    });
}

describe('the engine', () => {
  const includes = links('c', /\.[ch]$/, /^\s*#\s*include\s+["<]([^">]+)[">]/gm);
  const inner = includes.filter(({ target }) => rowOf(dirname(target)) >= 0);
  const isCommandLine = (file: string) => dirname(file) === 'c/cli';

  test('has no folder that is not a layer, and no file outside of one', () => {
    const entries = readdirSync(join(root, 'c'), { withFileTypes: true });
    for (const entry of entries.filter(({ name }) => name !== 'README.md')) {
      expect(entry.isDirectory() && rowOf(entry.name) >= 0, entry.name).toBe(true);
    }
    expect(inner.length).toBeGreaterThan(40); // or the lines above are not found any more
  });

  test('includes its own layer or lower ones only', () => {
    const upward = inner.filter(({ file, target }) => {
      const from = basename(dirname(file));
      const to = dirname(target);
      const allowed = from === to || (rowOf(to) >= 0 && rowOf(to) < rowOf(from));
      return !allowed;
    });
    expect(upward).toEqual([]);
  });

  test('names every header from the root of c/, so that the arrow can be read', () => {
    const local = includes.filter(({ target }) => existsSync(join(root, 'c', target)));
    const quoted = links('c', /\.[ch]$/, /^\s*#\s*include\s+"([^"]+)"/gm);
    expect(quoted.map(({ target }) => target)).toEqual(local.map(({ target }) => target));
  });

  test('uses no mathematics and no printing of the system: bits and size depend on neither', () => {
    const allowed = new Set([
      'assert.h',
      'emmintrin.h',
      'pthread.h', // the pool, natively
      'stdbool.h',
      'stddef.h',
      'stdint.h',
      'stdlib.h',
      'string.h',
      'wasm_simd128.h',
    ]);
    // The command line is a client of the engine: it may print.
    const system = includes.filter(
      ({ file, target }) =>
        rowOf(dirname(target)) < 0 && !isCommandLine(file) && !allowed.has(target),
    );
    expect(system).toEqual([]);
  });

  test('names what a failure is about by a word, so that every language can say the rest', () => {
    const subjects = links('c', /\.c$/, /\b(?:gpt_fail|fail_\w+)\([^;{}"]*?"([^"]*)"/g);
    expect(subjects.length).toBeGreaterThan(50);
    expect(subjects.filter(({ target }) => target.includes(' '))).toEqual([]);
  });

  test('is known to the command line by gpt.h alone', () => {
    const known = inner.filter(({ file }) => isCommandLine(file)).map(({ target }) => target);
    expect(new Set(known)).toEqual(new Set(['api/gpt.h', 'cli/train_gpt.h']));
  });
});

describe('the contract', () => {
  const header = readFileSync(join(root, 'c/api/gpt.h'), 'utf8');
  const functions = [...header.matchAll(/^GPT_API [^(]*?(\w+)\(/gm)].map((match) => match[1]!);

  test('names its functions gpt_<noun>_<verb>, each once', () => {
    expect(functions).toContain('gpt_step');
    expect(functions).toContain('gpt_loss');
    expect(functions).toContain('gpt_sample');
    expect(new Set(functions).size).toBe(functions.length);
    for (const name of functions) expect(name).toMatch(/^gpt_[a-z]+(_[a-z]+)*$/);
  });

  test('explains every function, or its group, in a comment right above', () => {
    for (const paragraph of header.split(/\n\s*\n/)) {
      if (!/^GPT_API/m.test(paragraph)) continue;
      expect(paragraph).toMatch(/^\/\*[\s\S]{20,}?\*\/\nGPT_API/);
    }
  });

  test('is what the module exports, beside memory, malloc and free', async () => {
    const exports = WebAssembly.Module.exports(await engineModule()).map(({ name }) => name);
    // What emcc adds by itself: start-up, the stack, the table of indirect calls.
    const runtime =
      /^(_initialize|__indirect_function_table|__errno_location|stack(Save|Restore|Alloc)|_?emscripten_\w+)$/;
    const ours = exports.filter((name) => !runtime.test(name));
    expect(ours.sort()).toEqual([...functions, 'free', 'malloc', 'memory'].sort());
  });
});

describe.skipIf(!existsSync(join(root, 'web')))('the page', () => {
  const imports = existsSync(join(root, 'web'))
    ? links('web', /\.ts$/, /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
    : [];
  /** The folder of web/ that a relative import leads to. */
  const folderOf = (file: string, target: string) =>
    join(dirname(file), target).split('/')[1] ?? '';
  const arrowsFrom = (folder: string) =>
    imports
      .filter(({ file }) => file.startsWith(`web/${folder}/`))
      .map(({ file, target }) => folderOf(file, target));

  test.each([
    ['engine', ['engine', 'base']],
    ['i18n', ['i18n']],
    ['views', ['views', 'i18n', 'base']],
  ])('web/%s imports from %j only', (folder, allowed) => {
    const arrows = arrowsFrom(folder);
    expect(arrows.length).toBeGreaterThan(0);
    expect(arrows.filter((target) => !allowed.includes(target))).toEqual([]);
  });

  test('web/base, what engine and views share, imports from nowhere', () => {
    expect(existsSync(join(root, 'web/base'))).toBe(true);
    expect(arrowsFrom('base')).toEqual([]);
  });

  test('the calls of the module are known to one folder, and its memory to one file', () => {
    const filesWith = (pattern: RegExp) =>
      readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' }).filter(
        (name) =>
          name.endsWith('.ts') && pattern.test(readFileSync(join(root, 'web', name), 'utf8')),
      );
    const binding = join('engine', 'binding');
    expect(filesWith(/\.memory\.buffer/)).toEqual([join(binding, 'memory.ts')]);
    const calling = filesWith(/\.gpt_\w+\b|\bmalloc\b/);
    expect(calling.length).toBeGreaterThan(0);
    expect(calling.filter((name) => dirname(name) !== binding)).toEqual([]);
  });
});
