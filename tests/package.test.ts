/**
 * The npm package as a user gets it: packed, listed, installed from the tarball into an empty
 * project, and used there.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const built = join(root, 'build/package');

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: Packed;

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-package-'));
  const output = run('npm', ['pack', built, '--json', '--pack-destination', folder]);
  packed = (JSON.parse(output) as Packed[])[0]!;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'course', type: 'module' }));
  // The tarball has no dependencies, so that the installation works offline.
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`]);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the package', () => {
  test('holds what it says and nothing else', () => {
    const names = packed.files.map(({ path }) => path);
    const outside = names.filter(
      (name) => !name.startsWith('types/') && !name.startsWith('chunks/'),
    );
    expect(outside.sort()).toEqual([
      'LICENSE',
      'README.md',
      'custom-elements.json',
      'element.mjs',
      'frame.mjs',
      'glasshouse-threads.wasm',
      'glasshouse.wasm',
      'index.mjs',
      'package.json',
      'texts/first-names-en.txt',
      'texts/moby-dick-en.txt',
      'texts/tang-quatrains-zh.txt',
      'widget.mjs',
      'worker.mjs',
    ]);
    expect(names.filter((name) => name.startsWith('types/') && !name.endsWith('.d.ts'))).toEqual(
      [],
    );
    // The single-file builds repeat engine and page, and the texts take 0.7 MB.
    expect(packed.size).toBeLessThan(2_000_000);
  });

  test('has the version and the licence of the project, and depends on nothing', () => {
    const read = (path: string) =>
      JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const ours = read(join(root, 'package.json'));
    const theirs = read(join(built, 'package.json'));
    expect(theirs['version']).toBe(ours['version']);
    expect(theirs['license']).toBe(ours['license']);
    expect(theirs['dependencies']).toBeUndefined();
  });

  test('trains in an empty project, headless, and samples what it has learned', () => {
    writeFileSync(
      join(folder, 'train.mjs'),
      `import { readFileSync } from 'node:fs';
       import { createTrainer, finishRun } from 'glasshouse';
       const text = readFileSync(new URL(import.meta.resolve('glasshouse/texts/first-names-en.txt')));
       const trainer = await createTrainer();
       await trainer.setText(new Uint8Array(text));
       await trainer.prepare({ preset: 'microgpt', changes: { steps: 300 } });
       const { losses } = await finishRun(trainer);
       const again = await finishRun(trainer);
       const { text: name } = await trainer.sample({ prompt: '', maxTokens: 20, temperature: 0.8, topK: 0, topP: 1, seed: 1 });
       trainer.close();
       console.log(JSON.stringify({ losses, again: again.losses, name }));`,
    );
    const { losses, again, name } = JSON.parse(run('node', ['train.mjs'])) as {
      losses: number[];
      again: number[];
      name: string;
    };
    const mean = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(losses).toHaveLength(300);
    // `finishRun` on a finished run returns the same losses.
    expect(again).toEqual(losses);
    expect(losses[0]!.toFixed(4)).toBe('3.2760');
    expect(mean(losses.slice(-100))).toBeLessThan(2.7);
    expect(name).toMatch(/^[a-z]+$/);
  });

  test('says so when a trainer is closed in the middle of a run, and after', () => {
    const output = run('node', [
      '--input-type=module',
      '--eval',
      `import { createTrainer, finishRun } from 'glasshouse';
       const trainer = await createTrainer();
       await trainer.setText('anna\\nbob\\n');
       await trainer.prepare({ preset: 'microgpt', changes: { steps: 1000000 } });
       const run = finishRun(trainer);
       setTimeout(() => trainer.close(), 100);
       const codes = [];
       await run.catch(({ code }) => codes.push(code));
       await trainer.step().catch(({ code }) => codes.push(code));
       console.log(codes.join(' '));`,
    ]);
    expect(output.trim()).toBe('worker worker');
  });

  test('takes what people hand it: bytes of another realm, a part of a buffer, a Buffer, a prompt alone', () => {
    writeFileSync(
      join(folder, 'manners.mjs'),
      `import { runInNewContext } from 'node:vm';
       import { createTrainer, finishRun, GlasshouseError } from 'glasshouse';
       const trainer = await createTrainer();
       const refused = (promise) => promise.then(() => 'taken', ({ code, constructor }) => code + ' ' + constructor.name);
       await trainer.setText(runInNewContext('new Uint8Array([97, 110, 10, 98, 111, 10])'));
       const whole = new TextEncoder().encode('xxanna\\nbob\\n');
       await trainer.setText(whole.subarray(2));
       const kept = whole.buffer.byteLength === whole.length;
       const wrong = [await refused(trainer.setText(5)), await refused(trainer.prepare()), await refused(trainer.inspect({ weights: 'abc' }))];
       await trainer.prepare({ preset: 'microgpt', changes: { steps: 30 } });
       await finishRun(trainer);
       const { tokens } = await trainer.sample({ prompt: 'an' });
       const { tokens: probed, omitted } = await trainer.probe('anna');
       const { file } = await trainer.checkpoint();
       const weights = Buffer.from(await file.arrayBuffer());
       const { values } = await trainer.inspect({ weights });
       // The file's own number of steps, where the recipe says none.
       const { steps } = await trainer.prepare({ preset: 'microgpt' }, { files: { weights }, purpose: 'resume' });
       trainer.close();
       const closed = [await refused(trainer.setText('anna')), await refused(trainer.prepare({ preset: 'microgpt' }))];
       console.log(JSON.stringify({ kept, wrong, sampled: tokens > 0, probed: probed.length, omitted, saved: values.steps, steps, closed }));`,
    );
    expect(JSON.parse(run('node', ['manners.mjs']))).toEqual({
      kept: true,
      wrong: Array.from({ length: 3 }, () => 'argument GlasshouseError'),
      sampled: true,
      probed: 5,
      omitted: 0,
      saved: 30,
      steps: 30,
      closed: ['worker GlasshouseError', 'worker GlasshouseError'],
    });
  });

  test('says which Node it needs to one that is too old', () => {
    const output = run('node', [
      '--input-type=module',
      '--eval',
      `import { createTrainer } from 'glasshouse';
       delete process.getBuiltinModule;
       await createTrainer().catch(({ message }) => console.log(message));`,
    ]);
    expect(output.trim()).toBe(
      `this is Node ${process.versions.node}, and Glasshouse needs Node 20.19 or later`,
    );
  });

  test('trains in Node on as many threads as asked, to the same bits', () => {
    writeFileSync(
      join(folder, 'threads.mjs'),
      `import { availableParallelism } from 'node:os';
       import { createTrainer, finishRun } from 'glasshouse';
       const ends = [];
       for (const threads of [1, 2, undefined]) {
         const trainer = await createTrainer({ threads });
         await trainer.setText('anna bella hanna alba '.repeat(400));
         await trainer.prepare({ preset: 'tinygpt', changes: { steps: 40 } });
         let most = 0;
         trainer.subscribe((snapshot) => { most = Math.max(most, snapshot.threads); });
         await finishRun(trainer);
         const early = await (await trainer.at(7)).receipt();
         ends.push({ most, line: (await trainer.receipt()).line, early: early.line });
         trainer.close();
       }
       const codeOf = (options) => createTrainer(options).catch(({ code }) => code);
       const refused = [await codeOf({ threads: 9 }), await codeOf({ threads: 0.5 }), await codeOf({ threads: 2, place: 'direct' })];
       console.log(JSON.stringify({ ends, refused, cores: availableParallelism() }));`,
    );
    const { ends, refused, cores } = JSON.parse(run('node', ['threads.mjs'])) as {
      ends: { most: number; line: string; early: string }[];
      refused: string[];
      cores: number;
    };
    expect(ends.map(({ most }) => most)).toEqual([1, 2, Math.min(cores, 8)]);
    for (const { line, early } of ends) {
      expect([line, early]).toEqual([ends[0]!.line, ends[0]!.early]);
    }
    expect(refused).toEqual(['argument', 'argument', 'argument']);
  });

  test('is imported without a window, element and widget too', () => {
    const output = run('node', [
      '--input-type=module',
      '--eval',
      `const element = await import('glasshouse/element');
       const { default: widget } = await import('glasshouse/widget');
       let why = '';
       try { element.createElement(); } catch (thrown) { why = thrown.message; }
       console.log(element.elementName, typeof widget.render, typeof widget.initialize, why);`,
    ]);
    expect(output.trim()).toBe(
      'glasshouse-gpt function function createElement() needs a page: there is no document here',
    );
  });

  test.each(['bundler', 'nodenext'])('gives its types to a strict project (%s)', (resolution) => {
    mkdirSync(join(folder, resolution), { recursive: true });
    writeFileSync(
      join(folder, resolution, 'course.mts'),
      `import { createTrainer, encodeText, finishRun, GlasshouseError } from 'glasshouse';
       import type { Snapshot, Trainer } from 'glasshouse';
       import { createElement } from 'glasshouse/element';
       import widget from 'glasshouse/widget';
       const trainer: Trainer = await createTrainer({ place: 'direct' });
       await trainer.setText(encodeText('anna'));
       const losses: readonly number[] = (await finishRun(trainer)).losses;
       trainer.subscribe((snapshot: Snapshot) => { console.log(snapshot.step, losses.length); });
       const state: string | undefined = createElement().status()?.state;
       widget.render({ model: { get: () => null, set: () => undefined }, el: document.body });
       await trainer.setText('anna');
       // @ts-expect-error: a text is a string or bytes
       await trainer.setText(['anna']);
       document.addEventListener('glasshouse-status', ({ detail }) => { console.log(detail.step); });
       type Same = typeof import('glasshouse/element.mjs').elementName & typeof import('glasshouse/widget.mjs').default;
       console.log(null as unknown as Same);
       if (new GlasshouseError({ code: '', message: '', values: [], subject: '' }) === null) console.log(state);`,
    );
    // A page in TSX whose elements are typed in the global JSX namespace (Preact, Solid, React
    // before 19).
    writeFileSync(
      join(folder, resolution, 'page.tsx'),
      `import 'glasshouse/element';
       export const page = <glasshouse-gpt sample="names" autostart />;
       // @ts-expect-error: the name of a sample
       export const other = <glasshouse-gpt sample={5} />;`,
    );
    writeFileSync(
      join(folder, resolution, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          // Skips the check of TypeScript's own libraries, which takes half of the time.
          skipDefaultLibCheck: true,
          ...{ strict: true, noEmit: true, target: 'ES2022', lib: ['ES2022', 'DOM'], types: [] },
          module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
          moduleResolution: resolution,
          jsx: 'preserve',
        },
        files: ['course.mts', 'page.tsx'],
      }),
    );
    expect(problemsOf(resolution)).toBe('');
  });

  test('gives its types to a project for Node, without those of browsers', () => {
    const project = projectFor('node', ['@types/node', 'undici-types']);
    writeFileSync(
      join(project, 'course.mts'),
      `import { createTrainer, finishRun, readText, verifyReceipt } from 'glasshouse';
       import type { OptionName, PresetName } from 'glasshouse';
       const preset: PresetName = 'microgpt';
       const option: OptionName = 'lr';
       const trainer = await createTrainer({ engine: new Uint8Array(8) });
       await trainer.setText(readText(new Uint8Array(8)));
       await trainer.prepare({ preset, changes: { steps: 5, layers: 2 } });
       // @ts-expect-error: a preset is called microgpt
       await trainer.prepare({ preset: 'microgptt' });
       // @ts-expect-error: an option is called layers
       await trainer.prepare({ preset, changes: { layerz: 2 } });
       const { step } = await trainer.train(3, { signal: new AbortController().signal });
       await trainer.set(option, step / 100);
       await finishRun(trainer);
       const { json } = await trainer.receipt();
       console.log((await verifyReceipt(json, 'anna')).same, trainer.losses(), trainer.status());`,
    );
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          ...{ strict: true, noEmit: true, target: 'ES2022', lib: ['ES2022'], types: ['node'] },
          ...{ module: 'nodenext', skipDefaultLibCheck: true },
        },
        files: ['course.mts'],
      }),
    );
    expect(problemsOf('node')).toBe('');
  });

  test('gives its types to a page in TSX for React', () => {
    const project = projectFor('react', []);
    // Installs the types beside the package, too; the projects above have no React.
    projectFor('.', ['@types/react', 'csstype']);
    writeFileSync(
      join(project, 'page.tsx'),
      `import { useEffect, useRef } from 'react';
       import type { GlasshouseGpt } from 'glasshouse/element';
       import { connectFrame } from 'glasshouse/frame';
       import 'glasshouse/element';
       export function Lesson() {
         const gpt = useRef<GlasshouseGpt>(null);
         useEffect(() => {
           const handIn = async (element: GlasshouseGpt): Promise<string> => {
             const { step } = await element.train(200);
             const { text } = await element.at(step).sample({ prompt: 'a' });
             return text + (await element.receipt()).json;
           };
           if (gpt.current !== null) void handIn(gpt.current);
         }, []);
         return <glasshouse-gpt ref={gpt} sample="names" autostart />;
       }
       // @ts-expect-error: the name of a sample
       export const other = <glasshouse-gpt sample={5} />;
       export const around = (frame: HTMLIFrameElement) => connectFrame(frame).at(3).probe('a');`,
    );
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          ...{ strict: true, noEmit: true, target: 'ES2022', lib: ['ES2022', 'DOM'], types: [] },
          ...{ module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx' },
          skipDefaultLibCheck: true,
        },
        files: ['page.tsx'],
      }),
    );
    expect(problemsOf('react')).toBe('');
  });
});

/** Makes a folder for a project that also has packages of ours; returns its path. */
function projectFor(name: string, packages: readonly string[]): string {
  const project = join(folder, name);
  mkdirSync(project, { recursive: true });
  for (const one of packages) {
    const place = join(project, 'node_modules', one);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', one), place);
  }
  return project;
}

/** Errors of the compiler in a project. */
function problemsOf(project: string): string {
  try {
    return run(join(root, 'node_modules/.bin/tsc'), ['-p', project]);
  } catch (thrown) {
    return (thrown as { stdout: string }).stdout;
  }
}
