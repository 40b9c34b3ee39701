/** The command line fits the settings to the text and prints the equivalent flags. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { run } from './node/command-line.ts';
import { engineBytes } from './node/load-engine.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'train-gpt-fit-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes a text file; returns the flags that train on it. */
function file(name: string, text: string): string[] {
  const path = join(folder, name);
  writeFileSync(path, text);
  return ['--data', path, '--samples', '0'];
}

const prose = readFileSync(join(root, 'public/texts/moby-dick-en.txt'), 'utf8')
  .replace(/\s+/g, ' ')
  .slice(0, 12_000);
const PROSE = file('prose.txt', prose);
const SHORT = ['--steps', '2', '--seed', '7'];

/** Parses the kind of text and the equivalent flags from the message of the fit. */
function fitted(errors: string): { kind: string; flags: string[] } {
  const [, kind = '', flags = ''] = /^fitted to the text \((\w+)\): (.*)$/m.exec(errors) ?? [];
  return { kind, flags: flags.split(' ').filter((flag) => flag !== '') };
}

function receipt(...args: string[]): string {
  const { status, out, errors } = run(...args, '--receipt', join(folder, 'receipt.json'));
  expect(status, errors).toBe(0);
  return /^receipt (\S+)/m.exec(out)?.[1] ?? 'no receipt';
}

describe('without a preset', () => {
  test('the settings fit the text, and the flags that it names give the same receipt', () => {
    const { kind, flags } = fitted(run(...PROSE, ...SHORT).errors);
    expect(kind).toBe('prose');
    expect(flags.slice(0, 2)).toEqual(['--preset', 'tinygpt']);
    expect(fitted(run(...PROSE, ...flags, ...SHORT).errors).flags).toEqual([]);
    const same = receipt(...PROSE, ...SHORT);
    expect(receipt(...PROSE, ...flags, ...SHORT)).toBe(same);
    expect(receipt(...PROSE, '--fit', ...SHORT)).toBe(same);
    expect(receipt(...PROSE, '--preset', 'microgpt', ...SHORT)).not.toBe(same);
  });

  test('they are those of the library, option by option', async () => {
    const trainer = new DirectTrainer(engineBytes());
    const { options } = await trainer.options();
    /** The value as --set reads it: choices by their names. */
    const shown = (name: string, value: number): string => {
      const { type, choices } = options.find((option) => option.name === name)!;
      const names = type === 'bool' ? ['false', 'true'] : choices;
      return names[value] ?? String(value);
    };
    const texts = {
      'prose.txt': prose,
      'names.txt': 'anna\nbob\ncarla\ndora\nemil\n'.repeat(9),
      'russian.txt': 'Все люди рождаются свободными и равными. '.repeat(60),
      'song.txt': 'I walk the line tonight with you\n'.repeat(60),
    };
    for (const [name, text] of Object.entries(texts)) {
      await trainer.setText(text);
      const { kind, recipe } = await trainer.fit();
      const changes = Object.entries(recipe.changes).flatMap(([option, value]) => [
        '--set',
        `${option}=${shown(option, value)}`,
      ]);
      const said = fitted(run(...file(name, text), ...SHORT).errors);
      expect(said).toEqual({ kind, flags: ['--preset', recipe.preset, ...changes] });
    }
    trainer.close();
  });

  test('an earlier version of the rules can be asked for', () => {
    expect(fitted(run(...PROSE, ...SHORT).errors).flags).toContain('tokenizer=char');
    const first = fitted(run(...PROSE, ...SHORT, '--fit-version', '1').errors).flags;
    expect(first.join(' ')).not.toContain('tokenizer');
    expect(run(...PROSE, ...SHORT, '--fit-version', '3').errors).toContain(
      'fit is 3, but must be from 1 to 2',
    );
  });

  test('an earlier version asks for a fit, too, and so for no preset', () => {
    const { status, errors } = run(...PROSE, ...SHORT, '--fit-version', '1', '--preset', 'gpt2');
    expect(errors).toContain('--fit chooses the recipe');
    expect(status).not.toBe(0);
  });

  test.each([
    ['steps and seed', ['--steps', '5', '--seed', '7']],
    ['the learning rate', ['--lr', '0.001', '--steps', '5']],
    ['the held-out share', ['--set', 'validation=0.2', '--steps', '5']],
  ])('%s can be named beside it', (_, flags) => {
    const { status, errors } = run(...PROSE, ...flags);
    expect(fitted(errors).kind).toBe('prose');
    expect(status).toBe(0);
  });

  test('an option of the model that is named leaves tinygpt, unless --fit asks', () => {
    for (const flags of [
      ['--layers', '1'],
      ['--set', 'tokenizer=char'],
    ]) {
      expect(run(...PROSE, ...flags, '--steps', '1').errors).not.toContain('fitted');
      expect(run(...PROSE, ...flags, '--steps', '1', '--fit').errors).toContain('fitted');
    }
    const plain = receipt(...PROSE, '--layers', '1', ...SHORT);
    expect(receipt(...PROSE, '--preset', 'tinygpt', '--layers', '1', ...SHORT)).toBe(plain);
  });
});

describe('with a preset', () => {
  test('nothing is fitted', () => {
    expect(run(...PROSE, '--preset', 'microgpt', ...SHORT).errors).not.toContain('fitted');
  });

  test.each([
    ['a preset', ['--preset', 'tinygpt']],
    ['a saved run', ['--load', 'a.safetensors']],
    ['weights of GPT-2', ['--hf', 'folder']],
  ])('%s and --fit exclude each other', (_, flags) => {
    const { status, out, errors } = run(...PROSE, ...flags, '--fit');
    expect(errors).toContain('--fit chooses the recipe: leave --preset');
    expect([status, out]).toEqual([2, '']);
  });
});

test('an empty text cannot be fitted, and is refused by name', () => {
  const { status, errors } = run(...file('empty.txt', ''));
  expect(errors).toMatch(/empty/);
  expect(status).toBe(1);
});
