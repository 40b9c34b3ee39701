/** Dependency rules of c/ and web/, line budgets, and the exports of the module. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engineModule } from './node/engine-memory.ts';
import { engineBytes } from './node/load-engine.ts';

const root = join(import.meta.dirname, '..');

/** Folders of the engine, with the other folders that each may include. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  kernels: ['base'],
  recipe: ['base'],
  tape: ['base', 'kernels'],
  text: ['base', 'recipe'],
  model: ['base', 'recipe', 'tape'],
  train: ['base', 'kernels', 'recipe', 'tape', 'text', 'model'],
  infer: ['base', 'kernels', 'text', 'model'],
  io: ['base', 'recipe', 'text', 'model'],
  formats: ['base', 'recipe', 'text', 'model', 'io'],
  fit: ['base', 'recipe'],
  runs: ['base', 'recipe', 'text', 'model', 'train', 'infer', 'io'],
  api: [
    ...['base', 'kernels', 'recipe', 'text', 'model', 'train', 'infer'],
    ...['io', 'formats', 'fit', 'runs'],
  ],
  cli: ['api'],
};
const isFolder = (folder: string) => Object.hasOwn(FOLDERS, folder);

/** Budget in lines of code per folder: growth is a decision, made by editing this table. */
const LINES: Readonly<Record<string, number>> = {
  base: 1825,
  kernels: 1460,
  recipe: 520,
  tape: 950,
  text: 2610,
  model: 470,
  train: 1840,
  infer: 470,
  io: 1980,
  formats: 4980,
  fit: 580,
  api: 2040,
  runs: 385,
  cli: 2720,
};

/** Counts the lines that are neither blank nor only a comment. */
function linesOfCode(source: string): number {
  const code = source.replaceAll(/^[ \t]*\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*/gm, '');
  return code.split('\n').filter((line) => line.trim() !== '').length;
}

/** Lists the files below a folder with the targets of their includes or imports, as written. */
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
  const inner = includes.filter(({ target }) => isFolder(dirname(target)));
  const isCommandLine = (file: string) => dirname(file) === 'c/cli';

  test('has no folder that is not a layer, and no file outside of one', () => {
    const entries = readdirSync(join(root, 'c'), { withFileTypes: true });
    for (const entry of entries.filter(({ name }) => name !== 'README.md')) {
      expect(entry.isDirectory() && isFolder(entry.name), entry.name).toBe(true);
    }
    expect(inner.length).toBeGreaterThan(40); // fails if the pattern stops matching
  });

  test.each(Object.entries(FOLDERS))('c/%s includes itself and %j only', (folder, allowed) => {
    const arrows = inner.filter(({ file }) => basename(dirname(file)) === folder);
    expect(arrows.length).toBeGreaterThan(0);
    const others = arrows.filter(({ target }) => ![folder, ...allowed].includes(dirname(target)));
    expect(others).toEqual([]);
  });

  test.each(Object.entries(LINES))('c/%s has at most %i lines of code', (folder, most) => {
    expect(Object.keys(LINES).sort()).toEqual(Object.keys(FOLDERS).sort());
    const count = readdirSync(join(root, 'c', folder))
      .filter((name) => /\.[ch]$/.test(name))
      .map((name) => linesOfCode(readFileSync(join(root, 'c', folder, name), 'utf8')))
      .reduce((sum, lines) => sum + lines, 0);
    expect(count).toBeLessThanOrEqual(most);
    // The budget stays within 3% of the count: a larger margin would not limit growth.
    expect(count).toBeGreaterThan(0.97 * most);
  });

  test('names every header from the root of c/, so that the arrow can be read', () => {
    const local = includes.filter(({ target }) => existsSync(join(root, 'c', target)));
    const quoted = links('c', /\.[ch]$/, /^\s*#\s*include\s+"([^"]+)"/gm);
    // Templates are string literals that the build generates, not headers.
    const headers = quoted.map(({ target }) => target).filter((target) => target.endsWith('.h'));
    expect(headers).toEqual(local.map(({ target }) => target));
  });

  test('includes the refusal of contracted sums wherever it computes with floating point', () => {
    const reached = (file: string, seen = new Set<string>()): Set<string> => {
      for (const { target } of inner.filter((link) => link.file === join('c', file))) {
        if (!seen.has(target)) reached(target, seen.add(target));
      }
      return seen;
    };
    const sources = links('c', /\.c$/, /\b(float|double|real)\b/g).map(({ file }) => file);
    const computing = [...new Set(sources)].filter((file) => !isCommandLine(file));
    expect(computing.length).toBeGreaterThan(40);
    const free = computing.filter((file) => !reached(file.slice(2)).has('base/real.h'));
    expect(free).toEqual([]);
  });

  test('is compiled without contracted sums by every rule of the Makefile', () => {
    const makefile = readFileSync(join(root, 'Makefile'), 'utf8');
    const rules = makefile.split('\n').filter((line) => /^\t.* -c \$+< /.test(line));
    expect(rules.length).toBeGreaterThan(4);
    expect(rules.filter((rule) => !/\$+\(COMMON\)/.test(rule))).toEqual([]);
    expect(makefile).toMatch(/^COMMON +:= .*\$\(EXACT\)/m);
    expect(makefile).toMatch(/^EXACT +:= .*-ffp-contract=off/m);
  });

  const clang = (...flags: string[]) =>
    spawnSync('clang', ['-std=c11', '-O1', '-include', 'c/base/real.h', ...flags, '-xc', '-'], {
      cwd: root,
      input: 'float sum(float a, float b, float c) { return a + b + c; }',
      encoding: 'utf8',
    });
  test.skipIf(clang('-fsyntax-only').status !== 0)(
    'refuses a Clang that changes the bits, or keeps it from that',
    () => {
      expect(clang('-fsyntax-only', '-ffinite-math-only').status).toBe(1);
      const flags = ['-fassociative-math', '-fno-signed-zeros', '-fno-trapping-math'];
      const { stdout } = clang(...flags, '-S', '-emit-llvm', '-o', '-');
      expect(stdout).toContain('fadd');
      expect(stdout).not.toContain('reassoc');
    },
  );

  // GCC for a processor with fused multiply-add.
  const compiles = (...flags: string[]) =>
    spawnSync('gcc', [...flags, '-march=haswell', '-fsyntax-only', '-xc', 'c/base/real.h'], {
      cwd: root,
    }).status === 0;
  const isGcc = /Free Software/.test(String(spawnSync('gcc', ['--version']).stdout));
  test
    .skipIf(!isGcc || !compiles('-std=c11'))
    .each([['-std=gnu11'], ['-std=c11', '-ffp-contract=fast'], ['-std=c11', '-ffast-math']])(
    'refuses a GCC that changes the bits: %s %s',
    (...flags) => {
      expect(compiles(...flags)).toBe(false);
    },
  );

  test('uses no mathematics and no printing of the system: bits and size depend on neither', () => {
    const allowed = new Set([
      'assert.h',
      'emmintrin.h',
      'pthread.h', // native thread pool
      'stdbool.h',
      'stddef.h',
      'stdint.h',
      'stdlib.h',
      'string.h',
      'wasm_simd128.h',
    ]);
    // The command line is a client of the engine and may print.
    const system = includes.filter(
      ({ file, target }) =>
        !isFolder(dirname(target)) && !isCommandLine(file) && !allowed.has(target),
    );
    expect(system).toEqual([]);
  });

  test('names what a failure is about by a word, so that every language can say the rest', () => {
    const subjects = links('c', /\.c$/, /\b(?:gpt_fail(?:_name)?|fail_\w+)\([^;{}"]*?"([^"]*)"/g);
    expect(subjects.length).toBeGreaterThan(50);
    expect(subjects.filter(({ target }) => target.includes(' '))).toEqual([]);
  });

  test('is known to the command line by gpt.h alone', () => {
    const known = inner.filter(({ file }) => isCommandLine(file)).map(({ target }) => target);
    const headers = known.filter((target) => target.endsWith('.h'));
    expect(new Set(headers)).toEqual(new Set(['api/gpt.h', 'cli/output.h', 'cli/train_gpt.h']));
  });
});

describe('the contract', () => {
  const later = ['c/api/gpt_formats.h', 'c/api/gpt_past.h', 'c/api/gpt_trace.h'];
  const training = ['c/api/gpt.h', 'c/api/gpt_files.h'];
  const headers = [...training, ...later];
  const functionsOf = (file: string) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^GPT_API [^(]*?(\w+)\(/gm)].map(
      (match) => match[1]!,
    );
  const functions = training.flatMap(functionsOf);

  test('names its functions gpt_<noun>_<verb>, each once', () => {
    expect(functions).toContain('gpt_step');
    expect(functions).toContain('gpt_loss');
    expect(functions).toContain('gpt_sample');
    const all = headers.flatMap(functionsOf);
    expect(new Set(all).size).toBe(all.length);
    for (const name of all) expect(name).toMatch(/^gpt_[a-z]+(_[a-z]+)*$/);
  });

  test('explains every function, or its group, in a comment right above', () => {
    const paragraphs = headers.flatMap((file) =>
      readFileSync(join(root, file), 'utf8').split(/\n\s*\n/),
    );
    for (const paragraph of paragraphs) {
      if (!/^GPT_API/m.test(paragraph)) continue;
      expect(paragraph).toMatch(/^\/\*[\s\S]{20,}?\*\/\nGPT_API/);
    }
  });

  const isCpp = spawnSync('g++', ['--version']).status === 0;
  test.skipIf(!isCpp)('links to a program in C++, that of status.h included', () => {
    const status = readFileSync(join(root, 'c/base/status.h'), 'utf8');
    const named = [...status.matchAll(/^\w[^#(]* \*?(gpt_\w+)\(/gm)].map((match) => match[1]!);
    expect(named).toContain('gpt_status_name');
    const all = [...named, ...headers.flatMap(functionsOf)];
    const client = `#include "api/gpt.h"\nvoid *all[] = {${all.map((name) => `(void *)${name}`).join()}};`;
    const flags = ['-Wall', '-Werror', '-Ic', '-xc++', '-S', '-o', '-', '-'];
    const { stdout, stderr } = spawnSync('g++', flags, { cwd: root, input: client });
    expect(String(stderr)).toBe('');
    const symbols = new Set(String(stdout).match(/\b_?(?:_Z\d+)?gpt_\w+/g));
    expect(all.filter((name) => !symbols.has(name) && !symbols.has(`_${name}`))).toEqual([]);
  });

  /** Exports of a module, except emcc's own: start-up, the stack, indirect calls. */
  const exportsOf = (module: WebAssembly.Module): string[] => {
    const runtime =
      /^(_initialize|__indirect_function_table|__errno_location|stack(Save|Restore|Alloc)|_?emscripten_\w+)$/;
    const exports = WebAssembly.Module.exports(module).map(({ name }) => name);
    return exports.filter((name) => !runtime.test(name)).sort();
  };

  test('is what the module exports, beside memory, malloc and free', async () => {
    const ours = exportsOf(await engineModule());
    expect(ours).toEqual([...functions, 'free', 'malloc', 'memory'].sort());
  });

  test('is exported with snapshots, other programs’ files and the questions about the text by the module for questions', async () => {
    const traces = later.flatMap(functionsOf);
    expect(traces.length).toBeGreaterThan(10);
    const ours = exportsOf(await WebAssembly.compile(engineBytes('wasm-questions')));
    expect(ours).toEqual([...functions, ...traces, 'free', 'malloc', 'memory'].sort());
  });
});

describe.skipIf(!existsSync(join(root, 'web')))('the page', () => {
  /** Folders of web/ that each folder may import from. Imports from `docs` are types only. */
  const shared = ['base', 'i18n', 'data'];
  const WEB_FOLDERS: Readonly<Record<string, readonly string[]>> = {
    base: [],
    i18n: ['base'],
    data: ['base', 'i18n'],
    kit: shared,
    engine: ['base'],
    store: [...shared, 'engine'],
    instruments: [...shared, 'kit', 'engine', 'store', 'docs'],
    page: [...shared, 'kit', 'engine', 'store', 'instruments', 'styles', 'docs'],
    embed: [...shared, 'kit', 'engine', 'store', 'instruments', 'page', 'styles'],
    package: ['data', 'engine', 'store', 'embed'],
    docs: ['base', 'i18n', 'engine', 'store', 'page', 'embed'],
  };
  const pattern = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;
  const imports = links('web', /\.tsx?$/, pattern).map(({ file, target }) => ({
    file,
    target: join(dirname(file), target),
  }));
  const folderOf = (path: string) => path.split('/')[1]!;
  const isWords = (path: string) => /^web\/(instruments|page)\/.+\/words\/[\w-]+\.ts$/.test(path);

  test('has no other folder, and no file outside of one', () => {
    const folders = readdirSync(join(root, 'web'), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(names.sort()).toEqual([...Object.keys(WEB_FOLDERS), 'styles'].sort());
    expect(folders.some((entry) => entry.isFile() && entry.name.endsWith('.ts'))).toBe(false);
  });

  test.each(Object.entries(WEB_FOLDERS))(
    'web/%s imports from itself and %j only',
    (folder, allowed) => {
      const arrows = imports.filter(({ file }) => folderOf(file) === folder);
      expect(arrows.length > 0 || folder === 'base').toBe(true);
      const others = arrows.filter(
        ({ target }) =>
          ![folder, ...allowed].includes(folderOf(target)) &&
          // Engine modules, which the build writes.
          !target.startsWith('build/') &&
          // Templates that both clients of the engine fill.
          !(folder === 'engine' && target.startsWith('c/formats/templates/')) &&
          // The catalogues list the words of all instruments.
          !(folder === 'i18n' && isWords(target)),
      );
      expect(others).toEqual([]);
    },
  );

  test('words import nothing but the type of a catalogue', () => {
    const arrows = imports.filter(({ file }) => isWords(file));
    expect(arrows.length).toBeGreaterThan(20);
    const others = arrows.filter(
      ({ file, target }) => target !== 'web/i18n/index.ts' && dirname(target) !== dirname(file),
    );
    expect(others).toEqual([]);
  });

  const instrumentOf = (path: string) => /^web\/instruments\/([\w-]+)\//.exec(path)?.[1] ?? null;

  test('no instrument imports another: what two of them need stands below them', () => {
    const across = imports.filter(({ file, target }) => {
      const [from, to] = [instrumentOf(file), instrumentOf(target)];
      return from !== null && to !== null && from !== to && to !== 'common';
    });
    expect(across).toEqual([]);
    expect(imports.filter(({ file }) => instrumentOf(file) !== null).length).toBeGreaterThan(100);
  });

  test('instruments are components: none makes or changes elements by hand', () => {
    // Markup of the build, canvases, pictures of a file, and the file of a report.
    const ALLOWED = new Set([
      'attention/report-section.tsx',
      'model-parts/explanation.tsx',
      'past/film.ts',
      'take-away/report.tsx',
      'twin/twin-curves.tsx',
    ]);
    const byHand =
      /\bel\(|\bsvg\(|createElement\(|\.replaceChildren\(|\.hidden = |(?<!\.)\bsetText\(|\bsetAttribute\(/;
    const views = [...new Set(imports.map(({ file }) => file))].filter(
      (file) => instrumentOf(file) !== null,
    );
    expect(views.length).toBeGreaterThan(100); // fails if the pattern stops matching
    const made = views
      .filter((file) => byHand.test(readFileSync(join(root, file), 'utf8')))
      .map((file) => relative('web/instruments', file));
    expect(made.filter((file) => !ALLOWED.has(file))).toEqual([]);
  });

  test('every instrument describes itself, and nothing outside its folder names it', () => {
    const folders = readdirSync(join(root, 'web/instruments'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      // What two instruments need.
      .filter((name) => name !== 'common');
    expect(folders.length).toBeGreaterThan(20);
    for (const name of folders) {
      expect(existsSync(join(root, 'web/instruments', name, 'instrument.json')), name).toBe(true);
    }
    const named = imports
      .filter(({ file, target }) => {
        const [, name] = /^web\/instruments\/([\w-]+)\//.exec(target) ?? [];
        return (
          name !== undefined && name !== 'common' && !file.startsWith(`web/instruments/${name}/`)
        );
      })
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(named).toEqual([]);
  });

  test('the store, the engine and what they share know no document', () => {
    const knowing = ['base', 'data', 'store', 'engine'].flatMap((folder) =>
      readdirSync(join(root, 'web', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .filter((name) =>
          /\bdocument\.(?:create|query|get|body|documentElement)|\bHTML\w*Element\b/.test(
            readFileSync(join(root, 'web', folder, name), 'utf8'),
          ),
        )
        .map((name) => join(folder, name)),
    );
    expect(knowing).toEqual([]);
  });

  test('the calls of the module are known to one folder, and its memory to one file', () => {
    const filesWith = (pattern: RegExp) =>
      readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' }).filter(
        (name) =>
          /\.tsx?$/.test(name) && pattern.test(readFileSync(join(root, 'web', name), 'utf8')),
      );
    const binding = join('engine', 'binding');
    expect(filesWith(/\.memory\.buffer/)).toEqual([join(binding, 'memory.ts')]);
    const calling = filesWith(/\.gpt_\w+\b|\bmalloc\b/);
    expect(calling.length).toBeGreaterThan(0);
    expect(calling.filter((name) => dirname(name) !== binding)).toEqual([]);
  });
});
