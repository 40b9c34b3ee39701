/** The plot of embeddings: rows that are read, the frame of a run, labels, kinds of tokens. */
import { describe, expect, test } from 'vitest';
import { seeIn, Frames, isOutgrown, makeFrame } from '../web/instruments/embeddings/frame.ts';
import type { Bounds, Frame } from '../web/instruments/embeddings/frame.ts';
import { placeNames } from '../web/instruments/embeddings/labels.ts';
import type { NamedPoint } from '../web/instruments/embeddings/labels.ts';
import { readRows } from '../web/instruments/embeddings/read-rows.ts';
import { usedBytes, withoutUnused } from '../web/instruments/embeddings/used-bytes.ts';
import { choicesOf } from '../web/instruments/embeddings/shown.ts';
import { kindOf } from '../web/instruments/embeddings/token-kinds.ts';
import type { Token, Trainer } from '../web/engine/trainer.ts';
import { names, useTrainers } from './node/begun-trainer.ts';

const begin = useTrainers();

const still = (): Promise<void> => Promise.resolve();
const square = (size: number) => ({
  values: Float64Array.from([size, 0, -size, 0, 0, size / 2, 0, -size / 2]),
  rows: 4,
  columns: 2,
});

/** Expects these bounds, up to rounding. */
const about = ({ left, right, bottom, top }: Bounds): object =>
  Object.fromEntries(
    Object.entries({ left, right, bottom, top }).map(([side, at]) => [side, expect.closeTo(at, 9)]),
  );

describe('the frame of a run', () => {
  test('keeps axes and scale while points move, and makes room for what leaves it', async () => {
    const begun = await makeFrame(square(2), 10, still);
    const first = seeIn(begun, square(2));
    expect(first.frame.bounds).toEqual(about({ left: -2, right: 2, bottom: -1, top: 1 }));
    const smaller = seeIn(first.frame, square(1));
    expect(smaller.frame).toEqual(first.frame);
    expect([...smaller.seen.x].map((x) => Math.round(1e9 * x) / 1e9 + 0)).toEqual([1, -1, 0, 0]);
    const larger = seeIn(smaller.frame, square(4));
    expect(larger.frame.plane).toBe(begun.plane);
    expect(larger.frame.step).toBe(10);
    expect(larger.frame.bounds).toEqual(about({ left: -4, right: 4, bottom: -2, top: 2 }));
  });

  test('is outgrown when the run has twice its steps, or a hundred more; at the end at once', () => {
    const at = (step: number): Frame => ({ step }) as Frame;
    expect([99, 100].map((step) => isOutgrown(at(0), step, false))).toEqual([false, true]);
    expect([999, 1000].map((step) => isOutgrown(at(500), step, false))).toEqual([false, true]);
    expect([500, 501].map((step) => isOutgrown(at(500), step, true))).toEqual([false, true]);
  });

  test('is that of one run and of one thing that is shown', async () => {
    const frames = new Frames();
    const frame = await makeFrame(square(1), 0, still);
    expect(frames.of(1, 'tokens')).toBeNull();
    frames.keep('tokens', frame);
    expect(frames.of(1, 'tokens')).toBe(frame);
    expect(frames.of(1, 'positions')).toBeNull();
    expect(frames.of(2, 'tokens')).toBeNull();
  });
});

describe('the rows', () => {
  const asked = (trainer: Trainer) => ({ trainer, model: trainer });
  const made = () => begin('microgpt', names, { channels: 8, heads: 2, layers: 2, context: 12 });

  test('are those of the tables, with their tokens, and of a text in each block', async () => {
    const { trainer } = await made();
    await trainer.step();
    const vocabulary = await trainer.vocabulary(0, Infinity);
    const read = (shown: ReturnType<typeof choicesOf>[number]) =>
      readRows(asked(trainer), shown, 'anna', vocabulary);
    const tokens = (await read('tokens'))!;
    expect(tokens.step).toBe(1);
    expect(tokens.tokens).toEqual(vocabulary);
    expect([tokens.matrix.rows, tokens.matrix.columns]).toEqual([vocabulary.length, 8]);
    const positions = (await read('positions'))!;
    expect([positions.matrix.rows, positions.tokens]).toEqual([12, null]);
    const list = await trainer.tensors('anna', false);
    for (const [shown, name] of [
      [0, 'embed.norm'],
      [1, 'block0.mlp.residual'],
      [2, 'block1.mlp.residual'],
    ] as const) {
      // prettier-ignore
      const { index } = list.tensors.find((one) => one.name === name)!;
      const { values } = await trainer.tensor(index, { gradient: false });
      const rows = (await read(shown))!;
      expect(rows.matrix.values).toEqual(values);
      expect(rows.tokens).toEqual(list.tokens);
    }
    expect(await read(3)).toBeNull();
    expect(choicesOf(2)).toEqual(['tokens', 'positions', 0, 1, 2]);
  });

  test('lack tokens of a byte that the text never uses, whatever their kind', async () => {
    const used = await usedBytes(new Blob(['abc', '\u00e9']));
    expect([...used].sort((a, b) => a - b)).toEqual([0x61, 0x62, 0x63, 0xa9, 0xc3]);
    const token = (id: number, kind: Token['kind'], hex: string): Token => ({
      ...{ id, kind, hex },
      text: '',
    });
    const tokens = [
      ...[token(0, 'text', '61'), token(1, 'text', '7a'), token(2, 'bytes', 'c3')],
      ...[token(3, 'bytes', 'ff'), token(4, 'text', '7a7a'), token(5, 'bos', '')],
    ];
    const values = Float32Array.from({ length: 12 }, (_, at) => at);
    const rows = { step: 1, matrix: { values, rows: 6, columns: 2 }, omitted: 0, unused: 0 };
    const left = withoutUnused({ ...rows, tokens }, used);
    expect(left.tokens!.map(({ id }) => id)).toEqual([0, 2, 4, 5]);
    expect([...left.matrix.values]).toEqual([0, 1, 4, 5, 8, 9, 10, 11]);
    expect([left.matrix.rows, left.unused]).toEqual([4, 2]);
    expect(withoutUnused({ ...rows, tokens: null }, used).matrix.rows).toBe(6);
  });

  test('say how much of a long text, or of a large vocabulary, is left out', async () => {
    const { trainer } = await made();
    const vocabulary = await trainer.vocabulary(0, Infinity);
    const rows = (await readRows(asked(trainer), 2, 'annabellaleona', vocabulary))!;
    expect([rows.matrix.rows, rows.omitted]).toEqual([12, 3]);
    const many = {
      rest: still,
      tensors: () => Promise.resolve({ tensors: [{ index: 7, name: 'wte.weight', shape: [6000, 500] }] }), // prettier-ignore
      tensor: (_: number, { firstRow, rows: height }: { firstRow: number; rows: number }) =>
        Promise.resolve({ step: 4, firstRow, values: new Float32Array(height * 500).fill(firstRow + 1) }), // prettier-ignore
    } as unknown as Trainer;
    const large = (await readRows(asked(many), 'tokens', '', vocabulary))!;
    expect([large.matrix.rows, large.omitted]).toEqual([5000, 1000]);
    expect(large.matrix.values.includes(0)).toBe(false);
  });

  test('are read anew when a step came between two parts of them, and given up after a while', async () => {
    let [read, rests] = [0, 0];
    const moving = (until: number) =>
      ({
        rest: (milliseconds: number) => {
          if (milliseconds > 0) rests += 1;
          return still();
        },
        tensors: () => Promise.resolve({ tensors: [{ index: 0, name: 'wpe.weight', shape: [4, 32_768] }] }), // prettier-ignore
        tensor: (_: number, { firstRow }: { firstRow: number }) => {
          read += 1;
          const step = Math.min(read, until);
          return Promise.resolve({ step, firstRow, values: new Float32Array(65_536) });
        },
      }) as unknown as Trainer;
    const rows = await readRows(asked(moving(3)), 'positions', '', []);
    expect([rows?.step, read, rests]).toEqual([3, 4, 2]);
    expect(await readRows(asked(moving(Infinity)), 'positions', '', [])).toBeNull();
  });
});

describe('names in the picture', () => {
  const room = { width: 200, height: 100, line: 16, dots: [] };
  const point = (index: number, x: number, y: number, isNeeded = false): NamedPoint => ({
    ...{ index, x, y, width: 30, gap: 6, isNeeded },
  });

  test('never lie on each other, on another point or outside', () => {
    const points = Array.from({ length: 300 }, (_, i) => point(i, (i * 37) % 200, (i * 53) % 100));
    const dots = points.map(({ x, y }) => ({ left: x - 1, top: y - 1, right: x + 1, bottom: y + 1 })); // prettier-ignore
    const placed = placeNames(points, { ...room, dots: dots.slice(0, 20) }, new Map());
    expect(placed.length).toBeGreaterThan(3);
    const boxes = [...placed.map(({ box }) => box), ...dots.slice(0, 20)];
    for (const [at, a] of placed.entries()) {
      expect(a.box.left >= 0 && a.box.right <= 200 && a.box.top >= 0 && a.box.bottom <= 100).toBe(true); // prettier-ignore
      for (const b of boxes.slice(at + 1)) {
        const apart = a.box.right <= b.left || b.right <= a.box.left || a.box.bottom <= b.top || b.bottom <= a.box.top; // prettier-ignore
        expect(apart).toBe(true);
      }
    }
  });

  test('stay on the side where they were', () => {
    const sides = (before: Map<number, 'left'>) =>
      placeNames([point(0, 100, 50)], room, before).map(({ side }) => side);
    expect(sides(new Map())).toEqual(['right']);
    expect(sides(new Map([[0, 'left']]))).toEqual(['left']);
  });

  test('cover points only where they are needed', () => {
    const all = { left: 0, top: 0, right: 200, bottom: 100 };
    const named = (isNeeded: boolean) =>
      placeNames([point(0, 100, 50, isNeeded)], { ...room, dots: [all] }, new Map()).length;
    expect([named(false), named(true)]).toEqual([0, 1]);
  });
});

test('vowels with marks are vowels, and what has no letters is a sign', () => {
  const kind = (text: string) => kindOf({ text, kind: 'text', hex: '' });
  expect(['a', 'É', 'b', 'ß', '春', 'the', ' a', '7', '²', '.', ' ', '\n'].map(kind)).toEqual([
    ...['vowel', 'vowel', 'letter', 'letter', 'letter', 'piece', 'piece'],
    ...['digit', 'digit', 'sign', 'sign', 'sign'],
  ]);
  expect(kindOf({ text: '', kind: 'bos', hex: '' })).toBe('sign');
  expect(kindOf({ text: '', kind: 'bytes', hex: 'E5' })).toBe('sign');
});
