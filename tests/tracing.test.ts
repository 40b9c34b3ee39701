/**
 * Sources of a written text in the training text, as the library reports them:
 * web/engine/tracing.ts.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import type { TracedText } from '../web/engine/trainer.ts';
import { run } from './node/command-line.ts';
import { engineBytes } from './node/load-engine.ts';

const texts = join(import.meta.dirname, '../public/texts');
const names = readFileSync(join(texts, 'first-names-en.txt'), 'utf8');
const story = readFileSync(join(texts, 'moby-dick-en.txt'), 'utf8').slice(0, 60_000);
const poems = readFileSync(join(texts, 'tang-quatrains-zh.txt'), 'utf8').slice(0, 20_000);

const scratch = mkdtempSync(join(tmpdir(), 'glasshouse-tracing-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

const open: DirectTrainer[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const SMALL = { channels: 8, heads: 1, layers: 1, batch: 1, steps: 2 };

async function trainerOf(
  text: string,
  changes: Record<string, number>,
  preset = 'microgpt',
): Promise<DirectTrainer> {
  const trainer = new DirectTrainer(engineBytes('wasm-questions'));
  open.push(trainer);
  await trainer.setText(text);
  await trainer.prepare({ preset, changes: { ...SMALL, ...changes } });
  return trainer;
}

const parts = (text: string, { runs }: TracedText): string[] =>
  runs.map(({ start, end }) => text.slice(start, end));

describe('a written text is traced', () => {
  test('to lines of the training text, with their number; a new one to none', async () => {
    const trainer = await trainerOf('anna\nbob\nclara\nbob\n', { validation: 0 });
    const written = 'bob\nzoe\nclara';
    const traced = await trainer.trace(written);
    expect(parts(written, traced)).toEqual(['bob', 'clara']);
    expect(traced.runs.map(({ isLine, count, line }) => [isLine, count, line])).toEqual([
      [true, 2, expect.toBeOneOf([2, 4])],
      [true, 1, 3],
    ]);
  });

  test('to its place in a stream, with what stands around it, longer than by chance', async () => {
    const trainer = await trainerOf(story, { validation: 0.1 }, 'tinygpt');
    const at = story.indexOf('Loomings');
    const copied = story.slice(at, at + 60);
    const written = `Zxq ${copied} qxz`;
    const traced = await trainer.trace(written);
    expect(traced.base!.of).toBe('held-out');
    expect(traced.base!.characters).toBeGreaterThan(4);
    expect(traced.base!.characters).toBeLessThan(30);
    const found = traced.runs.find(({ characters }) => characters >= 60)!;
    expect(written.slice(found.start, found.end)).toContain(copied);
    expect(story.slice(0, found.place)).toMatch(new RegExp(`${found.before.slice(-10).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)); // prettier-ignore
    expect(story.slice(found.place + found.characters)).toContain(found.after.slice(0, 10));
    expect(found.line).toBe(story.slice(0, found.place).split('\n').length);
    expect(found.count).toBe(1);
  });

  test('in whole characters, where a character has several bytes', async () => {
    const trainer = await trainerOf(poems, { validation: 0 }, 'tinygpt');
    const copied = poems.slice(40, 70);
    const traced = await trainer.trace(`x${copied}x`);
    const longest = [...traced.runs].sort((a, b) => b.characters - a.characters)[0]!;
    expect(`x${copied}x`.slice(longest.start, longest.end)).toBe(copied);
    expect(longest.characters).toBe(Array.from(copied).length);
    expect(longest.before).not.toContain('\ufffd');
    expect(longest.after).not.toContain('\ufffd');
    // A base rate counted in bytes would be three times as long.
    expect(traced.base!.characters).toBeLessThan(8);
  });

  test('with the base rate that the command line prints', async () => {
    for (const [validation, of] of [
      [0.1, 'held-out'],
      [0, 'left-out'],
    ] as const) {
      const trainer = await trainerOf(names, { validation });
      const base = (await trainer.trace('anna')).base!;
      expect(base.of).toBe(of);
      const { out } = run(
        ...['--data', join(texts, 'first-names-en.txt'), '--preset', 'microgpt'],
        ...[
          '--set',
          `validation=${String(validation)}`,
          '--trace',
          join(texts, 'tang-quatrains-zh.txt'),
        ],
      );
      expect(out).toContain(`have at most ${String(base.characters)} characters`);
      expect(out).toContain(`\n${(100 * base.lines).toFixed(1)} % of the lines of the `);
    }
  });

  test('beside the share of lines that are written twice by chance', async () => {
    const trainer = await trainerOf('anna\nbob\nanna\nclara\n', { validation: 0 });
    const { base } = await trainer.trace('zoe');
    // Two of the four lines are equal.
    expect(base!.lines).toBe(0.5);
  });

  test('to nothing, if the text has one line only: nothing tells what chance alone gives', async () => {
    const line = story.slice(0, 5000).replaceAll('\n', ' ');
    for (const [text, preset] of [
      [line, 'tinygpt'],
      [`${line}\n\n \n`, 'tinygpt'],
      ['anna', 'microgpt'],
    ] as const) {
      const trainer = await trainerOf(text, { validation: 0 }, preset);
      const traced = await trainer.trace(text.slice(0, 200));
      expect(traced).toEqual({ runs: [], base: null });
    }
    const file = join(scratch, 'line.txt');
    writeFileSync(file, line);
    const { out } = run(
      ...['--data', file, '--preset', 'tinygpt', '--set', 'validation=0', '--trace', file],
    );
    expect(out).toContain('no base rate');
    expect(out).not.toContain('at most');
    expect(out).not.toContain('stand in line');
  });

  test('to a part that ends where a character of the training text ends', async () => {
    const filler = Array.from({ length: 40 }, (_, at) => `line ${String(at)} zzz`).join('\n');
    const text = `${filler}\nun petit cafe\u0301 noir\n`;
    const trainer = await trainerOf(text, { validation: 0 }, 'tinygpt');
    const written = 'Q un petit cafe Q';
    expect(parts(written, await trainer.trace(written))).toEqual(['un petit caf']);
    // A source line without the accent allows a match that includes the letter.
    const both = await trainerOf(`${text}un petit cafe noir\n`, { validation: 0 }, 'tinygpt');
    const traced = await both.trace('Qun petit cafeQ');
    expect(traced.runs).toMatchObject([{ characters: 13, count: 1, line: 42 }]);
    // An accent in the written text also ends the match before its letter.
    const marked = 'Qun petit cafe\u0301Q';
    const plain = await trainerOf(`${filler}\nun petit cafe noir\n`, { validation: 0 }, 'tinygpt');
    expect(parts(marked, await plain.trace(marked))).toEqual(['un petit caf']);
  });

  test('with whole characters around a place near the beginning of the text', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `\u00e9t\u00e9 ${String(at)} \u00e0 zzz`);
    const trainer = await trainerOf(lines.join('\n'), { validation: 0 }, 'tinygpt');
    for (let from = 12; from < 125; from++) {
      const copied = lines.join('\n').slice(from, from + 40);
      const traced = await trainer.trace(copied);
      expect(traced.runs).toHaveLength(1);
      expect(traced.runs[0]!.before).toBe(lines.join('\n').slice(0, from));
    }
  });
});

describe('tables of the last tokens', () => {
  test('lose less, the more they look at, and as much as guessing is worth', async () => {
    const trainer = await trainerOf(names, { validation: 0.1 });
    const { heldOut, targets, yardsticks } = await trainer.yardsticks();
    expect(heldOut).toBe(true);
    expect(targets).toBeGreaterThan(3000);
    expect(yardsticks.map(({ order }) => order)).toEqual([-1, 0, 1, 2, 3, 4, 5]);
    expect(yardsticks[0]!.nats).toBeCloseTo(Math.log(27), 5);
    for (const [at, { nats }] of yardsticks.slice(1, 4).entries()) {
      expect(nats).toBeLessThan(yardsticks[at]!.nats);
    }
  });

  test('lose on each held-out token what comes to their mean on all of it', async () => {
    const trainer = await trainerOf(names.split('\n', 1000).join('\n'), {});
    const changes = { ...SMALL, validation: 0.1 };
    const { heldOutText } = await trainer.prepare({ preset: 'microgpt', changes });
    const { targets, yardsticks } = await trainer.yardsticks();
    const { tokens } = await trainer.analyse(heldOutText, 1e5, false);
    const ids = tokens.flatMap(({ token, score }) => (score === null ? [] : [token.id]));
    expect(ids).toHaveLength(targets);
    const losses = await trainer.scoreByTable(2, ids);
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / targets;
    expect(mean).toBeCloseTo(yardsticks[3]!.nats, 5);
    await expect(trainer.scoreByTable(6, ids)).rejects.toMatchObject({ code: 'range' });
  });

  test('write the same text again from the same seed, and another from another', async () => {
    const trainer = await trainerOf(story, {}, 'tinygpt');
    const first = await trainer.writeByTable(3, 'The ', 60, 1);
    expect(first.length).toBeGreaterThan(40);
    expect(await trainer.writeByTable(3, 'The ', 60, 1)).toBe(first);
    expect(await trainer.writeByTable(3, 'The ', 60, 2)).not.toBe(first);
  });
});

describe('what cannot be answered is refused by name', () => {
  test('a text that is no longer that of the run, one that is not there, a module without it', async () => {
    const trainer = await trainerOf('anna\nbob\nclara\n', {});
    await trainer.start();
    await expect.poll(() => trainer.place?.state).toBe('finished');
    await trainer.setText('another\ntext\n');
    await expect(trainer.trace('anna')).rejects.toMatchObject({ code: 'text-differs' });
    await trainer.setText('anna\nbob\nclara\n');
    expect((await trainer.trace('anna')).runs).toHaveLength(1);

    const other = new DirectTrainer(engineBytes('wasm-questions'));
    open.push(other);
    await expect(other.trace('anna')).rejects.toMatchObject({ code: 'state' });
    const files = { weights: await trainer.save('weights', '') };
    await other.prepare(null, { files, purpose: 'generate' });
    await expect(other.trace('anna')).rejects.toMatchObject({ code: 'trace-text' });
    // Weights without a checkpoint suffice once the text is set.
    await other.setText('anna\nbob\nclara\n');
    expect((await other.trace('bob')).runs).toHaveLength(1);
    expect((await other.trace('bob')).base).toEqual((await trainer.trace('bob')).base);

    const plain = new DirectTrainer(engineBytes());
    open.push(plain);
    await plain.setText('anna\nbob\n');
    await plain.prepare({ preset: 'microgpt', changes: SMALL });
    await expect(plain.trace('anna')).rejects.toMatchObject({ code: 'questions' });
  });

  test('an index that is being built when another run begins', async () => {
    const trainer = await trainerOf(story.repeat(20), { validation: 0.1 }, 'tinygpt');
    const built = trainer.indexText(() => {
      void trainer.setText('anna\nbob\n');
    });
    await expect(built).rejects.toMatchObject({ code: 'cancelled' });
  });
});
