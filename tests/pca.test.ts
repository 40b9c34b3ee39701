/** Principal plane and nearest rows of a table: web/data/pca.ts and web/data/cosine.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lengthsOf, nearest } from '../web/data/cosine.ts';
import { principalPlane, project } from '../web/data/pca.ts';
import type { Matrix } from '../web/data/pca.ts';
import { floats, readSafetensors } from './node/read-safetensors.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

/** numpy's results for a table; see tests/generate/pca.py. */
interface Oracle {
  readonly axes: readonly (readonly number[])[];
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly shares: readonly number[];
  readonly nearest: readonly number[];
  readonly cosines: readonly number[];
}

const TABLES = ['wte', 'wpe', 'layer0.mlp_fc1'] as const;
const oracle = JSON.parse(readFileSync(join(fixtures, 'pca.json'), 'utf8')) as Record<
  (typeof TABLES)[number],
  Oracle
>;
const { tensors } = readSafetensors(
  readFileSync(join(fixtures, 'microgpt-first-names.step5000.safetensors')),
);

function table(name: string): Matrix {
  const values = floats(tensors.get(name)!);
  return { values, rows: values.length / 64, columns: 64 };
}

const matrix = (rows: readonly (readonly number[])[]): Matrix => ({
  values: Float64Array.from(rows.flat()),
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
});

/** Returns the largest difference between two lists. */
function apart(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  return Math.max(0, ...Array.from(a, (value, at) => Math.abs(value - b[at]!)));
}

describe('the plane of a table', () => {
  test.each(TABLES)('%s of a trained model is that of numpy', async (name) => {
    const rows = table(name);
    const plane = await principalPlane(rows);
    const { x, y, shares } = project(rows, plane);
    for (const at of [0, 1] as const)
      expect(apart(plane.axes[at], oracle[name].axes[at]!)).toBeLessThan(1e-7);
    expect(apart(x, oracle[name].x)).toBeLessThan(1e-7);
    expect(apart(y, oracle[name].y)).toBeLessThan(1e-7);
    expect(apart(shares, oracle[name].shares)).toBeLessThan(1e-11);
  });

  test('is the same to the last bit each time, however often the work rests', async () => {
    let rests = 0;
    const wide = { values: new Float32Array(300 * 200), rows: 300, columns: 200 };
    for (let at = 0; at < wide.values.length; at++) wide.values[at] = (at * 7919) % 104_729;
    const [once, again] = [
      await principalPlane(wide),
      await principalPlane(wide, () => {
        rests += 1;
      }),
    ];
    expect(rests).toBeGreaterThan(0);
    expect(again).toEqual(once);
  });

  test('of points on a line lies along it, and its second axis has no length', async () => {
    const rows = matrix([1, 2, 3, 6].map((at) => [at, -2 * at, 2 * at]));
    const plane = await principalPlane(rows);
    // Sign convention: the largest component is positive; on a tie, the first of the two.
    expect(apart(plane.axes[0], [-1 / 3, 2 / 3, -2 / 3])).toBeLessThan(1e-12);
    expect([...plane.axes[1]]).toEqual([0, 0, 0]);
    const { x, y, shares } = project(rows, plane);
    expect(apart(x, [6, 3, 0, -9])).toBeLessThan(1e-12);
    expect([...y]).toEqual([0, 0, 0, 0]);
    expect(apart(shares, [1, 0])).toBeLessThan(1e-12);
  });

  test('of a cross has its longer arm as the first axis', async () => {
    const rows = matrix([[0, 3, 0, 0], [0, -3, 0, 0], [0, 0, 0, 2], [0, 0, 0, -2], [1, 0, 0, 0], [-1, 0, 0, 0]]); // prettier-ignore
    const plane = await principalPlane(rows);
    expect(apart(plane.axes[0], [0, 1, 0, 0])).toBeLessThan(1e-9);
    expect(apart(plane.axes[1], [0, 0, 0, 1])).toBeLessThan(1e-9);
    expect(apart(project(rows, plane).shares, [18 / 28, 8 / 28])).toBeLessThan(1e-12);
  });

  test('of a square, where every direction is as good, keeps all distances', async () => {
    const rows = matrix([[1, 1], [1, -1], [-1, 1], [-1, -1]]); // prettier-ignore
    const { x, y, shares } = project(rows, await principalPlane(rows));
    const away = Array.from(x, (value, at) => value ** 2 + y[at]! ** 2);
    expect(apart(away, [2, 2, 2, 2])).toBeLessThan(1e-12);
    expect(apart(shares, [0.5, 0.5])).toBeLessThan(1e-12);
  });

  test.each([
    ['one row', [[1, 2, 3]]],
    ['rows that are all alike', [[1, 2], [1, 2], [1, 2]]], // prettier-ignore
    ['rows of zeros', [[0, 0], [0, 0]]], // prettier-ignore
    ['no rows', []],
  ])('of %s has all of them in its middle', async (_, rows) => {
    const { x, y, shares } = project(matrix(rows), await principalPlane(matrix(rows)));
    expect([...x, ...y].every((value) => value === 0)).toBe(true);
    expect(shares).toEqual([NaN, NaN]);
  });

  test('of rows with one channel has one axis', async () => {
    const rows = matrix([[1], [3]]);
    const { x, y } = project(rows, await principalPlane(rows));
    expect([...x, ...y]).toEqual([-1, 1, 0, 0]);
  });

  test('shows other rows where they are, with their own share of the variance', async () => {
    const plane = await principalPlane(matrix([[2, 0, 0], [-2, 0, 0], [0, 1, 0], [0, -1, 0]])); // prettier-ignore
    const { x, y, shares } = project(matrix([[4, 0, 1], [4, 0, -1], [0, 0, 0]]), plane); // prettier-ignore
    expect(apart(x, [4, 4, 0])).toBeLessThan(1e-9);
    expect(apart(y, [0, 0, 0])).toBeLessThan(1e-9);
    // The squared distances from the mean sum to 38/3; 2 of it lies outside the plane.
    expect(apart(shares, [16 / 19, 0])).toBeLessThan(1e-9);
  });
});

describe('the nearest rows by cosine', () => {
  test.each(TABLES)('of %s are those of numpy', (name) => {
    const rows = table(name);
    const lengths = lengthsOf(rows);
    const found = Array.from({ length: rows.rows }, (_, row) => nearest(rows, lengths, row, 1)[0]!);
    expect(found.map(({ row }) => row)).toEqual(oracle[name].nearest);
    const cosines = found.map(({ cosine }) => cosine);
    expect(apart(cosines, oracle[name].cosines)).toBeLessThan(1e-11);
  });

  test('come by their angle, not by their distance, and equals by their place', () => {
    const rows = matrix([[1, 0], [9, 0], [1, 1], [-1, 0], [0, 2], [0, 3]]); // prettier-ignore
    const found = nearest(rows, lengthsOf(rows), 0, 4);
    expect(found.map(({ row }) => row)).toEqual([1, 2, 4, 5]);
    expect(found.map(({ cosine }) => Number(cosine.toFixed(6)))).toEqual([1, 0.707107, 0, 0]);
  });

  test('leave out rows of zeros, which point nowhere', () => {
    const rows = matrix([[1, 0], [0, 0], [0, 1]]); // prettier-ignore
    expect(nearest(rows, lengthsOf(rows), 0, 9).map(({ row }) => row)).toEqual([2]);
    expect(nearest(rows, lengthsOf(rows), 1, 9)).toEqual([]);
  });
});
