/** Labels of the levels in the loss chart: web/instruments/loss/plot/plot-painting.ts. */
import { afterEach, expect, test, vi } from 'vitest';
import type uPlot from 'uplot';
import type { KeptValues } from '../web/kit/dom.ts';
import { drawLayers } from '../web/instruments/loss/plot/plot-painting.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('levels that lie close to each other each keep their name, side by side', () => {
  vi.stubGlobal('devicePixelRatio', 1);
  const WIDTH = 290;
  const UNIT = 6;
  const named: { text: string; x: number; y: number }[] = [];
  const nothing = (): void => undefined;
  const ctx = {
    ...{ save: nothing, restore: nothing, beginPath: nothing, moveTo: nothing, lineTo: nothing },
    ...{ stroke: nothing, setLineDash: nothing },
    measureText: (text: string) => ({ width: UNIT * text.length }),
    fillText: (text: string, x: number, y: number) => named.push({ text, x, y }),
  };
  const chart = {
    ...{ ctx, bbox: { left: 0, top: 0, width: WIDTH, height: 100 }, data: [[], [], [9]] },
    valToPos: (value: number) => 100 - 10 * value,
  } as unknown as uPlot;
  const levels = [3, 2.4, 1.8].map((nats, at) => ({
    level: { nats, bits: nats },
    label: `${String(at)} tokens before`,
  }));
  drawLayers(chart, levels, 'nats', { of: () => '' } as unknown as KeptValues);
  expect(named.map(({ text }) => text)).toEqual(levels.map(({ label }) => label));
  for (const [at, one] of named.entries()) {
    expect(one.x - UNIT * one.text.length).toBeGreaterThanOrEqual(0);
    for (const other of named.slice(0, at)) {
      const apart = Math.abs(one.x - other.x) >= UNIT * one.text.length;
      expect(apart || Math.abs(one.y - other.y) >= 14).toBe(true);
    }
  }
});
