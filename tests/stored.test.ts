/**
 * Notes in the browser's storage. The fixture was written by the version before schemas read them.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PLAIN_CHOICE } from '../web/data/loss-data.ts';
import type { Recipe } from '../web/engine/options.ts';
import { recallChoice } from '../web/instruments/share/lesson-choice.ts';
import { readEarlier } from '../web/store/runs/earlier-note.ts';
import { recall } from '../web/store/storage.ts';
import { Fitting } from '../web/store/text/fitting.ts';
import { OwnText } from '../web/store/text/own-text.ts';
import { notedSample } from '../web/store/text/texts.ts';
import { recallLossChoice } from '../web/store/training/loss-choice.ts';
import kept from './fixtures/stored.json' with { type: 'json' };
import { KeptByTab } from './node/kept-by-tab.ts';

const RECIPE: Recipe = {
  ...{ preset: 'tinygpt', changes: { steps: 500, lr: 0.001 } },
  leftOut: [[5, 8]],
};
/** The store of long texts, which answers every key by the key itself. */
const files = {
  put: () => Promise.resolve(),
  get: (key: string) => Promise.resolve(new Blob([key])),
};

beforeEach(() => {
  const storages = { sessionStorage: kept.tab, localStorage: kept.always };
  for (const [name, items] of Object.entries(storages)) {
    const storage = new KeptByTab();
    for (const [key, value] of Object.entries(items)) storage.setItem(key, value);
    vi.stubGlobal(name, storage);
  }
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const openOwn = (): OwnText => {
  const openStore = () => Promise.resolve(files);
  return new OwnText({ given: undefined, keeps: true, openStore, changed: () => undefined });
};
/** Whether the page takes the recipe in its address for its own choice. */
const isFitted = (): boolean => {
  const fitting = new Fitting({ keeps: true, isAllowed: () => true });
  fitting.begin(RECIPE, true);
  return fitting.isGiven(RECIPE);
};

test('notes of an earlier version mean the same', async () => {
  expect(recallLossChoice()).toEqual({
    ...{ unit: 'bits', smoothing: 2.5, logSteps: true, logLoss: false, beneath: true },
  });
  expect(recallChoice()).toEqual({
    ...{ form: 'frame', show: ['run', 'loss'], lock: ['seed'], hide: [], task: 'Find it.' },
    ...{ name: 'Poems', autostart: true, stop: '50', lang: 'zh', theme: 'dark' },
  });
  expect(isFitted()).toBe(true);
  expect(notedSample(kept.note)).toBe('moby');
  expect(readEarlier(recall('tab', 'earlier'))).toEqual([
    {
      ...{ saved: 'abc', id: 2, shown: false, aside: true, beside: 'other', recipe: RECIPE },
      ...{ before: null, tokensPerCharacter: { train: 1.5, validation: NaN }, changed: ['lr'] },
      isOpened: false,
    },
  ]);
  const own = openOwn();
  const file = (await own.read()) as File;
  expect(file).toMatchObject({ name: 'b.txt', type: 'text/plain;charset=latin1' });
  expect(await file.text()).toBe('21ef981bae80fc85267cb6f1');
  own.bringBack();
  expect(await own.read()).toBe('acd6ed89221ba99d08e4882f');
});

test.each(['', '{', 'null', '7', '"a"', '[]', '{}', '[null]', '{"recipe":{"changes":null}}'])(
  'notes damaged to %j leave the page as without notes',
  (damage) => {
    const first = recallChoice();
    sessionStorage.removeItem('glasshouse.share');
    const without = recallChoice();
    expect(without).not.toEqual(first);
    for (const key of Object.keys(kept.tab)) sessionStorage.setItem(key, damage);
    localStorage.setItem('glasshouse.loss', damage);
    expect(recallLossChoice()).toEqual(PLAIN_CHOICE);
    expect(recallChoice()).toEqual(without);
    expect(isFitted()).toBe(false);
    expect(notedSample(damage)).toBeNull();
    expect(readEarlier(recall('tab', 'earlier'))).toEqual([]);
    expect(openOwn().typed).toBe('');
  },
);

test.each([
  ['recipe', { preset: 'tinygpt', changes: null }, []],
  ['recipe', { preset: 'tinygpt', changes: { lr: 'x' } }, []],
  ['changed', [7], []],
  ['before', 7, [null]],
  ['before', undefined, [null]],
])('an earlier run whose %s is %j has a whole recipe, or is left out', (member, value, before) => {
  const [note] = JSON.parse(kept.tab['glasshouse.earlier']) as object[];
  const notes = readEarlier(JSON.stringify([{ ...note, before: RECIPE, [member]: value }]));
  expect(notes.map((one) => one.before)).toEqual(before);
});
